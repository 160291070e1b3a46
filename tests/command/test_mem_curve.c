/* mem --over-time: the moments of a step agree with what mem says without it, as JSON, as CSV and
 * as pages (golden). */
#include "account/account.h"
#include "session/school.h"

#include "command/page.h"
#include "command/run.h"
#include "tty/tty.h"

static const char *const trainings[] = {
    "mem --params 7.5e9 --gpus 64",
    "mem --model llama-2-13b --gpus 8 --gpu a100-80g --recipe deepspeed --batch 1 --seq 4096",
    "mem --model gpt2-xl --gpus 4 --recipe zerolab --batch 2 --seq 1024 --checkpoint full",
    "mem --model llama-2-7b --gpus 64 --recipe deepspeed --batch 1 --seq 128 --bucket 1MB",
};

/* The peak of a stage is one of its moments, in every category, and none is higher. */
static void compare_stage(const json_t *stage, const char *line) {
    const json_t *peak = json_object_get(stage, "peak"), *moment;
    int64_t most = base_json_int(peak, "total", -1);
    size_t i, same = 0;
    json_array_foreach(json_object_get(stage, "over_time"), i, moment) {
        bool equal = true;
        int64_t total = base_json_int(moment, "total", -1), sum = 0;
        for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++) {
            int64_t bytes = base_json_int(moment, account_category_name(c), -1);
            equal = equal && bytes == base_json_int(peak, account_category_name(c), -2);
            sum += bytes;
        }
        assert_int_equal(sum, total);
        if (total > most) fail_msg("%s: a moment holds %lld", line, (long long)total);
        same += equal &&
                !strcmp(base_json_text(moment, "phase", ""), base_json_text(peak, "phase", "-"));
    }
    if (same == 0) fail_msg("%s: no moment is the peak", line);
}

static void moments_reach_the_peak(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(trainings); i++) {
        char *line = base_format("%s --over-time", trainings[i]);
        json_t *plain = page_json(trainings[i], 0), *json = page_json(line, 0), *stage;
        size_t k;
        json_array_foreach(json_object_get(json, "stages"), k, stage) {
            compare_stage(stage, line);
            assert_null(json_object_get(page_item(plain, "stages", k), "over_time"));
            json_object_del(stage, "over_time");
        }
        assert_true(k >= 2);
        assert_true(json_equal(plain, json));
        json_decref(plain);
        json_decref(json);
        free(line);
    }
}

/* A line for each moment of each stage, with what the JSON has. */
static void rows_are_the_moments(void **state) {
    const char *line = "mem --model gpt2 --gpus 4 --batch 1 --seq 512 --over-time";
    char *csv = base_format("%s --csv", line);
    struct run r = run_line(csv, NULL);
    json_t *json = page_json(line, 0), *stage, *moment;
    size_t i, k;
    const char *at = r.out;
    (void)state;
    assert_int_equal(r.status, 0);
    assert_memory_equal(at, "stage,where,phase,params,grads,master,", 38);
    json_array_foreach(json_object_get(json, "stages"), i, stage)
        json_array_foreach(json_object_get(stage, "over_time"), k, moment) {
        at = strchr(at, '\n') + 1;
        char *begin = base_format("%zu,%s,%s,%lld,", i, base_json_text(moment, "where", ""),
                                  base_json_text(moment, "phase", ""),
                                  (long long)base_json_int(moment, "params", -1));
        char *end = base_format(",%lld\n", (long long)base_json_int(moment, "total", -1));
        if (strncmp(at, begin, strlen(begin)) != 0) fail_msg("%s and not %s", at, begin);
        const char *next = strchr(at, '\n') + 1;
        if (strncmp(next - strlen(end), end, strlen(end)) != 0) fail_msg("%s: %s", at, end);
        free(begin);
        free(end);
    }
    assert_string_equal(strchr(at, '\n'), "\n");
    json_decref(json);
    run_free(&r);
    free(csv);
}

static void pages_show_the_curve(void **state) {
    static const struct {
        const char *name, *line;
    } cases[] = {
        {"mem-curve", "mem --model llama-2-13b --gpus 8 --gpu a100-40g --stage 3 --recipe fsdp2 "
                      "--batch 1 --seq 4096 --over-time"},
        {"mem-curve-stages", "mem --model gpt2-xl --gpus 4 --recipe zerolab --batch 2 --seq 1024 "
                             "--over-time"},
        {"mem-curve-words", "mem --params 7.5e9 --gpus 64 --stage 2 --over-time --words"},
        {"mem-curve-bare", "mem --params 7.5e9 --gpus 64 --stage 2 --over-time --ascii"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) page_is(cases[i].name, cases[i].line);
    page_is_wide(cases[0].name, cases[0].line);
}

/* The heading, the peak and the card's line stay in sight. A low terminal leaves out the sentence
 * that says the same as the curve. */
static void a_curve_grows_with_the_terminal(void **state) {
    static const struct { int columns, rows; } sizes[] = {{80, 24}, {120, 33}, {120, 40}};
    const char *const argv[] = {
        getenv("ZEROTUTOR"), "mem",   "--model", "llama-2-13b", "--gpus", "8",       "--gpu",
        "a100-80g",          "--seq", "4096",    "--batch",     "1",      "--stage", "3",
        "--over-time",       NULL};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        struct tty *t = tty_open(sizes[i].columns, sizes[i].rows, argv, NULL);
        tty_wait(t, "1e9 bytes");
        tty_settle(t);
        assert_non_null(strstr(tty_row(t, 0), "13.02B parameters on 8 GPUs"));
        int row, column;
        assert_true(tty_find(t, "1e9 bytes", &row, &column));
        assert_in_range(row, sizes[i].rows - 4, sizes[i].rows - 2);
        assert_true(tty_has(t, "62.3 GB at the head in backward"));
        assert_int_equal(tty_has(t, "Memory rises"), sizes[i].rows > 24);
        if (sizes[i].rows == 24) assert_true(tty_has(t, " The peak fits in an A100"));
        assert_int_equal(tty_end(t), 0);
    }
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    page_refused("mem --over-time",
                 "--params: how many parameters? Set a count like 13B, or a model");
    page_refused("mem --params 7e9 --over-time=3",
                 "--over-time takes no value: write it without one");
    page_refused("traffic --params 7e9 --over-time",
                 "unknown option '--over-time': run `zerotutor traffic --help` for a list");
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(moments_reach_the_peak),    IN_SCHOOL(rows_are_the_moments),
        IN_SCHOOL(pages_show_the_curve),      IN_SCHOOL(a_curve_grows_with_the_terminal),
        IN_SCHOOL(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
