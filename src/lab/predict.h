/* What is expected of a run before it runs: by the engine's formulas, and by a walk through the
 * schedule. Inside the lab only. */
#ifndef LAB_PREDICT_H
#define LAB_PREDICT_H

#include "lab/report.h"

/* The same for every rank. What is sent is of the whole run; between: of it, to other nodes. */
struct lab_prediction {
    uint64_t persistent[ACCOUNT_CATEGORIES], peak[ACCOUNT_CATEGORIES], peak_total;
    char peak_where[48];
    uint64_t sent[LAB_COLLECTIVES], between, control;
    /* The part of `between` that is all-gathers. */
    uint64_t gathered_between;
    /* Of what comes out of the tiers of parameters: shards before gathers. */
    uint64_t risen;
    /* A rank's, on tiers other than the device. */
    struct lab_held tier[LAB_TIERS];
};
/* Turns options into a training of the engine's. */
bool lab_training(const struct lab_options *o, struct account_training *t, struct account_error *e);
bool lab_predict(const struct lab_options *o, struct lab_prediction *out, struct lab_message *m);

/* Returns how many ranks update each parameter, all with the same numbers: all of them at stage 0,
 * one of each group at the others. */
uint32_t lab_updaters(const struct lab_options *o);
/* Returns whether a step gathers the parameters that it has updated. */
bool lab_gathers_updates(const struct lab_options *o);
/* Takes off what steps did not send that updated nothing, because gradients overflowed in fp16. No
 * formula knows their number before the run. */
void lab_predict_skipped(const struct lab_options *o, uint32_t skipped, struct lab_prediction *p);

/* Walks through one rank's schedule. Nothing is allocated, computed or moved. Everything is
 * counted. */
bool lab_dry_run(const struct lab_options *o, uint32_t rank, const struct lab_sink *sink);
/* What advice takes: every flag that can change, a cap, and the words around them. */
enum { LAB_ADVICE = 256 };
/* Writes what would make a run fit that the ledger refused. Dry runs have tried it. */
void lab_advice(const struct lab_options *o, const struct lab_refusal *r, char *out, size_t size);
/* Writes what would make it fit into `capacity` bytes per rank, which is what the machine has. */
void lab_advice_for_machine(const struct lab_options *o, uint64_t capacity, char *out, size_t size);

/* Returns the 16-bit operations per second of all GPUs of the run, by the catalogue. 0 if the
 * catalogue does not have them, or the run computes in fp32. */
double lab_peak(const struct lab_options *o);
/* Returns the model's own operations in a step. */
double lab_model_operations(const struct lab_options *o);

#endif
