/* Stacked bars of memory to one scale, the limit drawn as a line through them. The figure "stack"
 * reads them from a spec; the command `mem` fills them in itself. */
#include "page/figure.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, LEAST_CELLS = 8, MOST_CELLS = 96, FITTINGS = 3 };

/* ── laying out ────────────────────────────────────────────────────────────────────────────────*/
struct layout {
    /* labels have rows of their own */
    bool above;
    /* column of the bars */
    int left;
    /* columns between the end of the axis and the totals */
    int behind;
    int totals, notes;
    struct page_axis axis;
    char *total[PAGE_BARS];
};

static int widest(const struct page *p, int width, const char *text) {
    int w = page_measure(p, text);
    return w > width ? w : width;
}

static double in_unit(const struct page_stacks *s, double bytes) {
    return bytes / account_unit_scale(s->scale.unit);
}

static double bytes_per_cell(const struct page_stacks *s, const struct layout *l) {
    return l->axis.end * account_unit_scale(s->scale.unit) / l->axis.cells;
}

/* The columns by which the marks behind a bar pass the end of the axis. */
static int beyond_axis(const struct page *p, const struct page_stacks *s, const struct layout *l) {
    int most = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct page_stacks_bar *b = &s->bar[i];
        int past = page_bar_parts_width(p, b->part, b->parts, bytes_per_cell(s, l)) - l->axis.cells;
        if (s->reach > 0 && in_unit(s, b->total) > l->axis.end) continue;
        if (past > most) most = past;
    }
    return most;
}

/* The axis is as long as there are columns for it, the limit's line and the marks behind the
 * bars. */
static void fit_axis(const struct page *p, const struct page_stacks *s, struct page_flow f,
                     struct layout *l, double most) {
    int notes = l->notes ? GAP + l->notes : 0;
    l->behind = 1;
    for (int i = 0; i < FITTINGS; i++) {
        int columns = f.indent + f.width - l->left - l->totals - GAP - notes - l->behind;
        columns = columns < LEAST_CELLS ? LEAST_CELLS : columns > MOST_CELLS ? MOST_CELLS : columns;
        l->axis = page_axis_fit(in_unit(s, most), columns);
        int past = beyond_axis(p, s, l);
        if (past <= l->behind) return;
        l->behind = past;
    }
}

/* Labels go to the left of the bars if they leave them enough columns, else above them. */
static void lay_out(const struct page *p, const struct page_stacks *s, struct page_flow f,
                    struct layout *l) {
    double most = s->limit.given ? s->limit.bytes : 0;
    int labels = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct page_stacks_bar *b = &s->bar[i];
        l->total[i] = b->unknown ? base_dup("?") : page_scale_print(s->scale, b->total);
        labels = widest(p, labels, b->label);
        l->totals = widest(p, l->totals, l->total[i]);
        if (b->note) l->notes = widest(p, l->notes, b->note);
        most = fmax(most, b->total);
    }
    if (s->reach > 0) { /* as wide as the totals of other trainings */
        l->totals = widest(p, l->totals, "1120.0 GB");
        most = s->reach;
    }
    l->above = labels > f.width / 3;
    l->left = f.indent + (l->above || !labels ? 0 : labels + GAP);
    fit_axis(p, s, f, l, most);
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
/* Between thick bars is a row that only the line of the limit goes through. */
static void draw_gap(struct page *p, int limit) {
    int row = p->height;
    page_blank(p, 1);
    if (limit >= 0) page_put(p, row, limit, PAGE_LIMIT, 0, page_limit_sign);
}

/* A bar of one sign; cut like others, where the axis ends. */
static void draw_whole(struct page *p, int row, int rows, const struct layout *l, double cells) {
    int end = (int)fmin(fmax(round(cells), cells > 0), l->axis.cells);
    bool cut = cells > l->axis.cells + 0.5;
    for (int r = row; r < row + rows; r++) {
        for (int c = 0; c < end; c++) page_put(p, r, l->left + c, PAGE_STRONG, 0, "═");
        if (cut) page_put(p, r, l->left + end, PAGE_BAD, 0, "▸");
    }
}

static bool draw_bar(struct page *p, const struct page_stacks *s, const struct layout *l, size_t i,
                     struct page_flow f) {
    const struct page_stacks_bar *b = &s->bar[i];
    bool given = s->limit.given, over = given && b->total > s->limit.bytes;
    if (l->above && *b->label) page_put(p, p->height, f.indent, PAGE_PLAIN, 0, b->label);
    int row = p->height, right = l->left + l->axis.cells + l->behind + GAP + l->totals;
    int limit = given ? l->left + page_axis_column(l->axis, in_unit(s, s->limit.bytes)) : -1;
    int rows = p->thick, middle = row + (rows - 1) / 2;
    bool cut = s->reach > 0 && in_unit(s, b->total) > l->axis.end;
    if (b->whole) draw_whole(p, row, rows, l, b->total / bytes_per_cell(s, l));
    bool marked = page_bar_within(p, row, rows, l->left, cut ? l->axis.cells + 1 : p->width,
                                  b->part, b->parts, bytes_per_cell(s, l), limit);
    page_blank(p, row + rows - p->height); /* a bar without parts has its rows too */
    if (!l->above) page_put(p, middle, f.indent, PAGE_PLAIN, 0, b->label);
    if (b->unknown) page_put(p, middle, l->left, PAGE_STRONG, 0, "?");
    page_right(p, middle, right,
               over         ? PAGE_BAD
               : b->changed ? PAGE_ACCENT
                            : PAGE_PLAIN,
               l->total[i]);
    if (b->note) page_put(p, middle, right + GAP, b->role, 0, b->note);
    if (rows > 1 && !p->tight && i + 1 < s->count) draw_gap(p, limit);
    return marked;
}

int page_stacks_draw(struct page *p, struct page_flow f, const struct page_stacks *s,
                     bool *marked) {
    struct layout l = {0};
    assert(s->count <= PAGE_BARS);
    lay_out(p, s, f, &l);
    *marked = false;
    for (size_t i = 0; i < s->count; i++) *marked |= draw_bar(p, s, &l, i, f);
    page_axis_draw(p, l.left, l.axis, s->scale, s->limit.given ? in_unit(s, s->limit.bytes) : -1);
    if (s->limit.given && !s->terse) page_limit_draw(p, f, l.left, l.axis, s->scale, &s->limit);
    for (size_t i = 0; i < s->count; i++) free(l.total[i]);
    return l.left;
}

/* ── bars of ledgers ───────────────────────────────────────────────────────────────────────────*/
static void draw_legend(struct page *p, const struct page_bars *b, int left, struct page_flow f,
                        bool marked) {
    bool present[ACCOUNT_CATEGORIES] = {0};
    for (size_t i = 0; i < b->count; i++)
        for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
            present[c] = present[c] || b->bar[i].ledger.bytes[c];
    page_legend(p, f, left, present, marked);
}

static bool is_over(const struct page_bars *b, const struct page_bars_one *one) {
    return b->limit.given && (double)one->ledger.total > b->limit.bytes;
}

/* In sentences. Parts are named where a legend would name them. */
static void say_bar(struct page *p, struct page_flow f, const struct page_bars *b,
                    struct page_scale scale, const struct page_bars_one *one) {
    bool over = is_over(b, one);
    if (one->unknown) {
        page_say(p, f, "%s%snot known yet.", one->label, *one->label ? ": " : "");
        return;
    }
    size_t kinds = 0, last = 0;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (one->ledger.bytes[c] > 0) kinds++, last = c;
    char *total = page_scale_print(scale, (double)one->ledger.total),
         *parts = kinds == 1 ? base_dup(account_category_words((enum account_category)last))
                             : page_parts(one->ledger.bytes, b->unit),
         *sum = !b->legend   ? base_dup(total)
                : kinds == 1 ? base_format("%s of %s", total, parts)
                             : base_format("%s, of which %s", total, parts);
    char amount[32];
    account_print(amount, sizeof amount, b->limit.bytes, scale.unit, 4);
    char *place = page_limit_place(&b->limit, amount),
         *verdict = base_format(" That does not fit in %s.", place);
    page_say(p, f, "%s%s%s%s%s.%s", one->label, *one->label ? ": " : "", sum,
             one->note && !over ? "; " : "", one->note && !over ? one->note : "",
             over ? verdict : "");
    free(verdict);
    free(place);
    free(sum);
    free(parts);
    free(total);
}

/* The limit is told unless a bar that is over it has told it. */
static void say_bars(struct page *p, struct page_flow f, const struct page_bars *b) {
    double totals[PAGE_BARS];
    bool told = false;
    for (size_t i = 0; i < b->count; i++) totals[i] = (double)b->bar[i].ledger.total;
    struct page_scale scale = {b->unit, account_decimals(totals, b->count, b->unit)};
    for (size_t i = 0; i < b->count; i++) {
        say_bar(p, f, b, scale, &b->bar[i]);
        told |= !b->bar[i].unknown && is_over(b, &b->bar[i]);
    }
    if (!told) page_limit_say(p, f, scale, &b->limit);
}

void page_bars(struct page *p, struct page_flow f, const struct page_bars *b) {
    struct page_stacks_bar bar[PAGE_BARS];
    double totals[PAGE_BARS];
    bool marked;
    f = page_flow_fit(p, f);
    if (p->spoken) {
        say_bars(p, f, b);
        return;
    }
    for (size_t i = 0; i < b->count; i++) {
        const struct page_bars_one *one = &b->bar[i];
        totals[i] = (double)one->ledger.total;
        bar[i] = (struct page_stacks_bar){.label = one->label,
                                          .total = totals[i],
                                          .note = one->note,
                                          .role = one->role,
                                          .unknown = one->unknown,
                                          .whole = one->whole};
        bar[i].parts = page_parts_of(p, one->ledger.bytes, bar[i].part);
    }
    struct page_stacks s = {.count = b->count,
                            .bar = bar,
                            .scale = {b->unit, account_decimals(totals, b->count, b->unit)},
                            .limit = b->limit,
                            .reach = b->reach,
                            .terse = b->terse};
    int left = page_stacks_draw(p, f, &s, &marked);
    if (b->legend) draw_legend(p, b, left, f, marked);
}

/* ── the figure ────────────────────────────────────────────────────────────────────────────────*/
/* What is there at once at the step's highest instant. */
static bool read_peak(const json_t *spec, struct account_ledger *out, struct base_message *m) {
    struct account_training t;
    struct account_memory memory;
    struct account_error e;
    if (!page_training_read(json_object_get(spec, "training"), &t, m)) return false;
    if (!account_memory(&t, &memory, &e)) return base_fail(m, "%s", e.what);
    *out = memory.phase[memory.peak].ledger;
    return true;
}

/* Everything that a step keeps or makes, or with "peak" that instant; with "unknown" nothing but a
 * question mark. */
static bool read_bar(const json_t *spec, struct page_bars_one *bar, struct base_message *m) {
    struct base_message why = {0};
    bar->label = base_json_text(spec, "label", "");
    bar->unknown = base_json_bool(spec, "unknown", false);
    bool peak = base_json_bool(spec, "peak", false);
    return bar->unknown || (peak ? read_peak : page_ledger_read)(spec, &bar->ledger, &why) ||
           base_fail(m, "bar \"%s\": %s", bar->label, why.what);
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
    b->terse = base_json_bool(spec, "terse", false);
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

bool page_words_stack(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *m) {
    struct page_bars b = {0};
    if (!read_bars(spec, &b, m)) return false;
    say_bars(p, f, &b);
    return true;
}
