/* ZeRO, arXiv:1910.02054: model states, the largest model, volumes, residual states. */
#include "oracle/oracle.h"

static const char *const stages[] = {"baseline", "Pos", "Pos_g", "Pos_g_p"};

static struct account_training page(const json_t *row, double params, unsigned stage) {
    double n = num_or(row, "inputs/N_d", 1);
    return trained("params=%.0f gpus=%.0f stage=%u", params, n, stage);
}

/* The printed columns of the larger models are cut and not rounded. The paper divides where N does
 * not divide: the ledger has up to an element more of each copy, 16 bytes. */
static void check_table1(const json_t *row) {
    double params = num(row, "inputs/params");
    for (unsigned stage = 1; stage < 4; stage++) {
        struct account_training t = page(row, params, stage);
        double exact = num(row, path("expected/exact_bytes/%s", stages[stage]));
        near(row, "exact_GB", rate(&t) * params / 1e9,
             num(row, path("expected/exact_GB/%s", stages[stage])), 1e-12 * exact / 1e9);
        near(row, stages[stage], rate(&t) * params, exact, 1e-12 * exact);
        near(row, stages[stage], total(&t), exact + 8, 8);
        near(row, stages[stage], total(&t) / 1e9,
             num(row, path("expected/printed_GB/%s", stages[stage])), params > 1e10 ? 1 : 0.06);
    }
}

static void check_figure1(const json_t *row) {
    for (unsigned stage = 0; stage < 4; stage++) {
        struct account_training t = page(row, num(row, "inputs/params"), stage);
        near(row, stages[stage], total(&t) / 1e9,
             num(row, path("expected/exact_GB/%s", stages[stage])), 1e-9);
        near(row, stages[stage], total(&t) / 1e9,
             num(row, path("expected/printed_GB/%s", stages[stage])), 0.05);
    }
}

/* The largest model is one of whole parameters that divide evenly; its bytes are the budget to 12
 * digits. What was measured lies under it. */
static void check_table2(const json_t *row) {
    double capacity = num(row, "inputs/capacity_bytes"), mp = num(row, "inputs/MP");
    for (unsigned stage = 0; stage < 4; stage++) {
        struct account_training t =
            trained("params=1e9 gpus=%u tp=%.0f stage=%u", small(row, "inputs/gpus"), mp, stage);
        double most = (double)account_largest_params(&t, (uint64_t)capacity);
        double exact = num(row, path("expected/exact/%s", stages[stage]));
        double printed = num(row, path("expected/printed/%s", stages[stage]));
        near(row, stages[stage], most, exact, mp * num(row, "inputs/N_d"));
        near(row, stages[stage], rate(&t) * exact, capacity, 1e-12 * capacity);
        near(row, stages[stage], most, printed, 0.025 * printed);
        const char *measured = path("expected/printed/measured_%s", stages[stage]);
        if (has(row, measured)) assert_true(num(row, measured) < most);
    }
}

/* ── volumes ───────────────────────────────────────────────────────────────────────────────────*/

static double volume(unsigned stage) {
    struct account_training t = trained("params=7.5e9 gpus=64 stage=%u", stage);
    return traffic_of(&t).volume_params;
}

static void check_volume(const json_t *row) {
    const char *which = id_of(row) + strlen("zero.comm.");
    unsigned stage = strcmp(which, "dp") == 0 ? 0 : strcmp(which, "pos_g_p") == 0 ? 3 : 2;
    same(row, volume(stage), "expected/elements_over_psi");
    if (stage == 2) same(row, volume(1), "expected/elements_over_psi");
}

static void check_exact_volume(const json_t *row) {
    static const char *const keys[] = {"ddp_bytes", "zero12_bytes", "zero12_bytes", "zero3_bytes"};
    for (unsigned stage = 0; stage < 4; stage++) {
        struct account_training t = page(row, num(row, "inputs/params"), stage);
        same(row, (double)traffic_of(&t).total, path("expected/%s", keys[stage]));
    }
}

/* ── residual states ───────────────────────────────────────────────────────────────────────────*/

static struct account_training checkpointed(const json_t *row, uint32_t layers, uint32_t mp) {
    uint32_t h = small(row, "inputs/hidden");
    struct account_training t = trained("gpus=%u tp=%u checkpoint=full batch=%u seq=%u", mp, mp,
                                        small(row, "inputs/batch"), small(row, "inputs/seq"));
    give_shape(&t, shape_of("gpt", layers, h, h / 128, 4 * h, 50257));
    return t;
}

/* Six all-reduces a block, each of which counts twice; P_a gathers the block's checkpoint once
 * more. */
static void check_model_parallel(const json_t *row) {
    struct account_training t = checkpointed(row, 1, 2);
    struct account_traffic traffic = traffic_of(&t);
    const struct account_collective *leg = leg_of(&traffic, "partial results");
    double all = leg->payload / 2 * 2, one = (double)activations_of(&t).kept / 2;
    same(row, leg->calls, "expected/allreduces_per_block");
    same(row, all, "expected/elements_per_block");
    same(row, one, "expected/Pa_allgather_elements");
    same(row, one / all, "expected/overhead_fraction");
}

/* One checkpoint a layer, 2 bytes an element. P_a divides it among the model-parallel ranks, as
 * sequence parallelism does. The paper's 33 and 2 GB are elements. */
static void check_checkpoints(const json_t *row) {
    uint32_t layers = small(row, "inputs/layers"), mp = small(row, "inputs/MP");
    struct account_training t = checkpointed(row, layers, 1);
    double bytes = (double)activations_of(&t).layers;
    same(row, bytes / 2, "expected/elements");
    same(row, bytes, "expected/fp16_bytes");
    same(row, bytes / 1e9, "expected/fp16_GB");
    same(row, bytes / GiB, "expected/fp16_GiB");
    near(row, "printed", bytes / 2 / 1e9, num(row, "expected/printed_sec6_1_GB"), 1);
    t = checkpointed(row, layers, mp);
    set(&t, "sp=on");
    same(row, (double)activations_of(&t).layers / 1e9, "expected/fp16_Pa_GB");
}

const struct adapter oracle_zero[] = {
    {"zero.table1.", REPRODUCED, check_table1, NULL},
    {"zero.table2.", REPRODUCED, check_table2, NULL},
    {"zero.fig1", REPRODUCED, check_figure1, NULL},
    {"zero.comm.", REPRODUCED, check_volume, NULL},
    {"zero.comm.exact.", REPRODUCED, check_exact_volume, NULL},
    {"zero.mp_comm", REPRODUCED, check_model_parallel, NULL},
    {"zero.residual.", REPRODUCED, check_checkpoints, NULL},
    {NULL, REPRODUCED, NULL, NULL},
};
