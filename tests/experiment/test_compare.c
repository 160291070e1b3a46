/* The runs of a lab beside each other: whether predictions held, and what surprises. */
#include "experiment/experiment.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KB = 1000, MOST = 4 };
static const struct experiment_lab memory = {.watch = "memory"};

/* A run of one rank that keeps and sends this much, and at its peak holds some of a category more.
 * Every prediction holds. */
struct told {
    const char *label;
    uint64_t kept, sent, more;
    enum account_category what;
    double exposed;
    uint64_t refused, between;
};

static struct experiment_state *run_of(const struct told *t) {
    struct experiment_state *s = base_alloc(sizeof *s);
    struct experiment_step *step = base_alloc(sizeof *step);
    struct experiment_rank *r = &s->rank[0];
    step->exposed_ms = t->exposed;
    *s = (struct experiment_state){
        .label = t->label, .ranks = 1, .seen = 1, .steps = 1, .step = step, .refused = t->refused};
    r->ended = !t->refused;
    r->persistent.bytes[ACCOUNT_MOMENTS] = r->persistent.total = t->kept * KB;
    r->at_peak = r->persistent;
    r->at_peak.bytes[t->what] += t->more * KB;
    r->at_peak.total = r->peak_total = (t->kept + t->more) * KB;
    r->now = r->at_peak;
    r->sent_total = t->sent * KB;
    r->elsewhere.between = r->predicted.elsewhere.between = t->between * KB;
    r->predicted.known = true;
    r->predicted.persistent = r->persistent;
    r->predicted.peak_total = r->peak_total;
    r->predicted.sent_total = r->sent_total;
    return s;
}

static struct experiment_compared compare(const struct told *told, size_t n, const char *watch) {
    struct experiment_state *s[MOST] = {NULL};
    for (size_t i = 0; i < n; i++) s[i] = run_of(&told[i]);
    struct experiment_compared c = experiment_compare((const struct experiment_state *const *)s, n,
                                                      &(struct experiment_lab){.watch = watch});
    for (size_t i = 0; i < n; i++) {
        free((struct experiment_step *)s[i]->step);
        free(s[i]);
    }
    return c;
}

static void what_surprises_is_found_in_the_data(void **state) {
    static const struct {
        struct told run[MOST];
        size_t n;
        const char *watch, *says, *lesson;
    } cases[] = {
        {{{"stage 0", 3530, 1320, 3700, ACCOUNT_ACTIVATIONS, 0, 0, 0},
          {"stage 3", 882, 1980, 4390, ACCOUNT_ACTIVATIONS, 0, 0, 0}},
         2,
         "memory",
         "The memory kept between steps fell to a quarter. The peak fell only to 73%, because most "
         "of the rest is "
         "activations.",
         "2.4"},
        {{{"stage 0", 3530, 1320, 3700, ACCOUNT_ACTIVATIONS, 0, 0, 0},
          {"stage 2", 1540, 1320, 3990, ACCOUNT_ACTIVATIONS, 0, 0, 0},
          {"stage 3", 882, 1980, 4390, ACCOUNT_ACTIVATIONS, 0, 0, 0}},
         3,
         "traffic",
         "A rank keeps 1.54 MB under stage 2 instead of 3.53 MB, and sends not one byte more.",
         "1.4"},
        {{{"stage 1 × 1", 800, 882, 100, ACCOUNT_ACTIVATIONS, 0, 0, 0},
          {"stage 3 × 4", 800, 5290, 100, ACCOUNT_ACTIVATIONS, 0, 0, 0}},
         2,
         "traffic",
         "In the run 'stage 3 × 4' a rank sends 5.29 MB per step. In the run 'stage 1 × 1' it "
         "sends "
         "882 KB.",
         "1.4"},
        {{{"all four", 882, 1980, 100, ACCOUNT_ACTIVATIONS, 0, 0, 1320},
          {"in each node", 1760, 1760, 100, ACCOUNT_ACTIVATIONS, 0, 0, 441}},
         2,
         "traffic",
         "In the run 'all four' a rank sends 1.32 MB to other nodes per step. In the run 'in each "
         "node' it sends 441 KB.",
         "1.4"},
        {{{"bucket 64 KB", 1540, 1320, 100, ACCOUNT_REDUCE, 0, 0, 0},
          {"bucket 25 MB", 1540, 1320, 880, ACCOUNT_REDUCE, 0, 0, 0}},
         2,
         "memory",
         "The memory kept between steps is the same to the byte. The peak rose from 1.64 MB to "
         "2.42 MB, and the "
         "difference is in the reduce buffer.",
         "2.2"},
        {{{"kept", 3530, 0, 11000, ACCOUNT_ACTIVATIONS, 0, 0, 0},
          {"full", 3530, 0, 3000, ACCOUNT_ACTIVATIONS, 0, 0, 0}},
         2,
         "memory",
         "The memory kept between steps is the same to the byte. The peak fell from 14.5 MB to "
         "6.53 MB, and the "
         "difference is in the activations.",
         "2.4"},
        {{{"prefetch 0", 882, 1980, 500, ACCOUNT_GATHER, 12.5, 0, 0},
          {"prefetch 2", 882, 1980, 700, ACCOUNT_GATHER, 3.25, 0, 0}},
         2,
         "timeline",
         "All send the same bytes, but waiting for them costs 12.5 ms per step in the run "
         "'prefetch 0' and 3.2 ms in the run 'prefetch 2'.",
         "2.3"},
        {{{"stage 3", 800, 0, 100, ACCOUNT_ACTIVATIONS, 0, 0, 0},
          {"stage 2", 800, 0, 100, ACCOUNT_ACTIVATIONS, 0, 3200000, 0}},
         2,
         "memory",
         "The run 'stage 2' ran out of memory: it needed 3.20 MB. Every stage before it ran under "
         "the same cap.",
         "1.3"},
        {{{"stage 0", 3530, 0, 100, ACCOUNT_ACTIVATIONS, 0, 4200000, 0},
          {"stage 3", 800, 0, 3100, ACCOUNT_ACTIVATIONS, 0, 4100000, 0}},
         2,
         "memory",
         "The run 'stage 3' ran out of memory: it needed 4.10 MB. Activations alone took 3.10 MB, "
         "and no stage shards those.",
         "2.4"},
        {{{"one rank", 3530, 0, 3530, ACCOUNT_ACTIVATIONS, 0, 0, 0}},
         1,
         "memory",
         "At the peak half of the memory is activations. Between steps none of it is kept.",
         "2.4"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct experiment_compared c = compare(cases[i].run, cases[i].n, cases[i].watch);
        assert_string_equal(c.surprise, cases[i].says);
        assert_string_equal(c.lesson, cases[i].lesson);
        assert_int_equal(c.missed, 0);
    }
}

/* States that only moved are no memory that was saved: what they moved to is told. */
static void states_that_moved_are_found_where_they_are(void **state) {
    static const struct told told[] = {{"device", 1760, 0, 4390, ACCOUNT_ACTIVATIONS, 0, 0, 0},
                                       {"away", 441, 0, 4390, ACCOUNT_ACTIVATIONS, 0, 0, 0}};
    static const struct {
        uint64_t host, file;
        const char *says;
    } cases[] = {
        {1380, 1320, "the host holds up to 1.38 MB, and the file up to 1.32 MB."},
        {1380, 0, "but the states only moved: the host holds up to 1.38 MB."},
        {0, 1320, "but the states only moved: the file holds up to 1.32 MB."},
        {0, 0, "The memory kept between steps fell to a quarter."},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct experiment_state *a = run_of(&told[0]), *b = run_of(&told[1]);
        const struct experiment_state *const runs[] = {a, b};
        const struct experiment_lab lab = {.watch = "memory", .lesson = "3.2"};
        b->rank[0].elsewhere.host = cases[i].host * KB;
        b->rank[0].elsewhere.file = cases[i].file * KB;
        struct experiment_compared c = experiment_compare(runs, 2, &lab);
        assert_non_null(strstr(c.surprise, cases[i].says));
        assert_string_equal(c.lesson, cases[i].host || cases[i].file ? "3.2" : "2.4");
        free((struct experiment_step *)a->step);
        free((struct experiment_step *)b->step);
        free(a);
        free(b);
    }
}

/* Where nothing surprises, nothing is said. */
static void what_does_not_surprise_is_not_said(void **state) {
    static const struct told same[] = {{"a", 800, 100, 100, ACCOUNT_ACTIVATIONS, 1, 0, 0},
                                       {"b", 800, 100, 100, ACCOUNT_ACTIVATIONS, 1, 0, 0}};
    (void)state;
    assert_string_equal(compare(same, 2, "memory").surprise, "");
    assert_string_equal(compare(same, 2, "timeline").surprise, "");
}

/* A larger model sends more, which surprises nobody. */
static void runs_of_one_model_are_compared(void **state) {
    static const struct told told[MOST] = {
        {"small table", 948, 1420, 100, ACCOUNT_REDUCE, 0, 0, 0},
        {"small rows", 948, 1500, 100, ACCOUNT_REDUCE, 0, 0, 0},
        {"large table", 2910, 4370, 100, ACCOUNT_REDUCE, 0, 0, 0},
        {"large rows", 2910, 2970, 100, ACCOUNT_REDUCE, 0, 0, 0},
    };
    const struct experiment_lab lab = {.watch = "traffic"};
    struct experiment_state *s[MOST];
    (void)state;
    for (size_t i = 0; i < MOST; i++) {
        s[i] = run_of(&told[i]);
        s[i]->setup.params = i < 2 ? 237000 : 728000;
    }
    const struct experiment_state *const runs[] = {s[0], s[1], s[2], s[3]};
    assert_string_equal(experiment_compare(runs, MOST, &lab).surprise,
                        "In the run 'large table' a rank sends 4.37 MB per step. In the run 'large "
                        "rows' it sends 2.97 MB.");
    assert_null(strstr(experiment_compare(runs, 2, &lab).surprise, "sends"));
    for (size_t i = 0; i < MOST; i++) {
        free((struct experiment_step *)s[i]->step);
        free(s[i]);
    }
}

static void copies_that_are_the_same_are_told(void **state) {
    static const struct told one = {"stage 0", 800, 100, 100, ACCOUNT_ACTIVATIONS, 1, 0, 0};
    struct experiment_state *s = run_of(&one);
    (void)state;
    s->ranks = 4;
    s->states = 1;
    const struct experiment_state *const runs[] = {s};
    struct experiment_compared c = experiment_compare(runs, 1, &memory);
    assert_non_null(strstr(c.surprise, "3 of the 4 copies hold nothing new"));
    free((struct experiment_step *)s->step);
    free(s);
}

/* Runs whose memory tells nothing: what else they differ in. */
static void what_bytes_do_not_tell_is_found(void **state) {
    static const struct told told[] = {{"one", 800, 100, 100, ACCOUNT_ACTIVATIONS, 0, 0, 0},
                                       {"two", 800, 100, 100, ACCOUNT_ACTIVATIONS, 0, 0, 0},
                                       {"three", 900, 100, 100, ACCOUNT_ACTIVATIONS, 0, 0, 0}};
    static const struct {
        int second;
        const char *hash[2];
        bool planted;
        uint32_t skipped;
        const char *says;
    } cases[] = {
        {1, {"aa", "bb"}, false, 0, ""},
        {1, {"aa", "aa"}, false, 0, ""},
        {1, {"aa", "bb"}, false, 3, "skipped every step"},
        {1, {"aa", "bb"}, true, 0, "The run 'two' holds and sends exactly the bytes"},
        {2, {"aa", "aa"}, false, 0, "A rank keeps 800 KB in the run 'one' and 900 KB in the run"},
        {2, {"aa", "bb"}, false, 0, ""},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct experiment_state *a = run_of(&told[0]), *b = run_of(&told[cases[i].second]);
        const struct experiment_state *const runs[] = {a, b};
        const struct experiment_lab lab = {.watch = "memory", .lesson = "2.3"};
        snprintf(a->weights_hash, sizeof a->weights_hash, "%s", cases[i].hash[0]);
        snprintf(b->weights_hash, sizeof b->weights_hash, "%s", cases[i].hash[1]);
        b->setup.planted = cases[i].planted;
        b->told = 3;
        b->skipped = cases[i].skipped;
        struct experiment_compared c = experiment_compare(runs, 2, &lab);
        if (!*cases[i].says) assert_string_equal(c.surprise, "");
        if (*cases[i].says) {
            assert_non_null(strstr(c.surprise, cases[i].says));
            assert_string_equal(c.lesson, "2.3");
        }
        free((struct experiment_step *)a->step);
        free((struct experiment_step *)b->step);
        free(a);
        free(b);
    }
}

static void predictions_are_counted(void **state) {
    static const struct told told = {"stage 0", 800, 100, 100, ACCOUNT_ACTIVATIONS, 1, 0, 0};
    struct experiment_state *a = run_of(&told), *b = run_of(&told);
    const struct experiment_state *const runs[] = {a, b};
    (void)state;
    b->rank[0].predicted.peak_total += 70;
    snprintf(a->loss, sizeof a->loss, "3.9");
    snprintf(b->loss, sizeof b->loss, "3.9");
    struct experiment_compared c = experiment_compare(runs, 2, &memory);
    assert_int_equal(c.figures, 2 * 3); /* moments, peak, sent */
    assert_int_equal(c.missed, 1);
    assert_int_equal(c.furthest, 70);
    assert_true(c.same_loss);
    snprintf(b->weights_hash, sizeof b->weights_hash, "1");
    assert_false(experiment_compare(runs, 2, &memory).same_loss);
    for (int i = 0; i < 2; i++) {
        struct experiment_state *s = i ? b : a;
        free((struct experiment_step *)s->step);
        free(s);
    }
}

/* Quantities that the lab names, and those in which its runs differ: a time by twice. */
static void what_differs_is_shown_with_what_the_lab_names(void **state) {
    static const struct told a = {"a", 800, 100, 100, ACCOUNT_ACTIVATIONS, 4, 0, 0},
                             b = {"b", 800, 150, 100, ACCOUNT_ACTIVATIONS, 7, 0, 0},
                             c = {"c", 800, 150, 100, ACCOUNT_ACTIVATIONS, 9, 0, 0};
    const struct experiment_lab lab = {.watch = "memory", .shows = 1u << EXPERIMENT_KEPT};
    struct experiment_state *s[] = {run_of(&a), run_of(&b), run_of(&c)};
    (void)state;
    for (int i = 0; i < 3; i++) s[i]->told = 1;
    const struct experiment_state *const runs[] = {s[0], s[1], s[2]};
    uint32_t two = experiment_compare(runs, 2, &lab).shown,
             three = experiment_compare(runs, 3, &lab).shown;
    assert_int_equal(two, 1u << EXPERIMENT_KEPT | 1u << EXPERIMENT_SENT_STEP);
    assert_int_equal(three, two | 1u << EXPERIMENT_EXPOSED);
    for (int i = 0; i < 3; i++) {
        free((struct experiment_step *)s[i]->step);
        free(s[i]);
    }
}

/* One slow step of five changes nothing. */
static void times_are_medians(void **state) {
    struct experiment_step step[5] = {{.ms = 3}, {.ms = 900}, {.ms = 1}, {.ms = 2}, {.ms = 4}};
    struct experiment_state *s = base_alloc(sizeof *s);
    double value;
    (void)state;
    *s = (struct experiment_state){.seen = 1, .steps = 5, .step = step};
    assert_true(experiment_measured(s, 0, EXPERIMENT_STEP_TIME, &value));
    assert_true(value > 2.9 && value < 3.1);
    s->steps = 4; /* 1, 2, 3, 900 */
    assert_true(experiment_measured(s, 0, EXPERIMENT_STEP_TIME, &value));
    assert_true(value > 2.4 && value < 2.6);
    free(s);
}

/* Messages are the collectives that a rank started, not those of all ranks. */
static void messages_are_those_of_a_rank(void **state) {
    static const struct experiment_span span[] = {{.rank = 0}, {.rank = 1}, {.rank = 0}};
    struct experiment_state *s = base_alloc(sizeof *s);
    double value;
    (void)state;
    *s = (struct experiment_state){.seen = 2, .told = 1, .span = span, .spans = 3};
    assert_true(experiment_measured(s, 0, EXPERIMENT_MESSAGES, &value));
    assert_int_equal((int)value, 2);
    assert_false(experiment_measured(s, 0, EXPERIMENT_KEPT, &value));
    free(s);
}

static void what_runs_agree_in_is_said(void **state) {
    static const struct {
        const char *loss[3], *weights[3], *full, *brief;
    } cases[] = {
        {{"4.1", "4.1", "4.1"},
         {"a", "a", "a"},
         "Losses and weights are equal, bit for bit.",
         "Losses and weights are equal, bit for bit."},
        {{"4.1", "4.1", "4.1"},
         {"a", "b", "c"},
         "The losses are equal. The weights of 'two' and 'three' differ from those of 'one'.",
         "The losses are equal. The weights of 'two' and 'three' differ."},
        {{"4.1", "4.1", "4.2"},
         {"a", "a", "c"},
         "The loss is 4.1 in 'one', 4.2 in 'three'. The weights differ, too.",
         "The loss and the weights of 'three' differ."},
        {{"4.1", "4.1", "4.2"},
         {"a", "b", "c"},
         "The loss is 4.1 in 'one', 4.2 in 'three'. The weights of 'two' and 'three' differ from "
         "those of 'one'.",
         "The losses differ in 1 of 3 runs, the weights in 2."},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct experiment_state run[] = {{.label = "one"}, {.label = "two"}, {.label = "three"}};
        const struct experiment_state *s[] = {&run[0], &run[1], &run[2]};
        for (size_t k = 0; k < BASE_COUNT(run); k++) {
            snprintf(run[k].loss, sizeof run[k].loss, "%s", cases[i].loss[k]);
            snprintf(run[k].weights_hash, sizeof run[k].weights_hash, "%s", cases[i].weights[k]);
        }
        char *full = experiment_agreement(s, BASE_COUNT(s), INT_MAX),
             *brief = experiment_agreement(s, BASE_COUNT(s), 62);
        assert_string_equal(full, cases[i].full);
        assert_string_equal(brief, cases[i].brief);
        free(brief);
        free(full);
        run[2].setup.params = 1;
        full = experiment_agreement(s, BASE_COUNT(s), INT_MAX);
        if (i > 0) assert_string_equal(full, "The losses differ, as the models do.");
        free(full);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_surprises_is_found_in_the_data),
        cmocka_unit_test(states_that_moved_are_found_where_they_are),
        cmocka_unit_test(what_does_not_surprise_is_not_said),
        cmocka_unit_test(what_bytes_do_not_tell_is_found),
        cmocka_unit_test(runs_of_one_model_are_compared),
        cmocka_unit_test(copies_that_are_the_same_are_told),
        cmocka_unit_test(predictions_are_counted),
        cmocka_unit_test(what_differs_is_shown_with_what_the_lab_names),
        cmocka_unit_test(times_are_medians),
        cmocka_unit_test(messages_are_those_of_a_rank),
        cmocka_unit_test(what_runs_agree_in_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
