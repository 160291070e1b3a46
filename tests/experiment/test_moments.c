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
#define HIGH(bytes) ",\"highest\":{\"params\":7,\"gather\":" #bytes "},\"highest_total\":" #bytes
#define STEP(number)                                                                               \
    MEMORY(number, "forward embeddings", 10, HIGH(number##1))                                      \
    MEMORY(number, "forward block 0", 20, HIGH(number##2))                                         \
    MEMORY(number, "backward head", 30, HIGH(number##3))                                           \
    MEMORY(number, "update last norm", 5, HIGH(number##4))

/* What the curve of rank 0 has once the recording is over; NULL if there is none. */
static json_t *curve_of(void **state, const char *text) {
    struct base_message m = {0};
    char *path = scratch_path(state, "moments.jsonl");
    if (!base_file_write(path, text, strlen(text), &m)) fail_msg("%s", m.what);
    struct experiment *t = experiment_replay(path, 0, &m);
    if (!t) fail_msg("%s", m.what);
    while (!experiment_is_over(t)) experiment_read(t);
    json_t *curve = experiment_curve(t, 0);
    assert_null(experiment_curve(t, 1));
    assert_null(experiment_curve(t, EXPERIMENT_RANKS));
    experiment_free(t);
    free(path);
    return curve;
}

static void assert_moment(const json_t *curve, size_t i, const char *where, int64_t gather) {
    const json_t *moment = json_array_get(json_object_get(curve, "moments"), i);
    assert_string_equal(base_json_text(moment, "where", ""), where);
    assert_int_equal(base_json_int(json_object_get(moment, "bytes"), "gather", 0), gather);
}

/* The last step that is whole, and after its update what is held then. */
static void shows_the_last_whole_step(void **state) {
    json_t *curve = curve_of(state, START MEMORY(0, "init", 3, HIGH(99)) STEP(1) STEP(2)
                                        MEMORY(3, "forward embeddings", 10, HIGH(31)));
    assert_non_null(curve);
    assert_string_equal(base_json_text(curve, "kind", ""), "curve");
    assert_int_equal(base_json_int(curve, "limit", 0), 90000);
    assert_int_equal(json_array_size(json_object_get(curve, "moments")), 5);
    assert_moment(curve, 0, "forward embeddings", 21);
    assert_moment(curve, 1, "forward block 0", 22);
    assert_moment(curve, 2, "backward head", 23);
    assert_moment(curve, 3, "update", 24);
    assert_moment(curve, 4, "between steps", 0);
    const json_t *rest = json_array_get(json_object_get(curve, "moments"), 4);
    assert_int_equal(base_json_int(json_object_get(rest, "bytes"), "params", 0), 5);
    json_decref(curve);
}

/* An evaluation goes forward after the update: it is no step. */
static void passes_evaluations_over(void **state) {
    json_t *curve = curve_of(state, START STEP(1) MEMORY(1, "forward embeddings", 1, HIGH(91))
                                        MEMORY(1, "forward head", 1, HIGH(92)) STEP(2));
    assert_int_equal(json_array_size(json_object_get(curve, "moments")), 5);
    assert_moment(curve, 0, "forward embeddings", 21);
    json_decref(curve);
}

/* Recordings from before events said the highest of their moments are read as before, and have no
 * curve: what is held as moments end would contradict their peaks. */
static void old_recordings_have_none(void **state) {
    assert_null(
        curve_of(state, START MEMORY(1, "forward embeddings", 10, "") MEMORY(1, "update", 5, "")));
    assert_null(curve_of(state, START MEMORY(1, "forward embeddings", 10, HIGH(11))));
    assert_null(curve_of(state, START MEMORY(1, "forward block 0", 10, HIGH(11))
                                    MEMORY(1, "update", 5, HIGH(11))));
}

/* Each moment beside what the engine says of the run that its start describes. */
static void foresees_each_moment(void **state) {
    json_t *curve = curve_of(state, START STEP(1)), *moment;
    struct account_training t = account_training_default();
    struct account_moment m[32], named;
    size_t count, i;
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
    json_array_foreach(json_object_get(curve, "moments"), i, moment) {
        uint64_t predicted = 0;
        assert_true(account_moment_read(base_json_text(moment, "where", ""), &named));
        for (size_t k = 0; k < count; k++)
            if (m[k].phase == named.phase && m[k].stop == named.stop && m[k].block == named.block)
                predicted = m[k].ledger.total;
        assert_true(predicted > 0);
        assert_int_equal(base_json_int(moment, "predicted", 0), predicted);
    }
    json_decref(curve);
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
        json_t *curve = curve_of(state, text);
        const json_t *moment = json_array_get(json_object_get(curve, "moments"), 0);
        assert_int_equal(base_json_int(moment, "predicted", -1), 0);
        json_decref(curve);
        free(text);
    }
}

int main(void) {
#define IN_SCRATCH(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(shows_the_last_whole_step),       IN_SCRATCH(passes_evaluations_over),
        IN_SCRATCH(old_recordings_have_none),        IN_SCRATCH(foresees_each_moment),
        IN_SCRATCH(foresees_nothing_of_the_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
