/* Whole numbers, as every file of the engine needs them. */
#ifndef ACCOUNT_INTEGERS_H
#define ACCOUNT_INTEGERS_H

#include <stdint.h>

/* For sums and products that 64 bits may not hold. */
__extension__ typedef unsigned __int128 account_sum;

/* a ÷ b, rounded up; without a sum that could overflow. */
static inline uint64_t account_ceil_div(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}
/* A degree of parallelism that was left at 0 is 1. */
static inline uint32_t account_degree(uint32_t n) {
    return n ? n : 1;
}
static inline uint64_t account_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static inline uint64_t account_most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

#endif
