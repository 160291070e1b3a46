/* Drills: myths and explanations of lessons that were met, each asked once, and a last page with
 * what was missed. */
#include "session/school.h"
#include "session/pupil.h"

static int open_school(void **state) {
    static const char *const lessons[] = {"drill-a.lua", "drill-b.lua", "drill-c.lua"};
    if (school_open(state) != 0) return -1;
    school_put(state, "drills.json", "course.json");
    for (size_t i = 0; i < BASE_COUNT(lessons); i++) school_put(state, lessons[i], lessons[i]);
    return 0;
}

static void says(char *words, const char *part) {
    if (!strstr(words, part)) fail_msg("\"%s\" is not in: %s", part, words);
    free(words);
}

/* Goes through a lesson without an answer. */
static void read_lesson(struct learner *who, const char *id) {
    struct session *s = sit(who, id);
    while (lesson_asked(session_dialogue(s))) pass(s, LESSON_DO_NEXT, NULL);
    session_close(s);
}

static const char *where(const struct session *s) {
    return lesson_where(session_dialogue(s));
}

static void what_was_not_met_is_not_asked(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct base_message m = {0};
    assert_false(session_learner_drills(who));
    assert_null(session_open(who, LEARNER_MYTHS, &m));
    assert_non_null(strstr(m.what, "finish lesson 1.1 first"));
    struct session *s = sit(who, "1.1"); /* one of its myths, and then it is left */
    pass(s, LESSON_DO_NEXT, NULL);
    pass(s, LESSON_DO_ANSWER, "true");
    session_close(s);
    assert_false(session_learner_drills(who));
    s = sit(who, LEARNER_MYTHS);
    assert_int_equal(lesson_steps(session_lesson(s)), 2);
    assert_string_equal(where(s), "1.1/ants");
    session_close(s);
    read_lesson(who, "1.1");
    assert_true(session_learner_drills(who));
    s = sit(who, LEARNER_MYTHS);
    assert_int_equal(lesson_steps(session_lesson(s)), 3);
    assert_string_equal(where(s), "1.1/apes"); /* asked less often */
    session_close(s);
    session_learner_close(who);
}

static void phases_take_turns(void **state) {
    (void)state;
    struct learner *who = open_learner();
    int last = 0;
    read_lesson(who, "1.1");
    read_lesson(who, "1.2");
    read_lesson(who, "2.1");
    struct session *s = sit(who, LEARNER_MYTHS);
    assert_int_equal(lesson_steps(session_lesson(s)), 5);
    assert_int_equal(where(s)[0], '1'); /* most are of it */
    pass(s, LESSON_DO_NEXT, NULL);
    last = where(s)[0];
    assert_int_equal(last, '2');
    pass(s, LESSON_DO_NEXT, NULL);
    assert_int_equal(where(s)[0], '1');
    session_close(s);
    session_learner_close(who);
}

static void myths_end_with_what_was_missed(void **state) {
    (void)state;
    struct learner *who = open_learner();
    read_lesson(who, "1.1");
    struct session *s = sit(who, LEARNER_MYTHS);
    assert_true(session_is_forward(s) && !session_is_review(s));
    for (int i = 0; i < 2; i++) { /* one of them is true */
        char *far = session_how_far(s, (size_t)i, 3, "of");
        assert_string_equal(far, i ? "2 of 2" : "1 of 2");
        free(far);
        assert_int_equal(session_step_came(s, where(s)), LESSON_CAME_NOT);
        char *said = act(s, LESSON_DO_ANSWER, "true");
        assert_non_null(strstr(said, "Taught in **1.1** Alpha."));
        free(said);
        const struct lesson_ask *ask = lesson_asked(session_dialogue(s));
        assert_int_equal(ask->leads, 1);
        assert_string_equal(ask->lead->lesson, "1.1");
        assert_string_equal(ask->lead->step, where(s) + 4);
        assert_false(session_can_undo(s) || session_can_suspend(s));
        says(act(s, LESSON_DO_BACK, NULL), "A drill only goes forward.");
        if (i == 0) pass(s, LESSON_DO_NEXT, NULL);
    }
    char *over = act(s, LESSON_DO_NEXT, NULL);
    assert_non_null(strstr(over, "**1 of 2 right**."));
    assert_non_null(strstr(over, "1. **1.1** Apes and their eggs (false)"));
    assert_null(strstr(over, "Ants"));
    free(over);
    assert_string_equal(lesson_asked(session_dialogue(s))->lead[0].step, "apes");
    pass(s, LESSON_DO_NEXT, NULL);
    assert_null(lesson_asked(session_dialogue(s))); /* it ends by itself */
    session_close(s);
    session_learner_close(who);
}

/* Its answers are those of the lesson's own questions, and nothing is resumed. */
static void answers_belong_to_the_lesson(void **state) {
    (void)state;
    struct learner *who = open_learner();
    read_lesson(who, "1.2");
    struct session *s = sit(who, LEARNER_MYTHS);
    pass(s, LESSON_DO_ANSWER, "false");
    says(act(s, LESSON_DO_LEAVE, NULL), "Your answers are saved.");
    session_close(s);
    assert_true(store_was_answered(session_learner_store(who), "1.2/bats", 0));
    assert_int_equal(session_learner_progress(who, session_learner_find(who, "1.2")).right, 1);
    s = sit(who, LEARNER_MYTHS);
    says(read_events(s), "Answered right before.");
    session_close(s);
    session_learner_close(who);
}

static void an_interview_lists_what_was_left_out(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct base_message m = {0};
    int left;
    read_lesson(who, "1.1");
    assert_true(session_learner_set_interview(who, 90, &m));
    struct session *s = sit(who, LEARNER_INTERVIEW);
    assert_int_equal(lesson_steps(session_lesson(s)), 2);
    assert_true(session_clock(s, &left) && left > 80 && left <= 90);
    says(act(s, LESSON_DO_ANSWER, ""), "Now compare it");
    assert_false(session_clock(s, &left));
    says(act(s, LESSON_DO_ANSWER, "1 3"), "Still missing:\n\n- a queen");
    char *over = act(s, LESSON_DO_NEXT, NULL);
    assert_non_null(strstr(over, "**2 of 3 points covered**."));
    assert_non_null(strstr(over, "1. **1.1** Alpha\n    - a queen"));
    assert_null(strstr(over, "six legs"));
    free(over);
    session_close(s);
    assert_true(session_learner_set_interview(who, 0, &m));
    s = sit(who, LEARNER_INTERVIEW); /* it was said, and is asked again */
    assert_int_equal(lesson_asked(session_dialogue(s))->form, LESSON_TEXT);
    assert_false(session_clock(s, &left));
    pass(s, LESSON_DO_NEXT, NULL); /* said aloud, nothing typed */
    pass(s, LESSON_DO_ANSWER, "1 2 3");
    over = act(s, LESSON_DO_NEXT, NULL);
    assert_non_null(strstr(over, "**3 of 3 points covered**."));
    assert_null(strstr(over, "Worth another look"));
    free(over);
    session_close(s);
    session_learner_close(who);
}

/* ── other words ───────────────────────────────────────────────────────────────────────────────*/
static void words_are_switched_in_place(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct session *s = sit(who, "1.1");
    says(read_events(s), "Good day to you.");
    assert_true(lesson_asked(session_dialogue(s))->briefly);
    assert_true(lesson_asked(session_dialogue(s))->slowly);
    says(act(s, LESSON_DO_BRIEFLY, NULL), "Hi!");
    says(act(s, LESSON_DO_SLOWLY, NULL), "It is to you.");
    says(act(s, LESSON_DO_SLOWLY, NULL), "Good day to you.");
    says(act(s, LESSON_DO_BRIEFLY, NULL), "Hi!");
    says(act(s, LESSON_DO_BRIEFLY, NULL), "Good day to you.");
    assert_string_equal(where(s), "hello");
    pass(s, LESSON_DO_NEXT, NULL);
    assert_false(lesson_asked(session_dialogue(s))->briefly);
    says(act(s, LESSON_DO_BRIEFLY, NULL), "This has no shorter wording.");
    session_close(s);
    session_learner_close(who);
}

/* ── reports ───────────────────────────────────────────────────────────────────────────────────*/
static json_t *read_report(char *path) {
    json_error_t e;
    json_t *report = json_load_file(path, 0, &e);
    if (!report) fail_msg("%s: %s", path, e.text);
    free(path);
    return report;
}

static void a_report_tells_how_it_came_about(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct base_message m = {0};
    char *told;
    read_lesson(who, "1.2");
    struct session *s = sit(who, LEARNER_MYTHS);
    pass(s, LESSON_DO_ANSWER, "true");
    assert_null(session_report(s, " ", &told, &m));
    assert_non_null(strstr(m.what, "what is wrong"));
    char *path = session_report(s, "They are \"birds\".", &told, &m);
    assert_non_null(strstr(path, "/reports/1.2-bats.json"));
    assert_null(told); /* there is no class */
    json_t *report = read_report(path), *asked = json_object_get(report, "asked"),
           *answered = json_object_get(report, "answered");
    assert_string_equal(base_json_text(report, "wrong", ""), "They are \"birds\".");
    assert_string_equal(base_json_text(report, "program", ""), BASE_VERSION);
    assert_string_equal(base_json_text(asked, "item", ""), "1.2/bats");
    assert_string_equal(base_json_text(asked, "statement", ""), "Bats are birds.");
    assert_int_equal(base_json_int(asked, "revision", 0), 1);
    assert_string_equal(base_json_text(answered, "typed", ""), "true");
    assert_string_equal(base_json_text(answered, "verdict", ""), "wrong");
    json_decref(report);
    path = session_report(s, "Again.", &told, &m); /* the first one stays as it is */
    assert_non_null(strstr(path, "/reports/1.2-bats-2.json"));
    json_decref(read_report(path));
    session_close(s);
    session_learner_close(who);
}

/* A problem: its numbers and seeds, those that were answered and those that are open now. */
static void a_report_has_the_numbers(void **state) {
    struct learner *who = open_learner();
    struct base_message m = {0};
    char *told;
    school_put(state, "course.json", "course.json");
    session_learner_close(who);
    who = open_learner();
    struct session *s = sit(who, "1.1");
    pass(s, LESSON_DO_NEXT, NULL);
    pass(s, LESSON_DO_ANSWER, "14 GB");
    json_t *report = read_report(session_report(s, "No.", &told, &m)),
           *asked = json_object_get(report, "asked"),
           *answered = json_object_get(report, "answered");
    assert_int_equal(base_json_int(asked, "try", 0), 2);
    assert_int_equal(base_json_int(answered, "try", 0), 1);
    assert_string_not_equal(base_json_text(asked, "seed", "0"), "0");
    assert_string_not_equal(base_json_text(asked, "seed", ""),
                            base_json_text(answered, "seed", ""));
    assert_non_null(json_object_get(json_object_get(answered, "numbers"), "problem"));
    assert_non_null(json_object_get(json_object_get(asked, "numbers"), "problem"));
    assert_null(json_object_get(asked, "solution")); /* it is open */
    assert_string_equal(base_json_text(answered, "typed", ""), "14 GB");
    json_decref(report);
    session_close(s);
    session_learner_close(who);
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, open_school, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(a_report_tells_how_it_came_about),
        IN_SCHOOL(a_report_has_the_numbers),
        IN_SCHOOL(words_are_switched_in_place),
        IN_SCHOOL(what_was_not_met_is_not_asked),
        IN_SCHOOL(phases_take_turns),
        IN_SCHOOL(myths_end_with_what_was_missed),
        IN_SCHOOL(answers_belong_to_the_lesson),
        IN_SCHOOL(an_interview_lists_what_was_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
