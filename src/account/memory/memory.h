/* memory: how many bytes training keeps, where, and when.
 *
 * In flows a training. It is checked and resolved (training/resolved.h), and its sheet says which
 * copies of the model one GPU keeps and how each is divided. This wing adds what a step needs as
 * well: activations (activations.c), gathers and buckets (buffers.c), and what the GPU holds before
 * the first tensor (reserve.c). Out flow
 *
 *   account_memory()        the memory of one GPU at each phase of a step, and its peak; what is
 *                           stored on the host and on NVMe
 *   account_ledger()        the same by category, each category at its own highest
 *   account_activations()   what the forward pass keeps for backward, and what a layer needs while
 *                           it runs
 *
 * A step is a row of instants (memory.c, memory_units.c). Each row says what is there at that
 * instant; the highest of a phase is the phase's, and the highest of those is the peak. Copies that
 * a recipe keeps only for a while (gradients in backward, a gathered unit) therefore do not simply
 * add up: the ledger of highest categories is larger than the peak.
 *
 * All bytes are exact and count padding. Where pipeline stages differ, the first one's rank is
 * counted, which holds the most activations. */
#ifndef ACCOUNT_MEMORY_H
#define ACCOUNT_MEMORY_H

#include "account/training/catalogue.h"

struct account_training;

/* ── ledgers ───────────────────────────────────────────────────────────────────────────────────*/

struct account_ledger {
    uint64_t bytes[ACCOUNT_CATEGORIES];
    uint64_t total;
    /* How many bytes of the total only pad shards, on the last rank: it has them all. */
    uint64_t padding;
};
/* What one GPU keeps: its model states all the time, and whatever of activations, buffers and
 * framework the training asks for (batch and seq, a recipe with buffers, a card), each at its own
 * highest. With pipeline stages: the first one's rank. */
bool account_ledger(const struct account_training *t, struct account_ledger *out,
                    struct account_error *e);

/* ── memory over a step ────────────────────────────────────────────────────────────────────────*/

enum account_phase {
    ACCOUNT_INIT,
    ACCOUNT_FORWARD,
    ACCOUNT_BACKWARD,
    ACCOUNT_UPDATE,
    ACCOUNT_PHASES
};
/* "init", "forward", "backward", "update" */
const char *account_phase_name(enum account_phase p);
/* An instant, and all that is on one GPU then. */
struct account_instant {
    struct account_ledger ledger;
    /* "forward, logits", "backward, last block", "update" */
    const char *where;
};
struct account_memory {
    /* As account_ledger(). */
    struct account_ledger gpu;
    /* Per node. */
    struct account_ledger host, nvme;
    /* On the GPU, between two steps. */
    struct account_ledger persistent;
    /* The highest instant of each phase, and the phase that has the highest of those. */
    struct account_instant phase[ACCOUNT_PHASES];
    enum account_phase peak;
    /* The highest of each category by itself. They do not add up to the peak. */
    uint64_t highest[ACCOUNT_CATEGORIES];
    /* Of layers that stage 3 gathers although the recipe names no buffers: the paper's count leaves
     * them out, and any implementation needs them. Part of the gathered bytes if a step is counted
     * (batch, seq and shape are known), else not. 0 for other recipes and stages. */
    uint64_t implied;
};
bool account_memory(const struct account_training *t, struct account_memory *out,
                    struct account_error *e);

/* ── the timeline of a step ────────────────────────────────────────────────────────────────────*/

/* Which part of the model runs at a moment. */
enum account_stop {
    /* No part alone: before the first step, in the update, or in a phase of a bare Ψ. */
    ACCOUNT_AT_ALL,
    ACCOUNT_AT_EMBEDDINGS,
    ACCOUNT_AT_BLOCK,
    ACCOUNT_AT_NORM,
    ACCOUNT_AT_HEAD,
    /* Of the update: after it, until the next step. */
    ACCOUNT_AT_REST
};
struct account_timepoint {
    enum account_phase phase;
    enum account_stop stop;
    /* From 0. */
    uint32_t block;
    struct account_ledger ledger;
};
/* The moments of a micro-step, in order, and what one GPU holds at each: init, forward through the
 * blocks to the head, backward to the first block, the update, and the rest until the next step.
 * With accumulation it is the last micro-step; with a pipeline the first stage's, plus the
 * micro-batches that wait there. The highest of a phase is account_memory()'s, and so is the peak.
 * Returns how many there are, and fills at most `capacity`; 0 with the reason if there are none. */
size_t account_timeline(const struct account_training *t, struct account_timepoint *out,
                        size_t capacity, struct account_error *e);
/* A model of so many layers has at most so many. */
#define ACCOUNT_TIMELINE_MOST(layers) (2 * (size_t)(layers) + 9)
/* account_memory() and account_timeline() of a training that is resolved once. */
size_t account_memory_over_time(const struct account_training *t, struct account_memory *memory,
                                struct account_timepoint *out, size_t capacity,
                                struct account_error *e);
/* Which moment is the peak, as account_memory() names it: of equals the first of backward. */
size_t account_timeline_peak(const struct account_timepoint *moment, size_t count);
/* "init", "forward embeddings", "backward block 3", "update", "between steps": the lab's words.
 * Returns `out`. */
const char *account_timepoint_name(const struct account_timepoint *m, char *out, size_t size);
/* Reads the same words: what follows "update" is passed over. False if they are none. */
bool account_timepoint_read(const char *words, struct account_timepoint *out);

/* What account_memory() counts of the GPU in addition to model states, part by part: the parts of a
 * category add up to `gpu`'s, or to those of one instant, whose name is `where` (NULL: of each
 * category its highest). Returns how many; at most ACCOUNT_MEMORY_PARTS. */
struct account_memory_part {
    enum account_category category;
    const char *what, *source;
    uint64_t bytes;
};
#define ACCOUNT_MEMORY_PARTS 16
size_t account_memory_parts(const struct account_training *t, const char *where,
                            struct account_memory_part out[ACCOUNT_MEMORY_PARTS]);

/* ── what fits ─────────────────────────────────────────────────────────────────────────────────*/

enum account_fit { ACCOUNT_FITS, ACCOUNT_TIGHT, ACCOUNT_TOO_LARGE };
/* "yes", "tight", "no" */
const char *account_fit_name(enum account_fit f);
/* Tight is over nine tenths, because an allocator wastes some of the rest. That is a judgement, not
 * a measurement. */
enum account_fit account_fit(uint64_t bytes, uint64_t budget);

/* Bytes per parameter of a category before any sharding (params 2, grads 2, master 4, moments 8);
 * moments of 8-bit Adam 2.03125. */
double account_bytes_per_param(const struct account_training *t, enum account_category c);
/* Whether the recipe shards this category at the training's stage. */
bool account_is_sharded(const struct account_training *t, enum account_category c);
/* Largest Ψ whose ledger total fits `bytes` on each GPU, all else as in `t`. */
uint64_t account_largest_params(const struct account_training *t, uint64_t bytes);
/* Fewest GPUs at which the total fits `bytes`; 0 if no number does. */
uint32_t account_fewest_gpus(const struct account_training *t, uint64_t bytes);

/* ── activations ───────────────────────────────────────────────────────────────────────────────*/

/* Bytes on one GPU; the first pipeline stage's. */
struct account_activations {
    /* Saved for backward by one layer with nothing recomputed. */
    uint64_t layer;
    /* By one layer as checkpointed. */
    uint64_t kept;
    /* All kept layers of all micro-batches in flight. */
    uint64_t layers;
    /* Computed again, in addition to `kept`, while one layer runs backward: layer - kept. */
    uint64_t working;
    /* Before the first layer. */
    uint64_t embedding;
    /* Final norm and the head's input; 0 where another pipeline stage has them. */
    uint64_t head;
    /* Logits and what cross-entropy makes of them at its highest, as the recipe's runs do. */
    uint64_t logits;
    /* The same when forward ends; cross-entropy's backward may need more. */
    uint64_t logits_forward;
    /* Of which 4 B each: the fp32 logits, then the probabilities in their place. */
    uint64_t logits_fp32;
    /* The head's own output, as wide as the GPU computes: a copy in addition to fp32 logits. */
    uint64_t logits_output;
    /* Two gradients that F.cross_entropy's backward holds at the same time, 4 B each. */
    uint64_t logits_loss;
    /* Layers, embedding, and the greater of (head, logits) and `working`; all of it where
     * `fixed`. */
    uint64_t highest;
    /* Allocated once: `highest` is there from the first forward on, in every phase. */
    bool fixed;
    /* Micro-batches whose layers are held: 1 without a pipeline. */
    double in_flight;
};
/* Zeros where batch or seq is 0; an error where no shape is known. `logits` is the sum of those of
 * its three parts that the recipe's runs hold; the parts are given in any case. */
bool account_activations(const struct account_training *t, struct account_activations *out,
                         struct account_error *e);
/* Working memory of the recipe zerolab with flash attention: the lab on a GPU. Else 0, and
 * `columns` is the vocabulary. */
struct account_lab_work {
    /* Held all the time. */
    uint64_t workspace;
    /* Of attention's backward, in addition to its intermediate gradients. */
    uint64_t scratch;
    /* Of the logits. */
    uint64_t columns;
};
struct account_lab_work account_lab_work(const struct account_training *t);
/* Activations by what they are. `layer`, `kept` and `highest` of the parts add up to
 * account_activations()'s; parts may be 0. */
enum account_activation {
    /* What the norms read, and make in llm.c. */
    ACCOUNT_SAVED_NORMS,
    /* Query, key and value, and what they are made from. */
    ACCOUNT_SAVED_QKV,
    /* Softmax and its dropout: s² per head; with flash attention one number per token. */
    ACCOUNT_SAVED_SCORES,
    /* What attention hands to its output projection. */
    ACCOUNT_SAVED_OUTPUT,
    ACCOUNT_SAVED_MLP,
    /* The router, and the experts' inputs and outputs. */
    ACCOUNT_SAVED_EXPERTS,
    ACCOUNT_SAVED_EMBEDDING,
    /* The layer that is computed again. */
    ACCOUNT_SAVED_AGAIN,
    ACCOUNT_SAVED_HEAD,
    ACCOUNT_SAVED_LOGITS,
    ACCOUNT_ACTIVATION_SORTS
};
/* "q, k, v", "scores" … */
const char *account_activation_name(enum account_activation s);
#define ACCOUNT_ACTIVATION_PARTS 32
struct account_activation_parts {
    size_t count;
    struct account_activation_part {
        enum account_activation sort;
        /* "input of the MLP" */
        const char *what;
        /* Of one layer: with nothing recomputed, as checkpointed. */
        uint64_t layer, kept;
        /* Of all that is there at the highest instant. */
        uint64_t highest;
    } part[ACCOUNT_ACTIVATION_PARTS];
};
bool account_activation_parts(const struct account_training *t,
                              struct account_activation_parts *out, struct account_error *e);

/* ── operations ────────────────────────────────────────────────────────────────────────────────*/

/* Floating-point operations of one sequence: the model's own (3 × forward; 2 × where LoRA freezes
 * the weights), and with what checkpointing computes again (what is really computed: papers that
 * count hardware FLOPs may count more, see flops.c). A bare Ψ has 6Ψ per token, 8Ψ with full
 * checkpointing. */
double account_model_flops(const struct account_training *t);
double account_hardware_flops(const struct account_training *t);

#endif
