/* Parallelism inside the model: what layers, stages and experts send each other. An activation is
 * s · b · h elements per micro-batch, in the type the GPU computes with; context parallelism
 * divides s.
 *
 * tensor    Megatron-LM, arXiv:1909.08053, section 3: a layer all-reduces its output twice in
 *           forward and its input's gradient twice in backward; two more if checkpointing runs
 *           forward again. With sequence parallelism (Korthikanti et al., arXiv:2205.05198,
 *           section 4.2.2) each of them is an all-gather and a reduce-scatter. The gathered
 *           inputs of the two column-parallel matrices are not kept, so backward gathers each
 *           again, as well as the gradient of the input (core/tensor_parallel/layers.py).
 * pipeline  Narayanan et al., arXiv:2104.04473, section 2.2: activations cross each boundary
 *           one way and gradients the other. Both are counted to the rank, as of a stage in
 *           the middle. Interleaving crosses as many times more boundaries as there are
 *           pieces; scatter-gather and sequence parallelism divide by t. The first and the
 *           last stage add up their gradients of a tied embedding.
 * context   Ring Attention, arXiv:2310.01889, section 3: keys and values, 2 · kv · d elements
 *           per token, go round in c − 1 hops, and their gradients come back so in backward.
 *           If keys and values go round again with their gradients, backward sends twice that.
 * expert    GShard, arXiv:2006.16668, section 3: tokens go to their k experts and come back,
 *           in forward and in backward. */
#include "account/traffic/flows.h"

struct step {
    /* of a micro-batch on this rank: count; elements of one activation */
    uint64_t tokens, activation;
    uint32_t bytes, tp, pp, cp, ep;
    /* backward runs forward again */
    bool again;
};

static struct step step_of(const struct account_resolved *is) {
    struct step s = {.bytes = is->bytes[ACCOUNT_AS_HALF],
                     .tp = is->tp,
                     .pp = is->pp,
                     .cp = is->cp,
                     .ep = is->ep,
                     .again = is->checkpoint == ACCOUNT_FULL};
    s.tokens = (uint64_t)is->batch * account_ceil_div(is->seq, s.cp);
    s.activation = s.tokens * is->shape.hidden;
    return s;
}

static uint64_t layer_runs(const struct account_traffic_writer *w, uint64_t each) {
    return (uint64_t)w->micro * w->layers * each;
}

/* As often in forward as in backward, and once more where backward runs forward again. */
static double in_forward(const struct step *s) {
    return s->again ? 1.0 / 3 : 0.5;
}

/* ── tensor ────────────────────────────────────────────────────────────────────────────────────*/

static void put_tensor(struct account_traffic_writer *w, const struct step *s) {
    struct account_flow f = {.what = "add up a layer's partial results",
                             .op = ACCOUNT_ALL_REDUCE,
                             .name = "tensor",
                             .group = w->is->mesh.tensor,
                             .runs = layer_runs(w, s->again ? 6 : 4),
                             .windows = w->micro,
                             .calls = 1,
                             .part = account_ceil_div(s->activation, s->tp) * s->bytes,
                             .window = ACCOUNT_INSIDE_LAYER,
                             .head = 1,
                             .forward = in_forward(s)};
    if (!w->is->sp) {
        account_put_flow(w, &f);
        return;
    }
    f.op = ACCOUNT_ALL_GATHER;
    f.what = "gather a layer's sequence";
    account_put_flow(w, &f);
    f.op = ACCOUNT_REDUCE_SCATTER;
    f.what = "add up and divide a layer's sequence";
    account_put_flow(w, &f);
    f.op = ACCOUNT_ALL_GATHER;
    f.what = "gather inputs again for the weights' gradients";
    f.runs = layer_runs(w, 2);
    f.window = ACCOUNT_BEHIND_BACKWARD;
    f.head = f.forward = 0;
    account_put_flow(w, &f);
}

/* ── pipeline ──────────────────────────────────────────────────────────────────────────────────*/

/* The stage at a node's edge has one neighbour here and one there. */
static uint8_t pipeline_away(const struct account_group *g) {
    if (g->per_node >= g->ranks) return 0;
    return g->per_node > 1 ? 1 : 2;
}

static void put_pipeline(struct account_traffic_writer *w, const struct step *s) {
    uint32_t divided = w->is->sp ? s->tp : 1;
    struct account_flow f = {.what = "pass activations and their gradients between stages",
                             .op = ACCOUNT_P2P,
                             .name = "pipeline",
                             .group = w->is->mesh.pipeline,
                             .runs = (uint64_t)w->micro * w->is->interleave * 2,
                             .windows = w->micro,
                             .calls = 1,
                             .part = account_ceil_div(s->activation, divided) * s->bytes,
                             .away = pipeline_away(&w->is->mesh.pipeline),
                             .window = ACCOUNT_BARE,
                             .head = 1,
                             .forward = 0.5};
    account_put_flow(w, &f);
}

static void put_tied(struct account_traffic_writer *w, const struct step *s) {
    const struct account_resolved *is = w->is;
    if (!is->shape.tied || s->pp == 1 || is->lora) return;
    bool near = is->mesh.pipeline.per_node >= is->mesh.pipeline.ranks;
    uint64_t elements = account_ceil_div(is->held.vocab, s->tp) * is->shape.hidden;
    struct account_flow f = {.what = "add up the tied embedding's gradients",
                             .op = ACCOUNT_ALL_REDUCE,
                             .name = "pipeline",
                             .group = {.ranks = 2, .per_node = near ? 2 : 1},
                             .runs = 1,
                             .windows = 1,
                             .calls = 1,
                             .part = account_ceil_div(elements, 2) * is->reduce_bytes,
                             .window = ACCOUNT_BARE,
                             .head = 1,
                             .after = true};
    account_put_flow(w, &f);
}

/* ── context ───────────────────────────────────────────────────────────────────────────────────*/

/* Each hop runs while attention works on what the hop before brought. */
static void put_context(struct account_traffic_writer *w, const struct step *s) {
    const struct account_shape *shape = &w->is->shape;
    uint64_t heads = account_ceil_div(shape->kv_heads ? shape->kv_heads : shape->heads, s->tp);
    const struct account_group *g = &w->is->mesh.context;
    struct account_flow f = {.what = "pass keys and values round for forward",
                             .op = ACCOUNT_P2P,
                             .name = "context",
                             .group = *g,
                             .runs = layer_runs(w, s->cp - 1),
                             .windows = w->micro,
                             .calls = 1,
                             .part = 2 * heads * shape->head_size * s->tokens * s->bytes,
                             .away = g->per_node < g->ranks ? 2 : 0,
                             .window = ACCOUNT_BEHIND_FORWARD,
                             .head = 0,
                             .forward = 1};
    account_put_flow(w, &f);
    f.what = "pass their gradients round in backward";
    f.forward = 0;
    f.window = ACCOUNT_BEHIND_BACKWARD;
    f.runs *= s->again ? 2 : 1;
    account_put_flow(w, &f);
}

/* ── experts ───────────────────────────────────────────────────────────────────────────────────*/

static void put_experts(struct account_traffic_writer *w, const struct step *s) {
    const struct account_shape *shape = &w->is->shape;
    uint64_t tokens = account_ceil_div(s->tokens, w->is->sp ? s->tp : 1) * shape->experts_active;
    struct account_flow f = {.what = "send tokens to their experts and back",
                             .op = ACCOUNT_ALL_TO_ALL,
                             .name = "expert",
                             .group = w->is->mesh.expert,
                             .runs = layer_runs(w, s->again ? 6 : 4),
                             .windows = w->micro,
                             .calls = 1,
                             .part = account_ceil_div(tokens, s->ep) * shape->hidden * s->bytes,
                             .window = ACCOUNT_INSIDE_LAYER,
                             .head = 1,
                             .forward = in_forward(s)};
    account_put_flow(w, &f);
}

void account_put_model_flows(struct account_traffic_writer *w) {
    const struct account_resolved *is = w->is;
    if (is->shape.hidden == 0) return;
    struct step s = step_of(is);
    put_tied(w, &s);
    if (is->batch == 0 || is->seq == 0) return;
    put_tensor(w, &s);
    put_pipeline(w, &s);
    put_context(w, &s);
    put_experts(w, &s);
}
