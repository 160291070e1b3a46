/* A ledger: a category a line, what a parameter costs there, how many ways it is shared, the bytes; and whether it fits. */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, LEAST_BAR = 8, MOST_BAR = 32, NAMES = 11 };

struct row {
    enum account_category category;
    char rate[24],
        spread[48]; /* "8 B", "× 7B ÷ 8"; empty where no parameter has it: activations, buffers */
    char *bytes;
};
struct ledger {
    struct account_training training;
    struct account_ledger account;
    struct page_limit limit;
    struct page_scale scale;
    double peak; /* what is there at once, where that is told; 0: not told */
    size_t rows;
    struct row row[ACCOUNT_CATEGORIES];
    int names, rates, spreads, amounts; /* widths */
    char rate[24], *total;              /* of the whole; the rate only where nothing is shared */
    const char *spread;
};

static bool read_ledger(const json_t *spec, struct ledger *l, struct base_message *m) {
    struct account_error e;
    double bytes[ACCOUNT_CATEGORIES + 1];
    if (!page_training_read(json_object_get(spec, "training"), &l->training, m)) return false;
    if (!account_ledger(&l->training, &l->account, &e)) return base_fail(m, "%s", e.what);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) bytes[c] = (double)l->account.bytes[c];
    bytes[ACCOUNT_CATEGORIES] = (double)l->account.total;
    l->peak = json_number_value(json_object_get(spec, "peak"));
    return page_limit_read(spec, &l->limit, m) &&
           page_scale_read(spec, bytes, BASE_COUNT(bytes), &l->scale, m);
}

static void widen(int *width, const char *text) {
    int w = base_width(text);
    if (w > *width) *width = w;
}

/* What of it comes from parameters: their bytes, their number, the ranks that share it. */
static void write_rate(const struct ledger *l, struct row *r) {
    double each = account_bytes_per_param(&l->training, r->category);
    char count[24];
    if (!(each > 0)) return;
    account_print_count(count, sizeof count, (double)l->training.params);
    account_print(r->rate, sizeof r->rate, each, ACCOUNT_UNIT_B, 6);
    if (account_is_sharded(&l->training, r->category) && account_shard_ranks(&l->training) > 1)
        snprintf(r->spread, sizeof r->spread, "× %s ÷ %u", count,
                 account_shard_ranks(&l->training));
    else
        snprintf(r->spread, sizeof r->spread, "× %s", count);
}

static void add_row(struct ledger *l, enum account_category c) {
    struct row *r = &l->row[l->rows++];
    r->category = c;
    write_rate(l, r);
    r->bytes = page_scale_print(l->scale, (double)l->account.bytes[c]);
    widen(&l->names, account_category_name(c));
    widen(&l->rates, r->rate);
    widen(&l->spreads, r->spread);
    widen(&l->amounts, r->bytes);
}

static void add_rows(struct ledger *l) {
    double rate = 0;
    bool whole = true; /* nothing is shared: the rates add up */
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (!l->account.bytes[c]) continue;
        add_row(l, (enum account_category)c);
        rate += account_bytes_per_param(&l->training, (enum account_category)c);
        const struct row *last = &l->row[l->rows - 1];
        whole = whole && *last->rate && !strstr(last->spread, "÷");
    }
    if (whole && l->rows) {
        account_print(l->rate, sizeof l->rate, rate, ACCOUNT_UNIT_B, 7);
        l->spread = l->row[0].spread;
    }
    l->total = page_scale_print(l->scale, (double)l->account.total);
    widen(&l->rates, l->rate);
    widen(&l->amounts, l->total);
}

/* Bytes a cell of the bars: they compare the rows with each other, and with the card where there is one. */
static double bar_scale(const struct ledger *l, int capacity) {
    double most = l->limit.given ? l->limit.bytes : 0;
    for (size_t i = 0; i < l->rows; i++)
        most = fmax(most, (double)l->account.bytes[l->row[i].category]);
    return most / capacity;
}

/* Right edges of the columns; 0 where there is no room for one: the bars go first, then × Ψ, then the rates. */
struct edges {
    int rates, spreads, amounts, bars;
};

static struct edges lay_out(const struct ledger *l, struct page_flow f) {
    int names = f.indent + 2 + (l->names < NAMES ? NAMES : l->names + 1), end = f.indent + f.width;
    struct edges e = {.rates = names + l->rates};
    e.spreads = e.rates + 1 + l->spreads;
    if (e.spreads + GAP + l->amounts > end) e.spreads = 0;
    if (e.rates + GAP + l->amounts > end) e.rates = 0;
    e.amounts = (e.spreads ? e.spreads : e.rates ? e.rates : names) + GAP + l->amounts;
    if (e.amounts > end) e.amounts = end;
    int capacity = end - e.amounts - GAP;
    if (capacity >= LEAST_BAR)
        e.bars = e.amounts + GAP + (capacity > MOST_BAR ? MOST_BAR : capacity);
    return e;
}

static void draw_row(struct page *p, const struct ledger *l, const struct row *r,
                     struct page_flow f, struct edges e) {
    int row = p->height, left = e.amounts + GAP;
    unsigned role = PAGE_CATEGORY + (unsigned)r->category;
    page_put(p, row, f.indent, role, 0, page_fill(p, r->category));
    page_put(p, row, f.indent + 2, PAGE_PLAIN, 0, account_category_name(r->category));
    if (e.rates) page_right(p, row, e.rates, PAGE_PLAIN, r->rate);
    if (e.spreads) page_put(p, row, e.rates + 1, PAGE_DIM, 0, r->spread);
    page_right(p, row, e.amounts, PAGE_PLAIN, r->bytes);
    uint64_t only[ACCOUNT_CATEGORIES] = {0};
    only[r->category] = l->account.bytes[r->category];
    if (e.bars) page_bar_stack(p, row, left, only, bar_scale(l, e.bars - left), -1, PAGE_PLAIN);
}

static void draw_rows(struct page *p, const struct ledger *l, struct page_flow f) {
    struct edges e = lay_out(l, f);
    for (size_t i = 0; i < l->rows; i++) draw_row(p, l, &l->row[i], f, e);
    page_rule(p, p->height, f.indent, e.amounts - f.indent);
    int row = p->height;
    page_put(p, row, f.indent + 2, PAGE_STRONG, 0, "in all");
    if (e.rates) page_right(p, row, e.rates, PAGE_STRONG, l->rate);
    if (e.spreads && l->spread) page_put(p, row, e.rates + 1, PAGE_DIM, 0, l->spread);
    page_right(p, row, e.amounts, PAGE_STRONG, l->total);
}

static void draw_verdict(struct page *p, const struct ledger *l, struct page_flow f) {
    char holds[32], by[32], *place = NULL;
    bool at_peak = l->peak > 0 && l->peak != (double)l->account.total;
    double spare = l->limit.bytes - (at_peak ? l->peak : (double)l->account.total);
    account_print(holds, sizeof holds, l->limit.bytes, l->scale.unit, 4);
    account_print(by, sizeof by, fabs(spare), l->scale.unit, 3);
    place = page_limit_place(&l->limit, holds);
    char *text =
        base_format(spare < 0 ? "does not fit in %s: over by %s%s" : "fits in %s: %s to spare%s",
                    place, by, at_peak ? " at the peak" : "");
    page_blank(p, 1);
    f.role = spare < 0 ? PAGE_BAD : PAGE_GOOD;
    page_text(p, f, text);
    free(text);
    free(place);
}

bool page_figure_ledger(struct page *p, struct page_flow f, const json_t *spec,
                        struct base_message *m) {
    struct ledger l = {0};
    if (!read_ledger(spec, &l, m)) return false;
    add_rows(&l);
    draw_rows(p, &l, f);
    if (l.limit.given) draw_verdict(p, &l, f);
    for (size_t i = 0; i < l.rows; i++) free(l.row[i].bytes);
    free(l.total);
    return true;
}
