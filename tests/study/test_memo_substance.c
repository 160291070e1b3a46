/* What a memo says of its risks, its fallback and its first hour: what earns points, what is a keyword or a denial; quotations of several
 * figures; what unsupported figures cost. */
#include "study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define ABOVE                                                                                      \
    "Scenario: 13e9 parameters, 8 × A100 80 GB, bf16 with fp32 master weights, AdamW, sequence "  \
    "2048, micro-batch 1\nRecipe: paper\n\n## Decision\nWe choose ZeRO stage 2 without "           \
    "checkpointing.\n\n## Memory\nModel states are 48.75 GB per GPU. The peak is 67.0 GB of 85.9 " \
    "GB usable; 18.9 GB to spare.\n\n## Communication and step time\nA rank sends 45.5 GB a step " \
    "over NVLink 3. A step takes 1.2 s.\n\n## Alternatives rejected\nStage 1 peaks at 89.8 GB "    \
    "and "                                                                                         \
    "does not fit.\n\n## Risks and fallback\n"
#define HOUR       "\n\n## What to measure in the first hour\n"
#define GOOD_RISKS "The risk is fragmentation. Fallback: stage 3."
#define GOOD_HOUR  "Measure the peak against a tuned baseline."

static enum study_memo_quoted quoted(void *self, long run, const char *what, double *value,
                                     struct base_message *m) {
    (void)self;
    if (run != 2) return base_fail(m, "run %ld is not there", run), STUDY_MEMO_REFUTED;
    *value = strcmp(what, "sent") == 0 ? 7.0e6 : 15.8e6;
    if (strcmp(what, "peak") == 0 || strcmp(what, "sent") == 0) return STUDY_MEMO_MEASURED;
    return base_fail(m, "run 2 has no %s", what), STUDY_MEMO_UNKNOWN;
}

static const struct study_memo_evidence runs = {.quoted = quoted};

static void check(const char *risks, const char *hour, const char *more,
                  struct study_memo_report *r) {
    struct base_message m = {0};
    char *text = base_format(ABOVE "%s" HOUR "%s\n\n%s\n", risks, hour, more);
    if (!study_memo_check(text, strlen(text), &runs, r, &m)) fail_msg("%s", m.what);
    free(text);
}

static int points_of(const struct study_memo_report *r, const char *row) {
    for (size_t i = 0; i < STUDY_MEMO_ROWS; i++)
        if (strcmp(r->row[i].name, row) == 0) return r->row[i].points;
    fail_msg("no row %s", row);
    return 0;
}

static const struct {
    const char *risks;
    int points;
} risks[] = {
    {GOOD_RISKS,                                                                    10},
    {"Fragmentation, longer sequences. Fall back to ZeRO-3 or turn on AC.",         10},
    {"Fragmentation. Fallback: stage 3.",                                           10},
    {"The allocator may fragment. Fallback is ZeRO-3.",                             10},
    {"We fear the links. If they are slow, we take stage 1 with checkpointing.",    10},
    {"There is no room for longer sequences: the risk is data. Fallback: stage 3.", 10},
    {"1. Framework keeps fp32 gradients: +3.25 GB per GPU.\n2. Fallback: stage 3.", 10},
    {"The risk is the allocator. Our fallback is full checkpointing.",              10},
    {"Slow NVLink. Fallback ZeRO-2.",                                               10},
    {"Longer sequences may not fit; then we turn on full checkpointing.",           10},
    {"Fragmentation. Otherwise nothing to say.",                                    5 },
    {"We see no risk and have no fallback.",                                        0 },
    {"No risks. No fallback.",                                                      0 },
    {"Risks: none. Fallback: none.",                                                0 },
    {"None that we know of.",                                                       0 },
    {"Nothing can go wrong here at all, we are sure.",                              0 },
    {"It all looks good to everybody in this room.",                                0 },
    {"Fallback.",                                                                   0 },
    {"Risk.",                                                                       0 },
    {"There is no known risk. A fallback is not needed.",                           0 },
    {"The risk is fragmentation. We have no fallback.",                             5 },
    {"The risk is fragmentation. There is a fallback.",                             5 },
    {"No risk. Fallback: stage 3.",                                                 5 },
};

static void risks_are_named(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(risks); i++) {
        struct study_memo_report r;
        check(risks[i].risks, GOOD_HOUR, "", &r);
        if (points_of(&r, "risks") != risks[i].points)
            fail_msg("%s: %d points", risks[i].risks, points_of(&r, "risks"));
        study_memo_free(&r);
    }
}

static const struct {
    const char *hour;
    int points;
} hours[] = {
    {GOOD_HOUR,                                                                    10},
    {"Log max_memory_allocated and tok/s vs. a tuned ZeRO-3 baseline.",            10},
    {"The peak, on a tuned baseline.",                                             10},
    {"- Peak by category after 20 steps\n- Baseline: stage 3, tuned",              10},
    {"Peak by category and tokens per second on a tuned baseline, stage 2 first.", 10},
    {"Measure not only the peak but the step, against a tuned baseline.",          10},
    {"We measure nothing; there is no baseline.",                                  0 },
    {"We do not measure. Baseline: none.",                                         0 },
    {"baseline",                                                                   0 },
    {"Measure.",                                                                   0 },
    {"Nothing is measured.",                                                       0 },
    {"Measure the peak by category, without a baseline.",                          5 },
    {"We will see. It is against a tuned baseline.",                               5 },
};

static void first_hours_measure(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(hours); i++) {
        struct study_memo_report r;
        check(GOOD_RISKS, hours[i].hour, "", &r);
        if (points_of(&r, "first hour") != hours[i].points)
            fail_msg("%s: %d points", hours[i].hour, points_of(&r, "first hour"));
        study_memo_free(&r);
    }
}

static const struct {
    const char *said;
    enum study_memo_kind
        kind[3]; /* of the findings that are not the rest of the memo's; MISSING: none */
} quotes[] = {
    {"[run 2: peak 15.8 MB, sent 7 MB]",                       {STUDY_MEMO_RIGHT, STUDY_MEMO_RIGHT, STUDY_MEMO_MISSING}        },
    {"[run 2: peak 15.8 MB, sent 99 MB]",                      {STUDY_MEMO_RIGHT, STUDY_MEMO_WRONG, STUDY_MEMO_MISSING}        },
    {"[Run 2: Peak 15.8 MB; sent 7 MB]",                       {STUDY_MEMO_RIGHT, STUDY_MEMO_RIGHT, STUDY_MEMO_MISSING}        },
    {"[run 2: fits]",                                          {STUDY_MEMO_RIGHT, STUDY_MEMO_MISSING, STUDY_MEMO_MISSING}      },
    {"[run 2: OOM]",                                           {STUDY_MEMO_WRONG, STUDY_MEMO_MISSING, STUDY_MEMO_MISSING}      },
    {"[run 2: out of memory]",                                 {STUDY_MEMO_WRONG, STUDY_MEMO_MISSING, STUDY_MEMO_MISSING}      },
    {"[run 2: ended]",                                         {STUDY_MEMO_RIGHT, STUDY_MEMO_MISSING, STUDY_MEMO_MISSING}      },
    {"[run 2]",                                                {STUDY_MEMO_UNSUPPORTED, STUDY_MEMO_MISSING, STUDY_MEMO_MISSING}},
    {"[run 3]",                                                {STUDY_MEMO_WRONG, STUDY_MEMO_MISSING, STUDY_MEMO_MISSING}      },
    {"[run 3: peak 67.0 GB]",                                  {STUDY_MEMO_WRONG, STUDY_MEMO_MISSING, STUDY_MEMO_MISSING}      },
    {"We measured a peak of 15.8 MB [run 2: peak 15.8 MB].",
     {STUDY_MEMO_RIGHT, STUDY_MEMO_RIGHT, STUDY_MEMO_MISSING}                                                                  },
    {"We measured a peak of 15.8 MB [run 2: beauty 15.8 MB].",
     {STUDY_MEMO_UNSUPPORTED, STUDY_MEMO_UNSUPPORTED, STUDY_MEMO_MISSING}                                                      },
};

static void all_that_a_quotation_says_is_looked_up(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(quotes); i++) {
        struct study_memo_report without, r;
        check(GOOD_RISKS, GOOD_HOUR, "", &without);
        check(GOOD_RISKS, GOOD_HOUR, quotes[i].said, &r);
        size_t more = 0;
        for (; more < 3 && quotes[i].kind[more] != STUDY_MEMO_MISSING; more++) {
            size_t at = without.count + more;
            if (at >= r.count) fail_msg("%s: only %zu findings more", quotes[i].said, more);
            if (r.finding[at].kind != quotes[i].kind[more])
                fail_msg("%s: %s, %s", quotes[i].said, study_memo_kind_name(r.finding[at].kind),
                         r.finding[at].what);
        }
        assert_int_equal(r.count, without.count + more);
        study_memo_free(&without);
        study_memo_free(&r);
    }
}

static void two_unsupported_figures_are_free(void **state) {
    static const int points[] = {100, 100, 100, 99, 98};
    (void)state;
    struct base_text more = {0};
    for (size_t i = 0; i < 20; i++) {
        struct study_memo_report r;
        check(GOOD_RISKS, GOOD_HOUR, more.s ? more.s : "", &r);
        assert_int_equal(r.kinds[STUDY_MEMO_UNSUPPORTED], i);
        assert_int_equal(r.points, i < BASE_COUNT(points) ? points[i] : i < 12 ? 102 - (int)i : 90);
        assert_int_equal(r.charged, 100 - r.points);
        base_text_puts(&more, "[run 2: beauty 3 GB]\n\n");
        study_memo_free(&r);
    }
    base_text_free(&more);
}

/* A line of a megabyte takes no longer than many lines do. */
static void long_lines_are_read_at_once(void **state) {
    static const char *const pieces[] = {"fits stage 1. ", "[run 2: peak 15.8 MB] ",
                                         "the risk the no the fallback the ",
                                         "3 GB states [run 2: beauty 3 GB] ", "baseline; "};
    enum { LENGTH = 1000000, MOST_MS = 3000 };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(pieces); i++) {
        struct study_memo_report r;
        struct base_text t = {0};
        while (t.length < LENGTH) base_text_puts(&t, pieces[i]);
        int64_t start = base_ticks();
        check(GOOD_RISKS, GOOD_HOUR, t.s, &r);
        int64_t took = base_ticks() - start;
        if (took > MOST_MS) fail_msg("\"%s\": %lld ms", pieces[i], (long long)took);
        study_memo_free(&r);
        base_text_free(&t);
    }
}

/* Returns alone end lines as well. */
static void lines_of_old_machines_are_read(void **state) {
    (void)state;
    struct study_memo_report r;
    struct base_message m = {0};
    char *text = base_format(ABOVE "%s" HOUR "%s\n", GOOD_RISKS, GOOD_HOUR);
    for (char *s = text; *s; s++)
        if (*s == '\n') *s = '\r';
    assert_true(study_memo_check(text, strlen(text), NULL, &r, &m));
    assert_true(r.passes);
    assert_int_equal(r.scenario_line, 1);
    study_memo_free(&r);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(risks_are_named),
        cmocka_unit_test(first_hours_measure),
        cmocka_unit_test(all_that_a_quotation_says_is_looked_up),
        cmocka_unit_test(two_unsupported_figures_are_free),
        cmocka_unit_test(long_lines_are_read_at_once),
        cmocka_unit_test(lines_of_old_machines_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
