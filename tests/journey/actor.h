/* actor: whoever takes a lesson in a rehearsal. Knows every answer and every recognised mistake,
 * since the engine does; reads no screen. */
#ifndef JOURNEY_ACTOR_H
#define JOURNEY_ACTOR_H

#include "journey/rehearsal.h"
#include "script/script.h"

struct actor {
    struct session *session;
    struct script *script;
    struct lesson *lesson;
    /* `wrong` is that of the step */
    struct rehearsal_way way;
    struct learner *who;
    /* steps that were begun */
    size_t begun;
    uint64_t seed;
    /* of the lesson */
    size_t step;
    /* of those that are shown */
    size_t shown_as;
    char item[96];
    /* Of the step: how many mistakes were made, the next one to try (of all lines, where it is a
     * worksheet). */
    size_t made, next;
    /* that the next three belong to */
    int try;
    /* Of a worksheet's try: what its lines were answered with, and the line that is to be wrong. */
    double given[ACCOUNT_LINES];
    /* ACCOUNT_LINES: none */
    size_t wrong_line;
    struct account_match wrong;
    /* Of a figure that is moved: the slider, how often it was moved, and where it stood before the
     * last time. */
    size_t slider, moves, was;
};

/* A step begins: nothing was answered in it yet. */
void actor_begins(struct actor *l);
const json_t *actor_step(const struct actor *l);
/* The variant of the try that is asked; the caller's. NULL where the step does not vary. */
json_t *actor_variant(const struct actor *l, const struct lesson_ask *ask);
/* What is said to this question; an empty text goes on. False if no answer is known. */
bool actor_says(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out);
/* The part of it that is numbers, in numbers.c. */
bool actor_says_number(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out);
bool actor_says_line(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out);
/* The part of it that moves figures, in moves.c. */
bool actor_moves(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out);

#endif
