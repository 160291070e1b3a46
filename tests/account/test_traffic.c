/* Traffic: the literature's volumes and bytes, by the ids of the collected cases, and what must
 * hold of every training. */
#include "account/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct account_traffic traffic_of(const char *pairs) {
    struct account_training t = training_of(pairs);
    struct account_traffic out;
    struct account_error e = {0};
    if (!account_traffic(&t, &out, &e)) fail_msg("%s: %s", pairs, e.what);
    return out;
}

static const struct account_collective *leg_of(const struct account_traffic *t, const char *what) {
    for (size_t i = 0; i < t->collectives; i++)
        if (strstr(t->collective[i].what, what)) return &t->collective[i];
    fail_msg("no leg \"%s\"", what);
    return NULL;
}

static void assert_close(double got, double wanted, double tolerance, const char *what) {
    if (!(fabs(got - wanted) <= tolerance * fabs(wanted)))
        fail_msg("%s: %.17g, wanted %.17g", what, got, wanted);
}

/* ── collectives ───────────────────────────────────────────────────────────────────────────────*/

static void factors(void **state) { /* nccl.busbw.* */
    (void)state;
    static const uint32_t n[] = {2, 3, 4, 8, 16, 64, 512};
    static const double gather[] = {0.5,    0.6666666666666666, 0.75,       0.875,
                                    0.9375, 0.984375,           0.998046875};
    for (size_t i = 0; i < 7; i++) {
        assert_same(account_collective_factor(ACCOUNT_ALL_GATHER, n[i]), gather[i], "all_gather");
        assert_same(account_collective_factor(ACCOUNT_REDUCE_SCATTER, n[i]), gather[i], "rs");
        assert_same(account_collective_factor(ACCOUNT_ALL_TO_ALL, n[i]), gather[i], "all_to_all");
        assert_same(account_collective_factor(ACCOUNT_ALL_REDUCE, n[i]), 2 * gather[i], "ar");
        assert_same(account_collective_factor(ACCOUNT_P2P, n[i]), 1, "p2p");
    }
    assert_same(account_collective_factor(ACCOUNT_ALL_REDUCE, 1), 0, "alone");
    assert_string_equal(account_collective_name(ACCOUNT_REDUCE_SCATTER), "reduce_scatter");
    assert_string_equal(account_collective_name(ACCOUNT_P2P), "p2p");
}

/* ── volumes, in multiples of Ψ ────────────────────────────────────────────────────────────────*/

static void volumes(void **state) {
    (void)state;
    static const struct {
        const char *id, *training;
        double volume;
    } rows[] = {
        {"zero.comm.dp", "stage=0", 2},
        {"zero.comm.pos_g", "stage=1", 2},
        {"zero.comm.pos_g", "stage=2", 2},
        {"zero.comm.pos_g_p", "stage=3", 3},
        {"ds.comm.ga.m8 ddp", "stage=0 recipe=ddp accumulate=8", 2},
        {"ds.comm.ga.m8 stage 1", "stage=1 accumulate=8", 2},
        {"ds.comm.ga.m8 stage 1, default", "stage=1 accumulate=8 recipe=deepspeed", 3},
        {"ds.comm.ga.m8 stage 2", "stage=2 accumulate=8", 9},
        {"ds.comm.ga.m8 stage 2, default", "stage=2 accumulate=8 recipe=deepspeed", 17},
        {"ds.comm.ga.m8 stage 3", "stage=3 accumulate=8", 24},
        {"ds.comm.ga.m8 stage 3, default", "stage=3 accumulate=8 recipe=deepspeed", 24},
        {"zerolab, A = 4", "stage=3 accumulate=4 recipe=zerolab", 12},
        {"zerolab, A = 4", "stage=2 accumulate=4 recipe=zerolab", 5},
        {"fsdp.comm FULL_SHARD", "stage=3 recipe=fsdp1", 3},
        {"fsdp.comm SHARD_GRAD_OP", "stage=2 recipe=fsdp1", 2},
        {"fsdp.comm SHARD_GRAD_OP", "stage=2 recipe=fsdp2 accumulate=8", 16},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char pairs[160];
        snprintf(pairs, sizeof pairs, "params=7.5e9 gpus=8 %s", rows[i].training);
        assert_same(traffic_of(pairs).volume_params, rows[i].volume, rows[i].id);
    }
}

/* Figure 5 of the FSDP paper: the root stays gathered, so backward does not gather it again.
 * zerolab gathers for each use, and an untied head and its embedding have one. */
static void root_kept(void **state) { /* fsdp.comm.shard_grad_op, FULL_SHARD_root_kept */
    (void)state;
    struct account_traffic t = traffic_of("model=llama-2-7b gpus=8 stage=3 recipe=fsdp1");
    double all = 6738415616, root = 2.0 * 32000 * 4096 + 4096;
    assert_same(t.volume_params, 3 - root / all, "3 minus the root");
    assert_int_equal(leg_of(&t, "for backward")->sent, (uint64_t)((all - root) * 2 * 7 / 8));
    t = traffic_of("model=llama-2-7b gpus=8 stage=3 recipe=zerolab");
    assert_same(t.volume_params, 3 - (root - 4096) / all, "3 minus the two that are used once");
    t = traffic_of("model=gpt2 gpus=8 stage=3 recipe=zerolab");
    assert_same(t.volume_params, 3, "zerolab gathers a tied table twice");
}

/* ── bytes ─────────────────────────────────────────────────────────────────────────────────────*/

static void bytes(void **state) {
    (void)state;
    static const struct {
        const char *id, *training;
        uint64_t total;
    } rows[] = {
        {"zero.comm.exact.N8 ddp", "params=7.5e9 gpus=8 stage=0", 26250000000},
        {"zero.comm.exact.N8 zero12", "params=7.5e9 gpus=8 stage=1", 26250000000},
        {"zero.comm.exact.N8 zero12", "params=7.5e9 gpus=8 stage=2", 26250000000},
        {"zero.comm.exact.N8 zero3", "params=7.5e9 gpus=8 stage=3", 39375000000},
        {"ds.comm.multi_rank_allreduce", "params=7.5e9 gpus=8 stage=2 recipe=deepspeed",
         39375000000},
        {"13B, m = 8", "params=13e9 gpus=8 stage=1 accumulate=8", 45500000000},
        {"13B, m = 8", "params=13e9 gpus=8 stage=2 accumulate=8", 204750000000},
        {"13B, m = 8", "params=13e9 gpus=8 stage=3 accumulate=8", 546000000000},
        /* 6Ψ(n−1)/n: fp32 main gradients reduced, bf16 gathered; llama's vocabulary is a multiple
         * of   128 */
        {"megatron bf16", "params=8e9 gpus=8 stage=1 recipe=megatron", 42000000000},
        {"fsdp2, fp32 gradients as ever", "params=8e9 gpus=8 stage=3 recipe=fsdp2 grad_dtype=fp32",
         42000000000},
        /* engine.py, communication_data_type: 16 bits, whatever gradients are added up in */
        {"deepspeed 3, fp32 sums", "params=8e9 gpus=8 stage=3 recipe=deepspeed grad_dtype=fp32",
         42000000000},
        {"deepspeed 2, fp32 sums", "params=8e9 gpus=8 stage=2 recipe=deepspeed grad_dtype=fp32",
         42000000000},
        {"deepspeed 1, fp32 sums", "params=8e9 gpus=8 stage=1 recipe=deepspeed grad_dtype=fp32",
         42000000000},
        {"deepspeed 3, fp32 sent", "params=8e9 gpus=8 stage=3 recipe=deepspeed reduce_dtype=fp32",
         8ull * 7 * 1000000000},
        {"paper, fp32 gradients", "params=8e9 gpus=8 stage=1 grad_dtype=fp32", 42000000000},
        {"fsdp2, fp32 reduction", "params=8e9 gpus=8 stage=3 recipe=fsdp2 reduce_dtype=fp32",
         8ull * 7 * 1000000000},
        /* ten elements over four ranks: shards of three */
        {"padding", "params=10 gpus=4 stage=1", 3 * 3 * 2 * 2},
        {"padding", "params=10 gpus=4 stage=0", 2 * 3 * 3 * 2},
        /* llm.c goes back to plain data parallelism where N does not divide */
        {"llm.c", "params=10 gpus=4 stage=1 recipe=llm.c", 2 * 3 * 3 * 2},
        {"alone", "params=7.5e9 gpus=1 stage=3 accumulate=8", 0},
        {"1e17", "params=1e17 gpus=1000000 stage=3", 600000000000000000 - 600000000000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t got = traffic_of(rows[i].training).total;
        if (got != rows[i].total)
            fail_msg("%s (%s): %llu", rows[i].id, rows[i].training, (unsigned long long)got);
    }
}

static void too_much(void **state) {
    (void)state;
    struct account_training t = training_of("params=1e17 gpus=1000000 stage=3 accumulate=1000");
    struct account_traffic out;
    struct account_error e = {0};
    assert_false(account_traffic(&t, &out, &e));
    assert_non_null(strstr(e.what, "accumulate"));
    assert_int_equal(out.total, 0);
}

/* ── nodes ─────────────────────────────────────────────────────────────────────────────────────*/

/* Full replication and sharding have (W−G)/W of every array read from other nodes; the paper counts
 * (W−1)/W, all other ranks. */
static void hybrid(void **state) { /* fsdp.hsdp_traffic.* */
    (void)state;
    static const struct {
        const char *id, *mesh;
        uint64_t hybrid, sharded, replicated;
    } rows[] = {
        {"W64", "params=7e9 gpus=64", 3062500000, 41343750000, 27562500000},
        {"W512", "params=70e9 gpus=512", 34453125000, 419179687500, 279453125000},
    };
    for (size_t i = 0; i < 2; i++) {
        char pairs[120];
        snprintf(pairs, sizeof pairs, "%s gpus_per_node=8 stage=3 shard_group=8", rows[i].mesh);
        struct account_traffic t = traffic_of(pairs);
        assert_int_equal(t.between, rows[i].hybrid);
        assert_int_equal(leg_of(&t, "replicas")->sent, rows[i].hybrid);
        snprintf(pairs, sizeof pairs, "%s stage=3", rows[i].mesh);
        assert_int_equal(traffic_of(pairs).total, rows[i].sharded);
        snprintf(pairs, sizeof pairs, "%s stage=0", rows[i].mesh);
        assert_int_equal(traffic_of(pairs).total, rows[i].replicated);
    }
    struct account_traffic one =
        traffic_of("params=7e9 gpus=8 gpus_per_node=8 stage=3 shard_group=8");
    assert_int_equal(one.between, 0); /* a single host: 0, where the printed formula has more */
    struct account_traffic two =
        traffic_of("params=8e9 gpus=64 gpus_per_node=8 stage=2 shard_group=8 accumulate=4");
    assert_int_equal(two.between, 2 * 7 * 8000000000 / 8 / 8 * 2); /* once a step, in stage 2 too */
    /* FSDP does not wait for the last micro-batch unless it is told to */
    struct account_traffic every =
        traffic_of("params=8e9 gpus=64 gpus_per_node=8 stage=3 shard_group=8 accumulate=4 "
                   "recipe=fsdp2");
    assert_int_equal(every.between, 4 * two.between);
}

/* Of the cross-node volume of ZeRO-3, M for each collective, ZeRO++ leaves 0.5M (qwZ forward), 0
 * (hpZ) and 0.25M (qgZ): 3M becomes 0.75M. A ring crosses into a node once, so an all-gather's
 * volume there is what one rank's shard is read from other nodes; of qgZ each of the node's GPUs
 * sends its part. */
static void zeropp(void **state) { /* zeropp.table, zeropp.qgz.hop */
    (void)state;
    double m = 16e9, seen = 1 - 1.0 / 1024; /* 1024 nodes: (nodes − 1) / nodes of everything */
    struct account_traffic plain = traffic_of("params=8e9 gpus=8192 gpus_per_node=8 stage=3");
    assert_close((double)plain.between / m / seen, 3, 1e-3, "3M");
    struct account_traffic t =
        traffic_of("params=8e9 gpus=8192 gpus_per_node=8 stage=3 hpz=8 qwz=on qgz=on");
    double forward = (double)leg_of(&t, "for forward")->between / m / seen;
    double backward = (double)leg_of(&t, "for backward")->between / m / seen;
    double gpu = (double)leg_of(&t, "gradients between nodes")->between / m / seen;
    assert_close(forward, 0.5, 2e-3, "qwZ");
    assert_same(backward, 0, "hpZ");
    assert_close(gpu, 0.03125, 1e-3, "qgZ, a GPU");
    assert_close(8 * gpu, 0.25, 1e-3, "qgZ, a node");
    assert_close(forward + backward + 8 * gpu, 0.75, 2e-3, "0.75M");
    assert_same(t.volume_params, 0.5 + 0.5 + 0.25 * 9 / 8, "in all, inside nodes too");
    /* one hop would have each GPU send 0.25M by itself, 2M a node; one node alone is not
     * quantized */
    struct account_traffic node = traffic_of("params=8e9 gpus=8 gpus_per_node=8 stage=3 qgz=on");
    assert_int_equal(node.sent[ACCOUNT_ALL_TO_ALL], 0);
    assert_int_equal(node.sent[ACCOUNT_REDUCE_SCATTER], 8000000000 / 8 * 7 * 2);
    struct account_traffic near = traffic_of("params=8e9 gpus=64 gpus_per_node=8 stage=3 hpz=8");
    assert_int_equal(leg_of(&near, "second copy")->sent, 8000000000 / 8 * 7 * 2);
    assert_int_equal(leg_of(&near, "second copy")->between, 0);
    assert_int_equal(leg_of(&near, "second copy")->network, 0);
}

/* By network cards 3M becomes 0.75M for each node, whatever its GPUs are (arXiv:2306.10209, table
 * 1, and "4x" in its abstract). From rank to rank it is more, because there each of a node's ranks
 * fetches a shard for itself. */
static void zeropp_by_network_cards(void **state) {
    (void)state;
    static const struct {
        uint32_t gpus, node;
    } meshes[] = {
        {16, 8}, {64, 8}, {384, 16}, {4096, 8}, {512, 4}, {64, 2},
    };
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        char flat[120], plus[160];
        double n = meshes[i].node, w = meshes[i].gpus, nodes = w / n, m = 2 * 16.384e9;
        snprintf(flat, sizeof flat, "params=16.384e9 gpus=%u gpus_per_node=%u stage=3",
                 meshes[i].gpus, meshes[i].node);
        snprintf(plus, sizeof plus, "%s hpz=%u qwz=on qgz=on", flat, meshes[i].node);
        struct account_traffic before = traffic_of(flat), after = traffic_of(plus);
        double ring = (w - 1) / w * m / n, pairs = (nodes - 1) / nodes * m / n;
        assert_close((double)before.network, 3 * ring, 1e-6, flat);
        assert_close((double)leg_of(&after, "for forward")->network, ring / 2, 2e-3, plus);
        assert_same((double)leg_of(&after, "for backward")->network, 0, plus);
        assert_same((double)leg_of(&after, "inside nodes")->network, 0, plus);
        assert_close((double)leg_of(&after, "gradients between nodes")->network, pairs / 4, 1e-6,
                     plus);
        double saved = (double)before.network / (double)after.network;
        assert_close(saved, 4, nodes > 8 ? 0.02 : 0.25, plus);
    }
}

/* Rings of all GPUs of a node leave it once each; a group with one member a node sends all it has
 * by its own card. */
static void network_cards(void **state) {
    (void)state;
    static const struct {
        const char *training;
        double network;
    } rows[] = {
        {"params=8e9 gpus=64 gpus_per_node=8 stage=0", 2 * 16e9 * 63 / 64 / 8},
        {"params=8e9 gpus=64 gpus_per_node=8 stage=3", 3 * 16e9 * 63 / 64 / 8},
        {"params=8e9 gpus=64 gpus_per_node=1 stage=3", 3 * 16e9 * 63 / 64},
        {"params=8e9 gpus=64 gpus_per_node=8 stage=3 recipe=deepspeed", 3 * 16e9 * 63 / 64 / 8},
        {"params=8e9 gpus=64 gpus_per_node=8 stage=3 recipe=fsdp2 reduce_dtype=fp32",
         4 * 16e9 * 63 / 64 / 8},
        {"params=8e9 gpus=64 gpus_per_node=8 stage=3 shard_group=8", 2 * 2e9 * 7 / 8},
        {"params=8e9 gpus=64 gpus_per_node=8 stage=1 tp=8", 2 * 2e9 * 7 / 8},
        {"params=8e9 gpus=64 gpus_per_node=8 stage=1 tp=4", 2 * 4e9 * 15 / 16 / 2},
        {"params=8e9 gpus=8 gpus_per_node=8 stage=3", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_traffic t = traffic_of(rows[i].training);
        assert_same((double)t.network, rows[i].network, rows[i].training);
        uint64_t sum = 0;
        for (size_t leg = 0; leg < t.collectives; leg++) sum += t.collective[leg].network;
        assert_int_equal(sum, t.network);
        assert_true(t.network <= t.total && (t.network > 0) == (t.between > 0));
    }
}

/* ── inside the model ──────────────────────────────────────────────────────────────────────────*/

static struct account_training shaped(const char *pairs, uint32_t layers, uint32_t hidden) {
    struct account_training t = training_of("model=gpt2-124m");
    t.shape.layers = layers;
    t.shape.hidden = hidden;
    t.shape.heads = t.shape.kv_heads = hidden / 128;
    t.shape.head_size = 128;
    t.shape.ffn = 4 * hidden;
    t.params = account_count_params(&t.shape);
    char text[256];
    snprintf(text, sizeof text, "%s", pairs);
    for (char *p = strtok(text, " "); p; p = strtok(NULL, " ")) {
        char *value = strchr(p, '=');
        *value++ = 0;
        assert_true(account_set(&t, p, value, NULL));
    }
    return t;
}

static struct account_traffic traffic_for(const struct account_training *t) {
    struct account_traffic out;
    struct account_error e = {0};
    if (!account_traffic(t, &out, &e)) fail_msg("%s", e.what);
    return out;
}

static void tensor(void **state) { /* zero.mp_comm */
    (void)state;
    struct account_training t = shaped("gpus=8 tp=8 batch=1 seq=1024 checkpoint=full", 1, 8192);
    struct account_traffic out = traffic_for(&t);
    const struct account_collective *leg = leg_of(&out, "partial");
    assert_same(leg->calls, 6, "all-reduces a block");
    assert_same(2 * leg->payload / 2, 100663296, "elements a block, both halves of an all-reduce");
    assert_int_equal(leg->sent, 6 * 2 * 7 * (1024 * 8192 / 8) * 2);
    t = shaped("gpus=8 tp=8 batch=2 seq=1024 accumulate=3", 4, 8192);
    struct account_traffic plain = traffic_for(&t);
    assert_same(leg_of(&plain, "partial")->calls, 4 * 4 * 3, "4 a layer and micro-batch");
    assert_true(account_set(&t, "sp", "on", NULL));
    struct account_traffic sp = traffic_for(&t);
    uint64_t again = leg_of(&sp, "again")->sent;
    assert_int_equal(sp.total - again, plain.total); /* an all-reduce is both halves */
    assert_int_equal(sp.sent[ACCOUNT_REDUCE_SCATTER], plain.total / 2);
    assert_int_equal(again, plain.total / 4);
}

static void pipeline(void **state) {
    (void)state;
    struct account_training t =
        shaped("gpus=16 pp=4 gpus_per_node=4 batch=2 seq=512 accumulate=8", 8, 1024);
    struct account_traffic out = traffic_for(&t);
    uint64_t boundary = 2ull * 512 * 1024 * 2;
    assert_int_equal(out.sent[ACCOUNT_P2P], 8 * 2 * boundary);
    assert_int_equal(leg_of(&out, "between stages")->between, 8 * 2 * boundary);
    /* the tied embedding on the first and the last stage: V·h gradients once a step, between two
     * ranks */
    assert_int_equal(leg_of(&out, "tied")->sent, 50257ull * 1024 / 2 * 2 * 2);
    t.gpus = 4;
    out = traffic_for(&t);
    assert_int_equal(leg_of(&out, "between stages")->between, 0);
    assert_true(account_set(&t, "interleave", "2", NULL));
    assert_int_equal(traffic_for(&t).sent[ACCOUNT_P2P], 2 * 8 * 2 * boundary);
}

static void context(void **state) {
    (void)state;
    struct account_traffic out =
        traffic_of("model=llama-3-8b gpus=8 cp=4 stage=3 batch=1 seq=8192 accumulate=1");
    /* (c−1)/c of 2 · kv · d · s · b, in 16 bits */
    uint64_t each = 3ull * 2 * 8 * 128 * (8192 / 4) * 2;
    assert_int_equal(out.sent[ACCOUNT_P2P], 2 * 32 * each);
    assert_int_equal(leg_of(&out, "for forward")->ranks, 8); /* states over dp · cp */
}

static void experts(void **state) {
    (void)state;
    struct account_traffic out =
        traffic_of("model=mixtral-8x7b gpus=8 ep=8 stage=1 batch=1 seq=4096");
    const struct account_collective *leg = leg_of(&out, "tokens");
    assert_int_equal(leg->sent, 4ull * 32 * 7 * (4096 * 2 / 8) * 4096 * 2);
    /* each expert lives on one rank alone: its gradients are reduced by nobody */
    struct account_training t = training_of("model=mixtral-8x7b");
    uint64_t expert = 32ull * 8 * 3 * 4096 * 14336;
    assert_int_equal(out.sent[ACCOUNT_REDUCE_SCATTER], (t.params - expert) / 8 * 7 * 2);
}

/* Only adapters are reduced; the frozen base is still gathered in stage 3. */
static void adapters(void **state) {
    (void)state;
    struct account_traffic zero = traffic_of("model=llama-2-7b gpus=8 lora=8");
    assert_int_equal(zero.total, 2ull * 7 * (8 * 2 * (4096 + 4096) * 32 / 8) * 4);
    struct account_traffic three = traffic_of("model=llama-2-7b gpus=8 lora=8 stage=3");
    assert_true(three.sent[ACCOUNT_ALL_GATHER] > 2ull * 7 * 6738415616 / 8 * 2);
    assert_true(three.sent[ACCOUNT_REDUCE_SCATTER] < 20000000);
    struct account_traffic quantized = traffic_of("model=llama-2-7b gpus=8 qlora=8 stage=3");
    assert_true(quantized.total < three.total / 3);
}

/* ── offload ───────────────────────────────────────────────────────────────────────────────────*/

#define DS   "params=1000 gpus=1 recipe=deepspeed offload_optimizer=host "
#define FSDP "params=1000 gpus=1 stage=3 offload_optimizer=host offload_params=host "

static void offload(void **state) {
    (void)state;
    static const struct {
        const char *id, *training;
        uint64_t down, up;
    } rows[] = {
        {"offload.comm", "params=1e9 gpus=1 stage=2 offload_optimizer=host", 2000000000,
         2000000000},
        {"offload.comm, N = 4", "params=1e9 gpus=4 stage=2 offload_optimizer=host", 500000000,
         500000000},
        {"offload.comm, m = 8", "params=1e9 gpus=1 stage=2 offload_optimizer=host accumulate=8",
         16000000000, 2000000000},
        {"stage 1, m = 8", "params=1e9 gpus=1 stage=1 offload_optimizer=host accumulate=8",
         2000000000, 2000000000},
        {"parameters too",
         "params=1e9 gpus=4 stage=3 offload_optimizer=nvme offload_params=host accumulate=3",
         3 * 500000000ull, 3 * 2 * 500000000ull},
        {"nothing", "params=1e9 gpus=4 stage=3", 0, 0},
        /* deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py: copy_grads_in_partition,
         * async_accumulate_grad_in_cpu_via_gpu, async_inplace_copy_grad_to_fp32_buffer_from_gpu,
         * step;   stage3.py: partition_grads, _offload_grad_partition_at_boundary,
         * _reassign_or_swap_out_partitioned_parameters */
        {"DeepSpeed 1", DS "stage=1", 4000, 2000},
        {"DeepSpeed 1, m = 8", DS "stage=1 accumulate=8", 4000 + 2000, 2000 + 2000},
        {"DeepSpeed 2", DS "stage=2", 4000, 2000},
        {"DeepSpeed 2, m = 8", DS "stage=2 accumulate=8", 4000 + 8 * 2000, 2000 + 7 * 2000},
        {"DeepSpeed 2, N = 4", DS "stage=2 accumulate=2 params=4000 gpus=4", 4000 + 2 * 2000,
         2000 + 2000},
        {"DeepSpeed 3", DS "stage=3", 4000 + 2000, 2000 + 2000},
        {"DeepSpeed 3, m = 8", DS "stage=3 accumulate=8", 4000 + 8 * 2000, 2000 + 8 * 2000},
        {"DeepSpeed 3, fp32 sums", DS "stage=3 accumulate=8 grad_dtype=fp32", 4000 + 8 * 4000,
         2000 + 8 * 4000},
        {"DeepSpeed 3, parameters too", DS "stage=3 offload_params=host", 4000 + 2000,
         2000 + 2 * 2000},
        {"DeepSpeed 2, fp32", DS "stage=2 precision=fp32", 4000, 4000},
        {"DeepSpeed 2, all in bf16", DS "stage=2 precision=bf16", 2000, 2000},
        /* pytorch/pytorch, torch/distributed/fsdp/_fully_shard/_fsdp_param.py, all_gather_inputs:
         * fp32   shards come up and are cast on the GPU; _fsdp_collectives.py, foreach_reduce: cast
         * to the   parameters' type, then moved. FSDP1: _flat_param.py, _use_low_precision_shard,
         * and   _runtime_utils.py, _offload_grad */
        {"FSDP2", FSDP "recipe=fsdp2 accumulate=3", 3 * 4000, 3 * 2 * 4000},
        {"FSDP1", FSDP "recipe=fsdp1", 4000, 2 * 4000},
        {"FSDP2, all in bf16", FSDP "recipe=fsdp2 precision=bf16", 2000, 2 * 2000},
        /* NVIDIA/Megatron-LM, core/optimizer/cpu_offloading/hybrid_optimizer.py: copies of fp32
         * main   gradients and of fp32 parameters, each converted on the GPU because they do not
         * block   (pytorch/pytorch, aten/src/ATen/native/cuda/Copy.cu) */
        {"Megatron",
         "params=1000 gpus=1 recipe=megatron stage=1 offload_optimizer=host accumulate=8", 4000,
         4000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_traffic t = traffic_of(rows[i].training);
        if (t.offload_down != rows[i].down || t.offload_up != rows[i].up)
            fail_msg("%s: %llu down, %llu up", rows[i].id, (unsigned long long)t.offload_down,
                     (unsigned long long)t.offload_up);
    }
}

/* ── what must always hold ─────────────────────────────────────────────────────────────────────*/

#define MANY 3000

static const char *pick(uint64_t *seed, const char *const *from, size_t count) {
    return from[chance(seed) % count];
}

static struct account_training random_training(uint64_t *seed) {
    static const char *const models[] = {"gpt2-124m", "llama-2-7b", "llama-3-8b", "mixtral-8x7b"};
    static const char *const recipes[] = {"paper", "ddp",      "deepspeed", "fsdp1",
                                          "fsdp2", "megatron", "llm.c",     "zerolab"};
    static const char *const degrees[] = {"1", "1", "2", "4"};
    static const char *const flags[] = {"off", "on"};
    static const char *const stages[] = {"0", "1", "2", "3"};
    static const char *const checkpoints[] = {"none", "selective", "full"};
    char pairs[512];
    snprintf(pairs, sizeof pairs,
             "model=%s recipe=%s gpus=%u gpus_per_node=8 tp=%s pp=%s cp=%s sp=%s batch=%u seq=2048 "
             "accumulate=%u checkpoint=%s qwz=%s qgz=%s prefetch=%u",
             pick(seed, models, 4), pick(seed, recipes, 8), 8u << chance(seed) % 5,
             pick(seed, degrees, 4), pick(seed, degrees, 4), pick(seed, degrees, 4),
             pick(seed, flags, 2), 1 + (unsigned)(chance(seed) % 4),
             1 + (unsigned)(chance(seed) % 8), pick(seed, checkpoints, 3), pick(seed, flags, 2),
             pick(seed, flags, 2), (unsigned)(chance(seed) % 3));
    struct account_training t = training_of(pairs);
    t.stage = (uint8_t)(pick(seed, stages, 4)[0] - '0');
    if (chance(seed) % 3 == 0) t.shard_group = 8;
    if (chance(seed) % 3 == 0 && t.stage == 3) t.hpz = 8;
    if (chance(seed) % 3 == 0 && t.shape.experts) t.ep = 2;
    return t;
}

static void identities(void **state) {
    (void)state;
    uint64_t seed = 7;
    int legal = 0;
    for (int i = 0; i < MANY; i++) {
        struct account_training t = random_training(&seed);
        struct account_traffic out;
        if (!account_traffic(&t, &out, NULL)) continue;
        legal++;
        uint64_t by_op = 0, by_leg = 0, between = 0;
        for (int op = 0; op < ACCOUNT_COLLECTIVES; op++) by_op += out.sent[op];
        assert_true(out.collectives < ACCOUNT_COLLECTIVES_MOST);
        for (size_t k = 0; k < out.collectives; k++) {
            const struct account_collective *leg = &out.collective[k];
            by_leg += leg->sent;
            between += leg->between;
            assert_true(leg->between <= leg->sent && leg->ranks > 1 && leg->calls >= 1);
            assert_true(leg->per_node >= 1 && leg->per_node <= leg->ranks);
            assert_true(leg->head >= 0 && leg->head <= 1);
            /* nothing counts twice */
            assert_close(account_collective_factor(leg->op, leg->ranks) * leg->payload,
                         (double)leg->sent, 1e-12, leg->what);
        }
        assert_int_equal(by_op, out.total);
        assert_int_equal(by_leg, out.total);
        assert_int_equal(between, out.between);
        assert_int_equal(out.inside + out.between, out.total);
    }
    assert_true(legal > MANY / 10);
}

/* An all-reduce is a reduce-scatter and an all-gather: the paper's stages 0, 1 and 2 send the same;
 * one rank sends nothing. */
static void stages_agree(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 300; i++) {
        struct account_training t = training_of("params=1");
        t.params = chance(&seed) % 100000000000 + 1;
        t.gpus = (uint32_t)(chance(&seed) % 2000) + 1;
        uint64_t total[4];
        for (t.stage = 0; t.stage < 4; t.stage++) total[t.stage] = traffic_for(&t).total;
        assert_int_equal(total[0], total[1]);
        assert_int_equal(total[1], total[2]);
        assert_int_equal(2 * total[3], 3 * total[2]);
        t.gpus = 1;
        t.stage = 3;
        assert_int_equal(traffic_for(&t).total, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors),       cmocka_unit_test(volumes),
        cmocka_unit_test(root_kept),     cmocka_unit_test(bytes),
        cmocka_unit_test(too_much),      cmocka_unit_test(hybrid),
        cmocka_unit_test(zeropp),        cmocka_unit_test(zeropp_by_network_cards),
        cmocka_unit_test(network_cards), cmocka_unit_test(tensor),
        cmocka_unit_test(pipeline),      cmocka_unit_test(context),
        cmocka_unit_test(experts),       cmocka_unit_test(adapters),
        cmocka_unit_test(offload),       cmocka_unit_test(identities),
        cmocka_unit_test(stages_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
