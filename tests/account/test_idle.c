/* No field is taken and then ignored: whatever a recipe accepts changes some number of some
 * training, or is what the recipe does anyway. */
#include "account/check.h"

#include <stdio.h>
#include <string.h>

/* ── what a training comes to ──────────────────────────────────────────────────────────────────*/

/* every number that depends on more than a name */
struct outcome {
    size_t count;
    double number[512];
};

static void put(struct outcome *o, double number) {
    assert_true(o->count < sizeof o->number / sizeof *o->number);
    o->number[o->count++] = number;
}

static void put_ledger(struct outcome *o, const struct account_ledger *l) {
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) put(o, (double)l->bytes[c]);
}

/* What a plan of stage 3 counts besides, where the recipe leaves it out. */
static double gathered_of(const struct account_training *t) {
    struct account_question q = {.training = *t, .pinned = UINT64_MAX};
    struct account_plan plan;
    struct account_plans plans;
    bool planned = t->stage == 3 && account_plan(&q, &plan, 1, &plans, NULL) && plans.count;
    return planned ? (double)plan.measured.gathered : 0;
}

static bool reckon(const struct account_training *t, struct outcome *o) {
    struct account_memory m;
    struct account_traffic sent;
    struct account_clock clock;
    o->count = 0;
    if (!account_memory(t, &m, NULL) || !account_traffic(t, &sent, NULL) ||
        !account_clock(t, &clock, NULL))
        return false;
    put_ledger(o, &m.gpu);
    put_ledger(o, &m.host);
    put_ledger(o, &m.nvme);
    for (int p = 0; p < ACCOUNT_PHASES; p++) put_ledger(o, &m.phase[p].ledger);
    put(o, (double)sent.between);
    put(o, (double)sent.offload_down);
    put(o, (double)sent.offload_up);
    for (size_t i = 0; i < sent.collectives; i++) {
        put(o, (double)sent.collective[i].op);
        put(o, (double)sent.collective[i].sent);
        put(o, sent.collective[i].calls);
        put(o, clock.collective[i]);
        put(o, clock.exposed[i]);
    }
    put(o, clock.step);
    put(o, gathered_of(t));
    return true;
}

static bool differ(const struct outcome *a, const struct outcome *b) {
    if (a->count != b->count) return true;
    for (size_t i = 0; i < a->count; i++)
        if (a->number[i] < b->number[i] || a->number[i] > b->number[i]) return true;
    return false;
}

/* ── trainings and values ──────────────────────────────────────────────────────────────────────*/

static const char *const bases[] = {
    "model=gpt2 gpus=8",
    "model=gpt2-xl gpus=16 gpus_per_node=8 gpu=a100-80g batch=2 seq=1024 accumulate=4",
    "model=gpt2-xl gpus=16 gpus_per_node=8 gpu=a100-80g batch=2 seq=1024 checkpoint=full flash=off",
    "model=gpt2-xl gpus=16 gpus_per_node=8 gpu=a100-80g batch=2 seq=1024 flash=off precision=fp32",
    "model=gpt2-xl gpus=8 gpu=a100-80g batch=2 seq=1024 precision=mixed-fp16",
    "model=gpt2-xl gpus=8 gpu=a100-80g batch=2 seq=1024 precision=bf16",
    "model=llama-2-7b gpus=64 gpus_per_node=8 gpu=h100-80g batch=1 seq=4096 accumulate=8",
    "model=llama-2-7b gpus=64 gpus_per_node=8 gpu=h100-80g batch=1 seq=4096 tp=4 pp=2",
    "model=llama-2-7b gpus=8 gpu=h100-80g batch=1 seq=4096 offload_optimizer=host",
    "model=mixtral-8x7b gpus=64 gpus_per_node=8 gpu=h100-80g batch=1 seq=4096 ep=2",
    "params=7e9 gpus=64 gpus_per_node=8 link=nvlink4 net=ib-ndr",
    "model=llama-2-7b gpus=8 gpu=h100-80g batch=1 seq=2048 lora=8",
    "model=gpt2-xl gpus=8 gpu=h100-80g batch=1 seq=1024 qlora=8",
};
static const struct {
    const char *field, *value[4];
} tried[] = {
    {"grad_dtype", {"16bit", "fp32"}},
    {"reduce_dtype", {"16bit", "fp32"}},
    {"lora", {"8"}},
    {"qlora", {"8"}},
    {"lora_on", {"all-linear"}},
    {"accumulate", {"2"}},
    {"checkpoint", {"selective", "full"}},
    {"flash", {"off"}},
    {"dropout", {"on"}},
    {"tp", {"2"}},
    {"pp", {"4"}},
    {"cp", {"2"}},
    {"ep", {"4"}},
    {"interleave", {"2"}},
    {"sp", {"on"}},
    {"shard_group", {"8", "4"}},
    {"hpz", {"8", "4"}},
    {"qwz", {"on"}},
    {"qgz", {"on"}},
    {"offload_optimizer", {"host", "nvme"}},
    {"offload_params", {"host", "nvme"}},
    {"bucket", {"1e6", "5MB", "100MB"}},
    {"prefetch", {"0", "2"}},
    {"link", {"pcie4"}},
    {"net", {"ib-hdr"}},
    {"efficiency", {"0.4"}},
};

struct seen {
    unsigned accepted, changed, agreed;
    char where[200];
};

/* Whether gradients are kept so anyway: then the other width is refused, or changes something. */
static bool agrees(const struct account_training *t, const struct outcome *plain, const char *field,
                   const char *value) {
    struct account_training other = *t;
    struct outcome o;
    if (strcmp(field, "grad_dtype") != 0) return false;
    account_set(&other, field, strcmp(value, "fp32") == 0 ? "16bit" : "fp32", NULL);
    return !account_check(&other, NULL) || (reckon(&other, &o) && differ(plain, &o));
}

/* Each stage of each base that the recipe takes, with the field and without it. */
static void try_value(const char *recipe, const char *field, const char *value, struct seen *s) {
    for (size_t i = 0; i < 4 * sizeof bases / sizeof *bases; i++) {
        struct account_training t = training_of(bases[i / 4]), with;
        struct outcome a, b;
        t.stage = (uint8_t)(i % 4);
        if (!account_set(&t, "recipe", recipe, NULL) || !account_check(&t, NULL)) continue;
        with = t;
        if (!account_set(&with, field, value, NULL) || !account_check(&with, NULL)) continue;
        if (!reckon(&t, &a) || !reckon(&with, &b)) continue;
        s->accepted++;
        s->changed += differ(&a, &b);
        s->agreed += agrees(&t, &a, field, value);
        if (!*s->where) snprintf(s->where, sizeof s->where, "%s stage=%zu", bases[i / 4], i % 4);
    }
}

static void what_is_accepted_does_something(void **state) {
    (void)state;
    struct account_row recipe[16];
    size_t recipes = account_recipes_list(recipe, 16);
    unsigned idle = 0;
    for (size_t r = 0; r < recipes; r++)
        for (size_t f = 0; f < sizeof tried / sizeof *tried; f++)
            for (size_t v = 0; v < 4 && tried[f].value[v]; v++) {
                struct seen s = {0};
                try_value(recipe[r].name, tried[f].field, tried[f].value[v], &s);
                if (s.changed > 0 || s.agreed > 0 || s.accepted == 0) continue;
                print_error("%s takes %s=%s and ignores it: %s\n", recipe[r].name, tried[f].field,
                            tried[f].value[v], s.where);
                idle++;
            }
    assert_int_equal(idle, 0);
}

/* What is refused is named, with what to do; what agrees with the recipe stays, as records and
 * lessons have it. */
static void refusals(void **state) {
    (void)state;
    static const struct {
        /* NULL: taken */
        const char *training, *says;
    } rows[] = {
        {"bucket=5e8", "bucket: paper has no reduction buckets: leave it out"},
        {"recipe=megatron bucket=40e6", "bucket: megatron has no reduction buckets"},
        {"recipe=fsdp2 stage=3 bucket=25MB", "bucket: fsdp2 has no reduction buckets"},
        {"recipe=deepspeed bucket=5e8", NULL},
        {"recipe=ddp bucket=25MB", NULL},
        {"recipe=zerolab bucket=1MB", NULL},
        {"bucket=0", NULL},
        {"recipe=ddp prefetch=2", "prefetch: ddp gathers nothing ahead: leave it out"},
        {"recipe=ddp prefetch=0", "prefetch: ddp gathers nothing ahead"},
        {"recipe=megatron prefetch=3", "prefetch: megatron gathers nothing ahead"},
        {"recipe=llm.c prefetch=0", "prefetch: llm.c gathers nothing ahead"},
        {"recipe=ddp prefetch=1", NULL},
        {"recipe=deepspeed stage=3 prefetch=2", "prefetch: deepspeed counts parameters ahead"},
        {"recipe=deepspeed stage=3 prefetch=0", NULL},
        {"recipe=fsdp1 stage=3 prefetch=2", NULL},
        {"stage=3 prefetch=0", NULL},
        {"recipe=ddp shard_group=4", "shard_group: ddp shards nothing"},
        {"recipe=megatron qwz=on", "qwz: megatron has no stage 3"},
        {"recipe=ddp qgz=on", "qgz: ddp has no stage 3"},
        {"recipe=zerolab interleave=2", "interleave: zerolab has no pipelines"},
        {"recipe=llm.c sp=on", "sp: llm.c has no tensor parallelism"},
        {"recipe=llm.c dropout=on", "dropout: llm.c has no dropout"},
        {"recipe=ddp grad_dtype=16bit", "grad_dtype: ddp keeps gradients in fp32 under "
                                        "mixed-bf16: use auto"},
        {"recipe=ddp grad_dtype=fp32", NULL},
        {"recipe=fsdp1 grad_dtype=16bit", "grad_dtype: fsdp1 keeps gradients in fp32"},
        {"recipe=fsdp2 stage=3 grad_dtype=fp32", NULL},
        {"recipe=megatron grad_dtype=16bit", "grad_dtype: megatron keeps gradients in fp32"},
        {"precision=fp32 grad_dtype=16bit", "grad_dtype: paper keeps gradients in fp32 under fp32"},
        {"recipe=megatron precision=bf16 grad_dtype=16bit", NULL},
        {"grad_dtype=16bit", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char pairs[160];
        struct account_error e = {0};
        snprintf(pairs, sizeof pairs, "model=gpt2 gpus=8 %s", rows[i].training);
        struct account_training t = training_of(pairs);
        bool taken = account_check(&t, &e);
        if (taken != !rows[i].says || (!taken && !strstr(e.what, rows[i].says)))
            fail_msg("%s: %s", pairs, taken ? "taken" : e.what);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_accepted_does_something),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
