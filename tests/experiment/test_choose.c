/* Which program a run starts with: on GPUs where there are any, each rank on its own if there are
 * enough. */
#include "experiment/lab.h"

struct row {
    const char *gpus, *no_nccl, *words, *command;
};
static const struct row rows[] = {
    {"0", NULL, "--ranks 2", "zerolab --ranks 2"},
    {"1", NULL, "", "zerolab-cuda --device cuda --comm local"},
    {"1", NULL, "--ranks 4 --steps 2",
     "zerolab-cuda --ranks 4 --steps 2 --device cuda --comm local"},
    {"4", NULL, "--ranks 4", "zerolab-cuda --ranks 4 --device cuda --comm nccl"},
    {"4", NULL, "--ranks=2", "zerolab-cuda --ranks=2 --device cuda --comm nccl"},
    {"4", NULL, "--ranks 2 --ranks 8",
     "zerolab-cuda --ranks 2 --ranks 8 --device cuda --comm local"},
    {"4", "1", "--ranks 4", "zerolab-cuda --ranks 4 --device cuda --comm local"},
    {"4", NULL, "--ranks 4 --comm local", "zerolab-cuda --ranks 4 --comm local --device cuda"},
    {"4", NULL, "--ranks 4 --device cpu", "zerolab --ranks 4 --device cpu"},
    {"4", NULL, "--ranks 4 --device cuda", "zerolab-cuda --ranks 4 --device cuda --comm nccl"},
    {"0", NULL, "--device cuda", "zerolab-cuda --device cuda --comm local"},
    {"2", NULL, "--link 200MB/s,50us", "zerolab --link 200MB/s,50us"},
    {"2", NULL, "--link none", "zerolab-cuda --link none --device cuda --comm local"},
};

static void set(const char *name, const char *value) {
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static int setup(void **state) {
    (void)state;
    set("ZEROLAB_CUDA", "tests/experiment/zerolab-cuda.sh");
    return 0;
}

static int teardown(void **state) {
    (void)state;
    set("ZEROLAB_CUDA", NULL);
    set("GPUS", NULL);
    set("NO_NCCL", NULL);
    return 0;
}

static void a_run_goes_where_it_can(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        set("GPUS", rows[i].gpus);
        set("NO_NCCL", rows[i].no_nccl);
        struct experiment *t = lab_start(rows[i].words, NULL);
        assert_string_equal(experiment_command(t), rows[i].command);
        experiment_free(t);
    }
}

static void a_place_says_how_many_threads(void **state) {
    (void)state;
    static const struct {
        const char *gpus, *words, *command;
    } cases[] = {
        {"0", "--ranks 2", "zerolab --ranks 2 --threads 1"},
        {"0", "", "zerolab --threads 1"},
        {"0", "--ranks 2 --threads 2", "zerolab --ranks 2 --threads 2"},
        {"1", "--ranks 2", "zerolab-cuda --ranks 2 --device cuda --comm local"},
    };
    struct base_message m = {0};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        set("GPUS", cases[i].gpus);
        struct experiment *t =
            experiment_start_in(cases[i].words, &(struct experiment_place){.threads = 1}, &m);
        if (!t) fail_msg("%s", m.what);
        assert_string_equal(experiment_command(t), cases[i].command);
        experiment_free(t);
    }
    assert_int_equal(experiment_cores("--ranks 3"), 3);
    assert_int_equal(experiment_cores("--ranks 3 --threads 2"), 6);
    assert_int_equal(experiment_cores("--ranks 65535 --threads 1024"), 65535);
}

static void who_names_a_lab_means_that_one(void **state) {
    (void)state;
    set("ZEROLAB_CUDA", NULL);
    set("GPUS", "4");
    struct experiment *t = lab_start("--ranks 4", NULL);
    assert_string_equal(experiment_command(t), "zerolab --ranks 4");
    experiment_free(t);
}

static void what_is_asked_for_and_missing_is_said(void **state) {
    (void)state;
    struct base_message m = {0};
    set("ZEROLAB", "tests/experiment/zerolab.sh");
    set("ZEROLAB_CUDA", NULL);
    assert_null(experiment_start("--device cuda", &m));
    assert_non_null(strstr(m.what, "the lab for GPUs is not here"));
    set("ZEROLAB_CUDA", "/nowhere/zerolab-cuda");
    assert_null(experiment_start("--device cuda", &m));
    assert_non_null(strstr(m.what, "ZEROLAB_CUDA is '/nowhere/zerolab-cuda', which cannot be run"));
}

static void backends_say_what_is_here_and_why_not(void **state) {
    (void)state;
    set("GPUS", "2");
    set("ZEROLAB", "tests/experiment/zerolab.sh");
    json_t *all = experiment_backends();
    const json_t *cpu = json_array_get(all, 0), *cuda = json_array_get(all, 1);
    assert_non_null(strstr(base_json_text(cpu, "why", ""), "says nothing of devices"));
    assert_int_equal(json_array_size(json_object_get(cuda, "devices")), 2);
    assert_null(json_object_get(cuda, "why"));
    json_decref(all);
    set("GPUS", "0");
    all = experiment_backends();
    const json_t *none = json_array_get(json_object_get(json_array_get(all, 1), "devices"), 0);
    assert_string_equal(base_json_text(none, "why", ""), "this machine has no NVIDIA driver");
    json_decref(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_run_goes_where_it_can, setup, teardown),
        cmocka_unit_test_setup_teardown(a_place_says_how_many_threads, setup, teardown),
        cmocka_unit_test_setup_teardown(who_names_a_lab_means_that_one, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_asked_for_and_missing_is_said, setup, teardown),
        cmocka_unit_test_setup_teardown(backends_say_what_is_here_and_why_not, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
