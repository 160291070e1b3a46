/* Trainings of GPT shapes, whole and split, and their activations. */
#ifndef GPT_H
#define GPT_H

#include "account/check.h"

/* MLP of 4h, a tied head, all heads of hidden / heads. */
struct account_shape gpt(uint32_t layers, uint32_t hidden, uint32_t heads, uint32_t vocab);
/* On one GPU, with dropout and without flash attention, as Korthikanti et al. count. */
struct account_training training(struct account_shape shape, uint32_t seq, uint32_t batch);
/* The same over tp ranks. */
struct account_training with(struct account_training t, uint32_t tp, bool sp, uint8_t keep);
/* Activations; fails the test where they are refused. */
struct account_activations of(const struct account_training *t);
struct account_activations split(struct account_training t, uint32_t tp, bool sp, uint8_t keep);

#define NONE      ACCOUNT_KEEP_ALL
#define SELECTIVE ACCOUNT_SELECTIVE
#define FULL      ACCOUNT_FULL

#endif
