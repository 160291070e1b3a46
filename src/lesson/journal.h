/* lesson/journal.h: the two interfaces that this module needs from others: a source of fresh
 * numbers (script implements it) and a journal that keeps answers (store implements it). */
#ifndef LESSON_JOURNAL_H
#define LESSON_JOURNAL_H

#include "base/base.h"

/* Asks a lesson for a fresh variant: calls its function number `fn` with random numbers seeded by
 * `seed`. The result is the caller's. NULL with the message filled if the lesson failed, took too
 * long or died. */
struct lesson_source {
    void *self;
    json_t *(*call)(void *self, int fn, uint64_t seed, struct base_message *m);
    /* Drops all state that earlier calls left in the lesson, so that lint can detect such state.
     * NULL: calls leave no state. */
    void (*restart)(void *self);
    /* The learner's own training, which sliders can be set to: by the name of a field its "value",
     * and its "name" for people. NULL: there is none. It must outlive the dialogue. */
    const json_t *own;
};

/* One run of a lab. The table `lab_run` keeps it with its answer. Strings are borrowed. */
struct lesson_run {
    /* "stage-ladder" */
    const char *lab;
    /* "stage 2" */
    const char *variant;
    /* as one would type it */
    const char *command;
    /* JSON Lines */
    const char *events;
    /* "ended", "failed" or "cancelled" */
    const char *outcome;
    /* What was measured, as the answer's problem: {"params":N, "rows":[{"what":"params",
     * "measured":B,"predicted":B|absent},…], "loss":"…", "note":"…"}; NULL if the run failed before
     * it measured. */
    const json_t *measured;
    double seconds;
};

/* a problem's hints: two of its author, and a line of its solution */
enum { LESSON_HINTS = 3 };

/* One answer. The table `answer` in store keeps it. Strings are borrowed. */
struct lesson_answer {
    /* "1.1/ddp-7b" */
    const char *item;
    /* the worksheet line's id, or "" */
    const char *line;
    /* 1, 2, …: each try has its own seed */
    int try;
    uint64_t seed;
    /* the variant itself */
    const json_t *problem;
    int lesson_revision;
    const char *typed;
    /* base units; NaN if it is no number */
    double value;
    /* "right", "rounded", "unit", "mistake", "wrong", "unreadable", "noted" (ungraded) */
    const char *verdict;
    /* id, ids joined by '|', or "" */
    const char *mistake;
    /* deepest hint level seen before it: 0 to LESSON_HINTS */
    int hints;
    double seconds;
    /* A run of a lab, which is the answer; NULL in what is read back. */
    const struct lesson_run *run;
};

/* Where the learner left a lesson. The worksheet line and the try follow from the answers. */
struct lesson_place {
    /* the step's id; "" if never opened */
    char step[64];
    /* once it was gone through to the recap, whatever was answered on the way */
    bool finished;
};

/* Keeps answers. When a function returns true, the data is durable. All return false with the
 * message filled if they fail. A journal that several programs share refuses an answer if its item,
 * line and try already have one. An "unreadable" answer does not count as one: it is refused like
 * any other, but it keeps out none. */
/* What the first and the last graded answer to an item as a whole say. */
struct lesson_ends {
    bool answered, right_first, right_last;
};
struct lesson_journal {
    void *self;
    bool (*answer)(void *self, const struct lesson_answer *a, struct base_message *m);
    bool (*place_get)(void *self, const char *lesson, struct lesson_place *out,
                      struct base_message *m);
    bool (*place_set)(void *self, const char *lesson, const struct lesson_place *p,
                      struct base_message *m);
    /* Calls `each` with every answer kept for an item, oldest first; `a` lives during the call. */
    bool (*answers)(void *self, const char *item,
                    void (*each)(void *to, const struct lesson_answer *a), void *to,
                    struct base_message *m);
    /* The same in short, without reading all answers. NULL: only they tell. */
    struct lesson_ends (*ends)(void *self, const char *item);
};
/* Keeps nothing, for lessons that are walked through and not learned. */
extern const struct lesson_journal lesson_forgetful_journal;

#endif
