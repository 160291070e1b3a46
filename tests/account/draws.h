/* Trainings and problems drawn at random from their number alone: the same on every machine. */
#ifndef DRAWS_H
#define DRAWS_H

#include "account/check.h"

/* Training `number`. Three of four take a value back where the check refuses it, so that most are
 * sound though many fields are set; the others keep all that was drawn, and show what is refused,
 * and in which words. */
struct account_training drawn_training(uint64_t number);
/* A problem about a training: its kind, quantity, unit and budget from `seed`. */
struct account_problem drawn_problem(const struct account_training *t, uint64_t *seed);
/* Something a person might type for a number, in `out`. */
void drawn_answer(uint64_t *seed, char *out, size_t size);
/* A field of a training that is never drawn, or a choice of one, as "field" or "field=choice"; NULL
 * if there is none. */
const char *never_drawn(void);

#endif
