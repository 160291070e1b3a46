/* keys: what a learner at the full screen presses to give a rehearsed answer. */
#ifndef JOURNEY_KEYS_H
#define JOURNEY_KEYS_H

#include "journey/rehearsal.h"
#include "tty/tty.h"

/* Turns the page until nothing more is below, past what was said to a wrong answer, too, to where
 * this answer is given; fails if that never comes. */
void press_to_the_end(struct tty *t, const struct rehearsed *said);
/* The same, then gives the answer. */
void press(struct tty *t, const struct rehearsed *said);

#endif
