/* What is kept is what was given: answers, places, settings, runs. */
#include "store/record.h"

#include <math.h>
#include <string.h>

/* ── answers ───────────────────────────────────────────────────────────────────────────────────*/

static void answers_come_back_whole_and_in_order(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    for (int try = 1; try <= 7; try++) assert_true(record_answer(s, try, NULL));
    assert_int_equal(record_count(s), 7);
    store_close(s);
    s = record_open(path);
    assert_int_equal(record_count(s), 7);
    store_close(s);
    free(path);
}

/* Values at the edges: what SQLite has no word for, and what it would round. */
static const struct edge {
    const char *item, *line, *typed, *problem;
    uint64_t seed;
    double value;
} edges[] = {
    {"e/nan", "", "about two hundred", "null", 0, NAN},
    {"e/seed", "", "", "{\"params\":13015864320}", UINT64_MAX, 0},
    {"e/half", "moments", "2*13", "{\"x\":0.1}", 0x8000000000000000u, 0.1},
    {"e/big", "", "1e300", "[1,[2,{\"a\":null}]]", 1, 1e300},
    {"e/inf", "", "1/0", "{}", 1, INFINITY},
    {"e/quote", "", "'); DROP TABLE answer; --\"\n\t▓", "{\"t\":\"\\u0000'\\\"\"}", 5,
     -0.30000000000000004},
    {"e/longest", "", NULL, "{}", 7, 17179869184},
};

struct seen {
    const struct edge *edge;
    const char *typed;
    int count;
};

static void compare(void *to, const struct lesson_answer *a) {
    struct seen *seen = to;
    json_t *problem = json_loads(seen->edge->problem, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    seen->count++;
    assert_string_equal(a->item, seen->edge->item);
    assert_string_equal(a->line, seen->edge->line);
    assert_string_equal(a->typed, seen->typed);
    assert_true(a->seed == seen->edge->seed);
    assert_true(isnan(seen->edge->value) ? isnan(a->value) : a->value == seen->edge->value);
    assert_true(json_equal(a->problem, problem));
    json_decref(problem);
}

static void give_and_take(struct lesson_journal j, const struct edge *e, const char *typed) {
    json_t *problem = json_loads(e->problem, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    assert_non_null(problem);
    struct lesson_answer a = {.item = e->item,
                              .line = e->line,
                              .try = 1,
                              .seed = e->seed,
                              .problem = problem,
                              .typed = typed,
                              .value = e->value,
                              .verdict = "wrong",
                              .mistake = ""};
    struct base_message m = {0};
    if (!j.answer(j.self, &a, &m)) fail_msg("%s: %s", e->item, m.what);
    struct seen seen = {e, typed, 0};
    assert_true(j.answers(j.self, e->item, compare, &seen, NULL));
    assert_int_equal(seen.count, 1);
    json_decref(problem);
}

static void values_at_the_edges_come_back(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    char *long_text = base_alloc(100001);
    memset(long_text, 'x', 100000);
    for (size_t i = 0; i < BASE_COUNT(edges); i++)
        give_and_take(store_journal(s), &edges[i], edges[i].typed ? edges[i].typed : long_text);
    free(long_text);
    store_close(s);
    free(path);
}

static void an_answer_without_a_problem_is_kept(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct lesson_journal j = store_journal(s);
    struct lesson_answer a = {.item = "1.1/why",
                              .line = "",
                              .try = 1,
                              .typed = "because",
                              .verdict = "noted",
                              .mistake = ""};
    assert_true(j.answer(j.self, &a, NULL));
    assert_int_equal(record_number(path, "SELECT count(*) FROM answer WHERE problem IS NULL"), 1);
    store_close(s);
    free(path);
}

/* One answer is there; may another one be added? */
static const struct {
    /* of the one that is there */
    const char *line, *verdict;
    const char *then_line;
    int then_try;
    bool kept;
    /* of the second; NULL: "right" */
    const char *then_verdict;
} seconds[] = {
    {"", "right", "", 1, false, NULL},
    {"", "wrong", "", 2, true, NULL},
    {"", "noted", "", 1, false, NULL}, /* its working was shown */
    {"", "unreadable", "", 1, true, NULL},
    {"", "unreadable", "", 1, true, "unreadable"},
    {"", "wrong", "", 1, false, "unreadable"},
    {"", "wrong", "", 2, true, "unreadable"},
    {"total", "wrong", "grads", 1, true, "unreadable"},
    {"total", "wrong", "total", 1, false, NULL},
    {"total", "wrong", "grads", 1, true, NULL},
    {"total", "wrong", "", 1, true, NULL}, /* the whole sheet, after its lines */
    {"", "noted", "total", 1, true, NULL}, /* say it aloud: the points, after the words */
};

static void a_try_is_answered_once(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path), *other = record_open(path);
    struct lesson_journal here = store_journal(s), there = store_journal(other);
    for (size_t i = 0; i < BASE_COUNT(seconds); i++) {
        struct base_message m = {0};
        char *item = base_format("1.1/item-%zu", i);
        struct lesson_answer a = {
            .item = item, .try = 1, .typed = "1", .mistake = "", .line = seconds[i].line};
        a.verdict = seconds[i].verdict;
        assert_true(there.answer(there.self, &a, NULL));
        a.line = seconds[i].then_line;
        a.try = seconds[i].then_try;
        a.verdict = seconds[i].then_verdict ? seconds[i].then_verdict : "right";
        bool kept = here.answer(here.self, &a, &m);
        if (kept != seconds[i].kept) fail_msg("case %zu: %s", i, kept ? "kept" : m.what);
        if (!kept && !seconds[i].then_verdict)
            assert_non_null(strstr(m.what, "this try was answered before"));
        free(item);
    }
    store_close(other);
    store_close(s);
    free(path);
}

/* A learner's next try is the highest one plus 1, whatever another program wrote. */
static void tries_that_cannot_be_counted_on_are_not_read(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    assert_true(record_answer(s, 1, NULL) && record_answer(s, 2, NULL));
    record_sql(path, "INSERT INTO answer SELECT NULL, time, item, line, n, seed, problem, "
                     "lesson_revision, engine_revision, typed, value, verdict, mistake, hints, "
                     "seconds FROM answer JOIN (SELECT 2147483647 AS n UNION SELECT -1 UNION "
                     "SELECT 9223372036854775807) WHERE try = 1");
    assert_int_equal(record_number(path, "SELECT count(*) FROM answer"), 5);
    assert_int_equal(record_count(s), 2);
    store_close(s);
    free(path);
}

static void rows_say_when_and_by_which_engine(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    setenv("ZEROTUTOR_NOW", "1780000000", 1);
    assert_true(record_answer(s, 1, NULL));
    unsetenv("ZEROTUTOR_NOW");
    assert_int_equal(record_number(path, "SELECT time FROM answer"), 1780000000);
    assert_true(record_number(path, "SELECT engine_revision FROM answer") >= 1);
    store_close(s);
    free(path);
}

static void an_answer_without_an_item_is_refused_in_words(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct lesson_journal j = store_journal(s);
    struct lesson_answer a = {
        .item = "", .line = "", .try = 1, .typed = "", .verdict = "right", .mistake = ""};
    struct base_message m = {0};
    assert_false(j.answer(j.self, &a, &m));
    assert_non_null(strstr(m.what, "cannot keep the answer"));
    assert_string_equal(m.file, path);
    assert_true(record_answer(s, 1, &m)); /* and the next one is kept */
    store_close(s);
    free(path);
}

/* ── places and settings ───────────────────────────────────────────────────────────────────────*/

static void print_place(void *to, const struct store_place *p) {
    base_text_printf(to, "%s %s%s at %d\n", p->lesson, p->step, p->finished ? " finished" : "",
                     (int)p->when);
}

static void put_place(struct store *s, const char *lesson, const char *step, bool finished,
                      const char *now) {
    struct lesson_journal j = store_journal(s);
    struct lesson_place p = {.finished = finished};
    snprintf(p.step, sizeof p.step, "%s", step);
    setenv("ZEROTUTOR_NOW", now, 1);
    assert_true(j.place_set(j.self, lesson, &p, NULL));
    unsetenv("ZEROTUTOR_NOW");
}

static void places_are_the_latest_and_stay_finished(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    put_place(s, "1.2", "first", false, "10");
    put_place(s, "1.1", "two-bytes", false, "11");
    put_place(s, "1.1", "recap", true, "12");
    put_place(s, "1.1", "two-bytes", false, "13");
    struct base_text got = {0};
    assert_true(store_places(s, print_place, &got, NULL));
    assert_string_equal(got.s, "1.1 two-bytes finished at 13\n1.2 first at 10\n");
    base_text_free(&got);
    store_close(s);
    free(path);
}

static void a_place_is_read_back_or_empty(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct lesson_journal j = store_journal(s);
    struct lesson_place p = {.step = "old", .finished = true};
    assert_true(j.place_get(j.self, "1.1", &p, NULL));
    assert_string_equal(p.step, "");
    assert_false(p.finished);
    char longest[] = "a-step-with-a-name-as-long-as-a-name-may-be-and-not-one-more-a-a";
    longest[sizeof p.step - 1] = '\0';
    put_place(s, "1.1", longest, true, "10");
    assert_true(j.place_get(j.self, "1.1", &p, NULL));
    assert_string_equal(p.step, longest);
    assert_true(p.finished);
    store_close(s);
    free(path);
}

static void assert_setting(struct store *s, const char *name, const char *expected) {
    char *value = store_setting(s, name);
    if (expected)
        assert_string_equal(value, expected);
    else
        assert_null(value);
    free(value);
}

static void settings_are_set_replaced_and_forgotten(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    assert_setting(s, "theme", NULL);
    assert_true(store_set(s, "theme", "dark", NULL));
    assert_true(store_set(s, "ascii", "", NULL));
    assert_true(store_set(s, "theme", "light", NULL));
    store_close(s);
    s = record_open(path);
    assert_setting(s, "theme", "light");
    assert_setting(s, "ascii", "");
    assert_true(store_set(s, "theme", NULL, NULL));
    assert_setting(s, "theme", NULL);
    struct base_message m = {0};
    assert_false(store_set(s, "", "x", &m));
    assert_non_null(strstr(m.what, "cannot keep the setting"));
    store_close(s);
    free(path);
}

/* ── the learner's seed; rows that stay ────────────────────────────────────────────────────────*/

static void each_learner_has_a_seed_that_stays(void **state) {
    char *one = scratch_path(state, "one.db"), *two = scratch_path(state, "two.db");
    struct store *a = record_open(one), *b = record_open(two);
    uint64_t seed = store_seed(a);
    assert_true(seed != 0 && seed != store_seed(b));
    store_close(a);
    store_close(b);
    a = record_open(one);
    assert_true(store_seed(a) == seed);
    store_close(a);
    free(one);
    free(two);
}

static void answers_are_only_added(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    assert_true(record_answer(s, 1, NULL));
    store_close(s);
    const char *const forbidden[] = {"UPDATE answer SET verdict = 'right'", "DELETE FROM answer"};
    for (size_t i = 0; i < BASE_COUNT(forbidden); i++) {
        char *error = record_sql_error(path, forbidden[i]);
        assert_string_equal(error, "answers are only added");
        free(error);
    }
    free(path);
}

/* A run is an answer with its command, its events and how it ended; what was weighed comes back as
 * its problem. */
static void a_run_is_kept_with_its_answer(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct lesson_journal j = store_journal(s);
    json_t *weighed = json_pack("{s:[I,I]}", "state", (json_int_t)16, (json_int_t)16);
    struct lesson_run run = {.lab = "stage-ladder",
                             .variant = "stage 2",
                             .command = "zerolab --ranks 4 --stage 2",
                             .events = "{\"event\":\"start\"}\n{\"event\":\"end\"}\n",
                             .outcome = "ended",
                             .measured = weighed};
    struct lesson_answer a = {.item = "1.3/ladder",
                              .line = "run/stage 2",
                              .try = 1,
                              .problem = weighed,
                              .typed = run.command,
                              .value = NAN,
                              .verdict = "noted",
                              .mistake = "",
                              .run = &run};
    struct edge e = {.item = a.item, .line = a.line, .value = NAN};
    e.problem = "{\"state\":[16,16]}";
    struct seen seen = {&e, run.command, 0};
    struct base_message m = {0};
    if (!j.answer(j.self, &a, &m)) fail_msg("%s", m.what);
    assert_true(j.answers(j.self, a.item, compare, &seen, NULL));
    assert_int_equal(seen.count, 1);
    assert_int_equal(record_number(path, "SELECT count(*) FROM lab_run JOIN answer ON answer = id "
                                         "WHERE item = '1.3/ladder' AND lab = 'stage-ladder' AND "
                                         "variant = 'stage 2' AND exit = 'ended' AND command = "
                                         "typed AND events LIKE '{%start%end%}_'"),
                     1);
    run.outcome = "exploded"; /* what cannot be kept leaves no half */
    a.try = 2;
    assert_false(j.answer(j.self, &a, &m));
    assert_int_equal(record_number(path, "SELECT count(*) FROM answer"), 1);
    run.outcome = "cancelled";
    assert_true(j.answer(j.self, &a, &m));
    assert_int_equal(record_number(path, "SELECT count(*) FROM lab_run"), 2);
    json_decref(weighed);
    store_close(s);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(answers_come_back_whole_and_in_order),
        IN_SCRATCH(values_at_the_edges_come_back),
        IN_SCRATCH(an_answer_without_a_problem_is_kept),
        IN_SCRATCH(a_try_is_answered_once),
        IN_SCRATCH(tries_that_cannot_be_counted_on_are_not_read),
        IN_SCRATCH(rows_say_when_and_by_which_engine),
        IN_SCRATCH(an_answer_without_an_item_is_refused_in_words),
        IN_SCRATCH(places_are_the_latest_and_stay_finished),
        IN_SCRATCH(a_place_is_read_back_or_empty),
        IN_SCRATCH(settings_are_set_replaced_and_forgotten),
        IN_SCRATCH(each_learner_has_a_seed_that_stays),
        IN_SCRATCH(answers_are_only_added),
        IN_SCRATCH(a_run_is_kept_with_its_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
