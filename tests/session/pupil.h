/* pupil.h: what tests of sessions do again and again: open a learner, take a lesson, and hear what
 * it says. A failure fails the cmocka test. */
#ifndef TESTS_SESSION_PUPIL_H
#define TESTS_SESSION_PUPIL_H

#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The learner of the default record. */
static inline struct learner *open_learner(void) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(NULL, &m);
    if (!who) fail_msg("%s", m.what);
    return who;
}

static inline struct session *sit(struct learner *who, const char *lesson) {
    struct base_message m = {0};
    struct session *s = session_open(who, lesson, &m);
    if (!s) fail_msg("%s", m.what);
    return s;
}

/* Everything that the events say, the caller's. */
static inline char *read_events(struct session *s) {
    struct base_text t = {0};
    const struct lesson_event *e;
    while ((e = session_event(s)))
        if (e->text) base_text_printf(&t, "%s\n", e->text);
    return base_text_take(&t);
}

/* Does one thing, and returns what it brought; the caller's. */
static inline char *act(struct session *s, enum lesson_action_kind kind, const char *text) {
    free(read_events(s));
    session_do(s, &(struct lesson_action){.kind = kind, .text = text});
    return read_events(s);
}

/* The same, and nothing of it is read. */
static inline void pass(struct session *s, enum lesson_action_kind kind, const char *text) {
    free(act(s, kind, text));
}

#endif
