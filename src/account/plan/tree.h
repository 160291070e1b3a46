/* What the files of the decision tree share: how far a walk has come, and how a fork is written. */
#ifndef ACCOUNT_TREE_H
#define ACCOUNT_TREE_H

#include "account/plan/search.h"

struct account_tree {
    const struct account_search *search;
    const struct account_plan *chosen, *next;
    struct account_plans *out;
    /* how far the walk has come */
    struct account_training at;
};

/* Begins a fork. Returns the text of its `because`, for the caller to write. */
struct account_text account_tree_fork(struct account_tree *tree, const char *question,
                                      const char *answer);
/* "208 GB of model states + … = 241 GB of 85.9 GB" */
void account_tree_add_sum(struct account_text *out, const struct account_search *s,
                          const struct account_outcome *w);
/* Writes the fork that these needs settle. Returns whether they fit and are not tight. */
bool account_tree_settle(struct account_tree *tree, const char *question,
                         const struct account_outcome *w, const char *with);
/* Whether the recipe has the stage and the user left it open. */
bool account_tree_has_stage(const struct account_tree *tree, uint8_t stage);
/* The lowest stage that fits with room, or the one that comes nearest; false if none goes with the
 * rest. */
bool account_tree_lowest(struct account_tree *tree, struct account_training *t,
                         struct account_outcome *w);
/* Asks whether it fits so, at the lowest stage, and goes there. */
bool account_tree_ask(struct account_tree *tree, const char *question, struct account_training t);

/* Forks of other meshes, and of another training. */
bool account_tree_model_parallel(struct account_tree *tree);
void account_tree_more(struct account_tree *tree);
void account_tree_quantize(struct account_tree *tree);

/* Forks about the plan that was chosen. */
void account_tree_second(struct account_tree *tree);
void account_tree_batch(struct account_tree *tree);
void account_tree_end(struct account_tree *tree);

#endif
