/* classroom/grade.h: points from judged answers: which try counts, what is late, what is missing.
 * Pure: it reads no file and asks no clock. */
#ifndef CLASSROOM_GRADE_H
#define CLASSROOM_GRADE_H

#include "classroom/settings.h"

/* An answer to a whole item, in the order of the hand-in. Strings are borrowed. */
struct classroom_judged {
    /* "1.1/ddp-7b": its lesson stands before the slash */
    const char *item;
    int try;
    /* by the learner's clock; and when it was first collected, by the file server's (0: unknown) */
    int64_t time, seen;
    bool right;
    /* why it was wrong, "" if that has no name */
    const char *mistake;
    int hints;
    double seconds;
};
struct classroom_points {
    /* of the answer that counts; borrowed */
    const char *item, *mistake;
    /* 0 to 1, after what being late costs */
    double points;
    bool right;
    /* days begun after the deadline; 0: in time */
    int late_days;
    /* tries that were answered; and how many numbers below the last one are missing */
    int tries, missing;
    /* the place of the answer that counts among the judged ones */
    size_t counts;
};
/* The time that an answer is taken to have: the learner's, but not after it was collected. */
int64_t classroom_judged_time(const struct classroom_judged *a);
enum classroom_clock {
    CLASSROOM_CLOCK_FITS,
    /* it says that it is from later than when it was collected */
    CLASSROOM_CLOCK_AHEAD,
    /* it says that it was in time, and was first seen CLASSROOM_LONG or more after the deadline */
    CLASSROOM_CLOCK_BEHIND
};
enum { CLASSROOM_LONG = 3600 };
enum classroom_clock classroom_judged_clock(const struct classroom_settings *s, const char *account,
                                            const struct classroom_judged *a);
/* Whether an item belongs to the class: its lesson is one of the plan's, or the plan names none. */
bool classroom_grades_item(const struct classroom_settings *s, const char *item);
/* Grades the answers of one account: one entry for each item of the class that was answered, in the
 * order of the answers that count. *out is the caller's. */
size_t classroom_grade(const struct classroom_settings *s, const char *account,
                       const struct classroom_judged *judged, size_t n,
                       struct classroom_points **out);

#endif
