/* More memos as engineers write them, with what someone who knows the frameworks would say of each: the statements that do not hold, and
 * nothing else held against it. A second scenario in a memo, too. */
#include "study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong, in the wrong unit or contradictory; the words need only be in what is said. */
struct objection {
    int line;
    enum study_memo_kind kind;
    const char *figure, *says;
};
static const struct memo_case {
    const char *file;
    bool passes;
    const char *verdict;
    size_t hold, doubt; /* at least so many figures hold, at most so many are unsupported */
    struct objection against[10];
} memos[] = {
    {"fsdp2-wrapped",      true,  "100 of 100",                                   17, 0, {{0}}},
    {"nothing-turned-on",  true,  "100 of 100",                                   14, 0, {{0}}},
    {"small-cards",        true,  "100 of 100",                                   19, 0, {{0}}},
    {"spelled-out",        true,  "100 of 100",                                   13, 0, {{0}}},
    {"with-ranges",        true,  "100 of 100",                                   17, 0, {{0}}},
    {"in-megabytes",       true,  "100 of 100",                                   13, 0, {{0}}},
    {"pcie-node",          true,  "100 of 100",                                   18, 0, {{0}}},
    {"second-thoughts",
     false,                       "4 statements do not hold",
     5,                                                                               0,
     {{12, STUDY_MEMO_WRONG, "50 and 60 GB", "67.03 GB"},
      {15, STUDY_MEMO_CONTRADICTORY, "", "line 3 names another scenario"},
      {20, STUDY_MEMO_CONTRADICTORY, "stage 3", "line 8 chose stage 2"},
      {24, STUDY_MEMO_WRONG, "fits", "does not fit"}}                                         },
    {"stage-columns",      true,  "100 of 100",                                   34, 0, {{0}}},
    {"units-mixed",
     false,                       "6 statements do not hold",
     4,                                                                               0,
     {{13, STUDY_MEMO_UNIT, "3.25 MB", "right in GB"},
      {14, STUDY_MEMO_UNIT, "85.9 GiB", "right in GB"},
      {18, STUDY_MEMO_UNIT, "45.5 Gb", "right in GB"},
      {19, STUDY_MEMO_UNIT, "240 Gb/s", "right in GB/s"},
      {20, STUDY_MEMO_UNIT, "1.2 ms", "right in s"},
      {21, STUDY_MEMO_UNIT, "13.7 tokens/s", "right in thousands"}}                           },
    {"per-node-network",
     false,                       "21.5 days, and there are 7",
     6,                                                                               0,
     {{17, STUDY_MEMO_WRONG, "75.7 GB", "for one micro-batch, and a step has 8"},
      {18, STUDY_MEMO_WRONG, "8.7 s", "48.6 s"}}                                              },
    {"answer-last",        true,  "100 of 100",                                   12, 0, {{0}}},
    {"terse",              true,  "100 of 100",                                   22, 0, {{0}}},
    {"stage1-recompute",   true,  "100 of 100",                                   22, 0, {{0}}},
    {"fits-anyway",
     false,                       "5 statements do not hold",
     7,                                                                               0,
     {{12, STUDY_MEMO_WRONG, "3.25 GB", "6.5 GB"},
      {12, STUDY_MEMO_WRONG, "3.25 GB", "6.5 GB"},
      {12, STUDY_MEMO_WRONG, "19.5 GB", "the paper's bytes"},
      {21, STUDY_MEMO_WRONG, "fits", "needs 226.3 GB"},
      {22, STUDY_MEMO_WRONG, "40 GB", "22.18 GB less"}}                                       },
    {"bold-labels",        true,  "100 of 100",                                   25, 0, {{0}}},
    {"wrong-heads",
     false,                       "6 statements do not hold",
     8,                                                                               0,
     {{14, STUDY_MEMO_WRONG, "48.75 GB", "the stages are mixed up"},
      {14, STUDY_MEMO_WRONG, "26.0 GB", "the stages are mixed up"},
      {15, STUDY_MEMO_WRONG, "67.0 GB", "the stages are mixed up"},
      {15, STUDY_MEMO_WRONG, "46.2 GB", "the stages are mixed up"},
      {23, STUDY_MEMO_WRONG, "45.5 GB", "68.25 GB"},
      {24, STUDY_MEMO_UNIT, "1.11 ms", "right in s"}}                                         },
    {"deepspeed-json",     true,  "100 of 100",                                   22, 0, {{0}}},
    {"gib-throughout",     true,  "100 of 100",                                   16, 0, {{0}}},
    {"seventy-billion",    true,  "100 of 100",                                   23, 0, {{0}}},
    {"slow-link",          true,  "100 of 100",                                   20, 0, {{0}}},
    {"no-master",
     false,                       "7 statements do not hold",
     4,                                                                               0,
     {{12, STUDY_MEMO_WRONG, "12 bytes per parameter", "16 B/param"},
      {13, STUDY_MEMO_WRONG, "156 GB", "48.75 GB"},
      {14, STUDY_MEMO_WRONG, "42.25 GB", "the fp32 master copy was forgotten"},
      {15, STUDY_MEMO_WRONG, "60.5 GB", "the fp32 master copy was forgotten"},
      {20, STUDY_MEMO_WRONG, "26 GB", "22.75 GB"},
      {20, STUDY_MEMO_WRONG, "26 GB", "22.75 GB"},
      {20, STUDY_MEMO_WRONG, "52 GB", "the whole array"}}                                     },
    {"by-mail",            true,  "100 of 100",                                   21, 1, {{0}}},
    {"megatron-too-big",   false, "needs 101 GB of 85.9 GB",                      10, 0, {{0}}},
    {"offload-anyway",     false, "it offloads, which the scenario rules out",    4,  0, {{0}}},
    {"undivided",
     false,                       "4 statements do not hold",
     9,                                                                               0,
     {{14, STUDY_MEMO_WRONG, "26 GB", "divide by 8"},
      {15, STUDY_MEMO_WRONG, "26 GB", "divide by 8"},
      {16, STUDY_MEMO_WRONG, "52 GB", "divide by 8"},
      {17, STUDY_MEMO_WRONG, "104 GB", "divide by 8"}}                                        },
    {"slack-post",         true,  "100 of 100",                                   21, 0, {{0}}},
    {"one-wide-table",     true,  "100 of 100",                                   63, 0, {{0}}},
    {"derived",            true,  "100 of 100",                                   36, 1, {{0}}},
    {"nested-bullets",     true,  "100 of 100",                                   27, 0, {{0}}},
    {"three-stages",       true,  "100 of 100",                                   24, 1, {{0}}},
    {"tight-mistral",      true,  "100 of 100",                                   24, 0, {{0}}},
    {"fsdp2-blocks",       true,  "100 of 100",                                   21, 0, {{0}}},
    {"deepspeed-7b",       true,  "100 of 100",                                   24, 0, {{0}}},
    {"two-nodes-ethernet", true,  "100 of 100",                                   36, 0, {{0}}},
    {"in-latex",           true,  "100 of 100",                                   21, 0, {{0}}},
    {"decimal-commas",     true,  "100 of 100",                                   21, 0, {{0}}},
    {"first-memo",
     false,                       "4 statements do not hold",
     12,                                                                              2,
     {{12, STUDY_MEMO_WRONG, "53 GB", "the activations were divided by N"},
      {12, STUDY_MEMO_WRONG, "33 GB", "18.87 GB"},
      {20, STUDY_MEMO_WRONG, "91 GB", "68.25 GB"},
      {20, STUDY_MEMO_WRONG, "twice", "1.5 times as much"}}                                   },
    {"a-letter",           true,  "100 of 100",                                   18, 1, {{0}}},
    {"questions-answers",  true,  "100 of 100",                                   21, 1, {{0}}},
    {"decision-record",    true,  "100 of 100",                                   22, 0, {{0}}},
    {"seventy-on-64",      true,  "100 of 100",                                   27, 0, {{0}}},
    {"neox-two-nodes",     true,  "100 of 100",                                   49, 0, {{0}}},
    {"both-units",         true,  "100 of 100",                                   37, 0, {{0}}},
    {"stages-as-rows",     true,  "100 of 100",                                   36, 0, {{0}}},
    {"arrows",             true,  "100 of 100",                                   24, 0, {{0}}},
    {"fsdp2-two-nodes",    true,  "100 of 100",                                   22, 2, {{0}}},
    {"for-management",     true,  "100 of 100",                                   10, 2, {{0}}},
    {"deltas",             true,  "100 of 100",                                   26, 0, {{0}}},
    {"four-4090s",         true,  "100 of 100",                                   21, 2, {{0}}},
    {"with-offload",       true,  "100 of 100",                                   17, 0, {{0}}},
    {"bytes-each",         true,  "100 of 100",                                   18, 2, {{0}}},
    {"on-h200",            true,  "100 of 100",                                   23, 0, {{0}}},
    {"several-slips",
     false,                       "statements do not hold",
     7,                                                                               2,
     {{14, STUDY_MEMO_WRONG, "13 GB", "the fp32 master copy was forgotten"},
      {15, STUDY_MEMO_WRONG, "42.25 GB", "the fp32 master copy was forgotten"},
      {16, STUDY_MEMO_UNIT, "15 GB", "16.09 GB"},
      {18, STUDY_MEMO_WRONG, "59.5 GB", "67.03 GB"},
      {19, STUDY_MEMO_WRONG, "20.5 GB", "18.87 GB"},
      {23, STUDY_MEMO_WRONG, "26 GB", "45.5 GB"},
      {23, STUDY_MEMO_WRONG, "48.75 GB", "45.5 GB"},
      {27, STUDY_MEMO_WRONG, "fits", "does not fit"},
      {27, STUDY_MEMO_WRONG, "twice", "1.5 times as much"}}                                   },
    {"heron-proposal",     true,  "100 of 100",                                   23, 0, {{0}}},
    {"pairing-notes",      true,  "100 of 100",                                   19, 1, {{0}}},
    {"sizing",             true,  "100 of 100",                                   17, 1, {{0}}},
    {"thirty-two-gpus",    true,  "100 of 100",                                   21, 1, {{0}}},
    {"splendid",           false, "needs 89.78 GB of 85.9 GB",                    10, 0, {{0}}},
    {"percent-and-rates",
     false,                       "4 statements do not hold",
     7,                                                                               0,
     {{13, STUDY_MEMO_WRONG, "95 %", "78 %"},
      {18, STUDY_MEMO_WRONG, "19 ms", "191 ms"},
      {20, STUDY_MEMO_WRONG, "13,700 tokens/s", "of all GPUs together"},
      {25, STUDY_MEMO_WRONG, "25 %", "1.5 times as much"}}                                    },
    {"mail-fsdp2-7b",      true,  "100 of 100",                                   21, 0, {{0}}},
    {"terse-70b",
     false,                       "2 statements do not hold",
     22,                                                                              0,
     {{22, STUDY_MEMO_WRONG, "153 GB", "what stage 2 has"},
      {23, STUDY_MEMO_WRONG, "289 GB", "what stage 1 has"}}                                   },
    {"offload-3b",         true,  "100 of 100",                                   23, 2, {{0}}},
    {"junior-30b",         true,  "90 of 100",                                    23, 2, {{0}}},
    {"long-context",
     false,                       "needs 115.3 GB of 85.9 GB",
     16,                                                                              0,
     {{12, STUDY_MEMO_WRONG, "16.1 GB", "64.35 GB"},
      {12, STUDY_MEMO_WRONG, "67.0 GB", "115.3 GB"},
      {12, STUDY_MEMO_WRONG, "18.9 GB", "nothing is to spare"}}                               },
    {"v100-tables",        true,  "97 of 100",                                    55, 0, {{0}}},
    {"accumulated",
     false,                       "1 statement does not hold",
     19,                                                                              0,
     {{17, STUDY_MEMO_WRONG, "45.5 GB", "a step has 8"}}                                      },
    {"peak-in-gib",
     false,                       "1 statement does not hold",
     15,                                                                              0,
     {{21, STUDY_MEMO_UNIT, "46.2 GiB", "right in GB"}}                                       },
    {"four-3090s",
     false,                       "1 statement does not hold",
     25,                                                                              0,
     {{12, STUDY_MEMO_WRONG, "fits", "needs 26.06 GB of 25.77 GB"}}                           },
    {"gathered-forgotten",
     false,                       "needs 86.26 GB of 85.52 GB",
     13,                                                                              0,
     {{8, STUDY_MEMO_WRONG, "5 GB", "nothing is to spare"}}                                   },
    {"ds-config",          true,  "97 of 100",                                    34, 1, {{0}}},
    {"ratios",             true,  "97 of 100",                                    24, 0, {{0}}},
    {"megatron-mistral",   true,  "100 of 100",                                   23, 0, {{0}}},
    {"steering-group",     true,  "100 of 100",                                   22, 0, {{0}}},
    {"fp32-v100",          true,  "97 of 100",                                    20, 2, {{0}}},
    {"rfc-yi",             true,  "100 of 100",                                   26, 0, {{0}}},
    {"workstation-8b",     true,  "100 of 100",                                   21, 0, {{0}}},
    {"plain-text",         true,  "100 of 100",                                   17, 0, {{0}}},
    {"by-phase",           true,  "100 of 100",                                   28, 0, {{0}}},
    {"spreadsheet",
     false,                       "1 statement does not hold",
     46,                                                                              0,
     {{23, STUDY_MEMO_WRONG, "98 ms", "7.1 ms"}}                                              },
    {"no-risk",            false, "nothing is said of this: what could break it", 8,  0, {{0}}},
};

static bool is_against(enum study_memo_kind k) {
    return k == STUDY_MEMO_WRONG || k == STUDY_MEMO_UNIT || k == STUDY_MEMO_CONTRADICTORY;
}

static size_t check_objections(const struct memo_case *c, const struct study_memo_report *r) {
    const struct objection *want = c->against;
    size_t missed = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct study_memo_finding *f = &r->finding[i];
        if (!is_against(f->kind)) continue;
        bool same = want->line == f->line && want->kind == f->kind &&
                    strcmp(want->figure, f->figure) == 0 && strstr(f->what, want->says);
        if (!same)
            print_error("%s:%d: %s %s: %s\n", c->file, f->line, study_memo_kind_name(f->kind),
                        f->figure, f->what);
        if (same)
            want++;
        else
            missed++;
    }
    if (want->line) print_error("%s:%d: %s was not found\n", c->file, want->line, want->figure);
    return missed + (want->line != 0);
}

static size_t check_memo(const struct memo_case *c) {
    struct study_memo_report r;
    struct base_message m = {0};
    size_t length;
    char *path = base_format("tests/memo/%s.md", c->file);
    char *text = base_file_read(path, 1 << 20, &length, &m);
    if (!text) fail_msg("%s", m.what);
    assert_true(study_memo_check(text, length, NULL, &r, &m));
    size_t missed = check_objections(c, &r);
    size_t hold = r.kinds[STUDY_MEMO_RIGHT] + r.kinds[STUDY_MEMO_ROUNDED];
    bool enough = hold >= c->hold && r.kinds[STUDY_MEMO_UNSUPPORTED] <= c->doubt;
    bool same = r.passes == c->passes && strstr(r.verdict, c->verdict);
    if (!enough || !same)
        print_error("%s: %zu hold, %zu are unsupported. %s\n", c->file, hold,
                    r.kinds[STUDY_MEMO_UNSUPPORTED], r.verdict);
    study_memo_free(&r);
    free(path);
    free(text);
    return missed + !enough + !same;
}

static void memos_get_the_verdict_of_an_expert(void **state) {
    size_t missed = 0;
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(memos); i++) missed += check_memo(&memos[i]);
    assert_int_equal(missed, 0);
}

/* ── a second scenario ───────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *second;
    enum study_memo_kind kind; /* of what is found on its line; MISSING: nothing */
} seconds[] = {
    {"Scenario: 13B on 8 × A100 80 GB, sequence 2048",    STUDY_MEMO_MISSING      },
    {"**Scenario:** 13e9 parameters, 8xA100-80GB, seq 2k", STUDY_MEMO_MISSING      },
    {"Scenario: 13B on 16 × A100 80 GB, sequence 2048",   STUDY_MEMO_CONTRADICTORY},
    {"Scenario: 7B on 8 × A100 80 GB, sequence 2048",     STUDY_MEMO_CONTRADICTORY},
    {"Scenario: 13B on 8 × A100 80 GB, sequence 4096",    STUDY_MEMO_CONTRADICTORY},
    {"Scenario: the peak of stage 2 is 40 GB.",            STUDY_MEMO_WRONG        },
    {"Scenario: the peak of stage 2 is 67.0 GB.",          STUDY_MEMO_RIGHT        },
    {"Scenario: the link breaks.",                         STUDY_MEMO_MISSING      },
};

static void a_second_scenario_contradicts_the_first(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(seconds); i++) {
        struct study_memo_report r;
        enum study_memo_kind kind = STUDY_MEMO_MISSING;
        char *text = base_format("Scenario: 13B on 8 × A100 80 GB, sequence 2048\n\n"
                                 "## Memory\n\n%s\n",
                                 seconds[i].second);
        assert_true(study_memo_check(text, strlen(text), NULL, &r, NULL));
        for (size_t k = 0; k < r.count; k++)
            if (r.finding[k].line == 5 && r.finding[k].kind != STUDY_MEMO_MISSING)
                kind = r.finding[k].kind;
        if (kind != seconds[i].kind)
            fail_msg("%s: %s", seconds[i].second, study_memo_kind_name(kind));
        assert_int_equal(r.scenario_line, 1);
        assert_int_equal(r.scenario.training.gpus, 8);
        study_memo_free(&r);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memos_get_the_verdict_of_an_expert),
        cmocka_unit_test(a_second_scenario_contradicts_the_first),
    };
    return cmocka_run_group_tests_name("study/memo experts", tests, NULL, NULL);
}
