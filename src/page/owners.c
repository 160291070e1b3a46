/* Who keeps what: a grid for each stage, a row for parameters and gradients, one for each of the
 * optimizer's states, a column for each rank. A full cell is a whole copy; part of one is the slice
 * that the rank owns, drawn where it lies in the flat buffer. Grids are drawn side by side if they
 * fit.
 *
 *   {"kind":"owners","training":{"params":7e9,"gpus":4},"stages":[0,1,2,3]}
 *       or "stage":2; else the training's own */
#include "page/figure.h"

#include <stdlib.h>
#include <string.h>

enum { STAGES = 4, ROWS = 4, MOST_RANKS = 8, CELL = 8, GAP = 1, BETWEEN = 5, DOTS = 2 };

/* Rows of one label follow each other. */
static const struct row {
    const char *label, *narrow;
    enum account_category category;
} rows[ROWS] = {
    {"params", "params", ACCOUNT_PARAMS},
    {"grads", "grads", ACCOUNT_GRADS},
    {"optimizer", "optim.", ACCOUNT_MASTER},
    {"optimizer", "optim.", ACCOUNT_MOMENTS},
};

struct grid {
    uint8_t stage;
    bool sharded[ROWS];
    /* of model states on each rank */
    char *bytes;
};
struct owners {
    size_t grids;
    struct grid grid[STAGES];
    /* that the training has */
    const struct row *row[ROWS];
    size_t rows;
    /* of the data-parallel group; that divide the states */
    uint32_t ranks, slices;
    /* ranks that have a column: all, or the first ones and the last */
    uint32_t shown;
    bool narrow;
    /* of the labels, a cell, a grid; of its title at most */
    int label, cell, width, title;
    /* rows of a cell */
    int high;
    /* grids side by side */
    int across;
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static bool read_grid(struct account_training t, int64_t stage, struct owners *o,
                      struct base_message *m) {
    struct account_error e;
    struct account_ledger l;
    struct grid *g = &o->grid[o->grids];
    double sum = 0;
    if (stage < 0 || stage >= STAGES)
        return base_fail(m, "a stage of owners is 0, 1, 2 or 3, not %lld", (long long)stage);
    g->stage = t.stage = (uint8_t)stage;
    if (!account_check(&t, &e) || !account_ledger(&t, &l, &e)) return base_fail(m, "%s", e.what);
    o->rows = 0;
    for (size_t i = 0; i < ROWS; i++) {
        if (!l.bytes[rows[i].category]) continue;
        g->sharded[o->rows] = account_is_sharded(&t, rows[i].category);
        o->row[o->rows++] = &rows[i];
    }
    for (unsigned c = ACCOUNT_PARAMS; c <= ACCOUNT_MOMENTS; c++) sum += (double)l.bytes[c];
    g->bytes = page_bytes(sum);
    o->grids++;
    return true;
}

static bool read_stages(const json_t *spec, const struct account_training *t, struct owners *o,
                        struct base_message *m) {
    const json_t *stages = json_object_get(spec, "stages");
    size_t n = json_array_size(stages);
    if (!stages) return read_grid(*t, base_json_int(spec, "stage", t->stage), o, m);
    if (n == 0 || n > STAGES) return base_fail(m, "stages lists one to four of 0, 1, 2, 3");
    for (size_t i = 0; i < n; i++) {
        const json_t *stage = json_array_get(stages, i);
        if (!read_grid(*t, json_is_integer(stage) ? json_integer_value(stage) : -1, o, m))
            return false;
    }
    return true;
}

static bool read_owners(const json_t *spec, struct owners *o, struct base_message *m) {
    struct account_training t;
    if (!page_training_read(json_object_get(spec, "training"), &t, m)) return false;
    o->ranks = account_data_parallel(&t) * (t.cp ? t.cp : 1);
    o->slices = account_shard_ranks(&t);
    if (o->ranks < 2)
        return base_fail(m, "owners shows who of several ranks keeps what: set its training's gpus "
                            "to 2 or more");
    return read_stages(spec, &t, o, m);
}

/* ── layout ────────────────────────────────────────────────────────────────────────────────────*/
/* A cell is as many columns wide as there are slices, so that each is one; twice, where that is
 * few. */
static int cell_width(uint32_t slices) {
    if (slices > CELL) return CELL;
    return (int)slices * (slices < 3 ? 4 / (int)slices : slices == 3 ? 2 : 1);
}

static int grid_width(const struct owners *o) {
    return (int)o->shown * (o->cell + GAP) - GAP + (o->shown < o->ranks ? DOTS : 0);
}

/* Thick cells are as many times as wide, if two grids still fit next to each other. */
static void widen(struct owners *o, struct page_flow f) {
    int cell = o->cell, times = o->high, grids = o->grids > 1 ? 2 : 1;
    for (; times > 1; times--) {
        o->cell = cell * times;
        if (o->label + grids * (grid_width(o) + BETWEEN) - BETWEEN <= f.width) return;
    }
    o->cell = cell;
}

static void lay_out(const struct page *p, struct owners *o, struct page_flow f) {
    o->cell = cell_width(o->slices);
    o->high = p->thick;
    o->shown = o->ranks > MOST_RANKS ? MOST_RANKS / 2 : o->ranks;
    o->narrow = f.width < page_measure(p, rows[ROWS - 1].label) + 1 + grid_width(o);
    const char *longest = o->narrow ? rows[ROWS - 1].narrow : rows[ROWS - 1].label;
    o->label = page_measure(p, longest) + 1;
    while (o->shown > 2 && o->label + grid_width(o) > f.width) o->shown--;
    widen(o, f);
    o->width = grid_width(o);
    int fit = (f.width - o->label + BETWEEN) / (o->width + BETWEEN), n = (int)o->grids;
    fit = fit < 1 ? 1 : fit > n ? n : fit;
    int high = (n + fit - 1) / fit;
    o->across = (n + high - 1) / high;
    o->title = f.width - o->label - (o->across - 1) * (o->width + BETWEEN);
    if (o->across > 1 && o->title > o->width + BETWEEN - 1) o->title = o->width + BETWEEN - 1;
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
/* The column's rank: the last one stands last, however many are left out before it. */
static uint32_t rank_at(const struct owners *o, uint32_t i) {
    return i + 1 == o->shown ? o->ranks - 1 : i;
}

static int column_at(const struct owners *o, int left, uint32_t i) {
    bool behind = o->shown < o->ranks && i + 1 == o->shown;
    return left + (int)i * (o->cell + GAP) + (behind ? DOTS : 0);
}

/* Slices too thin for a column are a thin line where they begin. */
static void draw_cell(struct page *p, const struct owners *o, int row, int column, uint32_t rank,
                      enum account_category c, bool sharded) {
    uint32_t slice = rank % o->slices, cell = (uint32_t)o->cell;
    int from = (int)(slice * cell / o->slices), to = (int)((slice + 1) * cell / o->slices);
    bool thin = sharded && o->slices > cell;
    if (!sharded) from = 0, to = o->cell;
    for (int i = 0; i < o->cell; i++) {
        if (thin && i == from)
            page_put(p, row, column + i, PAGE_INK + (unsigned)c, 0, "▏");
        else if (i >= from && i < to)
            page_put(p, row, column + i, PAGE_CATEGORY + (unsigned)c, 0, page_fill(p, c));
        else
            page_put(p, row, column + i, PAGE_DIM, 0, "·");
    }
}

static void draw_title(struct page *p, const struct owners *o, const struct grid *g, int row,
                       int left) {
    char *title = base_format("stage %u · %s each", g->stage, g->bytes);
    if (page_measure(p, title) > o->title) strstr(title, " · ")[0] = '\0';
    page_put(p, row, left, PAGE_STRONG, 0, title);
    free(title);
}

/* Its first row of cells is `top`. Ranks are numbered over the first row of grids. */
static void draw_grid(struct page *p, const struct owners *o, const struct grid *g, int row,
                      int top, int left) {
    draw_title(p, o, g, row, left);
    for (uint32_t i = 0; i < o->shown; i++) {
        char *number = base_format("%u", rank_at(o, i));
        int column = column_at(o, left, i);
        if (top - row > 1)
            page_put(p, row + 1, column + (o->cell - page_measure(p, number)) / 2, PAGE_DIM, 0,
                     number);
        free(number);
        for (int k = 0; k < (int)o->rows * o->high; k++)
            draw_cell(p, o, top + k, column, rank_at(o, i), o->row[k / o->high]->category,
                      g->sharded[k / o->high]);
    }
    if (o->shown < o->ranks)
        for (int k = row + 1; k < top + (int)o->rows * o->high; k++)
            page_put(p, k, column_at(o, left, o->shown - 1) - DOTS, PAGE_DIM, 0,
                     p->ascii ? "~" : "…");
}

/* Whether a row has another label than the one before. */
static bool is_new(const struct owners *o, size_t k) {
    return k == 0 || strcmp(o->row[k]->label, o->row[k - 1]->label) != 0;
}

static void draw_row_of_grids(struct page *p, const struct owners *o, size_t from,
                              struct page_flow f) {
    int row = p->height + (from > 0), top = row + 1 + (from == 0);
    if (from == 0) page_put(p, row + 1, f.indent, PAGE_DIM, 0, "rank");
    for (int k = 0; k < (int)o->rows; k++)
        if (is_new(o, (size_t)k))
            page_put(p, top + k * o->high + (o->high - 1) / 2, f.indent, PAGE_PLAIN, 0,
                     o->narrow ? o->row[k]->narrow : o->row[k]->label);
    for (size_t i = 0; i < (size_t)o->across && from + i < o->grids; i++)
        draw_grid(p, o, &o->grid[from + i], row, top,
                  f.indent + o->label + (int)i * (o->width + BETWEEN));
}

static bool any_sharded(const struct owners *o) {
    for (size_t i = 0; i < o->grids; i++)
        for (size_t k = 0; k < o->rows; k++)
            if (o->grid[i].sharded[k]) return true;
    return false;
}

static void say_groups(struct page *p, const struct owners *o, struct page_flow f) {
    page_note(p, f, "Shard groups of %u: the same slices again in every group.", o->slices);
}

static void draw_notes(struct page *p, const struct owners *o, struct page_flow f) {
    bool present[ACCOUNT_CATEGORIES] = {0};
    for (size_t k = 0; k < o->rows; k++) present[o->row[k]->category] = true;
    page_legend(p, f, f.indent, present, false);
    if (!any_sharded(o)) {
        page_note(p, f, "A full cell is a whole copy, whatever its size. Each pile has %u copies.",
                  o->ranks);
        return;
    }
    page_note(p, f, "A full cell is a whole copy of any size. Part of a cell is this rank's 1/%u.",
              o->slices);
    if (o->slices < o->ranks) say_groups(p, o, f);
}

bool page_figure_owners(struct page *p, struct page_flow f, const json_t *spec,
                        struct base_message *m) {
    struct owners o = {0};
    bool ok = read_owners(spec, &o, m);
    if (ok) {
        lay_out(p, &o, f);
        for (size_t i = 0; i < o.grids; i += (size_t)o.across) draw_row_of_grids(p, &o, i, f);
        draw_notes(p, &o, f);
    }
    for (size_t i = 0; i < o.grids; i++) free(o.grid[i].bytes);
    return ok;
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
/* The things that are sharded, or those that are not: "params and grads"; the caller's. */
static char *list_rows(const struct owners *o, const struct grid *g, bool sharded) {
    struct base_text out = {0};
    size_t count = 0, n = 0;
    for (size_t k = 0; k < o->rows; k++) count += is_new(o, k) && g->sharded[k] == sharded;
    for (size_t k = 0; k < o->rows; k++)
        if (is_new(o, k) && g->sharded[k] == sharded)
            page_list_add(&out, n++, count, o->row[k]->label);
    return base_text_take(&out);
}

static void say_grid(struct page *p, struct page_flow f, const struct owners *o,
                     const struct grid *g) {
    char *whole = list_rows(o, g, false), *shared = list_rows(o, g, true);
    struct base_text line = {0};
    base_text_printf(&line, "Stage %u: each of %u ranks keeps %s, ", g->stage, o->ranks, g->bytes);
    if (*whole) base_text_printf(&line, "all of %s%s", whole, *shared ? ", and " : "");
    if (*shared) base_text_printf(&line, "one of %u shards of %s", o->slices, shared);
    page_say(p, f, "%s.", line.s);
    base_text_free(&line);
    free(shared);
    free(whole);
}

bool page_words_owners(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m) {
    struct owners o = {0};
    bool ok = read_owners(spec, &o, m);
    for (size_t i = 0; ok && i < o.grids; i++) say_grid(p, f, &o, &o.grid[i]);
    if (ok && any_sharded(&o) && o.slices < o.ranks) say_groups(p, &o, f);
    for (size_t i = 0; i < o.grids; i++) free(o.grid[i].bytes);
    return ok;
}
