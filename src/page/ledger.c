/* A ledger: a category a line, what a parameter costs there, how many ways it is shared, the bytes;
 * and whether it fits.
 *
 *   {"kind":"ledger","training":{…},"unit":"GB","limit":…,"still":{…},"range":{…},"before":{…},
 *    "apart":30}
 *       still: the training with which sliders began, on which the scale rests, with the limit's
 *       line in it. range: what they reach; there is room for all of it in rows and columns.
 *       before: the training before the last move: the numbers that changed stand out. apart: how
 *       far, in hundredths, what only one of both trainings shards has flown apart */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, LEAST_BAR = 8, MOST_BAR = 32, THICK_BAR = 32, NAMES = 11, DIGITS = 4 };

struct row {
    enum account_category category;
    /* "8 B", "× 7e9 ÷ 8"; empty where no parameter has it: activations, buffers */
    char rate[24], spread[48];
    char *bytes;
};
struct ledger {
    struct account_training training;
    struct account_ledger account;
    struct page_limit limit;
    struct page_scale scale;
    /* of `before`, as its own page printed it */
    struct account_ledger was;
    struct page_scale was_scale;
    /* against `before`; the last is the total */
    bool still, changed[ACCOUNT_CATEGORIES + 1];
    /* has a row even while it is empty, so that sliders do not move the rows below it */
    bool stays[ACCOUNT_CATEGORIES];
    /* a part was too thin for a bar: a sign stands for it */
    bool marked;
    /* of a still scale, in bytes */
    double reach;
    /* 0: nothing flies */
    int apart;
    struct flight {
        /* bytes before it was cut; 0: it does not fly */
        double whole;
        /* it is whole now, and was not before */
        bool joins;
        uint32_t ranks;
    } flight[ACCOUNT_CATEGORIES];
    /* what is there at once, where that is told; 0: not told */
    double peak;
    size_t rows;
    struct row row[ACCOUNT_CATEGORIES];
    struct widths {
        int names, rates, spreads, amounts;
    } width, held;
    /* of the whole; the rate only where nothing is shared */
    char rate[24], *total;
    const char *spread;
};

static bool read_other(const json_t *object, struct account_training *t, struct account_ledger *out,
                       struct base_message *m) {
    struct account_error e;
    return page_training_read(object, t, m) &&
           (account_ledger(t, out, &e) || base_fail(m, "%s", e.what));
}

/* Ranks that a category is divided among. */
static uint32_t cuts_of(const struct account_training *t, enum account_category c) {
    bool state = account_bytes_per_param(t, c) > 0;
    return state && account_is_sharded(t, c) ? account_shard_ranks(t) : 1;
}

static void read_flights(const struct account_training *before, struct ledger *l) {
    for (unsigned i = 0; i < ACCOUNT_CATEGORIES; i++) {
        enum account_category c = (enum account_category)i;
        uint32_t old = cuts_of(before, c), now = cuts_of(&l->training, c);
        if ((old > 1) == (now > 1)) continue;
        l->flight[c] = old > 1 ? (struct flight){(double)l->account.bytes[c], true, old}
                               : (struct flight){(double)l->was.bytes[c], false, now};
    }
}

static double bytes_of(const struct account_ledger *l, int category) {
    return (double)(category == ACCOUNT_CATEGORIES ? l->total : l->bytes[category]);
}

/* Whether a number has changed, and is printed otherwise. The numbers next to it decide how many
 * decimals it has on each page, so "1.8 GB" may be "1.75 GB" again. */
static bool has_changed(const struct ledger *l, int category) {
    double was = bytes_of(&l->was, category), is = bytes_of(&l->account, category);
    char before[32], after[32];
    account_print(before, sizeof before, was, l->scale.unit, DIGITS);
    account_print(after, sizeof after, is, l->scale.unit, DIGITS);
    char *old = page_scale_print(l->was_scale, was), *now = page_scale_print(l->scale, is);
    bool changed = strcmp(before, after) != 0 && strcmp(old, now) != 0;
    free(now);
    free(old);
    return changed;
}

static bool read_scale(const json_t *spec, const struct account_ledger *of, struct page_scale *out,
                       struct base_message *m) {
    double bytes[ACCOUNT_CATEGORIES + 1];
    for (int c = 0; c <= ACCOUNT_CATEGORIES; c++) bytes[c] = bytes_of(of, c);
    return page_scale_read(spec, bytes, BASE_COUNT(bytes), out, m);
}

static bool read_changes(const json_t *spec, struct ledger *l, struct base_message *m) {
    struct account_training t;
    const json_t *before = json_object_get(spec, "before");
    if (!before) return true;
    if (!read_other(before, &t, &l->was, m) || !read_scale(spec, &l->was, &l->was_scale, m))
        return false;
    read_flights(&t, l);
    for (int c = 0; c <= ACCOUNT_CATEGORIES; c++) l->changed[c] = has_changed(l, c);
    return true;
}

static void widen(int *width, const char *text) {
    int w = base_width(text);
    if (w > *width) *width = w;
}

/* What of it comes from parameters: their bytes, their number, the ranks that share it. */
static void write_rate(const struct ledger *l, struct row *r) {
    double each = account_bytes_per_param(&l->training, r->category);
    char count[32];
    if (!(each > 0) || l->account.bytes[r->category] == 0) return; /* none, or on another tier */
    page_count_power(count, l->training.params);
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
    widen(&l->width.names, account_category_words(c));
    widen(&l->width.rates, r->rate);
    widen(&l->width.spreads, r->spread);
    widen(&l->width.amounts, r->bytes);
}

static void add_rows(struct ledger *l) {
    double rate = 0;
    bool whole = true; /* nothing is shared: the rates add up */
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (!l->account.bytes[c] && !l->stays[c]) continue;
        add_row(l, (enum account_category)c);
        if (!l->account.bytes[c]) continue;
        rate += account_bytes_per_param(&l->training, (enum account_category)c);
        const struct row *last = &l->row[l->rows - 1];
        whole = whole && *last->rate && !strstr(last->spread, "÷");
    }
    if (whole && l->rows) {
        account_print(l->rate, sizeof l->rate, rate, ACCOUNT_UNIT_B, 7);
        l->spread = l->row[0].spread;
    }
    l->total = page_scale_print(l->scale, (double)l->account.total);
    widen(&l->width.rates, l->rate);
    widen(&l->width.amounts, l->total);
}

static void forget(struct ledger *l) {
    for (size_t i = 0; i < l->rows; i++) free(l->row[i].bytes);
    free(l->total);
}

/* ── what sliders reach ────────────────────────────────────────────────────────────────────────*/
/* Columns at least as wide as the others. */
static void hold(struct widths *w, const struct widths *other) {
    if (other->names > w->names) w->names = other->names;
    if (other->rates > w->rates) w->rates = other->rates;
    if (other->spreads > w->spreads) w->spreads = other->spreads;
    if (other->amounts > w->amounts) w->amounts = other->amounts;
}

struct held {
    const json_t *spec;
    struct ledger *ledger;
};

/* Rows, and columns as wide, for another training. */
static void hold_other(void *to, const struct account_training *t) {
    const struct held *h = to;
    struct ledger *l = h->ledger, other = {.training = *t};
    if (!account_ledger(t, &other.account, NULL) ||
        !read_scale(h->spec, &other.account, &other.scale, NULL))
        return;
    add_rows(&other);
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) l->stays[c] |= other.account.bytes[c] > 0;
    hold(&l->held, &other.width);
    forget(&other);
}

static bool read_still(const json_t *spec, struct ledger *l, struct base_message *m) {
    struct account_training t;
    struct account_ledger start;
    struct held held = {spec, l};
    l->still = page_still_given(spec);
    l->apart = (int)base_json_int(spec, "apart", 0);
    if (!l->still) return true;
    if (!read_other(json_object_get(spec, "still"), &t, &start, m)) return false;
    l->reach = page_still_reach(&l->limit, (double)start.total);
    hold_other(&held, &t);
    page_range_each(spec, false, hold_other, &held);
    return true;
}

static bool read_ledger(const json_t *spec, struct ledger *l, struct base_message *m) {
    struct account_error e;
    if (!page_training_read(json_object_get(spec, "training"), &l->training, m)) return false;
    if (!account_ledger(&l->training, &l->account, &e)) return base_fail(m, "%s", e.what);
    l->peak = json_number_value(json_object_get(spec, "peak"));
    return page_limit_read(spec, &l->limit, m) && read_still(spec, l, m) &&
           read_scale(spec, &l->account, &l->scale, m) && read_changes(spec, l, m);
}

/* Bytes a cell of the bars: they compare the rows with each other, and with the card where there is
 * one. */
static double bar_scale(const struct ledger *l, int capacity) {
    double most = l->limit.given ? l->limit.bytes : 0;
    if (l->still) return l->reach / capacity;
    for (size_t i = 0; i < l->rows; i++)
        most = fmax(most, (double)l->account.bytes[l->row[i].category]);
    return most / capacity;
}

/* Right edges of the columns; 0 for a column that does not fit: the bars go first, then × Ψ, then
 * the rates. */
struct edges {
    int rates, spreads, amounts, bars;
};

static struct edges edges_of(const struct widths *w, struct page_flow f, int most) {
    int names = f.indent + 2 + (w->names < NAMES ? NAMES : w->names + 1), end = f.indent + f.width;
    struct edges e = {.rates = names + w->rates};
    e.spreads = e.rates + 1 + w->spreads;
    if (e.spreads + GAP + w->amounts > end) e.spreads = 0;
    if (e.rates + GAP + w->amounts > end) e.rates = 0;
    e.amounts = (e.spreads ? e.spreads : e.rates ? e.rates : names) + GAP + w->amounts;
    if (e.amounts > end) e.amounts = end;
    int capacity = end - e.amounts - GAP;
    if (capacity >= LEAST_BAR) e.bars = e.amounts + GAP + (capacity > most ? most : capacity);
    return e;
}

/* Under sliders there are bars only if they fit next to the widest columns that the sliders reach.
 * Then bars stay in place. */
static struct edges lay_out(const struct ledger *l, struct page_flow f, int most) {
    struct widths held = l->width;
    hold(&held, &l->held);
    struct edges e = edges_of(&held, f, most);
    if (!l->still || (e.spreads && e.bars)) return e;
    e = edges_of(&l->width, f, most);
    e.bars = 0;
    return e;
}

/* The bar of one row, or of all, with the card's line where the scale is still. */
static void draw_bar(struct page *p, struct ledger *l, const uint64_t bytes[ACCOUNT_CATEGORIES],
                     int top, int left, struct edges e) {
    struct page_part part[ACCOUNT_CATEGORIES];
    if (!e.bars) return;
    double scale = bar_scale(l, e.bars - left);
    int line = l->limit.given ? left + (int)lround(l->limit.bytes / scale) : -1;
    l->marked |= page_bar_within(p, top, p->thick, left, e.bars - left, part,
                                 page_parts_of(p, bytes, part), scale, line);
}

/* A bar on its way from one piece to a shard, or back: the rank's own piece stays, the others are
 * the further away the higher their rank. */
static void draw_flight(struct page *p, const struct ledger *l, enum account_category c, int top,
                        int left, struct edges e) {
    const struct flight *flight = &l->flight[c];
    int width = e.bars - left, cells = (int)fmin(flight->whole / bar_scale(l, width), width),
        pieces = (int)fmin(flight->ranks, cells / 2.0 + 1),
        line = l->limit.given ? left + (int)lround(l->limit.bytes / bar_scale(l, width)) : -1,
        gone = flight->joins ? 100 - l->apart : l->apart, gap = width * gone * gone / 10000;
    for (int i = pieces - 1; i >= 0; i--)
        for (int x = i * cells / pieces; x < (i + 1) * cells / pieces; x++)
            for (int row = top; row < top + p->thick && x + i * gap < width; row++)
                page_put(p, row, left + x + i * gap, PAGE_CATEGORY + (unsigned)c, 0,
                         page_fill(p, c));
    for (int row = top; row < top + p->thick && line >= 0; row++)
        page_put(p, row, line, PAGE_LIMIT, 0, page_limit_sign);
}

/* The row of the words beside the bar that begins at the page's end. */
static int middle_of(const struct page *p, struct edges e) {
    return p->height + (e.bars ? (p->thick - 1) / 2 : 0);
}

static void draw_row(struct page *p, struct ledger *l, const struct row *r, struct page_flow f,
                     struct edges e) {
    int top = p->height, row = middle_of(p, e), left = e.amounts + GAP;
    unsigned role = PAGE_CATEGORY + (unsigned)r->category;
    page_put(p, row, f.indent, role, 0, page_fill(p, r->category));
    page_put(p, row, f.indent + 2, PAGE_PLAIN, 0, account_category_words(r->category));
    if (e.rates) page_right(p, row, e.rates, PAGE_PLAIN, r->rate);
    if (e.spreads) page_put(p, row, e.rates + 1, PAGE_DIM, 0, r->spread);
    page_right(p, row, e.amounts, l->changed[r->category] ? PAGE_ACCENT : PAGE_PLAIN, r->bytes);
    uint64_t only[ACCOUNT_CATEGORIES] = {0};
    struct page_part part[ACCOUNT_CATEGORIES];
    only[r->category] = l->account.bytes[r->category];
    int parts = page_parts_of(p, only, part);
    if (l->apart && e.bars && l->flight[r->category].whole > 0)
        draw_flight(p, l, r->category, top, left, e);
    else if (l->still)
        draw_bar(p, l, only, top, left, e);
    else if (e.bars)
        l->marked |= page_bar_thick(p, top, p->thick, left, part, parts,
                                    bar_scale(l, e.bars - left), -1, PAGE_PLAIN);
}

static void draw_rows(struct page *p, struct ledger *l, struct page_flow f) {
    struct edges e = lay_out(l, f, p->thick > 1 ? THICK_BAR * p->thick : MOST_BAR);
    for (size_t i = 0; i < l->rows; i++) draw_row(p, l, &l->row[i], f, e);
    if (!p->tight) page_rule(p, p->height, f.indent, e.amounts - f.indent);
    int top = p->height, row = l->still ? middle_of(p, e) : top;
    page_put(p, row, f.indent + 2, PAGE_STRONG, 0, "in total");
    if (e.rates) page_right(p, row, e.rates, PAGE_STRONG, l->rate);
    if (e.spreads && l->spread) page_put(p, row, e.rates + 1, PAGE_DIM, 0, l->spread);
    page_right(p, row, e.amounts, l->changed[ACCOUNT_CATEGORIES] ? PAGE_ACCENT : PAGE_STRONG,
               l->total);
    if (l->still) draw_bar(p, l, l->account.bytes, top, e.amounts + GAP, e);
}

/* What the sign in the bars means, at the end of the verdict's line or, if that has no room for it,
 * of the blank one before: a line of its own would move what is below it. */
static void explain_mark(struct page *p, struct page_flow f, int row, const char *verdict) {
    char *text = base_format("+ %s", page_mark_meaning);
    bool room = page_measure(p, verdict) + GAP + page_measure(p, text) <= f.width;
    page_right(p, room ? row : row - 1, f.indent + f.width, PAGE_DIM, text);
    free(text);
}

static void say_verdict(struct page *p, const struct ledger *l, struct page_flow f) {
    char holds[32], by[32], *place = NULL;
    bool at_peak = l->peak > 0 && l->peak != (double)l->account.total;
    double spare = l->limit.bytes - (at_peak ? l->peak : (double)l->account.total);
    account_print(holds, sizeof holds, l->limit.bytes, l->scale.unit, 4);
    account_print(by, sizeof by, fabs(spare), l->scale.unit, 3);
    if (spare == 0) snprintf(by, sizeof by, "nothing");
    place = page_limit_place(&l->limit, holds);
    char *text = base_format(spare < 0 ? "This does not fit in %s: %s too much%s."
                                       : "This fits in %s and leaves %s free%s.",
                             place, by, at_peak ? " at the peak" : "");
    f.role = spare < 0 ? PAGE_BAD : PAGE_GOOD;
    int row = p->height;
    page_text(p, f, text);
    if (l->marked) explain_mark(p, f, row, text);
    free(text);
    free(place);
}

bool page_ledger_flies(const json_t *spec) {
    struct ledger l = {0};
    struct base_message m;
    bool flies = false;
    if (!page_still_given(spec) || !read_ledger(spec, &l, &m)) return false;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) flies |= l.flight[c].whole > 0;
    return flies;
}

bool page_figure_ledger(struct page *p, struct page_flow f, const json_t *spec,
                        struct base_message *m) {
    struct ledger l = {0};
    if (!read_ledger(spec, &l, m)) return false;
    add_rows(&l);
    draw_rows(p, &l, f);
    bool judged = l.limit.given && !p->tight;
    page_blank(p, judged);
    if (judged) say_verdict(p, &l, f);
    forget(&l);
    return true;
}

/* ", it was 14 GB", of a category or of the total that has changed; the caller's. */
static char *say_change(const struct ledger *l, int category) {
    if (!l->changed[category]) return base_dup("");
    char *old = page_scale_print(l->was_scale, bytes_of(&l->was, category)),
         *text = base_format(", it was %s", old);
    free(old);
    return text;
}

/* "2 bytes × 7 billion ÷ 8, "; nothing of what no parameter has. The caller's. */
static char *say_product(const struct ledger *l, const char *rate, uint32_t cuts) {
    char count[48], *each = page_rate_words(rate), share[24] = "";
    if (cuts > 1) snprintf(share, sizeof share, " ÷ %u", cuts);
    char *text =
        *each ? base_format("%s × %s%s, ", each, page_count_words(count, l->training.params), share)
              : base_dup("");
    free(each);
    return text;
}

static bool has_row(const struct ledger *l, enum account_category c) {
    size_t i = 0;
    while (i < l->rows && l->row[i].category != c) i++;
    return i < l->rows;
}

/* "params: 2 bytes × 7 billion ÷ 8, 1.75 GB, it was 14 GB." Each pile once: one that was is said
 * even if it has no row any more. */
static void say_rows(struct page *p, const struct ledger *l, struct page_flow f) {
    for (size_t i = 0; i < l->rows; i++) {
        const struct row *r = &l->row[i];
        char *product = say_product(l, r->rate, cuts_of(&l->training, r->category)),
             *change = say_change(l, (int)r->category);
        page_say(p, f, "%s: %s%s%s.", account_category_words(r->category), product, r->bytes,
                 change);
        free(change);
        free(product);
    }
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (!l->changed[c] || has_row(l, (enum account_category)c)) continue;
        char *change = say_change(l, c);
        page_say(p, f, "%s: none%s.", account_category_words((enum account_category)c), change);
        free(change);
    }
    char *product = say_product(l, l->rate, 1), *change = say_change(l, ACCOUNT_CATEGORIES);
    page_say(p, f, "In total: %s%s%s.", product, l->total, change);
    free(change);
    free(product);
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
