/* How traffic is written: one flow at a time, each a kind of collective that a rank takes part
 * in. */
#ifndef ACCOUNT_FLOWS_H
#define ACCOUNT_FLOWS_H

#include "account/traffic/traffic.h"
#include "account/training/resolved.h"
#include "account/training/wires.h"

struct account_flow {
    enum account_collective_kind op;
    /* name: of the group */
    const char *what, *name;
    struct account_group group;
    /* a step */
    uint64_t runs;
    /* micro-batches of a step in which it runs */
    uint32_t windows;
    /* collectives a run: latency counts them */
    double calls;
    /* bytes that each peer reads of this rank in a run: its shard, or what goes to that peer */
    uint64_t part;
    /* p2p: halves of `part` that leave the node */
    uint8_t away;
    enum account_window window;
    /* shares: without computation beside it; in forward */
    double head, forward;
    bool after;
};

struct account_traffic_writer {
    const struct account_resolved *is;
    /* blocks on the rank; micro-batches a step */
    uint32_t layers, micro;
    /* 0 where nothing is sharded */
    uint8_t stage;
    account_sum sent[ACCOUNT_COLLECTIVES], between, network;
    /* a sum does not fit 64 bits */
    bool too_much;
    struct account_traffic *out;
};

/* Blocks on a rank of the first pipeline stage. */
uint32_t account_blocks_here(const struct account_resolved *is);
/* Fills what does not follow from others. What is resolved must outlive the writer. */
void account_traffic_begin(const struct account_resolved *is, struct account_traffic *out,
                           struct account_traffic_writer *w);
/* Everything else: collectives and sums. False where a sum does not fit 64 bits. */
bool account_traffic_fill(struct account_traffic_writer *w, struct account_error *e);
/* A sum in 64 bits; marks the writer where it does not fit. */
uint64_t account_narrow_sum(struct account_traffic_writer *w, account_sum sum);
/* Adds a collective; none where the group is one rank or nothing moves. */
void account_put_flow(struct account_traffic_writer *w, const struct account_flow *f);
/* Collectives of data parallelism: gradients, parameters, replicas, ZeRO++. */
void account_put_data_flows(struct account_traffic_writer *w);

/* What one set of parameters moves. */
struct account_moved {
    enum account_set set;
    /* that divides it, or reduces it */
    struct account_group group;
    bool trained;
    uint32_t bytes, reduce_bytes;
};
/* Elements on each of `ranks`, padded as the recipe pads. */
uint64_t account_moved_shard(const struct account_traffic_writer *w, const struct account_moved *s,
                             uint32_t ranks);
/* Of a recipe that gathers unit by unit, elements on each of `ranks` of the units that backward
 * does not gather again: embeddings and head, if they are not one (src/lab/gather.c). */
uint64_t account_gathered_once(const struct account_traffic_writer *w, enum account_set set,
                               uint32_t ranks);
/* Adds so many multiples of the set to the volume. */
void account_count_volume(struct account_traffic_writer *w, const struct account_moved *s,
                          double times);
/* Shares of the rank's parameters: the embedding, one block. The whole and nothing where no unit is
 * known. */
struct account_shard_unit_shares {
    double embedding, block;
};
struct account_shard_unit_shares account_shard_unit_shares(const struct account_traffic_writer *w);

/* Collectives of tensor, pipeline, context and expert parallelism: none without a shape, batch and
 * seq. */
void account_put_model_flows(struct account_traffic_writer *w);

/* Parameters of the sets that are trained, on this rank, sharded if the optimizer's states are. */
uint64_t account_updated_elements(const struct account_resolved *is);
bool account_is_trained(const struct account_resolved *is, enum account_set set);
/* Ranks that divide a set. */
uint32_t account_set_ranks(const struct account_sheet *s, enum account_set set);

/* Bytes over one GPU's host link, a step. */
struct account_offload {
    /* in `windows` micro-batches: their gradients, or the sums so far */
    account_sum grads_down;
    /* the complete gradients beside those, in the last micro-batch */
    account_sum last_down;
    /* sums that come back to be added to, in `windows` at most */
    account_sum sums_up;
    /* what the GPU updated, where parameters lie elsewhere */
    account_sum params_down;
    /* parameters after the host's update */
    account_sum updated_up;
    /* shards, before each gather: in `gathers` of each micro-batch */
    account_sum gathered_up;
    /* from and to NVMe */
    account_sum disk_read, disk_written;
    uint32_t windows, gathers;
};
struct account_offload account_offload(const struct account_traffic_writer *w);
struct account_offload account_offload_of(const struct account_resolved *is);

/* account_traffic() of what is resolved. */
bool account_traffic_of(const struct account_resolved *is, struct account_traffic *out,
                        struct account_error *e);
/* account_clock() of what is resolved, and the traffic whose collectives it times. */
bool account_clock_of(const struct account_resolved *is, struct account_traffic *traffic,
                      struct account_clock *out, struct account_error *e);

/* ── seconds, from the parts that make up a step (clock.c) ─────────────────────────────────────*/

/* Seconds of a rank's own work in a step; `known` is false without a card, a shape, batch and
 * seq. */
struct account_work {
    bool known;
    double forward, backward;
    /* share of them that is the blocks', not the head's */
    double blocks;
};
struct account_work account_work(const struct account_resolved *is);

#endif
