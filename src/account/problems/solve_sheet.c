/* The working of what a sheet answers: a line a category, then what follows from them. */
#include "account/problems/grounds.h"

#include <string.h>

static const char *const labels[ACCOUNT_CATEGORIES] = {
    "parameters", "gradients", "fp32 master copy", "optimizer moments", "activations",
    "gathered",   "reduced",   "workspace",        "framework",
};

/* ── bytes, and bytes per parameter: a line a category, then their sum ───────────────────────────*/

static double category_value(const struct account_problem *p, const struct account_sheet *sheet,
                             uint32_t mask) {
    return p->kind == ACCOUNT_ASK_BYTES ? (double)account_sheet_bytes(sheet, mask)
                                        : account_sheet_rate(sheet, mask);
}

/* "2 B × 7e9", and in GiB "2 B × 7e9 ÷ 2^30"; a sum is bracketed before it is divided. */
static void add_bytes(struct account_line *line, const struct account_sheet *sheet, uint32_t mask) {
    bool binary = line->unit >= ACCOUNT_UNIT_KIB && line->unit <= ACCOUNT_UNIT_TIB;
    char bytes[sizeof line->formula];
    struct account_text t = account_text(bytes, sizeof bytes);
    account_add_sheet(&t, sheet, mask);
    const char *first = strstr(bytes, " × ");
    bool sum = binary && first && strstr(first, " + ");
    t = account_formula(line);
    account_add(&t, sum ? "(%s)" : "%s", bytes);
    if (binary) account_add(&t, " ÷ 2^%d", 10 * (int)(line->unit - ACCOUNT_UNIT_KIB + 1));
}

static void add_rates(struct account_line *line, const struct account_sheet *sheet, uint32_t mask) {
    struct account_text t = account_formula(line);
    account_add_rates(&t, sheet, mask);
}

static void add_categories(const struct account_problem *p, const struct account_sheet *sheet,
                           struct account_solution *s) {
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        uint32_t mask = 1u << c & p->quantity;
        double value = category_value(p, sheet, mask);
        if (value == 0) continue;
        struct account_line *line = account_next_line(
            s, account_category_name((enum account_category)c), labels[c], value, s->unit);
        if (p->kind == ACCOUNT_ASK_BYTES)
            add_bytes(line, sheet, mask);
        else
            add_rates(line, sheet, mask);
    }
}

static void add_sum(const struct account_problem *p, const struct account_sheet *sheet,
                    struct account_solution *s) {
    size_t terms = s->lines;
    if (terms < 2) return;
    struct account_line *sum =
        account_next_line(s, p->cluster ? "gpu" : "total", p->cluster ? "one GPU" : "in all",
                          category_value(p, sheet, p->quantity), s->unit);
    account_line_rule(sum, ACCOUNT_ADDS, 0, terms - 1, 1);
    struct account_text t = account_formula(sum);
    account_add_line_values(&t, s, 0, terms - 1);
}

void account_solve_sum(const struct account_problem *p, const struct account_grounds *g,
                       struct account_solution *s) {
    const struct account_sheet *sheet = &g->sheet;
    add_categories(p, sheet, s);
    add_sum(p, sheet, s);
    if (!p->cluster || p->kind != ACCOUNT_ASK_BYTES) return;
    double each = s->line[s->lines - 1].value;
    struct account_line *all = account_next_line(s, "total", "all GPUs", s->value, s->unit);
    account_line_rule(all, ACCOUNT_TIMES, s->lines - 2, 0, p->training.gpus);
    struct account_text t = account_formula(all);
    account_add(&t, "%u × ", p->training.gpus);
    account_add_value(&t, each, s->unit, 6);
}

/* ── the largest model, the fewest GPUs ──────────────────────────────────────────────────────────*/

static void add_budget_line(const struct account_problem *p, struct account_solution *s,
                            enum account_unit u) {
    double budget = account_problem_budget(p);
    struct account_line *line = account_next_line(s, "budget", "bytes there are", budget, u);
    struct account_text t = account_formula(line);
    if (p->budget_unit <= ACCOUNT_UNIT_B) {
        account_add_value(&t, budget, ACCOUNT_UNIT_B, 12);
        return;
    }
    account_add_number(&t, budget / account_unit_scale(p->budget_unit), 6);
    account_add(&t, " × ");
    if (p->budget_unit >= ACCOUNT_UNIT_KIB)
        account_add(&t, "2^%d B", 10 * (int)(p->budget_unit - ACCOUNT_UNIT_KIB + 1));
    else
        account_add(&t, "1e%d B", 3 * (int)(p->budget_unit - ACCOUNT_UNIT_KB + 1));
}

void account_solve_largest(const struct account_problem *p, const struct account_grounds *g,
                           struct account_solution *s) {
    const struct account_sheet *sheet = &g->sheet;
    add_budget_line(p, s, ACCOUNT_UNIT_GB);
    struct account_line *rate =
        account_next_line(s, "per-param", "bytes a parameter, on each GPU",
                          account_sheet_rate(sheet, p->quantity), ACCOUNT_UNIT_B_PER_PARAM);
    struct account_text t = account_formula(rate);
    account_add_rates(&t, sheet, p->quantity);
    struct account_line *largest =
        account_next_line(s, "largest", "parameters that fit", s->value, s->unit);
    account_line_rule(largest, ACCOUNT_DIVIDES, 0, 1, 1);
    t = account_formula(largest);
    account_add_value(&t, s->line[0].value, ACCOUNT_UNIT_GB, 6);
    account_add(&t, " ÷ ");
    account_add_value(&t, rate->value, ACCOUNT_UNIT_B_PER_PARAM, 6);
}

/* A line for what is divided (or not) by N, as if N were 1. */
static void add_part(const struct account_problem *p, const struct account_sheet *sheet,
                     bool sharded, struct account_solution *s) {
    struct account_sheet one = *sheet;
    uint32_t mask = 0;
    one.ranks = 1;
    for (size_t i = 0; i < one.terms; i++) {
        if (one.term[i].sharded == sharded) mask |= p->quantity & 1u << one.term[i].category;
        one.term[i].sharded = false;
    }
    struct account_line *line = account_next_line(
        s, sharded ? "divided" : "whole", sharded ? "what N divides" : "what each GPU keeps whole",
        (double)account_sheet_bytes(&one, mask), ACCOUNT_UNIT_GB);
    struct account_text t = account_formula(line);
    account_add_sheet(&t, &one, mask);
}

void account_solve_fewest(const struct account_problem *p, const struct account_grounds *g,
                          struct account_solution *s) {
    const struct account_sheet *sheet = &g->sheet;
    add_budget_line(p, s, ACCOUNT_UNIT_GB);
    add_part(p, sheet, false, s);
    struct account_line *left = account_next_line(
        s, "left", "left for the shards", s->line[0].value - s->line[1].value, ACCOUNT_UNIT_GB);
    account_line_rule(left, ACCOUNT_SUBTRACTS, 0, 1, 1);
    struct account_text t = account_formula(left);
    account_add_value(&t, s->line[0].value, ACCOUNT_UNIT_GB, 6);
    account_add(&t, " − ");
    account_add_value(&t, s->line[1].value, ACCOUNT_UNIT_GB, 6);
    add_part(p, sheet, true, s);
    struct account_line *gpus = account_next_line(s, "gpus", "GPUs, rounded up", s->value, s->unit);
    account_line_rule(gpus, ACCOUNT_DIVIDES_UP, 3, 2, 1);
    t = account_formula(gpus);
    account_add_value(&t, s->line[3].value, ACCOUNT_UNIT_GB, 6);
    account_add(&t, " ÷ ");
    account_add_value(&t, left->value, ACCOUNT_UNIT_GB, 6);
}

/* ── units ───────────────────────────────────────────────────────────────────────────────────────*/

void account_solve_convert(const struct account_problem *p, const struct account_grounds *g,
                           struct account_solution *s) {
    (void)g;
    add_budget_line(p, s, ACCOUNT_UNIT_B);
    struct account_line *line =
        account_next_line(s, "answer", "in the unit asked", s->value, s->unit);
    account_line_rule(line, ACCOUNT_TIMES, 0, 0, 1);
    struct account_text t = account_formula(line);
    account_add_count(&t, (uint64_t)(s->value + 0.5));
    if (s->unit >= ACCOUNT_UNIT_KIB)
        account_add(&t, " B ÷ 2^%d", 10 * (int)(s->unit - ACCOUNT_UNIT_KIB + 1));
    else if (s->unit > ACCOUNT_UNIT_B)
        account_add(&t, " B ÷ 1e%d", 3 * (int)(s->unit - ACCOUNT_UNIT_KB + 1));
    else
        account_add(&t, " B");
}
