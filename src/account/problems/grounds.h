/* A problem and its grounds, which are what its answer is computed from: shared by solve, the
 * mistakes and the verdicts. */
#ifndef ACCOUNT_GROUNDS_H
#define ACCOUNT_GROUNDS_H

#include "account/problems/sums.h"

enum account_base { ACCOUNT_ON_SHEET, ACCOUNT_ON_BUDGET, ACCOUNT_ON_PRODUCTS, ACCOUNT_ON_SHARDS };

/* What an answer is computed from: one of these, by the kind of the problem. */
struct account_grounds {
    enum account_base base;
    struct account_sheet sheet;
    struct account_products products;
    struct account_shards shards;
    /* a mistake: the number of GPUs is rounded down */
    bool down;
};

/* The units that an answer may be asked in. */
enum account_answers {
    ACCOUNT_IN_SIZES,
    ACCOUNT_IN_RATES,
    ACCOUNT_IN_PARAMS,
    ACCOUNT_IN_GPUS,
    ACCOUNT_IN_NUMBERS,
    ACCOUNT_IN_SECONDS
};
/* One row per kind of problem. */
struct account_kind_row {
    const char *name;
    /* that an answer is in if none is asked */
    enum account_unit unit;
    enum account_answers answers;
    enum account_base base;
    /* cannot be asked without one */
    bool budget;
    bool (*ground)(const struct account_problem *p, struct account_grounds *g,
                   struct account_error *e);
};
extern const struct account_kind_row account_kinds[ACCOUNT_KINDS];

/* The budget in bytes: as stated, or the card's. */
double account_problem_budget(const struct account_problem *p);
/* The unit that the answer is asked in: as stated, or the kind's usual one. */
enum account_unit account_problem_unit(const struct account_problem *p);

/* "parameters", "fp32 master copy": what a line of working calls a category. */
extern const char *const account_ground_labels[ACCOUNT_CATEGORIES];

/* The grounds of a problem whose kind is one; false if there are none. */
bool account_ground(const struct account_problem *p, struct account_grounds *g,
                    struct account_error *e);
/* Copies what the kind uses. */
void account_ground_copy(struct account_grounds *to, const struct account_grounds *from);
bool account_ground_activations(const struct account_problem *p, struct account_grounds *g,
                                struct account_error *e);
bool account_ground_peak(const struct account_problem *p, struct account_grounds *g,
                         struct account_error *e);
bool account_ground_host(const struct account_problem *p, struct account_grounds *g,
                         struct account_error *e);
bool account_ground_traffic(const struct account_problem *p, struct account_grounds *g,
                            struct account_error *e);
bool account_ground_volume(const struct account_problem *p, struct account_grounds *g,
                           struct account_error *e);
bool account_ground_seconds(const struct account_problem *p, struct account_grounds *g,
                            struct account_error *e);
/* Computes the answer from grounds, in base units. For the truth they are the problem's own, for a
 * mistake they are changed ones. False if there is no answer. */
bool account_answer(const struct account_problem *p, const struct account_grounds *g, double *out);
/* Checks the problem, fills its grounds and computes the answer. */
bool account_true_answer(const struct account_problem *p, struct account_grounds *g, double *out,
                         struct account_error *e);
/* The sum behind it, without the result: "2 B × 7.5e9 + (2 + 4 + 8) B × 7.5e9 ÷ 64". */
void account_add_sum(struct account_text *t, const struct account_problem *p,
                     const struct account_grounds *g);
/* "usable bytes" or "label", if the budget is the named card's. */
bool account_budget_is_label(const struct account_problem *p);
bool account_budget_is_usable(const struct account_problem *p);

#endif
