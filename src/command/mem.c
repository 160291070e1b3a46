/* mem: what one GPU keeps, category by category, under each stage. */
#include "command/mem.h"

#include <string.h>

/* Above this share of the card a fit is called tight: activations, buffers, the CUDA context and what the allocator
 * cannot use must live in the rest. A judgement, said as one in the output. */
static const double tight_share = 0.9;

uint64_t mem_budget(const struct account_card *card) {
    return card->usable_bytes ? card->usable_bytes : card->label_bytes;
}

static const char *fits(const struct account_card *card, uint64_t bytes) {
    if (!card) return NULL;
    uint64_t budget = mem_budget(card);
    if (bytes > budget) return "no";
    return (double)bytes > tight_share * (double)budget ? "tight" : "yes";
}

/* ── reading the flags ───────────────────────────────────────────────────────────────────────────*/
/* A model brings its own parameter count and shape, so it is set before what overrides them. */
static bool set_fields(const struct arguments *a, bool model, struct account_training *t,
                       struct account_error *e) {
    size_t fields;
    const struct account_field *field = account_fields(&fields);
    for (size_t i = 0; i < fields; i++) {
        const char *text = arguments_value(a, field[i].name);
        if (!text || model != (strcmp(field[i].name, "model") == 0)) continue;
        if (strcmp(field[i].name, "stage") == 0 && strcmp(text, "all") == 0) continue;
        if (!account_set(t, field[i].name, text, e)) return false;
    }
    return true;
}

static bool all_stages(const struct arguments *a) {
    const char *stage = arguments_value(a, "stage");
    return !stage || strcmp(stage, "all") == 0;
}

static bool add_stage(struct mem *m, unsigned stage, struct account_error *e) {
    struct mem_stage *s = &m->stage[m->stages++];
    s->training = m->asked;
    s->training.stage = (uint8_t)stage;
    if (!account_check(&s->training, e) || !account_ledger(&s->training, &s->ledger, e))
        return false;
    s->fits = fits(s->training.card, s->ledger.total);
    return true;
}

static bool mem_read(const struct arguments *a, struct mem *m, struct account_error *e) {
    *m = (struct mem){.asked = account_training_default()};
    if (!set_fields(a, true, &m->asked, e) || !set_fields(a, false, &m->asked, e)) return false;
    if (!all_stages(a)) return add_stage(m, m->asked.stage, e);
    for (unsigned stage = 0; stage < MEM_STAGES; stage++)
        if (!add_stage(m, stage, e)) return false;
    return true;
}

/* ── the command ─────────────────────────────────────────────────────────────────────────────────*/
static int print_page(const struct arguments *a, const struct mem *m) {
    struct account_error e = {0};
    struct paper *p = paper_new(terminal_columns(), terminal_ascii(a));
    mem_page(m, p);
    if (arguments_has(a, "explain") && !mem_explain(m, p, &e)) {
        paper_free(p);
        return say_error("%s", e.what);
    }
    terminal_print(p);
    return COMMAND_WELL;
}

static int print_json(const struct arguments *a, const struct mem *m) {
    struct account_error e = {0};
    json_t *json = mem_json(m);
    if (!arguments_has(a, "explain") || mem_add_working(m, json, &e)) return say_json(json);
    json_decref(json);
    return say_error("%s", e.what);
}

static int run(const struct arguments *a) {
    struct account_error e = {0};
    struct mem m;
    if (arguments_has(a, "json") && arguments_has(a, "csv"))
        return say_error("--json and --csv are two forms of one answer: take one of them");
    if (arguments_has(a, "csv") && arguments_has(a, "explain"))
        return say_error("--csv is numbers alone: take --explain with --json, or on its own");
    if (!mem_read(a, &m, &e)) return say_error("%s", e.what);
    if (arguments_has(a, "json")) return print_json(a, &m);
    if (!arguments_has(a, "csv")) return print_page(a, &m);
    mem_csv(&m, stdout);
    return COMMAND_WELL;
}

static const struct command_option options[] = {
    {"explain", NULL, NULL, "the working, line by line, with sources"},
    {"ascii",   NULL, NULL, "plain ASCII characters"                 },
    {"json",    NULL, NULL, "exact bytes as JSON"                    },
    {"csv",     NULL, NULL, "exact bytes as CSV, a stage a line"     },
};
static const char *const examples[] = {
    "zerotutor mem --params 7.5e9 --gpus 64",
    "zerotutor mem --model llama-2-13b --gpus 8 --gpu a100-80g --explain",
    "zerotutor mem --params 13e9 --gpus 16 --stage 2 --json",
    NULL,
};

const struct command command_mem = {
    .name = "mem",
    .summary = "what one GPU keeps in memory under stages 0 to 3",
    .operands = "",
    .about = "Answers how many bytes of model state each GPU keeps between steps: parameters, "
             "gradients, the fp32 master copy and the optimizer's moments, under each stage. "
             "Bytes are exact, the padding of shards included. 1 GB is 1e9 bytes.\n\n"
             "The exit status is 0 even if nothing fits the card.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .training = true,
    .run = run,
};
