/* What the learner can do follows from the answers alone: the engine says which skill each is
 * about, and nothing that is kept beside the answers changes it. */
#include "session/school.h"
#include "session/pupil.h"
#include "script/script.h"
#include "store/store.h"

#include <math.h>

enum { DAY = 86400 };
static const int64_t START = 1795003200; /* 18 November 2026, noon */

static int open_school(void **state) {
    setenv("TZ", "UTC0", 1);
    tzset();
    return school_open(state);
}

static int open_mixed(void **state) {
    setenv("TZ", "UTC0", 1);
    tzset();
    return school_open_mixed(state);
}

static int close_school(void **state) {
    unsetenv("ZEROTUTOR_NOW");
    return school_close(state);
}

static void go_to_day(int day) {
    char *now = base_format("%lld", (long long)(START + (int64_t)day * DAY));
    setenv("ZEROTUTOR_NOW", now, 1);
    free(now);
}

/* One after the other: a miss is followed by fresh numbers. */
static void answer(struct learner *who, const char *step, const char *const *text, size_t count) {
    struct base_message m = {0};
    struct session *s = session_open(who, "1.1", &m);
    if (!s) fail_msg("%s", m.what);
    pass(s, LESSON_DO_GOTO, step);
    for (size_t i = 0; i < count; i++) pass(s, LESSON_DO_ANSWER, text[i]);
    session_close(s);
}
#define ANSWER(who, step, ...)                                                                     \
    answer(who, step, (const char *const[]){__VA_ARGS__},                                          \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* The skill of this name; fails if there is none. */
static struct learner_skill skill(struct learner *who, const char *name) {
    struct learner_skill *all, found = {.tries = 0};
    size_t count = session_learner_skills(who, &all);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0) found = all[i];
    free(all);
    if (found.tries == 0) fail_msg("%s: not among the %zu skills", name, count);
    return found;
}

/* ── skills ────────────────────────────────────────────────────────────────────────────────────*/
static void the_engine_says_which_skill_an_answer_is_about(void **state) {
    (void)state;
    go_to_day(0);
    struct learner *who = open_learner();
    struct learner_skill *none;
    assert_int_equal(session_learner_skills(who, &none), 0);
    free(none);
    ANSWER(who, "ddp-7b", "84 GB", "112 GB");
    ANSWER(who, "which", "1");
    struct learner_skill states = skill(who, "all states at stage 0, in GB"),
                         ideas = skill(who, "1.1  Bytes of a parameter");
    assert_string_equal(states.area, "Model states");
    assert_string_equal(ideas.area, "Ideas");
    assert_true(states.tries == 1 && states.right == 0); /* a right second try is no first one */
    assert_true(ideas.tries == 1 && ideas.right == 1);
    assert_true(ideas.likely[0] > 0.7 && ideas.likely[LEARNER_AHEAD] < ideas.likely[0]);
    session_learner_close(who);
}

static void a_line_of_a_worksheet_is_a_skill(void **state) {
    (void)state;
    go_to_day(0);
    struct learner *who = open_learner();
    ANSWER(who, "sheet-7b", "56 GB");
    assert_int_equal(skill(who, "moments at stage 0, in GB").right, 1);
    session_learner_close(who);
}

/* A day of misses, then right first tries: the estimate rises above its level before the misses
 * are out of it, and falls with time. */
static void a_bad_day_is_outgrown(void **state) {
    (void)state;
    const char *name = "all states at stage 0, in GB";
    go_to_day(0);
    struct learner *who = open_learner();
    ANSWER(who, "ddp-7b", "84 GB");
    double bad = skill(who, name).likely[0];
    for (int day = 2; day <= 20; day += 3) {
        go_to_day(day);
        ANSWER(who, "ddp-7b", "112 GB");
    }
    struct learner_skill now = skill(who, name);
    assert_true(bad < 0.3 && now.likely[0] > 0.85 && now.tries == 8 && now.right == 7);
    go_to_day(50);
    assert_true(fabs(skill(who, name).likely[0] - now.likely[LEARNER_AHEAD]) < 1e-12);
    assert_int_equal(skill(who, name).days_ago, 30);
    session_learner_close(who);
}

/* ── the course ────────────────────────────────────────────────────────────────────────────────*/
enum { SEEDS = 5, SKILLS_MOST = 256 };
struct found {
    char key[SKILLS_MOST][ACCOUNT_SKILL_MOST];
    size_t count, variants;
};

static void add_key(struct found *f, const struct account_problem *p, const char *where) {
    struct account_skill s;
    char key[ACCOUNT_SKILL_MOST];
    if (!account_skill_of(p, &s)) fail_msg("%s: a problem without a skill", where);
    account_skill_key(&s, key);
    f->variants++;
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->key[i], key) == 0) return;
    assert_true(f->count < SKILLS_MOST);
    memcpy(f->key[f->count++], key, sizeof key);
}

static void see_step(struct found *f, const struct lesson *l, size_t i, struct lesson_source source,
                     const char *path) {
    struct base_message m = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        json_t *variant = lesson_variant(l, i, source, seed, &m);
        if (!variant) fail_msg("%s: %s", path, m.what);
        const json_t *problem = json_object_get(variant, "problem");
        struct account_problem p;
        if (problem && lesson_problem_read(problem, &p, NULL)) add_key(f, &p, path);
        json_decref(variant);
    }
}

static void see_lesson(struct found *f, const char *path) {
    struct base_message m = {0};
    struct script *script = script_open(path, NULL, &m);
    if (!script) fail_msg("%s: %s", path, m.what);
    json_t *whole = json_deep_copy(script_lesson(script));
    struct lesson *l = session_complete(whole, path, &m) ? lesson_read(whole, path, &m) : NULL;
    if (!l) fail_msg("%s: %s", path, m.what);
    for (size_t i = 0; i < lesson_steps(l); i++)
        if (json_object_get(lesson_step(l, i), "vary"))
            see_step(f, l, i, script_source(script), path);
    lesson_free(l);
    json_decref(whole);
    script_close(script);
}

/* No table says which problem is about which skill, and still every one is about one. */
static void every_problem_of_the_course_is_about_a_skill(void **state) {
    (void)state;
    struct lesson_course course;
    struct base_message m = {0};
    struct found *f = base_alloc(sizeof *f);
    char *here = realpath(".", NULL);
    setenv("ZEROTUTOR_SHARE", here, 1);
    json_t *json = base_json_read_file("lessons/course.json", &m);
    assert_true(json && lesson_course_read(&course, json, &m));
    for (size_t i = 0; i < course.lessons; i++) {
        if (!course.lesson[i].file) continue;
        char *path = base_format("%s/lessons/%s", here, course.lesson[i].file);
        see_lesson(f, path);
        free(path);
    }
    if (f->variants < 200 || f->count < 30)
        fail_msg("%zu variants, %zu skills", f->variants, f->count);
    lesson_course_free(&course);
    json_decref(json);
    free(here);
    free(f);
}

/* ── what is kept ──────────────────────────────────────────────────────────────────────────────*/
static char *study(struct learner *who) {
    json_t *json = session_learner_study(who);
    char *text = json_dumps(json, JSON_SORT_KEYS);
    json_decref(json);
    return text;
}

/* So many answers that the fold is kept. */
static void answer_much(struct learner *who) {
    struct lesson_journal j = store_journal(session_learner_store(who));
    json_t *problem = json_pack("{s{ss ss ss s{sI si si}}}", "problem", "kind", "bytes", "quantity",
                                "grads", "unit", "GB", "training", "params", (json_int_t)7000000000,
                                "gpus", 8, "stage", 2);
    for (int i = 0; i < 450; i++) {
        go_to_day(i / 9);
        struct lesson_answer a = {.item = i % 3 ? "1.1/x" : "1.1/y",
                                  .line = "",
                                  .try = i + 1,
                                  .problem = problem,
                                  .typed = "1",
                                  .verdict = i % 5 ? "right" : "mistake",
                                  .mistake = i % 5 ? "" : "grads-sharded",
                                  .seconds = 30};
        assert_true(j.answer(j.self, &a, NULL));
        if (i == 300) free(study(who)); /* in the middle, so that it goes on from what was kept */
    }
    json_decref(problem);
}

static void what_is_kept_is_a_shortcut_and_nothing_else(void **state) {
    (void)state;
    static const char *const broken[] = {NULL, "", "1 0\nmastery 3\n", "300 x", "999999 1\n"};
    go_to_day(0);
    struct learner *who = open_learner();
    answer_much(who);
    char *expected = study(who), *kept = store_setting(session_learner_store(who), "cache/mastery");
    assert_non_null(strstr(expected, "gradients at stage 2, in GB"));
    assert_non_null(kept);
    strrchr(kept, '\n')[0] = 0;
    strrchr(kept, '\n')[1] = 0; /* a row less */
    for (size_t i = 0; i <= BASE_COUNT(broken); i++) {
        const char *text = i < BASE_COUNT(broken) ? broken[i] : kept;
        assert_true(store_set(session_learner_store(who), "cache/mastery", text, NULL));
        session_learner_close(who);
        who = open_learner();
        char *again = study(who);
        assert_string_equal(again, expected);
        free(again);
    }
    session_learner_close(who);
    free(kept);
    who = open_learner(); /* and from what was kept just now */
    char *again = study(who);
    assert_string_equal(again, expected);
    free(again);
    free(expected);
    session_learner_close(who);
}

static void the_study_tells_mistakes_and_days(void **state) {
    (void)state;
    go_to_day(0);
    struct learner *who = open_learner();
    answer_much(who);
    json_t *json = session_learner_study(who);
    const json_t *mistake = json_array_get(json_object_get(json, "mistakes"), 0);
    assert_string_equal(base_json_text(mistake, "id", ""), "grads-sharded");
    assert_int_equal(base_json_int(mistake, "times", 0), 90);
    const json_t *days = json_object_get(json, "days"), *day = json_array_get(days, 0);
    assert_int_equal(json_array_size(days), 50);
    assert_string_equal(base_json_text(day, "day", ""), "2026-11-18");
    assert_int_equal(base_json_int(day, "days_ago", 0), 49);
    assert_true(fabs(base_json_number(day, "minutes", 0) - 4.5) < 1e-9);
    json_decref(json);
    session_learner_close(who);
}

/* Records come from elsewhere too. */
static void what_is_no_problem_is_no_skill(void **state) {
    (void)state;
    go_to_day(0);
    struct learner *who = open_learner();
    struct lesson_journal j = store_journal(session_learner_store(who));
    static const char *const problems[] = {
        "{\"problem\":{\"kind\":\"bytes\",\"training\":{\"params\":-1}}}", "{\"problem\":7}",
        "{\"problem\":{\"kind\":\"nothing\"}}"};
    for (size_t i = 0; i < BASE_COUNT(problems); i++) {
        char *item = base_format("1.1/p%zu", i);
        json_t *problem = json_loads(problems[i], 0, NULL);
        struct lesson_answer a = {.item = item,
                                  .line = "",
                                  .try = 1,
                                  .problem = problem,
                                  .typed = "1",
                                  .verdict = "mistake",
                                  .mistake = "\033[31mred"};
        assert_true(problem && j.answer(j.self, &a, NULL));
        json_decref(problem);
        free(item);
    }
    struct learner_skill *all;
    assert_int_equal(session_learner_skills(who, &all), 0);
    free(all);
    json_t *json = session_learner_study(who);
    assert_int_equal(json_array_size(json_object_get(json, "mistakes")), 0);
    json_decref(json);
    session_learner_close(who);
}

/* What was solved of the first is still known at the last, and nothing is mixed up. */
static void a_long_record_has_many_problems(void **state) {
    enum { MANY = 1500 };
    (void)state;
    go_to_day(0);
    struct learner *who = open_learner();
    struct lesson_journal j = store_journal(session_learner_store(who));
    for (int i = 0; i < MANY; i++) {
        char *item = base_format("1.1/p%d", i);
        json_t *problem = json_pack("{s:{s:s,s:s,s:s,s:{s:f}}}", "problem", "kind", "bytes",
                                    "quantity", i % 3 ? "params" : "grads", "unit", "GB",
                                    "training", "params", 1e9 + 1e6 * i);
        struct lesson_answer a = {.item = item,
                                  .line = "",
                                  .try = 1,
                                  .problem = problem,
                                  .typed = "1",
                                  .verdict = "right",
                                  .mistake = ""};
        assert_true(problem && j.answer(j.self, &a, NULL));
        json_decref(problem);
        free(item);
    }
    struct learner_skill *all;
    size_t tries[2] = {0}, count = session_learner_skills(who, &all);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++) tries[i] = (size_t)all[i].tries;
    assert_int_equal(tries[0] + tries[1], MANY);
    assert_true(tries[0] == MANY / 3 || tries[1] == MANY / 3);
    free(all);
    session_learner_close(who);
}

/* ── scores and phases ─────────────────────────────────────────────────────────────────────────*/
static void the_score_counts_first_tries(void **state) {
    (void)state;
    go_to_day(0);
    struct learner *who = open_learner();
    ANSWER(who, "ddp-7b", "84 GB", "84 GB", "112 GB");
    ANSWER(who, "which", "1");
    struct learner_progress p = session_learner_progress(who, 0);
    if (p.right != 2 || p.right_first != 1 || p.graded != 3)
        fail_msg("%zu %zu %zu", p.right, p.right_first, p.graded);
    session_learner_close(who);
}

/* Going through every lesson of a phase, and through its check without answering, earns nothing. */
static void a_phase_is_earned_by_its_check_alone(void **state) {
    (void)state;
    struct base_message m = {0};
    struct learner *who = open_learner();
    const struct lesson_course *c = session_learner_course(who);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < c->lessons; i++) {
            if (c->lesson[i].phase != 0 || !session_learner_progress(who, i).exists) continue;
            if ((c->lesson[i].kind == LESSON_CHECK) != (round == 1)) continue;
            struct session *s = session_open(who, c->lesson[i].id, &m);
            if (!s) fail_msg("%s: %s", c->lesson[i].id, m.what);
            while (session_event(s)) continue;
            for (int steps = 0; lesson_asked(session_dialogue(s)) && steps < 50; steps++)
                pass(s, LESSON_DO_NEXT, NULL);
            session_close(s);
        }
        assert_false(session_learner_earned(who, 0));
    }
    for (size_t i = 0; i < c->lessons; i++) { /* here the first choice is always right */
        if (c->lesson[i].phase != 0 || c->lesson[i].kind != LESSON_CHECK) continue;
        struct session *s = session_open(who, c->lesson[i].id, &m);
        while (session_event(s)) continue;
        pass(s, LESSON_DO_FRESH, NULL); /* it opened at its result */
        for (int steps = 0; lesson_asked(session_dialogue(s)) && steps < 50; steps++) {
            bool choice = lesson_asked(session_dialogue(s))->form == LESSON_CHOICE;
            pass(s, choice ? LESSON_DO_ANSWER : LESSON_DO_NEXT, choice ? "1" : NULL);
        }
        session_close(s);
    }
    assert_true(session_learner_earned(who, 0));
    session_learner_close(who);
}

#define IN_SCHOOL(test) cmocka_unit_test_setup_teardown(test, open_school, close_school)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(the_engine_says_which_skill_an_answer_is_about),
        IN_SCHOOL(a_line_of_a_worksheet_is_a_skill),
        IN_SCHOOL(a_bad_day_is_outgrown),
        IN_SCHOOL(every_problem_of_the_course_is_about_a_skill),
        IN_SCHOOL(what_is_kept_is_a_shortcut_and_nothing_else),
        IN_SCHOOL(the_study_tells_mistakes_and_days),
        IN_SCHOOL(what_is_no_problem_is_no_skill),
        IN_SCHOOL(a_long_record_has_many_problems),
        IN_SCHOOL(the_score_counts_first_tries),
        cmocka_unit_test_setup_teardown(a_phase_is_earned_by_its_check_alone, open_mixed,
                                        close_school),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
