/* verdict.h: the words that answers are kept under, and what they count as. */
#ifndef LESSON_VERDICT_H
#define LESSON_VERDICT_H

#include <stdbool.h>

#define VERDICT_RIGHT      "right"
#define VERDICT_WRONG      "wrong"
#define VERDICT_UNREADABLE "unreadable"
#define VERDICT_NOTED      "noted"

/* Right, or right and rounded too early. */
bool lesson_verdict_right(const char *verdict);
/* Everything but "unreadable" and "noted". */
bool lesson_verdict_graded(const char *verdict);

#endif
