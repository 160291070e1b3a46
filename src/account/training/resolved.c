/* What follows from the fields of a training, one at a time and all together. Only this file,
 * check.c and fields.c read them for the formulas. */
#include "account/training/resolved.h"
#include "account/training/training.h"

#include <assert.h>

/* ── rows, and bytes of an element ─────────────────────────────────────────────────────────────*/

const struct account_precision *account_precision_of(const struct account_training *t) {
    return &account_precisions[t->precision < account_precision_count ? t->precision : 0];
}

const struct account_optimizer *account_optimizer_of(const struct account_training *t) {
    return &account_optimizers[t->optimizer < account_optimizer_count ? t->optimizer : 0];
}

const struct account_recipe *account_recipe_of(const struct account_training *t) {
    return &account_recipes[t->recipe < account_recipe_count ? t->recipe : 0];
}

bool account_has_stage(const struct account_training *t, uint8_t stage) {
    return stage < 4 && (account_recipe_of(t)->stages & ACCOUNT_STAGE(stage));
}

/* PyTorch's DDP and FSDP keep fp32 parameters under mixed precision, and those are the master
 * copy. */
uint32_t account_dtype_bytes(const struct account_training *t, enum account_dtype dtype) {
    const struct account_precision *p = account_precision_of(t);
    bool in_fp32 = account_recipe_of(t)->fp32_params && (p->in & ACCOUNT_IN_MIXED);
    if (in_fp32 && dtype != ACCOUNT_AS_HALF) p = &account_precisions[ACCOUNT_FP32_ROW];
    return p->bytes[dtype];
}

/* The type in which gradients are added up does not decide the type in which they travel if the
 * recipe casts them for that: FSDP's MixedPrecision has a reduce_dtype, param_dtype unless it is
 * set (torch/distributed/fsdp/api.py); DeepSpeed's communication_data_type is the model's type
 * unless it is set (runtime/engine.py), whatever grad_accum_dtype is. */
uint32_t account_reduce_bytes(const struct account_training *t) {
    enum account_dtype usual = account_recipe_of(t)->reduce_dtype;
    if (t->reduce_dtype == ACCOUNT_16_BIT) return 2;
    if (t->reduce_dtype == ACCOUNT_32_BIT) return 4;
    if (t->grad_dtype == ACCOUNT_32_BIT && usual != ACCOUNT_AS_HALF) return 4;
    return account_dtype_bytes(t, usual);
}

/* Adapters are kept in fp32 and travel so, unless the training says otherwise. */
static uint32_t adapter_reduce_bytes(const struct account_training *t) {
    return t->reduce_dtype == ACCOUNT_16_BIT ? account_reduce_bytes(t)
                                             : account_dtype_bytes(t, ACCOUNT_AS_FLOAT);
}

/* deepspeedai/DeepSpeed: stages 1 and 2 keep sums on the host in the parameters' own type
 * (runtime/zero/stage_1_and_2.py, buffer_to_accumulate_to_in_cpu), stage 3 in that of accumulation
 * (stage3.py, grad_partitions_flat_buffer). */
static uint32_t sum_bytes(const struct account_training *t) {
    bool wide = t->stage == 3 && t->grad_dtype == ACCOUNT_32_BIT;
    return account_dtype_bytes(t, wide ? ACCOUNT_AS_FLOAT : ACCOUNT_AS_HALF);
}

/* ── groups of ranks, and their links ──────────────────────────────────────────────────────────*/

uint32_t account_data_parallel(const struct account_training *t) {
    uint64_t model =
        (uint64_t)account_degree(t->tp) * account_degree(t->pp) * account_degree(t->cp);
    uint64_t dp = t->gpus / model;
    return dp ? (uint32_t)dp : 1;
}

uint32_t account_shard_ranks(const struct account_training *t) {
    return t->shard_group ? t->shard_group : account_data_parallel(t) * account_degree(t->cp);
}

/* Members lie `stride` ranks apart, so a node of G holds G ÷ stride of them, and one where the
 * stride steps over a node. */
static struct account_group group(uint32_t ranks, uint32_t stride, uint32_t node) {
    uint32_t capacity = stride > 0 && stride < node ? node / stride : 1;
    assert(ranks > 0 && capacity > 0);
    return (struct account_group){.ranks = ranks, .per_node = ranks < capacity ? ranks : capacity};
}

struct account_mesh account_mesh(const struct account_training *t) {
    uint32_t world = account_degree(t->gpus), tp = account_degree(t->tp),
             cp = account_degree(t->cp);
    uint32_t node = t->gpus_per_node && t->gpus_per_node < world ? t->gpus_per_node : world;
    uint32_t dp = account_data_parallel(t), all = dp * cp,
             n = account_degree(account_shard_ranks(t));
    return (struct account_mesh){
        .world = world,
        .dp = dp,
        .node = node,
        .tensor = group(tp, 1, node),
        .context = group(cp, tp, node),
        .shard = group(n, tp, node),
        .replicas = group(all / n ? all / n : 1, tp * n, node),
        .data = group(all, tp, node),
        .expert = group(account_degree(t->ep), tp, node),
        .pipeline = group(account_degree(t->pp), tp * all, node),
        .secondary = group(account_degree(t->hpz), tp, node),
    };
}

struct account_wires account_wires(const struct account_training *t) {
    return account_wires_on(t->card, &t->link, &t->net);
}

/* ── all together ──────────────────────────────────────────────────────────────────────────────*/

static void copy_asked(const struct account_training *t, struct account_resolved *out) {
    out->params = t->params;
    out->shape = t->shape;
    out->card = t->card;
    out->link = t->link;
    out->net = t->net;
    out->efficiency = t->efficiency;
    out->tp = account_degree(t->tp);
    out->pp = account_degree(t->pp);
    out->cp = account_degree(t->cp);
    out->ep = account_degree(t->ep);
    out->interleave = account_degree(t->interleave);
    out->shard_group = t->shard_group;
    out->hpz = t->hpz;
    out->prefetch = t->prefetch;
    out->batch = t->batch;
    out->seq = t->seq;
    out->micro = account_degree(t->accumulate);
    out->lora = t->lora;
    out->lora_on = t->lora_on;
    out->stage = t->stage;
    out->checkpoint = t->checkpoint;
    out->offload_optimizer = t->offload_optimizer;
    out->offload_params = t->offload_params;
    out->quantized = t->quantized;
    out->flash = t->flash;
    out->dropout = t->dropout;
    out->sp = t->sp;
    out->qwz = t->qwz;
    out->qgz = t->qgz;
    out->sparse_gradients = t->sparse_gradients;
}

static void resolve_bytes(const struct account_training *t, struct account_resolved *out) {
    for (int i = 0; i < ACCOUNT_DTYPES; i++)
        out->bytes[i] = account_dtype_bytes(t, (enum account_dtype)i);
    out->reduce_bytes = account_reduce_bytes(t);
    out->adapter_reduce_bytes = adapter_reduce_bytes(t);
    out->sum_bytes = sum_bytes(t);
    out->wide_gradients = t->grad_dtype == ACCOUNT_32_BIT;
    out->kept_bytes = out->bytes[out->wide_gradients ? ACCOUNT_AS_FLOAT : ACCOUNT_AS_GRAD];
}

/* The shape as the recipe holds it: Megatron-LM (--make-vocab-size-divisible-by, 128 · tp) and
 * llm.c (50257 → 50304) pad the vocabulary. */
static struct account_shape held_shape(const struct account_training *t) {
    struct account_shape s = t->shape;
    uint64_t multiple = (uint64_t)account_recipe_of(t)->vocab_multiple * account_degree(t->tp);
    if (multiple) s.vocab = (uint32_t)(account_ceil_div(s.vocab, multiple) * multiple);
    return s;
}

void account_resolve_fields(const struct account_training *t, struct account_resolved *out) {
    copy_asked(t, out);
    out->recipe = account_recipe_of(t);
    out->precision = account_precision_of(t);
    out->optimizer = account_optimizer_of(t);
    out->mesh = account_mesh(t);
    resolve_bytes(t, out);
    out->bucket = t->bucket ? t->bucket : out->recipe->bucket;
    out->bucket_elements = out->recipe->bucket_elements && (t->bucket == 0 || t->bucket_elements);
    out->adapters = account_adapter_params(&t->shape, t->lora, t->lora_on);
    out->adapters_met = account_adapter_params_met(&t->shape, t->lora, t->lora_on);
}

void account_resolve_tensors(const struct account_training *t, struct account_resolved *out) {
    out->held = held_shape(t);
    out->tensors = account_tensors(&out->held, out->tensor);
    bool padded = out->held.vocab != t->shape.vocab;
    out->counted = padded ? account_count_params(&t->shape)
                          : account_count_tensors(&t->shape, out->tensor, out->tensors);
}

void account_resolve_sheet(struct account_resolved *out) {
    account_shard_units(out, &out->units);
    account_sheet_all(out, 0, &out->sheet);
}

void account_resolve_checked(const struct account_training *t, struct account_resolved *out) {
    account_resolve_tensors(t, out);
    account_resolve_fields(t, out);
    account_resolve_sheet(out);
}

struct account_wires account_wires_of(const struct account_resolved *is) {
    return account_wires_on(is->card, &is->link, &is->net);
}

/* ── sheets ────────────────────────────────────────────────────────────────────────────────────*/

/* Adapters, quantized bases and what is offloaded follow tensors, wherever Ψ is one flat part. */
static bool follows_tensors(const struct account_resolved *r) {
    enum account_pad pad = (enum account_pad)r->recipe->pad[r->stage & 3];
    return !account_share_is_flat(r, pad) || r->lora || r->offload_optimizer != ACCOUNT_GPU;
}

void account_sheet(const struct account_training *t, struct account_sheet *out) {
    struct account_resolved r;
    account_resolve_fields(t, &r);
    r.tensors = r.counted = 0;
    if (follows_tensors(&r)) account_resolve_tensors(t, &r);
    account_sheet_all(&r, 0, out);
    account_sheet_resident(out, out);
}

void account_sheet_whole(const struct account_training *t, struct account_sheet *out) {
    struct account_training whole = *t;
    whole.stage = 0;
    whole.offload_optimizer = whole.offload_params = ACCOUNT_GPU;
    account_sheet(&whole, out);
}
