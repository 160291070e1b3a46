/* review/fsrs.h: FSRS-6, the scheduler of open-spaced-repetition (fsrs-rs src/inference.rs and
 * src/model.rs; py-fsrs 6 and ts-fsrs 5 have the same 21 default parameters). */
#ifndef REVIEW_FSRS_H
#define REVIEW_FSRS_H

#include <stdint.h>

enum review_grade { REVIEW_AGAIN = 1, REVIEW_HARD, REVIEW_GOOD, REVIEW_EASY };

/* One thing in a learner's memory. */
struct review_fsrs {
    /* days until it is recalled with a probability of 0.9; 0: never reviewed */
    double stability;
    /* 1 to 10 */
    double difficulty;
};
/* The memory after a review so many whole days after the one before (0: the same day). */
struct review_fsrs review_fsrs_after(struct review_fsrs before, int64_t days, enum review_grade g);
/* The probability of recalling it so many days after its last review. */
double review_fsrs_recall(double stability, double days);
/* After how many days the probability of recall has fallen to `recall`, neither rounded nor
 * capped. */
double review_fsrs_days(double stability, double recall);
/* The days until the next review at a probability of recall of 0.9: whole, at least 1, at most
 * 36500. No chance is added, so that the same answers give the same day. */
int64_t review_fsrs_interval(double stability);

#endif
