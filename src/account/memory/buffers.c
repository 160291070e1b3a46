/* Buffers: what a recipe gathers and reduces through. All follow the recipe's row. */
#include "account/memory/step.h"

static uint64_t elements_here(const struct account_sheet *s) {
    return s->share[ACCOUNT_SET_DENSE].params + s->share[ACCOUNT_SET_EXPERTS].params;
}

static uint64_t trained_here(const struct account_training *t, const struct account_sheet *s) {
    return t->lora ? s->share[ACCOUNT_SET_ADAPTERS].params : elements_here(s);
}

/* Ranks among which gradients are reduced at all: where there is one, nothing is. */
static bool is_alone(const struct account_training *t) {
    return account_data_parallel(t) == 1 && t->cp <= 1;
}

/* ── buckets ─────────────────────────────────────────────────────────────────────────────────────*/

static bool is_cast(const struct account_training *t) {
    return account_recipe_of(t)->cast_buckets & ACCOUNT_STAGE(t->stage);
}

/* Bytes of a gradient in a bucket. */
static uint64_t bucket_element(const struct account_training *t) {
    return is_cast(t) ? account_dtype_bytes(t, ACCOUNT_AS_HALF) : account_reduce_bytes(t);
}

/* As configured. */
static uint64_t bucket_size(const struct account_training *t) {
    const struct account_recipe *r = account_recipe_of(t);
    uint64_t size = t->bucket ? t->bucket : r->bucket;
    bool elements = r->bucket_elements && (t->bucket == 0 || t->bucket_elements);
    return elements ? size * bucket_element(t) : size;
}

static uint64_t bucket_bytes(const struct account_training *t, uint64_t trained) {
    return account_least(bucket_size(t), trained * bucket_element(t));
}

/* A bucket's gradients in another type, or in the same. */
static uint64_t cast(const struct account_training *t, uint64_t bucket) {
    return bucket / bucket_element(t) * account_reduce_bytes(t);
}

uint64_t account_bucket_bytes(const struct account_training *t) {
    struct account_share share;
    account_share(t, 0, ACCOUNT_DENSE, ACCOUNT_PAD_FLAT, &share);
    uint64_t trained = t->lora ? account_adapter_params(&t->shape, t->lora) : share.params;
    if (account_recipe_of(t)->bucket == 0) return 0;
    uint64_t bucket = bucket_bytes(t, trained);
    return is_cast(t) ? cast(t, bucket) : bucket;
}

static bool is_wide(const struct account_training *t) {
    return t->grad_dtype == ACCOUNT_32_BIT && account_dtype_bytes(t, ACCOUNT_AS_PARAM) == 2;
}

/* A unit's gradients, whole, until they are reduced into the shards; beside them what is reduced of the unit before. */
static uint64_t unit_bytes(const struct account_training *t, uint64_t elements) {
    uint32_t sent = account_recipe_of(t)->reduces_units ? account_reduce_bytes(t) : 0;
    return elements * (account_dtype_bytes(t, ACCOUNT_AS_HALF) + sent);
}

static void set_reduce(const struct account_training *t, const struct account_sheet *s,
                       const struct account_units *u, bool alone, struct account_buffers *out) {
    const struct account_recipe *r = account_recipe_of(t);
    uint64_t trained = trained_here(t, s), bucket = r->bucket ? bucket_bytes(t, trained) : 0;
    uint64_t first = r->fixed_bucket ? bucket_size(t) : bucket;
    uint8_t live = (is_wide(t) ? r->wide_buckets : r->buckets)[t->stage];
    bool again = is_cast(t) && bucket_element(t) != account_reduce_bytes(t);
    out->reduce_always = r->held_buckets[t->stage] * first;
    out->reduce_backward = live ? first + (live - 1u) * bucket : 0;
    if (live && again) out->reduce_backward += cast(t, bucket);
    if (t->stage >= 2 && r->unit_grads && !alone)
        out->reduce_backward += unit_bytes(t, account_least(u->largest, trained));
}

/* ── gathered parameters ─────────────────────────────────────────────────────────────────────────*/

/* The unit at work, and `more` blocks. PyTorch FSDP, arXiv:2304.11277, section 4.1: the peak is the shards and the largest unit;
 * prefetching adds one more, and the root stays. DeepSpeed (runtime/zero/partitioned_param_coordinator.py) counts elements: those it
 * prefetches, and those it keeps because they are used again soon. */
static uint64_t live_elements(const struct account_training *t, const struct account_sheet *s,
                              const struct account_units *u, uint64_t more) {
    const struct account_recipe *r = account_recipe_of(t);
    uint64_t ahead = r->prefetch ? (t->prefetch ? r->prefetch : 0) : more * u->block;
    uint64_t live = r->root_kept ? u->root + u->block : u->largest;
    return account_least(elements_here(s), account_most(live + ahead, r->most_live));
}

static bool is_small(const struct account_part *p, const struct account_recipe *r) {
    return p->elements <= r->persistent;
}

/* Tensors too small to be worth a gather stay whole beside their shards (DeepSpeed, stage3_param_persistence_threshold). */
static uint64_t small_elements(const struct account_training *t, const struct account_sheet *s) {
    const struct account_recipe *r = account_recipe_of(t);
    const struct account_share *share = &s->share[ACCOUNT_SET_DENSE];
    uint64_t sum = 0;
    for (size_t i = 0; i < share->parts; i++)
        if (is_small(&share->part[i], r)) sum += share->part[i].elements * share->part[i].times;
    return r->persistent ? sum : 0;
}

static void set_gather(const struct account_training *t, const struct account_sheet *s,
                       const struct account_units *u, struct account_buffers *out) {
    const struct account_recipe *r = account_recipe_of(t);
    uint64_t each = account_dtype_bytes(t, ACCOUNT_AS_HALF);
    switch ((enum account_gather)r->gather[t->stage]) {
    case ACCOUNT_GATHER_NOTHING: break;
    case ACCOUNT_GATHER_ALL:
        out->gather_forward = out->gather_backward = elements_here(s) * each;
        break;
    case ACCOUNT_GATHER_UNITS:
        out->gather_always = small_elements(t, s) * each;
        out->gather_forward =
            live_elements(t, s, u, account_most(t->prefetch, r->gather_copies)) * each;
        out->gather_backward = live_elements(t, s, u, t->prefetch) * each;
        break;
    }
}

/* Stage 3 works on gathered parameters whatever a recipe says of buffers. Where the recipe says nothing (the paper's), count what the
 * paper's own algorithm has alive: the units at work and ahead, and the unsharded gradient of one (arXiv:1910.02054, section 5.3; PyTorch
 * FSDP, arXiv:2304.11277, section 4.1). */
static bool is_implied(const struct account_training *t) {
    if (t->stage != 3 || account_recipe_of(t)->gather[3] != ACCOUNT_GATHER_NOTHING) return false;
    return account_shard_ranks(t) > 1 || t->offload_params != ACCOUNT_GPU;
}

static uint64_t implied(const struct account_training *t, const struct account_units *u) {
    uint64_t half = account_dtype_bytes(t, ACCOUNT_AS_HALF);
    return (u->largest + t->prefetch * u->block) * half + (t->lora ? 0 : u->largest * half);
}

uint64_t account_implied(const struct account_training *t) {
    struct account_units u;
    if (!is_implied(t)) return 0;
    account_units(t, &u);
    return implied(t, &u);
}

bool account_counts_step(const struct account_training *t) {
    return t->batch && t->seq && t->shape.layers;
}

void account_buffers(const struct account_training *t, const struct account_sheet *s,
                     const struct account_units *u, struct account_buffers *out) {
    *out = (struct account_buffers){0};
    bool alone = is_alone(t);
    if (is_implied(t) && account_counts_step(t))
        out->gather_forward = out->gather_backward = implied(t, u);
    if (!alone || account_recipe_of(t)->fixed_bucket) set_reduce(t, s, u, alone, out);
    if (!alone) set_gather(t, s, u, out);
}

bool account_works_by_units(const struct account_training *t) {
    const struct account_recipe *r = account_recipe_of(t);
    for (size_t i = 0; i < r->copies; i++)
        if (r->copy[i].when != ACCOUNT_ALWAYS) return true;
    return r->unit_grads || r->gather[t->stage] || is_implied(t);
}
