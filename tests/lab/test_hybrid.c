/* Hybrid sharding: groups that share the states. The same training as without groups but for the
 * order of additions; it holds and sends what the engine says, inside nodes and between them. */
#include "runs.h"

#include "lab/engine.h"
#include "lab/predict.h"

#include <math.h>
#include <stdio.h>

static struct lab_options grouped(uint32_t ranks, uint32_t stage, uint32_t group) {
    struct lab_options o = run_options(ranks, stage);
    o.shard_group = group;
    return o;
}

/* ── bits ──────────────────────────────────────────────────────────────────────────────────────*/

static void one_group_is_none(void **state) {
    (void)state;
    for (uint32_t stage = 1; stage < 4; stage++) {
        struct lab_options with = grouped(4, stage, 4), without = run_options(4, stage);
        with.clip = without.clip = 0.5;
        struct run a = run_well(&without), b = run_well(&with);
        run_assert_same("one group of all", &a, &b, 3);
        assert_memory_equal(a.end[0].sent, b.end[0].sent, sizeof a.end[0].sent);
        assert_memory_equal(a.end[0].peak, b.end[0].peak, sizeof a.end[0].peak);
    }
}

static void groups_of_one_are_data_parallel(void **state) {
    (void)state;
    struct lab_options plain = run_options(3, 0);
    struct run a = run_well(&plain);
    for (uint32_t stage = 1; stage < 4; stage++) {
        struct lab_options o = grouped(3, stage, 1);
        struct run b = run_well(&o);
        run_assert_same("groups of one", &a, &b, 3);
        assert_int_equal(b.end[0].sent[LAB_ALL_REDUCE], a.end[0].sent[LAB_ALL_REDUCE]);
        assert_int_equal(b.end[0].between, b.end[0].sent[LAB_ALL_REDUCE]);
    }
}

/* Groups add in two hops, so other bits are right; but always the same ones. */
static void buckets_stages_and_prefetch_change_no_bit(void **state) {
    static const struct { uint32_t ranks, group; } meshes[] = {{4, 2}, {6, 2}, {6, 3}};
    static const uint64_t buckets[] = {96, 3000, 16000, 25000000};
    (void)state;
    for (size_t m = 0; m < 3; m++)
        for (unsigned type = 0; type < 3; type++) {
            struct lab_options o = grouped(meshes[m].ranks, 3, meshes[m].group);
            o.compute = (enum lab_dtype)type;
            o.clip = type == 1 ? 0.5 : 0;
            struct run first = run_well(&o);
            for (unsigned n = 0; n < 6; n++) {
                struct lab_options other = o;
                other.stage = 1 + n % 3;
                other.bucket = buckets[(n + m) % 4];
                other.prefetch = n % 3;
                other.checkpoint = (enum lab_checkpoint)((n + type) % 3);
                other.node = n % 2 ? meshes[m].group : 0;
                struct run r = run_well(&other);
                run_assert_same("another bucket, stage or prefetch", &first, &r, o.steps);
            }
        }
}

/* Every rank of every group has the same weights, and each owner of a shard the same states. */
static void replicas_agree(void **state) {
    (void)state;
    for (uint32_t stage = 1; stage < 4; stage++) {
        struct lab_options o = grouped(6, stage, 3);
        o.accumulate = 2;
        struct run r = run_well(&o);
        for (uint32_t k = 0; k < 6; k++) {
            assert_int_equal(r.end[k].weights_hash, r.end[0].weights_hash);
            assert_int_equal(r.end[k].state_hash, r.end[k % 3].state_hash);
        }
        assert_int_not_equal(r.end[0].state_hash, r.end[1].state_hash);
    }
}

/* Two hops differ from one by rounding alone. A sum of four fp32 numbers has a relative error of
 * some 2^-24 per addition, and Adam's first steps are of the rate's size whatever the gradient's:
 * so the losses agree to 1e-6. In bf16 each hop rounds to 8 bits, so 2^-8 of a gradient, and the
 * losses of three steps agree to 1e-3. */
static void stage_3_is_near(void **state) {
    static const double tolerance[] = {1e-6, 1e-3};
    (void)state;
    for (unsigned type = 0; type < 2; type++)
        for (uint32_t stage = 1; stage < 4; stage++) {
            struct lab_options plain = run_options(6, 3), o = grouped(6, stage, 2);
            plain.compute = o.compute = type ? LAB_BF16 : LAB_F32;
            plain.steps = o.steps = 8;
            struct run a = run_well(&plain), b = run_well(&o);
            for (uint32_t s = 1; s <= o.steps; s++)
                if (!(fabs(a.loss[s] - b.loss[s]) <= tolerance[type] * a.loss[s]))
                    fail_msg("stage %u, step %u: loss %.9g, not %.9g", stage, s, b.loss[s],
                             a.loss[s]);
            assert_int_not_equal(a.end[0].weights_hash, b.end[0].weights_hash);
        }
}

/* ── ZeRO++'s second copy ──────────────────────────────────────────────────────────────────────*/

/* It has the parameters' own bits, so all ranks' states stay the same. */
static void a_second_copy_changes_no_bit(void **state) {
    static const struct {
        uint32_t ranks, group, second;
    } meshes[] = {{4, 0, 2}, {4, 0, 4}, {6, 0, 3}, {8, 4, 2}, {9, 0, 3}};
    (void)state;
    for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++)
        for (uint32_t prefetch = 0; prefetch < 3; prefetch++) {
            struct lab_options o = grouped(meshes[m].ranks, 3, meshes[m].group);
            o.compute = (enum lab_dtype)((m + prefetch) % 3);
            o.accumulate = 1 + prefetch % 2;
            o.prefetch = prefetch;
            struct run without = run_well(&o);
            o.hpz = meshes[m].second;
            struct run with = run_well(&o), again = run_well(&o);
            run_assert_same("a second copy", &without, &with, o.steps);
            run_assert_same("again", &with, &again, o.steps);
            for (uint32_t k = 0; k < o.ranks; k++)
                assert_int_equal(with.end[k].state_hash, without.end[k].state_hash);
        }
}

/* By hand: 2 nodes of 2. A step gathers each unit once among all, where two of three peers are on
 * the other node, and once inside; the sums go among all. The copy is a half of the model. */
static void backward_gathers_inside_nodes(void **state) {
    (void)state;
    struct lab_options o = run_options(4, 3);
    struct lab_model *m = lab_model_new(&o.shape);
    uint64_t shard = 0, half = 0;
    o.node = 2;
    struct run without = run_well(&o);
    o.hpz = 2;
    struct run with = run_well(&o);
    for (size_t u = 0; u < m->units; u++) {
        shard += (m->unit[u].count + 3) / 4;
        half += (m->unit[u].count + 1) / 2;
    }
    lab_model_free(m);
    for (uint32_t k = 0; k < 4; k++) {
        const struct lab_says_end *e = &with.end[k], *plain = &without.end[k];
        assert_int_equal(e->sent[LAB_ALL_GATHER], o.steps * 4 * (3 * shard + half));
        assert_int_equal(e->between, o.steps * 4 * 2 * 2 * shard);
        assert_int_equal(plain->between, o.steps * 4 * 3 * 2 * shard);
        assert_int_equal(e->persistent[ACCOUNT_PARAMS],
                         plain->persistent[ACCOUNT_PARAMS] + 4 * half);
    }
}

/* ── bytes ─────────────────────────────────────────────────────────────────────────────────────*/

static void assert_as_predicted(const struct lab_options *o) {
    struct lab_prediction p;
    struct lab_message m = {""};
    struct run r = run_well(o);
    if (!lab_predict(o, &p, &m)) fail_msg("%s", m.text);
    for (uint32_t k = 0; k < o->ranks; k++) {
        struct run dry = run_dry(o, k);
        const struct lab_says_end *e = &r.end[k], *d = &dry.end[k];
        assert_memory_equal(e->persistent, p.persistent, sizeof p.persistent);
        assert_memory_equal(e->peak, p.peak, sizeof p.peak);
        assert_int_equal(e->peak_total, p.peak_total);
        assert_memory_equal(e->sent, p.sent, sizeof p.sent);
        assert_int_equal(e->between, p.between);
        assert_int_equal(e->control, p.control);
        assert_memory_equal(d->sent, p.sent, sizeof p.sent);
        assert_int_equal(d->between, p.between);
        assert_memory_equal(r.told[k], e->sent, sizeof e->sent);
    }
}

static void bytes_are_the_engines(void **state) {
    static const struct {
        uint32_t ranks, group, node, second;
    } meshes[] = {{4, 2, 0, 0}, {6, 2, 0, 2}, {6, 3, 0, 0}, {4, 2, 4, 0},
                  {8, 4, 2, 2}, {8, 2, 4, 0}, {4, 0, 2, 0}, {4, 0, 0, 2},
                  {6, 0, 2, 6}, {9, 0, 0, 3}, {8, 0, 4, 2}, {8, 4, 0, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++)
        for (uint32_t stage = 1; stage < 4; stage++) {
            struct lab_options o = grouped(meshes[i].ranks, stage, meshes[i].group);
            o.node = meshes[i].node;
            o.hpz = stage == 3 ? meshes[i].second : 0;
            o.prefetch = (uint32_t)(i + stage) % 3;
            o.accumulate = 1 + stage % 2;
            o.compute = i % 2 ? LAB_BF16 : LAB_F32;
            o.bucket = stage == 2 ? 700 : 16000;
            o.clip = stage == 3;
            assert_as_predicted(&o);
        }
}

/* By hand: of 2 groups of 2, stage 3, a step of one micro-step. Everything but the all-reduce of a
 * shard stays inside. */
static void two_groups_of_two(void **state) {
    (void)state;
    struct lab_options o = grouped(4, 3, 2);
    struct run r = run_well(&o);
    struct lab_model *m = lab_model_new(&o.shape);
    uint64_t shard = 0;
    for (size_t u = 0; u < m->units; u++) shard += (m->unit[u].count + 3) / 4 * 2;
    lab_model_free(m);
    uint64_t inside = 3 * shard * 4, across = 2 * shard / 2 * 4;
    for (uint32_t k = 0; k < 4; k++) {
        const uint64_t *s = r.end[k].sent;
        assert_int_equal(s[LAB_ALL_REDUCE] + s[LAB_REDUCE_SCATTER] + s[LAB_ALL_GATHER],
                         o.steps * (inside + across));
        assert_int_equal(r.end[k].between, o.steps * across);
    }
}

/* ── links ─────────────────────────────────────────────────────────────────────────────────────*/

/* A link holds transfers at least as long as their bytes take, and only those that use it. */
static void slow_networks_slow_down_what_crosses_them(void **state) {
    (void)state;
    struct lab_options o = grouped(4, 3, 2);
    o.steps = 1;
    o.net_rate = 1e6;
    struct run r = run_well(&o);
    double least = (double)r.end[0].between / o.net_rate;
    assert_true(least > 0.01);
    assert_true(r.across[0] >= least);
    assert_true(r.inside[0] < r.across[0]);
    o.net_rate = 0;
    o.link_rate = 1e6; /* of all, if no net was said */
    r = run_well(&o);
    assert_true(r.across[0] >= least);
    least = (double)(r.end[0].sent[LAB_ALL_GATHER] + r.end[0].sent[LAB_REDUCE_SCATTER]) / 1e6;
    assert_true(r.inside[0] >= least);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_group_is_none),
        cmocka_unit_test(groups_of_one_are_data_parallel),
        cmocka_unit_test(buckets_stages_and_prefetch_change_no_bit),
        cmocka_unit_test(replicas_agree),
        cmocka_unit_test(stage_3_is_near),
        cmocka_unit_test(a_second_copy_changes_no_bit),
        cmocka_unit_test(backward_gathers_inside_nodes),
        cmocka_unit_test(bytes_are_the_engines),
        cmocka_unit_test(two_groups_of_two),
        cmocka_unit_test(slow_networks_slow_down_what_crosses_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
