#include "account/tables.h"

/* paper: ZeRO, arXiv:1910.02054, section 5 and Figure 1. P_os divides the optimizer's states, P_os+g the gradients too, P_os+g+p
 * everything. The paper keeps 16-bit gradients only; implementations that hold fp32 gradients as well are other rows. */
const struct account_recipe account_recipes[] = {
    {"paper",
     "the ZeRO paper's arithmetic", 1,
     4, {{ACCOUNT_PARAMS, ACCOUNT_AS_PARAM, 3},
      {ACCOUNT_GRADS, ACCOUNT_AS_GRAD, 2},
      {ACCOUNT_MASTER, ACCOUNT_AS_MASTER, 1},
      {ACCOUNT_MOMENTS, ACCOUNT_AS_MOMENT, 1}}},
};
const size_t account_recipe_count = sizeof account_recipes / sizeof *account_recipes;

const struct account_recipe *account_recipe_of(const struct account_training *t) {
    return &account_recipes[t->recipe < account_recipe_count ? t->recipe : 0];
}
