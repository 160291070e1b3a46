/* What lives on a GPU at one moment of a step, before it is known which moment is the highest. */
#ifndef ACCOUNT_STEP_H
#define ACCOUNT_STEP_H

#include "account/memory/memory.h"
#include "account/training/resolved.h"

/* Buffers of the first pipeline stage's rank, in bytes. */
struct account_buffers {
    uint64_t gather_always, gather_forward, gather_backward;
    uint64_t reduce_always,
        reduce_backward; /* buckets; unsharded gradients of a unit among the latter */
};
void account_buffers(const struct account_resolved *is, const struct account_units *u,
                     struct account_buffers *out);
/* account_implied() of a training that is resolved. */
uint64_t account_implied_of(const struct account_resolved *is);
/* Whether there is a step to count, with its activations: then account_memory() counts
 * account_implied() in it. */
bool account_counts_step(const struct account_training *t);
/* Bytes of a reduction bucket as it travels, at most all the gradients of a rank. */
uint64_t account_bucket_bytes(const struct account_resolved *is);
/* Whether the recipe works by units at all, in buffers or in when its copies are there. */
bool account_works_by_units(const struct account_resolved *is);

/* What the GPU holds before the first tensor: 0 where no card is named. */
uint64_t account_reserve(const struct account_training *t);
/* What that is made of, appended to `out`. */
void account_reserve_parts(const struct account_training *t, struct account_memory_part *out,
                           size_t *count);

void account_ledger_add(struct account_ledger *l, enum account_category c, uint64_t bytes);

/* A training, measured. */
struct account_step {
    const struct account_resolved *is;
    uint64_t bytes[ACCOUNT_TERMS], padding[ACCOUNT_TERMS]; /* of each term of the sheet, once */
    struct account_units units;
    struct account_buffers buffers;
    struct account_activations activations;
    uint64_t reserve;
    struct account_lab_work work;
};
struct account_instant_row {
    enum account_phase phase;
    const char *where;
    struct account_ledger (*at)(const struct account_step *s);
};
/* False, with the reason, if activations cannot be counted. What is resolved must outlive the
 * step. */
bool account_step_of(const struct account_resolved *is, struct account_step *step,
                     struct account_error *e);
/* Adds the copies that are on a tier then. */
void account_step_add(struct account_ledger *l, const struct account_step *s,
                      enum account_tier tier, enum account_when when);
/* What stays whatever happens: the copies that are always there, buffers that are held, the
 * framework. */
struct account_ledger account_standing(const struct account_step *s);
/* The instants of zerolab's schedule, unit by unit. memory_units.c */
extern const struct account_instant_row account_unit_instants[];
extern const size_t account_unit_instants_count;
/* account_memory() of what is resolved. */
bool account_memory_of(const struct account_resolved *is, struct account_memory *out,
                       struct account_error *e);

#endif
