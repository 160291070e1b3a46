/* What the grounds of a problem answer, and the sum that says so. The kinds are rows; everything
 * else reads them from here. */
#include "account/numbers/dimension.h"
#include "account/problems/grounds.h"

#include <math.h>

double account_problem_budget(const struct account_problem *p) {
    if (p->budget > 0 || !p->training.card) return p->budget;
    return (double)account_card_bytes(p->training.card);
}

bool account_budget_is_label(const struct account_problem *p) {
    const struct account_card *c = p->training.card;
    return c && account_problem_budget(p) == (double)c->label_bytes;
}

bool account_budget_is_usable(const struct account_problem *p) {
    const struct account_card *c = p->training.card;
    return c && account_card_reporter(c) != ACCOUNT_BY_LABEL &&
           account_problem_budget(p) == (double)account_card_bytes(c);
}

/* ── the kinds ─────────────────────────────────────────────────────────────────────────────────*/

static bool ground_sheet(const struct account_problem *p, struct account_grounds *g,
                         struct account_error *e) {
    (void)e;
    account_sheet(&p->training, &g->sheet);
    return true;
}

static bool ground_budget(const struct account_problem *p, struct account_grounds *g,
                          struct account_error *e) {
    (void)p, (void)g, (void)e;
    return true;
}

static bool ground_shards(const struct account_problem *p, struct account_grounds *g,
                          struct account_error *e) {
    struct account_sheet sheet;
    uint32_t ranks = account_shard_ranks(&p->training);
    account_sheet(&p->training, &sheet);
    g->shards = (struct account_shards){.elements = p->training.params,
                                        .ranks = ranks,
                                        .align = sheet.align,
                                        .rank = p->rank,
                                        .piece = p->piece ? p->piece : ACCOUNT_PIECE_SIZE,
                                        .bytes = 1};
    return p->rank < ranks ||
           account_fail(e, 0, "rank: ranks go from 0 to %u, so there is no rank %u", ranks - 1,
                        p->rank);
}

const struct account_kind_row account_kinds[ACCOUNT_KINDS] = {
    [ACCOUNT_ASK_BYTES] = {"bytes", ACCOUNT_UNIT_GB, ACCOUNT_IN_SIZES, ACCOUNT_ON_SHEET, false,
                           ground_sheet},
    [ACCOUNT_ASK_BYTES_PER_PARAM] = {"bytes_per_param", ACCOUNT_UNIT_B_PER_PARAM, ACCOUNT_IN_RATES,
                                     ACCOUNT_ON_SHEET, false, ground_sheet},
    [ACCOUNT_ASK_LARGEST_PARAMS] = {"largest_params", ACCOUNT_UNIT_BILLION, ACCOUNT_IN_PARAMS,
                                    ACCOUNT_ON_SHEET, true, ground_sheet},
    [ACCOUNT_ASK_FEWEST_GPUS] = {"fewest_gpus", ACCOUNT_UNIT_GPUS, ACCOUNT_IN_GPUS,
                                 ACCOUNT_ON_SHEET, true, ground_sheet},
    [ACCOUNT_ASK_CONVERT] = {"convert", ACCOUNT_UNIT_GIB, ACCOUNT_IN_SIZES, ACCOUNT_ON_BUDGET, true,
                             ground_budget},
    [ACCOUNT_ASK_TRAFFIC] = {"traffic", ACCOUNT_UNIT_GB, ACCOUNT_IN_SIZES, ACCOUNT_ON_PRODUCTS,
                             false, account_ground_traffic},
    [ACCOUNT_ASK_VOLUME] = {"volume", ACCOUNT_UNIT_NONE, ACCOUNT_IN_NUMBERS, ACCOUNT_ON_PRODUCTS,
                            false, account_ground_volume},
    [ACCOUNT_ASK_SECONDS] = {"seconds", ACCOUNT_UNIT_SECONDS, ACCOUNT_IN_SECONDS,
                             ACCOUNT_ON_PRODUCTS, false, account_ground_seconds},
    [ACCOUNT_ASK_ACTIVATIONS] = {"activations", ACCOUNT_UNIT_GB, ACCOUNT_IN_SIZES,
                                 ACCOUNT_ON_PRODUCTS, false, account_ground_activations},
    [ACCOUNT_ASK_PEAK] = {"peak", ACCOUNT_UNIT_GB, ACCOUNT_IN_SIZES, ACCOUNT_ON_PRODUCTS, false,
                          account_ground_peak},
    [ACCOUNT_ASK_HOST] = {"host", ACCOUNT_UNIT_GB, ACCOUNT_IN_SIZES, ACCOUNT_ON_PRODUCTS, false,
                          account_ground_host},
    [ACCOUNT_ASK_SHARD] = {"shard", ACCOUNT_UNIT_PARAMS, ACCOUNT_IN_PARAMS, ACCOUNT_ON_SHARDS,
                           false, ground_shards},
};

bool account_ground(const struct account_problem *p, struct account_grounds *g,
                    struct account_error *e) {
    g->base = account_kinds[p->kind].base;
    g->products.count = 0;
    g->down = false;
    return account_kinds[p->kind].ground(p, g, e);
}

void account_ground_copy(struct account_grounds *to, const struct account_grounds *from) {
    to->base = from->base;
    to->down = from->down;
    if (from->base == ACCOUNT_ON_SHEET) to->sheet = from->sheet;
    if (from->base == ACCOUNT_ON_PRODUCTS) to->products = from->products;
    if (from->base == ACCOUNT_ON_SHARDS) to->shards = from->shards;
}

enum account_unit account_problem_unit(const struct account_problem *p) {
    if (p->unit != ACCOUNT_UNIT_NONE || (unsigned)p->kind >= ACCOUNT_KINDS) return p->unit;
    return account_kinds[p->kind].unit;
}

/* ── whether it can be asked ───────────────────────────────────────────────────────────────────*/

static bool unit_suits(const struct account_problem *p) {
    enum account_unit u = account_problem_unit(p);
    switch (account_kinds[p->kind].answers) {
    case ACCOUNT_IN_SIZES: return account_is_size(u);
    case ACCOUNT_IN_RATES: return u == ACCOUNT_UNIT_B_PER_PARAM || u == ACCOUNT_UNIT_B;
    case ACCOUNT_IN_PARAMS: return u == ACCOUNT_UNIT_PARAMS || u == ACCOUNT_UNIT_BILLION;
    case ACCOUNT_IN_GPUS: return u == ACCOUNT_UNIT_GPUS;
    case ACCOUNT_IN_NUMBERS: return u == ACCOUNT_UNIT_NONE;
    case ACCOUNT_IN_SECONDS: return u == ACCOUNT_UNIT_SECONDS || u == ACCOUNT_UNIT_MS;
    }
    return false;
}

/* Some kinds ask for what the training need not say: a count, or nothing at all. A collective over
 * given bytes needs no model. */
static bool check_training(const struct account_problem *p, struct account_error *e) {
    struct account_training t = p->training;
    bool given = p->kind == ACCOUNT_ASK_SECONDS && p->budget > 0 && p->piece > ACCOUNT_PIECE_ALL;
    if (p->kind == ACCOUNT_ASK_CONVERT) return true;
    if (p->kind == ACCOUNT_ASK_BYTES_PER_PARAM || p->kind == ACCOUNT_ASK_LARGEST_PARAMS || given)
        if (t.params == 0) t.params = 1;
    return account_check(&t, e);
}

static bool check_quantity(const struct account_problem *p, struct account_error *e) {
    struct account_sheet s;
    bool any = false;
    account_sheet(&p->training, &s);
    for (size_t i = 0; i < s.terms; i++) any |= p->quantity >> s.term[i].category & 1;
    return any || account_fail(e, 0,
                               "quantity: this training keeps none of it: ask for params, grads, "
                               "master or moments that it has");
}

/* Whether the problem can be asked at all. */
static bool problem_check(const struct account_problem *p, struct account_error *e) {
    if ((unsigned)p->kind >= ACCOUNT_KINDS)
        return account_fail(e, 0, "kind: unknown kind of problem");
    if (!unit_suits(p))
        return account_fail(e, 0, "unit: this kind of problem cannot be answered in %s",
                            account_unit_name(p->unit));
    double budget = account_problem_budget(p);
    if (account_kinds[p->kind].budget && !(budget > 0 && isfinite(budget)))
        return account_fail(e, 0, "budget: how many bytes? Set a size like 80GB, or name a gpu");
    if (!check_training(p, e)) return false;
    if (p->kind == ACCOUNT_ASK_LARGEST_PARAMS && account_optimizer_of(&p->training)->factored)
        return account_fail(e, 0,
                            "optimizer: %s depends on the shape, not on the count: without a shape "
                            "there is no largest Ψ",
                            account_optimizer_of(&p->training)->name);
    return account_kinds[p->kind].base != ACCOUNT_ON_SHEET || check_quantity(p, e);
}

/* ── answers ───────────────────────────────────────────────────────────────────────────────────*/

static bool answer_sheet(const struct account_problem *p, const struct account_grounds *g,
                         double *out) {
    const struct account_sheet *s = &g->sheet;
    switch (p->kind) {
    case ACCOUNT_ASK_BYTES: {
        account_sum bytes = account_sheet_bytes(s, p->quantity);
        *out = (double)(bytes * (p->cluster ? p->training.gpus : 1));
        return true;
    }
    case ACCOUNT_ASK_BYTES_PER_PARAM: *out = account_sheet_rate(s, p->quantity); return true;
    case ACCOUNT_ASK_LARGEST_PARAMS:
        *out = (double)account_sheet_largest(s, p->quantity, account_problem_budget(p));
        return *out > 0 && *out < (double)ACCOUNT_MOST_PARAMS;
    case ACCOUNT_ASK_FEWEST_GPUS:
        *out = (double)account_sheet_fewest(s, p->quantity, account_problem_budget(p)) - g->down;
        return *out > 0;
    default: return false;
    }
}

bool account_answer(const struct account_problem *p, const struct account_grounds *g, double *out) {
    switch (g->base) {
    case ACCOUNT_ON_SHEET: return answer_sheet(p, g, out);
    case ACCOUNT_ON_BUDGET: *out = account_problem_budget(p); break;
    case ACCOUNT_ON_PRODUCTS: *out = account_products_value(&g->products); break;
    case ACCOUNT_ON_SHARDS: *out = account_shards_value(&g->shards); break;
    }
    return isfinite(*out);
}

bool account_true_answer(const struct account_problem *p, struct account_grounds *g, double *out,
                         struct account_error *e) {
    if (!problem_check(p, e) || !account_ground(p, g, e)) return false;
    if (account_answer(p, g, out)) return true;
    if (p->kind == ACCOUNT_ASK_FEWEST_GPUS)
        return account_fail(e, 0,
                            "budget: no number of GPUs makes it fit, because some of it is "
                            "never divided: raise the budget or the stage");
    return account_fail(e, 0, "budget: it is too small or too large for a model to be named");
}

/* ── sums ──────────────────────────────────────────────────────────────────────────────────────*/

static void add_budget(struct account_text *t, const struct account_problem *p) {
    enum account_unit u = p->budget_unit;
    if (u == ACCOUNT_UNIT_NONE)
        u = account_problem_budget(p) >= 1e9 ? ACCOUNT_UNIT_GB : ACCOUNT_UNIT_B;
    account_add_value(t, account_problem_budget(p), u, 6);
}

/* The categories that are divided, or those that are not. */
static uint32_t divided(const struct account_sheet *s, uint32_t mask, bool sharded) {
    uint32_t found = 0;
    for (size_t i = 0; i < s->terms; i++)
        if (s->term[i].sharded == sharded) found |= mask & 1u << s->term[i].category;
    return found;
}

/* What N must divide, over what the whole copies leave of the budget. Where nothing is divided, one
 * GPU holds it. */
static void add_fewest(struct account_text *t, const struct account_problem *p,
                       const struct account_grounds *g) {
    const struct account_sheet *s = &g->sheet;
    const char *rounded = g->down ? ", rounded down" : ", rounded up";
    struct account_sheet one = *s;
    uint32_t parts = divided(s, p->quantity, true), whole = divided(s, p->quantity, false);
    for (size_t i = 0; i < one.terms; i++) one.term[i].sharded = false;
    account_add_sheet(t, &one, parts ? parts : whole);
    account_add(t, !parts ? " of " : whole ? " ÷ (" : " ÷ ");
    add_budget(t, p);
    if (parts && whole) {
        account_add(t, " − ");
        account_add_sheet(t, &one, whole);
    }
    if (parts) account_add(t, "%s%s", whole ? ")" : "", rounded);
}

/* One bracket of bytes stands as it is: "80 GB ÷ (2 + 2 + 4 + 8) B". */
static void add_largest(struct account_text *t, const struct account_problem *p,
                        const struct account_sheet *s) {
    bool sum = divided(s, p->quantity, true) != 0;
    add_budget(t, p);
    account_add(t, sum ? " ÷ (" : " ÷ ");
    account_add_rates(t, s, p->quantity);
    account_add(t, sum ? ")" : "");
}

static void add_sheet_sum(struct account_text *t, const struct account_problem *p,
                          const struct account_grounds *g) {
    const struct account_sheet *s = &g->sheet;
    switch (p->kind) {
    case ACCOUNT_ASK_BYTES_PER_PARAM: account_add_rates(t, s, p->quantity); break;
    case ACCOUNT_ASK_LARGEST_PARAMS: add_largest(t, p, s); break;
    case ACCOUNT_ASK_FEWEST_GPUS: add_fewest(t, p, g); break;
    default:
        if (p->cluster) account_add(t, "%u × (", p->training.gpus);
        account_add_sheet(t, s, p->quantity);
        if (p->cluster) account_add(t, ")");
    }
}

void account_add_sum(struct account_text *t, const struct account_problem *p,
                     const struct account_grounds *g) {
    switch (g->base) {
    case ACCOUNT_ON_SHEET: add_sheet_sum(t, p, g); break;
    case ACCOUNT_ON_BUDGET: add_budget(t, p); break;
    case ACCOUNT_ON_PRODUCTS: account_add_products(t, &g->products, account_problem_unit(p)); break;
    case ACCOUNT_ON_SHARDS: account_add_shards(t, &g->shards); break;
    }
}
