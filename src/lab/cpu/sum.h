/* Sums over ranks, in rank order whatever the partition: the same bits on shm and local, in one
 * piece or in many. */
#ifndef LAB_SUM_H
#define LAB_SUM_H

#include "lab/dtype.h"

/* to[i] = Σ_r from[r][i], or to[i] + Σ where `add`; summed in fp32 (fp64 where `type` is fp64),
 * rounded once to `into` (fp64 goes with fp64 only). `to` may be one of `from` where the types are
 * the same. */
void lab_sum(void *to, enum lab_dtype into, bool add, const void *const *from, uint32_t ranks,
             enum lab_dtype type, size_t n);

#endif
