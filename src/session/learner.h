/* learner: the course, and the record of the one who takes it: how far every lesson is, the job,
 * the case of the week, placement. */
#ifndef SESSION_LEARNER_H
#define SESSION_LEARNER_H

#include "base/base.h"
#include "store/store.h"
#include "lesson/lesson.h"

/* A learner: the course, and the record of the one who takes it. Opening it reads course.json and
 * the store and runs no lesson. */
struct learner;
/* NULL: the record in use (session/membership.h) */
struct learner *session_learner_open(const char *store_path, struct base_message *m);
void session_learner_close(struct learner *who);
/* Whether another record is in use by now, because the learner's class began or ended
 * (session_class_look() finds out). */
bool session_learner_turns(const struct learner *who);
/* Goes over to that record: *who is closed and becomes another learner, so no lesson and nothing
 * else of it may be in use. False with the message filled; then *who stays. */
bool session_learner_turn(struct learner **who, struct base_message *m);

/* ── all that a learner has ────────────────────────────────────────────────────────────────────*/
/* The record and, if `memos`, the memos in the learner's folder as the text of one file, to move to
 * another machine: the same record gives the same bytes. The caller's; NULL with the message
 * filled. */
char *session_learner_export(struct learner *who, bool memos, size_t *length,
                             struct base_message *m);
/* Takes such a file, which may come from anybody, into a record in which nothing was done: all of
 * it, or nothing with the message filled. */
bool session_learner_import(struct learner *who, const char *path, struct base_message *m);
/* The same with all of another record, without a file. */
bool session_learner_copy(struct learner *who, struct learner *from, struct base_message *m);
/* Deletes the record and, if `memos`, the memos and reports in the learner's folder. Afterwards
 * `who` may only be closed. */
bool session_learner_delete(struct learner *who, bool memos, struct base_message *m);
struct store *session_learner_store(struct learner *who);
const struct lesson_course *session_learner_course(const struct learner *who);

enum learner_standing {
    /* never opened */
    LEARNER_UNTOUCHED,
    /* a check that the placement asks just now: the learner did not begin it as a check */
    LEARNER_ASKED,
    /* under way */
    LEARNER_BEGUN,
    /* gone through, but some of what it asks was not answered */
    LEARNER_SKIPPED,
    /* a check that was not passed, in no round */
    LEARNER_FAILED,
    /* gone through, and each of its graded steps was answered, or its phase's check was passed; of
     * a check: it was passed */
    LEARNER_DONE
};
/* of one lesson of the course; of a review or a check, of its last round */
struct learner_progress {
    /* it has a file; of reviews and checks, any lesson of the phase has */
    bool exists;
    bool opened;
    enum learner_standing standing;
    /* it was gone through to its end, whatever was answered on the way */
    bool through;
    /* it was left in the middle */
    bool under_way;
    /* where it was left */
    char step[64];
    /* 1-based, 0 if unknown (from the record) */
    int step_number;
    /* its graded steps, open ones too, those whose latest verdict is right, and those whose first
     * one was */
    size_t graded, right, right_first;
    /* steps that must be answered and were not */
    size_t skipped;
    /* of a lesson: the first of them, "" if there is none */
    char skip[64];
};
/* Fresh from the store; `i` is the lesson's index in the course. */
struct learner_progress session_learner_progress(struct learner *who, size_t i);
/* What one can do after a lesson, "" if it does not say. It lives until the lesson's file is
 * edited. Runs the lesson if it was not yet; so does the next one. */
const char *session_learner_goal(struct learner *who, size_t i);
/* The drawing that represents a lesson: the one that it names, else the first that it shows before
 * it asks anything, sliders where they begin and a play at its end. Until the learner has answered
 * the question that opens the lesson, one that leaves it open. The caller's; NULL if there is
 * none. */
json_t *session_learner_face(struct learner *who, size_t i);
/* Whether nothing was opened or answered yet. */
bool session_learner_is_new(struct learner *who);
/* The lesson to take next. Of the lessons that are under way or at their end, the one opened last
 * decides: it is next if it is under way; if it ended, the first that is left among those that
 * follow it is, unless that is in a phase which still waits for its check, or is a review or check
 * before a lesson of its phase. Else the one under way that was opened last, else the first that
 * exists and was not gone through, with the phase's review and check after its lessons. Phases that
 * were earned are left out, and lessons of which something was skipped come last. A review or check
 * left at its first problem is not under way. The course's count if nothing is left. */
size_t session_learner_next(struct learner *who);
/* The same where the lesson with this id ended just now. The course's count if no other lesson is
 * left. */
size_t session_learner_after(struct learner *who, const char *id);
/* How far to go in a lesson today: from where it was left, or its beginning, to its natural stop,
 * and from there to its end. */
struct learner_stretch {
    /* at least 1 */
    int minutes;
    /* numbers of steps, from 1; 0 of reviews, checks and what was only skipped */
    int from, to, steps;
};
struct learner_stretch session_learner_stretch(struct learner *who, size_t i);
/* Where a lesson under way was left, if that was more than twelve hours ago: the title of the step,
 * and a sentence of what was shown before it, in Markdown (NULL: there is none). Without a title it
 * was not. Freed by session_learner_left_free(). */
struct learner_left {
    char *title, *said;
};
struct learner_left session_learner_left(struct learner *who, size_t i);
void session_learner_left_free(struct learner_left *left);
/* Calls `each` with the steps of a lesson of the course that a learner meets, in order, what became
 * of those that are graded, and whether they were open once, if they were passed. The strings live
 * until its file is edited. */
struct learner_step {
    const char *id, *title;
    bool asks, opened;
    enum lesson_came came;
};
void session_learner_steps(struct learner *who, size_t i,
                           void (*each)(void *to, const struct learner_step *s), void *to);
/* The learner's own job: a model, GPUs and a card. It is typed once, as the options of `zerotutor
 * mem` or as a memo's scenario, checked by the engine, and kept in the record; "" forgets it. False
 * with the message filled if it cannot be read or kept. */
bool session_learner_set_job(struct learner *who, const char *text, struct base_message *m);
/* The line that is kept, without "Scenario: "; the caller's, NULL if there is none. */
char *session_learner_job_line(struct learner *who);
struct learner_job {
    /* "Llama 3.1 8B on 4 × RTX 4090" */
    char name[160];
    /* what its step is counted with: "1 × 8192 tokens, full checkpointing"; layers are
     * checkpointed unless the job says otherwise */
    char step[96];
    /* at the lowest stage that fits, or if none does at the one that needs least */
    struct account_training training;
    /* bytes of one GPU at the peak of a step, and those that the card gives */
    uint64_t need, budget;
    enum account_fit fit;
};
/* False if none is kept. */
bool session_learner_job(struct learner *who, struct learner_job *out);
/* What it needs and whether that fits, a sentence; the caller's. */
char *session_job_words(const struct learner_job *job);
/* The case of the week: a complaint as people bring it, answered by choosing, never graded. It
 * comes from the course's file of cases. False if no lesson that one rests on is finished yet. */
struct learner_case {
    /* the complaint in a line, and as its step asks: Markdown; the learner's */
    const char *title, *ask;
    bool answered;
    /* its place in the file */
    size_t at;
};
bool session_learner_case(struct learner *who, struct learner_case *out);
#define LEARNER_CASE "case" /* what it is opened by, in the place of a lesson's id */
/* The check that opens a phase, while that is closed; the course's count if it is open: only a
 * passed check opens it, placement's included. Nothing is locked: any lesson of a closed phase can
 * be opened and taken all the same. */
size_t session_learner_gate(struct learner *who, size_t phase);
/* Placement: one check after the other, until one is not passed. It is offered while nothing but
 * checks was answered. */
enum learner_placement {
    /* nothing was answered yet */
    LEARNER_UNPLACED,
    /* it was begun */
    LEARNER_PLACING,
    /* it is over, or lessons were begun */
    LEARNER_PLACED
};
/* `next` becomes the check that it asks next; the course's count if every check is passed. */
enum learner_placement session_learner_placement(struct learner *who, size_t *next);
#define LEARNER_PLACE "placement" /* what it is opened by, in the place of a lesson's id */
/* Index of a lesson by id ("1.1") or its file's path; the course's count if there is none. */
size_t session_learner_find(struct learner *who, const char *id);

#endif
