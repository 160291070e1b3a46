/* The parameters of the unit at work. Where they are sharded, units are gathered in the order of a micro-step, each before it is needed,
 * `prefetch` of them ahead:
 *
 *     embeddings  block 0 … block L−1  last norm  embeddings │ last norm  block L−1 … block 0
 *     lookup      forward                         head       │ backward
 *
 * The embeddings have room of their own; the others take turns in prefetch + 1 slots. */
#include "lab/engine.h"

#include <stdlib.h>

static size_t layers(const struct lab_rank *k) {
    return k->split.units - 2;
}

static size_t order_length(const struct lab_rank *k) {
    return 2 * layers(k) + 4;
}

/* Which unit stands at place i of the order. */
static size_t unit_at(const struct lab_rank *k, size_t i) {
    size_t last = layers(k) + 1;
    if (i <= last) return i;
    return i == last + 1 ? 0 : 2 * last + 2 - i;
}

static struct lab_reservation *room_at(struct lab_rank *k, size_t i) {
    struct lab_gathering *g = &k->gathering;
    size_t head = layers(k) + 2, turn = i > head ? i - 2 : i - 1;
    if (i == 0 || i == head) return &g->embeddings;
    return &g->slot[turn % (k->options->prefetch + 1)];
}

bool lab_gather_reserve(struct lab_rank *k) {
    struct lab_gathering *g = &k->gathering;
    size_t e = lab_element(k);
    if (!k->stage->shards_params) return true;
    g->ticket = calloc(order_length(k), sizeof *g->ticket);
    if (!g->ticket) return lab_fail_memory(k);
    for (size_t i = 0; i <= k->options->prefetch; i++)
        if (!lab_reservation_make(&k->ledger, &g->slot[i], ACCOUNT_GATHER, LAB_LANDING,
                                  k->split.block * e))
            return false;
    return lab_reservation_make(&k->ledger, &g->embeddings, ACCOUNT_GATHER, LAB_LANDING,
                                k->split.unit[0].padded * e);
}

void lab_gather_free(struct lab_rank *k) {
    struct lab_gathering *g = &k->gathering;
    for (size_t i = 0; i < LAB_GATHERED; i++) lab_reservation_free(&k->ledger, &g->slot[i]);
    lab_reservation_free(&k->ledger, &g->embeddings);
    free(g->ticket);
    g->ticket = NULL;
}

void lab_gather_begin(struct lab_rank *k, bool forward) {
    k->gathering.at = k->gathering.started = 0;
    k->gathering.end = forward ? layers(k) + 3 : order_length(k);
}

bool lab_gather_unit(struct lab_rank *k, size_t unit, void *whole, lab_ticket *ticket) {
    struct lab_transfer x = {.op = LAB_ALL_GATHER,
                             .whole = whole,
                             .shard = k->unit[unit].params,
                             .count = k->split.unit[unit].shard,
                             .type = k->options->compute,
                             .into = k->options->compute,
                             .unit = (int)unit};
    if (!k->stage->shards_params)
        x.shard = k->unit[unit].params + k->comm->rank * x.count * lab_element(k);
    *ticket = k->comm->row->start(k->comm, &x);
    return *ticket != 0 || lab_fail_memory(k);
}

static bool start(struct lab_rank *k, size_t i) {
    struct lab_reservation *reservation = room_at(k, i);
    return lab_reservation_enter(&k->ledger, reservation) &&
           lab_gather_unit(k, unit_at(k, i), reservation->memory, &k->gathering.ticket[i]);
}

/* read: schedule */
bool lab_params_use(struct lab_rank *k, const void **params) {
    struct lab_gathering *g = &k->gathering;
    size_t i = g->at, ahead = i + k->options->prefetch;
    *params = k->unit[unit_at(k, i)].params;
    if (!k->stage->shards_params) return true;
    for (; g->started <= ahead && g->started < g->end; g->started++)
        if (!start(k, g->started)) return false;
    *params = room_at(k, i)->memory;
    return k->comm->row->wait(k->comm, g->ticket[i], &k->message);
}
/* read: end */

void lab_params_done(struct lab_rank *k) {
    if (k->stage->shards_params) lab_reservation_leave(&k->ledger, room_at(k, k->gathering.at));
    k->gathering.at++;
}
