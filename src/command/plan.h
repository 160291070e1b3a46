/* What plan's files share. */
#ifndef COMMAND_PLAN_H
#define COMMAND_PLAN_H

#include "command/asked.h"

enum { PLANS_MOST = 40, PLANS_SHOWN = 10 };
struct plan {
    /* with what was assumed */
    struct asked from;
    struct account_question question;
    struct account_plans plans;
    struct account_plan plan[PLANS_MOST];
};

/* What the question left open and the answer rests on: into the notes. */
json_t *command_plan_json(const struct plan *p);
void command_plan_csv(const struct plan *p, FILE *out);
/* The working of the first plan's step and of its memory. */
void command_plan_page(const struct plan *plan, struct page *p);

#endif
