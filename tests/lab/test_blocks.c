/* Values in blocks of 256 behind a scale: their arithmetic, an optimizer that keeps its moments so,
 * ZeRO++'s gathers in 8 bits and reductions in 4; and gradients that are added up in fp32. */
#include "runs.h"

#include "lab/cpu/blocks.h"
#include "lab/cpu/sum.h"
#include "lab/engine.h"
#include "lab/predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static float some(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)((double)(*state >> 11) * 0x1p-53 * 2 - 1);
}

/* ── one block ─────────────────────────────────────────────────────────────────────────────────*/

enum { N = 5 * LAB_QUANTUM };
static const enum lab_dtype blocks[] = {LAB_Q8, LAB_Q4, LAB_SIGNED8, LAB_SQUARE8};

static void there_and_back(enum lab_dtype type, const float *from, float *to, size_t n) {
    unsigned char stored[N * 2];
    memset(stored, 0xff, sizeof stored);
    lab_blocks_store(type, stored, from, n);
    lab_blocks_load(type, to, stored, n);
    size_t whole = (n + LAB_QUANTUM - 1) / LAB_QUANTUM * LAB_QUANTUM;
    assert_int_equal(stored[lab_dtype_size(type, whole)], 0xff);
}

/* By hand: 256 codes and a scale of 4 bytes, or 128 and 4. */
static void a_block_has_so_many_bytes(void **state) {
    (void)state;
    assert_int_equal(lab_dtype_size(LAB_Q8, 512), 520);
    assert_int_equal(lab_dtype_size(LAB_Q4, 512), 264);
    assert_int_equal(lab_dtype_size(LAB_SIGNED8, 256), 260);
    assert_int_equal(lab_dtype_size(LAB_SQUARE8, 256), 260);
    assert_int_equal(lab_dtype_size(LAB_BF16, 3), 6);
}

/* Equal steps: at most half a step from the value, and a step is the largest / 127 or / 7. */
static void equal_steps_are_half_a_step_off_at_most(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (unsigned k = 0; k < 200; k++) {
        float x[N], y[N], size = ldexpf(1, (int)(k % 60) - 30);
        for (size_t i = 0; i < N; i++) x[i] = size * some(&seed);
        size_t n = N - k % 7 * 31;
        for (unsigned q = 0; q < 2; q++) {
            there_and_back(blocks[q], x, y, n);
            for (size_t at = 0; at < n; at += LAB_QUANTUM) {
                float most = 0;
                size_t end = at + LAB_QUANTUM < n ? at + LAB_QUANTUM : n;
                for (size_t i = at; i < end; i++) most = fmaxf(most, fabsf(x[i]));
                float step = most / (q ? 7 : 127);
                for (size_t i = at; i < end; i++)
                    if (!(fabsf(y[i] - x[i]) <= 0.5001f * step))
                        fail_msg("%g became %g, a step is %g", (double)x[i], (double)y[i],
                                 (double)step);
            }
        }
    }
}

/* Growing steps: the highest decade has 64 (of squares 128), so a value there is half of 0.9 / 64
 * of the largest off at most, 7% of the value (3.5%). The largest is exact. What is stored again
 * has the same bytes. A square that is not zero stays above zero. */
static void growing_steps_follow_the_value(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (unsigned k = 0; k < 200; k++) {
        unsigned char a[2 * N], b[2 * N];
        float x[N], y[N], size = ldexpf(1, (int)(k % 60) - 30);
        for (unsigned q = 2; q < 4; q++) {
            for (size_t i = 0; i < N; i++) {
                float r = some(&seed);
                x[i] = q == 3 ? size * r * r * r * r : size * r * r * r;
            }
            lab_blocks_store(blocks[q], a, x, N);
            lab_blocks_load(blocks[q], y, a, N);
            lab_blocks_store(blocks[q], b, y, N);
            assert_memory_equal(a, b, lab_dtype_size(blocks[q], N));
            for (size_t at = 0; at < N; at += LAB_QUANTUM) {
                size_t top = at;
                for (size_t i = at; i < at + LAB_QUANTUM; i++)
                    if (fabsf(x[i]) > fabsf(x[top])) top = i;
                assert_true(y[top] == x[top]);
                for (size_t i = at; i < at + LAB_QUANTUM; i++) {
                    if (q == 3 && x[i] > 0) assert_true(y[i] > 0);
                    if (fabsf(x[i]) > 0.1f * fabsf(x[top]))
                        assert_true(fabsf(y[i] - x[i]) < (q == 3 ? 0.036f : 0.071f) * fabsf(x[i]));
                    assert_true(fabsf(y[i] - x[i]) < 0.0142f * fabsf(x[top]));
                }
            }
        }
    }
}

/* fp16 finds an overflow in the norm, so a block must not hide it. */
static void what_is_not_a_number_stays_so(void **state) {
    (void)state;
    static const float strange[] = {INFINITY, -INFINITY, NAN};
    for (unsigned q = 0; q < 4; q++)
        for (unsigned k = 0; k < 3; k++) {
            float x[LAB_QUANTUM] = {1, 2}, y[LAB_QUANTUM];
            x[100] = strange[k];
            there_and_back(blocks[q], x, y, LAB_QUANTUM);
            assert_false(y[100] - y[100] == 0);
        }
    for (unsigned q = 0; q < 4; q++) {
        float zero[N] = {0}, y[N];
        there_and_back(blocks[q], zero, y, N);
        assert_memory_equal(zero, y, sizeof y);
    }
}

/* Sums of ranks' blocks are those of the values that they stand for, in rank order. */
static void sums_add_what_blocks_stand_for(void **state) {
    (void)state;
    enum { RANKS = 3 };
    uint64_t seed = 3;
    unsigned char stored[RANKS][N], again[N];
    float x[RANKS][N], sum[N], want[N] = {0};
    const void *from[RANKS];
    for (uint32_t r = 0; r < RANKS; r++) {
        for (size_t i = 0; i < N; i++) x[r][i] = some(&seed);
        lab_blocks_store(LAB_Q4, stored[r], x[r], N);
        lab_blocks_load(LAB_Q4, x[r], stored[r], N);
        for (size_t i = 0; i < N; i++) want[i] = r ? want[i] + x[r][i] : x[r][i];
        from[r] = stored[r];
    }
    lab_sum(sum, LAB_F32, false, from, RANKS, LAB_Q4, N);
    assert_memory_equal(sum, want, sizeof sum);
    lab_sum(stored[1], LAB_Q4, false, from, RANKS, LAB_Q4, N); /* in place */
    lab_blocks_store(LAB_Q4, again, want, N);
    assert_memory_equal(stored[1], again, lab_dtype_size(LAB_Q4, N));
}

/* ── runs ──────────────────────────────────────────────────────────────────────────────────────*/

static struct run run(const char *words, uint32_t steps) {
    struct lab_options o = run_words(words);
    o.steps = steps;
    struct run r = run_local(&o);
    for (uint32_t k = 0; k < o.ranks; k++)
        if (r.failed[k]) fail_msg("%s: rank %u: %s", words, k, r.error[k].text);
    for (uint32_t k = 0; k < o.ranks; k++)
        if (r.end[k].weights_hash != r.end[0].weights_hash)
            fail_msg("%s: ranks have different weights", words);
    return r;
}

/* `words` with each of the variations has the same bits. */
static void same_bits(const char *words, const char *const *varied, size_t count) {
    char with[300];
    struct run first = run(words, 4);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(with, sizeof with, "%s %s", words, varied[i]);
        struct run r = run(with, 4);
        for (uint32_t s = 1; s <= 4; s++)
            if (r.loss[s] != first.loss[s])
                fail_msg("%s: step %u: loss %.17g, not %.17g", with, s, r.loss[s], first.loss[s]);
        if (r.end[0].weights_hash != first.end[0].weights_hash) fail_msg("%s: other weights", with);
    }
}

/* The loss of the last step is off by so much and not by nothing. */
static void near(const char *words, const char *plain, double most) {
    struct run a = run(words, 12), b = run(plain, 12);
    double off = fabs(a.loss[12] - b.loss[12]);
    (void)printf("# %s: the loss is %.2g off\n", words, off);
    if (!(off > 0 && off < most))
        fail_msg("%s: loss %.9g, %s: %.9g", words, a.loss[12], plain, b.loss[12]);
}

static const char *const buckets[] = {"--bucket 9KB", "--bucket 40KB --prefetch 0",
                                      "--bucket 25MB --prefetch 2", "--checkpoint full"};

static void moments_in_8_bits(void **state) {
    static const char *const varied[] = {
        "--stage 1",
        "--stage 2 --bucket 8KB",
        "--stage 3 --prefetch 2 --bucket 40KB",
        "--stage 3 --prefetch 0",
        "--stage 1 --offload-optimizer host --bucket 8KB",
        "--stage 3 --offload-optimizer host --offload-params host"};
    (void)state;
    same_bits("--ranks 3 --stage 0 --optimizer adam8bit", varied, 6);
    same_bits("--ranks 2 --stage 0 --optimizer adam8bit --precision bf16 --clip 1", varied, 6);
    near("--ranks 2 --stage 1 --optimizer adam8bit", "--ranks 2 --stage 1", 0.01);
}

/* By hand: each unit is padded to a multiple of 256 for each of two ranks. An element has two
 * moments of a byte, and 256 have two scales of 4 bytes. */
static void a_quarter_of_the_moments_is_kept(void **state) {
    (void)state;
    struct lab_options o = run_words("--ranks 2 --stage 1 --optimizer adam8bit");
    struct run narrow = run_dry(&o, 0);
    struct lab_model *m = lab_model_new(&o.shape);
    uint64_t elements = 0;
    for (size_t u = 0; u < m->units; u++) elements += (m->unit[u].count + 511) / 512 * 256;
    assert_int_equal(narrow.end[0].persistent[ACCOUNT_MOMENTS], 2 * elements + elements / 32);
    lab_model_free(m);
}

static void gathers_in_8_bits(void **state) {
    (void)state;
    same_bits("--ranks 4 --stage 3 --qwz on", buckets, 4);
    same_bits("--ranks 3 --stage 3 --qwz on --precision bf16 --accumulate 2", buckets, 4);
    same_bits("--ranks 4 --stage 3 --qwz on --precision fp16 --hpz 2", buckets, 4);
    same_bits("--ranks 6 --stage 3 --qwz on --shard-group 3", buckets, 4);
    near("--ranks 4 --stage 3 --qwz on", "--ranks 4 --stage 3", 0.02);
    near("--ranks 4 --stage 3 --qwz on --hpz 2 --precision bf16",
         "--ranks 4 --stage 3 --precision bf16", 0.02);
}

static void reductions_in_4_bits(void **state) {
    (void)state;
    same_bits("--ranks 4 --stage 3 --qgz on --gpus-per-node 2", buckets, 4);
    same_bits("--ranks 6 --stage 3 --qgz on --gpus-per-node 3 --precision bf16 --accumulate 3",
              buckets, 4);
    same_bits("--ranks 8 --stage 3 --qgz on --gpus-per-node 2 --shard-group 4 --grad-dtype fp32 "
              "--precision bf16",
              buckets, 4);
    same_bits("--ranks 3 --stage 3 --qgz on --gpus-per-node 1", buckets, 4);
    near("--ranks 4 --stage 3 --qgz on --gpus-per-node 2", "--ranks 4 --stage 3", 0.1);
    near("--ranks 4 --stage 3 --qgz on --qwz on --hpz 2 --precision bf16",
         "--ranks 4 --stage 3 --precision bf16", 0.1);
}

/* By hand, 2 nodes of 2: of 264 bytes for 512 elements a rank sends inside its node what belongs to
 * its neighbour's place (2 rows of the bucket, to one rank), between nodes one row to one rank. */
static void two_hops_send_so_much(void **state) {
    (void)state;
    struct lab_options o = run_words("--ranks 4 --stage 3 --qgz on --gpus-per-node 2");
    o.steps = 1;
    struct run r = run_local(&o);
    struct lab_model *m = lab_model_new(&o.shape);
    uint64_t shard = 0;
    for (size_t u = 0; u < m->units; u++) shard += (m->unit[u].count + 1023) / 1024 * 256;
    uint64_t row = shard / 256 * 132, gathered = 2 * shard * sizeof(float);
    assert_int_equal(r.end[0].sent[LAB_ALL_TO_ALL], 2 * row + row);
    assert_int_equal(r.end[0].sent[LAB_REDUCE_SCATTER], 0);
    assert_int_equal(r.end[0].between, row + 2 * gathered);
    lab_model_free(m);
}

/* An overflow is seen through 4 bits: the step is skipped as without them. */
static void overflow_is_seen(void **state) {
    (void)state;
    struct run r =
        run("--ranks 4 --stage 3 --qgz on --gpus-per-node 2 --precision fp16 --rate 30", 4);
    assert_true(r.skipped > 0);
}

/* ── sums in fp32 ──────────────────────────────────────────────────────────────────────────────*/

static void sums_in_fp32_have_the_same_bits_at_all_stages(void **state) {
    static const char *const varied[] = {"--stage 1 --bucket 8KB", "--stage 2",
                                         "--stage 3 --prefetch 2 --bucket 3KB",
                                         "--stage 2 --offload-optimizer host --bucket 8KB"};
    (void)state;
    same_bits("--ranks 3 --stage 0 --grad-dtype fp32 --precision bf16 --clip 1", varied, 4);
    same_bits("--ranks 2 --stage 0 --grad-dtype fp32 --precision fp16", varied, 4);
}

/* A rank's four micro-steps are added in the order in which four ranks' gradients are, and nothing
 * is rounded to 16 bits in between. In 16 bits the sums are others. */
static void four_micro_steps_are_four_ranks(void **state) {
    static const char *const precisions[] = {"bf16", "fp16"};
    char alone[120], together[120];
    (void)state;
    for (unsigned p = 0; p < 2; p++)
        for (unsigned wide = 0; wide < 2; wide++) {
            const char *kept = wide ? "fp32" : "auto";
            (void)snprintf(alone, sizeof alone,
                           "--ranks 1 --accumulate 4 --precision %s --grad-dtype %s", precisions[p],
                           kept);
            (void)snprintf(together, sizeof together,
                           "--ranks 4 --stage 1 --precision %s --grad-dtype %s", precisions[p],
                           kept);
            struct run a = run(alone, 3), b = run(together, 3);
            assert_true((a.end[0].weights_hash == b.end[0].weights_hash) == (wide == 1));
        }
}

/* ── refused ───────────────────────────────────────────────────────────────────────────────────*/

static void what_has_no_use_is_refused_by_name(void **state) {
    static const struct {
        const char *words, *said;
    } cases[] = {
        {"--ranks 2 --stage 2 --qwz on", "--qwz: it belongs to stage 3, and stage 2 keeps"},
        {"--ranks 2 --stage 1 --qgz on", "--qgz: it belongs to stage 3, and stage 1 reduces"},
        {"--ranks 1 --stage 3 --qwz on", "--qwz: no rank shares its states: set --ranks 2"},
        {"--ranks 4 --stage 3 --qgz on",
         "--qgz: the 4 ranks that share the states are on one node"},
        {"--ranks 4 --stage 3 --shard-group 2 --qgz on", "--qgz: the 2 ranks"},
        {"--ranks 2 --stage 3 --qwz on --offload-optimizer host --offload-params host",
         "--qwz: parameters on a tier come up in full width"},
        {"--ranks 2 --stage 1 --optimizer adam8bit --offload-optimizer nvme",
         "--optimizer adam8bit: its blocks would cross those of a file"},
        {"--ranks 2 --stage 1 --grad-dtype fp32",
         "--precision fp32 keeps gradients in fp32 anyway"},
        {"--ranks 2 --stage 1 --optimizer adam8bit --bucket 1KB", "a block of 256 elements"},
        {"--ranks 2 --stage 3 --qwz on --plant-bug kept-grads", "faults are planted without it"},
        {"--ranks 2 --stage 3 --qwz on --device cuda", "--qwz works only on the CPU"},
        {"--ranks 2 --optimizer sgd", "choose one of adamw|adam8bit"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lab_options o = run_options(1, 0);
        struct lab_message m = {""};
        char text[200], *argv[20] = {"zerolab"};
        int argc = 1;
        (void)snprintf(text, sizeof text, "%s", cases[i].words);
        for (char *rest = text, *w; (w = strtok_r(rest, " ", &rest));) argv[argc++] = w;
        if (lab_options_read(argc, argv, &o, &m) && lab_options_check(&o, &m))
            fail_msg("%s: was not refused", cases[i].words);
        if (!strstr(m.text, cases[i].said)) fail_msg("%s: \"%s\"", cases[i].words, m.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_has_so_many_bytes),
        cmocka_unit_test(equal_steps_are_half_a_step_off_at_most),
        cmocka_unit_test(growing_steps_follow_the_value),
        cmocka_unit_test(what_is_not_a_number_stays_so),
        cmocka_unit_test(sums_add_what_blocks_stand_for),
        cmocka_unit_test(moments_in_8_bits),
        cmocka_unit_test(a_quarter_of_the_moments_is_kept),
        cmocka_unit_test(gathers_in_8_bits),
        cmocka_unit_test(reductions_in_4_bits),
        cmocka_unit_test(two_hops_send_so_much),
        cmocka_unit_test(overflow_is_seen),
        cmocka_unit_test(sums_in_fp32_have_the_same_bits_at_all_stages),
        cmocka_unit_test(four_micro_steps_are_four_ranks),
        cmocka_unit_test(what_has_no_use_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
