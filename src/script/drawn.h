/* drawn: what a lesson's functions gave, by the numbers that they drew. A function sees its seed
 * through draw(n) alone, so one that asks for the same numbers and gets the same gives the same. It
 * need not run again: there are some hundred ways through one, and thousands of tries.
 *
 * Ownership: script_drawn_free() frees what was learned. */
#ifndef SCRIPT_DRAWN_H
#define SCRIPT_DRAWN_H

#include "base/base.h"

/* The next number from 1 to n, by splitmix64. No number is likelier than another. */
uint64_t script_draw(uint64_t *state, uint64_t n);

struct script_drawn;
struct script_drawn *script_drawn_new(void);
void script_drawn_free(struct script_drawn *d);
/* What the function gives for this seed, borrowed; NULL if that is not known. */
json_t *script_drawn_find(const struct script_drawn *d, int fn, uint64_t seed);
/* A call asked for numbers from 1 to each of `draws`, in order, and gave `value`. NULL: it is not
 * known what it asked for, and from then on nothing is known. */
void script_drawn_learn(struct script_drawn *d, int fn, uint64_t seed, const json_t *draws,
                        json_t *value);

#endif
