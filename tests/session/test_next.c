/* Which lesson comes next: what a lesson's end names is what home opens. */
#include "base/scratch.h"
#include "session/pupil.h"

enum { MOVES = 40, MOST_ACTIONS = 400, BEGINS = 1790000000, APART = 600 };

/* Minutes pass between two lessons. */
static void set_clock(int move) {
    char *now = base_format("%d", BEGINS + move * APART);
    setenv("ZEROTUTOR_NOW", now, 1);
    free(now);
}

/* Whether the lesson was gone through to its end, in at most so many actions. */
static bool take(struct learner *who, const char *id, int actions) {
    struct session *s = sit(who, id);
    const struct lesson_event *e;
    bool done = false;
    for (int i = 0; !done && i < actions; i++) {
        session_do(s, &(struct lesson_action){.kind = LESSON_DO_NEXT});
        while ((e = session_event(s))) done |= e->kind == LESSON_END && e->done;
    }
    session_close(s);
    return done;
}

/* Lessons of the course in any order, some of them left in the middle, others taken twice. */
static void an_end_names_what_home_opens(void **state) {
    unsigned seed = 7;
    size_t ends = 0;
    setenv("ZEROTUTOR_HOME", *state, 1);
    struct learner *who = open_learner();
    const struct lesson_course *c = session_learner_course(who);
    for (int move = 0; move < MOVES; move++) {
        set_clock(move);
        seed = seed * 1103515245 + 12345;
        size_t i = seed / 65536 % c->lessons;
        if (!take(who, c->lesson[i].id, move % 3 == 0 ? 4 : MOST_ACTIONS)) continue;
        size_t home = session_learner_next(who), end = session_learner_after(who, c->lesson[i].id);
        if (end != (home == i ? c->lessons : home))
            fail_msg("move %d: after %s comes %zu, and home opens %zu", move, c->lesson[i].id, end,
                     home);
        ends++;
    }
    assert_true(ends > MOVES / 3);
    session_learner_close(who);
}

/* Whoever reads a finished lesson again, and leaves it, goes on where they were. */
static void a_look_back_leads_back(void **state) {
    setenv("ZEROTUTOR_HOME", *state, 1);
    struct learner *who = open_learner();
    const struct lesson_course *c = session_learner_course(who);
    set_clock(0);
    assert_true(take(who, "1.1", MOST_ACTIONS));
    assert_string_equal(c->lesson[session_learner_next(who)].id, "1.2");
    set_clock(1);
    assert_false(take(who, "2.3", 4));
    assert_string_equal(c->lesson[session_learner_next(who)].id, "2.3");
    set_clock(2);
    struct session *s = sit(who, "1.1");
    pass(s, LESSON_DO_GOTO, base_json_text(lesson_step(session_lesson(s), 0), "id", ""));
    pass(s, LESSON_DO_NEXT, NULL);
    pass(s, LESSON_DO_LEAVE, NULL);
    session_close(s);
    assert_string_equal(c->lesson[session_learner_next(who)].id, "2.3");
    set_clock(3);
    assert_true(take(who, "1.3", MOST_ACTIONS));
    assert_string_equal(c->lesson[session_learner_next(who)].id, "1.4");
    session_learner_close(who);
}

#define AT_HOME(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
int main(void) {
    const struct CMUnitTest tests[] = {
        AT_HOME(an_end_names_what_home_opens),
        AT_HOME(a_look_back_leads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
