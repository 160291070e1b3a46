/* What the files of a scenario share. */
#ifndef STUDY_SCENARIO_H
#define STUDY_SCENARIO_H

#include "memo_text.h"

/* The longest name of the catalogue that begins with token `i`, and how many tokens it takes. */
const struct account_model *study_scenario_model(const struct memo_text *t, size_t i,
                                                 size_t *taken);
const struct account_card *study_scenario_card(const struct memo_text *t, size_t i, size_t *taken);
/* A link as people say it, "NVLink 3", "100 Gb/s Ethernet"; `net` where it usually stands between nodes. */
struct account_link study_scenario_link(const struct memo_text *t, size_t i, size_t *taken,
                                        bool *net);
/* The model whose shape a bare count is given: the nearest of the catalogue, Llama's first. NULL if none is near. */
const struct account_model *study_scenario_shape(uint64_t params);
/* Settles what the line left open, and says what is missing. */
bool study_scenario_settle(struct study_scenario *s, struct base_message *m);
/* A scenario of nothing but the defaults of the course. */
struct study_scenario study_scenario_blank(void);

#endif
