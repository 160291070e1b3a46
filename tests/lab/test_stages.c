/* The stages are the same training: the same bits, whatever is sharded, however it travels; and
 * they hold and send what is predicted. */
#include "runs.h"

#include "lab/engine.h"
#include "lab/predict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool everything(void) {
    return getenv("TEST_ALL") != NULL;
}

static void assert_same(const char *what, const struct run *a, const struct run *b,
                        uint32_t steps) {
    assert_true(a->well && b->well);
    for (uint32_t s = 1; s <= steps; s++)
        if (a->loss[s] != b->loss[s])
            fail_msg("%s: loss of step %u is %.17g, not %.17g", what, s, b->loss[s], a->loss[s]);
    if (a->end[0].weights_hash != b->end[0].weights_hash) fail_msg("%s: weights differ", what);
}

static void assert_near(const char *what, const struct run *a, const struct run *b, uint32_t steps,
                        double tolerance) {
    assert_true(a->well && b->well);
    for (uint32_t s = 1; s <= steps; s++)
        if (!(fabs(a->loss[s] - b->loss[s]) <= tolerance * a->loss[s]))
            fail_msg("%s: loss of step %u is %.9g, not %.9g", what, s, b->loss[s], a->loss[s]);
}

/* ── bit for bit ───────────────────────────────────────────────────────────────────────────────*/

static const uint64_t buckets[] = {96, 3000, 16000, 25000000};
static const enum lab_dtype types[] = {LAB_F32, LAB_BF16, LAB_F16};

/* The n-th way to run these ranks: everything about it is a digit of n. */
static struct lab_options way(struct lab_options o, unsigned n) {
    o.stage = n % 4;
    o.bucket = buckets[n / 4 % 4];
    o.prefetch = n / 16 % 3;
    o.checkpoint = (enum lab_checkpoint)(n / 48 % 3);
    return o;
}
enum { WAYS = 144 };

static void try_ways(struct lab_options o, unsigned first, unsigned stride) {
    char what[120];
    struct run reference = run_local(&o);
    for (unsigned n = first; n < WAYS; n += stride) {
        struct lab_options now = way(o, n);
        struct run r = run_local(&now);
        (void)snprintf(what, sizeof what,
                       "%u ranks, stage %u, bucket %u, prefetch %u, checkpoint %d, %s, clip %g",
                       now.ranks, now.stage, (unsigned)now.bucket, now.prefetch,
                       (int)now.checkpoint, lab_dtype_name(now.compute), now.clip);
        assert_same(what, &reference, &r, o.steps);
    }
}

/* A stride that shares no factor with the digits meets every pair of settings. */
static void test_alike(void **state) {
    (void)state;
    unsigned stride = everything() ? 1 : 17, first = 0;
    for (uint32_t ranks = 1; ranks <= 4; ranks++)
        for (size_t type = 0; type < 3; type++)
            for (int clip = 0; clip < 2; clip++, first++) {
                struct lab_options o = run_options(ranks, 0);
                o.compute = types[type];
                o.clip = clip ? 0.5 : 0;
                try_ways(o, first % stride, stride);
            }
}

static void test_clipping_clips(void **state) {
    (void)state;
    struct lab_options off = run_options(2, 1), on = off;
    on.clip = 0.5;
    struct run a = run_local(&off), b = run_local(&on);
    assert_true(a.end[0].weights_hash != b.end[0].weights_hash);
}

/* ── accumulation ──────────────────────────────────────────────────────────────────────────────*/

static void test_accumulation(void **state) {
    (void)state;
    struct run r[4];
    for (uint32_t stage = 0; stage < 4; stage++) {
        struct lab_options o = run_options(3, stage);
        o.accumulate = 3;
        o.clip = 1;
        o.bucket = buckets[stage];
        r[stage] = run_local(&o);
    }
    assert_same("stages 0 and 1", &r[0], &r[1], 3);
    assert_same("stages 2 and 3", &r[2], &r[3], 3);
    assert_near("stages 0 and 2", &r[0], &r[2], 3, 1e-5);
}

static void test_ranks_are_micro_steps(void **state) {
    (void)state;
    struct lab_options alone = run_options(1, 0);
    alone.accumulate = 4;
    struct run a = run_local(&alone);
    for (uint32_t stage = 0; stage < 4; stage++) {
        struct lab_options many = run_options(4, stage);
        struct run b = run_local(&many);
        assert_near("four ranks and four micro-steps", &a, &b, 3, 1e-5);
    }
}

/* ── bytes ─────────────────────────────────────────────────────────────────────────────────────*/

static uint64_t padded_bytes(const struct lab_options *o) {
    struct lab_model *m = lab_model_new(&o->shape);
    uint64_t sum = 0;
    for (size_t u = 0; u < m->units; u++)
        sum += (m->unit[u].count + o->ranks - 1) / o->ranks * o->ranks;
    lab_model_free(m);
    return sum * lab_dtype_bytes(o->compute);
}

/* 2 (N−1)/N of the padded bytes in stages 0 and 1, A + 1 in stage 2, 3 A in stage 3; counted where
 * they are copied. */
static void test_sent(void **state) {
    (void)state;
    for (uint32_t ranks = 2; ranks <= 4; ranks++)
        for (uint32_t stage = 0; stage < 4; stage++)
            for (uint32_t a = 1; a <= 3; a += 2) {
                struct lab_options o = run_options(ranks, stage);
                o.accumulate = a;
                o.compute = stage % 2 ? LAB_BF16 : LAB_F32;
                uint64_t times[] = {2, 2, a + 1, 3ull * a};
                uint64_t want = o.steps * times[stage] * padded_bytes(&o) / ranks * (ranks - 1);
                struct run r = run_local(&o);
                for (uint32_t k = 0; k < ranks; k++) {
                    const uint64_t *s = r.end[k].sent;
                    assert_int_equal(s[0] + s[1] + s[2], want);
                    assert_memory_equal(r.told[k], s, sizeof r.told[k]);
                }
            }
}

static void assert_same_ledger(const struct lab_says_end *a, const struct lab_says_end *b) {
    assert_memory_equal(a->persistent, b->persistent, sizeof a->persistent);
    assert_memory_equal(a->peak, b->peak, sizeof a->peak);
    assert_memory_equal(a->at_peak, b->at_peak, sizeof a->at_peak);
    assert_memory_equal(a->sent, b->sent, sizeof a->sent);
    assert_int_equal(a->peak_total, b->peak_total);
    assert_int_equal(a->peak_where.phase, b->peak_where.phase);
    assert_int_equal(a->peak_where.unit, b->peak_where.unit);
    assert_int_equal(a->control, b->control);
}

static void test_dry_is_real(void **state) {
    (void)state;
    for (unsigned n = 0; n < WAYS; n += 5) {
        struct lab_options o = way(run_options(1 + n % 4, 0), n);
        o.accumulate = 1 + n % 2;
        o.clip = n % 3;
        o.compute = types[n % 3];
        struct run real = run_local(&o);
        assert_true(real.well);
        for (uint32_t k = 0; k < o.ranks; k++) {
            struct run dry = run_dry(&o, k);
            assert_true(dry.well);
            assert_same_ledger(&real.end[k], &dry.end[k]);
        }
    }
}

/* The highest memory event of a rank is its ledger's peak, in bytes and in place: what is drawn
 * from the events cannot contradict what stands beside it. */
static void test_events_reach_the_peak(void **state) {
    (void)state;
    for (uint32_t stage = 0; stage < 4; stage++)
        for (uint32_t checkpoint = 0; checkpoint < 3; checkpoint++)
            for (uint32_t prefetch = 0; prefetch < 3; prefetch++) {
                struct lab_options o = run_options(3, stage);
                o.checkpoint = (enum lab_checkpoint)checkpoint;
                o.prefetch = prefetch;
                o.accumulate = 1 + prefetch % 2;
                struct run r = run_local(&o);
                assert_true(r.well);
                for (uint32_t k = 0; k < o.ranks; k++) {
                    assert_int_equal(r.highest[k], r.end[k].peak_total);
                    assert_int_equal(r.highest_where[k].phase, r.end[k].peak_where.phase);
                    assert_int_equal(r.highest_where[k].unit, r.end[k].peak_where.unit);
                }
            }
}

/* ── the cap ───────────────────────────────────────────────────────────────────────────────────*/

static void test_cap(void **state) {
    (void)state;
    struct lab_options o = run_options(2, 0);
    struct run free = run_dry(&o, 0);
    o.cap = free.end[0].peak_total - 1;
    struct run r = run_local(&o);
    assert_false(r.well);
    assert_true(r.failed[0] && r.error[0].memory);
    assert_int_equal(r.error[0].refusal.cap, o.cap);
    assert_true(r.error[0].refusal.need > o.cap);
    assert_int_equal(r.error[0].refusal.where.unit, free.end[0].peak_where.unit);
    o.cap++;
    assert_true(run_local(&o).well);
}

static void test_advice_fits(void **state) {
    (void)state;
    struct lab_options o = run_options(4, 0);
    struct lab_refusal refusal = {.cap = run_dry(&o, 0).end[0].peak_total - 1};
    char text[200];
    o.cap = refusal.cap;
    lab_advice(&o, &refusal, text, sizeof text);
    assert_non_null(strstr(text, "--stage 1 would hold"));
    /* Under what any setting keeps on the device, states leave it, and what is advised fits. */
    struct lab_options least = run_options(4, 3), away;
    least.checkpoint = LAB_FULL;
    least.prefetch = 0;
    least.bucket = lab_bucket_least(&least);
    least.batch = 1;
    away = least;
    away.offload_optimizer = away.offload_params = LAB_TIER_HOST;
    refusal.cap = run_dry(&away, 0).end[0].peak_total;
    assert_true(refusal.cap < run_dry(&least, 0).end[0].peak_total);
    lab_advice(&o, &refusal, text, sizeof text);
    assert_non_null(strstr(text, "--offload-optimizer host --offload-params host"));
    assert_non_null(strstr(text, "and fit"));
    refusal.cap = 1000;
    lab_advice(&o, &refusal, text, sizeof text);
    assert_non_null(strstr(text, "more ranks"));
}

/* ── loss scaling, the schedule of rates ───────────────────────────────────────────────────────*/

static void test_scaler(void **state) {
    (void)state;
    struct lab_options o = run_options(1, 0);
    assert_true(lab_scaler_new(&o).scale == 1);
    o.compute = LAB_F16;
    struct lab_scaler s = lab_scaler_new(&o);
    assert_true(s.scale == 65536);
    lab_scaler_after(&s, true);
    assert_true(s.scale == 32768);
    for (int i = 0; i < 999; i++) lab_scaler_after(&s, false);
    assert_true(s.scale == 32768);
    lab_scaler_after(&s, false);
    assert_true(s.scale == 65536);
}

/* One token a rank: the head's gradients are too large for fp16 at the first scale, so no rank may
 * step. */
static void test_overflow_skips(void **state) {
    (void)state;
    struct lab_options still = run_options(2, 0);
    still.compute = LAB_F16;
    still.shape.seq = 1, still.batch = 1, still.steps = 1;
    struct lab_options over = still;
    still.rate = 1e-30, still.decay = 0;
    over.rate = 1;
    struct run initial = run_local(&still);
    for (over.stage = 0; over.stage < 4; over.stage++) {
        struct run r = run_local(&over);
        assert_true(r.well);
        assert_true(r.end[0].weights_hash == initial.end[0].weights_hash);
    }
    over.stage = 0, over.steps = 8; /* halved often enough, it steps */
    assert_true(run_local(&over).end[0].weights_hash != initial.end[0].weights_hash);
}

static void test_rates(void **state) {
    (void)state;
    struct lab_options o = run_options(1, 0);
    o.steps = 101, o.warmup = 4, o.rate = 1;
    assert_float_equal(lab_learning_rate(&o, 1), 0.25, 1e-12);
    assert_float_equal(lab_learning_rate(&o, 4), 1, 1e-12);
    assert_float_equal(lab_learning_rate(&o, 5), 1, 1e-12);
    assert_true(lab_learning_rate(&o, 101) < 0.101 && lab_learning_rate(&o, 101) > 0.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_clipping_clips),
        cmocka_unit_test(test_accumulation),
        cmocka_unit_test(test_ranks_are_micro_steps),
        cmocka_unit_test(test_sent),
        cmocka_unit_test(test_dry_is_real),
        cmocka_unit_test(test_events_reach_the_peak),
        cmocka_unit_test(test_cap),
        cmocka_unit_test(test_advice_fits),
        cmocka_unit_test(test_scaler),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_overflow_skips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
