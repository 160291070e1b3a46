/* Every figure of the course in words: each lesson is gone through from its first step to its end,
 * without an answer and with each slider moved, and each figure that it shows is drawn and said. */
#include "base/scratch.h"
#include "linear/linear.h"
#include "page/said.h"
#include "session/session.h"

#include <cmocka.h>

enum { MOST_ACTIONS = 2000 };

struct walk {
    struct session *session;
    size_t figures;
    bool ended;
};

static void take_events(struct walk *w) {
    const struct lesson_event *e;
    while ((e = session_event(w->session))) {
        w->ended |= e->kind == LESSON_END;
        if (!e->figure) continue;
        said_holds(e->figure);
        w->figures++;
    }
}

static void act(struct walk *w, struct lesson_action a) {
    session_do(w->session, &a);
    take_events(w);
}

static void move_sliders(struct walk *w) {
    const struct lesson_ask *a = lesson_asked(session_dialogue(w->session));
    size_t sliders = a && a->form == LESSON_SLIDERS ? a->sliders : 0;
    for (size_t i = 0; i < sliders; i++)
        for (int by = -1; by <= 1; by += 2)
            act(w, (struct lesson_action){.kind = LESSON_DO_MOVE, .index = i, .by = by});
}

static size_t walk_lesson(struct learner *who, const char *id) {
    struct base_message m = {0};
    struct walk w = {.session = session_open(who, id, &m)};
    if (!w.session) fail_msg("%s: %s", id, m.what);
    take_events(&w);
    for (int i = 0; !w.ended && i < MOST_ACTIONS; i++) {
        move_sliders(&w);
        act(&w, (struct lesson_action){.kind = LESSON_DO_NEXT});
    }
    if (!w.ended) fail_msg("%s does not come to its end", id);
    session_close(w.session);
    return w.figures;
}

static void every_figure_of_the_course_is_said(void **state) {
    struct base_message m = {0};
    setenv("ZEROTUTOR_HOME", *state, 1);
    struct learner *who = session_learner_open(NULL, &m);
    if (!who) fail_msg("%s", m.what);
    const struct lesson_course *c = session_learner_course(who);
    size_t lessons = 0, figures = 0;
    for (size_t i = 0; i < c->lessons; i++) {
        if (c->lesson[i].kind != LESSON_ORDINARY) continue;
        figures += walk_lesson(who, c->lesson[i].id);
        lessons++;
    }
    assert_true(lessons >= 14);
    assert_true(figures > 5 * lessons);
    session_learner_close(who);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_figure_of_the_course_is_said, scratch_make,
                                        scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
