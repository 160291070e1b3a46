/* What must hold of any training: thousands of random ones, from fixed seeds. */
#include "account/random.h"

#include <string.h>

#define TRIES 4000

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
    if (!cluster_bytes(t, categories, &sum, &e)) fail_msg("%s: %s", now, e.what);
    return sum;
}

static struct account_traffic traffic(const struct account_training *t) {
    struct account_traffic out;
    struct account_error e = {0};
    if (!account_traffic(t, &out, &e)) fail_msg("%s: %s", now, e.what);
    return out;
}

/* ── stages ────────────────────────────────────────────────────────────────────────────────────*/

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

/* ── shards ────────────────────────────────────────────────────────────────────────────────────*/

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

/* A shard rounds up by less than an element a copy, twice that where shards are even; the lab's
 * whole copies by one a rank. */
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

/* ── sizes ─────────────────────────────────────────────────────────────────────────────────────*/

/* 100 trillion parameters on a million ranks: sums over the cluster are those of a rank times their
 * number, in 128 bits. */
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

/* ── a step ────────────────────────────────────────────────────────────────────────────────────*/

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
            HOLDS(p == ACCOUNT_INIT ||
                  l->total >= m.persistent.total - m.persistent.bytes[ACCOUNT_GRADS]);
        }
    }
}

static void more_is_never_less(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < TRIES; i++) {
        struct account_training t = any_step(&seed), more = t;
        char text[32];
        t.bucket = up_to(&seed, 1000000000);
        more.bucket = t.bucket * 2;
        /* not every recipe has buckets, and the lab needs one slot, not two, where all fits into
         * it */
        bool slots = strcmp(account_get(&t, "recipe", text, sizeof text), "zerolab") == 0;
        if (slots || !account_check(&t, NULL)) t.bucket = more.bucket = 0;
        HOLDS(memory(&more).phase[memory(&more).peak].ledger.total >=
              memory(&t).phase[memory(&t).peak].ledger.total);
        more = t;
        more.batch *= 2;
        HOLDS(memory(&more).gpu.bytes[ACCOUNT_ACTIVATIONS] >
              memory(&t).gpu.bytes[ACCOUNT_ACTIVATIONS]);
        HOLDS(states_of(&more) == states_of(&t));
    }
}

/* ── traffic ───────────────────────────────────────────────────────────────────────────────────*/

static void traffic_adds_up(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < TRIES; i++) {
        struct account_training t = any_step(&seed);
        struct account_traffic a = traffic(&t);
        uint64_t ops = 0, sent = 0, between = 0;
        for (int op = 0; op < ACCOUNT_COLLECTIVES; op++) ops += a.sent[op];
        for (size_t leg = 0; leg < a.collectives; leg++) {
            HOLDS(a.collective[leg].between <= a.collective[leg].sent);
            sent += a.collective[leg].sent;
            between += a.collective[leg].between;
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

/* ── seconds ───────────────────────────────────────────────────────────────────────────────────*/

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_fall_with_stages), cmocka_unit_test(ranks_sum_to_the_whole),
        cmocka_unit_test(twice_the_model),         cmocka_unit_test(nothing_overflows),
        cmocka_unit_test(peak_is_the_highest),     cmocka_unit_test(more_is_never_less),
        cmocka_unit_test(traffic_adds_up),         cmocka_unit_test(an_all_reduce_is_both_halves),
        cmocka_unit_test(seconds_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
