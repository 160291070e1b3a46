/* mem_working: the lines that add up to what a GPU keeps, and to its peak. */
#include "command/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct account_instant *command_mem_peak(const struct mem_stage *s) {
    return &s->memory.phase[s->memory.peak];
}

enum account_unit command_mem_unit(const struct mem *m) {
    uint64_t most = 0;
    for (size_t i = 0; i < m->stages; i++)
        if (m->stage[i].memory.gpu.total > most) most = m->stage[i].memory.gpu.total;
    return command_report_unit((double)most);
}

enum { DIGITS = 6, SUM_DIGITS = 5, VALUE_MOST = 32 };

static struct mem_line *add(struct mem_working *w, enum account_category c, const char *label,
                            double bytes) {
    struct mem_line *l = &w->line[w->lines < MEM_LINES - 1 ? w->lines++ : MEM_LINES - 1];
    *l = (struct mem_line){.id = account_category_name(c), .bytes = bytes};
    snprintf(l->label, sizeof l->label, "%s", label);
    return l;
}

/* ── model states ──────────────────────────────────────────────────────────────────────────────*/
static bool add_states(const struct account_training *t, enum account_unit unit,
                       struct mem_working *w, struct account_error *e) {
    struct account_solution s;
    struct account_problem problem = account_problem_default();
    problem.training = *t;
    if (!account_problem_set(&problem, "quantity", "model_state", e) ||
        !account_problem_set(&problem, "unit", account_unit_name(unit), e) ||
        !account_solve(&problem, &s, e))
        return false;
    for (size_t i = 0; i < s.lines; i++)
        for (enum account_category c = 0; c <= ACCOUNT_MOMENTS; c++)
            if (strcmp(s.line[i].id, account_category_name(c)) == 0)
                snprintf(add(w, c, s.line[i].label, s.line[i].value)->formula,
                         sizeof w->line->formula, "%s", s.line[i].formula);
    return true;
}

/* At a moment: what stays of a category, or what is there besides. */
static void add_moment_states(const struct account_memory *m, const struct account_ledger *now,
                              struct mem_working *w) {
    for (enum account_category c = 0; c <= ACCOUNT_MOMENTS; c++) {
        double here = (double)now->bytes[c], whole = (double)m->gpu.bytes[c];
        char bytes[VALUE_MOST];
        if (here == 0 && whole == 0) continue;
        struct mem_line *l = add(w, c, account_category_words(c), here);
        double more = here > whole ? here - whole : whole - here;
        account_print_bytes(bytes, sizeof bytes, more);
        if (more == 0)
            snprintf(l->formula, sizeof l->formula, "as above");
        else
            snprintf(l->formula, sizeof l->formula,
                     here > whole ? "as above + %s of copies, only then"
                                  : "as above − %s not held then",
                     bytes);
    }
}

/* ── what is next to them ───────────────────────────────────────────────────────────────────────*/
static uint64_t sum_of(const struct account_memory_part *part, size_t n, enum account_category c) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        if (part[i].category == c) sum += part[i].bytes;
    return sum;
}

/* Recipes that are followed unit by unit have a moment for each unit: there the category is what
 * that one had. */
static void add_whole(struct mem_working *w, enum account_category c, double bytes) {
    static const char *const what[ACCOUNT_CATEGORIES] = {
        [ACCOUNT_ACTIVATIONS] = "what backward still needs",
        [ACCOUNT_GATHER] = "units gathered, in use and ahead",
        [ACCOUNT_REDUCE] = "gradients in buckets and of units not yet reduced",
        [ACCOUNT_WORKSPACE] = "copies for computing",
        [ACCOUNT_STAGING] = "in flight between tiers",
        [ACCOUNT_FRAMEWORK] = "context and libraries",
    };
    struct mem_line *l = add(w, c, account_category_words(c), bytes);
    snprintf(l->formula, sizeof l->formula, "%s", what[c]);
}

/* In parts where they come to what the ledger has, else as one. */
static void add_parts(const struct account_training *t, const char *where,
                      const struct account_ledger *l, struct mem_working *w) {
    struct account_memory_part part[ACCOUNT_MEMORY_PARTS];
    size_t n = account_memory_parts(t, where, part);
    for (enum account_category c = ACCOUNT_ACTIVATIONS; c < ACCOUNT_CATEGORIES; c++) {
        bool whole = sum_of(part, n, c) != l->bytes[c];
        if (whole && l->bytes[c]) add_whole(w, c, (double)l->bytes[c]);
        for (size_t i = 0; i < n && !whole; i++) {
            if (part[i].category != c) continue;
            struct mem_line *line = add(w, c, account_category_words(c), (double)part[i].bytes);
            snprintf(line->formula, sizeof line->formula, "%s", part[i].what);
            line->source = part[i].source;
        }
    }
}

static void add_total(struct mem_working *w, double total, enum account_unit unit) {
    struct base_text t = {0};
    char number[REPORT_UNIT_MOST];
    for (size_t i = 0; i < w->lines; i++) {
        account_print(number, sizeof number, w->line[i].bytes, unit, SUM_DIGITS);
        number[strcspn(number, " ")] = '\0';
        base_text_printf(&t, "%s%s", i ? " + " : "", number);
    }
    struct mem_line *l = add(w, ACCOUNT_PARAMS, "in total", total);
    l->id = "total";
    snprintf(l->formula, sizeof l->formula, "%s", t.length < 60 ? t.s : "the lines above");
    base_text_free(&t);
}

static bool mem_work(const struct account_training *t, const struct account_memory *m,
                     enum account_unit unit, struct mem_working *out, struct account_error *e) {
    *out = (struct mem_working){0};
    if (!add_states(t, unit, out, e)) return false;
    add_parts(t, NULL, &m->gpu, out);
    add_total(out, (double)m->gpu.total, unit);
    return true;
}

static void mem_work_peak(const struct account_training *t, const struct account_memory *m,
                          enum account_unit unit, struct mem_working *out) {
    const struct account_instant *peak = &m->phase[m->peak];
    *out = (struct mem_working){0};
    add_moment_states(m, &peak->ledger, out);
    add_parts(t, peak->where, &peak->ledger, out);
    add_total(out, (double)peak->ledger.total, unit);
}

/* Lines of two cells, or of three with a formula between; in words "gradients: 2 B × 7e9, 14 GB."
 */
static void put_lines(const char *const *cell, size_t lines, size_t cells, struct page *p) {
    const struct page_flow flow = {.indent = 3};
    if (!page_spoken(p)) {
        page_table(p, flow, cell, lines, cells, cells == 3 ? "llr" : "lr", false);
        return;
    }
    for (size_t i = 0; i < lines; i++, cell += cells) {
        char *text = cells == 3 ? base_format("%s: %s, %s.", cell[0], cell[1], cell[2])
                                : base_format("%s: %s.", cell[0], cell[1]);
        page_text(p, flow, text);
        free(text);
    }
}

static void mem_put_working(const struct mem_working *w, enum account_unit unit, struct page *p) {
    const char *cell[MEM_LINES * 3];
    char value[MEM_LINES][VALUE_MOST];
    for (size_t i = 0; i < w->lines; i++) {
        account_print(value[i], VALUE_MOST, w->line[i].bytes, unit, DIGITS);
        cell[3 * i] = w->line[i].label;
        cell[3 * i + 1] = w->line[i].formula;
        cell[3 * i + 2] = value[i];
    }
    put_lines(cell, w->lines, 3, p);
}

static json_t *mem_working_json(const struct mem_working *w) {
    json_t *lines = json_array();
    for (size_t i = 0; i < w->lines; i++) {
        const struct mem_line *l = &w->line[i];
        json_t *line = json_pack("{ss ss ss sf}", "id", l->id, "label", l->label, "formula",
                                 l->formula, "bytes", l->bytes);
        if (l->source) json_object_set_new(line, "source", json_string(l->source));
        json_array_append_new(lines, line);
    }
    return lines;
}

/* ── on a page, and as JSON ────────────────────────────────────────────────────────────────────*/

/* What a step's activations are made of; the same under every stage. */
static bool put_activations(const struct account_training *t, struct page *p,
                            struct account_error *e) {
    struct account_activations a;
    if (!t->batch || !t->seq) return true;
    if (!account_activations(t, &a, e)) return false;
    const struct {
        const char *what;
        uint64_t bytes;
    } lines[] = {
        {"saved by one layer, nothing recomputed", a.layer},
        {"by one layer as checkpointed", a.kept},
        {"by all layers, micro-batches in flight", a.layers},
        {"one layer recomputed, while it computes", a.working},
        {"before the first layer", a.embedding},
        {"final norm and the head's input", a.head},
        {"logits and their loss", a.logits},
    };
    const char *cell[BASE_COUNT(lines) * 2];
    char value[BASE_COUNT(lines)][VALUE_MOST];
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        cell[2 * i] = lines[i].what;
        cell[2 * i + 1] = account_print_bytes(value[i], VALUE_MOST, (double)lines[i].bytes);
    }
    page_blank(p, 1);
    page_put(p, page_height(p), 1, PAGE_STRONG, 0, "activations");
    put_lines(cell, BASE_COUNT(lines), 2, p);
    return true;
}

static bool put_memory(const struct account_training *t, const struct account_memory *m,
                       enum account_unit unit, struct page *p, struct account_error *e) {
    struct mem_working w;
    if (!mem_work(t, m, unit, &w, e)) return false;
    mem_put_working(&w, unit, p);
    if (m->gpu.padding)
        page_printf(p, page_height(p), 3, PAGE_DIM, "%" PRIu64 " B of it pad the last shards",
                    m->gpu.padding);
    if (m->phase[m->peak].ledger.total == m->gpu.total) return true;
    page_printf(p, page_height(p), 3, PAGE_PLAIN, "at the peak, %s:", m->phase[m->peak].where);
    mem_work_peak(t, m, unit, &w);
    mem_put_working(&w, unit, p);
    return true;
}

static bool put_stage(const struct mem *m, const struct mem_stage *s, struct page *p,
                      struct account_error *e) {
    page_blank(p, 1);
    page_printf(p, page_height(p), 1, PAGE_STRONG, "stage %u", s->training.stage);
    return put_memory(&s->training, &s->memory, command_mem_unit(m), p, e);
}

bool command_mem_explain_one(const struct account_training *t, const char *head, struct page *p,
                             struct account_error *e) {
    struct account_memory m;
    if (!account_memory(t, &m, e)) return false;
    page_blank(p, 1);
    page_put(p, page_height(p), 1, PAGE_STRONG, 0, head);
    return put_memory(t, &m, command_report_unit((double)m.gpu.total), p, e);
}

/* The one combination whose bytes the paper itself counts. */
static bool is_mixed_adam(const struct account_training *t) {
    char precision[32] = "", optimizer[32] = "";
    account_get(t, "precision", precision, sizeof precision);
    account_get(t, "optimizer", optimizer, sizeof optimizer);
    return strncmp(precision, "mixed", 5) == 0 && strcmp(optimizer, "adamw") == 0;
}

static void put_sources(const struct account_training *t, struct page *p) {
    command_report_sources(t, p);
    command_report_source("what each stage shards",
                          "ZeRO, arXiv:1910.02054, section 5 and figure 1", p);
    if (is_mixed_adam(t)) command_report_source("bytes per parameter", "the same, section 3.1", p);
    if (t->batch && t->seq)
        command_report_source("activations", "Korthikanti et al., arXiv:2205.05198, section 4", p);
    struct account_memory_part part[ACCOUNT_MEMORY_PARTS];
    size_t n = account_memory_parts(t, NULL, part);
    for (size_t i = 0; i < n; i++)
        if (part[i].category == ACCOUNT_FRAMEWORK)
            command_report_source(part[i].what, part[i].source, p);
}

bool command_mem_explain(const struct mem *m, struct page *p, struct account_error *e) {
    for (size_t i = 0; i < m->stages; i++)
        if (!put_stage(m, &m->stage[i], p, e)) return false;
    if (!put_activations(&m->asked, p, e)) return false;
    put_sources(&m->asked, p);
    return true;
}

bool command_mem_add_working(const struct mem *m, json_t *json, struct account_error *e) {
    json_t *stages = json_object_get(json, "stages");
    struct mem_working w;
    for (size_t i = 0; i < m->stages; i++) {
        const struct mem_stage *s = &m->stage[i];
        json_t *stage = json_array_get(stages, i);
        if (!mem_work(&s->training, &s->memory, command_mem_unit(m), &w, e)) return false;
        json_object_set_new(stage, "working", mem_working_json(&w));
        mem_work_peak(&s->training, &s->memory, command_mem_unit(m), &w);
        json_object_set_new(stage, "peak_working", mem_working_json(&w));
    }
    return true;
}
