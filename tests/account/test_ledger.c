/* Ledgers: the literature's figures, padding, and what must hold of every training. */
#include "account/check.h"

#include <string.h>

#define MANY 4000

static uint64_t total_of(const char *pairs) {
    struct account_training t = training_of(pairs);
    struct account_ledger l;
    struct account_error e = {0};
    if (!account_ledger(&t, &l, &e)) fail_msg("%s: %s", pairs, e.what);
    return l.total;
}

static void figures(void **state) {
    (void)state;
    static const struct {
        const char *training;
        uint64_t total;
    } rows[] = {
        /* ZeRO, arXiv:1910.02054, Figure 1 */
        {"params=7.5e9 gpus=64 stage=0", 120000000000},
        {"params=7.5e9 gpus=64 stage=1", 31406250000},
        {"params=7.5e9 gpus=64 stage=2", 16640625000},
        {"params=7.5e9 gpus=64 stage=3", 1875000000},
        {"params=13e9 gpus=8 stage=0", 208000000000},
        {"params=13e9 gpus=8 stage=1", 71500000000},
        {"params=13e9 gpus=8 stage=2", 48750000000},
        {"params=13e9 gpus=8 stage=3", 26000000000},
        /* bytes a parameter: ZeRO section 3.1; bitsandbytes' 8-bit states */
        {"params=1e9 precision=fp32", 16000000000},
        {"params=1e9 precision=mixed-fp16", 16000000000},
        {"params=1e9 precision=bf16", 8000000000},
        {"params=1e9 precision=fp32 optimizer=sgd-momentum", 12000000000},
        {"params=1e9 optimizer=sgd-momentum", 12000000000},
        {"params=1e9 optimizer=lion", 12000000000},
        {"params=1e9 optimizer=muon", 12000000000},
        {"params=1024000000 optimizer=adam8bit", 10272000000},
        {"params=1024000000 optimizer=adam8bit precision=bf16", 6176000000},
        {"params=1024000000 optimizer=adam8bit precision=fp32", 10272000000},
        /* one block of 256 shares a scale, so a block begun costs a whole one */
        {"params=257 optimizer=adam8bit precision=bf16", 257 * 6 + 2 * 8},
        /* ten elements over four ranks: shards of three */
        {"params=10 gpus=4 stage=3", 48},
        {"params=10 gpus=4 stage=2", 20 + 3 * 14},
        {"params=10 gpus=4 stage=1", 40 + 3 * 12},
        {"params=1 gpus=1000000 stage=3", 16},
        {"params=1e14 gpus=1000000 stage=3", 1600000000},
        {"params=1e17 gpus=1 stage=0", 1600000000000000000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t got = total_of(rows[i].training);
        if (got != rows[i].total) fail_msg("%s: %llu", rows[i].training, (unsigned long long)got);
    }
}

/* GPT-2 124M under Adafactor: each matrix keeps a row and a column of fp32 sums, each vector a
 * value for each element. */
static void adafactor(void **state) {
    (void)state;
    uint64_t matrices =
        (50257 + 768) + (1024 + 768) + 12 * ((768 + 2304) + (768 + 768) + 2 * (768 + 3072));
    uint64_t vectors = 12 * (2304 + 768 + 3072 + 768) + (4 * 12 + 2) * 768;
    uint64_t whole = 124439808u * 8ull + 4 * (matrices + vectors);
    assert_int_equal(total_of("model=gpt2 optimizer=adafactor"), whole);
    struct account_training bare = training_of("params=1e9 optimizer=adafactor");
    struct account_ledger l;
    struct account_error e = {0};
    assert_false(account_ledger(&bare, &l, &e));
    assert_non_null(strstr(e.what, "model"));
    assert_int_equal(account_largest_params(&bare, 80000000000), 0);
}

static void padding(void **state) {
    (void)state;
    static const struct {
        const char *training;
        uint64_t padding;
    } rows[] = {
        {"params=10 gpus=4 stage=3", 2 * 16}, {"params=10 gpus=4 stage=2", 2 * 14},
        {"params=10 gpus=4 stage=0", 0},      {"params=10 gpus=8 stage=3", 2 * 16},
        {"params=12 gpus=4 stage=3", 0},      {"params=1 gpus=3 stage=1", 12},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = training_of(rows[i].training);
        struct account_ledger l;
        assert_true(account_ledger(&t, &l, NULL));
        if (l.padding != rows[i].padding)
            fail_msg("%s: %llu", rows[i].training, (unsigned long long)l.padding);
    }
}

static void bytes_per_param(void **state) {
    (void)state;
    struct account_training t = training_of("params=7e9 gpus=8 stage=3");
    assert_same(account_bytes_per_param(&t, ACCOUNT_PARAMS), 2, "params");
    assert_same(account_bytes_per_param(&t, ACCOUNT_GRADS), 2, "grads");
    assert_same(account_bytes_per_param(&t, ACCOUNT_MASTER), 4, "master");
    assert_same(account_bytes_per_param(&t, ACCOUNT_MOMENTS), 8, "moments");
    assert_same(account_bytes_per_param(&t, ACCOUNT_ACTIVATIONS), 0, "activations");
    t = training_of("params=7e9 optimizer=adam8bit");
    assert_same(account_bytes_per_param(&t, ACCOUNT_MOMENTS), 2.03125, "8-bit moments");
    static const char sharded[4][4] = {{0, 0, 0, 0}, {0, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};
    for (uint8_t stage = 0; stage < 4; stage++)
        for (unsigned c = ACCOUNT_PARAMS; c <= ACCOUNT_MOMENTS; c++) {
            t.stage = stage;
            assert_int_equal(account_is_sharded(&t, (enum account_category)c), sharded[stage][c]);
        }
}

static void what_fits(void **state) {
    (void)state;
    struct account_training t = training_of("params=13e9 gpus=8 stage=2");
    assert_int_equal(account_fewest_gpus(&t, 80000000000), 4);
    assert_int_equal(account_fewest_gpus(&t, 26000000000), 0);
    t = training_of("params=13e9 gpus=8 stage=0");
    assert_int_equal(account_fewest_gpus(&t, 80000000000), 0);
    assert_int_equal(account_fewest_gpus(&t, 208000000000), 1);
    /* ZeRO, Table 2, first row with 32 GB: 2, 7.64, 14.42 and 128 billion on 64 GPUs */
    static const uint64_t largest[4] = {2000000000, 7641791044, 14422535211, 128000000000};
    for (uint8_t stage = 0; stage < 4; stage++) {
        t = training_of("params=1 gpus=64");
        t.stage = stage;
        uint64_t most = account_largest_params(&t, 32000000000);
        assert_true(most <= largest[stage] && largest[stage] - most < 64);
    }
}

/* ── of every training ─────────────────────────────────────────────────────────────────────────*/

static struct account_training any_training(uint64_t *seed) {
    struct account_training t = account_training_default();
    t.params = 1 + (chance(seed) % 100000000000000u >> (chance(seed) % 40));
    t.gpus = (uint32_t)(1 + (chance(seed) % 1000000 >> chance(seed) % 20));
    t.stage = (uint8_t)(chance(seed) % 4);
    t.precision = (uint8_t)(chance(seed) % 4);
    static const char *const optimizers[] = {"adamw", "adam8bit", "sgd-momentum", "lion", "muon"};
    assert_true(account_set(&t, "optimizer", optimizers[chance(seed) % 5], NULL));
    return t;
}

static void stages_fall(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < MANY; i++) {
        struct account_training t = any_training(&seed);
        uint64_t before = UINT64_MAX;
        for (t.stage = 0; t.stage < 4; t.stage++) {
            struct account_ledger l;
            assert_true(account_ledger(&t, &l, NULL));
            assert_true(l.total <= before);
            if (t.gpus == 1 && t.stage > 0) assert_int_equal(l.total, before);
            before = l.total;
        }
    }
}

/* The ranks' shards together are the whole and less than N elements of padding. */
static void shards_add_up(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < MANY; i++) {
        struct account_training t = any_training(&seed), whole = t;
        assert_true(account_set(&t, "optimizer", "adamw", NULL));
        whole = t;
        whole.stage = 0;
        struct account_ledger l, w;
        assert_true(account_ledger(&t, &l, NULL) && account_ledger(&whole, &w, NULL));
        for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
            uint64_t each = (uint64_t)account_bytes_per_param(&t, (enum account_category)c);
            bool sharded = account_is_sharded(&t, (enum account_category)c);
            if (!sharded) {
                assert_true(l.bytes[c] == w.bytes[c]);
                continue;
            }
            __extension__ unsigned __int128 all = (unsigned __int128)l.bytes[c] * t.gpus;
            assert_true(all >= w.bytes[c]);
            assert_true((uint64_t)(all - w.bytes[c]) < t.gpus * each);
        }
        assert_true(l.padding <= l.total);
    }
}

static void growth(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < MANY; i++) {
        struct account_training t = any_training(&seed), twice, more;
        twice = more = t;
        twice.params *= 2;
        more.gpus += 1 + (uint32_t)(chance(&seed) % 100);
        struct account_ledger l, l2, lm;
        assert_true(account_ledger(&t, &l, NULL) && account_ledger(&twice, &l2, NULL) &&
                    account_ledger(&more, &lm, NULL));
        assert_true(l2.total >= l.total && l2.total <= 2 * l.total);
        assert_true(2 * l.total - l2.total < 64); /* up to padding */
        assert_true(lm.total <= l.total);
    }
}

/* What is said to fit fits, and one more does not. */
static void fits_are_tight(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < MANY / 4; i++) {
        struct account_training t = any_training(&seed);
        uint64_t bytes = 1000 + chance(&seed) % 1000000000000u;
        struct account_ledger l;
        struct account_training most = t;
        most.params = account_largest_params(&t, bytes);
        if (most.params > 0) {
            assert_true(account_ledger(&most, &l, NULL) && l.total <= bytes);
            most.params++;
            if (account_ledger(&most, &l, NULL)) assert_true(l.total > bytes);
        }
        struct account_training few = t;
        few.gpus = account_fewest_gpus(&t, bytes);
        if (few.gpus == 0) continue;
        assert_true(account_ledger(&few, &l, NULL) && l.total <= bytes);
        few.gpus--;
        if (few.gpus > 0) assert_true(account_ledger(&few, &l, NULL) && l.total > bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures),        cmocka_unit_test(adafactor),
        cmocka_unit_test(padding),        cmocka_unit_test(bytes_per_param),
        cmocka_unit_test(what_fits),      cmocka_unit_test(stages_fall),
        cmocka_unit_test(shards_add_up),  cmocka_unit_test(growth),
        cmocka_unit_test(fits_are_tight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
