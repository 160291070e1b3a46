/* Answers become memories, days and a streak, whatever clocks do. */
#include "review/suite.h"

/* ── days ──────────────────────────────────────────────────────────────────────────────────────*/
static void set_zone(const char *zone) {
    setenv("TZ", zone, 1);
    tzset();
}

static void a_day_begins_at_the_rollover_hour(void **state) {
    (void)state;
    set_zone("UTC0");
    int64_t noon = 20780 * 86400LL + 12 * 3600;
    assert_int_equal(review_day(noon, 4), 20780);
    assert_int_equal(review_day(noon + 13 * 3600, 4), 20780); /* one at night */
    assert_int_equal(review_day(noon + 16 * 3600, 4), 20781);
    assert_int_equal(review_day(noon + 13 * 3600, 0), 20781);
    assert_int_equal(review_day(0, 0), 0);
    assert_int_equal(review_day(-1, 0), -1);
    assert_int_equal(review_day(951782400, 0), 11016); /* 29 February 2000 */
}

static void a_day_of_another_length_is_one_day(void **state) {
    (void)state;
    set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
    int64_t before = 1774697400; /* 28 March 2026, 12:30; the clocks change the night after */
    assert_int_equal(review_day(before + 23 * 3600, 4), review_day(before, 4) + 1);
    int64_t autumn = 1792837800; /* 24 October 2026, 12:30 */
    assert_int_equal(review_day(autumn + 25 * 3600, 4), review_day(autumn, 4) + 1);
    set_zone("UTC0");
}

/* ── grades ────────────────────────────────────────────────────────────────────────────────────*/
static int grade_of(const char *line, const char *verdict, int hints, double seconds, bool typed,
                    bool again) {
    struct review_answer a = {.item = "1.1/a",
                              .line = line,
                              .verdict = verdict,
                              .mistake = "",
                              .hints = hints,
                              .seconds = seconds,
                              .typed = typed};
    enum review_grade g;
    return review_grade(&a, again, &g) ? (int)g : 0;
}

static void grades_follow_correctness_and_hints(void **state) {
    (void)state;
    assert_int_equal(grade_of("", "right", 0, 60, true, true), REVIEW_GOOD);
    assert_int_equal(grade_of("", "rounded", 0, 60, true, true), REVIEW_GOOD);
    assert_int_equal(grade_of("", "right", 1, 5, true, true), REVIEW_HARD);
    assert_int_equal(grade_of("", "right", 2, 60, true, true), REVIEW_HARD);
    assert_int_equal(grade_of("", "right", 3, 60, true, true), REVIEW_AGAIN);
    assert_int_equal(grade_of("", "unit", 0, 60, true, true), REVIEW_AGAIN);
    assert_int_equal(grade_of("", "mistake", 0, 60, true, true), REVIEW_AGAIN);
    assert_int_equal(grade_of("", "noted", 3, 60, false, true), REVIEW_AGAIN); /* shown the way */
    assert_int_equal(grade_of("", "noted", 0, 60, true, true), 0);             /* a guess */
    assert_int_equal(grade_of("", "unreadable", 0, 60, true, true), 0);
    assert_int_equal(grade_of("params", "right", 0, 60, true, true), 0); /* a line of a sheet */
    assert_int_equal(grade_of(REVIEW_CARD, "right", 0, 2, true, true), REVIEW_GOOD);
    assert_int_equal(grade_of(REVIEW_CARD, "wrong", 0, 2, true, true), REVIEW_AGAIN);
}

static void time_may_only_raise_a_grade(void **state) {
    (void)state;
    assert_int_equal(grade_of("", "right", 0, 5, true, true), REVIEW_EASY);
    assert_int_equal(grade_of("", "right", 0, 5, true, false), REVIEW_GOOD);
    assert_int_equal(grade_of("", "right", 0, 1e6, true, true), REVIEW_GOOD);
    assert_int_equal(grade_of("", "wrong", 0, 1, true, true), REVIEW_AGAIN);
}

/* ── memories ──────────────────────────────────────────────────────────────────────────────────*/
static void only_the_first_answer_of_a_day_is_a_review(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    for (int i = 0; i < 10; i++) suite_answer(r, 100, "1.1/a", "wrong");
    suite_answer(r, 100, "1.1/a", "right");
    const struct review_memory *m = review_record_find(r, "1.1/a");
    assert_int_equal(m->reviews, 1);
    assert_int_equal(m->due, 101);
    assert_false(m->known);
    suite_answer(r, 101, "1.1/a", "right");
    assert_int_equal(m->reviews, 2);
    assert_true(m->known);
    review_record_free(r);
}

/* Ten misses on the first day cost no more than one, and are outgrown. */
static void a_bad_first_day_is_outgrown(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    for (int i = 0; i < 10; i++) suite_answer(r, 100, "1.1/a", "wrong");
    const struct review_memory *m = review_record_find(r, "1.1/a");
    for (int i = 0; i < 6; i++) suite_answer(r, m->due, "1.1/a", "right");
    assert_true(m->due - m->last > 14);
    review_record_free(r);
}

static void a_check_shows_what_its_problems_are_of(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    suite_answer(r, 100, "1c/1.2-one-stage", "right");
    suite_answer(r, 100, "9.9/elsewhere", "right");
    suite_answer(r, 100, "lab/replicas", "right");
    assert_int_equal(review_record_count(r), 1);
    assert_non_null(review_record_find(r, "1.2/one-stage"));
    review_record_free(r);
}

/* It is no review on that day, but the last that is known of the thing. */
static void a_check_tells_that_a_miss_was_made_good(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    suite_answer(r, 100, "1.2/one-stage", "wrong");
    const struct review_memory *m = review_record_find(r, "1.2/one-stage");
    assert_false(m->known || m->right);
    suite_answer(r, 100, "1c/1.2-one-stage", "right");
    assert_true(!m->known && m->right && m->reviews == 1);
    suite_answer(r, 101, "1c/1.2-one-stage", "wrong");
    assert_false(m->known || m->right);
    review_record_free(r);
}

static void an_answer_can_be_undone(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    suite_answer(r, 100, "1.1/a", "right");
    const struct review_memory *m = review_record_find(r, "1.1/a");
    struct review_memory before = *m;
    int64_t due = m->due;
    suite_answer(r, due, "1.1/a", "wrong");
    suite_line(r, due, "1.1/a", REVIEW_UNDO, 7); /* of no try that was answered last */
    assert_false(m->known);
    suite_line(r, due, "1.1/a", REVIEW_UNDO, (int)due);
    assert_true(m->known && m->due == due && m->reviews == 1);
    assert_true(m->now.stability == before.now.stability);
    assert_true(review_memory_is_due(m, due));
    suite_line(r, due, "1.1/a", REVIEW_UNDO, (int)due); /* a second time it does nothing */
    assert_int_equal(m->reviews, 1);
    review_record_free(r);
}

static void what_is_suspended_does_not_come(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    suite_answer(r, 100, "1.1/a", "right");
    suite_line(r, 100, "1.1/a", REVIEW_SUSPEND, 1);
    assert_false(review_memory_is_due(review_record_find(r, "1.1/a"), 500));
    review_record_free(r);
}

/* ── clocks ────────────────────────────────────────────────────────────────────────────────────*/
static void a_clock_that_is_set_back_does_no_harm(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    suite_answer(r, 100, "1.1/a", "right");
    const struct review_memory *m = review_record_find(r, "1.1/a");
    int64_t due = m->due;
    suite_answer(r, 99, "1.1/a", "wrong"); /* another zone: the same day */
    assert_int_equal(m->due, due);
    assert_int_equal(review_record_streak(r, 99), 1);
    suite_answer(r, 101, "1.1/b", "right");
    assert_int_equal(review_record_streak(r, 101), 2);
    review_record_free(r);
}

static void an_answer_from_the_future_does_no_harm(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    suite_answer(r, 100, "1.1/a", "right");
    suite_answer(r, 40000, "1.1/a", "right");
    const struct review_memory *m = review_record_find(r, "1.1/a");
    assert_true(review_memory_is_due(m, 103)); /* asked once, and then right again */
    suite_answer(r, 103, "1.1/a", "right");
    assert_true(m->last == 103 && m->due > 103);
    assert_false(review_memory_is_due(m, 104));
    assert_true(review_record_streak(r, 103) > 0);
    suite_answer(r, 104, "1.1/b", "right");
    assert_true(review_record_streak(r, 104) > 1);
    review_record_free(r);
}

/* ── the streak ────────────────────────────────────────────────────────────────────────────────*/
static void a_day_with_nothing_due_is_kept(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    suite_answer(r, 100, "1.1/a", "right"); /* comes on day 102 */
    assert_int_equal(review_record_streak(r, 100), 1);
    assert_int_equal(review_record_streak(r, 101), 2);
    assert_int_equal(review_record_streak(r, 102), 2); /* today it is due, and not yet missed */
    review_record_free(r);
}

static void one_missed_day_in_seven_is_forgiven(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    suite_answer(r, 100, "1.1/a", "wrong");
    suite_answer(r, 101, "1.1/a", "wrong");
    suite_answer(r, 103, "1.1/a", "wrong"); /* 102 was missed */
    assert_int_equal(review_record_streak(r, 103), 3);
    suite_answer(r, 105, "1.1/a", "wrong"); /* and 104, in the same week */
    assert_int_equal(review_record_streak(r, 105), 1);
    assert_int_equal(review_record_streak(r, 200), 0);
    review_record_free(r);
}

/* A day's answer keeps its week; a week with something due and no answer ends the row, and one with
 * nothing due does not. Day 4 is a Monday. */
static void weeks_are_kept_by_one_answer_or_by_nothing_due(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    assert_int_equal(review_week(3), review_week(-3));
    assert_int_equal(review_week(4), review_week(3) + 1);
    assert_int_equal(review_week(10), review_week(4));
    assert_int_equal(review_record_weeks(r, 4), 0);
    suite_answer(r, 4, "1.1/a", "right"); /* comes back on day 6 */
    assert_int_equal(review_record_weeks(r, 10), 1);
    assert_int_equal(review_record_weeks(r, 11), 1); /* the next week is not over */
    suite_answer(r, 17, "1.1/a", "right");           /* its Sunday: late, but kept */
    assert_int_equal(review_record_weeks(r, 17), 2);
    int64_t due = review_record_find(r, "1.1/a")->due, quiet = review_week(due) - review_week(17);
    assert_true(quiet > 1);
    assert_int_equal(review_record_weeks(r, due - 1),
                     2 + quiet - (review_week(due - 1) < review_week(due)));
    assert_int_equal(review_record_weeks(r, due),
                     2 + quiet - 1); /* due today, and not yet missed */
    assert_int_equal(review_record_weeks(r, due + 14), 0);
    review_record_free(r);
}

static void suspended_things_break_no_streak(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    suite_answer(r, 100, "1.1/a", "wrong");
    suite_line(r, 100, "1.1/a", REVIEW_SUSPEND, 1);
    assert_int_equal(review_record_streak(r, 130), 31);
    review_record_free(r);
}

/* ── as text ───────────────────────────────────────────────────────────────────────────────────*/
static void a_record_read_again_goes_on_alike(void **state) {
    (void)state;
    struct review_record *r = suite_record(), *again = suite_record();
    suite_answer(r, 100, "1.1/a", "right");
    suite_answer(r, 102, "1.2/b", "wrong");
    suite_line(r, 102, "1.1/c", REVIEW_SUSPEND, 1);
    char *text = review_record_write(r);
    assert_true(review_record_read(again, text));
    suite_answer(r, 103, "1.1/a", "right");
    suite_answer(again, 103, "1.1/a", "right");
    char *one = review_record_write(r), *other = review_record_write(again);
    assert_string_equal(one, other);
    assert_int_equal(review_record_streak(r, 110), review_record_streak(again, 110));
    free(one);
    free(other);
    free(text);
    review_record_free(r);
    review_record_free(again);
}

static void what_is_no_record_is_not_read(void **state) {
    (void)state;
    struct review_record *r = suite_record();
    suite_answer(r, 100, "1.1/a", "right");
    char *text = review_record_write(r);
    static const char too_late[] = "review 5\n1 1 1 1\n1.1/a 99999999999999999999 0 1 1 1 1 "
                                   "0 1 1 0 1 0 0 1 1 1 0 1\n";
    static const char *const bad[] = {"",
                                      "review 0\n1 1 1 1\n",
                                      "review 5\n",
                                      "review 5\n1 1\n",
                                      "review 5\n1 1 1 1\nx\n",
                                      "review 5\n1 1 1 1\nx nan nan",
                                      too_late};
    for (size_t i = 0; i < BASE_COUNT(bad); i++) {
        assert_false(review_record_read(r, bad[i]));
        assert_int_equal(review_record_count(r), 0);
    }
    text[strlen(text) - 6] = '\0'; /* cut short */
    assert_false(review_record_read(r, text));
    free(text);
    review_record_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_day_begins_at_the_rollover_hour),
        cmocka_unit_test(a_day_of_another_length_is_one_day),
        cmocka_unit_test(grades_follow_correctness_and_hints),
        cmocka_unit_test(time_may_only_raise_a_grade),
        cmocka_unit_test(only_the_first_answer_of_a_day_is_a_review),
        cmocka_unit_test(a_bad_first_day_is_outgrown),
        cmocka_unit_test(a_check_shows_what_its_problems_are_of),
        cmocka_unit_test(a_check_tells_that_a_miss_was_made_good),
        cmocka_unit_test(an_answer_can_be_undone),
        cmocka_unit_test(what_is_suspended_does_not_come),
        cmocka_unit_test(a_clock_that_is_set_back_does_no_harm),
        cmocka_unit_test(an_answer_from_the_future_does_no_harm),
        cmocka_unit_test(a_day_with_nothing_due_is_kept),
        cmocka_unit_test(one_missed_day_in_seven_is_forgiven),
        cmocka_unit_test(weeks_are_kept_by_one_answer_or_by_nothing_due),
        cmocka_unit_test(suspended_things_break_no_streak),
        cmocka_unit_test(a_record_read_again_goes_on_alike),
        cmocka_unit_test(what_is_no_record_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
