/* The fields of a training: one row each, with how it is read and written. */
#include "account/sheet.h"

#include <stdio.h>
#include <string.h>

struct account_training account_training_default(void) {
    struct account_training t = {.gpus = 1};
    account_set(&t, "precision", "mixed-bf16", NULL);
    account_set(&t, "optimizer", "adamw", NULL);
    account_set(&t, "recipe", "paper", NULL);
    return t;
}

/* ── model and card: names of the catalogues ─────────────────────────────────────────────────────*/

static bool is_none(const char *text) {
    return *text == '\0' || account_same(text, "none");
}

static bool set_model(struct account_training *t, const char *text, struct account_error *e) {
    if (is_none(text)) {
        t->model = NULL;
        t->shape = (struct account_shape){0};
        return true;
    }
    const struct account_model *m = account_model_find(text);
    if (!m)
        return account_fail(e, 0,
                            "model: \"%.60s\" is not in the catalogue: give a name like "
                            "llama-2-13b, or a count with params",
                            text);
    t->model = m;
    t->params = m->params;
    t->shape = m->shape;
    return true;
}

static void get_model(const struct account_training *t, struct account_text *out) {
    account_add(out, "%s", t->model ? t->model->name : "none");
}

static bool set_card(struct account_training *t, const char *text, struct account_error *e) {
    const struct account_card *c = is_none(text) ? NULL : account_card_find(text);
    if (!c && !is_none(text))
        return account_fail(
            e, 0, "gpu: \"%.60s\" is not in the catalogue: give a name like a100-80g or h100-80g",
            text);
    t->card = c;
    return true;
}

static void get_card(const struct account_training *t, struct account_text *out) {
    account_add(out, "%s", t->card ? t->card->name : "none");
}

/* ── numbers ─────────────────────────────────────────────────────────────────────────────────────*/

static bool set_params(struct account_training *t, const char *text, struct account_error *e) {
    uint64_t n;
    struct account_error why = {0};
    if (!account_read_count(text, &n, &why))
        return account_fail(e, why.column, "params: %s", why.what);
    if (n > ACCOUNT_MOST_PARAMS)
        return account_fail(e, 1, "params: at most 1e17 (a hundred thousand trillion) parameters");
    t->params = n;
    return true;
}

static void get_params(const struct account_training *t, struct account_text *out) {
    account_add(out, "%llu", (unsigned long long)t->params);
}

static bool set_ranks(const char *name, uint64_t least, uint32_t *out, const char *text,
                      struct account_error *e) {
    uint64_t n;
    struct account_error why = {0};
    if (!account_read_count(text, &n, &why))
        return account_fail(e, why.column, "%s: write a whole number of GPUs, like 8", name);
    if (n < least || n > ACCOUNT_MOST_GPUS)
        return account_fail(e, 1, "%s: from %llu to %u GPUs", name, (unsigned long long)least,
                            ACCOUNT_MOST_GPUS);
    *out = (uint32_t)n;
    return true;
}

static bool set_gpus(struct account_training *t, const char *text, struct account_error *e) {
    return set_ranks("gpus", 1, &t->gpus, text, e);
}

static void get_gpus(const struct account_training *t, struct account_text *out) {
    account_add(out, "%u", t->gpus);
}

static bool set_node(struct account_training *t, const char *text, struct account_error *e) {
    return set_ranks("gpus_per_node", 0, &t->gpus_per_node, text, e);
}

static void get_node(const struct account_training *t, struct account_text *out) {
    account_add(out, "%u", t->gpus_per_node);
}

static bool set_stage(struct account_training *t, const char *text, struct account_error *e) {
    const char *s = account_skip(text);
    if (*s < '0' || *s > '3' || *account_skip(s + 1))
        return account_fail(e, account_column(text, s), "stage: ZeRO has the stages 0, 1, 2 and 3");
    t->stage = (uint8_t)(*s - '0');
    return true;
}

static void get_stage(const struct account_training *t, struct account_text *out) {
    account_add(out, "%u", t->stage);
}

/* ── rows of the tables ──────────────────────────────────────────────────────────────────────────*/

#define PRECISIONS "mixed-bf16|mixed-fp16|bf16|fp32"
#define OPTIMIZERS "adamw|adam8bit|adafactor|sgd-momentum|lion|muon"
#define RECIPES    "paper"

static bool set_precision(struct account_training *t, const char *text, struct account_error *e) {
    for (size_t i = 0; i < account_precision_count; i++)
        if (account_same(account_precisions[i].name, text)) return t->precision = (uint8_t)i, true;
    return account_fail(e, 0, "precision: \"%.40s\" is none of " PRECISIONS, text);
}

static void get_precision(const struct account_training *t, struct account_text *out) {
    account_add(out, "%s", account_precision_of(t)->name);
}

static bool set_optimizer(struct account_training *t, const char *text, struct account_error *e) {
    for (size_t i = 0; i < account_optimizer_count; i++)
        if (account_same(account_optimizers[i].name, text)) return t->optimizer = (uint8_t)i, true;
    return account_fail(e, 0, "optimizer: \"%.40s\" is none of " OPTIMIZERS, text);
}

static void get_optimizer(const struct account_training *t, struct account_text *out) {
    account_add(out, "%s", account_optimizer_of(t)->name);
}

static bool set_recipe(struct account_training *t, const char *text, struct account_error *e) {
    for (size_t i = 0; i < account_recipe_count; i++)
        if (account_same(account_recipes[i].name, text)) return t->recipe = (uint8_t)i, true;
    return account_fail(e, 0, "recipe: \"%.40s\" is not a recipe here: there is " RECIPES, text);
}

static void get_recipe(const struct account_training *t, struct account_text *out) {
    account_add(out, "%s", account_recipe_of(t)->name);
}

/* `model` stands before `params`: set in this order, a count overrides the model's own. */
#define FIELDS(X)                                                                                  \
    X("model", "model", "a model of the catalogue: its exact count and shape", NULL, set_model,    \
      get_model)                                                                                   \
    X("params", "parameters",                                                                      \
      "how many parameters (Ψ): 13B, 7.5e9; overrides the model's own count", NULL, set_params,    \
      get_params)                                                                                  \
    X("gpus", "GPUs", "how many GPUs train together (N)", NULL, set_gpus, get_gpus)                \
    X("gpus_per_node", "GPUs per node", "how many of them share a machine; 0: all", NULL,          \
      set_node, get_node)                                                                          \
    X("gpu", "GPU", "the card, for what fits: a100-80g, h100-80g", NULL, set_card, get_card)       \
    X("stage", "ZeRO stage", "0 keeps everything on each GPU; 1, 2, 3 shard more and more",        \
      "0|1|2|3", set_stage, get_stage)                                                             \
    X("precision", "precision", "what parameters, gradients and optimizer states are kept in",     \
      PRECISIONS, set_precision, get_precision)                                                    \
    X("optimizer", "optimizer", "what is remembered for each parameter between steps", OPTIMIZERS, \
      set_optimizer, get_optimizer)                                                                \
    X("recipe", "recipe", "whose accounting: which copies exist and who holds them", RECIPES,      \
      set_recipe, get_recipe)

#define FIELD(name, label, help, choices, set, get) {name, label, help, choices},
#define ROW(name, label, help, choices, set, get)   {set, get},

static const struct account_field fields[] = {FIELDS(FIELD)};
static const struct {
    bool (*set)(struct account_training *t, const char *text, struct account_error *e);
    void (*get)(const struct account_training *t, struct account_text *out);
} rows[] = {FIELDS(ROW)};

const struct account_field *account_fields(size_t *count) {
    *count = sizeof fields / sizeof *fields;
    return fields;
}

static bool find(const char *name, size_t *i) {
    for (*i = 0; *i < sizeof fields / sizeof *fields; ++*i)
        if (strcmp(fields[*i].name, name) == 0) return true;
    return false;
}

bool account_set(struct account_training *t, const char *field, const char *text,
                 struct account_error *e) {
    size_t i;
    if (!find(field, &i))
        return account_fail(e, 0,
                            "there is no field \"%.40s\": the fields are model, params, gpus, "
                            "gpus_per_node, gpu, stage, precision, optimizer and recipe",
                            field);
    return rows[i].set(t, text, e);
}

const char *account_get(const struct account_training *t, const char *field, char *out,
                        size_t size) {
    size_t i;
    if (!find(field, &i)) return NULL;
    struct account_text text = account_text(out, size);
    rows[i].get(t, &text);
    return out;
}
