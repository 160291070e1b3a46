/* mem_explain: the working behind each total, as the engine solves it, and the sources. */
#include "command/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 6, COLUMNS = 3, VALUE_MOST = 32 };

static void put_lines(const struct account_solution *s, struct paper *p) {
    const char *cell[ACCOUNT_LINES * COLUMNS];
    char value[ACCOUNT_LINES][VALUE_MOST];
    for (size_t i = 0; i < s->lines; i++) {
        const struct account_line *l = &s->line[i];
        account_print(value[i], VALUE_MOST, l->value, l->unit, DIGITS);
        cell[i * COLUMNS] = l->label;
        cell[i * COLUMNS + 1] = l->formula;
        cell[i * COLUMNS + 2] = value[i];
    }
    paper_table(p, (struct paper_flow){.indent = 3}, cell, s->lines, COLUMNS, "llr", false);
}

static bool solve(const struct mem *m, const struct mem_stage *s, struct account_solution *out,
                  struct account_error *e) {
    struct account_problem problem = account_problem_default();
    problem.training = s->training;
    return account_problem_set(&problem, "quantity", "model_state", e) &&
           account_problem_set(&problem, "unit", account_unit_name(mem_unit(m)), e) &&
           account_solve(&problem, out, e);
}

/* What a step's activations are made of; the same under every stage. */
static bool put_activations(const struct account_training *t, struct paper *p,
                            struct account_error *e) {
    struct account_activations a;
    if (!t->batch || !t->seq) return true;
    if (!account_activations(t, &a, e)) return false;
    const struct {
        const char *what;
        uint64_t bytes;
    } lines[] = {
        {"saved by one layer, nothing recomputed", a.layer    },
        {"by one layer as checkpointed",           a.kept     },
        {"by all layers, micro-batches in flight", a.layers   },
        {"one layer recomputed, while it works",   a.working  },
        {"before the first layer",                 a.embedding},
        {"final norm and the head's input",        a.head     },
        {"logits and their loss",                  a.logits   },
    };
    const char *cell[BASE_COUNT(lines) * 2];
    char value[BASE_COUNT(lines)][VALUE_MOST];
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        cell[2 * i] = lines[i].what;
        cell[2 * i + 1] = account_print_bytes(value[i], VALUE_MOST, (double)lines[i].bytes);
    }
    paper_blank(p, 1);
    paper_put(p, paper_height(p), 1, PAPER_STRONG, 0, "activations");
    paper_table(p, (struct paper_flow){.indent = 3}, cell, BASE_COUNT(lines), 2, "lr", false);
    return true;
}

static bool put_stage(const struct mem *m, const struct mem_stage *s, struct paper *p,
                      struct account_error *e) {
    struct account_solution solution;
    if (!solve(m, s, &solution, e)) return false;
    paper_blank(p, 1);
    paper_printf(p, paper_height(p), 1, PAPER_STRONG, "stage %u", s->training.stage);
    put_lines(&solution, p);
    if (s->memory.gpu.padding)
        paper_printf(p, paper_height(p), 3, PAPER_DIM, "%" PRIu64 " B of it pad the last shards",
                     s->memory.gpu.padding);
    return true;
}

/* The one combination whose bytes the paper itself counts. */
static bool is_mixed_adam(const struct account_training *t) {
    char precision[32] = "", optimizer[32] = "";
    account_get(t, "precision", precision, sizeof precision);
    account_get(t, "optimizer", optimizer, sizeof optimizer);
    return strncmp(precision, "mixed", 5) == 0 && strcmp(optimizer, "adamw") == 0;
}

static void put_sources(const struct account_training *t, struct paper *p) {
    asked_sources(t, p);
    asked_source("what each stage shards", "ZeRO, arXiv:1910.02054, section 5 and figure 1", p);
    if (is_mixed_adam(t)) asked_source("bytes per parameter", "the same, section 3.1", p);
    if (t->batch && t->seq)
        asked_source("activations", "Korthikanti et al., arXiv:2205.05198, section 4", p);
}

bool mem_explain(const struct mem *m, struct paper *p, struct account_error *e) {
    for (size_t i = 0; i < m->stages; i++)
        if (!put_stage(m, &m->stage[i], p, e)) return false;
    if (!put_activations(&m->asked, p, e)) return false;
    put_sources(&m->asked, p);
    return true;
}

static json_t *lines_json(const struct account_solution *s) {
    json_t *lines = json_array();
    for (size_t i = 0; i < s->lines; i++) {
        const struct account_line *l = &s->line[i];
        json_array_append_new(lines, json_pack("{ss ss ss sf}", "id", l->id, "label", l->label,
                                               "formula", l->formula, "bytes", l->value));
    }
    return lines;
}

bool mem_add_working(const struct mem *m, json_t *json, struct account_error *e) {
    json_t *stages = json_object_get(json, "stages");
    struct account_solution solution;
    for (size_t i = 0; i < m->stages; i++) {
        if (!solve(m, &m->stage[i], &solution, e)) return false;
        json_object_set_new(json_array_get(stages, i), "working", lines_json(&solution));
    }
    return true;
}
