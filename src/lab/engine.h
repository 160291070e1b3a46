/* The reference implementation of ZeRO: what a rank holds, and the parts of a training step. Inside
 * the lab only.
 *
 * The paper is "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models", Rajbhandari
 * et al., arXiv:1910.02054. Section 5 describes the stages, section 7 counts what they send.
 *
 *     stage  a rank keeps its shard of   gradients, in micro-step   parameters
 *     0      nothing                     all-reduce, the last       no collective
 *     1      moments, fp32 master copy   reduce-scatter, the last   all-gather after the update
 *     2      … and gradients             reduce-scatter, each       all-gather after the update
 *     3      … and parameters            reduce-scatter, each       all-gather before each use
 *
 * Read the files in this order. Each has a mark, a comment such as "read: stage", where the lines
 * begin that you should read first.
 *
 *     partition.c   stage       the table of stages: all that differs between them
 *                   shards      who owns which elements; below, which gradients travel together
 *     arrays.c                  whole, and mine: the two ways to a unit's arrays
 *     states.c                  the memory that a rank takes before the first step
 *     step.c        step        a step: its micro-steps forward and backward, the loss, the update
 *     passes.c      pass        a block computes, and knows nothing of shards
 *     reduce.c      reduce      gradients of all ranks, summed where they belong
 *     rows.c                    … those of the embeddings, as rows, if they are sparse
 *     gather.c      schedule    whole parameters for the unit that computes next (stage 3)
 *     update.c      optimizer   clipping, this rank's part, the new parameters for everybody
 *     piece.c                   … piece by piece, if tier.h says that it is not on the device
 *
 * No function asks for the number of its stage. Each asks the row of the table what is sharded. Nor
 * does it know the device or the network: it calls device.h and comm.h.
 *
 * A function that can fail returns false, and has written why to rank->message, or the ledger has
 * noted a refusal. */
#ifndef LAB_ENGINE_H
#define LAB_ENGINE_H

#include "lab/comm.h"
#include "lab/device.h"
#include "lab/ledger.h"
#include "lab/model.h"
#include "lab/report.h"
#include "lab/tier.h"

#include <assert.h>
#include <string.h>

/* ── what a stage is ── */

struct lab_stage {
    /* Whether a rank keeps its shard alone. The master copy goes with the moments. */
    bool shards_moments, shards_grads, shards_params;
    /* Whether there is another rank to add gradients with. */
    bool reduces;
    /* Whether gradients are reduced in every micro-step. If not, they add up locally and are
     * reduced in the last one. */
    bool every;
    /* How gradients are reduced. */
    enum lab_collective op;
};
/* Returns the stage's row. A rank that is alone shards nothing and sends nothing, whatever the
 * stage. In groups of one rank each, nothing is sharded either. */
const struct lab_stage *lab_stage_of(const struct lab_options *o);

/* ── the partition ──
 *
 * Every unit is padded to ranks · shard elements. Rank r owns [r · shard, (r + 1) · shard).
 *
 * With groups (hybrid sharding: FSDP's HYBRID_SHARD, arXiv:2304.11277, section 3.2.2; MiCS,
 * arXiv:2205.00119), each group holds all states, divided among its own ranks. Rank r of a group of
 * `ranks` owns as many consecutive pieces of the partition among all as there are groups:
 *
 *     among 4      0 1 2 | 3 4 5 | 6 7 8 | 9 · ·
 *     2 groups     0 1 2   3 4 5 | 6 7 8   9 · ·     ranks 0 and 2 own the left half
 *
 * So a shard divides evenly among the ranks that own it, which all-reduce its gradients. */

struct lab_split {
    /* Elements of the unit, of one rank's shard, and of all shards. */
    size_t count, shard, padded;
    /* Where this unit's shard starts among all of a rank's shards, which are in the order in which
     * backward makes gradients. */
    size_t at;
    /* Elements of a rank's part of the second copy; 0: there is none. */
    size_t second;
};
struct lab_partition {
    /* Of a group; how many groups there are; which rank of which group this one is. */
    uint32_t ranks, groups, mine, group;
    /* shards: elements of one rank in all units together. */
    size_t units, shards;
    /* Every shard is a multiple of so many elements. */
    size_t grain;
    /* Padded elements of a block. All blocks have the same size. */
    size_t block;
    struct lab_split *unit;
};
bool lab_partition_make(const struct lab_model *m, uint32_t ranks, size_t grain,
                        struct lab_partition *out);
/* Turns a partition among all ranks into that of `groups` groups, as `rank` sees it. */
void lab_partition_group(struct lab_partition *p, uint32_t groups, uint32_t rank);
/* Divides a second copy of every unit among so many ranks, a divisor of the group's. The copy is no
 * longer than the padded unit. */
void lab_partition_second(struct lab_partition *p, uint32_t ranks);
void lab_partition_free(struct lab_partition *p);

/* ── buckets: the same ranges of every rank's shards, packed as [ranks][count]; with groups, count
 * is a multiple of them ── */

struct lab_cut {
    /* A range of the unit's shard. */
    size_t unit, from, to;
    /* Where it starts in a row of its bucket. */
    size_t at;
    size_t bucket;
    /* Whether it is the last cut of its bucket. */
    bool last;
};
struct lab_bucket {
    /* Elements of a row. */
    size_t count;
    /* Where its first element is among all of a rank's shards. */
    size_t at;
    /* Its cuts in lab_buckets.cut: the first, and how many. */
    size_t first, cuts;
};
struct lab_buckets {
    /* The most elements that a row of a staging slot can hold. */
    size_t row;
    size_t cuts, count;
    /* In backward's order. */
    struct lab_cut *cut;
    struct lab_bucket *bucket;
    /* The first cut of each unit. A unit's cuts follow one another. */
    size_t *first;
};
/* Puts whole units together as long as they fit into `bytes`. A unit that does not fit is cut into
 * several buckets. Units before `first_unit` are in none. `element` is the bytes of one gradient.
 */
bool lab_buckets_make(const struct lab_partition *p, size_t first_unit, uint64_t bytes,
                      size_t element, struct lab_buckets *out);
void lab_buckets_free(struct lab_buckets *b);

/* ── a rank ── */

/* Model states of one unit: whole, or this rank's shard. */
struct lab_unit_state {
    char *params, *grads;
    /* master: NULL in fp32, where the parameters are their own master copy, unless the optimizer
     * is on another tier than they are. Addresses on a tier: see tier.h. */
    float *master;
    /* Moments, of lab_type_of(). */
    char *m, *v;
    /* This rank's part of the second copy of the parameters; NULL: there is none. */
    char *second;
};
/* A slot of the reduce staging. */
struct lab_slot {
    struct lab_reservation reservation;
    lab_ticket ticket;
    /* The bucket that is in flight, and not yet unpacked. NULL if there is none. */
    const struct lab_bucket *bucket;
};
enum { LAB_SLOTS = 2, LAB_GATHERED = 3 };
/* Stage 3: which unit computes now, and which are being gathered. */
struct lab_gathering {
    struct lab_reservation embeddings, slot[LAB_GATHERED];
    /* Places in the order of a micro-step. */
    size_t at, started, arrived, end;
    /* So many units of the second copy were made in this micro-step. */
    size_t made;
    /* One for each place. */
    lab_ticket *ticket;
};
/* Memory that is in use for a part of a micro-step only. */
struct lab_reservations {
    struct lab_reservation device, tokens, head, logits, working, scratch, gradient;
    /* What each block keeps from forward to backward. */
    struct lab_reservation *saved;
    /* Stages 2 and 3: whole gradients of a unit until they are reduced. */
    struct lab_reservation block_grads, embedding_grads;
};
struct lab_scaler {
    double scale;
    /* Steps since the last overflow, or since the scale last doubled. */
    uint32_t good;
};
/* Seconds of the current step. */
struct lab_meter {
    double started, comm, exposed, skew, offload, update;
    /* Passes of the optimizer. */
    uint32_t passes;
    /* When the rank came to where it is, and what it had waited by then. */
    double came, waited;
};
struct lab_tokens;
struct lab_saved;
/* The gathered rows, in use from the lookup's backward on. */
struct lab_sparse {
    struct lab_reservation rows;
    lab_ticket ticket;
};
struct lab_rank {
    const struct lab_options *options;
    const struct lab_stage *stage;
    struct lab_model *model;
    struct lab_device *device;
    struct lab_comm *comm;
    struct lab_tokens *tokens;
    /* The checkpoint that this run goes on from; NULL: none. */
    struct lab_saved *saved;
    struct lab_ledger ledger;
    struct lab_tiers tiers;
    struct lab_partition split;
    struct lab_buckets buckets;
    struct lab_unit_state *unit;
    /* If gradients are sharded: this rank's shards of all units, in backward's order. */
    char *shard_grads;
    struct lab_slot slot[LAB_SLOTS];
    /* Buckets that went through a slot so far. */
    size_t fired;
    /* The last bucket that was reduced in place, without a slot. */
    lab_ticket straight;
    struct lab_gathering gathering;
    struct lab_sparse sparse;
    struct lab_reservations reservations;
    struct lab_scaler scaler;
    struct lab_meter meter;
    /* [2][rows]: inputs, targets. */
    int32_t *host_tokens;
    /* Of the last step. */
    double loss;
    /* [ranks]: the results of exchange(). */
    double *every;
    uint32_t step, micro;
    const struct lab_sink *sink;
    struct lab_message message;
};
/* Bytes of a parameter or gradient as it is computed with. */
static inline size_t lab_element(const struct lab_rank *k) {
    return lab_dtype_bytes(k->options->compute);
}
/* Bytes of a gradient as it is kept and sent. */
static inline size_t lab_grad_element(const struct lab_rank *k) {
    return lab_dtype_bytes(lab_grads_type(k->options));
}
/* Whether a unit's gradients are made in memory that is used again for the next unit, because they
 * are kept as shards only, or wider than they are computed. */
static inline bool lab_grads_pass(const struct lab_rank *k) {
    return k->stage->shards_grads || lab_grads_type(k->options) != k->options->compute;
}
/* Whether a unit has a row for each token: the embeddings, or an untied head. They are never in use
 * at the same time, so they share buffers. */
static inline bool lab_is_table(const struct lab_rank *k, size_t unit) {
    return unit == 0 || unit == lab_head_unit(&k->options->shape);
}
/* Whether the run was given this fault on purpose. */
static inline bool lab_has_bug(const struct lab_rank *k, enum lab_bug bug) {
    return k->options->bug == bug;
}
/* Tokens that a rank computes with at a time. */
static inline size_t lab_rows(const struct lab_rank *k) {
    return (size_t)k->options->batch * k->options->shape.seq;
}

/* arrays.c: the two ways to a unit's arrays, whatever the stage shards. `whole`: its first element;
 * NULL if this rank has its shard alone. `mine`: the first element of this rank's shard. Both are
 * NULL if there is no such array. Addresses on a tier: see tier.h. */
enum lab_dtype lab_type_of(const struct lab_rank *k, enum lab_updated a);
bool lab_is_sharded(const struct lab_rank *k, enum lab_updated a);
char *lab_whole_of(const struct lab_rank *k, enum lab_updated a, size_t unit);
char *lab_mine_of(const struct lab_rank *k, enum lab_updated a, size_t unit);
/* Bytes of that many elements of such an array. */
static inline size_t lab_bytes_of(const struct lab_rank *k, enum lab_updated a, size_t count) {
    return lab_dtype_size(lab_type_of(k, a), count);
}
/* states.c: takes and frees parameters, master copy, moments and gradients, with their initial
 * values. */
bool lab_states_take(struct lab_rank *k);
void lab_states_give(struct lab_rank *k);
/* Reserves what a micro-step needs in addition to states, gathered parameters and staging. */
bool lab_reservations_make(struct lab_rank *k);
void lab_reservations_free(struct lab_rank *k);
/* weights.c: fills what this rank holds with initial values, or with those of the checkpoint; then
 * its moments, which are zero at the beginning. */
bool lab_states_init(struct lab_rank *k);
bool lab_states_resume(struct lab_rank *k);

/* gather.c: whole parameters of each unit, in the order of a micro-step. A stage that keeps them
 * whole has them already. */
bool lab_gather_reserve(struct lab_rank *k);
void lab_gather_free(struct lab_rank *k);
/* Starts a micro-step. `forward`: nothing is gathered for a backward. */
void lab_gather_begin(struct lab_rank *k, bool forward);
/* Gives the parameters of the next unit in the order, when they have arrived. */
bool lab_params_use(struct lab_rank *k, const void **params);
/* That unit has computed: its gathered parameters may be overwritten. */
void lab_params_done(struct lab_rank *k);
/* The fault of a stale prefetch: gathers the first block for the next step before its update. */
bool lab_gather_early(struct lab_rank *k);
/* Starts the all-gather of one unit, in place if parameters stay whole. */
bool lab_gather_unit(struct lab_rank *k, size_t unit, void *unsharded, lab_ticket *ticket);

/* reduce.c */
bool lab_reduce_reserve(struct lab_rank *k);
void lab_reduce_free(struct lab_rank *k);
/* Sets the pass's grads to the unit's whole gradients, for its backward to write or to add to. */
bool lab_grads_open(struct lab_rank *k, size_t unit, struct lab_pass *p);
void *lab_grads_unsharded(struct lab_rank *k, size_t unit);
/* The unit's gradients are complete for this micro-step: packs and sends them. */
bool lab_grads_close(struct lab_rank *k, size_t unit);
/* Waits until all that was sent has arrived where it belongs. */
bool lab_reduce_finish(struct lab_rank *k);

/* rows.c: the embeddings' gradients, if they are sparse: starts to gather what the lookup's
 * backward would add up, and adds it up when it has arrived. */
bool lab_rows_reserve(struct lab_rank *k);
void lab_rows_free(struct lab_rank *k);
bool lab_rows_send(struct lab_rank *k, const int32_t *tokens, const void *gradient);
bool lab_rows_add(struct lab_rank *k);

/* update.c: calculates the factor on gradients for the optimizer. *skip: they overflowed. */
bool lab_gradient_scale(struct lab_rank *k, double *scale, bool *skip);
/* Steps the optimizer on this rank's part of every unit, then gives every rank the new
 * parameters. */
bool lab_update(struct lab_rank *k, double scale);
double lab_learning_rate(const struct lab_options *o, uint32_t step);
struct lab_scaler lab_scaler_new(const struct lab_options *o);
void lab_scaler_after(struct lab_scaler *s, bool overflow);

/* step.c: the data cursor: how many sequences all ranks together have trained on before this
 * micro-step. */
uint64_t lab_sequences(const struct lab_rank *k, uint32_t step, uint32_t micro);
/* One training step. */
bool lab_step(struct lab_rank *k);
/* Calculates the mean loss of all ranks on text that is not trained on, if the options ask for it
 * after this step. What is sent for it is not a part of the run, and not counted. */
bool lab_evaluate(struct lab_rank *k);
/* At the end of a step: all transfers that were waited for are over, and the comm's watch has been
 * called for them. */
bool lab_settle(struct lab_rank *k);

/* links.c: what a rank does in place of training if only the links are to be timed. */
bool lab_links(struct lab_rank *k);

/* rehearse.c: runs everything once before the run, if the device loads what it needs only then. */
bool lab_rehearse(struct lab_rank *k);

#define LAB_HASH_START 0xcbf29ce484222325u
/* fnv.c: continues FNV-1a from `hash`. */
uint64_t lab_hash_add(uint64_t hash, const void *bytes, size_t count);
/* hash.c */
uint64_t lab_state_hash(struct lab_rank *k);
bool lab_weights_hash(struct lab_rank *k, uint64_t *out);

/* report.c: where the rank is, for the ledger, the watchdog and events. */
void lab_at(struct lab_rank *k, enum lab_phase phase, int unit);
void lab_say_memory(struct lab_rank *k);
void lab_watch(void *self, const struct lab_transfer *x, uint64_t sent,
               const struct lab_comm_times *times);
double lab_seconds(void);
/* A rank that is to be slow waits until it has taken so many times as long since lab_at(), less
 * what it waited for others. */
void lab_drag(struct lab_rank *k);
/* Returns false, and writes that there was no memory for a few bytes of bookkeeping. */
bool lab_fail_memory(struct lab_rank *k);

#endif
