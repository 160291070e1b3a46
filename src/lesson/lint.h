/* lint.h: what the files of lint share. Private to lesson. */
#ifndef LESSON_LINT_H
#define LESSON_LINT_H

#include "lesson/parsed.h"

/* A source that stops when the time is up; `over` says that it did. */
struct lint_pace {
    struct lesson_source source;
    int64_t step_ms, lesson_until, step_from, step_until;
    bool over;
};
/* The paced source; the lesson's time begins. `p` must outlive it. */
struct lesson_source lesson_lint_pace(struct lint_pace *p, struct lesson_source source, int seeds);
/* A step begins, with its own time as far as the lesson has any left. */
void lesson_lint_pace_step(struct lint_pace *p);
/* Whether the lesson has none left. */
bool lesson_lint_pace_done(const struct lint_pace *p);
/* Milliseconds since the step began. */
int64_t lesson_lint_pace_spent(const struct lint_pace *p);

/* A set of problems, with a slot or two for each seed. */
struct lint_seen {
    uint64_t *slot;
    size_t capacity;
};
struct lint_seen lesson_lint_seen_begin(int seeds);
void lesson_lint_seen_end(struct lint_seen *s);
/* Whether it was met before; from now on it was. */
bool lesson_lint_seen(struct lint_seen *s, const json_t *problem);

struct lint {
    const struct lesson *l;
    struct lint_pace pace;
    /* paced */
    struct lesson_source source;
    int seeds;
    void (*report)(void *to, const struct base_message *m);
    void (*worst)(void *to, const char *line);
    void *to;
    size_t findings;
};
/* A finding about the lesson as a whole, or about one step. */
void lesson_lint_find(struct lint *t, const char *format, ...) BASE_PRINTF(2, 3);
void lesson_lint_find_at(struct lint *t, size_t step, const char *format, ...) BASE_PRINTF(3, 4);
/* Every varying step over the seeds. */
void lesson_lint_vary(struct lint *t);

#endif
