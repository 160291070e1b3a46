/* Activations: the cases of Korthikanti et al. (arXiv:2205.05198), ZeRO, ZeRO-Infinity,
 * Megatron-LM's report, llm.c's allocation and Llama 3 at 32k, each with its id in the oracle. */
#include "account/gpt.h"

static const struct size {
    const char *id;
    uint32_t layers, hidden, heads, batch, pp, interleave;
} sizes[] = {
    {"22B", 48, 6144, 64, 4, 1, 1},
    {"175B", 96, 12288, 96, 1, 8, 3},
    {"530B", 105, 20480, 128, 1, 35, 3},
    {"1T", 128, 25600, 160, 1, 64, 1},
};
#define T8 8

static struct account_training korthikanti(size_t i) {
    const struct size *z = &sizes[i];
    struct account_training t =
        training(gpt(z->layers, z->hidden, z->heads, 51200), 2048, z->batch);
    t.pp = z->pp;
    t.interleave = z->interleave;
    t.accumulate = 512;
    return t;
}

static void table2(void **state) { /* kort.table2.22B, .175B, .1T */
    (void)state;
    static const struct {
        size_t size;
        uint64_t none, tp, tp_sp, tp_selective, tp_sp_selective, full, full_split;
    } rows[] = {
        {0, 7079985152, 1325400064, 884998144, 654311424, 213909504, 100663296, 12582912},
        {1, 2868903936, 578813952, 358612992, 327155712, 106954752, 50331648, 6291456},
        {3, 5138022400, 1101004800, 642252800, 681574400, 222822400, 104857600, 13107200},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = korthikanti(rows[i].size);
        assert_int_equal(split(t, 1, false, NONE).kept, rows[i].none);
        assert_int_equal(split(t, T8, false, NONE).kept, rows[i].tp);
        assert_int_equal(split(t, T8, true, NONE).kept, rows[i].tp_sp);
        assert_int_equal(split(t, T8, false, SELECTIVE).kept, rows[i].tp_selective);
        assert_int_equal(split(t, T8, true, SELECTIVE).kept, rows[i].tp_sp_selective);
        assert_int_equal(split(t, T8, false, FULL).kept, rows[i].full);
        assert_int_equal(split(t, T8, true, FULL).kept, rows[i].full_split);
    }
}

static void first_stage(void **state) { /* kort.first_stage.175B, .1T; kort.fig1.175B */
    (void)state;
    struct account_training gpt3 = korthikanti(1), t1 = korthikanti(3);
    assert_int_equal(split(gpt3, T8, false, NONE).layers, 71772930048);
    assert_int_equal(split(gpt3, T8, true, NONE).layers, 44468011008);
    assert_int_equal(split(gpt3, T8, true, SELECTIVE).layers, 13262389248);
    assert_same(split(gpt3, T8, true, NONE).in_flight, 8 * 1.2916666666666667, "in flight");
    assert_int_equal(split(t1, T8, false, NONE).layers, 140928614400);
    assert_int_equal(split(t1, T8, true, NONE).layers, 82208358400);
    assert_int_equal(split(t1, T8, true, SELECTIVE).layers, 28521267200);
    assert_same((double)split(gpt3, T8, false, NONE).layers / 0x1p30, 66.84375, "fig 1");
    assert_same((double)split(gpt3, T8, true, SELECTIVE).layers / 0x1p30, 12.3515625, "fig 1");
    gpt3.interleave = 1; /* misconception 25: not divided by p */
    assert_int_equal(split(gpt3, T8, true, SELECTIVE).layers, 10267656192);
}

/* kort.fig7.22B, .175B, .530B, .1T; kort.selective.saving */
static void percent_of_tp(void **state) {
    (void)state;
    static const double rows[][4] = {
        {66.77215189873418, 49.36708860759493, 16.139240506329113, 7.594936708860759},
        {61.95652173913044, 56.52173913043478, 18.47826086956522, 8.695652173913043},
        {58.333333333333336, 61.904761904761905, 20.238095238095237, 9.523809523809524},
        {58.333333333333336, 61.904761904761905, 20.238095238095237, 9.523809523809524},
    };
    for (size_t i = 0; i < 4; i++) {
        struct account_training t = korthikanti(i);
        double tp = (double)split(t, T8, false, NONE).kept / 100;
        assert_same((double)split(t, T8, true, NONE).kept / tp, rows[i][0], "seq");
        assert_same((double)split(t, T8, false, SELECTIVE).kept / tp, rows[i][1], "sel");
        assert_same((double)split(t, T8, true, SELECTIVE).kept / tp, rows[i][2], "seqsel");
        assert_same((double)split(t, T8, false, FULL).kept / tp, rows[i][3], "full");
    }
    static const double saving[] = {0.7017543859649122, 0.6530612244897959};
    for (size_t i = 0; i < 2; i++) {
        struct account_activations a = split(korthikanti(i + 1), 1, false, SELECTIVE);
        assert_same(1 - (double)a.kept / (double)a.layer, saving[i], "selective saving");
    }
}

static void extra(void **state) { /* kort.extra.22B, .1T; kort.appB.sbhp */
    (void)state;
    struct account_activations a = split(korthikanti(0), T8, true, NONE);
    struct account_activations s = split(korthikanti(0), T8, true, SELECTIVE);
    uint64_t extra = a.embedding + a.head + a.logits;
    assert_int_equal(extra, 241172480);
    assert_same((double)extra / (double)a.layers, 0.005677330173775671, "of equation 5");
    assert_same((double)extra / (double)s.layers, 0.023488562091503268, "of equation 6");
    a = split(korthikanti(3), T8, true, NONE);
    s = split(korthikanti(3), T8, true, SELECTIVE);
    extra = a.embedding + a.head + a.logits;
    assert_int_equal(extra, 419430400);
    assert_same((double)extra / (double)a.layers, 0.00510204081632653, "of equation 5");
    assert_same((double)extra / (double)s.layers, 0.014705882352941176, "of equation 6");
    assert_int_equal(35 * split(korthikanti(2), 1, false, FULL).kept, 2936012800);
}

static void in_flight(void **state) {
    (void)state;
    static const struct {
        uint32_t accumulate, pp, interleave;
        double in_flight;
        /* micro-batches whose embedding is held */
        uint64_t first;
    } rows[] = {
        {1, 1, 1, 1, 1},
        {64, 1, 1, 1, 1},
        {1, 8, 1, 1, 1},
        {4, 8, 1, 4, 4},
        {8, 8, 1, 8, 8},
        {64, 8, 1, 8, 8},
        {64, 8, 3, 31.0 / 3, 15},
        {8, 8, 3, 8, 8}, /* not more than there are */
        {16, 8, 2, (16 + 7) / 2., 15},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = korthikanti(1);
        t.accumulate = rows[i].accumulate;
        t.pp = rows[i].pp;
        t.interleave = rows[i].interleave;
        struct account_activations a = split(t, 1, false, NONE);
        assert_same(a.in_flight, rows[i].in_flight, "in flight");
        assert_same((double)a.layers, (double)a.kept * 96 / t.pp * a.in_flight, "layers");
        assert_int_equal(a.embedding, 2048 * 12288 * rows[i].first);
    }
}

/* Megatron-LM's theoretical report: 18 + 4f/h where sequence parallel and selective; it multiplies
 * the embedding's share as it does the layers', adds token ids, and takes SwiGLU's and grouped
 * queries' shapes for GPT's. */
static void megatron(void **state) {
    (void)state;
    static const struct {
        size_t size;
        double bytes;
    } stages[] = {
        {1, 13294916266.666668}, /* megatron.175B.tp8pp8 */
        {2, 25020865877.333332}, /* megatron.530B.tp8pp35 */
    };
    for (size_t i = 0; i < 2; i++) {
        const struct size *z = &sizes[stages[i].size];
        double p = z->pp, more = 1 + (p - 1) / (p * z->interleave);
        double outside = (8 + z->hidden) * 2048.0 * p * more / T8;
        struct account_activations a = split(korthikanti(stages[i].size), T8, true, SELECTIVE);
        assert_same((double)a.layers + outside, stages[i].bytes, z->id);
    }
    struct account_training t = training(gpt(24, 1024, 16, 50304), 1024, 8); /* megatron.gpt345M */
    struct account_activations a = split(t, 1, false, SELECTIVE);
    assert_int_equal(a.layers + a.embedding + a.head + a.logits_fp32 + 8 * 1024 * 8, 8535474176);
}

static void megatron_on_llama(void **state) {
    (void)state;
    static const struct {
        const char *model;
        uint32_t seq, tp;
        uint64_t bytes;
    } rows[] = {
        {"model=llama-2-7b", 4096, 1, 16043245568}, /* megatron.llama2-7B.tp1.dp8 */
        {"model=llama-3-8b", 8192, 2, 19365134336}, /* megatron.llama3-8B.tp2.dp4.noSP */
    };
    for (size_t i = 0; i < 2; i++) {
        struct account_training t = training_of(rows[i].model);
        const struct account_shape *s = &t.shape;
        t.seq = rows[i].seq;
        t.batch = 1;
        t.dropout = true;
        t.flash = false;
        struct account_activations a = split(t, rows[i].tp, true, SELECTIVE);
        int64_t token = 4 * (int64_t)s->ffn - 4 * (int64_t)(s->hidden - s->kv_heads * s->head_size);
        int64_t ours = (int64_t)(a.layers + a.embedding + a.head + a.logits_fp32);
        int64_t ids = 8 * (int64_t)t.seq / rows[i].tp;
        int64_t missed = token * s->layers * t.seq / rows[i].tp;
        assert_int_equal(ours + ids - missed, rows[i].bytes);
    }
}

/* zero.residual.100B.ckpt: one checkpoint a layer, and P_a over 16 ranks. The paper's 33 GB is the
 * number of elements. */
static void zero_residual(void **state) {
    (void)state;
    struct account_training t = training(gpt(125, 8192, 64, 50257), 1024, 32);
    assert_int_equal(split(t, 1, false, FULL).layers, 67108864000);
    assert_int_equal(split(t, 16, true, FULL).layers, 4194304000);
}

/* infinity.fig2a.*: 2 sbhL of checkpoints. ZeRO-Infinity, section 3, counts 16h + 2as elements a
 * token where a layer is whole: the scores before softmax too, which backward does not need, so it
 * is 2as² b a layer above the table here; its AWM is of 2 sequences. */
static void infinity(void **state) {
    (void)state;
    static const struct {
        uint32_t layers, hidden, heads;
        uint64_t checkpoints, whole, working;
    } rows[] = {
        {80, 10240, 128, 53687091200, 2233382993920, 1744830464},        /* 0.1T */
        {100, 20480, 160, 134217728000, 4294967296000, 2684354560},      /* 0.5T */
        {128, 25600, 256, 214748364800, 7834020347904, 3825205248},      /* 1T */
        {315, 163840, 1024, 3382286745600, 97409858273280, 19327352832}, /* 100T */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t =
            training(gpt(rows[i].layers, rows[i].hidden, rows[i].heads, 51200), 1024, 32);
        t.dropout = false;
        uint64_t scores = 2ull * rows[i].heads * 1024 * 1024;
        assert_int_equal(split(t, 1, false, FULL).layers, rows[i].checkpoints);
        assert_int_equal(split(t, 1, false, NONE).layers + scores * 32 * rows[i].layers,
                         rows[i].whole);
        t.batch = 2;
        assert_int_equal(split(t, 1, false, FULL).layer + scores * 2, rows[i].working);
    }
}

static void logits(void **state) { /* act.llama3-8B.32k; misconceptions 18 and 28 */
    (void)state;
    struct account_training t = training_of("model=llama-3-8b batch=1 seq=32768 flash=on");
    struct account_activations a = split(t, 1, false, FULL);
    assert_int_equal(a.kept, 1ull << 28);
    assert_int_equal(a.layers, 8ull << 30);
    assert_same((double)a.logits_fp32 / 0x1p30, 15.65625, "fp32");
    assert_same((double)(a.logits_fp32 + a.logits_output) / 0x1p30, 23.484375, "and bf16");
    assert_int_equal(a.logits, a.logits_fp32); /* the paper's: one array */
    t.seq = 8192;
    a = split(t, 1, false, NONE);
    assert_int_equal(a.logits_fp32, 4202692608);
    assert_int_equal(a.logits_output, 2101346304);
    t = training(gpt(32, 4096, 32, 32000), 4096, 1);
    t.flash = true;
    a = split(t, 1, false, FULL);
    assert_int_equal(a.layers, 1073741824);
    assert_int_equal(a.logits_fp32, 524288000);
    assert_int_equal(a.layer, 34ull * 4096 * 4096 + 4 * 32 * 4096); /* and the log-sum-exp */
    assert_int_equal(a.layers + a.working, 31 * a.kept + a.layer);
}

static void logits_by_recipe(void **state) {
    (void)state;
    static const struct {
        const char *training;
        /* a logit */
        uint32_t forward, bytes;
    } rows[] = {
        {"recipe=paper", 4, 4},
        {"recipe=paper precision=fp32", 4, 4},
        {"recipe=ddp", 10, 14},
        {"recipe=ddp precision=fp32", 8, 16},
        {"recipe=fsdp2", 10, 14},
        {"recipe=megatron", 6, 6},
        {"recipe=megatron precision=fp32", 4, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = training_of(rows[i].training);
        t.shape = gpt(2, 64, 4, 1280);
        t.batch = 3;
        t.seq = 50;
        assert_int_equal(of(&t).logits, rows[i].bytes * 3 * 50 * 1280);
        assert_int_equal(of(&t).logits_forward, rows[i].forward * 3 * 50 * 1280);
    }
    struct account_training t = training_of("recipe=megatron"); /* 50257 is padded to 128 · tp */
    t.shape = gpt(2, 64, 4, 50257);
    t.batch = 1;
    t.seq = 10;
    assert_int_equal(split(t, 2, true, NONE).logits, 6 * 10 * 50432 / 2);
}

static void llmc(void **state) {
    (void)state;
    static const struct {
        const char *id, *training;
        uint32_t layers, hidden, heads, batch;
        uint8_t checkpoint;
        uint64_t bytes;
    } rows[] = {
        {"llmc.124M.B4.r0.N1.nocudnn", "flash=off", 12, 768, 12, 4, NONE, 2872885248},
        {"llmc.124M.B64.r1.N8", "flash=on", 12, 768, 12, 64, SELECTIVE, 22247374848},
        {"llmc.1558M.B16.r2.N8", "flash=on", 48, 1600, 25, 16, FULL, 27482324992},
        {"llmc.774M.B8.r0.N4", "flash=on", 36, 1280, 20, 8, NONE, 13078986752},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = training_of(rows[i].training);
        struct account_error e = {0};
        assert_true(account_set(&t, "recipe", "llm.c", &e));
        t.shape = gpt(rows[i].layers, rows[i].hidden, rows[i].heads, 50257);
        t.batch = rows[i].batch;
        t.seq = 1024;
        t.checkpoint = rows[i].checkpoint;
        struct account_activations a = of(&t);
        if (a.highest != rows[i].bytes)
            fail_msg("%s: %llu", rows[i].id, (unsigned long long)a.highest);
        assert_true(a.fixed);
        assert_int_equal(a.layers + a.embedding + a.head + a.logits + a.working, a.highest);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table2),
        cmocka_unit_test(first_stage),
        cmocka_unit_test(percent_of_tp),
        cmocka_unit_test(extra),
        cmocka_unit_test(in_flight),
        cmocka_unit_test(megatron),
        cmocka_unit_test(megatron_on_llama),
        cmocka_unit_test(zero_residual),
        cmocka_unit_test(infinity),
        cmocka_unit_test(logits),
        cmocka_unit_test(logits_by_recipe),
        cmocka_unit_test(llmc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
