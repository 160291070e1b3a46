/* What can be chosen, as rows of data: precisions, optimizers, recipes. The formulas read the rows and never ask for a name. */
#ifndef ACCOUNT_TABLES_H
#define ACCOUNT_TABLES_H

#include "account/account.h"

/* What a copy of the model is made of. */
enum account_dtype {
    ACCOUNT_AS_PARAM,
    ACCOUNT_AS_GRAD,
    ACCOUNT_AS_MASTER,
    ACCOUNT_AS_MOMENT,
    ACCOUNT_DTYPES
};

struct account_precision {
    const char *name, *what;
    const char *format;            /* of the parameters the GPU computes with: "bf16" */
    uint8_t bytes[ACCOUNT_DTYPES]; /* an element's; 0: there is no such copy */
};

struct account_optimizer {
    const char *name, *what;
    uint8_t moments;      /* how many values it remembers for each parameter */
    uint8_t moment_bytes; /* of one of them; 0: as the precision says */
    uint16_t block; /* parameters that share one fp32 scale for each moment; 0: there are none */
    bool factored;  /* keeps row and column sums of each matrix instead of moments: needs a shape */
};

/* A copy of the model that a recipe keeps. A stage from `sharded_from` on divides it among the ranks. */
struct account_copy {
    enum account_category category;
    enum account_dtype dtype;
    uint8_t sharded_from;
};
#define ACCOUNT_COPIES 6
struct account_recipe {
    const char *name, *what;
    uint8_t align; /* shards hold a multiple of this many elements */
    uint8_t copies;
    struct account_copy copy[ACCOUNT_COPIES];
};

extern const struct account_precision account_precisions[];
extern const size_t account_precision_count;
extern const struct account_optimizer account_optimizers[];
extern const size_t account_optimizer_count;
extern const struct account_recipe account_recipes[];
extern const size_t account_recipe_count;

const struct account_precision *account_precision_of(const struct account_training *t);
const struct account_optimizer *account_optimizer_of(const struct account_training *t);
const struct account_recipe *account_recipe_of(const struct account_training *t);

/* The catalogues, generated from data/ (catalogue.awk). */
struct account_alias {
    const char *alias, *name;
};
extern const struct account_model account_model_rows[];
extern const size_t account_model_rows_count;
extern const struct account_alias account_model_aliases[];
extern const size_t account_model_aliases_count;
extern const struct account_card account_card_rows[];
extern const size_t account_card_rows_count;
extern const struct account_alias account_card_aliases[];
extern const size_t account_card_aliases_count;

/* Elements that a factored optimizer keeps for a shape: rows + columns of each matrix, and each vector whole. */
uint64_t account_factored_elements(const struct account_shape *s);

#endif
