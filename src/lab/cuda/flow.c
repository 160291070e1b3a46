#include "lab/cuda/flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool check(struct lab_flow *f, cudaError_t e, const char *what) {
    return lab_cuda_check(f->cuda, e, what);
}
static bool is_timed(enum lab_mark mark) {
    return mark == LAB_BEGUN || mark == LAB_ARRIVED || mark == LAB_ENDED || mark == LAB_STALLED ||
           mark == LAB_RESUMED;
}
static bool make_marks(struct lab_flow *f, struct lab_marks *marks) {
    bool well = true;
    for (int i = 0; well && i < LAB_MARKS; i++)
        well = check(f,
                     cudaEventCreateWithFlags(&marks->at[i], is_timed((enum lab_mark)i)
                                                                 ? cudaEventDefault
                                                                 : cudaEventDisableTiming),
                     "an event");
    return well;
}

bool lab_flow_open(struct lab_flow *f, struct lab_device *d, const struct lab_comm_row *row,
                   uint32_t rank, uint32_t ranks, struct lab_message *m) {
    f->cuda = lab_cuda_of(d);
    f->comm = (struct lab_comm){.row = row, .rank = rank, .ranks = ranks};
    if (check(f, cudaEventCreateWithFlags(&f->zero, cudaEventDefault), "an event")) {
        lab_flow_set_clock(f, 0); /* an event's first use takes longer */
        if (!f->cuda->trouble.text[0]) return true;
    }
    *m = f->cuda->trouble;
    return false;
}
void lab_flow_set_clock(struct lab_flow *f, double now) {
    (void)check(f, cudaEventRecord(f->zero, f->cuda->compute), "an event");
    (void)check(f, cudaEventSynchronize(f->zero), "an event");
    f->zero_at = now;
}
void lab_flow_close(struct lab_flow *f) {
    for (size_t i = 0; i < f->capacity; i++)
        for (int k = 0; k < LAB_MARKS; k++) (void)cudaEventDestroy(f->marks[i].at[k]);
    if (f->zero) (void)cudaEventDestroy(f->zero);
    free(f->marks);
    free(f->tickets.job);
}

struct lab_marks *lab_flow_marks(struct lab_flow *f, lab_ticket t) {
    return &f->marks[t & (f->capacity - 1)];
}
/* The tickets' queue has grown. Transfers in flight keep their events, and the other tickets get
 * new ones. */
static bool grow(struct lab_flow *f) {
    struct lab_flow old = *f;
    size_t capacity = f->tickets.capacity;
    bool well = true;
    struct lab_marks *marks = calloc(capacity, sizeof *marks);
    if (!marks) return false;
    f->marks = marks;
    f->capacity = capacity;
    for (lab_ticket t = f->tickets.told + 1; old.capacity && t < f->tickets.started; t++)
        *lab_flow_marks(f, t) = *lab_flow_marks(&old, t);
    for (size_t i = 0; well && i < capacity; i++)
        if (!marks[i].at[LAB_READY]) well = make_marks(f, &marks[i]);
    free(old.marks);
    return well;
}
void lab_flow_record(struct lab_flow *f, lab_ticket t, enum lab_mark mark, cudaStream_t on) {
    (void)check(f, cudaEventRecord(lab_flow_marks(f, t)->at[mark], on), "an event");
}
lab_ticket lab_flow_add(struct lab_flow *f, const struct lab_transfer *x) {
    lab_ticket t = lab_tickets_add(&f->tickets, x);
    if (!t || (f->capacity < f->tickets.capacity && !grow(f))) return 0;
    lab_flow_record(f, t, LAB_READY, f->cuda->compute);
    return t;
}

void lab_flow_wait(struct lab_flow *f, lab_ticket t) {
    cudaStream_t compute = f->cuda->compute;
    for (; f->waited < t && f->waited < f->tickets.started; f->waited++) {
        lab_ticket next = f->waited + 1;
        lab_flow_record(f, next, LAB_STALLED, compute);
        (void)check(f, cudaStreamWaitEvent(compute, lab_flow_marks(f, next)->at[LAB_DONE], 0),
                    "waiting for a transfer");
        lab_flow_record(f, next, LAB_RESUMED, compute);
    }
}

/* ── times ── */

static double between(struct lab_flow *f, cudaEvent_t from, cudaEvent_t to) {
    float ms = 0;
    (void)check(f, cudaEventElapsedTime(&ms, from, to), "the time between two events");
    return ms > 0 ? ms / 1e3 : 0;
}
static void read_times(struct lab_flow *f, lab_ticket t) {
    const cudaEvent_t *at = lab_flow_marks(f, t)->at;
    struct lab_comm_times *times = &lab_tickets_at(&f->tickets, t)->times;
    times->started = times->arrived = f->zero_at + between(f, f->zero, at[LAB_BEGUN]);
    times->ended = times->started + between(f, at[LAB_BEGUN], at[LAB_ENDED]);
    times->exposed = between(f, at[LAB_STALLED], at[LAB_RESUMED]);
}
/* A float of milliseconds has only seven digits, so the zero moves along with the run. */
static void move_zero(struct lab_flow *f) {
    cudaEvent_t next = lab_flow_marks(f, f->waited)->at[LAB_RESUMED];
    f->zero_at += between(f, f->zero, next);
    lab_flow_marks(f, f->waited)->at[LAB_RESUMED] = f->zero;
    f->zero = next;
}
bool lab_flow_settle(struct lab_flow *f, struct lab_message *m) {
    if (f->tickets.told < f->waited) {
        cudaEvent_t last = lab_flow_marks(f, f->waited)->at[LAB_RESUMED];
        (void)check(f, cudaEventSynchronize(last), "the transfers of a step");
        for (lab_ticket t = f->tickets.told + 1; t <= f->waited; t++) read_times(f, t);
        move_zero(f);
    }
    if (f->cuda->trouble.text[0]) *m = f->cuda->trouble;
    return !f->cuda->trouble.text[0];
}
void lab_flow_tell(struct lab_flow *f) {
    while (f->tickets.told < f->waited) {
        struct lab_job job = *lab_tickets_at(&f->tickets, f->tickets.told + 1);
        lab_tickets_tell(&f->comm, &f->tickets, &job);
    }
}
