/* A scenario scaled down keeps its verdict: what fits the GPU there fits the cap here, and what
 * does not, does not. */
#include "experiment/lab.h"

#include <math.h>

enum { SCENARIOS = 4000 };
static const char *const recipes[] = {"paper", "ddp", "deepspeed", "fsdp1", "fsdp2", "megatron"};
static const char *const precisions[] = {"mixed-bf16", "mixed-bf16", "mixed-fp16", "fp32"};
static const char *const checkpoints[] = {"none", "selective", "full"};
static const uint32_t gpus[] = {1, 2, 4, 8, 8, 16, 32, 64, 256};
static const uint32_t sequences[] = {512, 1024, 2048, 2048, 4096, 8192, 32768};
#define PICK(array) array[base_random(&seed) % BASE_COUNT(array)]

static void put(struct account_training *t, const char *field, const char *value) {
    struct account_error e;
    if (!account_set(t, field, value, &e)) fail_msg("%s = %s: %s", field, value, e.what);
}

/* A model of the catalogue, on a card of it. False where that is none for the lab. */
static bool draw(uint64_t number, struct account_training *t) {
    uint64_t seed = base_hash(number, "scale");
    size_t models, cards;
    const struct account_model *model = account_models(&models);
    const struct account_card *card = account_cards(&cards);
    *t = account_training_default();
    put(t, "model", model[base_random(&seed) % models].name);
    put(t, "gpu", card[base_random(&seed) % cards].name);
    put(t, "recipe", PICK(recipes));
    put(t, "precision", PICK(precisions));
    put(t, "checkpoint", PICK(checkpoints));
    t->gpus = PICK(gpus);
    t->seq = PICK(sequences);
    t->batch = 1u << base_random(&seed) % 4;
    t->accumulate = 1u << base_random(&seed) % 4;
    t->stage = (uint8_t)(base_random(&seed) % 4);
    t->flash = base_random(&seed) % 4 > 0;
    return !t->shape.experts && account_has_stage(t, t->stage) && account_check(t, NULL);
}

/* Between 97 and 103 % of the GPU nobody should rely on either. */
static bool is_close(const struct experiment_scale *s) {
    double part = (double)s->scenario.peak / (double)s->budget;
    return fabs(part - 1) < 0.03;
}

static double memory_left(const struct experiment_scale *s) {
    return (double)(s->scenario.peak - s->scenario.framework) /
           ((double)s->budget - (double)s->scenario.framework);
}

static void expect_verdict(uint64_t number, const struct experiment_scale *s, double *worst) {
    bool fits = s->fits != ACCOUNT_TOO_LARGE;
    double here = (double)s->scaled.peak / (double)s->cap;
    *worst = fmax(*worst, fabs(here / memory_left(s) - 1));
    if (fits == s->runs || is_close(s)) return;
    fail_msg("scenario %d: %s on %u × %s, stage %u holds %.4g of %.4g bytes; here %.4g of %.4g: %s",
             (int)number, s->real.model->name, s->real.gpus, s->real.card->name, s->real.stage,
             (double)s->scenario.peak, (double)s->budget, (double)s->scaled.peak, (double)s->cap,
             s->arguments);
}

static void expect_verdicts(struct experiment_capacity capacity) {
    size_t fits = 0, not = 0;
    double worst = 0;
    for (uint64_t i = 1; i <= SCENARIOS; i++) {
        struct account_training t;
        struct experiment_scale s;
        struct base_message m;
        if (!draw(i, &t)) continue;
        if (!experiment_scale(&t, 0, capacity, &s, &m)) fail_msg("scenario %d: %s", (int)i, m.what);
        expect_verdict(i, &s, &worst);
        fits += s.fits != ACCOUNT_TOO_LARGE;
        not += s.fits == ACCOUNT_TOO_LARGE;
    }
    print_message("%zu fit, %zu do not; peak ÷ cap moves by %.2f %% at most\n", fits, not,
                  100 * worst);
    assert_true(fits > SCENARIOS / 10 && not > SCENARIOS / 10);
    assert_true(worst < 0.03);
}

static void the_verdict_is_preserved(void **state) {
    (void)state;
    expect_verdicts((struct experiment_capacity){.ranks = 64});
}

static void fewer_ranks_preserve_it_too(void **state) {
    (void)state;
    expect_verdicts((struct experiment_capacity){.ranks = 8, .bytes = 500000000});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_verdict_is_preserved),
        cmocka_unit_test(fewer_ranks_preserve_it_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
