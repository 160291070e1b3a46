/* The transformations of peaks and of host memory: the model counted as one piece. */
#include "account/problems/mistakes.h"

static bool only(struct account_misread *x, const char *label, double bytes) {
    struct account_training *t = &x->problem.training;
    struct account_products *s = &x->grounds.products;
    s->count = 0;
    struct account_product *p = account_product(s, "params", label, ACCOUNT_OF_STATES);
    account_factor(p, ACCOUNT_WIDTH, ACCOUNT_BYTES, bytes, 0);
    account_factor(p, ACCOUNT_COUNT, ACCOUNT_ELEMENTS, (double)t->params, 0);
    return true;
}

/* Host memory as large as the model's file. */
bool account_mistake_model_file(const struct account_mistake_row *row, struct account_misread *x) {
    account_add(&x->wrong, "%s B per parameter, the model's file; the host keeps fp32 states",
                account_number(&x->wrong, row->amount).text);
    return only(x, "the model", row->amount);
}

/* ── what is gathered ──────────────────────────────────────────────────────────────────────────*/

#define GATHERED (1u << ACCOUNT_GATHER)

static struct account_product *gathered(struct account_misread *x, const char *id) {
    struct account_products *s = &x->grounds.products;
    for (size_t i = 0; i < s->count; i++)
        if (s->product[i].categories == GATHERED && account_same(s->product[i].id, id))
            return &s->product[i];
    return NULL;
}

static struct account_factor *factor_of(struct account_product *p, uint32_t role) {
    for (size_t i = 0; p && i < p->factors; i++)
        if (p->factor[i].role == role) return &p->factor[i];
    return NULL;
}

/* What is gathered, said as one product; what else there is stays. */
static struct account_product *as_one(struct account_misread *x) {
    struct account_products *s = &x->grounds.products;
    size_t kept = 0, found = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->product[i].categories != GATHERED || found++ == 0)
            s->product[kept++] = s->product[i];
    s->count = kept;
    struct account_product *p = gathered(x, "gather");
    if (!p) return NULL;
    p->factors = 0;
    p->exact = 1;
    account_factor(p, ACCOUNT_WIDTH, ACCOUNT_BYTES,
                   account_dtype_bytes(&x->problem.training, ACCOUNT_AS_HALF), 0);
    return p;
}

/* All parameters at once. */
bool account_mistake_whole_model(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    struct account_product *p = t->stage == 3 ? as_one(x) : NULL;
    if (!p) return false;
    account_factor(p, ACCOUNT_COUNT, ACCOUNT_ELEMENTS, (double)t->params, 0);
    account_add(&x->wrong, "the whole model gathered; a rank holds only a unit or two at a time");
    return true;
}

/* What the rank keeps of them, as its shard. */
bool account_mistake_shard_gathered(const struct account_mistake_row *row,
                                    struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    bool alone = x->problem.quantity == GATHERED && t->stage == 3;
    struct account_product *p = alone ? as_one(x) : NULL;
    if (!p) return false;
    account_factor(p, ACCOUNT_COUNT, ACCOUNT_ELEMENTS, (double)t->params, 0);
    account_factor(p, ACCOUNT_SHARE, ACCOUNT_DIVISOR, account_shard_ranks(t), 0);
    account_add(&x->wrong, "the rank's own shard; units are gathered whole");
    return true;
}

/* Only the unit at work, or (`amount` 1) only those ahead. */
bool account_mistake_one_unit(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_products *s = &x->grounds.products;
    struct account_product *ahead = gathered(x, "ahead");
    if (!ahead || !gathered(x, "gather") || s->count != 2) return false;
    account_add(&x->wrong,
                row->amount > 0 ? "the blocks ahead only; %s is whole too"
                                : "%s only; units that prefetch brings are whole too",
                "the unit in use");
    if (row->amount > 0) s->product[0] = *ahead;
    s->count = 1;
    return true;
}

/* A block more than prefetch says. */
bool account_mistake_more_ahead(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_product *ahead = gathered(x, "ahead");
    if (!ahead) return false;
    struct account_factor *units = factor_of(ahead, ACCOUNT_PASSES);
    if (units)
        units->a += row->amount;
    else
        account_factor(ahead, ACCOUNT_PASSES, ACCOUNT_NUMBER, 1 + row->amount, 0);
    account_add(&x->wrong, "%u + %s blocks ahead; prefetch %u is %u ahead of the unit in use",
                x->problem.training.prefetch, account_number(&x->wrong, row->amount).text,
                x->problem.training.prefetch, x->problem.training.prefetch);
    return true;
}

/* The largest unit counted as a block, or (`amount` 1) the blocks as the largest. */
bool account_mistake_alike_units(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_factor *work = factor_of(gathered(x, "gather"), ACCOUNT_COUNT);
    struct account_factor *ahead = factor_of(gathered(x, "ahead"), ACCOUNT_COUNT);
    if (!work || !ahead) return false;
    account_add(&x->wrong, "units all of one size; the embeddings are one, and the largest");
    *(row->amount > 0 ? ahead : work) = *(row->amount > 0 ? work : ahead);
    return true;
}

/* Divided by N. */
bool account_mistake_shared_units(const struct account_mistake_row *row,
                                  struct account_misread *x) {
    struct account_products *s = &x->grounds.products;
    uint32_t n = account_shard_ranks(&x->problem.training);
    bool found = false;
    (void)row;
    for (size_t i = 0; n > 1 && i < s->count; i++) {
        if (s->product[i].categories != GATHERED) continue;
        account_factor(&s->product[i], ACCOUNT_SHARE, ACCOUNT_DIVISOR, n, 0);
        found = true;
    }
    account_add(&x->wrong, "÷ %u; a unit that computes is whole on every rank", n);
    return found;
}

/* ── the host ──────────────────────────────────────────────────────────────────────────────────*/

/* 16-bit parameters beside the fp32 states. */
bool account_mistake_host_params(const struct account_mistake_row *row, struct account_misread *x) {
    const struct account_training *t = &x->problem.training;
    struct account_products *s = &x->grounds.products;
    if (t->offload_params != ACCOUNT_GPU || s->count == ACCOUNT_PRODUCTS) return false;
    struct account_product *p =
        account_product(s, "params", "parameters", ACCOUNT_OF_STATES | ACCOUNT_OF_PARAMETERS);
    account_factor(p, ACCOUNT_WIDTH, ACCOUNT_BYTES, row->amount, 0);
    account_factor(p, ACCOUNT_COUNT, ACCOUNT_ELEMENTS, (double)t->params, 0);
    account_add(&x->wrong, "%s B of parameters too; they stay on the GPUs",
                account_number(&x->wrong, row->amount).text);
    return true;
}
