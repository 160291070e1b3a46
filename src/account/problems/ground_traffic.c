/* The grounds of problems about what is sent and how long it takes, as products: the collectives of
 * a step, those of one kind in one group as one. */
#include "account/problems/grounds.h"
#include "account/traffic/flows.h"

#include <math.h>
#include <string.h>

/* collectives of one collective in one group, added up */
struct sending {
    struct account_collective collective;
    /* 0 where the clock was not asked */
    double seconds;
};
struct sendings {
    size_t count;
    struct sending row[ACCOUNT_COLLECTIVES_MOST];
};

/* ── collectives ───────────────────────────────────────────────────────────────────────────────*/

static bool alike(const struct account_collective *a, const struct account_collective *b) {
    return a->op == b->op && a->ranks == b->ranks && a->per_node == b->per_node &&
           strcmp(a->group, b->group) == 0;
}

static struct sending *sending_of(struct sendings *all,
                                  const struct account_collective *collective) {
    for (size_t i = 0; i < all->count; i++)
        if (alike(&all->row[i].collective, collective)) return &all->row[i];
    struct sending *fresh = &all->row[all->count++];
    *fresh = (struct sending){.collective = *collective};
    fresh->collective.calls = fresh->collective.payload = 0;
    fresh->collective.sent = fresh->collective.between = fresh->collective.network = 0;
    return fresh;
}

static void sendings(const struct account_traffic *t, const struct account_clock *c,
                     struct sendings *out) {
    out->count = 0;
    for (size_t i = 0; i < t->collectives; i++) {
        if (t->collective[i].sent == 0) continue;
        struct sending *s = sending_of(out, &t->collective[i]);
        s->collective.calls += t->collective[i].calls;
        s->collective.payload += t->collective[i].payload;
        s->collective.sent += t->collective[i].sent;
        s->collective.between += t->collective[i].between;
        s->collective.network += t->collective[i].network;
        s->seconds += c ? c->collective[i] : 0;
    }
}

static bool piece_has(enum account_piece piece, const struct account_collective *collective) {
    switch (piece) {
    case ACCOUNT_PIECE_ALL: return true;
    case ACCOUNT_PIECE_INSIDE: return collective->sent > collective->between;
    case ACCOUNT_PIECE_BETWEEN: return collective->between > 0;
    default: return piece == ACCOUNT_PIECE_ALL_REDUCE + collective->op;
    }
}

/* ── products ──────────────────────────────────────────────────────────────────────────────────*/

static bool is(const struct account_collective *collective, const char *group) {
    return strcmp(collective->group, group) == 0;
}

static bool is_model_state(const struct account_collective *collective) {
    return is(collective, "shard") || is(collective, "replicas") || is(collective, "data") ||
           is(collective, "secondary");
}

static const struct {
    const char *id, *label;
    uint32_t sort;
} of_states[ACCOUNT_COLLECTIVES] = {
    [ACCOUNT_ALL_REDUCE] = {"all_reduce", "gradients, all-reduced", ACCOUNT_OF_GRADIENTS},
    [ACCOUNT_REDUCE_SCATTER] = {"reduce_scatter", "gradients, reduce-scattered",
                                ACCOUNT_OF_GRADIENTS},
    [ACCOUNT_ALL_GATHER] = {"all_gather", "parameters, all-gathered", ACCOUNT_OF_PARAMETERS},
    [ACCOUNT_ALL_TO_ALL] = {"all_to_all", "gradients, all to all", ACCOUNT_OF_GRADIENTS},
    [ACCOUNT_P2P] = {"p2p", "point to point", ACCOUNT_OF_GRADIENTS},
};
static const struct {
    const char *id, *label;
} of_layers[ACCOUNT_COLLECTIVES] = {
    [ACCOUNT_ALL_REDUCE] = {"layers", "activations, all-reduced"},
    [ACCOUNT_REDUCE_SCATTER] = {"layers-scatter", "activations, reduce-scattered"},
    [ACCOUNT_ALL_GATHER] = {"layers-gather", "activations, all-gathered"},
    [ACCOUNT_ALL_TO_ALL] = {"layers-exchange", "activations, all to all"},
    [ACCOUNT_P2P] = {"pipeline", "activations, to the neighbour"},
};

static struct account_product *open_product(struct account_products *s,
                                            const struct account_collective *collective) {
    if (is(collective, "replicas"))
        return account_product(s, "replicas", "gradients, across the replicas",
                               ACCOUNT_OF_GRADIENTS | ACCOUNT_OF_REPLICAS);
    if (is_model_state(collective))
        return account_product(s, of_states[collective->op].id, of_states[collective->op].label,
                               of_states[collective->op].sort);
    return account_product(s, of_layers[collective->op].id, of_layers[collective->op].label,
                           ACCOUNT_OF_LAYERS);
}

static void add_round(struct account_product *p, const struct account_collective *collective,
                      enum account_piece piece) {
    uint32_t others =
        piece == ACCOUNT_PIECE_INSIDE ? collective->per_node - 1 : collective->ranks - 1;
    if (piece == ACCOUNT_PIECE_BETWEEN) others = collective->ranks - collective->per_node;
    if (collective->op != ACCOUNT_P2P)
        account_factor(p, ACCOUNT_RING, ACCOUNT_FRACTION, others, collective->ranks);
}

static bool is_whole(double x) {
    return x > 0.999 && fabs(x - floor(x + 0.5)) < 1e-3;
}

/* passes × A × the ring's part × width × Ψ, as far as they come out whole */
static void add_states(struct account_product *p, const struct account_resolved *r,
                       const struct account_collective *collective, enum account_piece piece) {
    double width =
        collective->op == ACCOUNT_ALL_GATHER ? r->bytes[ACCOUNT_AS_HALF] : r->reduce_bytes;
    double split = (double)r->tp * r->pp;
    double share = is(collective, "replicas") ? r->mesh.shard.ranks : 1;
    double passes = collective->payload / (width * (double)r->params / split / share);
    double micro = r->micro > 1 && is_whole(passes / r->micro) ? r->micro : 1;
    passes /= micro;
    if (is_whole(passes)) {
        account_factor(p, ACCOUNT_PASSES, ACCOUNT_NUMBER, floor(passes + 0.5), 0);
    } else {
        double bytes = floor(passes * width * 128 + 0.5) / 128;
        width = bytes > 0 ? bytes : passes * width;
    }
    account_factor(p, ACCOUNT_MICRO, ACCOUNT_NUMBER, micro, 0);
    add_round(p, collective, piece);
    account_factor(p, ACCOUNT_WIDTH, ACCOUNT_BYTES, width, 0);
    account_factor(p, ACCOUNT_COUNT, ACCOUNT_ELEMENTS, (double)r->params, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, split, 0);
    account_factor(p, ACCOUNT_SHARE, ACCOUNT_DIVISOR, share, 0);
}

/* so many × 2 B × s × b × h × L, in each micro-batch */
static void add_layers(struct account_product *p, const struct account_resolved *r,
                       const struct account_collective *collective, enum account_piece piece,
                       double value) {
    add_round(p, collective, piece);
    account_factor(p, ACCOUNT_WIDTH, ACCOUNT_BYTES, r->bytes[ACCOUNT_AS_HALF], 0);
    account_factor(p, ACCOUNT_SEQ, ACCOUNT_NUMBER, r->seq, 0);
    account_factor(p, ACCOUNT_BATCH, ACCOUNT_NUMBER, r->batch, 0);
    account_factor(p, ACCOUNT_HIDDEN, ACCOUNT_NUMBER, r->shape.hidden, 0);
    if (collective->op != ACCOUNT_P2P)
        account_factor(p, ACCOUNT_LAYERS, ACCOUNT_NUMBER, account_blocks_here(r), 0);
    account_factor(p, ACCOUNT_MICRO, ACCOUNT_NUMBER, r->micro, 0);
    account_residual(p, value, ACCOUNT_PASSES, ACCOUNT_NUMBER);
}

static struct account_product *collective_product(struct account_products *s,
                                                  const struct account_resolved *r,
                                                  const struct account_collective *collective,
                                                  enum account_piece piece) {
    double value = (double)collective->sent;
    if (piece == ACCOUNT_PIECE_INSIDE) value -= (double)collective->between;
    if (piece == ACCOUNT_PIECE_BETWEEN) value = (double)collective->between;
    struct account_product *p = open_product(s, collective);
    if (!p) return NULL;
    if (collective->op == ACCOUNT_ALL_REDUCE)
        account_factor(p, ACCOUNT_TWICE, ACCOUNT_NUMBER, 2, 0);
    if (is_model_state(collective))
        add_states(p, r, collective, piece);
    else
        add_layers(p, r, collective, piece, value);
    account_settle(p, value, ACCOUNT_GIVEN);
    return p;
}

/* ── the host's link ───────────────────────────────────────────────────────────────────────────*/

struct way {
    const char *id, *label;
    uint32_t sort;
    /* that the bytes are in */
    enum account_dtype dtype;
    account_sum bytes;
};

static void add_way(struct account_products *s, const struct account_resolved *r,
                    const struct way *way) {
    if (way->bytes == 0) return;
    struct account_product *p = account_product(s, way->id, way->label, way->sort);
    if (!p) return;
    double width = r->bytes[way->dtype], n = r->mesh.shard.ranks;
    double bytes = (double)way->bytes, split = (double)r->tp * r->pp;
    double passes = bytes * n * split / (width * (double)r->params);
    double micro = r->micro > 1 && is_whole(passes / r->micro) ? r->micro : 1;
    account_factor(p, ACCOUNT_PASSES, ACCOUNT_NUMBER, floor(passes / micro + 0.5), 0);
    account_factor(p, ACCOUNT_MICRO, ACCOUNT_NUMBER, micro, 0);
    account_factor(p, ACCOUNT_WIDTH, ACCOUNT_BYTES, width, 0);
    account_factor(p, ACCOUNT_COUNT, ACCOUNT_ELEMENTS, (double)r->params, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, split, 0);
    account_factor(p, ACCOUNT_SHARE, ACCOUNT_DIVISOR, n, 0);
    account_settle(p, bytes, ACCOUNT_GIVEN);
}

static bool offload_products(const struct account_resolved *r, struct account_products *s,
                             struct account_error *e) {
    const struct account_crossing *c = &r->recipe->crossing;
    struct account_offload o = account_offload_of(r);
    bool summed = o.last_down > 0; /* what goes down with each micro-batch is a sum */
    const char *each = summed ? "sums down" : "down to the host";
    enum account_dtype half = ACCOUNT_AS_HALF, own = summed ? half : c->grads;
    uint32_t grads = ACCOUNT_OF_GRADIENTS, down = grads | ACCOUNT_OF_DOWN,
             up = ACCOUNT_OF_PARAMETERS;
    const struct way ways[] = {
        {"down", "complete gradients down", down, c->grads, o.last_down},
        {summed ? "sums" : "down", each, down, own, o.grads_down},
        {"down", "down to the host", down, half, o.params_down},
        {"back", "sums up again", grads, half, o.sums_up},
        {"up", "up from the host", up, c->updated, o.updated_up},
        {"up", "up from the host", up, c->gathered, o.gathered_up},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) add_way(s, r, &ways[i]);
    if (s->count > 0) return true;
    return account_fail(e, 0, "quantity: nothing is offloaded: set offload_optimizer to host");
}

/* ── traffic and its volume ────────────────────────────────────────────────────────────────────*/

static bool some(const struct account_products *s, struct account_error *e) {
    return s->count > 0 ||
           account_fail(e, 0,
                        "quantity: this training sends none of it: it needs several GPUs, and a "
                        "stage that uses the collective");
}

bool account_ground_traffic(const struct account_problem *p, struct account_grounds *g,
                            struct account_error *e) {
    struct account_resolved r;
    struct account_traffic t;
    struct sendings all;
    if (!account_resolve(&p->training, &r, e) || !account_traffic_of(&r, &t, e)) return false;
    if (p->piece == ACCOUNT_PIECE_OFFLOAD) return offload_products(&r, &g->products, e);
    sendings(&t, NULL, &all);
    for (size_t i = 0; i < all.count; i++)
        if (piece_has(p->piece, &all.row[i].collective))
            collective_product(&g->products, &r, &all.row[i].collective, p->piece);
    return some(&g->products, e);
}

/* ZeRO, arXiv:1910.02054, section 7: the elements of Ψ that a rank sends as N → ∞, where (N − 1) /
 * N is 1. */
static void keep_passes(struct account_product *p) {
    size_t kept = 0;
    for (size_t i = 0; i < p->factors; i++)
        if (p->factor[i].role & (ACCOUNT_TWICE | ACCOUNT_PASSES | ACCOUNT_MICRO))
            p->factor[kept++] = p->factor[i];
    p->factors = kept;
    p->exact = 1;
}

bool account_ground_volume(const struct account_problem *p, struct account_grounds *g,
                           struct account_error *e) {
    struct account_resolved r;
    struct account_traffic t;
    struct sendings all;
    if (!account_resolve(&p->training, &r, e) || !account_traffic_of(&r, &t, e)) return false;
    sendings(&t, NULL, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (!is_model_state(&all.row[i].collective)) continue;
        struct account_product *sent =
            collective_product(&g->products, &r, &all.row[i].collective, ACCOUNT_PIECE_ALL);
        if (sent) keep_passes(sent);
    }
    if (fabs(account_products_value(&g->products) - t.volume_params) > 1e-6 &&
        t.volume_params > 0) {
        g->products.count = 0;
        struct account_product *whole =
            account_product(&g->products, "volume", "in multiples of Ψ", ACCOUNT_OF_GRADIENTS);
        account_settle(whole, t.volume_params, ACCOUNT_NUMBER);
    }
    return some(&g->products, e);
}

/* ── seconds on a link: latency, and bytes ÷ rate ───────────────────────────────────────────────*/

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

/* ── all communication of a step ───────────────────────────────────────────────────────────────*/

/* The seconds of a collective that its bytes take; their latencies are summed apart. */
static double put_collective(const struct account_resolved *r, const struct sending *s,
                             struct account_products *out) {
    const struct account_collective *c = &s->collective;
    struct account_wires w = account_wires_of(r);
    double latency = c->calls * account_wire_seconds(&w, c->op, c->ranks, c->per_node, 0);
    struct account_product *sent = collective_product(out, r, c, ACCOUNT_PIECE_ALL);
    if (!sent) return 0;
    account_factor(sent, ACCOUNT_RATE, ACCOUNT_SPEED, account_ring_rate(&w, c->ranks, c->per_node),
                   0);
    account_settle(sent, s->seconds - latency, ACCOUNT_TIME);
    return latency;
}

static bool ground_step(const struct account_problem *p, struct account_grounds *g,
                        struct account_error *e) {
    struct account_resolved r;
    struct account_traffic t;
    struct account_clock c;
    struct sendings all;
    if (!account_resolve(&p->training, &r, e) || !account_clock_of(&r, &t, &c, e)) return false;
    if (!c.has_comm) return needs_link(e);
    sendings(&t, &c, &all);
    double latency = 0, sum = 0;
    for (size_t i = 0; i < all.count; i++) {
        if (!piece_has(p->piece, &all.row[i].collective)) continue;
        latency += put_collective(&r, &all.row[i], &g->products);
        sum += all.row[i].seconds;
    }
    if (sum == 0) return account_fail(e, 0, "quantity: this training sends none of it");
    add_latency(&g->products, 1, latency, sum);
    return true;
}

/* ── one collective over `budget` bytes ────────────────────────────────────────────────────────*/

static bool ground_collective(const struct account_problem *p, struct account_grounds *g,
                              struct account_error *e) {
    struct account_resolved r;
    account_resolve_fields(&p->training, &r);
    struct account_group group = r.mesh.data;
    struct account_wires w = account_wires_of(&r);
    enum account_collective_kind op =
        (enum account_collective_kind)(p->piece - ACCOUNT_PIECE_ALL_REDUCE);
    double rate = account_ring_rate(&w, group.ranks, group.per_node);
    if (rate <= 0) return needs_link(e);
    if (group.ranks < 2) return account_fail(e, 0, "gpus: a collective needs two GPUs at least");
    double once = account_wire_seconds(&w, op, group.ranks, group.per_node, 0);
    double whole = account_wire_seconds(&w, op, group.ranks, group.per_node, p->budget);
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

/* ── the host's link ───────────────────────────────────────────────────────────────────────────*/

static bool ground_offload(const struct account_problem *p, struct account_grounds *g,
                           struct account_error *e) {
    struct account_resolved r;
    struct account_traffic t;
    account_resolve_fields(&p->training, &r);
    double rate = account_wires_of(&r).host.rate;
    if (rate <= 0)
        return account_fail(e, 0, "gpu: name a card, so that its link to the host is known");
    if (!account_resolve(&p->training, &r, e) || !account_traffic_of(&r, &t, e) ||
        !offload_products(&r, &g->products, e))
        return false;
    for (size_t i = 0; i < g->products.count; i++)
        account_factor(&g->products.product[i], ACCOUNT_RATE, ACCOUNT_SPEED, rate, 0);
    return true;
}

_Static_assert(ACCOUNT_PIECE_P2P - ACCOUNT_PIECE_ALL_REDUCE == ACCOUNT_P2P &&
                   ACCOUNT_P2P == ACCOUNT_COLLECTIVES - 1,
               "pieces are in the order of the kinds of collectives");

bool account_ground_seconds(const struct account_problem *p, struct account_grounds *g,
                            struct account_error *e) {
    if (p->piece == ACCOUNT_PIECE_OFFLOAD) return ground_offload(p, g, e);
    bool one =
        p->budget > 0 && p->piece >= ACCOUNT_PIECE_ALL_REDUCE && p->piece <= ACCOUNT_PIECE_P2P;
    return one ? ground_collective(p, g, e) : ground_step(p, g, e);
}
