/* A training, resolved: checked once, and everything that follows from its fields alone computed
 * once. Memory, traffic, clock and plan read this and never look up a row or a degree again. It
 * keeps a pointer to the training, which must outlive it. */
#ifndef ACCOUNT_RESOLVED_H
#define ACCOUNT_RESOLVED_H

#include "account/training/sheet.h"

struct account_resolved {
    const struct account_training *asked;
    /* The rows. */
    const struct account_recipe *recipe;
    const struct account_precision *precision;
    const struct account_optimizer *optimizer;
    /* Degrees, at least 1; micro-batches per step, at least 1; and the groups of ranks. */
    uint32_t tp, pp, cp, ep, micro;
    struct account_mesh mesh;
    /* Bytes of an element of each copy (moments: of one of them), of a gradient while it travels,
     * of a sum on the host. */
    uint32_t bytes[ACCOUNT_DTYPES];
    uint32_t reduce_bytes, sum_bytes;
    /* Parameters that the shape counts, 0 without one; and its tensors with the vocabulary as the
     * recipe pads it. */
    uint64_t counted;
    struct account_shape held;
    size_t tensors;
    struct account_tensor tensor[ACCOUNT_TENSORS];
    /* Elements of the units on a rank of the first pipeline stage. */
    struct account_units units;
    /* Exact counts of each set, divided, and every copy of every tier, on a rank of the first
     * pipeline stage. */
    struct account_sheet sheet;
};

/* False, with the reason, if the fields do not agree. */
bool account_resolve(const struct account_training *t, struct account_resolved *out,
                     struct account_error *e);
/* The two halves of account_check(): before tensors are counted, and with their count. */
bool account_check_mesh(const struct account_training *t, struct account_error *e);
bool account_check_shape(const struct account_training *t, uint64_t counted,
                         struct account_error *e);
/* The same of a training that has been checked. */
void account_resolve_checked(const struct account_training *t, struct account_resolved *out);
/* The same of a training that has been checked, without the sheet. */
void account_resolve_shape(const struct account_training *t, struct account_resolved *out);

#endif
