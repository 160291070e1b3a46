/* Buckets in backward as a conveyor: blocks drop gradients into the open bucket, a full one leaves,
 * and this rank's quarter comes back; below it the bytes that are live now, and the most so far. */
#include "page/play.h"

#include <stdlib.h>

enum {
    LABEL = 12,
    /* columns of what is said next to a bucket and next to the bar */
    STATE = 46,
    AMOUNT = 10,
    CELLS = 20,
    MOST_CELLS = 48,
    LEAST_BAR = 10,
    /* of the axis, each a block's bytes on four ranks */
    TICKS = 5,
    NARROW = 60,
    ROOMY = 14,
    /* rows that are no strip: of the blocks, the axis and the gaps */
    FIXED = 13,
    STRIPS = 4,
    THICKEST = 7
};

struct belt {
    struct account_conveyor c;
    /* bytes of all gradients */
    uint64_t all;
    /* of a whole bucket; rows of every strip */
    int cells, thick;
};

static char *megabytes(uint64_t bytes) {
    return base_format("%.0f", (double)bytes / 1e6);
}

/* ── the blocks ────────────────────────────────────────────────────────────────────────────────*/
static void draw_blocks(struct page *p, const struct belt *b, struct page_flow f) {
    int row = p->height, each = (f.width - LABEL) / ACCOUNT_CONVEYOR_BLOCKS;
    page_put(p, row, f.indent, PAGE_DIM, 0, f.width < NARROW ? "blocks" : "backward");
    for (uint32_t i = 0; i < ACCOUNT_CONVEYOR_BLOCKS; i++) {
        bool now = b->c.computes && i + 1 == b->c.done, done = i < b->c.done;
        int column = f.indent + LABEL + (int)i * each;
        column = page_printf(p, row, column, now ? PAGE_STRONG : PAGE_DIM,
                             f.width < NARROW ? "%u" : "block %u", ACCOUNT_CONVEYOR_BLOCKS - 1 - i);
        page_put(p, row, column + 1,
                 now    ? PAGE_NAME + ACCOUNT_GRADS
                 : done ? PAGE_GOOD
                        : PAGE_DIM,
                 0,
                 now    ? f.width < NARROW ? "" : (p->ascii ? "G now" : "▓ now")
                 : done ? (p->ascii ? "*" : "✓")
                        : "·");
        if (now) page_put(p, row + 1, f.indent + LABEL + (int)i * each + 3, PAGE_ACCENT, 0, "▼");
    }
    page_blank(p, p->height == row + 1 ? 2 : 1);
}

/* ── buckets ───────────────────────────────────────────────────────────────────────────────────*/
/* The row of a strip in which it is named and explained. */
static int middle_of(const struct belt *b, int row) {
    return row + (b->thick - 1) / 2;
}

static int draw_fill(struct page *p, const struct belt *b, int row, int left, int cells, int full,
                     enum account_category c) {
    int column = left;
    for (int r = row; r < row + b->thick; r++) {
        column = page_put(p, r, left, PAGE_DIM, 0, "[");
        for (int i = 0; i < cells; i++)
            column = page_put(p, r, column, i < full ? PAGE_CATEGORY + (unsigned)c : PAGE_DIM, 0,
                              i < full ? page_fill(p, c) : "·");
        column = page_put(p, r, column, PAGE_DIM, 0, "]");
    }
    return column;
}

static char *bucket_text(const struct belt *b, const struct account_bucket *k, bool narrow) {
    static const char *const few[] = {"empty", "filling", "leaves", "in flight", "free again"};
    double bytes = (double)k->bytes / 1e6, size = (double)b->c.size / 1e6,
           part = bytes / b->c.ranks;
    if (narrow) return base_format("%.0f MB, %s", bytes, few[k->state]);
    switch (k->state) {
    case ACCOUNT_BUCKET_FILLS: return base_format("%.0f of %.0f MB, filling", bytes, size);
    case ACCOUNT_BUCKET_FULL: return base_format("full: leaves, %.0f + %.0f MB", bytes, part);
    case ACCOUNT_BUCKET_FLIES: return base_format("in flight, %.0f + %.0f MB", bytes, part);
    case ACCOUNT_BUCKET_GONE: return base_dup("reduced, and free again");
    case ACCOUNT_BUCKET_EMPTY: break;
    }
    return base_dup("empty");
}

static void draw_bucket(struct page *p, const struct belt *b, struct page_flow f, int i) {
    const struct account_bucket *k = &b->c.bucket[i];
    bool leaves = k->state == ACCOUNT_BUCKET_FULL || k->state == ACCOUNT_BUCKET_FLIES;
    int top = p->height, row = middle_of(b, top),
        full = (int)(k->bytes * (uint64_t)b->cells / b->c.size);
    char *text = bucket_text(b, k, f.width < NARROW);
    page_printf(p, row, f.indent, PAGE_DIM, "bucket %c", 'A' + i);
    int column = draw_fill(p, b, top, f.indent + LABEL, b->cells, full,
                           leaves ? ACCOUNT_REDUCE : ACCOUNT_GRADS);
    column = page_put(p, row, column + 2, leaves ? PAGE_STRONG : PAGE_PLAIN, 0, text);
    if (leaves && column + 14 <= f.indent + f.width)
        page_put(p, row, column + 2, PAGE_NAME + ACCOUNT_REDUCE, 0, "──▶ reduced");
    free(text);
}

static void draw_shard(struct page *p, const struct belt *b, struct page_flow f) {
    uint64_t whole = b->all / b->c.ranks;
    int top = p->height, row = middle_of(b, top), cells = b->cells / 2;
    bool sharded = b->c.stage == 2;
    page_put(p, row, f.indent, PAGE_DIM, 0, sharded ? "my shard" : "my grads");
    int column = draw_fill(p, b, top, f.indent + LABEL, cells,
                           (int)((sharded ? b->c.shard * (uint64_t)cells / whole
                                          : b->c.live * (uint64_t)cells / b->all)),
                           ACCOUNT_GRADS);
    page_printf(p, row, column + 2, PAGE_PLAIN, "%.0f of %.0f MB%s",
                (double)(sharded ? b->c.shard : b->c.live) / 1e6,
                (double)(sharded ? whole : b->all) / 1e6,
                f.width < NARROW ? ""
                : sharded        ? ": a quarter of all gradients"
                                 : ": all gradients, whole");
}

/* ── bytes ─────────────────────────────────────────────────────────────────────────────────────*/
/* The scale goes on beyond all gradients, since one bucket of everything costs more. */
static void draw_live(struct page *p, const struct belt *b, struct page_flow f) {
    uint64_t most = b->all + b->all / b->c.ranks;
    int bar = (f.width - LABEL - AMOUNT) / TICKS * TICKS;
    if (bar < LEAST_BAR) return;
    int top = p->height, row = top + b->thick - 1, left = f.indent + LABEL;
    uint64_t flying = 0;
    for (int i = 0; i < ACCOUNT_CONVEYOR_BUCKETS; i++)
        if (b->c.bucket[i].state == ACCOUNT_BUCKET_FULL ||
            b->c.bucket[i].state == ACCOUNT_BUCKET_FLIES)
            flying += b->c.bucket[i].bytes + b->c.bucket[i].bytes / b->c.ranks;
    if (b->c.stage == 1) flying = 0;
    page_put(p, middle_of(b, top), f.indent, PAGE_STRONG, 0, "live now");
    int end = (int)(b->c.live * (uint64_t)bar / most),
        first = (int)((b->c.live - flying) * (uint64_t)bar / most);
    for (int i = 0; i < end * b->thick; i++) {
        enum account_category c = i % end < first ? ACCOUNT_GRADS : ACCOUNT_REDUCE;
        page_put(p, top + i / end, left + i % end, PAGE_CATEGORY + (unsigned)c, 0, page_fill(p, c));
    }
    char *live = megabytes(b->c.live), *high = megabytes(b->c.highest), *all = megabytes(b->all);
    page_printf(p, middle_of(b, top), left + bar + 2, PAGE_STRONG, "%s MB", live);
    int mark = (int)(b->c.highest * (uint64_t)bar / most),
        whole = (int)(b->all * (uint64_t)bar / most);
    for (int i = 0; i <= bar; i++)
        page_put(p, row + 1, left + i, i == mark ? PAGE_LIMIT : PAGE_DIM, 0,
                 i == mark                ? "┆"
                 : i == 0                 ? "├"
                 : i == bar               ? "┤"
                 : i % (bar / TICKS) == 0 ? "┼"
                                          : "─");
    page_put(p, row + 2, left, PAGE_DIM, 0, "0");
    page_printf(p, row + 2, left + whole - 1, PAGE_DIM, "%s MB: all", all);
    page_printf(p, row + 3, left, PAGE_LIMIT, "highest so far: %s MB", high);
    free(live);
    free(high);
    free(all);
}

void page_play_buckets(struct page *p, struct page_flow f, const struct account_playing *at) {
    int columns = (f.width - LABEL - STATE) / 4 * 4;
    struct belt b = {.cells = f.width < NARROW       ? CELLS / 4
                              : columns < CELLS      ? CELLS
                              : columns > MOST_CELLS ? MOST_CELLS
                                                     : columns,
                     .thick = page_play_thick(f, FIXED, STRIPS, THICKEST)};
    account_conveyor(at, &b.c);
    b.all = b.c.block * ACCOUNT_CONVEYOR_BLOCKS;
    bool roomy = f.rows == 0 || f.rows > ROOMY;
    draw_blocks(p, &b, f);
    page_blank(p, roomy);
    for (int i = 0; i < ACCOUNT_CONVEYOR_BUCKETS; i++) {
        draw_bucket(p, &b, f, i);
        page_blank(p, roomy);
    }
    draw_shard(p, &b, f);
    page_blank(p, 1);
    draw_live(p, &b, f);
}
