/* memo_book_figures: what the engine says and draws of a memo's decision. */
#include "command/memo_book.h"

#include <stdlib.h>

/* ── figures ─────────────────────────────────────────────────────────────────────────────────────*/
static json_t *limit_of(const struct study_memo_report *r) {
    if (r->chosen.card) return json_string(r->chosen.card->name);
    if (r->scenario.card_bytes) return json_integer((json_int_t)r->scenario.card_bytes);
    return json_null();
}

static void add_figure(json_t *to, json_t *spec) {
    export_figure(to, spec);
    json_decref(spec);
}

/* What stage 3 gathers although the recipe does not say so: the planner knows. */
static uint64_t gathered(const struct account_training *t) {
    struct account_question q = {.training = *t, .pinned = UINT64_MAX};
    struct account_plan plan;
    struct account_plans plans;
    if (t->stage != 3) return 0;
    return account_plan(&q, &plan, 1, &plans, NULL) && plans.count ? plan.gathered : 0;
}

/* Each stage at its own peak, so that the chosen one's bar is the peak that is told beside it. */
void memo_book_stages(json_t *to, const struct study_memo_report *r) {
    json_t *bars = json_array();
    struct account_training t = r->chosen;
    for (t.stage = 0; t.stage <= 3; t.stage++) {
        if (!account_has_stage(&t, t.stage)) continue;
        char *label =
            base_format("stage %u%s", t.stage, t.stage == r->chosen.stage ? " (chosen)" : "");
        json_array_append_new(bars, json_pack("{ss so sb sI}", "label", label, "training",
                                              paper_training_json(&t), "peak", true, "gather",
                                              (json_int_t)gathered(&t)));
        free(label);
    }
    add_figure(to, json_pack("{ss ss so sb so}", "kind", "stack", "unit", "GB", "limit",
                             limit_of(r), "legend", true, "bars", bars));
}

/* A ledger sums up what is there at any time; the peak is what is there at once, with what is gathered beside it. */
static void say_peak(json_t *to, const struct study_memo_report *r) {
    char peak[32], beside[32];
    uint64_t more = gathered(&r->chosen);
    struct account_ledger all;
    if (!more && account_ledger(&r->chosen, &all, NULL) && all.total == r->peak) return;
    account_print(peak, sizeof peak, (double)r->peak, ACCOUNT_UNIT_GB, 4);
    account_print(beside, sizeof beside, (double)more, ACCOUNT_UNIT_GB, 3);
    if (more)
        export_format(to, "At the peak %s are there, %s of it gathered for a layer.", peak, beside);
    else
        export_format(to, "At the peak %s of it are there at once.", peak);
}

void memo_book_ledger(json_t *to, const struct study_memo_report *r) {
    add_figure(to,
               json_pack("{ss ss so so sI}", "kind", "ledger", "unit", "GB", "limit", limit_of(r),
                         "training", paper_training_json(&r->chosen), "peak", (json_int_t)r->peak));
    if (r->peak) say_peak(to, r);
}

/* ── numbers ─────────────────────────────────────────────────────────────────────────────────────*/
static void add(json_t *pairs, const char *what, double value, enum account_unit unit) {
    char text[40];
    account_print(text, sizeof text, value, unit, 4);
    json_array_append_new(pairs, json_pack("[ss]", what, text));
}

static uint64_t states_of(const struct account_ledger *l) {
    uint64_t sum = 0;
    for (int c = ACCOUNT_PARAMS; c <= ACCOUNT_MOMENTS; c++) sum += l->bytes[c];
    return sum;
}

static void add_verdict(json_t *pairs, const struct study_memo_report *r) {
    static const char *const words[] = {"it fits", "it fits, tightly", "it does not fit"};
    char room[32], *text;
    if (!r->scenario.card_bytes) return;
    account_print(room, sizeof room, (double)r->scenario.card_bytes, ACCOUNT_UNIT_GB, 4);
    text = base_format("%s: %s", room, words[r->fits]);
    json_array_append_new(pairs, json_pack("[ss]", "Of what a GPU gives", text));
    free(text);
}

void memo_book_numbers(json_t *to, const struct study_memo_report *r) {
    struct account_memory memory;
    struct account_traffic traffic;
    struct account_clock clock;
    json_t *pairs = json_array();
    if (account_memory(&r->chosen, &memory, NULL))
        add(pairs, "Model states a GPU keeps", (double)states_of(&memory.gpu), ACCOUNT_UNIT_GB);
    add(pairs, "At the peak", (double)r->peak, ACCOUNT_UNIT_GB);
    add_verdict(pairs, r);
    if (account_traffic(&r->chosen, &traffic, NULL))
        add(pairs, "Sent by a rank in a step", (double)traffic.total, ACCOUNT_UNIT_GB);
    if (account_clock(&r->chosen, &clock, NULL) && clock.step > 0)
        add(pairs, "A step takes", clock.step, ACCOUNT_UNIT_SECONDS);
    export_pairs(to, pairs);
}
