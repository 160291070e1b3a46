/* What lives on a GPU at one moment of a step, before it is known which moment is the highest. */
#ifndef ACCOUNT_MEMORY_H
#define ACCOUNT_MEMORY_H

#include "account/sheet.h"

/* Buffers of the first pipeline stage's rank, in bytes. */
struct account_buffers {
    uint64_t gather_always, gather_forward, gather_backward;
    uint64_t reduce_always, reduce_backward; /* buckets; unsharded gradients of a unit among the latter */
};
void account_buffers(const struct account_training *t, const struct account_sheet *s,
                     const struct account_units *u, struct account_buffers *out);
/* Whether the recipe works by units at all, in buffers or in when its copies are there. */
bool account_works_by_units(const struct account_training *t);

/* What the GPU holds before the first tensor: 0 where no card is named. */
uint64_t account_reserve(const struct account_training *t);

void account_ledger_add(struct account_ledger *l, enum account_category c, uint64_t bytes);

#endif
