/* traffic: what one rank sends in a step under each stage, over which links, and how long that takes. */
#include "command/traffic.h"

static void time_host(struct traffic_stage *s) {
    double rate = account_host_link(&s->training).rate;
    s->host_down = rate > 0 ? (double)s->traffic.offload_down / rate : -1;
    s->host_up = rate > 0 ? (double)s->traffic.offload_up / rate : -1;
}

static bool add_stage(const struct asked *asked, size_t i, struct traffic *t) {
    struct traffic_stage *s = &t->stage[t->stages++];
    struct account_error e = {0};
    s->training = command_asked_stage(asked, i);
    if (account_traffic(&s->training, &s->traffic, &e) &&
        account_clock(&s->training, &s->clock, &e)) {
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
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    command_traffic_page(&t, p);
    if (command_arguments_has(a, "explain")) command_traffic_explain(&t, p);
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
    .about =
        "Answers how many bytes each rank sends in one optimizer step, by collective and by link: "
        "inside a node, between nodes, to the host. With `--link` and `--net`, names or rates such "
        "as 25GB/s and 400Gb/s, or with a card that brings its own, it says how long that takes; "
        "with a card and a shape also how much of it is exposed, which is what computation does "
        "not hide.\n\n"
        "Sent are the bytes of a rank's memory that other ranks read.",
    .examples = examples,
    .training = true,
    .run = run,
};
