/* Stage 3: a rank keeps a shard of every unit, and needs each unit whole when it computes it. So
 * units are gathered one after another, used, and overwritten by later ones (ZeRO, section 5.3).
 *
 * A micro-step uses the units in this order, which is known in advance:
 *
 *     embeddings  block 0 … block L−1  last norm  embeddings │ last norm  block L−1 … block 0
 *     lookup      forward                         head       │ backward
 *
 * Each is gathered twice: forward cannot leave its copy for backward, because L whole blocks are
 * what the stage must not hold. That makes two all-gathers and one reduce-scatter of the model in a
 * micro-step: 1.5 times what the other stages send in a step without accumulation (ZeRO, section
 * 7.2.2).
 *
 * A tied head uses the embeddings' own table, so the embeddings are gathered for the lookup, and
 * again for the head. An untied head has a matrix of its own, which is gathered in the same place.
 * Then both are gathered once. The head's backward follows its forward directly, and uses the same
 * copy. The lookup's backward needs no parameters.
 *
 * An all-gather takes time, so it starts before its unit is needed, while another unit computes:
 * `prefetch` units ahead. The embeddings, mostly the largest unit, have a buffer of their own. The
 * others take turns in prefetch + 1 slots: one that computes, the rest being gathered.
 *
 * With hpZ (ZeRO++, arXiv:2306.10209, section 3.2) each rank keeps a part of what forward gathered,
 * a second copy that is divided among a few near ranks, and the second gather of each unit is among
 * these. So nothing is gathered between nodes in backward, and the copy is what that costs. No
 * parameter changes between the two gathers, so the bits are the same.
 *
 * With qwZ (section 3.1 there) a rank sends its shard in 8 bits. All ranks, it among them, compute
 * with what these say, so the loss differs from that of whole values, but not between ranks. What
 * arrives is in the last part of the buffer, and is widened from there to its beginning:
 *
 *     buffer of a unit, 16 bits    [                 │ 8 bits of rank 0 │ of rank 1 ]
 *                                  [ rank 0          │ rank 1                       ]   widened
 *
 * What is widened never reaches what is still to be read, since an element grows by less than what
 * is before it. The optimizer's own values are whole: no rounding adds up from step to step. */
#include "lab/engine.h"

#include <stdlib.h>

/* ── the order of a micro-step ── */

static size_t layers(const struct lab_rank *k) {
    return k->options->shape.layers;
}

static size_t order_length(const struct lab_rank *k) {
    return 2 * layers(k) + 4;
}

/* The unit at place i of the order. */
static size_t unit_at(const struct lab_rank *k, size_t i) {
    size_t last = layers(k) + 1;
    if (i <= last) return i;
    return i == last + 1 ? lab_head_unit(&k->options->shape) : 2 * last + 2 - i;
}

/* Whether the unit at place i was gathered before in this micro-step, and is in the second copy. */
static bool is_second(const struct lab_rank *k, size_t i) {
    size_t head = layers(k) + 2;
    return k->options->hpz && (k->options->shape.untied ? i > head : i >= head);
}

/* Where the unit at place i is gathered. Places are counted without the two of the embeddings, so
 * that slots are used in turn. */
static struct lab_reservation *slot_at(struct lab_rank *k, size_t i) {
    struct lab_gathering *g = &k->gathering;
    size_t head = layers(k) + 2, turn = i > head ? i - 2 : i - 1;
    if (i == 0 || i == head) return &g->embeddings;
    return &g->slot[turn % (k->options->prefetch + 1)];
}

/* ── before the first step ── */

/* Peers read a shard in the slot itself if it came from another tier, or was made narrower. */
static enum lab_side side_of_slots(const struct lab_rank *k) {
    bool own = k->options->offload_params != LAB_TIER_DEVICE || k->options->qwz;
    return own ? LAB_SHARED : LAB_LANDING;
}

bool lab_gather_reserve(struct lab_rank *k) {
    struct lab_gathering *g = &k->gathering;
    size_t e = lab_element(k);
    enum lab_side side = side_of_slots(k);
    if (!k->stage->shards_params) return true;
    assert(k->options->prefetch < LAB_GATHERED);
    g->ticket = calloc(order_length(k), sizeof *g->ticket);
    if (!g->ticket) return lab_fail_memory(k);
    for (size_t i = 0; i <= k->options->prefetch; i++)
        if (!lab_reservation_make(&k->ledger, &g->slot[i], ACCOUNT_GATHER, side,
                                  k->split.block * e))
            return false;
    return lab_reservation_make(&k->ledger, &g->embeddings, ACCOUNT_GATHER, side,
                                k->split.unit[0].padded * e);
}

void lab_gather_free(struct lab_rank *k) {
    struct lab_gathering *g = &k->gathering;
    for (size_t i = 0; i < LAB_GATHERED; i++) lab_reservation_free(&k->ledger, &g->slot[i]);
    lab_reservation_free(&k->ledger, &g->embeddings);
    free(g->ticket);
    g->ticket = NULL;
}

/* ── one all-gather ── */

/* Stages 1 and 2 call this as well, after the update. There each rank has the new values of its own
 * range of the whole parameters, and the all-gather fills in the other ranks' ranges. */
static struct lab_transfer gathering(const struct lab_rank *k, size_t unit, void *unsharded) {
    return (struct lab_transfer){.op = LAB_ALL_GATHER,
                                 .among = LAB_INSIDE,
                                 .whole = unsharded,
                                 .shard = lab_mine_of(k, LAB_PARAMS, unit),
                                 .count = k->split.unit[unit].shard,
                                 .type = k->options->compute,
                                 .into = k->options->compute,
                                 .unit = (int)unit};
}

static bool send(struct lab_rank *k, const struct lab_transfer *x, lab_ticket *ticket) {
    *ticket = k->comm->row->start(k->comm, x);
    return *ticket != 0 || lab_fail_memory(k);
}

bool lab_gather_unit(struct lab_rank *k, size_t unit, void *unsharded, lab_ticket *ticket) {
    struct lab_transfer x = gathering(k, unit, unsharded);
    if (k->options->offload_params != LAB_TIER_DEVICE)
        x.shard = (char *)unsharded + k->split.mine * x.count * lab_element(k);
    return lab_rise(k, unit, x.shard) && send(k, &x, ticket);
}

/* ── in 8 bits ── */

/* Where what arrives in 8 bits begins, of `count` elements in total. */
static char *narrow_part(const struct lab_rank *k, void *whole, size_t count) {
    return (char *)whole + count * lab_element(k) - lab_dtype_size(LAB_Q8, count);
}

/* Makes this rank's piece of a gather narrower, where peers will read it. */
static void narrow(struct lab_rank *k, struct lab_transfer *x) {
    struct lab_set s = lab_set_of(k->comm, x->among);
    x->whole = narrow_part(k, x->whole, s.count * x->count);
    char *own = (char *)x->whole + lab_dtype_size(LAB_Q8, s.mine * x->count);
    k->device->row->cast(k->device, own, LAB_Q8, x->shard, x->type, x->count);
    x->shard = own;
    x->type = x->into = LAB_Q8;
}

static bool gather_narrow(struct lab_rank *k, size_t unit, void *unsharded, lab_ticket *ticket) {
    struct lab_transfer x = gathering(k, unit, unsharded);
    narrow(k, &x);
    return send(k, &x, ticket);
}

/* The unit at place i has arrived. */
static void widen(struct lab_rank *k, size_t i) {
    const struct lab_split *s = &k->split.unit[unit_at(k, i)];
    struct lab_set among = lab_set_of(k->comm, is_second(k, i) ? LAB_SECOND : LAB_INSIDE);
    size_t count = among.count * (is_second(k, i) ? s->second : s->shard);
    char *whole = slot_at(k, i)->memory;
    k->device->row->cast(k->device, whole, k->options->compute, narrow_part(k, whole, count),
                         LAB_Q8, count);
}

/* Waits for the unit at place i, unless it has arrived. Places arrive in their order. */
static bool arrive(struct lab_rank *k, size_t i) {
    struct lab_gathering *g = &k->gathering;
    if (i < g->arrived) return true;
    if (!k->comm->row->wait(k->comm, g->ticket[i], &k->message)) return false;
    if (k->options->qwz) widen(k, i);
    g->arrived = i + 1;
    return true;
}

/* ── the second copy ── */

/* Of a unit that is in its slot. In forward a unit's place is its number. */
static void make_second(struct lab_rank *k, size_t unit) {
    size_t bytes = lab_bytes_of(k, LAB_PARAMS, k->split.unit[unit].second);
    const char *whole = slot_at(k, unit)->memory;
    struct lab_set s = lab_set_of(k->comm, LAB_SECOND);
    k->device->row->copy(k->device, k->unit[unit].second, whole + s.mine * bytes, bytes);
    k->gathering.made = unit + 1;
}

/* Two units ahead is far enough that the last norm is gathered again before it is used the first
 * time. Then its copy is made here. Peers read copies that are made: transfers start in the same
 * order on all ranks. */
static bool gather_second(struct lab_rank *k, size_t unit, void *unsharded, lab_ticket *ticket) {
    struct lab_transfer x = gathering(k, unit, unsharded);
    x.among = LAB_SECOND;
    x.shard = k->unit[unit].second;
    x.count = k->split.unit[unit].second;
    if (unit >= k->gathering.made) {
        if (!arrive(k, unit)) return false;
        make_second(k, unit);
    }
    if (k->options->qwz) narrow(k, &x);
    return send(k, &x, ticket);
}

/* ── during a micro-step ── */

/* The first block's place in the order. */
enum { EARLY = 1 };

void lab_gather_begin(struct lab_rank *k, bool forward) {
    k->gathering.at = k->gathering.started = k->gathering.arrived = k->gathering.made = 0;
    k->gathering.end = forward ? layers(k) + 3 : order_length(k);
}

/* The slot is free: the unit that was in it has computed, so that its reservation was left. */
static bool start(struct lab_rank *k, size_t i) {
    struct lab_reservation *reservation = slot_at(k, i);
    if (lab_has_bug(k, LAB_STALE_PREFETCH) && i == EARLY && reservation->used) return true;
    if (lab_has_bug(k, LAB_MISSING_GATHER) && i == EARLY)
        return lab_reservation_enter(&k->ledger, reservation);
    assert(!reservation->used);
    bool (*gather)(struct lab_rank *, size_t, void *, lab_ticket *) =
        is_second(k, i)   ? gather_second
        : k->options->qwz ? gather_narrow
                          : lab_gather_unit;
    if (!lab_reservation_enter(&k->ledger, reservation) ||
        !gather(k, unit_at(k, i), reservation->memory, &k->gathering.ticket[i]))
        return false;
    if (i + 1 < k->gathering.end && !is_second(k, i + 1)) lab_rise_ahead(k, unit_at(k, i + 1));
    return true;
}

/* read: schedule */
bool lab_params_use(struct lab_rank *k, const void **params) {
    struct lab_gathering *g = &k->gathering;
    size_t i = g->at, ahead = i + k->options->prefetch;
    *params = k->unit[unit_at(k, i)].params;
    if (!k->stage->shards_params) return true;
    for (; g->started <= ahead && g->started < g->end; g->started++)
        if (!start(k, g->started)) return false;
    *params = slot_at(k, i)->memory;
    return arrive(k, i);
}
/* read: end */

bool lab_gather_early(struct lab_rank *k) {
    if (!lab_has_bug(k, LAB_STALE_PREFETCH) || k->step == k->options->steps) return true;
    return start(k, EARLY) && k->comm->row->wait(k->comm, k->gathering.ticket[EARLY], &k->message);
}

void lab_params_done(struct lab_rank *k) {
    struct lab_gathering *g = &k->gathering;
    assert(g->at < g->end);
    if (k->options->hpz && g->at >= g->made && !is_second(k, g->at)) make_second(k, g->at);
    lab_drag(k);
    if (k->stage->shards_params) lab_reservation_leave(&k->ledger, slot_at(k, g->at));
    g->at++;
}
