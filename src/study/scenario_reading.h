/* What the readers of a scenario's line share. */
#ifndef STUDY_SCENARIO_READING_H
#define STUDY_SCENARIO_READING_H

#include "scenario.h"

struct scenario_reading {
    struct memo_text t;
    struct study_scenario *s;
    bool params, gpus, master, pure; /* what was said outright */
    double nodes, per_node, nics;    /* 0: not said */
    bool nodes_first;                /* "2 nodes of 8 × A100" */
};

bool scenario_number(const struct scenario_reading *r, size_t i);
bool scenario_phrase(const struct scenario_reading *r, size_t i, const char *words);
/* The first of these phrases that stands at `i`: how many tokens; 0 if none does. The list ends with NULL. */
size_t scenario_any(const struct scenario_reading *r, size_t i, const char *const *phrases);
/* A count from 1 to 100 million; 0 for anything else. */
uint32_t scenario_count(double value);

/* What a reader makes of token `i`: how many tokens it took, 0 if they say nothing to it. */
typedef size_t scenario_reader(struct scenario_reading *r, size_t i);
/* On what is trained: in the order in which they are asked. */
extern scenario_reader *const scenario_machine[];
extern const size_t scenario_machines;
/* Names with their numbers, "sequence 2048". */
scenario_reader scenario_counted, scenario_tokens, scenario_global;
/* A bare size of memory, "80 GB each". */
scenario_reader scenario_size;
/* Nodes, GPUs a node and adapters a node, once all is read. */
void scenario_settle_machine(struct scenario_reading *r);

#endif
