/* Random configurations over all flags that change what a rank holds or sends: what a run counts is
 * what the engine predicts, on each tier, inside nodes and between them. A thousand are walked
 * through dry, a hundred really train (TEST_ALL; else 300 and 25). */
#include "runs.h"

#include "lab/predict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t roll(uint64_t *state, uint32_t from, uint32_t to) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return from + (uint32_t)(*state >> 33) % (to - from + 1);
}

static uint64_t pick(uint64_t *s, const uint64_t *of, size_t count) {
    return of[roll(s, 0, (uint32_t)count - 1)];
}

/* ── a configuration, as words of a command line ───────────────────────────────────────────────*/

/* A flag's values, of which the empty one leaves it out. Those that begin with a space
 * are other flags that it needs. */
static const struct {
    const char *flag, *value[8];
} choices[] = {
    {"--stage", {"0", "1", "2", "3", "3", "3", "3"}},
    {"--precision", {"fp32", "bf16", "fp16"}},
    {"--checkpoint", {"none", "selective", "full"}},
    {"--bucket", {"1KB", "10KB", "100KB", "2MB", "25MB"}},
    {"--prefetch", {"0", "1", "2"}},
    {"--accumulate", {"1", "2", "3"}},
    {"--batch", {"1", "2", "3"}},
    {"--clip", {"off", "1"}},
    {"--shard-group", {"", "", "", "1", "2", "3", "4"}},
    {"--gpus-per-node", {"", "1", "2", "2", "3", "4"}},
    {"--hpz", {"", "", "2", "3", "4"}},
    {"--qwz", {"", "", "on"}},
    {"--qgz", {"", "", "on"}},
    {"--grad-dtype", {"", "fp32"}},
    {"--optimizer", {"", "adam8bit"}},
    {"--untied", {"", " "}},
    {"--sparse-gradients", {"", " --untied --stage 0"}},
    {"--offload-optimizer", {"", "", "host", "nvme"}},
    {"--offload-params", {"", "", "", "host", "nvme"}},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static size_t values(size_t i) {
    size_t n = 0;
    while (n < 8 && choices[i].value[n]) n++;
    return n;
}

static void draw(uint64_t *s, uint32_t width_most, char *words, size_t size) {
    static const uint64_t ranks[] = {1, 2, 3, 4, 4, 6, 6, 8, 8};
    uint32_t heads = roll(s, 1, 4);
    int n =
        snprintf(words, size, "--ranks %u --layers %u --width %u --heads %u --seq %u --vocab %u",
                 (unsigned)pick(s, ranks, 9), roll(s, 1, 5), heads * roll(s, 4, width_most / heads),
                 heads, roll(s, 8, 60), roll(s, 100, 2000));
    for (size_t i = 0; i < CHOICES; i++) {
        const char *value = choices[i].value[roll(s, 0, (uint32_t)values(i) - 1)];
        if (*value) n += snprintf(words + n, size - (size_t)n, " %s %s", choices[i].flag, value);
    }
}

/* Draws until the flags agree with each other. Returns how many did not. */
static unsigned any(uint64_t *s, uint32_t width_most, char *words, size_t size,
                    struct lab_options *o) {
    for (unsigned refused = 0;; refused++) {
        struct lab_message m = {""};
        char copy[600], *argv[64] = {"zerolab"};
        int argc = 1;
        draw(s, width_most, words, size);
        *o = run_options(1, 0);
        (void)snprintf(copy, sizeof copy, "%s", words);
        for (char *rest = copy, *w; (w = strtok_r(rest, " ", &rest));) argv[argc++] = w;
        if (!lab_options_read(argc, argv, o, &m)) fail_msg("%s: %s", words, m.text);
        if (lab_options_check(o, &m)) return refused;
        if (!m.text[0]) fail_msg("%s: refused without a word", words);
    }
}

/* ── counted next to predicted ─────────────────────────────────────────────────────────────────*/

static void same(const char *words, const char *what, uint64_t counted, uint64_t predicted) {
    if (counted != predicted)
        fail_msg("%s: %s is %llu, predicted %llu", words, what, (unsigned long long)counted,
                 (unsigned long long)predicted);
}

static void same_tiers(const char *words, const struct lab_says_end *e,
                       const struct lab_prediction *p) {
    for (int t = LAB_TIER_HOST; t < LAB_TIERS; t++) {
        for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
            same(words, "a category on a tier", e->tier[t].bytes[c], p->tier[t].bytes[c]);
        same(words, "into a tier", e->tier[t].in, p->tier[t].in);
        same(words, "out of a tier", e->tier[t].out, p->tier[t].out);
    }
}

static void compare(const char *words, const struct lab_options *o, const struct run *run,
                    uint32_t rank) {
    struct lab_prediction p;
    struct lab_message m = {""};
    const struct lab_says_end *e = &run->end[rank];
    if (!run->well) fail_msg("%s: rank %u: %s", words, rank, run->error[rank].text);
    if (!lab_predict(o, &p, &m)) fail_msg("%s: %s", words, m.text);
    lab_predict_skipped(o, run->skipped, &p);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        const char *name = account_category_name((enum account_category)c);
        same(words, name, e->persistent[c], p.persistent[c]);
        same(words, name, e->peak[c], p.peak[c]);
    }
    for (int i = 0; i < LAB_COLLECTIVES; i++)
        same(words, lab_collective_name((enum lab_collective)i), e->sent[i], p.sent[i]);
    same(words, "between nodes", e->between, p.between);
    same(words, "control", e->control, p.control);
    same(words, "the peak", e->peak_total, p.peak_total);
    same_tiers(words, e, &p);
    char where[64];
    struct lab_where place = e->peak_where;
    place.step = 0;
    (void)lab_where_text(where, sizeof where, &place, o->shape.layers);
    if (strcmp(where, p.peak_where) != 0)
        fail_msg("%s: the peak is at %s, predicted at %s", words, where, p.peak_where);
}

/* How often each flag was used at all: the draws reach all of them. */
struct reach {
    unsigned used[CHOICES];
};
static void reach(struct reach *r, const char *words) {
    for (size_t i = 0; i < CHOICES; i++) r->used[i] += strstr(words, choices[i].flag) != NULL;
}
static void reached(const struct reach *r, unsigned least) {
    for (size_t i = 0; i < CHOICES; i++)
        if (r->used[i] < least) fail_msg("%s was drawn %u times only", choices[i].flag, r->used[i]);
}

static unsigned count_of(unsigned all, unsigned some) {
    return getenv("TEST_ALL") ? all : some;
}

static void test_dry(void **state) {
    (void)state;
    unsigned many = count_of(1000, 300), refused = 0;
    struct reach r = {{0}};
    uint64_t seed = 20;
    for (unsigned i = 0; i < many; i++) {
        char words[600];
        struct lab_options o;
        refused += any(&seed, 160, words, sizeof words, &o);
        struct run dry = run_dry(&o, o.ranks - 1);
        compare(words, &o, &dry, o.ranks - 1);
        reach(&r, words);
    }
    reached(&r, many / 50);
    (void)printf("# %u configurations dry, %u more refused\n", many, refused);
}

static void test_real(void **state) {
    (void)state;
    unsigned many = count_of(100, 25);
    struct reach r = {{0}};
    uint64_t seed = 21;
    for (unsigned i = 0; i < many; i++) {
        char words[600];
        struct lab_options o;
        (void)any(&seed, 40, words, sizeof words, &o);
        o.steps = 2;
        struct run run = run_local(&o);
        for (uint32_t k = 0; k < o.ranks; k++) compare(words, &o, &run, k);
        for (uint32_t k = 1; k < o.ranks; k++)
            assert_int_equal(run.end[k].weights_hash, run.end[0].weights_hash);
        reach(&r, words);
    }
    reached(&r, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dry), cmocka_unit_test(test_real)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
