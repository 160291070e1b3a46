/* Data parallelism: gradients reduced, parameters gathered, by the recipe's row.
 *
 * ZeRO, arXiv:1910.02054, section 7: an all-reduce of gradients moves 2Ψ; stages 1 and 2
 * reduce-scatter and, after the update, all-gather: Ψ + Ψ; stage 3 gathers before forward and
 * before backward: 3Ψ. With m micro-batches what is reduced or gathered in each of them counts m
 * times: (m + 1)Ψ in stage 2, 3mΨ in stage 3 (deepspeedai/DeepSpeed, runtime/engine.py,
 * allreduce_gradients).
 *
 * With shard groups of G among W ranks (PyTorch FSDP, arXiv:2304.11277, section 3.2.2; MiCS,
 * arXiv:2205.00119, section 3) all of that stays in the group, and each gradient shard is
 * all-reduced among its W/G replicas: 2M(W−G)/(GW). Once a step, at the last micro-batch, where the
 * shards add up until then (MiCS, two-hop synchronization); in each of them where the recipe's row
 * says so (FSDP as it comes).
 *
 * ZeRO++, arXiv:2306.10209, section 3: qwZ gathers 8-bit weights; hpZ gathers for backward from a
 * second copy inside a smaller group; qgZ reduces 4-bit gradients by two all-to-alls, first inside
 * the node and then between nodes, where M/4 per node is left. */
#include "account/memory/step.h"
#include "account/traffic/flows.h"

static double at_most_one(double x) {
    return x < 1 ? x : 1;
}

static bool is_expert(const struct account_moved *s) {
    return s->set == ACCOUNT_SET_EXPERTS;
}

/* ── bytes ─────────────────────────────────────────────────────────────────────────────────────*/

/* Tensors up to so many elements, or the others. */
static struct account_share sized(const struct account_share *all, uint64_t limit, bool small) {
    struct account_share some = {0};
    for (size_t i = 0; i < all->parts; i++) {
        const struct account_part *p = &all->part[i];
        if ((p->elements <= limit) != small) continue;
        some.part[some.parts++] = *p;
        some.params += p->elements * p->times;
    }
    return some;
}

static bool keeps_small(const struct account_traffic_writer *w, const struct account_moved *s) {
    return w->is->recipe->persistent && s->set != ACCOUNT_SET_ADAPTERS && w->is->shape.family &&
           w->is->sheet.pad == ACCOUNT_PAD_TENSOR;
}

/* A frozen base in NF4 is gathered as it is kept, so its shards are those of the sheet. */
static uint64_t frozen_bytes(const struct account_traffic_writer *w, const struct account_moved *s,
                             uint32_t ranks) {
    uint64_t sum = 0;
    for (size_t i = 0; i < w->is->sheet.terms; i++) {
        struct account_term term = w->is->sheet.term[i];
        if (term.category != ACCOUNT_PARAMS || term.set != s->set || term.group) continue;
        term.group = ranks;
        sum += account_term_bytes(&w->is->sheet, &term);
    }
    return sum;
}

/* qwZ: a byte an element, and an fp32 scale for each block. DeepSpeed's have at most 8000 elements
 * (runtime/zero/partition_parameters.py, CUDAQuantizer). */
static uint64_t travel_bytes(const struct account_traffic_writer *w, const struct account_moved *s,
                             uint64_t elements) {
    bool narrow = w->is->qwz && w->stage == 3 && s->trained && s->bytes > 1;
    uint64_t block = w->is->recipe->quantum ? w->is->recipe->quantum : 8000;
    return narrow ? elements + 4 * account_ceil_div(elements, block) : elements * s->bytes;
}

static uint64_t gathered_bytes(const struct account_traffic_writer *w,
                               const struct account_moved *s, uint32_t ranks) {
    if (!s->trained) return frozen_bytes(w, s, ranks);
    struct account_share large = w->is->sheet.share[s->set];
    if (keeps_small(w, s)) large = sized(&large, w->is->recipe->persistent, false);
    return travel_bytes(
        w, s, account_shard_elements(&large, w->is->sheet.pad, w->is->sheet.align, ranks));
}

/* The root unit (embedding, last norm, head) of a shape is what is left of it without blocks; of a
 * shape whose count was overridden, or of a frozen base, its part. */
static uint64_t root_bytes(const struct account_traffic_writer *w, const struct account_moved *s,
                           uint32_t ranks, uint64_t all) {
    double whole = (double)w->is->units.root + (double)w->is->units.block * w->layers;
    if (s->set != ACCOUNT_SET_DENSE || whole <= 0) return 0;
    if (!s->trained || w->is->counted != w->is->params)
        return (uint64_t)((double)all * ((double)w->is->units.root / whole));
    struct account_share root;
    account_share_of_root(w->is, w->is->sheet.pad, &root);
    uint64_t elements = account_shard_elements(&root, w->is->sheet.pad, w->is->sheet.align, ranks);
    uint64_t bytes = travel_bytes(w, s, elements);
    return bytes < all ? bytes : all;
}

/* ── flows ─────────────────────────────────────────────────────────────────────────────────────*/

/* Units that are gathered one by one: the root and the blocks (PyTorch FSDP, arXiv:2304.11277,
 * section 3.3.1); of zerolab the embeddings, the blocks, the last norm and an untied head
 * (lab/gather.c). */
static double shard_units(const struct account_traffic_writer *w) {
    return w->layers + (w->is->recipe->by_units ? 2.0 : 1.0) + account_has_head_unit(w->is);
}

/* Nothing computes while the first unit is gathered; and because the first is the embedding, whose
 * lookup takes no time, the first block's gather stands bare too. A root that is gathered at once
 * waits whole. */
static double gather_head(const struct account_traffic_writer *w) {
    struct account_shard_unit_shares p = account_shard_unit_shares(w);
    double root = 1 - p.block * w->layers;
    return at_most_one((w->is->recipe->root_kept ? root : p.embedding) + p.block);
}

static double gather_volume(const struct account_traffic_writer *w, const struct account_moved *s) {
    return w->is->qwz && w->stage == 3 && s->trained ? 0.5 : 1;
}

static struct account_flow gathering(const struct account_traffic_writer *w,
                                     const struct account_moved *s) {
    return (struct account_flow){
        .op = ACCOUNT_ALL_GATHER,
        .what = is_expert(s) ? "gather experts for forward" : "gather parameters for forward",
        .name = "shard",
        .group = s->group,
        .runs = w->micro,
        .windows = w->micro,
        .calls = shard_units(w),
        .window = w->is->prefetch ? ACCOUNT_BEHIND_FORWARD : ACCOUNT_BARE,
        .head = gather_head(w),
        .forward = 1,
    };
}

static void put_forward_gather(struct account_traffic_writer *w, const struct account_moved *s) {
    struct account_flow f = gathering(w, s);
    f.part = gathered_bytes(w, s, f.group.ranks);
    account_put_flow(w, &f);
    account_count_volume(w, s, gather_volume(w, s) * (double)f.runs);
}

uint64_t account_gathered_once(const struct account_traffic_writer *w, enum account_set set,
                               uint32_t ranks) {
    const struct account_sheet *sheet = &w->is->sheet;
    struct account_share ends = {0};
    if (set != ACCOUNT_SET_DENSE || !account_has_head_unit(w->is)) return 0;
    ends.part[ends.parts++] = sheet->share[set].part[ACCOUNT_IN_EMBEDDING];
    ends.part[ends.parts++] = sheet->share[set].part[ACCOUNT_IN_HEAD];
    return account_shard_elements(&ends, sheet->pad, sheet->align, ranks);
}

/* What backward does not gather again. A root that stays: PyTorch FSDP, arXiv:2304.11277, section
 * 3.3.1 and Figure 5. */
static uint64_t kept_bytes(const struct account_traffic_writer *w, const struct account_moved *s,
                           uint32_t ranks, uint64_t all) {
    if (w->is->recipe->root_kept) return root_bytes(w, s, ranks, all);
    return s->trained ? travel_bytes(w, s, account_gathered_once(w, s->set, ranks)) : 0;
}

/* The first gather of backward runs while the head still computes, so none stands bare. */
static void put_backward_gather(struct account_traffic_writer *w, const struct account_moved *s) {
    struct account_flow f = gathering(w, s);
    bool near = w->is->hpz && !is_expert(s);
    f.what = near           ? "gather parameters for backward from the second copy"
             : is_expert(s) ? "gather experts for backward"
                            : "gather parameters for backward";
    if (near) f.group = w->is->mesh.secondary;
    if (f.window == ACCOUNT_BEHIND_FORWARD) f.window = ACCOUNT_BEHIND_BACKWARD;
    f.head = 0;
    f.forward = 0;
    uint64_t all = gathered_bytes(w, s, f.group.ranks);
    f.part = all - kept_bytes(w, s, f.group.ranks, all);
    account_put_flow(w, &f);
    double share = all ? (double)f.part / (double)all : 0;
    if (f.group.ranks > 1) account_count_volume(w, s, share * gather_volume(w, s) * (double)f.runs);
}

static void put_updated_gather(struct account_traffic_writer *w, const struct account_moved *s,
                               uint64_t elements, uint64_t runs, const char *what) {
    struct account_flow f = gathering(w, s);
    f.what = what;
    f.runs = runs;
    f.windows = 1;
    f.calls = w->is->recipe->by_units ? shard_units(w) : 1;
    f.window = ACCOUNT_BARE;
    f.head = 1;
    f.forward = 0;
    f.after = true;
    f.part = elements * s->bytes;
    account_put_flow(w, &f);
}

/* Tensors that stay gathered are gathered again after each update (runtime/zero/stage3.py,
 * _post_step). */
static void put_small_gather(struct account_traffic_writer *w, const struct account_moved *s) {
    if (!keeps_small(w, s) || !s->trained) return;
    struct account_share small =
        sized(&w->is->sheet.share[s->set], w->is->recipe->persistent, true);
    uint64_t own =
        account_shard_elements(&small, w->is->sheet.pad, w->is->sheet.align, s->group.ranks);
    put_updated_gather(w, s, own, 1, "gather updated small parameters");
}

static void put_gathers(struct account_traffic_writer *w, const struct account_moved *s) {
    uint8_t micro = w->is->recipe->gathers_micro[w->stage],
            step = w->is->recipe->gathers_step[w->stage];
    if (micro >= 1) put_forward_gather(w, s);
    if (micro >= 2) put_backward_gather(w, s);
    if (micro) put_small_gather(w, s);
    if (step == 0 || !s->trained) return;
    put_updated_gather(w, s, account_moved_shard(w, s, s->group.ranks), step,
                       is_expert(s) ? "gather updated experts" : "gather updated parameters");
    account_count_volume(w, s, step);
}

static double least(double a, double b) {
    return a < b ? a : b;
}

static bool has_stage(const struct account_traffic_writer *w, uint8_t stages) {
    return stages & ACCOUNT_STAGE(w->stage);
}

static const struct account_share *share_of(const struct account_traffic_writer *w,
                                            const struct account_moved *s) {
    return &w->is->sheet.share[s->set];
}

/* Experts are divided among the ranks that hold the same ones, every ep-th of the group. */
static struct account_group group_of(const struct account_traffic_writer *w, enum account_set set) {
    struct account_group g = w->stage ? w->is->mesh.shard : w->is->mesh.data;
    if (set != ACCOUNT_SET_EXPERTS) return g;
    uint32_t ep = w->is->ep, stride = w->is->tp * ep;
    uint32_t capacity = stride < w->is->mesh.node ? w->is->mesh.node / stride : 1;
    g.ranks = g.ranks / ep ? g.ranks / ep : 1;
    g.per_node = g.ranks < capacity ? g.ranks : capacity;
    return g;
}

static struct account_moved set_of(const struct account_traffic_writer *w, enum account_set set) {
    bool adapters = set == ACCOUNT_SET_ADAPTERS;
    return (struct account_moved){
        .set = set,
        .group = group_of(w, set),
        .trained = account_is_trained(w->is, set),
        .bytes = w->is->bytes[adapters ? ACCOUNT_AS_FLOAT : ACCOUNT_AS_HALF],
        .reduce_bytes = adapters ? w->is->adapter_reduce_bytes : w->is->reduce_bytes,
    };
}

/* ── units ─────────────────────────────────────────────────────────────────────────────────────*/

/* The last gradients are ready when backward is over: the embedding's, and those of the bucket, or
 * unit, that was still filling. */
static double reduce_tail(const struct account_traffic_writer *w, double bytes) {
    struct account_shard_unit_shares p = account_shard_unit_shares(w);
    double bucket = (double)account_bucket_bytes(w->is);
    if (bucket <= 0 || bytes <= 0) return least(1, p.embedding + p.block);
    double last = bucket / bytes;
    return least(1, last > p.embedding ? last : p.embedding);
}

static double reduce_calls(const struct account_traffic_writer *w, double bytes) {
    double bucket = (double)account_bucket_bytes(w->is);
    if (bucket <= 0) return shard_units(w);
    return bytes > bucket ? (double)(uint64_t)(bytes / bucket) + 1 : 1;
}

/* ── gradients ─────────────────────────────────────────────────────────────────────────────────*/

static struct account_flow reduction(const struct account_traffic_writer *w,
                                     const struct account_moved *s) {
    bool every = has_stage(w, w->is->recipe->reduce_every);
    double bytes = (double)share_of(w, s)->params * s->reduce_bytes;
    return (struct account_flow){
        .op = (enum account_collective_kind)w->is->recipe->reduce_op[w->stage],
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

/* deepspeedai/DeepSpeed, runtime/zero/stage3.py: all-to-all only where the job has more than one
 * node. */
static bool quantizes(const struct account_traffic_writer *w, const struct account_moved *s) {
    return w->is->qgz && w->stage == 3 && s->group.per_node < s->group.ranks;
}

/* runtime/comm/coalesced_collectives.py, all_to_all_quant_reduce: 4 bits an element. DeepSpeed's
 * scales, one for a row of a matrix, are under a five-hundredth and left out. */
static uint64_t bytes_in_4_bits(const struct account_traffic_writer *w, uint64_t elements) {
    uint64_t block = w->is->recipe->quantum;
    return account_ceil_div(elements, 2) + (block ? 4 * account_ceil_div(elements, block) : 0);
}

static void put_quantized_reduction(struct account_traffic_writer *w,
                                    const struct account_moved *s) {
    struct account_flow f = reduction(w, s);
    uint32_t near = s->group.per_node, nodes = (uint32_t)account_ceil_div(s->group.ranks, near);
    uint64_t own = account_moved_shard(w, s, s->group.ranks);
    f.op = ACCOUNT_ALL_TO_ALL;
    f.what = "reduce 4-bit gradients inside nodes";
    f.group = (struct account_group){.ranks = near, .per_node = near};
    f.part = bytes_in_4_bits(w, own * nodes);
    account_put_flow(w, &f);
    f.what = "reduce 4-bit gradients between nodes";
    f.group = (struct account_group){.ranks = nodes, .per_node = 1};
    f.part = bytes_in_4_bits(w, own);
    account_put_flow(w, &f);
    double hops = near > 1 ? 1 + 1.0 / near : 1; /* of the second, a GPU has a part of its node's */
    account_count_volume(w, s, hops / 4 * (double)f.runs);
}

/* Rows of the embeddings' gradient that a micro-batch looked up, each with a number of 4 bytes, and
 * none of the zeros. deepspeedai/DeepSpeed, runtime/engine.py, sparse_allreduce, gathers them so;
 * src/lab/rows.c says what differs here, and when it sends less. */
static void put_rows(struct account_traffic_writer *w, const struct account_moved *s) {
    const struct account_resolved *is = w->is;
    struct account_flow f = reduction(w, s);
    f.op = ACCOUNT_ALL_GATHER;
    f.what = "gather rows of the embeddings' gradient";
    f.runs = f.windows = w->micro;
    f.calls = 1;
    f.window = ACCOUNT_BARE;
    f.head = 1;
    f.part = (uint64_t)is->batch * is->seq * ((uint64_t)is->shape.hidden * s->bytes + 4);
    account_put_flow(w, &f);
}

/* Elements of a rank's shard that travel as rows instead. */
static uint64_t sparse_elements(const struct account_traffic_writer *w,
                                const struct account_moved *s) {
    const struct account_sheet *sheet = &w->is->sheet;
    struct account_share table = {.parts = 1,
                                  .part = {sheet->share[s->set].part[ACCOUNT_IN_EMBEDDING]}};
    if (!w->is->sparse_gradients) return 0;
    return account_shard_elements(&table, sheet->pad, sheet->align, s->group.ranks);
}

static void put_reduction(struct account_traffic_writer *w, const struct account_moved *s) {
    if (quantizes(w, s)) {
        put_quantized_reduction(w, s);
        return;
    }
    struct account_flow f = reduction(w, s);
    if (w->is->sparse_gradients) put_rows(w, s);
    f.part = (account_moved_shard(w, s, s->group.ranks) - sparse_elements(w, s)) * s->reduce_bytes;
    account_put_flow(w, &f);
    account_count_volume(w, s, (f.op == ACCOUNT_ALL_REDUCE ? 2.0 : 1.0) * (double)f.runs);
}

static void put_replicas(struct account_traffic_writer *w, const struct account_moved *s) {
    if (w->stage == 0 || w->is->mesh.replicas.ranks <= 1) return;
    struct account_flow f = reduction(w, s);
    uint64_t own = account_moved_shard(w, s, s->group.ranks);
    f.op = ACCOUNT_ALL_REDUCE;
    f.what = "add up the replicas' gradient shards";
    f.name = "replicas";
    f.group = w->is->mesh.replicas;
    f.runs = f.windows = has_stage(w, w->is->recipe->replicas_every) ? w->micro : 1;
    f.part = account_ceil_div(own, f.group.ranks) * s->reduce_bytes;
    account_put_flow(w, &f);
    double share = (double)own / (double)w->is->sheet.share[ACCOUNT_SET_DENSE].params;
    w->out->volume_params += 2.0 * share * (double)f.runs;
}

void account_put_data_flows(struct account_traffic_writer *w) {
    for (int i = 0; i < ACCOUNT_SETS; i++) {
        struct account_moved s = set_of(w, (enum account_set)i);
        if (share_of(w, &s)->params == 0) continue;
        put_gathers(w, &s);
        if (!s.trained) continue;
        put_reduction(w, &s);
        put_replicas(w, &s);
    }
}
