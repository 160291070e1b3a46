/* The search: every combination that the recipe has and the user left open, each with its best
 * micro-batch. Loops nest from what changes the model's division to what changes a step: mesh,
 * stage, shard group, offload, checkpointing, micro-batch. */
#include "account/plan/search.h"

#include <assert.h>

struct walk {
    const struct account_search *search;
    /* Groups of ranks at the degrees that are being tried. */
    struct account_mesh mesh;
    account_found *found;
    void *to;
    size_t tried;
};

/* ── micro-batches at a fixed global batch ─────────────────────────────────────────────────────*/

/* Fitting beats tight, tight beats missing; then time, by more than half a percent, because of
 * equals the smaller micro-batch leaves more room. */
static bool is_better(const struct account_outcome *a, const struct account_outcome *b) {
    if (a->fits != b->fits) return a->fits < b->fits;
    if (a->fits == ACCOUNT_TOO_LARGE) return a->spare > b->spare;
    return a->seconds < 0.995 * b->seconds;
}

static bool suits(const struct walk *w, uint64_t batch, uint64_t accumulate) {
    const struct account_search *s = w->search;
    if (account_is_pinned(s, ACCOUNT_KNOB_BATCH) && batch != s->base.batch) return false;
    return !account_is_pinned(s, ACCOUNT_KNOB_ACCUMULATE) || accumulate == s->base.accumulate;
}

static bool try_one(struct walk *w, const struct account_training *t, struct account_plan *out) {
    assert(t->batch == 0 ||
           (uint64_t)t->batch * t->accumulate * w->mesh.dp == w->search->global_batch);
    w->tried++;
    out->training = *t;
    return account_search_measure(w->search, t, &out->measured);
}

/* A micro-batch that grows only needs more, so the first that is too large ends the walk. */
static const uint64_t largest_micro_batch = 1024;

static void each_batch(struct walk *w, struct account_training *t) {
    struct account_plan best, now;
    bool any = false;
    const struct account_search *s = w->search;
    uint64_t own = s->global_batch / w->mesh.dp;
    if (own == 0 || s->global_batch % w->mesh.dp) return;
    uint64_t least = 1, most = largest_micro_batch;
    if (account_is_pinned(s, ACCOUNT_KNOB_BATCH)) least = most = s->base.batch;
    if (account_is_pinned(s, ACCOUNT_KNOB_ACCUMULATE)) least = most = own / s->base.accumulate;
    for (uint64_t b = least; b > 0 && b <= own && b <= most; b++) {
        if (own % b || !suits(w, b, own / b)) continue;
        t->batch = (uint32_t)b;
        t->accumulate = (uint32_t)(own / b);
        if (!try_one(w, t, &now)) return;
        if (!any || is_better(&now.measured, &best.measured)) best = now;
        any = true;
        if (now.measured.fits == ACCOUNT_TOO_LARGE) break;
    }
    if (any) w->found(w->to, &best);
}

/* A bare Ψ has no activations, and no batch that would change anything. */
static void each_step(struct walk *w, struct account_training *t) {
    struct account_plan now;
    if (w->search->given.has_shape)
        each_batch(w, t);
    else if (try_one(w, t, &now))
        w->found(w->to, &now);
}

/* ── checkpointing, offload ────────────────────────────────────────────────────────────────────*/

/* With flash attention there is no s² part, and selective checkpointing saves nothing. */
static void each_checkpoint(struct walk *w, struct account_training *t) {
    const struct account_search *s = w->search;
    if (account_is_pinned(s, ACCOUNT_KNOB_CHECKPOINT) || !s->given.has_shape) {
        each_step(w, t);
        return;
    }
    for (int c = ACCOUNT_KEEP_ALL; c <= ACCOUNT_FULL; c++) {
        if (c == ACCOUNT_SELECTIVE && t->flash) continue;
        t->checkpoint = (uint8_t)c;
        each_step(w, t);
    }
}

/* ZeRO-Offload's and ZeRO-Infinity's placements; others only if they were pinned. */
static const struct {
    uint8_t optimizer, params;
} offloads[] = {
    {ACCOUNT_GPU, ACCOUNT_GPU},  {ACCOUNT_HOST, ACCOUNT_GPU},  {ACCOUNT_HOST, ACCOUNT_HOST},
    {ACCOUNT_NVME, ACCOUNT_GPU}, {ACCOUNT_NVME, ACCOUNT_HOST}, {ACCOUNT_NVME, ACCOUNT_NVME},
};

static bool has_tier(const struct account_search *s, uint8_t tier) {
    return tier == ACCOUNT_GPU ||
           (tier == ACCOUNT_HOST ? s->given.host_bytes : s->given.nvme_bytes) > 0;
}

/* NVMe belongs to ZeRO-Infinity, which is stage 3. */
static bool may_offload(const struct walk *w, const struct account_training *t, size_t i) {
    const struct account_search *s = w->search;
    uint8_t optimizer = offloads[i].optimizer, params = offloads[i].params;
    bool pinned = account_is_pinned(s, ACCOUNT_KNOB_OPTIMIZER);
    if (pinned && optimizer != s->base.offload_optimizer) return false;
    if (account_is_pinned(s, ACCOUNT_KNOB_PARAMS) && params != s->base.offload_params) return false;
    if (!pinned && optimizer == ACCOUNT_NVME && t->stage < 3) return false;
    if (params != ACCOUNT_GPU && t->stage < 3) return false;
    if (optimizer != ACCOUNT_GPU && t->stage == 0) return false;
    return pinned || (has_tier(s, optimizer) && has_tier(s, params));
}

/* Where nothing is shared among ranks, a stage divides nothing: only its offload differs from the
 * first. */
static bool is_first_alike(const struct walk *w, const struct account_training *t) {
    uint32_t ranks = t->shard_group ? t->shard_group : w->mesh.data.ranks;
    return ranks > 1 || t->stage == w->search->base.stage;
}

static void each_offload(struct walk *w, struct account_training *t) {
    const struct account_search *s = w->search;
    bool both =
        account_is_pinned(s, ACCOUNT_KNOB_OPTIMIZER) && account_is_pinned(s, ACCOUNT_KNOB_PARAMS);
    if (both) {
        each_checkpoint(w, t);
        return;
    }
    for (size_t i = 0; i < sizeof offloads / sizeof *offloads; i++) {
        if (!may_offload(w, t, i)) continue;
        t->offload_optimizer = offloads[i].optimizer;
        t->offload_params = offloads[i].params;
        if (t->offload_optimizer != ACCOUNT_GPU || is_first_alike(w, t)) each_checkpoint(w, t);
    }
}

/* ── stages and shard groups ───────────────────────────────────────────────────────────────────*/

/* All data-parallel ranks, or those of a node with replicas across (HSDP, MiCS). */
static void each_group(struct walk *w, struct account_training *t) {
    each_offload(w, t);
    if (account_is_pinned(w->search, ACCOUNT_KNOB_GROUP) || t->stage == 0) return;
    struct account_group data = w->mesh.data;
    if (data.per_node <= 1 || data.per_node >= data.ranks || data.ranks % data.per_node) return;
    t->shard_group = data.per_node;
    each_offload(w, t);
    t->shard_group = 0;
}

static void each_stage(struct walk *w, struct account_training *t) {
    bool pinned = account_is_pinned(w->search, ACCOUNT_KNOB_STAGE);
    for (uint8_t stage = 0; stage < 4; stage++) {
        t->stage = stage;
        if (!account_has_stage(t, stage) || (pinned && stage != w->search->base.stage)) continue;
        each_group(w, t);
    }
}

/* ── the mesh ──────────────────────────────────────────────────────────────────────────────────*/

struct degrees {
    size_t count;
    uint32_t of[16];
};

static void add_degree(struct degrees *d, uint32_t n) {
    if (d->count < sizeof d->of / sizeof *d->of) d->of[d->count++] = n;
}

static bool divides(uint32_t part, uint32_t whole) {
    return whole % part == 0;
}

/* Inside a node, because a layer waits for it; heads and their keys and values divide. */
static struct degrees tensor_degrees(const struct account_search *s) {
    const struct account_training *t = &s->base;
    struct degrees d = {1, {t->tp}};
    if (account_is_pinned(s, ACCOUNT_KNOB_TP) || !s->given.has_shape || t->lora) return d;
    for (uint32_t n = 2; n <= 8 && n <= s->node; n *= 2)
        if (divides(n, s->node) && divides(n, t->shape.heads) && divides(n, t->shape.kv_heads))
            add_degree(&d, n);
    return d;
}

/* A sequence is long enough to be divided when a GPU still has some thousands of its tokens. */
static const uint32_t long_sequence = 32768, longest_context_degree = 16;

static struct degrees context_degrees(const struct account_search *s) {
    const struct account_training *t = &s->base;
    struct degrees d = {1, {t->cp}};
    if (account_is_pinned(s, ACCOUNT_KNOB_CP) || t->seq < long_sequence) return d;
    for (uint32_t n = 2; n <= longest_context_degree; n *= 2)
        if (divides(n, t->gpus) && divides(n, t->seq)) add_degree(&d, n);
    return d;
}

static const uint32_t longest_pipeline = 64;

static struct degrees pipeline_degrees(const struct account_search *s) {
    const struct account_training *t = &s->base;
    struct degrees d = {1, {t->pp}};
    if (account_is_pinned(s, ACCOUNT_KNOB_PP) || !s->given.has_shape || t->lora) return d;
    for (uint32_t n = 2; n <= longest_pipeline && n <= t->shape.layers; n++)
        if (divides(n, t->shape.layers) && divides(n, t->gpus)) add_degree(&d, n);
    return d;
}

static void at_mesh(struct walk *w, uint32_t tp, uint32_t cp, uint32_t pp) {
    struct account_training t = w->search->base;
    struct account_resolved is;
    uint64_t model = (uint64_t)tp * cp * pp;
    if (model > t.gpus || t.gpus % model) return;
    t.tp = tp;
    t.cp = cp;
    t.pp = pp;
    if (!account_is_pinned(w->search, ACCOUNT_KNOB_SP)) t.sp = tp > 1;
    account_resolve_fields(&t, &is);
    w->mesh = is.mesh;
    each_stage(w, &t);
}

size_t account_search_all(const struct account_search *s, account_found *found, void *to) {
    struct walk w = {.search = s, .found = found, .to = to};
    struct degrees tp = tensor_degrees(s), cp = context_degrees(s), pp = pipeline_degrees(s);
    for (size_t i = 0; i < tp.count; i++)
        for (size_t j = 0; j < cp.count; j++)
            for (size_t k = 0; k < pp.count; k++) at_mesh(&w, tp.of[i], cp.of[j], pp.of[k]);
    return w.tried;
}
