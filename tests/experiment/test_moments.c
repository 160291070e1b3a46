/* moments.c: the moments of a step as memory events tell them, from recordings written here. */
#include "experiment/lab.h"

#include "base/scratch.h"

#define START                                                                                      \
    "{\"event\":\"start\",\"v\":1,\"device\":\"cpu\",\"comm\":\"shm\",\"ranks\":2,\"stage\":0,"    \
    "\"model\":{\"name\":\"custom\",\"layers\":1,\"width\":16,\"heads\":2,\"seq\":8,\"vocab\":64}" \
    ","                                                                                            \
    "\"precision\":\"fp32\",\"batch\":1,\"steps\":2,\"accumulate\":1,\"checkpoint\":\"none\","     \
    "\"bucket\":25000000,\"prefetch\":1,\"cap\":90000}\n"
#define MEMORY(step, where, now, highest)                                                          \
    "{\"event\":\"memory\",\"rank\":0,\"step\":" #step ",\"where\":\"" where                       \
    "\",\"now\":{\"params\":" #now "},\"total\":" #now highest "}\n"
#define HIGH(bytes)   ",\"highest\":{\"params\":7,\"gather\":" #bytes "},\"highest_total\":" #bytes
#define ENDED(number) "{\"event\":\"step\",\"step\":" #number ",\"loss\":1,\"ms\":1}\n"
#define STEP(number)                                                                               \
    MEMORY(number, "forward embeddings", 10, HIGH(number##1))                                      \
    MEMORY(number, "forward block 0", 20, HIGH(number##2))                                         \
    MEMORY(number, "backward head", 30, HIGH(number##3))                                           \
    MEMORY(number, "update last norm", 5, HIGH(number##4)) ENDED(number)

/* Rank 0 once the recording is over; *t is the caller's, and the rank is its. */
static const struct experiment_rank *heard(void **state, const char *text, struct experiment **t) {
    struct base_message m = {0};
    char *path = scratch_path(state, "moments.jsonl");
    if (!base_file_write(path, text, strlen(text), &m)) fail_msg("%s", m.what);
    *t = experiment_replay(path, 0, &m);
    if (!*t) fail_msg("%s", m.what);
    while (!experiment_is_over(*t)) experiment_read(*t);
    assert_int_equal(experiment_state(*t)->rank[1].moments, 0);
    free(path);
    return &experiment_state(*t)->rank[0];
}

static void assert_moment(const struct experiment_rank *r, size_t i, const char *where,
                          uint64_t gather) {
    char name[48];
    assert_true(i < r->moments);
    assert_string_equal(account_timepoint_name(&r->moment[i], name, sizeof name), where);
    assert_int_equal(r->moment[i].ledger.bytes[ACCOUNT_GATHER], gather);
}

static void has_no_moments(void **state, const char *text) {
    struct experiment *t;
    assert_int_equal(heard(state, text, &t)->moments, 0);
    experiment_free(t);
}

/* The last step that is whole, and after its update what is held then. */
static void shows_the_last_whole_step(void **state) {
    struct experiment *t;
    const struct experiment_rank *r = heard(state,
                                            START MEMORY(0, "init", 3, HIGH(99)) STEP(1) STEP(2)
                                                MEMORY(3, "forward embeddings", 10, HIGH(31)),
                                            &t);
    assert_int_equal(experiment_state(t)->setup.cap, 90000);
    assert_int_equal(r->moments, 5);
    assert_moment(r, 0, "forward embeddings", 21);
    assert_moment(r, 1, "forward block 0", 22);
    assert_moment(r, 2, "backward head", 23);
    assert_moment(r, 3, "update", 24);
    assert_moment(r, 4, "between steps", 0);
    assert_int_equal(r->moment[4].ledger.bytes[ACCOUNT_PARAMS], 5);
    assert_int_equal(r->moment[4].ledger.total, 5);
    experiment_free(t);
}

/* Between a rank's last moment and the end of the step, the loss and the log are of the step
 * before: so is the curve. */
static void shows_a_step_once_it_has_ended(void **state) {
#define UPDATED                                                                                    \
    MEMORY(2, "forward embeddings", 10, HIGH(21)) MEMORY(2, "update last norm", 5, HIGH(24))
    struct experiment *t;
    const struct experiment_rank *r = heard(state, START STEP(1) UPDATED, &t);
    assert_moment(r, 0, "forward embeddings", 11);
    experiment_free(t);
    has_no_moments(state, START UPDATED);
}

/* An evaluation goes forward after the update: it is no step. */
static void passes_evaluations_over(void **state) {
    struct experiment *t;
    const struct experiment_rank *r =
        heard(state,
              START STEP(1) MEMORY(1, "forward embeddings", 1, HIGH(91))
                  MEMORY(1, "forward head", 1, HIGH(92)) STEP(2),
              &t);
    assert_int_equal(r->moments, 5);
    assert_moment(r, 0, "forward embeddings", 21);
    experiment_free(t);
}

/* Recordings from before events said the highest of their moments are read as before, and have no
 * curve: what is held as moments end would contradict their peaks. */
static void old_recordings_have_none(void **state) {
    has_no_moments(state, START MEMORY(1, "forward embeddings", 10, "") MEMORY(1, "update", 5, ""));
    has_no_moments(state, START MEMORY(1, "forward embeddings", 10, HIGH(11)));
    has_no_moments(state, START MEMORY(1, "forward block 0", 10, HIGH(11))
                              MEMORY(1, "update", 5, HIGH(11)));
}

/* What an event claims may be more than can be added up. */
static void sums_stay_countable(void **state) {
#define HUGE                                                                                       \
    ",\"highest\":{\"params\":9000000000000000000,\"grads\":9000000000000000000,"                  \
    "\"gather\":9000000000000000000},\"highest_total\":1"
    struct experiment *t;
    const struct experiment_rank *r = heard(
        state,
        START MEMORY(1, "forward embeddings", 10, HUGE) MEMORY(1, "update", 5, HUGE) ENDED(1), &t);
    assert_int_equal(r->moments, 3);
    assert_int_equal(r->moment[0].ledger.total, 3 * r->moment[0].ledger.bytes[ACCOUNT_PARAMS]);
    experiment_free(t);
}

/* Each moment beside what the engine says of the run that its start describes. */
static void foresees_each_moment(void **state) {
    struct experiment *run;
    const struct experiment_rank *r = heard(state, START STEP(1), &run);
    struct account_training t = account_training_default();
    struct account_timepoint m[32];
    size_t count;
    assert_true(account_set(&t, "recipe", "zerolab", NULL));
    assert_true(account_set(&t, "precision", "fp32", NULL));
    t.shape = (struct account_shape){.tied = true,
                                     .layers = 1,
                                     .hidden = 16,
                                     .heads = 2,
                                     .kv_heads = 2,
                                     .head_size = 8,
                                     .ffn = 64,
                                     .vocab = 64,
                                     .context = 8};
    assert_true(account_family_find("gpt", &t.shape.family));
    t.params = account_count_params(&t.shape);
    t.flash = false;
    t.gpus = 2;
    t.batch = 1;
    t.seq = 8;
    t.prefetch = 1;
    t.bucket = 25000000;
    count = account_timeline(&t, m, 32, NULL);
    assert_int_equal(r->moments, 5);
    for (size_t i = 0; i < r->moments; i++) {
        const struct account_timepoint *own = &r->moment[i];
        uint64_t predicted = 0;
        for (size_t k = 0; k < count; k++)
            if (m[k].phase == own->phase && m[k].stop == own->stop && m[k].block == own->block)
                predicted = m[k].ledger.total;
        assert_true(predicted > 0);
        assert_int_equal(r->foreseen[i], predicted);
    }
    experiment_free(run);
}

/* A start that says nothing sensible of the model leaves the prediction out. */
static void foresees_nothing_of_the_unknown(void **state) {
    static const char *const starts[] = {
        "{\"event\":\"start\",\"v\":1,\"ranks\":2}\n",
        "{\"event\":\"start\",\"v\":1,\"ranks\":2,\"precision\":\"fp32\",\"model\":{\"layers\":"
        "4000000000,\"width\":4000000000,\"heads\":1,\"seq\":8,\"vocab\":64}}\n",
        "{\"event\":\"start\",\"v\":1,\"ranks\":2,\"precision\":\"fp32\",\"model\":{\"layers\":"
        "4000000,\"width\":16,\"heads\":2,\"seq\":8,\"vocab\":64}}\n",
        "{\"event\":\"start\",\"v\":1,\"ranks\":2,\"precision\":\"fp8\",\"model\":7}\n",
    };
    for (size_t i = 0; i < BASE_COUNT(starts); i++) {
        char *text = base_format("%s%s", starts[i], STEP(1));
        struct experiment *t;
        const struct experiment_rank *r = heard(state, text, &t);
        assert_int_equal(r->moments, 5);
        assert_int_equal(r->foreseen[0], 0);
        experiment_free(t);
        free(text);
    }
}

int main(void) {
#define IN_SCRATCH(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(shows_the_last_whole_step),
        IN_SCRATCH(passes_evaluations_over),
        IN_SCRATCH(shows_a_step_once_it_has_ended),
        IN_SCRATCH(old_recordings_have_none),
        IN_SCRATCH(foresees_each_moment),
        IN_SCRATCH(foresees_nothing_of_the_unknown),
        IN_SCRATCH(sums_stay_countable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
