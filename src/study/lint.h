/* lint.h: what the files of lint share. Not for other rooms. */
#ifndef STUDY_LINT_H
#define STUDY_LINT_H

#include "study/lesson.h"

struct lint {
    const struct study_lesson *l;
    struct study_source source;
    int seeds;
    void (*report)(void *to, const struct base_message *m);
    void (*worst)(void *to, const char *line);
    void *to;
    size_t findings;
};
/* A finding about the lesson as a whole, or about one step. */
void lint_find(struct lint *t, const char *format, ...) BASE_PRINTF(2, 3);
void lint_find_at(struct lint *t, size_t step, const char *format, ...) BASE_PRINTF(3, 4);
/* Every varying step over the seeds. */
void lint_vary(struct lint *t);

#endif
