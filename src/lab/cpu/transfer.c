/* One transfer, seen from one rank's communication thread. Ranks meet, read from each other's arenas, and meet again, so that nobody
 * changes what another still reads:
 *
 *     meet │ reduce_scatter: own piece = Σ of all ranks' piece me │ meet
 *     meet │ all_gather, broadcast: copy the others' pieces       │ meet
 *     meet │ all_reduce: whole_me[me] = Σ of whole_r[me]          │ meet │ copy whole_r[r] to whole_me[r] │ meet
 *
 * whole_me[me] is read by nobody else in the first part of an all-reduce, and is the only part of whole_me that is read in the second.
 * Who reads counts: the bytes go to the owner's seat. */
#include "lab/cpu/exchange.h"

#include "lab/cpu/sum.h"

#include <stdio.h>
#include <string.h>

static size_t piece_bytes(const struct lab_transfer *x) {
    return x->count * lab_dtype_bytes(x->type);
}
const void *lab_exchange_read(const struct lab_exchange *e, const struct lab_transfer *x,
                              size_t *bytes) {
    bool gather = x->op == LAB_ALL_GATHER;
    *bytes = gather ? piece_bytes(x) : piece_bytes(x) * e->comm.ranks;
    return gather ? x->shard : x->whole;
}

/* Where rank r's part that peers read begins, for this rank. */
static const char *part_of(const struct lab_exchange *e, const struct lab_transfer *x, uint32_t r) {
    size_t bytes;
    if (r == e->comm.rank) return lab_exchange_read(e, x, &bytes);
    return e->base[r] + e->control->seat[r].offer.at;
}
static void credit(struct lab_exchange *e, uint32_t owner, uint64_t bytes) {
    if (owner != e->comm.rank) atomic_fetch_add(&e->control->seat[owner].sent, bytes);
}

/* to = Σ of all ranks' piece `me`. */
static void sum_own(struct lab_exchange *e, const struct lab_transfer *x, void *to,
                    enum lab_dtype into, bool add) {
    const void *from[LAB_RANKS_MAX];
    for (uint32_t r = 0; r < e->comm.ranks; r++)
        from[r] = part_of(e, x, r) + e->comm.rank * piece_bytes(x);
    lab_sum(to, into, add, from, e->comm.ranks, x->type, x->count);
    for (uint32_t r = 0; r < e->comm.ranks; r++) credit(e, r, piece_bytes(x));
}
/* Copies rank r's n bytes. Ranks begin at different peers, so that they do not all read the same memory at once. */
static void take(struct lab_exchange *e, uint32_t r, char *to, const char *from, size_t n) {
    if (n && to != from) memmove(to, from, n);
    credit(e, r, n);
}
/* whole[r] = rank r's piece, which lies `stride` · r bytes into what it offers. */
static void gather(struct lab_exchange *e, const struct lab_transfer *x, size_t stride) {
    size_t n = piece_bytes(x);
    for (uint32_t i = 0; i < e->comm.ranks; i++) {
        uint32_t r = (e->comm.rank + i) % e->comm.ranks;
        take(e, r, (char *)x->whole + r * n, part_of(e, x, r) + r * stride, n);
    }
}
static bool meet(struct lab_exchange *e) {
    return lab_control_meet(e->control, LAB_TRANSFERS);
}
static bool move(struct lab_exchange *e, const struct lab_transfer *x) {
    switch (x->op) {
    case LAB_REDUCE_SCATTER: return sum_own(e, x, x->shard, x->into, x->add), true;
    case LAB_ALL_GATHER: return gather(e, x, 0), true;
    case LAB_BROADCAST:
        return take(e, 0, x->whole, part_of(e, x, 0), piece_bytes(x) * e->comm.ranks), true;
    default:
        sum_own(e, x, (char *)x->whole + e->comm.rank * piece_bytes(x), x->type, false);
        if (!meet(e)) return false;
        gather(e, x, piece_bytes(x));
        return true;
    }
}

static void offer(struct lab_exchange *e, const struct lab_transfer *x) {
    size_t bytes;
    const void *read = lab_exchange_read(e, x, &bytes);
    bool scatter = x->op == LAB_REDUCE_SCATTER;
    e->control->seat[e->comm.rank].offer =
        (struct lab_offer){.op = x->op,
                           .type = x->type,
                           .into = scatter ? x->into : x->type,
                           .count = x->count,
                           .at = lab_arena_offset(&e->arena, read, bytes)};
}
/* All ranks compare with rank 0, so all come to the same answer. */
static bool agree(const struct lab_exchange *e, char *why, size_t capacity) {
    static const char *const names[LAB_COLLECTIVES] = {"all_reduce", "reduce_scatter", "all_gather",
                                                       "broadcast"};
    const struct lab_offer *a = &e->control->seat[0].offer;
    for (uint32_t r = 1; r < e->comm.ranks; r++) {
        const struct lab_offer *b = &e->control->seat[r].offer;
        if (a->op == b->op && a->type == b->type && a->into == b->into && a->count == b->count)
            continue;
        snprintf(why, capacity,
                 "rank 0 is at %s of %llu × %s, rank %u at %s of %llu × %s: ranks must start the "
                 "same transfers",
                 names[a->op], (unsigned long long)a->count, lab_dtype_name(a->type), r,
                 names[b->op], (unsigned long long)b->count, lab_dtype_name(b->type));
        return false;
    }
    return true;
}

/* An emulated link: latency for every step of the ring, and the bytes at its rate, from the moment all have come. */
static bool hold(struct lab_exchange *e, const struct lab_transfer *x, int64_t arrived) {
    if (e->link_rate <= 0 && e->link_latency <= 0) return true;
    uint32_t steps = (x->op == LAB_ALL_REDUCE ? 2 : 1) * (e->comm.ranks - 1);
    uint32_t busiest = x->op == LAB_BROADCAST ? 0 : e->comm.rank;
    double seconds = e->link_latency * steps;
    if (e->link_rate > 0)
        seconds += (double)lab_transfer_sent(x, busiest, e->comm.ranks) / e->link_rate;
    int64_t until = arrived + (int64_t)(seconds * 1e9);
    atomic_store(&e->control->seat[e->comm.rank].asleep_until, until);
    return lab_control_sleep(e->control, LAB_TRANSFERS, until);
}
static double seconds(const struct lab_exchange *e, int64_t t) {
    return (double)(t - e->control->zero) / 1e9;
}

bool lab_exchange_transfer(struct lab_exchange *e, struct lab_job *job, char *why,
                           size_t capacity) {
    struct lab_seat *mine = &e->control->seat[e->comm.rank];
    const struct lab_transfer *x = &job->transfer;
    offer(e, x);
    atomic_store(&mine->sent, 0); /* before the meeting: nobody reads from here until then */
    job->times.started = seconds(e, lab_now());
    bool going = meet(e);
    int64_t arrived = atomic_load(&e->control->meeting[LAB_TRANSFERS].last);
    job->times.arrived = seconds(e, arrived);
    if (going && !agree(e, why, capacity)) return false;
    going = going && move(e, x) && hold(e, x, arrived) && meet(e);
    job->times.ended = seconds(e, lab_now());
    job->sent = atomic_load(&mine->sent);
    if (!going) lab_exchange_left(e, why, capacity);
    return going;
}
