/* lesson/data.h: a lesson as data: the JSON that a script returned, read and checked. */
#ifndef LESSON_DATA_H
#define LESSON_DATA_H

#include "lesson/journal.h"

/* Their names are in lesson_step_kind_name(). */
enum lesson_step_kind {
    LESSON_SAY,
    LESSON_PREDICT,
    LESSON_FIGURE,
    LESSON_EXPLORE,
    LESSON_WORKED,
    LESSON_PROBLEM,
    LESSON_MYTH,
    LESSON_SAY_ALOUD,
    LESSON_CARDS,
    LESSON_RECAP,
    LESSON_ANIMATE,
    LESSON_LAB,
    LESSON_READ,
    LESSON_MEMO,
    /* one of a `cards` step, asked in a review; no lesson has it as a step */
    LESSON_CARD,
    LESSON_STEP_KINDS
};
const char *lesson_step_kind_name(enum lesson_step_kind k);
enum { LESSON_MINUTES_MOST = 600 };

/* Parsed and checked; lessons/README.md describes the JSON it is read from. */
struct lesson;
/* Reads and checks the lesson that a script returned. `name` is the file's name, for messages. NULL
 * on error. */
struct lesson *lesson_read(const json_t *json, const char *name, struct base_message *m);
void lesson_free(struct lesson *l);
const char *lesson_id(const struct lesson *l);
const char *lesson_title(const struct lesson *l);
/* What a learner can do after it, worded to follow "You can now": "write the ledger …". "" if the
 * lesson does not say. */
const char *lesson_goal(const struct lesson *l);
/* The step whose figure represents the lesson; the count of steps if it names none. */
size_t lesson_face(const struct lesson *l);
/* The figure that a step shows to whoever reads it, borrowed. NULL if it has none, or hides a part
 * of it behind a guess, or sliders make it. */
const json_t *lesson_step_figure(const struct lesson *l, size_t i);
/* How long it takes to answer one of each: what a review asks for, and in lessons a problem. */
enum { LESSON_CARD_SECONDS = 15, LESSON_PROBLEM_SECONDS = 45, LESSON_SHEET_SECONDS = 120 };
/* How long it takes to read, look at and do a step, as an estimate, 0 of those that a learner does
 * not meet; and all of them, at least one minute. course.json repeats the minutes, so that home
 * runs no lesson, and lint refuses others. */
double lesson_step_seconds(const struct lesson *l, size_t i);
int lesson_minutes(const struct lesson *l);
/* The id of the step, near the middle, after which it is natural to stop for today. "" if the
 * lesson names none. */
const char *lesson_stop(const struct lesson *l);
size_t lesson_steps(const struct lesson *l);
/* The step as it was written: its "kind", "id", "text" … (borrowed). */
const json_t *lesson_step(const struct lesson *l, size_t i);
enum lesson_step_kind lesson_step_kind(const struct lesson *l, size_t i);
/* Whether a learner who goes through the lesson meets this step. Cards and problems that are kept
 * for reviews and checks are left out. */
bool lesson_step_passed(const struct lesson *l, size_t i);
/* Whether a lesson is done only once this step of it was answered: a graded problem on the way
 * through it, or a memo. */
bool lesson_step_counts(const struct lesson *l, size_t i);

/* Index of the step with this id, or the count if there is none. */
size_t lesson_find(const struct lesson *l, const char *id);
/* The card of this id, and in *step the `cards` step that it is in; NULL if there is none.
 * Borrowed. */
const json_t *lesson_card(const struct lesson *l, const char *id, size_t *step);

/* Whether answers to a step count: problems and myths. */
bool lesson_graded(const struct lesson *l, size_t i);
/* Whether a step waits for an answer of the learner's, graded or not. */
bool lesson_step_asks(const struct lesson *l, size_t i);
/* What a step is about: problems of one lesson that say the same are about the same; else its id.
 */
const char *lesson_skill(const struct lesson *l, size_t i);
/* The result of a graded step's last answer. In a check, of its answer in this round. What is not
 * graded, such as a guess, counts as right once it was answered, however. */
enum lesson_came { LESSON_CAME_NOT, LESSON_CAME_WRONG, LESSON_CAME_RIGHT };
enum lesson_came lesson_came(const struct lesson *l, size_t i, struct lesson_journal journal);

/* Whether a graded step was answered and its first answer was not right. */
bool lesson_missed_first(const struct lesson *l, size_t i, struct lesson_journal journal);

/* How many of a lesson's graded steps there are, were answered, were right (or rounded) in their
 * latest verdict, and in their first. */
struct lesson_score {
    size_t graded, answered, right, right_first;
};
void lesson_score_lesson(const struct lesson *l, struct lesson_journal journal,
                         struct lesson_score *out);

#endif
