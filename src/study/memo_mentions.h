/* What the files that read mentions share: memo_mentions.c, and memo_machine.c for the machine's words. */
#ifndef STUDY_MEMO_MENTIONS_H
#define STUDY_MEMO_MENTIONS_H

#include "memo.h"

void memo_mention_add(struct memo *m, enum memo_says says, double value, size_t first,
                      size_t taken);
bool memo_mention_number(const struct memo *m, size_t i);

/* memo_machine.c: what begins at token `i`; how many tokens it takes, 0 for none. */
size_t memo_read_gpus(struct memo *m, size_t i);
size_t memo_read_sized_card(struct memo *m, size_t i);
size_t memo_read_card(struct memo *m, size_t i);
size_t memo_read_model(struct memo *m, size_t i);
size_t memo_read_link(struct memo *m, size_t i);
/* The catalogue's model with as many parameters, or NULL. */
const struct account_model *memo_model_of(const struct account_training *t);

#endif
