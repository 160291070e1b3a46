#include "account/training/resolved.h"

/* The shape as the recipe holds it: Megatron-LM (--make-vocab-size-divisible-by, 128 · tp) and llm.c (50257 → 50304) pad the
 * vocabulary. */
static struct account_shape held_shape(const struct account_resolved *r) {
    struct account_shape s = r->asked->shape;
    uint64_t multiple = (uint64_t)r->recipe->vocab_multiple * r->tp;
    if (multiple) s.vocab = (uint32_t)(account_ceil_div(s.vocab, multiple) * multiple);
    return s;
}

void account_resolve_shape(const struct account_training *t, struct account_resolved *out) {
    out->asked = t;
    out->recipe = account_recipe_of(t);
    out->precision = account_precision_of(t);
    out->optimizer = account_optimizer_of(t);
    out->tp = account_degree(t->tp);
    out->pp = account_degree(t->pp);
    out->cp = account_degree(t->cp);
    out->ep = account_degree(t->ep);
    out->micro = account_degree(t->accumulate);
    out->mesh = account_mesh(t);
    for (int i = 0; i < ACCOUNT_DTYPES; i++)
        out->bytes[i] = account_dtype_bytes(t, (enum account_dtype)i);
    out->reduce_bytes = account_reduce_bytes(t);
    out->sum_bytes = account_sum_bytes(t);
    out->held = held_shape(out);
    out->tensors = account_tensors(&out->held, out->tensor);
    out->counted = out->tensors ? account_count_params(&t->shape) : 0;
    account_units(out, &out->units);
}

void account_resolve_checked(const struct account_training *t, struct account_resolved *out) {
    account_resolve_shape(t, out);
    account_sheet_all(out, 0, &out->sheet);
}

bool account_resolve(const struct account_training *t, struct account_resolved *out,
                     struct account_error *e) {
    if (!account_check(t, e)) return false;
    account_resolve_checked(t, out);
    return true;
}

void account_sheet_of(const struct account_training *t, uint32_t stage, struct account_sheet *out) {
    struct account_resolved r;
    account_resolve_shape(t, &r);
    account_sheet_all(&r, stage, out);
    account_sheet_resident(out, out);
}

void account_sheet(const struct account_training *t, struct account_sheet *out) {
    account_sheet_of(t, 0, out);
}
