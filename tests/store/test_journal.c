/* What is kept is what was given, and what is derived from it is right. */
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

/* ── items ─────────────────────────────────────────────────────────────────────────────────────*/

static const struct given {
    const char *item, *line, *verdict;
} givens[] = {
    {"1.1/number", "", "wrong"},
    {"1.1/number", "", "mistake"},
    {"1.1/number", "", "right"},
    {"1.1/guess", "", "noted"}, /* never graded: no item */
    {"1.1/rounded", "", "rounded"},
    {"1.1/rounded", "", "unreadable"}, /* not graded: nothing changes */
    /* lines are folded: only the row of the whole sheet counts */
    {"1.1/sheet", "params", "right"},
    {"1.1/sheet", "moments", "mistake"},
    {"1.1/sheet", "moments", "right"},
    {"1.1/sheet", "", "wrong"},
    {"1.1/undone", "params", "right"}, /* a sheet left in the middle */
    {"1.10/other", "", "right"},       /* begins with 1.1, but not with 1.1/ */
    {"1.1/unit", "", "unit"},
    {"1.1/number", "", "wrong"},
    {"2.1/far", "", "right"},
    {"2.1/far", "", "wrong"},
};

static void give_all(struct store *s) {
    struct lesson_journal j = store_journal(s);
    for (size_t i = 0; i < BASE_COUNT(givens); i++) {
        struct lesson_answer a = {.item = givens[i].item,
                                  .line = givens[i].line,
                                  .try = (int)i + 1,
                                  .typed = "",
                                  .verdict = givens[i].verdict,
                                  .mistake = ""};
        char *now = base_format("%zu", 1000 + i);
        setenv("ZEROTUTOR_NOW", now, 1);
        assert_true(j.answer(j.self, &a, NULL));
        free(now);
    }
    unsetenv("ZEROTUTOR_NOW");
}

static void print_item(void *to, const struct store_item *i) {
    base_text_printf(to, "%s %d/%d %s at %d%s\n", i->item, i->right, i->answers, i->last,
                     (int)i->when, i->right_first ? ", first" : "");
}

static const struct derived {
    const char *prefix, *items;
} deriveds[] = {
    {"1.1/", "1.1/number 1/4 wrong at 1013\n"
             "1.1/rounded 1/1 rounded at 1004, first\n"
             "1.1/sheet 0/1 wrong at 1009\n"
             "1.1/unit 0/1 unit at 1012\n"},
    {"1.10/", "1.10/other 1/1 right at 1011, first\n"},
    {"2.1/far", "2.1/far 1/2 wrong at 1015, first\n"},
    {"2.1/farther", ""},
    {"9", ""},
};

static void items_fold_what_was_answered(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    give_all(s);
    for (size_t i = 0; i < BASE_COUNT(deriveds); i++) {
        struct base_text got = {0};
        assert_true(store_items(s, deriveds[i].prefix, print_item, &got, NULL));
        char *items = base_text_take(&got);
        assert_string_equal(items, deriveds[i].items);
        free(items);
    }
    store_close(s);
    free(path);
}

static void print_first(void *to, const char *item, bool right, const char *mistake) {
    assert_string_equal(mistake, "");
    base_text_printf(to, "%s %d\n", item, right);
}

static void print_answer(void *to, int64_t number, const struct review_answer *a,
                         const char *problem) {
    assert_string_equal(problem, "");
    base_text_printf(to, "%lld %s/%s %s\n", (long long)number, a->item, a->line, a->verdict);
}

static void first_answers_and_later_ones_are_read(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct base_text first = {0}, after = {0};
    give_all(s);
    assert_true(store_first_answers(s, print_first, &first, NULL));
    assert_string_equal(first.s, "1.1/number 0\n1.1/rounded 1\n1.1/sheet 0\n1.1/unit 0\n"
                                 "1.10/other 1\n2.1/far 1\n");
    assert_true(store_answers(s, 5, REVIEW_ROLLOVER, print_answer, &after, NULL));
    const char *lines = "7 1.1/sheet/params right\n8 1.1/sheet/moments mistake\n"; /* no 6 */
    assert_memory_equal(after.s, lines, strlen(lines));
    free(base_text_take(&first));
    free(base_text_take(&after));
    store_close(s);
    free(path);
}

static void one_item_is_read_by_its_ends(void **state) {
    static const struct {
        const char *item;
        bool answered, right_first, right_last;
        /* as a whole, after these answers */
        int64_t whole_after, not_after;
    } cases[] = {
        {"1.1/number", true, false, false, 13, 14}, {"1.1/guess", false, false, false, -1, 0},
        {"1.1/rounded", true, true, true, 4, 5},    {"1.1/sheet", true, false, false, 9, 10},
        {"1.1/undone", false, false, false, -1, 0}, {"2.1/far", true, true, false, 15, 16},
        {"2.1/fa", false, false, false, -1, 0},
    };
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    give_all(s);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct store_ends ends = store_item_ends(s, cases[i].item);
        assert_int_equal(ends.answered, cases[i].answered);
        assert_int_equal(ends.right_first, cases[i].right_first);
        assert_int_equal(ends.right_last, cases[i].right_last);
        assert_false(store_was_answered(s, cases[i].item, cases[i].not_after));
        if (cases[i].whole_after >= 0)
            assert_true(store_was_answered(s, cases[i].item, cases[i].whole_after));
    }
    store_close(s);
    free(path);
}

static void count_item(void *to, const struct store_item *i) {
    (void)i;
    ++*(int *)to;
}

static void an_empty_prefix_is_every_item(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    give_all(s);
    int items = 0;
    assert_true(store_items(s, "", count_item, &items, NULL));
    assert_int_equal(items, 6);
    assert_true(store_has_items(s, "") && store_has_items(s, "1.1/"));
    assert_false(store_has_items(s, "1.1/guess") || store_has_items(s, "9"));
    store_close(s);
    free(path);
}

static void print_try(void *to, size_t right) {
    base_text_printf(to, "%zu ", right);
}

/* Of all items together, in the tries' order, whatever order they were answered in. */
static void tries_fold_what_was_answered(void **state) {
    static const struct given_try {
        const char *item, *line;
        int try;
        const char *verdict;
    } tries[] = {
        {"1c/b", "", 3, "right"},   {"1c/a", "", 1, "right"},
        {"1c/b", "", 1, "rounded"}, {"1c/c", "", 1, "wrong"},
        {"1c/a", "", 2, "unit"},    {"1c/a", "x", 4, "right"}, /* a line of a sheet */
        {"1c/a", "", 5, "noted"},   {"1c/a", "", 6, "unreadable"},
        {"1c/a", "", 0, "right"},   {"1c/a", "", -1, "right"},
        {"1d/a", "", 7, "right"},
    };
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct lesson_journal j = store_journal(s);
    struct base_text got = {0};
    for (size_t i = 0; i < BASE_COUNT(tries); i++) {
        const struct given_try *t = &tries[i];
        struct lesson_answer a = {t->item, t->line, .try = t->try, .verdict = t->verdict};
        a.typed = a.mistake = "";
        assert_true(j.answer(j.self, &a, NULL));
    }
    assert_true(store_tries(s, "1c/", print_try, &got, NULL));
    assert_string_equal(got.s, "2 0 1 ");
    base_text_free(&got);
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

/* ── a lesson begun anew ───────────────────────────────────────────────────────────────────────*/
static void give(struct store *s, const char *item, int try) {
    struct lesson_journal j = store_journal(s);
    struct base_message m = {0};
    struct lesson_answer a = {.item = item,
                              .line = "",
                              .try = try,
                              .typed = "14",
                              .value = 14,
                              .verdict = "right",
                              .mistake = ""};
    if (!j.answer(j.self, &a, &m)) fail_msg("%s, try %d: %s", item, try, m.what);
}

static void add_try(void *to, const struct lesson_answer *a) {
    base_text_printf(to, "%d ", a->try);
}

static char *tries_of(struct store *s, const char *item) {
    struct lesson_journal j = store_journal(s);
    struct base_text t = {0};
    assert_true(j.answers(j.self, item, add_try, &t, NULL));
    return base_text_take(&t);
}

static void add_item(void *to, const struct store_item *i) {
    base_text_printf(to, "%s %d; ", i->item, i->answers);
}

static void add_round(void *to, size_t right) {
    base_text_printf(to, "%zu ", right);
}

static void add_review(void *to, int64_t number, const struct review_answer *a) {
    (void)number;
    base_text_printf(to, "%s/%d ", a->item, a->try);
}

/* What tries, items, answered items, rounds and reviews say, in this order. */
static char *all_of(struct store *s) {
    struct base_text t = {0};
    char *tries = tries_of(s, "1.1/a");
    base_text_printf(&t, "%s| ", tries);
    assert_true(store_items(s, "", add_item, &t, NULL));
    base_text_puts(&t, "| ");
    if (store_was_answered(s, "1.1/a", 0)) base_text_puts(&t, "1.1/a; ");
    assert_int_equal(store_item_ends(s, "1.1/a").answered, store_was_answered(s, "1.1/a", 0));
    base_text_puts(&t, "| ");
    assert_true(store_tries(s, "1.1/", add_round, &t, NULL));
    base_text_puts(&t, "| ");
    assert_true(store_reviews(s, 0, 4, add_review, &t, NULL));
    free(tries);
    return base_text_take(&t);
}

static void says(struct store *s, const char *expected) {
    char *said = all_of(s);
    assert_string_equal(said, expected);
    free(said);
}

static void a_reset_hides_and_keeps(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct lesson_journal j = store_journal(s);
    struct lesson_place place = {"by-hand", true};
    struct base_message m = {0};
    give(s, "1.1/a", 1);
    give(s, "1.1/a", 2);
    give(s, "1.10/b", 1);
    assert_true(j.place_set(j.self, "1.1", &place, NULL));
    says(s, "1 2 | 1.1/a 2; 1.10/b 1; | 1.1/a; | 1 1 | 1.1/a/1 1.1/a/2 1.10/b/1 ");
    assert_true(store_reset(s, "1.1", &m));
    assert_true(j.place_get(j.self, "1.1", &place, NULL));
    assert_string_equal(place.step, "");
    assert_false(place.finished);
    says(s, "| 1.10/b 1; | | | 1.1/a/1 1.1/a/2 1.10/b/1 ");
    give(s, "1.1/a", 1);
    says(s, "1 | 1.1/a 1; 1.10/b 1; | 1.1/a; | 1 | 1.1/a/1 1.1/a/2 1.10/b/1 1.1/a/3 ");
    assert_true(store_reset(s, "1.1", &m));
    give(s, "1.1/a", 1);
    store_close(s);
    s = record_open(path);
    says(s, "1 | 1.1/a 1; 1.10/b 1; | 1.1/a; | 1 | 1.1/a/1 1.1/a/2 1.10/b/1 1.1/a/3 1.1/a/4 ");
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
        IN_SCRATCH(items_fold_what_was_answered),
        IN_SCRATCH(first_answers_and_later_ones_are_read),
        IN_SCRATCH(one_item_is_read_by_its_ends),
        IN_SCRATCH(an_empty_prefix_is_every_item),
        IN_SCRATCH(tries_fold_what_was_answered),
        IN_SCRATCH(places_are_the_latest_and_stay_finished),
        IN_SCRATCH(a_place_is_read_back_or_empty),
        IN_SCRATCH(settings_are_set_replaced_and_forgotten),
        IN_SCRATCH(each_learner_has_a_seed_that_stays),
        IN_SCRATCH(answers_are_only_added),
        IN_SCRATCH(a_run_is_kept_with_its_answer),
        IN_SCRATCH(a_reset_hides_and_keeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
