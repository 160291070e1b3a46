/* What is trained on: sequences by number, the same on every rank. */
#ifndef LAB_TOKENS_H
#define LAB_TOKENS_H

#include "lab/options.h"

struct lab_tokens;
/* options: tokens is "text" (the bundled text), "random" (seeded), or a file of bytes (no pipe or
 * device, at most 1 GiB). NULL with a message if there is none, it is too short for a sequence, or
 * its bytes do not fit the vocabulary. */
struct lab_tokens *lab_tokens_open(const struct lab_options *o, struct lab_message *m);
void lab_tokens_close(struct lab_tokens *t);
/* Sequence `number` of the stream: seq inputs, and seq targets, each the token that follows. It
 * depends on the seed and the number only. */
void lab_tokens_sequence(const struct lab_tokens *t, uint64_t number, int32_t *inputs,
                         int32_t *targets);
/* The same of what is never trained on: the last tenth of a text, which lab_tokens_open() keeps
 * back where options ask for an evaluation; other random tokens. */
void lab_tokens_held_out(const struct lab_tokens *t, uint64_t number, int32_t *inputs,
                         int32_t *targets);

#endif
