/* A problem and its sheet: what solve, the mistakes and the verdicts share. */
#ifndef ACCOUNT_PROBLEM_H
#define ACCOUNT_PROBLEM_H

#include "account/sheet.h"

/* Whether the problem can be asked at all. */
bool account_problem_check(const struct account_problem *p, struct account_error *e);
/* The budget in bytes: as stated, or the card's. */
double account_problem_budget(const struct account_problem *p);
/* The unit that the answer is asked in: as stated, or the kind's usual one. */
enum account_unit account_problem_unit(const struct account_problem *p);
/* What a sheet answers to the problem, in base units: for the truth the training's own sheet, for a mistake another.
 * False if it has no answer. */
bool account_sheet_answer(const struct account_problem *p, const struct account_sheet *s,
                          double *out);
/* The sum behind it, without the result: "2 B × 7.5e9 + (2 + 4 + 8) B × 7.5e9 ÷ 64". */
void account_add_sum(struct account_text *t, const struct account_problem *p,
                     const struct account_sheet *s);
/* "usable bytes" or "label", if the budget is the named card's. */
bool account_budget_is_label(const struct account_problem *p);
bool account_budget_is_usable(const struct account_problem *p);

#endif
