/* What traffic's files share. */
#ifndef COMMAND_TRAFFIC_H
#define COMMAND_TRAFFIC_H

#include "command/asked.h"

struct traffic_stage {
    struct account_training training;
    struct account_traffic traffic;
    struct account_clock clock;
    /* seconds on the host link; less than nothing where its rate is unknown */
    double host_down, host_up;
};
struct traffic {
    struct account_training asked;
    /* with what was assumed */
    struct asked from;
    size_t stages;
    struct traffic_stage stage[ASKED_STAGES];
};

/* "all-gather": a collective as people write it. Returns `out`. */
const char *command_traffic_collective(enum account_collective_kind c,
                                       char out[static REPORT_UNIT_MOST]);
/* What a window hides behind, for people. */
json_t *command_traffic_json(const struct traffic *t);
void command_traffic_csv(const struct traffic *t, FILE *out);
void command_traffic_page(const struct traffic *t, struct page *p);

#endif
