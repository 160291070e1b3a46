/* The speed challenge over the course: what it may ask keeps every mistake away from an estimate.
 */
#include "account/problems/mistakes.h"
#include "script/script.h"
#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 2000, FEWER = 200 };

/* Two hundred of each family here, two thousand in `make test-all`. */
static uint64_t seeds(void) {
    return getenv("TEST_ALL") ? SEEDS : FEWER;
}

struct family {
    const char *item;
    const struct account_problem *problem;
    struct account_solution solution;
};

/* GB and GiB, whichever way they are confused, and a count that an estimate rounds either way. */
static bool may_be_near(const char *id) {
    return strcmp(id, "gib-for-gb") == 0 || strcmp(id, "twin-unit") == 0 ||
           strcmp(id, "gpus-rounded-down") == 0;
}

/* All that the engine knows, also those that a verdict could not tell from the truth. A mistake
 * that yields the very truth is none with these numbers. */
static void check_mistakes(const struct family *f) {
    struct account_grounds grounds;
    size_t count;
    double truth, value;
    const struct account_mistake *all = account_mistakes(&count);
    assert_true(account_true_answer(f->problem, &grounds, &truth, NULL));
    for (size_t i = 0; i < count; i++) {
        if (may_be_near(all[i].id) || !account_mistaken_value(i, f->problem, &grounds, &value))
            continue;
        double away = fabs(value - truth) / truth;
        if (away > 1e-9 && away < 0.25 - 1e-6)
            fail_msg("%s: %s is only %.4g away", f->item, all[i].id, away);
    }
}

/* What is typed to be so many times the truth. */
static bool accepts(const struct family *f, double times) {
    struct account_judgement j;
    char text[40];
    snprintf(text, sizeof text, "%.12g",
             f->solution.value * times / account_unit_scale(f->solution.unit));
    account_judge(f->problem, text, &j);
    if (j.verdict == ACCOUNT_UNREADABLE) fail_msg("%s: '%s' cannot be read", f->item, text);
    return lesson_speed_is_right(&f->solution, &j);
}

static void check_band(const struct family *f) {
    static const double in[] = {0.901, 0.95, 1, 1.03, 1.099}, out[] = {0.1, 0.74, 0.89, 1.11, 2};
    for (size_t i = 0; i < BASE_COUNT(in); i++)
        if (!accepts(f, in[i])) fail_msg("%s: %g times the truth is refused", f->item, in[i]);
    for (size_t i = 0; i < BASE_COUNT(out); i++)
        if (accepts(f, out[i])) fail_msg("%s: %g times the truth is accepted", f->item, out[i]);
}

struct found {
    size_t families, asked;
    bool subject[LESSON_SPEED_SUBJECTS];
};

/* How many of the draws suit; all that do are checked. */
static size_t check_family(const struct lesson *pool, size_t i, struct lesson_source source,
                           struct found *found) {
    size_t suits = 0;
    for (uint64_t seed = 1; seed <= seeds(); seed++) {
        struct account_problem p;
        struct family f = {.problem = &p};
        struct base_message m = {0};
        json_t *variant = lesson_variant(pool, i, source, seed, &m);
        if (!variant) fail_msg("%s", m.what);
        f.item = base_json_text(lesson_step(pool, i), "id", "");
        assert_true(lesson_problem_read(json_object_get(variant, "problem"), &p, &m));
        assert_true(account_solve(&p, &f.solution, NULL));
        json_decref(variant);
        if (!lesson_speed_suits(&p)) continue;
        suits++;
        found->subject[lesson_speed_subject_of(&p)] = true;
        check_mistakes(&f);
        check_band(&f);
    }
    return suits;
}

static void check_lesson(const char *path, struct found *found) {
    struct base_message m = {0};
    struct script *script = script_open(path, NULL, &m);
    if (!script) fail_msg("%s", m.what);
    json_t *json = json_deep_copy(script_lesson(script));
    assert_true(session_complete(json, path, &m));
    const struct lesson *lesson[] = {lesson_read(json, path, &m)};
    struct lesson *pool = lesson_speed_pool(lesson, 1, NULL);
    for (size_t i = 0; pool && i < lesson_steps(pool); i++) {
        size_t suits = check_family(pool, i, script_source(script), found);
        found->families++;
        found->asked += suits > 0;
    }
    lesson_free(pool);
    lesson_free((struct lesson *)lesson[0]);
    json_decref(json);
    script_close(script);
}

static void every_question_keeps_mistakes_away(void **state) {
    struct found found = {0};
    glob_t files;
    (void)state;
    setenv("ZEROTUTOR_SHARE", ".", 1);
    assert_int_equal(glob("lessons/[0-9]*/*.lua", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) check_lesson(files.gl_pathv[i], &found);
    globfree(&files);
    for (unsigned i = LESSON_SPEED_ALL + 1; i < LESSON_SPEED_SUBJECTS; i++)
        if (!found.subject[i])
            fail_msg("%s: no question", lesson_speed_subject_name((enum lesson_speed_subject)i));
    assert_true(found.families >= 40 && found.asked >= 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_question_keeps_mistakes_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
