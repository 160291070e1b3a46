/* Runs the lab's ranks as threads of this process, and keeps what they said. */
#ifndef TESTS_LAB_RUNS_H
#define TESTS_LAB_RUNS_H

#include "account/account.h"
#include "lab/comm.h"
#include "lab/device.h"
#include "lab/report.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

enum { RUN_RANKS = 9, RUN_STEPS = 16, RUN_MOMENTS = 64 };
struct run {
    bool well;
    double loss[RUN_STEPS + 1];
    /* The longest that a rank waited for other tiers in a step. */
    double offload[RUN_STEPS + 1];
    /* Steps in which gradients overflowed, so that nothing was updated. */
    uint32_t skipped;
    /* Passes of the optimizer in the last step of rank 0. */
    uint32_t passes;
    struct lab_says_end end[RUN_RANKS];
    struct lab_says_error error[RUN_RANKS];
    bool failed[RUN_RANKS];
    size_t transfers, memories;
    /* The highest sum of all memory events of a rank, and where that was. */
    uint64_t highest[RUN_RANKS];
    struct lab_where highest_where[RUN_RANKS];
    /* Those of the last step of the last rank that ran. */
    size_t moments;
    struct lab_report moment[RUN_MOMENTS];
    /* bytes of the comm events */
    uint64_t told[RUN_RANKS][LAB_COLLECTIVES];
    /* Seconds that transfers of a rank moved, among groups' ranks (or all), and across groups. */
    double inside[RUN_RANKS], across[RUN_RANKS];
};
/* A very small model that pads with 3 ranks; two steps. */
struct lab_options run_options(uint32_t ranks, uint32_t stage);
/* Options from words, as on the command line, over run_options(). */
struct lab_options run_words(const char *words);
struct run run_local(const struct lab_options *o);
/* The same; the test fails if a rank does. */
struct run run_well(const struct lab_options *o);
/* Both lost the same in each step, to the bit, and ended with the same weights. */
void run_assert_same(const char *what, const struct run *a, const struct run *b, uint32_t steps);
struct run run_dry(const struct lab_options *o, uint32_t rank);
/* What the engine says of it. */
struct account_training run_training(const struct lab_options *o);

#endif
