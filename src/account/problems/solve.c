/* The working of a problem, line by line: the worked example, and the key to a worksheet. */
#include "account/problems/grounds.h"

#include <math.h>

/* ── lines ───────────────────────────────────────────────────────────────────────────────────────*/

struct account_line *account_next_line(struct account_solution *s, const char *id,
                                       const char *label, double value, enum account_unit u) {
    struct account_line *line = &s->line[s->lines++];
    *line = (struct account_line){.value = value, .unit = u};
    struct account_text t = account_text(line->id, sizeof line->id);
    account_add(&t, "%s", id);
    t = account_text(line->label, sizeof line->label);
    account_add(&t, "%s", label);
    return line;
}

struct account_text account_formula(struct account_line *line) {
    return account_text(line->formula, sizeof line->formula);
}

void account_line_rule(struct account_line *line, enum account_rule rule, size_t a, size_t b,
                       double times) {
    line->rule = rule;
    line->a = (uint8_t)a;
    line->b = (uint8_t)b;
    line->times = times;
}

void account_add_line_values(struct account_text *t, const struct account_solution *s, size_t a,
                             size_t b) {
    for (size_t i = a; i <= b; i++) {
        if (i > a) account_add(t, " + ");
        account_add_number(t, s->line[i].value / account_unit_scale(s->unit), 5);
    }
}

/* ── solving ─────────────────────────────────────────────────────────────────────────────────────*/

static void (*const solvers[ACCOUNT_KINDS])(const struct account_problem *,
                                            const struct account_grounds *,
                                            struct account_solution *) = {
    [ACCOUNT_ASK_BYTES] = account_solve_sum,
    [ACCOUNT_ASK_BYTES_PER_PARAM] = account_solve_sum,
    [ACCOUNT_ASK_LARGEST_PARAMS] = account_solve_largest,
    [ACCOUNT_ASK_FEWEST_GPUS] = account_solve_fewest,
    [ACCOUNT_ASK_CONVERT] = account_solve_convert,
    [ACCOUNT_ASK_TRAFFIC] = account_solve_products,
    [ACCOUNT_ASK_VOLUME] = account_solve_products,
    [ACCOUNT_ASK_SECONDS] = account_solve_products,
    [ACCOUNT_ASK_ACTIVATIONS] = account_solve_products,
    [ACCOUNT_ASK_PEAK] = account_solve_products,
    [ACCOUNT_ASK_HOST] = account_solve_products,
    [ACCOUNT_ASK_SHARD] = account_solve_shards,
};

bool account_solve(const struct account_problem *p, struct account_solution *out,
                   struct account_error *e) {
    struct account_grounds g;
    *out = (struct account_solution){.unit = account_problem_unit(p)};
    if (!account_true_answer(p, &g, &out->value, e)) return false;
    solvers[p->kind](p, &g, out);
    return true;
}

/* ── the error carried forward ───────────────────────────────────────────────────────────────────*/

/* What follows from the lines before by the line's own rule; a line that follows from none is what it is. */
static double follow(const struct account_line *line, const double *v) {
    double sum = 0;
    switch (line->rule) {
    case ACCOUNT_ADDS:
        for (size_t i = line->a; i <= line->b; i++) sum += v[i];
        return sum;
    case ACCOUNT_TIMES: return line->times * v[line->a];
    case ACCOUNT_SUBTRACTS: return line->times * v[line->a] - v[line->b];
    case ACCOUNT_DIVIDES: return v[line->a] / v[line->b];
    case ACCOUNT_DIVIDES_UP: return ceil(v[line->a] / v[line->b] - 1e-9);
    case ACCOUNT_STANDS: break;
    }
    return line->value;
}

double account_carry(const struct account_problem *p, const struct account_solution *s, size_t i,
                     const double *given) {
    (void)p;
    double v[ACCOUNT_LINES] = {0};
    bool true_so_far = true;
    if (i >= s->lines) return NAN;
    for (size_t j = 0; j < i; j++) {
        bool unsaid = !given || isnan(given[j]);
        v[j] = unsaid ? s->line[j].value : given[j];
        true_so_far &= v[j] == s->line[j].value;
    }
    return true_so_far ? s->line[i].value : follow(&s->line[i], v);
}
