/* A memo's report, for people and for programs. */
#include "command/memo.h"

#include <stdlib.h>
#include <string.h>

/* ── for programs ──────────────────────────────────────────────────────────────────────────────*/
static const char *section_name(enum memo_section s) {
    static const char *const names[MEMO_SECTIONS + 1] = {
        "decision", "memory", "time", "rejected", "risks", "first_hour", "figures", ""};
    return names[s <= MEMO_SECTIONS ? s : MEMO_SECTIONS];
}

static json_t *finding_json(const struct memo_finding *f) {
    return json_pack("{si si si ss ss ss ss sb}", "line", f->line, "column",
                     f->length ? f->column + 1 : 0, "length", f->length, "kind",
                     memo_kind_name(f->kind), "section", section_name(f->section), "figure",
                     f->figure, "what", f->what, "differs", (int)f->differs);
}

static json_t *counts_json(const struct memo_report *r) {
    json_t *counts = json_object();
    for (int k = 0; k < MEMO_KINDS; k++)
        json_object_set_new(counts, memo_kind_name((enum memo_kind)k),
                            json_integer((json_int_t)r->kinds[k]));
    return counts;
}

static json_t *scenario_json(const struct memo_report *r) {
    struct base_text t = {0};
    if (!r->has_scenario) return json_null();
    memo_scenario_write(&r->config[MEMO_THE_SCENARIO].is, &t);
    json_t *line = json_string(t.s + strlen("Scenario: "));
    base_text_free(&t);
    return line;
}

/* Every quantity that the engine has of a configuration, in base units. */
static json_t *config_json(const struct memo_config *c) {
    json_t *values = json_object();
    for (size_t q = 0; q < memo_quantities(); q++)
        if (c->value[q][0] > 0)
            json_object_set_new(values, memo_quantity_name(q), json_real(c->value[q][0]));
    return json_pack("{ss si so}", "name", c->name, "line", c->line, "values", values);
}

static json_t *configs_json(const struct memo_report *r) {
    json_t *configs = json_array();
    for (size_t i = 0; i < r->configs; i++)
        if (r->config[i].line) json_array_append_new(configs, config_json(&r->config[i]));
    return configs;
}

static json_t *chosen_json(const struct memo_report *r) {
    char checkpoint[32];
    if (!r->decided) return json_null();
    const struct memo_config *d = &r->config[MEMO_THE_DECISION];
    account_get(&d->is.training, "checkpoint", checkpoint, sizeof checkpoint);
    return json_pack("{si ss si si sI sI sI ss ss}", "stage", (int)d->is.training.stage,
                     "checkpoint", checkpoint, "micro_batch", (int)d->is.training.batch,
                     "accumulate", (int)d->is.training.accumulate, "peak", (json_int_t)r->peak,
                     "card", (json_int_t)d->is.card_bytes, "spare", (json_int_t)r->spare, "where",
                     account_phase_name(d->peak), "fits", account_fit_name(r->fits));
}

static json_t *command_report_json(const struct memo_report *r) {
    json_t *asked = json_array();
    for (size_t i = 0; i < r->asks; i++)
        json_array_append_new(asked, json_pack("{ss ss sb}", "quantity",
                                               r->asked[i].quantity < memo_quantities()
                                                   ? memo_quantity_name(r->asked[i].quantity)
                                                   : "any",
                                               "configuration", r->config[r->asked[i].config].name,
                                               "there", r->asked[i].there));
    return asked;
}

static json_t *questions_json(const struct memo_report *r) {
    json_t *all = json_array();
    for (size_t i = 0; i < r->questions; i++) {
        struct account_solution s;
        bool solved = account_solve(&r->question[i].problem, &s, NULL);
        json_array_append_new(all, json_pack("{ss so}", "ask", r->question[i].ask, "value",
                                             solved ? json_real(s.value) : json_null()));
    }
    return all;
}

static json_t *text_json(bool (*write)(const struct memo_report *, struct base_text *),
                         const struct memo_report *r) {
    struct base_text t = {0};
    json_t *text = write(r, &t) ? json_string(t.s) : json_null();
    base_text_free(&t);
    return text;
}

json_t *command_memo_json(const struct memo_report *r) {
    json_t *findings = json_array();
    for (size_t i = 0; i < r->count; i++)
        json_array_append_new(findings, finding_json(&r->finding[i]));
    return json_pack(
        "{sb ss so so ss so so so so so so so}", "passes", r->passes, "verdict", r->verdict, "trap",
        text_json(memo_trap, r), "scenario", scenario_json(r), "recipe",
        r->has_scenario ? account_recipe_name(&r->config[MEMO_THE_DECISION].is.training) : "paper",
        "chosen", chosen_json(r), "configurations", configs_json(r), "counts", counts_json(r),
        "asked", command_report_json(r), "findings", findings, "questions", questions_json(r),
        "sensitivity", text_json(memo_sensitivity, r));
}

/* ── for people ────────────────────────────────────────────────────────────────────────────────*/
static enum page_role role_of(enum memo_kind k) {
    bool bad = k == MEMO_UNIT || k == MEMO_MISTAKE || k == MEMO_WRONG || k == MEMO_UNREADABLE;
    return bad                                   ? PAGE_BAD
           : memo_is_open(k)                     ? PAGE_WARN
           : k == MEMO_FOREIGN || k == MEMO_NOTE ? PAGE_DIM
                                                 : PAGE_GOOD;
}

static void put_finding(const struct memo_finding *f, const char *name, struct page *p) {
    char *where = f->line ? base_format("%s:%d", name, f->line) : base_format("%s", name);
    int row = page_height(p);
    int column = page_put(p, row, 1, PAGE_DIM, 0, where);
    column = page_put(p, row, column + 2, role_of(f->kind), 0, memo_kind_name(f->kind));
    if (*f->figure) page_put(p, row, column + 2, PAGE_STRONG, 0, f->figure);
    page_markdown(p, (struct page_flow){.indent = 3}, f->what);
    free(where);
}

static void put_head(struct page *p, const char *words) {
    page_blank(p, 1);
    page_text(p, (struct page_flow){.indent = 1, .role = PAGE_STRONG}, words);
}

/* Findings of the memo as a whole that are of a kind, under a head. */
static void put_list(const struct memo_report *r, enum memo_kind kind, const char *head,
                     struct page *p) {
    bool any = false;
    for (size_t i = 0; i < r->count; i++) {
        const struct memo_finding *f = &r->finding[i];
        if (f->kind != kind || f->line) continue;
        if (!any) put_head(p, head);
        any = true;
        page_markdown(p, (struct page_flow){.indent = 3}, f->what);
    }
}

static void put_questions(const struct memo_report *r, struct page *p) {
    if (!r->questions) return;
    put_head(p, "Three questions from your memo, to answer without looking");
    for (size_t i = 0; i < r->questions; i++)
        page_text(p, (struct page_flow){.indent = 3}, r->question[i].ask);
}

static void put_markdown(bool (*write)(const struct memo_report *, struct base_text *),
                         const struct memo_report *r, const char *head, struct page *p) {
    struct base_text t = {0};
    if (write(r, &t)) {
        if (head) put_head(p, head);
        for (char *s = t.s, *line; (line = strsep(&s, "\n"));)
            page_markdown(p, (struct page_flow){.indent = head ? 3 : 1}, line);
    }
    base_text_free(&t);
}

void command_memo_page(const struct memo_report *r, const char *name, bool all, struct page *p) {
    const char *slash = strrchr(name, '/');
    if (slash) name = slash + 1;
    for (size_t i = 0; i < r->count; i++) {
        const struct memo_finding *f = &r->finding[i];
        bool told = memo_is_open(f->kind) || f->kind == MEMO_CHECKED || f->kind == MEMO_ROUNDED ||
                    f->kind == MEMO_NOTE || f->differs;
        if (f->line && (all || told)) put_finding(f, name, p);
    }
    put_list(r, MEMO_MISSING, "What is missing", p);
    put_list(r, MEMO_NOTE, "What a reviewer would ask next", p);
    put_markdown(memo_sensitivity, r, "What the decision is sensitive to", p);
    put_questions(r, p);
    char *count = base_format("Claims that hold: %zu of %zu. Figures in the text: %zu from the "
                              "engine, %zu that follow from others, %zu unknown to the engine.",
                              r->kinds[MEMO_RIGHT] + r->kinds[MEMO_ROUNDED], r->claims,
                              r->kinds[MEMO_KNOWN], r->kinds[MEMO_DERIVED], r->kinds[MEMO_FOREIGN]);
    page_blank(p, 1);
    page_text(p, (struct page_flow){.indent = 1, .role = PAGE_DIM}, count);
    page_text(p, (struct page_flow){.indent = 1, .role = r->passes ? PAGE_GOOD : PAGE_BAD},
              r->verdict);
    put_markdown(memo_trap, r, NULL, p);
    free(count);
}
