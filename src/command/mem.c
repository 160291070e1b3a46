/* mem: what one GPU keeps, category by category, under each stage, and the moment at which it is most. */
#include "command/mem.h"

static void judge(struct mem_stage *s, uint64_t budget) {
    static const unsigned roles[] = {
        [ACCOUNT_FITS] = PAGE_GOOD, [ACCOUNT_TIGHT] = PAGE_WARN, [ACCOUNT_TOO_LARGE] = PAGE_BAD};
    enum account_fit fit = account_fit(command_mem_peak(s)->ledger.total, budget);
    s->fits = account_fit_name(fit);
    s->role = roles[fit];
}

static bool add_stage(const struct asked *asked, size_t i, struct mem *m) {
    struct mem_stage *s = &m->stage[m->stages++];
    struct account_error e = {0};
    s->training = command_asked_stage(asked, i);
    if (!account_memory(&s->training, &s->memory, &e)) {
        command_asked_error(&e);
        return false;
    }
    if (m->budget) judge(s, m->budget);
    return true;
}

static bool mem_read(const struct arguments *a, struct mem *m) {
    struct asked asked;
    if (!command_asked_form(a) || !command_asked_read(a, &asked)) return false;
    *m = (struct mem){.asked = asked.training, .from = asked};
    if (m->asked.card) m->budget = account_card_bytes(m->asked.card);
    for (size_t i = 0; i < asked.stages; i++)
        if (!add_stage(&asked, i, m)) return false;
    return true;
}

const struct account_instant *command_mem_peak(const struct mem_stage *s) {
    return &s->memory.phase[s->memory.peak];
}

static int print_page(const struct arguments *a, const struct mem *m) {
    struct account_error e = {0};
    struct page *p = command_terminal_page(command_terminal_ascii(a));
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
    json_t *json = command_mem_json(m);
    if (!command_arguments_has(a, "explain") || command_mem_add_working(m, json, &e))
        return command_say_json(json);
    json_decref(json);
    return command_asked_error(&e);
}

static int run(const struct arguments *a) {
    struct mem m;
    if (!mem_read(a, &m)) return COMMAND_USAGE;
    if (command_arguments_has(a, "json")) return print_json(a, &m);
    if (!command_arguments_has(a, "csv")) return print_page(a, &m);
    command_mem_csv(&m, stdout);
    return COMMAND_WELL;
}

static const char *const examples[] = {
    "zerotutor mem --params 7.5e9 --gpus 64",
    "zerotutor mem --model llama-2-13b --gpus 8 --gpu a100-80g --explain",
    "zerotutor mem --model llama-2-7b --gpus 8 --recipe fsdp2 --batch 1 --seq 4096",
    "zerotutor mem --params 13e9 --gpus 16 --stage 2 --json",
    NULL,
};

const struct command command_mem = {
    .name = "mem",
    .summary = "what one GPU keeps in memory under stages 0 to 3",
    .operands = "",
    .about =
        "Answers how many bytes each GPU keeps under each stage: parameters, gradients, the fp32 "
        "master copy and the optimizer's moments; activations too if `--batch` and `--seq` say "
        "how large a step is, and buffers if the recipe has any. Bytes are exact, the padding of "
        "shards included. 1 GB is 1e9 bytes.\n\n"
        "With a card it says whether the highest moment of a step fits. The exit status is 0 even "
        "if nothing does.",
    .examples = examples,
    .training = true,
    .run = run,
};
