/* What lint's files share. */
#ifndef COMMAND_LINT_H
#define COMMAND_LINT_H

#include "command/internal.h"
#include "lesson/lesson.h"

/* One lesson file, checked. */
struct lint_lesson {
    char *path;
    /* the path, as it may be shown */
    char *name;
    char id[64];
    size_t steps;
    /* it is no lesson, but a file of terms or questions */
    bool book;
    struct base_message *finding;
    size_t findings;
    /* the worst-separated pair of each varying step, as text */
    char **worst;
    size_t worsts;
};
void command_lint_add(struct lint_lesson *l, const struct base_message *m);
void command_lint_free(struct lint_lesson *l);

/* Takes the lesson as a learner would, wrongly and rightly, with a journal that forgets, and draws
 * every figure that comes by. */
void command_lint_walk(struct lint_lesson *l, const struct lesson *lesson,
                       struct lesson_source source);

/* The rows of a step, from its LESSON_STEP on, without options that wrap. */
struct lint_rows {
    int rows;
    /* it is one, and its own text was counted */
    bool recap_step, recap;
};

/* Numbers in its prose that are written by hand and look like results; `text` is the file. */
void command_lint_literals(struct lint_lesson *l, const char *text);

/* The terms or questions in what a file returned; NULL if it is a lesson. Borrowed. */
const json_t *command_lint_book_of(const json_t *said);
/* Whether each entry's figure draws, and its lesson is in the course (NULL: not known). */
void command_lint_book(struct lint_lesson *l, const json_t *book, const struct lesson_course *c);

/* `lint --new ID [FILE]`: writes a starter lesson; its exit status. Refuses to overwrite a file. */
int command_lint_new(const struct arguments *a);

/* `lint --stats [RECORD...]`: what the first answers in these records say of the items; its exit
 * status. */
int command_lint_stats(const struct arguments *a);

/* What was found as JSON; the caller's. */
json_t *command_lint_json(const struct lint_lesson *l);
/* The same for people. */
void command_lint_print(const json_t *found, bool verbose);

/* lints a file; what command_lint_json() gave */
typedef json_t *lint_one(void *self, const char *path);

#endif
