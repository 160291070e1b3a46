/* Activations by what they are: the parts add up to the whole, for any training, and stand where
 * the paper has them. */
#include "account/check.h"

#include <stdio.h>
#include <string.h>

static struct account_activation_parts parts_of(const struct account_training *t) {
    struct account_activation_parts out;
    struct account_error e = {0};
    if (!account_activation_parts(t, &out, &e)) fail_msg("%s", e.what);
    return out;
}

static void assert_adds_up(const struct account_training *t, const char *what) {
    struct account_activations a;
    struct account_activation_parts parts = parts_of(t);
    uint64_t layer = 0, kept = 0, highest = 0;
    assert_true(account_activations(t, &a, NULL));
    for (size_t i = 0; i < parts.count; i++) {
        layer += parts.part[i].layer;
        kept += parts.part[i].kept;
        highest += parts.part[i].highest;
        assert_true(parts.part[i].kept <= parts.part[i].layer);
    }
    if (layer != a.layer || kept != a.kept || highest != a.highest)
        fail_msg("%s: %llu %llu %llu, and not %llu %llu %llu", what, (unsigned long long)layer,
                 (unsigned long long)kept, (unsigned long long)highest, (unsigned long long)a.layer,
                 (unsigned long long)a.kept, (unsigned long long)a.highest);
}

static void add_up(void **state) {
    static const char *const models[] = {"gpt2",         "llama-2-13b", "llama-3.1-8b",
                                         "mixtral-8x7b", "qwen3-8b",    "falcon-7b"};
    static const char *const recipes[] = {"paper", "ddp", "megatron", "zerolab", "llm.c"};
    static const char *const checkpoints[] = {"none", "selective", "full"};
    static const char *const others[] = {
        "",           "flash=on", "dropout=on", "gpus=16 tp=2 sp=on", "gpus=16 pp=4 accumulate=8",
        "gpus=4 cp=2"};
    size_t counted = 0;
    (void)state;
    for (size_t i = 0; i < 6 * 5 * 3 * 6; i++) {
        char pairs[200];
        struct account_training t = account_training_default();
        snprintf(pairs, sizeof pairs,
                 "model=%s recipe=%s batch=2 seq=1024 flash=off checkpoint=%s %s", models[i % 6],
                 recipes[i / 6 % 5], checkpoints[i / 30 % 3], others[i / 90]);
        if (!account_model_find(models[i % 6])) continue;
        t = training_of(pairs);
        if (!account_check(&t, NULL)) continue;
        assert_adds_up(&t, pairs);
        counted++;
    }
    assert_true(counted > 200);
}

static uint64_t layer_of(const char *pairs, enum account_activation sort, bool kept) {
    struct account_training t = training_of(pairs);
    struct account_activation_parts parts = parts_of(&t);
    uint64_t sum = 0;
    for (size_t i = 0; i < parts.count; i++)
        if (parts.part[i].sort == sort) sum += kept ? parts.part[i].kept : parts.part[i].layer;
    return sum;
}

/* Korthikanti et al., arXiv:2205.05198, section 4.1: of sbh bytes, attention 11 and 5as/h, the MLP
 * 19, the norms 4; GPT-2: a 12, h 768. */
static void as_the_paper_divides(void **state) {
    static const char gpt[] = "model=gpt2 batch=1 seq=1024 flash=off dropout=on";
    uint64_t sbh = 1024 * 768;
    (void)state;
    assert_int_equal(layer_of(gpt, ACCOUNT_SAVED_NORMS, false), 4 * sbh);
    assert_int_equal(layer_of(gpt, ACCOUNT_SAVED_QKV, false), 8 * sbh);
    assert_int_equal(layer_of(gpt, ACCOUNT_SAVED_OUTPUT, false), 3 * sbh);
    assert_int_equal(layer_of(gpt, ACCOUNT_SAVED_SCORES, false), 5 * 12 * 1024 * 1024);
    assert_int_equal(layer_of(gpt, ACCOUNT_SAVED_MLP, false), 19 * sbh);
}

static void checkpointing_drops(void **state) {
    static const char selective[] = "model=gpt2 batch=1 seq=1024 flash=off checkpoint=selective",
                      full[] = "model=gpt2 batch=1 seq=1024 flash=off checkpoint=full";
    (void)state;
    assert_int_equal(layer_of(selective, ACCOUNT_SAVED_SCORES, true), 0);
    assert_int_equal(layer_of(selective, ACCOUNT_SAVED_MLP, true),
                     layer_of(selective, ACCOUNT_SAVED_MLP, false));
    assert_int_equal(layer_of(full, ACCOUNT_SAVED_NORMS, true), 2 * 1024 * 768);
    assert_int_equal(layer_of(full, ACCOUNT_SAVED_MLP, true), 0);
}

static void needs_what_activations_need(void **state) {
    struct account_training bare = training_of("params=7e9 batch=1 seq=1024"), idle;
    struct account_activation_parts parts;
    struct account_error e = {0};
    (void)state;
    assert_false(account_activation_parts(&bare, &parts, &e));
    assert_non_null(strstr(e.what, "name a model"));
    idle = training_of("model=gpt2");
    assert_int_equal(parts_of(&idle).count, 0);
    for (int s = 0; s < ACCOUNT_ACTIVATION_SORTS; s++)
        assert_true(*account_activation_name((enum account_activation)s));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add_up),
        cmocka_unit_test(as_the_paper_divides),
        cmocka_unit_test(checkpointing_drops),
        cmocka_unit_test(needs_what_activations_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
