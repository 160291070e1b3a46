/* mem: what one GPU keeps, category by category, under each stage, and the instant at which it is
 * most. */
#include "command/mem.h"

#include <inttypes.h>
#include <stdlib.h>

/* ── for programs ──────────────────────────────────────────────────────────────────────────────*/
static json_t *bytes_json(uint64_t bytes) {
    return json_integer((json_int_t)bytes);
}

static json_t *categories_json(const uint64_t bytes[ACCOUNT_CATEGORIES]) {
    json_t *json = json_object();
    for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++)
        json_object_set_new(json, account_category_name(c), bytes_json(bytes[c]));
    return json;
}

static json_t *ledger_json(const struct account_ledger *l) {
    json_t *json = categories_json(l->bytes);
    json_object_set_new(json, "total", bytes_json(l->total));
    json_object_set_new(json, "padding", bytes_json(l->padding));
    return json;
}

static json_t *phases_json(const struct account_memory *m) {
    json_t *json = json_object();
    for (enum account_phase i = 0; i < ACCOUNT_PHASES; i++)
        json_object_set_new(json, account_phase_name(i), bytes_json(m->phase[i].ledger.total));
    return json;
}

/* The peak's own categories next to its total: they are what lives then. */
static json_t *peak_json(const struct mem_stage *s) {
    json_t *json = ledger_json(&command_mem_peak(s)->ledger);
    json_object_set_new(json, "where", json_string(command_mem_peak(s)->where));
    json_object_set_new(json, "phase", json_string(account_phase_name(s->memory.peak)));
    return json;
}

static json_t *stage_json(const struct mem_stage *s) {
    const struct account_memory *m = &s->memory;
    return json_pack("{si so so so so so so so ss?}", "stage", (int)s->training.stage, "gpu",
                     ledger_json(&m->gpu), "host", ledger_json(&m->host), "nvme",
                     ledger_json(&m->nvme), "persistent", ledger_json(&m->persistent), "phases",
                     phases_json(m), "peak", peak_json(s), "highest", categories_json(m->highest),
                     "fits", s->fits);
}

static json_t *mem_json(const struct mem *m) {
    char recipe[NAME_MOST];
    json_t *stages = json_array();
    for (size_t i = 0; i < m->stages; i++) json_array_append_new(stages, stage_json(&m->stage[i]));
    json_t *json = json_pack("{so si ss? so so so}", "params", bytes_json(m->asked.params), "world",
                             (int)m->asked.gpus, "recipe",
                             account_get(&m->asked, "recipe", recipe, sizeof recipe), "training",
                             command_report_json(&m->asked), "budget",
                             m->budget ? bytes_json(m->budget) : json_null(), "stages", stages);
    const struct account_card *card = m->asked.card;
    if (card)
        json_object_set_new(json, "budget_from",
                            json_string(account_reporter_name(account_card_reporter(card))));
    command_asked_add_notes(&m->from, json);
    return json;
}

static void mem_csv(const struct mem *m, FILE *out) {
    fputs("stage,", out);
    for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++)
        fprintf(out, "%s,", account_category_name(c));
    fputs("total,padding,host,nvme,", out);
    for (enum account_phase i = 0; i < ACCOUNT_PHASES; i++)
        fprintf(out, "%s,", account_phase_name(i));
    fputs("peak,where,fits\n", out);
    for (size_t i = 0; i < m->stages; i++) {
        const struct mem_stage *s = &m->stage[i];
        const struct account_ledger *gpu = &s->memory.gpu;
        fprintf(out, "%u,", s->training.stage);
        for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++)
            fprintf(out, "%" PRIu64 ",", gpu->bytes[c]);
        fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", gpu->total, gpu->padding,
                s->memory.host.total, s->memory.nvme.total);
        for (enum account_phase k = 0; k < ACCOUNT_PHASES; k++)
            fprintf(out, "%" PRIu64 ",", s->memory.phase[k].ledger.total);
        fprintf(out, "%" PRIu64 ",", command_mem_peak(s)->ledger.total);
        command_report_csv(command_mem_peak(s)->where, out);
        fprintf(out, ",%s\n", s->fits ? s->fits : "");
    }
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
static void judge(struct mem_stage *s, uint64_t budget) {
    static const unsigned roles[] = {
        [ACCOUNT_FITS] = PAGE_GOOD, [ACCOUNT_TIGHT] = PAGE_WARN, [ACCOUNT_TOO_LARGE] = PAGE_BAD};
    enum account_fit fit = account_fit(command_mem_peak(s)->ledger.total, budget);
    s->fits = account_fit_name(fit);
    s->role = roles[fit];
}

static bool ask_memory(struct mem_stage *s, struct account_error *e) {
    return account_memory(&s->training, &s->memory, e);
}

static bool ask_moments(struct mem_stage *s, struct account_error *e) {
    size_t most = ACCOUNT_TIMELINE_MOST(s->training.shape.layers);
    s->moment = base_alloc(most * sizeof *s->moment);
    s->moments = account_memory_over_time(&s->training, &s->memory, s->moment, most, e);
    return s->moments > 0;
}

static bool add_stage(const struct asked *asked, size_t i, struct mem *m) {
    struct mem_stage *s = &m->stage[m->stages++];
    struct account_error e = {0};
    s->training = command_asked_stage(asked, i);
    if (!(m->over_time ? ask_moments : ask_memory)(s, &e)) {
        command_asked_error(&e);
        return false;
    }
    if (m->budget) judge(s, m->budget);
    return true;
}

static bool mem_read(const struct arguments *a, struct mem *m) {
    struct asked asked;
    if (!command_asked_form(a) || !command_asked_read(a, &asked)) return false;
    *m = (struct mem){
        .asked = asked.training, .from = asked, .over_time = command_arguments_has(a, "over-time")};
    if (m->asked.card) m->budget = account_card_bytes(m->asked.card);
    for (size_t i = 0; i < asked.stages; i++)
        if (!add_stage(&asked, i, m)) return false;
    return true;
}

static int print_page(const struct arguments *a, const struct mem *m) {
    struct account_error e = {0};
    struct page *p = command_asked_page(a);
    command_mem_page(m, p);
    if (command_arguments_has(a, "explain") && !command_mem_explain(m, p, &e)) {
        page_free(p);
        return command_asked_error(&e);
    }
    command_terminal_print(p);
    return COMMAND_WELL;
}

static int print_json(const struct arguments *a, const struct mem *m) {
    struct account_error e = {0};
    json_t *json = mem_json(m);
    if (m->over_time) command_mem_add_moments(m, json);
    if (!command_arguments_has(a, "explain") || command_mem_add_working(m, json, &e))
        return command_say_json(json);
    json_decref(json);
    return command_asked_error(&e);
}

static int print(const struct arguments *a, const struct mem *m) {
    if (command_arguments_has(a, "json")) return print_json(a, m);
    if (!command_arguments_has(a, "csv")) return print_page(a, m);
    (m->over_time ? command_mem_moments_csv : mem_csv)(m, stdout);
    return COMMAND_WELL;
}

static int run(const struct arguments *a) {
    struct mem m = {0};
    int status = mem_read(a, &m) ? print(a, &m) : COMMAND_USAGE;
    for (size_t i = 0; i < m.stages; i++) free(m.stage[i].moment);
    return status;
}

static const struct command_option options[] = {
    {"over-time", NULL, NULL, "shows memory over a step, as a curve"},
};
static const char *const examples[] = {
    "zerotutor mem --params 7.5e9 --gpus 64",
    "zerotutor mem --model llama-2-13b --gpus 8 --gpu a100-80g --explain",
    "zerotutor mem --model llama-2-7b --gpus 8 --recipe fsdp2 --batch 1 --seq 4096",
    "zerotutor mem --model llama-2-7b --gpus 8 --stage 3 --batch 1 --seq 4096 --over-time",
    "zerotutor mem --params 13e9 --gpus 16 --stage 2 --json",
    NULL,
};

const struct command command_mem = {
    .name = "mem",
    .summary = "what one GPU keeps in memory under stages 0 to 3",
    .operands = "",
    .about = "Shows how many bytes each GPU keeps under each stage: parameters, gradients, the "
             "fp32 master copy and the optimizer's moments. It adds activations if you set "
             "`--batch` and `--seq`, and buffers if the recipe has any. Bytes are exact and "
             "include the padding of shards. 1 GB is 1e9 bytes.\n\nWith `--gpu` it says whether "
             "the peak of a step fits. The exit status is 0 even if nothing fits.\n\n`--over-time` "
             "draws memory over one step: forward through the blocks, backward through them again, "
             "and the update. Where it is highest is the peak.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .training = true,
    .run = run,
};
