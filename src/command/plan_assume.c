/* command_plan_assume: what the question left open and the answer rests on. */
#include "command/plan.h"

#include <inttypes.h>

static void assume_batch(const struct arguments *a, struct plan *p) {
    uint64_t batch = p->plans.global_batch;
    if (!batch || command_arguments_has(a, "global-batch")) return;
    if (command_arguments_has(a, "batch"))
        command_asked_add(&p->from, "global_batch",
                          "%" PRIu64
                          " sequences a step: micro-batch × accumulation × data-parallel ranks "
                          "(--global-batch)",
                          batch);
    else
        command_asked_add(&p->from, "global_batch",
                          "%" PRIu64 " sequences a step, %" PRIu64
                          " a GPU, so that accumulation matters "
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
    char host[ASKED_UNIT_MOST];
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
        command_asked_add(&p->from, "sp", "sequence parallel on wherever tp is over 1 (--sp)");
}

void command_plan_assume(const struct arguments *a, struct plan *p) {
    assume_batch(a, p);
    assume_seq(a, p);
    assume_host(a, p);
    assume_sp(a, p);
}
