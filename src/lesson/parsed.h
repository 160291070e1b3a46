/* parsed.h: a lesson after it was read, as the files of this module see it. Private to lesson. */
#ifndef LESSON_PARSED_H
#define LESSON_PARSED_H

#include "lesson/lesson.h"

struct lesson_step {
    /* the step as it was written */
    const json_t *json;
    enum lesson_step_kind kind;
    const char *id;
    /* "1.1/two-bytes": what its answers are kept under */
    char *item;
    /* of the lesson's source, 0 if unknown */
    int line;
};
struct lesson {
    json_t *json;
    /* the file's, for messages */
    char *name;
    char *id;
    size_t count;
    struct lesson_step *step;
    enum lesson_kind kind;
    /* of a review or a check */
    int round;
    /* of a queue: lesson_queue_head.fresh */
    bool fresh;
};

/* A problem that is kept for reviews and checks: the way through the lesson leaves it out, and so
 * do its count, score and minutes. */
bool lesson_aside(const struct lesson *l, size_t i);
/* minutes.c: the words of a text, and how long reading so many takes. */
size_t lesson_text_words(const char *text);
double lesson_reading_seconds(size_t words);
/* The words of a text, a list or a table of them, and the figures of a step. */
size_t lesson_words(const json_t *v);
size_t lesson_step_figures(const json_t *step);
/* Of the lesson that the step was written in. */
int lesson_revision(const struct lesson *l, size_t i);
/* In a review or a check, the lesson that the step was written in: its "id", "title", "file" and
 * "revision"; else NULL. */
const json_t *lesson_origin(const struct lesson *l, size_t i);
/* "number", "sheet", "choice", "order" or "sort" of a problem; "" of other steps. */
const char *lesson_form(const struct lesson *l, size_t i);
/* The mistakes a problem is about. Returns how many there are; fills at most `capacity` ids. */
size_t lesson_about(const struct lesson *l, size_t i, const char **out, size_t capacity);

/* score.c: the words that answers are kept under, and what they count as. */
#define VERDICT_RIGHT      "right"
#define VERDICT_WRONG      "wrong"
#define VERDICT_UNREADABLE "unreadable"
#define VERDICT_NOTED      "noted"

/* Right, or right and rounded too early. */
bool lesson_verdict_right(const char *verdict);
/* Everything but "unreadable" and "noted". */
bool lesson_verdict_graded(const char *verdict);

/* check.c: whether a step has what its kind needs. If not, the message names the lesson's file and
 * the step's line. */
bool lesson_check_step(const struct lesson *l, size_t i, struct base_message *m);
/* Fails with the file, the line and the id of a step in front of the words. */
bool lesson_blame(const struct lesson *l, size_t i, struct base_message *m, const char *format, ...)
    BASE_PRINTF(4, 5);

/* problem.c: where the play of an animate step begins; false, with the reason, if it cannot be
 * played. */
bool lesson_playing_read(const json_t *step, struct account_playing *out, struct base_message *m);

/* Worksheets. Without a list of blanks, or with one that names none of the lines, all lines are
 * blank. */
bool lesson_sheet_is_blank(const json_t *step, const struct account_solution *s, size_t i);

/* problem.c */
enum { VARIANT_SEEDS = 64, OPTIONS_MOST = 16, ABOUT_MOST = 24 };

/* Problems of a round of a review or a check, at most. */
enum { MIX_MOST = 10 };

/* amount.c: the amount that a lab asks for before it runs: "ask", and a "problem", or the time "of"
 * which is that of one "run" ÷ that "to" another, counted from 0. False if `amount` is NULL or its
 * problem cannot be solved. */
struct lesson_amount {
    /* how many times; else what the problem asks */
    bool factor;
    struct account_problem problem;
    struct account_solution solution;
};
bool lesson_amount_get(const json_t *amount, struct lesson_amount *out);
/* Why it cannot be read, the caller's; NULL if it can: then its value. */
char *lesson_amount_misread(const struct lesson_amount *a, const char *text, double *value);
/* Whether a number, in base units, is near enough to what it is to be called close. */
bool lesson_amount_close(const struct lesson_amount *a, double value);
/* What was said next to what it is, the caller's: a number by the engine, a factor by what the runs
 * measured. NULL if they did not. An empty text says nothing, and is told what it is. */
char *lesson_amount_judge(const json_t *amount, const char *text, const json_t *runs, bool *right);

/* mix.c: a lesson that is made of others' steps: empty, with room for so many; one more step, which
 * takes over `json` and `item`; and a step of the `nth` lesson as it was written, but for its name,
 * its function's number and where it is from (the caller's). */
struct lesson *lesson_mix_new(enum lesson_kind kind, const char *id, const char *title,
                              size_t steps);
void lesson_mix_add(struct lesson *l, enum lesson_step_kind kind, json_t *json, char *item);
json_t *lesson_mix_step(const struct lesson *l, size_t i, size_t nth, const char *id);
/* The first function of the `nth` lesson, as lesson_mix_function() takes it apart. */
int lesson_mix_own(size_t nth);

/* steps/read.c: a note of a `read` step, and which lines of its source (from 1) it is about:
 * those it names, or the first that has its words after the note before it. */
enum { NOTES_MOST = 16 };
struct source_note {
    /* 0: no line has its words */
    int from, to;
    /* `has`: words of those lines, NULL if none are named */
    const char *text, *has;
};
/* "4", "4-7" */
bool lesson_source_lines(const char *text, int *from, int *to);
/* All notes of the step; returns how many. */
size_t lesson_source_notes(const json_t *step, struct source_note out[NOTES_MOST]);

#endif
