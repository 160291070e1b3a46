/* ZeRO-Offload, ZeRO-Infinity, ZeRO++. */
#include "oracle/oracle.h"

/* ── ZeRO-Infinity ─────────────────────────────────────────────────────────────────────────────*/

struct model {
    uint32_t layers, hidden, heads, seq;
};

/* GPT's blocks; their activations, since Ψ counts the matrices alone. */
static struct account_activations activations(struct model m, uint32_t batch, const char *how) {
    struct account_training t =
        trained("flash=off batch=%u seq=%u checkpoint=%s", batch, m.seq, how);
    give_shape(&t, shape_of("gpt", m.layers, m.hidden, m.heads, 4 * m.hidden, 1));
    return activations_of(&t);
}

/* The paper counts two s × s arrays a head, the scores and their softmax; PyTorch without dropout
 * keeps one. */
static double with_scores(struct model m, uint32_t batch) {
    struct account_activations a = activations(m, batch, "selective");
    return (double)a.layer + (double)(a.layer - a.kept);
}

/* Gradients and parameters of the largest matrix, h × 4h, which is a third of what a gated MLP
 * adds. */
static double largest_operator(struct model m) {
    struct account_shape with = matrices_only(1, m.hidden, m.heads), without = with;
    with.ffn = 4 * m.hidden;
    without.ffn = 0;
    struct account_training t = trained("params=%.0f", (counted(with) - counted(without)) / 3);
    struct account_ledger l = memory_of(&t).gpu;
    return (double)(l.bytes[ACCOUNT_PARAMS] + l.bytes[ACCOUNT_GRADS]);
}

/* 20 bytes a parameter: both copies of the gradients stay. The table's working memory of
 * activations has 2 sequences a GPU. */
static void check_requirements(const json_t *row) {
    struct model m = {small(row, "inputs/layers"), small(row, "inputs/hidden"),
                      small(row, "inputs/heads"), small(row, "inputs/seq")};
    struct account_training t = trained("params=1 recipe=megatron precision=mixed-fp16");
    t.params = (uint64_t)counted(matrices_only(m.layers, m.hidden, m.heads));
    const double tib = 1024 * GiB, all = total(&t), batch = with_scores(m, 32) * m.layers;
    double kept = (double)activations(m, 32, "full").layers, working = with_scores(m, 2);
    same(row, (double)t.params, "expected/params");
    same(row, all, "expected/model_states_bytes");
    same(row, all / tib, "expected/model_states_TiB");
    same(row, kept, "expected/ckpt_bytes_bsz32_seq1024");
    same(row, kept / tib, "expected/ckpt_TiB");
    same(row, batch, "expected/activations_bytes_bsz32");
    same(row, batch / tib, "expected/activations_TiB");
    same(row, largest_operator(m), "expected/mswm_bytes");
    same(row, largest_operator(m) / GiB, "expected/mswm_GiB");
    same(row, working, "expected/awm_bytes_bsz4");
    same(row, working / GiB, "expected/awm_GiB");
}

/* ── ZeRO-Offload ──────────────────────────────────────────────────────────────────────────────*/

static bool is_on_gpu(const json_t *row, const char *what) {
    return strcmp(json_string_value(at(row, path("inputs/%s", what))), "gpu") == 0;
}

/* Stage 1 keeps the gradients when the update goes to the host, stage 2 sends them as well. Nobody
 * sends gradients alone: what is left then is everything but them. */
static void check_strategies(const json_t *row) {
    bool gradients = is_on_gpu(row, "g16"), update = is_on_gpu(row, "update");
    struct account_training t =
        trained("params=%.0f stage=%d", num(row, "inputs/M_params"), gradients ? 1 : 2);
    double all = total(&t);
    if (!update) set(&t, "offload_optimizer=host");
    double left = total(&t);
    if (update && !gradients) left -= (double)memory_of(&t).gpu.bytes[ACCOUNT_GRADS];
    same(row, left, "expected/gpu_bytes");
    same(row, left / (double)t.params, "expected/bytes_over_M");
    same(row, all / left, "expected/reduction");
}

static void check_offload_traffic(const json_t *row) {
    struct account_training t =
        trained("params=%.0f stage=2 offload_optimizer=host", num(row, "inputs/M_params"));
    struct account_traffic one = traffic_of(&t);
    set(&t, "gpus=8");
    struct account_traffic eighth = traffic_of(&t);
    double sum = (double)(one.offload_down + one.offload_up);
    same(row, (double)one.offload_down, "expected/gradients_down_bytes");
    same(row, (double)one.offload_up, "expected/params_up_bytes");
    same(row, sum / (double)t.params, "expected/min_bytes_over_M");
    near(row, "of 8 ranks", 8 * (double)(eighth.offload_down + eighth.offload_up), sum, 0);
}

static void check_scale(const json_t *row) {
    struct account_training t =
        trained("params=%.0f stage=3 offload_optimizer=host", num(row, "inputs/params"));
    double states_only = (double)memory_of(&t).host.total;
    set(&t, "offload_params=host");
    uint64_t all = memory_of(&t).host.total;
    same(row, states_only, "expected/cpu_bytes_16x");
    same(row, (double)all, "expected/cpu_bytes_18x");
    uint64_t capacity = (uint64_t)(num(row, "inputs/cpu_TB") * 1e12);
    assert_int_equal(account_fit(all, capacity) == ACCOUNT_FITS,
                     json_is_true(at(row, "expected/fits_1_5TB")));
}

/* ── ZeRO++ ────────────────────────────────────────────────────────────────────────────────────*/

static void check_secondary(const json_t *row) {
    uint32_t node = small(row, "inputs/gpus_per_node"), nodes = small(row, "inputs/nodes");
    struct account_training t = trained("params=%.0f stage=3 gpus=%u gpus_per_node=%u",
                                        num(row, "inputs/params"), node * nodes, node);
    double plain = total(&t), primary = (double)memory_of(&t).gpu.bytes[ACCOUNT_PARAMS];
    set(&t, "hpz=%u", small(row, "inputs/hpz"));
    same(row, primary, "expected/primary_param_bytes");
    same(row, plain, "expected/model_state_bytes_zero3");
    same(row, total(&t), "expected/model_state_bytes_hpz");
    same(row, total(&t) - plain, "expected/secondary_param_bytes");
}

/* What a GPU sends to other nodes in 4 bits, in multiples of the 16-bit model, as the nodes become
 * many: the payload of the leg that crosses them. One hop is the same with a node a GPU. */
static double crossing(uint32_t per_node) {
    struct account_training t =
        trained("params=64e9 stage=3 gpus=512 gpus_per_node=%u qgz=on", per_node);
    struct account_traffic traffic = traffic_of(&t);
    return leg_of(&traffic, "between nodes")->payload / 128e9;
}

static void check_hops(const json_t *row) {
    uint32_t node = small(row, "inputs/gpus_per_node");
    near(row, "4 bits of 16", num(row, "inputs/Z"), 4, 0);
    same(row, crossing(1) * node, "expected/one_hop_per_node");
    same(row, crossing(node) * node, "expected/hierarchical_per_node");
    same(row, crossing(node), "expected/per_gpu_hierarchical");
}

/* What crosses nodes for each node, in multiples of the 16-bit model: a ring brings in the array
 * once, hpZ's gather stays inside, and of the reduction all GPUs of a node send. qwZ's scales are
 * left to the tolerance. */
static void check_table(const json_t *row) {
    uint32_t node = small(row, "inputs/gpus_per_node");
    struct account_training t =
        trained("params=64e9 stage=3 gpus=%u gpus_per_node=%u qwz=on qgz=on hpz=%u",
                small(row, "inputs/nodes") * node, node, node);
    struct account_traffic traffic = traffic_of(&t);
    double model = 2 * (double)t.params, forward = leg_of(&traffic, "for forward")->payload / model;
    double reduced = leg_of(&traffic, "between nodes")->payload / model * node;
    double backward = (double)leg_of(&traffic, "for backward")->between;
    same(row, forward, "expected/forward");
    same(row, backward, "expected/backward");
    same(row, reduced, "expected/reduce");
    same(row, forward + backward + reduced, "expected/total");
}

/* All cards of a node together, in multiples of the 16-bit model. */
static void check_network_cards(const json_t *row) {
    uint32_t node = small(row, "inputs/gpus_per_node");
    struct account_training t = trained("params=64e9 stage=3 gpus=%u gpus_per_node=%u",
                                        small(row, "inputs/nodes") * node, node);
    double unit = 128e9 / node, flat = (double)traffic_of(&t).network / unit;
    set(&t, "qwz=on qgz=on hpz=%u", node);
    double plus = (double)traffic_of(&t).network / unit;
    same(row, flat, "expected/flat");
    same(row, plus, "expected/plus");
    same(row, flat / plus, "expected/saved");
}

const struct adapter oracle_offload[] = {
    {"infinity.eff.", LEFT_OUT, NULL,
     "efficiency without overlap: no number of the tutor follows from it"},
    {"infinity.fig2a.", REPRODUCED, check_requirements, NULL},
    {"offload.table1.", REPRODUCED, check_strategies, NULL},
    {"offload.comm", REPRODUCED, check_offload_traffic, NULL},
    {"offload.scale.", REPRODUCED, check_scale, NULL},
    {"zeropp.hpz.", REPRODUCED, check_secondary, NULL},
    {"zeropp.table", REPRODUCED, check_table, NULL},
    {"zeropp.qgz.hop", REPRODUCED, check_hops, NULL},
    {"zeropp.nic.", REPRODUCED, check_network_cards, NULL},
    {NULL, REPRODUCED, NULL, NULL},
};
