/* A flat buffer: tensors with their elements, first each on its own row, then end to end, padded
 * and cut in shards; at the end a row for each rank with what it keeps, and from the first rank's
 * frame on where there is room for both. */
#include "page/play.h"

#include <stdlib.h>

enum {
    MOST_CELL = 8,
    LEAST_CELL = 2,
    ROOMY = 12,
    TIGHT = 8,
    /* rows of three tensors besides their cells; of a cell at most */
    FIXED = 14,
    THICKEST = 6,
    /* columns and rows of an element in a rank's row at the end; columns of what the rank updates;
     * rows of the legend */
    WIDE_RANK = 3,
    THICK_RANK = 3,
    UPDATES = 20,
    LEGEND = 2,
    NARROW = 60,
    LABEL = 9
};

struct strip {
    struct account_flat b;
    /* columns of an element, with the blank before it */
    int cell;
    /* rows of a cell's fill */
    int high;
    /* rows of their own, above and below the fill */
    bool names, numbers;
    int left;
};

/* ── layout ────────────────────────────────────────────────────────────────────────────────────*/
static uint32_t most_places(const struct account_flat *b) {
    uint32_t most = b->elements + b->padding;
    for (int i = 0; i < ACCOUNT_FLAT_TENSORS; i++)
        if (b->tensor[i].alone > most) most = b->tensor[i].alone;
    return most;
}

/* As wide as all frames have room for, so that nothing changes its size on the way. */
static void lay_out(struct strip *s, struct page_flow f) {
    int fits = (f.width - 1) / (int)most_places(&s->b);
    s->cell = fits > MOST_CELL ? MOST_CELL : fits < LEAST_CELL ? LEAST_CELL : fits;
    s->high = page_play_thick(f, FIXED, ACCOUNT_FLAT_TENSORS, THICKEST);
    s->names = f.rows == 0 || f.rows > TIGHT - 3;
    s->numbers = (f.rows == 0 || f.rows > TIGHT) && s->cell > (s->b.elements > 10 ? 2 : 1);
    s->left = f.indent;
}

static int column_of(const struct strip *s, uint32_t place) {
    return s->left + (int)place * s->cell;
}

/* ── cells ─────────────────────────────────────────────────────────────────────────────────────*/
/* Whether the frame is about another rank's shard than the one with this place. */
static bool is_others(const struct account_flat *b, uint32_t place) {
    return b->phase == ACCOUNT_FLAT_OWNED && place / b->shard != b->rank;
}

static void draw_fill(struct page *p, const struct strip *s, int row, uint32_t place, bool real) {
    bool full = real && !is_others(&s->b, place);
    for (int y = 0; y < s->high; y++)
        for (int x = 1; x < s->cell; x++)
            page_put(p, row + y, column_of(s, place) + x,
                     full ? PAGE_CATEGORY + (unsigned)ACCOUNT_PARAMS : PAGE_DIM, 0,
                     full ? page_fill(p, ACCOUNT_PARAMS) : "·");
}

/* The element's number in the middle of its cell. */
static void draw_number(struct page *p, const struct strip *s, int row, uint32_t place,
                        uint32_t element) {
    char *text = base_format("%u", element);
    int columns = s->cell - 1, width = page_measure(p, text);
    page_put(p, row, column_of(s, place) + 1 + (columns - width) / 2,
             is_others(&s->b, place) ? PAGE_DIM : PAGE_PLAIN, 0, text);
    free(text);
}

/* Elements from `element` on, at `place`. */
static void draw_elements(struct page *p, const struct strip *s, int row, uint32_t place,
                          uint32_t element, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        draw_fill(p, s, row, place + i, true);
        if (s->numbers) draw_number(p, s, row + s->high, place + i, element + i);
    }
}

static void draw_padding(struct page *p, const struct strip *s, int row, uint32_t place,
                         uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        draw_fill(p, s, row, place + i, false);
        if (s->numbers && s->cell > 3)
            page_put(p, row + s->high, column_of(s, place + i) + 1 + (s->cell - 4) / 2, PAGE_DIM, 0,
                     "pad");
    }
}

static void draw_name(struct page *p, const struct strip *s, int row, uint32_t place,
                      const struct account_flat_tensor *t) {
    char *name = t->rows > 1 ? base_format("%s %u×%u", t->name, t->rows, t->count / t->rows)
                             : base_dup(t->name);
    if (s->names)
        page_bracket(p, row, column_of(s, place) + 1, column_of(s, place + t->count), name);
    else if (s->b.phase == ACCOUNT_FLAT_APART)
        page_put(p, row, column_of(s, t->alone) + 2, PAGE_DIM, 0, name);
    free(name);
}

/* ── tensors on rows of their own ──────────────────────────────────────────────────────────────*/
/* Each has its own padding until they begin to move. */
static void draw_apart(struct page *p, const struct strip *s, struct page_flow f) {
    for (int i = 0; i < ACCOUNT_FLAT_TENSORS; i++) {
        const struct account_flat_tensor *t = &s->b.tensor[i];
        uint32_t place = t->first * s->b.slid / ACCOUNT_FLAT_SLIDES;
        int row = p->height;
        draw_name(p, s, row, place, t);
        row += s->names;
        draw_elements(p, s, row, place, t->first, t->count);
        if (s->b.phase == ACCOUNT_FLAT_APART)
            draw_padding(p, s, row, place + t->count, t->alone - t->count);
        page_blank(p, (f.rows == 0 || f.rows > ROOMY) && i + 1 < ACCOUNT_FLAT_TENSORS);
    }
}

/* ── end to end ────────────────────────────────────────────────────────────────────────────────*/
static void draw_cuts(struct page *p, const struct strip *s, int row) {
    const struct account_flat *b = &s->b;
    int high = s->high + s->numbers, columns = (int)b->shard * s->cell - 1;
    for (uint32_t r = 0; r <= b->ranks; r++)
        for (int y = 0; y <= high; y++)
            page_put(p, row + y, column_of(s, r * b->shard), PAGE_ACCENT, 0, "│");
    for (uint32_t r = 0; r < b->ranks; r++) {
        bool now = b->phase == ACCOUNT_FLAT_OWNED && r == b->rank;
        char *name = base_format(columns < 6 ? columns < 2 ? "%u" : "r%u" : "rank %u", r);
        page_put(p, row + high,
                 column_of(s, r * b->shard) + 1 + (columns - page_measure(p, name)) / 2,
                 now ? PAGE_ACCENT : PAGE_PLAIN, now ? PAGE_REVERSE : 0, name);
        free(name);
    }
}

static void draw_buffer(struct page *p, const struct strip *s) {
    const struct account_flat *b = &s->b;
    int row = p->height;
    for (int i = 0; i < ACCOUNT_FLAT_TENSORS; i++)
        draw_name(p, s, row, b->tensor[i].first, &b->tensor[i]);
    row += s->names;
    draw_elements(p, s, row, 0, 0, b->elements);
    if (b->phase >= ACCOUNT_FLAT_PADDED) draw_padding(p, s, row, b->elements, b->padding);
    if (b->phase >= ACCOUNT_FLAT_CUT) draw_cuts(p, s, row);
}

/* ── what each rank keeps ──────────────────────────────────────────────────────────────────────*/
/* The ranks' rows: columns and rows of an element's cell. */
struct shelf {
    int wide, thick, gap;
};

static struct shelf lay_ranks(const struct account_flat *b, struct page_flow f) {
    int places = (int)(b->elements + b->padding), ranks = (int)b->ranks;
    int wide = (f.width - LABEL - UPDATES) / (3 * places);
    int thick = page_play_thick(f, LEGEND, ranks, THICK_RANK + 1) - 1;
    return (struct shelf){.wide = wide < 1           ? 1
                                  : wide > WIDE_RANK ? WIDE_RANK
                                                     : wide,
                          .thick = thick < 1 ? 1 : thick,
                          .gap = f.rows == 0 || f.rows > 2 * ranks + LEGEND};
}

/* The whole buffer in a cell each: full where the rank has it. */
static int draw_kept(struct page *p, const struct account_flat *b, struct shelf s, int row,
                     int column, enum account_category c, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < b->elements + b->padding; i++, column += s.wide) {
        bool full = i >= from && i < to && i < b->elements;
        for (int k = 0; k < s.wide * s.thick; k++)
            page_put(p, row + k / s.wide, column + k % s.wide,
                     full ? PAGE_CATEGORY + (unsigned)c : PAGE_DIM, 0,
                     full ? page_fill(p, c) : "·");
    }
    return column;
}

static void draw_rank(struct page *p, const struct strip *s, struct page_flow f, struct shelf shelf,
                      uint32_t rank) {
    const struct account_flat *b = &s->b;
    uint32_t first = rank * b->shard, real = account_flat_real(b, rank);
    bool narrow = f.width < NARROW;
    int row = p->height, middle = row + (shelf.thick - 1) / 2,
        column = s->left + (narrow ? 3 : LABEL);
    page_printf(p, middle, s->left, PAGE_PLAIN, narrow ? "r%u" : "rank %u", rank);
    if (!narrow) column = 2 + draw_kept(p, b, shelf, row, column, ACCOUNT_PARAMS, 0, b->elements);
    column = 1 + !narrow + draw_kept(p, b, shelf, row, column, ACCOUNT_MASTER, first, first + real);
    column = 2 + draw_kept(p, b, shelf, row, column, ACCOUNT_MOMENTS, first, first + real);
    if (f.width - column < 14) return;
    if (!real)
        page_put(p, middle, column, PAGE_DIM, 0, "only padding");
    else if (real == 1)
        page_printf(p, middle, column, PAGE_PLAIN, "updates %u", first);
    else
        page_printf(p, middle, column, PAGE_PLAIN, "updates %u–%u", first, first + real - 1);
}

/* Rows of the ranks with their legend, as draw_ranks() draws them. */
static int ranks_height(const struct account_flat *b, struct page_flow f) {
    struct shelf shelf = lay_ranks(b, f);
    return (int)b->ranks * (shelf.thick + shelf.gap) - shelf.gap + LEGEND;
}

/* The first `count` ranks, in the place of all. */
static void draw_ranks(struct page *p, const struct strip *s, struct page_flow f, uint32_t count) {
    const struct account_flat *b = &s->b;
    struct shelf shelf = lay_ranks(b, f);
    bool present[ACCOUNT_CATEGORIES] = {0};
    present[ACCOUNT_PARAMS] = f.width >= NARROW;
    present[ACCOUNT_MASTER] = present[ACCOUNT_MOMENTS] = true;
    for (uint32_t r = 0; r < b->ranks; r++) {
        if (r < count)
            draw_rank(p, s, f, shelf, r);
        else
            page_blank(p, shelf.thick);
        page_blank(p, shelf.gap && r + 1 < b->ranks);
    }
    page_legend(p, f, s->left, present, false);
}

/* Of the buffer, cut and named. */
static int buffer_height(const struct strip *s) {
    return s->names + s->high + s->numbers + 1;
}

/* Of three tensors, apart. */
static int apart_height(const struct strip *s, struct page_flow f) {
    int gaps = f.rows == 0 || f.rows > ROOMY ? ACCOUNT_FLAT_TENSORS - 1 : 0;
    return ACCOUNT_FLAT_TENSORS * (s->names + s->high + s->numbers) + gaps;
}

/* Whether the ranks' rows, which have `rest`, are below the buffer. */
static bool has_both(const struct strip *s, struct page_flow rest) {
    return rest.rows > 0 && ranks_height(&s->b, rest) <= rest.rows;
}

/* What comes below the drawing keeps its place: each frame takes the rows of the highest. */
static int highest(const struct strip *s, struct page_flow f, struct page_flow rest) {
    int buffer = buffer_height(s), apart = apart_height(s, f),
        end = has_both(s, rest) ? buffer + 1 + ranks_height(&s->b, rest) : ranks_height(&s->b, f);
    int most = apart > end ? apart : end;
    return most > f.rows ? f.rows : most > buffer ? most : buffer;
}

void page_play_flat(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct strip s = {0};
    account_flat(at, &s.b);
    lay_out(&s, f);
    struct page_flow rest = f;
    rest.rows = f.rows - buffer_height(&s) - 1;
    bool owned = s.b.phase >= ACCOUNT_FLAT_OWNED, ends = s.b.phase == ACCOUNT_FLAT_END;
    bool both = owned && has_both(&s, rest);
    if (s.b.phase <= ACCOUNT_FLAT_SLIDES_ON)
        draw_apart(p, &s, f);
    else if (!ends || both)
        draw_buffer(p, &s);
    if (both) page_blank(p, 1);
    if (both || ends) draw_ranks(p, &s, both ? rest : f, ends ? s.b.ranks : s.b.rank + 1);
    if (f.rows > 0) page_blank(p, highest(&s, f, rest) - page_height(p));
}
