/* What was measured: trends and differences, with their slack. */
#include "oracle/oracle.h"

/* ── activations ───────────────────────────────────────────────────────────────────────────────*/

/* Hidden states that a layer keeps, of 2 bytes an element. */
static double copies(const char *model) {
    struct account_training t = trained("model=%s batch=1 seq=4096", model);
    return (double)activations_of(&t).layer / (2.0 * t.seq * t.shape.hidden);
}

/* Frameworks keep more than must be kept, and more of it the wider the MLP is: ours lie under what
 * was measured, in the same order. */
static void check_copies(const json_t *row) {
    static const char *const models[][2] = {{"llama-3.1-8b", "Llama-3.1-8B"},
                                            {"mistral-7b", "Mistral-7B-v0.3"},
                                            {"qwen3-4b", "Qwen3-4B"},
                                            {"gemma-2b", "gemma-1.1-2b"}};
    double before = 0;
    for (int i = 0; i < 4; i++) {
        double ours = copies(models[i][0]);
        const char *where = path("expected/%s", models[i][1]);
        if (ours < before - 1e-6 || ours >= num(row, where) || ours < 0.5 * num(row, where))
            fail_msg("%s: %s keeps %.2f", id_of(row), models[i][0], ours);
        before = ours;
    }
}

/* The layer is the case's own coefficient, measured, of our hidden states; the rest is ours. */
static void check_long_sequence(const json_t *row) {
    struct account_training t =
        trained("model=llama-3.1-8b batch=1 seq=%u checkpoint=full", small(row, "inputs/seq"));
    struct account_activations a = activations_of(&t);
    double hidden = (double)a.kept / GiB, layer = num(row, "inputs/copies") * hidden;
    double logits = (double)(a.logits_fp32 + a.logits_output) / GiB;
    same(row, hidden, "expected/hidden_state_GiB");
    same(row, layer, "expected/layer_GiB");
    same(row, (double)a.layers / GiB, "expected/checkpoints_GiB");
    same(row, (double)a.logits_fp32 / GiB, "expected/logits_fp32_GiB");
    same(row, logits, "expected/logits_bf16_plus_fp32_GiB");
    near(row, "printed", layer + (double)a.layers / GiB + (double)a.logits_fp32 / GiB,
         num(row, "expected/total_ckpt_GiB_printed"), 1);
    near(row, "printed", layer * t.shape.layers + (double)a.logits_fp32 / GiB,
         num(row, "expected/total_nockpt_GiB_printed"), 1);
}

/* ── a card before the first tensor ────────────────────────────────────────────────────────────*/

static double reserve(const char *card) {
    struct account_training t = trained("params=1e9 gpu=%s", card);
    return (double)memory_of(&t).gpu.bytes[ACCOUNT_FRAMEWORK];
}

static void check_context(const json_t *row) {
    double got = reserve("a100-80g") / GiB;
    assert_true(got >= num(row, "expected/pt2_1_1_lazy_GiB"));
    assert_true(got <= num(row, "expected/pt1_10_2_GiB"));
    const struct account_card *card = account_card_find("a100-80g");
    double usable = (double)account_card_bytes(card) / GiB,
           driver = (double)card->driver_bytes / GiB;
    near(row, "usable", usable, num(row, "expected/total_GiB/2"), 1e-8);
    /* it keeps a hundredth */
    near(row, "driver", driver, num(row, "expected/total_GiB/0"), 0.011 * driver);
}

/* Measured with eager loading; today's lazy loading takes less. */
static void check_kernels(const json_t *row) {
    double got = reserve("a100-80g") / MiB;
    assert_true(got < num(row, "expected/A100_40GB_MiB"));
    assert_true(got > 0.3 * num(row, "expected/V100_32GB_MiB"));
}

/* ── runs ──────────────────────────────────────────────────────────────────────────────────────*/

static double shards(const char *format, uint32_t a, uint32_t b, uint32_t c) {
    struct account_training t = trained("recipe=fsdp2 stage=3 %s", path(format, a, b, c));
    return states(&t) / GiB;
}

/* Shards explain most of what more GPUs save. */
static void check_more_gpus(const json_t *row) {
    const char *model = "model=llama-3.1-8b gpus=%u";
    double saved = shards(model, small(row, "inputs/fsdp/0"), 0, 0) -
                   shards(model, small(row, "inputs/fsdp/1"), 0, 0);
    near(row, "predicted", saved, num(row, "expected/predicted_delta_GiB"), 0.01);
    for (int i = 0; i < 3; i++) {
        double measured = num(row, path("expected/measured_delta_GiB/%d", i));
        near(row, "measured", saved, measured, 0.12 * measured);
    }
}

static void check_70b(const json_t *row) {
    uint32_t fsdp = small(row, "inputs/fsdp"), tp = small(row, "inputs/tp");
    double got = shards("model=llama-3.1-70b gpus=%u tp=%u", fsdp * tp, tp, 0);
    double wanted = num(row, "expected/predicted_states_GiB");
    near(row, "states", got, wanted, 0.002 * wanted);
    assert_true(got < 0.1 * num(row, "expected/two_d_GiB"));
}

/* The first of 8 stages has 16 of 126 layers, and the embedding. */
static void check_405b(const json_t *row) {
    uint32_t fsdp = small(row, "inputs/fsdp"), tp = small(row, "inputs/tp"),
             pp = small(row, "inputs/pp");
    double got = shards("model=llama-3.1-405b gpus=%u tp=%u pp=%u", fsdp * tp * pp, tp, pp);
    double wanted = num(row, "expected/predicted_states_GiB");
    near(row, "states", got, wanted, 0.06 * wanted);
    assert_true(got < num(row, "expected/interleaved_GiB"));
}

/* Four times the context on a quarter of it each: states are divided over all ranks, activations
 * over the sequence. */
static void check_context_parallel(const json_t *row) {
    double first = 0;
    for (size_t i = 0; i < length(row, "inputs/fsdp_cp"); i++) {
        uint32_t dp = small(row, path("inputs/fsdp_cp/%zu/0", i)),
                 cp = small(row, path("inputs/fsdp_cp/%zu/1", i));
        struct account_training t = trained(
            "recipe=fsdp2 stage=3 model=llama-3.1-8b gpus=%u cp=%u batch=1 seq=%u checkpoint=full",
            dp * cp, cp, small(row, path("inputs/seq/%zu", i)));
        double got = total(&t);
        if (i == 0) first = got;
        near(row, "flat", got, first, 1e-9 * first);
        near(row, "measured flat", num(row, path("expected/GiB/%zu", i)),
             num(row, "expected/GiB/0"), 1);
    }
}

/* Activations grow by the same bytes with each sequence; so did memory, to a quarter. */
static void check_micro_batches(const json_t *row) {
    double each[4], slope = (num(row, "expected/GB/3") - num(row, "expected/GB/0")) / 7;
    for (int i = 0; i < 4; i++) {
        struct account_training t = trained(
            "recipe=megatron model=gpt-3 gpus=384 tp=8 pp=6 accumulate=64 checkpoint=full seq=2048 "
            "batch=%u",
            small(row, path("inputs/mbs/%d", i)));
        each[i] = (double)activations_of(&t).layers / small(row, path("inputs/mbs/%d", i));
        near(row, "linear", each[i], each[0], 0);
        if (i == 0) continue;
        double step = num(row, path("expected/GB/%d", i)) - num(row, path("expected/GB/%d", i - 1));
        double more =
            small(row, path("inputs/mbs/%d", i)) - small(row, path("inputs/mbs/%d", i - 1));
        near(row, "measured", step / more, slope, 0.25 * slope);
    }
}

static void check_peft(const json_t *row) {
    struct account_training t = trained("params=2783959040 precision=fp32");
    double states_only = total(&t) / GiB, full = num(row, "expected/T0_3B/full");
    near(row, "fp32 Adam, and activations", full, states_only, 0.15 * full);
    assert_true(full > states_only);
    struct account_training base = trained("params=2783959040 precision=fp32 stage=0");
    double frozen = (double)memory_of(&base).gpu.bytes[ACCOUNT_PARAMS] / GiB;
    assert_true(num(row, "expected/T0_3B/lora") > frozen);
}

const struct adapter oracle_measured[] = {
    {"act.copies", REPRODUCED, check_copies, NULL},
    {"act.llama3-8B.32k", REPRODUCED, check_long_sequence, NULL},
    {"meas.cuda_ctx.a100", REPRODUCED, check_context, NULL},
    {"meas.bigscience.cuda", REPRODUCED, check_kernels, NULL},
    {"meas.bigscience.MBS", REPRODUCED, check_micro_batches, NULL},
    {"meas.torchtitan.8B.fsdp", REPRODUCED, check_more_gpus, NULL},
    {"meas.torchtitan.8B.cp", REPRODUCED, check_context_parallel, NULL},
    {"meas.torchtitan.70B", REPRODUCED, check_70b, NULL},
    {"meas.torchtitan.405B", REPRODUCED, check_405b, NULL},
    {"meas.peft", REPRODUCED, check_peft, NULL},
    {NULL, REPRODUCED, NULL, NULL},
};
