/* Exposed time: what of the communication no computation hides, summed over windows.
 *
 * A micro-batch's forward is a row of blocks, each a window: while one computes, the next one's parameters are gathered. Its backward is the
 * row in reverse: the next gather and the last gradients' reduction share each window. A window hides at most its own computation. Blocks
 * are alike, so the sum over a pass of max(0, communication − computation) of each is that of the pass; passes differ, since reductions
 * may come with the last backward only, and heads and tails have no window at all. The head's computation hides none of it: when it runs,
 * all is gathered and nothing is reduced. So max(0, communication − computation) of the whole step is a lower bound. */
#include "account/traffic/clock.h"

static bool is_each(const struct account_collective *collective, uint32_t micro) {
    return collective->windows >= micro;
}

/* Seconds of a collective in one of its windows' passes. */
static double windowed(const struct account_collective *collective, double seconds) {
    return seconds * (1 - collective->head) / (collective->windows ? collective->windows : 1);
}

struct pass {
    double each, last; /* seconds that every micro-batch has, that the last has besides */
};

static struct pass pass_of(const struct account_traffic *t, const double *seconds,
                           enum account_window window, uint32_t micro) {
    struct pass p = {0};
    for (size_t i = 0; i < t->collectives; i++) {
        const struct account_collective *collective = &t->collective[i];
        if (collective->window != window) continue;
        *(is_each(collective, micro) ? &p.each : &p.last) += windowed(collective, seconds[i]);
    }
    return p;
}

/* The share of a pass's communication that sticks out of its computation. */
static double beyond(double comm, double compute) {
    return comm > compute ? 1 - compute / comm : 0;
}

static void expose_pass(const struct account_traffic *t, enum account_window window, double compute,
                        uint32_t micro, struct account_clock *out) {
    struct pass p = pass_of(t, out->collective, window, micro);
    double most = beyond(p.each, compute), last = beyond(p.each + p.last, compute);
    for (size_t i = 0; i < t->collectives; i++) {
        const struct account_collective *collective = &t->collective[i];
        if (collective->window != window) continue;
        double one = windowed(collective, out->collective[i]);
        double before = is_each(collective, micro) ? (micro - 1.0) * most : 0;
        out->exposed[i] = out->collective[i] * collective->head + one * (before + last);
    }
}

void account_expose(const struct account_traffic *t, const struct account_work *work,
                    uint32_t micro, struct account_clock *out) {
    for (size_t i = 0; i < t->collectives; i++) out->exposed[i] = out->collective[i];
    expose_pass(t, ACCOUNT_BEHIND_FORWARD, work->forward * work->blocks / micro, micro, out);
    expose_pass(t, ACCOUNT_BEHIND_BACKWARD, work->backward * work->blocks / micro, micro, out);
    for (size_t i = 0; i < t->collectives; i++) out->comm_exposed += out->exposed[i];
}
