/* lesson/course.h: the course, and its reviews and checks, which are made of the lessons'
 * problems. */
#ifndef LESSON_COURSE_H
#define LESSON_COURSE_H

#include "lesson/data.h"

/* ── the course ──────────────────────────────────────────────────────────────────────────────────
 * Phases, ids, titles, minutes and files, from lessons/course.json. The lessons of a phase are
 * followed by its review ("1r") and its check ("1c"), which have no file. */
enum lesson_kind {
    LESSON_ORDINARY,
    /* of a phase */
    LESSON_REVIEW,
    LESSON_CHECK,
    /* what comes back today; not in the course */
    LESSON_QUEUE,
    /* the case of the week; neither */
    LESSON_CASE,
    /* steps of one kind from several lessons, such as myths; neither */
    LESSON_DRILL,
    /* a lab, or a page to read, by itself; neither */
    LESSON_SINGLE
};
const char *lesson_kind_name(enum lesson_kind k); /* "lesson", "review", "drill" */
/* What a review or a check of a phase asks, in a sentence or two; "" of others. */
const char *lesson_kind_says(enum lesson_kind k);
struct lesson_entry {
    const char *id, *title;
    /* relative to lessons/, NULL if the lesson does not exist yet */
    const char *file;
    /* phase counts from 0 */
    int minutes, phase;
    enum lesson_kind kind;
};
/* What a new learner reads first. `text` is NULL if there is none. */
struct lesson_welcome {
    /* a sentence that says what it is about, then what one learns; Markdown */
    const char *text;
    /* or NULL */
    const json_t *figure;
    /* a lab whose recording can be watched, or NULL */
    const char *watch;
};
struct lesson_course {
    struct lesson_welcome welcome;
    /* the file of the cases of the week, relative to lessons/; NULL if there is none */
    const char *cases;
    json_t *json;
    /* what the reviews and checks are called */
    json_t *made;
    size_t phases, lessons, extras;
    const char *phase_title[8];
    struct lesson_entry lesson[64];
    /* What stands beside the course, to be read: no phase, no problems, nothing is earned by it. */
    struct lesson_entry extra[16];
};
/* The extra of this id; NULL if there is none. */
const struct lesson_entry *lesson_course_extra(const struct lesson_course *c, const char *id);
bool lesson_course_read(struct lesson_course *c, const json_t *json, struct base_message *m);
void lesson_course_free(struct lesson_course *c);

/* ── reviews and checks ──────────────────────────────────────────────────────────────────────────
 * A review asks problems of several lessons again, mixed; a check asks a few of them, each once and
 * without help. Both are lessons: their steps are these problems, in a new order, and a last page
 * with the result. Going through one is a round, and each round chooses again. A step's id names
 * its round, "2/1.3/one-stage", and the last one is "2/result", so a place says both round and
 * step. */
enum { LESSON_CHECK_ASKS = 6 };
struct lesson_mix {
    /* A review keeps answers under the problems' own items, a check under "1c/1.3-one-stage", its
     * tries the rounds. */
    enum lesson_kind kind;
    /* "1r" */
    const char *id, *title;
    /* from 1 */
    int round;
    /* the learner's */
    uint64_t seed;
    size_t lessons;
    const struct lesson *const *lesson;
    /* The ids of this round's steps, separated by blanks, if they were chosen before; else NULL. */
    const char *chosen;
    /* what its first page says before it asks, Markdown; or NULL */
    const char *opening;
    /* check: what its last page says is next, Markdown */
    const char *passed, *failed;
};
/* Makes the lesson, which the caller owns. It keeps no reference to the lessons it was made of. A
 * review prefers problems that were missed last time, then new ones, and does not ask two of one
 * lesson in a row if there are several lessons. A check takes one problem of each lesson and then
 * starts over, and prefers problems that ask for a number. NULL if there are no problems. */
struct lesson *lesson_mix(const struct lesson_mix *mix, struct lesson_journal journal,
                          struct base_message *m);
/* Which lesson (its place in `lesson`) a function of the mixed lesson belongs to; returns what it
 * is called there. */
int lesson_mix_function(int fn, size_t *lesson);
/* The round of a place; 0 if it is not in a round. `over`: the place is the last page. */
int lesson_mix_round(const char *place, bool *over);
/* ── what comes back, and drills ─────────────────────────────────────────────────────────────────
 * A queue is a lesson of steps of several lessons that were chosen: problems, myths, cards and
 * explanations. It asks each once, with help but without fresh numbers, and then leads to where it
 * was taught. Answers are kept under the items of their lessons, those to cards under
 * LESSON_CARD_LINE: "right" if the back was known. Whoever makes a LESSON_QUEUE says what follows
 * from an answer, and how it went: its last page is empty. That of a LESSON_DRILL lists what was
 * missed in it. */
#define LESSON_CARD_LINE  "card"
#define LESSON_FRESH_LINE "fresh"
/* the line of a try whose numbers were passed over before an answer */
#define LESSON_PASSED_LINE "passed"
struct lesson_queue_head {
    enum lesson_kind kind;
    /* its id as a lesson, "review", and what it is called */
    const char *id, *title;
    /* of a drill: what it counts, "points covered"; else NULL */
    const char *counts;
    /* why there is none, if nothing is left to ask */
    const char *none;
    /* a problem's numbers here are none that it had elsewhere, and none of a try that it may have
     * begun elsewhere without an answer. Such a try has a line LESSON_FRESH_LINE, which tells its
     * answers from others, and goes on only here. */
    bool fresh;
};
struct lesson_queued {
    /* its place in the list of lessons */
    size_t lesson;
    /* of the step, or of the card */
    const char *id;
    /* NULL, or a problem of no lesson: its step, whose id is also its item. `lesson` is then the
     * number of its function, counted on behind the lessons. */
    const json_t *own;
};
/* The lesson, the caller's; it does not hold on to the lessons it was made of. What is not there
 * any more is left out; NULL if nothing is left. Its functions are numbered as those of a mixed
 * one. */
struct lesson *lesson_queue(const struct lesson_queue_head *head,
                            const struct lesson *const *lesson, const struct lesson_queued *queued,
                            size_t count, struct base_message *m);

/* ── the case of the week ────────────────────────────────────────────────────────────────────────
 * One step of a lesson by itself. Its answer is kept under `item`, which it takes over, and no
 * place is. The caller's. */
struct lesson *lesson_case(const struct lesson *cases, size_t step, char *item);
/* A page of Markdown to read, as a lesson of one step, never graded; the caller's. */
struct lesson *lesson_page(const char *id, const char *title, const char *markdown);

/* One step that is written here, by itself: `json` is its own, and it is kept as "ID/" and the
 * step's id, where no place is. The caller's; NULL with the message if the step is not whole. */
struct lesson *lesson_single(const char *id, json_t *json, struct base_message *m);

/* Whether `right` right answers of `asked` in one round pass a check. */
bool lesson_check_passes(size_t right, size_t asked);

#endif
