/* mem_working: the lines that add up to what a GPU keeps, and to its peak. */
#include "command/mem.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 6, SUM_DIGITS = 5, VALUE_MOST = 32 };

static struct mem_line *add(struct mem_working *w, enum account_category c, const char *label,
                            double bytes) {
    struct mem_line *l = &w->line[w->lines < MEM_LINES - 1 ? w->lines++ : MEM_LINES - 1];
    *l = (struct mem_line){.id = account_category_name(c), .bytes = bytes};
    snprintf(l->label, sizeof l->label, "%s", label);
    return l;
}

/* ── model states ────────────────────────────────────────────────────────────────────────────────*/
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
        struct mem_line *l = add(w, c, account_category_name(c), here);
        double more = here > whole ? here - whole : whole - here;
        account_print_bytes(bytes, sizeof bytes, more);
        if (more == 0)
            snprintf(l->formula, sizeof l->formula, "as above");
        else
            snprintf(l->formula, sizeof l->formula,
                     here > whole ? "as above + %s of copies, only then"
                                  : "as above − %s not there now",
                     bytes);
    }
}

/* ── what is beside them ─────────────────────────────────────────────────────────────────────────*/
static uint64_t sum_of(const struct account_memory_part *part, size_t n, enum account_category c) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        if (part[i].category == c) sum += part[i].bytes;
    return sum;
}

/* Recipes that are followed unit by unit have a moment for each unit: there the category is what that one had. */
static void add_whole(struct mem_working *w, enum account_category c, double bytes) {
    static const char *const what[ACCOUNT_CATEGORIES] = {
        [ACCOUNT_ACTIVATIONS] = "what backward still needs",
        [ACCOUNT_GATHER] = "units gathered, at work and ahead",
        [ACCOUNT_REDUCE] = "gradients in buckets and of units not yet reduced",
        [ACCOUNT_WORKSPACE] = "copies for computing",
        [ACCOUNT_FRAMEWORK] = "context and libraries",
    };
    struct mem_line *l = add(w, c, account_category_name(c), bytes);
    snprintf(l->formula, sizeof l->formula, "%s", what[c]);
}

/* In parts where they come to what the ledger has, else as one. */
static void add_beside(const struct account_training *t, const char *where,
                       const struct account_ledger *l, struct mem_working *w) {
    struct account_memory_part part[ACCOUNT_MEMORY_PARTS];
    size_t n = account_memory_parts(t, where, part);
    for (enum account_category c = ACCOUNT_ACTIVATIONS; c < ACCOUNT_CATEGORIES; c++) {
        bool whole = sum_of(part, n, c) != l->bytes[c];
        if (whole && l->bytes[c]) add_whole(w, c, (double)l->bytes[c]);
        for (size_t i = 0; i < n && !whole; i++) {
            if (part[i].category != c) continue;
            struct mem_line *line = add(w, c, account_category_name(c), (double)part[i].bytes);
            snprintf(line->formula, sizeof line->formula, "%s", part[i].what);
            line->source = part[i].source;
        }
    }
}

static void add_total(struct mem_working *w, double total, enum account_unit unit) {
    struct base_text t = {0};
    char number[ASKED_UNIT_MOST];
    for (size_t i = 0; i < w->lines; i++) {
        account_print(number, sizeof number, w->line[i].bytes, unit, SUM_DIGITS);
        number[strcspn(number, " ")] = '\0';
        base_text_printf(&t, "%s%s", i ? " + " : "", number);
    }
    struct mem_line *l = add(w, ACCOUNT_PARAMS, "in all", total);
    l->id = "total";
    snprintf(l->formula, sizeof l->formula, "%s", t.length < 60 ? t.s : "the lines above");
    base_text_free(&t);
}

bool command_mem_work(const struct account_training *t, const struct account_memory *m,
                      enum account_unit unit, struct mem_working *out, struct account_error *e) {
    *out = (struct mem_working){0};
    if (!add_states(t, unit, out, e)) return false;
    add_beside(t, NULL, &m->gpu, out);
    add_total(out, (double)m->gpu.total, unit);
    return true;
}

void command_mem_work_peak(const struct account_training *t, const struct account_memory *m,
                           enum account_unit unit, struct mem_working *out) {
    const struct account_instant *peak = &m->phase[m->peak];
    *out = (struct mem_working){0};
    add_moment_states(m, &peak->ledger, out);
    add_beside(t, peak->where, &peak->ledger, out);
    add_total(out, (double)peak->ledger.total, unit);
}

void command_mem_put_working(const struct mem_working *w, enum account_unit unit, struct page *p) {
    const char *cell[MEM_LINES * 3];
    char value[MEM_LINES][VALUE_MOST];
    for (size_t i = 0; i < w->lines; i++) {
        account_print(value[i], VALUE_MOST, w->line[i].bytes, unit, DIGITS);
        cell[3 * i] = w->line[i].label;
        cell[3 * i + 1] = w->line[i].formula;
        cell[3 * i + 2] = value[i];
    }
    page_table(p, (struct page_flow){.indent = 3}, cell, w->lines, 3, "llr", false);
}

json_t *command_mem_working_json(const struct mem_working *w) {
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
