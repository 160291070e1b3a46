/* A ledger: a category a line, what a parameter costs there, how many ways it is shared, the bytes;
 * and whether it fits.
 *
 *   {"kind":"ledger","training":{…},"unit":"GB","limit":…,"still":true,"before":{…}}
 *       still: the columns and the scale of the bars stay where they are while the training
 * changes, with the limit's line in them; before: the training that it was, so that what changed
 *       stands out */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, LEAST_BAR = 8, MOST_BAR = 32, MOST_THICK = 64, NAMES = 11, WIDE = 60 };

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
    bool still, changed[ACCOUNT_CATEGORIES + 1]; /* against `before`; the last is the total */
    double peak; /* what is there at once, where that is told; 0: not told */
    size_t rows;
    struct row row[ACCOUNT_CATEGORIES];
    int names, rates, spreads, amounts; /* widths */
    char rate[24], *total;              /* of the whole; the rate only where nothing is shared */
    const char *spread;
};

/* Which of the numbers are not what they were, as they are printed. */
static bool read_changes(const json_t *before, struct ledger *l, struct base_message *m) {
    struct account_training t;
    struct account_ledger was;
    struct account_error e;
    if (!before) return true;
    if (!page_training_read(before, &t, m)) return false;
    if (!account_ledger(&t, &was, &e)) return base_fail(m, "%s", e.what);
    for (int c = 0; c <= ACCOUNT_CATEGORIES; c++) {
        bool all = c == ACCOUNT_CATEGORIES;
        char *old = page_scale_print(l->scale, (double)(all ? was.total : was.bytes[c])),
             *now =
                 page_scale_print(l->scale, (double)(all ? l->account.total : l->account.bytes[c]));
        l->changed[c] = strcmp(old, now) != 0;
        free(now);
        free(old);
    }
    return true;
}

static bool read_ledger(const json_t *spec, struct ledger *l, struct base_message *m) {
    struct account_error e;
    double bytes[ACCOUNT_CATEGORIES + 1];
    if (!page_training_read(json_object_get(spec, "training"), &l->training, m)) return false;
    if (!account_ledger(&l->training, &l->account, &e)) return base_fail(m, "%s", e.what);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) bytes[c] = (double)l->account.bytes[c];
    bytes[ACCOUNT_CATEGORIES] = (double)l->account.total;
    l->peak = json_number_value(json_object_get(spec, "peak"));
    l->still = base_json_bool(spec, "still", false);
    return page_limit_read(spec, &l->limit, m) &&
           page_scale_read(spec, bytes, BASE_COUNT(bytes), &l->scale, m) &&
           read_changes(json_object_get(spec, "before"), l, m);
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

/* A number that is 1, 2 or 5 with zeros, and not less: a scale that rests while values move. */
static double round_up(double value) {
    double power = pow(10, floor(log10(value)));
    return value <= power       ? power
           : value <= 2 * power ? 2 * power
           : value <= 5 * power ? 5 * power
                                : 10 * power;
}

/* Bytes a cell of the bars: they compare the rows with each other, and with the card where there is
 * one. A still scale ends 50% behind the card's line. */
static double bar_scale(const struct ledger *l, int capacity) {
    double most = l->limit.given ? l->limit.bytes : 0;
    if (l->still && l->limit.given) return 1.5 * most / capacity;
    for (size_t i = 0; i < l->rows; i++)
        most = fmax(most, (double)l->account.bytes[l->row[i].category]);
    if (l->still) most = round_up(fmax(most, (double)l->account.total));
    return most / capacity;
}

/* As wide as values of other trainings are: nothing moves aside. */
static void hold_widths(struct ledger *l) {
    widen(&l->rates, "16.06 B");
    widen(&l->spreads, "× 13B ÷ 64");
    widen(&l->amounts, "1120.0 GB");
}

/* Right edges of the columns; 0 for a column that does not fit: the bars go first, then × Ψ, then
 * the rates. */
struct edges {
    int rates, spreads, amounts, bars;
};

static struct edges lay_out(struct ledger *l, struct page_flow f, int most) {
    if (l->still && f.width >= WIDE) hold_widths(l);
    int names = f.indent + 2 + (l->names < NAMES ? NAMES : l->names + 1), end = f.indent + f.width;
    struct edges e = {.rates = names + l->rates};
    e.spreads = e.rates + 1 + l->spreads;
    if (e.spreads + GAP + l->amounts > end) e.spreads = 0;
    if (e.rates + GAP + l->amounts > end) e.rates = 0;
    e.amounts = (e.spreads ? e.spreads : e.rates ? e.rates : names) + GAP + l->amounts;
    if (e.amounts > end) e.amounts = end;
    int capacity = end - e.amounts - GAP;
    if (capacity >= LEAST_BAR) e.bars = e.amounts + GAP + (capacity > most ? most : capacity);
    return e;
}

/* Cut where the axis ends, with an arrow. */
static void draw_cut(struct page *p, const uint64_t bytes[ACCOUNT_CATEGORIES], int row, int left,
                     int end, double scale) {
    uint64_t shown[ACCOUNT_CATEGORIES], rest = (uint64_t)(scale * (end - left - 1));
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        shown[c] = bytes[c] < rest ? bytes[c] : rest;
        rest -= shown[c];
    }
    page_bar_stack(p, row, left, shown, scale, -1, PAGE_PLAIN);
    page_put(p, row, end - 1, PAGE_BAD, 0, p->ascii ? ">" : "▸");
}

/* The bar of one row, or of all, with the card's line where the scale is still. */
static void draw_bar(struct page *p, const struct ledger *l,
                     const uint64_t bytes[ACCOUNT_CATEGORIES], int row, int left, struct edges e) {
    if (!e.bars) return;
    double scale = bar_scale(l, e.bars - left), sum = 0;
    int line = l->still && l->limit.given ? left + (int)lround(l->limit.bytes / scale) : -1;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) sum += (double)bytes[c];
    if (l->still && sum > scale * (e.bars - left - 1))
        draw_cut(p, bytes, row, left, e.bars, scale);
    else
        page_bar_stack(p, row, left, bytes, scale, -1, PAGE_PLAIN);
    if (line >= 0) page_put(p, row, line, PAGE_LIMIT, 0, page_limit_sign);
}

static void draw_row(struct page *p, const struct ledger *l, const struct row *r,
                     struct page_flow f, struct edges e) {
    int top = p->height, row = e.bars && !l->still ? top + (p->thick - 1) / 2 : top,
        left = e.amounts + GAP;
    unsigned role = PAGE_CATEGORY + (unsigned)r->category;
    page_put(p, row, f.indent, role, 0, page_fill(p, r->category));
    page_put(p, row, f.indent + 2, PAGE_PLAIN, 0, account_category_name(r->category));
    if (e.rates) page_right(p, row, e.rates, PAGE_PLAIN, r->rate);
    if (e.spreads) page_put(p, row, e.rates + 1, PAGE_DIM, 0, r->spread);
    page_right(p, row, e.amounts, l->changed[r->category] ? PAGE_ACCENT : PAGE_PLAIN, r->bytes);
    uint64_t only[ACCOUNT_CATEGORIES] = {0};
    struct page_part part[ACCOUNT_CATEGORIES];
    only[r->category] = l->account.bytes[r->category];
    int parts = page_parts_of(p, only, part);
    if (l->still)
        draw_bar(p, l, only, row, left, e);
    else if (e.bars)
        page_bar_thick(p, top, p->thick, left, part, parts, bar_scale(l, e.bars - left), -1,
                       PAGE_PLAIN);
}

static void draw_rows(struct page *p, struct ledger *l, struct page_flow f) {
    struct edges e = lay_out(l, f, p->thick > 1 ? MOST_THICK : MOST_BAR);
    for (size_t i = 0; i < l->rows; i++) draw_row(p, l, &l->row[i], f, e);
    page_rule(p, p->height, f.indent, e.amounts - f.indent);
    int row = p->height;
    page_put(p, row, f.indent + 2, PAGE_STRONG, 0, "in all");
    if (e.rates) page_right(p, row, e.rates, PAGE_STRONG, l->rate);
    if (e.spreads && l->spread) page_put(p, row, e.rates + 1, PAGE_DIM, 0, l->spread);
    page_right(p, row, e.amounts, l->changed[ACCOUNT_CATEGORIES] ? PAGE_ACCENT : PAGE_STRONG,
               l->total);
    if (l->still) draw_bar(p, l, l->account.bytes, row, e.amounts + GAP, e);
}

static void say_verdict(struct page *p, const struct ledger *l, struct page_flow f) {
    char holds[32], by[32], *place = NULL;
    bool at_peak = l->peak > 0 && l->peak != (double)l->account.total;
    double spare = l->limit.bytes - (at_peak ? l->peak : (double)l->account.total);
    account_print(holds, sizeof holds, l->limit.bytes, l->scale.unit, 4);
    account_print(by, sizeof by, fabs(spare), l->scale.unit, 3);
    place = page_limit_place(&l->limit, holds);
    char *text =
        base_format(spare < 0 ? "does not fit in %s: over by %s%s" : "fits in %s: %s to spare%s",
                    place, by, at_peak ? " at the peak" : "");
    f.role = spare < 0 ? PAGE_BAD : PAGE_GOOD;
    page_text(p, f, text);
    free(text);
    free(place);
}

static void forget(struct ledger *l) {
    for (size_t i = 0; i < l->rows; i++) free(l->row[i].bytes);
    free(l->total);
}

bool page_figure_ledger(struct page *p, struct page_flow f, const json_t *spec,
                        struct base_message *m) {
    struct ledger l = {0};
    if (!read_ledger(spec, &l, m)) return false;
    add_rows(&l);
    draw_rows(p, &l, f);
    page_blank(p, l.limit.given);
    if (l.limit.given) say_verdict(p, &l, f);
    forget(&l);
    return true;
}

/* "params: 2 B × 7B ÷ 8, 1.75 GB." */
static void say_rows(struct page *p, const struct ledger *l, struct page_flow f) {
    for (size_t i = 0; i < l->rows; i++) {
        const struct row *r = &l->row[i];
        page_say(p, f, "%s: %s%s%s%s%s.", account_category_name(r->category), r->rate,
                 *r->rate ? " " : "", r->spread, *r->rate ? ", " : "", r->bytes);
    }
    if (*l->rate)
        page_say(p, f, "In all: %s %s, %s.", l->rate, l->spread, l->total);
    else
        page_say(p, f, "In all: %s.", l->total);
}

bool page_words_ledger(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m) {
    struct ledger l = {0};
    if (!read_ledger(spec, &l, m)) return false;
    add_rows(&l);
    say_rows(p, &l, f);
    if (l.limit.given) say_verdict(p, &l, f);
    forget(&l);
    return true;
}
