/* Buffers: what a recipe gathers and reduces through. All follow the recipe's row. */
#include "account/memory/step.h"

static uint64_t elements_here(const struct account_sheet *s) {
    return s->share[ACCOUNT_SET_DENSE].params + s->share[ACCOUNT_SET_EXPERTS].params;
}

static uint64_t trained_here(const struct account_resolved *is) {
    return is->lora ? is->sheet.share[ACCOUNT_SET_ADAPTERS].params : elements_here(&is->sheet);
}

/* Ranks among which gradients are reduced at all: where there is one, nothing is. */
static bool is_alone(const struct account_resolved *is) {
    return is->mesh.dp == 1 && is->cp == 1;
}

/* ── buckets ───────────────────────────────────────────────────────────────────────────────────*/

static bool is_cast(const struct account_resolved *is) {
    return is->recipe->cast_buckets & ACCOUNT_STAGE(is->stage);
}

/* Bytes of a gradient in a bucket. */
static uint64_t bucket_element(const struct account_resolved *is) {
    return is_cast(is) ? is->bytes[ACCOUNT_AS_HALF] : is->reduce_bytes;
}

/* As configured. */
static uint64_t bucket_size(const struct account_resolved *is) {
    return is->bucket_elements ? is->bucket * bucket_element(is) : is->bucket;
}

static uint64_t bucket_bytes(const struct account_resolved *is, uint64_t trained) {
    return account_least(bucket_size(is), trained * bucket_element(is));
}

/* A bucket's gradients in another type, or in the same. */
static uint64_t cast(const struct account_resolved *is, uint64_t bucket) {
    return bucket / bucket_element(is) * is->reduce_bytes;
}

uint64_t account_bucket_bytes(const struct account_resolved *is) {
    struct account_share share;
    account_share(is, 0, ACCOUNT_DENSE, ACCOUNT_PAD_FLAT, &share);
    uint64_t trained = is->lora ? is->adapters : share.params;
    if (is->recipe->bucket == 0) return 0;
    uint64_t bucket = bucket_bytes(is, trained);
    return is_cast(is) ? cast(is, bucket) : bucket;
}

static bool is_wide(const struct account_resolved *is) {
    return is->wide_gradients && is->bytes[ACCOUNT_AS_PARAM] == 2;
}

/* A unit's gradients, whole, until they are reduced into the shards; beside them what is reduced of
 * the unit before. */
static uint64_t unit_bytes(const struct account_resolved *is, uint64_t elements) {
    uint32_t sent = is->recipe->reduces_units ? is->reduce_bytes : 0;
    return elements * (is->bytes[ACCOUNT_AS_HALF] + sent);
}

static void set_reduce(const struct account_resolved *is, const struct account_shard_units *u,
                       bool alone, struct account_buffers *out) {
    const struct account_recipe *r = is->recipe;
    uint64_t trained = trained_here(is), bucket = r->bucket ? bucket_bytes(is, trained) : 0;
    uint64_t first = r->fixed_bucket ? bucket_size(is) : bucket;
    uint8_t live = (is_wide(is) ? r->wide_buckets : r->buckets)[is->stage];
    bool again = is_cast(is) && bucket_element(is) != is->reduce_bytes;
    out->reduce_always = r->held_buckets[is->stage] * first;
    out->reduce_backward = live ? first + (live - 1u) * bucket : 0;
    if (live && again) out->reduce_backward += cast(is, bucket);
    if (is->stage >= 2 && r->unit_grads && !alone)
        out->reduce_backward += unit_bytes(is, account_least(u->largest, trained));
}

/* ── gathered parameters ───────────────────────────────────────────────────────────────────────*/

/* The unit at work, and `more` blocks. PyTorch FSDP, arXiv:2304.11277, section 4.1: the peak is the
 * shards and the largest unit; prefetching adds one more, and the root stays. DeepSpeed
 * (runtime/zero/partitioned_param_coordinator.py) counts elements: those it prefetches, and those
 * it keeps because they are used again soon. */
static uint64_t live_elements(const struct account_resolved *is,
                              const struct account_shard_units *u, uint64_t more) {
    const struct account_recipe *r = is->recipe;
    uint64_t ahead = r->prefetch ? (is->prefetch ? r->prefetch : 0) : more * u->block;
    uint64_t live = r->root_kept ? u->root + u->block : u->largest;
    return account_least(elements_here(&is->sheet), account_most(live + ahead, r->most_live));
}

static bool is_small(const struct account_part *p, const struct account_recipe *r) {
    return p->elements <= r->persistent;
}

/* Tensors too small to be worth a gather stay whole beside their shards (DeepSpeed,
 * stage3_param_persistence_threshold). */
static uint64_t small_elements(const struct account_resolved *is) {
    const struct account_recipe *r = is->recipe;
    const struct account_share *share = &is->sheet.share[ACCOUNT_SET_DENSE];
    uint64_t sum = 0;
    for (size_t i = 0; i < share->parts; i++)
        if (is_small(&share->part[i], r)) sum += share->part[i].elements * share->part[i].times;
    return r->persistent ? sum : 0;
}

static void set_gather(const struct account_resolved *is, const struct account_shard_units *u,
                       struct account_buffers *out) {
    const struct account_recipe *r = is->recipe;
    uint64_t each = is->bytes[ACCOUNT_AS_HALF];
    switch ((enum account_gather)r->gather[is->stage]) {
    case ACCOUNT_GATHER_NOTHING: break;
    case ACCOUNT_GATHER_ALL:
        out->gather_forward = out->gather_backward = elements_here(&is->sheet) * each;
        break;
    case ACCOUNT_GATHER_UNITS:
        out->gather_always = small_elements(is) * each;
        out->gather_forward =
            live_elements(is, u, account_most(is->prefetch, r->gather_copies)) * each;
        out->gather_backward = live_elements(is, u, is->prefetch) * each;
        break;
    }
}

/* Stage 3 works on gathered parameters whatever a recipe says of buffers. Where the recipe says
 * nothing (the paper's), count what the paper's own algorithm has alive: the units at work and
 * ahead, and the unsharded gradient of one (arXiv:1910.02054, section 5.3; PyTorch FSDP,
 * arXiv:2304.11277, section 4.1). */
static bool is_implied(const struct account_resolved *is) {
    if (is->stage != 3 || is->recipe->gather[3] != ACCOUNT_GATHER_NOTHING) return false;
    return is->sheet.ranks > 1 || is->offload_params != ACCOUNT_GPU;
}

uint64_t account_implied_of(const struct account_resolved *is) {
    uint64_t half = is->bytes[ACCOUNT_AS_HALF];
    const struct account_shard_units *u = &is->units;
    if (!is_implied(is)) return 0;
    return (u->largest + is->prefetch * u->block) * half + (is->lora ? 0 : u->largest * half);
}

bool account_counts_step(const struct account_resolved *is) {
    return is->batch && is->seq && is->shape.layers;
}

void account_buffers(const struct account_resolved *is, const struct account_shard_units *u,
                     struct account_buffers *out) {
    *out = (struct account_buffers){0};
    bool alone = is_alone(is);
    if (account_counts_step(is))
        out->gather_forward = out->gather_backward = account_implied_of(is);
    if (!alone || is->recipe->fixed_bucket) set_reduce(is, u, alone, out);
    if (!alone) set_gather(is, u, out);
}

bool account_works_by_units(const struct account_resolved *is) {
    const struct account_recipe *r = is->recipe;
    for (size_t i = 0; i < r->copies; i++)
        if (r->copy[i].when != ACCOUNT_ALWAYS) return true;
    return r->unit_grads || r->gather[is->stage] || is_implied(is);
}
