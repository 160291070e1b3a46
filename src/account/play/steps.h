/* What is in the frames of more plays: a flat buffer that is cut in shards, and those that show a
 * whole step, which are a pipeline's schedule and tiers of memory with bytes that flow. */
#ifndef ACCOUNT_PLAY_STEPS_H
#define ACCOUNT_PLAY_STEPS_H

#include "account/memory/memory.h"
#include "account/play/play.h"

/* ── a flat buffer ─────────────────────────────────────────────────────────────────────────────*/
enum { ACCOUNT_FLAT_TENSORS = 3, ACCOUNT_FLAT_SLIDES = 6 };
enum account_flat_phase {
    /* Each tensor is padded separately. */
    ACCOUNT_FLAT_APART,
    ACCOUNT_FLAT_SLIDES_ON,
    ACCOUNT_FLAT_LAID,
    ACCOUNT_FLAT_PADDED,
    ACCOUNT_FLAT_CUT,
    /* The frame is about one rank's shard. */
    ACCOUNT_FLAT_OWNED,
    ACCOUNT_FLAT_END
};
/* A frame of the play "flat-buffer". Everything is counted in elements, from 0. */
struct account_flat {
    enum account_flat_phase phase;
    uint32_t ranks, elements, frame, frames;
    /* Of each rank, padding included; at the end of all shards together. */
    uint32_t shard, padding;
    /* Places that the tensors take if each is padded separately; tensors that lie on more than one
     * rank. */
    uint32_t alone, split;
    /* How far the tensors have come, of ACCOUNT_FLAT_SLIDES; the rank that the frame is about. */
    uint32_t slid, rank;
    struct account_flat_tensor {
        const char *name;
        /* 1: a vector. */
        uint32_t rows;
        uint32_t first, count;
        /* Places that it takes if it is padded separately; the ranks that own its first and its
         * last element. */
        uint32_t alone, from, to;
    } tensor[ACCOUNT_FLAT_TENSORS];
};
void account_flat(const struct account_playing *at, struct account_flat *out);
/* How many elements of a rank's shard are parameters. */
uint32_t account_flat_real(const struct account_flat *b, uint32_t rank);

/* ── a pipeline's schedule ───────────────────────────────────────────────────────────────────────
 * slots.c has the table of the schedules, with their sources. */
enum {
    ACCOUNT_PIPELINE_STAGES = 8,
    ACCOUNT_PIPELINE_MICROS = 16,
    ACCOUNT_PIPELINE_PIECES = 4,
    /* 3 slots × (pieces × micro-batches + stages − 1), and room: no schedule takes more. */
    ACCOUNT_PIPELINE_SLOTS = 220
};
enum account_pipeline_schedule {
    ACCOUNT_GPIPE,
    ACCOUNT_1F1B,
    ACCOUNT_INTERLEAVED,
    ACCOUNT_ZB_H1,
    ACCOUNT_ZB_H2,
    ACCOUNT_PIPELINE_SCHEDULES
};
/* What a stage computes for a micro-batch. Backward is the gradients of the input and of the
 * weights together, unless the schedule divides them: then it is the input's alone. */
enum account_pipeline_work {
    ACCOUNT_WORK_FORWARD,
    ACCOUNT_WORK_BACKWARD,
    ACCOUNT_WORK_WEIGHTS,
    ACCOUNT_PIPELINE_WORKS
};
/* A frame of the play "pipeline". A slot is the time in which a stage computes a piece forward, for
 * one micro-batch; its backward takes two, or one for each of its halves. Frame f shows slot f − 1
 * at work; in the first nothing has begun, in the last all is over. */
struct account_pipeline {
    enum account_pipeline_schedule schedule;
    /* `pieces` of the model's layers on each stage. */
    uint32_t stages, micros, pieces, slots, frame, frames;
    /* A stage's own step: its slots, and how many later than on the stage before it begins. What is
     * empty before and after it belongs to the steps before and after. */
    uint32_t span, lag;
    bool over;
    /* The whole step, [stage][slot]. */
    struct account_slot {
        /* From 1; 0: the stage waits. */
        uint8_t micro;
        /* From 0. */
        uint8_t piece;
        /* enum account_pipeline_work */
        uint8_t work;
        /* The first slot of its work; the one after which its activations are freed. */
        bool begins, frees;
    } cell[ACCOUNT_PIPELINE_STAGES][ACCOUNT_PIPELINE_SLOTS];
    /* Up to this frame. Pieces whose activations a stage keeps, now and at most: divided by
     * `pieces` they are micro-batches. Slots of all stages in which they waited in their step. */
    uint32_t in_flight[ACCOUNT_PIPELINE_STAGES], most[ACCOUNT_PIPELINE_STAGES], idle;
};
/* The last frame of a step of 1 to 8 stages, 1 to 16 micro-batches and 1 to 4 pieces. False, with
 * the reason, if the schedule cannot run them. */
bool account_pipeline_lay(enum account_pipeline_schedule schedule, uint32_t stages, uint32_t micros,
                          uint32_t pieces, struct account_pipeline *out, struct account_error *e);
/* Counts again what stands for the frame: in flight, at most, idle. One beyond the last is the
 * last. */
void account_pipeline_seek(struct account_pipeline *s, uint32_t frame);
void account_pipeline(const struct account_playing *at, struct account_pipeline *out);
/* Whether a slot is of the stage's own step. In one that is not, and is empty, it does not wait. */
bool account_pipeline_has(const struct account_pipeline *s, uint32_t stage, uint32_t slot);
/* "forward", "backward", "weight gradient"; NULL if the schedule has no such work. */
const char *account_pipeline_work_name(enum account_pipeline_schedule schedule,
                                       enum account_pipeline_work work);
/* The share of its step that a stage waits, counted from the slots. */
double account_pipeline_bubble(const struct account_pipeline *s);

/* The same by the formula of the schedule's paper, as account_clock() has it for 1F1B: `waits` of
 * `all`, in units in which both are whole numbers. */
struct account_pipeline_formula {
    /* "(p − 1)/(m + p − 1)" */
    char words[48];
    uint32_t waits, all;
};
struct account_pipeline_formula account_pipeline_formula(const struct account_pipeline *s);

/* ── tiers with bytes that flow ──────────────────────────────────────────────────────────────────
 * One GPU, a step of its training: parts of forward and backward for each micro-batch, the update
 * on the host, what comes back. ZeRO-Offload, arXiv:2101.06840; ZeRO-Infinity, arXiv:2104.07857. */
enum account_tiers_phase {
    ACCOUNT_TIERS_START,
    ACCOUNT_TIERS_FORWARD,
    ACCOUNT_TIERS_BACKWARD,
    ACCOUNT_TIERS_UPDATE,
    ACCOUNT_TIERS_RETURN,
    ACCOUNT_TIERS_END
};
/* Bytes and seconds. Of a link the index is the tier above it: ACCOUNT_GPU is the host link,
 * ACCOUNT_HOST the way between host memory and NVMe. */
struct account_tiers {
    enum account_tiers_phase phase;
    uint32_t frame, frames, micro, micros, part;
    /* On the GPU at the phase's highest moment; on the node. */
    struct account_ledger keeps[ACCOUNT_TIERS];
    uint64_t holds[ACCOUNT_TIERS];
    /* In this frame, `gathered` of `up` as weights for its pass; up to its end. */
    uint64_t down[ACCOUNT_TIERS], up[ACCOUNT_TIERS], gathered;
    uint64_t moved_down[ACCOUNT_TIERS], moved_up[ACCOUNT_TIERS];
    /* When the frame begins; how long it lasts; how long the GPU computes in it, and has computed
     * up to its end; the whole step. */
    double begins, seconds, computes, computed, step;
    /* Of the training: bytes per second of each link, seconds of a micro-batch's passes and of the
     * update, what is kept and moved. */
    double rate[ACCOUNT_TIERS], forward, backward, update;
    struct account_ledger gpu[ACCOUNT_PHASES], host, nvme;
    struct account_tiers_moves {
        /* Over the host link in a step: gradients and their sums in `windows` of the micro-batches,
         * complete gradients in the last; new weights at its end; weights that lie on the host in
         * `gathers` passes of every micro-batch. */
        uint64_t grads_down, last_down, sums_up, updated_up, gathered_up;
        uint32_t windows, gathers;
    } moves;
};
/* False, with the reason, if there is not one GPU, or its card, link or computation is unknown. */
bool account_tiers(const struct account_playing *at, struct account_tiers *out,
                   struct account_error *e);
/* The next frame; false, and nothing is changed, after the last. */
bool account_tiers_next(struct account_tiers *w);

#endif
