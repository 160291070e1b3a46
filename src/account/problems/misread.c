/* A problem as it was misunderstood: what the changes (mistake_*.c) share. */
#include "account/problems/mistakes.h"

bool account_asks_one_category(const struct account_problem *p) {
    return account_kinds[p->kind].base == ACCOUNT_ON_SHEET &&
           (p->quantity & (p->quantity - 1)) == 0;
}

bool account_misread_again(struct account_misread *x) {
    return account_check(&x->problem.training, NULL) &&
           account_ground(&x->problem, &x->grounds, NULL);
}

const char *const account_misread_nouns[ACCOUNT_CATEGORIES] = {
    "parameters", "grads",   "master copy", "moments", "activations",
    "gathered",   "reduced", "workspace",   "staging", "framework",
};

bool account_misread_has(const struct account_misread *x, const struct account_term *term) {
    return x->problem.quantity >> term->category & 1;
}

struct account_term *account_misread_find(struct account_misread *x, uint32_t mask) {
    for (size_t i = 0; i < x->grounds.sheet.terms; i++)
        if (account_misread_has(x, &x->grounds.sheet.term[i]) &&
            mask >> x->grounds.sheet.term[i].category & 1)
            return &x->grounds.sheet.term[i];
    return NULL;
}

void account_misread_add_rate(struct account_text *t, const struct account_term *term) {
    account_add_number(t, account_term_rate(term), 7);
}

bool account_misread_across(const struct account_misread *x) {
    const struct account_products *s = &x->grounds.products;
    bool across = x->grounds.base == ACCOUNT_ON_PRODUCTS;
    for (size_t i = 0; across && i < s->count; i++)
        across = s->product[i].sort & ACCOUNT_OF_REPLICAS;
    return across;
}
