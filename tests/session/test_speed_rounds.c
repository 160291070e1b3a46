/* Rounds of the speed challenge on what a learner has learned, simulated: many seeds after the
 * first phase, after two, and after all. */
#include "account/problems/mistakes.h"
#include "session/school.h"
#include "session/pupil.h"

#include <math.h>

enum { SEEDS = 25, PHASES = 4, LINE = 78 };

/* Finishes the lessons whose ids begin so. */
static void finish(struct learner *who, const char *phase) {
    const struct lesson_course *c = session_learner_course(who);
    struct lesson_journal j = store_journal(session_learner_store(who));
    const struct lesson_place end = {.step = "end", .finished = true};
    struct base_message m = {0};
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY && *c->lesson[i].id == *phase)
            assert_true(j.place_set(j.self, c->lesson[i].id, &end, &m));
}

/* The problem of the open question, as a report of it would carry it. */
static struct account_problem problem_of(const struct lesson_speed *r) {
    struct account_problem p;
    struct base_message m = {0};
    json_t *report = lesson_speed_report(r);
    const json_t *numbers = json_object_get(report, "numbers");
    if (!lesson_problem_read(json_object_get(numbers, "problem"), &p, &m)) fail_msg("%s", m.what);
    json_decref(report);
    return p;
}

/* All that the engine knows except GB for GiB, as test_speed_course.c has it. */
static void mistakes_are_away(const struct account_problem *p, const char *ask) {
    struct account_grounds grounds;
    size_t count;
    double truth, value;
    const struct account_mistake *all = account_mistakes(&count);
    assert_true(account_true_answer(p, &grounds, &truth, NULL));
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].id, "gib-for-gb") == 0 || strcmp(all[i].id, "twin-unit") == 0 ||
            !account_mistaken_value(i, p, &grounds, &value))
            continue;
        double away = fabs(value - truth) / truth;
        if (away > 1e-9 && away < 0.25 - 1e-6)
            fail_msg("%s: %s is only %.4g away", ask, all[i].id, away);
    }
}

/* What differs in its numbers only is of one kind. */
static void name_kind(const struct account_problem *p, char out[ACCOUNT_SKILL_MOST]) {
    struct account_skill skill;
    assert_true(account_skill_of(p, &skill));
    skill.unit = ACCOUNT_UNIT_NONE;
    account_skill_key(&skill, out);
}

struct round {
    size_t asked, kinds, subjects, long_ones;
    double first, last; /* levels of the first four questions, and of the last four, on average */
};

static bool answer(struct lesson_speed *r, const struct account_problem *p, bool right) {
    struct account_solution s;
    char typed[40];
    assert_true(account_solve(p, &s, NULL));
    if (s.unit == ACCOUNT_UNIT_GB || s.unit == ACCOUNT_UNIT_TB)
        snprintf(typed, sizeof typed, "%.15g MB", s.value / account_unit_scale(ACCOUNT_UNIT_MB));
    else
        snprintf(typed, sizeof typed, "%.15g", s.value / account_unit_scale(s.unit));
    return lesson_speed_answer(r, right ? typed : NULL, 0) == LESSON_SPEED_RIGHT;
}

/* Whatever unit an answer is typed in, it is shown in that of the right one, so that the two can be
 * compared. */
static void is_said_in_one_unit(const struct lesson_speed *r) {
    const struct lesson_speed_result *one =
        lesson_speed_result(r, lesson_speed_tally(r, LESSON_SPEED_ALL).asked - 1);
    const char *unit = strrchr(one->truth, ' '), *said = one->said ? strrchr(one->said, ' ') : NULL;
    assert_true((unit == NULL) == (said == NULL));
    if (unit) assert_string_equal(said, unit);
}

/* A round without a clock, with all answers right, or none. */
static struct round play(struct learner *who, uint64_t seed, bool right) {
    struct base_message m = {0};
    const struct lesson_speed_options o = {.seed = seed};
    struct session_speed *s = session_speed_open(who, &o, &m);
    if (!s) fail_msg("%s", m.what);
    struct lesson_speed *r = session_speed_round(s);
    struct round out = {0};
    char kind[LESSON_SPEED_UNTIMED][ACCOUNT_SKILL_MOST];
    bool subject[LESSON_SPEED_SUBJECTS] = {false};
    for (; lesson_speed_next(r, &m); out.asked++) {
        const struct lesson_speed_question *q = lesson_speed_asked(r);
        struct account_problem p = problem_of(r);
        size_t i = out.asked, seen = 0;
        mistakes_are_away(&p, q->ask);
        name_kind(&p, kind[i]);
        if (i > 0 && strcmp(kind[i], kind[i - 1]) == 0)
            fail_msg("seed %d: %s twice running", (int)seed, kind[i]);
        while (strcmp(kind[seen], kind[i]) != 0) seen++;
        out.kinds += seen == i;
        out.subjects += !subject[q->subject];
        subject[q->subject] = true;
        if (i < 4) out.first += q->level / 4.0;
        if (i >= LESSON_SPEED_UNTIMED - 4) out.last += q->level / 4.0;
        out.long_ones += base_width(q->brief) > LINE;
        assert_true(answer(r, &p, right) == right);
        if (right) is_said_in_one_unit(r);
    }
    session_speed_close(s);
    assert_int_equal(out.asked, LESSON_SPEED_UNTIMED);
    return out;
}

static void rounds_vary_and_rise(void **state) {
    /* what every round has at least, after lessons of so many phases */
    static const struct {
        const char *phase;
        size_t kinds, subjects;
    } rows[PHASES] = {{"1", 6, 3}, {"2", 6, 3}, {"3", 6, 3}, {"4", 6, 3}};
    struct learner *who = open_learner();
    (void)state;
    for (size_t i = 0; i < PHASES; i++) {
        finish(who, rows[i].phase);
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct round x = play(who, seed, true);
            if (i == 0 && x.long_ones > 0) fail_msg("seed %d: more than a line", (int)seed);
            if (x.kinds < rows[i].kinds || x.subjects < rows[i].subjects || x.last <= x.first)
                fail_msg("phase %s, seed %d: %zu kinds, %zu subjects, levels %g to %g",
                         rows[i].phase, (int)seed, x.kinds, x.subjects, x.first, x.last);
        }
    }
    session_learner_close(who);
}

/* Whoever misses everything gets what is easy, and still not the same thing again and again. */
static void misses_keep_it_easy(void **state) {
    struct learner *who = open_learner();
    (void)state;
    finish(who, "1");
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct round x = play(who, seed, false);
        assert_true(x.first < 1.5 && x.last <= 2.0 && x.kinds >= 4);
    }
    session_learner_close(who);
}

/* What a shard holds is asked as soon as stages were taught, and only that if it is chosen. */
static void shards_are_asked_after_the_first_phase(void **state) {
    struct learner *who = open_learner();
    struct base_message m = {0};
    const struct lesson_speed_options o = {.seed = 1, .subject = LESSON_SPEED_SHARDS};
    (void)state;
    finish(who, "1");
    struct session_speed *s = session_speed_open(who, &o, &m);
    assert_non_null(s);
    struct lesson_speed *r = session_speed_round(s);
    for (size_t i = 0; i < LESSON_SPEED_UNTIMED; i++) {
        if (!lesson_speed_next(r, &m)) fail_msg("%s", m.what);
        assert_int_equal(lesson_speed_asked(r)->subject, LESSON_SPEED_SHARDS);
        lesson_speed_answer(r, NULL, 0);
    }
    session_speed_close(s);
    session_learner_close(who);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, school_open_course, school_close)

int main(void) {
    const struct CMUnitTest tests[] = {TEST(rounds_vary_and_rise), TEST(misses_keep_it_easy),
                                       TEST(shards_are_asked_after_the_first_phase)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
