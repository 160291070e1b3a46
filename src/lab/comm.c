/* What all comms have in common: the queue of transfers, and what a transfer sends by the formula.
 * And the comm of dry runs, which moves nothing and counts everything. */
#include "lab/comm.h"

#include <assert.h>
#include <stdlib.h>

const char *lab_collective_name(enum lab_collective op) {
    static const char *const names[] = {"all_reduce", "reduce_scatter", "all_gather", "all_to_all",
                                        "broadcast"};
    return names[op];
}

uint64_t lab_transfer_sent(const struct lab_transfer *x, uint32_t rank, uint32_t ranks) {
    uint64_t piece = lab_dtype_size(x->type, x->count), others = ranks - 1;
    switch (x->op) {
    case LAB_ALL_REDUCE: return 2 * others * piece;
    case LAB_BROADCAST: return rank == 0 ? others * ranks * piece : 0;
    default: return others * piece;
    }
}

/* ── sets of ranks ── */

struct lab_set lab_set_of(const struct lab_comm *c, enum lab_among among) {
    uint32_t g = c->group ? c->group : c->ranks, row = c->rank / g, column = c->rank % g;
    uint32_t h = c->second ? c->second : c->ranks;
    uint32_t near = c->node && c->node < g ? c->node : g, place = c->rank % near;
    switch (among) {
    case LAB_INSIDE: return (struct lab_set){row * g, 1, g, column};
    case LAB_ACROSS: return (struct lab_set){column, g, c->ranks / g, row};
    case LAB_SECOND: return (struct lab_set){c->rank / h * h, 1, h, c->rank % h};
    case LAB_NEAR: return (struct lab_set){c->rank - place, 1, near, place};
    case LAB_FAR: return (struct lab_set){row * g + place, near, g / near, column / near};
    default: return (struct lab_set){0, 1, c->ranks, c->rank};
    }
}

uint32_t lab_member(const struct lab_set *s, uint32_t i) {
    return s->first + i * s->stride;
}

bool lab_is_near(const struct lab_comm *c, uint32_t rank) {
    return c->node == 0 || rank / c->node == c->rank / c->node;
}

/* Each of the set reads as much, so each that is on another node has its part. */
uint64_t lab_sent_between(const struct lab_comm *c, const struct lab_transfer *x, uint64_t sent) {
    struct lab_set s = lab_set_of(c, x->among);
    uint32_t far = 0;
    for (uint32_t i = 0; i < s.count; i++) far += !lab_is_near(c, lab_member(&s, i));
    return far ? sent / (s.count - 1) * far : 0;
}

/* ── transfers by ticket ── */

struct lab_job *lab_tickets_at(const struct lab_tickets *q, lab_ticket t) {
    return &q->job[t & (q->capacity - 1)];
}
static bool grow(struct lab_tickets *q) {
    struct lab_tickets more = *q;
    more.capacity = q->capacity ? 2 * q->capacity : 64;
    more.job = malloc(more.capacity * sizeof *more.job);
    if (!more.job) return false;
    for (lab_ticket t = q->told + 1; t <= q->started; t++)
        *lab_tickets_at(&more, t) = *lab_tickets_at(q, t);
    free(q->job);
    *q = more;
    return true;
}
lab_ticket lab_tickets_add(struct lab_tickets *q, const struct lab_transfer *x) {
    if (q->started - q->told == q->capacity && !grow(q)) return 0;
    q->started++;
    *lab_tickets_at(q, q->started) = (struct lab_job){.transfer = *x};
    return q->started;
}
void lab_tickets_tell(struct lab_comm *c, struct lab_tickets *q, const struct lab_job *oldest) {
    assert(q->told < q->started);
    q->told++;
    c->sent[oldest->transfer.op] += oldest->sent;
    c->between += oldest->between;
    if (c->watch) c->watch(c->watch_self, &oldest->transfer, oldest->sent, &oldest->times);
}

/* ── the comm of dry runs ── */

struct null_comm {
    struct lab_comm comm;
    struct lab_tickets tickets;
    /* the next address to give */
    uintptr_t next;
};
static struct null_comm *null_of(struct lab_comm *c) {
    return (struct null_comm *)c;
}

static void *null_alloc(struct lab_comm *c, size_t bytes) {
    struct null_comm *n = null_of(c);
    void *memory = (void *)n->next;
    n->next += (bytes + 64) / 64 * 64;
    return memory;
}
static void null_free(struct lab_comm *c, void *memory, size_t bytes) {
    (void)c, (void)memory, (void)bytes;
}
static lab_ticket null_start(struct lab_comm *c, const struct lab_transfer *x) {
    struct lab_tickets *q = &null_of(c)->tickets;
    struct lab_set s = lab_set_of(c, x->among);
    lab_ticket t = lab_tickets_add(q, x);
    struct lab_job *job = t ? lab_tickets_at(q, t) : NULL;
    if (job) job->sent = lab_transfer_sent(x, s.mine, s.count);
    if (job) job->between = lab_sent_between(c, x, job->sent);
    return t;
}
static bool null_wait(struct lab_comm *c, lab_ticket t, struct lab_message *m) {
    (void)m;
    struct lab_tickets *q = &null_of(c)->tickets;
    while (q->told < t && q->told < q->started) {
        struct lab_job job = *lab_tickets_at(q, q->told + 1);
        lab_tickets_tell(c, q, &job);
    }
    return true;
}
static bool null_exchange(struct lab_comm *c, double mine, double *all, struct lab_message *m) {
    (void)m;
    for (uint32_t r = 0; r < c->ranks; r++) all[r] = mine;
    c->control += (c->ranks - 1) * sizeof mine;
    return true;
}
static bool null_barrier(struct lab_comm *c, struct lab_message *m) {
    (void)c, (void)m;
    return true;
}
static void null_progress(struct lab_comm *c, uint32_t step, int phase, int unit) {
    (void)c, (void)step, (void)phase, (void)unit;
}
static uint64_t null_resident(struct lab_comm *c) {
    (void)c;
    return 0;
}
static void null_close(struct lab_comm *c) {
    free(null_of(c)->tickets.job);
    free(c);
}

static const struct lab_comm_row null_row = {
    .name = "null",
    .alloc = null_alloc,
    .free = null_free,
    .start = null_start,
    .wait = null_wait,
    .exchange = null_exchange,
    .barrier = null_barrier,
    .progress = null_progress,
    .resident = null_resident,
    .close = null_close,
};
struct lab_comm *lab_null_comm(uint32_t rank, uint32_t ranks) {
    struct null_comm *n = calloc(1, sizeof *n);
    if (!n) return NULL;
    n->comm = (struct lab_comm){.row = &null_row, .rank = rank, .ranks = ranks};
    n->next = (uintptr_t)1 << 46;
    return &n->comm;
}
