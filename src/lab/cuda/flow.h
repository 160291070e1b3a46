/* What comms on GPUs have in common: transfers on the communication stream, and events that order
 * and time them. Inside the lab only.
 *
 * start() records ready, wait() stalled and resumed:
 *
 *     compute  ──ready──────────────────────────stalled ┄ resumed──▶
 *                  ╲                                     ╱
 *     comm     ─────begun ── arrived ══ moves ══ ended ─ done ──▶
 *
 * The host goes on meanwhile: times are known, and told, when a step has ended: in settle(). */
#ifndef LAB_FLOW_H
#define LAB_FLOW_H

#include "lab/cuda/cuda.h"
#include "lab/comm.h"

enum lab_mark {
    /* compute has finished the data to send */
    LAB_READY,
    LAB_BEGUN,
    /* all ranks have started it */
    LAB_ARRIVED,
    /* all_reduce: summed, not yet gathered */
    LAB_HALF,
    LAB_ENDED,
    /* … on all ranks that read this one's memory */
    LAB_DONE,
    LAB_STALLED,
    LAB_RESUMED,
    LAB_MARKS
};
struct lab_marks {
    cudaEvent_t at[LAB_MARKS];
};
struct lab_flow {
    /* first: a lab_comm is one of these */
    struct lab_comm comm;
    struct lab_cuda *cuda;
    struct lab_tickets tickets;
    /* of each ticket, where tickets.job has it */
    struct lab_marks *marks;
    size_t capacity;
    /* compute waits for all tickets up to this one */
    lab_ticket waited;
    cudaEvent_t zero;
    /* seconds of the run when `zero` was passed */
    double zero_at;
};
/* False with a message. */
bool lab_flow_open(struct lab_flow *f, struct lab_device *d, const struct lab_comm_row *row,
                   uint32_t rank, uint32_t ranks, struct lab_message *m);
/* It is now so many seconds of the run, which all ranks count alike. */
void lab_flow_set_clock(struct lab_flow *f, double now);
void lab_flow_close(struct lab_flow *f);
/* A new ticket, with `ready` recorded; 0: memory is short. */
lab_ticket lab_flow_add(struct lab_flow *f, const struct lab_transfer *x);
struct lab_marks *lab_flow_marks(struct lab_flow *f, lab_ticket t);
void lab_flow_record(struct lab_flow *f, lab_ticket t, enum lab_mark mark, cudaStream_t on);
/* Makes compute wait for all transfers up to t that it does not wait for yet. */
void lab_flow_wait(struct lab_flow *f, lab_ticket t);
/* Blocks until what was waited for is over, and fills in its times but `arrived`, which it sets to
 * `started`: arrived − started is not known to one rank alone. False where the device failed. */
bool lab_flow_settle(struct lab_flow *f, struct lab_message *m);
/* The times are final: reports them, oldest first. */
void lab_flow_tell(struct lab_flow *f);

#endif
