/* The trainings that a figure is about, as a small table of what a GPU keeps: a row for each and a
 * column for each category, turned round where that is too wide. */
#include "page/figure.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CASES = 8, GAP = 1 };

struct cases {
    /* kinds: the categories that any of them has, and perhaps the total */
    size_t count, kinds;
    struct {
        char *label;
        struct account_ledger ledger;
    } of[MOST_CASES];
    /* ACCOUNT_CATEGORIES is the total */
    unsigned kind[ACCOUNT_CATEGORIES + 1];
    struct page_scale scale;
    const json_t *spec;
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
/* Takes over the label. */
static bool add_case(struct cases *c, const struct account_ledger *ledger, char *label) {
    if (c->count == MOST_CASES) {
        free(label);
        return false;
    }
    c->of[c->count].ledger = *ledger;
    c->of[c->count++].label = label;
    return true;
}

/* Of a spec with "peak": true, of a curve, which names its peak, of the tiers of a "card", and of a
 * training that offloads, of which a GPU keeps a part only, what is there together on the GPU at
 * the step's highest instant. */
static bool read_ledger(const json_t *spec, const struct account_training *t,
                        struct account_ledger *out) {
    struct account_memory memory;
    struct account_training on = *t;
    struct account_error e;
    const char *card = base_json_text(spec, "card", NULL);
    bool curve = strcmp(base_json_text(spec, "kind", ""), "curve") == 0,
         tiers = t->offload_optimizer != ACCOUNT_GPU || t->offload_params != ACCOUNT_GPU,
         peak = card || curve || tiers || json_is_true(json_object_get(spec, "peak"));
    if (!peak) return account_ledger(t, out, &e);
    if (card && !account_set(&on, "gpu", card, &e)) return false;
    if (!account_memory(&on, &memory, &e)) return false;
    *out = memory.phase[memory.peak].ledger;
    return true;
}

/* One training, or under "stages" the same at several. */
static bool read_alone(struct cases *c, const json_t *spec) {
    const json_t *stages = json_object_get(spec, "stages"), *stage;
    struct account_training t;
    struct account_ledger ledger;
    size_t i;
    if (!page_training_read(json_object_get(spec, "training"), &t, NULL)) return false;
    if (!json_array_size(stages))
        return read_ledger(spec, &t, &ledger) && add_case(c, &ledger, base_dup(""));
    json_array_foreach(stages, i, stage) {
        t.stage = (uint8_t)json_integer_value(stage);
        if (!read_ledger(spec, &t, &ledger) ||
            !add_case(c, &ledger, base_format("stage %u", t.stage)))
            return false;
    }
    return true;
}

static bool read_bars(struct cases *c, const json_t *bars) {
    const json_t *bar;
    struct account_training t;
    struct account_ledger ledger;
    size_t i;
    json_array_foreach(bars, i, bar) {
        bool told = !json_is_true(json_object_get(bar, "unknown")) &&
                    page_training_read(json_object_get(bar, "training"), &t, NULL) &&
                    read_ledger(bar, &t, &ledger);
        if (!told || !add_case(c, &ledger, base_dup(base_json_text(bar, "label", ""))))
            return false;
    }
    return true;
}

/* A ledger is such a table itself, and bars of one layer are named after it, not after what the GPU
 * keeps. */
static bool read_cases(struct cases *c, const json_t *spec) {
    const json_t *bars = json_object_get(spec, "bars");
    if (strcmp(base_json_text(spec, "kind", ""), "ledger") == 0 ||
        json_is_true(json_object_get(spec, "layer")))
        return false;
    return (json_array_size(bars) ? read_bars(c, bars) : read_alone(c, spec)) && c->count > 0;
}

static void find_kinds(struct cases *c) {
    for (unsigned k = 0; k < ACCOUNT_CATEGORIES; k++) {
        bool present = false;
        for (size_t i = 0; i < c->count; i++) present |= c->of[i].ledger.bytes[k] > 0;
        if (present) c->kind[c->kinds++] = k;
    }
}

static double bytes_of(const struct cases *c, size_t i, size_t k) {
    const struct account_ledger *l = &c->of[i].ledger;
    return (double)(c->kind[k] < ACCOUNT_CATEGORIES ? l->bytes[c->kind[k]] : l->total);
}

static bool read_scale(struct cases *c) {
    double bytes[MOST_CASES * (ACCOUNT_CATEGORIES + 1)];
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < c->kinds; k++) bytes[n++] = bytes_of(c, i, k);
    return page_scale_read(c->spec, bytes, n, &c->scale, NULL);
}

/* ── laying out ────────────────────────────────────────────────────────────────────────────────*/
/* A cell of the table, the caller's; case and kind count from 1, and 0 is a head. */
static char *text_of(const struct cases *c, size_t one, size_t kind, unsigned *role) {
    unsigned category = kind ? c->kind[kind - 1] : ACCOUNT_CATEGORIES;
    bool named = one && *c->of[one - 1].label;
    *role = one && kind ? PAGE_PLAIN : PAGE_DIM;
    if (!kind && named) return base_dup(c->of[one - 1].label);
    if (!kind) /* in the corner, or over the one that needs no name */
        return one || c->count > 1 ? base_format("in %s", account_unit_name(c->scale.unit))
                                   : base_dup("");
    if (!one && category < ACCOUNT_CATEGORIES) *role = PAGE_PLAIN;
    if (!one)
        return base_dup(category < ACCOUNT_CATEGORIES ? account_category_name(category)
                                                      : "in total");
    return page_scale_number(c->scale, bytes_of(c, one - 1, kind - 1));
}

/* The category's fill before its name, as in a legend: a fill's colour is too faint for words. */
static void add_sign(const struct page *p, struct page_ink *ink, unsigned category) {
    bool all = category == ACCOUNT_CATEGORIES;
    const char *sign = all ? " " : page_fill(p, (enum account_category)category);
    page_ink_add(ink, all ? PAGE_PLAIN : PAGE_CATEGORY + category, 0, sign, strlen(sign));
    page_ink_add(ink, PAGE_PLAIN, 0, " ", 1);
}

/* `turned`: the kinds are the rows. */
struct grid {
    size_t rows, columns;
    struct page_ink *cell;
};

static struct grid lay_out(const struct page *p, const struct cases *c, bool turned) {
    struct grid g = {.rows = (turned ? c->kinds : c->count) + 1,
                     .columns = (turned ? c->count : c->kinds) + 1};
    g.cell = base_alloc(g.rows * g.columns * sizeof *g.cell);
    for (size_t i = 0; i < g.rows * g.columns; i++) {
        size_t row = i / g.columns, column = i % g.columns;
        unsigned role;
        char *text = turned ? text_of(c, column, row, &role) : text_of(c, row, column, &role);
        g.cell[i].ascii = p->ascii;
        if (turned && row && !column) add_sign(p, &g.cell[i], c->kind[row - 1]);
        page_ink_add(&g.cell[i], role, 0, text, strlen(text));
        free(text);
    }
    return g;
}

static void free_grid(struct grid *g) {
    for (size_t i = 0; i < g->rows * g->columns; i++) page_ink_free(&g->cell[i]);
    free(g->cell);
}

/* The cells that it takes where no word is cut. */
static int width_of(const struct grid *g) {
    int sum = -GAP;
    for (size_t column = 0; column < g->columns; column++) {
        int most = 0;
        for (size_t row = 0; row < g->rows; row++) {
            const struct page_ink *ink = &g->cell[row * g->columns + column];
            int width = page_ink_width(ink, 0, ink->n);
            if (width > most) most = width;
        }
        sum += most + GAP;
    }
    return sum;
}

/* Draws it if it has room. */
static bool draw(struct page *p, struct page_flow f, struct cases *c, bool turned) {
    if (!read_scale(c)) return false;
    struct grid g = lay_out(p, c, turned);
    bool fits = width_of(&g) <= f.width;
    if (fits) page_table_draw(p, f, g.cell, g.rows, g.columns, "ldddddddddd", true);
    free_grid(&g);
    return fits;
}

/* One alone has a row for each category and the total; several have one each, and where neither
 * that nor the table turned round has room, only their totals. */
static bool draw_any(struct page *p, struct page_flow f, struct cases *c) {
    if (c->count > 1 && draw(p, f, c, false)) return true;
    c->kind[c->kinds++] = ACCOUNT_CATEGORIES;
    if (draw(p, f, c, true)) return true;
    c->kind[0] = ACCOUNT_CATEGORIES;
    c->kinds = 1;
    return draw(p, f, c, false);
}

bool page_cases(struct page *p, struct page_flow f, const json_t *spec) {
    struct cases c = {.spec = spec};
    bool drawn = read_cases(&c, spec);
    find_kinds(&c);
    f = page_flow_fit(p, f);
    drawn = drawn && c.kinds && draw_any(p, f, &c);
    for (size_t i = 0; i < c.count; i++) free(c.of[i].label);
    return drawn;
}
