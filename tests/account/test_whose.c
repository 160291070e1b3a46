/* Whose number is this? */
#include "account/check.h"

#include <stdio.h>
#include <string.h>

static const char *mistake_of(const struct account_owner *o) {
    return o->mistake ? o->mistake->id : "";
}

/* Among the first, who it must be. */
static void owners(void **state) {
    (void)state;
    static const struct {
        const char *training, *typed;
        size_t among;
        const char *recipe;
        int stage;
        const char *unit, *mistake, *quantity;
    } rows[] = {
        {"params=7.5e9 gpus=64", "120GB", 1, "paper", 0, "GB", "", "model_state"},
        {"params=7.5e9 gpus=64", "31.4 GB", 1, "paper", 1, "GB", "", "model_state"},
        {"params=7.5e9 gpus=64", "16.6GB", 1, "paper", 2, "GB", "", "model_state"},
        {"params=7.5e9 gpus=64", "1.9GB", 1, "paper", 3, "GB", "", "model_state"},
        {"params=7.5e9 gpus=64", "17.1GB", 1, "deepspeed", 2, "GB", "", "estimator_peak"},
        {"params=7.5e9 gpus=64", "17.1GB", 2, "paper", 2, "GB", "extra-fp32-grads", "model_state"},
        {"params=7.5e9 gpus=64", "15.93 GiB", 2, "paper", 2, "GiB", "extra-fp32-grads",
         "model_state"},
        {"params=7.5e9 gpus=64", "15.50GB", 2, "paper", 2, "GiB", "", "model_state"},
        {"params=7.5e9 gpus=64", "16.2", 3, "paper", 2, "GB", "no-master", "model_state"},
        {"params=7e9 gpus=8", "18 B/param", 2, "megatron", 0, "B/param", "", "model_state"},
        {"params=7e9 gpus=8", "18", 9, "megatron", 0, "B/param", "", "model_state"},
        {"params=7e9 gpus=8", "28G", 9, "paper", 0, "GB", "", "master"},
        {"params=7e9 gpus=8", "twenty-eight GB", 9, "paper", 0, "GB", "", "master"},
        {"model=llama-2-7b gpus=8", "35.38 GB", 1, "paper", 3, "GB", "", "traffic"},
        {"model=llama-2-7b gpus=8", "70.75 GB", 1, "paper", 3, "GB", "triple-traffic", "traffic"},
        {"model=llama-2-7b gpus=8 accumulate=8", "283.01GB", 1, "paper", 3, "GB", "", "traffic"},
        {"model=opt-6.7b batch=1 seq=4096 dropout=on checkpoint=selective flash=off", "18.25 GB", 1,
         "paper", 0, "GB", "", "activations_of_layers"},
        {"model=llama-2-7b gpus=8 offload_optimizer=host", "107.81 GB", 1, "paper", 1, "GB", "",
         "host"},
        {"model=llama-2-7b gpus=8 link=300GB/s", "0.0786 s", 1, "paper", 0, "s", "",
         "communication"},
        {"model=llama-2-7b gpus=8 link=300GB/s", "78.6 ms", 1, "paper", 0, "ms", "",
         "communication"},
        {"model=llama-2-7b gpus=64 hpz=8", "1.68GB", 1, "paper", 3, "GB", "hpz-free",
         "model_state"},
        {"model=llama-2-7b gpus=8 offload_params=host offload_optimizer=host", "35.38 GB", 1,
         "paper", 3, "GB", "", "traffic"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = training_of(rows[i].training);
        struct account_owner out[10];
        struct account_error e = {0};
        size_t count = account_whose(&t, rows[i].typed, out, rows[i].among, &e);
        bool found = false;
        for (size_t k = 0; k < count && k < rows[i].among; k++)
            found |= strcmp(out[k].recipe, rows[i].recipe) == 0 && out[k].stage == rows[i].stage &&
                     strcmp(account_unit_name(out[k].unit), rows[i].unit) == 0 &&
                     strcmp(mistake_of(&out[k]), rows[i].mistake) == 0 &&
                     strcmp(out[k].quantity, rows[i].quantity) == 0 &&
                     strstr(out[k].working, " = ");
        if (!found)
            fail_msg("%s, %s: %zu, first %s %u %s %s %s %s", rows[i].training, rows[i].typed, count,
                     count ? out[0].recipe : e.what, count ? out[0].stage : 0,
                     count ? mistake_of(&out[0]) : "", count ? out[0].quantity : "",
                     count ? account_unit_name(out[0].unit) : "", count ? out[0].working : "");
    }
}

/* Half of the last digit, and no more. */
static void digits_count(void **state) {
    (void)state;
    struct account_training t = training_of("params=7.5e9 gpus=64");
    struct account_owner out[4];
    assert_true(account_whose(&t, "17GB", out, 4, NULL) >
                account_whose(&t, "17.1GB", out, 4, NULL));
    assert_true(account_whose(&t, "17.1GB", out, 4, NULL) > 0);
    assert_int_equal(account_whose(&t, "17.15GB", out, 4, NULL), 0);
    assert_true(account_whose(&t, "17.109GB", out, 4, NULL) > 0);
    assert_int_equal(account_whose(&t, "17.1GB", out, 0, NULL),
                     account_whose(&t, "17.1GB", out, 4, NULL));
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *training, *typed, *says;
    } rows[] = {
        {"params=7.5e9", "", "number"},
        {"params=7.5e9", "many GB", "number"},
        {"params=7.5e9", "17 bananas", "unit"},
        {"params=7.5e9", "17 GPUs", "unit"},
        {"params=7.5e9", "17GB each", "unit"},
        {"params=7.5e9", "0.00 GB", "small"},
        {"params=7.5e9", "1e400", "large"},
        {"gpus=8", "17GB", "params"},
        {"params=7e9 gpus=8 hpz=16", "17GB", "hpz"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = training_of(rows[i].training);
        struct account_owner out[1];
        struct account_error e = {0};
        assert_int_equal(account_whose(&t, rows[i].typed, out, 1, &e), 0);
        if (!strstr(e.what, rows[i].says)) fail_msg("%s: %s", rows[i].typed, e.what);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owners),
        cmocka_unit_test(digits_count),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
