/* Placement, and which lesson, review or check comes next. */
#include "session/rounds.h"

/* ── placement ─────────────────────────────────────────────────────────────────────────────────*/
static void placement_goes_on_until_a_check_is_not_passed(void **state) {
    (void)state;
    struct taking t;
    size_t check;
    assert_int_equal(placement(&check), LEARNER_UNPLACED);
    assert_int_equal(check, CHECK_1);
    take(&t, LEARNER_PLACE);
    assert_string_equal(lesson_id(session_lesson(t.session)), "1c");
    assert_true(seen(&t, "This finds where to start"));
    answer_all(&t, 1);
    assert_true(seen(&t, "Phase 2, Middles, is open."));
    act(&t, LESSON_DO_NEXT, NULL);
    assert_false(t.over);
    assert_string_equal(lesson_id(session_lesson(t.session)), "2c");
    assert_string_equal(lesson_title(session_lesson(t.session)), "Check: Middles");
    act(&t, LESSON_DO_ANSWER, RIGHT);
    drop(&t);
    assert_int_equal(placement(&check), LEARNER_PLACING);
    assert_int_equal(check, CHECK_2);
    take(&t, LEARNER_PLACE);
    assert_true(seen(&t, "Right. "));
    assert_false(seen(&t, "This finds where to start"));
    act(&t, LESSON_DO_NEXT, NULL);
    answer_all(&t, 2);
    assert_true(seen(&t, "Start with phase 2, Middles."));
    act(&t, LESSON_DO_NEXT, NULL);
    assert_true(t.over);
    drop(&t);
    assert_int_equal(placement(&check), LEARNER_PLACED);
    assert_int_equal(next(), GAMMA);
}

static void placement_can_be_left(void **state) {
    (void)state;
    struct taking t;
    size_t check;
    take(&t, LEARNER_PLACE);
    answer_all(&t, 0);
    act(&t, LESSON_DO_LEAVE, NULL);
    assert_true(t.over);
    drop(&t);
    assert_int_equal(placement(&check), LEARNER_PLACING);
    assert_int_equal(check, CHECK_2);
    assert_int_equal(next(), GAMMA);
}

/* What the placement asks is not begun as a check, and is not what comes next. */
static void placement_begins_no_check(void **state) {
    (void)state;
    struct taking t;
    take(&t, LEARNER_PLACE);
    act(&t, LESSON_DO_ANSWER, RIGHT);
    act(&t, LESSON_DO_NEXT, NULL);
    drop(&t);
    assert_int_equal(progress(CHECK_1).standing, LEARNER_ASKED);
    assert_int_equal(next(), ALPHA);
    take(&t, "1c"); /* now it is taken as a check */
    drop(&t);
    assert_int_equal(progress(CHECK_1).standing, LEARNER_BEGUN);
    assert_int_equal(next(), CHECK_1);
    take(&t, LEARNER_PLACE);
    drop(&t);
    assert_int_equal(progress(CHECK_1).standing, LEARNER_ASKED);
    take(&t, "1.1");
    act(&t, LESSON_DO_NEXT, NULL);
    act(&t, LESSON_DO_ANSWER, RIGHT);
    drop(&t);
    assert_int_equal(progress(CHECK_1).standing, LEARNER_BEGUN);
}

static void whoever_learns_is_not_placed(void **state) {
    (void)state;
    struct taking t;
    size_t check;
    take(&t, "1.1");
    act(&t, LESSON_DO_NEXT, NULL);
    act(&t, LESSON_DO_ANSWER, RIGHT);
    drop(&t);
    assert_int_equal(placement(&check), LEARNER_PLACED);
}

/* No lesson is proposed that one has shown to know. */
static void who_passed_every_check_is_told(void **state) {
    struct base_message m = {0};
    (void)state;
    take_check("1c", 0);
    assert_int_equal(next(), GAMMA);
    take_check("2c", 0);
    take_check("3c", 0);
    assert_int_equal(next(), ALL);
    struct learner *who = session_learner_open(NULL, &m);
    assert_null(session_open(who, LEARNER_PLACE, &m));
    assert_non_null(strstr(m.what, "you passed every check of the course"));
    session_learner_close(who);
}

/* ── what comes next ───────────────────────────────────────────────────────────────────────────*/
static void a_phase_ends_on_its_review_and_its_check(void **state) {
    static const char *const way[] = {"1.1", "1.2", "1r"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(way); i++) {
        struct taking t;
        assert_int_equal(next(), i);
        take(&t, way[i]);
        while (!t.over) act(&t, LESSON_DO_NEXT, NULL);
        drop(&t);
    }
    assert_int_equal(next(), CHECK_1);
    take_check("1c", 3);
    assert_int_equal(next(), CHECK_1);
    take_check("1c", 0);
    assert_int_equal(next(), GAMMA);
}

/* Whoever skips is led on, and comes back to it once nothing else is left, unless its phase was
 * earned by its check. */
static void what_was_skipped_comes_last(void **state) {
    static const char *const way[] = {"1.1", "1.2", "1r",  "1c", "2.1",
                                      "2r",  "2c",  "3.1", "3r", "3c"};
    struct taking t;
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(way); i++) {
        if (i != GAMMA) assert_int_equal(next(), i); /* it goes on after a check that was failed */
        if (way[i][1] == 'c') {
            take_check(way[i], i == CHECK_1 ? 6 : 0);
            continue;
        }
        take(&t, way[i]);
        while (!t.over) act(&t, LESSON_DO_NEXT, NULL);
        drop(&t);
    }
    assert_true(progress(GAMMA).standing == LEARNER_DONE && progress(GAMMA).skipped > 0);
    assert_int_equal(next(), ALPHA);
    assert_int_equal(progress(ALPHA).standing, LEARNER_SKIPPED);
    assert_int_equal(progress(ALPHA).skipped, 4);
    take(&t, "1.1");
    act(&t, LESSON_DO_GOTO, progress(ALPHA).skip);
    for (int i = 0; i < 4; i++) {
        act(&t, LESSON_DO_ANSWER, WRONG);
        act(&t, LESSON_DO_NEXT, NULL);
    }
    drop(&t);
    assert_int_equal(progress(ALPHA).standing, LEARNER_DONE);
    assert_int_equal(next(), BETA);
    take_check("1c", 0);
    assert_int_equal(progress(BETA).standing, LEARNER_DONE);
    assert_int_equal(next(), ALL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MIXED(placement_goes_on_until_a_check_is_not_passed),
        MIXED(placement_can_be_left),
        MIXED(placement_begins_no_check),
        MIXED(whoever_learns_is_not_placed),
        MIXED(who_passed_every_check_is_told),
        MIXED(a_phase_ends_on_its_review_and_its_check),
        MIXED(what_was_skipped_comes_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
