/* What the files of the planner share that build trainings: a question with its blanks filled in,
 * the search, the front. */
#ifndef ACCOUNT_SEARCH_H
#define ACCOUNT_SEARCH_H

#include "account/plan/compare.h"
#include "account/plan/plan.h"

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
    struct account_given given;
    /* Sequences a step. */
    uint64_t global_batch;
    /* GPUs of a node. */
    uint32_t node;
    /* Bit i: enum account_knob i. */
    uint32_t pinned;
};
bool account_search_open(const struct account_question *q, struct account_search *s,
                         struct account_error *e);
bool account_is_pinned(const struct account_search *s, enum account_knob knob);
/* Resolves a training that was put together here, once, and measures it. False if its fields do not
 * agree. */
bool account_search_measure(const struct account_search *s, const struct account_training *t,
                            struct account_outcome *out);

/* Calls `found` with the best micro-batch of each combination; returns how many configurations were
 * looked at. */
typedef void account_found(void *to, const struct account_plan *plan);
size_t account_search_all(const struct account_search *s, account_found *found, void *to);

/* The plans for which no other plan is both simpler and as fast. The simplest comes first, so each
 * is faster than those before it. If they are too many, the slowest is left out. front.c */
#define ACCOUNT_FRONT 48
struct account_front {
    size_t count;
    struct account_plan plan[ACCOUNT_FRONT];
};
void account_front_add(struct account_front *f, const struct account_plan *p);
/* The simplest that is as fast as the fastest; NULL if there are none. */
const struct account_plan *account_front_simplest(const struct account_front *f);

/* Writes the forks. `chosen` is NULL if nothing fits; `next` the runner-up or NULL. */
void account_plan_tree(const struct account_search *s, const struct account_plan *chosen,
                       const struct account_plan *next, struct account_plans *out);

#endif
