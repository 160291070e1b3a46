/* What a rank sends in a step, as products: the collectives of the traffic, those of one collective in one group as one. */
#ifndef ACCOUNT_COLLECTIVES_MOST_H
#define ACCOUNT_COLLECTIVES_MOST_H

#include "account/problems/grounds.h"

struct account_sending { /* collectives of one collective in one group, added up */
    struct account_collective collective;
    double seconds; /* 0 where the clock was not asked */
};
struct account_sendings {
    size_t count;
    struct account_sending row[ACCOUNT_COLLECTIVES_MOST];
};
/* The clock may be NULL. */
void account_sendings(const struct account_traffic *t, const struct account_clock *c,
                      struct account_sendings *out);
/* Whether the piece of the problem is about this collective. */
bool account_piece_has(enum account_piece piece, const struct account_collective *collective);
/* A product for the collective's bytes, or NULL where there are too many. */
struct account_product *account_collective_product(struct account_products *s,
                                                   const struct account_training *t,
                                                   const struct account_collective *collective,
                                                   enum account_piece piece);
/* Parameters and gradients over this GPU's host link: down, up. */
bool account_offload_products(const struct account_training *t, struct account_products *s,
                              struct account_error *e);
/* Bytes a second of a group's collectives: the link inside a node, or what the node's adapters give its members together. */
double account_group_rate(const struct account_training *t, uint32_t ranks, uint32_t per_node);

bool account_ground_traffic(const struct account_problem *p, struct account_grounds *g,
                            struct account_error *e);
bool account_ground_volume(const struct account_problem *p, struct account_grounds *g,
                           struct account_error *e);
bool account_ground_seconds(const struct account_problem *p, struct account_grounds *g,
                            struct account_error *e);

#endif
