/* review/day.h: days as a learner lives them. */
#ifndef REVIEW_DAY_H
#define REVIEW_DAY_H

#include <stdint.h>

enum { REVIEW_ROLLOVER = 4 }; /* the usual hour at which a day begins */
/* A last day that is so many days ahead was written under a wrong clock: no time zone differs by so
 * much. */
enum { REVIEW_WRONG_CLOCK = 3 };

/* The number of the local day on which a moment (seconds since 1970) falls: the days since 1
 * January 1970 in the time zone of the process. A day begins `rollover` hours after midnight, so
 * that whoever learns late stays in the same day. */
int64_t review_day(int64_t time, int rollover);

#endif
