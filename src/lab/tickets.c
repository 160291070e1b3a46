#include "lab/tickets.h"

#include <stdlib.h>

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
    q->told++;
    c->sent[oldest->transfer.op] += oldest->sent;
    if (c->watch) c->watch(c->watch_self, &oldest->transfer, oldest->sent, &oldest->times);
}
