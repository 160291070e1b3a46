/* Solutions with their working, and the error carried forward. */
#include "account/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A problem, and its working: id, formula, value in the line's unit. */
static void workings(void **state) {
    (void)state;
    static const struct {
        const char *problem;
        const char *lines[8];
    } rows[] = {
        {"params=7e9",
         {"params: 2 B × 7e9 = 14 GB", "grads: 2 B × 7e9 = 14 GB", "master: 4 B × 7e9 = 28 GB",
          "moments: 8 B × 7e9 = 56 GB", "total: 14 + 14 + 28 + 56 = 112 GB"}},
        {"params=7e9 precision=fp32",
         {"params: 4 B × 7e9 = 28 GB", "grads: 4 B × 7e9 = 28 GB", "moments: 8 B × 7e9 = 56 GB",
          "total: 28 + 28 + 56 = 112 GB"}},
        {"params=13e9 gpus=16 stage=1 quantity=optimizer",
         {"master: 4 B × 13e9 ÷ 16 = 3.25 GB", "moments: 8 B × 13e9 ÷ 16 = 6.5 GB",
          "total: 3.25 + 6.5 = 9.75 GB"}},
        {"params=7e9 quantity=moments optimizer=adam8bit",
         {"moments: 2.03125 B × 7e9 = 14.2188 GB"}},
        {"params=7.5e9 gpus=64 stage=3 quantity=params per=cluster",
         {"params: 2 B × 7.5e9 ÷ 64 = 0.234375 GB", "total: 64 × 0.234375 GB = 15 GB"}},
        {"params=7e9 gpus=8 per=cluster quantity=params+grads unit=GiB",
         {"params: 2 B × 7e9 ÷ 2^30 = 13.0385 GiB", "grads: 2 B × 7e9 ÷ 2^30 = 13.0385 GiB",
          "gpu: 13.039 + 13.039 = 26.077 GiB", "total: 8 × 26.077 GiB = 208.616 GiB"}},
        {"kind=bytes_per_param gpus=8 stage=2",
         {"params: 2 B = 2 B/param", "grads: 2 B ÷ 8 = 0.25 B/param",
          "master: 4 B ÷ 8 = 0.5 B/param", "moments: 8 B ÷ 8 = 1 B/param",
          "total: 2 + 0.25 + 0.5 + 1 = 3.75 B/param"}},
        {"kind=largest_params budget=80GiB gpus=8 stage=3",
         {"budget: 80 × 2^30 B = 85.8993 GB", "per-param: (2 + 2 + 4 + 8) B ÷ 8 = 2 B/param",
          "largest: 85.8993 GB ÷ 2 B/param = 42.9497 billion parameters"}},
        {"kind=fewest_gpus params=13e9 budget=80GB stage=2",
         {"budget: 80 × 1e9 B = 80 GB", "whole: 2 B × 13e9 = 26 GB", "left: 80 GB − 26 GB = 54 GB",
          "divided: (2 + 4 + 8) B × 13e9 = 182 GB", "gpus: 182 GB ÷ 54 GB = 4 GPUs"}},
        {"kind=convert budget=80GB unit=GiB",
         {"budget: 80 × 1e9 B = 80000000000 B", "answer: 80e9 B ÷ 2^30 = 74.5058 GiB"}},
        {"kind=convert budget=80GiB unit=GB",
         {"budget: 80 × 2^30 B = 85899345920 B", "answer: 85.89934592e9 B ÷ 1e9 = 85.8993 GB"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_solution s;
        struct account_error e = {0};
        if (!account_solve(&p, &s, &e)) fail_msg("%s: %s", rows[i].problem, e.what);
        assert_same(s.value, s.line[s.lines - 1].value, rows[i].problem);
        for (size_t j = 0; j < s.lines || rows[i].lines[j]; j++) {
            char line[200] = "", value[64];
            if (j < s.lines)
                snprintf(line, sizeof line, "%s: %s = %s", s.line[j].id, s.line[j].formula,
                         account_print(value, sizeof value, s.line[j].value, s.line[j].unit,
                                       s.line[j].unit == ACCOUNT_UNIT_B ? 12 : 6));
            if (!rows[i].lines[j] || strcmp(line, rows[i].lines[j]) != 0)
                fail_msg("%s\n  got    %s\n  wanted %s", rows[i].problem, line, rows[i].lines[j]);
        }
    }
}

static void unanswerable(void **state) {
    (void)state;
    static const struct {
        const char *problem, *says;
    } rows[] = {
        {"gpus=8", "params"},
        {"params=7e9 unit=GPUs", "unit"},
        {"params=7e9 quantity=activations", "quantity"},
        {"params=7e9 precision=fp32 quantity=master", "quantity"},
        {"kind=largest_params", "budget"},
        {"kind=largest_params budget=80GB optimizer=adafactor model=gpt2", "optimizer"},
        {"kind=largest_params budget=1B", "budget"},
        {"kind=fewest_gpus params=13e9 budget=20GB stage=2", "budget"},
        {"kind=fewest_gpus budget=20GB", "params"},
        {"kind=convert unit=GiB", "budget"},
        {"params=7e9 gpus=12 gpus_per_node=8", "gpus_per_node"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_solution s;
        struct account_error e = {0};
        if (account_solve(&p, &s, &e)) fail_msg("%s was solved", rows[i].problem);
        if (!strstr(e.what, rows[i].says)) fail_msg("%s: %s", rows[i].problem, e.what);
        struct account_diagnosis d;
        account_diagnose(&p, 1e9, &d);
        assert_int_equal(d.count, 0);
        struct account_separation sep;
        account_separate(&p, NULL, 0, &sep);
        assert_false(sep.legal);
        struct account_judgement j;
        account_judge(&p, "1", &j);
        assert_int_equal(j.verdict, ACCOUNT_UNREADABLE);
        assert_non_null(strstr(j.note, rows[i].says));
    }
}

static void the_card_is_the_budget(void **state) {
    (void)state;
    struct account_problem p = problem_of("kind=largest_params gpu=h100-80g");
    struct account_solution s;
    assert_true(account_solve(&p, &s, NULL));
    assert_same(s.value, 84932978279 / 16, "the bytes that PyTorch reports");
    p = problem_of("kind=largest_params gpu=mi300x"); /* nothing verified: the label */
    assert_true(account_solve(&p, &s, NULL));
    assert_same(s.value, 192e9 / 16, "label bytes");
    p = problem_of("kind=largest_params gpu=h100-80g budget=80GB");
    assert_true(account_solve(&p, &s, NULL));
    assert_same(s.value, 5e9, "stated bytes");
}

/* A line follows from the lines before it as they were given. */
static void errors_are_carried(void **state) {
    (void)state;
    static const struct {
        const char *problem;
        size_t line;
        double given[5], wanted;
    } rows[] = {
        {"params=7e9", 4, {14e9, 14e9, 28e9, 28e9}, 84e9},
        {"params=7e9", 4, {14e9, NAN, 0, NAN}, 84e9},
        {"params=7e9", 4, {NAN, NAN, NAN, NAN}, 112e9},
        {"params=7e9", 2, {1, 2}, 28e9},
        {"params=7e9 gpus=8 stage=0 per=cluster quantity=params", 1, {28e9}, 224e9},
        {"params=7e9 gpus=8 per=cluster quantity=params+grads", 2, {14e9, 28e9}, 42e9},
        {"params=7e9 gpus=8 per=cluster quantity=params+grads", 3, {14e9, 28e9, 42e9}, 336e9},
        {"kind=bytes_per_param", 4, {2, 2, 0, 8}, 12},
        {"kind=largest_params budget=80GB", 2, {80e9, 8}, 10e9},
        {"kind=fewest_gpus params=13e9 budget=80GB stage=2", 2, {80e9, 52e9}, 28e9},
        {"kind=fewest_gpus params=13e9 budget=80GB stage=2", 4, {80e9, 52e9, 28e9, 156e9}, 6},
        {"kind=convert budget=80GB unit=GiB", 1, {81e9}, 81e9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_solution s;
        assert_true(account_solve(&p, &s, NULL));
        assert_same(account_carry(&p, &s, rows[i].line, rows[i].given), rows[i].wanted,
                    rows[i].problem);
        assert_true(account_carry(&p, &s, rows[i].line, NULL) == s.line[rows[i].line].value);
        assert_true(isnan(account_carry(&p, &s, s.lines, rows[i].given)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workings),
        cmocka_unit_test(unanswerable),
        cmocka_unit_test(the_card_is_the_budget),
        cmocka_unit_test(errors_are_carried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
