/* Mistakes: each is recognised from its own number, with the line of arithmetic that yields it. */
#include "account/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAGE_2 "params=7.5e9 gpus=64 gpus_per_node=4 stage=2"

static const struct {
    const char *problem;
    double value;
    const char *mistakes;
} named_rows[] = {
    {STAGE_2, 16.640625e9, ""},
    {STAGE_2, 16.6e9, ""},
    {STAGE_2, 16.17e9, "no-master"},
    {STAGE_2, 16.171875e9, "no-master"},
    {STAGE_2, 16.2e9, "no-master"},
    {STAGE_2, 16.41e9, "no-grads"},
    {STAGE_2, 16.875e9, "fp32-grads"},
    {STAGE_2, 31.640625e9, "fp32-params"},
    {STAGE_2, 21.56e9, "nodes"},
    {STAGE_2, 41.25e9, "per-node"},
    {STAGE_2, 31.40625e9, "grads-whole"},
    {STAGE_2, 1.875e9, "params-sharded"},
    {STAGE_2, 120e9, "none-sharded"},
    {STAGE_2, 17.109375e9, "extra-fp32-grads"},
    {STAGE_2, 17.1e9, "extra-fp32-grads"},
    {STAGE_2, 15.5e9, "gib-for-gb"},
    {STAGE_2, 15.498e9, "gib-for-gb"},
    {STAGE_2, 1065e9, "cluster"},
    {STAGE_2, 133.125e9, "bits"},
    {STAGE_2, 16640.6e9, "thousand-times"},
    {STAGE_2, 15e9, "weights-only"},
    {STAGE_2, 7.5e9, "psi-as-bytes"},
    {STAGE_2, 15.7e9, "pure-16bit"},
    {STAGE_2, 19e9, ""},
    {STAGE_2, 0, ""},
    {STAGE_2, -16.17e9, ""},
    {"params=7.5e9 gpus=64 gpus_per_node=8 stage=2", 28.1e9, "nodes per-node"},
    {"params=7.5e9 gpus=64 gpus_per_node=8 stage=2", 28.125e9, "nodes per-node"},
    {"params=7e9", 14e9, "weights-only"},
    {"params=7e9", 84e9, "no-master"},
    {"params=7e9", 28e9, "no-optimizer"},
    {"params=7e9 precision=fp32", 56e9, "fp32-as-16bit"},
    {"params=7e9 precision=fp32", 84e9, "no-grads"},
    {"params=7e9 quantity=moments", 28e9, "one-moment"},
    {"params=7e9 gpus=8 stage=0", 14e9, "weights-only"},
    {"params=13e9 gpus=8 stage=1", 208e9, "none-sharded"},
    {"params=13e9 gpus=8 stage=1", 48.75e9, "stage-high"},
    {"params=13e9 gpus=8 stage=3", 48.75e9, "stage-low"},
    {"params=13e9 gpus=8 stage=1 per=cluster", 71.5e9, "per-gpu"},
    {"kind=largest_params gpu=h100-80g", 5e9, "label-bytes"},
    {"kind=largest_params gpu=h100-80g budget=80GB", 5.308e9, "usable-bytes"},
    {"kind=largest_params gpu=h100-80g budget=80GB", 5.345e9, "driver-bytes"},
    {"kind=largest_params budget=80GB", 5.3687e9, "budget-unit"},
    {"kind=largest_params budget=16GB", 0.93e9, "budget-converted"},
    {"kind=largest_params budget=16GiB", 1.153e9, "budget-converted"},
    {"kind=largest_params budget=16GiB", 1e9, "budget-unit"},
    {"kind=largest_params budget=80GB", 40e9, "weights-only"},
    {"kind=fewest_gpus params=13e9 budget=80GB stage=2", 3, "no-master"},
    {"kind=fewest_gpus params=13e9 budget=24GB stage=3", 8, "gpus-rounded-down"}, /* 8.7, so 9 */
    {"kind=fewest_gpus params=10e9 budget=80GB stage=3", 1, "weights-only"}, /* 2, without a rest */
    /* of one category: what is made in it comes before what needs the whole sheet */
    {"params=70e9 gpus=16 stage=1 quantity=moments", 560e9, "none-sharded"},
    {"params=70e9 gpus=16 stage=1 quantity=grads", 8.75e9, "grads-sharded"},
    {"kind=traffic params=8e9 gpus=8 stage=1 quantity=all_gather", 16e9, "ring-whole"},
    {"kind=convert budget=80GB unit=GiB", 80 * 1073741824.0, "gb-for-gib"},
    {"kind=convert budget=80GB unit=GiB", 85.9 * 1073741824.0, "backwards"},
    {"kind=convert budget=80GiB unit=GB", 80e9, "gib-for-gb"},
    {"params=7e9 precision=fp32", 14e9, "weights-16bit"},
    {"params=7e9 precision=fp32", 140e9, "extra-master"},
    {"params=7e9 precision=bf16", 84e9, "extra-master"},
    {"params=7e9 gpus=8 stage=1 precision=fp32", 66.5e9, "extra-master"},
    {"params=7e9 precision=fp32 quantity=params", 14e9, ""},
    {"params=34e9 stage=2 offload_optimizer=host", 204e9, ""},
    {"kind=largest_params budget=80GB precision=fp32", 40e9, "weights-16bit"},
    {"kind=largest_params budget=80GB precision=fp32", 4e9, "extra-master"},
    {"params=20e9 unit=GiB", 343.6 * 1073741824.0, "backwards"},
    {"params=20e9 unit=GiB", 305175.78 * 1073741824.0, "1024-times"},
    {"params=20e9 unit=GiB", 0.29104 * 1073741824.0, "1024th"},
    {"params=20e9 unit=GiB", 298023 * 1073741824.0, "thousand-times"},
    {"params=20e9", 343.6e9, "twin-unit"},
    {"params=20e9", 327680e9, ""},
    {"params=7e9", 1120e9, "ten-times"},
    {"params=7e9", 11.2e9, "tenth"},
    {"kind=bytes_per_param", 1.6, "tenth"},
    {"kind=largest_params budget=80GB", 50e9, "ten-times"},
    {"kind=bytes_per_param", 18, "fp32-grads"},
    {"params=14e9 optimizer=sgd-momentum", 224e9, "two-moments"},
    {"params=14e9 optimizer=lion", 16 * 14e9, "two-moments"},
    {"params=14e9 optimizer=muon gpus=8 stage=1", 77e9, "two-moments"},
    {"params=14e9 optimizer=lion precision=fp32", 224e9, "two-moments"},
    {"kind=bytes_per_param optimizer=sgd-momentum", 16, "two-moments"},
    {"kind=largest_params budget=80GB optimizer=lion", 5e9, "two-moments"},
    {"params=14e9 optimizer=sgd-momentum", 18 * 14e9, ""},
    {"model=llama-2-7b optimizer=adafactor", 107.8e9, "adam-moments"},
    {"kind=bytes_per_param", 20, "extra-fp32-grads"},
};

static void named(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof named_rows / sizeof *named_rows; i++) {
        struct account_problem p = problem_of(named_rows[i].problem);
        struct account_diagnosis d;
        account_diagnose(&p, named_rows[i].value, &d);
        if (strcmp(mistakes_of(&d), named_rows[i].mistakes) != 0)
            fail_msg("%s, %g: \"%s\", wanted \"%s\"", named_rows[i].problem, named_rows[i].value,
                     mistakes_of(&d), named_rows[i].mistakes);
    }
}

static void explained(void **state) {
    (void)state;
    static const struct {
        const char *problem, *id, *arithmetic, *wrong;
    } rows[] = {
        {"params=13e9 gpus=16 stage=2", "no-master",
         "2 B × 13e9 + (2 + 8) B × 13e9 ÷ 16 = 34.13 GB",
         "grads 2, moments 8; the master copy's 4 are missing"},
        {STAGE_2, "nodes", "2 B × 7.5e9 + (2 + 4 + 8) B × 7.5e9 ÷ 16 = 21.56 GB",
         "÷ 16 nodes; the shards are spread over all 64 GPUs"},
        {STAGE_2, "per-node", "2 B × 7.5e9 + (2 + 4 + 8) B × 7.5e9 ÷ 4 = 41.25 GB",
         "÷ the 4 GPUs of one node; the shards are spread over all 64"},
        {STAGE_2, "gib-for-gb", "16.640625e9 B ÷ 2^30 = 15.5 GiB",
         "the number is right in GiB; the question asks for GB"},
        {STAGE_2, "grads-whole", "(2 + 2) B × 7.5e9 + (4 + 8) B × 7.5e9 ÷ 64 = 31.41 GB",
         "grads 2 B whole, as in stage 1; stage 2 divides them by 64"},
        {"kind=traffic params=20e9 gpus=4 stage=3 accumulate=2", "accumulation-free",
         "2 × 3/4 × 2 B × 20e9 + 3/4 × 2 B × 20e9 = 90 GB", "× 2 (micro-batches) left out"},
        {STAGE_2, "cluster", "64 × (2 B × 7.5e9 + (2 + 4 + 8) B × 7.5e9 ÷ 64) = 1065 GB",
         "64 GPUs added up; the question asks for one"},
        {STAGE_2, "bits", "16.641 GB × 8 = 133.1 GB", "8 times too large"},
        {STAGE_2, "thousand-times", "16.641 GB × 1000 = 16641 GB", "1000 times too large"},
        {"model=llama-2-13b", "weights-only", "2 B × 13.01586432e9 = 26.03 GB",
         "missing: grads 2, master copy 4, moments 8 B per parameter"},
        {"params=7e9 gpus=8 stage=1", "extra-fp32-grads",
         "(2 + 6) B × 7e9 + (4 + 8) B × 7e9 ÷ 8 = 66.5 GB",
         "grads 2 + 4 B: the paper recipe keeps no fp32 copy of them between steps"},
        {"kind=largest_params budget=80GB gpus=8 stage=2", "no-master",
         "80 GB ÷ (2 B + (2 + 8) B ÷ 8) = 24.62 billion parameters",
         "grads 2, moments 8; the master copy's 4 are missing"},
        {"kind=fewest_gpus params=30e9 budget=80GB stage=2", "params-sharded",
         "(2 + 2 + 4 + 8) B × 30e9 ÷ 80 GB, rounded up = 6 GPUs",
         "parameters 2 B ÷ N, as in stage 3; in stage 2 each GPU keeps them whole"},
        {"kind=convert budget=80GB unit=GiB", "backwards", "80 GB × 2^30 ÷ 1e9 = 85.9 GiB",
         "that many GiB would be more bytes"},
        {"params=7e9", "no-master", "(2 + 2 + 8) B × 7e9 = 84 GB",
         "parameters 2, grads 2, moments 8; the master copy's 4 are missing"},
        {"params=7e9 optimizer=lion", "no-master", "(2 + 2 + 4) B × 7e9 = 56 GB",
         "parameters 2, grads 2, moments 4; the master copy's 4 are missing"},
        {"params=34e9 gpus=64 hpz=8 stage=3", "no-params", "(2 + 4 + 8) B × 34e9 ÷ 64 = 7.438 GB",
         "missing: parameters 2, second copy 2 B per parameter"},
        {"params=7e9 precision=fp32", "weights-16bit", "2 B × 7e9 = 14 GB",
         "parameters taken at 2 B; with fp32 they take 4; the rest is missing"},
        {"params=7e9 precision=fp32", "extra-master", "(4 + 4 + 8 + 4) B × 7e9 = 140 GB",
         "a master copy at 4 B: fp32 has none"},
        {"params=20e9 unit=GiB", "backwards", "320 GB × 2^30 ÷ 1e9 = 343.6 GiB",
         "that many GiB would be more bytes"},
        {"params=20e9 unit=GiB", "1024-times", "298.02 GiB × 1024 = 305176 GiB",
         "1024 times too large"},
        {"params=7e9", "tenth", "112 GB ÷ 10 = 11.2 GB", "10 times too small"},
        {"kind=largest_params budget=40GB", "no-master",
         "40 GB ÷ (2 + 2 + 8) B = 3.333 billion parameters",
         "parameters 2, grads 2, moments 8; the master copy's 4 are missing"},
        {"kind=largest_params budget=40GB", "weights-only", "40 GB ÷ 2 B = 20 billion parameters",
         "missing: grads 2, master copy 4, moments 8 B per parameter"},
        {"params=7e9", "fp32-grads", "(2 + 4 + 4 + 8) B × 7e9 = 126 GB",
         "grads taken at 4 B; with mixed precision (bf16) they take 2"},
        {"params=7e9 quantity=moments", "one-moment", "4 B × 7e9 = 28 GB",
         "one moment, 4 B; AdamW keeps two of them"},
        {"params=7e9 gpus=8 stage=2 recipe=fsdp2", "paper-recipe",
         "2 B × 7e9 + (2 + 4 + 8) B × 7e9 ÷ 8 = 26.25 GB",
         "the paper's copies and collectives; FSDP2 has its own"},
        {"kind=largest_params gpu=h100-80g", "label-bytes",
         "80 GB ÷ (2 + 2 + 4 + 8) B = 5 billion parameters",
         "80 GB on the label; PyTorch reports 84.933 GB"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_match m;
        if (!account_mistake_value(&p, rows[i].id, &m))
            fail_msg("%s: no %s", rows[i].problem, rows[i].id);
        assert_string_equal(m.arithmetic, rows[i].arithmetic);
        assert_string_equal(m.wrong, rows[i].wrong);
    }
}

/* One number, several mistakes: none of them is said to be certain. */
static void named_as_either_or(void **state) {
    static const struct {
        const char *problem;
        double value;
        const char *names;
    } rows[] = {
        {"params=13e9 gpus=8 stage=1", 48.75e9, "the stage was taken one too high"},
        {STAGE_2, 31.4e9, "the gradients were not divided"},
        {"params=7e9", 84e9,
         "either the fp32 master copy was forgotten, or the moments were counted once, or the "
         "moments were counted at 2 bytes each"},
        {"params=7e9 gpus=64 gpus_per_node=8 stage=2", 26.25e9,
         "either N was taken as the number of nodes, or N was taken as the GPUs of one node"},
        /* an eighth of 112 GB as well, which is far-fetched */
        {"params=7e9", 14e9, "only the parameters were counted"},
        {"params=7e9", 78.23e9,
         "either the fp32 master copy was forgotten, or the moments were counted once, or the "
         "moments were counted at 2 bytes each; and the number is right in binary units"},
        {"params=7e9 gpus=8", 19e9, ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_diagnosis d;
        char names[512];
        account_diagnose(&p, rows[i].value, &d);
        assert_string_equal(account_diagnosis_names(&d, names, sizeof names), rows[i].names);
    }
}

static void ids_are_unique(void **state) {
    (void)state;
    size_t count;
    const struct account_mistake *m = account_mistakes(&count);
    assert_true(count >= 12);
    for (size_t i = 0; i < count; i++) {
        assert_true(strlen(m[i].id) < 24 &&
                    strspn(m[i].id, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(m[i].id));
        assert_true(strlen(m[i].name) > 8 && m[i].explain[strlen(m[i].explain) - 1] == '.');
        for (size_t j = 0; j < i; j++) assert_string_not_equal(m[i].id, m[j].id);
    }
    struct account_problem p = problem_of(STAGE_2);
    struct account_match match;
    assert_false(account_mistake_value(&p, "bad-luck", &match));
}

/* ── of every problem ──────────────────────────────────────────────────────────────────────────*/

static struct account_problem any_problem(uint64_t *seed) {
    static const char *const quantities[] = {"model_state", "optimizer", "params+grads",
                                             "moments",     "total",     "grads"};
    static const char *const precisions[] = {"mixed-bf16", "mixed-fp16", "fp32", "bf16"};
    static const char *const optimizers[] = {"adamw", "adam8bit", "sgd-momentum", "lion"};
    static const char *const units[] = {"GB", "GiB", "MB"};
    static const char *const budgets[] = {"40GB", "80GB", "80GiB", "141GB"};
    char text[300];
    unsigned kind = (unsigned)(chance(seed) % 8), node = 1u << chance(seed) % 4,
             nodes = 1 + (unsigned)(chance(seed) % 32);
    snprintf(text, sizeof text,
             "params=%lluM gpus=%u gpus_per_node=%u stage=%u precision=%s optimizer=%s quantity=%s",
             (unsigned long long)(350 + chance(seed) % 175000), node * nodes, node,
             (unsigned)(chance(seed) % 4), precisions[chance(seed) % 4],
             optimizers[chance(seed) % 4], quantities[chance(seed) % 6]);
    struct account_problem p = problem_of(text);
    const char *budget = budgets[chance(seed) % 4];
    if (kind < 4)
        assert_true(account_problem_set(&p, "unit", units[chance(seed) % 3], NULL));
    else
        assert_true(account_problem_set(&p, "budget", budget, NULL));
    if (kind == 3) p.cluster = true;
    if (kind == 4) p.kind = ACCOUNT_ASK_LARGEST_PARAMS;
    if (kind == 5) p.kind = ACCOUNT_ASK_FEWEST_GPUS;
    if (kind == 6) p.kind = ACCOUNT_ASK_CONVERT;
    if (kind == 7) p.kind = ACCOUNT_ASK_BYTES_PER_PARAM;
    return p;
}

struct tally {
    size_t problems, told[ACCOUNT_KINDS], named[ACCOUNT_KINDS], alone[ACCOUNT_KINDS];
};

static void tally_mistakes(const struct account_problem *p, const char *truth, struct tally *t) {
    size_t count;
    const struct account_mistake *m = account_mistakes(&count);
    for (size_t i = 0; i < count; i++) {
        struct account_match match;
        struct account_diagnosis d;
        if (!account_mistake_value(p, m[i].id, &match)) continue;
        if (!strstr(match.arithmetic, " = ") || !match.wrong[0])
            fail_msg("%s: %s / %s", m[i].id, match.arithmetic, match.wrong);
        account_diagnose(p, match.value, &d);
        t->told[p->kind]++;
        if (d.count == 0)
            fail_msg("%s: %s is not recognised: %s", truth, m[i].id, match.arithmetic);
        for (size_t j = 0; j < d.count; j++) t->named[p->kind] += d.match[j].mistake == &m[i];
        t->alone[p->kind] += d.count == 1;
    }
}

static void every_mistake_is_recognised(void **state) {
    (void)state;
    uint64_t seed = 5;
    struct tally t = {0};
    while (t.problems < 2000) {
        struct account_problem p = any_problem(&seed);
        struct account_solution s;
        struct account_diagnosis d;
        struct account_judgement j;
        char text[64];
        if (!account_solve(&p, &s, NULL)) continue;
        t.problems++;
        account_diagnose(&p, s.value, &d);
        assert_int_equal(d.count, 0);
        for (int digits = 3; digits < 8; digits++) {
            account_judge(&p,
                          account_print(text, sizeof text, s.value, s.unit,
                                        digits < 12 && s.unit != ACCOUNT_UNIT_GPUS ? digits : 12),
                          &j);
            if (j.verdict != ACCOUNT_RIGHT)
                fail_msg("%s is %s", text, account_verdict_name(j.verdict));
        }
        tally_mistakes(&p, text, &t);
    }
    for (size_t k = 0; k < ACCOUNT_KINDS; k++) {
        if (getenv("TALLY") && t.told[k])
            printf("# kind %zu: %zu mistakes, %zu alone\n", k, t.told[k], t.alone[k]);
        assert_int_equal(t.named[k], t.told[k]);
        if (t.alone[k] * 100 < t.told[k] * 95)
            fail_msg("kind %zu: %zu of %zu alone", k, t.alone[k], t.told[k]);
    }
}

/* ── separation ────────────────────────────────────────────────────────────────────────────────*/

static void separation(void **state) {
    (void)state;
    static const struct {
        const char *problem, *about[3];
        /* NULL: legal */
        const char *missing;
    } rows[] = {
        {STAGE_2, {"no-master", "nodes", "per-node"}, NULL},
        {"params=7.5e9 gpus=64 gpus_per_node=8 stage=2", {"nodes", "per-node"}, "per-node"},
        {"params=7.5e9 gpus=64 gpus_per_node=8 stage=2", {"nodes", "gib-for-gb"}, NULL},
        /* one node */
        {"params=7.5e9 gpus=64 stage=2", {"no-master", "nodes"}, "nodes"},
        {"params=7e9 gpus=8 stage=0", {"none-sharded"}, "none-sharded"},
        /* taken for the master copy */
        {"params=7e9", {"one-moment"}, "one-moment"},
        {"params=7e9 precision=fp32", {"no-master"}, "no-master"},
        {"params=7e9", {"pure-16bit", "no-moments"}, "no-moments"},
        {"params=7e9", {"no-such-mistake"}, "no-such-mistake"},
        /* 15.10 and 15.07 */
        {"params=7.5e9 gpus=1024 stage=2", {"no-master"}, "no-master"},
        {"params=7e9", {NULL}, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_separation s;
        size_t count = 0;
        while (count < 3 && rows[i].about[count]) count++;
        account_separate(&p, rows[i].about, count, &s);
        assert_string_equal(s.missing, rows[i].missing ? rows[i].missing : "");
        assert_int_equal(s.legal, !rows[i].missing);
        assert_true(s.tolerance >= 0.001 && s.tolerance <= 0.005 && s.distance >= 0);
        assert_true(s.a[0] && s.b[0]);
    }
}

/* How far the nearest mistake is, worked out by hand. */
static void clearance(void **state) {
    static const struct {
        const char *problem;
        double away;
    } rows[] = {
        /* 16 bytes a parameter; 14 without the gradients */
        {"params=7e9", 2 / 16.0},
        /* 4 + 4 + 8; 12 without the gradients, or without the parameters */
        {"params=7e9 precision=fp32", 4 / 16.0},
        /* 15 + 1.640625 GB; 15 + 1.40625 without the gradients */
        {STAGE_2, 0.234375 / 16.640625},
        /* GiB and GB are 7% apart, and here that is the question */
        {"params=7e9 precision=fp32 unit=GiB", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        double away = account_clearance(&p), off = away - rows[i].away;
        if (off < -1e-9 || off > 1e-9) fail_msg("%s: %.10g", rows[i].problem, away);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named),
        cmocka_unit_test(explained),
        cmocka_unit_test(named_as_either_or),
        cmocka_unit_test(ids_are_unique),
        cmocka_unit_test(every_mistake_is_recognised),
        cmocka_unit_test(separation),
        cmocka_unit_test(clearance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
