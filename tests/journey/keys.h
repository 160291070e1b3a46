/* keys: what a learner at the full screen presses to give a rehearsed answer. */
#ifndef JOURNEY_KEYS_H
#define JOURNEY_KEYS_H

#include "journey/rehearsal.h"
#include "tty/tty.h"

/* Turns the page until nothing more is below; fails if that never comes. */
void press_to_the_end(struct tty *t); /* past what was said to a wrong answer, too */
/* The same, then gives the answer. */
void press(struct tty *t, const struct rehearsed *said);

#endif
