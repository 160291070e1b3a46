/* notes: bookmarks and notes at the step where one is. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

struct session_here session_here(const struct session *s) {
    struct session_here here = {0};
    const char *step = lesson_where(session_dialogue(s)), *own = lesson_id(session_lesson(s));
    const char *last = strrchr(step, '/'), *before = last;
    while (before && before > step && before[-1] != '/') before--;
    size_t n = before ? (size_t)(last - before) : 0;
    const struct lesson_course *c = session_learner_course(session_learner(s));
    /* In a review or a check a step's id ends in the lesson that it was written in and its id
     * there: "2/1.3/one-stage". */
    bool lent = n && session_learner_find_id(session_learner(s), before, n) < c->lessons;
    snprintf(here.lesson, sizeof here.lesson, "%.*s", lent ? (int)n : (int)strlen(own),
             lent ? before : own);
    snprintf(here.step, sizeof here.step, "%s", lent ? last + 1 : step);
    return here;
}

struct kept {
    bool bookmark;
    char *note;
};

static void take(void *to, const struct store_note *n) {
    struct kept *k = to;
    k->bookmark |= n->kind == STORE_BOOKMARK;
    if (n->kind == STORE_NOTE && !k->note) k->note = base_dup(n->text);
}

static struct kept read_kept(const struct session *s) {
    struct session_here here = session_here(s);
    struct kept k = {0};
    store_notes(session_learner_store(session_learner(s)), here.lesson, here.step, take, &k, NULL);
    return k;
}

bool session_bookmarked(const struct session *s) {
    struct kept k = read_kept(s);
    free(k.note);
    return k.bookmark;
}

char *session_note(const struct session *s) {
    return read_kept(s).note;
}

static bool keep(const struct session *s, enum store_note_kind kind, const char *text,
                 struct base_message *m) {
    struct session_here here = session_here(s);
    return store_note_keep(
        session_learner_store(session_learner(s)),
        &(struct store_note){.kind = kind,
                             .lesson = here.lesson,
                             .step = here.step,
                             .title = session_step_title(s, lesson_where(session_dialogue(s))),
                             .text = text},
        m);
}

bool session_bookmark(const struct session *s, bool set, struct base_message *m) {
    return keep(s, STORE_BOOKMARK, set ? "set" : "", m);
}

bool session_note_keep(const struct session *s, const char *text, struct base_message *m) {
    char *before = session_note(s);
    bool same = strcmp(before ? before : "", text) == 0;
    free(before);
    return same || keep(s, STORE_NOTE, text, m);
}

const char *session_note_lesson(struct learner *who, const struct store_note *n) {
    size_t i = session_learner_find_entry(who, n->lesson, strlen(n->lesson));
    return i < session_learner_entries(who) ? session_learner_entry(who, i)->title : n->lesson;
}
