/* The sums that answers are, and how they are written on paper: of a sheet, of products, and where
 * shards lie. */
#include "account/problems/grounds.h"
#include "account/problems/sums.h"

#include <math.h>

static bool alike(const struct account_term *a, const struct account_term *b) {
    return a->elements == b->elements && a->sharded == b->sharded && a->group == b->group &&
           a->set == b->set;
}

static bool wanted(const struct account_sheet *s, size_t i, uint32_t mask) {
    return mask >> s->term[i].category & 1;
}

static bool is_first(const struct account_sheet *s, size_t i, uint32_t mask) {
    for (size_t j = 0; j < i; j++)
        if (wanted(s, j, mask) && alike(&s->term[j], &s->term[i])) return false;
    return true;
}

/* "2 B" or "(2 + 4 + 8) B" */
static void add_group(struct account_text *t, const struct account_sheet *s, size_t first,
                      uint32_t mask) {
    size_t members = 0;
    for (size_t i = first; i < s->terms; i++)
        members += wanted(s, i, mask) && alike(&s->term[i], &s->term[first]);
    const char *before = members > 1 ? "(" : "";
    for (size_t i = first; i < s->terms; i++) {
        if (!wanted(s, i, mask) || !alike(&s->term[i], &s->term[first])) continue;
        account_add(t, "%s", before);
        account_add_number(t, account_term_rate(&s->term[i]), 7);
        before = " + ";
    }
    account_add(t, members > 1 ? ") B" : " B");
}

static void add_groups(struct account_text *t, const struct account_sheet *s, uint32_t mask,
                       bool counts) {
    const char *before = "";
    for (size_t i = 0; i < s->terms; i++) {
        if (!wanted(s, i, mask) || !is_first(s, i, mask)) continue;
        account_add(t, "%s", before);
        add_group(t, s, i, mask);
        if (counts) {
            account_add(t, " × ");
            account_add_count(t, s->term[i].elements);
        }
        if (s->term[i].sharded) account_add(t, " ÷ %u", account_term_ranks(s, &s->term[i]));
        before = " + ";
    }
    if (!*before) account_add(t, "0 B");
}

void account_add_sheet(struct account_text *t, const struct account_sheet *s, uint32_t mask) {
    add_groups(t, s, mask, true);
}

void account_add_rates(struct account_text *t, const struct account_sheet *s, uint32_t mask) {
    add_groups(t, s, mask, false);
}

/* ── building ──────────────────────────────────────────────────────────────────────────────────*/

struct account_product *account_product(struct account_products *s, const char *id,
                                        const char *label, uint32_t sort) {
    if (s->count == ACCOUNT_PRODUCTS) return NULL;
    struct account_product *p = &s->product[s->count++];
    p->id = id;
    p->label = label;
    p->sort = sort;
    p->categories = 0;
    p->exact = 1;
    p->factors = 0;
    return p;
}

void account_factor(struct account_product *p, uint32_t role, enum account_writing how, double a,
                    double b) {
    bool says = how == ACCOUNT_FRACTION || how == ACCOUNT_BYTES || a != 1;
    if (says && p->factors < ACCOUNT_FACTORS)
        p->factor[p->factors++] = (struct account_factor){role, how, a, b};
}

void account_settle(struct account_product *p, double value, enum account_writing how) {
    double written = account_product_value(p), ratio = written != 0 ? value / written : 0;
    if (fabs(ratio - 1) < 1e-3) {
        p->exact *= ratio;
        return;
    }
    p->factors = 0;
    p->exact = 1;
    account_factor(p, ACCOUNT_SIZE, how, value, 0);
}

/* It goes first: "34 B × 4096 × …". */
void account_residual(struct account_product *p, double value, uint32_t role,
                      enum account_writing how) {
    double left = value / account_product_value(p), fine = floor(left * 128 + 0.5) / 128;
    if (fabs(fine - left) < 1e-4 * left) left = fine;
    if (p->factors == ACCOUNT_FACTORS || left == 0) return;
    for (size_t i = p->factors++; i > 0; i--) p->factor[i] = p->factor[i - 1];
    p->factor[0] = (struct account_factor){role, how, left, 0};
}

/* ── values ────────────────────────────────────────────────────────────────────────────────────*/

static double factor_value(const struct account_factor *f) {
    switch (f->how) {
    case ACCOUNT_FRACTION: return f->a / f->b;
    case ACCOUNT_DIVISOR:
    case ACCOUNT_SPEED: return 1 / f->a;
    default: return f->a;
    }
}

double account_product_value(const struct account_product *p) {
    double value = p->exact;
    for (size_t i = 0; i < p->factors; i++) value *= factor_value(&p->factor[i]);
    return value;
}

double account_products_value(const struct account_products *s) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) sum += account_product_value(&s->product[i]);
    return sum;
}

/* ── writing ───────────────────────────────────────────────────────────────────────────────────*/

static void add_given(struct account_text *t, double bytes) {
    account_add_value(t, bytes, bytes >= 1e9 ? ACCOUNT_UNIT_GB : ACCOUNT_UNIT_MB, 6);
}

static void add_plain(struct account_text *t, double number) {
    bool whole = number >= 1e6 && number < 1e19 && number == floor(number);
    if (whole)
        account_add_count(t, (uint64_t)number);
    else
        account_add_number(t, number, 7);
}

void account_add_factor(struct account_text *t, const struct account_factor *f, bool first) {
    bool divides = f->how == ACCOUNT_DIVISOR || f->how == ACCOUNT_SPEED;
    if (divides)
        account_add(t, first ? "1 ÷ " : " ÷ ");
    else if (!first)
        account_add(t, " × ");
    switch (f->how) {
    case ACCOUNT_FRACTION:
        account_add(t, "%s/%s", account_number(t, f->a).text, account_number(t, f->b).text);
        break;
    case ACCOUNT_SPEED: account_add_value(t, f->a, ACCOUNT_UNIT_GB_PER_S, 6); break;
    case ACCOUNT_GIVEN: add_given(t, f->a); break;
    case ACCOUNT_TIME: account_add_value(t, f->a, ACCOUNT_UNIT_MS, 6); break;
    case ACCOUNT_NUMBER:
    case ACCOUNT_BYTES:
    case ACCOUNT_ELEMENTS:
    case ACCOUNT_DIVISOR: add_plain(t, f->a); break;
    }
    if (f->how == ACCOUNT_BYTES) account_add(t, " B");
}

void account_add_product(struct account_text *t, const struct account_product *p) {
    for (size_t i = 0; i < p->factors; i++) account_add_factor(t, &p->factor[i], i == 0);
    if (p->factors == 0) account_add(t, "1");
}

static void add_all(struct account_text *t, const struct account_products *s) {
    for (size_t i = 0; i < s->count; i++) {
        account_add(t, i > 0 ? " + " : "");
        account_add_product(t, &s->product[i]);
    }
}

static void add_values(struct account_text *t, const struct account_products *s,
                       enum account_unit u) {
    for (size_t i = 0; i < s->count; i++) {
        double value = account_product_value(&s->product[i]) / account_unit_scale(u);
        account_add(t, i > 0 ? " + " : "");
        account_add_number(t, value, 5);
    }
    if (account_unit_name(u)[0]) account_add(t, " %s", account_unit_name(u));
}

#define SUM_MOST 112 /* so that a result still fits behind it */

void account_add_products(struct account_text *t, const struct account_products *s,
                          enum account_unit u) {
    char whole[256];
    struct account_text all = account_text(whole, sizeof whole);
    add_all(&all, s);
    if (s->count == 0)
        account_add(t, "0");
    else if (all.used <= SUM_MOST)
        account_add(t, "%s", whole);
    else
        add_values(t, s, u);
}

uint64_t account_shard_size(const struct account_shards *s) {
    uint64_t unit = (uint64_t)s->ranks * s->align;
    return (s->elements / unit + (s->elements % unit != 0 && !s->down)) * s->align;
}

static double real(const struct account_shards *s) {
    double size = (double)account_shard_size(s), before = size * s->rank, n = (double)s->elements;
    if (before >= n) return 0;
    return n - before < size ? n - before : size;
}

double account_shards_value(const struct account_shards *s) {
    double size = (double)account_shard_size(s), value = size;
    if (s->piece == ACCOUNT_PIECE_FIRST) value = size * s->rank;
    if (s->piece == ACCOUNT_PIECE_REAL) value = real(s);
    if (s->piece == ACCOUNT_PIECE_PADDING) value = size * s->ranks - (double)s->elements;
    return (value + (double)s->more) * s->bytes;
}

static void add_size(struct account_text *t, const struct account_shards *s) {
    account_add_count(t, s->elements);
    account_add(t, " ÷ %u", s->ranks);
    if (s->align > 1) account_add(t, " to a multiple of %u", s->align);
    account_add(t, ", rounded %s", s->down ? "down" : "up");
}

/* A shard that is full to its end is just that many. */
static void add_real(struct account_text *t, const struct account_shards *s) {
    uint64_t size = account_shard_size(s);
    if (real(s) == (double)size) {
        account_add_count(t, size);
        return;
    }
    account_add_count(t, s->elements);
    account_add(t, " − %u × ", s->rank);
    account_add_count(t, size);
}

void account_add_shards(struct account_text *t, const struct account_shards *s) {
    if (s->bytes != 1) account_add(t, "%u × (", s->bytes);
    if (s->piece == ACCOUNT_PIECE_FIRST)
        account_add(t, "%u × ", s->rank), account_add_count(t, account_shard_size(s));
    else if (s->piece == ACCOUNT_PIECE_REAL)
        add_real(t, s);
    else if (s->piece == ACCOUNT_PIECE_PADDING) {
        account_add(t, "%u × ", s->ranks);
        account_add_count(t, account_shard_size(s));
        account_add(t, " − ");
        account_add_count(t, s->elements);
    } else
        add_size(t, s);
    if (s->more)
        account_add(t, s->more > 0 ? " + %lld" : " − %lld",
                    (long long)(s->more > 0 ? s->more : -s->more));
    if (s->bytes != 1) account_add(t, ")");
}
