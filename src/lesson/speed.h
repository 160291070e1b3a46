/* lesson/speed.h: the speed challenge: a round of napkin arithmetic, against a clock or without.
 *
 * Answers count as right within 10%. So a question is asked only if every mistake that the engine
 * knows of it gives a number at least 25% away, except GB for GiB and the like: what is within 10%
 * is no mistake here. The clock runs
 * only while a question is open, and it is the caller's: times are milliseconds that never go back.
 * A round rises from level to level while answers are right, and falls one after a wrong answer. A
 * wrong answer costs its time and nothing else, and comes back after the round, without a clock.
 *
 * Nothing of it counts for reviews or mastery. A number within 10% under a clock shows less than
 * the whole answer that a problem asks for, and the questions are the ones that are easiest to tell
 * from their mistakes. */
#ifndef LESSON_SPEED_H
#define LESSON_SPEED_H

#include "lesson/judging.h"

#define LESSON_SPEED_TOLERANCE 0.10
#define LESSON_SPEED_CLEARANCE 0.25
enum {
    LESSON_SPEED_LEVELS = 5,
    LESSON_SPEED_OPTIONS = 4,
    /* questions of a round without a clock */
    LESSON_SPEED_UNTIMED = 12
};

enum lesson_speed_subject {
    LESSON_SPEED_ALL,
    LESSON_SPEED_STATES,
    LESSON_SPEED_SHARDS,
    LESSON_SPEED_TRAFFIC,
    /* activations, peaks and what the host keeps */
    LESSON_SPEED_MEMORY,
    LESSON_SPEED_SECONDS,
    LESSON_SPEED_FITS,
    LESSON_SPEED_SUBJECTS
};
/* "traffic", for the command line and the record; "Traffic and collectives", for people. */
const char *lesson_speed_subject_name(enum lesson_speed_subject s);
const char *lesson_speed_subject_title(enum lesson_speed_subject s);
/* The subject of that name; LESSON_SPEED_SUBJECTS if there is none. */
enum lesson_speed_subject lesson_speed_subject_find(const char *name);
/* How such questions are quick to answer, in a sentence; "" of all subjects together. */
const char *lesson_speed_subject_advice(enum lesson_speed_subject s);
/* What a problem is about, and how hard it is, 1 to LESSON_SPEED_LEVELS. */
enum lesson_speed_subject lesson_speed_subject_of(const struct account_problem *p);
int lesson_speed_level_of(const struct account_problem *p);
/* Whether a variant may be asked: see above. */
bool lesson_speed_suits(const struct account_problem *p);

/* Whether a judged answer counts: right, or within LESSON_SPEED_TOLERANCE. */
bool lesson_speed_is_right(const struct account_solution *s, const struct account_judgement *j);

/* The problems of these lessons that ask for one number, and their worksheets, as a lesson, the
 * caller's; it holds on to none of them. Its functions are numbered as those of a mixed lesson.
 * NULL if there are none. */
struct lesson *lesson_speed_pool(const struct lesson *const *lesson, size_t count,
                                 struct base_message *m);

struct lesson_speed_options {
    enum lesson_speed_subject subject;
    /* by a choice of four sizes, not by a number */
    bool choose;
    /* of the round; 0: no clock, LESSON_SPEED_UNTIMED questions */
    int64_t ms;
    uint64_t seed;
};
struct lesson_speed_question {
    /* Markdown: in the lesson's words, and in few, to be read under a clock; both say all */
    const char *ask, *brief;
    /* the item it is drawn from, and the lesson that teaches it: "1.3/one-stage", "1.3" */
    const char *item, *lesson;
    enum account_unit unit;
    enum lesson_speed_subject subject;
    int level;
    /* with `choose`: rising, as text */
    char option[LESSON_SPEED_OPTIONS][32];
};
/* One question that was answered, or skipped. Strings are the round's. */
struct lesson_speed_result {
    const char *item, *lesson;
    enum lesson_speed_subject subject;
    uint64_t seed;
    int64_t ms;
    bool right;
    /* What was asked, in short: "34B on 64 GPUs, all states at stage 3". As typed or picked, "" if
     * it was skipped; the right value; and which mistake gives a wrong number, "" if it is none. */
    char *about, *typed, *truth, *remark;
    /* What was typed, in the unit of the right value: "0.000384 TB" for "384 MB". */
    char *said;
};
struct lesson_speed_tally {
    size_t asked, right;
    int64_t ms;
};

/* ── a round ───────────────────────────────────────────────────────────────────────────────────*/
struct lesson_speed;
/* The pool and the source must outlive it. Asks nothing yet. */
struct lesson_speed *lesson_speed_open(const struct lesson *pool, struct lesson_source source,
                                       const struct lesson_speed_options *o);
void lesson_speed_close(struct lesson_speed *s);
const struct lesson_speed_options *lesson_speed_options(const struct lesson_speed *s);
/* Draws the next question, with its clock stopped. False if the round is over, or if nothing can be
 * asked: then the message is filled, and the round is over too. */
bool lesson_speed_next(struct lesson_speed *s, struct base_message *m);
/* The open question; of one that came back, also after its answer. NULL if there is none. */
const struct lesson_speed_question *lesson_speed_asked(const struct lesson_speed *s);
/* Starts and stops the clock of the open question. */
void lesson_speed_run(struct lesson_speed *s, int64_t now);
void lesson_speed_hold(struct lesson_speed *s, int64_t now);
bool lesson_speed_runs(const struct lesson_speed *s);
/* What is left of the round, 0 or more; -1 without a clock. And what was used of it. */
int64_t lesson_speed_left(const struct lesson_speed *s, int64_t now);
int64_t lesson_speed_spent(const struct lesson_speed *s, int64_t now);

enum lesson_speed_came {
    /* no number, or no option: the question stays, and its clock runs on */
    LESSON_SPEED_UNREAD,
    LESSON_SPEED_WRONG,
    LESSON_SPEED_RIGHT,
    /* the time was over before: it does not count */
    LESSON_SPEED_LATE
};
/* Answers the open question: a number or an expression, or an option's number. NULL skips it. */
enum lesson_speed_came lesson_speed_answer(struct lesson_speed *s, const char *text, int64_t now);
/* Why the last answer could not be read; "" if it could. */
const char *lesson_speed_unread(const struct lesson_speed *s);
/* Ends the round; an open question is dropped. */
void lesson_speed_end(struct lesson_speed *s, int64_t now);
bool lesson_speed_over(const struct lesson_speed *s);
/* The `i`th answer, from 0; NULL if there are not so many. */
const struct lesson_speed_result *lesson_speed_result(const struct lesson_speed *s, size_t i);
struct lesson_speed_tally lesson_speed_tally(const struct lesson_speed *s,
                                             enum lesson_speed_subject subject);
/* The subject that took longest for each answer, of those with two answers; LESSON_SPEED_ALL if
 * there are not several, or two took equally long. */
enum lesson_speed_subject lesson_speed_slowest(const struct lesson_speed *s);
int lesson_speed_level(const struct lesson_speed *s);
/* How many answers in a row were right, up to now. */
size_t lesson_speed_row(const struct lesson_speed *s);
/* How it went, to be kept: {"v":1,"subject","ms","choose","asked","right","spent","of":[…]}, the
 * caller's. */
json_t *lesson_speed_write(const struct lesson_speed *s);

/* The question asked last, as lesson_report() tells of a step, with "answered": how it was answered
 * in the round, or null. An open question comes without its solution. The caller's; NULL if nothing
 * was asked. */
json_t *lesson_speed_report(const struct lesson_speed *s);

/* ── afterwards ──────────────────────────────────────────────────────────────────────────────────
 * What was not right comes back with the same numbers, one question after the other, without a
 * clock. Answering changes no result. */
size_t lesson_speed_missed(const struct lesson_speed *s);
/* Asks the next of them; false if there is none left. */
bool lesson_speed_again(struct lesson_speed *s);
/* Which of them is open, from 1. */
size_t lesson_speed_nth(const struct lesson_speed *s);
/* The answer to the one that came back last, with the working: Markdown, the caller's. */
char *lesson_speed_solution(const struct lesson_speed *s);

#endif
