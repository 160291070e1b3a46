/* A memo made of the engine's own figures passes; with one of them wrong it does not, and the line is found. Scenarios, recipes, stages and
 * ways of writing are drawn by seed. */
#include "study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A memo under way: figure number `spoiled` is written otherwise than it is. */
struct making {
    struct base_text text;
    struct study_scenario s;
    struct account_training t; /* the decision */
    bool tables;
    int figures, spoiled;
    enum { DIGITS, HALVED, GIB, MILLI, SPOILINGS } how;
    int line; /* of the spoiled figure */
    char was[64], is[64];
};

static int lines_of(const struct base_text *t) {
    int n = 1;
    for (size_t i = 0; i < t->length; i++) n += t->s[i] == '\n';
    return n;
}

static const char *const wrong_units[][3] = {
    {"GB",       "GiB", "MB"},
    {"s",        "ms",  "ms"},
    {"tokens/s", NULL,  NULL},
};

static const char *wrong_unit(const char *unit, bool milli) {
    for (size_t i = 0; i < BASE_COUNT(wrong_units); i++)
        if (strcmp(wrong_units[i][0], unit) == 0) return wrong_units[i][1 + milli];
    return NULL;
}

static void put_figure(struct making *m, double value, const char *unit) {
    char text[64];
    const char *other = m->how >= GIB ? wrong_unit(unit, m->how == MILLI) : NULL;
    snprintf(text, sizeof text, "%.*f %s", value < 10 ? 3 : value < 1000 ? 2 : 0, value, unit);
    if (m->figures++ == m->spoiled) {
        double times = other ? 1 : m->how == HALVED || m->how == MILLI ? 0.5 : 1.13;
        m->line = lines_of(&m->text);
        snprintf(m->was, sizeof m->was, "%s", text);
        snprintf(text, sizeof text, "%.*f %s",
                 value < 10     ? 3
                 : value < 1000 ? 2
                                : 0,
                 times * value, other ? other : unit);
        snprintf(m->is, sizeof m->is, "%s", text);
    }
    base_text_puts(&m->text, text);
}

static void put_bytes(struct making *m, double bytes) {
    put_figure(m, bytes / 1e9, "GB");
}

static void put(struct making *m, const char *words) {
    base_text_puts(&m->text, words);
}

static double sum(const struct account_ledger *l, unsigned first, unsigned last) {
    double bytes = 0;
    for (unsigned c = first; c <= last; c++) bytes += (double)l->bytes[c];
    return bytes;
}

/* The peak as the planner counts it: with what stage 3 gathers. */
static double peak_of(const struct account_training *t) {
    struct account_question q = {.training = *t, .pinned = ~0ull};
    struct account_plan plan;
    struct account_plans plans;
    assert_true(account_plan(&q, &plan, 1, &plans, NULL) && plans.count);
    return (double)(plan.peak + plan.gathered);
}

/* ── the sections ────────────────────────────────────────────────────────────────────────────────*/
static const char *const keeps[] = {"without checkpointing", "with selective checkpointing",
                                    "with full checkpointing"};

static void put_decision(struct making *m) {
    base_text_printf(&m->text,
                     "## Decision\n\nWe choose ZeRO stage %u %s, micro-batch %u, accumulation %u, "
                     "no offload.\n\n",
                     m->t.stage, keeps[m->t.checkpoint], m->t.batch, m->t.accumulate);
}

static const struct {
    enum account_category category;
    const char *name;
} categories[] = {
    {ACCOUNT_PARAMS,      "parameters"    },
    {ACCOUNT_GRADS,       "gradients"     },
    {ACCOUNT_MASTER,      "master weights"},
    {ACCOUNT_MOMENTS,     "Adam's moments"},
    {ACCOUNT_ACTIVATIONS, "activations"   },
};

static void put_category(struct making *m, const struct account_memory *memory, size_t i) {
    double bytes = (double)memory->gpu.bytes[categories[i].category];
    if (bytes < 1e6) return;
    if (m->tables) {
        base_text_printf(&m->text, "| %s | ", categories[i].name);
        put_bytes(m, bytes);
        put(m, " |\n");
        return;
    }
    base_text_printf(&m->text, "Its %s take ", categories[i].name);
    put_bytes(m, bytes);
    put(m, ".\n");
}

static void put_memory(struct making *m) {
    struct account_memory memory;
    double peak = peak_of(&m->t), card = (double)m->s.card_bytes;
    assert_true(account_memory(&m->t, &memory, NULL));
    base_text_printf(&m->text, "## Memory\n\nUnder stage %u a GPU keeps ", m->t.stage);
    put_bytes(m, sum(&memory.gpu, ACCOUNT_PARAMS, ACCOUNT_MOMENTS));
    put(m, " of model states.\n");
    if (m->tables) put(m, "\n| what | per GPU |\n|---|--:|\n");
    for (size_t i = 0; i < BASE_COUNT(categories); i++) put_category(m, &memory, i);
    put(m, "\nThe peak is ");
    put_bytes(m, peak);
    put(m, ".\nOf usable memory there are ");
    put_bytes(m, card);
    put(m, ".\nThat leaves ");
    put_bytes(m, card - peak);
    put(m, " to spare.\n\n");
}

static void put_time(struct making *m) {
    struct account_traffic traffic;
    struct account_clock clock;
    assert_true(account_traffic(&m->t, &traffic, NULL) && account_clock(&m->t, &clock, NULL));
    put(m, "## Communication and step time\n\nA rank sends ");
    put_bytes(m, (double)traffic.total);
    put(m, " a step over its link.\n");
    if (!clock.has_compute || !clock.has_comm) return;
    put(m, "A step takes ");
    put_figure(m, clock.step, "s");
    put(m, ".\nThroughput is ");
    put_figure(m, clock.tokens_per_s, "tokens/s");
    put(m, ".\n\n");
}

/* How much more or less another stage keeps, said as a difference. */
static void put_difference(struct making *m, const struct account_training *other) {
    struct account_memory a, b;
    assert_true(account_memory(other, &a, NULL) && account_memory(&m->t, &b, NULL));
    double more =
        sum(&a.gpu, ACCOUNT_PARAMS, ACCOUNT_MOMENTS) - sum(&b.gpu, ACCOUNT_PARAMS, ACCOUNT_MOMENTS);
    if (fabs(more) < 1e9) return;
    base_text_printf(&m->text, "Stage %u keeps ", other->stage);
    put_bytes(m, fabs(more));
    base_text_printf(&m->text, " %s of model states than stage %u.\n", more > 0 ? "more" : "less",
                     m->t.stage);
}

static void put_rest(struct making *m) {
    struct account_memory memory;
    struct account_training other = m->t;
    other.stage = m->t.stage == 3 ? 2 : 3;
    if (!account_has_stage(&other, other.stage)) other.stage = m->t.stage == 0 ? 3 : 0;
    assert_true(account_memory(&other, &memory, NULL));
    base_text_printf(&m->text, "## Alternatives rejected\n\nStage %u would keep ", other.stage);
    put_bytes(m, sum(&memory.gpu, ACCOUNT_PARAMS, ACCOUNT_MOMENTS));
    put(m, " of model states.\n");
    put_difference(m, &other);
    put(m, "\n## Risks and fallback\n\nThe risk is a longer sequence, and the "
           "fallback more GPUs.\n\n"
           "## What to measure in the first hour\n\nWe measure the peak by category against a "
           "tuned baseline.\n");
}

static void make(struct making *m) {
    m->text = (struct base_text){0};
    m->figures = 0;
    put(m, "# A memo\n\n");
    study_scenario_write(&m->s, &m->text);
    char recipe[32];
    account_get(&m->t, "recipe", recipe, sizeof recipe);
    base_text_printf(&m->text, "\n\nRecipe: %s\n\n", recipe);
    put_decision(m);
    put_memory(m);
    put_time(m);
    put_rest(m);
}

/* ── drawing ─────────────────────────────────────────────────────────────────────────────────────*/
static bool fits(const struct making *m) {
    struct account_traffic traffic;
    if (!account_check(&m->t, NULL) || !account_traffic(&m->t, &traffic, NULL)) return false;
    return peak_of(&m->t) <= (double)m->s.card_bytes;
}

/* A configuration that fits, of a recipe and stage that the seed draws; false if those do not fit. */
static bool draw(struct making *m, uint64_t seed) {
    static const char *const recipes[] = {"paper", "paper", "deepspeed", "fsdp2", "megatron"};
    uint64_t state = seed;
    study_scenario_vary(base_random(&state) % 40, &m->s);
    m->s.days = 0;
    m->t = m->s.training;
    account_set(&m->t, "recipe", recipes[base_random(&state) % BASE_COUNT(recipes)], NULL);
    m->t.stage = (uint8_t)(base_random(&state) % 4);
    m->t.checkpoint = (uint8_t)(base_random(&state) % 3);
    m->tables = base_random(&state) % 2;
    return account_has_stage(&m->t, m->t.stage) && fits(m);
}

static void check_right(struct making *m, uint64_t seed) {
    struct study_memo_report r;
    struct base_message why = {0};
    m->spoiled = -1;
    make(m);
    if (!study_memo_check(m->text.s, m->text.length, NULL, &r, &why)) fail_msg("%s", why.what);
    for (size_t i = 0; i < r.count; i++)
        if (r.finding[i].kind > STUDY_MEMO_ROUNDED)
            fail_msg("seed %d, line %d, %s %s: %s\n%s", (int)seed, r.finding[i].line,
                     study_memo_kind_name(r.finding[i].kind), r.finding[i].figure,
                     r.finding[i].what, m->text.s);
    if (!r.passes) fail_msg("seed %d: %s\n%s", (int)seed, r.verdict, m->text.s);
    assert_int_equal(r.kinds[STUDY_MEMO_RIGHT], m->figures);
    study_memo_free(&r);
    base_text_free(&m->text);
}

static bool is_found(const struct study_memo_report *r, int line) {
    for (size_t i = 0; i < r->count; i++)
        if (r->finding[i].line == line && r->finding[i].kind > STUDY_MEMO_ROUNDED) return true;
    return false;
}

static void check_spoiled(struct making *m, uint64_t seed) {
    struct study_memo_report r;
    make(m);
    assert_true(study_memo_check(m->text.s, m->text.length, NULL, &r, NULL));
    if (!is_found(&r, m->line) || r.passes)
        fail_msg("seed %d, line %d: %s for %s went unseen (%s)\n%s", (int)seed, m->line, m->is,
                 m->was, r.verdict, m->text.s);
    study_memo_free(&r);
    base_text_free(&m->text);
}

static void figures_of_the_engine_pass_and_each_wrong_one_is_caught(void **state) {
    const char *all = getenv("TEST_ALL");
    int wanted = all ? 200 : 30, made = 0;
    (void)state;
    for (uint64_t seed = 1; made < wanted; seed++) {
        struct making m = {0};
        if (!draw(&m, seed)) continue;
        made++;
        check_right(&m, seed);
        int figures = m.figures;
        for (m.spoiled = 0; m.spoiled < figures; m.spoiled++)
            for (m.how = DIGITS; m.how < SPOILINGS; m.how++) check_spoiled(&m, seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_the_engine_pass_and_each_wrong_one_is_caught),
    };
    return cmocka_run_group_tests_name("study/memo_made", tests, NULL, NULL);
}
