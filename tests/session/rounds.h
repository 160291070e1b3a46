/* rounds.h: reviews, checks and lessons as a test takes them, in a course
 * (tests/session/lessons/mixed.json) whose first choice is always right; and what the record then
 * says. */
#ifndef TESTS_SESSION_ROUNDS_H
#define TESTS_SESSION_ROUNDS_H

#include "session/school.h"
#include "session/session.h"

#define RIGHT "1"
#define WRONG "2"

enum { ALPHA, BETA, REVIEW_1, CHECK_1, GAMMA, REVIEW_2, CHECK_2, DELTA, REVIEW_3, CHECK_3, ALL };

/* A learner with something on it; what came of the last action, and where it stands. */
struct taking {
    struct learner *learner;
    struct session *session;
    struct base_text seen;
    char item[64], step[64];
    size_t index, count;
    bool right, over;
};

static inline void see(struct taking *t) {
    const struct lesson_event *e;
    base_text_free(&t->seen);
    while ((e = session_event(t->session))) {
        if (e->kind == LESSON_STEP) {
            snprintf(t->item, sizeof t->item, "%s", e->item);
            snprintf(t->step, sizeof t->step, "%s", e->step);
            t->index = e->index;
            t->count = e->count;
        }
        if (e->kind == LESSON_VERDICT) t->right = e->right;
        if (e->text) base_text_printf(&t->seen, "%s\n", e->text);
        t->over |= e->kind == LESSON_END;
    }
}

static inline void take(struct taking *t, const char *what) {
    struct base_message m = {0};
    *t = (struct taking){.learner = session_learner_open(NULL, &m)};
    t->session = t->learner ? session_open(t->learner, what, &m) : NULL;
    if (!t->session) fail_msg("%s", m.what);
    see(t);
}

/* Without leaving: as a program that is killed. */
static inline void drop(struct taking *t) {
    session_close(t->session);
    session_learner_close(t->learner);
    base_text_free(&t->seen);
}

static inline void act(struct taking *t, enum lesson_action_kind kind, const char *text) {
    session_do(t->session, &(struct lesson_action){.kind = kind, .text = text});
    see(t);
}

static inline bool seen(const struct taking *t, const char *words) {
    return t->seen.s && strstr(t->seen.s, words);
}

static inline bool on_result(const struct taking *t) {
    return strstr(t->step, "/result") != NULL;
}

/* Answers what is asked, the first `wrong` of it wrongly, up to the page that says how it went. */
static inline void answer_all(struct taking *t, size_t wrong) {
    for (size_t i = 0; !on_result(t); i++) {
        act(t, LESSON_DO_ANSWER, i < wrong ? WRONG : RIGHT);
        act(t, LESSON_DO_NEXT, NULL);
    }
}

/* A check that was taken opens at its result, and is taken again from there. */
static inline void take_round(struct taking *t, const char *id) {
    take(t, id);
    if (on_result(t)) act(t, LESSON_DO_FRESH, NULL);
    assert_true(!on_result(t) && !t->over);
}

/* One round of a check from its first problem to its end. */
static inline void take_check(const char *id, size_t wrong) {
    struct taking t;
    take_round(&t, id);
    answer_all(&t, wrong);
    act(&t, LESSON_DO_NEXT, NULL);
    assert_true(t.over);
    drop(&t);
}

static inline struct learner_progress progress(size_t i) {
    struct learner *who = session_learner_open(NULL, NULL);
    struct learner_progress p = session_learner_progress(who, i);
    session_learner_close(who);
    return p;
}

static inline size_t next(void) {
    struct learner *who = session_learner_open(NULL, NULL);
    size_t i = session_learner_next(who);
    session_learner_close(who);
    return i;
}

static inline size_t gate(size_t phase) {
    struct learner *who = session_learner_open(NULL, NULL);
    size_t i = session_learner_gate(who, phase);
    session_learner_close(who);
    return i;
}

static inline enum learner_placement placement(size_t *check) {
    struct learner *who = session_learner_open(NULL, NULL);
    enum learner_placement p = session_learner_placement(who, check);
    session_learner_close(who);
    return p;
}

#define MIXED(f) cmocka_unit_test_setup_teardown(f, school_open_mixed, school_close)

#endif
