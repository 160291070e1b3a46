/* Ledgers next to each other: a category a line, a column for each ledger with bytes per parameter
 * and bytes, what each category is; then the same as bars to one scale. A guess whose parts are
 * not known has a bar of one sign next to them. */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, COLUMNS = 3, NAMES = 11, RATE = 8, ROOMY = 60, FAR = 4 };
/* bytes that a bar can have */
static const double MOST = 1e18;

struct column {
    const char *label;
    struct account_ledger ledger;
    /* of its numbers, when laid out */
    int left, right;
};
struct piles {
    /* the first column that there is room for */
    size_t count, first;
    struct column column[COLUMNS];
    bool present[ACCOUNT_CATEGORIES];
    struct page_scale scale;
    struct page_limit limit;
    /* what bytes are divided by for the rates; 0: no rates */
    double params;
    /* a number without parts; < 0: none */
    double yours;
    const json_t *notes;
    /* widths of a column's numbers; rates 0: they are left out */
    int amounts, rates;
    /* where notes begin; 0: there is no room for them */
    int note;
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static bool read_columns(const json_t *spec, struct piles *s, struct base_message *m) {
    const json_t *list = json_object_get(spec, "columns");
    s->count = json_array_size(list);
    if (s->count < 1 || s->count > COLUMNS)
        return base_fail(m, "piles have 1 to %d columns, each {\"label\":…,\"training\":{…}}",
                         COLUMNS);
    for (size_t i = 0; i < s->count; i++) {
        const json_t *one = json_array_get(list, i);
        s->column[i].label = base_json_text(one, "label", "");
        if (!page_ledger_read(one, &s->column[i].ledger, m)) return false;
        for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
            s->present[c] |= s->column[i].ledger.bytes[c] > 0;
    }
    return true;
}

static bool read_piles(const json_t *spec, struct piles *s, struct base_message *m) {
    double totals[COLUMNS];
    if (!read_columns(spec, s, m)) return false;
    for (size_t i = 0; i < s->count; i++) totals[i] = (double)s->column[i].ledger.total;
    s->yours = base_json_number(spec, "yours", -1);
    s->params = json_number_value(json_object_get(spec, "params"));
    s->notes = json_object_get(spec, "notes");
    return page_limit_read(spec, &s->limit, m) &&
           page_scale_read(spec, totals, s->count, &s->scale, m);
}

/* ── laying out ────────────────────────────────────────────────────────────────────────────────*/
static void widen(const struct page *p, int *width, const char *text) {
    int w = page_measure(p, text);
    if (w > *width) *width = w;
}

static int width_of_one(const struct piles *s) {
    return s->rates + (s->rates > 0) + s->amounts + 2 * GAP;
}

static int columns_end(const struct piles *s, struct page_flow f) {
    return f.indent + NAMES + (int)(s->count - s->first) * width_of_one(s);
}

/* The notes go first, then the rates, then columns from the left: the bars still show them. */
static void lay_out(const struct page *p, struct piles *s, struct page_flow f) {
    int notes = 0, end = f.indent + f.width;
    for (size_t i = 0; i < s->count; i++) {
        char *total = page_scale_print(s->scale, (double)s->column[i].ledger.total);
        widen(p, &s->amounts, total);
        widen(p, &s->amounts, s->column[i].label);
        free(total);
    }
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (s->present[c]) widen(p, &notes, base_json_text(s->notes, account_category_name(c), ""));
    s->rates = s->params > 0 ? RATE : 0;
    if (columns_end(s, f) > end) s->rates = 0;
    while (columns_end(s, f) > end && s->first + 1 < s->count) s->first++;
    int at = columns_end(s, f) + GAP;
    s->note = notes > 0 && at + notes <= end ? at : 0;
    for (size_t i = s->first; i < s->count; i++) {
        s->column[i].right = f.indent + NAMES + (int)(i + 1 - s->first) * width_of_one(s);
        s->column[i].left = s->column[i].right - width_of_one(s) + 2 * GAP;
    }
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
static void put_numbers(struct page *p, const struct piles *s, const struct column *c, double bytes,
                        unsigned role) {
    char rate[32];
    int row = page_height(p) - 1;
    char *amount = page_scale_print(s->scale, bytes);
    page_right(p, row, c->right, role, amount);
    free(amount);
    if (!s->rates) return;
    account_print(rate, sizeof rate, bytes / s->params, ACCOUNT_UNIT_B, 3);
    page_right(p, row, c->right - s->amounts - 1, role == PAGE_PLAIN ? PAGE_DIM : role, rate);
}

static void draw_heads(struct page *p, const struct piles *s) {
    page_blank(p, 1);
    for (size_t i = s->first; i < s->count; i++)
        page_right(p, page_height(p) - 1, s->column[i].right, PAGE_STRONG, s->column[i].label);
}

static void draw_row(struct page *p, const struct piles *s, unsigned c, struct page_flow f) {
    const char *name = account_category_words(c);
    page_blank(p, 1);
    int row = page_height(p) - 1;
    page_put(p, row, f.indent, PAGE_CATEGORY + c, 0, page_fill(p, c));
    page_put(p, row, f.indent + 2, PAGE_PLAIN, 0, name);
    uint64_t is = s->column[s->count - 1].ledger.bytes[c];
    for (size_t i = s->first; i < s->count; i++) {
        uint64_t bytes = s->column[i].ledger.bytes[c];
        put_numbers(p, s, &s->column[i], (double)bytes, bytes == is ? PAGE_PLAIN : PAGE_WARN);
    }
    if (s->note) page_put(p, row, s->note, PAGE_DIM, 0, base_json_text(s->notes, name, ""));
}

static void draw_totals(struct page *p, const struct piles *s, struct page_flow f) {
    int row = page_height(p);
    for (size_t i = s->first; i < s->count; i++)
        page_rule(p, row, s->column[i].left, s->column[i].right - s->column[i].left);
    page_put(p, row + 1, f.indent + 2, PAGE_STRONG, 0, "in total");
    for (size_t i = s->first; i < s->count; i++)
        put_numbers(p, s, &s->column[i], (double)s->column[i].ledger.total, PAGE_STRONG);
}

/* One far beyond the others would leave them no columns: it is cut. */
static void add_yours(const struct piles *s, struct page_bars *bars) {
    double most = s->limit.given ? s->limit.bytes : 0;
    if (s->yours < 0) return;
    for (size_t i = 0; i < s->count; i++) most = fmax(most, (double)s->column[i].ledger.total);
    if (s->yours > FAR * most) bars->reach = FAR * most;
    bars->bar[bars->count++] = (struct page_bars_one){
        .label = "yours", .ledger = {.total = (uint64_t)fmin(s->yours, MOST)}, .whole = true};
}

static void draw_bars(struct page *p, const struct piles *s, struct page_flow f) {
    struct page_bars bars = {.unit = s->scale.unit, .limit = s->limit, .terse = true};
    const struct column *last = &s->column[s->count - 1];
    double over = s->limit.given ? (double)last->ledger.total - s->limit.bytes : 0;
    char *amount = page_scale_print(s->scale, over), *note = base_format("%s too much", amount);
    for (size_t i = 0; i < s->count; i++) {
        if (&s->column[i] == last) add_yours(s, &bars);
        bars.bar[bars.count++] =
            (struct page_bars_one){.label = s->column[i].label, .ledger = s->column[i].ledger};
    }
    if (over > 0 && f.width >= ROOMY) {
        bars.bar[bars.count - 1].note = note;
        bars.bar[bars.count - 1].role = PAGE_BAD;
    }
    page_blank(p, 1);
    page_bars(p, f, &bars);
    free(note);
    free(amount);
}

bool page_figure_piles(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m) {
    struct piles s = {0};
    if (!read_piles(spec, &s, m)) return false;
    f = page_flow_fit(p, f);
    lay_out(p, &s, f);
    draw_heads(p, &s);
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (s.present[c]) draw_row(p, &s, c, f);
    draw_totals(p, &s, f);
    draw_bars(p, &s, f);
    return true;
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
/* "2 bytes per parameter"; the caller's. Only where the parameters are known. */
static char *say_rate(const struct piles *s, double bytes) {
    char rate[32];
    account_print(rate, sizeof rate, bytes / s->params, ACCOUNT_UNIT_B, 3);
    char *words = page_rate_words(rate), *text = base_format("%s per parameter", words);
    free(words);
    return text;
}

/* "14 GB (2 bytes per parameter)"; the caller's. */
static char *say_amount(const struct piles *s, double bytes) {
    char *amount = page_scale_print(s->scale, bytes);
    if (s->params <= 0) return amount;
    char *rate = say_rate(s, bytes), *text = base_format("%s (%s)", amount, rate);
    free(rate);
    free(amount);
    return text;
}

/* ", and nothing of grads and master": what other columns have. The caller's. */
static char *say_missing(const struct piles *s, const struct column *c) {
    struct base_text names = {0};
    size_t count = 0, n = 0;
    for (unsigned k = 0; k < ACCOUNT_CATEGORIES; k++) count += s->present[k] && !c->ledger.bytes[k];
    for (unsigned k = 0; k < ACCOUNT_CATEGORIES; k++)
        if (s->present[k] && !c->ledger.bytes[k])
            page_list_add(&names, n++, count, account_category_words((enum account_category)k));
    char *text = count > 0 && c->ledger.total > 0 ? base_format(", and nothing of %s", names.s)
                                                  : base_dup("");
    base_text_free(&names);
    return text;
}

/* "it is: 112 GB, of which params 14 GB (2 bytes per parameter) …; 16 bytes per parameter". The
 * only column needs no name, and a name like "at 126 GB" has the total in it. */
static void say_column(struct page *p, const struct piles *s, const struct column *c,
                       struct page_flow f) {
    struct base_text parts = {0};
    size_t count = 0, n = 0;
    for (unsigned k = 0; k < ACCOUNT_CATEGORIES; k++) count += c->ledger.bytes[k] > 0;
    for (unsigned k = 0; k < ACCOUNT_CATEGORIES; k++) {
        if (!c->ledger.bytes[k]) continue;
        char *amount = say_amount(s, (double)c->ledger.bytes[k]);
        char *item = base_format("%s %s", account_category_words((enum account_category)k), amount);
        page_list_add(&parts, n++, count, item);
        free(item);
        free(amount);
    }
    double all = (double)c->ledger.total;
    char *total = page_scale_print(s->scale, all),
         *rate = s->params > 0 ? say_rate(s, all) : base_dup("");
    char *missing = say_missing(s, c);
    bool alone = s->count == 1 && s->yours < 0, told = strstr(c->label, total);
    page_say(p, f, "%s%s%s%s%s%s%s%s%s.", alone ? "" : c->label, alone ? "" : ": ",
             told ? "" : total, told ? "" : ", of which ", parts.s ? parts.s : "nothing", missing,
             *rate ? "; " : "", rate, *rate ? " in total" : "");
    free(missing);
    free(rate);
    free(total);
    base_text_free(&parts);
}

/* "yours: 42 GB, 70 GB less than it is." */
static void say_yours(struct page *p, const struct piles *s, struct page_flow f) {
    double by = s->yours - (double)s->column[s->count - 1].ledger.total;
    if (s->yours < 0) return;
    char *amount = page_scale_print(s->scale, s->yours),
         *off = page_scale_print(s->scale, fabs(by));
    page_say(p, f, "yours: %s, %s too %s.", amount, off, by < 0 ? "little" : "much");
    free(off);
    free(amount);
}

bool page_words_piles(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *m) {
    struct piles s = {0};
    if (!read_piles(spec, &s, m)) return false;
    for (size_t i = 0; i < s.count; i++) {
        if (i + 1 == s.count) say_yours(p, &s, f);
        say_column(p, &s, &s.column[i], f);
    }
    double over = (double)s.column[s.count - 1].ledger.total - s.limit.bytes;
    if (!s.limit.given || over <= 0) return true;
    char *amount = page_scale_print(s.scale, over),
         *limit = page_scale_print(s.scale, s.limit.bytes);
    page_say(p, f, "That does not fit in %s: %s too much.", limit, amount);
    free(limit);
    free(amount);
    return true;
}
