/* The transformations of peaks and of host memory: the model counted as one piece. */
#include "account/slips.h"

static bool only(struct account_slipped *x, const char *label, double bytes) {
    struct account_training *t = &x->problem.training;
    struct account_products *s = &x->grounds.products;
    s->count = 0;
    struct account_product *p = account_product(s, "params", label, ACCOUNT_OF_STATES);
    account_factor(p, ACCOUNT_WIDTH, ACCOUNT_BYTES, bytes, 0);
    account_factor(p, ACCOUNT_COUNT, ACCOUNT_ELEMENTS, (double)t->params, 0);
    return true;
}

/* Host memory as large as the model's file. */
bool account_slip_model_file(const struct account_slip *row, struct account_slipped *x) {
    account_add(&x->slip, "%g B a parameter, the model's file; the host keeps fp32 states",
                row->amount);
    return only(x, "the model", row->amount);
}

/* All parameters gathered at once. */
bool account_slip_whole_model(const struct account_slip *row, struct account_slipped *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    struct account_products *s = &x->grounds.products;
    if (t->stage != 3) return false;
    struct account_product *p = NULL;
    for (size_t i = 0; i < s->count; i++)
        if (s->product[i].categories == 1u << ACCOUNT_GATHER) p = &s->product[i];
    if (!p) return false;
    p->factors = 0;
    p->exact = 1;
    account_factor(p, ACCOUNT_WIDTH, ACCOUNT_BYTES, account_dtype_bytes(t, ACCOUNT_AS_HALF), 0);
    account_factor(p, ACCOUNT_COUNT, ACCOUNT_ELEMENTS, (double)t->params, 0);
    account_add(&x->slip, "the whole model gathered; only a unit or two are there at a time");
    return true;
}
