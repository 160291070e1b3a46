/* lesson.h: a lesson after reading, as the files of this room see it. Not for other rooms. */
#ifndef STUDY_LESSON_H
#define STUDY_LESSON_H

#include "study/study.h"

struct lesson_step {
    const json_t *json; /* the step as it was written */
    enum study_step_kind kind;
    const char *id;
    char *item; /* "1.1/two-bytes": what its answers are kept under */
    int line;   /* of the lesson's source, 0 if unknown */
};
struct study_lesson {
    json_t *json;
    char *name; /* the file's, for messages */
    char *id;
    size_t count;
    struct lesson_step *step;
    enum study_kind kind;
    int round; /* of a review or a check */
};

/* Whether answers to this step count: problems and myths do. */
bool lesson_graded(const struct study_lesson *l, size_t i);
/* A problem that is kept for reviews and checks: the way through the lesson leaves it out, and so do its count, score and minutes. */
bool lesson_aside(const struct study_lesson *l, size_t i);
/* Index of the step with this id, or the count if there is none. */
size_t lesson_find(const struct study_lesson *l, const char *id);
/* Of the lesson that the step was written in. */
int lesson_revision(const struct study_lesson *l, size_t i);
/* In a review or a check, the lesson that the step was written in: its "id", "title", "file" and "revision"; else NULL. */
const json_t *lesson_origin(const struct study_lesson *l, size_t i);
/* "number", "sheet", "choice", "order" or "sort" of a problem; "" of other steps. */
const char *lesson_form(const struct study_lesson *l, size_t i);
/* The mistakes a problem is about. Returns how many there are; fills at most `room` ids. */
size_t lesson_about(const struct study_lesson *l, size_t i, const char **out, size_t room);

/* check.c: whether a step has what its kind needs. `where` blames the lesson's file and the step's line. */
bool check_step(const struct study_lesson *l, size_t i, struct base_message *m);
/* Fails with the file, the line and the id of a step in front of the words. */
bool lesson_blame(const struct study_lesson *l, size_t i, struct base_message *m,
                  const char *format, ...) BASE_PRINTF(4, 5);

/* sheet.c: worksheets. Without a list of blanks, or with one that names none of the lines, all lines are blank. */
bool sheet_is_blank(const json_t *step, const struct account_solution *s, size_t i);
/* Whether this mistake can be made on line `i` and told from the truth there; `out` is what it yields. */
bool sheet_tells(const struct account_problem *p, const struct account_solution *s, size_t i,
                 const char *mistake, struct account_match *out);

/* variant.c */
enum { VARIANT_SEEDS = 64, OPTIONS_MOST = 16, ABOUT_MOST = 24 };
/* Whether a variant has what the step's form needs and can be solved. `again` says that other numbers may do better. */
bool variant_check(const struct study_lesson *l, size_t i, const json_t *variant, bool *again,
                   struct base_message *m);
/* Calls the step's function once with one seed, and checks what it gives. */
json_t *variant_once(const struct study_lesson *l, size_t i, struct study_source source,
                     uint64_t seed, bool *again, struct base_message *m);

/* mix_choose.c: the problems of a round, in their order. */
enum { MIX_MOST = 10 };
struct mix_pick {
    size_t lesson, step; /* in study_mix.lesson */
};
size_t mix_choose(const struct study_mix *mix, struct study_journal journal,
                  struct mix_pick out[MIX_MOST]);
/* mix.c: a step's id, and the item its answers are kept under; the caller's. */
char *mix_step_id(const struct study_mix *mix, struct mix_pick p);
char *mix_item(const struct study_mix *mix, struct mix_pick p);

/* step_source.c: a note of a `read` step, and which lines of its source (from 1) it is about: those it names, or the first that has its
 * words after the note before it. */
enum { NOTES_MOST = 16 };
struct source_note {
    int from, to;           /* 0: no line has its words */
    const char *text, *has; /* `has`: words of those lines, NULL if none are named */
};
/* "4", "4-7" */
bool source_lines(const char *text, int *from, int *to);
/* All notes of the step; returns how many. */
size_t source_notes(const json_t *step, struct source_note out[NOTES_MOST]);

#endif
