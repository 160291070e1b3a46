/* Fields of any value: each is answered or refused with a line. FUZZ=1000000 tries more of them, by
 * hand under sanitizers. */
#include "account/random.h"

#include <stdio.h>
#include <stdlib.h>

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
    t->interleave = chance(seed) % 2 ? 1 : any_degree(seed);
    t->sp = chance(seed) % 4 == 0;
    t->shard_group = chance(seed) % 4 ? 0 : any_degree(seed);
    t->hpz = chance(seed) % 4 ? 0 : any_degree(seed);
    t->qwz = chance(seed) % 8 == 0;
    t->qgz = chance(seed) % 8 == 0;
}

static void set_choices(struct account_training *t, uint64_t *seed) {
    bool past = chance(seed) % 16 == 0; /* the end of the tables */
    t->stage = (uint8_t)(chance(seed) % (past ? 6 : 4));
    t->precision = (uint8_t)(chance(seed) % (past ? 9 : 4));
    t->optimizer = (uint8_t)(chance(seed) % (past ? 9 : 6));
    t->recipe = (uint8_t)(chance(seed) % (past ? 20 : 8));
    t->grad_dtype = chance(seed) % 2 ? 0 : (uint8_t)(chance(seed) % 3);
    t->reduce_dtype = (uint8_t)(chance(seed) % 3);
    t->checkpoint = (uint8_t)(chance(seed) % 3);
    t->offload_optimizer = chance(seed) % 2 ? 0 : (uint8_t)(chance(seed) % 3);
    t->offload_params = chance(seed) % 2 ? 0 : (uint8_t)(chance(seed) % 3);
    t->lora = chance(seed) % 4 ? 0 : any_degree(seed);
    if (t->lora) t->lora_on = chance(seed) % 2;
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
    t.bucket = chance(seed) % 4 ? 0 : chance(seed);
    t.bucket_elements = chance(seed) % 2;
    t.prefetch = chance(seed) % 4 ? 1 : any_degree(seed);
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
                      cluster_bytes(t, 15, &sum, &e)};
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
    const char *times = getenv("FUZZ");
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
    for (int i = 0; i < 20000; i++) {
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
        cmocka_unit_test(anything_is_answered_or_refused),
        cmocka_unit_test(any_text_is_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
