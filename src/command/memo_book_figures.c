/* memo_book_figures: what the engine says and draws of a memo's decision. */
#include "command/memo_book.h"

#include <stdlib.h>

static const struct account_training *chosen(const struct memo_report *r) {
    return &r->config[MEMO_THE_DECISION].is.training;
}

/* ── figures ─────────────────────────────────────────────────────────────────────────────────────*/
static json_t *limit_of(const struct memo_report *r) {
    if (chosen(r)->card) return json_string(chosen(r)->card->name);
    if (r->config[MEMO_THE_DECISION].is.card_bytes)
        return json_integer((json_int_t)r->config[MEMO_THE_DECISION].is.card_bytes);
    return json_null();
}

static void add_figure(json_t *to, json_t *spec) {
    command_export_figure(to, spec);
    json_decref(spec);
}

/* Each stage at its own peak, so that the chosen one's bar is the peak that is told beside it. */
void command_memo_book_stages(json_t *to, const struct memo_report *r) {
    json_t *bars = json_array();
    for (uint8_t stage = 0; stage <= 3; stage++) {
        const struct memo_config *c = &r->config[MEMO_STAGE_0 + stage];
        if (!c->known) continue;
        char *label =
            base_format("stage %u%s", stage, stage == chosen(r)->stage ? " (chosen)" : "");
        json_array_append_new(bars, json_pack("{ss so sb}", "label", label, "training",
                                              page_training_json(&c->is.training), "peak", true));
        free(label);
    }
    add_figure(to, json_pack("{ss ss so sb so}", "kind", "stack", "unit", "GB", "limit",
                             limit_of(r), "legend", true, "bars", bars));
}

/* A ledger sums up what is there at any time; the peak is what is there at once. */
static void say_peak(json_t *to, const struct memo_report *r) {
    char peak[32];
    struct account_ledger all;
    if (account_ledger(chosen(r), &all, NULL) && all.total == r->peak) return;
    account_print(peak, sizeof peak, (double)r->peak, ACCOUNT_UNIT_GB, 4);
    command_export_format(to, "At the peak %s of it are there at once.", peak);
}

void command_memo_book_ledger(json_t *to, const struct memo_report *r) {
    add_figure(to,
               json_pack("{ss ss so so sI}", "kind", "ledger", "unit", "GB", "limit", limit_of(r),
                         "training", page_training_json(chosen(r)), "peak", (json_int_t)r->peak));
    if (r->peak) say_peak(to, r);
}

/* ── numbers ─────────────────────────────────────────────────────────────────────────────────────*/
static void add(json_t *pairs, const char *what, double value, enum account_unit unit) {
    char text[40];
    account_print(text, sizeof text, value, unit, 4);
    json_array_append_new(pairs, json_pack("[ss]", what, text));
}

static void add_verdict(json_t *pairs, const struct memo_report *r) {
    static const char *const words[] = {"it fits", "it fits, tightly", "it does not fit"};
    char capacity[32], *text;
    if (!r->config[MEMO_THE_DECISION].is.card_bytes) return;
    account_print(capacity, sizeof capacity, (double)r->config[MEMO_THE_DECISION].is.card_bytes,
                  ACCOUNT_UNIT_GB, 4);
    text = base_format("%s: %s", capacity, words[r->fits]);
    json_array_append_new(pairs, json_pack("[ss]", "Of what a GPU gives", text));
    free(text);
}

void command_memo_book_numbers(json_t *to, const struct memo_report *r) {
    static const struct {
        const char *what, *quantity;
        enum account_unit unit;
    } rows[] = {
        {"Model states a GPU keeps", "model states",           ACCOUNT_UNIT_GB     },
        {"At the peak",              "peak",                   ACCOUNT_UNIT_GB     },
        {"Sent by a rank in a step", "sent per rank and step", ACCOUNT_UNIT_GB     },
        {"A step takes",             "step time",              ACCOUNT_UNIT_SECONDS},
    };
    json_t *pairs = json_array();
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        double value = memo_value(&r->config[MEMO_THE_DECISION], rows[i].quantity);
        if (value > 0) add(pairs, rows[i].what, value, rows[i].unit);
        if (i == 1) add_verdict(pairs, r);
    }
    command_export_pairs(to, pairs);
}

/* The declared alternatives with what rejects them: states, peak, step. */
void command_memo_book_alternatives(json_t *to, const struct memo_report *r) {
    struct base_text t = {0};
    for (size_t i = MEMO_FIRST_ALTERNATIVE; i < r->configs; i++) {
        const struct memo_config *c = &r->config[i];
        char states[32], peak[32], step[32];
        double seconds = memo_value(c, "step time");
        if (!c->line || !c->known) continue;
        account_print_bytes(states, sizeof states, memo_value(c, "model states"));
        account_print_bytes(peak, sizeof peak, memo_value(c, "peak"));
        memo_print(step, sizeof step, seconds, ACCOUNT_FIGURE_SECONDS);
        base_text_printf(&t, "| %s | %s | %s | %s |\n", c->name, states, peak,
                         seconds > 0 ? step : "");
    }
    if (t.length) {
        char *table =
            base_format("| rejected | model states | peak | step |\n|:--|--:|--:|--:|\n%s", t.s);
        command_export_text(to, table);
        free(table);
    }
    base_text_free(&t);
}
