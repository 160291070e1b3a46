/* What a GPU holds at one instant of a step, before it is known which instant is the highest. */
#ifndef ACCOUNT_STEP_H
#define ACCOUNT_STEP_H

#include "account/memory/memory.h"
#include "account/training/resolved.h"

/* Buffers of the first pipeline stage's rank, in bytes. */
struct account_buffers {
    uint64_t gather_always, gather_forward, gather_backward;
    uint64_t reduce_always;
    /* Buckets, and the unsharded gradients of a unit. */
    uint64_t reduce_backward;
};
void account_buffers(const struct account_resolved *is, const struct account_shard_units *u,
                     struct account_buffers *out);
/* Whether a step with its activations can be counted. If so, account_memory() counts
 * `implied` in it. */
bool account_counts_step(const struct account_resolved *is);
/* Bytes of a reduction bucket as it travels, at most all the gradients of a rank. */
uint64_t account_bucket_bytes(const struct account_resolved *is);
/* Whether the recipe works by units at all, in buffers or in when its copies are there. */
bool account_works_by_units(const struct account_resolved *is);

/* What the GPU holds before the first tensor; 0 if no card is named. */
uint64_t account_reserve(const struct account_resolved *is);
/* What that is made of, appended to `out`. */
void account_reserve_parts(const struct account_resolved *is, struct account_memory_part *out,
                           size_t *count);

static inline void account_ledger_add(struct account_ledger *l, enum account_category c,
                                      uint64_t bytes) {
    l->bytes[c] += bytes;
    l->total += bytes;
}

/* What zerolab takes up and lets go of, in bytes: an element of a parameter, whole units, the
 * gradient of a hidden state, token ids, buckets that are open, gathered rows of sparse gradients.
 * memory_units.c */
struct account_lab_units {
    uint64_t element, embeddings, block, hidden, tokens, staging, rows;
    uint32_t layers, ahead;
    /* untied: the head is a unit too, and its gradients are complete before the blocks'. passes:
     * gradients of a unit are made whole in 16 bits, and let go of when they are added or sent. */
    bool untied, gathers, passes;
};
struct account_lab_units account_lab_units_of(const struct account_resolved *is,
                                              const struct account_activations *a);

/* A training, with the bytes of everything that a step may hold. */
struct account_step {
    const struct account_resolved *is;
    /* of each term of the sheet, once */
    uint64_t bytes[ACCOUNT_TERMS], padding[ACCOUNT_TERMS];
    struct account_shard_units units;
    struct account_buffers buffers;
    struct account_activations activations;
    uint64_t reserve;
    struct account_lab_work work;
    /* Only if account_knows_units(). */
    struct account_lab_units lab;
    /* What stays whatever happens: the copies that are always there, buffers that are held, the
     * framework. */
    struct account_ledger standing;
};
struct account_instant_row {
    enum account_phase phase;
    const char *where;
    struct account_ledger (*at)(const struct account_step *s);
};
/* False, with the reason, if activations cannot be counted. What is resolved must outlive the
 * step. */
bool account_step_of(const struct account_resolved *is, struct account_step *step,
                     struct account_error *e);
/* Adds the copies that are on a tier then. */
void account_step_add(struct account_ledger *l, const struct account_step *s,
                      enum account_tier tier, enum account_when when);
/* Takes the copies of a category that are always there off the GPU again: before they are made. */
static inline void account_step_leave_out(struct account_ledger *l, const struct account_step *s,
                                          enum account_category c) {
    for (size_t i = 0; i < s->is->sheet.terms; i++) {
        const struct account_term *term = &s->is->sheet.term[i];
        if (term->category != c || term->tier != ACCOUNT_GPU || term->when != ACCOUNT_ALWAYS)
            continue;
        l->bytes[c] -= s->bytes[i];
        l->total -= s->bytes[i];
        l->padding -= s->padding[i];
    }
}
/* The instants of zerolab's schedule, unit by unit. memory_units.c */
extern const struct account_instant_row account_unit_instants[];
extern const size_t account_unit_instants_count;
/* All of them, in the order of a micro-step: from the lookup through the blocks, the last norm and
 * the head, and back. How many, and what is there at the i-th. */
size_t account_unit_moments(const struct account_step *s);
struct account_ledger account_unit_at(const struct account_step *s, size_t i);
/* The instants of recipes whose schedule is not known: forward's end, backward's two ends, and what
 * comes before and after. memory.c */
enum account_plain_instant {
    ACCOUNT_PLAIN_INIT,
    ACCOUNT_PLAIN_FORWARD,
    ACCOUNT_PLAIN_LOGITS,
    ACCOUNT_PLAIN_START,
    ACCOUNT_PLAIN_END,
    ACCOUNT_PLAIN_UPDATE,
    ACCOUNT_PLAIN_INSTANTS
};
extern const struct account_instant_row account_plain_instants[ACCOUNT_PLAIN_INSTANTS];
/* Which of the two a training has: true for zerolab's, with activations. */
bool account_knows_units(const struct account_step *s);

/* ── what memory.h asks of a training, of one that is resolved ─────────────────────────────────*/

bool account_memory_of(const struct account_resolved *is, struct account_memory *out,
                       struct account_error *e);
uint64_t account_implied_of(const struct account_resolved *is);
/* These two need no tensors: account_resolve_fields() is enough. */
bool account_activations_of(const struct account_resolved *is, struct account_activations *out,
                            struct account_error *e);
struct account_lab_work account_lab_work_of(const struct account_resolved *is);
/* Operations of one sequence: the model's own, and with what checkpointing computes again. */
struct account_flops {
    double model, hardware;
};
struct account_flops account_flops_of(const struct account_resolved *is);

/* ── what runs keep of the forward pass: for activations.c and flops.c ─────────────────────────*/

/* Which tensors selective checkpointing drops: bits. */
enum account_drop {
    ACCOUNT_DROP_NOTHING = 0,
    /* the attention core: softmax and its dropout */
    ACCOUNT_DROP_CORE = 1,
    /* what one pass over memory makes again: outputs of norms and of the MLP's activation */
    ACCOUNT_DROP_CHEAP = 2
};
/* A row of enum account_keeping. */
struct account_keep {
    /* enum account_drop bits */
    uint8_t selective;
    /* full checkpointing is known; else it is a second kind of selective */
    bool full;
    /* the head's output stays beside the fp32 logits, where it is not the same array */
    bool output_if_copy;
    /* it stays in any case: the caller holds it */
    bool output_always;
    /* cross-entropy's backward does not work in place */
    bool loss;
    /* one allocation for the whole run */
    bool fixed;
    /* forwards of the attention core that selective checkpointing adds */
    double core_again;
};
const struct account_keep *account_keep_of(const struct account_resolved *is);

#endif
