/* Collectives: factors, seconds, NCCL's latencies and link rates, measured curves. */
#include "oracle/oracle.h"

static struct account_training on(double link, double net) {
    struct account_training t = trained("params=1e9");
    t.link = (struct account_link){.name = "link", .rate = link};
    t.net = (struct account_link){.name = "net", .rate = net};
    return t;
}

static double seconds(const struct account_training *t, enum account_collective_kind op,
                      uint32_t ranks, uint32_t per_node, double bytes) {
    return account_collective_seconds(t, op, ranks, per_node, bytes);
}

static const struct account_link *link_named(const char *name) {
    const struct account_link *link = account_link_find(name);
    if (!link) fail_msg("there is no link %s", name);
    return link;
}

/* ── factors ───────────────────────────────────────────────────────────────────────────────────*/

/* A broadcast and a reduction to one rank pass the array on once, from rank to rank: so does point
 * to point. */
static enum account_collective_kind op_named(const json_t *row, const char *name) {
    static const struct {
        const char *name;
        enum account_collective_kind op;
    } ops[] = {
        {"all_reduce", ACCOUNT_ALL_REDUCE},
        {"allreduce", ACCOUNT_ALL_REDUCE},
        {"all_gather", ACCOUNT_ALL_GATHER},
        {"allgather", ACCOUNT_ALL_GATHER},
        {"reduce_scatter", ACCOUNT_REDUCE_SCATTER},
        {"reducescatter", ACCOUNT_REDUCE_SCATTER},
        {"all_to_all", ACCOUNT_ALL_TO_ALL},
        {"alltoall", ACCOUNT_ALL_TO_ALL},
        {"sendrecv", ACCOUNT_P2P},
        {"broadcast", ACCOUNT_P2P},
        {"reduce", ACCOUNT_P2P},
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(ops[i].name, name) == 0) return ops[i].op;
    fail_msg("%s: there is no collective %s", id_of(row), name);
    return ACCOUNT_P2P;
}

static void check_factor(const json_t *row) {
    enum account_collective_kind op = op_named(row, id_of(row) + strlen("nccl.busbw."));
    for (size_t i = 0; i < length(row, "inputs/n"); i++)
        same(row, account_collective_factor(op, small(row, path("inputs/n/%zu", i))),
             path("expected/factor/%zu", i));
}

/* ── seconds ───────────────────────────────────────────────────────────────────────────────────*/

static void check_seconds(const json_t *row) {
    enum account_collective_kind op = op_named(row, json_string_value(at(row, "inputs/op")));
    struct account_training t = on(num(row, "inputs/bus_Bps"), 0);
    uint32_t ranks = small(row, "inputs/ranks");
    double bytes = num(row, "inputs/S_bytes"), got = seconds(&t, op, ranks, ranks, bytes);
    same(row, got, "expected/seconds");
    same(row, bytes / got, "expected/algbw_Bps");
}

/* Microseconds of a ring's steps at so much a hop: what twice the hop takes more. */
static double steps(enum account_collective_kind op, uint32_t ranks, double hop) {
    struct account_training once = on(1e12, 0), twice = once;
    once.link.latency = hop / 1e6;
    twice.link.latency = 2 * hop / 1e6;
    return 1e6 * (seconds(&twice, op, ranks, ranks, 0) - seconds(&once, op, ranks, ranks, 0));
}

/* The engine's own start is Simple's, which large arrays take; LL and LL128 have the case's. */
static void check_latency(const json_t *row) {
    static const char *const protocols[] = {"LL", "LL128", "Simple"};
    static const char *const ops[] = {"allreduce", "allgather"};
    uint32_t n = small(row, "inputs/n");
    for (int i = 0; i < 6; i++) {
        enum account_collective_kind op = op_named(row, ops[i / 3]);
        const char *protocol = protocols[i % 3],
                   *wanted = path("expected/%s/%s", ops[i / 3], protocol);
        double hop = num(row, path("inputs/hop_nvlink/%s", protocol));
        double start = num(row, path("inputs/base/%s", protocol));
        near(row, wanted, start + steps(op, n, hop), num(row, wanted), 1e-6);
        if (strcmp(protocol, "Simple") != 0) continue;
        struct account_training t = on(1e12, 0);
        t.link = *link_named("nvlink4");
        near(row, wanted, 1e6 * seconds(&t, op, n, n, 0), num(row, wanted), 1e-6);
    }
}

/* Rings that leave their node, on the catalogue's links. */
static void check_nodes(const json_t *row) {
    static const char *const ops[] = {"allreduce", "allgather", "reducescatter"};
    struct account_training t = on(1e12, 1e12);
    t.link = *link_named("nvlink4");
    t.net = *link_named("ib-ndr");
    near(row, "a hop inside", 1e6 * t.link.latency, num(row, "inputs/hop_nvlink"), 1e-9);
    near(row, "a hop between", 1e6 * t.net.latency, num(row, "inputs/hop_net"), 1e-9);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        enum account_collective_kind op = op_named(row, ops[i]);
        double once = seconds(&t, op, small(row, "inputs/n"), small(row, "inputs/per_node"), 0);
        same(row, 1e6 * once, path("expected/%s", ops[i]));
    }
}

static void check_link_rates(const json_t *row) {
    static const char *const cards[][3] = {{"A100", "nvlink3", "A100"},
                                           {"H100", "nvlink4", "H200_ring"},
                                           {"B200", "nvlink5", "B200_ring"}};
    for (int i = 0; i < 3; i++) {
        double got = link_named(cards[i][1])->rate / 1e9;
        const char *measured = path("expected/measured/%s", cards[i][2]);
        if (json_is_array(at(row, measured))) measured = path("%s/0", measured);
        same(row, got, path("expected/model/%s", cards[i][0]));
        near(row, "measured", got, num(row, measured), 0.08 * num(row, measured));
    }
}

/* ── measured ──────────────────────────────────────────────────────────────────────────────────*/

/* A communicator of whole nodes has all their NICs; one GPU a node has one. */
static void check_models(const json_t *row) {
    double bytes = num(row, "inputs/P_bytes"), nic = num(row, "inputs/nic_GBps") * 1e9;
    uint32_t g = small(row, "inputs/g"), ranks = g * small(row, "inputs/k");
    struct account_training t = on(link_named("nvlink5")->rate, nic);
    double all = 1e3 * seconds(&t, ACCOUNT_ALL_REDUCE, ranks, g, bytes);
    double one = 1e3 * seconds(&t, ACCOUNT_ALL_REDUCE, ranks, 1, bytes);
    double inside = 1e3 * seconds(&t, ACCOUNT_ALL_REDUCE, g, g, bytes);
    near(row, "node's NICs", all, num(row, "expected/flat_ring_node_aggregate_ms"), 0.1);
    near(row, "one NIC", one, num(row, "expected/flat_ring_one_nic_ms"), 0.1);
    near(row, "once over one NIC", 1e3 * seconds(&t, ACCOUNT_P2P, 2, 1, bytes),
         num(row, "expected/naive_one_nic_ms"), 0.1);
    near(row, "measured", all, num(row, "expected/measured_ms"), 0.06 * all);
    near(row, "measured", inside, num(row, "expected/one_node_measured_ms"), 0.08 * inside);
}

/* Bus bandwidth of an array of so many bytes: seconds as the catalogue has them. */
static double bus(const char *link, const char *net, uint32_t ranks, uint32_t per_node,
                  double bytes) {
    struct account_training t = trained("params=1e9 link=%s net=%s", link, net);
    double factor = account_collective_factor(ACCOUNT_ALL_REDUCE, ranks);
    return factor * bytes / seconds(&t, ACCOUNT_ALL_REDUCE, ranks, per_node, bytes) / 1e9;
}

/* Rates rise with size, here as there, and end within `slack` of what was measured, or over it
 * where switches add up (NVLS). */
static void check_curve(const json_t *row, const char *measured, const char *link, uint32_t nodes,
                        double least, double most) {
    double before = 0, ours = 0, theirs = 0;
    for (size_t i = 0; i < length(row, "inputs/payload_bytes"); i++) {
        ours = bus(link, "efa-p5", 8 * nodes, 8, num(row, path("inputs/payload_bytes/%zu", i)));
        theirs = num(row, path("expected/%s/%zu", measured, i));
        assert_true(ours > before);
        before = ours;
    }
    if (ours / theirs < least || ours / theirs > most)
        fail_msg("%s, %s: %.1f GB/s, measured %.1f", id_of(row), measured, ours, theirs);
}

static void check_b200(const json_t *row) {
    check_curve(row, "busbw_1node_GBps", "nvlink5", 1, 0.82, 1);
    check_curve(row, "busbw_4node_GBps", "nvlink5", 4, 0.98, 1.06);
}

static void check_h200(const json_t *row) {
    check_curve(row, "busbw_GBps", "nvlink4", 1, 0.75, 1);
}

static void check_rings(const json_t *row) {
    double got = link_named("nvlink4")->rate / 1e9;
    static const char *const rings[] = {"all_reduce_ring", "all_gather_ring",
                                        "reduce_scatter_ring"};
    for (int i = 0; i < 3; i++)
        near(row, rings[i], got, num(row, path("expected/%s", rings[i])), 0.03 * got);
    assert_true(num(row, "expected/all_reduce_nvls") > got);
}

const struct adapter oracle_links[] = {
    {"nccl.busbw.", REPRODUCED, check_factor, NULL},
    {"nccl.time.", REPRODUCED, check_seconds, NULL},
    {"nccl.alpha.nodes.", REPRODUCED, check_nodes, NULL},
    {"nccl.alpha.ring.1node", REPRODUCED, check_latency, NULL},
    {"nccl.linkbw", REPRODUCED, check_link_rates, NULL},
    {"nccl.buffers", LEFT_OUT, NULL,
     "a setting of one channel and connection; the engine reserves what was measured of all "
     "together, 1.45 GiB"},
    {"meas.comm.4GiB.models", REPRODUCED, check_models, NULL},
    {"meas.comm.b200.1v4nodes", REPRODUCED, check_b200, NULL},
    {"meas.comm.h200x8.allreduce", REPRODUCED, check_h200, NULL},
    {"meas.comm.h200.collectives", REPRODUCED, check_rings, NULL},
    {NULL, REPRODUCED, NULL, NULL},
};
