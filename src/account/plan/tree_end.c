/* The last forks of the tree: whether offload is worth it, how large a micro-batch, what is
 * fastest. */
#include "account/plan/tree.h"

#include <math.h>

#define CAPACITY sizeof(((struct account_fork *)0)->because)

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/

static const char *offload_name(const struct account_training *t) {
    static const char *const names[ACCOUNT_TIERS][ACCOUNT_TIERS] = {
        {NULL, "parameters on the host", "parameters on NVMe"},
        {"optimizer on the host", "optimizer and parameters on the host",
         "optimizer on the host, parameters on NVMe"},
        {"optimizer on NVMe", "optimizer on NVMe, parameters on the host",
         "optimizer and parameters on NVMe"},
    };
    return names[t->offload_optimizer % ACCOUNT_TIERS][t->offload_params % ACCOUNT_TIERS];
}

static void add_degree(struct account_text *out, const char *name, uint32_t degree) {
    if (degree > 1) account_add(out, ", %s %u", name, degree);
}

/* "stage 3 in groups of 8, full checkpointing, tp 2, micro-batch 2 × 4" */
static void add_plan(struct account_text *out, const struct account_training *t) {
    static const char *const kept[] = {"", ", selective checkpointing", ", full checkpointing"};
    account_add(out, "stage %u", t->stage);
    if (t->shard_group) account_add(out, " in groups of %u", t->shard_group);
    account_add(out, "%s", kept[t->checkpoint % 3]);
    add_degree(out, "tp", t->tp);
    add_degree(out, "pp", t->pp);
    add_degree(out, "cp", t->cp);
    if (offload_name(t)) account_add(out, ", %s", offload_name(t));
    if (t->batch) account_add(out, ", micro-batch %u × %u", t->batch, t->accumulate);
}

/* ── what was chosen ───────────────────────────────────────────────────────────────────────────*/

static void add_pace(struct account_text *out, const struct account_tree *tree,
                     const struct account_outcome *m) {
    if (tree->search->given.by_bytes || isinf(m->seconds)) {
        account_add_bytes(out, m->sent);
        account_add(out, " sent");
    } else {
        account_add_seconds(out, m->seconds);
    }
}

static bool measure(const struct account_tree *tree, const struct account_training *t,
                    struct account_plan *out) {
    out->training = *t;
    return account_search_measure(tree->search, t, &out->measured);
}

/* The same on twice the GPUs and nothing offloaded, with recomputation where it needs that. */
static bool without_offload(const struct account_tree *tree, struct account_plan *out) {
    struct account_training t = tree->chosen->training;
    t.offload_optimizer = t.offload_params = ACCOUNT_GPU;
    t.gpus *= 2;
    account_assume_node(&t);
    if (t.accumulate % 2 == 0) t.accumulate /= 2;
    for (; t.checkpoint <= ACCOUNT_FULL; t.checkpoint++)
        if (measure(tree, &t, out) && out->measured.fits != ACCOUNT_TOO_LARGE) return true;
    return false;
}

/* ZeRO-Offload trades time for GPUs: say what twice as many would take without it. */
void account_tree_second(struct account_tree *tree) {
    const struct account_plan *chosen = tree->chosen;
    const struct account_training *t = &chosen->training;
    struct account_plan twice;
    if ((!t->offload_optimizer && !t->offload_params) || tree->search->given.by_bytes) return;
    double now = chosen->measured.seconds;
    if (isinf(now)) return;
    bool fits = without_offload(tree, &twice), better = fits && 2 * twice.measured.seconds < now;
    struct account_text why = account_tree_fork(
        tree, "Would twice the GPUs be better than offload?", better ? "yes" : "no");
    account_add_seconds(&why, now);
    account_add(&why, " per step with offload; %llu GPUs without it ", 2ull * t->gpus);
    if (!fits) {
        account_add(&why, "do not hold it");
        return;
    }
    account_add(&why, "take ");
    account_add_seconds(&why, twice.measured.seconds);
    if (twice.training.checkpoint > t->checkpoint) account_add(&why, " with checkpointing");
    account_add(&why, better ? ", less than half" : ", more than half");
}

/* The next micro-batch that divides what a rank has to do. */
static uint32_t next_batch(const struct account_training *t) {
    uint64_t own = (uint64_t)t->batch * t->accumulate;
    for (uint64_t b = (uint64_t)t->batch + 1; b <= own; b++)
        if (own % b == 0) return (uint32_t)b;
    return 0;
}

void account_tree_batch(struct account_tree *tree) {
    struct account_training t = tree->chosen->training;
    struct account_outcome larger;
    uint32_t next = t.batch ? next_batch(&t) : 0;
    if (next == 0 || account_is_pinned(tree->search, ACCOUNT_KNOB_BATCH) ||
        account_is_pinned(tree->search, ACCOUNT_KNOB_ACCUMULATE))
        return;
    char answer[24];
    struct account_text text = account_text(answer, sizeof answer);
    account_add(&text, "%u × %u", t.batch, t.accumulate);
    t.accumulate = (uint32_t)((uint64_t)t.batch * t.accumulate / next);
    t.batch = next;
    if (!account_search_measure(tree->search, &t, &larger)) return;
    struct account_text why = account_tree_fork(tree, "How large a micro-batch?", answer);
    if (larger.fits == ACCOUNT_FITS) {
        account_add(&why, "%u would fit too, and is not faster", next);
    } else if (larger.fits == ACCOUNT_TIGHT) {
        account_add(&why, "%u would leave ", next);
        account_add_bytes(&why, (double)larger.spare);
        account_add(&why, ": tight");
    } else {
        account_add(&why, "%u is too large by ", next);
        account_add_bytes(&why, -(double)larger.spare);
    }
}

/* What it was held against, if there is room for that. */
static void add_other(struct account_text *out, const struct account_tree *tree, const char *lead,
                      const struct account_plan *p) {
    char other[CAPACITY];
    struct account_text text = account_text(other, sizeof other);
    struct account_training t = p->training;
    t.batch = 0;
    account_add(&text, "%s", lead);
    add_plan(&text, &t);
    account_add(&text, ": ");
    add_pace(&text, tree, &p->measured);
    if (out->used + text.used < CAPACITY - 1) account_add(out, "%s", other);
}

static bool is_alike(const struct account_plan *a, const struct account_plan *b) {
    return a->measured.burden == b->measured.burden && a->training.tp == b->training.tp &&
           a->training.pp == b->training.pp;
}

/* The runner-up is faster, and by less than the clock can tell (plan.c): the simpler of the two was
 * taken. */
static bool is_tie(const struct account_tree *tree) {
    const struct account_outcome *chosen = &tree->chosen->measured;
    if (tree->search->given.by_bytes || !tree->next) return false;
    const struct account_outcome *next = &tree->next->measured;
    return next->fits == chosen->fits && next->fits != ACCOUNT_TOO_LARGE && next->seconds > 0 &&
           next->seconds < chosen->seconds;
}

/* The runner-up is not certain to fit, and what was taken is. */
static bool is_riskier(const struct account_tree *tree) {
    return tree->next && tree->next->measured.fits == ACCOUNT_TIGHT &&
           tree->chosen->measured.fits == ACCOUNT_FITS;
}

/* Against where the walk came to, if that is another plan; else against the runner-up. */
void account_tree_end(struct account_tree *tree) {
    const struct account_plan *p = tree->chosen;
    struct account_plan walked;
    char answer[24];
    struct account_text text = account_text(answer, sizeof answer);
    account_add(&text, "stage %u", p->training.stage);
    struct account_text why = account_tree_fork(
        tree,
        tree->search->given.by_bytes
            ? (tree->search->given.has_shape ? "Which plan that fits computes and sends least?"
                                             : "Which plan that fits sends least?")
            : "Which plan that fits is fastest?",
        answer);
    add_plan(&why, &p->training);
    account_add(&why, ": ");
    add_pace(&why, tree, &p->measured);
    account_add(&why, " per step");
    bool other = measure(tree, &tree->at, &walked) && !is_alike(&walked, p) &&
                 walked.measured.fits != ACCOUNT_TOO_LARGE;
    if (other)
        add_other(&why, tree, "; ", &walked);
    else if (tree->next && tree->next->measured.fits != ACCOUNT_TOO_LARGE)
        add_other(&why, tree, "; next ", tree->next);
    if (!other && is_tie(tree)) account_add(&why, ": a tie");
    if (!other && is_riskier(tree)) account_add(&why, ": tight");
}
