/* graduate.h: a learner who knows the answers takes the real course, so that a certificate is
 * earned. */
#ifndef COMMAND_GRADUATE_H
#define COMMAND_GRADUATE_H

#include <stdbool.h>

/* Noon of a day, counted from 18 November 2026, becomes now. */
void graduate_day(int day);
/* Answers each problem and each myth of all lessons in a new record, on several days: on the first
 * those of 1.3 by a number that a known mistake gives, and those of 1.4 after a hint. Passes the
 * checks and, if `memo`, the memo. Ends on day 12. */
void graduate(const char *store, bool memo);

#endif
