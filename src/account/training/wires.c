/* Collectives: what a rank sends for one, and the seconds it takes on given links: latency + factor
 * × bytes ÷ rate. */
#include "account/training/wires.h"

static const struct {
    const char *name;
    /* times (n−1)/n of the array; of all-to-all too; p2p: none */
    uint8_t rounds;
} collectives[] = {
    [ACCOUNT_ALL_REDUCE] = {"all_reduce", 2},
    [ACCOUNT_REDUCE_SCATTER] = {"reduce_scatter", 1},
    [ACCOUNT_ALL_GATHER] = {"all_gather", 1},
    [ACCOUNT_ALL_TO_ALL] = {"all_to_all", 1},
    [ACCOUNT_P2P] = {"p2p", 0},
};

_Static_assert(sizeof collectives / sizeof *collectives == ACCOUNT_COLLECTIVES, "a row each");

uint8_t account_collective_rounds(enum account_collective_kind c) {
    return collectives[c].rounds;
}

const char *account_collective_name(enum account_collective_kind c) {
    return (unsigned)c < ACCOUNT_COLLECTIVES ? collectives[c].name : "";
}

/* NVIDIA/nccl-tests, doc/PERFORMANCE.md: bus bandwidth is the array ÷ time × this. The array is the
 * whole one: of an all-gather, what every rank has in the end. An all-reduce is a reduce-scatter
 * and an all-gather. */
double account_collective_factor(enum account_collective_kind c, uint32_t ranks) {
    if (ranks <= 1 || (unsigned)c >= ACCOUNT_COLLECTIVES) return 0;
    if (c == ACCOUNT_P2P) return 1;
    return collectives[c].rounds * (ranks - 1.0) / ranks;
}

/* ── seconds: latency + factor × bytes ÷ rate ───────────────────────────────────────────────────*/

static struct account_link usual(const struct account_link *said, const char *name) {
    if (said && said->rate > 0) return *said;
    const struct account_link *found = name ? account_link_find(name) : NULL;
    return found ? *found : (struct account_link){0};
}

struct account_wires account_wires_on(const struct account_card *card,
                                      const struct account_link *link,
                                      const struct account_link *net) {
    return (struct account_wires){.link = usual(link, card ? card->link : NULL),
                                  .net = usual(net, card ? card->net : NULL),
                                  .host = usual(NULL, card ? card->host_link : NULL)};
}

bool account_wires_reach(const struct account_wires *wires, uint32_t ranks, uint32_t per_node) {
    bool link = per_node <= 1 || wires->link.rate > 0;
    bool net = per_node >= ranks || wires->net.rate > 0;
    return link && net;
}

/* ── latency ───────────────────────────────────────────────────────────────────────────────────*/

/* NVIDIA/nccl, src/graph/tuning.cc, ncclTopoTuneModel: a reduce-scatter and an all-gather take n−1
 * steps, of which nodes−1 cross nodes; an all-reduce is both, 2(n−1) and 2(nodes−1). (Releases 2.12
 * to 2.22 counted 2·nodes.) An all-to-all sends to all peers at once. */
struct account_hops account_hops(enum account_collective_kind c, uint32_t ranks,
                                 uint32_t per_node) {
    uint32_t nodes = ranks > per_node ? (uint32_t)account_ceil_div(ranks, per_node) : 1;
    bool away = nodes > 1;
    if (c == ACCOUNT_ALL_TO_ALL || c == ACCOUNT_P2P) return (struct account_hops){!away, away};
    uint8_t rounds = collectives[c].rounds;
    return (struct account_hops){rounds * (ranks - nodes), rounds * (nodes - 1)};
}

static double latency(const struct account_wires *w, enum account_collective_kind c, uint32_t ranks,
                      uint32_t per_node) {
    struct account_hops h = account_hops(c, ranks, per_node);
    double hops = h.inside * w->link.latency + h.between * w->net.latency;
    return hops > 0 ? ACCOUNT_ONCE + hops : 0;
}

/* ── bandwidth ─────────────────────────────────────────────────────────────────────────────────*/

/* A ring enters and leaves each node once, and a communicator that holds k GPUs of a node has as
 * many rings and NICs: so it is as fast as its slower part (stas00/ml-engineering,
 * network/README.md: 382 GB/s measured of 8 × 50). */
double account_ring_rate(const struct account_wires *w, uint32_t ranks, uint32_t per_node) {
    if (per_node >= ranks) return w->link.rate;
    double out = per_node * w->net.rate;
    return per_node > 1 && w->link.rate < out ? w->link.rate : out;
}

static double over(double bytes, double rate) {
    return rate > 0 ? bytes / rate : 0;
}

/* Each pair sends by itself: what stays in the node over its links, the rest over the GPU's own
 * NIC. */
static double pairs_seconds(const struct account_wires *w, double ranks, double per_node,
                            double bytes) {
    double inside = over(bytes * (per_node - 1) / ranks, w->link.rate);
    double between = over(bytes * (ranks - per_node) / ranks, w->net.rate);
    return inside > between ? inside : between;
}

double account_wire_seconds(const struct account_wires *w, enum account_collective_kind c,
                            uint32_t ranks, uint32_t per_node, double bytes) {
    if (ranks <= 1 || !account_wires_reach(w, ranks, per_node)) return 0;
    double near = per_node < ranks ? per_node : ranks;
    double start = latency(w, c, ranks, per_node);
    if (c == ACCOUNT_ALL_TO_ALL) return start + pairs_seconds(w, ranks, near, bytes);
    if (c == ACCOUNT_P2P) return start + over(bytes, per_node < ranks ? w->net.rate : w->link.rate);
    return start +
           over(account_collective_factor(c, ranks) * bytes, account_ring_rate(w, ranks, per_node));
}
