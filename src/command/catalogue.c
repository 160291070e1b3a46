/* models, gpus, links: the engine's catalogues as tables. Each command prints the rows of its
 * catalogue, whose names are what --model, --gpu, --link and --net take. */
#include "command/internal.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 8 };

/* One catalogue: its table, and its rows as text (the caller's) and as JSON. */
struct catalogue {
    /* of the member in JSON */
    const char *name;
    const char *const *head;
    size_t columns;
    const char *align;
    size_t (*count)(void);
    char *(*cell)(size_t row, size_t column);
    json_t *(*json)(size_t row);
};

/* "80 GB", or "–" of what is not known. */
static char *amount(double value, enum account_unit unit, int digits) {
    char text[32];
    if (!(value > 0)) return base_dup("–");
    return base_dup(account_print(text, sizeof text, value, unit, digits));
}

static char *bytes_of(double bytes) {
    char text[32];
    return base_dup(account_print_bytes(text, sizeof text, bytes));
}

static char *whole(uint32_t n) {
    return n ? base_format("%u", n) : base_dup("–");
}

static char *named(const char *name) {
    return base_dup(name ? name : "–");
}

/* ── models ────────────────────────────────────────────────────────────────────────────────────*/
static size_t models(void) {
    size_t count;
    account_models(&count);
    return count;
}

static char *model_cell(size_t row, size_t column) {
    size_t count;
    const struct account_model *m = &account_models(&count)[row];
    const struct account_shape *s = &m->shape;
    const uint32_t shape[] = {s->layers, s->hidden, s->heads, s->vocab, s->context};
    if (column == 0) return base_dup(m->name);
    if (column == 1) return amount((double)m->params, ACCOUNT_UNIT_PARAMS, 4);
    return whole(shape[column - 2]);
}

static json_t *model_json(size_t row) {
    size_t count;
    const struct account_model *m = &account_models(&count)[row];
    const struct account_shape *s = &m->shape;
    return json_pack("{ss ss sI ss sb si si si si si si si si si si si ss}", "name", m->name,
                     "title", m->title, "params", (json_int_t)m->params, "family",
                     account_family_name(s), "tied", s->tied, "layers", (int)s->layers, "hidden",
                     (int)s->hidden, "heads", (int)s->heads, "kv_heads", (int)s->kv_heads,
                     "head_size", (int)s->head_size, "ffn", (int)s->ffn, "vocab", (int)s->vocab,
                     "context", (int)s->context, "experts", (int)s->experts, "experts_active",
                     (int)s->experts_active, "expert_ffn", (int)s->expert_ffn, "source", m->source);
}

static const char *const model_head[] = {"model", "parameters", "layers", "hidden",
                                         "heads", "vocabulary", "context"};
static const struct catalogue model_table = {
    "models", model_head, BASE_COUNT(model_head), "lrrrrrr", models, model_cell, model_json};

/* ── GPUs ──────────────────────────────────────────────────────────────────────────────────────*/
static size_t cards(void) {
    size_t count;
    account_cards(&count);
    return count;
}

static char *flops(double each) {
    return each > 0 ? base_format("%.4g TFLOP/s", each / 1e12) : base_dup("–");
}

static char *card_cell(size_t row, size_t column) {
    size_t count;
    const struct account_card *c = &account_cards(&count)[row];
    switch (column) {
    case 0: return base_dup(c->name);
    case 1: return bytes_of((double)account_card_bytes(c));
    case 2: return flops(c->flops);
    case 3: return amount(c->memory_rate, ACCOUNT_UNIT_GB_PER_S, 4);
    case 4: return named(c->link);
    default: return named(c->net);
    }
}

static json_t *card_json(size_t row) {
    size_t count;
    const struct account_card *c = &account_cards(&count)[row];
    const struct account_node *node = account_node_of(c);
    return json_pack("{ss ss sI sI sI sI sf sf sb ss* ss* ss* si ss}", "name", c->name, "title",
                     c->title, "bytes", (json_int_t)account_card_bytes(c), "label_bytes",
                     (json_int_t)c->label_bytes, "driver_bytes", (json_int_t)c->driver_bytes,
                     "torch_bytes", (json_int_t)c->torch_bytes, "flops", c->flops, "memory_rate",
                     c->memory_rate, "bf16", c->bf16, "link", c->link, "net", c->net, "host_link",
                     c->host_link, "gpus_per_node", node ? (int)node->gpus : 0, "source",
                     c->source);
}

static const char *const card_head[] = {"GPU",         "usable", "16-bit peak",
                                        "memory rate", "link",   "network"};
static const struct catalogue card_table = {
    "gpus", card_head, BASE_COUNT(card_head), "lrrrll", cards, card_cell, card_json};

/* ── links ─────────────────────────────────────────────────────────────────────────────────────*/
static size_t links(void) {
    size_t count;
    account_links(&count);
    return count;
}

static char *link_cell(size_t row, size_t column) {
    size_t count;
    const struct account_link *l = &account_links(&count)[row];
    switch (column) {
    case 0: return base_dup(l->name);
    case 1: return base_dup(l->title);
    case 2: return amount(l->rate, ACCOUNT_UNIT_GB_PER_S, 4);
    case 3: return amount(l->wire, ACCOUNT_UNIT_GB_PER_S, 4);
    default: return base_format("%.3g µs", l->latency * 1e6);
    }
}

static json_t *link_json(size_t row) {
    size_t count;
    const struct account_link *l = &account_links(&count)[row];
    return json_pack("{ss ss sf sf sf ss}", "name", l->name, "title", l->title, "rate", l->rate,
                     "wire", l->wire, "latency", l->latency, "source", l->source);
}

static const char *const link_head[] = {"link", "", "collectives reach", "data sheet", "latency"};
static const struct catalogue link_table = {
    "links", link_head, BASE_COUNT(link_head), "llrrr", links, link_cell, link_json};

/* ── the commands ──────────────────────────────────────────────────────────────────────────────*/
static int print_json(const struct catalogue *c) {
    json_t *rows = json_array();
    for (size_t i = 0; i < c->count(); i++) json_array_append_new(rows, c->json(i));
    return command_say_json(json_pack("{so}", c->name, rows));
}

static int print_table(const struct arguments *a, const struct catalogue *c) {
    size_t rows = c->count() + 1, n = 0;
    char **cell = base_alloc(rows * c->columns * sizeof *cell);
    for (size_t i = 0; i < c->columns; i++) cell[n++] = base_dup(c->head[i]);
    for (size_t i = 0; i + 1 < rows; i++)
        for (size_t k = 0; k < c->columns; k++) cell[n++] = c->cell(i, k);
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    page_table(p, (struct page_flow){.width = command_terminal_columns() - 1},
               (const char *const *)cell, rows, c->columns, c->align, true);
    command_terminal_print(p);
    while (n) free(cell[--n]);
    free(cell);
    return COMMAND_WELL;
}

static int print(const struct arguments *a, const struct catalogue *c) {
    return command_arguments_has(a, "json") ? print_json(c) : print_table(a, c);
}

static int run_models(const struct arguments *a) {
    return print(a, &model_table);
}

static int run_gpus(const struct arguments *a) {
    return print(a, &card_table);
}

static int run_links(const struct arguments *a) {
    return print(a, &link_table);
}

static const struct command_option options[] = {
    {"ascii", NULL, NULL, "plain ASCII characters"},
    {"json", NULL, NULL, "every row with all its values and its source"},
};

const struct command command_models = {
    .name = "models",
    .summary = "lists the models that --model takes",
    .operands = "",
    .about = "Lists the models of the catalogue: the names that `--model` takes, the exact number "
             "of parameters, and the shape. With `--json` each row also names its source.",
    .option = options,
    .options = BASE_COUNT(options),
    .rare = true,
    .run = run_models,
};

const struct command command_gpus = {
    .name = "gpus",
    .summary = "lists the GPUs that --gpu takes",
    .operands = "",
    .about = "Lists the GPUs of the catalogue: the names that `--gpu` takes, the memory that a "
             "program can use, the peak of dense 16-bit arithmetic, the bandwidth of its memory, "
             "and the links that such a card usually has. With `--json` each row also names its "
             "source.",
    .option = options,
    .options = BASE_COUNT(options),
    .rare = true,
    .run = run_gpus,
};

const struct command command_links = {
    .name = "links",
    .summary = "lists the links that --link and --net take",
    .operands = "",
    .about = "Lists the links of the catalogue: the names that `--link` and `--net` take, the rate "
             "that collectives reach in one direction, the rate that the data sheet promises, and "
             "the latency of a hop. With `--json` each row also names its source.",
    .option = options,
    .options = BASE_COUNT(options),
    .rare = true,
    .run = run_links,
};
