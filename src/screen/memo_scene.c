/* writer_scene: what the engine says of a memo's scenario: its stages, the ledger of what was decided, and what the planner would do. */
#include "screen/memo.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void writer_scene_free(struct writer_scene *s) {
    free(s->line);
    free(s->plan);
    json_decref(s->ledger);
    *s = (struct writer_scene){0};
}

/* ── the stages ──────────────────────────────────────────────────────────────────────────────────*/
static uint64_t states_of(const struct account_ledger *l) {
    return l->bytes[ACCOUNT_PARAMS] + l->bytes[ACCOUNT_GRADS] + l->bytes[ACCOUNT_MASTER] +
           l->bytes[ACCOUNT_MOMENTS];
}

/* What stage 3 gathers although the recipe does not say so: the planner knows. */
static uint64_t gathered(const struct account_training *t) {
    struct account_question q = {.training = *t, .pinned = UINT64_MAX};
    struct account_plan plan;
    struct account_plans plans;
    if (t->stage != 3) return 0;
    return account_plan(&q, &plan, 1, &plans, NULL) && plans.count ? plan.gathered : 0;
}

static void read_stage(struct writer_stage *s, struct account_training t, uint8_t stage,
                       uint64_t card) {
    struct account_memory memory;
    t.stage = stage;
    s->exists = account_has_stage(&t, stage) && account_memory(&t, &memory, NULL);
    if (!s->exists) return;
    uint64_t peak = memory.phase[memory.peak].ledger.total + gathered(&t);
    account_print(s->states, sizeof s->states, (double)states_of(&memory.gpu), ACCOUNT_UNIT_GB, 4);
    account_print(s->peak, sizeof s->peak, (double)peak, ACCOUNT_UNIT_GB, 3);
    s->judged = card > 0;
    s->fits = account_fit(peak, card);
}

/* ── the ledger ──────────────────────────────────────────────────────────────────────────────────*/
static json_t *ledger_json(const struct memo_report *r) {
    json_t *limit =
        r->scenario.card_bytes > 0 ? json_integer((json_int_t)r->scenario.card_bytes) : json_null();
    return json_pack("{s:s, s:s, s:o, s:o, s:I}", "kind", "ledger", "unit", "GB", "limit", limit,
                     "training", paper_training_json(&r->chosen), "peak", (json_int_t)r->peak);
}

/* ── the planner ─────────────────────────────────────────────────────────────────────────────────*/
static void put_way(const struct account_training *t, struct base_text *out) {
    char value[64];
    base_text_printf(out, "stage %u", t->stage);
    if (t->checkpoint)
        base_text_printf(out, ", %s checkpointing",
                         account_get(t, "checkpoint", value, sizeof value));
    if (t->batch) base_text_printf(out, ", micro-batch %u × %u", t->batch, t->accumulate);
    if (t->tp > 1) base_text_printf(out, ", tp %u", t->tp);
    if (t->pp > 1) base_text_printf(out, ", pp %u", t->pp);
    if (t->offload_optimizer || t->offload_params) base_text_puts(out, ", offloading");
}

static void put_measures(const struct account_plan *p, struct base_text *out) {
    char amount[24], tokens[24];
    double spare = (double)p->spare;
    account_print_bytes(amount, sizeof amount, spare < 0 ? -spare : spare);
    base_text_printf(out, ". %s %s", amount, spare < 0 ? "too much" : "to spare");
    if (!(p->seconds > 0)) return;
    account_print_count(tokens, sizeof tokens, p->tokens_per_s);
    base_text_printf(out, ", %.3g s a step, %s tokens/s", p->seconds, tokens);
}

static char *plan_words(const struct study_scenario *s) {
    struct account_question q;
    struct account_plan plan;
    struct account_plans plans;
    struct account_error e = {0};
    struct base_text t = {0};
    study_scenario_question(s, &q);
    if (!account_plan(&q, &plan, 1, &plans, &e)) return base_dup(e.what);
    if (plans.count == 0) return base_dup("There is no way to divide this.");
    if (!plans.found) base_text_puts(&t, "Nothing fits. The nearest: ");
    put_way(&plan.training, &t);
    put_measures(&plan, &t);
    base_text_printf(&t, ". Global batch %" PRIu64 ".", plans.global_batch);
    return base_text_take(&t);
}

static void ask_planner(struct writer_scene *s, const struct study_scenario *scenario) {
    struct base_text line = {0};
    study_scenario_write(scenario, &line);
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

void writer_scene_read(struct writer_scene *s, const struct memo_report *r) {
    json_decref(s->ledger);
    s->ledger = NULL;
    s->known = r->has_scenario;
    if (!r->has_scenario) return;
    const struct account_training *t = r->decided ? &r->chosen : &r->scenario.training;
    for (uint8_t i = 0; i < WRITER_STAGES; i++)
        read_stage(&s->stage[i], *t, i, r->scenario.card_bytes);
    if (r->decided) s->ledger = ledger_json(r);
    ask_planner(s, &r->scenario);
}
