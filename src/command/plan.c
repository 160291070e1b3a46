/* plan: the plans that fit, the fastest first. */
#include "command/plan.h"
#include "command/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ── what was assumed ──────────────────────────────────────────────────────────────────────────*/
static void assume_batch(const struct arguments *a, struct plan *p) {
    uint64_t batch = p->plans.global_batch;
    if (!batch || command_arguments_has(a, "global-batch")) return;
    if (command_arguments_has(a, "batch"))
        command_asked_add(&p->from, "global_batch",
                          "%" PRIu64
                          " sequences per step: micro-batch × accumulation × data-parallel ranks "
                          "(--global-batch)",
                          batch);
    else
        command_asked_add(&p->from, "global_batch",
                          "%" PRIu64 " sequences per step, %" PRIu64
                          " per GPU, so that accumulation matters "
                          "(--global-batch)",
                          batch, batch * p->plans.base.cp / p->plans.base.gpus);
}

static void assume_seq(const struct arguments *a, struct plan *p) {
    const struct account_training *t = &p->plans.base;
    if (!p->plans.global_batch || (command_arguments_has(a, "seq") && p->question.training.seq))
        return;
    p->from.training.seq = t->seq;
    if (t->shape.context)
        command_asked_add(&p->from, "seq",
                          "sequences of %u tokens: the model's context of %u, at most 8192 (--seq)",
                          t->seq, t->shape.context);
    else
        command_asked_add(&p->from, "seq",
                          "sequences of %u tokens, since the model's context is not known (--seq)",
                          t->seq);
}

/* Only where a plan leans on it. */
static void assume_host(const struct arguments *a, struct plan *p) {
    char host[REPORT_UNIT_MOST];
    bool offloads = false;
    for (size_t i = 0; i < p->plans.count && i < PLANS_SHOWN; i++)
        offloads = offloads || p->plan[i].training.offload_optimizer;
    if (!offloads || command_arguments_has(a, "host-memory") || !p->plans.host_bytes) return;
    account_print_bytes(host, sizeof host, (double)p->plans.host_bytes);
    command_asked_add(&p->from, "host_memory",
                      "%s of host memory for these GPUs of a node (--host-memory)", host);
}

static void assume_sp(const struct arguments *a, struct plan *p) {
    bool any = false;
    for (size_t i = 0; i < p->plans.count && i < PLANS_SHOWN; i++)
        any = any || p->plan[i].training.sp;
    if (any && !command_arguments_has(a, "sp"))
        command_asked_add(&p->from, "sp", "sequence parallelism on if tp is over 1 (--sp)");
}

/* What the question left open and the answer rests on: into the notes. */
static void plan_assume(const struct arguments *a, struct plan *p) {
    assume_batch(a, p);
    assume_seq(a, p);
    assume_host(a, p);
    assume_sp(a, p);
}

/* ── the working ───────────────────────────────────────────────────────────────────────────────*/
enum { COLUMNS = 3, LINES_MOST = 16 };
struct lines {
    char *cell[LINES_MOST * COLUMNS];
    size_t n;
};

/* Takes the formula. */
static void put(struct lines *l, const char *what, char *formula, double seconds) {
    char value[REPORT_UNIT_MOST];
    l->cell[l->n++] = base_dup(what);
    l->cell[l->n++] = formula;
    l->cell[l->n++] = base_dup(command_report_seconds(value, seconds));
}

/* ── computing ─────────────────────────────────────────────────────────────────────────────────*/
static const char *teraflops(double flops, char out[static REPORT_UNIT_MOST]) {
    snprintf(out, REPORT_UNIT_MOST, "%.4g TFLOP", flops / 1e12);
    return out;
}

/* "10.6 TFLOP × 8 sequences ÷ (2 GPUs × 312 TFLOP/s × 0.5)"; fp32 runs at half the card's rate. */
static char *computing(const struct account_training *t, double each, double seconds) {
    char flops[REPORT_UNIT_MOST];
    double sequences = (double)t->batch * t->accumulate, ranks = (double)t->tp * t->pp * t->cp;
    double rate = t->card->flops / 1e12;
    double left = seconds > 0 ? each * sequences / ranks / seconds / t->card->flops : 0;
    return base_format("%s × %.0f sequences ÷ (%.0f GPU%s × %.4g TFLOP/s × %.4g)",
                       teraflops(each, flops), sequences, ranks, ranks > 1 ? "s" : "", rate, left);
}

static void put_computing(const struct account_training *t, const struct account_clock *c,
                          struct lines *l) {
    double model = account_model_flops(t), all = account_hardware_flops(t);
    double sum = c->forward + c->backward, forward = sum > 0 ? all * c->forward / sum : 0;
    char m[REPORT_UNIT_MOST], h[REPORT_UNIT_MOST];
    put(l, "FLOPs per sequence",
        base_format("%s of the model, %s with what is computed again", teraflops(model, m),
                    teraflops(all, h)),
        -1);
    put(l, "forward", computing(t, forward, c->forward), c->forward);
    put(l, "backward", computing(t, all - forward, c->backward), c->backward);
}

/* ── the rest ──────────────────────────────────────────────────────────────────────────────────*/
static char *updating(const struct account_training *t, const struct account_clock *c) {
    char bytes[REPORT_UNIT_MOST], rate[REPORT_UNIT_MOST];
    if (t->offload_optimizer) return base_dup("states read and written in the host's memory");
    account_print_bytes(bytes, sizeof bytes, c->update * t->card->memory_rate);
    account_print(rate, sizeof rate, t->card->memory_rate, ACCOUNT_UNIT_GB_PER_S, 4);
    return base_format("%s of states read and written ÷ %s of the card's memory", bytes, rate);
}

static void put_waiting(const struct account_training *t, const struct account_clock *c,
                        struct lines *l) {
    char sent[REPORT_UNIT_MOST];
    put(l, "exposed",
        base_format("of %s of communication, the part that computing does not hide",
                    command_report_seconds(sent, c->comm)),
        c->comm_exposed);
    put(l, "update", updating(t, c), c->update);
    if (c->offload > 0)
        put(l, "offload", base_dup("host link and disks, if nothing hides them"), c->offload);
    if (c->bubble > 0)
        put(l, "pipeline's bubble",
            base_format("(%u − 1) ÷ (%u × %u) × (forward + backward)", t->pp, t->accumulate,
                        t->interleave),
            c->bubble);
}

static void put_step(const struct account_training *t, struct page *p) {
    struct account_clock c;
    struct lines l = {0};
    if (!account_clock(t, &c, NULL) || !(c.step > 0)) return;
    put_computing(t, &c, &l);
    put_waiting(t, &c, &l);
    put(&l, "a step", base_dup("the seconds above"), c.step);
    page_blank(p, 1);
    page_put(p, page_height(p), 1, PAGE_STRONG, 0, "the first plan's step");
    page_table(p, (struct page_flow){.indent = 3}, (const char *const *)l.cell, l.n / COLUMNS,
               COLUMNS, "llr", false);
    for (size_t i = 0; i < l.n; i++) free(l.cell[i]);
}

static void put_need(const struct account_plan *r, struct page *p) {
    char peak[REPORT_UNIT_MOST], gathered[REPORT_UNIT_MOST], sum[REPORT_UNIT_MOST];
    if (!r->measured.gathered) return;
    account_print_bytes(peak, sizeof peak, (double)r->measured.peak);
    account_print_bytes(gathered, sizeof gathered, (double)r->measured.gathered);
    account_print_bytes(sum, sizeof sum, (double)(r->measured.peak + r->measured.gathered));
    page_printf(p, page_height(p), 3, PAGE_DIM, "%s at the peak + %s gathered by stage 3 = %s",
                peak, gathered, sum);
}

/* The working of the first plan's step and of its memory. */
static bool plan_explain(const struct plan *plan, struct page *p, struct account_error *e) {
    const struct account_plan *r = &plan->plan[0];
    if (plan->plans.count) {
        put_step(&r->training, p);
        if (!command_mem_explain_one(&r->training, "the first plan's memory", p, e)) return false;
        put_need(r, p);
    }
    command_report_sources(&plan->plans.base, p);
    return true;
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
/* Bytes of an option of the command's own; 0 if it was not given. False after the message was
 * printed. */
static bool read_bytes(const struct arguments *a, const char *name, uint64_t *out) {
    const char *text = command_arguments_value(a, name);
    struct account_error e = {0};
    double bytes;
    *out = 0;
    if (!text) return true;
    if (!account_read_bytes(text, &bytes, &e))
        command_say_error("--%s cannot be '%s': %s", name, text, e.what);
    else if (bytes < 1 || bytes > 1e18)
        command_say_error("--%s cannot be '%s': use bytes from 1 B to 1e18, such as 1TB", name,
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
    command_say_error("--global-batch cannot be '%s': use the sequences per step, from 1", text);
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

static int run(const struct arguments *a) {
    struct account_error e = {0};
    struct plan plan;
    memset(&plan, 0, sizeof plan);
    if (!plan_read(a, &plan)) return COMMAND_USAGE;
    if (!account_plan(&plan.question, plan.plan, PLANS_MOST, &plan.plans, &e))
        return command_asked_error(&e);
    plan_assume(a, &plan);
    if (command_arguments_has(a, "json")) return command_say_json(command_plan_json(&plan));
    if (command_arguments_has(a, "csv")) return command_plan_csv(&plan, stdout), COMMAND_WELL;
    struct page *p = command_asked_page(a);
    command_plan_page(&plan, p);
    if (command_arguments_has(a, "explain") && !plan_explain(&plan, p, &e)) {
        page_free(p);
        return command_asked_error(&e);
    }
    command_terminal_print(p);
    return COMMAND_WELL;
}

static const struct command_option options[] = {
    {"global-batch", "SEQUENCES", NULL,
     "sequences per step (default: batch x accumulate x data-parallel ranks)"},
    {"host-memory", "BYTES", NULL, "host memory of a node, such as 1TB"},
    {"nvme-space", "BYTES", NULL, "NVMe space of a node, such as 4TB"},
};
static const char *const examples[] = {
    "zerotutor plan --model llama-2-13b --gpus 8 --gpu a100-80g --seq 4096 --global-batch 64",
    "zerotutor plan --config config.json --gpus 16 --gpus-per-node 8 --gpu h100-80g --seq 8192",
    "zerotutor plan --model llama-2-70b --gpus 64 --gpu h100-80g --seq 4096 --stage 3 --json",
    NULL,
};

const struct command command_plan = {
    .name = "plan",
    .summary = "which plans fit, which is fastest, and why the others lost",
    .operands = "",
    .about =
        "Looks for the fastest way to train a model on these GPUs at one global batch. It varies "
        "the stage, checkpointing, micro-batch, accumulation, shard group, tensor and pipeline "
        "parallelism and offload, except those that you set as options. It shows the answer, "
        "then the best alternatives with the reason why each of them lost, then its path through "
        "the decision tree.\n\nA plan needs the peak that `mem` shows. Under a recipe without "
        "buffers, such as paper, it also needs the memory of the units that stage 3 gathers. In "
        "JSON, `bytes_to_spare` is the card's memory minus `peak` and `gathered`. If a plan does "
        "not fit, this is negative: the largest shortfall on the card, the host or NVMe. The end "
        "of the page lists what had to be assumed (the global batch, the sequence, the node), "
        "and JSON has it in `assumed`.\n\nThe exit status is 0 even if nothing fits.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .training = true,
    .run = run,
};
