/* From a row of the table to what it yields for a problem: its value, its arithmetic, and the step
 * that went wrong. */
#include "account/problems/mistakes.h"

#include <math.h>

/* "2 B × 7.5e9 + … = 34.13 GB"; with a last step that changes the unit, the bytes themselves go
 * into it: "16.640625e9 B ÷ 2^30 = 15.5 GiB". If another mistake gives these bytes, its sum comes
 * before: "2 B × 7.5e9 + … = 34.13 GB, and 34.13 GB × 1000 = 34130 GB". */
static void write_arithmetic(const struct account_misread *x, double before,
                             struct account_match *out) {
    struct account_text t = account_text(out->arithmetic, sizeof out->arithmetic);
    enum account_unit asked = account_problem_unit(&x->problem);
    bool stated = x->factor == 1 || (x->problem.kind == ACCOUNT_ASK_CONVERT && x->unit == asked);
    if (stated || out->also) account_add_sum(&t, &x->problem, &x->grounds);
    if (!stated && out->also) {
        account_add(&t, " = ");
        account_add_value(&t, before, asked, 5);
        account_add(&t, ", and ");
    }
    if (!stated && x->unit != asked) account_add_count(&t, (uint64_t)(before + 0.5));
    if (!stated && x->unit == asked) account_add_value(&t, before, x->from ? x->from : asked, 5);
    if (x->factor != 1) account_add(&t, "%s", x->step.out);
    account_add(&t, " = ");
    /* in the unit that was meant the result is the truth's; in the unit asked it is what the
     * mistake is worth */
    double shown = x->unit == asked ? before * x->factor : before;
    account_add_value(&t, shown, x->unit, account_digits(shown, x->unit));
}

static void begin(struct account_misread *x, const struct account_problem *p,
                  const struct account_grounds *g) {
    x->problem = *p;
    account_ground_copy(&x->grounds, g);
    x->factor = 1;
    x->unit = account_problem_unit(p);
    x->from = ACCOUNT_UNIT_NONE;
    x->step = x->wrong = (struct account_text){0};
}

static bool applies(size_t i, const struct account_problem *p) {
    size_t count;
    account_mistakes(&count);
    return i < count && account_mistake_rows[i].kinds >> p->kind & 1;
}

static bool apply(size_t i, struct account_misread *x) {
    return account_mistake_rows[i].apply(&account_mistake_rows[i], x);
}

static bool finish(const struct account_misread *x, double *before, double *out) {
    if (!account_answer(&x->problem, &x->grounds, before)) return false;
    *out = *before * x->factor;
    return isfinite(*out);
}

/* Only the second may change the result's last step. */
static bool both(size_t i, size_t j, struct account_misread *x) {
    if (!apply(i, x) || x->factor != 1) return false;
    account_add(&x->wrong, "; besides, ");
    return apply(j, x);
}

bool account_mistaken_value(size_t i, const struct account_problem *p,
                            const struct account_grounds *g, double *out) {
    struct account_misread x;
    double before;
    if (!applies(i, p)) return false;
    begin(&x, p, g);
    return apply(i, &x) && finish(&x, &before, out);
}

bool account_mistaken_pair_value(size_t i, size_t j, const struct account_problem *p,
                                 const struct account_grounds *g, double *out) {
    struct account_misread x;
    double before;
    if (!applies(i, p) || !applies(j, p)) return false;
    begin(&x, p, g);
    return both(i, j, &x) && finish(&x, &before, out);
}

/* ── one mistake in other words ────────────────────────────────────────────────────────────────*/

static bool same_term(const struct account_term *a, const struct account_term *b) {
    return a->category == b->category && a->set == b->set && a->elements == b->elements &&
           a->bytes == b->bytes && a->block == b->block && a->block_bytes == b->block_bytes &&
           a->sharded == b->sharded && a->group == b->group && a->most == b->most;
}

/* The next term that is asked for. */
static size_t asked_from(const struct account_misread *x, size_t i) {
    const struct account_sheet *s = &x->grounds.sheet;
    while (i < s->terms && !account_misread_has(x, &s->term[i])) i++;
    return i;
}

static bool same_sheet(const struct account_misread *x, const struct account_misread *y) {
    const struct account_sheet *a = &x->grounds.sheet, *b = &y->grounds.sheet;
    size_t i = asked_from(x, 0), j = asked_from(y, 0);
    bool same = a->params == b->params && a->split == b->split, divided = false;
    for (; same && i < a->terms && j < b->terms;
         i = asked_from(x, i + 1), j = asked_from(y, j + 1)) {
        same = same_term(&a->term[i], &b->term[j]);
        divided |= a->term[i].sharded;
    }
    return same && i >= a->terms && j >= b->terms && (!divided || a->ranks == b->ranks);
}

static bool same_product(const struct account_product *a, const struct account_product *b) {
    bool same = a->sort == b->sort && a->factors == b->factors;
    for (size_t i = 0; same && i < a->factors; i++)
        same = a->factor[i].role == b->factor[i].role && a->factor[i].how == b->factor[i].how &&
               a->factor[i].a == b->factor[i].a && a->factor[i].b == b->factor[i].b;
    return same;
}

static bool same_products(const struct account_products *a, const struct account_products *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = same_product(&a->product[i], &b->product[i]);
    return same;
}

/* Rows about shards and budgets each change something else. */
static bool same(const struct account_misread *x, const struct account_misread *y) {
    const struct account_grounds *a = &x->grounds, *b = &y->grounds;
    if (x->problem.cluster != y->problem.cluster || x->problem.quantity != y->problem.quantity ||
        account_problem_budget(&x->problem) != account_problem_budget(&y->problem) ||
        x->factor != y->factor || x->unit != y->unit || a->down != b->down)
        return false;
    if (a->base == ACCOUNT_ON_SHEET) return same_sheet(x, y);
    return a->base == ACCOUNT_ON_PRODUCTS && same_products(&a->products, &b->products);
}

bool account_mistaken_alike(size_t i, size_t j, const struct account_problem *p,
                            const struct account_grounds *g) {
    const struct account_mistake_row *a = &account_mistake_rows[i], *b = &account_mistake_rows[j];
    struct account_misread x, y;
    if (!applies(i, p) || !applies(j, p) || (a->mask == b->mask && a->whole == b->whole))
        return false;
    begin(&x, p, g);
    begin(&y, p, g);
    return apply(i, &x) && apply(j, &y) && same(&x, &y);
}

/* ── with text ─────────────────────────────────────────────────────────────────────────────────*/

static bool spell(size_t i, const size_t *j, const struct account_problem *p,
                  const struct account_grounds *g, struct account_match *out) {
    size_t count;
    const struct account_mistake *names = account_mistakes(&count);
    struct account_misread x;
    char step[48];
    double before;
    *out = (struct account_match){.mistake = &names[i], .also = j ? &names[*j] : NULL};
    begin(&x, p, g);
    x.step = account_text(step, sizeof step);
    x.wrong = account_text(out->wrong, sizeof out->wrong);
    if (!(j ? both(i, *j, &x) : apply(i, &x)) || !finish(&x, &before, &out->value)) return false;
    write_arithmetic(&x, before, out);
    return true;
}

bool account_mistaken(size_t i, const struct account_problem *p, const struct account_grounds *g,
                      struct account_match *out) {
    return applies(i, p) && spell(i, NULL, p, g, out);
}

bool account_mistaken_pair(size_t i, size_t j, const struct account_problem *p,
                           const struct account_grounds *g, struct account_match *out) {
    return applies(i, p) && applies(j, p) && spell(i, &j, p, g, out);
}

/* ── by category ───────────────────────────────────────────────────────────────────────────────*/

static bool misread(const struct account_match *m, const struct account_problem *p,
                    const struct account_grounds *g, struct account_misread *x) {
    size_t count;
    const struct account_mistake *names = account_mistakes(&count);
    begin(x, p, g);
    if (!m) return true;
    size_t i = (size_t)(m->mistake - names), j = m->also ? (size_t)(m->also - names) : 0;
    return m->also ? both(i, j, x) : apply(i, x);
}

bool account_mistaken_ledger(const struct account_match *m, const struct account_problem *p,
                             const struct account_grounds *g, struct account_ledger *out) {
    struct account_misread x;
    *out = (struct account_ledger){0};
    if (p->kind != ACCOUNT_ASK_BYTES || p->cluster || !misread(m, p, g, &x) || x.factor != 1)
        return false;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (!(x.problem.quantity >> c & 1)) continue;
        out->bytes[c] = account_sheet_bytes(&x.grounds.sheet, 1u << c);
        out->total += out->bytes[c];
    }
    return out->total > 0;
}
