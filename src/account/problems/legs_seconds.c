/* Seconds on a link, as products: latency, and bytes ÷ rate. */
#include "account/traffic/clock.h"
#include "account/problems/legs.h"

double account_group_rate(const struct account_training *t, uint32_t ranks, uint32_t per_node) {
    struct account_wires wires = account_wires(t);
    double out = per_node * wires.net.rate, in = wires.link.rate;
    if (ranks <= per_node) return in;
    return per_node > 1 && in < out ? in : out;
}

/* The part that does not depend on the bytes, if it is any of the whole that matters. */
static void add_latency(struct account_products *s, double calls, double each, double whole) {
    if (calls * each < 1e-5 * whole) return;
    struct account_product *p = account_product(s, "latency", "latency", ACCOUNT_OF_LATENCY);
    if (!p) return;
    account_factor(p, ACCOUNT_PASSES, ACCOUNT_NUMBER, calls, 0);
    account_factor(p, ACCOUNT_SIZE, ACCOUNT_TIME, each, 0);
}

static bool needs_link(struct account_error *e) {
    return account_fail(e, 0,
                        "link: how fast is the link? Name one, like nvlink3 or 25GB/s, in link "
                        "(inside a node) and net (between nodes)");
}

/* ── all communication of a step ─────────────────────────────────────────────────────────────────*/

/* The seconds of a collective that its bytes take; their latencies are summed apart. */
static double put_collective(const struct account_problem *p, const struct account_sending *s,
                             struct account_products *out) {
    const struct account_collective *collective = &s->collective;
    double once = account_collective_seconds(&p->training, collective->op, collective->ranks,
                                             collective->per_node, 0);
    double latency = collective->calls * once;
    struct account_product *sent =
        account_collective_product(out, &p->training, collective, ACCOUNT_PIECE_ALL);
    if (!sent) return 0;
    account_factor(sent, ACCOUNT_RATE, ACCOUNT_SPEED,
                   account_group_rate(&p->training, collective->ranks, collective->per_node), 0);
    account_settle(sent, s->seconds - latency, ACCOUNT_TIME);
    return latency;
}

static bool ground_step(const struct account_problem *p, struct account_grounds *g,
                        struct account_error *e) {
    struct account_traffic t;
    struct account_clock c;
    struct account_sendings all;
    if (!account_traffic(&p->training, &t, e) || !account_clock(&p->training, &c, e)) return false;
    if (!c.has_comm) return needs_link(e);
    account_sendings(&t, &c, &all);
    double latency = 0, sum = 0;
    for (size_t i = 0; i < all.count; i++) {
        if (!account_piece_has(p->piece, &all.row[i].collective)) continue;
        latency += put_collective(p, &all.row[i], &g->products);
        sum += all.row[i].seconds;
    }
    if (sum == 0)
        return account_fail(e, 0, "quantity: this training sends nothing of what is asked");
    add_latency(&g->products, 1, latency, sum);
    return true;
}

/* ── one collective over `budget` bytes ──────────────────────────────────────────────────────────*/

static bool ground_collective(const struct account_problem *p, struct account_grounds *g,
                              struct account_error *e) {
    const struct account_training *t = &p->training;
    struct account_group group = account_mesh(t).data;
    enum account_collective_kind op =
        (enum account_collective_kind)(p->piece - ACCOUNT_PIECE_ALL_REDUCE);
    double rate = account_group_rate(t, group.ranks, group.per_node);
    if (rate <= 0) return needs_link(e);
    if (group.ranks < 2) return account_fail(e, 0, "gpus: a collective needs two GPUs at least");
    double once = account_collective_seconds(t, op, group.ranks, group.per_node, 0);
    double whole = account_collective_seconds(t, op, group.ranks, group.per_node, p->budget);
    struct account_product *sent = account_product(&g->products, account_collective_name(op),
                                                   "the array", ACCOUNT_OF_GRADIENTS);
    if (op == ACCOUNT_ALL_REDUCE) account_factor(sent, ACCOUNT_TWICE, ACCOUNT_NUMBER, 2, 0);
    if (op != ACCOUNT_P2P)
        account_factor(sent, ACCOUNT_RING, ACCOUNT_FRACTION, group.ranks - 1, group.ranks);
    account_factor(sent, ACCOUNT_SIZE, ACCOUNT_GIVEN, p->budget, 0);
    account_factor(sent, ACCOUNT_RATE, ACCOUNT_SPEED, rate, 0);
    account_settle(sent, whole - once, ACCOUNT_TIME);
    add_latency(&g->products, 1, once, whole);
    return true;
}

/* ── the host's link ─────────────────────────────────────────────────────────────────────────────*/

static bool ground_offload(const struct account_problem *p, struct account_grounds *g,
                           struct account_error *e) {
    struct account_traffic t;
    double rate = account_wires(&p->training).host.rate;
    if (rate <= 0)
        return account_fail(e, 0, "gpu: name a card, so that its link to the host is known");
    if (!account_traffic(&p->training, &t, e) ||
        !account_offload_products(&p->training, &g->products, e))
        return false;
    for (size_t i = 0; i < g->products.count; i++)
        account_factor(&g->products.product[i], ACCOUNT_RATE, ACCOUNT_SPEED, rate, 0);
    return true;
}

bool account_ground_seconds(const struct account_problem *p, struct account_grounds *g,
                            struct account_error *e) {
    if (p->piece == ACCOUNT_PIECE_OFFLOAD) return ground_offload(p, g, e);
    bool one =
        p->budget > 0 && p->piece >= ACCOUNT_PIECE_ALL_REDUCE && p->piece <= ACCOUNT_PIECE_P2P;
    return one ? ground_collective(p, g, e) : ground_step(p, g, e);
}
