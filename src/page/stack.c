/* Stacked bars of memory to one scale, the card's memory drawn as a line through them. */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BARS = 24, GAP = 2, LEAST_CELLS = 8, MOST_CELLS = 48 };

struct bar {
    const char *label;
    struct account_ledger ledger;
    char *total;
};
struct stack {
    struct bar bar[MOST_BARS];
    size_t bars;
    struct page_limit limit;
    struct page_scale scale;
    bool legend;
    bool above;         /* labels stand in rows of their own */
    int labels, totals; /* widths */
    int left;           /* column of the bars */
    struct page_axis axis;
};

/* All that is there in a step, or with "peak" what is there at once, at its worst. */
static bool read_ledger(const json_t *spec, const struct account_training *t,
                        struct account_ledger *out, struct account_error *e) {
    struct account_memory memory;
    if (!base_json_bool(spec, "peak", false)) return account_ledger(t, out, e);
    if (!account_memory(t, &memory, e)) return false;
    uint64_t beside = (uint64_t)base_json_int(spec, "gather", 0);
    *out = memory.phase[memory.peak].ledger;
    out->bytes[ACCOUNT_GATHER] += beside;
    out->total += beside;
    return true;
}

static bool read_bar(const json_t *spec, struct bar *bar, struct base_message *m) {
    struct account_training t;
    struct account_error e;
    struct base_message why = {0};
    bar->label = base_json_text(spec, "label", "");
    if (!page_training_read(json_object_get(spec, "training"), &t, &why))
        return base_fail(m, "bar \"%s\": %s", bar->label, why.what);
    return read_ledger(spec, &t, &bar->ledger, &e) ||
           base_fail(m, "bar \"%s\": %s", bar->label, e.what);
}

static bool read_stack(const json_t *spec, struct stack *s, struct base_message *m) {
    const json_t *bars = json_object_get(spec, "bars");
    double totals[MOST_BARS];
    s->bars = json_array_size(bars);
    if (s->bars == 0 || s->bars > MOST_BARS)
        return base_fail(m, "a stack has 1 to %d bars, each {\"label\":…,\"training\":{…}}",
                         MOST_BARS);
    for (size_t i = 0; i < s->bars; i++) {
        if (!read_bar(json_array_get(bars, i), &s->bar[i], m)) return false;
        totals[i] = (double)s->bar[i].ledger.total;
    }
    s->legend = base_json_bool(spec, "legend", true);
    return page_limit_read(spec, &s->limit, m) &&
           page_scale_read(spec, totals, s->bars, &s->scale, m);
}

/* Labels left of the bars where there is room, above them where there is not. */
static void lay_out(const struct page *p, struct stack *s, struct page_flow f) {
    double most = s->limit.given ? s->limit.bytes : 0;
    for (size_t i = 0; i < s->bars; i++) {
        struct bar *b = &s->bar[i];
        b->total = page_scale_print(s->scale, (double)b->ledger.total);
        s->labels = (int)fmax(s->labels, page_measure(p, b->label));
        s->totals = (int)fmax(s->totals, page_measure(p, b->total));
        most = fmax(most, (double)b->ledger.total);
    }
    s->above = s->labels > f.width / 3;
    s->left = f.indent + (s->above || !s->labels ? 0 : s->labels + GAP);
    int capacity = f.indent + f.width - s->left - s->totals - GAP - 1;
    capacity = capacity < LEAST_CELLS ? LEAST_CELLS : capacity > MOST_CELLS ? MOST_CELLS : capacity;
    s->axis = page_axis_fit(most / account_unit_scale(s->scale.unit), capacity);
}

static void draw_bar(struct page *p, const struct stack *s, const struct bar *b,
                     struct page_flow f) {
    double unit = account_unit_scale(s->scale.unit);
    bool over = s->limit.given && (double)b->ledger.total > s->limit.bytes;
    if (s->above && *b->label) page_put(p, p->height, f.indent, PAGE_PLAIN, 0, b->label);
    int row = p->height;
    if (!s->above) page_put(p, row, f.indent, PAGE_PLAIN, 0, b->label);
    page_bar_stack(p, row, s->left, b->ledger.bytes, s->axis.end * unit / s->axis.cells);
    if (s->limit.given)
        page_put(p, row, s->left + page_axis_column(s->axis, s->limit.bytes / unit), PAGE_LIMIT, 0,
                 page_limit_sign);
    int right = s->left + s->axis.cells + 1 + GAP + s->totals;
    page_put(p, row, right - page_measure(p, b->total), over ? PAGE_BAD : PAGE_PLAIN, 0, b->total);
}

static void draw_legend(struct page *p, const struct stack *s, struct page_flow f) {
    bool present[ACCOUNT_CATEGORIES] = {0};
    for (size_t i = 0; i < s->bars; i++)
        for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
            present[c] = present[c] || s->bar[i].ledger.bytes[c];
    page_legend(p, f, s->left, present);
}

bool page_figure_stack(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m) {
    struct stack s = {0};
    if (!read_stack(spec, &s, m)) return false;
    lay_out(p, &s, f);
    for (size_t i = 0; i < s.bars; i++) draw_bar(p, &s, &s.bar[i], f);
    page_axis_draw(p, s.left, s.axis, s.scale,
                   s.limit.given ? s.limit.bytes / account_unit_scale(s.scale.unit) : -1);
    if (s.limit.given) page_limit_draw(p, f, s.left, s.axis, s.scale, &s.limit);
    if (s.legend) draw_legend(p, &s, f);
    for (size_t i = 0; i < s.bars; i++) free(s.bar[i].total);
    return true;
}
