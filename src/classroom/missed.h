/* classroom/missed.h: the items that most learners got wrong, for the questions at the end. Pure.
 */
#ifndef CLASSROOM_MISSED_H
#define CLASSROOM_MISSED_H

#include "classroom/overview.h"

struct classroom_missed {
    char item[CLASSROOM_TITLE];
    /* so many learners made a mistake at it, of those who tried it */
    int missed, of;
};
/* The items that were missed, those of most learners first; of as many, those that fewer tried, and
 * then by name. A learner who made two mistakes at an item counts once. Returns how many; *out is
 * the caller's. */
size_t classroom_missed(const struct classroom_seat *seat, size_t seats,
                        struct classroom_missed **out);

#endif
