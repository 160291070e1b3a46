#include "account/sheet.h"

static bool check_nodes(const struct account_training *t, struct account_error *e) {
    uint32_t node = t->gpus_per_node;
    if (node == 0 || t->gpus <= node || t->gpus % node == 0) return true;
    return account_fail(
        e, 0, "gpus_per_node: %u GPUs do not fill nodes of %u: make gpus a multiple of it", t->gpus,
        node);
}

static bool check_rows(const struct account_training *t, struct account_error *e) {
    if (t->precision >= account_precision_count)
        return account_fail(e, 0, "precision: there is no such row in the table");
    if (t->optimizer >= account_optimizer_count)
        return account_fail(e, 0, "optimizer: there is no such row in the table");
    if (t->recipe >= account_recipe_count)
        return account_fail(e, 0, "recipe: there is no such row in the table");
    return true;
}

bool account_check(const struct account_training *t, struct account_error *e) {
    if (t->params == 0)
        return account_fail(e, 0, "params: how many parameters? Give a count like 13B, or a model");
    if (t->params > ACCOUNT_MOST_PARAMS)
        return account_fail(e, 0, "params: at most 1e17 parameters");
    if (t->gpus == 0 || t->gpus > ACCOUNT_MOST_GPUS)
        return account_fail(e, 0, "gpus: from 1 to %u GPUs", ACCOUNT_MOST_GPUS);
    if (t->stage > 3) return account_fail(e, 0, "stage: ZeRO has the stages 0, 1, 2 and 3");
    if (!check_nodes(t, e) || !check_rows(t, e)) return false;
    if (account_optimizer_of(t)->factored && account_factored_elements(&t->shape) == 0)
        return account_fail(e, 0,
                            "optimizer: %s keeps sums over rows and columns: name a model, so that "
                            "the shapes are known",
                            account_optimizer_of(t)->name);
    return true;
}
