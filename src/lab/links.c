/* What links bear: collectives of a bucket's size and nothing beside them, in the place of training. Each step is one of each kind, all ranks having met
 * before: comm events say how long it took. */
#include "lab/engine.h"

static bool one(struct lab_rank *k, enum lab_collective op, char *memory, size_t count) {
    enum lab_dtype type = k->options->compute;
    struct lab_transfer x = {.op = op,
                             .whole = memory,
                             .shard = memory + k->comm->rank * count * lab_dtype_bytes(type),
                             .count = count,
                             .type = type,
                             .into = type,
                             .unit = -1};
    if (!k->comm->row->barrier(k->comm, &k->message)) return false;
    lab_ticket t = k->comm->row->start(k->comm, &x);
    return t != 0 && k->comm->row->wait(k->comm, t, &k->message);
}
static bool step(struct lab_rank *k, char *memory, size_t count) {
    static const enum lab_collective all[] = {LAB_ALL_REDUCE, LAB_REDUCE_SCATTER, LAB_ALL_GATHER};
    lab_at(k, LAB_AT_UPDATE, -1);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!one(k, all[i], memory, count)) return false;
    return k->device->row->finish(k->device, &k->message) &&
           (!k->comm->row->settle || k->comm->row->settle(k->comm, &k->message));
}

bool lab_links(struct lab_rank *k) {
    size_t count = (size_t)(k->options->bucket / lab_element(k) / k->split.ranks);
    size_t bytes = count * k->split.ranks * lab_element(k);
    char *memory = lab_ledger_take(&k->ledger, ACCOUNT_REDUCE, LAB_SHARED, bytes);
    bool well = memory && k->comm->row->barrier(k->comm, &k->message);
    for (k->step = 1; well && k->step <= k->options->steps; k->step++)
        well = step(k, memory, count);
    lab_ledger_give(&k->ledger, ACCOUNT_REDUCE, LAB_SHARED, memory, bytes);
    return well;
}
