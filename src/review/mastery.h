/* review/mastery.h: what a learner can do, by skill, folded from the answers of the record.
 *
 * Only first tries tell: the first answer to a problem on a day. What follows on that day is
 * practice with the solution fresh in mind. A skill is whatever text the caller names it by: a
 * stage, a quantity and a unit.
 *
 * The estimate has two factors.
 *
 * 1. The level: the share of first tries that were right, each older one counting 0.8 times as much
 *    as the next. This is the recency-weighted proportion of R-PFA (Galyardt and Goldin 2015, "Move
 *    your lamp post: Recent data reflects learner knowledge better than older data", Journal of
 *    Educational Data Mining 7(2), 83–108, doi 10.5281/zenodo.3554671), so that a bad first day is
 *    outgrown. As there, it begins with a ghost attempt, which fades like the others; ours counts
 *    half, so that one right answer is not 100% and one wrong answer is not 0%. An answer that was
 *    right after a hint counts half. The factors 0.8 and one half are choices, not fitted.
 * 2. The share of that which is recalled after so many days without practice: FSRS-6 (fsrs.h), fed
 *    with the same first tries, all problems of a skill in one memory.
 *
 * Assumptions: problems of a skill are equally hard, a right answer was known and not guessed, and
 * forgetting does not depend on the level. The estimate says nothing of skills that were never
 * asked. */
#ifndef REVIEW_MASTERY_H
#define REVIEW_MASTERY_H

#include "review/record.h"

struct review_skill {
    char *key;
    /* first tries; those that were right; those of them that needed a hint */
    int tries, right, helped;
    /* days of the first and the last of them */
    int64_t first, last;
    /* the sums of the recency-weighted proportion, the ghost attempt included */
    struct review_level {
        double right, weight;
    } level;
    struct review_fsrs now;
    /* as it was before the week of the last of them; no weight: that was its first week */
    struct review_then {
        struct review_level level;
        double stability;
        int64_t last;
    } then;
};
/* The probability of a right first try on a day, from 0 to 1. NaN if nothing was tried. */
double review_skill_likely(const struct review_skill *s, int64_t day);
/* The same as it was when the week of that day began. NaN if nothing had been tried. */
double review_skill_on_monday(const struct review_skill *s, int64_t day);

struct review_mastery;
/* Finds the skills at which an item was tried, each once: a worksheet has several, by its lines.
 * Returns how many, at most `most`; they live until the next answer is added. */
size_t review_mastery_tried(const struct review_mastery *m, const char *item,
                            const struct review_skill **out, size_t most);

/* The id of the mistake that was made last on an item or on a line of it, with its day; NULL if
 * none was. Lives until the next answer is added. */
const char *review_mastery_slip(const struct review_mastery *m, const char *item, int64_t *day);

/* A mistake that was made at least once. */
struct review_mistake {
    char *id;
    int times;
    int64_t last;
    /* first tries since then at the skill where it was made last */
    int since;
};
enum { REVIEW_OUTGROWN = 3 };
/* Whether it still happens: fewer than REVIEW_OUTGROWN first tries at that skill have passed
 * without it. */
bool review_mistake_happens(const struct review_mistake *m);

enum { REVIEW_DAYS_MOST = 371 }; /* 53 weeks */
/* A day with answers. */
struct review_studied {
    int64_t day;
    int answers;
    /* From question to answer, at most REVIEW_PAUSE each. */
    double seconds;
};
enum { REVIEW_PAUSE = 600 }; /* whoever takes longer has left the keyboard */

/* `lessons`: as in review_record_new(). */
struct review_mastery *review_mastery_new(const char *const *lessons, size_t count);
void review_mastery_free(struct review_mastery *m);
/* Whether the next answer is a first try, and needs a skill. */
bool review_mastery_asks(const struct review_mastery *m, const struct review_answer *a);
/* Adds the next answer; `skill` is NULL if it is not a first try. Lines of worksheets are answers
 * too. */
void review_mastery_add(struct review_mastery *m, const struct review_answer *a, const char *skill);
/* Skills by their keys; mistakes by their ids; days in order, the last REVIEW_DAYS_MOST. */
size_t review_mastery_skills(const struct review_mastery *m);
const struct review_skill *review_mastery_skill(const struct review_mastery *m, size_t i);
size_t review_mastery_mistakes(const struct review_mastery *m);
struct review_mistake review_mastery_mistake(const struct review_mastery *m, size_t i);
const struct review_studied *review_mastery_days(const struct review_mastery *m, size_t *count);

/* As text, the caller's, from which it can be read again without the answers. */
char *review_mastery_write(const struct review_mastery *m);
/* False, and it is empty, if the text was not written by this version. */
bool review_mastery_read(struct review_mastery *m, const char *text);

#endif
