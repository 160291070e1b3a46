#include "account/training/resolved.h"

/* The shape as the recipe holds it: Megatron-LM (--make-vocab-size-divisible-by, 128 · tp) and
 * llm.c (50257 → 50304) pad the vocabulary. */
static struct account_shape held_shape(const struct account_resolved *r) {
    struct account_shape s = r->asked->shape;
    uint64_t multiple = (uint64_t)r->recipe->vocab_multiple * r->tp;
    if (multiple) s.vocab = (uint32_t)(account_ceil_div(s.vocab, multiple) * multiple);
    return s;
}

/* What needs no tensors. */
static void begin(const struct account_training *t, struct account_resolved *out) {
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
    out->tensors = 0;
    out->counted = 0;
}

void account_resolve_shape(const struct account_training *t, struct account_resolved *out) {
    begin(t, out);
    out->tensors = account_tensors(&out->held, out->tensor);
    bool padded = out->held.vocab != t->shape.vocab;
    out->counted = padded ? account_count_params(&t->shape)
                          : account_count_tensors(&t->shape, out->tensor, out->tensors);
    account_units(out, &out->units);
}

void account_resolve_checked(const struct account_training *t, struct account_resolved *out) {
    account_resolve_shape(t, out);
    account_sheet_all(out, 0, &out->sheet);
}

bool account_resolve(const struct account_training *t, struct account_resolved *out,
                     struct account_error *e) {
    if (!account_check_mesh(t, e)) return false;
    account_resolve_shape(t, out);
    if (!account_check_shape(t, out->counted, e)) return false;
    account_sheet_all(out, 0, &out->sheet);
    return true;
}

/* Adapters, quantized bases and what is offloaded follow tensors, wherever Ψ is one flat part. */
static bool follows_tensors(const struct account_resolved *r) {
    const struct account_training *t = r->asked;
    enum account_pad pad = (enum account_pad)r->recipe->pad[t->stage & 3];
    return !account_share_is_flat(r, pad) || t->lora || t->offload_optimizer != ACCOUNT_GPU;
}

void account_sheet_of(const struct account_training *t, uint32_t stage, struct account_sheet *out) {
    struct account_resolved r;
    begin(t, &r);
    if (follows_tensors(&r)) account_resolve_shape(t, &r);
    account_sheet_all(&r, stage, out);
    account_sheet_resident(out, out);
}

void account_sheet(const struct account_training *t, struct account_sheet *out) {
    account_sheet_of(t, 0, out);
}
