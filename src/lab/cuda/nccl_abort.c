/* Letting go of a communicator. NCCL's abort joins threads of its own and waits for streams of its own (init.cc, ncclCommAbort and commDestroySync): where
 * one of these never ends, neither would this process, nor the guard that looks after it. So it has a deadline, after which the process says so and
 * ends at once. */
#include "lab/cuda/nccl_comm.h"
#include "lab/out.h"
#include "lab/report.h"

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

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
                   "%.110s%srank %u: NCCL does not let go of its communicator within %g s", k->why,
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
    (void)poll(NULL, 0, FAREWELL_MS); /* rank 0's meeting passes it on */
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
