/* The links a training runs over, and the seconds that a collective takes on them: latency + factor
 * × bytes ÷ rate. */
#ifndef ACCOUNT_WIRES_H
#define ACCOUNT_WIRES_H

#include "account/training/tables.h"

/* The links that a training uses; a rate of 0: unknown. */
struct account_wires {
    struct account_link link, net, host;
};
/* The links that were said, or else those that the card usually has; `card` may be NULL. */
struct account_wires account_wires_on(const struct account_card *card,
                                      const struct account_link *link,
                                      const struct account_link *net);
/* Whether the rates that such a collective needs are known. */
bool account_wires_reach(const struct account_wires *wires, uint32_t ranks, uint32_t per_node);
/* NVIDIA/nccl, src/graph/tuning.cc, ncclTunerConstantsDefaults: what a ring costs before its first
 * hop, protocol Simple. A link without a hop time is an ideal one, of bandwidth alone. */
#define ACCOUNT_ONCE 8.4e-6
struct account_hops {
    double inside, between;
};
struct account_hops account_hops(enum account_collective_kind c, uint32_t ranks, uint32_t per_node);
/* Bytes per second of a ring; of a ring that leaves the node, the node's NICs together. */
double account_ring_rate(const struct account_wires *wires, uint32_t ranks, uint32_t per_node);
double account_wire_seconds(const struct account_wires *wires, enum account_collective_kind c,
                            uint32_t ranks, uint32_t per_node, double bytes);

#endif
