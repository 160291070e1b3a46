/* Runs without training: each step is one collective of each kind, with no other work. All ranks
 * meet before each, so that comm events say how long it took. */
#include "lab/collectives.h"
#include "lab/engine.h"

static bool one(struct lab_rank *k, enum lab_collective op, char *memory, size_t count, int size) {
    enum lab_dtype type = k->options->compute;
    struct lab_transfer x = {.op = op,
                             .whole = memory,
                             .shard = memory + k->comm->rank * count * lab_dtype_bytes(type),
                             .count = count,
                             .type = type,
                             .into = type,
                             .unit = size};
    if (!k->comm->row->barrier(k->comm, &k->message)) return false;
    lab_ticket t = k->comm->row->start(k->comm, &x);
    return t != 0 && k->comm->row->wait(k->comm, t, &k->message);
}

static bool step(struct lab_rank *k, char *memory, size_t count, int size) {
    static const enum lab_collective all[] = {LAB_ALL_REDUCE, LAB_REDUCE_SCATTER, LAB_ALL_GATHER};
    lab_at(k, LAB_AT_UPDATE, -1);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!one(k, all[i], memory, count, size)) return false;
    return k->device->row->finish(k->device, &k->message) && lab_settle(k);
}

static bool steps(struct lab_rank *k, char *memory, uint64_t bytes, int size) {
    size_t count = (size_t)(bytes / lab_element(k) / k->split.ranks);
    bool well = k->comm->row->barrier(k->comm, &k->message);
    for (k->step = 1; well && k->step <= k->options->steps; k->step++)
        well = step(k, memory, count, size);
    return well;
}

bool lab_links(struct lab_rank *k) {
    const struct lab_options *o = k->options;
    uint64_t size[LAB_SIZES_MOST];
    size_t n = lab_sizes(o, size);
    uint64_t most = n ? size[n - 1] : lab_whole(o, o->bucket);
    char *memory = lab_ledger_take(&k->ledger, ACCOUNT_REDUCE, LAB_SHARED, most);
    bool well = memory != NULL;
    if (n == 0) well = well && steps(k, memory, most, -1);
    for (size_t i = 0; well && i < n; i++) well = steps(k, memory, size[i], (int)i);
    lab_ledger_give(&k->ledger, ACCOUNT_REDUCE, LAB_SHARED, memory, most);
    return well;
}
