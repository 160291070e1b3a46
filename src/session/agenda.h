/* agenda: the day of a class, as the plan counts it: the minutes of its lessons, and the labs that
 * they have. */
#ifndef SESSION_AGENDA_H
#define SESSION_AGENDA_H

#include "classroom/classroom.h"

/* Seconds that a run of a lab takes to start, besides its steps: an assumption, which the plan
 * tells. */
enum { SESSION_START_CPU = 2, SESSION_START_GPU = 6 };

/* Fills the day from the class's settings; people, pairs and recordings are the caller's. A lesson
 * without minutes in the settings gets those of the course. A lab takes as long as its recordings
 * did; without one, `seconds`, or as long as a turn may take if that is 0. False with the message
 * filled if the course or one of its lessons cannot be read, or the plan names a lesson or a lab
 * that there is not. */
bool session_agenda(const struct classroom_settings *s, double seconds, struct classroom_day *out,
                    struct base_message *m);

#endif
