/* Where the rank is: told to the ledger, the watchdog and whoever reads events. */
#include "lab/engine.h"

#include <stdio.h>
#include <time.h>

double lab_seconds(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool lab_fail_memory(struct lab_rank *k) {
    (void)snprintf(k->message.text, sizeof k->message.text,
                   "out of memory: the machine has none left for bookkeeping");
    return false;
}

void lab_at(struct lab_rank *k, enum lab_phase phase, int unit) {
    k->ledger.where = (struct lab_where){k->step, phase, unit};
    k->comm->row->progress(k->comm, k->step, (int)phase, unit);
}

/* In the last micro-step of each step: the others look the same. */
void lab_say_memory(struct lab_rank *k) {
    struct lab_report r = {
        .says = LAB_SAYS_MEMORY, .rank = k->comm->rank, .where = k->ledger.where};
    if (k->micro + 1 < k->options->accumulate && k->step) return;
    memcpy(r.as.memory.now, k->ledger.now, sizeof r.as.memory.now);
    r.as.memory.total = k->ledger.total;
    if (k->options->comm == LAB_SHM && !k->options->dry)
        r.as.memory.resident = lab_resident() + k->comm->row->resident(k->comm);
    if (k->device->row->gauge) k->device->row->gauge(k->device, &r.as.memory.gauge);
    k->sink->say(k->sink->self, &r);
}

void lab_watch(void *self, const struct lab_transfer *x, uint64_t sent,
               const struct lab_comm_times *times) {
    struct lab_rank *k = self;
    struct lab_report r = {
        .says = LAB_SAYS_COMM,
        .rank = k->comm->rank,
        .where = {k->step, k->ledger.where.phase, x->unit}
    };
    r.as.comm = (struct lab_says_comm){
        x->op, sent, times->started, times->ended, times->exposed, times->arrived - times->started};
    k->meter.comm += times->ended - times->arrived;
    k->meter.exposed += times->exposed;
    k->meter.skew += times->arrived - times->started;
    k->sink->say(k->sink->self, &r);
}
