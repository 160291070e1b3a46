/* Points from judged answers, by rows: which try counts, what is late, what is missing. */
#include "classroom/room.h"

#include <stdlib.h>

enum { DUE = 1000000, HOUR = 3600, DAY = 86400, ANSWERS = 6 };
#define CLASSROOM_EXACT 1e-12

struct row {
    const char *why;
    enum classroom_counts counts;
    int late_percent, extension;
    struct {
        int try;
        int64_t time, seen;
        bool right;
    } answer[ANSWERS];
    /* of the item */
    double points;
    int tries, missing, late_days;
    size_t at;
};
static const struct row rows[] = {
    {"the first try counts",
     CLASSROOM_FIRST,
     0,
     0,
     {{1, 10, 0, false}, {2, 20, 0, true}},
     0,
     2,
     0,
     0,
     0},
    {"the best try counts",
     CLASSROOM_BEST,
     0,
     0,
     {{1, 10, 0, false}, {2, 20, 0, true}, {3, 30, 0, false}},
     1,
     3,
     0,
     0,
     1},
    {"the last try counts",
     CLASSROOM_LAST,
     0,
     0,
     {{1, 10, 0, true}, {2, 20, 0, false}},
     0,
     2,
     0,
     0,
     1},
    {"of equally good tries the first counts",
     CLASSROOM_BEST,
     0,
     0,
     {{1, 10, 0, true}, {2, 20, 0, true}},
     1,
     2,
     0,
     0,
     0},
    {"the order of lines is not the order of tries",
     CLASSROOM_FIRST,
     0,
     0,
     {{2, 20, 0, true}, {1, 10, 0, false}},
     0,
     2,
     0,
     0,
     1},
    {"a dropped first try shows", CLASSROOM_FIRST, 0, 0, {{3, 10, 0, true}}, 1, 1, 2, 0, 0},
    {"a dropped try in the middle shows",
     CLASSROOM_BEST,
     0,
     0,
     {{1, 10, 0, false}, {3, 30, 0, true}},
     1,
     2,
     1,
     0,
     1},
    {"two answers to one try are one try",
     CLASSROOM_LAST,
     0,
     0,
     {{1, 10, 0, false}, {1, 11, 0, true}},
     1,
     1,
     0,
     0,
     1},
    {"the last second is in time", CLASSROOM_FIRST, 20, 0, {{1, DUE, 0, true}}, 1, 1, 0, 0, 0},
    {"a second late is a day begun",
     CLASSROOM_FIRST,
     20,
     0,
     {{1, DUE + 1, 0, true}},
     0.8,
     1,
     0,
     1,
     0},
    {"the second day costs again",
     CLASSROOM_FIRST,
     20,
     0,
     {{1, DUE + DAY + 1, 0, true}},
     0.6,
     1,
     0,
     2,
     0},
    {"a late answer loses no more than it has",
     CLASSROOM_FIRST,
     60,
     0,
     {{1, DUE + 5 * DAY, 0, true}},
     0,
     1,
     0,
     5,
     0},
    {"lateness may cost nothing",
     CLASSROOM_FIRST,
     0,
     0,
     {{1, DUE + 5 * DAY, 0, true}},
     1,
     1,
     0,
     5,
     0},
    {"an extension moves the deadline",
     CLASSROOM_FIRST,
     20,
     HOUR,
     {{1, DUE + HOUR, 0, true}},
     1,
     1,
     0,
     0,
     0},
    {"a late right try is better than a wrong one in time",
     CLASSROOM_BEST,
     20,
     0,
     {{1, 10, 0, false}, {2, DUE + 1, 0, true}},
     0.8,
     2,
     0,
     1,
     1},
    {"a clock that is ahead is bounded by when it was seen",
     CLASSROOM_FIRST,
     20,
     0,
     {{1, DUE + 9 * DAY, DUE - 5, true}},
     1,
     1,
     0,
     0,
     0},
};

static void points_follow_from_the_settings(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        const struct row *r = &rows[i];
        struct classroom_settings s = {.counts = r->counts, .late_percent = r->late_percent};
        struct classroom_judged judged[ANSWERS];
        struct classroom_points *got;
        size_t n = 0;
        s.lesson[s.lessons++] = (struct classroom_lesson){.id = "1.1", .due = DUE};
        s.extension[s.extensions++] =
            (struct classroom_extension){.account = "ada", .seconds = r->extension};
        for (; n < ANSWERS && r->answer[n].try; n++)
            judged[n] = (struct classroom_judged){.item = "1.1/ddp-7b",
                                                  .mistake = "",
                                                  .try = r->answer[n].try,
                                                  .time = r->answer[n].time,
                                                  .seen = r->answer[n].seen,
                                                  .right = r->answer[n].right};
        size_t items = classroom_grade(&s, "ada", judged, n, &got);
        if (items != 1 || got->points < r->points - CLASSROOM_EXACT ||
            got->points > r->points + CLASSROOM_EXACT || got->tries != r->tries ||
            got->missing != r->missing || got->late_days != r->late_days || got->counts != r->at)
            fail_msg("%s: %zu items, %g points, %d tries, %d missing, %d days late, answer %zu",
                     r->why, items, got->points, got->tries, got->missing, got->late_days,
                     got->counts);
        free(got);
    }
}

static void only_the_class_is_graded(void **state) {
    (void)state;
    struct classroom_settings s = {0};
    struct classroom_judged judged[] = {{.item = "1.1/a", .try = 1, .right = true, .mistake = ""},
                                        {.item = "1.10/a", .try = 1, .mistake = ""},
                                        {.item = "2.1/a", .try = 1, .mistake = ""}};
    struct classroom_points *got;
    assert_int_equal(classroom_grade(&s, "ada", judged, 3, &got), 3); /* a plan without lessons */
    free(got);
    s.lesson[s.lessons++] = (struct classroom_lesson){.id = "1.1"};
    assert_int_equal(classroom_grade(&s, "ada", judged, 3, &got), 1);
    assert_string_equal(got->item, "1.1/a");
    free(got);
    assert_int_equal(classroom_grade(&s, "ada", judged, 0, &got), 0);
    free(got);
}

static void clocks_are_compared_with_when_an_answer_was_seen(void **state) {
    (void)state;
    static const struct {
        int64_t time, seen;
        enum classroom_clock is;
    } clocks[] = {
        {DUE - 1, 0, CLASSROOM_CLOCK_FITS},
        {DUE - 1, DUE + HOUR - 1, CLASSROOM_CLOCK_FITS},
        {DUE - 1, DUE + HOUR, CLASSROOM_CLOCK_BEHIND},
        {DUE + 1, DUE + 9 * HOUR, CLASSROOM_CLOCK_FITS}, /* it says itself that it is late */
        {DUE + HOUR, DUE, CLASSROOM_CLOCK_FITS},
        {DUE + HOUR + 1, DUE, CLASSROOM_CLOCK_AHEAD},
    };
    struct classroom_settings s = {.ends = DUE};
    for (size_t i = 0; i < BASE_COUNT(clocks); i++) {
        struct classroom_judged a = {
            .item = "1.1/a", .try = 1, .time = clocks[i].time, .seen = clocks[i].seen};
        if (classroom_judged_clock(&s, "ada", &a) != clocks[i].is) fail_msg("row %zu", i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_follow_from_the_settings),
        cmocka_unit_test(only_the_class_is_graded),
        cmocka_unit_test(clocks_are_compared_with_when_an_answer_was_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
