/* A rank of the run: what it holds and how its parts find each other. Inside the lab only. Stage logic asks the row of its stage, never
 * its number, and knows devices and comms through their interfaces alone.
 *
 * Every function that can fail returns false and has said why in rank->message, or as a refusal of the ledger. */
#ifndef LAB_ENGINE_H
#define LAB_ENGINE_H

#include "lab/comm.h"
#include "lab/device.h"
#include "lab/ledger.h"
#include "lab/model.h"
#include "lab/report.h"

#include <string.h>

/* ── what a stage is ── */
struct lab_stage {
    bool shards_moments, shards_grads, shards_params;
    bool reduces; /* there is somebody to reduce with */
    bool every;   /* gradients are reduced in every micro-step, not in the last alone */
    enum lab_collective op;
};
/* A rank that is alone shards nothing and sends nothing, whatever the stage. */
const struct lab_stage *lab_stage_of(const struct lab_options *o);

/* ── partition: every unit is padded to ranks · shard elements; rank r owns [r · shard, (r + 1) · shard) ── */
struct lab_split {
    size_t count, shard, padded;
    size_t
        at; /* of this unit's shard among all shards, in the order in which backward makes them */
};
struct lab_partition {
    uint32_t ranks;
    size_t units, shards; /* shards: elements of one rank, all units */
    size_t block;         /* padded elements of a block */
    struct lab_split *unit;
};
bool lab_partition_make(const struct lab_model *m, uint32_t ranks, struct lab_partition *out);
void lab_partition_free(struct lab_partition *p);

/* ── buckets: the same ranges of every rank's shards, packed as [ranks][count] ── */
struct lab_cut {
    size_t unit, from, to; /* a range of the unit's shard */
    size_t at;             /* where it begins in a row of its bucket */
    size_t bucket;
    bool last; /* of its bucket */
};
struct lab_bucket {
    size_t count; /* elements of a row */
    size_t at;    /* of its first element among all shards */
    size_t first, cuts;
};
struct lab_buckets {
    size_t row; /* elements a row of a staging slot has room for */
    size_t cuts, count;
    struct lab_cut *cut; /* in backward's order */
    struct lab_bucket *bucket;
    size_t *first; /* of each unit: its first cut; its cuts stand together */
};
/* Whole units share a bucket while they fit into `bytes`; a unit that does not fit is cut into buckets of its own. */
bool lab_buckets_make(const struct lab_partition *p, uint64_t bytes, size_t element,
                      struct lab_buckets *out);
void lab_buckets_free(struct lab_buckets *b);

/* ── a rank ── */
struct lab_unit_state {
    char *params, *grads; /* whole, or this rank's shard */
    float *master, *m, *v;
};
struct lab_slot { /* of reduce staging */
    struct lab_reservation reservation;
    lab_ticket ticket;
    const struct lab_bucket *bucket; /* in flight, not yet landed */
};
enum { LAB_SLOTS = 2, LAB_GATHERED = 3 };
struct lab_gathering { /* stage 3: which unit is at work, and which are on their way */
    struct lab_reservation embeddings, slot[LAB_GATHERED];
    size_t at, started, end; /* in the order of a micro-step */
    lab_ticket *ticket;
};
struct lab_rooms {
    struct lab_reservation device, tokens, head, logits, working, scratch, gradient;
    struct lab_reservation *saved; /* of each block */
    struct lab_reservation block_grads,
        embedding_grads; /* whole gradients of a unit until they are reduced */
};
struct lab_scaler {
    double scale;
    uint32_t good; /* steps since the last overflow or doubling */
};
struct lab_meter { /* seconds of the step at work */
    double started, comm, exposed, skew;
};
struct lab_tokens;
struct lab_rank {
    const struct lab_options *options;
    const struct lab_stage *stage;
    struct lab_model *model;
    struct lab_device *device;
    struct lab_comm *comm;
    struct lab_tokens *tokens;
    struct lab_ledger ledger;
    struct lab_partition split;
    struct lab_buckets buckets;
    struct lab_unit_state *unit;
    char *shard_grads; /* where grads are sharded: all of this rank's, in backward's order */
    struct lab_slot slot[LAB_SLOTS];
    size_t fired;        /* buckets so far, by way of a slot */
    lab_ticket straight; /* the last that went without one */
    struct lab_gathering gathering;
    struct lab_rooms reservations;
    struct lab_scaler scaler;
    struct lab_meter meter;
    int32_t *host_tokens; /* [2][rows]: inputs, targets */
    double loss;          /* of the last step */
    double *every;        /* [ranks]: what exchange() gives */
    uint32_t step, micro;
    const struct lab_sink *sink;
    struct lab_message message;
};
static inline size_t lab_element(const struct lab_rank *k) {
    return lab_dtype_bytes(k->options->compute);
}
static inline size_t lab_rows(const struct lab_rank *k) {
    return (size_t)k->options->batch * k->options->shape.seq;
}

/* False, for a few bytes of bookkeeping that could not be had. */
bool lab_fail_memory(struct lab_rank *k);

/* states.c: params, master, moments, grads. */
bool lab_states_take(struct lab_rank *k);
void lab_states_give(struct lab_rank *k);
/* values.c: initial values of what this rank holds. */
bool lab_states_init(struct lab_rank *k);

/* reservations.c */
bool lab_rooms_reserve(struct lab_rank *k);
void lab_rooms_free(struct lab_rank *k);

/* gather.c: the parameters of the unit at work, in the order of a micro-step; a stage that keeps them whole just has them. */
bool lab_gather_reserve(struct lab_rank *k);
void lab_gather_free(struct lab_rank *k);
/* `forward`: nothing is gathered for a backward. */
void lab_gather_begin(struct lab_rank *k, bool forward);
/* Starts the all-gather of one unit, in place where parameters stay whole. */
bool lab_gather_unit(struct lab_rank *k, size_t unit, void *whole, lab_ticket *ticket);
bool lab_params_use(struct lab_rank *k, const void **params);
void lab_params_done(struct lab_rank *k);

/* reduce.c */
bool lab_reduce_reserve(struct lab_rank *k);
void lab_reduce_free(struct lab_rank *k);
/* The unit's whole gradients, for a pass's backward to write or to add to. */
bool lab_grads_open(struct lab_rank *k, size_t unit, struct lab_pass *p);
void *lab_grads_whole(struct lab_rank *k, size_t unit);
/* They are complete for this micro-step: packed, sent, let go of. */
bool lab_grads_close(struct lab_rank *k, size_t unit);
/* All that was sent has arrived where it belongs. */
bool lab_reduce_finish(struct lab_rank *k);

/* rehearse.c: everything once before the run, where the device loads what it needs only then. */
bool lab_rehearse(struct lab_rank *k);

/* pass.c: one micro-step, forward and backward; and forward alone. */
bool lab_micro_step(struct lab_rank *k);
bool lab_forward_only(struct lab_rank *k);
/* evaluate.c: the mean loss of all ranks on what is not trained on, where the options want it after this step. What is sent for it is no part of the run,
 * and not counted. */
bool lab_evaluate(struct lab_rank *k);

/* links.c: in the place of all steps, where the options ask for it. */
bool lab_links(struct lab_rank *k);

/* clip.c: the factor on gradients for the optimizer; *skip where they overflowed. */
bool lab_gradient_scale(struct lab_rank *k, double *scale, bool *skip);
/* adam_step.c: this rank's part of every unit, then everybody has the new parameters. */
bool lab_update(struct lab_rank *k, double scale);
double lab_learning_rate(const struct lab_options *o, uint32_t step);
struct lab_scaler lab_scaler_new(const struct lab_options *o);
void lab_scaler_after(struct lab_scaler *s, bool overflow);

/* step.c */
bool lab_step(struct lab_rank *k);
/* hash.c */
#define LAB_HASH_START 0xcbf29ce484222325u
uint64_t lab_hash_add(uint64_t hash, const void *bytes, size_t count);
uint64_t lab_state_hash(struct lab_rank *k);
bool lab_weights_hash(struct lab_rank *k, uint64_t *out);

/* mark.c: where the rank is, for ledger, watchdog and events. */
void lab_at(struct lab_rank *k, enum lab_phase phase, int unit);
void lab_say_memory(struct lab_rank *k);
void lab_watch(void *self, const struct lab_transfer *x, uint64_t sent,
               const struct lab_comm_times *times);
double lab_seconds(void);
/* This process's own memory; 0 where it cannot be known. resident.c */
uint64_t lab_resident(void);

#endif
