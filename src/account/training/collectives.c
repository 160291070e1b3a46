/* The collectives: names, and what a rank sends for one. */
#include "account/training/training.h"

static const struct {
    const char *name;
    double rounds; /* times (n−1)/n of the array */
} collectives[] = {
    [ACCOUNT_ALL_REDUCE] = {"all_reduce",     2},
    [ACCOUNT_REDUCE_SCATTER] = {"reduce_scatter", 1},
    [ACCOUNT_ALL_GATHER] = {"all_gather",     1},
    [ACCOUNT_ALL_TO_ALL] = {"all_to_all",     1},
    [ACCOUNT_P2P] = {"p2p",            0},
};

const char *account_collective_name(enum account_collective_kind c) {
    return (unsigned)c < ACCOUNT_COLLECTIVES ? collectives[c].name : "";
}

/* NVIDIA/nccl-tests, doc/PERFORMANCE.md: bus bandwidth is the array ÷ time × this. The array is the whole one: of an all-gather, what
 * every rank has in the end. An all-reduce is a reduce-scatter and an all-gather. */
double account_collective_factor(enum account_collective_kind c, uint32_t ranks) {
    if (ranks <= 1 || (unsigned)c >= ACCOUNT_COLLECTIVES) return 0;
    if (c == ACCOUNT_P2P) return 1;
    return collectives[c].rounds * (ranks - 1.0) / ranks;
}
