/* plan: which configuration to train with, and why.
 *
 * In flows a question: a training of which some fields are pinned and the others open, a global
 * batch, and the memory of a node. Its blanks are filled in first (question.c): the usual sequence
 * length, eight sequences per GPU, the usual node for these cards. Then a training is put together
 * for every combination of what may vary (search.c): stage and shard group, checkpointing,
 * micro-batch, offload, tensor, pipeline and context parallelism. Each is resolved once and
 * measured (outcome.c). Memory says whether it fits the card, the host and NVMe; the clock says how
 * fast it is.
 *
 * Out flow the plans in the order in which they should be tried. Of those that fit, the first is
 * the simplest that is as fast as the fastest, where "simple" counts what has to be set up
 * (front.c). Each has its reason in words (reason.c). With them comes the decision tree (tree.h):
 * the same decision as a person makes it with a pencil, fork by fork. */
#ifndef ACCOUNT_PLAN_H
#define ACCOUNT_PLAN_H

#include "account/plan/outcome.h"
#include "account/training/training.h"

struct account_question {
    /* What is given. The search sets what it varies, unless that is pinned. */
    struct account_training training;
    /* Sequences per step; 0: batch × accumulate × dp where a micro-batch is given, else 8 per
     * GPU. */
    uint64_t global_batch;
    /* A node's; 0: the catalogue's for the card, or none. */
    uint64_t host_bytes, nvme_bytes;
    /* Bit i: field i of account_fields() was given and is not varied. */
    uint64_t pinned;
};
struct account_plan {
    struct account_training training;
    struct account_outcome measured;
    /* Why it was chosen, or why not. */
    char reason[160];
};
struct account_fork {
    char question[80], answer[24], because[160];
    /* Bytes that one GPU needs in what was asked, and those it has; 0 where it was about something
     * else. */
    uint64_t needs, has;
    /* It is left open, because how much memory a node has was not said. */
    bool needs_host;
};
#define ACCOUNT_FORKS 12
struct account_plans {
    /* How many are in plan[]; how many configurations were looked at. */
    size_t count, tried;
    /* plan[0] is what to do. */
    bool found;
    /* False: bytes decide, because a rate is not known. */
    bool timed;
    /* The question with its blanks filled in: seq, gpus_per_node; and what was given, or
     * assumed. */
    struct account_training base;
    uint64_t global_batch, host_bytes, nvme_bytes;
    /* The decision tree as it was walked. */
    size_t forks;
    struct account_fork fork[ACCOUNT_FORKS];
};
/* Fills up to `capacity` plans: the fitting by time, then the rest by how little is missing. */
bool account_plan(const struct account_question *q, struct account_plan *plan, size_t capacity,
                  struct account_plans *out, struct account_error *e);

#endif
