/* The memory of a rank, all of it taken before the first step: nothing is allocated while
 * collectives run, and the largest moment of the first step is the largest of the run.
 *
 * What is kept between steps is taken from the ledger for good: parameters, fp32 master copy,
 * moments, gradients, whole or this rank's shard as the stage says. What is used for a part of a
 * micro-step only is reserved, and step.c enters and leaves it. */
#include "lab/engine.h"

#include <stdlib.h>

/* ── model states (ZeRO, section 3.1: 2 + 2 + 12 bytes per parameter in mixed precision) ── */

/* Bytes that this rank has of an array. */
static size_t held(const struct lab_rank *k, enum lab_updated a, size_t unit) {
    const struct lab_split *s = &k->split.unit[unit];
    return lab_bytes_of(k, a, lab_is_sharded(k, a) ? s->shard : s->padded);
}

static bool take(struct lab_rank *k, enum lab_tier_kind tier, enum account_category c,
                 enum lab_side side, size_t bytes, void *out) {
    void *memory = lab_tier_take(k, tier, c, side, bytes);
    memcpy(out, &memory, sizeof memory);
    return memory != NULL;
}

/* Peers read parameters when they gather them, so these are in shared memory. Only the optimizer
 * reads the master copy. */
static bool take_params(struct lab_rank *k) {
    const struct lab_options *o = k->options;
    bool apart = o->offload_optimizer != o->offload_params && o->offload_params == LAB_TIER_DEVICE;
    bool copies = o->compute != LAB_F32 || apart;
    for (size_t u = 0; u < k->split.units; u++) {
        struct lab_unit_state *s = &k->unit[u];
        if (!take(k, o->offload_params, ACCOUNT_PARAMS, LAB_SHARED, held(k, LAB_PARAMS, u),
                  &s->params))
            return false;
        if (o->hpz && !take(k, LAB_TIER_DEVICE, ACCOUNT_PARAMS, LAB_SHARED,
                            k->split.unit[u].second * lab_element(k), &s->second))
            return false;
        if (copies && !take(k, o->offload_optimizer, ACCOUNT_MASTER, LAB_PRIVATE,
                            held(k, LAB_MASTER, u), &s->master))
            return false;
    }
    return true;
}

static bool take_moments(struct lab_rank *k) {
    for (size_t u = 0; u < k->split.units; u++) {
        struct lab_unit_state *s = &k->unit[u];
        enum lab_tier_kind tier = k->options->offload_optimizer;
        if (!take(k, tier, ACCOUNT_MOMENTS, LAB_PRIVATE, held(k, LAB_M, u), &s->m) ||
            !take(k, tier, ACCOUNT_MOMENTS, LAB_PRIVATE, held(k, LAB_V, u), &s->v))
            return false;
    }
    return true;
}

/* Whole gradients that are a bucket by themselves are reduced in place, so peers must be able to
 * read them. */
static enum lab_side side_of_grads(const struct lab_rank *k) {
    return k->stage->reduces ? LAB_SHARED : LAB_PRIVATE;
}

/* Shards of gradients are read by the ranks of other groups that own the same. */
static enum lab_side side_of_shards(const struct lab_rank *k) {
    return k->split.groups > 1 ? LAB_SHARED : LAB_LANDING;
}

/* Shards are one buffer in backward's order, so that the sums of a bucket of several units arrive
 * in one piece. */
static bool take_grads(struct lab_rank *k) {
    if (k->stage->shards_grads)
        return take(k, LAB_TIER_DEVICE, ACCOUNT_GRADS, side_of_shards(k),
                    lab_bytes_of(k, LAB_GRADS, k->split.shards), &k->shard_grads);
    for (size_t u = 0; u < k->split.units; u++)
        if (!take(k, LAB_TIER_DEVICE, ACCOUNT_GRADS, side_of_grads(k), held(k, LAB_GRADS, u),
                  &k->unit[u].grads))
            return false;
    return true;
}

static void point_at_shards(struct lab_rank *k) {
    if (!k->shard_grads) return;
    for (size_t u = 0; u < k->split.units; u++)
        k->unit[u].grads = k->shard_grads + lab_bytes_of(k, LAB_GRADS, k->split.unit[u].at);
}

bool lab_states_take(struct lab_rank *k) {
    k->unit = calloc(k->split.units, sizeof *k->unit);
    if (!k->unit || !take_params(k) || !lab_states_init(k) || !take_moments(k) ||
        !lab_states_resume(k) || !take_grads(k))
        return false;
    point_at_shards(k);
    return lab_piece_reserve(k) && lab_rise_reserve(k);
}

static void give(struct lab_rank *k, enum lab_tier_kind tier, enum account_category c,
                 enum lab_side side, void *memory, size_t bytes) {
    if (tier != LAB_TIER_DEVICE) side = LAB_PRIVATE; /* as lab_tier_take() takes it */
    lab_ledger_give(lab_ledger_of(k, tier), c, side, memory, bytes);
}

static void give_unit(struct lab_rank *k, size_t u) {
    struct lab_unit_state *s = &k->unit[u];
    enum lab_tier_kind tier = k->options->offload_optimizer;
    give(k, k->options->offload_params, ACCOUNT_PARAMS, LAB_SHARED, s->params,
         held(k, LAB_PARAMS, u));
    give(k, LAB_TIER_DEVICE, ACCOUNT_PARAMS, LAB_SHARED, s->second,
         lab_bytes_of(k, LAB_PARAMS, k->split.unit[u].second));
    give(k, tier, ACCOUNT_MASTER, LAB_PRIVATE, s->master, held(k, LAB_MASTER, u));
    give(k, tier, ACCOUNT_MOMENTS, LAB_PRIVATE, s->m, held(k, LAB_M, u));
    give(k, tier, ACCOUNT_MOMENTS, LAB_PRIVATE, s->v, held(k, LAB_V, u));
    if (!k->shard_grads)
        give(k, LAB_TIER_DEVICE, ACCOUNT_GRADS, side_of_grads(k), s->grads, held(k, LAB_GRADS, u));
}

void lab_states_give(struct lab_rank *k) {
    if (!k->unit) return;
    for (size_t u = 0; u < k->split.units; u++) give_unit(k, u);
    give(k, LAB_TIER_DEVICE, ACCOUNT_GRADS, side_of_shards(k), k->shard_grads,
         lab_bytes_of(k, LAB_GRADS, k->split.shards));
    free(k->unit);
    k->unit = NULL;
}

/* ── what a micro-step needs in addition: activations, and memory to compute in ── */

bool lab_reservations_make(struct lab_rank *k) {
    const struct lab_options *o = k->options;
    struct lab_reservations *r = &k->reservations;
    size_t rows = lab_rows(k), hidden = rows * o->shape.width * lab_element(k);
    size_t own = k->device->row->workspace(k->device, o), logits = lab_logits_bytes(k->device, o);
    size_t working = lab_block_working(k->device, o), scratch = lab_block_scratch(k->device, o);
    const struct {
        struct lab_reservation *reservation;
        enum account_category category;
        size_t bytes;
    } reservations[] = {
        {&r->device, ACCOUNT_WORKSPACE, own},
        {&r->tokens, ACCOUNT_WORKSPACE, 2 * rows * sizeof(int32_t)},
        {&r->head, ACCOUNT_ACTIVATIONS, lab_head_kept(o)},
        {&r->logits, ACCOUNT_ACTIVATIONS, logits},
        {&r->working, ACCOUNT_ACTIVATIONS, working},
        {&r->scratch, ACCOUNT_WORKSPACE, scratch},
        {&r->gradient, ACCOUNT_WORKSPACE, hidden},
    };
    for (size_t i = 0; i < sizeof reservations / sizeof *reservations; i++)
        if (!lab_reservation_make(&k->ledger, reservations[i].reservation, reservations[i].category,
                                  LAB_PRIVATE, reservations[i].bytes))
            return false;
    if (!lab_reservation_enter(&k->ledger, &r->device)) return false;
    k->device->row->lend(k->device, r->device.memory, r->device.bytes);
    r->saved = calloc(o->shape.layers, sizeof *r->saved);
    if (!r->saved) return lab_fail_memory(k);
    for (uint32_t i = 0; i < o->shape.layers; i++)
        if (!lab_reservation_make(&k->ledger, &r->saved[i], ACCOUNT_ACTIVATIONS, LAB_PRIVATE,
                                  lab_block_kept(k->device, o)))
            return false;
    return true;
}

void lab_reservations_free(struct lab_rank *k) {
    struct lab_reservations *r = &k->reservations;
    struct lab_reservation *const reservations[] = {
        &r->device, &r->tokens, &r->head, &r->logits, &r->working, &r->scratch, &r->gradient};
    for (size_t i = 0; i < sizeof reservations / sizeof *reservations; i++)
        lab_reservation_free(&k->ledger, reservations[i]);
    for (uint32_t i = 0; r->saved && i < k->options->shape.layers; i++)
        lab_reservation_free(&k->ledger, &r->saved[i]);
    free(r->saved);
    r->saved = NULL;
}
