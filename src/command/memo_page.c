/* A memo's report, for people and for programs. */
#include "command/memo.h"

#include <string.h>

/* ── for programs ────────────────────────────────────────────────────────────────────────────────*/
static const char *section_name(enum study_memo_section s) {
    static const char *const names[STUDY_MEMO_SECTIONS + 1] = {
        "decision", "memory", "time", "rejected", "risks", "first_hour", ""};
    return names[s <= STUDY_MEMO_SECTIONS ? s : STUDY_MEMO_SECTIONS];
}

static json_t *finding_json(const struct study_memo_finding *f) {
    return json_pack("{si si si ss ss ss ss}", "line", f->line, "column",
                     f->length ? f->column + 1 : 0, "length", f->length, "kind",
                     study_memo_kind_name(f->kind), "section", section_name(f->section), "figure",
                     f->figure, "what", f->what);
}

static json_t *rows_json(const struct study_memo_report *r) {
    json_t *rows = json_array();
    for (size_t i = 0; i < STUDY_MEMO_ROWS && r->row[i].name; i++)
        json_array_append_new(rows, json_pack("{ss ss si si}", "name", r->row[i].name, "asks",
                                              r->row[i].asks, "points", r->row[i].points, "most",
                                              r->row[i].most));
    return rows;
}

static json_t *counts_json(const struct study_memo_report *r) {
    json_t *counts = json_object();
    for (int k = 0; k < STUDY_MEMO_KINDS; k++)
        json_object_set_new(counts, study_memo_kind_name((enum study_memo_kind)k),
                            json_integer((json_int_t)r->kinds[k]));
    return counts;
}

static json_t *scenario_json(const struct study_memo_report *r) {
    struct base_text t = {0};
    if (!r->has_scenario) return json_null();
    study_scenario_write(&r->scenario, &t);
    json_t *line = json_string(t.s + strlen("Scenario: "));
    base_text_free(&t);
    return line;
}

static json_t *chosen_json(const struct study_memo_report *r) {
    char checkpoint[32];
    if (!r->decided) return json_null();
    account_get(&r->chosen, "checkpoint", checkpoint, sizeof checkpoint);
    return json_pack("{si ss si si sI sI ss}", "stage", (int)r->chosen.stage, "checkpoint",
                     checkpoint, "micro_batch", (int)r->chosen.batch, "accumulate",
                     (int)r->chosen.accumulate, "peak", (json_int_t)r->peak, "card",
                     (json_int_t)r->scenario.card_bytes, "fits", account_fit_name(r->fits));
}

static json_t *trap_json(const struct study_memo_report *r) {
    struct base_text t = {0};
    json_t *trap = study_memo_trap(r, &t) ? json_string(t.s) : json_null();
    base_text_free(&t);
    return trap;
}

json_t *memo_json(const struct study_memo_report *r) {
    json_t *findings = json_array();
    for (size_t i = 0; i < r->count; i++)
        json_array_append_new(findings, finding_json(&r->finding[i]));
    return json_pack("{sb ss so si si so ss so so so so}", "passes", r->passes, "verdict",
                     r->verdict, "trap", trap_json(r), "points", r->points, "charged", r->charged,
                     "scenario", scenario_json(r), "recipe", r->scenario.recipe, "chosen",
                     chosen_json(r), "counts", counts_json(r), "findings", findings, "rubric",
                     rows_json(r));
}

/* ── for people ──────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *sign;
    enum paper_role role;
} looks[STUDY_MEMO_KINDS] = {
    [STUDY_MEMO_RIGHT] = {"right",         PAPER_GOOD},
    [STUDY_MEMO_ROUNDED] = {"rounded",       PAPER_GOOD},
    [STUDY_MEMO_WRONG] = {"wrong",         PAPER_BAD },
    [STUDY_MEMO_UNIT] = {"unit",          PAPER_BAD },
    [STUDY_MEMO_UNSUPPORTED] = {"unsupported",   PAPER_WARN},
    [STUDY_MEMO_CONTRADICTORY] = {"contradictory", PAPER_BAD },
    [STUDY_MEMO_MISSING] = {"missing",       PAPER_WARN},
};

static void put_finding(const struct study_memo_finding *f, const char *name, struct paper *p) {
    char *where = f->line ? base_format("%s:%d", name, f->line) : base_format("%s", name);
    int row = paper_height(p);
    int column = paper_put(p, row, 1, PAPER_DIM, 0, where);
    column = paper_put(p, row, column + 2, looks[f->kind].role, 0, looks[f->kind].sign);
    if (*f->figure) paper_put(p, row, column + 2, PAPER_STRONG, 0, f->figure);
    paper_text(p, (struct paper_flow){.indent = 3}, f->what);
    free(where);
}

static bool is_fine(const struct study_memo_finding *f) {
    return f->kind == STUDY_MEMO_RIGHT || f->kind == STUDY_MEMO_ROUNDED;
}

static void put_missing(const struct study_memo_report *r, struct paper *p) {
    enum study_memo_section before = STUDY_MEMO_SECTIONS;
    if (!r->kinds[STUDY_MEMO_MISSING]) return;
    paper_blank(p, 1);
    paper_text(p, (struct paper_flow){.indent = 1, .role = PAPER_STRONG},
               "What a reviewer would ask next");
    for (size_t i = 0; i < r->count; i++) {
        const struct study_memo_finding *f = &r->finding[i];
        if (f->kind != STUDY_MEMO_MISSING) continue;
        if (f->section != before)
            paper_text(p, (struct paper_flow){.indent = 1, .role = PAPER_DIM},
                       study_memo_section_title(f->section));
        before = f->section;
        paper_text(p, (struct paper_flow){.indent = 3}, f->what);
    }
}

static void put_rubric(const struct study_memo_report *r, struct paper *p) {
    paper_blank(p, 1);
    for (size_t i = 0; i < STUDY_MEMO_ROWS && r->row[i].name; i++) {
        const struct study_memo_row *row = &r->row[i];
        char *points = base_format("%d of %d", row->points, row->most);
        int at = paper_height(p);
        paper_put(p, at, 1, PAPER_PLAIN, 0, row->name);
        paper_put(p, at, 15, row->points == row->most ? PAPER_GOOD : PAPER_WARN, 0, points);
        if (paper_measure(p, row->asks) + 25 <= paper_width(p))
            paper_put(p, at, 25, PAPER_DIM, 0, row->asks);
        free(points);
    }
    if (!r->charged) return;
    char *charged = base_format("−%d, one each from the third on", r->charged);
    int at = paper_height(p);
    paper_put(p, at, 1, PAPER_PLAIN, 0, "unsupported");
    paper_put(p, at, 15, PAPER_WARN, 0, charged);
    free(charged);
}

static void put_trap(const struct study_memo_report *r, struct paper *p) {
    struct base_text t = {0};
    if (study_memo_trap(r, &t)) paper_markdown(p, (struct paper_flow){.indent = 1}, t.s);
    base_text_free(&t);
}

void memo_page(const struct study_memo_report *r, const char *name, bool all, struct paper *p) {
    const char *slash = strrchr(name, '/');
    if (slash) name = slash + 1;
    for (size_t i = 0; i < r->count; i++)
        if (r->finding[i].kind != STUDY_MEMO_MISSING && (all || !is_fine(&r->finding[i])))
            put_finding(&r->finding[i], name, p);
    put_missing(r, p);
    if (r->row[0].name) put_rubric(r, p);
    char *count = base_format("Figures that hold: %zu; that do not: %zu; unsupported: %zu.",
                              r->kinds[STUDY_MEMO_RIGHT] + r->kinds[STUDY_MEMO_ROUNDED],
                              r->kinds[STUDY_MEMO_WRONG] + r->kinds[STUDY_MEMO_UNIT] +
                                  r->kinds[STUDY_MEMO_CONTRADICTORY],
                              r->kinds[STUDY_MEMO_UNSUPPORTED]);
    paper_blank(p, 1);
    paper_text(p, (struct paper_flow){.indent = 1, .role = PAPER_DIM}, count);
    paper_text(p, (struct paper_flow){.indent = 1, .role = r->passes ? PAPER_GOOD : PAPER_BAD},
               r->verdict);
    put_trap(r, p);
    free(count);
}
