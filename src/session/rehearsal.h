/* rehearsal: a simulated learner in a class that a teacher practises with. It joins, takes lessons
 * and hands in through the same functions as a learner's program does. Some of its answers are
 * right, and some are what a known mistake makes of the numbers. It stands in line for labs, but
 * runs none. */
#ifndef SESSION_REHEARSAL_H
#define SESSION_REHEARSAL_H

#include "classroom/classroom.h"

struct session_pupil {
    /* of a synchronised class */
    const char *folder, *account;
    /* decides what it knows, how fast it is and what it gets wrong */
    uint64_t seed;
    /* how many times faster than a person; <= 0: it does not pause */
    double speed;
};
/* Takes the lessons of the class, or the course if the class names none, in base_home(), which must
 * be this pupil's alone. Returns when it has taken them all, or the class is over. False with the
 * message filled. */
bool session_pupil_take(const struct session_pupil *p, struct base_message *m);

#endif
