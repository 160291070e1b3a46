/* plan: what is chosen, in what order, why; pages as golden text. */
#include "session/school.h"

#include "command/page.h"
#include "command/run.h"

static const char thirteen[] =
    "plan --model llama-2-13b --gpus 8 --gpu a100-80g --seq 4096 --global-batch 64";

static void members_are_those_of_the_contract(void **state) {
    (void)state;
    json_t *json = page_json(thirteen, 0);
    page_has(json, "chosen plans tree tried training");
    assert_true(json_is_object(json_object_get(json, "chosen")));
    page_has(page_item(json, "plans", 0),
             "stage shard_group checkpoint micro_batch accumulate offload tp pp fits "
             "bytes_to_spare seconds tokens_per_s reason");
    page_has(page_item(json, "tree", 0), "question answer because");
    assert_true(json_equal(json_object_get(json, "chosen"), page_item(json, "plans", 0)));
    json_decref(json);
}

/* What fits comes first, and of that the fastest. */
static void plans_are_in_order(void **state) {
    (void)state;
    json_t *json = page_json(thirteen, 0), *plans = json_object_get(json, "plans"), *plan;
    double before = 0;
    bool fitted = true;
    size_t i;
    json_array_foreach(plans, i, plan) {
        bool fits = strcmp(base_json_text(plan, "fits", ""), "no") != 0;
        double seconds = base_json_number(plan, "seconds", 0);
        assert_true(fitted || !fits);
        if (fits) assert_true(seconds >= before);
        assert_true(fits == (base_json_int(plan, "bytes_to_spare", 0) >= 0));
        assert_string_not_equal(base_json_text(plan, "reason", ""), "");
        fitted = fits;
        before = seconds;
    }
    json_decref(json);
}

/* Every plan trains on the same number of sequences a step. */
static void the_global_batch_is_kept(void **state) {
    (void)state;
    json_t *json = page_json(thirteen, 0), *plan;
    size_t i;
    json_array_foreach(json_object_get(json, "plans"), i, plan) {
        int64_t ranks = 8 / base_json_int(plan, "tp", 1) / base_json_int(plan, "pp", 1) /
                        base_json_int(plan, "cp", 1);
        assert_int_equal(base_json_int(plan, "micro_batch", 0) *
                             base_json_int(plan, "accumulate", 0) * ranks,
                         64);
    }
    json_decref(json);
}

/* What was not given is told with what was taken for it, and traffic takes the same node. */
static void what_is_assumed_is_told(void **state) {
    (void)state;
    json_t *json = page_json("plan --model llama-3.1-8b --gpus 16 --gpu a100-80g", 0);
    json_t *sent = page_json("traffic --model llama-3.1-8b --gpus 16 --gpu a100-80g", 0);
    assert_int_equal(base_json_int(json, "global_batch", -1), 128);
    assert_int_equal(base_json_int(json, "gpus_per_node", -1), 8);
    assert_string_equal(base_json_text(json_object_get(json, "training"), "seq", ""), "8192");
    page_has(json_object_get(json, "assumed"), "global_batch seq gpus_per_node");
    page_has(json_object_get(sent, "assumed"), "gpus_per_node");
    assert_int_equal(
        base_json_int(page_item(page_item(sent, "stages", 0), "collectives", 0), "per_node", -1),
        8);
    json_decref(sent);
    json_decref(json);
    json = page_json(thirteen, 0);
    assert_null(json_object_get(json_object_get(json, "assumed"), "global_batch"));
    assert_null(json_object_get(json_object_get(json, "assumed"), "seq"));
    json_decref(json);
}

/* Of what fits: the bytes that PyTorch reports, less the peak; and `mem` has that peak too, under
 * stage 3 with what is gathered. */
static void what_is_to_spare_follows_from_the_peak(void **state) {
    (void)state;
    json_t *json = page_json(thirteen, 0), *plan;
    size_t i, gathering = 0;
    json_array_foreach(json_object_get(json, "plans"), i, plan) {
        if (strcmp(base_json_text(plan, "fits", ""), "no") == 0) continue;
        int64_t peak = base_json_int(plan, "peak", 0);
        assert_int_equal(base_json_int(plan, "gathered", -1), 0);
        assert_int_equal(base_json_int(plan, "bytes_to_spare", 0), 84986665370 - peak);
        if (strcmp(base_json_text(plan, "offload", ""), "none") != 0) continue;
        if (base_json_int(plan, "tp", 1) * base_json_int(plan, "pp", 1) *
                base_json_int(plan, "cp", 1) >
            1)
            continue;
        char *line = base_format(
            "mem --model llama-2-13b --gpus 8 --gpu a100-80g --seq 4096 --stage %d "
            "--batch %d --accumulate %d --checkpoint %s",
            (int)base_json_int(plan, "stage", -1), (int)base_json_int(plan, "micro_batch", 0),
            (int)base_json_int(plan, "accumulate", 0), base_json_text(plan, "checkpoint", ""));
        json_t *mem = page_json(line, 0);
        const json_t *at = json_object_get(page_item(mem, "stages", 0), "peak");
        assert_int_equal(base_json_int(at, "total", 0), peak);
        gathering += base_json_int(at, "gather", 0) > 0;
        json_decref(mem);
        free(line);
    }
    assert_true(gathering > 0);
    json_decref(json);
}

/* No rate is known for the MI250X's own link: no times, and nothing is computed again for
 * nothing. */
static void without_a_rate_computing_decides_too(void **state) {
    (void)state;
    json_t *json = page_json("plan --model llama-2-7b --gpus 8 --gpu mi250x-gcd --seq 2048", 0);
    const json_t *chosen = json_object_get(json, "chosen");
    assert_string_equal(base_json_text(chosen, "checkpoint", ""), "none");
    assert_true(json_is_null(json_object_get(chosen, "seconds")));
    json_decref(json);
}

static void what_is_given_is_not_varied(void **state) {
    static const struct {
        const char *flags, *member;
        int64_t value;
    } cases[] = {
        {"--stage 3", "stage", 3},
        {"--tp 2", "tp", 2},
        {"--batch 2", "micro_batch", 2},
    };
    (void)state;
    for (size_t k = 0; k < BASE_COUNT(cases); k++) {
        char *line = base_format("%s %s", thirteen, cases[k].flags);
        json_t *json = page_json(line, 0), *plan;
        size_t i;
        assert_true(json_array_size(json_object_get(json, "plans")) > 0);
        json_array_foreach(json_object_get(json, "plans"), i, plan)
            assert_int_equal(base_json_int(plan, cases[k].member, -1), cases[k].value);
        json_decref(json);
        free(line);
    }
}

/* Status 0 even if nothing fits: the answer is no, and how much is missing. */
static void too_large_is_an_answer(void **state) {
    (void)state;
    json_t *json = page_json("plan --model llama-2-70b --gpus 1 --gpu t4 --seq 2048", 0);
    assert_true(json_is_null(json_object_get(json, "chosen")));
    if (json_array_size(json_object_get(json, "plans")))
        assert_true(base_json_int(page_item(json, "plans", 0), "bytes_to_spare", 0) < 0);
    json_decref(json);
}

static void pages_read_as_before(void **state) {
    (void)state;
    char *ascii = base_format("%s --stage 3 --ascii", thirteen);
    page_is("plan", thirteen);
    page_is_wide("plan", thirteen);
    page_is("plan-ascii", ascii);
    page_is("plan-words", "plan --params 7e9 --gpus 8 --gpu a100-80g --words");
    page_is("plan-bare", "plan --params 7e9 --gpus 8 --gpu t4");
    page_is("plan-explain", "plan --model llama-2-13b --gpus 16 --gpu a100-80g --explain");
    page_is("plan-link", "plan --model llama-2-7b --gpus 8 --gpu mi250x-gcd");
    page_is("plan-no", "plan --model llama-2-70b --gpus 1 --gpu t4 --seq 2048");
    free(ascii);
}

static void csv_has_a_plan_a_line(void **state) {
    (void)state;
    char *line = base_format("%s --csv", thirteen);
    json_t *json = page_json(thirteen, 0);
    struct run r = run_line(line, NULL);
    size_t lines = 0;
    for (const char *c = r.out; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, json_array_size(json_object_get(json, "plans")) + 1);
    run_free(&r);
    json_decref(json);
    free(line);
}

static void bad_words_are_refused(void **state) {
    static const char *const cases[][2] = {
        {"plan --model llama-2-7b",
         "--gpu: which card must it fit? Choose one of the catalogue, like a100-80g or h100-80g"},
        {"plan --model llama-2-7b --gpus 3 --gpu t4 --global-batch 64",
         "--global-batch: 64 sequences cannot be shared by 3 data-parallel ranks: make it a "
         "multiple of 3"},
        {"plan --model llama-2-7b --gpus 8 --gpu a100-80g --batch 3 --global-batch 64",
         "--batch: 3 × 8 data-parallel ranks = 24 does not divide 64 sequences: it must divide 8"},
        {"plan --model llama-2-7b --gpus 8 --gpu a100-80g --accumulate 5 --global-batch 64",
         "--accumulate: 5 × 8 data-parallel ranks = 40 does not divide 64 sequences: it must "
         "divide 8"},
        {"plan --params 7e9 --gpu t4 --global-batch 0",
         "--global-batch cannot be '0': use the sequences per step, from 1"},
        {"plan --params 7e9 --gpu t4 --host-memory lots",
         "--host-memory cannot be 'lots': it is not a number; write a size like 80GB, 31.4 GB, "
         "80GiB or "
         "2.5e9"},
        {"plan --params 7e9 --gpu t4 --host-memory 0",
         "--host-memory cannot be '0': use bytes from 1 B to 1e18, such as 1TB"},
        {"plan --model lama-2-7b", "--model cannot be 'lama-2-7b': did you mean 'llama-2-7b', "
                                   "'llama-2-70b' or 'llama-2-13b'?"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) page_refused(cases[i][0], cases[i][1]);
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(members_are_those_of_the_contract),
        IN_SCHOOL(plans_are_in_order),
        IN_SCHOOL(the_global_batch_is_kept),
        IN_SCHOOL(what_is_assumed_is_told),
        IN_SCHOOL(what_is_to_spare_follows_from_the_peak),
        IN_SCHOOL(without_a_rate_computing_decides_too),
        IN_SCHOOL(what_is_given_is_not_varied),
        IN_SCHOOL(too_large_is_an_answer),
        IN_SCHOOL(pages_read_as_before),
        IN_SCHOOL(csv_has_a_plan_a_line),
        IN_SCHOOL(bad_words_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
