/* What learners get wrong, 42 rows: the engine has the right number, and knows the wrong one by the
 * mistake that yields it. */
#include "oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>

#define LLAMA "model=llama-2-7b "
#define LAYERS                                                                                     \
    "kind=activations quantity=layers model=opt-6.7b batch=1 seq=4096 dropout=on flash=off "
#define EIGHT   LLAMA "gpus=8 "
#define SIXTY4  LLAMA "gpus=64 gpus_per_node=8 stage=3 "
#define BUCKETS "kind=peak quantity=reduce recipe=deepspeed gpus=8 params=6738415616 "
#define ALL_SUM "kind=seconds quantity=all_reduce gpus=8 budget=13476831232 unit=ms "
#define TRAFFIC "kind=traffic gpus=8 params=6738415616 "

/* `right` and `wrong` are as they are printed, so half of the last digit of `right` is its slack;
 * `mistake` is one that must be named for `wrong`. NULL where the wrong belief is no number, or the
 * engine has no such mistake. */
static const struct row {
    int number;
    const char *problem, *right, *wrong, *mistake;
} rows[] = {
    {1, EIGHT, "107.81 GB", "80.86 GB", "no-master"},
    {2, EIGHT "stage=2", "25.27 GB", "13.48 GB", "params-sharded"},
    {3, EIGHT "stage=1", "37.06 GB", "25.27 GB", "stage-high"},
    {4, LAYERS "checkpoint=selective gpus=8 stage=2", "18.25 GB", "2.28 GB", "zero-activations"},
    {5, TRAFFIC "stage=2", "23.58 GB", "35.38 GB", "half-more"},
    {5, TRAFFIC "stage=2 recipe=deepspeed", "35.38 GB", "23.58 GB", "all-reduce-once"},
    {6, TRAFFIC "stage=3", "35.38 GB", "70.75 GB", "triple-traffic"},
    {7, TRAFFIC "stage=0", "23.58 GB", "11.79 GB", "all-reduce-once"},
    {8, ALL_SUM "gpus_per_node=1 net=50GB/s", "472 ms", "59 ms", "link-bits"},
    {9, "kind=convert budget=80GB unit=GiB", "74.51 GiB", "80 GiB", "gb-for-gib"},
    {10, ALL_SUM "link=450GB/s", "52.4 ms", "26.2 ms", "both-directions"},
    {10, ALL_SUM "link=nvlink4", "63.7 ms", "26.2 ms", "both-directions"},
    {11, SIXTY4, "1.68 GB", "13.48 GB", "per-node"},
    {12, "quantity=params model=llama-2-70b gpus=64 tp=8 stage=3", "2.16 GB", "0.27 GB",
     "world-as-dp"},
    {14, BUCKETS "stage=2 bucket=5e8", "2.00 GB", NULL, NULL},
    {14, BUCKETS "stage=2 bucket=2e9", "8.00 GB", NULL, NULL},
    {15, BUCKETS "stage=3 bucket=5e8", "2.00 GB", "1.00 GB", "bucket-bytes"},
    {15, BUCKETS "stage=2 bucket=5e8", "2.00 GB", "1.00 GB", "bucket-bytes"},
    {16, TRAFFIC "stage=3 accumulate=8", "283.01 GB", "35.38 GB", "accumulation-free"},
    {17, LAYERS "checkpoint=selective", "18.25 GB", NULL, NULL},
    {17, LAYERS "checkpoint=none", "104.15 GB", "18.25 GB", "no-scores"},
    {18, LAYERS "checkpoint=full", "1.07 GB", "18.25 GB", "as-selective"},
    {19, EIGHT "checkpoint=full", "107.81 GB", "53.91 GB", "pure-16bit"},
    {21, LLAMA "lora=8", "13.54 GB", "0.067 GB", "lora-adapters-only"},
    {22, LLAMA "qlora=8 quantity=params", "3.88 GB", "3.37 GB", "qlora-half-byte"},
    {23, LLAMA "optimizer=adam8bit", "67.59 GB", "26.95 GB", "adam8-quarter"},
    {24, LLAMA, "107.81 GB", "53.91 GB", "pure-16bit"},
    {25,
     "kind=activations quantity=layers model=gpt-3 gpus=64 tp=8 pp=8 sp=on checkpoint=selective "
     "flash=off dropout=on batch=1 seq=2048 accumulate=64",
     "10.27 GB", "1.28 GB", "stages-divide"},
    {26,
     "kind=activations quantity=layers gpt=1,6144,64 gpus=8 tp=8 checkpoint=selective flash=off "
     "dropout=on "
     "batch=4 seq=2048 unit=MB",
     "654 MB", "214 MB", "tensor-divides-all"},
    {28, "kind=activations quantity=logits model=llama-3-8b batch=1 seq=8192", "4.20 GB", "2.10 GB",
     "logits-16bit"},
    {29, SIXTY4 "shard_group=8", "13.48 GB", "1.68 GB", "hsdp-world"},
    {30, SIXTY4 "hpz=8", "3.37 GB", "1.68 GB", "hpz-free"},
    {31, "kind=host stage=2 offload_optimizer=host params=6738415616", "107.81 GB", "13.48 GB",
     "model-file"},
    {34, "kind=peak quantity=total recipe=ddp precision=fp32 gpus=8 params=1557611200", "31.15 GB",
     "24.92 GB", "no-buffers"},
    {35, "kind=activations quantity=checkpoints gpt=125,8192,64 checkpoint=full batch=32 seq=1024",
     "67.1 GB", "33.6 GB", "activation-elements"},
    {37, LLAMA, "107.81 GB", "112.00 GB", "name-count"},
    {38, "kind=traffic gpus=2 params=6738415616", "13.48 GB", "26.95 GB", "ring-whole"},
    {39, ALL_SUM "gpus=32 gpus_per_node=8 budget=4GiB link=700GB/s net=50GB/s", "20.8 ms",
     "166.4 ms", "one-adapter"},
    {39, ALL_SUM "gpus=32 gpus_per_node=8 budget=4GiB link=700GB/s net=50GB/s", "20.8 ms",
     "85.9 ms", "array-by-adapter"},
    {41, TRAFFIC "stage=3 recipe=fsdp2 reduce_dtype=fp32", "47.17 GB", "35.38 GB", "reduce-16bit"},
    {42, "recipe=deepspeed stage=1 grad_dtype=fp32 gpus=8 params=6738415616", "50.54 GB",
     "37.06 GB", "grads-16bit"},
};
#define ROWS (sizeof rows / sizeof *rows)

/* ── problems ──────────────────────────────────────────────────────────────────────────────────*/

/* "gpt=layers,hidden,heads": a shape that no catalogue has. */
static void set_gpt(struct account_problem *p, const char *text) {
    unsigned layers, hidden, heads;
    if (sscanf(text, "%u,%u,%u", &layers, &hidden, &heads) != 3) fail_msg("gpt=%s", text);
    give_shape(&p->training, shape_of("gpt", layers, hidden, heads, 4 * hidden, 51200));
}

static void set_pair(struct account_problem *p, char *pair) {
    struct account_error e = {0};
    char *value = strchr(pair, '=');
    *value++ = 0;
    if (strcmp(pair, "gpt") == 0) {
        set_gpt(p, value);
        return;
    }
    if (!account_problem_set(p, pair, value, &e)) fail_msg("%s=%s: %s", pair, value, e.what);
}

static struct account_problem problem_of(const char *pairs) {
    char text[400], *rest = text;
    struct account_problem p = account_problem_default();
    snprintf(text, sizeof text, "%s", pairs);
    for (char *pair; (pair = strtok_r(rest, " ", &rest));) set_pair(&p, pair);
    return p;
}

/* ── a row ─────────────────────────────────────────────────────────────────────────────────────*/

static double slack_of(const char *printed) {
    const char *point = strchr(printed, '.');
    int digits = 0;
    while (point && point[digits + 1] >= '0' && point[digits + 1] <= '9') digits++;
    return 0.5 * pow(10, -digits) + 1e-9;
}

static double in_unit_of(const char *printed, double value) {
    enum account_unit unit;
    const char *name = strchr(printed, ' ') + 1;
    if (!account_unit_find(name, &unit)) fail_msg("%s: no unit", printed);
    return value / account_unit_scale(unit);
}

static void check_right(const struct row *r, const struct account_problem *p) {
    struct account_solution s;
    struct account_error e = {0};
    if (!account_solve(p, &s, &e)) fail_msg("%d: %s", r->number, e.what);
    double got = in_unit_of(r->right, s.value);
    if (fabs(got - strtod(r->right, NULL)) > slack_of(r->right))
        fail_msg("%d, %s: %.6g, right is %s", r->number, r->problem, got, r->right);
    struct account_diagnosis d;
    account_diagnose(p, s.value, &d);
    if (d.count) fail_msg("%d: the truth is named %s", r->number, d.match[0].mistake->id);
}

static void check_wrong(const struct row *r, const struct account_problem *p) {
    struct account_judgement j;
    account_judge(p, r->wrong, &j);
    for (size_t i = 0; i < j.diagnosis.count && i < ACCOUNT_MATCHES; i++)
        if (strcmp(j.diagnosis.match[i].mistake->id, r->mistake) == 0) return;
    fail_msg("%d, %s: %s is judged %s, %s is not named, but %s", r->number, r->problem, r->wrong,
             account_verdict_name(j.verdict), r->mistake,
             j.diagnosis.count ? j.diagnosis.match[0].mistake->id : "");
}

static void right_and_wrong(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        check_right(&rows[i], &p);
        if (rows[i].wrong) check_wrong(&rows[i], &p);
    }
}

/* ── rows whose answer is no single number of a problem ────────────────────────────────────────*/

static void close_to(double got, double wanted, double slack) {
    if (!(fabs(got - wanted) <= slack)) fail_msg("got %.6g, wanted %.6g", got, wanted);
}

/* 9: 80 GB of states on a card of 80 GB fit, because it has 79.1 GiB and more. */
static void eighty_fit(void **state) {
    (void)state;
    const struct account_card *card = account_card_find("h100-80g");
    assert_true(account_fit(80000000000, account_card_bytes(card)) != ACCOUNT_TOO_LARGE);
    assert_true((double)account_card_bytes(card) >= 79.10 * GiB);
}

/* 13: in-place gathers have no buffer; a larger one could not help. */
static void no_gather_bucket(void **state) {
    (void)state;
    struct account_training t = trained("recipe=deepspeed stage=2 gpus=8 " LLAMA);
    assert_int_equal(memory_of(&t).highest[ACCOUNT_GATHER], 0);
}

/* 17, 18: flash attention takes the s² part, full checkpointing leaves inputs, one layer and the
 * logits. */
static void what_stays(void **state) {
    (void)state;
    const char *how = "batch=1 seq=4096 dropout=on model=llama-2-7b";
    struct account_training t = trained("%s checkpoint=full", how);
    struct account_training blocks =
        trained("batch=1 seq=4096 dropout=on flash=off model=opt-6.7b");
    struct account_activations a = activations_of(&t), all = activations_of(&blocks);
    set(&blocks, "checkpoint=selective");
    struct account_activations flat = activations_of(&blocks);
    close_to((double)(all.layers - flat.layers) / 1e9, 85.90, 0.005);
    close_to((double)a.layers / 1e9, 1.07, 0.005);
    close_to((double)a.logits_fp32 / 1e9, 0.52, 0.005);
    close_to((double)flat.kept / 1e9, 0.57, 0.005);
}

/* 20: the frozen base still carries gradients through. It saves less, though: no frozen matrix
 * needs its input. */
static void lora_keeps_activations(void **state) {
    (void)state;
    const char *how = "batch=1 seq=4096 dropout=on model=llama-2-7b";
    struct account_training whole = trained("%s", how), lora = trained("%s lora=8", how);
    uint64_t all = activations_of(&whole).layers, kept = activations_of(&lora).layers;
    assert_true(kept < all);
    assert_true(kept > all - all / 4);
    close_to(states(&lora) / 1e9, 13.54, 0.005);
}

/* 27: an all-reduce is a reduce-scatter and an all-gather. What sequence parallelism adds is that
 * backward gathers inputs again. */
static void sequence_parallel_is_free(void **state) {
    (void)state;
    struct account_training t = trained("gpus=8 tp=8 batch=4 seq=2048");
    give_shape(&t, shape_of("gpt", 1, 6144, 64, 4 * 6144, 51200));
    struct account_traffic plain = traffic_of(&t);
    set(&t, "sp=on");
    struct account_traffic split = traffic_of(&t);
    uint64_t again = leg_of(&split, "inputs again")->sent;
    assert_int_equal(plain.sent[ACCOUNT_ALL_REDUCE], split.total - again);
    assert_int_equal(split.sent[ACCOUNT_REDUCE_SCATTER], split.sent[ACCOUNT_ALL_GATHER] - again);
    close_to(leg_of(&plain, "partial results")->calls, 4, 0);
}

/* 28: fp32 logits and the 16-bit output they were made from. */
static void logits(void **state) {
    (void)state;
    struct account_training t = trained("model=llama-3-8b batch=1 seq=8192");
    struct account_activations a = activations_of(&t);
    close_to((double)a.logits_fp32 / 1e9, 4.20, 0.005);
    close_to((double)a.logits_output / 1e9, 2.10, 0.005);
}

/* 32: PCIe by its data sheet, one direction; the catalogue's rate is what copies reach. */
static void one_direction(void **state) {
    (void)state;
    struct account_training t =
        trained("params=6738415616 stage=2 offload_optimizer=host net=31.5GB/s");
    double down = (double)traffic_of(&t).offload_down;
    close_to(1e3 * account_collective_seconds(&t, ACCOUNT_P2P, 2, 1, down), 428, 0.5);
    const struct account_link *pcie = account_link_find("pcie4");
    close_to(pcie->wire, 31.5e9, 0);
    assert_true(pcie->rate < pcie->wire);
}

/* 33: the context, and NCCL where there is more than one GPU. */
static void outside_the_allocator(void **state) {
    (void)state;
    struct account_training t = trained("params=1e9 gpu=h100-80g");
    double alone = (double)memory_of(&t).gpu.bytes[ACCOUNT_FRAMEWORK] / GiB;
    set(&t, "gpus=2");
    double two = (double)memory_of(&t).gpu.bytes[ACCOUNT_FRAMEWORK] / GiB;
    assert_true(alone >= 0.47 && alone <= 1.78);
    close_to(two - alone, 1.45, 0.005);
}

/* 36, 40: dense arithmetic, and one of a card's two devices. */
static void cards(void **state) {
    (void)state;
    close_to(account_card_find("h100-80g")->flops, 989e12, 0);
    const struct account_card *half = account_card_find("mi250x");
    assert_non_null(half);
    assert_true((double)account_card_bytes(half) < 70e9);
}

/* 42: at the step's highest moment backward's own gradients live as well. */
static void two_gradients(void **state) {
    (void)state;
    struct account_training t =
        trained("recipe=deepspeed stage=1 grad_dtype=fp32 gpus=8 params=6738415616");
    struct account_ledger l = memory_of(&t).phase[ACCOUNT_BACKWARD].ledger;
    close_to((double)(l.total - l.bytes[ACCOUNT_REDUCE]) / 1e9, 64.01, 0.005);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_and_wrong),
        cmocka_unit_test(eighty_fit),
        cmocka_unit_test(no_gather_bucket),
        cmocka_unit_test(what_stays),
        cmocka_unit_test(lora_keeps_activations),
        cmocka_unit_test(sequence_parallel_is_free),
        cmocka_unit_test(logits),
        cmocka_unit_test(one_direction),
        cmocka_unit_test(outside_the_allocator),
        cmocka_unit_test(cards),
        cmocka_unit_test(two_gradients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
