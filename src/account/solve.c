/* The working of a problem, line by line: the worked example, and the key to a worksheet. */
#include "account/problem.h"

#include <math.h>
#include <string.h>

static const char *const labels[ACCOUNT_CATEGORIES] = {
    "parameters", "gradients", "fp32 master copy", "optimizer moments", "activations",
    "gathered",   "reduced",   "workspace",        "framework",
};

static struct account_line *next_line(struct account_solution *s, const char *id, const char *label,
                                      double value, enum account_unit u) {
    struct account_line *line = &s->line[s->lines++];
    *line = (struct account_line){.value = value, .unit = u};
    struct account_text t = account_text(line->id, sizeof line->id);
    account_add(&t, "%s", id);
    t = account_text(line->label, sizeof line->label);
    account_add(&t, "%s", label);
    return line;
}

static struct account_text formula_of(struct account_line *line) {
    return account_text(line->formula, sizeof line->formula);
}

/* ── bytes, and bytes per parameter: a line a category, then their sum ───────────────────────────*/

static double category_value(const struct account_problem *p, const struct account_sheet *sheet,
                             uint32_t mask) {
    return p->kind == ACCOUNT_ASK_BYTES ? (double)account_sheet_bytes(sheet, mask)
                                        : account_sheet_rate(sheet, mask);
}

static void add_categories(const struct account_problem *p, const struct account_sheet *sheet,
                           struct account_solution *s) {
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        uint32_t mask = 1u << c & p->quantity;
        double value = category_value(p, sheet, mask);
        if (value == 0) continue;
        struct account_line *line = next_line(s, account_category_name((enum account_category)c),
                                              labels[c], value, s->unit);
        struct account_text t = formula_of(line);
        if (p->kind == ACCOUNT_ASK_BYTES)
            account_add_sheet(&t, sheet, mask);
        else
            account_add_rates(&t, sheet, mask);
    }
}

static void add_sum(const struct account_problem *p, const struct account_sheet *sheet,
                    struct account_solution *s) {
    size_t terms = s->lines;
    if (terms < 2) return;
    struct account_line *sum =
        next_line(s, p->cluster ? "gpu" : "total", p->cluster ? "one GPU" : "in all",
                  category_value(p, sheet, p->quantity), s->unit);
    struct account_text t = formula_of(sum);
    for (size_t i = 0; i < terms; i++) {
        if (i > 0) account_add(&t, " + ");
        account_add_number(&t, s->line[i].value / account_unit_scale(s->unit), 5);
    }
}

static void solve_sum(const struct account_problem *p, const struct account_sheet *sheet,
                      struct account_solution *s) {
    add_categories(p, sheet, s);
    add_sum(p, sheet, s);
    if (!p->cluster || p->kind != ACCOUNT_ASK_BYTES) return;
    double each = s->line[s->lines - 1].value;
    struct account_line *all = next_line(s, "total", "all GPUs", s->value, s->unit);
    struct account_text t = formula_of(all);
    account_add(&t, "%u × ", p->training.gpus);
    account_add_value(&t, each, s->unit, 6);
}

/* ── the largest model, the fewest GPUs ──────────────────────────────────────────────────────────*/

static void add_budget_line(const struct account_problem *p, struct account_solution *s,
                            enum account_unit u) {
    double budget = account_problem_budget(p);
    struct account_line *line = next_line(s, "budget", "bytes there are", budget, u);
    struct account_text t = formula_of(line);
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

static void solve_largest(const struct account_problem *p, const struct account_sheet *sheet,
                          struct account_solution *s) {
    add_budget_line(p, s, ACCOUNT_UNIT_GB);
    struct account_line *rate =
        next_line(s, "per-param", "bytes a parameter, on each GPU",
                  account_sheet_rate(sheet, p->quantity), ACCOUNT_UNIT_B_PER_PARAM);
    struct account_text t = formula_of(rate);
    account_add_rates(&t, sheet, p->quantity);
    struct account_line *largest =
        next_line(s, "largest", "parameters that fit", s->value, s->unit);
    t = formula_of(largest);
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
    struct account_line *line = next_line(s, sharded ? "divided" : "whole",
                                          sharded ? "what N divides" : "what each GPU keeps whole",
                                          (double)account_sheet_bytes(&one, mask), ACCOUNT_UNIT_GB);
    struct account_text t = formula_of(line);
    account_add_sheet(&t, &one, mask);
}

static void solve_fewest(const struct account_problem *p, const struct account_sheet *sheet,
                         struct account_solution *s) {
    add_budget_line(p, s, ACCOUNT_UNIT_GB);
    add_part(p, sheet, false, s);
    struct account_line *left = next_line(s, "left", "left for the shards",
                                          s->line[0].value - s->line[1].value, ACCOUNT_UNIT_GB);
    struct account_text t = formula_of(left);
    account_add_value(&t, s->line[0].value, ACCOUNT_UNIT_GB, 6);
    account_add(&t, " − ");
    account_add_value(&t, s->line[1].value, ACCOUNT_UNIT_GB, 6);
    add_part(p, sheet, true, s);
    struct account_line *gpus = next_line(s, "gpus", "GPUs, rounded up", s->value, s->unit);
    t = formula_of(gpus);
    account_add_value(&t, s->line[3].value, ACCOUNT_UNIT_GB, 6);
    account_add(&t, " ÷ ");
    account_add_value(&t, left->value, ACCOUNT_UNIT_GB, 6);
}

/* ── units ───────────────────────────────────────────────────────────────────────────────────────*/

static void solve_convert(const struct account_problem *p, const struct account_sheet *sheet,
                          struct account_solution *s) {
    (void)sheet;
    add_budget_line(p, s, ACCOUNT_UNIT_B);
    struct account_line *line = next_line(s, "answer", "in the unit asked", s->value, s->unit);
    struct account_text t = formula_of(line);
    account_add_count(&t, (uint64_t)(s->value + 0.5));
    if (s->unit >= ACCOUNT_UNIT_KIB)
        account_add(&t, " B ÷ 2^%d", 10 * (int)(s->unit - ACCOUNT_UNIT_KIB + 1));
    else if (s->unit > ACCOUNT_UNIT_B)
        account_add(&t, " B ÷ 1e%d", 3 * (int)(s->unit - ACCOUNT_UNIT_KB + 1));
    else
        account_add(&t, " B");
}

static void (*const solvers[ACCOUNT_KINDS])(const struct account_problem *,
                                            const struct account_sheet *,
                                            struct account_solution *) = {
    [ACCOUNT_ASK_BYTES] = solve_sum,
    [ACCOUNT_ASK_BYTES_PER_PARAM] = solve_sum,
    [ACCOUNT_ASK_LARGEST_PARAMS] = solve_largest,
    [ACCOUNT_ASK_FEWEST_GPUS] = solve_fewest,
    [ACCOUNT_ASK_CONVERT] = solve_convert,
};

bool account_solve(const struct account_problem *p, struct account_solution *out,
                   struct account_error *e) {
    *out = (struct account_solution){.unit = account_problem_unit(p)};
    if (!account_problem_check(p, e)) return false;
    struct account_sheet sheet;
    account_sheet(&p->training, &sheet);
    if (!account_sheet_answer(p, &sheet, &out->value)) {
        if (p->kind == ACCOUNT_ASK_FEWEST_GPUS)
            return account_fail(e, 0,
                                "budget: no number of GPUs makes it fit, because some of it is "
                                "never divided: raise the budget or the stage");
        return account_fail(e, 0, "budget: it is too small or too large for a model to be named");
    }
    solvers[p->kind](p, &sheet, out);
    return true;
}

/* ── the error carried forward ───────────────────────────────────────────────────────────────────*/

static double value_of(const struct account_solution *s, const char *id, const double *v) {
    for (size_t i = 0; i < s->lines; i++)
        if (strcmp(s->line[i].id, id) == 0) return v[i];
    return 0;
}

static double sum_before(size_t i, const double *v) {
    double sum = 0;
    for (size_t j = 0; j < i; j++) sum += v[j];
    return sum;
}

/* What follows from the lines before by the line's own rule; a line that follows from none is what it is. */
static double follow(const struct account_problem *p, const struct account_solution *s, size_t i,
                     const double *v) {
    const char *id = s->line[i].id;
    bool total = strcmp(id, "total") == 0;
    if (total && p->cluster && p->kind == ACCOUNT_ASK_BYTES) return p->training.gpus * v[i - 1];
    if (total || strcmp(id, "gpu") == 0) return sum_before(i, v);
    if (strcmp(id, "largest") == 0) return value_of(s, "budget", v) / value_of(s, "per-param", v);
    if (strcmp(id, "left") == 0) return value_of(s, "budget", v) - value_of(s, "whole", v);
    if (strcmp(id, "gpus") == 0)
        return ceil(value_of(s, "divided", v) / value_of(s, "left", v) - 1e-9);
    if (strcmp(id, "answer") == 0) return value_of(s, "budget", v);
    return s->line[i].value;
}

double account_carry(const struct account_problem *p, const struct account_solution *s, size_t i,
                     const double *given) {
    double v[ACCOUNT_LINES] = {0};
    bool true_so_far = true;
    if (i >= s->lines) return NAN;
    for (size_t j = 0; j < i; j++) {
        bool unsaid = !given || isnan(given[j]);
        v[j] = unsaid ? s->line[j].value : given[j];
        true_so_far &= v[j] == s->line[j].value;
    }
    return true_so_far ? s->line[i].value : follow(p, s, i, v);
}
