/* Gather, use, free: the units with the shard that is kept of each and the whole ones of now; below
 * them the bytes that are gathered over the whole pass, as far as it has come. */
#include "page/play.h"

#include <stdlib.h>

enum {
    NAME = 12,
    KEPT = 3,
    GATHERED = 20,
    GRADIENT = 10,
    /* columns of what is said of a unit's state */
    STATE = 28,
    /* blocks that are shown at least */
    CONTEXT = 4,
    /* rows around them: the head, first and last unit, two for those left out, gap and sum */
    UNITS = 7,
    /* of the curve, and of its axis with its words */
    CURVE = 3,
    MOST_CURVE = 8,
    AXIS = 2,
    LEVELS = 8,
    NARROW = 60
};

struct pass {
    struct account_gathering w;
    /* the largest unit there is most of */
    uint64_t block;
    /* cells of a block */
    int whole, gradient;
    /* blocks that are shown; rows of the curve, 0: it is not drawn */
    uint32_t around;
    int curve;
};

/* ── units ─────────────────────────────────────────────────────────────────────────────────────*/
static const char *state_text(const struct pass *s, enum account_shard_unit_state state) {
    bool more = s->w.backward && s->whole >= GATHERED;
    switch (state) {
    case ACCOUNT_SHARD_UNIT_ARRIVES: return "arriving";
    case ACCOUNT_SHARD_UNIT_COMPUTES: return more ? "computes backward" : "computes";
    case ACCOUNT_SHARD_UNIT_KEPT: return "kept";
    case ACCOUNT_SHARD_UNIT_FREED: return more ? "freed, gradient reduced" : "freed";
    case ACCOUNT_SHARD_UNIT_SHARDED: break;
    }
    return "";
}

static int draw_cells(struct page *p, int row, int column, int cells, enum account_category c) {
    for (int i = 0; i < cells; i++)
        column = page_put(p, row, column, PAGE_CATEGORY + (unsigned)c, 0, page_fill(p, c));
    return column;
}

static void draw_whole(struct page *p, const struct pass *s, int row, int column, uint32_t unit,
                       enum account_shard_unit_state state) {
    int cells = (int)(account_gathering_unit_bytes(&s->w, unit) * (uint64_t)s->whole / s->block);
    bool arrives = state == ACCOUNT_SHARD_UNIT_ARRIVES;
    if (state == ACCOUNT_SHARD_UNIT_SHARDED || state == ACCOUNT_SHARD_UNIT_FREED) return;
    int end = draw_cells(p, row, column, arrives ? cells * 3 / 5 : cells, ACCOUNT_GATHER);
    for (; end < column + cells; end++) page_put(p, row, end, PAGE_DIM, 0, "·");
}

static void draw_unit(struct page *p, const struct pass *s, struct page_flow f, uint32_t unit) {
    char name[24];
    enum account_shard_unit_state state = account_gathering_unit(&s->w, unit);
    int row = p->height, column = f.indent + NAME;
    bool at_work = state == ACCOUNT_SHARD_UNIT_COMPUTES;
    page_put(p, row, f.indent, at_work ? PAGE_STRONG : PAGE_PLAIN, 0,
             account_gathering_name(&s->w, unit, name, sizeof name));
    draw_cells(p, row, column, account_gathering_unit_bytes(&s->w, unit) < s->block ? 1 : 2,
               ACCOUNT_PARAMS);
    column += KEPT + 1;
    draw_whole(p, s, row, column, unit, state);
    column += s->whole + 1;
    if (at_work && s->w.gradient)
        draw_cells(p, row, column, (int)(s->w.gradient * (uint64_t)s->gradient / s->block),
                   ACCOUNT_GRADS);
    page_put(p, row, column + s->gradient + 1, at_work ? PAGE_STRONG : PAGE_DIM, 0,
             state_text(s, state));
}

/* The first and the last unit, and some blocks around the one at work; a row stands for those that
 * are left out. */
static void draw_units(struct page *p, const struct pass *s, struct page_flow f) {
    uint32_t last = s->w.units - 1, at = s->w.unit;
    uint32_t from = at < 2 ? 1 : at - 1;
    if (from + s->around > last) from = last > s->around ? last - s->around : 1;
    uint32_t to = from + s->around < last ? from + s->around : last;
    const char *dots = p->ascii ? ":" : "…";
    bool all = last <= s->around + 1;
    draw_unit(p, s, f, 0);
    if (!all) page_put(p, p->height, f.indent + 2, PAGE_DIM, 0, from > 1 ? dots : " ");
    for (uint32_t u = from; u < to; u++) draw_unit(p, s, f, u);
    if (!all) page_put(p, p->height, f.indent + 2, PAGE_DIM, 0, to < last ? dots : " ");
    draw_unit(p, s, f, last);
}

static void draw_head(struct page *p, const struct pass *s, struct page_flow f) {
    int row = p->height;
    page_put(p, row, f.indent, PAGE_DIM, 0, "unit");
    page_put(p, row, f.indent + NAME, PAGE_DIM, 0, "kept");
    page_put(p, row, f.indent + NAME + KEPT + 3, PAGE_DIM, 0, "gathered");
    if (s->w.backward && s->gradient >= GRADIENT)
        page_put(p, row, f.indent + NAME + KEPT + 2 + s->whole, PAGE_DIM, 0, "gradient");
}

/* ── bytes ─────────────────────────────────────────────────────────────────────────────────────*/
static void draw_now(struct page *p, const struct pass *s, struct page_flow f) {
    char *now = page_bytes((double)s->w.gathered), *all = page_bytes((double)s->w.whole),
         *gradient = page_bytes((double)s->w.gradient);
    int row = p->height, column = page_put(p, row, f.indent, PAGE_DIM, 0, "gathered ");
    column = page_put(p, row, column, PAGE_STRONG, 0, now);
    column = page_printf(p, row, column, PAGE_PLAIN, " of %s: %.0f%%", all,
                         100 * (double)s->w.gathered / (double)s->w.whole);
    if (s->w.gradient && f.width >= NARROW)
        page_printf(p, row, column, PAGE_PLAIN, "  + gradient %s", gradient);
    free(now);
    free(all);
    free(gradient);
}

static uint64_t bytes_at(const struct pass *s, uint32_t frame, uint64_t *gathered) {
    struct account_gathering then = account_gathering_at(&s->w, frame);
    *gathered = then.gathered;
    return then.gathered + then.gradient;
}

static uint64_t highest(const struct pass *s) {
    uint64_t most = 1, gathered;
    for (uint32_t frame = 0; frame < s->w.frames; frame++) {
        uint64_t bytes = bytes_at(s, frame, &gathered);
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* A column of the curve, in eighths of a row; the gradient's part stands on the gathered one. Where
 * colours do not tell them apart, their fills do, and only a cell's lower half is drawn in parts:
 * more of it would look like params. */
static void draw_column(struct page *p, int bottom, int column, int rows, double gathered,
                        double all) {
    static const char *const part[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    int top = (int)(all * rows * LEVELS + 0.5);
    for (int r = 0; r * LEVELS < top; r++) {
        int level = top - r * LEVELS > LEVELS ? LEVELS : top - r * LEVELS;
        unsigned c = (double)r / rows < gathered - 1e-9 ? ACCOUNT_GATHER : ACCOUNT_GRADS;
        if (level * 2 > LEVELS && !p->colours)
            page_put(p, bottom - r, column, PAGE_CATEGORY + c, 0, page_fill(p, c));
        else
            page_put(p, bottom - r, column, PAGE_INK + c, 0, part[level]);
    }
}

/* The line at the upper edge of its row is the peak. */
static void draw_curve(struct page *p, const struct pass *s, struct page_flow f, int rows) {
    double most = (double)highest(s);
    char *top = page_bytes(most);
    int row = p->height, left = f.indent + page_measure(p, top) + 1;
    int width = f.indent + f.width - left - 1, bottom = row + rows - 1;
    uint32_t frames = s->w.frames;
    if (width < 2) {
        free(top);
        return;
    }
    page_put(p, row, f.indent, PAGE_DIM, 0, top);
    if (rows > 1) page_put(p, row + 1, f.indent, PAGE_DIM, 0, "peak");
    page_put(p, bottom + 1, f.indent, PAGE_DIM, 0, "0");
    for (int i = 0; i < width; i++) {
        uint32_t frame = (uint32_t)((uint64_t)i * (frames - 1) / (uint32_t)(width - 1));
        uint64_t gathered, all = bytes_at(s, frame, &gathered);
        bool here = frame <= s->w.frame &&
                    (uint64_t)(i + 1) * (frames - 1) / (uint32_t)(width - 1) > s->w.frame;
        page_put(p, row, left + i, PAGE_DIM, 0, "▔");
        page_put(p, bottom + 1, left + i, here ? PAGE_ACCENT : PAGE_DIM, 0, here ? "▲" : "─");
        if (frame <= s->w.frame)
            draw_column(p, bottom, left + i, rows, (double)gathered / most, (double)all / most);
    }
    page_put(p, bottom + 2, left, PAGE_DIM, 0, "forward");
    page_put(p, bottom + 2, left + width / 2, PAGE_DIM, 0, "backward");
    free(top);
}

/* The blocks have the rows that the smallest curve leaves, and the curve those that all blocks
 * leave; the whole units have the columns that are left. */
static void lay_out(struct pass *s, struct page_flow f) {
    int spare = f.rows - UNITS - CONTEXT - AXIS - CURVE, blocks = (int)s->w.units - 2,
        most = CONTEXT;
    bool narrow = f.width < NARROW;
    int columns = narrow ? 0 : (f.width - NAME - KEPT - STATE) * 2 / 3;
    s->whole = narrow ? GATHERED / 3 : columns > GATHERED ? columns / 2 * 2 : GATHERED;
    s->gradient = narrow ? 2 : s->whole / 2;
    if (spare > 0) most = CONTEXT + spare < blocks ? CONTEXT + spare : blocks;
    s->around = (uint32_t)most;
    s->curve = f.rows == 0 ? CURVE : f.rows < 13 ? 0 : f.rows < 17 ? (f.rows < 15 ? 1 : 2) : CURVE;
    while (spare > most - CONTEXT && s->curve < MOST_CURVE) {
        s->curve++;
        spare--;
    }
}

void page_play_gather(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct pass s = {0};
    account_gathering(at, &s.w, NULL);
    s.block = account_gathering_unit_bytes(&s.w, 1);
    lay_out(&s, f);
    draw_head(p, &s, f);
    draw_units(p, &s, f);
    page_blank(p, f.rows == 0 || f.rows > 14);
    draw_now(p, &s, f);
    if (s.curve) draw_curve(p, &s, f, s.curve);
}
