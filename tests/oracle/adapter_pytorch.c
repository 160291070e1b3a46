/* PyTorch: DDP, FSDP, hybrid sharding. */
#include "oracle/oracle.h"

/* ── DDP ───────────────────────────────────────────────────────────────────────────────────────*/

/* Buckets stay allocated, so they are a second copy of the gradients; the paper's accounting has
 * none (gradient_as_bucket_view). The cap shows in the number of all-reduces. The first bucket's 1
 * MiB is not counted apart. */
static void check_buckets(const json_t *row) {
    double params = num(row, "inputs/params");
    struct account_training t = trained("recipe=ddp precision=fp32 params=%.0f gpus=8", params);
    struct account_training view = trained("precision=fp32 params=%.0f gpus=8", params);
    struct account_traffic traffic = traffic_of(&t);
    const struct account_collective *leg = leg_of(&traffic, "reduce gradients");
    same(row, (double)memory_of(&t).gpu.bytes[ACCOUNT_REDUCE],
         "expected/extra_bytes_gradient_as_bucket_view_false");
    same(row, (double)memory_of(&view).gpu.bytes[ACCOUNT_REDUCE], "expected/extra_bytes_true");
    double cap = num(row, "expected/bucket_cap_MiB") * MiB;
    near(row, "all-reduces", leg->calls, leg->payload / cap, 1);
}

/* ── FSDP ──────────────────────────────────────────────────────────────────────────────────────*/

static double volume(const char *more) {
    struct account_training t = trained("recipe=fsdp1 gpus=64 %s", more);
    return traffic_of(&t).volume_params;
}

/* Of a model with a shape the root unit (embedding, last norm, head) is gathered once and not
 * twice. */
static void check_strategies(const json_t *row) {
    same(row, volume("params=7e9 stage=3"), "expected/FULL_SHARD");
    same(row, volume("params=7e9 stage=2"), "expected/SHARD_GRAD_OP");
    struct account_training t = trained("model=llama-2-7b");
    struct account_shape root = t.shape;
    root.layers = 0;
    near(row, "root kept", volume("model=llama-2-7b stage=3"), 3 - counted(root) / (double)t.params,
         1e-6);
}

static double of(const struct account_ledger *l, enum account_category c) {
    return (double)l->bytes[c];
}

static void check_mapping(const json_t *row) {
    struct account_training whole = trained("recipe=fsdp1 stage=3 params=8e9 gpus=16");
    struct account_training op = trained("recipe=fsdp1 stage=2 params=8e9 gpus=16");
    struct account_training hybrid =
        trained("recipe=fsdp1 stage=3 params=8e9 gpus=16 shard_group=8");
    struct account_training group = trained("recipe=fsdp1 stage=3 params=8e9 gpus=8");
    struct account_memory a = memory_of(&whole), b = memory_of(&op), c = memory_of(&hybrid),
                          d = memory_of(&group);
    for (int i = 0; i <= ACCOUNT_MOMENTS; i++) {
        enum account_category one = (enum account_category)i;
        near(row, "between steps", of(&a.persistent, one), of(&b.persistent, one), 0);
        near(row, "MiCS", of(&c.gpu, one), of(&d.gpu, one), 0);
    }
    const struct account_ledger *backward = &b.phase[ACCOUNT_BACKWARD].ledger;
    near(row, "gathered whole", of(backward, ACCOUNT_GATHER), 2 * 8e9, 0);
    assert_true(at(row, "expected/FULL_SHARD") && at(row, "expected/HYBRID_SHARD"));
}

/* A flat parameter of one unit, sharded: the shard and what all ranks hold together. */
static void check_flat_padding(const json_t *row) {
    struct account_training t = trained("recipe=fsdp1 stage=3 params=%.0f gpus=%u precision=fp32",
                                        num(row, "inputs/numel"), small(row, "inputs/F"));
    double shard = (double)memory_of(&t).gpu.bytes[ACCOUNT_PARAMS] / 4;
    same(row, shard, "expected/shard");
    same(row, shard * t.gpus, "expected/padded");
    assert_true(shard * t.gpus - num(row, "inputs/numel") <= t.gpus - 1);
}

static const struct account_model *model_of(const json_t *row) {
    double sum = 0;
    for (size_t i = 0; i < length(row, "inputs/unit_params"); i++)
        sum += num(row, path("inputs/unit_params/%zu", i));
    size_t count;
    const struct account_model *models = account_models(&count);
    for (size_t i = 0; i < count; i++)
        if ((double)models[i].params == sum) return &models[i];
    fail_msg("%s: no model has these units", id_of(row));
    return NULL;
}

/* The bound has the shards and one unit: the lab's, without prefetch. FSDP itself gathers one ahead
 * and keeps the root. */
static void check_peak(const json_t *row) {
    const char *model = model_of(row)->name;
    uint32_t ranks = small(row, "inputs/F");
    const char *precision = num(row, "inputs/bytes") == 2 ? "bf16" : "fp32";
    struct account_training lab = trained(
        "recipe=zerolab stage=3 model=%s gpus=%u precision=%s prefetch=0", model, ranks, precision);
    struct account_training fsdp = lab;
    set(&fsdp, "recipe=fsdp1 prefetch=1");
    struct account_memory m = memory_of(&lab), real = memory_of(&fsdp);
    double bytes = (double)(m.gpu.bytes[ACCOUNT_PARAMS] + m.highest[ACCOUNT_GATHER]);
    same(row, bytes, "expected/bytes");
    same(row, bytes / num(row, "inputs/bytes"), "expected/elements");
    assert_true(real.highest[ACCOUNT_GATHER] > 2 * m.highest[ACCOUNT_GATHER]);
}

/* ── hybrid sharding ───────────────────────────────────────────────────────────────────────────*/

/* The printed formula has W − 1 where an all-reduce over W/G hosts has W − G. */
static void check_hybrid(const json_t *row) {
    uint32_t w = small(row, "inputs/W"), g = small(row, "inputs/G");
    double bytes = num(row, "inputs/M_bytes");
    const char *whole = path("params=%.0f gpus=%u gpus_per_node=%u", bytes / 2, w, g);
    struct account_training hybrid = trained("%s stage=3 shard_group=%u", whole, g);
    struct account_training replicated = trained("%s stage=0", whole);
    struct account_training sharded = trained("%s stage=3", whole);
    double between = (double)traffic_of(&hybrid).between;
    double printed = account_collective_factor(ACCOUNT_ALL_REDUCE, w) * bytes / g;
    same(row, between, "expected/exact_ring_hybrid");
    same(row, printed, "expected/paper/hybrid");
    same(row, between * (w - 1) / (w - g), "expected/paper/hybrid");
    same(row, (double)traffic_of(&replicated).total, "expected/paper/full_replication");
    same(row, (double)traffic_of(&sharded).total, "expected/paper/full_sharding");
}

/* ── a unit's buffers ──────────────────────────────────────────────────────────────────────────*/

/* What backward holds of blocks: without the root, which stays gathered, and without the shards. */
static void check_unit_buffers(const json_t *row) {
    bool second = strncmp(id_of(row), "fsdp2", 5) == 0;
    struct account_training t =
        trained("recipe=%s stage=3 model=%s gpus=%u reduce_dtype=%s", second ? "fsdp2" : "fsdp1",
                json_string_value(at(row, "inputs/model")), small(row, "inputs/F"),
                num(row, "inputs/reduce_bytes") == 4 ? "fp32" : "16bit");
    struct account_ledger backward = memory_of(&t).phase[ACCOUNT_BACKWARD].ledger;
    double root = num(row, "inputs/root") * num(row, "inputs/param_bytes");
    double gathered = (double)backward.bytes[ACCOUNT_GATHER] - root;
    double reduce = (double)backward.bytes[ACCOUNT_REDUCE];
    same(row, gathered, "expected/gathered");
    same(row, reduce - num(row, "expected/gradients"), "expected/reduced");
    same(row, gathered + reduce, "expected/total");
}

const struct adapter oracle_pytorch[] = {
    {"ddp.buckets", REPRODUCED, check_buckets, NULL},
    {"fsdp.comm.shard_grad_op", REPRODUCED, check_strategies, NULL},
    {"fsdp.mapping", REPRODUCED, check_mapping, NULL},
    {"fsdp.pad", REPRODUCED, check_flat_padding, NULL},
    {"fsdp.peak_param", REPRODUCED, check_peak, NULL},
    {"fsdp.hsdp_traffic.", REPRODUCED, check_hybrid, NULL},
    {"fsdp1.unit_buffers", REPRODUCED, check_unit_buffers, NULL},
    {"fsdp2.unit_buffers", REPRODUCED, check_unit_buffers, NULL},
    {NULL, REPRODUCED, NULL, NULL},
};
