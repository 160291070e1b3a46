/* Data parallelism: gradients reduced, parameters gathered, by the recipe's row.
 *
 * ZeRO, arXiv:1910.02054, section 7: an all-reduce of gradients moves 2Ψ; stages 1 and 2 reduce-scatter and, after the update, all-gather:
 * Ψ + Ψ; stage 3 gathers before forward and before backward: 3Ψ. With m micro-batches what is reduced or gathered in each of them counts
 * m times: (m + 1)Ψ in stage 2, 3mΨ in stage 3 (deepspeedai/DeepSpeed, runtime/engine.py, allreduce_gradients).
 *
 * With shard groups of G among W ranks (PyTorch FSDP, arXiv:2304.11277, section 3.2.2; MiCS, arXiv:2205.00119, section 3) all of that stays
 * in the group, and each gradient shard is all-reduced among its W/G replicas: 2M(W−G)/(GW). Once a step, at the last micro-batch, where the
 * shards add up until then (MiCS, two-hop synchronization); in each of them where the recipe's row says so (FSDP as it comes).
 *
 * ZeRO++, arXiv:2306.10209, section 3: qwZ gathers 8-bit weights; hpZ gathers for backward from a second copy inside a smaller group; qgZ
 * reduces 4-bit gradients by two all-to-alls, first inside the node and then between nodes, where M/4 per node is left. */
#include "account/memory/step.h"
#include "account/traffic/flows.h"

static double least(double a, double b) {
    return a < b ? a : b;
}

static bool has_stage(const struct account_traffic_writer *w, uint8_t stages) {
    return stages & ACCOUNT_STAGE(w->stage);
}

static const struct account_share *share_of(const struct account_traffic_writer *w,
                                            const struct account_moved *s) {
    return &w->sheet.share[s->set];
}

uint64_t account_moved_shard(const struct account_traffic_writer *w, const struct account_moved *s,
                             uint32_t ranks) {
    return account_shard_elements(share_of(w, s), w->sheet.pad, w->sheet.align, ranks);
}

/* Experts are divided among the ranks that hold the same ones, every ep-th of the group. */
static struct account_group group_of(const struct account_traffic_writer *w, enum account_set set) {
    struct account_group g = w->stage ? w->mesh.shard : w->mesh.data;
    if (set != ACCOUNT_SET_EXPERTS) return g;
    uint32_t ep = account_degree(w->training->ep), stride = account_degree(w->training->tp) * ep;
    uint32_t capacity = stride < w->mesh.node ? w->mesh.node / stride : 1;
    g.ranks = g.ranks / ep ? g.ranks / ep : 1;
    g.per_node = g.ranks < capacity ? g.ranks : capacity;
    return g;
}

/* Adapters are kept in fp32 and travel so, unless the training says otherwise. */
static uint32_t reduce_bytes(const struct account_training *t, enum account_set set) {
    bool as_said = set != ACCOUNT_SET_ADAPTERS || t->reduce_dtype == ACCOUNT_16_BIT;
    return as_said ? account_reduce_bytes(t) : account_dtype_bytes(t, ACCOUNT_AS_FLOAT);
}

static struct account_moved set_of(const struct account_traffic_writer *w, enum account_set set) {
    const struct account_training *t = w->training;
    bool adapters = set == ACCOUNT_SET_ADAPTERS;
    return (struct account_moved){
        .set = set,
        .group = group_of(w, set),
        .trained = account_is_trained(t, set),
        .bytes = account_dtype_bytes(t, adapters ? ACCOUNT_AS_FLOAT : ACCOUNT_AS_HALF),
        .reduce_bytes = reduce_bytes(t, set),
    };
}

/* ── units ───────────────────────────────────────────────────────────────────────────────────────*/

struct account_unit_shares account_unit_shares(const struct account_traffic_writer *w) {
    double all = (double)w->units.root + (double)w->units.block * w->layers;
    if (all <= 0) return (struct account_unit_shares){1, 0};
    double first = (double)account_place_params(&w->training->shape, ACCOUNT_IN_EMBEDDING);
    return (struct account_unit_shares){
        least((double)w->units.root, first / account_degree(w->training->tp)) / all,
        (double)w->units.block / all};
}

/* The last gradients are ready when backward is over: the embedding's, and those of the bucket, or unit, that was still filling. */
static double reduce_tail(const struct account_traffic_writer *w, double bytes) {
    struct account_unit_shares p = account_unit_shares(w);
    double bucket = (double)account_bucket_bytes(w->training);
    if (bucket <= 0 || bytes <= 0) return least(1, p.embedding + p.block);
    double last = bucket / bytes;
    return least(1, last > p.embedding ? last : p.embedding);
}

static double reduce_calls(const struct account_traffic_writer *w, double bytes) {
    double bucket = (double)account_bucket_bytes(w->training);
    if (bucket <= 0) return w->layers + 1.0;
    return bytes > bucket ? (double)(uint64_t)(bytes / bucket) + 1 : 1;
}

/* ── gradients ───────────────────────────────────────────────────────────────────────────────────*/

static struct account_flow reduction(const struct account_traffic_writer *w,
                                     const struct account_moved *s) {
    bool every = has_stage(w, w->recipe->reduce_every);
    double bytes = (double)share_of(w, s)->params * s->reduce_bytes;
    return (struct account_flow){
        .op = (enum account_collective_kind)w->recipe->reduce_op[w->stage],
        .what =
            s->set == ACCOUNT_SET_EXPERTS ? "reduce the experts' gradients" : "reduce gradients",
        .name = "shard",
        .group = s->group,
        .runs = every ? w->micro : 1,
        .windows = every ? w->micro : 1,
        .calls = reduce_calls(w, bytes),
        .window = ACCOUNT_BEHIND_BACKWARD,
        .head = reduce_tail(w, bytes),
    };
}

void account_count_volume(struct account_traffic_writer *w, const struct account_moved *s,
                          double times) {
    if (s->group.ranks <= 1) return;
    double all = 0;
    for (int i = 0; i < ACCOUNT_SETS; i++)
        if (i != ACCOUNT_SET_ADAPTERS) all += (double)w->sheet.share[i].params;
    if (all > 0) w->out->volume_params += times * (double)share_of(w, s)->params / all;
}

/* deepspeedai/DeepSpeed, runtime/zero/stage3.py: all-to-all only where the job has more than one node. */
static bool quantizes(const struct account_traffic_writer *w, const struct account_moved *s) {
    return w->training->qgz && w->stage == 3 && s->group.per_node < s->group.ranks;
}

/* runtime/comm/coalesced_collectives.py, all_to_all_quant_reduce: 4 bits an element. Their scales, one for
 * a row of a matrix, are under a five-hundredth and left out. */
static void put_quantized_reduction(struct account_traffic_writer *w,
                                    const struct account_moved *s) {
    struct account_flow f = reduction(w, s);
    uint32_t near = s->group.per_node, nodes = (uint32_t)account_ceil_div(s->group.ranks, near);
    uint64_t own = account_moved_shard(w, s, s->group.ranks);
    f.op = ACCOUNT_ALL_TO_ALL;
    f.what = "reduce 4-bit gradients inside nodes";
    f.group = (struct account_group){.ranks = near, .per_node = near};
    f.part = account_ceil_div(own * nodes, 2);
    account_put_flow(w, &f);
    f.what = "reduce 4-bit gradients between nodes";
    f.group = (struct account_group){.ranks = nodes, .per_node = 1};
    f.part = account_ceil_div(own, 2);
    account_put_flow(w, &f);
    double hops = near > 1 ? 1 + 1.0 / near : 1; /* of the second, a GPU has a part of its node's */
    account_count_volume(w, s, hops / 4 * (double)f.runs);
}

static void put_reduction(struct account_traffic_writer *w, const struct account_moved *s) {
    if (quantizes(w, s)) {
        put_quantized_reduction(w, s);
        return;
    }
    struct account_flow f = reduction(w, s);
    f.part = account_moved_shard(w, s, s->group.ranks) * s->reduce_bytes;
    account_put_flow(w, &f);
    account_count_volume(w, s, (f.op == ACCOUNT_ALL_REDUCE ? 2.0 : 1.0) * (double)f.runs);
}

static void put_replicas(struct account_traffic_writer *w, const struct account_moved *s) {
    if (w->stage == 0 || w->mesh.replicas.ranks <= 1) return;
    struct account_flow f = reduction(w, s);
    uint64_t own = account_moved_shard(w, s, s->group.ranks);
    f.op = ACCOUNT_ALL_REDUCE;
    f.what = "add up the replicas' gradient shards";
    f.name = "replicas";
    f.group = w->mesh.replicas;
    f.runs = f.windows = has_stage(w, w->recipe->replicas_every) ? w->micro : 1;
    f.part = account_ceil_div(own, f.group.ranks) * s->reduce_bytes;
    account_put_flow(w, &f);
    double share = (double)own / (double)w->sheet.share[ACCOUNT_SET_DENSE].params;
    w->out->volume_params += 2.0 * share * (double)f.runs;
}

void account_put_data_flows(struct account_traffic_writer *w) {
    for (int i = 0; i < ACCOUNT_SETS; i++) {
        struct account_moved s = set_of(w, (enum account_set)i);
        if (share_of(w, &s)->params == 0) continue;
        account_put_gathers(w, &s);
        if (!s.trained) continue;
        put_reduction(w, &s);
        put_replicas(w, &s);
    }
}
