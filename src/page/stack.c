/* Stacked bars of memory to one scale, the limit drawn as a line through them. The figure "stack"
 * reads them from a spec; the command `mem` fills them in itself. */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, LEAST_CELLS = 8, MOST_CELLS = 48, FITTINGS = 3 };

/* ── laying out ────────────────────────────────────────────────────────────────────────────────*/
struct layout {
    struct page_scale scale;
    bool above; /* labels have rows of their own */
    int left;   /* column of the bars */
    int behind; /* columns between the end of the axis and the totals */
    int totals, notes;
    struct page_axis axis;
    char *total[PAGE_BARS];
};

static int widest(const struct page *p, int width, const char *text) {
    int w = page_measure(p, text);
    return w > width ? w : width;
}

static double bytes_per_cell(const struct layout *l) {
    return l->axis.end * account_unit_scale(l->scale.unit) / l->axis.cells;
}

/* The columns by which the marks behind a bar pass the end of the axis. */
static int beyond_axis(const struct page *p, const struct page_bars *b, const struct layout *l) {
    int most = 0;
    for (size_t i = 0; i < b->count; i++) {
        int past = page_bar_width(p, b->bar[i].ledger.bytes, bytes_per_cell(l)) - l->axis.cells;
        if (past > most) most = past;
    }
    return most;
}

/* The axis is as long as there are columns for it, the limit's line and the marks behind the
 * bars. */
static void fit_axis(const struct page *p, const struct page_bars *b, struct page_flow f,
                     struct layout *l, double most) {
    int notes = l->notes ? GAP + l->notes : 0;
    l->behind = 1;
    for (int i = 0; i < FITTINGS; i++) {
        int columns = f.indent + f.width - l->left - l->totals - GAP - notes - l->behind;
        columns = columns < LEAST_CELLS ? LEAST_CELLS : columns > MOST_CELLS ? MOST_CELLS : columns;
        l->axis = page_axis_fit(most / account_unit_scale(l->scale.unit), columns);
        int past = beyond_axis(p, b, l);
        if (past <= l->behind) return;
        l->behind = past;
    }
}

/* Labels go to the left of the bars if they leave them enough columns, else above them. */
static void lay_out(const struct page *p, const struct page_bars *b, struct page_flow f,
                    struct layout *l) {
    double most = b->limit.given ? b->limit.bytes : 0, totals[PAGE_BARS];
    int labels = 0;
    for (size_t i = 0; i < b->count; i++) totals[i] = (double)b->bar[i].ledger.total;
    l->scale = (struct page_scale){b->unit, account_decimals(totals, b->count, b->unit)};
    for (size_t i = 0; i < b->count; i++) {
        l->total[i] = page_scale_print(l->scale, totals[i]);
        labels = widest(p, labels, b->bar[i].label);
        l->totals = widest(p, l->totals, l->total[i]);
        if (b->bar[i].note) l->notes = widest(p, l->notes, b->bar[i].note);
        most = fmax(most, totals[i]);
    }
    l->above = labels > f.width / 3;
    l->left = f.indent + (l->above || !labels ? 0 : labels + GAP);
    fit_axis(p, b, f, l, most);
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
static double limit_in_unit(const struct page_bars *b) {
    return b->limit.given ? b->limit.bytes / account_unit_scale(b->unit) : -1;
}

static bool draw_bar(struct page *p, const struct page_bars *b, const struct layout *l, size_t i,
                     struct page_flow f) {
    const struct page_bars_one *one = &b->bar[i];
    bool over = b->limit.given && (double)one->ledger.total > b->limit.bytes;
    if (l->above && *one->label) page_put(p, p->height, f.indent, PAGE_PLAIN, 0, one->label);
    int row = p->height, right = l->left + l->axis.cells + l->behind + GAP + l->totals;
    int limit = b->limit.given ? l->left + page_axis_column(l->axis, limit_in_unit(b)) : -1;
    if (!l->above) page_put(p, row, f.indent, PAGE_PLAIN, 0, one->label);
    bool marked =
        page_bar_stack(p, row, l->left, one->ledger.bytes, bytes_per_cell(l), limit, PAGE_LIMIT);
    page_right(p, row, right, over ? PAGE_BAD : PAGE_PLAIN, l->total[i]);
    if (one->note) page_put(p, row, right + GAP, one->role, 0, one->note);
    return marked;
}

static void draw_legend(struct page *p, const struct page_bars *b, const struct layout *l,
                        struct page_flow f, bool marked) {
    bool present[ACCOUNT_CATEGORIES] = {0};
    for (size_t i = 0; i < b->count; i++)
        for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
            present[c] = present[c] || b->bar[i].ledger.bytes[c];
    page_legend(p, f, l->left, present, marked);
}

void page_bars(struct page *p, struct page_flow f, const struct page_bars *b) {
    struct layout l = {0};
    f = page_flow_fit(p, f);
    lay_out(p, b, f, &l);
    bool marked = false;
    for (size_t i = 0; i < b->count; i++) marked |= draw_bar(p, b, &l, i, f);
    page_axis_draw(p, l.left, l.axis, l.scale, limit_in_unit(b));
    if (b->limit.given) page_limit_draw(p, f, l.left, l.axis, l.scale, &b->limit);
    if (b->legend) draw_legend(p, b, &l, f, marked);
    for (size_t i = 0; i < b->count; i++) free(l.total[i]);
}

/* ── the figure ────────────────────────────────────────────────────────────────────────────────*/
/* Everything that a step keeps or makes, or with "peak" what is there at once at the step's highest
 * instant. */
static bool read_ledger(const json_t *spec, const struct account_training *t,
                        struct account_ledger *out, struct account_error *e) {
    struct account_memory memory;
    if (!base_json_bool(spec, "peak", false)) return account_ledger(t, out, e);
    if (!account_memory(t, &memory, e)) return false;
    *out = memory.phase[memory.peak].ledger;
    return true;
}

static bool read_bar(const json_t *spec, struct page_bars_one *bar, struct base_message *m) {
    struct account_training t;
    struct account_error e;
    struct base_message why = {0};
    bar->label = base_json_text(spec, "label", "");
    if (!page_training_read(json_object_get(spec, "training"), &t, &why))
        return base_fail(m, "bar \"%s\": %s", bar->label, why.what);
    return read_ledger(spec, &t, &bar->ledger, &e) ||
           base_fail(m, "bar \"%s\": %s", bar->label, e.what);
}

static bool read_bars(const json_t *spec, struct page_bars *b, struct base_message *m) {
    const json_t *bars = json_object_get(spec, "bars");
    double totals[PAGE_BARS];
    struct page_scale scale;
    b->count = json_array_size(bars);
    if (b->count == 0 || b->count > PAGE_BARS)
        return base_fail(m, "a stack has 1 to %d bars, each {\"label\":…,\"training\":{…}}",
                         PAGE_BARS);
    for (size_t i = 0; i < b->count; i++) {
        if (!read_bar(json_array_get(bars, i), &b->bar[i], m)) return false;
        totals[i] = (double)b->bar[i].ledger.total;
    }
    b->legend = base_json_bool(spec, "legend", true);
    if (!page_limit_read(spec, &b->limit, m) || !page_scale_read(spec, totals, b->count, &scale, m))
        return false;
    b->unit = scale.unit;
    return true;
}

bool page_figure_stack(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m) {
    struct page_bars b = {0};
    if (!read_bars(spec, &b, m)) return false;
    page_bars(p, f, &b);
    return true;
}
