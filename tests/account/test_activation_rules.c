/* Activations of other shapes, precisions and splits, and what must hold of every training. */
#include "account/gpt.h"

#include <stdio.h>
#include <string.h>

/* Bytes a token and layer of other families, 16 bits, flash, no dropout: h = 4096, kv 1024, f =
 * 14336. */
static void families(void **state) {
    (void)state;
    struct account_training t = training_of("model=llama-3-8b batch=1 seq=8192 flash=on");
    uint64_t h = 4096, kv = 1024, f = 14336, n = 8192, lse = 4 * 32;
    uint64_t layer = 2 * (2 * h + h + h + 2 * kv + h + h + 4 * f) + lse;
    assert_int_equal(of(&t).layer, n * layer);
    assert_same((double)(layer - lse) / (2 * (double)h), 20.5, "copies of the hidden state");
    struct account_training q = t;
    assert_true(account_family_find("qwen3", &q.shape.family));
    assert_int_equal(of(&q).layer, n * (layer + 2 * (h + kv)));
    q = t;
    assert_true(account_family_find("phi", &q.shape.family)); /* one norm, no gate */
    assert_int_equal(of(&q).layer, n * (layer - 2 * (2 * h + 2 * f)));
    q = t;
    q.shape.experts = 8;
    q.shape.experts_active = 2;
    q.shape.expert_ffn = 14336;
    uint64_t routed = 2 * 4 * f + 2 * 2 * 2 * h + 4 * 8;
    assert_int_equal(of(&q).layer, n * (layer + routed));
    q = t;
    q.shape.head_size = 256; /* heads twice as wide as the hidden state divided */
    assert_int_equal(of(&q).layer, n * (layer + 2 * (2 * h + 2 * kv)));
}

/* The frozen base still back-propagates (misconception 20), but only a weight that is trained needs
 * its layer's input. What attention, norms, the activation and the gate need for themselves stays;
 * query and value have adapters, which read their input. */
static void frozen_layers_save_no_input(void **state) {
    (void)state;
    struct account_training t = training_of("model=llama-3-8b batch=1 seq=8192 flash=on"), q;
    uint64_t h = 4096, f = 14336, n = 8192, scores = 32 * 8192;
    struct account_activations whole = of(&t), a;
    t.lora = 8;
    a = of(&t);
    assert_int_equal(whole.layer - a.layer, n * 2 * (h + f)); /* of gate and up, of down */
    assert_int_equal(whole.head - a.head, n * 2 * h);
    q = t;
    q.flash = false; /* flash attention reads its own output again; two products do not */
    assert_int_equal(of(&q).layer - a.layer, n * (2 * (scores - h) - 4 * 32));
    q = t;
    /* no gate: the activation's output is the input of down */
    assert_true(account_family_find("phi", &q.shape.family));
    struct account_training p = q;
    p.lora = 0;
    assert_int_equal(of(&p).layer - of(&q).layer, n * 2 * f);
    q = t;
    q.shape.experts = 8;
    q.shape.experts_active = 2;
    q.shape.expert_ffn = 14336;
    p = q;
    p.lora = 0; /* of the router, of each expert's gate and up, of its down */
    assert_int_equal(of(&p).layer - of(&q).layer, n * 2 * (h + 2 * h + 2 * f));
    q = t;
    assert_true(account_set(&q, "checkpoint", "full", &(struct account_error){0}));
    assert_int_equal(of(&q).kept, n * 2 * h);
    assert_int_equal(of(&q).working, a.layer - n * 2 * h);
}

/* With adapters on all linear layers each of them needs its input again, whatever the family; the
 * head has none. */
static void adapters_everywhere_save_every_input(void **state) {
    (void)state;
    static const char *const models[] = {"llama-3-8b", "phi-2", "mixtral-8x7b", "gpt2", "phi-4"};
    for (size_t i = 0; i < 2 * sizeof models / sizeof *models; i++) {
        char text[80];
        snprintf(text, sizeof text, "model=%s batch=1 seq=1024 flash=%s", models[i / 2],
                 i % 2 ? "on" : "off");
        struct account_training t = training_of(text), whole = t;
        t.lora = 8;
        uint64_t spared = of(&t).layer;
        t.lora_on = ACCOUNT_ON_ALL_LINEAR;
        assert_true(of(&whole).layer > spared);
        assert_int_equal(of(&t).layer, of(&whole).layer);
        assert_int_equal(of(&whole).head - of(&t).head, 1024ull * 2 * t.shape.hidden);
    }
}

static void fp32_doubles_all_but_masks(void **state) {
    (void)state;
    struct account_training t = training(gpt(4, 512, 8, 1000), 256, 3);
    struct account_error e = {0};
    uint64_t sbh = 256ull * 3 * 512, scores = 8ull * 256 * 256 * 3;
    assert_int_equal(of(&t).layer, 34 * sbh + 5 * scores);
    t.dropout = false;
    assert_int_equal(of(&t).layer, 32 * sbh + 2 * scores);
    assert_true(account_set(&t, "precision", "fp32", &e));
    assert_int_equal(of(&t).layer, 64 * sbh + 4 * scores);
    t.dropout = true;
    assert_int_equal(of(&t).layer, 66 * sbh + 9 * scores);
}

static void lab_drops_what_is_cheap(void **state) {
    (void)state;
    struct account_training t = training(gpt(4, 512, 8, 1000), 256, 3);
    struct account_error e = {0};
    t.dropout = false;
    assert_true(account_set(&t, "recipe", "zerolab", &e));
    struct account_activations a = split(t, 1, false, SELECTIVE);
    uint64_t sbh = 256ull * 3 * 512, scores = 8ull * 256 * 256 * 3;
    assert_int_equal(a.layer - a.kept, 2 * (2 * sbh + 4 * sbh + scores));
}

/* Logits and what one layer makes again are never there together. */
static void highest(void **state) {
    (void)state;
    struct account_training t = training(gpt(4, 512, 8, 100), 256, 3);
    struct account_activations a = split(t, 1, false, FULL);
    assert_true(a.working > a.head + a.logits);
    assert_int_equal(a.highest, a.layers + a.embedding + a.working);
    t.shape.vocab = 50257;
    a = split(t, 1, false, FULL);
    assert_true(a.working < a.head + a.logits);
    assert_int_equal(a.highest, a.layers + a.embedding + a.head + a.logits);
}

static void before_the_first_layer(void **state) {
    (void)state;
    struct account_training t = training(gpt(4, 512, 8, 1000), 256, 3);
    uint64_t sbh = 256ull * 3 * 512;
    assert_int_equal(of(&t).embedding, sbh);
    assert_true(account_family_find("bloom", &t.shape.family)); /* a norm on the embedding */
    assert_int_equal(of(&t).embedding, 3 * sbh);
    t.dropout = false;
    assert_int_equal(of(&t).embedding, 2 * sbh);
}

static void context_parallel(void **state) {
    (void)state;
    struct account_training t = training(gpt(4, 512, 8, 1000), 256, 3);
    t.cp = 4;
    t.gpus = 4;
    struct account_activations a = of(&t);
    uint64_t sbh = 64ull * 3 * 512, scores = 8ull * 64 * 256 * 3; /* own queries, all keys */
    assert_int_equal(a.layer, 34 * sbh + 5 * scores);
    assert_int_equal(a.logits_fp32, 4 * 64 * 3 * 1000);
    t.flash = true;
    t.tp = 2;
    t.sp = true;
    t.gpus = 8;
    assert_int_equal(of(&t).layer, (34 * sbh + 4 * 8 * 64 * 3) / 2);
}

static void nothing_asked_and_too_much(void **state) {
    (void)state;
    struct account_activations a;
    struct account_error e = {0};
    struct account_training t = training_of("params=13e9");
    assert_true(account_activations(&t, &a, &e));
    assert_int_equal(a.highest, 0);
    t.batch = t.seq = 1;
    assert_false(account_activations(&t, &a, &e));
    assert_non_null(strstr(e.what, "model"));
    t = training(gpt(96, 12288, 96, 51200), UINT32_MAX, UINT32_MAX);
    assert_false(account_activations(&t, &a, &e));
    assert_non_null(strstr(e.what, "smaller"));
}

/* ── what must hold of every training ──────────────────────────────────────────────────────────*/

static struct account_training random_training(uint64_t *state) {
    static const char *const names[] = {"gpt", "llama", "qwen3", "phi", "gemma2"};
    uint32_t heads = 8u << chance(state) % 3, size = 16u << chance(state) % 3;
    struct account_shape s = gpt(1 + (uint32_t)(chance(state) % 40), heads * size, heads,
                                 100 + (uint32_t)(chance(state) % 9000));
    s.kv_heads = heads >> chance(state) % 3;
    s.ffn = 64 + (uint32_t)(chance(state) % 4000);
    assert_true(account_family_find(names[chance(state) % 5], &s.family));
    struct account_training t =
        training(s, 1 + (uint32_t)(chance(state) % 4096), 1 + (uint32_t)(chance(state) % 8));
    t.dropout = chance(state) % 2;
    t.flash = chance(state) % 2;
    t.checkpoint = (uint8_t)(chance(state) % 3);
    t.pp = 1u << chance(state) % 3;
    t.accumulate = 1 + (uint32_t)(chance(state) % 9);
    t.interleave = 1 + (uint32_t)(chance(state) % 3);
    return with(t, 1u << chance(state) % 3, chance(state) % 2, t.checkpoint);
}

static void grows(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 3000; i++) {
        struct account_training t = random_training(&seed), more = t;
        uint64_t now = of(&t).highest;
        more.batch++;
        assert_true(of(&more).highest > now);
        more = t;
        more.seq++;
        assert_true(of(&more).highest >= now); /* a padded split may hide one token */
        more.seq += 8;
        assert_true(of(&more).highest > now);
        more = t;
        more.shape.layers += t.pp * t.interleave;
        assert_true(of(&more).highest > now);
        more = t;
        more.accumulate++;
        assert_true(of(&more).highest >= now);
    }
}

static void shrinks(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 3000; i++) {
        struct account_training t = random_training(&seed), other = t;
        uint64_t none = split(t, t.tp, t.sp, NONE).layers;
        uint64_t selective = split(t, t.tp, t.sp, SELECTIVE).layers;
        assert_true(split(t, t.tp, t.sp, FULL).layers <= selective && selective <= none);
        if (t.flash) assert_int_equal(selective, none);
        assert_int_equal(of(&t).kept + of(&t).working, of(&t).layer);
        other.flash = true;
        t.flash = false;
        if (t.seq > 8) assert_true(of(&other).layer < of(&t).layer);
        other = t;
        other.sp = true;
        t.sp = false;
        assert_true(of(&other).highest <= of(&t).highest);
        assert_true(split(t, 2 * t.tp, t.sp, t.checkpoint).highest <= of(&t).highest);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families),
        cmocka_unit_test(frozen_layers_save_no_input),
        cmocka_unit_test(adapters_everywhere_save_every_input),
        cmocka_unit_test(fp32_doubles_all_but_masks),
        cmocka_unit_test(lab_drops_what_is_cheap),
        cmocka_unit_test(highest),
        cmocka_unit_test(before_the_first_layer),
        cmocka_unit_test(context_parallel),
        cmocka_unit_test(nothing_asked_and_too_much),
        cmocka_unit_test(grows),
        cmocka_unit_test(shrinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
