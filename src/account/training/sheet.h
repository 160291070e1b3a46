/* The sheet: what one GPU keeps, as the terms of a sum. A ledger is a sheet added up; a mistake is
 * a sheet with something wrong in it. */
#ifndef ACCOUNT_SHEET_H
#define ACCOUNT_SHEET_H

#include "account/training/mesh.h"
#include "account/numbers/text.h"

#define ACCOUNT_MODEL_STATE                                                                        \
    (1u << ACCOUNT_PARAMS | 1u << ACCOUNT_GRADS | 1u << ACCOUNT_MASTER | 1u << ACCOUNT_MOMENTS)
#define ACCOUNT_OPTIMIZER (1u << ACCOUNT_MASTER | 1u << ACCOUNT_MOMENTS)
#define ACCOUNT_TOTAL     ((1u << ACCOUNT_CATEGORIES) - 1)

/* The largest numbers the engine takes: sums of 16 and more bytes a parameter stay well inside 64
 * bits. */
#define ACCOUNT_MOST_PARAMS 100000000000000000u /* 1e17 */
#define ACCOUNT_MOST_GPUS   10000000u

/* Parameters that are divided together. */
enum account_set { ACCOUNT_SET_DENSE, ACCOUNT_SET_EXPERTS, ACCOUNT_SET_ADAPTERS, ACCOUNT_SETS };

struct account_term {
    enum account_category category;
    enum account_when when;
    enum account_tier tier;
    enum account_set set;
    uint64_t elements;
    /* elements is the number of parameters, whatever that becomes */
    bool follows;
    /* of one element */
    uint32_t bytes;
    /* elements that share `block_bytes` more; 0: none do */
    uint32_t block;
    uint32_t block_bytes;
    bool sharded;
    /* ranks that divide it, if others than the sheet's */
    uint32_t group;
    /* elements that are there at a time; 0: all */
    uint64_t most;
};
#define ACCOUNT_TERMS 24
struct account_sheet {
    uint64_t params;
    /* split: ranks that divide the model itself, tp · pp · ep */
    uint32_t ranks, align, split;
    /* of `ranks`, how many hold other experts: ep */
    uint32_t expert_ranks;
    enum account_pad pad;
    /* copies that are not divided hold the padding of all ranks */
    bool pads_whole;
    struct account_share share[ACCOUNT_SETS];
    size_t terms;
    struct account_term term[ACCOUNT_TERMS];
};

/* Every term of every tier, whenever it is there, on a rank of pipeline stage `stage`. */
void account_sheet_all(const struct account_resolved *is, uint32_t stage,
                       struct account_sheet *out);
/* Of all terms, those that stay from step to step and the gradients; `out` may be `all`. */
void account_sheet_resident(const struct account_sheet *all, struct account_sheet *out);
/* Bytes of one term on one GPU, padding counted. */
uint64_t account_term_bytes(const struct account_sheet *s, const struct account_term *term);
/* How many of them only pad the last rank's shard. */
uint64_t account_term_padding(const struct account_sheet *s, const struct account_term *term);
/* Whether any term of the category is divided. */
bool account_sheet_divides(const struct account_sheet *s, enum account_category c);
/* Ranks that divide a sharded term. */
uint32_t account_term_ranks(const struct account_sheet *s, const struct account_term *term);
/* Elements of one rank's shard, if a set is divided among `ranks` and every part of it is padded
 * separately. */
uint64_t account_shard_elements(const struct account_share *share, enum account_pad pad,
                                uint32_t align, uint32_t ranks);
/* Bytes of the categories in `mask` on one GPU. */
uint64_t account_sheet_bytes(const struct account_sheet *s, uint32_t mask);
/* Bytes of an element, with its part of the block's: 2.03125. */
double account_term_rate(const struct account_term *term);
/* Bytes per parameter on one GPU, without padding. */
double account_sheet_rate(const struct account_sheet *s, uint32_t mask);
/* The largest Ψ, the fewest ranks (0 if none) at which the categories fit `bytes`. */
uint64_t account_sheet_largest(const struct account_sheet *s, uint32_t mask, double bytes);
uint32_t account_sheet_fewest(const struct account_sheet *s, uint32_t mask, double bytes);

#endif
