/* traffic: what one GPU sends in a step, collective by collective, and how long the step takes. */
#include "command/traffic.h"

#include <inttypes.h>
#include <stdlib.h>

/* ── the working ───────────────────────────────────────────────────────────────────────────────*/
static const char *const factors[ACCOUNT_COLLECTIVES] = {
    [ACCOUNT_ALL_REDUCE] = "2(N−1)/N",
    [ACCOUNT_REDUCE_SCATTER] = "(N−1)/N",
    [ACCOUNT_ALL_GATHER] = "(N−1)/N",
    [ACCOUNT_ALL_TO_ALL] = "(N−1)/N",
    [ACCOUNT_P2P] = "1",
};

static const char *rate_of(double rate, char out[static REPORT_UNIT_MOST]) {
    return account_print(out, REPORT_UNIT_MOST, rate, ACCOUNT_UNIT_GB_PER_S, 4);
}

/* "8.4 us + 14 hops of 3.4 us in a node + 1 hop of 14 us between nodes = 70 us"; "" where links are
 * ideal. */
static void add_start(const struct account_pace *a, struct base_text *t) {
    char once[REPORT_UNIT_MOST], hop[REPORT_UNIT_MOST];
    if (!(a->start > 0)) return;
    base_text_printf(t, "%s", command_report_seconds(once, a->once));
    if (a->hops_inside > 0)
        base_text_printf(t, " + %.0f hop%s × %s inside", a->hops_inside,
                         a->hops_inside == 1 ? "" : "s",
                         command_report_seconds(hop, a->link.latency));
    if (a->hops_between > 0)
        base_text_printf(t, " + %.4g hop%s × %s between", a->hops_between,
                         a->hops_between == 1 ? "" : "s",
                         command_report_seconds(hop, a->net.latency));
    base_text_puts(t, " + ");
}

/* The rate and the rule it comes from. */
static void add_rate(const struct account_pace *a, const struct account_collective *l,
                     struct base_text *t) {
    char rate[REPORT_UNIT_MOST], nic[REPORT_UNIT_MOST];
    if (!(a->rate > 0))
        base_text_printf(t, "the slower of %u/%u of it ÷ %s inside and %u/%u ÷ %s between",
                         l->per_node - 1, l->ranks, rate_of(a->link.rate, rate),
                         l->ranks - l->per_node, l->ranks, rate_of(a->net.rate, nic));
    else if (a->nics > 0)
        base_text_printf(t, "÷ %s (%.0f NICs of a node × %s)", rate_of(a->rate, rate), a->nics,
                         rate_of(a->net.rate, nic));
    else
        base_text_printf(t, "÷ %s (the link inside a node%s)", rate_of(a->rate, rate),
                         l->per_node < l->ranks ? ", slower than its NICs together" : "");
}

/* "28 calls × (start + factor × bytes ÷ rate) = "; "" where nothing is known. The caller owns
 * it. */
static char *pace_of(const struct account_training *t, const struct account_collective *l) {
    struct account_pace a;
    struct base_text text = {0};
    char bytes[REPORT_UNIT_MOST];
    if (!account_pace(t, l, &a)) return base_dup("");
    account_print_bytes(bytes, sizeof bytes, a.bytes / l->calls);
    base_text_printf(&text, "%.6g × (", l->calls);
    add_start(&a, &text);
    if (a.rate > 0) base_text_printf(&text, "%s × ", factors[l->op]);
    base_text_printf(&text, "%s ", bytes);
    add_rate(&a, l, &text);
    base_text_puts(&text, ") = ");
    return base_text_take(&text);
}

static void put_collective(const struct traffic_stage *s, size_t i, struct page *p) {
    const struct account_collective *l = &s->traffic.collective[i];
    char payload[REPORT_UNIT_MOST], sent[REPORT_UNIT_MOST], seconds[REPORT_UNIT_MOST],
        name[REPORT_UNIT_MOST];
    account_print_bytes(payload, sizeof payload, l->payload);
    account_print_bytes(sent, sizeof sent, (double)l->sent);
    char *text = base_format("%s: %s of %s among %u ranks, %s × %s = %s", l->what,
                             command_traffic_collective(l->op, name), payload, l->ranks,
                             factors[l->op], payload, sent);
    char *pace = s->clock.has_comm ? pace_of(&s->training, l) : base_dup("");
    char *time = base_format("%s%s", pace, command_report_seconds(seconds, s->clock.collective[i]));
    page_text(p, (struct page_flow){.indent = 3}, text);
    if (*pace) page_text(p, (struct page_flow){.indent = 5, .role = PAGE_DIM}, time);
    free(time);
    free(pace);
    free(text);
}

/* What crosses the host's link, way by way, as the worked problem has it. */
static void put_host(const struct traffic_stage *s, struct page *p) {
    struct account_problem problem = account_problem_default();
    struct account_solution worked;
    struct account_error e = {0};
    if (!s->traffic.offload_down && !s->traffic.offload_up) return;
    if (!account_problem_set(&problem, "kind", "traffic", &e) ||
        !account_problem_set(&problem, "quantity", "offload", &e))
        return;
    problem.training = s->training;
    if (!account_solve(&problem, &worked, &e)) return;
    for (size_t i = 0; i + 1 < worked.lines; i++) {
        char value[REPORT_UNIT_MOST];
        const struct account_line *l = &worked.line[i];
        char *text = base_format("%s: %s = %s", l->label, l->formula,
                                 account_print(value, sizeof value, l->value, l->unit, 4));
        page_text(p, (struct page_flow){.indent = 3}, text);
        free(text);
    }
}

/* The link that was named, or the card's own. */
static void put_link(const struct account_link *named, const char *usual, struct page *p) {
    const struct account_link *l = named->rate > 0 || !usual ? named : account_link_find(usual);
    if (l && l->name) command_report_source(l->title, l->source, p);
}

static void traffic_explain(const struct traffic *t, struct page *p) {
    for (size_t s = 0; s < t->stages; s++) {
        page_blank(p, 1);
        page_printf(p, page_height(p), 1, PAGE_STRONG, "stage %u", t->stage[s].training.stage);
        for (size_t i = 0; i < t->stage[s].traffic.collectives; i++)
            put_collective(&t->stage[s], i, p);
        put_host(&t->stage[s], p);
    }
    command_report_sources(&t->asked, p);
    command_report_source("volume by stage", "ZeRO, arXiv:1910.02054, section 7", p);
    command_report_source("what a collective sends", "nccl-tests, doc/PERFORMANCE.md", p);
    command_report_source("what a call and a hop take", "NVIDIA/nccl, src/graph/tuning.cc", p);
    put_link(&t->asked.link, t->asked.card ? t->asked.card->link : NULL, p);
    put_link(&t->asked.net, t->asked.card ? t->asked.card->net : NULL, p);
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
static void time_host(struct traffic_stage *s) {
    double rate = account_host_link(&s->training).rate;
    s->host_down = rate > 0 ? (double)s->traffic.offload_down / rate : -1;
    s->host_up = rate > 0 ? (double)s->traffic.offload_up / rate : -1;
}

static bool add_stage(const struct asked *asked, size_t i, struct traffic *t) {
    struct traffic_stage *s = &t->stage[t->stages++];
    struct account_error e = {0};
    s->training = command_asked_stage(asked, i);
    if (account_traffic_clock(&s->training, &s->traffic, &s->clock, &e)) {
        time_host(s);
        return true;
    }
    command_asked_error(&e);
    return false;
}

static bool traffic_read(const struct arguments *a, struct traffic *t) {
    struct asked asked;
    if (!command_asked_form(a) || !command_asked_read(a, &asked)) return false;
    *t = (struct traffic){.asked = asked.training, .from = asked};
    for (size_t i = 0; i < asked.stages; i++)
        if (!add_stage(&asked, i, t)) return false;
    return true;
}

static int run(const struct arguments *a) {
    struct traffic t;
    if (!traffic_read(a, &t)) return COMMAND_USAGE;
    if (command_arguments_has(a, "json")) return command_say_json(command_traffic_json(&t));
    if (command_arguments_has(a, "csv")) return command_traffic_csv(&t, stdout), COMMAND_WELL;
    struct page *p = command_asked_page(a);
    command_traffic_page(&t, p);
    if (command_arguments_has(a, "explain")) traffic_explain(&t, p);
    command_terminal_print(p);
    return COMMAND_WELL;
}

static const char *const examples[] = {
    "zerotutor traffic --params 7.5e9 --gpus 64",
    "zerotutor traffic --model llama-2-13b --gpus 16 --gpus-per-node 8 --gpu a100-80g",
    "zerotutor traffic --params 13e9 --gpus 8 --stage 3 --link 300GB/s --explain",
    NULL,
};

const struct command command_traffic = {
    .name = "traffic",
    .summary = "what one rank sends in a step under stages 0 to 3",
    .operands = "",
    .about = "Shows how many bytes each rank sends in one optimizer step, by collective and by "
             "link: inside a node, between nodes, to the host. It shows how long that takes if you "
             "set `--link` and `--net` (names, or rates such as 25GB/s and 400Gb/s), or a card "
             "with known links. With a card and a shape it also shows how much of that time is "
             "exposed, which means that computation does not hide it.\n\nSent bytes are the bytes "
             "of a rank's memory that other ranks read.",
    .examples = examples,
    .training = true,
    .run = run,
};
