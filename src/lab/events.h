/* What the launcher tells the world: events, version 1, one JSON object a line, or a table for a
 * person. Inside the lab only. */
#ifndef LAB_EVENTS_H
#define LAB_EVENTS_H

#include "lab/backend.h"
#include "lab/launch.h"
#include "lab/out.h"
#include "lab/predict.h"

#include <stdio.h>

enum {
    /* Steps of which some rank has spoken and some have not: more than a pipe holds. */
    LAB_STEPS_AHEAD = 64
};
struct lab_gathered_step {
    /* ranks that have spoken */
    uint32_t step, ranks;
    struct lab_says_step slowest, sum;
};
struct lab_events {
    const struct lab_options *options;
    /* one for each, in this order */
    struct lab_out out[2];
    /* NULL: not wanted */
    FILE *json, *table;
    struct lab_prediction prediction;
    bool predicted;
    struct lab_gathered_step step[LAB_STEPS_AHEAD];
    bool ended[LAB_RANKS_MAX], failed;
    struct lab_says_end end[LAB_RANKS_MAX];
    /* of rank 0 at most; 0: not known */
    uint64_t resident;
    double loss;
    /* of the GPUs together, or of the BLAS in all ranks, a second; of a step. 0: not known */
    double peak, operations;
    /* GFLOP/s of one rank's BLAS; 0: not timed */
    double gflops;
    /* steps */
    uint32_t skipped;
    /* and it was said */
    bool diverged;
    /* collectives.h; NULL: this is another kind of run */
    struct lab_sweep *sweep;
};
void lab_events_start(struct lab_events *e);
/* Before the run, and once more after it if steps were skipped: then without what these did not
 * send, and with their number. */
void lab_events_predict(struct lab_events *e);
/* Whatever a rank says. */
void lab_events_hear(struct lab_events *e, const struct lab_report *r);
void lab_events_error(struct lab_events *e, int rank, const char *what,
                      const struct lab_where *where);
void lab_events_end(struct lab_events *e, bool well);

/* table.c: the same for a person. */
void lab_table_start(const struct lab_events *e);
void lab_table_step(const struct lab_events *e, uint32_t step, const struct lab_says_step *s,
                    double tokens, double mfu);
/* A remark on a step. */
void lab_table_note(const struct lab_events *e, uint32_t step, const char *text);
void lab_table_error(const struct lab_events *e, int rank, const char *what, const char *where,
                     const char *advice);
void lab_table_end(const struct lab_events *e, bool well);
void lab_table_predict(const struct lab_events *e);

#endif
