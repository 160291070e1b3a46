/* The decision tree as it was walked for this question: fits under DDP? with stage 1, 2, 3?
 * checkpointing? a smaller micro-batch? offload, or a second GPU? model parallel? more GPUs? Each
 * fork is settled by a measured quantity, and the last one by time.
 *
 * The walk takes the smallest micro-batch and stops at the first yes. It asks what fits; what is
 * fastest of all that fits, the search says, and the last fork ends there. */
#include "account/plan/tree.h"

#include <string.h>

/* ── stages ────────────────────────────────────────────────────────────────────────────────────*/

static const char *stage_question(const struct account_tree *tree, uint8_t stage) {
    static const char *const names[] = {"Does it fit under plain data parallel (DDP)?",
                                        "Does it fit with stage 1?", "Does it fit with stage 2?",
                                        "Does it fit with stage 3?"};
    bool alone = tree->at.gpus == 1 && !account_is_pinned(tree->search, ACCOUNT_KNOB_STAGE);
    return alone ? "Does it fit on one GPU?" : names[stage];
}

static bool ask_stages(struct account_tree *tree) {
    for (uint8_t stage = 0; stage < 4; stage++) {
        struct account_outcome w;
        if (!account_tree_has_stage(tree, stage)) continue;
        tree->at.stage = stage;
        if (!account_search_measure(tree->search, &tree->at, &w)) continue;
        if (account_tree_settle(tree, stage_question(tree, stage), &w, "")) return true;
        if (w.ranks > 1) continue;
        struct account_text why = account_tree_fork(tree, "Would a higher stage help?", "no");
        account_add(&why, "the states are shared by one rank: every stage divides by 1");
        return false;
    }
    return false;
}

/* ── activations ───────────────────────────────────────────────────────────────────────────────*/

static bool ask_checkpoint(struct account_tree *tree) {
    struct account_training t = tree->at;
    if (account_is_pinned(tree->search, ACCOUNT_KNOB_CHECKPOINT) || t.batch == 0) return false;
    t.checkpoint = ACCOUNT_FULL;
    return account_tree_ask(tree, "With activations computed again (full checkpointing)?", t);
}

/* The walk has the smallest micro-batch already, unless one was given. */
static bool ask_micro_batch(struct account_tree *tree) {
    struct account_training t = tree->at;
    if (t.batch <= 1) return false;
    t.accumulate *= t.batch;
    t.batch = 1;
    account_tree_ask(tree, "With a micro-batch of one sequence?", t);
    return false; /* the micro-batch was given: this only says what it costs */
}

/* ── other memory ──────────────────────────────────────────────────────────────────────────────*/

static bool ask_tier(struct account_tree *tree, const char *question, uint8_t optimizer,
                     uint8_t params) {
    struct account_training t = tree->at;
    t.offload_optimizer = optimizer;
    t.offload_params = params;
    return account_tree_ask(tree, question, t);
}

static bool ask_offload(struct account_tree *tree) {
    const struct account_search *s = tree->search;
    bool given =
        account_is_pinned(s, ACCOUNT_KNOB_OPTIMIZER) || account_is_pinned(s, ACCOUNT_KNOB_PARAMS);
    if (given || tree->at.offload_optimizer || tree->at.offload_params) return false;
    if (s->given.host_bytes == 0) {
        struct account_text why =
            account_tree_fork(tree, "With the optimizer on the host (offload)?", "no");
        account_add(&why, "the node's host memory is not known");
        tree->out->fork[tree->out->forks - 1].needs_host = true;
        return false;
    }
    struct account_training before = tree->at;
    if (ask_tier(tree, "With the optimizer on the host (offload)?", ACCOUNT_HOST, ACCOUNT_GPU))
        return true;
    if (ask_tier(tree, "With the parameters there too?", ACCOUNT_HOST, ACCOUNT_HOST)) return true;
    if (s->given.nvme_bytes && ask_tier(tree, "With both on NVMe?", ACCOUNT_NVME, ACCOUNT_NVME))
        return true;
    tree->at = before;
    return false;
}

/* ── the walk ──────────────────────────────────────────────────────────────────────────────────*/

static struct account_training start(const struct account_search *s) {
    struct account_training t = s->base;
    uint64_t own = s->global_batch / account_data_parallel(&t);
    if (!s->given.has_shape) return t;
    bool counted = account_is_pinned(s, ACCOUNT_KNOB_ACCUMULATE);
    if (!account_is_pinned(s, ACCOUNT_KNOB_BATCH))
        t.batch = counted && own > t.accumulate ? (uint32_t)(own / t.accumulate) : 1;
    if (!counted) t.accumulate = own > t.batch ? (uint32_t)(own / t.batch) : 1;
    return t;
}

void account_plan_tree(const struct account_search *s, const struct account_plan *chosen,
                       const struct account_plan *next, struct account_plans *out) {
    static bool (*const asks[])(struct account_tree * tree) = {
        ask_stages, ask_checkpoint, ask_micro_batch, ask_offload, account_tree_model_parallel};
    struct account_tree tree = {
        .search = s, .chosen = chosen, .next = next, .out = out, .at = start(s)};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
        if (asks[i](&tree)) break;
    if (!chosen) {
        account_tree_quantize(&tree);
        account_tree_more(&tree);
        return;
    }
    account_tree_second(&tree);
    account_tree_batch(&tree);
    account_tree_end(&tree);
}
