/* A comm over shared memory: one transfer, the thread that carries transfers out one after another,
 * and the side of the compute thread that starts them and waits for them. */
#include "lab/cpu/exchange.h"

#include "lab/cpu/sum.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct lab_exchange *exchange_of(struct lab_comm *c) {
    return (struct lab_exchange *)c;
}
static struct lab_rank_slot *slot_of(struct lab_exchange *e) {
    return &e->control->slot[e->comm.rank];
}
static void say_left(const struct lab_exchange *e, char *why, size_t capacity) {
    snprintf(why, capacity, "rank %u left the run", atomic_load(&e->control->left) - 1);
}

/* ── one transfer, seen from one rank's communication thread ──
 *
 * The ranks of a set meet, read from each other's arenas, and meet again, so that no rank changes
 * what another still reads:
 *
 *     meet │ reduce_scatter: own piece = Σ of all ranks' piece me │ meet   (all_to_all as well)
 *     meet │ all_gather, broadcast: copy the others' pieces       │ meet
 *     meet │ all_reduce: whole_me[me] = Σ of whole_r[me]          │ meet
 *          │             then copy whole_r[r] to whole_me[r]        │ meet
 *
 * whole_me[me] is read by no other rank in the first part of an all-reduce, and is the only part of
 * whole_me that is read in the second. Who reads counts: the bytes go to the owner's slot. */

/* The set of the transfer, as its pieces are numbered, and where it meets. */
static struct lab_set set_of(const struct lab_exchange *e, const struct lab_transfer *x) {
    return lab_set_of(&e->comm, x->among);
}
static enum lab_place place_of(const struct lab_set *s, enum lab_among among) {
    static const enum lab_place first[LAB_AMONG] = {LAB_TRANSFERS, LAB_GROUPS, LAB_COLUMNS,
                                                    LAB_SECONDS,   LAB_NEARS,  LAB_FARS};
    return (enum lab_place)(first[among] + (among == LAB_WORLD ? 0 : s->first));
}

static size_t piece_bytes(const struct lab_transfer *x) {
    return lab_dtype_size(x->type, x->count);
}
/* From the beginning of a piece in whole to that of the next. */
static size_t step_bytes(const struct lab_transfer *x) {
    return lab_dtype_size(x->type, x->stride ? x->stride : x->count);
}
static const void *shown(const struct lab_exchange *e, const struct lab_transfer *x,
                         size_t *bytes) {
    bool gather = x->op == LAB_ALL_GATHER;
    size_t others = gather ? 0 : set_of(e, x).count - 1;
    *bytes = others * step_bytes(x) + piece_bytes(x);
    return gather ? x->shard : x->whole;
}

/* Where rank r's part that peers read begins, for this rank. */
static const char *part_of(const struct lab_exchange *e, const struct lab_transfer *x, uint32_t r) {
    size_t bytes;
    if (r == e->comm.rank) return shown(e, x, &bytes);
    return e->base[r] + e->control->slot[r].offer.at;
}
static void credit(struct lab_exchange *e, uint32_t owner, uint64_t bytes) {
    struct lab_rank_slot *slot = &e->control->slot[owner];
    if (owner == e->comm.rank) return;
    atomic_fetch_add(&slot->sent, bytes);
    if (!lab_is_near(&e->comm, owner)) atomic_fetch_add(&slot->between, bytes);
}

/* to = Σ of all ranks' piece `me`. */
static void sum_own(struct lab_exchange *e, const struct lab_transfer *x, void *to,
                    enum lab_dtype into, bool add) {
    const void *from[LAB_RANKS_MAX];
    struct lab_set s = set_of(e, x);
    for (uint32_t i = 0; i < s.count; i++)
        from[i] = part_of(e, x, lab_member(&s, i)) + s.mine * step_bytes(x);
    lab_sum(to, into, add, from, s.count, x->type, x->count);
    for (uint32_t i = 0; i < s.count; i++) credit(e, lab_member(&s, i), piece_bytes(x));
}
/* Copies rank r's n bytes. Ranks begin at different peers, so that they do not all read the same
 * memory at once. */
static void take(struct lab_exchange *e, uint32_t r, char *to, const char *from, size_t n) {
    if (n && to != from) memmove(to, from, n);
    credit(e, r, n);
}
/* whole[i] = the piece of number i of the set, which lies `stride` · i bytes into what that rank
 * offers. */
static void gather(struct lab_exchange *e, const struct lab_transfer *x, size_t stride) {
    size_t n = piece_bytes(x);
    struct lab_set s = set_of(e, x);
    for (uint32_t i = 0; i < s.count; i++) {
        uint32_t at = (s.mine + i) % s.count, r = lab_member(&s, at);
        take(e, r, (char *)x->whole + at * step_bytes(x), part_of(e, x, r) + at * stride, n);
    }
}
static bool meet_peers(struct lab_exchange *e, const struct lab_transfer *x) {
    struct lab_set s = set_of(e, x);
    return lab_control_meet(e->control, place_of(&s, x->among), s.count);
}
static bool move(struct lab_exchange *e, const struct lab_transfer *x) {
    struct lab_set s = set_of(e, x);
    switch (x->op) {
    case LAB_ALL_TO_ALL:
    case LAB_REDUCE_SCATTER: return sum_own(e, x, x->shard, x->into, x->add), true;
    case LAB_ALL_GATHER: return gather(e, x, 0), true;
    case LAB_BROADCAST:
        return take(e, s.first, x->whole, part_of(e, x, s.first), piece_bytes(x) * s.count), true;
    default:
        sum_own(e, x, (char *)x->whole + s.mine * step_bytes(x), x->type, false);
        if (!meet_peers(e, x)) return false;
        gather(e, x, step_bytes(x));
        return true;
    }
}

static void offer(struct lab_exchange *e, const struct lab_transfer *x) {
    size_t bytes;
    const void *read = shown(e, x, &bytes);
    bool scatter = x->op == LAB_REDUCE_SCATTER || x->op == LAB_ALL_TO_ALL;
    e->control->slot[e->comm.rank].offer =
        (struct lab_offer){.op = x->op,
                           .type = x->type,
                           .into = scatter ? x->into : x->type,
                           .count = x->count,
                           .at = lab_arena_offset(&e->arena, read, bytes)};
}
/* All ranks of a set compare with its first, so all come to the same answer. */
static bool agree(const struct lab_exchange *e, const struct lab_set *s, char *why,
                  size_t capacity) {
    const struct lab_offer *a = &e->control->slot[s->first].offer;
    for (uint32_t i = 1; i < s->count; i++) {
        uint32_t r = lab_member(s, i);
        const struct lab_offer *b = &e->control->slot[r].offer;
        if (a->op == b->op && a->type == b->type && a->into == b->into && a->count == b->count)
            continue;
        snprintf(why, capacity,
                 "rank %u is at %s of %llu × %s, rank %u at %s of %llu × %s: ranks must start the "
                 "same transfers",
                 s->first, lab_collective_name(a->op), (unsigned long long)a->count,
                 lab_dtype_name(a->type), r, lab_collective_name(b->op),
                 (unsigned long long)b->count, lab_dtype_name(b->type));
        return false;
    }
    return true;
}

/* Steps of the ring that cross from one node to another; the others stay inside one. */
static uint32_t crossings(const struct lab_exchange *e, const struct lab_set *s) {
    uint32_t node = e->comm.node ? e->comm.node : e->comm.ranks, n = 0;
    for (uint32_t i = 1; i < s->count; i++)
        n += lab_member(s, i) / node != lab_member(s, i - 1) / node;
    return n;
}
static double at_rate(uint64_t bytes, double rate) {
    return rate > 0 ? (double)bytes / rate : 0;
}
/* Emulated links: latency for every step of the ring, and the bytes at the link's rate. Pairs on
 * one node use `link`, other pairs `net`, both at the same time: the slower one counts. */
static double link_seconds(const struct lab_exchange *e, const struct lab_transfer *x) {
    struct lab_set s = set_of(e, x);
    uint32_t rounds = x->op == LAB_ALL_REDUCE ? 2 : 1, far = crossings(e, &s);
    uint32_t busiest = x->op == LAB_BROADCAST ? 0 : s.mine;
    uint64_t sent = lab_transfer_sent(x, busiest, s.count);
    uint64_t between = lab_sent_between(&e->comm, x, sent);
    double inside = at_rate(sent - between, e->link_rate);
    double outside = at_rate(between, e->net_rate);
    return rounds * ((s.count - 1 - far) * e->link_latency + far * e->net_latency) +
           (inside > outside ? inside : outside);
}
/* Holds the transfer for so long, from the moment all have come. */
static bool hold(struct lab_exchange *e, const struct lab_transfer *x, int64_t arrived) {
    struct lab_set s = set_of(e, x);
    double seconds = link_seconds(e, x);
    if (seconds <= 0) return true;
    int64_t until = arrived + (int64_t)(seconds * 1e9);
    atomic_store(&e->control->slot[e->comm.rank].asleep_until, until);
    return lab_control_sleep(e->control, place_of(&s, x->among), until);
}
static double seconds(const struct lab_exchange *e, int64_t t) {
    return (double)(t - e->control->zero) / 1e9;
}

static bool transfer(struct lab_exchange *e, struct lab_job *job, char *why, size_t capacity) {
    struct lab_rank_slot *mine = &e->control->slot[e->comm.rank];
    const struct lab_transfer *x = &job->transfer;
    struct lab_set s = set_of(e, x);
    offer(e, x);
    atomic_store(&mine->sent, 0); /* before the meeting: no rank reads from here until then */
    atomic_store(&mine->between, 0);
    job->times.started = seconds(e, lab_now());
    bool going = meet_peers(e, x);
    int64_t arrived = atomic_load(&e->control->meeting[place_of(&s, x->among)].last);
    job->times.arrived = seconds(e, arrived);
    if (going && !agree(e, &s, why, capacity)) return false;
    going = going && move(e, x) && hold(e, x, arrived) && meet_peers(e, x);
    job->times.ended = seconds(e, lab_now());
    job->sent = atomic_load(&mine->sent);
    job->between = atomic_load(&mine->between);
    if (!going) say_left(e, why, capacity);
    return going;
}

/* ── the communication thread ── */

/* With the mutex held: nothing more will be carried out, here or elsewhere. */
static void break_off(struct lab_exchange *e, const char *why) {
    if (!e->broken) snprintf(e->why, sizeof e->why, "%s", why);
    e->broken = true;
    lab_control_leave(e->control, e->comm.rank);
    pthread_cond_broadcast(&e->done);
}
static void carry_out(struct lab_exchange *e) {
    lab_ticket t = e->finished + 1;
    struct lab_job job = *lab_tickets_at(&e->tickets, t);
    char why[sizeof e->why];
    pthread_mutex_unlock(&e->mutex);
    bool done = transfer(e, &job, why, sizeof why);
    pthread_mutex_lock(&e->mutex);
    if (!done) {
        break_off(e, why);
        return;
    }
    *lab_tickets_at(&e->tickets, t) = job;
    e->finished = t;
    pthread_cond_broadcast(&e->done);
}
static void *communicate(void *self) {
    struct lab_exchange *e = self;
    pthread_mutex_lock(&e->mutex);
    while (!e->closing && !e->broken) {
        if (e->finished < e->tickets.started)
            carry_out(e);
        else
            pthread_cond_wait(&e->work, &e->mutex);
    }
    pthread_mutex_unlock(&e->mutex);
    return NULL;
}

/* ── the compute thread ── */

static void *exchange_alloc(struct lab_comm *c, size_t bytes) {
    return lab_arena_take(&exchange_of(c)->arena, bytes, c->trouble, sizeof c->trouble);
}
static void exchange_free(struct lab_comm *c, void *memory, size_t bytes) {
    (void)bytes;
    lab_arena_give(&exchange_of(c)->arena, memory);
}
static uint64_t exchange_resident(struct lab_comm *c) {
    return lab_arena_resident(&exchange_of(c)->arena);
}

/* Peers could not read this: better said at once than found as wrong numbers. */
static bool readable(struct lab_exchange *e, const struct lab_transfer *x) {
    size_t bytes;
    const void *read = shown(e, x, &bytes);
    struct lab_set s = set_of(e, x);
    bool reads_mine = s.count > 1 && bytes && (x->op != LAB_BROADCAST || s.mine == 0);
    return !reads_mine || lab_arena_offset(&e->arena, read, bytes) >= 0;
}
static lab_ticket exchange_start(struct lab_comm *c, const struct lab_transfer *x) {
    struct lab_exchange *e = exchange_of(c);
    pthread_mutex_lock(&e->mutex);
    lab_ticket t = readable(e, x) ? lab_tickets_add(&e->tickets, x) : 0;
    if (!t) {
        break_off(e,
                  readable(e, x)
                      ? "out of memory for one more transfer"
                      : "a transfer of memory that peers cannot read (not from the comm's alloc)");
        t = e->tickets.started + 1; /* never finished: wait() says why */
    }
    pthread_cond_signal(&e->work);
    pthread_mutex_unlock(&e->mutex);
    return t;
}

/* With the mutex held: blocks until ticket t is done; false if it never will be. */
static bool stand_still(struct lab_exchange *e, lab_ticket t) {
    atomic_store(&slot_of(e)->waiting, 1);
    while (e->finished < t && !e->broken) pthread_cond_wait(&e->done, &e->mutex);
    atomic_store(&slot_of(e)->waiting, 0);
    atomic_fetch_add(&slot_of(e)->beats, 1);
    return e->finished >= t;
}
/* Ends the oldest job; `exposed` is how long compute stood still for it. */
static bool end_oldest(struct lab_exchange *e, struct lab_message *m) {
    int64_t began = lab_now();
    pthread_mutex_lock(&e->mutex);
    lab_ticket t = e->tickets.told + 1;
    bool stood = e->finished < t, done = !stood || stand_still(e, t);
    struct lab_job job;
    if (done)
        job = *lab_tickets_at(&e->tickets, t);
    else
        snprintf(m->text, sizeof m->text, "%s", e->why);
    pthread_mutex_unlock(&e->mutex);
    if (!done) return false;
    job.times.exposed = stood ? (double)(lab_now() - began) / 1e9 : 0;
    lab_tickets_tell(&e->comm, &e->tickets, &job);
    return true;
}
static bool exchange_wait(struct lab_comm *c, lab_ticket t, struct lab_message *m) {
    struct lab_exchange *e = exchange_of(c);
    while (e->tickets.told < t)
        if (!end_oldest(e, m)) return false;
    return true;
}

static bool meet(struct lab_exchange *e, struct lab_message *m) {
    atomic_store(&slot_of(e)->waiting, 1);
    bool met = lab_control_meet(e->control, LAB_COMPUTE, e->comm.ranks);
    atomic_store(&slot_of(e)->waiting, 0);
    atomic_fetch_add(&slot_of(e)->beats, 1);
    if (!met) say_left(e, m->text, sizeof m->text);
    return met;
}
/* Two values per rank, used in turn: a rank writes this one again only after all have met once
 * more, and so have read it. Every value is read by all the others. */
static bool exchange_exchange(struct lab_comm *c, double mine, double *all, struct lab_message *m) {
    struct lab_exchange *e = exchange_of(c);
    uint64_t turn = e->exchanges++ % 2;
    slot_of(e)->value[turn] = mine;
    if (!meet(e, m)) return false;
    for (uint32_t r = 0; r < c->ranks; r++) all[r] = e->control->slot[r].value[turn];
    c->control += (c->ranks - 1) * sizeof mine;
    return true;
}
static bool exchange_barrier(struct lab_comm *c, struct lab_message *m) {
    return meet(exchange_of(c), m);
}
static void exchange_progress(struct lab_comm *c, uint32_t step, int phase, int unit) {
    lab_control_progress(
        exchange_of(c)->control, c->rank,
        (struct lab_where){.step = step, .phase = (enum lab_phase)phase, .unit = unit});
}

static void exchange_close(struct lab_comm *c) {
    struct lab_exchange *e = exchange_of(c);
    lab_control_leave(e->control, c->rank);
    pthread_mutex_lock(&e->mutex);
    e->closing = true;
    pthread_cond_signal(&e->work);
    pthread_mutex_unlock(&e->mutex);
    pthread_join(e->thread, NULL);
    pthread_cond_destroy(&e->work);
    pthread_cond_destroy(&e->done);
    pthread_mutex_destroy(&e->mutex);
    free(e->tickets.job);
    e->release(e);
    free(e);
}

#define ROW(title)                                                                                 \
    {                                                                                              \
        .name = (title), .alloc = exchange_alloc, .free = exchange_free, .start = exchange_start,  \
        .wait = exchange_wait, .strides = true, .exchange = exchange_exchange,                     \
        .barrier = exchange_barrier, .progress = exchange_progress, .resident = exchange_resident, \
        .close = exchange_close                                                                    \
    }
const struct lab_comm_row lab_shm_row = ROW("shm"), lab_local_row = ROW("local");

bool lab_exchange_open(struct lab_exchange *e, const struct lab_comm_row *row,
                       const struct lab_options *o, uint32_t rank, struct lab_message *m) {
    e->comm = (struct lab_comm){.row = row, .rank = rank, .ranks = e->control->ranks};
    e->link_rate = o->link_rate;
    e->link_latency = o->link_latency;
    bool one_kind = o->net_rate <= 0;
    e->net_rate = one_kind ? o->link_rate : o->net_rate;
    e->net_latency = one_kind ? o->link_latency : o->net_latency;
    pthread_mutex_init(&e->mutex, NULL);
    pthread_cond_init(&e->work, NULL);
    pthread_cond_init(&e->done, NULL);
    if (!pthread_create(&e->thread, NULL, communicate, e)) return true;
    snprintf(m->text, sizeof m->text,
             "rank %u: cannot start a communication thread (see ulimit -u, -v)", rank);
    return false;
}
