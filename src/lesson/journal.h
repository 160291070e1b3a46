/* lesson/journal.h: what this module needs from others, as two small interfaces: a source of fresh
 * numbers (script fills it) and a journal that keeps answers (store fills it). */
#ifndef LESSON_JOURNAL_H
#define LESSON_JOURNAL_H

#include "base/base.h"

/* Asks a lesson for a fresh variant: calls its function number `fn` with random numbers seeded by
 * `seed`. The result is the caller's. NULL with the message filled if the lesson failed, took too
 * long or died. */
struct lesson_source {
    void *self;
    json_t *(*call)(void *self, int fn, uint64_t seed, struct base_message *m);
    /* Forgets whatever earlier calls left behind in the lesson, so that lint can see whether they
     * did. NULL: nothing is ever left. */
    void (*restart)(void *self);
};

/* One run of a lab as it happened; `lab_run` keeps it beside its answer. Strings are borrowed. */
struct lesson_run {
    const char *lab;     /* "stage-ladder" */
    const char *variant; /* "stage 2" */
    const char *command; /* as one would type it */
    const char *events;  /* JSON Lines */
    const char *outcome; /* "ended", "failed" or "cancelled" */
    /* What was measured, as the answer's problem: {"params":N, "rows":[{"what":"params",
     * "measured":B,"predicted":B|absent},…], "loss":"…", "note":"…"}; NULL if the run did not come
     * so far. */
    const json_t *measured;
    double seconds;
};

/* One answer as it happened; what `answer` keeps of it is documented at store. Strings are
 * borrowed. */
struct lesson_answer {
    const char *item; /* "1.1/ddp-7b" */
    const char *line; /* the worksheet line's id, or "" */
    int try;          /* 1, 2, …: each try has its own seed */
    uint64_t seed;
    const json_t *problem; /* the variant itself */
    int lesson_revision;
    const char *typed;
    double value; /* base units; NaN if it is no number */
    /* "right", "rounded", "unit", "mistake", "wrong", "unreadable", "noted" (ungraded) */
    const char *verdict;
    const char *mistake; /* id, ids joined by '|', or "" */
    int hints;           /* deepest hint level seen before it: 0 to 3 */
    double seconds;
    /* A run of a lab, which is the answer; NULL in what is read back. */
    const struct lesson_run *run;
};

/* Where a lesson was left; the worksheet line and the try follow from the answers. */
struct lesson_place {
    char step[64]; /* the step's id; "" if never opened */
    bool finished; /* once it was gone through to the recap, whatever was answered on the way */
};

/* Keeps answers. When a function returns, what it was given is durable. All return false with the
 * message filled. A journal that several programs share refuses an answer whose item, line and try
 * have one already; what is "unreadable" never was one. */
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
};

#endif
