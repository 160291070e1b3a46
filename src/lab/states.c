/* Model states: parameters, fp32 master copy, moments, gradients; whole or this rank's shard, as the stage says. */
#include "lab/engine.h"

#include <stdlib.h>

static size_t held(const struct lab_split *s, bool sharded) {
    return sharded ? s->shard : s->padded;
}

static bool take(struct lab_rank *k, enum account_category c, enum lab_side side, size_t bytes,
                 void *out) {
    void *memory = lab_ledger_take(&k->ledger, c, side, bytes);
    memcpy(out, &memory, sizeof memory);
    return memory != NULL;
}

static bool take_params(struct lab_rank *k) {
    bool mixed = k->options->compute != LAB_F32;
    for (size_t u = 0; u < k->split.units; u++) {
        struct lab_unit_state *s = &k->unit[u];
        size_t own = held(&k->split.unit[u], k->stage->shards_moments);
        size_t bytes = held(&k->split.unit[u], k->stage->shards_params) * lab_element(k);
        if (!take(k, ACCOUNT_PARAMS, LAB_SHARED, bytes, &s->params)) return false;
        if (mixed && !take(k, ACCOUNT_MASTER, LAB_PRIVATE, own * sizeof(float), &s->master))
            return false;
    }
    return true;
}

static bool take_moments(struct lab_rank *k) {
    for (size_t u = 0; u < k->split.units; u++) {
        struct lab_unit_state *s = &k->unit[u];
        size_t bytes = held(&k->split.unit[u], k->stage->shards_moments) * sizeof(float);
        if (!take(k, ACCOUNT_MOMENTS, LAB_PRIVATE, bytes, &s->m) ||
            !take(k, ACCOUNT_MOMENTS, LAB_PRIVATE, bytes, &s->v))
            return false;
    }
    return true;
}

/* Whole gradients that are a bucket of their own are reduced where they lie. */
static enum lab_side side_of_grads(const struct lab_rank *k) {
    return k->stage->reduces ? LAB_SHARED : LAB_PRIVATE;
}

/* Shards are one buffer in backward's order, so that a bucket of several units lands in one piece. */
static bool take_grads(struct lab_rank *k) {
    size_t e = lab_element(k);
    if (k->stage->shards_grads)
        return take(k, ACCOUNT_GRADS, LAB_LANDING, k->split.shards * e, &k->shard_grads);
    for (size_t u = 0; u < k->split.units; u++)
        if (!take(k, ACCOUNT_GRADS, side_of_grads(k), k->split.unit[u].padded * e,
                  &k->unit[u].grads))
            return false;
    return true;
}

static void point_at_shards(struct lab_rank *k) {
    if (!k->shard_grads) return;
    for (size_t u = 0; u < k->split.units; u++)
        k->unit[u].grads = k->shard_grads + k->split.unit[u].at * lab_element(k);
}

bool lab_states_take(struct lab_rank *k) {
    k->unit = calloc(k->split.units, sizeof *k->unit);
    if (!k->unit || !take_params(k) || !lab_states_init(k) || !take_moments(k) || !take_grads(k))
        return false;
    point_at_shards(k);
    return true;
}

static void give(struct lab_rank *k, enum account_category c, enum lab_side side, void *memory,
                 size_t bytes) {
    lab_ledger_give(&k->ledger, c, side, memory, bytes);
}

static void give_unit(struct lab_rank *k, size_t u) {
    struct lab_unit_state *s = &k->unit[u];
    const struct lab_split *n = &k->split.unit[u];
    size_t own = held(n, k->stage->shards_moments) * sizeof(float), e = lab_element(k);
    give(k, ACCOUNT_PARAMS, LAB_SHARED, s->params, held(n, k->stage->shards_params) * e);
    give(k, ACCOUNT_MASTER, LAB_PRIVATE, s->master, own);
    give(k, ACCOUNT_MOMENTS, LAB_PRIVATE, s->m, own);
    give(k, ACCOUNT_MOMENTS, LAB_PRIVATE, s->v, own);
    if (!k->shard_grads) give(k, ACCOUNT_GRADS, side_of_grads(k), s->grads, n->padded * e);
}

void lab_states_give(struct lab_rank *k) {
    if (!k->unit) return;
    for (size_t u = 0; u < k->split.units; u++) give_unit(k, u);
    give(k, ACCOUNT_GRADS, LAB_LANDING, k->shard_grads, k->split.shards * lab_element(k));
    free(k->unit);
    k->unit = NULL;
}
