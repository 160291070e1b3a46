/* First tries become skills, mistakes and days. The estimates were computed independently, by a
 * Python program of twenty lines with the formulas of FSRS-6 and this recurrence, from right = 1/2
 * and weight = 1: right = 0.8 right + x, weight = 0.8 weight + 1. */
#include "review/suite.h"

#include <math.h>

#define NEAR(value, expected) assert_true(fabs((value) - (expected)) < 1e-12)

static struct review_mastery *new_mastery(void) {
    return review_mastery_new(suite_lessons, BASE_COUNT(suite_lessons));
}

static struct review_answer answer(int64_t day, const char *item, const char *verdict) {
    return (struct review_answer){.item = item,
                                  .line = "",
                                  .verdict = verdict,
                                  .mistake = "",
                                  .seconds = 60,
                                  .typed = true,
                                  .try = (int)day,
                                  .day = day};
}

static void give(struct review_mastery *m, int64_t day, const char *item, const char *verdict) {
    struct review_answer a = answer(day, item, verdict);
    review_mastery_add(m, &a, review_mastery_asks(m, &a) ? "skill" : NULL);
}

static const struct review_skill *only_skill(const struct review_mastery *m) {
    assert_int_equal(review_mastery_skills(m), 1);
    return review_mastery_skill(m, 0);
}

/* ── the estimate ──────────────────────────────────────────────────────────────────────────────*/
static void one_answer_is_neither_all_nor_nothing(void **state) {
    (void)state;
    static const struct {
        const char *verdict;
        double today, ahead;
    } cases[] = {{"right", 0.7777777777777777, 0.5191871485679166},
                 {"rounded", 0.7777777777777777, 0.5191871485679166},
                 {"mistake", 0.22222222222222224, 0.1037491736607797}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct review_mastery *m = new_mastery();
        give(m, 100, "1.1/a", cases[i].verdict);
        NEAR(review_skill_likely(only_skill(m), 100), cases[i].today);
        NEAR(review_skill_likely(only_skill(m), 130), cases[i].ahead);
        review_mastery_free(m);
    }
}

static void the_estimate_follows_days_and_hints(void **state) {
    (void)state;
    struct review_mastery *m = new_mastery();
    give(m, 100, "1.1/a", "wrong");
    give(m, 103, "1.1/a", "right");
    give(m, 107, "1.1/a", "right");
    struct review_answer helped = answer(120, "1.1/a", "right");
    helped.hints = 1;
    review_mastery_add(m, &helped, "skill");
    const struct review_skill *s = only_skill(m);
    assert_true(s->tries == 4 && s->right == 3 && s->helped == 1);
    assert_true(s->first == 100 && s->last == 120);
    NEAR(review_skill_likely(s, 120), 0.6380295097572584);
    NEAR(review_skill_likely(s, 121), 0.6338371862742214);
    NEAR(review_skill_likely(s, 150), 0.5607389109001999);
    review_mastery_free(m);
}

static void a_bad_first_day_is_outgrown(void **state) {
    (void)state;
    struct review_mastery *m = new_mastery();
    char item[24];
    for (int i = 0; i < 5; i++) {
        snprintf(item, sizeof item, "1.1/a%d", i);
        give(m, 100, item, "wrong");
    }
    NEAR(review_skill_likely(only_skill(m), 100), 0.044409749327782126);
    for (int64_t i = 0; i < 10; i++) give(m, 101 + 3 * i, "1.1/a0", "right");
    NEAR(review_skill_likely(only_skill(m), 128), 0.9220990352562504);
    NEAR(review_skill_likely(only_skill(m), 158), 0.7620897391164906);
    review_mastery_free(m);
}

/* Day 99 is a Friday. What a week began with stays until the next one begins. */
static void a_week_begins_where_the_last_one_ended(void **state) {
    (void)state;
    struct review_mastery *m = new_mastery();
    give(m, 99, "1.1/a", "wrong");
    const struct review_skill *s = only_skill(m);
    assert_true(isnan(review_skill_on_monday(s, 99)) && isnan(review_skill_on_monday(s, 101)));
    double monday = review_skill_likely(s, 102);
    NEAR(review_skill_on_monday(s, 102), monday);
    NEAR(review_skill_on_monday(s, 104), monday);
    give(m, 103, "1.1/a", "right");
    give(m, 105, "1.1/a", "right");
    NEAR(review_skill_on_monday(s, 105), monday);
    assert_true(review_skill_likely(s, 105) > monday);
    NEAR(review_skill_on_monday(s, 109), review_skill_likely(s, 109));
    NEAR(review_skill_on_monday(s, 110), review_skill_likely(s, 109));
    struct review_answer undo = answer(105, "1.1/a", "noted");
    undo.line = REVIEW_UNDO;
    review_mastery_add(m, &undo, NULL);
    NEAR(review_skill_on_monday(s, 105), monday);
    review_mastery_free(m);
}

/* Ten failed tries and one success are one failure. */
static void only_the_first_try_of_a_day_counts(void **state) {
    (void)state;
    struct review_mastery *m = new_mastery();
    for (int64_t i = 0; i < 10; i++) give(m, 100, "1.1/a", "wrong");
    give(m, 100, "1.1/a", "right");
    assert_true(only_skill(m)->tries == 1 && only_skill(m)->right == 0);
    give(m, 99, "1.1/a", "right"); /* another time zone */
    assert_int_equal(only_skill(m)->tries, 1);
    give(m, 97, "1.1/a", "right"); /* the clock was wrong before */
    assert_int_equal(only_skill(m)->tries, 2);
    assert_true(review_skill_likely(only_skill(m), 97) > 0);
    review_mastery_free(m);
}

static void what_does_not_tell_is_no_try(void **state) {
    (void)state;
    struct review_mastery *m = new_mastery();
    struct review_answer card = answer(100, "1.1/card", "right"),
                         other = answer(100, "9/x", "right");
    card.line = REVIEW_CARD;
    review_mastery_add(m, &card, "skill");
    review_mastery_add(m, &other, "skill");
    give(m, 100, "1.1/a", "noted");
    give(m, 100, "1.1/a", "unreadable");
    assert_int_equal(review_mastery_skills(m), 0);
    struct review_answer nothing = answer(100, "1.1/a", "right");
    review_mastery_add(m, &nothing, NULL); /* the engine knows no skill for it */
    assert_int_equal(review_mastery_skills(m), 0);
    struct review_answer shown = answer(101, "1.1/b", "noted");
    shown.typed = false;
    shown.hints = 3; /* given up: the whole working was shown */
    review_mastery_add(m, &shown, "skill");
    assert_true(only_skill(m)->tries == 1 && only_skill(m)->right == 0);
    review_mastery_free(m);
}

static void a_check_asks_the_problems_of_lessons(void **state) {
    (void)state;
    struct review_mastery *m = new_mastery();
    give(m, 100, "1c/1.1-a", "right");
    give(m, 100, "1.1/a", "wrong"); /* the same problem on the same day */
    assert_true(only_skill(m)->tries == 1 && only_skill(m)->right == 1);
    review_mastery_free(m);
}

static void lines_of_a_worksheet_are_tries_of_their_own(void **state) {
    (void)state;
    struct review_mastery *m = new_mastery();
    struct review_answer grads = answer(100, "1.1/sheet", "wrong"),
                         params = answer(100, "1.1/sheet", "right");
    size_t days;
    grads.line = "grads";
    params.line = "params";
    review_mastery_add(m, &params, "of-params");
    review_mastery_add(m, &grads, "of-grads");
    review_mastery_add(m,
                       &(struct review_answer){.item = "1.1/sheet",
                                               .line = "",
                                               .verdict = "wrong",
                                               .mistake = "",
                                               .seconds = 60,
                                               .typed = true,
                                               .try = 100,
                                               .day = 100},
                       "of-all");
    assert_int_equal(review_mastery_skills(m), 3);
    /* the whole comes with its last line: its minute is not counted twice */
    assert_true(review_mastery_days(m, &days)->seconds == 120 && days == 1);
    review_mastery_free(m);
}

static void an_undone_answer_never_was(void **state) {
    (void)state;
    struct review_mastery *m = new_mastery();
    give(m, 100, "1.1/a", "right");
    double before = review_skill_likely(only_skill(m), 105);
    give(m, 105, "1.1/b", "wrong");
    struct review_answer undo = answer(105, "1.1/b", "noted");
    undo.line = REVIEW_UNDO;
    review_mastery_add(m, &undo, NULL);
    assert_int_equal(only_skill(m)->tries, 1);
    NEAR(review_skill_likely(only_skill(m), 105), before);
    give(m, 105, "1.1/b", "right"); /* is a first try again */
    assert_true(only_skill(m)->tries == 2 && only_skill(m)->right == 2);
    review_mastery_free(m);
}

/* ── mistakes and days ─────────────────────────────────────────────────────────────────────────*/
/* Joined by '+' where both were made together; what stands behind '|' is only less likely. */
static void of_two_mistakes_at_once_each_counts(void **state) {
    (void)state;
    struct review_mastery *m = new_mastery();
    struct review_answer slip = answer(100, "1.1/a", "mistake");
    slip.mistake = "no-master+gb-for-gib|gib";
    review_mastery_add(m, &slip, "skill");
    assert_int_equal(review_mastery_mistakes(m), 2);
    assert_string_equal(review_mastery_mistake(m, 0).id, "gb-for-gib");
    assert_string_equal(review_mastery_mistake(m, 1).id, "no-master");
    assert_int_equal(review_mastery_mistake(m, 1).times, 1);
    review_mastery_free(m);
}

static void a_mistake_is_outgrown_after_three_tries_without_it(void **state) {
    (void)state;
    struct review_mastery *m = new_mastery();
    struct review_answer slip = answer(100, "1.1/a", "mistake");
    slip.mistake = "grads-sharded|gib";
    review_mastery_add(m, &slip, "skill");
    review_mastery_add(m, &slip, NULL); /* again, in a later try */
    assert_int_equal(review_mastery_mistakes(m), 1);
    for (int since = 0; since < 5; since++) {
        struct review_mistake made = review_mastery_mistake(m, 0);
        assert_string_equal(made.id, "grads-sharded");
        assert_true(made.times == 2 && made.last == 100 && made.since == since);
        assert_int_equal(review_mistake_happens(&made), since < 3);
        give(m, 101 + since, "1.1/a", since % 2 ? "wrong" : "right");
    }
    review_mastery_free(m);
}

static void days_are_summed_and_the_oldest_forgotten(void **state) {
    (void)state;
    struct review_mastery *m = new_mastery();
    size_t count;
    give(m, 100, "1.1/a", "right");
    struct review_answer away = answer(100, "1.1/b", "right");
    away.seconds = 8 * 3600;
    review_mastery_add(m, &away, "skill");
    const struct review_studied *day = review_mastery_days(m, &count);
    assert_true(count == 1 && day->answers == 2 && day->seconds == 60 + REVIEW_PAUSE);
    for (int i = 1; i <= REVIEW_DAYS_MOST; i++) give(m, 100 + i, "1.1/a", "right");
    day = review_mastery_days(m, &count);
    assert_true(count == REVIEW_DAYS_MOST && day[0].day == 101);
    assert_int_equal(day[count - 1].day, 100 + REVIEW_DAYS_MOST);
    give(m, 100, "1.1/c", "right"); /* too long ago by now */
    assert_int_equal(review_mastery_days(m, &count)[0].day, 101);
    review_mastery_free(m);
}

/* ── as text ───────────────────────────────────────────────────────────────────────────────────*/
static void fill(struct review_mastery *m) {
    for (int i = 0; i < 40; i++) {
        struct review_answer a =
            answer(100 + i / 2, i % 3 ? "1.1/a" : "1.2/b", i % 4 ? "right" : "mistake");
        a.mistake = i % 4 ? "" : i % 8 ? "gib" : "no-master";
        const char *skill = i % 3 ? "bytes:grads:gpu:2:GB" : "ideas:1.2";
        review_mastery_add(m, &a, review_mastery_asks(m, &a) ? skill : NULL);
    }
}

static void what_was_written_is_read_again_and_continues_alike(void **state) {
    (void)state;
    struct review_mastery *a = new_mastery(), *b = new_mastery();
    fill(a);
    char *text = review_mastery_write(a);
    assert_true(review_mastery_read(b, text));
    for (int i = 0; i < 5; i++) {
        give(a, 130 + i, "1.1/a", i % 2 ? "right" : "wrong");
        give(b, 130 + i, "1.1/a", i % 2 ? "right" : "wrong");
    }
    char *x = review_mastery_write(a), *y = review_mastery_write(b);
    assert_string_equal(x, y);
    free(y);
    free(x);
    free(text);
    review_mastery_free(b);
    review_mastery_free(a);
}

static void other_text_is_refused_whole(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",
        "mastery 2\n",
        "review 1\n",
        "mastery 3\nx 1\n",
        "mastery 3\ns key\n",
        "mastery 3\ns key 1 2 0 1 1 0x1p0 0x1p0 0x1p0 0x1p0 0 0 0 0\n", /* more right than tried */
        "mastery 3\ns key 1 1 0 1 1 0x1p1 0x1p0 0x1p0 0x1p0 0 0 0 0\n", /* more than all of it */
        "mastery 3\ns key 1 1 0 1 1 0x1p0 0x1p0 0x1p0 0x1p0 0x1p1 0x1p0 0 0\n",
        "mastery 3\ns key 1 1 0 1 1 nan nan 0x1p0 0x1p0 0 0 0 0\n",
        "mastery 3\na item key 1 1 1 - 0 0 0 0 0 0 0 0 0 0 0 0 0\n", /* of an unknown skill */
        "mastery 3\nm id - 0 1 1\n",
        "mastery 3\nd 5 1 0x1p0\nd 5 1 0x1p0\n", /* a day twice */
    };
    struct review_mastery *m = new_mastery();
    for (size_t i = 0; i < BASE_COUNT(bad); i++) {
        fill(m);
        if (review_mastery_read(m, bad[i])) fail_msg("taken: %s", bad[i]);
        size_t days;
        review_mastery_days(m, &days);
        assert_true(review_mastery_skills(m) + review_mastery_mistakes(m) + days == 0);
    }
    review_mastery_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_answer_is_neither_all_nor_nothing),
        cmocka_unit_test(the_estimate_follows_days_and_hints),
        cmocka_unit_test(a_bad_first_day_is_outgrown),
        cmocka_unit_test(a_week_begins_where_the_last_one_ended),
        cmocka_unit_test(only_the_first_try_of_a_day_counts),
        cmocka_unit_test(what_does_not_tell_is_no_try),
        cmocka_unit_test(a_check_asks_the_problems_of_lessons),
        cmocka_unit_test(lines_of_a_worksheet_are_tries_of_their_own),
        cmocka_unit_test(an_undone_answer_never_was),
        cmocka_unit_test(of_two_mistakes_at_once_each_counts),
        cmocka_unit_test(a_mistake_is_outgrown_after_three_tries_without_it),
        cmocka_unit_test(days_are_summed_and_the_oldest_forgotten),
        cmocka_unit_test(what_was_written_is_read_again_and_continues_alike),
        cmocka_unit_test(other_text_is_refused_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
