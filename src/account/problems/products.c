#include "account/problems/products.h"

#include <math.h>

/* ── building ────────────────────────────────────────────────────────────────────────────────────*/

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

/* ── values ──────────────────────────────────────────────────────────────────────────────────────*/

double account_factor_value(const struct account_factor *f) {
    switch (f->how) {
    case ACCOUNT_FRACTION: return f->a / f->b;
    case ACCOUNT_DIVISOR:
    case ACCOUNT_SPEED: return 1 / f->a;
    default: return f->a;
    }
}

double account_product_value(const struct account_product *p) {
    double value = p->exact;
    for (size_t i = 0; i < p->factors; i++) value *= account_factor_value(&p->factor[i]);
    return value;
}

double account_products_value(const struct account_products *s) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) sum += account_product_value(&s->product[i]);
    return sum;
}

/* ── writing ─────────────────────────────────────────────────────────────────────────────────────*/

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
    case ACCOUNT_FRACTION: account_add(t, "%.0f/%.0f", f->a, f->b); break;
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
