/* memo_scene: what the engine says of a memo's scenario: its stages, the ledger of what was
 * decided, and what the planner would do. */
#include "screen/memo.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void screen_writer_scene_free(struct writer_scene *s) {
    free(s->line);
    free(s->plan);
    free(s->turns);
    json_decref(s->ledger);
    *s = (struct writer_scene){0};
}

/* ── the stages ────────────────────────────────────────────────────────────────────────────────*/
/* Gigabytes without their unit, which the ledger's head says: a narrow panel has no cells for it in
 * each row. */
static void print_gb(char *out, size_t size, double bytes, int digits) {
    account_print(out, size, bytes, ACCOUNT_UNIT_GB, digits);
    out[strcspn(out, " ")] = '\0';
}

/* The decision at each stage; in the course only what the memo claims of it. */
static void read_stage(struct writer_stage *s, const struct memo_report *r, size_t stage,
                       bool course) {
    static const char *const names[] = {"model states", "peak"};
    const struct memo_config *c = &r->config[MEMO_STAGE_0 + stage];
    const bool *claimed = r->claimed[MEMO_STAGE_0 + stage];
    double peak = memo_value(c, names[1]);
    s->exists = c->known;
    if (!s->exists) return;
    print_gb(s->states, sizeof s->states, memo_value(c, names[0]), 4);
    print_gb(s->peak, sizeof s->peak, peak, 3);
    s->states_told = !course || claimed[memo_quantity_find(names[0])];
    s->peak_told = !course || claimed[memo_quantity_find(names[1])];
    s->judged = c->is.card_bytes > 0;
    s->fits = account_fit((uint64_t)peak, c->is.card_bytes);
}

/* ── the ledger ────────────────────────────────────────────────────────────────────────────────*/
static json_t *ledger_json(const struct memo_report *r) {
    const struct memo_scenario *s = &r->config[MEMO_THE_DECISION].is;
    json_t *limit = s->card_bytes > 0 ? json_integer((json_int_t)s->card_bytes) : json_null();
    return json_pack("{s:s, s:s, s:o, s:o, s:I}", "kind", "ledger", "unit", "GB", "limit", limit,
                     "training", page_training_json(&s->training), "peak", (json_int_t)r->peak);
}

/* ── the planner ───────────────────────────────────────────────────────────────────────────────*/
static void put_way(const struct account_training *t, struct base_text *out) {
    char value[64];
    base_text_printf(out, "stage %u", t->stage);
    if (t->checkpoint)
        base_text_printf(out, ", %s checkpointing",
                         account_get(t, "checkpoint", value, sizeof value));
    if (t->batch) base_text_printf(out, ", micro-batch %u\u00a0×\u00a0%u", t->batch, t->accumulate);
    if (t->tp > 1) base_text_printf(out, ", tp %u", t->tp);
    if (t->pp > 1) base_text_printf(out, ", pp %u", t->pp);
    if (t->offload_optimizer || t->offload_params) base_text_puts(out, ", offloading");
}

static void put_measures(const struct account_plan *p, struct base_text *out) {
    char amount[24], tokens[24];
    double spare = (double)p->measured.spare;
    account_print_bytes(amount, sizeof amount, spare < 0 ? -spare : spare);
    base_text_printf(out, ". %s %s", amount, spare < 0 ? "too much" : "to spare");
    if (!(p->measured.seconds > 0)) return;
    account_print_count(tokens, sizeof tokens, p->measured.tokens_per_s);
    base_text_printf(out, ", %.3g s a step, %s tokens/s", p->measured.seconds, tokens);
}

static char *plan_words(const struct memo_scenario *s) {
    struct account_question q;
    struct account_plan plan;
    struct account_plans plans;
    struct account_error e = {0};
    struct base_text t = {0};
    memo_scenario_question(s, &q);
    if (!account_plan(&q, &plan, 1, &plans, &e)) return base_dup(e.what);
    if (plans.count == 0) return base_dup("No way to divide this model among these GPUs.");
    if (!plans.found) base_text_puts(&t, "Nothing fits. The nearest: ");
    put_way(&plan.training, &t);
    put_measures(&plan, &t);
    base_text_printf(&t, ". Global batch %" PRIu64 ".", plans.global_batch);
    return base_text_take(&t);
}

static void ask_planner(struct writer_scene *s, const struct memo_scenario *scenario) {
    struct base_text line = {0};
    memo_scenario_write(scenario, &line);
    char *now = base_text_take(&line);
    if (s->line && strcmp(s->line, now) == 0) {
        free(now);
        return;
    }
    free(s->line);
    free(s->plan);
    s->line = now;
    s->plan = plan_words(scenario);
}

void screen_writer_scene_plan(struct writer_scene *s, const struct memo_report *r) {
    if (r->has_scenario) ask_planner(s, &r->config[MEMO_THE_SCENARIO].is);
}

void screen_writer_scene_read(struct writer_scene *s, const struct memo_report *r, bool course) {
    struct base_text turns = {0};
    json_decref(s->ledger);
    free(s->turns);
    s->ledger = NULL;
    s->turns = NULL;
    s->known = r->has_scenario;
    if (!r->has_scenario) return;
    for (size_t i = 0; i < WRITER_STAGES; i++) read_stage(&s->stage[i], r, i, course);
    bool told = !course || r->passes;
    if (r->decided && told) s->ledger = ledger_json(r);
    if (told && memo_sensitivity(r, &turns)) s->turns = base_text_take(&turns);
}
