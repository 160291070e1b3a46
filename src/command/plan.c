/* plan: what fits, what of it is fastest at one global batch, and why not the others. */
#include "command/plan.h"

#include <string.h>

/* Bytes of an option of the command's own; 0 if it was not given. False after the message was printed. */
static bool read_bytes(const struct arguments *a, const char *name, uint64_t *out) {
    const char *text = command_arguments_value(a, name);
    struct account_error e = {0};
    double bytes;
    *out = 0;
    if (!text) return true;
    if (!account_read_bytes(text, &bytes, &e))
        command_say_error("--%s cannot be '%s': %s", name, text, e.what);
    else if (bytes < 1 || bytes > 1e18)
        command_say_error("--%s cannot be '%s': it is bytes from 1 B to 1e18, such as 1TB", name,
                          text);
    else
        *out = (uint64_t)bytes;
    return *out != 0;
}

static bool read_batch(const struct arguments *a, uint64_t *out) {
    const char *text = command_arguments_value(a, "global-batch");
    struct account_error e = {0};
    *out = 0;
    if (!text || (account_read_count(text, out, &e) && *out)) return true;
    command_say_error(
        "--global-batch cannot be '%s': it is how many sequences a step trains on, from 1", text);
    return false;
}

static bool plan_read(const struct arguments *a, struct plan *plan) {
    struct account_question *q = &plan->question;
    struct asked *asked = &plan->from;
    if (!command_asked_form(a) || !command_asked_read(a, asked)) return false;
    /* Fields beyond the 32nd (prefetch, links, efficiency) are never varied. */
    *q = (struct account_question){.training = asked->training, .pinned = (uint32_t)asked->given};
    return read_batch(a, &q->global_batch) && read_bytes(a, "host-memory", &q->host_bytes) &&
           read_bytes(a, "nvme-space", &q->nvme_bytes);
}

const char *command_plan_field(const struct account_training *t, const char *name,
                               char out[static NAME_MOST]) {
    return account_get(t, name, out, NAME_MOST) ? out : "";
}

const char *command_plan_offload(const struct account_training *t, char out[static NAME_MOST]) {
    char tier[NAME_MOST];
    size_t n = 0;
    *out = '\0';
    if (t->offload_optimizer)
        n = (size_t)snprintf(out, NAME_MOST, "optimizer on %s",
                             command_plan_field(t, "offload_optimizer", tier));
    if (t->offload_params)
        snprintf(out + n, NAME_MOST - n, "%sparams on %s", n ? ", " : "",
                 command_plan_field(t, "offload_params", tier));
    return *out ? out : "none";
}

static int run(const struct arguments *a) {
    struct account_error e = {0};
    struct plan plan;
    memset(&plan, 0, sizeof plan);
    if (!plan_read(a, &plan)) return COMMAND_USAGE;
    if (!account_plan(&plan.question, plan.plan, PLANS_MOST, &plan.plans, &e))
        return command_asked_error(&e);
    command_plan_assume(a, &plan);
    if (command_arguments_has(a, "json")) return command_say_json(command_plan_json(&plan));
    if (command_arguments_has(a, "csv")) return command_plan_csv(&plan, stdout), COMMAND_WELL;
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    command_plan_page(&plan, p);
    if (command_arguments_has(a, "explain") && !command_plan_explain(&plan, p, &e)) {
        page_free(p);
        return command_asked_error(&e);
    }
    command_terminal_print(p);
    return COMMAND_WELL;
}

static const struct command_option options[] = {
    {"global-batch", "SEQUENCES", NULL,
     "how many sequences a step trains on; else batch x accumulate x data-parallel ranks"},
    {"host-memory",  "BYTES",     NULL, "what a node's host can give, such as 1TB"       },
    {"nvme-space",   "BYTES",     NULL, "what a node's NVMe can give, such as 4TB"       },
};
static const char *const examples[] = {
    "zerotutor plan --model llama-2-13b --gpus 8 --gpu a100-80g --seq 4096 --global-batch 64",
    "zerotutor plan --config config.json --gpus 16 --gpus-per-node 8 --gpu h100-80g --seq 8192",
    "zerotutor plan --model llama-2-70b --gpus 64 --gpu h100-80g --seq 4096 --stage 3 --json",
    NULL,
};

const struct command command_plan = {
    .name = "plan",
    .summary = "what fits, what is fastest, and why not the others",
    .operands = "",
    .about =
        "Looks for the fastest way to train a model on these GPUs at one global batch: stage, "
        "checkpointing, micro-batch, accumulation, shard group, tensor and pipeline parallelism, "
        "offload. What is given as an option stays as given; the rest is varied. The answer comes "
        "first, then the best alternatives with the reason each of them lost, then the decision "
        "tree as it was walked.\n\n"
        "A plan needs the peak that `mem` shows and, under a recipe without buffers such as paper, "
        "what stage 3 gathers besides: in JSON, `bytes_to_spare` is what the card holds less "
        "`peak` and `gathered`. Of a plan that does not fit it is negative: what is missing on the "
        "card, the host or NVMe, wherever most is. What was not given and had to be assumed (the "
        "global batch, the sequence, the node) stands at the page's end, and in JSON in "
        "`assumed`.\n\n"
        "The exit status is 0 even if nothing fits.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .training = true,
    .run = run,
};
