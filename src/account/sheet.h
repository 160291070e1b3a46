/* The sheet: what one GPU keeps, as the terms of a sum. A ledger is a sheet added up; a mistake is a sheet with something wrong in it. */
#ifndef ACCOUNT_SHEET_H
#define ACCOUNT_SHEET_H

#include "account/tables.h"
#include "account/text.h"

#define ACCOUNT_MODEL_STATE                                                                        \
    (1u << ACCOUNT_PARAMS | 1u << ACCOUNT_GRADS | 1u << ACCOUNT_MASTER | 1u << ACCOUNT_MOMENTS)
#define ACCOUNT_OPTIMIZER (1u << ACCOUNT_MASTER | 1u << ACCOUNT_MOMENTS)
#define ACCOUNT_TOTAL     ((1u << ACCOUNT_CATEGORIES) - 1)

/* The largest numbers the engine takes: sums of 16 and more bytes a parameter stay well inside 64 bits. */
#define ACCOUNT_MOST_PARAMS 100000000000000000u /* 1e17 */
#define ACCOUNT_MOST_GPUS   10000000u

struct account_term {
    enum account_category category;
    uint64_t elements;
    bool follows;   /* elements is the number of parameters, whatever that becomes */
    uint32_t bytes; /* of one element */
    uint32_t block; /* elements that share `block_bytes` more; 0: none do */
    uint32_t block_bytes;
    bool sharded;
};
struct account_sheet {
    uint64_t params;
    uint32_t ranks, align;
    size_t terms;
    struct account_term term[ACCOUNT_COPIES];
};

/* What the training's recipe keeps; copies of no bytes are left out. The training has been checked. */
void account_sheet(const struct account_training *t, struct account_sheet *out);
/* Bytes of one term on one GPU, padding counted. */
uint64_t account_term_bytes(const struct account_sheet *s, const struct account_term *term);
/* How many of them only pad the last rank's shard. */
uint64_t account_term_padding(const struct account_sheet *s, const struct account_term *term);
/* Bytes of the categories in `mask` on one GPU. */
uint64_t account_sheet_bytes(const struct account_sheet *s, uint32_t mask);
/* Bytes of an element, with its part of the block's: 2.03125. */
double account_term_rate(const struct account_term *term);
/* Bytes per parameter on one GPU, without padding. */
double account_sheet_rate(const struct account_sheet *s, uint32_t mask);
/* The largest Ψ, the fewest ranks (0 if none) at which the categories fit `bytes`. */
uint64_t account_sheet_largest(const struct account_sheet *s, uint32_t mask, double bytes);
uint32_t account_sheet_fewest(const struct account_sheet *s, uint32_t mask, double bytes);

/* "2 B × 7.5e9 + (2 + 4 + 8) B × 7.5e9 ÷ 64" */
void account_add_sheet(struct account_text *t, const struct account_sheet *s, uint32_t mask);
/* "2 B + (2 + 4 + 8) B ÷ 64" */
void account_add_rates(struct account_text *t, const struct account_sheet *s, uint32_t mask);

#endif
