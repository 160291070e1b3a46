/* A tree: the ranks are its leaves; on the way up a sum is made wherever two branches meet, on the
 * way down it is copied. Next to its hops and its busiest rank stand those of a ring. */
#include "page/play.h"

#include <stdlib.h>

enum {
    MOST_LEVELS = 4,
    ROOMY = 6,
    MARGIN = 8,
    METERS = 3,
    NOTE = 2,
    MOST_RISE = 6,
    LEAST_RISE = 2,
    /* columns of "rank 0" and its gap before a node, of the ✓ behind the node before, and a gap */
    NAMED = 7,
    TICKED = 3
};

struct branches {
    /* of each level, when its sums had been made */
    struct account_scene now, made[MOST_LEVELS];
    const struct account_playing *at;
    /* hops from a leaf to the root */
    uint32_t levels;
    const struct page_play_size *size;
    /* columns of a leaf; rows of the links between two levels */
    int slot, rise;
    int left, top;
};

/* ── layout ────────────────────────────────────────────────────────────────────────────────────*/
static void read_branches(struct branches *t) {
    account_scene_of(t->at, &t->now);
    t->levels = t->now.hops / 2;
    for (uint32_t k = 0; k <= t->levels; k++)
        account_scene(t->now.kind, t->now.ranks, 2 * k < t->now.frame ? 2 * k : t->now.frame,
                      &t->made[k]);
}

/* Of the tree, with the names of its leaves. */
static int height_of(const struct branches *t) {
    return (int)t->levels * (t->size->high + t->rise) + t->size->high + 1;
}

static bool fits(const struct branches *t, struct page_flow f) {
    int columns = page_play_columns(t->size, t->now.ranks) + 1;
    return height_of(t) + METERS <= f.rows && (int)t->now.ranks * columns <= f.width;
}

/* The largest cells that fit, and then the longest links: a row of theirs parts what is sent from
 * the node that it leaves, unless even the smallest cells are too many then. */
static void choose_size(struct branches *t, struct page_flow f) {
    int size = page_play_largest(f);
    t->rise = LEAST_RISE + 1;
    for (t->size = &page_play_sizes[size]; size + 1 < PAGE_PLAY_SIZES && !fits(t, f);)
        t->size = &page_play_sizes[++size];
    if (!fits(t, f)) t->rise = LEAST_RISE;
    while (f.rows && t->rise < MOST_RISE && height_of(t) + (int)t->levels + METERS + NOTE <= f.rows)
        t->rise++;
}

/* Chunks are told in numbers where they have no room. */
static void lay_out(struct branches *t, struct page_flow f) {
    choose_size(t, f);
    int n = (int)t->now.ranks, roomy = page_play_columns(t->size, t->now.ranks) + ROOMY;
    t->slot = f.width / n < roomy ? f.width / n : roomy;
    if (t->slot < 4) t->slot = 4;
    int spare = (f.width - n * t->slot) / 2;
    t->left = f.indent + (spare < 0 ? 0 : spare > MARGIN ? MARGIN : spare);
}

static bool has_cells(const struct branches *t) {
    return t->slot > page_play_columns(t->size, t->now.ranks);
}

/* Ranks below a node. */
static uint32_t span(uint32_t level) {
    return 1u << level;
}

static int middle_of(const struct branches *t, uint32_t level, uint32_t rank) {
    uint32_t end = rank + span(level) - 1;
    if (end >= t->now.ranks) end = t->now.ranks - 1;
    return t->left + (int)(rank + end) * t->slot / 2 + t->slot / 2;
}

/* The root is on top. */
static int row_of(const struct branches *t, uint32_t level) {
    return t->top + (t->size->high + t->rise) * (int)(t->levels - level);
}

/* ── nodes ─────────────────────────────────────────────────────────────────────────────────────*/
static uint32_t hops_done(const struct account_scene *s) {
    return s->leaving ? s->hop - 1 : s->hop;
}

/* Whether the whole sum has come back down to a level. */
static bool is_back(const struct branches *t, uint32_t level) {
    uint32_t done = hops_done(&t->now);
    return done >= t->levels && done - t->levels >= t->levels - level;
}

/* What a node holds now; NULL: nothing has come there yet. */
static const struct account_cell *cell_at(const struct branches *t, uint32_t level, uint32_t rank) {
    if (is_back(t, level)) return &t->now.cell[rank][0];
    if (hops_done(&t->now) < level) return NULL;
    return &t->made[level].cell[rank][0];
}

/* Columns of what a node holds. */
static int columns_of(const struct branches *t) {
    return has_cells(t) ? page_play_columns(t->size, t->now.ranks) : 3;
}

static void draw_shares(struct page *p, const struct branches *t, int row, int middle,
                        const struct page_play_size *size, const struct account_cell *cell) {
    int n = (int)t->now.ranks;
    uint32_t shares = 0;
    if (has_cells(t)) {
        int column = middle - page_play_columns(size, t->now.ranks) / 2;
        page_play_cells(p, row, column, size, &t->now, cell);
        return;
    }
    for (int k = 0; k < n; k++) shares += cell->shares >> k & 1;
    char text[16];
    snprintf(text, sizeof text, "%u/%d", shares, n);
    page_put(p, row, middle - 1, shares == (uint32_t)n ? PAGE_GOOD : PAGE_PLAIN, 0, text);
}

/* Whether the nodes of a level have room for the names of their ranks; the first has least. */
static bool has_names(const struct branches *t, uint32_t level) {
    int columns = columns_of(t), apart = (int)span(level) * t->slot - columns;
    return apart >= TICKED + NAMED && middle_of(t, level, 0) - columns / 2 >= NAMED;
}

static void draw_node(struct page *p, const struct branches *t, uint32_t level, uint32_t rank) {
    static const struct account_cell nothing;
    const struct account_cell *cell = cell_at(t, level, rank);
    int row = row_of(t, level), middle = middle_of(t, level, rank), columns = columns_of(t);
    int left = middle - columns / 2, beside = row + (t->size->high - 1) / 2;
    draw_shares(p, t, row, middle, t->size, cell ? cell : &nothing);
    bool whole = cell && cell->shares == (1u << t->now.ranks) - 1;
    if (whole && (level > 0 || t->slot > columns + 2) && has_cells(t))
        page_put(p, beside, left + columns + 1, PAGE_GOOD, 0, p->ascii ? "*" : "✓");
    if (level == 0)
        page_printf(p, row + t->size->high, middle - (t->slot > 7 ? 3 : 1), PAGE_STRONG,
                    t->slot > 7 ? "rank %u" : "r%u", rank);
    else if (has_names(t, level))
        page_printf(p, beside, left - NAMED, PAGE_DIM, "rank %u", rank);
}

/* ── links ─────────────────────────────────────────────────────────────────────────────────────*/
/* The move between two levels that a rank makes now; NULL: none. */
static const struct account_move *moving(const struct branches *t, uint32_t level, uint32_t child) {
    for (size_t i = 0; t->now.leaving && i < t->now.moves; i++) {
        const struct account_move *m = &t->now.move[i];
        uint32_t far = m->adds ? (uint32_t)(m->from - m->to) : (uint32_t)(m->to - m->from);
        if (far == span(level) && (m->adds ? m->from : m->to) == child) return m;
    }
    return NULL;
}

/* Up from a node to the one where it meets its neighbour. A rank's own array stays where it is. */
static void draw_link(struct page *p, const struct branches *t, uint32_t level, uint32_t child,
                      uint32_t parent) {
    const struct account_move *m = moving(t, level, child);
    int row = row_of(t, level), column = middle_of(t, level, child),
        up = middle_of(t, level + 1, parent), step = column < up ? 1 : -1;
    unsigned role = m ? PAGE_ACCENT : PAGE_DIM;
    int top = row - t->rise, label = row - (t->rise + 1) / 2;
    for (int y = top + 1; y < row; y++) page_put(p, y, column, role, 0, "│");
    for (int c = column; c != up; c += step) page_put(p, top, c, role, 0, "─");
    if (column != up) page_put(p, top, column, role, 0, column < up ? "┌" : "┐");
    page_put(p, top, up, column == up ? role : PAGE_DIM, 0, column == up ? "│" : "┴");
    if (!m) return;
    struct account_cell cell = {.shares = t->now.cell[m->from][0].shares};
    struct page_play_size line = {t->size->wide, 1, t->size->apart, 0};
    int first = column - columns_of(t) / 2 - 1, last = first + columns_of(t) + 1;
    for (int c = first + 1; c < last; c++) page_put(p, label, c, PAGE_PLAIN, 0, " ");
    draw_shares(p, t, label, column, &line, &cell);
    page_put(p, label, first, PAGE_PLAIN, PAGE_REVERSE | PAGE_BOLD, "[");
    page_put(p, label, last, PAGE_PLAIN, PAGE_REVERSE | PAGE_BOLD, "]");
    page_put(p, label, last + 1, PAGE_ACCENT, 0, m->adds ? "▲" : "▼");
}

static void draw_level(struct page *p, const struct branches *t, uint32_t level) {
    for (uint32_t rank = 0; rank < t->now.ranks; rank += span(level)) {
        draw_node(p, t, level, rank);
        if (level < t->levels) draw_link(p, t, level, rank, rank & ~(2 * span(level) - 1));
    }
}

/* ── what it costs, next to a ring ─────────────────────────────────────────────────────────────*/
static uint32_t most_sent(const struct account_scene *s) {
    uint32_t most = 0;
    for (uint32_t r = 0; r < s->ranks; r++) most = s->sent[r] > most ? s->sent[r] : most;
    return most;
}

/* "2 × S", "28 GB": of so many chunks. */
static char *amount(const struct branches *t, uint32_t chunks) {
    uint32_t n = t->now.ranks;
    if (t->at->bytes > 0) return page_bytes(t->at->bytes / n * chunks);
    return chunks % n ? base_format("%u/%u × S", chunks, n) : base_format("%u × S", chunks / n);
}

static void draw_meter(struct page *p, struct page_flow f, const char *label, uint32_t full,
                       uint32_t count, char *now, char *ring) {
    int row = p->height, wide = f.width >= 60;
    page_put(p, row, f.indent, PAGE_DIM, 0, label);
    int column = page_play_meter(p, row, f.indent + (wide ? 20 : 9), full, count);
    column = page_put(p, row, column + 2, PAGE_STRONG, 0, now);
    page_printf(p, row, column > f.indent + 42 || !wide ? column + 2 : f.indent + 42, PAGE_DIM,
                wide ? "in a ring: %s" : "ring: %s", ring);
    free(now);
    free(ring);
}

static void draw_meters(struct page *p, const struct branches *t, struct page_flow f) {
    struct account_scene ring, end;
    bool wide = f.width >= 60;
    account_scene(ACCOUNT_SCENE_RING_ALL_REDUCE, t->now.ranks, UINT32_MAX, &ring);
    account_scene(t->now.kind, t->now.ranks, UINT32_MAX, &end);
    uint32_t n = t->now.ranks, sent = most_sent(&t->now);
    draw_meter(p, f, "hops", t->now.hop, t->now.hops,
               base_format("%u of %u", t->now.hop, t->now.hops), base_format("%u", ring.hops));
    draw_meter(p, f, wide ? "busiest rank sent" : "busiest", sent / n, most_sent(&end) / n,
               amount(t, sent), amount(t, ring.sent[0]));
}

void page_play_tree(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct branches t = {.at = at, .top = p->height};
    read_branches(&t);
    lay_out(&t, f);
    page_blank(p, height_of(&t));
    for (uint32_t level = 0; level <= t.levels; level++) draw_level(p, &t, level);
    if (f.rows == 0 || f.rows > height_of(&t) + METERS - 1) page_blank(p, 1);
    draw_meters(p, &t, f);
}
