/* Everything that the engine says about a training, by subject, as digests. Here, and in draws.c,
 * stand the engine's names; the test of the digests itself knows none. */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "account/check.h"
#include "account/digest.h"

#define OUTPUT_SUBJECTS 11
/* "training", "memory" …: a word each. */
const char *output_subject(size_t subject);
/* One digest a subject of training `number`, whose random problems and answers hang on the number
 * too. The slower subjects are asked of every tenth or so; of the others their digest is that of
 * nothing. */
void outputs_of(const struct account_training *t, uint64_t number, bool says,
                struct digest out[OUTPUT_SUBJECTS]);
/* The names and texts that hang on no training: categories, units, recipes, mistakes and the
 * like. */
void output_tables(struct digest *d);

#endif
