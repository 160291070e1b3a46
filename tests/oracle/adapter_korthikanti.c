/* Korthikanti et al., arXiv:2205.05198: activations by technique, pipeline stages, FLOPs. */
#include "oracle/oracle.h"

struct technique {
    bool tp, sp;
    const char *checkpoint;
};
static const struct technique none = {false, false, "none"}, tp = {true, false, "none"},
                              tp_sp = {true, true, "none"}, full = {false, false, "full"},
                              tp_selective = {true, false, "selective"},
                              tp_sp_selective = {true, true, "selective"},
                              full_partitioned = {true, true, "full"};

/* the paper's letters */
struct setup {
    uint32_t a, h, L, s, b, t, p, v, interleave;
};

static struct setup setup_of(const json_t *row) {
    return (struct setup){.a = small(row, "inputs/a"),
                          .h = small(row, "inputs/h"),
                          .L = (uint32_t)num_or(row, "inputs/L", 1),
                          .s = (uint32_t)num_or(row, "inputs/s", 2048),
                          .b = (uint32_t)num_or(row, "inputs/b", 1),
                          .t = (uint32_t)num_or(row, "inputs/t", 1),
                          .p = (uint32_t)num_or(row, "inputs/p", 1),
                          .v = (uint32_t)num_or(row, "inputs/v", 51200),
                          .interleave = (uint32_t)num_or(row, "inputs/interleave_m", 1)};
}

/* Dropout, no flash attention; micro-batches enough to fill the pipeline. */
static struct account_training training(struct setup c, struct technique how) {
    uint32_t t = how.tp ? c.t : 1;
    struct account_training r = trained(
        "flash=off dropout=on batch=%u seq=%u gpus=%u tp=%u pp=%u interleave=%u accumulate=%u "
        "sp=%s checkpoint=%s",
        c.b, c.s, t * c.p, t, c.p, c.interleave, 8 * c.p, how.sp ? "on" : "off", how.checkpoint);
    struct account_shape s = shape_of("gpt", c.L, c.h, c.a, 4 * c.h, c.v);
    s.tied = true;
    give_shape(&r, s);
    return r;
}

static struct account_activations kept(struct setup c, struct technique how) {
    struct account_training t = training(c, how);
    return activations_of(&t);
}

/* ── a layer ───────────────────────────────────────────────────────────────────────────────────*/

static const struct {
    const char *key;
    const struct technique *how;
} techniques[] = {
    {"no_parallel", &none},
    {"tp", &tp},
    {"tp_sp", &tp_sp},
    {"tp_selective", &tp_selective},
    {"tp_sp_selective", &tp_sp_selective},
    {"full_recompute", &full},
    {"full_recompute_tp_partitioned", &full_partitioned},
};

static void check_table2(const json_t *row) {
    struct setup c = setup_of(row);
    for (size_t i = 0; i < sizeof techniques / sizeof *techniques; i++)
        same(row, (double)kept(c, *techniques[i].how).kept, path("expected/%s", techniques[i].key));
}

static void check_figure7(const json_t *row) {
    static const struct {
        const char *key;
        const struct technique *how;
    } bars[] = {
        {"seq", &tp_sp},
        {"sel", &tp_selective},
        {"seqsel", &tp_sp_selective},
        {"full", &full},
    };
    struct setup c = setup_of(row);
    double whole = (double)kept(c, tp).kept;
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        double percent = 100 * (double)kept(c, *bars[i].how).kept / whole;
        same(row, percent, path("expected/formula/%s", bars[i].key));
        near(row, bars[i].key, percent, num(row, path("expected/recorded/%s", bars[i].key)), 0.2);
    }
}

/* The paper counts the attention core's forward and backward where only its forward runs again:
 * three times what the engine adds (see src/account/memory/flops.c). */
static double published_again(const struct account_training *t) {
    return 3 * (account_hardware_flops(t) - account_model_flops(t));
}

/* 6Ψ a token of the layers' matrices alone, 72 L s h². */
static double matrices_flops(struct setup c) {
    struct account_training t = trained("params=1 seq=%u", c.s);
    t.params = (uint64_t)counted(matrices_only(c.L, c.h, c.a));
    return account_model_flops(&t);
}

static void check_saving(const json_t *row) {
    static const char *const models[] = {"gpt3", "mtnlg"};
    for (int i = 0; i < 2; i++) {
        struct setup c = {.a = small(row, path("inputs/%s/a", models[i])),
                          .h = small(row, path("inputs/%s/h", models[i])),
                          .s = small(row, path("inputs/%s/s", models[i])),
                          .L = 1,
                          .b = 1,
                          .t = 1,
                          .p = 1,
                          .v = 51200,
                          .interleave = 1};
        double all = (double)kept(c, none).layer, flat = (double)kept(c, tp_selective).kept;
        struct account_training t = training(c, tp_selective);
        double again = published_again(&t);
        same(row, 34 * (all - flat) / flat, path("expected/%s/term", models[i]));
        same(row, 1 - flat / all, path("expected/%s/saving", models[i]));
        same(row, again / matrices_flops(c), path("expected/%s/flops_overhead", models[i]));
    }
}

/* ── a pipeline ────────────────────────────────────────────────────────────────────────────────*/

static void check_first_stage(const json_t *row) {
    struct setup c = setup_of(row), plain = c;
    plain.interleave = 1;
    double chunks = (double)kept(c, tp_sp).layers / (double)kept(plain, tp_sp).layers;
    same(row, chunks, "expected/interleave_factor");
    same(row, (double)kept(c, tp).layers, "expected/tp_only");
    same(row, (double)kept(c, tp_sp).layers, "expected/tp_sp");
    same(row, (double)kept(c, tp_sp_selective).layers, "expected/tp_sp_selective");
}

/* Dropout of the embedding, last norm, the head's input, fp32 logits; the last three on the last
 * stage. */
static void check_extra(const json_t *row) {
    struct setup c = setup_of(row);
    struct account_activations a = kept(c, tp_sp);
    double extra = (double)(a.embedding + a.head + a.logits_fp32) * (c.p > 1 ? 0 : 1) +
                   (c.p > 1 ? (double)a.embedding : 0);
    same(row, extra, "expected/extra_bytes");
    same(row, extra / (double)a.layers, "expected/fraction_of_eq5");
    same(row, extra / (double)kept(c, tp_sp_selective).layers, "expected/fraction_of_eq6");
}

/* A stage's output for each of the p micro-batches in flight: as many hidden states as full
 * checkpointing keeps with a layer a stage. */
static void check_outputs(const json_t *row) {
    struct setup c = {.a = 128,
                      .h = small(row, "inputs/h"),
                      .L = small(row, "inputs/p"),
                      .s = small(row, "inputs/s"),
                      .b = small(row, "inputs/b"),
                      .t = 1,
                      .p = small(row, "inputs/p"),
                      .v = 51200,
                      .interleave = 1};
    double bytes = (double)kept(c, full).layers;
    same(row, bytes, "expected/bytes");
    same(row, bytes / 1e9, "expected/GB");
    same(row, bytes / GiB, "expected/GiB");
    near(row, "printed, which is GiB", bytes / GiB, num(row, "expected/printed_GB"), 0.005);
}

/* Table 3 of the paper: heads, micro-batch and interleaving by hidden size; TP is 8. */
static struct setup table3(uint32_t layers, uint32_t hidden, uint32_t gpus) {
    static const uint32_t rows[][4] = {
        {6144, 64, 4, 1}, {12288, 96, 1, 3}, {20480, 128, 1, 3}, {25600, 160, 1, 1}};
    struct setup c = {.h = hidden, .L = layers, .s = 2048, .t = 8, .p = gpus / 8, .v = 51200};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i][0] == hidden) {
            c.a = rows[i][1];
            c.b = rows[i][2];
            c.interleave = rows[i][3];
        }
    return c;
}

/* The figure counts the layers' matrices alone, at Megatron's 18 bytes. */
static void check_figure1(const json_t *row) {
    struct setup c =
        table3(small(row, "inputs/L"), small(row, "inputs/h"), small(row, "inputs/gpus"));
    struct account_training t =
        trained("params=1 recipe=megatron gpus=%u tp=8 pp=%u", 8 * c.p, c.p);
    t.params = (uint64_t)counted(matrices_only(c.L, c.h, c.a));
    same(row, total(&t) / GiB, "expected/par_opt_GiB");
    same(row, (double)kept(c, tp).layers / GiB, "expected/act_none_GiB");
    same(row, (double)kept(c, tp_sp_selective).layers / GiB, "expected/act_seq_sel_GiB");
}

/* ── FLOPs ─────────────────────────────────────────────────────────────────────────────────────*/

static void check_mfu(const json_t *row) {
    struct setup c = setup_of(row);
    struct account_training t = training(c, tp_selective);
    double sequences = num(row, "inputs/global_batch");
    double all = num(row, "inputs/gpus") * num(row, "inputs/peak") * num(row, "inputs/iter_s");
    double model = sequences * account_model_flops(&t);
    double hardware = model + sequences * published_again(&t);
    same(row, model, "expected/model_flops");
    same(row, hardware, "expected/hardware_flops");
    same(row, 100 * model / all, "expected/mfu_pct");
    same(row, 100 * hardware / all, "expected/hfu_pct");
    near(row, "printed", 100 * model / all, num(row, "expected/printed_mfu_pct"), 0.35);
    near(row, "printed", 100 * hardware / all, num(row, "expected/printed_hfu_pct"), 0.35);
}

const struct adapter oracle_korthikanti[] = {
    {"kort.table2.", REPRODUCED, check_table2, NULL},
    {"kort.fig7.", REPRODUCED, check_figure7, NULL},
    {"kort.selective.saving", EXPLAINED, check_saving,
     "the printed overhead has three forwards of the attention core, of which one runs"},
    {"kort.first_stage.", REPRODUCED, check_first_stage, NULL},
    {"kort.extra.", REPRODUCED, check_extra, NULL},
    {"kort.appB.sbhp", REPRODUCED, check_outputs, NULL},
    {"kort.fig1.", REPRODUCED, check_figure1, NULL},
    {"kort.mfu.", EXPLAINED, check_mfu,
     "equation 8 has three forwards of the attention core, of which one runs"},
    {NULL, REPRODUCED, NULL, NULL},
};
