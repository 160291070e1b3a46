/* The decision on a napkin, as it was walked for this question: fits under DDP? with stage 1, 2, 3? checkpointing? a smaller
 * micro-batch? offload, or a second GPU? model parallel? more GPUs? Each fork is settled by a measured quantity, and the last one by time.
 *
 * The walk takes the smallest micro-batch and stops at the first yes. It asks what fits; what is fastest of all that fits, the search
 * says, and the last fork ends there. */
#include "account/plan/tree.h"

#include <string.h>

/* ── forks ───────────────────────────────────────────────────────────────────────────────────────*/

/* Room for the last fork is kept. */
struct account_text account_tree_fork(struct account_tree *tree, const char *question,
                                      const char *answer) {
    size_t last = ACCOUNT_FORKS - 1;
    struct account_fork *f = &tree->out->fork[tree->out->forks < last ? tree->out->forks++ : last];
    struct account_text q = account_text(f->question, sizeof f->question),
                        a = account_text(f->answer, sizeof f->answer);
    account_add(&q, "%s", question);
    account_add(&a, "%s", answer);
    return account_text(f->because, sizeof f->because);
}

static void add_parts(struct account_text *out, const struct account_weight *w) {
    const struct {
        uint64_t bytes;
        const char *what;
    } parts[] = {
        {w->states,                                                     "of model states"},
        {w->activations,                                                "activations"    },
        {w->peak - w->states - w->activations - w->reserve + w->beside, "buffers"        },
        {w->reserve,                                                    "reserve"        },
    };
    const char *plus = "";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].bytes == 0) continue;
        account_add(out, "%s", plus);
        account_add_bytes(out, (double)parts[i].bytes);
        account_add(out, " %s", parts[i].what);
        plus = " + ";
    }
}

static void add_tier(struct account_text *out, const struct account_weight *w) {
    static const char *const names[] = {"the host", "host", "NVMe"};
    account_add_bytes(out, (double)w->needs);
    account_add(out, " of each node's ");
    if (w->has == 0) {
        account_add(out, "%s, whose size is not known", names[w->limit]);
        return;
    }
    account_add_bytes(out, (double)w->has);
    account_add(out, " %s", names[w->limit]);
}

void account_tree_add_sum(struct account_text *out, const struct account_search *s,
                          const struct account_weight *w) {
    add_parts(out, w);
    account_add(out, " = ");
    account_add_bytes(out, (double)(w->peak + w->beside));
    account_add(out, " of ");
    account_add_bytes(out, (double)s->card_bytes);
    if (w->limit != ACCOUNT_LIMIT_CARD) {
        account_add(out, "; ");
        add_tier(out, w);
    }
}

bool account_tree_settle(struct account_tree *tree, const char *question,
                         const struct account_weight *w, const char *with) {
    struct account_text because = account_tree_fork(tree, question, account_fit_name(w->fits));
    account_add(&because, "%s", with);
    account_tree_add_sum(&because, tree->search, w);
    return w->fits == ACCOUNT_FITS;
}

/* ── stages ──────────────────────────────────────────────────────────────────────────────────────*/

bool account_tree_has_stage(const struct account_tree *tree, uint8_t stage) {
    const struct account_search *s = tree->search;
    if (!account_has_stage(&tree->at, stage)) return false;
    return !account_is_pinned(s, ACCOUNT_KNOB_STAGE) || stage == s->base.stage;
}

static const char *stage_question(const struct account_tree *tree, uint8_t stage) {
    static const char *const names[] = {"Does it fit under plain data parallel (DDP)?",
                                        "Does it fit with stage 1?", "Does it fit with stage 2?",
                                        "Does it fit with stage 3?"};
    bool alone = tree->at.gpus == 1 && !account_is_pinned(tree->search, ACCOUNT_KNOB_STAGE);
    return alone ? "Does it fit on one GPU?" : names[stage];
}

static bool ask_stages(struct account_tree *tree) {
    for (uint8_t stage = 0; stage < 4; stage++) {
        struct account_weight w;
        if (!account_tree_has_stage(tree, stage)) continue;
        tree->at.stage = stage;
        if (!account_weigh(tree->search, &tree->at, &w)) continue;
        if (account_tree_settle(tree, stage_question(tree, stage), &w, "")) return true;
        if (account_shard_ranks(&tree->at) > 1) continue;
        struct account_text why = account_tree_fork(tree, "Would a higher stage help?", "no");
        account_add(&why, "the states are shared by one rank: every stage divides by 1");
        return false;
    }
    return false;
}

/* ── activations ─────────────────────────────────────────────────────────────────────────────────*/

static bool is_nearer(const struct account_weight *a, const struct account_weight *b) {
    if (a->fits != b->fits) return a->fits < b->fits;
    return a->peak + a->beside < b->peak + b->beside;
}

bool account_tree_lowest(struct account_tree *tree, struct account_training *t,
                         struct account_weight *w) {
    bool any = false;
    for (uint8_t stage = 0; stage < 4; stage++) {
        struct account_training now = *t;
        struct account_weight weight;
        now.stage = stage;
        if (!account_tree_has_stage(tree, stage)) continue;
        if (!account_weigh(tree->search, &now, &weight)) continue;
        if (any && !is_nearer(&weight, w)) continue;
        *t = now;
        *w = weight;
        any = true;
        if (w->fits == ACCOUNT_FITS) break;
    }
    return any;
}

bool account_tree_ask(struct account_tree *tree, const char *question, struct account_training t) {
    struct account_weight w;
    char with[64];
    if (!account_tree_lowest(tree, &t, &w)) return false;
    tree->at = t;
    struct account_text text = account_text(with, sizeof with);
    if (account_shard_ranks(&t) > 1) account_add(&text, "stage %u: ", t.stage);
    return account_tree_settle(tree, question, &w, with);
}

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

/* ── other memory ────────────────────────────────────────────────────────────────────────────────*/

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
    if (s->host_bytes == 0) {
        struct account_text why =
            account_tree_fork(tree, "With the optimizer on the host (offload)?", "no");
        account_add(&why,
                    "how much memory a node with %s has is not known: say it with --host-memory",
                    tree->at.card->name);
        return false;
    }
    struct account_training before = tree->at;
    if (ask_tier(tree, "With the optimizer on the host (offload)?", ACCOUNT_HOST, ACCOUNT_GPU))
        return true;
    if (ask_tier(tree, "With the parameters there too?", ACCOUNT_HOST, ACCOUNT_HOST)) return true;
    if (s->nvme_bytes && ask_tier(tree, "With both on NVMe?", ACCOUNT_NVME, ACCOUNT_NVME))
        return true;
    tree->at = before;
    return false;
}

/* ── the walk ────────────────────────────────────────────────────────────────────────────────────*/

static struct account_training start(const struct account_search *s) {
    struct account_training t = s->base;
    uint64_t own = s->global_batch / account_data_parallel(&t);
    if (!s->has_shape) return t;
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
