/* The likeliest wrong answers of the lessons' problems, as sums that a learner would type: each is
 * named for what it is. */
#include "account/check.h"

#include <string.h>

#define PAPER   " recipe=paper precision=mixed-bf16"
#define STAGE_1 "kind=traffic params=7e9 gpus=8 stage=1 accumulate=8" PAPER
#define STAGE_2 "kind=traffic params=13e9 gpus=8 stage=2 accumulate=4" PAPER
#define STAGE_3 "kind=traffic params=7e9 gpus=16 stage=3 accumulate=4" PAPER
#define BUCKETS "kind=traffic params=7e9 gpus=8 stage=2 accumulate=4 recipe=deepspeed"
#define HOST    " stage=2 offload_optimizer=host" PAPER
#define LINK    "kind=traffic quantity=offload params=13e9 gpus=4" HOST
#define TIME    "kind=seconds quantity=offload unit=s params=13e9 gpu=a100-80g gpus=4" HOST
#define CARD    "params=13e9 gpus=4" HOST
#define NODE    "kind=host params=13e9 gpus=4" HOST
#define HYBRID                                                                                     \
    "kind=traffic quantity=between params=34e9 gpus=32 gpus_per_node=8 stage=3 "                   \
    "shard_group=8" PAPER
#define HPZ "params=34e9 gpus=32 gpus_per_node=8 stage=3 hpz=8" PAPER
#define GATHERED                                                                                   \
    "kind=peak quantity=gather unit=MB model=gpt2-xl gpus=8 stage=3 batch=1 seq=1024 prefetch=1 "  \
    "recipe=zerolab"
#define MEGATRON "params=34e9 gpus=16 stage=1 recipe=megatron precision=mixed-bf16"
#define LAYOUT   "params=34e9 gpus=64 gpus_per_node=8 stage=1 tp=4 pp=2" PAPER
#define STEP     "kind=seconds unit=s params=13e9 gpus=16 gpus_per_node=1 stage=3 net=400Gb/s" PAPER
#define REDUCED                                                                                    \
    "kind=traffic quantity=reduce_scatter params=7e9 gpus=16 stage=3 recipe=fsdp2 "                \
    "reduce_dtype=fp32"
#define LAYER                                                                                      \
    "kind=activations unit=MB quantity=layer model=gpt2-xl batch=4 seq=1024 flash=off "            \
    "dropout=on" PAPER
#define LOGITS "kind=activations quantity=logits model=llama-3-8b batch=4 seq=4096 flash=on" PAPER

static const struct {
    const char *problem, *typed, *mistakes;
} rows[] = {
    {STAGE_2, "(2*4 + 1) * 7/8 * 2 * 13", "deepspeed-traffic"},
    {STAGE_2, "2 * 4 * 7/8 * 2 * 13", "gather-each"},
    {STAGE_2, "2 * 7/8 * 2 * 13", "accumulation-free"},
    {STAGE_2, "5 * 2 * 13", "ring-whole"},
    {STAGE_2, "5 * 7/8 * 13", "elements-for-bytes"},
    {STAGE_2, "5 * 7/8 * 4 * 13", "fp32-legs"},
    {STAGE_2, "3 * 4 * 7/8 * 2 * 13", "stage-high"},
    {STAGE_1, "8 * 2 * 7/8 * 2 * 7", "accumulation-paid"},
    {STAGE_1, "3 * 7/8 * 2 * 7", "half-more"},
    {STAGE_1, "(8 + 1) * 7/8 * 2 * 7", "stage-high"},
    {STAGE_3, "3 * 15/16 * 2 * 7", "accumulation-free"},
    {STAGE_3, "3 * 4 * 15/16 * 7", "elements-for-bytes"},
    {STAGE_3, "(4 + 1) * 15/16 * 2 * 7", "stage-low"},
    {BUCKETS, "(4 + 1) * 7/8 * 2 * 7", "all-reduce-once"},
    {LINK, "(4 + 2) * 13 / 4", "fp32-down"},
    {LINK, "16 * 13 / 4", "not-shared link-states"},
    {LINK, "12 * 13 / 4", "link-optimizer"},
    {LINK, "4 * 13 / 4 * 3/4", "link-ring"},
    {LINK, "2 * 13 / 4", "one-way"},
    {TIME, "6 * 13 / 4 / 24", "fp32-down"},
    {TIME, "12 * 13 / 4 / 24", "link-optimizer"},
    {CARD, "4 * 13", "grads-stay"},
    {CARD, "2 * 13 + 2 * 13/4", "grad-shard-stays"},
    {CARD, "2 * 13 + 14 * 13/4", "offload-ignored"},
    {CARD, "16 * 13", "all-on-gpu"},
    {NODE, "14 * 13", "host-grads-16bit"},
    {NODE, "18 * 13", "host-params"},
    {NODE, "4 * 16 * 13", "host-each-gpu"},
    {NODE, "16 * 13 / 4", "host-of-one-gpu"},
    {HYBRID, "3 * 24/32 * 2 * 34", "hsdp-flat"},
    {HYBRID, "2 * 7/8 * 2 * 34/8", "shard-ring"},
    {HYBRID, "2 * 3/4 * 2 * 34/32", "replica-world"},
    {HYBRID, "2 * 3/4 * 2 * 34/4", "fp32-legs replica-groups"},
    {HYBRID, "3 * 3/4 * 2 * 34/8", "replica-thrice"},
    {HYBRID, "2 * 3/4 * 2 * 34", "as-ddp not-shared"},
    {HYBRID, "2 * 31/32 * 2 * 34/8", "world-ring"},
    {HPZ, "16 * 34/32", "hpz-free"},
    {HPZ, "16 * 34/32 + 2 * 34", "hpz-whole"},
    {HPZ, "16 * 34/32 + 2 * 34/32", "hpz-world"},
    {HPZ, "16 * 34/32 + 4 * 34/8", "hpz-fp32"},
    {HPZ, "14 * 34/32 + 2 * 34/8", "no-grads hpz-instead"},
    {HPZ, "16 * 34/8", "hpz-as-hsdp"},
    {GATHERED, "82049600 * 2 / 1e6", "no-prefetch"},
    {GATHERED, "30740800 * 2 / 1e6", "ahead-only"},
    {GATHERED, "2 * 30740800 * 2 / 1e6", "block-for-largest"},
    {GATHERED, "(82049600 + 2 * 30740800) * 2 / 1e6", "one-more-ahead"},
    {GATHERED, "2 * 82049600 * 2 / 1e6", "largest-for-block"},
    {GATHERED, "(82049600 + 30740800) / 1e6", "gathered-elements"},
    {GATHERED, "(82049600 + 30740800) * 4 / 1e6", "gathered-fp32"},
    {GATHERED, "(82049600 + 30740800) * 2 / 8 / 1e6", "gathered-shared"},
    {GATHERED, "1557611200 * 2 / 8 / 1e6", "shard-gathered"},
    {GATHERED, "1557611200 * 2 / 1e6", "model-gathered"},
    {MEGATRON, "(2 + 2 + 4) * 34 + 12 * 34/16", "both-grads"},
    {MEGATRON, "2 * 34 + 16 * 34/16", "grads-sharded"},
    {MEGATRON, "4 * 34 + 12 * 34/16", "grads-16bit"},
    {LAYOUT, "4 * 34/4 + 12 * 34/4/16", "no-pipeline"},
    {LAYOUT, "4 * 34/2 + 12 * 34/2/32", "no-tensor"},
    {LAYOUT, "4 * 34 + 12 * 34/8", "not-split"},
    {LAYOUT, "4 * 34/8 + 12 * 34/8/64", "world-as-dp"},
    {STEP, "3 * 13 * 15/16 / 50", "elements-for-bytes"},
    {STEP, "3 * 2 * 13 * 15/16 / 400", "link-bits"},
    {STEP, "2 * 2 * 13 * 15/16 / 50", "one-gather"},
    {REDUCED, "2 * 15/16 * 4 * 7", "as-all-reduce"},
    {REDUCED, "15/16 * 2 * 7", "reduce-16bit"},
    {LAYER, "(34*1024*4*1600 + 2*25*1024*1024*4) / 1e6", "score-masks"},
    {LAYER, "(32*1024*4*1600 + 2*25*1024*1024*4) / 1e6", "masks"},
    {LOGITS, "4096 * 4 * 128256 / 1e9", "no-batch"},
    {LOGITS, "2 * 4096 * 4 * 128256 / 1e9", "logits-16bit"},
    {"quantity=params+master+moments params=13e9" PAPER, "16 * 13", "all-states"},
    {"quantity=params+master+moments params=13e9" PAPER, "12 * 13", "no-params"},
    {"quantity=grads params=13e9 gpus=32 stage=2" PAPER, "2 * 13 + 14 * 13/32", "all-states"},
    {"quantity=grads params=13e9 gpus=32 stage=2" PAPER, "13/32", "psi-shared"},
    {"quantity=params+grads params=7e9 gpus=16 stage=3 recipe=fsdp2", "(2 + 4 + 4) * 7/16",
     "both-params"},
    {"kind=shard quantity=first params=43 gpus=5 rank=3" PAPER, "26", "element-before"},
    {"kind=shard quantity=real params=43 gpus=5 rank=4" PAPER, "2", "padding-for-real"},
};

static void named(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_judgement j;
        account_judge(&p, rows[i].typed, &j);
        if (j.verdict != ACCOUNT_MISTAKE ||
            strcmp(mistakes_of(&j.diagnosis), rows[i].mistakes) != 0)
            fail_msg("%s: \"%s\" is %s, %s (%s), not %s", rows[i].problem, rows[i].typed, j.read_as,
                     account_verdict_name(j.verdict), mistakes_of(&j.diagnosis), rows[i].mistakes);
        for (size_t k = 0; k < j.diagnosis.count; k++)
            if (!strstr(j.diagnosis.match[k].arithmetic, " = ") || !j.diagnosis.match[k].wrong[0])
                fail_msg("\"%s\": %s / %s", rows[i].typed, j.diagnosis.match[k].arithmetic,
                         j.diagnosis.match[k].wrong);
    }
}

/* A mistake that is another recipe's truth is named nowhere else. */
static void only_where_it_is_one(void **state) {
    (void)state;
    static const struct {
        const char *problem, *id;
    } cases[] = {
        {BUCKETS, "deepspeed-traffic"},
        {STAGE_2, "paper-traffic"},
        {STAGE_3, "deepspeed-traffic"},
        {STAGE_3, "triple-traffic"},
        {LINK, "half-more"},
        {STAGE_2, "half-more"},
        {STAGE_2, "link-states"},
        {STAGE_2, "as-all-reduce"},
        {MEGATRON, "both-params"},
        {"params=34e9 gpus=16 stage=1" PAPER, "both-grads"},
        {"params=34e9 gpus=16 stage=1" PAPER, "all-states"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct account_problem p = problem_of(cases[i].problem);
        struct account_match m;
        if (account_mistake_value(&p, cases[i].id, &m))
            fail_msg("%s: %s yields %g", cases[i].problem, cases[i].id, m.value);
    }
}

/* What is gathered is shown unit by unit. */
static void units_in_the_working(void **state) {
    (void)state;
    struct account_problem p = problem_of(GATHERED);
    struct account_solution s;
    struct account_error e = {0};
    assert_true(account_solve(&p, &s, &e));
    assert_int_equal(s.lines, 3);
    assert_string_equal(s.line[0].label, "embeddings, in use");
    assert_string_equal(s.line[0].formula, "2 B × 82.0496e6");
    assert_string_equal(s.line[1].label, "blocks ahead");
    assert_same(s.line[0].value + s.line[1].value, s.value, "the sum");
    p = problem_of(GATHERED " quantity=gather+reduce");
    assert_true(account_solve(&p, &s, &e));
    assert_string_equal(s.line[0].label, "gathered");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named),
        cmocka_unit_test(only_where_it_is_one),
        cmocka_unit_test(units_in_the_working),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
