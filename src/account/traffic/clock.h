/* Seconds, from the parts that make up a step. */
#ifndef ACCOUNT_CLOCK_H
#define ACCOUNT_CLOCK_H

#include "account/traffic/flows.h"
#include "account/training/wires.h"

/* Seconds of a rank's own work in a step; `known` is false without a card, a shape, batch and
 * seq. */
struct account_work {
    bool known;
    double forward, backward;
    double blocks; /* share of them that is the blocks', not the head's */
};
struct account_work account_work(const struct account_training *t);
double account_update_seconds(const struct account_traffic_writer *w);
/* What offloading adds beside `update`; negative: a rate that it needs is unknown. */
double account_offload_seconds(const struct account_traffic_writer *w,
                               const struct account_wires *wires, const struct account_work *work,
                               double update);
/* Fills `exposed` and its sum from the seconds of the collectives. */
void account_expose(const struct account_traffic *traffic, const struct account_work *work,
                    uint32_t micro, struct account_clock *out);

#endif
