/* Random problems of every kind: each mistake is recognised from its own number, the truth is no
 * mistake, and what is too close to be told apart is left out. */
#include "account/check.h"
#include "account/problems/diagnose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBLEMS 2000 /* of each kind */

/* ── problems ──────────────────────────────────────────────────────────────────────────────────*/

static const char *any(uint64_t *seed, const char *const *words) {
    size_t count = 0;
    while (words[count]) count++;
    return words[chance(seed) % count];
}
#define ANY(seed, ...) any(seed, (const char *const[]){__VA_ARGS__, NULL})

/* Each kind with the fields it varies: a field whose text stands several times is likelier to be
 * that. */
static const struct {
    const char *kind;
    const char *field[24][12];
} kinds[] = {
    {"bytes",
     {{"quantity", "model_state", "model_state", "optimizer", "params+grads", "moments", "total"},
      {"unit", "GB", "GB", "GiB", "MB"},
      {"per", "gpu", "gpu", "gpu", "cluster"},
      {"optimizer", "adamw", "adamw", "adam8bit", "lion", "sgd-momentum"},
      {"precision", "mixed-bf16", "mixed-bf16", "mixed-fp16", "fp32", "bf16"},
      {"recipe", "paper", "paper", "paper", "deepspeed", "megatron", "fsdp2", "llm.c"},
      {"tp", "1", "1", "1", "2"},
      {"pp", "1", "1", "1", "2"},
      {"shard_group", "0", "0", "0", "8"},
      {"hpz", "0", "0", "0", "4"},
      {"offload_optimizer", "none", "none", "none", "host"},
      {"lora", "0", "0", "0", "0", "8"}}},
    {"bytes", {{"qlora", "8"}, {"model", "llama-2-7b", "mistral-7b"}}},
    {"bytes_per_param",
     {{"quantity", "model_state", "optimizer", "params+grads"},
      {"optimizer", "adamw", "adamw", "adam8bit", "lion"},
      {"precision", "mixed-bf16", "mixed-fp16", "fp32", "bf16"}}},
    {"largest_params",
     {{"budget", "40GB", "80GB", "80GiB", "141GB"},
      {"optimizer", "adamw", "lion"},
      {"precision", "mixed-bf16", "fp32", "bf16"}}},
    {"largest_params", {{"gpu", "h100-80g", "a100-80g"}}},
    {"largest_params", {{"gpu", "h100-80g"}, {"budget", "80GB"}}},
    {"fewest_gpus", {{"budget", "40GB", "80GB", "141GB"}, {"precision", "mixed-bf16", "fp32"}}},
    {"convert", {{"budget", "40GB", "80GiB", "81559MiB", "141GB"}, {"unit", "GB", "GiB"}}},
    {"traffic",
     {{"quantity", "total", "total", "all_gather", "reduce_scatter", "all_reduce", "between",
       "inside"},
      {"unit", "GB", "GB", "GiB"},
      {"recipe", "paper", "paper", "paper", "deepspeed", "megatron", "fsdp2"},
      {"accumulate", "1", "1", "4", "8"},
      {"reduce_dtype", "auto", "auto", "fp32"},
      {"shard_group", "0", "0", "0", "8"},
      {"tp", "1", "1", "1", "2"}}},
    {"traffic",
     {{"quantity", "total"},
      {"model", "llama-2-7b", "gpt2-xl"},
      {"tp", "2", "4"},
      {"sp", "on", "off"},
      {"batch", "1", "4"},
      {"seq", "2048"}}},
    {"volume", {{"accumulate", "1", "4", "8"}, {"recipe", "paper", "deepspeed", "fsdp2"}}},
    {"seconds",
     {{"quantity", "total", "total", "all_gather", "all_reduce"},
      {"unit", "s", "ms"},
      {"accumulate", "1", "1", "4"},
      {"link", "nvlink3", "nvlink4", "300GB/s"},
      {"net", "ib-ndr", "25GB/s", "50GB/s"}}},
    {"seconds",
     {{"quantity", "all_gather", "all_reduce", "reduce_scatter"},
      {"budget", "1MB", "64KB", "14GB", "700MB"},
      {"unit", "ms"},
      {"link", "nvlink3", "nvlink4", "300GB/s"},
      {"net", "ib-ndr", "25GB/s", "50GB/s"}}},
    {"seconds",
     {{"quantity", "offload"},
      {"offload_optimizer", "host"},
      {"gpu", "a100-80g", "h100-80g"},
      {"accumulate", "1", "4"}}},
    {"traffic", {{"quantity", "offload"}, {"offload_optimizer", "host"}, {"accumulate", "1", "4"}}},
    {"activations",
     {{"quantity", "total", "layer", "layers", "logits", "working"},
      {"batch", "1", "2", "4", "8"},
      {"seq", "1024", "2048", "4096", "8192"},
      {"checkpoint", "none", "none", "selective", "full"},
      {"flash", "on", "off"},
      {"dropout", "on", "off"},
      {"tp", "1", "1", "2", "4"},
      {"pp", "1", "1", "2"},
      {"sp", "off", "on"},
      {"accumulate", "1", "4"}}},
    {"peak",
     {{"quantity", "total"},
      {"batch", "1", "2"},
      {"seq", "1024", "4096"},
      {"recipe", "paper", "deepspeed", "fsdp2", "zerolab"},
      {"hpz", "0", "0", "4"},
      {"lora", "0", "0", "0", "8"},
      {"offload_optimizer", "none", "none", "none", "host"},
      {"accumulate", "1", "4"}}},
    {"peak", {{"quantity", "reduce"}, {"recipe", "deepspeed"}, {"bucket", "5e8", "2e8"}}},
    {"peak",
     {{"quantity", "gather"},
      {"unit", "MB"},
      {"stage", "3"},
      {"recipe", "zerolab"},
      {"model", "gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl"},
      {"batch", "1"},
      {"seq", "1024"},
      {"prefetch", "0", "1", "2", "2"}}},
    {"bytes",
     {{"quantity", "params+master+moments"}, {"offload_optimizer", "none", "none", "host"}}},
    {"host", {{"offload_optimizer", "host"}, {"recipe", "paper", "deepspeed"}}},
    {"shard", {{"quantity", "size", "first", "real", "padding"}}},
    {"bytes", {{"optimizer", "adafactor"}, {"model", "llama-2-7b", "gpt2-xl"}}},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static bool set(struct account_problem *p, const char *field, const char *text) {
    struct account_error e = {0};
    if (account_problem_set(p, field, text, &e)) return true;
    fail_msg("%s=%s: %s", field, text, e.what);
    return false;
}

static void set_number(struct account_problem *p, const char *field, uint64_t n) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)n);
    set(p, field, text);
}

static struct account_problem random_problem(size_t k, uint64_t *seed) {
    struct account_problem p = account_problem_default();
    bool shard = strcmp(kinds[k].kind, "shard") == 0;
    bool shaped = strcmp(kinds[k].kind, "activations") == 0 || strcmp(kinds[k].kind, "peak") == 0;
    uint64_t node = 1u << (1 + chance(seed) % 3), nodes = 1u << chance(seed) % 5;
    set(&p, "kind", kinds[k].kind);
    if (shaped || chance(seed) % 4 == 0)
        set(&p, "model",
            ANY(seed, "gpt2-xl", "llama-2-7b", "llama-2-13b", "llama-3-8b", "mistral-7b"));
    else
        set_number(&p, "params",
                   shard ? 8 + chance(seed) % 90 : (350 + chance(seed) % 175000) * 1000000);
    set_number(&p, "gpus", shard ? 2 + chance(seed) % 7 : node * nodes);
    if (!shard) set_number(&p, "gpus_per_node", node);
    if (shard) set_number(&p, "rank", chance(seed) % p.training.gpus);
    set_number(&p, "stage", chance(seed) % 4);
    for (size_t f = 0; kinds[k].field[f][0]; f++)
        set(&p, kinds[k].field[f][0], any(seed, &kinds[k].field[f][1]));
    return p;
}

/* ── what holds of each ────────────────────────────────────────────────────────────────────────*/

struct tally {
    size_t told, alone, merged;
    /* by mistake */
    size_t seen[256];
};

static void describe(const struct account_problem *p, char *out, size_t size) {
    size_t count, used = 0;
    const struct account_field *f = account_fields(&count);
    static const char *const own[] = {"kind", "quantity", "per", "unit", "budget", "rank"};
    char value[64];
    for (size_t i = 0; i < sizeof own / sizeof *own && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s=%s ", own[i],
                                 account_problem_get(p, own[i], value, sizeof value));
    for (size_t i = 0; i < count && used < size; i++)
        if (!account_is_default(&p->training, f[i].name))
            used += (size_t)snprintf(out + used, size - used, "%s=%s ", f[i].name,
                                     account_get(&p->training, f[i].name, value, sizeof value));
}

static void check_mistakes(const struct account_variant *v, struct tally *t) {
    size_t rows, found[ACCOUNT_MATCHES];
    const struct account_mistake *names = account_mistakes(&rows);
    for (size_t i = 0; i < v->count; i++) {
        size_t count = account_variant_find(v, v->told[i].value, found);
        bool named = false;
        for (size_t k = 0; k < count; k++) named |= found[k] == i;
        if (!named && count < ACCOUNT_MATCHES) {
            char text[600];
            describe(v->problem, text, sizeof text);
            fail_msg("%s: %s is not recognised", text, names[v->told[i].row].id);
        }
        bool one = true;
        for (size_t k = 0; k < count; k++)
            one &= account_distance(v->told[found[k]].value, v->told[i].value) < 1e-9;
        t->told++;
        t->alone += count == 1;
        t->merged += one;
        t->seen[v->told[i].row]++;
    }
}

/* min(0.5 %, a quarter of the distance to the nearest mistake), never under 0.1 %, and nothing
 * nearer than four of those. */
static void check_tolerance(const struct account_variant *v) {
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < v->count; i++)
        nearest = fmin(nearest, account_distance(v->told[i].value, v->truth));
    assert_true(v->tolerance >= 0.001 && v->tolerance <= 0.005);
    if (v->unit == ACCOUNT_UNIT_GPUS) return;
    assert_true(nearest >= 0.004);
    assert_true(v->tolerance <= nearest / 4 || v->tolerance == 0.001);
}

static void check_truth(const struct account_variant *v) {
    size_t found[ACCOUNT_MATCHES];
    struct account_diagnosis pair;
    double scale = account_unit_scale(v->unit), off[] = {0, 0.9, -0.9};
    for (size_t i = 0; i < 3; i++) {
        double value = v->truth * (1 + off[i] * v->tolerance);
        if (v->unit == ACCOUNT_UNIT_GPUS && i > 0) break;
        assert_int_equal(account_variant_find(v, value, found), 0);
        account_variant_pair(v, value, &pair);
        assert_int_equal(pair.count, 0);
    }
    assert_true(account_is_right(v->truth, v->truth, v->unit, v->tolerance) && scale > 0);
}

static void every_mistake_is_recognised(void **state) {
    (void)state;
    static struct tally all;
    for (size_t k = 0; k < KINDS; k++) {
        uint64_t seed = 100 + k;
        struct tally t = {0};
        size_t asked = 0;
        for (size_t tries = 0; asked < PROBLEMS; tries++) {
            if (tries == 100 * PROBLEMS)
                fail_msg("%s: hardly a problem can be asked", kinds[k].kind);
            struct account_problem p = random_problem(k, &seed);
            struct account_variant v;
            if (!account_variant(&p, &v)) continue;
            asked++;
            check_mistakes(&v, &t);
            check_tolerance(&v);
            check_truth(&v);
        }
        if (getenv("TALLY"))
            printf("# %-16s %zu mistakes told, %.1f %% alone, %.1f with those of the same number\n",
                   kinds[k].kind, t.told, 100 * (double)t.alone / (double)t.told,
                   100 * (double)t.merged / (double)t.told);
        if (t.alone * 100 < t.told * 95)
            fail_msg("%s: %zu of %zu alone", kinds[k].kind, t.alone, t.told);
        for (size_t i = 0; i < 256; i++) all.seen[i] += t.seen[i];
        all.told += t.told;
        all.merged += t.merged;
        all.alone += t.alone;
    }
    size_t rows;
    const struct account_mistake *names = account_mistakes(&rows);
    assert_true(rows >= 40);
    for (size_t i = 0; i < rows; i++)
        if (all.seen[i] == 0) fail_msg("no problem of all these tells %s", names[i].id);
    if (getenv("TALLY"))
        printf("# all: %zu, %.2f %% alone\n", all.told, 100 * (double)all.alone / (double)all.told);
    /* where two that are as common make the very same number, it is either … or … */
    assert_true(all.merged * 100 >= all.told * 99);
    assert_true(all.alone * 100 >= all.told * 95);
}

/* ── by the public header
 * ──────────────────────────────────────────────────────────────────────────*/

static void check_text(const struct account_problem *p, const struct account_mistake *m) {
    struct account_match match;
    struct account_diagnosis d;
    char text[600];
    if (!account_mistake_value(p, m->id, &match)) return;
    describe(p, text, sizeof text);
    const char *equals = strstr(match.arithmetic, " = ");
    if (!equals || !equals[3] || !match.wrong[0] || strlen(match.wrong) > 118)
        fail_msg("%s: %s: %s / %s", text, m->id, match.arithmetic, match.wrong);
    account_diagnose(p, match.value, &d);
    if (d.count == 0 || d.match[0].also) fail_msg("%s: %s: not diagnosed", text, m->id);
}

/* The working ends in the answer, its parts add up to it, and it is right when it is typed. */
static void check_working(const struct account_problem *p, const struct account_solution *s) {
    char text[600];
    struct account_judgement j;
    describe(p, text, sizeof text);
    assert_same(s->line[s->lines - 1].value, s->value, text);
    double all_given[ACCOUNT_LINES];
    for (size_t i = 0; i < s->lines; i++) all_given[i] = s->line[i].value;
    for (size_t i = 0; i < s->lines; i++) {
        assert_same(account_carry(p, s, i, all_given), s->line[i].value, text);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(s->line[k].id, s->line[i].id);
        if (strchr(s->line[i].formula, ',') || !s->line[i].formula[0]) continue;
        account_judge_line(p, s, i, NULL, s->line[i].formula, &j);
        if (j.verdict != ACCOUNT_RIGHT && s->line[i].unit != ACCOUNT_UNIT_GPUS)
            fail_msg("%s: line %s, \"%s\": %s, %s", text, s->line[i].id, s->line[i].formula,
                     account_verdict_name(j.verdict), j.note);
    }
}

static void texts_and_workings(void **state) {
    (void)state;
    size_t rows;
    const struct account_mistake *names = account_mistakes(&rows);
    for (size_t k = 0; k < KINDS; k++) {
        uint64_t seed = 500 + k;
        for (size_t asked = 0; asked < 60;) {
            struct account_problem p = random_problem(k, &seed);
            struct account_solution s;
            struct account_judgement j;
            char typed[64];
            if (!account_solve(&p, &s, NULL)) continue;
            asked++;
            check_working(&p, &s);
            for (size_t i = 0; i < rows; i++) check_text(&p, &names[i]);
            for (int digits = 3; digits <= 6; digits++) {
                int enough = s.unit == ACCOUNT_UNIT_GPUS ? 12 : digits;
                account_judge(&p, account_print(typed, sizeof typed, s.value, s.unit, enough), &j);
                if (j.verdict != ACCOUNT_RIGHT)
                    fail_msg("%s: %s is %s", kinds[k].kind, typed, account_verdict_name(j.verdict));
            }
        }
    }
}

/* ── what people get wrong, with the numbers they get ──────────────────────────────────────────*/

#define SEVEN "model=llama-2-7b gpus=8 "
#define GPT_3                                                                                      \
    "model=gpt-3 gpus=64 tp=8 pp=8 sp=on checkpoint=selective flash=off dropout=on batch=1 "       \
    "seq=2048 accumulate=8 "

#define SHARDED_IN_NODES "model=llama-2-7b gpus=64 gpus_per_node=8 shard_group=8 stage=3 "

static void known_numbers(void **state) {
    (void)state;
    static const struct {
        const char *problem;
        double right;
        const char *mistake;
        double wrong;
    } rows[] = {
        {SEVEN "kind=traffic stage=3", 35.38e9, "triple-traffic", 70.75e9},
        {SEVEN "kind=traffic", 23.58e9, "all-reduce-once", 11.79e9},
        {SEVEN "kind=traffic stage=2", 23.58e9, "half-more", 35.38e9},
        {SEVEN "kind=traffic stage=3 accumulate=8", 283.01e9, "accumulation-free", 35.38e9},
        {SEVEN "kind=traffic stage=3 reduce_dtype=fp32", 47.17e9, "reduce-16bit", 35.38e9},
        {"kind=traffic model=llama-2-7b gpus=2", 13.48e9, "ring-whole", 26.95e9},
        {"kind=seconds quantity=all_reduce budget=13.476831232GB gpus=8 gpus_per_node=1 net=50GB/s "
         "link=300GB/s",
         0.4717, "link-bits", 0.05896},
        {"kind=seconds quantity=all_reduce budget=13.476831232GB gpus=8 link=450GB/s", 0.05241,
         "both-directions", 0.02621},
        {"model=llama-2-70b gpus=64 tp=8 stage=3 quantity=params", 2.156e9, "world-as-dp",
         0.2694e9},
        {SHARDED_IN_NODES, 13.48e9, "hsdp-world", 1.685e9},
        {"model=llama-2-7b gpus=64 gpus_per_node=8 hpz=8 stage=3", 3.37e9, "hpz-free", 1.685e9},
        {SEVEN "kind=host stage=2 offload_optimizer=host", 107.81e9, "model-file", 13.48e9},
        {SEVEN "optimizer=adam8bit", 67.59e9, "adam8-quarter", 26.95e9},
        {SEVEN "kind=bytes", 107.81e9, "name-count", 112e9},
        {"kind=peak quantity=reduce params=7e9 gpus=8 recipe=deepspeed stage=2 bucket=5e8", 2e9,
         "bucket-bytes", 1e9},
        {GPT_3 "kind=activations quantity=layers", 10.27e9, "stages-divide", 1.284e9},
        {"kind=activations model=llama-2-7b gpus=8 batch=1 seq=4096", 20.741e9, "zero-activations",
         2.593e9},
        {SHARDED_IN_NODES "kind=activations batch=1 seq=4096", 20.741e9, "gpus-activations",
         0.32408e9},
        {"kind=shard quantity=padding params=10 gpus=4", 2, "", 0},
        {"kind=shard quantity=first params=10 gpus=4 rank=2", 6, "rounded-down", 4},
        {"kind=volume params=7e9 gpus=8 stage=3", 3, "one-gather", 2},
        {"kind=volume params=7e9 gpus=8 stage=2 accumulate=8", 9, "accumulation-free", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_solution s;
        struct account_error e = {0};
        struct account_diagnosis d;
        if (!account_solve(&p, &s, &e)) fail_msg("%s: %s", rows[i].problem, e.what);
        if (fabs(s.value - rows[i].right) > 1e-3 * rows[i].right)
            fail_msg("%s: %g, wanted %g", rows[i].problem, s.value, rows[i].right);
        account_diagnose(&p, rows[i].wrong, &d);
        if (rows[i].mistake[0] && !strstr(mistakes_of(&d), rows[i].mistake))
            fail_msg("%s, %g: \"%s\", wanted %s", rows[i].problem, rows[i].wrong, mistakes_of(&d),
                     rows[i].mistake);
    }
}

/* ── two at once ───────────────────────────────────────────────────────────────────────────────*/

static void pairs(void **state) {
    (void)state;
    static const struct {
        const char *problem;
        double value;
        const char *first, *second;
    } rows[] = {
        {"params=7e9 gpus=8 stage=1", 35e9 / 1.073741824, "no-master", "gib-for-gb"},
        {"params=13e9 gpus=16 gpus_per_node=8 stage=2", 42.25e9, "no-master", "per-node"},
        {"kind=traffic params=7e9 gpus=8 stage=0", 28e9 / 1.073741824, "ring-whole", "gib-for-gb"},
        {"params=7e9 gpus=8 stage=1", 61e9, NULL, NULL},
        {"kind=fewest_gpus params=13e9 budget=80GB stage=2", 9, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_diagnosis d;
        account_diagnose(&p, rows[i].value, &d);
        const struct account_match *m = &d.match[0];
        bool named = d.count == 1 && m->also && rows[i].first &&
                     strcmp(m->mistake->id, rows[i].first) == 0 &&
                     strcmp(m->also->id, rows[i].second) == 0;
        if (rows[i].first ? !named : d.count != 0)
            fail_msg("%s, %g: %s and %s", rows[i].problem, rows[i].value, mistakes_of(&d),
                     d.count && m->also ? m->also->id : "nothing");
        if (d.count && !strstr(m->wrong, "; besides, ")) fail_msg("%s", m->wrong);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_is_recognised),
        cmocka_unit_test(texts_and_workings),
        cmocka_unit_test(known_numbers),
        cmocka_unit_test(pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
