/* review/streak.h: how many days, or weeks, in a row were kept: with an answer, or with nothing
 * due. */
#ifndef REVIEW_STREAK_H
#define REVIEW_STREAK_H

#include <stdbool.h>
#include <stdint.h>

/* Periods are numbered: days by review_day(), weeks by review_week(). */
struct review_streak {
    /* periods in a row; the last one; the last forgiven */
    int64_t kept, last, forgiven;
    bool begun;
};
/* What holds of all days, or all weeks. */
struct review_periods {
    /* one missed in so many is forgiven, and not counted; 0: none */
    int64_t forgives;
    /* so many periods back is a clock that was wrong before; less is as the same period */
    int64_t wrong;
};
extern const struct review_periods review_days, review_weeks;

/* The week of a day, from Monday on, as in ISO 8601. */
int64_t review_week(int64_t day);
/* The Monday of a day's week. */
int64_t review_monday(int64_t day);
/* An answer was given in a period; `due` is the first one in which something came before it. */
void review_streak_answer(struct review_streak *s, const struct review_periods *p, int64_t period,
                          int64_t due);
/* How many are kept, this one included if it was answered, or if nothing comes in it so far. */
int64_t review_streak_kept(const struct review_streak *s, const struct review_periods *p,
                           int64_t period, int64_t due);

#endif
