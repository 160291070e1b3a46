/* FLOPs: Korthikanti et al., arXiv:2205.05198, table 5 with the printed times, and the shapes
 * beyond GPT. */
#include "account/gpt.h"

#include <math.h>

static struct account_training whole(uint32_t layers, uint32_t hidden, uint32_t heads) {
    return training(gpt(layers, hidden, heads, 51200), 2048, 1);
}

/* Equation 8 has the attention core's forward and backward once more: three times its forward,
 * which is what runs again. */
static double equation_8(const struct account_training *t) {
    double model = account_model_flops(t);
    return model + 3 * (account_hardware_flops(t) - model);
}

static void table5(void **state) { /* kort.mfu.22B, .175B, .530B */
    (void)state;
    static const struct {
        const char *id;
        uint32_t layers, hidden, heads, sequences, gpus;
        double model, hardware, seconds, mfu, hfu, printed_mfu, printed_hfu;
    } rows[] = {
        {"22B", 48, 6144, 64, 4, 8, 1143560812363776.0, 1202934440263680.0, 1.1, 41.65067061348251,
         43.81317162965035, 41.5, 43.7},
        {"175B", 96, 12288, 96, 64, 64, 1.4109153109947186e+17, 1.4489144328506573e+17, 13.75,
         51.38823248086825, 52.772233131215664, 51.4, 52.8},
        {"530B", 105, 20480, 128, 280, 280, 1.852230416203776e+18, 1.8825357054443523e+18, 37.83,
         56.04618357851929, 56.96318385522277, 56.0, 57.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = whole(rows[i].layers, rows[i].hidden, rows[i].heads);
        t.checkpoint = ACCOUNT_SELECTIVE;
        double model = account_model_flops(&t) * rows[i].sequences;
        double hardware = equation_8(&t) * rows[i].sequences;
        double peak = 312e12 * rows[i].gpus * rows[i].seconds / 100;
        assert_same(model, rows[i].model, rows[i].id);
        assert_same(hardware, rows[i].hardware, rows[i].id);
        assert_same(model / peak, rows[i].mfu, rows[i].id);
        assert_same(hardware / peak, rows[i].hfu, rows[i].id);
        assert_true(fabs(model / peak - rows[i].printed_mfu) < 0.35);
        assert_true(fabs(hardware / peak - rows[i].printed_hfu) < 0.35);
    }
}

/* the core's forward once: 4 s² h of 72 s h²; section 5 prints thrice that */
static void selective_overhead(void **state) {
    (void)state;
    static const struct {
        uint32_t layers, hidden, heads;
        double printed;
    } rows[] = {
        {96, 12288, 96, 0.027777777777777776},
        {105, 20480, 128, 0.016666666666666666},
    };
    for (size_t i = 0; i < 2; i++) {
        struct account_training t = whole(rows[i].layers, rows[i].hidden, rows[i].heads);
        double h = rows[i].hidden, matrices = 72.0 * rows[i].layers * 2048 * h * h;
        t.checkpoint = ACCOUNT_SELECTIVE;
        double again = account_hardware_flops(&t) - account_model_flops(&t);
        assert_same(again, rows[i].layers * 4.0 * 2048 * 2048 * h, "the core's forward");
        assert_true(fabs(3 * again / matrices - rows[i].printed) < 1e-12);
        t.flash = true; /* nothing is dropped, so nothing is computed again */
        assert_same(account_hardware_flops(&t), account_model_flops(&t), "flash");
    }
}

static void full_is_four_thirds(void **state) { /* equation 9: 96 BLsh² (1 + s/6h + V/16hL) */
    (void)state;
    struct account_training t = whole(48, 6144, 64);
    double h = 6144, s = 2048, V = 51200, L = 48;
    t.checkpoint = ACCOUNT_FULL;
    assert_same(account_hardware_flops(&t),
                96 * L * s * h * h * (1 + s / (6 * h) + V / (16 * h * L)), "full");
    t.checkpoint = ACCOUNT_KEEP_ALL;
    assert_same(account_hardware_flops(&t), account_model_flops(&t), "none");
}

/* The lab multiplies query and key again; llm.c computes norms and GELUs again, which are no matrix
 * products. */
static void by_recipe(void **state) {
    (void)state;
    struct account_training t = whole(48, 6144, 64);
    struct account_error e = {0};
    t.checkpoint = ACCOUNT_SELECTIVE;
    assert_true(account_set(&t, "recipe", "zerolab", &e));
    double again = account_hardware_flops(&t) - account_model_flops(&t);
    assert_true(fabs(again / (48 * 2.0 * 2048 * 2048 * 6144) - 1) < 1e-9);
    t.checkpoint = ACCOUNT_FULL;
    assert_true(account_set(&t, "recipe", "llm.c", &e));
    assert_same(account_hardware_flops(&t), account_model_flops(&t), "llm.c -r 2");
}

static void other_shapes(void **state) {
    (void)state;
    struct account_training t = training_of("model=llama-3-8b batch=1 seq=8192");
    double s = 8192, h = 4096, f = 14336, kv = 1024, L = 32, V = 128256;
    double met = 2 * h * h + 2 * h * kv + 3 * h * f;
    double core = 4 * s * s * h * L, head = 2 * s * h * V;
    assert_same(account_model_flops(&t), 3 * (2 * s * L * met + core + head), "grouped, gated");
    struct account_training lora = t;
    lora.lora = 8;
    double adapters = 32.0 * 8 * (h + h + h + kv);
    assert_same(account_model_flops(&lora),
                2 * (2 * s * L * met + head) + 3 * core + 6 * s * adapters, "LoRA");
    lora.lora_on = ACCOUNT_ON_ALL_LINEAR;
    adapters = 32.0 * 8 * (2 * (h + h) + 2 * (h + kv) + 3 * (h + f));
    assert_same(account_model_flops(&lora),
                2 * (2 * s * L * met + head) + 3 * core + 6 * s * adapters, "on all linear layers");
    t.shape.experts = 8;
    t.shape.experts_active = 2;
    t.shape.expert_ffn = 14336;
    met = 2 * h * h + 2 * h * kv + 2 * 3 * h * f + 8 * h;
    assert_same(account_model_flops(&t), 3 * (2 * s * L * met + core + head), "experts");
    lora.shape = t.shape;
    adapters = 32.0 * 8 * (2 * (h + h) + 2 * (h + kv) + (h + 8) + 2 * 3 * (h + f));
    assert_same(account_model_flops(&lora),
                2 * (2 * s * L * met + head) + 3 * core + 6 * s * adapters, "on active experts");
}

static void bare_count(void **state) {
    (void)state;
    struct account_training t = training_of("params=13e9 seq=2048");
    assert_same(account_model_flops(&t), 6 * 13e9 * 2048, "6 a parameter and token");
    t.checkpoint = ACCOUNT_FULL;
    assert_same(account_hardware_flops(&t), 8 * 13e9 * 2048, "8 with full checkpointing");
    t.seq = 0;
    assert_same(account_hardware_flops(&t), 0, "no sequence");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table5),
        cmocka_unit_test(selective_overhead),
        cmocka_unit_test(full_is_four_thirds),
        cmocka_unit_test(by_recipe),
        cmocka_unit_test(other_shapes),
        cmocka_unit_test(bare_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
