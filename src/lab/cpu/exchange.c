/* A comm over shared memory: the compute thread's side, and the loop of the communication thread. */
#include "lab/cpu/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct lab_exchange *exchange_of(struct lab_comm *c) {
    return (struct lab_exchange *)c;
}
static struct lab_seat *seat_of(struct lab_exchange *e) {
    return &e->control->seat[e->comm.rank];
}
void lab_exchange_left(const struct lab_exchange *e, char *why, size_t capacity) {
    snprintf(why, capacity, "rank %u left the run", atomic_load(&e->control->left) - 1);
}

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
    bool done = lab_exchange_transfer(e, &job, why, sizeof why);
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

/* Peers could not read this: better said at once than found as wrong numbers. */
static bool readable(struct lab_exchange *e, const struct lab_transfer *x) {
    size_t bytes;
    const void *read = lab_exchange_read(e, x, &bytes);
    bool reads_mine = e->comm.ranks > 1 && bytes && (x->op != LAB_BROADCAST || e->comm.rank == 0);
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
    atomic_store(&seat_of(e)->waiting, 1);
    while (e->finished < t && !e->broken) pthread_cond_wait(&e->done, &e->mutex);
    atomic_store(&seat_of(e)->waiting, 0);
    atomic_fetch_add(&seat_of(e)->beats, 1);
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
    atomic_store(&seat_of(e)->waiting, 1);
    bool met = lab_control_meet(e->control, LAB_COMPUTE);
    atomic_store(&seat_of(e)->waiting, 0);
    atomic_fetch_add(&seat_of(e)->beats, 1);
    if (!met) lab_exchange_left(e, m->text, sizeof m->text);
    return met;
}
/* Two values a seat, used in turn: a rank writes this one again only after all have met once more, and so have read it. Every value
 * is read by all the others. */
static bool exchange_exchange(struct lab_comm *c, double mine, double *all, struct lab_message *m) {
    struct lab_exchange *e = exchange_of(c);
    uint64_t turn = e->exchanges++ % 2;
    seat_of(e)->value[turn] = mine;
    if (!meet(e, m)) return false;
    for (uint32_t r = 0; r < c->ranks; r++) all[r] = e->control->seat[r].value[turn];
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
        .wait = exchange_wait, .exchange = exchange_exchange, .barrier = exchange_barrier,         \
        .progress = exchange_progress, .resident = exchange_resident, .close = exchange_close      \
    }
const struct lab_comm_row lab_shm_row = ROW("shm"), lab_local_row = ROW("local");

bool lab_exchange_open(struct lab_exchange *e, const struct lab_comm_row *row,
                       const struct lab_options *o, uint32_t rank, struct lab_message *m) {
    e->comm = (struct lab_comm){.row = row, .rank = rank, .ranks = e->control->ranks};
    e->link_rate = o->link_rate;
    e->link_latency = o->link_latency;
    pthread_mutex_init(&e->mutex, NULL);
    pthread_cond_init(&e->work, NULL);
    pthread_cond_init(&e->done, NULL);
    if (!pthread_create(&e->thread, NULL, communicate, e)) return true;
    snprintf(m->text, sizeof m->text,
             "rank %u: no communication thread to be had (see ulimit -u, -v)", rank);
    return false;
}
