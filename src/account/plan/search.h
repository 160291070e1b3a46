/* What the files of the planner share: a question with its blanks filled in, and what one
 * configuration needs and takes. */
#ifndef ACCOUNT_SEARCH_H
#define ACCOUNT_SEARCH_H

#include "account/plan/plan.h"
#include "account/training/resolved.h"

/* What the search varies. */
enum account_knob {
    ACCOUNT_KNOB_STAGE,
    ACCOUNT_KNOB_GROUP,
    ACCOUNT_KNOB_CHECKPOINT,
    ACCOUNT_KNOB_BATCH,
    ACCOUNT_KNOB_ACCUMULATE,
    ACCOUNT_KNOB_OPTIMIZER,
    ACCOUNT_KNOB_PARAMS,
    ACCOUNT_KNOB_TP,
    ACCOUNT_KNOB_PP,
    ACCOUNT_KNOB_CP,
    ACCOUNT_KNOB_SP,
    ACCOUNT_KNOB_NODE,
    ACCOUNT_KNOB_SEQ,
    ACCOUNT_KNOBS
};

/* A question with its blanks filled in. */
struct account_search {
    struct account_training base;
    /* sequences a step */
    uint64_t global_batch;
    uint64_t card_bytes, host_bytes,
        /* of one card; of one node, for this job's GPUs on it */
        nvme_bytes;
    /* bit i: enum account_knob i */
    uint32_t pinned;
    /* activations and layers are known */
    bool has_shape;
    /* a rate is not known: what is sent and, where it is known, computing decide instead of
     * seconds */
    bool by_bytes;
};
bool account_search_open(const struct account_question *q, struct account_search *s,
                         struct account_error *e);
bool account_is_pinned(const struct account_search *s, enum account_knob knob);

/* The tier on which memory is missing, or shortest. */
enum account_limit { ACCOUNT_LIMIT_CARD, ACCOUNT_LIMIT_HOST, ACCOUNT_LIMIT_NVME };
struct account_needs {
    /* bytes on the tier that limits */
    uint64_t needs, has;
    /* of account_memory() */
    uint64_t peak;
    /* account_implied() where the peak lacks it, because the model has no shape; counted in
     * `needs` */
    uint64_t gathered;
    /* what the peak is made of */
    uint64_t states, activations, reserve;
    /* bytes on each node */
    uint64_t host;
    enum account_fit fits;
    enum account_limit limit;
};
/* What one configuration needs of memory. False if its fields do not agree. */
bool account_plan_needs(const struct account_search *s, const struct account_training *t,
                        struct account_needs *out);
/* Measures memory and time. If the search compares bytes, `seconds` holds a number that takes their
 * place until the plans are returned. If only this plan's time is unknown, it is infinite. */
bool account_plan_measure(const struct account_search *s, const struct account_training *t,
                          struct account_plan *out);
/* How much has to be set up. Offload counts most, then model parallelism, then the stage, then
 * recomputation. */
uint32_t account_burden(const struct account_training *t);
/* Bytes that a rank sends in a step, those over its host link included. */
double account_plan_bytes(const struct account_training *t);

/* Calls `found` with the best micro-batch of each combination; returns how many configurations were
 * looked at. */
typedef void account_found(void *to, const struct account_plan *plan);
size_t account_search_all(const struct account_search *s, account_found *found, void *to);

/* Plans whose times differ by less than this are as fast as each other. */
#define ACCOUNT_AS_FAST 1.02

/* The plans for which no other plan is both simpler and as fast. The simplest comes first, so each
 * is faster than those before it. If they are too many, the slowest is left out. plan.c */
#define ACCOUNT_FRONT 48
struct account_front {
    size_t count;
    struct account_plan plan[ACCOUNT_FRONT];
};
void account_front_add(struct account_front *f, const struct account_plan *p);
/* The simplest that is as fast as the fastest; NULL if there are none. */
const struct account_plan *account_front_simplest(const struct account_front *f);

/* "stage 3 in groups of 8, full checkpointing, 2 × 4, tp 2" */
void account_add_plan(struct account_text *out, const struct account_training *t);
/* Writes `reason` of every plan; the first is the one to do if `found`. */
void account_plan_reasons(const struct account_search *s, struct account_plan *plan, size_t count,
                          bool found, const struct account_plan *fastest);
/* Writes the forks. `chosen` is NULL if nothing fits; `next` the runner-up or NULL. */
void account_plan_tree(const struct account_search *s, const struct account_plan *chosen,
                       const struct account_plan *next, struct account_plans *out);

void account_add_bytes(struct account_text *out, double bytes);
void account_add_seconds(struct account_text *out, double seconds);

#endif
