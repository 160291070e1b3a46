/* What is expected of a run before it runs: by the engine's formulas, and by walking the schedule. */
#ifndef LAB_PREDICT_H
#define LAB_PREDICT_H

#include "lab/report.h"

struct lab_prediction { /* of every rank alike */
    uint64_t persistent[ACCOUNT_CATEGORIES], peak[ACCOUNT_CATEGORIES], peak_total;
    char peak_where[48];
    uint64_t sent[LAB_COLLECTIVES], control; /* in the whole run */
};
/* The options as the engine knows trainings. */
bool lab_training(const struct lab_options *o, struct account_training *t, struct account_error *e);
bool lab_predict(const struct lab_options *o, struct lab_prediction *out, struct lab_message *m);

/* Walks one rank's schedule; nothing is allocated, computed or moved, everything is counted. */
bool lab_dry_run(const struct lab_options *o, uint32_t rank, const struct lab_sink *sink);
/* What would make a run fit that was refused: tried, by dry runs, for this rank. */
void lab_advice(const struct lab_options *o, const struct lab_refusal *r, char *out, size_t size);
/* What would make it fit into `capacity` bytes a rank, which is what the machine has. */
void lab_advice_for_machine(const struct lab_options *o, uint64_t capacity, char *out, size_t size);

#endif
