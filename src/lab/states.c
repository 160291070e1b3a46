/* Model states: parameters, fp32 master copy, moments, gradients; whole or this rank's shard, as the stage says. */
#include "lab/engine.h"

#include <stdlib.h>

enum { CHUNK = 4096 }; /* elements of initial values on their way to the device */

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

/* Shards are one buffer in backward's order, so that a bucket of several units lands in one piece. */
static bool take_grads(struct lab_rank *k) {
    size_t e = lab_element(k);
    if (k->stage->shards_grads)
        return take(k, ACCOUNT_GRADS, LAB_LANDING, k->split.shards * e, &k->shard_grads);
    for (size_t u = 0; u < k->split.units; u++)
        if (!take(k, ACCOUNT_GRADS, LAB_PRIVATE, k->split.unit[u].padded * e, &k->unit[u].grads))
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
    if (!k->shard_grads) give(k, ACCOUNT_GRADS, LAB_PRIVATE, s->grads, n->padded * e);
}

void lab_states_give(struct lab_rank *k) {
    if (!k->unit) return;
    for (size_t u = 0; u < k->split.units; u++) give_unit(k, u);
    give(k, ACCOUNT_GRADS, LAB_LANDING, k->shard_grads, k->split.shards * lab_element(k));
    free(k->unit);
    k->unit = NULL;
}

/* ── initial values ──────────────────────────────────────────────────────────────────────────────*/

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Where elements [from, to) of a unit are held, in a type. */
struct span {
    size_t from, to;
    char *memory;
    enum lab_dtype type;
};
/* Of n values that begin at the unit's element `at`, those that belong there. */
static void put(struct lab_rank *k, const struct span *s, size_t at, size_t n,
                const float *values) {
    size_t from = at > s->from ? at : s->from, to = least(at + n, s->to);
    if (!s->memory || from >= to) return;
    k->device->row->cast(k->device, s->memory + (from - s->from) * lab_dtype_bytes(s->type),
                         s->type, values + (from - at), LAB_F32, to - from);
}

/* Values are made on the host a chunk at a time, and cast on the device. The parameters held include the master copies held. */
static void init_unit(struct lab_rank *k, size_t u, const struct lab_room *chunk) {
    const struct lab_split *s = &k->split.unit[u];
    struct lab_unit_state *state = &k->unit[u];
    struct span own = {k->comm->rank * s->shard, (k->comm->rank + 1) * s->shard, NULL, LAB_F32};
    struct span params = own, master = own;
    if (!k->stage->shards_params) params.from = 0, params.to = s->padded;
    if (!k->stage->shards_moments) master.from = 0, master.to = s->padded;
    params.memory = state->params, params.type = k->options->compute;
    master.memory = (char *)state->master;
    for (size_t at = params.from, n; at < params.to; at += n) {
        n = least(params.to - at, CHUNK);
        lab_model_init_range(k->model, u, k->options->seed, at, n, chunk[0].memory);
        k->device->row->upload(k->device, chunk[1].memory, chunk[0].memory, n * sizeof(float));
        put(k, &params, at, n, chunk[1].memory);
        put(k, &master, at, n, chunk[1].memory);
    }
}

bool lab_states_init(struct lab_rank *k) {
    static const enum lab_side sides[2] = {LAB_HOST, LAB_PRIVATE};
    struct lab_room chunk[2] = {0};
    bool well = true;
    for (size_t i = 0; i < 2; i++)
        well = well &&
               lab_room_reserve(&k->ledger, &chunk[i], ACCOUNT_WORKSPACE, sides[i],
                                CHUNK * sizeof(float)) &&
               lab_room_enter(&k->ledger, &chunk[i]);
    for (size_t u = 0; well && !k->options->dry && u < k->split.units; u++) init_unit(k, u, chunk);
    for (size_t i = 0; i < 2; i++) lab_room_free(&k->ledger, &chunk[i]);
    return well;
}
