/* traffic: what one rank sends in a step, and how long the step takes.
 *
 * In flows a training. Its sheet says what is divided among which ranks, its recipe's row which
 * collective runs for that and how often, its mesh which of the ranks share a node. Out flow
 *
 *   account_traffic()    every kind of collective of a step: calls, payload, bytes sent, bytes
 *                        that leave the node
 *   account_clock()      the seconds of each, how many of them no computation hides, and the
 *                        step
 *   account_schedule()   the same step as intervals on two lanes
 *
 * One flow is one collective of one group: traffic_data.c writes those of data parallelism,
 * traffic_model.c those of tensor, context, expert and pipeline parallelism, traffic_offload.c what
 * crosses the link to the host. Bytes are those that a rank sends in a ring; an all-reduce of n
 * bytes among N ranks sends 2(N−1)/N · n.
 *
 * The clock gives each collective latency + bytes ÷ bandwidth (training/wires.h), computation the
 * model's operations at a share of the card's peak, and the optimizer the card's memory bandwidth.
 * A collective hides behind the computation of its window and sticks out with the rest (clock.c).
 * Where a rate is unknown, what follows from it is 0 and is marked so. */
#ifndef ACCOUNT_TRAFFIC_H
#define ACCOUNT_TRAFFIC_H

#include "account/memory/memory.h"

struct account_training;

/* Behind which computation a collective may hide. */
enum account_window {
    /* None: it runs alone. */
    ACCOUNT_BARE,
    /* Of the units that still run. */
    ACCOUNT_BEHIND_FORWARD,
    ACCOUNT_BEHIND_BACKWARD,
    /* A layer waits for it: tensor parallel. */
    ACCOUNT_INSIDE_LAYER
};
/* One kind of collective in a step. */
struct account_collective {
    enum account_collective_kind op;
    /* "gather parameters for backward" */
    const char *what;
    /* "shard", "replicas", "tensor", "context", "expert", "pipeline" */
    const char *group;
    /* Ranks of the group, and how many of them share a node. */
    uint32_t ranks;
    uint32_t per_node;
    /* Per step. */
    double calls;
    /* Bytes of the whole array, of all calls of a step together. */
    double payload;
    /* By one rank in a step; and of those, to other nodes. */
    uint64_t sent;
    uint64_t between;
    /* What this GPU's network card carries: in a ring a byte enters a node once, whoever reads it
     * there. */
    uint64_t network;
    enum account_window window;
    /* Micro-batches of a step in which it runs: all, or the last alone. */
    uint32_t windows;
    /* The share of it that runs in forward; the rest runs in backward, or when that is over. */
    double forward;
    /* Once, when backward is over. */
    bool after;
    /* The share of it that has no computation to hide behind though its window has: the first
     * gather, the last bucket. */
    double head;
};
#define ACCOUNT_COLLECTIVES_MOST 24
struct account_traffic {
    uint64_t sent[ACCOUNT_COLLECTIVES], total;
    /* Of the total: bytes of this rank's memory that ranks of its own node, of others, read. */
    uint64_t inside, between;
    /* What this GPU's network card carries: what takes the time between nodes. */
    uint64_t network;
    /* Over this GPU's own host link, per step. */
    uint64_t offload_down, offload_up;
    /* Of what goes up, shards before gathers: also in a step whose update is skipped. */
    uint64_t offload_gathered;
    /* Of this rank's states on NVMe, per step. */
    uint64_t disk_read, disk_written;
    /* Of data parallelism alone, in multiples of Ψ elements as N → ∞ (the ZeRO paper's). */
    double volume_params;
    size_t collectives;
    struct account_collective collective[ACCOUNT_COLLECTIVES_MOST];
};
bool account_traffic(const struct account_training *t, struct account_traffic *out,
                     struct account_error *e);

/* ── seconds ───────────────────────────────────────────────────────────────────────────────────*/

struct account_clock {
    /* False: links, or card and model, are unknown, and what follows from them is 0. */
    bool has_comm, has_compute;
    /* Seconds of each collective of the traffic, and those that no computation hides. */
    double collective[ACCOUNT_COLLECTIVES_MOST];
    double exposed[ACCOUNT_COLLECTIVES_MOST];
    /* Their sums: exposed is summed over windows. */
    double comm, comm_exposed;
    /* Computation of a step, recomputation in backward. */
    double forward, backward;
    /* The optimizer, by memory bandwidth; what offload adds where nothing hides it. */
    double update, offload;
    /* Of the pipeline. */
    double bubble;
    /* 0 where compute is unknown. */
    double step, tokens_per_s;
};
bool account_clock(const struct account_training *t, struct account_clock *out,
                   struct account_error *e);
/* account_traffic() and account_clock() of a training that is resolved once. */
bool account_traffic_clock(const struct account_training *t, struct account_traffic *traffic,
                           struct account_clock *clock, struct account_error *e);
/* The step as intervals on two lanes, laid out as account_clock() counts: each block is a window in
 * which its computation and an even share of what hides behind it begin together; the longer of the
 * two ends the window. So the spans add up to the clock's sums, each collective's to its seconds,
 * and the last ends where `step` says. What is exposed adds up over a pass, not collective by
 * collective: here it is what sticks out of a window, there it is shared among them. The pipeline's
 * bubble and offloading are in one piece each. */
enum account_span_kind {
    /* Computes a block; the head and the loss; the optimizer's update. */
    ACCOUNT_SPAN_BLOCK,
    ACCOUNT_SPAN_HEAD,
    ACCOUNT_SPAN_UPDATE,
    /* Waits for the host; for other pipeline stages. */
    ACCOUNT_SPAN_OFFLOAD,
    ACCOUNT_SPAN_BUBBLE,
    /* The communication lane's. */
    ACCOUNT_SPAN_COMM
};
struct account_span {
    enum account_span_kind kind;
    /* ACCOUNT_FORWARD, BACKWARD, UPDATE */
    enum account_phase phase;
    /* Micro-batch, from 0. */
    uint32_t micro;
    /* From 1, as forward counts them; 0: none. Of COMM: the block whose window it is in. */
    uint32_t block;
    /* Of COMM: which of account_traffic()'s. */
    size_t collective;
    /* Seconds since the step began. */
    double start, end;
    /* Of COMM: seconds at its end in which nothing computes. */
    double exposed;
};
#define ACCOUNT_SCHEDULE_BLOCKS 65536
/* In the order in which they begin, lane by lane within a window; at most `capacity` are filled,
 * `*count` says how many there are. An error where a clock would know no compute or no
 * communication, or where micro-batches × blocks are more than ACCOUNT_SCHEDULE_BLOCKS. */
bool account_schedule(const struct account_training *t, struct account_span *out, size_t capacity,
                      size_t *count, struct account_error *e);
/* Seconds of one call over `bytes`, by latency and bandwidth: latency + factor × bytes ÷ rate.
 * A group that spans nodes is one ring through all of them. */
double account_collective_seconds(const struct account_training *t, enum account_collective_kind c,
                                  uint32_t ranks, uint32_t per_node, double bytes);
/* The card's own host link, or a rate of 0. */
struct account_link account_host_link(const struct account_training *t);
/* What the seconds of a collective are made of: calls × (start + factor × bytes of a call ÷ rate),
 * start = once + hops × latencies. */
struct account_pace {
    /* Seconds, steps, steps, seconds. */
    double once, hops_inside, hops_between, start;
    /* Of the bytes that all calls move; rate 0: by pairs, two links. */
    double factor, bytes, rate;
    /* What it runs over. */
    struct account_link link, net;
    /* So many NICs of a node carry it: 0 if it stays inside, or the node's own link is slower. */
    double nics;
};
bool account_pace(const struct account_training *t, const struct account_collective *collective,
                  struct account_pace *out);

/* A link is known by two numbers, latency and rate (Hockney, "The communication challenge for MPP",
 * Parallel Computing 20, 1994): a ring of N ranks takes  hops · latency + bytes ÷ rate  for a
 * collective, with N − 1 hops and (N−1)/N of the array sent, twice both in an all-reduce (Thakur et
 * al., "Optimization of collective communication operations in MPICH", IJHPCA 19, 2005, section
 * 4). */
struct account_link_point {
    /* Steps of the ring; bytes that a rank sends; what it took. */
    double hops, bytes, seconds;
};
struct account_link_fit {
    /* Seconds; bytes a second, 0: the bytes cost nothing; root mean square of the relative
     * errors. */
    double latency, rate, residual;
};
/* Fits both to measured times by least squares of the relative errors. False if the points do not
 * tell them apart: fewer than two, no time, or all of one size. */
bool account_fit_link(const struct account_link_point *p, size_t n, struct account_link_fit *out);
/* The seconds of a collective over such a link. */
double account_link_seconds(const struct account_link_fit *f, double hops, double bytes);

#endif
