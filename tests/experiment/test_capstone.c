/* The lab `capstone`: which stages it runs for a scenario, what it asks and says, and what the lab
 * as it is listed promises. */
#include "experiment/lab.h"

#include "page/page.h"

static struct account_training course(void) {
    struct account_training t = account_training_default();
    account_set(&t, "model", "llama-2-13b", NULL);
    account_set(&t, "gpu", "a100-80g", NULL);
    t.params = 13000000000;
    t.gpus = 8;
    t.batch = 1;
    t.seq = 2048;
    return t;
}

static struct experiment_capstone *make(const struct account_training *t, uint64_t budget,
                                        int stage) {
    struct base_message m = {0};
    struct experiment_capstone *c =
        experiment_capstone_new(t, budget, stage, (struct experiment_capacity){.ranks = 16}, &m);
    if (!c) fail_msg("%s", m.what);
    return c;
}

static void the_listed_lab_is_the_courses_own(void **state) {
    (void)state;
    struct account_training t = course();
    struct experiment_capstone *c = make(&t, 0, EXPERIMENT_ALL_STAGES);
    const struct experiment_lab *made = experiment_capstone_lab(c),
                                *listed = experiment_lab_find("capstone");
    assert_string_equal(made->ask, listed->ask);
    assert_int_equal(made->right, listed->right);
    for (size_t i = 0; i < EXPERIMENT_OPTIONS && (made->option[i] || listed->option[i]); i++)
        assert_string_equal(made->option[i], listed->option[i]);
    assert_string_equal(made->amount.ask, listed->amount.ask);
    assert_string_equal(made->after.ask, listed->after.ask);
    assert_string_equal(made->after.because, listed->after.because);
    assert_int_equal(made->after.right, listed->after.right);
    experiment_capstone_free(c);
}

/* The stages that are run, those in brackets to die; and the answer. */
static const struct {
    uint64_t budget;
    int stage;
    const char *runs, *right;
} rows[] = {
    {0, EXPERIMENT_ALL_STAGES, "3 2 (1)", "stages 3 and 2"},
    {42000000000, EXPERIMENT_ALL_STAGES, "(3)", "none of them"},
    {60000000000, EXPERIMENT_ALL_STAGES, "3 (2)", "only stage 3"},
    {100000000000, EXPERIMENT_ALL_STAGES, "3 2 1 (0)", "stages 3, 2 and 1"},
    {1000000000000, EXPERIMENT_ALL_STAGES, "3 2 1 0", "all of them"},
    {0, 2, "2", "it fits"},
    {0, 1, "(1)", "it runs out of memory"},
};

static void stages_run_down_to_the_first_that_dies(void **state) {
    (void)state;
    struct account_training t = course();
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct base_text runs = {0};
        struct experiment_capstone *c = make(&t, rows[i].budget, rows[i].stage);
        const struct experiment_lab *lab = experiment_capstone_lab(c);
        for (size_t v = 0; v < experiment_variants(lab); v++) {
            bool dies = lab->variant[v].dies;
            base_text_printf(&runs, "%s%s%s%s", v ? " " : "", dies ? "(" : "",
                             lab->variant[v].label + strlen("stage "), dies ? ")" : "");
        }
        assert_string_equal(runs.s, rows[i].runs);
        assert_string_equal(lab->option[lab->right], rows[i].right);
        assert_non_null(strstr(lab->amount.ask, "How many GB of model states"));
        assert_string_equal(lab->after.option[lab->after.right], "the model states");
        base_text_free(&runs);
        experiment_capstone_free(c);
    }
}

static const struct {
    const char *field, *value, *why;
} refused[] = {
    {"offload_optimizer", "host", "offloads nothing"},
    {"tp", "2", "splits no layer"},
    {"optimizer", "adam8bit", "adamw"},
    {"lora", "8", "no adapters"},
    {"precision", "bf16", "mixed-bf16"},
    {"batch", "0", "micro-batch"},
    {"shard_group", "4", "all its ranks"},
};

static void what_the_lab_cannot_is_told(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(refused); i++) {
        struct account_training t = course();
        struct experiment_scale s;
        struct base_message m;
        account_set(&t, refused[i].field, refused[i].value, NULL);
        assert_false(experiment_scale(&t, 0, (struct experiment_capacity){.ranks = 8}, &s, &m));
        if (!strstr(m.what, refused[i].why)) fail_msg("%s: %s", refused[i].field, m.what);
    }
}

static void the_three_stand_beside_each_other(void **state) {
    (void)state;
    struct account_training t = course();
    struct experiment_capstone *c = make(&t, 0, 2);
    char peak[32];
    struct page *p = page_new(78, false);
    page_lab_scale(p, (struct page_flow){.width = 78}, experiment_capstone_scale(c, 0), NULL);
    char *text = page_to_text(p);
    assert_non_null(strstr(text, "13B × 8"));
    account_print_bytes(peak, sizeof peak, (double)experiment_capstone_scale(c, 0)->scenario.peak);
    assert_non_null(strstr(text, peak));
    assert_non_null(strstr(text, "taken off"));
    free(text);
    page_free(p);
    experiment_capstone_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_listed_lab_is_the_courses_own),
        cmocka_unit_test(stages_run_down_to_the_first_that_dies),
        cmocka_unit_test(what_the_lab_cannot_is_told),
        cmocka_unit_test(the_three_stand_beside_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
