/* The fields of a training, one row each, and how a value of each kind is read and written. */
#include "account/training/sheet.h"
#include "account/training/training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct field_row {
    const char *name;
    const struct account_choices *choices;
    const struct field_kind *kind;
    /* of the value in struct account_training; for LoRA's rows, which of the two */
    size_t offset;
    /* of a number */
    uint64_t least, most;
    /* "GPUs", "tokens": what is counted */
    const char *unit;
};
struct field_kind {
    bool (*set)(const struct field_row *row, struct account_training *t, const char *text,
                struct account_error *e);
    void (*get)(const struct field_row *row, const struct account_training *t,
                struct account_text *out);
};

static void *at(const struct field_row *row, struct account_training *t) {
    return (char *)t + row->offset;
}

static const void *in(const struct field_row *row, const struct account_training *t) {
    return (const char *)t + row->offset;
}

static bool is_none(const char *text) {
    return *text == '\0' || account_same(text, "none");
}

/* ── names of the catalogues ───────────────────────────────────────────────────────────────────*/

static bool set_model(const struct field_row *row, struct account_training *t, const char *text,
                      struct account_error *e) {
    (void)row;
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

static void get_model(const struct field_row *row, const struct account_training *t,
                      struct account_text *out) {
    (void)row;
    account_add(out, "%s", t->model ? t->model->name : "none");
}

static bool set_card(const struct field_row *row, struct account_training *t, const char *text,
                     struct account_error *e) {
    (void)row;
    const struct account_card *c = is_none(text) ? NULL : account_card_find(text);
    if (!c && !is_none(text))
        return account_fail(
            e, 0, "gpu: \"%.60s\" is not in the catalogue: give a name like a100-80g or h100-80g",
            text);
    t->card = c;
    return true;
}

static void get_card(const struct field_row *row, const struct account_training *t,
                     struct account_text *out) {
    (void)row;
    account_add(out, "%s", t->card ? t->card->name : "none");
}

/* A link of the catalogue, or a rate; "auto" is the card's own. */
static bool set_link(const struct field_row *row, struct account_training *t, const char *text,
                     struct account_error *e) {
    struct account_link *link = at(row, t);
    if (is_none(text) || account_same(text, "auto")) {
        *link = (struct account_link){0};
        return true;
    }
    const struct account_link *found = account_link_find(text);
    if (found) {
        *link = *found;
        return true;
    }
    double rate;
    struct account_error why = {0};
    bool bare = *text && account_is_digit(text[strlen(text) - 1]);
    if (bare || !account_read_rate(text, &rate, &why) || !(rate >= 1e6))
        return account_fail(e, why.column,
                            "%s: \"%.40s\" is neither a link of the catalogue, like nvlink4, pcie4 "
                            "or ib-ndr, nor a rate like 25GB/s",
                            row->name, text);
    *link = (struct account_link){.rate = rate, .wire = rate};
    return true;
}

/* "25GB/s"; in bytes where so many digits do not give the rate again. */
static void add_rate(struct account_text *out, double rate) {
    char gb[32];
    snprintf(gb, sizeof gb, "%.15g", rate / 1e9);
    if (strtod(gb, NULL) * 1e9 == rate)
        account_add(out, "%sGB/s", gb);
    else
        account_add(out, "%.17gB/s", rate);
}

static void get_link(const struct field_row *row, const struct account_training *t,
                     struct account_text *out) {
    const struct account_link *link = in(row, t);
    if (link->name)
        account_add(out, "%s", link->name);
    else if (link->rate > 0)
        add_rate(out, link->rate);
    else
        account_add(out, "auto");
}

/* ── numbers ───────────────────────────────────────────────────────────────────────────────────*/

static bool set_params(const struct field_row *row, struct account_training *t, const char *text,
                       struct account_error *e) {
    (void)row;
    uint64_t n;
    struct account_error why = {0};
    if (!account_read_count(text, &n, &why))
        return account_fail(e, why.column, "params: %s", why.what);
    if (n > ACCOUNT_MOST_PARAMS)
        return account_fail(e, 1, "params: at most 1e17 (a hundred thousand trillion) parameters");
    t->params = n;
    return true;
}

static void get_params(const struct field_row *row, const struct account_training *t,
                       struct account_text *out) {
    (void)row;
    account_add(out, "%llu", (unsigned long long)t->params);
}

static bool read_within(const struct field_row *row, const char *text, uint32_t *out,
                        struct account_error *e) {
    uint64_t n;
    struct account_error why = {0};
    bool read = account_read_count(text, &n, &why);
    if (!read || n < row->least || n > row->most)
        return account_fail(
            e, read ? 1 : why.column, "%s: write a whole number of %s from %llu to %llu", row->name,
            row->unit, (unsigned long long)row->least, (unsigned long long)row->most);
    *out = (uint32_t)n;
    return true;
}

static bool set_count(const struct field_row *row, struct account_training *t, const char *text,
                      struct account_error *e) {
    return read_within(row, text, at(row, t), e);
}

static void get_count(const struct field_row *row, const struct account_training *t,
                      struct account_text *out) {
    account_add(out, "%u", *(const uint32_t *)in(row, t));
}

/* `lora` and `qlora` are one rank with two kinds of base; a rank of 0 under either name only takes
 * back its own, and what the adapters were on. */
static bool set_adapter(const struct field_row *row, struct account_training *t, const char *text,
                        struct account_error *e) {
    bool quantized = row->offset != 0;
    uint32_t rank = 0;
    if (!read_within(row, text, &rank, e)) return false;
    if (rank == 0 && t->quantized != quantized) return true;
    t->lora = rank;
    t->quantized = rank > 0 && quantized;
    if (rank == 0) t->lora_on = ACCOUNT_ON_QUERY_VALUE;
    return true;
}

static void get_adapter(const struct field_row *row, const struct account_training *t,
                        struct account_text *out) {
    bool mine = t->quantized == (row->offset != 0);
    account_add(out, "%u", mine ? t->lora : 0);
}

static bool set_share(const struct field_row *row, struct account_training *t, const char *text,
                      struct account_error *e) {
    struct account_decimal number;
    const char *end = account_scan_or_words(account_skip(text), &number);
    bool percent = end && *account_skip(end) == '%';
    if (percent) end = account_skip(end) + 1;
    double value = end ? number.value / (percent ? 100 : 1) : 0;
    if (!end || *account_skip(end) || !(value > 0 && value <= 1))
        return account_fail(e, 0, "%s: write a share above 0 and up to 1, like 0.5", row->name);
    *(double *)at(row, t) = value;
    return true;
}

static void get_share(const struct field_row *row, const struct account_training *t,
                      struct account_text *out) {
    account_add_number(out, *(const double *)in(row, t), 15);
}

/* A bare number counts what the recipe counts (DeepSpeed: elements); with a unit it is bytes. */
static bool set_bucket(const struct field_row *row, struct account_training *t, const char *text,
                       struct account_error *e) {
    (void)row;
    uint64_t n;
    double bytes;
    struct account_error why = {0};
    bool bare =
        *text && account_read_count(text, &n, NULL) && account_is_digit(text[strlen(text) - 1]);
    if (!bare && (!account_read_bytes(text, &bytes, &why) || bytes > 1e15))
        return account_fail(e, why.column, "bucket: write a size like 25MB, or a count like 5e8");
    t->bucket = bare ? n : (uint64_t)llround(bytes);
    t->bucket_elements = bare && n > 0;
    return true;
}

static void get_bucket(const struct field_row *row, const struct account_training *t,
                       struct account_text *out) {
    (void)row;
    account_add(out, "%llu%s", (unsigned long long)t->bucket,
                t->bucket && !t->bucket_elements ? "B" : "");
}

/* ── choices ───────────────────────────────────────────────────────────────────────────────────*/

static bool set_stage(const struct field_row *row, struct account_training *t, const char *text,
                      struct account_error *e) {
    (void)row;
    uint64_t n;
    if (!account_read_count(text, &n, NULL) || n > 3)
        return account_fail(e, account_column(text, account_skip(text)),
                            "stage: ZeRO has the stages 0, 1, 2 and 3");
    t->stage = (uint8_t)n;
    return true;
}

static void get_stage(const struct field_row *row, const struct account_training *t,
                      struct account_text *out) {
    (void)row;
    account_add(out, "%u", t->stage);
}

static bool set_choice(const struct field_row *row, struct account_training *t, const char *text,
                       struct account_error *e) {
    const char *name;
    char all[160];
    struct account_text names = account_text(all, sizeof all);
    for (size_t i = 0; (name = row->choices->name(i)); i++) {
        account_add(&names, "%s%s", i ? "|" : "", name);
        if (!account_same(name, text)) continue;
        *(uint8_t *)at(row, t) = (uint8_t)i;
        return true;
    }
    return account_fail(e, 0, "%s: \"%.40s\" cannot be used: choose one of %s", row->name, text,
                        all);
}

static void get_choice(const struct field_row *row, const struct account_training *t,
                       struct account_text *out) {
    const char *name = row->choices->name(*(const uint8_t *)in(row, t));
    account_add(out, "%s", name ? name : row->choices->name(0));
}

static bool set_flag(const struct field_row *row, struct account_training *t, const char *text,
                     struct account_error *e) {
    bool on = account_same(text, "on"), off = account_same(text, "off");
    if (!on && !off)
        return account_fail(e, 0, "%s: \"%.40s\" is neither on nor off", row->name, text);
    *(bool *)at(row, t) = on;
    return true;
}

static void get_flag(const struct field_row *row, const struct account_training *t,
                     struct account_text *out) {
    account_add(out, *(const bool *)in(row, t) ? "on" : "off");
}

static const struct field_kind kind_model = {set_model, get_model},
                               kind_params = {set_params, get_params},
                               kind_card = {set_card, get_card},
                               kind_stage = {set_stage, get_stage},
                               kind_count = {set_count, get_count},
                               kind_choice = {set_choice, get_choice},
                               kind_flag = {set_flag, get_flag},
                               kind_adapter = {set_adapter, get_adapter},
                               kind_bucket = {set_bucket, get_bucket},
                               kind_link = {set_link, get_link},
                               kind_share = {set_share, get_share};

/* ── the rows: flags, keys of JSON and Lua, sliders ─────────────────────────────────────────────*/

struct account_training account_training_default(void) {
    struct account_training t = {
        .gpus = 1, .accumulate = 1, .tp = 1, .pp = 1, .cp = 1, .ep = 1, .interleave = 1};
    t.flash = true;
    t.prefetch = 1;
    t.efficiency = 0.5;
    account_set(&t, "precision", "mixed-bf16", NULL);
    account_set(&t, "optimizer", "adamw", NULL);
    account_set(&t, "recipe", "paper", NULL);
    return t;
}

/* ── choices ───────────────────────────────────────────────────────────────────────────────────*/

/* The rows of a table of tables.c are the choices of its field. */
#define CHOICES(row)                                                                               \
    static const char *row##_name(size_t i) {                                                      \
        return i < account_##row##_count ? account_##row##s[i].name : NULL;                        \
    }                                                                                              \
    static const char *row##_title(size_t i) {                                                     \
        return i < account_##row##_count ? account_##row##s[i].title : NULL;                       \
    }                                                                                              \
    static const struct account_choices row##s = {row##_name, row##_title};
CHOICES(precision)
CHOICES(optimizer)
CHOICES(recipe)

const char *account_recipe_name(const struct account_training *t) {
    const char *name = recipe_name(t->recipe);
    return name ? name : "";
}

/* The names of an enum's values are its choices. */
#define NAMES(of, ...)                                                                             \
    static const char *of##_name(size_t i) {                                                       \
        static const char *const names[] = {__VA_ARGS__};                                          \
        return i < sizeof names / sizeof *names ? names[i] : NULL;                                 \
    }                                                                                              \
    static const struct account_choices of##s = {of##_name, NULL};
NAMES(stage, "0", "1", "2", "3")
NAMES(width, "auto", "16bit", "fp32")          /* enum account_width */
NAMES(checkpoint, "none", "selective", "full") /* enum account_checkpoint */
NAMES(tier, "none", "host", "nvme")            /* enum account_tier */
NAMES(adapted, "query-value", "all-linear")    /* enum account_adapted */
NAMES(flag, "off", "on")

/* ── the table ─────────────────────────────────────────────────────────────────────────────────*/

#define AT(field)   offsetof(struct account_training, field)
#define MOST_DEGREE 1000000
#define MOST_RANK   65536
#define MOST_TOKENS 100000000

/* X(name, label, help, choices, kind, offset or variant, least, most, what is counted). `model`
 * stands before `params`: set in this order, a count overrides the model's own. */
#define FIELDS(X)                                                                                  \
    X("model", "model", "a model of the catalogue: its exact count and shape", NULL, model, 0, 0,  \
      0, NULL)                                                                                     \
    X("params", "parameters",                                                                      \
      "how many parameters (Ψ): 13B, 7.5e9; overrides the model's own count", NULL, params, 0, 0,  \
      0, NULL)                                                                                     \
    X("gpus", "GPUs", "how many GPUs train together (N)", NULL, count, AT(gpus), 1,                \
      ACCOUNT_MOST_GPUS, "GPUs")                                                                   \
    X("gpus_per_node", "GPUs per node", "GPUs per machine (0: all on one machine)", NULL, count,   \
      AT(gpus_per_node), 0, ACCOUNT_MOST_GPUS, "GPUs")                                             \
    X("gpu", "GPU", "the card, for what fits: a100-80g, h100-80g", NULL, card, 0, 0, 0, NULL)      \
    X("stage", "ZeRO stage", "0 shards nothing; 1, 2 and 3 shard more and more", &stages, stage,   \
      0, 0, 0, NULL)                                                                               \
    X("precision", "precision", "data types of parameters, gradients and optimizer states",        \
      &precisions, choice, AT(precision), 0, 0, NULL)                                              \
    X("optimizer", "optimizer", "the optimizer and the states it keeps per parameter",             \
      &optimizers, choice, AT(optimizer), 0, 0, NULL)                                              \
    X("recipe", "recipe", "whose accounting: which copies exist and which rank holds them",        \
      &recipes, choice, AT(recipe), 0, 0, NULL)                                                    \
    X("grad_dtype", "gradients kept in", "data type in which gradients are accumulated", &widths,  \
      choice, AT(grad_dtype), 0, 0, NULL)                                                          \
    X("reduce_dtype", "gradients sent in", "data type in which gradients are sent", &widths,       \
      choice, AT(reduce_dtype), 0, 0, NULL)                                                        \
    X("lora", "LoRA rank", "rank of the trained adapters, all else frozen (0: train everything)",  \
      NULL, adapter, 0, 0, MOST_RANK, "ranks")                                                     \
    X("qlora", "QLoRA rank", "like lora, with the frozen matrices in NF4", NULL, adapter, 1, 0,    \
      MOST_RANK, "ranks")                                                                          \
    X("lora_on", "LoRA on",                                                                        \
      "the matrices with adapters: query and value, or all-linear (all except the head)",          \
      &adapteds, choice, AT(lora_on), 0, 0, NULL)                                                  \
    X("batch", "micro-batch", "sequences per GPU and micro-step; activations need it and seq",     \
      NULL, count, AT(batch), 0, MOST_DEGREE, "sequences")                                         \
    X("seq", "sequence", "tokens per sequence", NULL, count, AT(seq), 0, MOST_TOKENS, "tokens")    \
    X("accumulate", "accumulation", "micro-batches per GPU and step", NULL, count, AT(accumulate), \
      1, MOST_DEGREE, "micro-batches")                                                             \
    X("checkpoint", "checkpointing", "which activations backward computes again", &checkpoints,    \
      choice, AT(checkpoint), 0, 0, NULL)                                                          \
    X("flash", "flash attention", "attention without a matrix of sequence × sequence", &flags,     \
      flag, AT(flash), 0, 0, NULL)                                                                 \
    X("dropout", "dropout", "dropout in attention and blocks: its masks are kept", &flags, flag,   \
      AT(dropout), 0, 0, NULL)                                                                     \
    X("tp", "tensor parallel", "GPUs that divide each layer", NULL, count, AT(tp), 1, MOST_DEGREE, \
      "GPUs")                                                                                      \
    X("pp", "pipeline parallel", "groups of GPUs that hold different layers", NULL, count, AT(pp), \
      1, MOST_DEGREE, "stages")                                                                    \
    X("cp", "context parallel", "GPUs that divide each sequence", NULL, count, AT(cp), 1,          \
      MOST_DEGREE, "GPUs")                                                                         \
    X("ep", "expert parallel", "GPUs that hold different experts", NULL, count, AT(ep), 1,         \
      MOST_DEGREE, "GPUs")                                                                         \
    X("interleave", "interleaving", "pieces of the pipeline on each GPU", NULL, count,             \
      AT(interleave), 1, 1000, "pieces")                                                           \
    X("sp", "sequence parallel", "tensor-parallel GPUs divide norms and residuals as well",        \
      &flags, flag, AT(sp), 0, 0, NULL)                                                            \
    X("shard_group", "shard group",                                                                \
      "GPUs that share the states, replicated outside (HSDP, MiCS; 0: all)", NULL, count,          \
      AT(shard_group), 0, ACCOUNT_MOST_GPUS, "GPUs")                                               \
    X("hpz", "hpZ group",                                                                          \
      "GPUs that share a second, near copy of the parameters (ZeRO++; 0: none)", NULL, count,      \
      AT(hpz), 0, ACCOUNT_MOST_GPUS, "GPUs")                                                       \
    X("qwz", "qwZ", "parameters are gathered in 8 bits (ZeRO++)", &flags, flag, AT(qwz), 0, 0,     \
      NULL)                                                                                        \
    X("qgz", "qgZ", "gradients are reduced in 4 bits (ZeRO++)", &flags, flag, AT(qgz), 0, 0, NULL) \
    X("offload_optimizer", "optimizer offload", "where the optimizer's states are kept instead",   \
      &tiers, choice, AT(offload_optimizer), 0, 0, NULL)                                           \
    X("offload_params", "parameter offload", "where the shards of stage 3 are kept instead",       \
      &tiers, choice, AT(offload_params), 0, 0, NULL)                                              \
    X("bucket", "bucket",                                                                          \
      "size of a reduction bucket: 25MB (0: the recipe's; deepspeed: a bare count is elements)",   \
      NULL, bucket, 0, 0, 0, NULL)                                                                 \
    X("prefetch", "prefetch", "units that stage 3 gathers ahead", NULL, count, AT(prefetch), 0,    \
      1000, "units")                                                                               \
    X("link", "link", "link inside a node, one direction: nvlink3, nvlink4, pcie4, 300GB/s", NULL, \
      link, AT(link), 0, 0, NULL)                                                                  \
    X("net", "network", "link between nodes, per GPU, one direction: ib-ndr, 25GB/s", NULL, link,  \
      AT(net), 0, 0, NULL)                                                                         \
    X("efficiency", "efficiency", "share of the card's peak arithmetic that a step reaches", NULL, \
      share, AT(efficiency), 0, 0, NULL)

#define FIELD(name, label, help, choices, kind, offset, least, most, unit)                         \
    {name, label, help, choices},
#define ROW(name, label, help, choices, kind, offset, least, most, unit)                           \
    {name, choices, &kind_##kind, offset, least, most, unit},

static const struct account_field fields[] = {FIELDS(FIELD)};
static const struct field_row rows[] = {FIELDS(ROW)};

const struct account_field *account_fields(size_t *count) {
    *count = sizeof fields / sizeof *fields;
    return fields;
}

static const struct field_row *find(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

bool account_set(struct account_training *t, const char *field, const char *text,
                 struct account_error *e) {
    const struct field_row *row = find(field);
    if (!row)
        return account_fail(e, 0,
                            "unknown field \"%.40s\": the fields of a training are model, params, "
                            "gpus, gpu, stage, precision, optimizer, recipe and more",
                            field);
    return row->kind->set(row, t, text, e);
}

const char *account_get(const struct account_training *t, const char *field, char *out,
                        size_t size) {
    const struct field_row *row = find(field);
    if (!row) return NULL;
    struct account_text text = account_text(out, size);
    row->kind->get(row, t, &text);
    return out;
}

bool account_is_default(const struct account_training *t, const char *field) {
    const struct account_training usual = account_training_default();
    char a[64], b[64];
    return account_get(t, field, a, sizeof a) && account_get(&usual, field, b, sizeof b) &&
           strcmp(a, b) == 0;
}

const struct account_node *account_assume_node(struct account_training *t) {
    const struct account_node *node = account_node_of(t->card);
    bool fills = node && t->gpus > node->gpus && t->gpus % node->gpus == 0;
    if (t->gpus_per_node || !fills) return NULL;
    t->gpus_per_node = node->gpus;
    return node;
}
