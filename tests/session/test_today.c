/* What home has beside the list: how far to go today, where one was, the learner's job, and the
 * case of the week. With the course itself. */
#include "base/scratch.h"
#include "session/pupil.h"
#include "review/review.h"
#include "store/store.h"

#include <string.h>

enum { HOUR = 3600, DAY = 24 * HOUR };
static const int64_t MONDAY = 1795435200; /* 23 November 2026, noon in UTC */

static void go_to(int64_t time) {
    char *now = base_format("%lld", (long long)time);
    setenv("ZEROTUTOR_NOW", now, 1);
    free(now);
}

static int open_home(void **state) {
    if (scratch_make(state) != 0) return -1;
    char *share = realpath(".", NULL), *home = base_format("%s/home", (char *)*state);
    setenv("TZ", "UTC0", 1);
    tzset();
    setenv("ZEROTUTOR_SHARE", share, 1);
    setenv("ZEROTUTOR_HOME", home, 1);
    go_to(MONDAY);
    free(home);
    free(share);
    return 0;
}

static int close_home(void **state) {
    unsetenv("ZEROTUTOR_NOW");
    unsetenv("ZEROTUTOR_SHARE");
    unsetenv("ZEROTUTOR_HOME");
    return scratch_remove(state);
}

/* Goes on until a step, or the end (NULL). */
static void go_through(struct learner *who, const char *lesson, const char *step) {
    struct session *s = sit(who, lesson);
    while (lesson_asked(session_dialogue(s)) &&
           !(step && strcmp(lesson_where(session_dialogue(s)), step) == 0))
        pass(s, LESSON_DO_NEXT, NULL);
    session_close(s);
}

/* ── how far, and where ────────────────────────────────────────────────────────────────────────*/
static void every_lesson_has_two_stretches(void **state) {
    (void)state;
    struct learner *who = open_learner();
    const struct lesson_course *c = session_learner_course(who);
    for (size_t i = 0; i < c->lessons; i++) {
        struct learner_stretch s = session_learner_stretch(who, i);
        if (c->lesson[i].kind != LESSON_ORDINARY) {
            assert_true(s.minutes == c->lesson[i].minutes && s.from == 0);
            continue;
        }
        assert_true(s.from == 1 && s.to > 1 && s.to < s.steps);
        assert_in_range(s.minutes, 1, c->lesson[i].minutes - 1);
    }
    session_learner_close(who);
}

static void a_stretch_begins_where_it_was_left(void **state) {
    (void)state;
    struct learner *who = open_learner();
    size_t i = session_learner_find(who, "1.2");
    struct learner_stretch whole = session_learner_stretch(who, i);
    int minutes = session_learner_course(who)->lesson[i].minutes;
    go_through(who, "1.2", "by-hand");
    struct learner_stretch rest = session_learner_stretch(who, i);
    assert_true(rest.from == 4 && rest.to == whole.to && rest.minutes < whole.minutes);
    go_through(who, "1.2", "add-gpus"); /* its stop: the next rest is the end */
    struct learner_stretch last = session_learner_stretch(who, i);
    assert_true(last.from == whole.to && last.to == last.steps);
    /* the step at which one stops is in both */
    assert_in_range(whole.minutes + last.minutes, minutes, minutes + 1);
    session_learner_close(who);
}

static void after_twelve_hours_one_is_told_where_one_was(void **state) {
    (void)state;
    struct learner *who = open_learner();
    size_t i = session_learner_find(who, "1.2");
    go_through(who, "1.2", "by-hand");
    go_to(MONDAY + 12 * HOUR - 1);
    assert_null(session_learner_left(who, i).title);
    go_to(MONDAY + 12 * HOUR);
    struct learner_left left = session_learner_left(who, i);
    assert_string_equal(left.title, "By hand: eight GPUs");
    assert_true(left.said && strchr(left.said, '.') && strlen(left.said) > 20);
    session_learner_left_free(&left);
    go_through(who, "1.2", NULL);
    go_to(MONDAY + 2 * DAY);
    assert_null(session_learner_left(who, i).title); /* it is finished */
    session_learner_close(who);
}

/* ── the job ───────────────────────────────────────────────────────────────────────────────────*/
static void a_job_is_read_as_options_and_as_a_scenario(void **state) {
    (void)state;
    static const char *const said[] = {
        "--model llama-3.1-8b --gpus 4 --gpu rtx-4090",
        "zerotutor mem --gpu=rtx-4090 --gpus=4 --model=llama-3.1-8b",
        "Llama 3.1 8B, 4 × RTX 4090",
    };
    struct learner *who = open_learner();
    struct base_message m = {0};
    struct learner_job job;
    assert_false(session_learner_job(who, &job));
    for (size_t i = 0; i < BASE_COUNT(said); i++) {
        if (!session_learner_set_job(who, said[i], &m)) fail_msg("%s: %s", said[i], m.what);
        assert_true(session_learner_job(who, &job));
        assert_string_equal(job.name, "Llama 3.1 8B on 4 × RTX 4090");
        assert_true(job.fit == ACCOUNT_TOO_LARGE && job.training.stage == 3);
        assert_true(session_learner_set_job(who, "", &m));
        assert_false(session_learner_job(who, &job));
    }
    session_learner_close(who);
}

static void a_bad_job_is_refused_and_the_old_one_stays(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {"70B", "no GPUs are named"},
        {"hello", "unknown field"},
        {"--model foo --gpus 4 --gpu h100-80g", "\"foo\" is not in the catalogue"},
        {"--model llama-3.1-8b --gpus 4", "name the card"},
        {"--gpus 4 --gpu h100-80g", "name the model"},
        {"--model llama-3.1-8b --gpu h100-80g", "--gpus"},
        {"--gpus", "needs a value"},
        {"--model llama-3.1-8b and more", "'and' is not an option"},
    };
    struct learner *who = open_learner();
    struct learner_job job;
    assert_true(session_learner_set_job(who, "13B, 8 × A100 80 GB", NULL));
    for (size_t i = 0; i < BASE_COUNT(bad); i++) {
        struct base_message m = {0};
        assert_false(session_learner_set_job(who, bad[i][0], &m));
        if (!strstr(m.what, bad[i][1])) fail_msg("%s: %s", bad[i][0], m.what);
        assert_true(session_learner_job(who, &job) && job.training.gpus == 8);
    }
    session_learner_close(who);
}

/* The lowest stage that fits is named, by the engine's own peak. */
static void a_job_that_fits_says_at_which_stage(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct learner_job job;
    struct account_memory memory;
    assert_true(session_learner_set_job(who, "Llama 2 13B, 8 × A100 80 GB", NULL));
    assert_true(session_learner_job(who, &job));
    assert_true(job.fit != ACCOUNT_TOO_LARGE && job.training.stage > 0);
    assert_true(account_memory(&job.training, &memory, NULL));
    assert_true(job.need == memory.phase[memory.peak].ledger.total && job.need < job.budget);
    job.training.stage--;
    assert_true(account_memory(&job.training, &memory, NULL));
    assert_true(account_fit(memory.phase[memory.peak].ledger.total, job.budget) > job.fit);
    session_learner_close(who);
}

static void sliders_start_from_the_job(void **state) {
    (void)state;
    struct learner *who = open_learner();
    assert_true(session_learner_set_job(who, "Llama 3.1 8B, 4 × RTX 4090", NULL));
    struct session *s = sit(who, "1.2");
    pass(s, LESSON_DO_GOTO, "add-gpus");
    const struct lesson_ask *ask = lesson_asked(session_dialogue(s));
    assert_true(ask->own && ask->sliders == 2);
    pass(s, LESSON_DO_ANSWER, LESSON_MY_JOB);
    ask = lesson_asked(session_dialogue(s));
    assert_string_equal(ask->slider[0].value, "4 (yours)");
    assert_string_equal(ask->slider[1].value, "Llama 3.1 8B (yours)");
    pass(s, LESSON_DO_ANSWER, "gpus=8");
    assert_string_equal(lesson_asked(session_dialogue(s))->slider[0].value, "8");
    session_close(s);
    assert_true(session_learner_set_job(who, "", NULL));
    s = sit(who, "1.2");
    pass(s, LESSON_DO_GOTO, "add-gpus");
    assert_false(lesson_asked(session_dialogue(s))->own);
    session_close(s);
    session_learner_close(who);
}

static void go_to_the_job(struct session *s) {
    while (lesson_asked(session_dialogue(s)) &&
           strncmp(lesson_where(session_dialogue(s)), "job/", 4) != 0)
        pass(s, LESSON_DO_NEXT, NULL);
}

/* It is counted with the others that are still due. */
static void a_job_that_was_skipped_stays_due(void **state) {
    (void)state;
    struct learner *who = open_learner();
    assert_true(session_learner_set_job(who, "Llama 2 13B, 8 × A100 80 GB", NULL));
    go_through(who, "1.1", NULL);
    go_to(MONDAY + DAY);
    char *says =
        base_format("You skipped %zu. They are still due.", session_learner_due(who).count);
    struct session *s = sit(who, LEARNER_REVIEW);
    bool told = false;
    while (!told && lesson_asked(session_dialogue(s))) {
        char *said = act(s, LESSON_DO_NEXT, NULL);
        told = strstr(said, says) != NULL;
        free(said);
    }
    assert_true(told);
    free(says);
    session_close(s);
    session_learner_close(who);
}

/* It comes with other questions, and once a week: what was answered is not asked again. */
static void a_review_asks_about_the_job_once_a_week(void **state) {
    (void)state;
    struct learner *who = open_learner();
    assert_true(session_learner_set_job(who, "Llama 2 13B, 8 × A100 80 GB", NULL));
    assert_false(session_learner_due(who).job); /* nothing else is due */
    go_through(who, "1.1", NULL);
    go_to(MONDAY + DAY);
    struct learner_due due = session_learner_due(who);
    assert_true(due.job && due.count == due.fresh + 1);
    struct session *s = sit(who, LEARNER_REVIEW);
    go_to_the_job(s);
    assert_non_null(lesson_asked(session_dialogue(s)));
    const json_t *problem = lesson_problem_now(session_dialogue(s));
    assert_string_equal(base_json_text(problem, "quantity", ""), "model_state");
    json_t *asked = lesson_report(session_dialogue(s));
    const char *words = base_json_text(asked, "statement", "");
    if (!strstr(words, "mixed precision (bf16), AdamW.")) fail_msg("%s", words);
    json_decref(asked);
    pass(s, LESSON_DO_ANSWER, "1 GB");
    bool told = false;
    for (int i = 0; i < 5 && !told; i++) {
        char *said = act(s, LESSON_DO_NEXT, NULL);
        told = strstr(said, "your own job is not counted") != NULL;
        free(said);
    }
    assert_true(told);
    session_close(s);
    due = session_learner_due(who);
    assert_true(due.count > 0 && !due.job);
    go_to(MONDAY + 6 * DAY); /* Sunday */
    assert_false(session_learner_due(who).job);
    go_to(MONDAY + 7 * DAY);
    assert_true(session_learner_due(who).job);
    s = sit(who, LEARNER_REVIEW);
    go_to_the_job(s);
    pass(s, LESSON_DO_WORKED, NULL); /* whoever sees the solution is asked no more, either */
    session_close(s);
    assert_false(session_learner_due(who).job);
    session_learner_close(who);
}

/* With the job among them; and once that was answered, it has had its place in the day. */
static void a_review_takes_as_long_as_the_learner_says(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct lesson_journal j = store_journal(session_learner_store(who));
    struct base_text deck = {0};
    assert_true(session_learner_set_job(who, "Llama 2 13B, 8 × A100 80 GB", NULL));
    go_through(who, "1.1", NULL);
    for (int i = 0; i < 30; i++) {
        char *item = base_format("1.1/p%d", i);
        base_text_printf(&deck, "p p%d s%d Problem %d\n", i, i, i);
        struct lesson_answer a = {
            .item = item, .line = "", .try = 1, .typed = "", .verdict = "right", .mistake = ""};
        assert_true(j.answer(j.self, &a, NULL));
        free(item);
    }
    assert_true(store_set(session_learner_store(who), "deck/1.1", deck.s, NULL));
    base_text_free(&deck);
    go_to(MONDAY + 30 * DAY);
    struct learner_due due = session_learner_due(who);
    assert_true(due.job);
    assert_int_equal(due.minutes, 5); /* one for the job, and problems of 45 s */
    assert_int_equal(due.count, 1 + 5);
    assert_true(store_set(session_learner_store(who), SESSION_REVIEW_MINUTES, "10", NULL));
    due = session_learner_due(who);
    assert_int_equal(due.minutes, 10);
    assert_int_equal(due.count, 1 + 12);
    assert_true(store_set(session_learner_store(who), SESSION_REVIEW_MINUTES, "60", NULL));
    due = session_learner_due(who);
    assert_int_equal(due.count, 1 + REVIEW_DAY_MOST);
    assert_true(store_set(session_learner_store(who), SESSION_REVIEW_MINUTES, "lots", NULL));
    char *item =
        base_format("job/%lld/states",
                    (long long)review_week(review_day(base_now(), session_learner_rollover(who))));
    struct lesson_answer a = {
        .item = item, .line = "", .try = 1, .typed = "1", .verdict = "wrong", .mistake = ""};
    assert_true(j.answer(j.self, &a, NULL));
    free(item);
    due = session_learner_due(who);
    assert_false(due.job);
    assert_int_equal(due.count, 5);
    session_learner_close(who);
}

/* ── the case of the week ──────────────────────────────────────────────────────────────────────*/
static void a_case_comes_with_the_lesson_that_settles_it(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct learner_case week;
    struct base_message m = {0};
    assert_false(session_learner_case(who, &week));
    assert_null(session_open(who, LEARNER_CASE, &m));
    assert_non_null(strstr(m.what, "there is no case yet"));
    go_through(who, "1.1", NULL);
    assert_true(session_learner_case(who, &week) && !week.answered && *week.title);
    session_learner_close(who);
}

/* Answered once, it stays until the week is over and is not graded; the next week brings another.
 */
static void a_case_stays_for_its_week(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct learner_case week, later;
    go_through(who, "1.1", NULL);
    go_through(who, "1.2", NULL);
    assert_true(session_learner_case(who, &week));
    struct session *s = sit(who, LEARNER_CASE);
    pass(s, LESSON_DO_ANSWER, "1");
    pass(s, LESSON_DO_NEXT, NULL);
    assert_null(lesson_asked(session_dialogue(s))); /* one question, and then it ends */
    session_close(s);
    go_to(MONDAY + 6 * DAY + 15 * HOUR); /* three at night after Sunday: days begin at four */
    assert_true(session_learner_case(who, &later) && later.answered && later.at == week.at);
    go_to(MONDAY + 7 * DAY);
    assert_true(session_learner_case(who, &later) && !later.answered);
    assert_true(session_learner_progress(who, 0).graded == 5);
    session_learner_close(who);
}

/* Few lessons settle few cases; those take turns, and one that was answered waits for the others
 * even if another lesson was finished meanwhile. */
static void another_case_comes_each_week(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct learner_case week;
    size_t before = SIZE_MAX, answered[3];
    go_through(who, "1.1", NULL);
    for (int i = 0; i < 6; i++) {
        go_to(MONDAY + i * 7 * DAY);
        assert_true(session_learner_case(who, &week) && week.at != before);
        before = week.at;
    }
    go_through(who, "1.2", NULL); /* now there are three */
    for (size_t i = 0; i < 3; i++) {
        go_to(MONDAY + (10 + (int)i) * 7 * DAY);
        assert_true(session_learner_case(who, &week));
        for (size_t k = 0; k < i; k++) assert_int_not_equal(week.at, answered[k]);
        answered[i] = week.at;
        struct session *s = sit(who, LEARNER_CASE);
        pass(s, LESSON_DO_ANSWER, "1");
        session_close(s);
        if (i == 0) go_through(who, "1.3", NULL); /* and now five */
    }
    session_learner_close(who);
}

/* Each is asked by choosing, rests on a lesson of the course, and comes within a year. */
static void every_case_has_its_week(void **state) {
    (void)state;
    struct learner *who = open_learner();
    const struct lesson_course *c = session_learner_course(who);
    struct learner_case week;
    bool came[64] = {false};
    size_t count = 0;
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY) go_through(who, c->lesson[i].id, NULL);
    for (int i = 0; i < 52; i++) {
        go_to(MONDAY + i * 7 * DAY);
        assert_true(session_learner_case(who, &week) && week.at < BASE_COUNT(came));
        count += !came[week.at];
        came[week.at] = true;
        struct session *s = sit(who, LEARNER_CASE);
        const struct lesson_ask *ask = lesson_asked(session_dialogue(s));
        assert_true(ask->form == LESSON_CHOICE && ask->options >= 3 && ask->guesses);
        session_close(s);
    }
    assert_true(count >= 12);
    session_learner_close(who);
}

/* ── days, and what is left out ────────────────────────────────────────────────────────────────*/
static void a_day_begins_when_the_learner_says(void **state) {
    (void)state;
    struct learner *who = open_learner();
    go_through(who, "1.1", NULL);
    go_to(MONDAY + 13 * HOUR); /* one at night */
    assert_int_equal(session_learner_due(who).count, 0);
    assert_true(store_set(session_learner_store(who), SESSION_ROLLOVER, "0", NULL));
    assert_true(session_learner_due(who).count > 0);
    assert_true(store_set(session_learner_store(who), SESSION_ROLLOVER, "25", NULL));
    assert_int_equal(session_learner_rollover(who), 4); /* no hour: the usual one */
    assert_int_equal(session_learner_due(who).count, 0);
    session_learner_close(who);
}

static void keep_item(void *to, const char *item, const char *title) {
    assert_true(*title);
    snprintf(to, 64, "%s", item);
}

static void what_was_suspended_is_taken_back(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct base_message m = {0};
    char item[64];
    go_through(who, "1.1", NULL);
    go_to(MONDAY + DAY);
    assert_int_equal(session_learner_suspended(who, keep_item, item), 0);
    struct session *s = sit(who, LEARNER_REVIEW);
    while (session_event(s)) continue;
    assert_true(session_suspend(s));
    session_close(s);
    assert_int_equal(session_learner_suspended(who, keep_item, item), 1);
    assert_true(session_learner_unsuspend(who, item, &m));
    assert_int_equal(session_learner_suspended(who, keep_item, item), 0);
    assert_false(session_learner_unsuspend(who, item, &m));
    assert_non_null(strstr(m.what, "is not suspended"));
    session_learner_close(who);
}

#define AT_HOME(name) cmocka_unit_test_setup_teardown(name, open_home, close_home)

int main(void) {
    const struct CMUnitTest tests[] = {
        AT_HOME(every_lesson_has_two_stretches),
        AT_HOME(a_stretch_begins_where_it_was_left),
        AT_HOME(after_twelve_hours_one_is_told_where_one_was),
        AT_HOME(a_job_is_read_as_options_and_as_a_scenario),
        AT_HOME(a_bad_job_is_refused_and_the_old_one_stays),
        AT_HOME(a_job_that_fits_says_at_which_stage),
        AT_HOME(sliders_start_from_the_job),
        AT_HOME(a_job_that_was_skipped_stays_due),
        AT_HOME(a_review_asks_about_the_job_once_a_week),
        AT_HOME(a_review_takes_as_long_as_the_learner_says),
        AT_HOME(a_case_comes_with_the_lesson_that_settles_it),
        AT_HOME(a_case_stays_for_its_week),
        AT_HOME(another_case_comes_each_week),
        AT_HOME(every_case_has_its_week),
        AT_HOME(a_day_begins_when_the_learner_says),
        AT_HOME(what_was_suspended_is_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
