/* What a sheet answers to a problem. One switch over the kinds: everything else reads it from here. */
#include "account/problem.h"

#include <math.h>

static double card_bytes(const struct account_card *c) {
    return (double)(c->usable_bytes ? c->usable_bytes : c->label_bytes);
}

double account_problem_budget(const struct account_problem *p) {
    if (p->budget > 0 || !p->training.card) return p->budget;
    return card_bytes(p->training.card);
}

bool account_budget_is_label(const struct account_problem *p) {
    const struct account_card *c = p->training.card;
    return c && account_problem_budget(p) == (double)c->label_bytes;
}

bool account_budget_is_usable(const struct account_problem *p) {
    const struct account_card *c = p->training.card;
    return c && c->usable_bytes && account_problem_budget(p) == (double)c->usable_bytes;
}

static bool unit_suits(const struct account_problem *p) {
    enum account_unit u = account_problem_unit(p);
    switch (p->kind) {
    case ACCOUNT_ASK_BYTES:
    case ACCOUNT_ASK_CONVERT: return u >= ACCOUNT_UNIT_B && u <= ACCOUNT_UNIT_TIB;
    case ACCOUNT_ASK_BYTES_PER_PARAM: return u == ACCOUNT_UNIT_B_PER_PARAM || u == ACCOUNT_UNIT_B;
    case ACCOUNT_ASK_LARGEST_PARAMS: return u == ACCOUNT_UNIT_PARAMS || u == ACCOUNT_UNIT_BILLION;
    case ACCOUNT_ASK_FEWEST_GPUS: return u == ACCOUNT_UNIT_GPUS;
    case ACCOUNT_KINDS: break;
    }
    return false;
}

static bool needs_budget(const struct account_problem *p) {
    return p->kind == ACCOUNT_ASK_LARGEST_PARAMS || p->kind == ACCOUNT_ASK_FEWEST_GPUS ||
           p->kind == ACCOUNT_ASK_CONVERT;
}

/* Some kinds ask for what the training need not say: a count, or nothing at all. */
static bool check_training(const struct account_problem *p, struct account_error *e) {
    struct account_training t = p->training;
    if (p->kind == ACCOUNT_ASK_CONVERT) return true;
    if (p->kind == ACCOUNT_ASK_BYTES_PER_PARAM || p->kind == ACCOUNT_ASK_LARGEST_PARAMS)
        if (t.params == 0) t.params = 1;
    return account_check(&t, e);
}

bool account_problem_check(const struct account_problem *p, struct account_error *e) {
    if ((unsigned)p->kind >= ACCOUNT_KINDS)
        return account_fail(e, 0, "kind: there is no such kind of problem");
    if (!unit_suits(p))
        return account_fail(e, 0, "unit: this kind of problem cannot be answered in %s",
                            account_unit_name(p->unit));
    if (needs_budget(p) && !(account_problem_budget(p) > 0 && isfinite(account_problem_budget(p))))
        return account_fail(e, 0, "budget: how many bytes? Give a size like 80GB, or name a gpu");
    if (!check_training(p, e)) return false;
    if (p->kind == ACCOUNT_ASK_LARGEST_PARAMS && account_optimizer_of(&p->training)->factored)
        return account_fail(e, 0,
                            "optimizer: %s follows the shape and not the count: there is no "
                            "largest Ψ without a shape",
                            account_optimizer_of(&p->training)->name);
    struct account_sheet s;
    account_sheet(&p->training, &s);
    bool any = p->kind == ACCOUNT_ASK_CONVERT;
    for (size_t i = 0; i < s.terms; i++) any |= p->quantity >> s.term[i].category & 1;
    return any || account_fail(e, 0,
                               "quantity: this training keeps nothing of what is asked: ask for "
                               "params, grads, master or moments it has");
}

bool account_sheet_answer(const struct account_problem *p, const struct account_sheet *s,
                          double *out) {
    double budget = account_problem_budget(p);
    switch (p->kind) {
    case ACCOUNT_ASK_BYTES: {
        __extension__ unsigned __int128 bytes = account_sheet_bytes(s, p->quantity);
        *out = (double)(bytes * (p->cluster ? p->training.gpus : 1));
        return true;
    }
    case ACCOUNT_ASK_BYTES_PER_PARAM: *out = account_sheet_rate(s, p->quantity); return true;
    case ACCOUNT_ASK_LARGEST_PARAMS:
        *out = (double)account_sheet_largest(s, p->quantity, budget);
        return *out > 0 && *out < (double)ACCOUNT_MOST_PARAMS;
    case ACCOUNT_ASK_FEWEST_GPUS:
        *out = account_sheet_fewest(s, p->quantity, budget);
        return *out > 0;
    case ACCOUNT_ASK_CONVERT: *out = budget; return true;
    case ACCOUNT_KINDS: break;
    }
    return false;
}

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

/* What N must divide, over what the whole copies leave of the budget. Where nothing is divided, one GPU holds it. */
static void add_fewest(struct account_text *t, const struct account_problem *p,
                       const struct account_sheet *s) {
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
    if (parts) account_add(t, whole ? "), rounded up" : ", rounded up");
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

void account_add_sum(struct account_text *t, const struct account_problem *p,
                     const struct account_sheet *s) {
    switch (p->kind) {
    case ACCOUNT_ASK_BYTES:
        if (p->cluster) account_add(t, "%u × (", p->training.gpus);
        account_add_sheet(t, s, p->quantity);
        if (p->cluster) account_add(t, ")");
        break;
    case ACCOUNT_ASK_BYTES_PER_PARAM: account_add_rates(t, s, p->quantity); break;
    case ACCOUNT_ASK_LARGEST_PARAMS: add_largest(t, p, s); break;
    case ACCOUNT_ASK_FEWEST_GPUS: add_fewest(t, p, s); break;
    case ACCOUNT_ASK_CONVERT: add_budget(t, p); break;
    case ACCOUNT_KINDS: break;
    }
}
