/* What plan's files share. */
#ifndef COMMAND_PLAN_H
#define COMMAND_PLAN_H

#include "command/asked.h"

enum { PLANS_MOST = 40, PLANS_SHOWN = 10 };
struct plan {
    struct asked from; /* with what was assumed */
    struct account_question question;
    struct account_plans plans;
    struct account_plan plan[PLANS_MOST];
};

/* "none", "optimizer on host", "optimizer on host, params on nvme". Returns `out`. */
const char *command_plan_offload(const struct account_training *t, char out[static NAME_MOST]);
/* "selective": a field as it is set. Returns `out`. */
const char *command_plan_field(const struct account_training *t, const char *name,
                               char out[static NAME_MOST]);
/* What the question left open and the answer rests on: into the notes. */
void command_plan_assume(const struct arguments *a, struct plan *p);
json_t *command_plan_json(const struct plan *p);
void command_plan_csv(const struct plan *p, FILE *out);
/* The working of the first plan's step and of its memory. */
bool command_plan_explain(const struct plan *plan, struct page *p, struct account_error *e);
void command_plan_page(const struct plan *plan, struct page *p);

#endif
