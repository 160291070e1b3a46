/* What must hold of any training: thousands of random ones, the same on every machine. */
#include "account/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 4000

static const char *now = ""; /* what is tried, for messages */

#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) fail_msg("%s: %s", now, #condition);                                     \
    } while (0)

/* ── random trainings ────────────────────────────────────────────────────────────────────────────*/

static uint64_t up_to(uint64_t *seed, uint64_t most) {
    return 1 + chance(seed) % most;
}

/* Sizes from a handful to 1e14, each power of ten as likely. */
static uint64_t any_count(uint64_t *seed, int powers) {
    uint64_t scale = 1;
    for (uint64_t i = chance(seed) % (uint64_t)powers; i > 0; i--) scale *= 10;
    return scale + chance(seed) % (9 * scale);
}

static const char *one_of(uint64_t *seed, const char *const *words) {
    size_t count = 0;
    while (words[count]) count++;
    return words[chance(seed) % count];
}
#define ONE_OF(seed, ...) one_of(seed, (const char *const[]){__VA_ARGS__, NULL})

/* In a buffer of its own, so that a failure can say which training it was. */
static struct account_training random_of(const char *format, ...) {
    static char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    now = text;
    return training_of(text);
}

static const char *precision(uint64_t *seed) {
    return ONE_OF(seed, "fp32", "mixed-bf16", "mixed-fp16", "bf16");
}

static const char *optimizer(uint64_t *seed) {
    return ONE_OF(seed, "adamw", "adamw", "lion", "sgd-momentum", "muon");
}

static const char *recipe(uint64_t *seed) {
    return ONE_OF(seed, "paper", "ddp", "deepspeed", "fsdp1", "fsdp2", "megatron", "llm.c",
                  "zerolab");
}

/* A stage that the recipe has. */
static void set_stage(struct account_training *t, uint64_t *seed) {
    do t->stage = (uint8_t)(chance(seed) % 4);
    while (!account_has_stage(t, t->stage));
}

static struct account_memory memory(const struct account_training *t) {
    struct account_memory m;
    struct account_error e = {0};
    if (!account_memory(t, &m, &e)) fail_msg("%s: %s", now, e.what);
    return m;
}

static uint64_t states(const struct account_ledger *l) {
    return l->bytes[ACCOUNT_PARAMS] + l->bytes[ACCOUNT_GRADS] + l->bytes[ACCOUNT_MASTER] +
           l->bytes[ACCOUNT_MOMENTS];
}

static uint64_t states_of(const struct account_training *t) {
    struct account_memory m = memory(t);
    return states(&m.gpu);
}

static account_sum cluster(const struct account_training *t, uint32_t categories) {
    account_sum sum;
    struct account_error e = {0};
    if (!account_cluster(t, categories, &sum, &e)) fail_msg("%s: %s", now, e.what);
    return sum;
}

static struct account_traffic traffic(const struct account_training *t) {
    struct account_traffic out;
    struct account_error e = {0};
    if (!account_traffic(t, &out, &e)) fail_msg("%s: %s", now, e.what);
    return out;
}

/* ── stages ──────────────────────────────────────────────────────────────────────────────────────*/

static void states_fall_with_stages(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < TRIES; i++) {
        struct account_training t =
            random_of("params=%llu gpus=%llu precision=%s optimizer=%s",
                      (unsigned long long)any_count(&seed, 15),
                      (unsigned long long)any_count(&seed, 6), precision(&seed), optimizer(&seed));
        uint64_t before = UINT64_MAX;
        for (t.stage = 0; t.stage < 4; t.stage++) {
            struct account_ledger l = memory(&t).gpu;
            HOLDS(l.total <= before);
            HOLDS(t.gpus > 1 || before == UINT64_MAX || l.total == before);
            HOLDS(t.gpus == 1 || t.params < 2 || before == UINT64_MAX || l.total < before);
            before = l.total;
        }
    }
}

/* ── shards ──────────────────────────────────────────────────────────────────────────────────────*/

/* N² is less than Ψ, so that all padding lies on the last rank and its ledger tells it. */
static void ranks_sum_to_the_whole(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < TRIES; i++) {
        uint64_t params = 1000000 + any_count(&seed, 14);
        const char *whose = ONE_OF(&seed, "paper", "megatron");
        struct account_training t = random_of(
            "params=%llu gpus=%llu precision=%s optimizer=%s recipe=%s", (unsigned long long)params,
            (unsigned long long)up_to(&seed, 900), precision(&seed), optimizer(&seed), whose);
        set_stage(&t, &seed);
        struct account_training whole = t;
        whole.gpus = 1;
        account_sum sum = memory(&t).gpu.padding;
        for (int c = 0; c <= ACCOUNT_MOMENTS; c++) {
            bool sharded = account_is_sharded(&t, (enum account_category)c);
            account_sum once = memory(&whole).gpu.bytes[c];
            sum += sharded ? once : once * t.gpus;
        }
        /* of Megatron's gradients in fp16 one copy is sharded and one is not */
        bool apart = strcmp(whose, "megatron") == 0 && strstr(now, "mixed-fp16");
        HOLDS(apart || cluster(&t, 15) == sum);
        HOLDS(cluster(&t, 15) == (account_sum)states_of(&t) * t.gpus);
    }
}

/* A shard rounds up by less than an element a copy, twice that where shards are even; the lab's whole copies by one a rank. */
static void twice_the_model(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < TRIES; i++) {
        struct account_training t = random_of(
            "params=%llu gpus=%llu precision=%s optimizer=%s recipe=%s",
            (unsigned long long)any_count(&seed, 14), (unsigned long long)any_count(&seed, 5),
            precision(&seed), optimizer(&seed),
            ONE_OF(&seed, "paper", "ddp", "deepspeed", "fsdp1", "fsdp2", "megatron", "zerolab"));
        set_stage(&t, &seed);
        struct account_ledger once = memory(&t).gpu;
        t.params *= 2;
        struct account_ledger twice = memory(&t).gpu;
        HOLDS(states(&twice) <= 2 * states(&once));
        uint64_t most = strstr(now, "zerolab") ? t.gpus : 2;
        HOLDS(2 * states(&once) - states(&twice) <= 2 * 20 * most);
    }
}

/* ── sizes ───────────────────────────────────────────────────────────────────────────────────────*/

/* 100 trillion parameters on a million ranks: sums over the cluster are those of a rank times their number, in 128 bits. */
static void nothing_overflows(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < TRIES; i++) {
        struct account_training t =
            random_of("params=%llu gpus=%llu precision=%s optimizer=%s recipe=%s",
                      (unsigned long long)(i % 4 ? any_count(&seed, 14) : 100000000000000),
                      (unsigned long long)(i % 3 ? any_count(&seed, 6) : 1000000), precision(&seed),
                      optimizer(&seed), recipe(&seed));
        set_stage(&t, &seed);
        struct account_ledger l = memory(&t).gpu;
        uint64_t sum = 0;
        for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
            HOLDS(l.bytes[c] <= l.total);
            sum += l.bytes[c];
        }
        HOLDS(sum == l.total && l.padding <= l.total);
        HOLDS((double)l.total <= 32 * (double)t.params + 1e11);
        HOLDS(cluster(&t, 15) == (account_sum)states(&l) * t.gpus);
        struct account_traffic sent = traffic(&t);
        HOLDS((double)sent.total <= 6 * 4 * ((double)t.params + 4.0 * t.gpus));
    }
}

/* ── a step ──────────────────────────────────────────────────────────────────────────────────────*/

static struct account_training any_step(uint64_t *seed) {
    for (;;) {
        struct account_training t = random_of(
            "model=%s gpus=%d gpus_per_node=8 precision=%s optimizer=%s recipe=%s tp=%d pp=%d "
            "sp=%s "
            "batch=%d seq=%d accumulate=%d checkpoint=%s flash=%s dropout=%s grad_dtype=%s "
            "prefetch=%d offload_optimizer=%s",
            ONE_OF(seed, "gpt2", "gpt2-xl", "llama-2-7b", "llama-3-8b", "mixtral-8x7b"),
            8 << chance(seed) % 5, precision(seed), optimizer(seed), recipe(seed),
            1 << chance(seed) % 3, 1 << chance(seed) % 3, ONE_OF(seed, "off", "on"),
            1 << chance(seed) % 4, 512 << chance(seed) % 4, 1 << chance(seed) % 4,
            ONE_OF(seed, "none", "selective", "full"), ONE_OF(seed, "off", "on"),
            ONE_OF(seed, "off", "on"), ONE_OF(seed, "auto", "fp32"), (int)(chance(seed) % 4),
            ONE_OF(seed, "none", "none", "host"));
        set_stage(&t, seed);
        if (account_check(&t, NULL)) return t;
    }
}

static void peak_is_the_highest(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < TRIES; i++) {
        struct account_training t = any_step(&seed);
        struct account_memory m = memory(&t);
        for (int p = 0; p < ACCOUNT_PHASES; p++) {
            const struct account_ledger *l = &m.phase[p].ledger;
            HOLDS(m.phase[m.peak].ledger.total >= l->total);
            HOLDS(m.phase[p].where && *m.phase[p].where);
            for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
                HOLDS(m.highest[c] >= l->bytes[c]);
                HOLDS(p == ACCOUNT_INIT || c == ACCOUNT_GRADS ||
                      l->bytes[c] >= m.persistent.bytes[c]);
            }
            HOLDS(l->total >= m.persistent.total - m.persistent.bytes[ACCOUNT_GRADS]);
        }
    }
}

static void more_is_never_less(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < TRIES; i++) {
        struct account_training t = any_step(&seed), more = t;
        t.bucket = up_to(&seed, 1000000000);
        more.bucket = t.bucket * 2;
        HOLDS(memory(&more).phase[memory(&more).peak].ledger.total >=
              memory(&t).phase[memory(&t).peak].ledger.total);
        more = t;
        more.batch *= 2;
        HOLDS(memory(&more).gpu.bytes[ACCOUNT_ACTIVATIONS] >
              memory(&t).gpu.bytes[ACCOUNT_ACTIVATIONS]);
        HOLDS(states_of(&more) == states_of(&t));
    }
}

/* ── traffic ─────────────────────────────────────────────────────────────────────────────────────*/

static void traffic_adds_up(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < TRIES; i++) {
        struct account_training t = any_step(&seed);
        struct account_traffic a = traffic(&t);
        uint64_t ops = 0, sent = 0, between = 0;
        for (int op = 0; op < ACCOUNT_COLLECTIVES; op++) ops += a.sent[op];
        for (size_t leg = 0; leg < a.legs; leg++) {
            HOLDS(a.leg[leg].between <= a.leg[leg].sent);
            sent += a.leg[leg].sent;
            between += a.leg[leg].between;
        }
        HOLDS(a.inside + a.between == a.total && ops == a.total);
        HOLDS(sent == a.total && between == a.between);
    }
}

static void an_all_reduce_is_both_halves(void **state) {
    (void)state;
    uint64_t seed = 8;
    for (uint32_t n = 1; n < 2000; n++) {
        double both = account_collective_factor(ACCOUNT_REDUCE_SCATTER, n) +
                      account_collective_factor(ACCOUNT_ALL_GATHER, n);
        assert_same(account_collective_factor(ACCOUNT_ALL_REDUCE, n), both, "factor");
    }
    for (int i = 0; i < TRIES; i++) {
        struct account_training t = random_of(
            "params=%llu gpus=%llu precision=%s", (unsigned long long)any_count(&seed, 14),
            (unsigned long long)any_count(&seed, 6), precision(&seed));
        uint64_t whole = traffic(&t).total;
        for (t.stage = 1; t.stage < 3; t.stage++) HOLDS(traffic(&t).total == whole);
        HOLDS(2 * traffic(&t).total == 3 * whole);
    }
}

/* ── seconds ─────────────────────────────────────────────────────────────────────────────────────*/

static void seconds_are_sound(void **state) {
    (void)state;
    uint64_t seed = 9;
    for (int i = 0; i < TRIES; i++) {
        struct account_training t = any_step(&seed);
        struct account_clock c;
        struct account_error e = {0};
        t.card = account_card_find(ONE_OF(&seed, "h100-80g", "a100-80g", "b200", "v100-32g"));
        HOLDS(account_clock(&t, &c, &e));
        HOLDS(c.comm >= c.comm_exposed * (1 - 1e-9) && c.comm_exposed >= 0);
        HOLDS(!c.has_compute || c.step >= (c.forward + c.backward + c.comm_exposed) * (1 - 1e-9));
        HOLDS(c.step < 1e30 && c.tokens_per_s < 1e30);
    }
}

/* ── anything at all ─────────────────────────────────────────────────────────────────────────────*/

static uint32_t any_degree(uint64_t *seed) {
    static const uint32_t edges[] = {0, 2, 4, 8, 3, 7, 1000000, UINT32_MAX};
    return chance(seed) % 4 ? 1 : edges[chance(seed) % (sizeof edges / sizeof *edges)];
}

static uint32_t any_size(uint64_t *seed) {
    return chance(seed) % 16 ? (uint32_t)any_count(seed, 6) : any_degree(seed);
}

static struct account_shape any_shape(uint64_t *seed) {
    uint32_t heads = any_size(seed) % 256;
    return (struct account_shape){.family = (uint8_t)(chance(seed) % 30),
                                  .tied = chance(seed) % 2,
                                  .layers = any_size(seed) % 2000,
                                  .hidden = any_size(seed),
                                  .heads = heads,
                                  .kv_heads = chance(seed) % 2 ? heads : any_degree(seed),
                                  .head_size = any_size(seed) % 1024,
                                  .ffn = any_size(seed),
                                  .vocab = any_size(seed),
                                  .context = any_size(seed),
                                  .experts = chance(seed) % 4 ? 0 : any_degree(seed),
                                  .experts_active = any_degree(seed),
                                  .expert_ffn = any_size(seed)};
}

static void set_degrees(struct account_training *t, uint64_t *seed) {
    t->tp = any_degree(seed);
    t->pp = any_degree(seed);
    t->cp = any_degree(seed);
    t->ep = any_degree(seed);
    t->interleave = any_degree(seed);
    t->sp = chance(seed) % 2;
    t->shard_group = chance(seed) % 4 ? 0 : any_degree(seed);
    t->hpz = chance(seed) % 4 ? 0 : any_degree(seed);
    t->qwz = chance(seed) % 2;
    t->qgz = chance(seed) % 2;
}

static void set_choices(struct account_training *t, uint64_t *seed) {
    bool past = chance(seed) % 16 == 0; /* the end of the tables */
    t->stage = (uint8_t)(chance(seed) % (past ? 6 : 4));
    t->precision = (uint8_t)(chance(seed) % (past ? 9 : 4));
    t->optimizer = (uint8_t)(chance(seed) % (past ? 9 : 6));
    t->recipe = (uint8_t)(chance(seed) % (past ? 20 : 8));
    t->grad_dtype = (uint8_t)(chance(seed) % 3);
    t->reduce_dtype = (uint8_t)(chance(seed) % 3);
    t->checkpoint = (uint8_t)(chance(seed) % 3);
    t->offload_optimizer = chance(seed) % 2 ? 0 : (uint8_t)(chance(seed) % 3);
    t->offload_params = chance(seed) % 2 ? 0 : (uint8_t)(chance(seed) % 3);
    t->lora = chance(seed) % 4 ? 0 : any_degree(seed);
    t->quantized = chance(seed) % 2;
    t->flash = chance(seed) % 2;
    t->dropout = chance(seed) % 2;
}

static struct account_training anything(uint64_t *seed) {
    struct account_training t = account_training_default();
    t.shape = chance(seed) % 2 ? any_shape(seed) : (struct account_shape){0};
    bool counts = t.shape.family && chance(seed) % 4;
    t.params = counts ? account_count_params(&t.shape) : any_count(seed, 18);
    t.card = chance(seed) % 2 ? account_card_find("h100-80g") : NULL;
    t.gpus = chance(seed) % 2 ? 8u << chance(seed) % 12 : any_size(seed);
    t.gpus_per_node = chance(seed) % 2 ? 8 : any_degree(seed);
    t.batch = any_degree(seed);
    t.seq = any_size(seed);
    t.accumulate = any_degree(seed);
    t.bucket = chance(seed) % 2 ? 0 : chance(seed);
    t.bucket_elements = chance(seed) % 2;
    t.prefetch = any_degree(seed);
    t.efficiency = (double)(chance(seed) % 1000) / 999;
    set_choices(&t, seed);
    set_degrees(&t, seed);
    return t;
}

/* All fields of a training that no text made. */
static void say(const struct account_training *t) {
    size_t count;
    char text[80];
    const struct account_field *fields = account_fields(&count);
    for (size_t i = 0; i < count; i++)
        print_message("%s=%s ", fields[i].name, account_get(t, fields[i].name, text, sizeof text));
    const struct account_shape *s = &t->shape;
    print_message("layers %u hidden %u heads %u %u × %u ffn %u vocab %u experts %u %u %u\n",
                  s->layers, s->hidden, s->heads, s->kv_heads, s->head_size, s->ffn, s->vocab,
                  s->experts, s->experts_active, s->expert_ffn);
}

/* Each answers or refuses with a line; what check refuses, all refuse. */
static bool ask(const struct account_training *t) {
    struct account_memory m;
    struct account_ledger l;
    struct account_traffic traffic;
    struct account_clock clock;
    struct account_activations a;
    account_sum sum;
    struct account_error e = {0};
    bool sound = account_check(t, &e);
    HOLDS(sound || *e.what);
    bool answers[] = {account_memory(t, &m, &e), account_ledger(t, &l, &e),
                      account_traffic(t, &traffic, &e), account_clock(t, &clock, &e),
                      account_cluster(t, 15, &sum, &e)};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) HOLDS(sound || !answers[i]);
    if (sound) account_activations(t, &a, &e);
    if (!answers[0]) return false;
    account_sum all = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) all += m.gpu.bytes[c];
    if (all != m.gpu.total) say(t);
    HOLDS(all == m.gpu.total);
    HOLDS(l.total == m.gpu.total);
    return true;
}

static void anything_is_answered_or_refused(void **state) {
    (void)state;
    const char *times = getenv("FUZZ"); /* by hand, under sanitizers: more of them */
    long tries = times ? strtol(times, NULL, 10) : 20000;
    uint64_t seed = 10;
    long answered = 0;
    now = "anything";
    for (long i = 0; i < tries; i++) {
        struct account_training t = anything(&seed);
        answered += ask(&t);
    }
    print_message("%ld of %ld answered\n", answered, tries);
    HOLDS(answered > tries / 50);
}

/* Texts for every field: good ones, and good ones cut, doubled, with a sign. */
static void any_text_is_read_or_refused(void **state) {
    (void)state;
    static const char *const words[] = {
        "8",          "3",         "0",          "-1",
        "1e30",       "13B",       "llama-2-7b", "on",
        "full",       "deepspeed", "25MB",       "400 Gb/s",
        "nan",        "",          "0.5",        "18446744073709551616",
        "4294967296", "host",      "h100"};
    uint64_t seed = 11;
    size_t count;
    const struct account_field *fields = account_fields(&count);
    for (int i = 0; i < TRIES * 5; i++) {
        struct account_training t = account_training_default();
        for (int set = 0; set < 6; set++) {
            char text[80];
            struct account_error e = {0};
            const char *word = words[chance(&seed) % (sizeof words / sizeof *words)];
            snprintf(text, sizeof text, "%s%.*s", chance(&seed) % 8 ? "" : "-",
                     (int)up_to(&seed, 24), word);
            now = text;
            if (!account_set(&t, fields[chance(&seed) % count].name, text, &e)) HOLDS(*e.what);
        }
        ask(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_fall_with_stages),
        cmocka_unit_test(ranks_sum_to_the_whole),
        cmocka_unit_test(twice_the_model),
        cmocka_unit_test(nothing_overflows),
        cmocka_unit_test(peak_is_the_highest),
        cmocka_unit_test(more_is_never_less),
        cmocka_unit_test(traffic_adds_up),
        cmocka_unit_test(an_all_reduce_is_both_halves),
        cmocka_unit_test(seconds_are_sound),
        cmocka_unit_test(anything_is_answered_or_refused),
        cmocka_unit_test(any_text_is_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
