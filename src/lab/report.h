/* What a rank reports to the launcher, and how a report crosses the pipe: a struct as one line of
 * hexadecimal digits. */
#ifndef LAB_REPORT_H
#define LAB_REPORT_H

#include "lab/comm.h"
#include "lab/device.h"
#include "lab/ledger.h"

/* What a tier other than the device holds, by category, and what went into it and came out of it
 * since the run began. */
struct lab_held {
    uint64_t bytes[ACCOUNT_CATEGORIES], total, in, out;
};
enum lab_says {
    LAB_SAYS_MEMORY,
    LAB_SAYS_COMM,
    LAB_SAYS_STEP,
    LAB_SAYS_ERROR,
    LAB_SAYS_END,
    LAB_SAYS_OUTSIDE,
    LAB_SAYS_EVALUATION,
    LAB_SAYS_SAVED
};
struct lab_report {
    enum lab_says says;
    uint32_t rank;
    struct lab_where where;
    union {
        struct lab_says_memory {
            /* What is held as the moment ends; the highest sum within it, by category. */
            uint64_t now[ACCOUNT_CATEGORIES], total, resident;
            uint64_t highest[ACCOUNT_CATEGORIES], highest_total;
            struct lab_gauge gauge;
            /* on each tier */
            uint64_t tier_total[LAB_TIERS];
        } memory;
        struct lab_outside outside;
        struct lab_says_evaluation {
            double loss;
        } evaluation;
        struct lab_says_saved {
            /* of all ranks' files */
            uint64_t bytes;
            double seconds;
        } saved;
        struct lab_says_comm {
            enum lab_collective op;
            enum lab_among among;
            uint64_t sent;
            /* seconds by the rank's own clock (lab/comm.h) */
            double start, end, exposed, skew;
        } comm;
        struct lab_says_step {
            double loss, seconds, compute, comm, exposed, skew;
            /* How long the update waited for other tiers. */
            double offload;
            /* The optimizer's passes: how long they took, and how many they were. */
            double update;
            uint32_t passes;
            /* Of the loss, in fp16. */
            double scale;
            /* Gradients overflowed: nothing was updated. */
            bool skipped;
        } step;
        struct lab_says_error {
            /* the refusal says the rest */
            bool memory;
            struct lab_refusal refusal;
            char text[200];
        } error;
        struct lab_says_end {
            uint64_t persistent[ACCOUNT_CATEGORIES], peak[ACCOUNT_CATEGORIES], peak_total;
            uint64_t at_peak[ACCOUNT_CATEGORIES];
            struct lab_where peak_where;
            /* between: of all that was sent, what ranks on other nodes read. */
            uint64_t sent[LAB_COLLECTIVES], between, control, state_hash, weights_hash;
            double loss;
            struct lab_held tier[LAB_TIERS];
        } end;
    } as;
};
/* Where reports go: a pipe, or a test. Called from the rank's own thread. */
struct lab_sink {
    void (*say)(void *self, const struct lab_report *r);
    void *self;
};
#define LAB_REPORT_LINE (2 * sizeof(struct lab_report) + 1)
void lab_report_write(const struct lab_report *r, char line[LAB_REPORT_LINE]);
bool lab_report_read(const char *line, struct lab_report *out);

/* Runs one rank from its first allocation to its last report. The comm and device stay the
 * caller's. */
struct lab_device;
bool lab_rank_run(const struct lab_options *o, struct lab_comm *comm, struct lab_device *device,
                  const struct lab_sink *sink);

#endif
