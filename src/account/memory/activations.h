/* What of the forward pass is kept for backward: what the recipes' runs differ in, and the pieces
 * that activations and FLOPs share. */
#ifndef ACCOUNT_ACTIVATIONS_H
#define ACCOUNT_ACTIVATIONS_H

#include "account/memory/memory.h"
#include "account/training/tables.h"

/* Which tensors selective checkpointing drops: bits. */
enum account_drop {
    ACCOUNT_DROP_NOTHING = 0,
    ACCOUNT_DROP_CORE = 1, /* the attention core: softmax and its dropout */
    /* what one pass over memory makes again: outputs of norms and of the MLP's activation */
    ACCOUNT_DROP_CHEAP = 2
};
/* A row of enum account_keeping. */
struct account_keep {
    uint8_t selective; /* enum account_drop bits */
    bool full;         /* full checkpointing is known; else it is a second kind of selective */
    /* the head's output stays beside the fp32 logits, where it is not the same array */
    bool output_if_copy;
    bool output_always; /* it stays in any case: the caller holds it */
    bool loss;          /* cross-entropy's backward does not work in place */
    bool fixed;         /* one allocation for the whole run */
    double core_again;  /* forwards of the attention core that selective checkpointing adds */
};
const struct account_keep *account_keep_of(const struct account_training *t);

/* Rows of the vocabulary on one rank, padded as the recipe pads them. */
uint64_t account_vocab_rows(const struct account_training *t);

#endif
