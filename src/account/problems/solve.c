/* The working of a problem, line by line: the worked example, and the key to a worksheet. */
#include "account/problems/grounds.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ── lines ─────────────────────────────────────────────────────────────────────────────────────*/

/* Adds a line to the working. */
static struct account_line *next_line(struct account_solution *s, const char *id, const char *label,
                                      double value, enum account_unit u) {
    assert(s->lines < ACCOUNT_LINES);
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

static void line_rule(struct account_line *line, enum account_rule rule, size_t a, size_t b,
                      double times) {
    line->rule = rule;
    line->a = (uint8_t)a;
    line->b = (uint8_t)b;
    line->times = times;
}

/* "14 + 28.1 + 3": the values of lines a to b, in the unit of the solution. */
static void add_line_values(struct account_text *t, const struct account_solution *s, size_t a,
                            size_t b) {
    for (size_t i = a; i <= b; i++) {
        if (i > a) account_add(t, " + ");
        account_add_number(t, s->line[i].value / account_unit_scale(s->unit), 5);
    }
}

/* ── the error carried forward ─────────────────────────────────────────────────────────────────*/

/* What follows from the lines before by the line's own rule; a line that follows from none is what
 * it is. */
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
    assert(s->line[i].rule == ACCOUNT_STANDS || (s->line[i].a < i && s->line[i].b < i));
    return true_so_far ? s->line[i].value : follow(&s->line[i], v);
}

static void add_carried(struct account_text *t, const struct account_solution *s, size_t i,
                        const double *given) {
    const struct account_line *line = &s->line[i];
    bool unsaid = !given || isnan(given[i]);
    account_add_value(t, unsaid ? line->value : given[i], line->unit, 5);
}

const char *account_carry_formula(const struct account_solution *s, size_t i, const double *given,
                                  char *out, size_t size) {
    const struct account_line *line = &s->line[i];
    struct account_text t = account_text(out, size);
    bool times = line->rule == ACCOUNT_TIMES || line->rule == ACCOUNT_SUBTRACTS;
    if (line->rule == ACCOUNT_STANDS) return out;
    if (times && line->times != 1) account_add(&t, "%s × ", account_number(&t, line->times).text);
    add_carried(&t, s, line->a, given);
    for (size_t k = line->a + 1u; line->rule == ACCOUNT_ADDS && k <= line->b; k++) {
        account_add(&t, " + ");
        add_carried(&t, s, k, given);
    }
    if (line->rule == ACCOUNT_ADDS || line->rule == ACCOUNT_TIMES) return out;
    account_add(&t, line->rule == ACCOUNT_SUBTRACTS ? " − " : " ÷ ");
    add_carried(&t, s, line->b, given);
    if (line->rule == ACCOUNT_DIVIDES_UP) account_add(&t, ", rounded up");
    return out;
}

/* ── what products and shards answer ────────────────────────────────────────────────────────────*/

/* A value by itself is no formula: the line is what it is. */
static bool is_given(const struct account_product *p) {
    return p->factors == 1 && p->factor[0].role == ACCOUNT_SIZE;
}

static void solve_products(const struct account_problem *p, const struct account_grounds *g,
                           struct account_solution *s) {
    (void)p;
    for (size_t i = 0; i < g->products.count; i++) {
        const struct account_product *product = &g->products.product[i];
        struct account_line *line =
            next_line(s, product->id, product->label, account_product_value(product), s->unit);
        struct account_text t = formula_of(line);
        if (!is_given(product)) account_add_product(&t, product);
    }
    size_t terms = s->lines;
    if (terms < 2) return;
    struct account_line *sum = next_line(s, "total", "in total", s->value, s->unit);
    line_rule(sum, ACCOUNT_ADDS, 0, terms - 1, 1);
    struct account_text t = formula_of(sum);
    add_line_values(&t, s, 0, terms - 1);
}

/* ── shards ────────────────────────────────────────────────────────────────────────────────────*/

static struct account_line *shard_line(struct account_solution *s, struct account_shards shards,
                                       enum account_piece piece, const char *id,
                                       const char *label) {
    shards.piece = piece;
    struct account_line *line = next_line(s, id, label, account_shards_value(&shards), s->unit);
    struct account_text t = formula_of(line);
    account_add_shards(&t, &shards);
    return line;
}

/* What all shards hold, and what of that is no parameter. */
static void add_padding(const struct account_shards *shards, struct account_solution *s) {
    double held = (double)account_shard_size(shards) * shards->ranks;
    struct account_line *all = next_line(s, "held", "what all ranks hold", held, s->unit);
    line_rule(all, ACCOUNT_TIMES, 0, 0, shards->ranks);
    struct account_text t = formula_of(all);
    account_add(&t, "%u × ", shards->ranks);
    account_add_count(&t, account_shard_size(shards));
    shard_line(s, *shards, ACCOUNT_PIECE_PADDING, "padding", "of that, only padding");
}

static void solve_shards(const struct account_problem *p, const struct account_grounds *g,
                         struct account_solution *s) {
    (void)p;
    const struct account_shards *shards = &g->shards;
    shard_line(s, *shards, ACCOUNT_PIECE_SIZE, "size", "elements a rank holds");
    if (shards->piece == ACCOUNT_PIECE_PADDING) add_padding(shards, s);
    if (shards->piece == ACCOUNT_PIECE_REAL)
        shard_line(s, *shards, ACCOUNT_PIECE_REAL, "real", "of them parameters");
    if (shards->piece == ACCOUNT_PIECE_FIRST) {
        struct account_line *first =
            shard_line(s, *shards, ACCOUNT_PIECE_FIRST, "first", "its first element");
        line_rule(first, ACCOUNT_TIMES, 0, 0, shards->rank);
    }
}

/* ── what a sheet answers: a line a category, then what follows from them ───────────────────────*/

/* ── bytes, and bytes per parameter: a line a category, then their sum ─────────────────────────*/

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
    t = formula_of(line);
    account_add(&t, sum ? "(%s)" : "%s", bytes);
    if (binary) account_add(&t, " ÷ 2^%d", 10 * (int)(line->unit - ACCOUNT_UNIT_KIB + 1));
}

static void add_rates(struct account_line *line, const struct account_sheet *sheet, uint32_t mask) {
    struct account_text t = formula_of(line);
    account_add_rates(&t, sheet, mask);
}

static void add_categories(const struct account_problem *p, const struct account_sheet *sheet,
                           struct account_solution *s) {
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        uint32_t mask = 1u << c & p->quantity;
        double value = category_value(p, sheet, mask);
        if (value == 0) continue;
        struct account_line *line = next_line(s, account_category_name((enum account_category)c),
                                              account_ground_labels[c], value, s->unit);
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
        next_line(s, p->cluster ? "gpu" : "total", p->cluster ? "one GPU" : "in total",
                  category_value(p, sheet, p->quantity), s->unit);
    line_rule(sum, ACCOUNT_ADDS, 0, terms - 1, 1);
    struct account_text t = formula_of(sum);
    add_line_values(&t, s, 0, terms - 1);
}

static void solve_sum(const struct account_problem *p, const struct account_grounds *g,
                      struct account_solution *s) {
    const struct account_sheet *sheet = &g->sheet;
    add_categories(p, sheet, s);
    add_sum(p, sheet, s);
    if (!p->cluster || p->kind != ACCOUNT_ASK_BYTES) return;
    double each = s->line[s->lines - 1].value;
    struct account_line *all = next_line(s, "total", "all GPUs", s->value, s->unit);
    line_rule(all, ACCOUNT_TIMES, s->lines - 2, 0, p->training.gpus);
    struct account_text t = formula_of(all);
    account_add(&t, "%u × ", p->training.gpus);
    account_add_value(&t, each, s->unit, 6);
}

/* ── the largest model, the fewest GPUs ────────────────────────────────────────────────────────*/

static void add_budget_line(const struct account_problem *p, struct account_solution *s,
                            enum account_unit u) {
    double budget = account_problem_budget(p);
    struct account_line *line = next_line(s, "budget", "bytes available", budget, u);
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

static void solve_largest(const struct account_problem *p, const struct account_grounds *g,
                          struct account_solution *s) {
    const struct account_sheet *sheet = &g->sheet;
    add_budget_line(p, s, ACCOUNT_UNIT_GB);
    struct account_line *rate =
        next_line(s, "per-param", "bytes per parameter, on each GPU",
                  account_sheet_rate(sheet, p->quantity), ACCOUNT_UNIT_B_PER_PARAM);
    struct account_text t = formula_of(rate);
    account_add_rates(&t, sheet, p->quantity);
    struct account_line *largest =
        next_line(s, "largest", "parameters that fit", s->value, s->unit);
    line_rule(largest, ACCOUNT_DIVIDES, 0, 1, 1);
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

static void solve_fewest(const struct account_problem *p, const struct account_grounds *g,
                         struct account_solution *s) {
    const struct account_sheet *sheet = &g->sheet;
    add_budget_line(p, s, ACCOUNT_UNIT_GB);
    add_part(p, sheet, false, s);
    struct account_line *left = next_line(s, "left", "left for the shards",
                                          s->line[0].value - s->line[1].value, ACCOUNT_UNIT_GB);
    line_rule(left, ACCOUNT_SUBTRACTS, 0, 1, 1);
    struct account_text t = formula_of(left);
    account_add_value(&t, s->line[0].value, ACCOUNT_UNIT_GB, 6);
    account_add(&t, " − ");
    account_add_value(&t, s->line[1].value, ACCOUNT_UNIT_GB, 6);
    add_part(p, sheet, true, s);
    struct account_line *gpus = next_line(s, "gpus", "GPUs, rounded up", s->value, s->unit);
    line_rule(gpus, ACCOUNT_DIVIDES_UP, 3, 2, 1);
    t = formula_of(gpus);
    account_add_value(&t, s->line[3].value, ACCOUNT_UNIT_GB, 6);
    account_add(&t, " ÷ ");
    account_add_value(&t, left->value, ACCOUNT_UNIT_GB, 6);
}

/* ── units ─────────────────────────────────────────────────────────────────────────────────────*/

static void solve_convert(const struct account_problem *p, const struct account_grounds *g,
                          struct account_solution *s) {
    (void)g;
    add_budget_line(p, s, ACCOUNT_UNIT_B);
    struct account_line *line = next_line(s, "answer", "in the unit asked", s->value, s->unit);
    line_rule(line, ACCOUNT_TIMES, 0, 0, 1);
    struct account_text t = formula_of(line);
    account_add_count(&t, (uint64_t)(s->value + 0.5));
    if (s->unit >= ACCOUNT_UNIT_KIB)
        account_add(&t, " B ÷ 2^%d", 10 * (int)(s->unit - ACCOUNT_UNIT_KIB + 1));
    else if (s->unit > ACCOUNT_UNIT_B)
        account_add(&t, " B ÷ 1e%d", 3 * (int)(s->unit - ACCOUNT_UNIT_KB + 1));
    else
        account_add(&t, " B");
}

/* ── solving ───────────────────────────────────────────────────────────────────────────────────*/

static void (*const solvers[ACCOUNT_KINDS])(const struct account_problem *,
                                            const struct account_grounds *,
                                            struct account_solution *) = {
    [ACCOUNT_ASK_BYTES] = solve_sum,
    [ACCOUNT_ASK_BYTES_PER_PARAM] = solve_sum,
    [ACCOUNT_ASK_LARGEST_PARAMS] = solve_largest,
    [ACCOUNT_ASK_FEWEST_GPUS] = solve_fewest,
    [ACCOUNT_ASK_CONVERT] = solve_convert,
    [ACCOUNT_ASK_TRAFFIC] = solve_products,
    [ACCOUNT_ASK_VOLUME] = solve_products,
    [ACCOUNT_ASK_SECONDS] = solve_products,
    [ACCOUNT_ASK_ACTIVATIONS] = solve_products,
    [ACCOUNT_ASK_PEAK] = solve_products,
    [ACCOUNT_ASK_HOST] = solve_products,
    [ACCOUNT_ASK_SHARD] = solve_shards,
};

bool account_solve(const struct account_problem *p, struct account_solution *out,
                   struct account_error *e) {
    struct account_grounds g;
    *out = (struct account_solution){.unit = account_problem_unit(p)};
    if (!account_true_answer(p, &g, &out->value, e)) return false;
    solvers[p->kind](p, &g, out);
    return true;
}
