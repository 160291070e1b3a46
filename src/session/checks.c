/* checks: what a memo is checked with: the learner's runs, the phrases of the lessons' myths, and
 * what the engine said before. */
#include "session/inside.h"

#include <stdlib.h>

struct checks {
    /* first: it is what others see */
    struct memo_context context;
    struct memo_evidence runs;
    struct memo_myth *myth;
};

static void add_myth(struct checks *c, const json_t *phrase, const char *lesson,
                     const char *claim) {
    c->myth = base_grow(c->myth, c->context.myths + 1, sizeof *c->myth);
    c->myth[c->context.myths++] =
        (struct memo_myth){base_dup(json_string_value(phrase)), base_dup(lesson), base_dup(claim)};
}

/* The phrases by which people say what a lesson's myth corrects. */
static void add_myths(struct checks *c, struct learner *who) {
    const struct lesson_course *course = session_learner_course(who);
    for (size_t i = 0; i < course->lessons; i++) {
        const struct loaded *l = session_learner_lesson(who, i);
        for (size_t k = 0; l && k < lesson_steps(l->lesson); k++) {
            const json_t *step = lesson_step(l->lesson, k), *phrase;
            size_t n;
            json_array_foreach(json_object_get(step, "says"), n, phrase) if (json_is_string(phrase))
                add_myth(c, phrase, course->lesson[i].id, base_json_text(step, "claim", ""));
        }
    }
}

struct memo_context *session_checks(struct learner *who) {
    struct checks *c = base_alloc(sizeof *c);
    c->context.cache = memo_cache_new();
    if (!who) return &c->context;
    c->runs = session_evidence(session_learner_store(who));
    c->context.runs = &c->runs;
    add_myths(c, who);
    c->context.myth = c->myth;
    return &c->context;
}

void session_checks_free(struct memo_context *context) {
    struct checks *c = (struct checks *)context;
    if (!c) return;
    for (size_t i = 0; i < c->context.myths; i++) {
        free((char *)c->myth[i].phrase);
        free((char *)c->myth[i].lesson);
        free((char *)c->myth[i].claim);
    }
    free(c->myth);
    free(c->context.cache);
    free(c);
}
