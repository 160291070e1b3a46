/* The guard. Compute may wait for a GPU on which a kernel of NCCL spins for a rank that has died.
 * Also how a communicator is released. */
#include "lab/cuda/nccl_comm.h"
#include "lab/out.h"
#include "lab/report.h"

#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ── letting go of a communicator ──
 *
 * NCCL's abort joins threads of its own and waits for streams of its own (init.cc, ncclCommAbort
 * and commDestroySync): where one of these never ends, neither would this process, nor the guard
 * that looks after it. So it has a deadline, after which the process says so and ends at once. */

enum { LONGEST_S = 10, FAREWELL_MS = 500 };

struct parting {
    struct lab_nccl_comm *k;
    double patience;
    struct lab_word over;
};

static void say_stuck(const struct parting *p) {
    struct lab_nccl_comm *k = p->k;
    uint32_t rank = k->flow.comm.rank;
    struct lab_report r = {.says = LAB_SAYS_ERROR, .rank = rank, .where.unit = -1};
    char line[LAB_REPORT_LINE];
    if (k->control) r.where = lab_control_where(k->control, rank);
    (void)snprintf(r.as.error.text, sizeof r.as.error.text,
                   "%.110s%srank %u: NCCL did not free its communicator within %g s", k->why,
                   k->why[0] ? "; " : "", rank, p->patience);
    lab_report_write(&r, line);
    if (lab_launched())
        (void)lab_launch_write(rank, line);
    else
        lab_meet_say(k->meet, line);
    lab_out_say("%s", r.as.error.text);
}
static void *watch(void *self) {
    struct parting *p = self;
    int64_t until = lab_now() + (int64_t)(p->patience * 1e9);
    while (!atomic_load(&p->over.value) && lab_now() < until) lab_word_wait(&p->over, 0, until);
    if (atomic_load(&p->over.value)) return NULL;
    say_stuck(p);
    (void)poll(NULL, 0, FAREWELL_MS); /* rank 0's rendezvous passes it on */
    _exit(1);
}
void lab_nccl_let_go(struct lab_nccl_comm *k) {
    struct parting p = {.k = k, .patience = k->stall < LONGEST_S ? k->stall : LONGEST_S};
    pthread_t watcher;
    if (!k->comm) return;
    lab_word_init(&p.over);
    bool watched = !pthread_create(&watcher, NULL, watch, &p);
    (void)k->nccl.abort(k->comm);
    k->comm = NULL;
    atomic_store(&p.over.value, 1);
    lab_word_wake(&p.over);
    if (watched) (void)pthread_join(watcher, NULL);
}

/* ── what ends it, and when ── */

enum { TICK_MS = 50, BRISK_NS = 500000 };

/* Blames the rank that did not arrive, whichever rank's exit the launcher sees first and whichever
 * rank reports first. */
static void note_missed(struct lab_nccl_comm *k) {
    int rank = lab_meet_blamed(k->meet);
    uint32_t nobody = 0;
    if (rank < 0 || (uint32_t)rank == k->flow.comm.rank) return;
    k->flow.comm.missed = (uint32_t)rank + 1;
    if (k->control)
        atomic_compare_exchange_strong(&k->control->missed, &nobody, (uint32_t)rank + 1);
}
void lab_nccl_break(struct lab_nccl_comm *k, const char *why) {
    if (k->broken) return;
    k->broken = true;
    lab_meet_abort(k->meet, -1, why);
    struct lab_message first = {""}; /* what broke it for all */
    (void)lab_meet_broken(k->meet, &first);
    (void)snprintf(k->why, sizeof k->why, "%s", first.text[0] ? first.text : why);
    note_missed(k);
    lab_nccl_let_go(k);
}

static bool meeting_broken(struct lab_nccl_comm *k, char *why, size_t capacity) {
    struct lab_message m;
    if (!lab_meet_broken(k->meet, &m)) return false;
    (void)snprintf(why, capacity, "%s", m.text);
    return true;
}
static bool failed(struct lab_nccl_comm *k, int result, char *why, size_t capacity) {
    const char *more = k->nccl.last_error(k->comm);
    (void)snprintf(why, capacity, "rank %u: NCCL: %s%s%.180s", k->flow.comm.rank,
                   k->nccl.error_text(result), more && *more ? ": " : "", more ? more : "");
    return false;
}
/* A thread that NCCL creates launches each collective, within about ten microseconds. A thread that
 * sleeps for each of them falls behind the GPU. */
static void pause_since(int64_t began) {
    if (lab_now() - began < BRISK_NS)
        (void)sched_yield();
    else
        (void)poll(NULL, 0, 1);
}
bool lab_nccl_poll(struct lab_nccl_comm *k, int result, double patience, char *why,
                   size_t capacity) {
    int64_t began = lab_now(), until = began + (int64_t)(patience * 1e9);
    while (result == LAB_NCCL_IN_PROGRESS) {
        int asked = k->nccl.async_error(k->comm, &result);
        if (asked != LAB_NCCL_SUCCESS) result = asked;
        if (result != LAB_NCCL_IN_PROGRESS) break;
        if (meeting_broken(k, why, capacity)) return false;
        if (lab_now() > until) {
            (void)snprintf(why, capacity, "rank %u: NCCL did not end within %g s",
                           k->flow.comm.rank, patience);
            return false;
        }
        pause_since(began);
    }
    return result == LAB_NCCL_SUCCESS || failed(k, result, why, capacity);
}

/* ── what it looks at, with the mutex held ── */

static bool async_failed(struct lab_nccl_comm *k, char *why, size_t capacity) {
    int result = LAB_NCCL_SUCCESS, asked = k->nccl.async_error(k->comm, &result);
    if (asked != LAB_NCCL_SUCCESS) result = asked;
    return result != LAB_NCCL_SUCCESS && result != LAB_NCCL_IN_PROGRESS &&
           !failed(k, result, why, capacity);
}
/* A collective that began on this GPU and does not end: some rank has not started it, or a link is
 * dead. */
static bool overdue(struct lab_nccl_comm *k, lab_ticket *seen, int64_t *since, char *why,
                    size_t capacity) {
    struct lab_flow *f = &k->flow;
    lab_ticket t = *seen > f->tickets.told ? *seen : f->tickets.told + 1;
    while (t <= k->moved && cudaEventQuery(lab_flow_marks(f, t)->at[LAB_ENDED]) == cudaSuccess) t++;
    bool under_way =
        t <= k->moved && cudaEventQuery(lab_flow_marks(f, t)->at[LAB_BEGUN]) == cudaSuccess;
    if (t != *seen || !under_way) *since = lab_now();
    *seen = t;
    if ((double)(lab_now() - *since) < k->stall * 1e9) return false;
    const struct lab_transfer *x = &lab_tickets_at(&f->tickets, t)->transfer;
    (void)snprintf(why, capacity, "rank %u: %s of unit %d has not ended within %g s: a rank hangs",
                   f->comm.rank, lab_collective_name(x->op), x->unit, k->stall);
    return true;
}
static void *guard(void *self) {
    struct lab_nccl_comm *k = self;
    lab_ticket seen = 0;
    int64_t since = lab_now(), looked = 0;
    (void)cudaSetDevice(k->flow.cuda->gpu);
    for (bool going = true; going;) {
        char why[sizeof k->why];
        (void)poll(NULL, 0, TICK_MS);
        since += lab_slept(&looked, TICK_MS);
        (void)pthread_mutex_lock(&k->mutex);
        if (k->comm && (meeting_broken(k, why, sizeof why) || async_failed(k, why, sizeof why) ||
                        overdue(k, &seen, &since, why, sizeof why)))
            lab_nccl_break(k, why);
        going = !k->closing && k->comm;
        (void)pthread_mutex_unlock(&k->mutex);
    }
    return NULL;
}
bool lab_nccl_guard(struct lab_nccl_comm *k, struct lab_message *m) {
    k->guarded = !pthread_create(&k->guard, NULL, guard, k);
    if (!k->guarded)
        (void)snprintf(m->text, sizeof m->text, "rank %u: cannot start a thread (see ulimit -u)",
                       k->flow.comm.rank);
    return k->guarded;
}
void lab_nccl_unguard(struct lab_nccl_comm *k) {
    (void)pthread_mutex_lock(&k->mutex);
    k->closing = true;
    (void)pthread_mutex_unlock(&k->mutex);
    if (k->guarded) (void)pthread_join(k->guard, NULL);
}
