/* The timeline of a step: it says what account_memory() says, moment by moment. */
#include "account/draws.h"
#include "account/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 10000

static struct account_timepoint *timeline_of(const struct account_training *t, size_t *count) {
    struct account_error e = {0};
    *count = account_timeline(t, NULL, 0, &e);
    if (*count == 0) fail_msg("%s: %s", now, e.what);
    struct account_timepoint *out = calloc(*count, sizeof *out);
    assert_non_null(out);
    assert_int_equal(account_timeline(t, out, *count, &e), *count);
    return out;
}

/* ── beside the ledger ─────────────────────────────────────────────────────────────────────────*/

/* Where the ledger says that an instant is: the same place in the moment's words. */
static bool is_there(const struct account_timepoint *m, const char *where, uint32_t blocks) {
    static const struct {
        const char *where;
        enum account_phase phase;
        enum account_stop stop;
        /* of the blocks */
        bool first, last;
    } places[] = {
        {"forward, embedding", ACCOUNT_FORWARD, ACCOUNT_AT_EMBEDDINGS, false, false},
        {"forward, first block", ACCOUNT_FORWARD, ACCOUNT_AT_BLOCK, true, false},
        {"forward, last block", ACCOUNT_FORWARD, ACCOUNT_AT_BLOCK, false, true},
        {"forward, a block between", ACCOUNT_FORWARD, ACCOUNT_AT_BLOCK, false, false},
        {"forward, last norm", ACCOUNT_FORWARD, ACCOUNT_AT_NORM, false, false},
        {"forward, logits", ACCOUNT_FORWARD, ACCOUNT_AT_HEAD, false, false},
        {"backward, logits", ACCOUNT_BACKWARD, ACCOUNT_AT_HEAD, false, false},
        {"backward, last norm", ACCOUNT_BACKWARD, ACCOUNT_AT_NORM, false, false},
        {"backward, last block", ACCOUNT_BACKWARD, ACCOUNT_AT_BLOCK, false, true},
        {"backward, first block", ACCOUNT_BACKWARD, ACCOUNT_AT_BLOCK, true, false},
        {"init", ACCOUNT_INIT, ACCOUNT_AT_ALL, false, false},
        {"update", ACCOUNT_UPDATE, ACCOUNT_AT_ALL, false, false},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (strcmp(places[i].where, where) != 0) continue;
        if (places[i].phase != m->phase) return false;
        /* Without a shape there are no blocks, and each phase is one moment. */
        if (m->stop == ACCOUNT_AT_ALL) return true;
        return places[i].stop == m->stop && (!places[i].first || m->block == 0) &&
               (!places[i].last || m->block + 1 == blocks);
    }
    return strcmp(where, account_phase_name(m->phase)) == 0;
}

static uint32_t blocks_of(const struct account_timepoint *m, size_t count) {
    uint32_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (m[i].stop == ACCOUNT_AT_BLOCK && m[i].block + 1 > n) n = m[i].block + 1;
    return n;
}

/* The highest moment of each phase, and of each category. */
static void compare_phases(const struct account_timepoint *m, size_t count,
                           const struct account_memory *memory) {
    uint64_t total[ACCOUNT_PHASES] = {0}, highest[ACCOUNT_CATEGORIES] = {0};
    for (size_t i = 0; i < count; i++) {
        uint64_t sum = 0;
        if (m[i].ledger.total > total[m[i].phase]) total[m[i].phase] = m[i].ledger.total;
        for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
            uint64_t bytes = m[i].ledger.bytes[c];
            sum += bytes;
            if (bytes > highest[c]) highest[c] = bytes;
        }
        HOLDS(sum == m[i].ledger.total);
    }
    for (int p = 0; p < ACCOUNT_PHASES; p++) HOLDS(total[p] == memory->phase[p].ledger.total);
    HOLDS(memcmp(highest, memory->highest, sizeof highest) == 0);
}

static void compare(const struct account_training *t) {
    size_t count;
    struct account_memory memory;
    struct account_error e = {0};
    if (!account_memory(t, &memory, &e)) return;
    struct account_timepoint *m = timeline_of(t, &count);
    const struct account_instant *peak = &memory.phase[memory.peak];
    size_t top = account_timeline_peak(m, count);
    compare_phases(m, count, &memory);
    HOLDS(m[top].phase == memory.peak);
    HOLDS(memcmp(m[top].ledger.bytes, peak->ledger.bytes, sizeof peak->ledger.bytes) == 0);
    HOLDS(is_there(&m[top], peak->where, blocks_of(m, count)));
    HOLDS(m[0].phase == ACCOUNT_INIT && m[count - 1].stop == ACCOUNT_AT_REST);
    HOLDS(memcmp(&m[count - 1].ledger, &memory.persistent, sizeof memory.persistent) == 0);
    free(m);
}

static void peaks_where_the_ledger_does(void **state) {
    (void)state;
    size_t sound = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        char name[32];
        struct account_training t = drawn_training(i);
        snprintf(name, sizeof name, "training %u", (unsigned)i);
        now = name;
        if (!account_check(&t, NULL)) continue;
        sound++;
        compare(&t);
    }
    assert_true(sound > DRAWS / 2);
}

/* Every recipe in every stage that it has, as it is most often trained. */
static void peaks_in_every_recipe(void **state) {
    (void)state;
    struct account_row row[16];
    size_t recipes = account_recipes_list(row, 16);
    assert_in_range(recipes, 8, 16);
    for (size_t r = 0; r < recipes; r++)
        for (unsigned stage = 0; stage < 4; stage++)
            for (unsigned checkpoint = 0; checkpoint < 3; checkpoint++) {
                static const char *const kept[] = {"none", "selective", "full"};
                struct account_training t =
                    random_of("model=gpt2-xl gpus=8 recipe=%s batch=2 seq=1024 checkpoint=%s",
                              row[r].name, kept[checkpoint]);
                t.stage = (uint8_t)stage;
                if (account_check(&t, NULL)) compare(&t);
            }
}

/* Gathers that reach further ahead than there are blocks: then a block between the first and the
 * last is the highest of forward, or even of all. */
static void peaks_between_the_ends(void **state) {
    (void)state;
    uint64_t seed = 17;
    for (int i = 0; i < 2000; i++) {
        uint32_t layers = (uint32_t)up_to(&seed, 10) + 1, heads = 2u << up_to(&seed, 3);
        struct account_training t = random_of(
            "params=1 recipe=zerolab precision=fp32 gpus=%u stage=3 batch=1 seq=16 prefetch=%u "
            "bucket=%s checkpoint=%s",
            2u << up_to(&seed, 3), (unsigned)up_to(&seed, 20),
            ONE_OF(&seed, "1KB", "100KB", "25MB"), ONE_OF(&seed, "none", "selective", "full"));
        t.shape = (struct account_shape){.tied = true,
                                         .layers = layers,
                                         .hidden = 8 * heads,
                                         .heads = heads,
                                         .kv_heads = heads,
                                         .head_size = 8,
                                         .ffn = 32 * heads,
                                         .vocab = 64u << up_to(&seed, 6),
                                         .context = 16};
        assert_true(account_family_find("gpt", &t.shape.family));
        t.params = account_count_params(&t.shape);
        compare(&t);
    }
}

/* ── its shape ─────────────────────────────────────────────────────────────────────────────────*/

static void goes_forward_and_back(void **state) {
    (void)state;
    size_t count;
    struct account_training t = random_of("model=gpt2 gpus=4 stage=3 batch=1 seq=1024");
    struct account_timepoint *m = timeline_of(&t, &count);
    assert_int_equal(count, 1 + (1 + 12 + 1) + (1 + 12) + 2);
    for (uint32_t b = 0; b < 12; b++) {
        HOLDS(m[2 + b].phase == ACCOUNT_FORWARD && m[2 + b].block == b);
        HOLDS(m[15 + b].phase == ACCOUNT_FORWARD || m[15 + b].phase == ACCOUNT_BACKWARD);
        HOLDS(m[16 + b].phase == ACCOUNT_BACKWARD && m[16 + b].block == 11 - b);
        HOLDS(b == 0 || m[2 + b].ledger.total > m[1 + b].ledger.total);
        HOLDS(b == 0 || m[16 + b].ledger.total < m[15 + b].ledger.total);
    }
    free(m);
}

/* A pipeline's first stage has its own blocks only, and the activations of micro-batches that
 * wait. */
static void counts_a_stages_blocks(void **state) {
    (void)state;
    size_t count;
    struct account_training t =
        random_of("model=gpt2 gpus=4 pp=4 accumulate=8 batch=1 seq=1024 stage=1");
    struct account_timepoint *m = timeline_of(&t, &count);
    struct account_activations a;
    assert_true(account_activations(&t, &a, NULL));
    assert_int_equal(blocks_of(m, count), 3);
    assert_int_equal(m[1].ledger.bytes[ACCOUNT_ACTIVATIONS], a.layers / 4 * 3 + a.embedding);
    free(m);
}

static void fills_no_more_than_it_may(void **state) {
    (void)state;
    struct account_timepoint m[2] = {{.block = 77}, {.block = 77}};
    struct account_training t = random_of("params=7e9 gpus=8 stage=2");
    assert_int_equal(account_timeline(&t, m, 1, NULL), 5);
    assert_int_equal(m[1].block, 77);
    t.gpus = 0;
    struct account_error e = {0};
    assert_int_equal(account_timeline(&t, m, 2, &e), 0);
    assert_non_null(strstr(e.what, "gpus"));
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/

static void reads_what_it_names(void **state) {
    (void)state;
    size_t count;
    struct account_training t =
        random_of("model=gpt2 gpus=4 stage=3 batch=1 seq=1024 recipe=zerolab");
    struct account_timepoint *m = timeline_of(&t, &count), read;
    char name[48];
    for (size_t i = 0; i < count; i++) {
        now = account_timepoint_name(&m[i], name, sizeof name);
        HOLDS(account_timepoint_read(name, &read));
        HOLDS(read.phase == m[i].phase && read.stop == m[i].stop && read.block == m[i].block);
    }
    free(m);
    static const char *const none[] = {"",
                                       "forwards",
                                       "forward block",
                                       "forward block x",
                                       "forward block 1x",
                                       "forward block 12345678901",
                                       "backward  head",
                                       "lunch"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        now = none[i];
        HOLDS(!account_timepoint_read(none[i], &read));
    }
    assert_true(account_timepoint_read("update last norm", &read));
    assert_int_equal(read.phase, ACCOUNT_UPDATE);
    assert_int_equal(read.stop, ACCOUNT_AT_ALL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_where_the_ledger_does), cmocka_unit_test(peaks_in_every_recipe),
        cmocka_unit_test(peaks_between_the_ends),      cmocka_unit_test(goes_forward_and_back),
        cmocka_unit_test(counts_a_stages_blocks),      cmocka_unit_test(fills_no_more_than_it_may),
        cmocka_unit_test(reads_what_it_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
