/* Seconds, from the parts that make up a step. */
#ifndef ACCOUNT_CLOCK_H
#define ACCOUNT_CLOCK_H

#include "account/traffic.h"

/* The links a training stands on; a rate of 0: unknown. */
struct account_wires {
    struct account_link link, net, host;
};
struct account_wires account_wires(const struct account_training *t);
/* Whether the rates that such a collective needs are known. */
bool account_wires_reach(const struct account_wires *wires, uint32_t ranks, uint32_t per_node);
/* NVIDIA/nccl, src/graph/tuning.cc, ncclTunerConstantsDefaults: what a ring costs before its first hop, protocol Simple. A link without a
 * hop time is an ideal one, of bandwidth alone. */
#define ACCOUNT_ONCE 8.4e-6
struct account_hops {
    double inside, between;
};
struct account_hops account_hops(enum account_collective_kind c, uint32_t ranks, uint32_t per_node);
/* Bytes per second of a ring, the node's NICs together where it leaves the node. */
double account_ring_rate(const struct account_wires *wires, uint32_t ranks, uint32_t per_node);
double account_wire_seconds(const struct account_wires *wires, enum account_collective_kind c,
                            uint32_t ranks, uint32_t per_node, double bytes);

/* Seconds of a rank's own work in a step; `known` is false without a card, a shape, batch and seq. */
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
/* Fills `exposed` and its sum from the seconds of the legs. */
void account_expose(const struct account_traffic *traffic, const struct account_work *work,
                    uint32_t micro, struct account_clock *out);

#endif
