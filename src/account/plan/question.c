/* What is asked, with its blanks filled in: the sequence, the global batch, the node. */
#include "account/plan/search.h"
#include "account/traffic/traffic.h"

#include <string.h>

/* ── what was pinned ───────────────────────────────────────────────────────────────────────────*/

static const char *const knobs[ACCOUNT_KNOBS] = {
    [ACCOUNT_KNOB_STAGE] = "stage",
    [ACCOUNT_KNOB_GROUP] = "shard_group",
    [ACCOUNT_KNOB_CHECKPOINT] = "checkpoint",
    [ACCOUNT_KNOB_BATCH] = "batch",
    [ACCOUNT_KNOB_ACCUMULATE] = "accumulate",
    [ACCOUNT_KNOB_OPTIMIZER] = "offload_optimizer",
    [ACCOUNT_KNOB_PARAMS] = "offload_params",
    [ACCOUNT_KNOB_TP] = "tp",
    [ACCOUNT_KNOB_PP] = "pp",
    [ACCOUNT_KNOB_CP] = "cp",
    [ACCOUNT_KNOB_SP] = "sp",
    [ACCOUNT_KNOB_NODE] = "gpus_per_node",
    [ACCOUNT_KNOB_SEQ] = "seq",
};

static uint32_t knobs_pinned(const struct account_question *q) {
    size_t count, most = 8 * sizeof q->pinned;
    const struct account_field *field = account_fields(&count);
    uint32_t mask = 0;
    for (size_t i = 0; i < count && i < most; i++)
        for (uint32_t k = 0; k < ACCOUNT_KNOBS; k++)
            if ((q->pinned >> i & 1) && strcmp(field[i].name, knobs[k]) == 0) mask |= 1u << k;
    return mask;
}

bool account_is_pinned(const struct account_search *s, enum account_knob knob) {
    return s->pinned >> knob & 1;
}

/* ── blanks ────────────────────────────────────────────────────────────────────────────────────*/

/* Models of very long context are trained at a short one for nearly all their tokens (Llama 3,
 * arXiv:2407.21783, section 3.4.2: 8192 before the last stage): a longer plan is one to ask for. */
static const uint32_t usual_context = 8192, unknown_context = 2048;

static uint32_t usual_seq(const struct account_shape *shape) {
    if (shape->context == 0) return unknown_context;
    return shape->context < usual_context ? shape->context : usual_context;
}

/* What stands usually on such cards, where the question does not say: nodes of eight, and their
 * share of the node's memory. */
static void fill_node(const struct account_question *q, const struct account_node *node,
                      struct account_search *s) {
    struct account_training *t = &s->base;
    struct account_resolved is;
    if (!account_is_pinned(s, ACCOUNT_KNOB_NODE)) account_assume_node(t);
    account_resolve_fields(t, &is);
    s->node = is.mesh.node;
    double used = s->node, all = node && node->gpus ? node->gpus : used;
    double share = used < all ? used / all : 1;
    struct account_given *g = &s->given;
    g->host_bytes = q->host_bytes;
    g->nvme_bytes = q->nvme_bytes;
    if (g->host_bytes == 0 && node) g->host_bytes = (uint64_t)(share * (double)node->host_bytes);
    if (g->nvme_bytes == 0 && node) g->nvme_bytes = (uint64_t)(share * (double)node->nvme_bytes);
}

/* Eight sequences a GPU, where neither a global nor a micro-batch was given: enough that
 * accumulation matters; or the next number that the accumulation divides. */
static uint64_t usual_sequences(const struct account_training *t) {
    return (8 + (uint64_t)t->accumulate - 1) / t->accumulate * t->accumulate;
}

static bool fill_batch(const struct account_question *q, struct account_search *s,
                       struct account_error *e) {
    struct account_training *t = &s->base;
    uint64_t dp = account_data_parallel(t), own = (uint64_t)t->batch * t->accumulate * dp;
    s->global_batch = q->global_batch;
    if (s->global_batch == 0) s->global_batch = own ? own : usual_sequences(t) * t->gpus / t->cp;
    bool batch = account_is_pinned(s, ACCOUNT_KNOB_BATCH),
         accumulate = account_is_pinned(s, ACCOUNT_KNOB_ACCUMULATE);
    if (batch && t->batch == 0)
        return account_fail(e, 0, "batch: a plan needs at least one sequence per micro-batch");
    if (batch && accumulate && s->global_batch % ((uint64_t)t->batch * t->accumulate))
        return account_fail(e, 0,
                            "global_batch: %llu sequences are not micro-batches of %u, %u of them: "
                            "make it a multiple of %llu",
                            (unsigned long long)s->global_batch, t->batch, t->accumulate,
                            (unsigned long long)t->batch * t->accumulate);
    if (s->global_batch > UINT32_MAX)
        return account_fail(e, 0, "global_batch: at most %u sequences", UINT32_MAX);
    return true;
}

static void fill_degrees(struct account_training *t) {
    uint32_t *const degree[] = {&t->tp, &t->pp, &t->cp, &t->ep, &t->interleave, &t->accumulate};
    for (size_t i = 0; i < sizeof degree / sizeof *degree; i++)
        *degree[i] = account_degree(*degree[i]);
}

static bool knows_time(const struct account_training *t) {
    struct account_clock clock;
    struct account_training probe = *t;
    probe.batch = 1;
    return account_clock(&probe, &clock, NULL) && clock.has_compute && clock.has_comm;
}

/* The first stage that the recipe has and that goes with what was pinned, where the search may
 * choose. */
static void settle_stage(struct account_search *s) {
    struct account_training t = s->base;
    if (account_is_pinned(s, ACCOUNT_KNOB_STAGE)) return;
    t.batch = s->given.has_shape;
    for (t.stage = 4; t.stage-- > 0;) {
        if (!account_has_stage(&t, t.stage)) continue;
        bool first = !account_has_stage(&s->base, s->base.stage);
        if (first || account_check(&t, NULL)) s->base.stage = t.stage;
    }
}

/* The base is what the search departs from: nothing but the pinned is divided, offloaded or
 * computed again. */
static void settle(struct account_search *s) {
    struct account_training *t = &s->base;
    if (!account_is_pinned(s, ACCOUNT_KNOB_GROUP)) t->shard_group = 0;
    if (!account_is_pinned(s, ACCOUNT_KNOB_CHECKPOINT)) t->checkpoint = ACCOUNT_KEEP_ALL;
    if (!account_is_pinned(s, ACCOUNT_KNOB_OPTIMIZER)) t->offload_optimizer = ACCOUNT_GPU;
    if (!account_is_pinned(s, ACCOUNT_KNOB_PARAMS)) t->offload_params = ACCOUNT_GPU;
    if (!account_is_pinned(s, ACCOUNT_KNOB_TP)) t->tp = 1;
    if (!account_is_pinned(s, ACCOUNT_KNOB_PP)) t->pp = 1;
    if (!account_is_pinned(s, ACCOUNT_KNOB_CP)) t->cp = 1;
    settle_stage(s);
}

static bool check_card(const struct account_training *t, struct account_error *e) {
    if (t->card) return true;
    return account_fail(
        e, 0,
        "gpu: which card must it fit? Choose one of the catalogue, like a100-80g or "
        "h100-80g");
}

bool account_search_measure(const struct account_search *s, const struct account_training *t,
                            struct account_outcome *out) {
    struct account_resolved is;
    return account_resolve(t, &is, NULL) && account_outcome_of(&is, &s->given, out);
}

bool account_search_open(const struct account_question *q, struct account_search *s,
                         struct account_error *e) {
    *s = (struct account_search){.base = q->training, .pinned = knobs_pinned(q)};
    struct account_training *t = &s->base;
    fill_degrees(t);
    s->given.has_shape = t->shape.family != 0;
    if (s->given.has_shape && t->seq == 0) t->seq = usual_seq(&t->shape);
    if (!check_card(t, e)) return false;
    if (s->given.has_shape && !fill_batch(q, s, e)) return false;
    if (!s->given.has_shape) t->batch = 0;
    settle(s);
    struct account_training check = *t;
    check.batch = s->given.has_shape;
    if (!account_check(&check, e)) return false;
    fill_node(q, account_node_of(t->card), s);
    s->given.card_bytes = account_card_bytes(t->card);
    s->given.by_bytes = !knows_time(t);
    return true;
}
