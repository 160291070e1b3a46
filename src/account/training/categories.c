#include "account/training/training.h"

static const struct {
    const char *name, *what;
} rows[ACCOUNT_CATEGORIES] = {
    [ACCOUNT_PARAMS] = {"params",      "the parameters that forward and backward compute with"     },
    [ACCOUNT_GRADS] = {"grads",       "one gradient for each parameter"                           },
    [ACCOUNT_MASTER] = {"master",      "the fp32 copy of the parameters that the optimizer updates"},
    [ACCOUNT_MOMENTS] = {"moments",
                        "what the optimizer remembers for each parameter between steps"            },
    [ACCOUNT_ACTIVATIONS] = {"activations", "what forward keeps for backward"                           },
    [ACCOUNT_GATHER] = {"gather",
                        "whole parameters while they are needed, gathered from the shards"         },
    [ACCOUNT_REDUCE] = {"reduce",      "gradients on their way into a collective"                  },
    [ACCOUNT_WORKSPACE] = {"workspace",   "scratch memory of the operations"                          },
    [ACCOUNT_FRAMEWORK] = {"framework",   "what the driver and the libraries take for themselves"     },
};

const char *account_category_name(enum account_category c) {
    return (unsigned)c < ACCOUNT_CATEGORIES ? rows[c].name : "";
}

const char *account_category_what(enum account_category c) {
    return (unsigned)c < ACCOUNT_CATEGORIES ? rows[c].what : "";
}
