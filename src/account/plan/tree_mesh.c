/* The forks of the decision tree if this many GPUs with undivided layers are not enough: layers
 * divided, more GPUs, a base in 4 bits. */
#include "account/plan/tree.h"

/* ── model parallel, more GPUs ─────────────────────────────────────────────────────────────────*/

/* Tensor parallel first, which stays inside a node; then long sequences divided as well. */
static const struct {
    uint32_t tp, cp;
} degrees[] = {{2, 1}, {4, 1}, {8, 1}, {1, 2}, {1, 4}, {1, 8}, {2, 8}, {8, 8}};

/* The walk's training so divided, at the same global batch. */
static bool divide(const struct account_tree *tree, size_t i, struct account_training *t) {
    const struct account_search *s = tree->search;
    *t = tree->at;
    if (degrees[i].tp > s->node) return false;
    if (degrees[i].cp > 1 && account_is_pinned(s, ACCOUNT_KNOB_CP)) return false;
    t->tp = degrees[i].tp;
    t->cp *= degrees[i].cp;
    if (!account_is_pinned(s, ACCOUNT_KNOB_SP)) t->sp = t->tp > 1;
    uint64_t own = s->global_batch / account_data_parallel(t) / t->batch;
    if (!account_is_pinned(s, ACCOUNT_KNOB_ACCUMULATE)) t->accumulate = own ? (uint32_t)own : 1;
    return true;
}

static void add_divided(struct account_text *out, const struct account_training *t) {
    if (t->tp > 1) account_add(out, "tp %u, ", t->tp);
    if (t->cp > 1) account_add(out, "cp %u, ", t->cp);
    account_add(out, "stage %u: ", t->stage);
}

bool account_tree_model_parallel(struct account_tree *tree) {
    struct account_training best = tree->at, t;
    struct account_outcome least = {.needs = UINT64_MAX, .fits = ACCOUNT_TOO_LARGE}, w;
    bool open = !account_is_pinned(tree->search, ACCOUNT_KNOB_TP) && best.tp == 1 && !best.lora;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees && least.fits != ACCOUNT_FITS; i++) {
        if (!open || best.batch == 0 || !divide(tree, i, &t)) continue;
        if (!account_tree_lowest(tree, &t, &w) || w.needs >= least.needs) continue;
        best = t;
        least = w;
    }
    if (least.needs == UINT64_MAX) return false;
    char with[64];
    struct account_text text = account_text(with, sizeof with);
    add_divided(&text, &best);
    if (least.fits == ACCOUNT_FITS) tree->at = best;
    return account_tree_settle(tree, "With layers divided among GPUs (model parallel)?", &least,
                               with);
}

static const uint64_t most_gpus = 1u << 20;

/* GPUs come by nodes once there is more than one. */
static uint64_t whole_nodes(const struct account_training *t, uint64_t gpus) {
    const struct account_node *usual = account_node_of(t->card);
    uint64_t node = t->gpus_per_node ? t->gpus_per_node : usual ? usual->gpus : 1;
    return gpus <= node ? gpus : (gpus + node - 1) / node * node;
}

/* False where so many GPUs do not go with the rest; `w` is then as it was. */
static bool needs_on(const struct account_tree *tree, uint64_t gpus, struct account_outcome *w) {
    struct account_training t = tree->at;
    t.gpus = (uint32_t)whole_nodes(&t, gpus);
    return account_search_measure(tree->search, &t, w);
}

static bool fits_on(const struct account_tree *tree, uint64_t gpus, struct account_outcome *w) {
    return needs_on(tree, gpus, w) && w->fits == ACCOUNT_FITS;
}

/* Doubled until it fits, then halved down. 0 if no number does. */
static uint64_t fewest_gpus(const struct account_tree *tree, struct account_outcome *w) {
    const struct account_training *t = &tree->at;
    uint64_t model = (uint64_t)t->tp * t->pp * t->cp;
    uint64_t unit = t->gpus_per_node > 0 && t->gpus > t->gpus_per_node ? t->gpus_per_node : model;
    uint64_t low = t->gpus / unit, high = 2 * low;
    while (!fits_on(tree, high * unit, w))
        if ((high *= 2) * unit > most_gpus) return 0;
    while (low + 1 < high) {
        uint64_t middle = low + (high - low) / 2;
        if (fits_on(tree, middle * unit, w))
            high = middle;
        else
            low = middle;
    }
    uint64_t gpus = whole_nodes(t, high * unit);
    fits_on(tree, gpus, w);
    return gpus;
}

void account_tree_more(struct account_tree *tree) {
    const char *question = "How many such GPUs are enough?";
    struct account_training before = tree->at;
    struct account_outcome w;
    char count[24];
    for (uint8_t stage = 0; stage < 4; stage++)
        if (account_tree_has_stage(tree, stage)) tree->at.stage = stage;
    uint64_t gpus = fewest_gpus(tree, &w);
    struct account_text text = account_text(count, sizeof count);
    account_add(&text, "%llu", (unsigned long long)gpus);
    struct account_text why = account_tree_fork(tree, question, gpus ? count : "no number");
    if (gpus) {
        account_add(&why, "stage %u: ", tree->at.stage);
        account_tree_add_sum(&why, tree->search, &w);
    } else if (needs_on(tree, most_gpus, &w)) {
        account_add_bytes(&why, (double)w.needs);
        account_add(&why, " on each of a million still: activations and buffers do not shrink");
    } else {
        account_add(&why, "no larger number of them is possible with these options");
    }
    tree->at = before;
}

/* Another training than the one asked about: it is named, not planned. */
void account_tree_quantize(struct account_tree *tree) {
    struct account_training t = tree->at;
    if (t.lora == 0 || t.quantized) return;
    t.quantized = true;
    account_tree_ask(tree, "With the frozen base in 4 bits (QLoRA)?", t);
    tree->at.quantized = false;
}
