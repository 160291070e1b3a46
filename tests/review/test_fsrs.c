/* FSRS-6 against the vectors of fsrs-rs and py-fsrs, to a millionth. */
#include "review/suite.h"

#include <math.h>

#define NEAR(is, wanted)                                                                           \
    do {                                                                                           \
        double n_is = (is), n_wanted = (wanted);                                                   \
        if (fabs(n_is - n_wanted) > 1e-6 * fmax(1, fabs(n_wanted)))                                \
            fail_msg("%s is %.9g, not %.9g", #is, n_is, n_wanted);                                 \
    } while (0)

/* fsrs-rs, src/inference.rs, test_memo_state */
static void a_history_gives_the_memory_of_fsrs_rs(void **state) {
    (void)state;
    static const int grade[] = {1, 3, 3, 3, 3, 3}, days[] = {0, 0, 1, 3, 8, 21};
    struct review_fsrs m = {0};
    for (size_t i = 0; i < BASE_COUNT(grade); i++)
        m = review_fsrs_after(m, days[i], (enum review_grade)grade[i]);
    NEAR(m.stability, 53.62690);
    NEAR(m.difficulty, 6.3574871);
}

/* The default weights of py-fsrs, fsrs/scheduler.py: the first four are first stabilities. */
static void a_first_review_of_every_grade(void **state) {
    (void)state;
    static const double stability[] = {0.212, 1.2931, 2.3065, 8.2956},
                        difficulty[] = {6.4133, 5.11217071, 2.11810397, 1};
    for (int g = REVIEW_AGAIN; g <= REVIEW_EASY; g++) {
        struct review_fsrs m = review_fsrs_after((struct review_fsrs){0}, 0, (enum review_grade)g);
        NEAR(m.stability, stability[g - 1]);
        NEAR(m.difficulty, difficulty[g - 1]);
    }
}

static void one_review_of_every_grade(void **state) {
    (void)state;
    static const double same_day[] = {1.596818, 5, 5, 8.129610},
                        five_days[] = {0.953502, 12.434214, 17.361513, 28.151877},
                        difficulty[] = {8.341762, 6.665995, 4.990228, 3.314461};
    for (int g = REVIEW_AGAIN; g <= REVIEW_EASY; g++) {
        struct review_fsrs five = {5, 5}, a = review_fsrs_after(five, 0, (enum review_grade)g),
                           b = review_fsrs_after(five, 5, (enum review_grade)g);
        NEAR(a.stability, same_day[g - 1]);
        NEAR(b.stability, five_days[g - 1]);
        NEAR(a.difficulty, difficulty[g - 1]);
        NEAR(b.difficulty, difficulty[g - 1]);
    }
}

static void recall_falls_with_time(void **state) {
    (void)state;
    static const struct {
        double days, stability, recall;
    } at[] = {{1, 2, 0.9403443}, {2, 3, 0.9253786}, {3, 4, 0.9185229}, {5, 2, 0.8261359}};
    for (size_t i = 0; i < BASE_COUNT(at); i++)
        NEAR(review_fsrs_recall(at[i].stability, at[i].days), at[i].recall);
    NEAR(review_fsrs_recall(7, 0), 1);
    NEAR(review_fsrs_recall(7, 7), 0.9);
}

static void days_until_a_recall(void **state) {
    (void)state;
    static const double days[] = {3116769, 34793, 2508, 387, 90, 27, 9, 3, 1, 0};
    for (int i = 0; i < 10; i++) assert_true(round(review_fsrs_days(1, (i + 1) / 10.0)) == days[i]);
}

static void intervals_are_whole_days_between_one_and_a_century(void **state) {
    (void)state;
    assert_int_equal(review_fsrs_interval(0.001), 1);
    assert_int_equal(review_fsrs_interval(2.3065), 2);
    assert_int_equal(review_fsrs_interval(8.2956), 8);
    assert_int_equal(review_fsrs_interval(1e9), 36500);
}

static void a_lapse_never_makes_a_memory_last_longer(void **state) {
    (void)state;
    for (double s = 0.001; s < 36500; s *= 1.7)
        for (double d = 1; d <= 10; d += 0.5)
            for (int t = 0; t < 1000; t = t * 3 + 1) {
                struct review_fsrs m = {s, d}, after = review_fsrs_after(m, t, REVIEW_AGAIN);
                assert_true(after.stability <= s || s <= 0.001);
                assert_true(after.difficulty >= 1 && after.difficulty <= 10);
                assert_true(review_fsrs_after(m, t, REVIEW_GOOD).stability >= s);
                assert_true(review_fsrs_after(m, t, REVIEW_EASY).stability >=
                            review_fsrs_after(m, t, REVIEW_GOOD).stability);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_history_gives_the_memory_of_fsrs_rs),
        cmocka_unit_test(a_first_review_of_every_grade),
        cmocka_unit_test(one_review_of_every_grade),
        cmocka_unit_test(recall_falls_with_time),
        cmocka_unit_test(days_until_a_recall),
        cmocka_unit_test(intervals_are_whole_days_between_one_and_a_century),
        cmocka_unit_test(a_lapse_never_makes_a_memory_last_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
