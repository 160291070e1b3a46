/* Seconds: collectives against what NCCL's model and others' measurements say, and steps against
 * what must hold of all of them. */
#include "account/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct account_clock clock_for(const struct account_training *t) {
    struct account_clock out;
    struct account_error e = {0};
    if (!account_clock(t, &out, &e)) fail_msg("%s", e.what);
    return out;
}

static struct account_clock clock_of(const char *pairs) {
    struct account_training t = training_of(pairs);
    return clock_for(&t);
}

static struct account_traffic traffic_for(const struct account_training *t) {
    struct account_traffic out;
    assert_true(account_traffic(t, &out, NULL));
    return out;
}

static void assert_close(double got, double wanted, double tolerance, const char *what) {
    if (!(fabs(got - wanted) <= tolerance * fabs(wanted)))
        fail_msg("%s: %.17g, wanted %.17g", what, got, wanted);
}

static const struct account_link *link_of(const char *name) {
    const struct account_link *l = account_link_find(name);
    if (!l) fail_msg("no link %s", name);
    return l;
}

/* ── collectives ───────────────────────────────────────────────────────────────────────────────*/

/* A bare rate is an ideal link: bandwidth alone. */
static void ideal(void **state) { /* nccl.time.* */
    (void)state;
    static const struct {
        const char *id, *links;
        enum account_collective_kind op;
        double bytes;
        uint32_t ranks, per_node;
        double seconds;
    } rows[] = {
        {"nccl.time.ar.1GB.8.300", "link=300GB/s", ACCOUNT_ALL_REDUCE, 1e9, 8, 8,
         0.005833333333333334},
        {"nccl.time.ag.13.5GB.8.450", "link=450GB/s", ACCOUNT_ALL_GATHER, 13476831232.0, 8, 8,
         0.02620494961777778},
        {"nccl.time.rs.13.5GB.64.50", "net=50GB/s", ACCOUNT_REDUCE_SCATTER, 13476831232.0, 64, 1,
         0.26532511488},
        {"p2p", "link=300GB/s", ACCOUNT_P2P, 3e9, 4, 4, 0.01},
        /* of 8 parts to 8 ranks, 4 leave by the GPU's own NIC */
        {"all_to_all", "link=300GB/s net=50GB/s", ACCOUNT_ALL_TO_ALL, 8e9, 8, 4, 4e9 / 50e9},
        {"alone", "link=300GB/s", ACCOUNT_ALL_REDUCE, 1e9, 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char pairs[120];
        snprintf(pairs, sizeof pairs, "params=1e9 gpus=64 %s", rows[i].links);
        struct account_training t = training_of(pairs);
        assert_same(account_collective_seconds(&t, rows[i].op, rows[i].ranks, rows[i].per_node,
                                               rows[i].bytes),
                    rows[i].seconds, rows[i].id);
    }
}

static void four_nodes(void **state) { /* meas.comm.4GiB.models, in milliseconds */
    (void)state;
    double bytes = 4294967296.0;
    struct account_training t = training_of("params=1e9 gpus=32 link=700GB/s net=50GB/s");
    double ring = account_collective_seconds(&t, ACCOUNT_ALL_REDUCE, 32, 8, bytes) * 1e3;
    assert_true(fabs(ring - 20.8) < 0.1);
    assert_close(ring, 22.05, 0.08, "measured");
    double one_nic = account_collective_seconds(&t, ACCOUNT_ALL_REDUCE, 32, 1, bytes) * 1e3;
    assert_true(fabs(one_nic - 166.4) < 0.1);
    double naive = account_collective_seconds(&t, ACCOUNT_P2P, 32, 1, bytes) * 1e3;
    assert_true(fabs(naive - 85.9) < 0.1);
}

static void latencies(void **state) { /* nccl.alpha.ring.1node, Simple, in microseconds */
    (void)state;
    struct account_training t = training_of("params=1e9 gpus=8 link=nvlink4");
    assert_close(account_collective_seconds(&t, ACCOUNT_ALL_REDUCE, 8, 8, 0) * 1e6, 56.0, 1e-9,
                 "all_reduce");
    assert_close(account_collective_seconds(&t, ACCOUNT_ALL_GATHER, 8, 8, 0) * 1e6, 32.2, 1e-9,
                 "all_gather");
    assert_true(account_set(&t, "net", "ib-ndr", NULL));
    /* 31 steps, of which 3 cross nodes */
    assert_close(account_collective_seconds(&t, ACCOUNT_ALL_GATHER, 32, 8, 0) * 1e6,
                 8.4 + 28 * 3.4 + 3 * 14, 1e-9, "across nodes");
}

/* ncclTopoTuneModel: of a ring's steps nodes − 1 cross nodes, of an all-reduce's 2(nodes − 1): it
 * is a reduce-scatter and an all-gather. */
static void hops_of_rings(void **state) {
    (void)state;
    static const struct {
        uint32_t ranks, per_node;
        /* of an all-gather */
        double inside, between;
    } rows[] = {
        {8, 8, 7, 0},        {16, 8, 14, 1}, {32, 8, 28, 3}, {64, 8, 56, 7},
        {4, 1, 0, 3},        {2, 1, 0, 1},   {6, 4, 4, 1}, /* the second node is not filled */
        {1024, 8, 896, 127}, {9, 3, 6, 2},
    };
    struct account_training t = training_of("params=1e9 gpus=8 link=nvlink4 net=ib-ndr");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_collective leg = {
            .ranks = rows[i].ranks, .per_node = rows[i].per_node, .calls = 1};
        for (leg.op = ACCOUNT_ALL_REDUCE; leg.op <= ACCOUNT_ALL_GATHER; leg.op++) {
            double rounds = leg.op == ACCOUNT_ALL_REDUCE ? 2 : 1;
            struct account_pace pace;
            char what[80];
            snprintf(what, sizeof what, "%s of %u, %u a node", account_collective_name(leg.op),
                     leg.ranks, leg.per_node);
            assert_true(account_pace(&t, &leg, &pace));
            assert_same(pace.hops_inside, rounds * rows[i].inside, what);
            assert_same(pace.hops_between, rounds * rows[i].between, what);
            assert_close(pace.start, 8.4e-6 + pace.hops_inside * 3.4e-6 + pace.hops_between * 14e-6,
                         1e-12, what);
        }
    }
}

static void link_rates(void **state) { /* nccl.linkbw; measured ring bus bandwidth within 8 % */
    (void)state;
    static const struct {
        const char *link;
        double rate, measured;
    } rows[] = {
        {"nvlink3", 240.0e9, 234.89e9},
        {"nvlink4", 370.8e9, 367.61e9},
        {"nvlink5", 721.8e9, 678e9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = training_of("params=1e9 gpus=8");
        t.link = *link_of(rows[i].link);
        assert_same(t.link.rate, rows[i].rate, rows[i].link);
        double bytes = 17179869184.0;
        double bus =
            bytes * 2 * 7 / 8 / account_collective_seconds(&t, ACCOUNT_ALL_REDUCE, 8, 8, bytes);
        assert_close(bus, rows[i].measured, 0.08, rows[i].link);
    }
}

/* meas.comm.h200x8.allreduce, ring sizes: under the switch's reductions a ring's alpha and beta are
 * within a quarter up to 64 MiB; meas.comm.b200.1v4nodes: four nodes reach the NICs of a node
 * together, not one NIC. */
static void measured(void **state) {
    (void)state;
    struct account_training t = training_of("params=1e9 gpus=32 link=nvlink4 net=ib-ndr");
    double bytes = 67108864;
    double bus =
        bytes * 2 * 7 / 8 / account_collective_seconds(&t, ACCOUNT_ALL_REDUCE, 8, 8, bytes) / 1e9;
    assert_close(bus, 346.51, 0.25, "64 MiB on 8 × H200");
    t.link = *link_of("nvlink5");
    bytes = 17179869184.0;
    bus = bytes * 2 * 31 / 32 / account_collective_seconds(&t, ACCOUNT_ALL_REDUCE, 32, 8, bytes) /
          1e9;
    assert_close(bus, 381.8, 0.06, "16 GiB on 4 × 8 B200");
}

/* ── steps ─────────────────────────────────────────────────────────────────────────────────────*/

#define STEP "model=llama-2-7b gpus=8 gpu=a100-80g batch=1 seq=4096 "

static double exposed_of(const struct account_training *t, const char *what) {
    struct account_traffic traffic = traffic_for(t);
    struct account_clock c = clock_for(t);
    for (size_t i = 0; i < traffic.collectives; i++)
        if (strstr(traffic.collective[i].what, what)) return c.exposed[i] / c.collective[i];
    fail_msg("no leg \"%s\"", what);
    return 0;
}

/* By hand: 7B on 8 A100s, half of 312 TFLOP/s. Operations of a sequence ÷ 156e12; Ψ · 2 B · 7/8 ÷
 * 240 GB/s a collective. */
static void by_hand(void **state) {
    (void)state;
    struct account_training t = training_of(STEP "stage=2");
    struct account_clock c = clock_for(&t);
    double model = account_model_flops(&t);
    assert_close(model, 6 * 6738415616.0 * 4096, 0.2, "about 6Ψ a token");
    assert_close(c.forward, model / 3 / 156e12, 1e-12, "forward");
    assert_close(c.backward, 2 * c.forward, 1e-12, "backward");
    double each = 6738415616.0 * 2 * 7 / 8 / 240e9;
    assert_close(c.comm, 2 * each, 0.02, "a reduce-scatter and an all-gather");
    /* fp32 states read and written, gradients read, parameters written: 28 B of every eighth
     * parameter */
    assert_close(c.update, 6738415616.0 / 8 * 28 / 2039e9, 1e-6, "update");
    assert_same(c.step, c.forward + c.backward + c.comm_exposed + c.update, "step");
    assert_same(c.tokens_per_s, 8 * 4096 / c.step, "tokens per second of the whole job");
    assert_same(exposed_of(&t, "updated parameters"), 1, "nothing runs after the update");
    double tail = exposed_of(&t, "reduce gradients");
    assert_true(tail > 0.03 && tail < 0.08); /* the embedding and one of 32 blocks */
}

static void overlap(void **state) {
    (void)state;
    struct account_training t = training_of(STEP "stage=3");
    double head = exposed_of(&t, "for forward");
    assert_true(head > 0.03 && head < 0.08);
    assert_same(exposed_of(&t, "for backward"), 0, "behind the head, then behind blocks");
    t.prefetch = 0;
    assert_same(exposed_of(&t, "for forward"), 1, "prefetch 0");
    assert_same(exposed_of(&t, "for backward"), 1, "prefetch 0");
    t.prefetch = 1;
    /* a slow link: what sticks out is communication less the blocks' computation */
    t.link = (struct account_link){.rate = 5e9};
    struct account_clock c = clock_for(&t);
    assert_true(c.comm_exposed > 0.8 * (c.comm - c.forward - c.backward));
    assert_true(c.comm_exposed < c.comm);
    struct account_training tp = training_of(STEP "stage=1 tp=8");
    struct account_clock inside = clock_for(&tp);
    assert_same(inside.exposed[0], inside.collective[0], "a layer waits for tensor parallelism");
}

static void accumulation(void **state) {
    (void)state;
    /* stage 1 reduces with the last micro-batch only, so communication grows with stage 2's m */
    struct account_clock one = clock_of(STEP "stage=1 accumulate=8");
    struct account_clock two = clock_of(STEP "stage=2 accumulate=8");
    struct account_clock three = clock_of(STEP "stage=3 accumulate=8");
    assert_close(two.comm / one.comm, 4.5, 0.02, "(8 + 1) / 2");
    assert_close(three.comm / one.comm, 12, 0.05, "3 · 8 / 2");
    assert_true(one.comm_exposed < two.comm_exposed);
    assert_close(one.forward, 8 * clock_of(STEP "stage=1").forward, 1e-12, "eight micro-batches");
}

static void pipeline(void **state) {
    (void)state;
    struct account_clock c = clock_of("model=llama-2-7b gpus=4 pp=4 gpu=a100-80g batch=1 seq=4096 "
                                      "accumulate=8");
    assert_same(c.bubble, (c.forward + c.backward) * 3 / 8, "(p − 1) / m");
    c = clock_of("model=llama-2-7b gpus=4 pp=4 gpu=a100-80g batch=1 seq=4096 accumulate=8 "
                 "interleave=2");
    assert_same(c.bubble, (c.forward + c.backward) * 3 / 16, "(p − 1) / (m · v)");
}

static void unknown(void **state) {
    (void)state;
    struct account_clock c = clock_of("params=13e9 gpus=8 stage=3");
    assert_false(c.has_comm || c.has_compute);
    assert_same(c.comm + c.step, 0, "neither links nor card");
    c = clock_of("params=13e9 gpus=8 stage=3 link=nvlink3");
    assert_true(c.has_comm && !c.has_compute && c.comm > 0);
    assert_same(c.comm_exposed + c.step, 0, "no card");
    c = clock_of("params=13e9 gpus=16 gpus_per_node=8 stage=3 link=nvlink3");
    assert_false(c.has_comm); /* the network is not known */
    c = clock_of("model=gpt2-124m gpus=1 gpu=a100-80g batch=1 seq=1024");
    assert_true(c.has_comm && c.has_compute && c.step > 0 && c.comm == 0);
    c = clock_of("model=gpt2-124m gpus=16 gpus_per_node=8 gpu=rtx-4090 batch=1 seq=1024");
    assert_false(c.has_comm); /* such cards usually have no network */
}

static void offload(void **state) {
    (void)state;
    struct account_clock here = clock_of(STEP "stage=2"),
                         host = clock_of(STEP "stage=2 offload_optimizer=host"),
                         disk = clock_of(STEP "stage=2 offload_optimizer=nvme");
    assert_same(here.offload, 0, "nothing is offloaded");
    /* 2Ψ/8 bytes up over PCIe 4 at 24 GB/s, bare; down behind backward */
    assert_close(host.offload, 6738415616.0 / 8 * 2 / 24e9, 1e-6, "updated parameters");
    assert_close(host.update, 6738415616.0 * 30 / 204.8e9, 1e-6, "Adam on the host");
    assert_true(disk.step > host.step && host.step > here.step);
    /* 2 × 16 bytes a parameter through 10 GB/s of the node */
    assert_close(disk.offload + disk.update - host.offload, 6738415616.0 * 32 / 10e9, 1e-3,
                 "states on NVMe");
}

/* Of a step that hardly computes nothing is hidden: all that crosses takes its time, DeepSpeed's
 * sums of gradients both ways. */
static void nothing_hides_the_link(void **state) {
    (void)state;
    static const struct {
        const char *training;
        /* a parameter, down and up */
        double bytes;
    } rows[] = {
        {"recipe=paper stage=2 accumulate=4", 4 * 2 + 2},
        {"recipe=deepspeed stage=1 accumulate=4", 4 + 2 + 2 + 2},
        {"recipe=deepspeed stage=2 accumulate=4", 4 + 4 * 2 + 3 * 2 + 2},
        {"recipe=deepspeed stage=3 accumulate=4", 4 + 4 * 2 + 4 * 2 + 2},
        {"recipe=megatron stage=1 accumulate=4", 4 + 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char pairs[200];
        snprintf(pairs, sizeof pairs,
                 "model=llama-2-7b gpus=1 gpu=a100-80g batch=1 seq=1 "
                 "offload_optimizer=host %s",
                 rows[i].training);
        assert_close(clock_of(pairs).offload, 6738415616.0 * rows[i].bytes / 24e9, 0.01,
                     rows[i].training);
    }
}

/* ── what must always hold ─────────────────────────────────────────────────────────────────────*/

/* Of the same step, max(0, communication − computation) is the least that can be exposed, and all
 * of it the most. */
static void bounds(void **state) {
    (void)state;
    static const char *const recipes[] = {"paper", "deepspeed", "fsdp2", "zerolab"};
    static const char *const rates[] = {"nvlink3", "pcie4", "2GB/s", "200MB/s"};
    uint64_t seed = 3;
    int strictly = 0;
    for (int i = 0; i < 2000; i++) {
        char pairs[320];
        snprintf(pairs, sizeof pairs,
                 "model=llama-2-7b gpu=a100-80g gpus=%u gpus_per_node=8 stage=%u recipe=%s link=%s "
                 "batch=%u seq=1024 accumulate=%u prefetch=%u",
                 8u << chance(&seed) % 3, 2 + (unsigned)(chance(&seed) % 2),
                 recipes[chance(&seed) % 4], rates[chance(&seed) % 4],
                 1 + (unsigned)(chance(&seed) % 16), 1 + (unsigned)(chance(&seed) % 8),
                 (unsigned)(chance(&seed) % 2));
        struct account_clock c = clock_of(pairs);
        double least = c.comm - c.forward - c.backward;
        if (least < 0) least = 0;
        assert_true(c.has_comm && c.has_compute);
        if (c.comm_exposed < least * (1 - 1e-12) || c.comm_exposed > c.comm * (1 + 1e-12))
            fail_msg("%s: %g exposed of %g, at least %g", pairs, c.comm_exposed, c.comm, least);
        if (c.comm_exposed > least * 1.01) strictly++;
    }
    assert_true(strictly > 1000); /* and it is a bound, not the answer */
}

/* A faster link, a faster card: never a longer step. */
static void monotone(void **state) {
    (void)state;
    struct account_training t = training_of(STEP "stage=3 accumulate=4");
    double before = INFINITY;
    for (double rate = 1e9; rate < 1e12; rate *= 2) {
        t.link = (struct account_link){.rate = rate};
        double step = clock_for(&t).step;
        assert_true(step <= before);
        before = step;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ideal),
        cmocka_unit_test(four_nodes),
        cmocka_unit_test(latencies),
        cmocka_unit_test(hops_of_rings),
        cmocka_unit_test(link_rates),
        cmocka_unit_test(measured),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(overlap),
        cmocka_unit_test(accumulation),
        cmocka_unit_test(pipeline),
        cmocka_unit_test(unknown),
        cmocka_unit_test(offload),
        cmocka_unit_test(nothing_hides_the_link),
        cmocka_unit_test(bounds),
        cmocka_unit_test(monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
