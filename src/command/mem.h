/* What mem's files share. */
#ifndef COMMAND_MEM_H
#define COMMAND_MEM_H

#include "command/inside.h"

enum { MEM_STAGES = 4 };

struct mem_stage {
    struct account_training training;
    struct account_ledger ledger;
    const char *fits; /* "yes", "tight" or "no"; NULL without a card */
};
struct mem {
    struct account_training asked; /* its stage is the first that was asked for */
    size_t stages;
    struct mem_stage stage[MEM_STAGES];
};

/* What a card holds: the bytes its driver reports or, where nobody has checked those, the label's. */
uint64_t mem_budget(const struct account_card *card);
/* The unit that all numbers of one page are in. */
enum account_unit mem_unit(const struct mem *m);
json_t *mem_json(const struct mem *m);
void mem_csv(const struct mem *m, FILE *out);
/* Heading, table and bars. */
void mem_page(const struct mem *m, struct paper *p);
/* The working of every stage, line by line, and where the numbers come from. */
bool mem_explain(const struct mem *m, struct paper *p, struct account_error *e);
/* The same for programs: a "working" in each stage of mem_json()'s answer. */
bool mem_add_working(const struct mem *m, json_t *json, struct account_error *e);

#endif
