/* Transfers that were started and whose end compute has not been told: a queue by ticket. */
#ifndef LAB_TICKETS_H
#define LAB_TICKETS_H

#include "lab/comm.h"

struct lab_job {
    struct lab_transfer transfer;
    struct lab_comm_times times;
    uint64_t sent;
};
struct lab_tickets { /* tickets 1 … told are forgotten, told + 1 … started are kept */
    struct lab_job *job;
    size_t capacity; /* a power of two; ticket t lies at t modulo it */
    lab_ticket started, told;
};
/* The next ticket, or 0 where memory is short. Moves the jobs. */
lab_ticket lab_tickets_add(struct lab_tickets *q, const struct lab_transfer *x);
struct lab_job *lab_tickets_at(const struct lab_tickets *q, lab_ticket t);
/* Counts the oldest job in `c`, calls its watch, and forgets it. */
void lab_tickets_tell(struct lab_comm *c, struct lab_tickets *q, const struct lab_job *oldest);

#endif
