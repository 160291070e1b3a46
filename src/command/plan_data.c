/* plan_data: plan's answer for programs. */
#include "command/plan.h"

#include <inttypes.h>

/* Null where the clock knows no compute. */
static json_t *known(double value) {
    return value > 0 ? json_real(value) : json_null();
}

static json_t *row_json(const struct account_plan *r) {
    const struct account_training *t = &r->training;
    char checkpoint[NAME_MOST], offload[NAME_MOST];
    return json_pack("{si si ss si si ss si si si si ss sI sI sI so so ss so}", "stage",
                     (int)t->stage, "shard_group", (int)account_shard_ranks(t), "checkpoint",
                     command_plan_field(t, "checkpoint", checkpoint), "micro_batch", (int)t->batch,
                     "accumulate", (int)t->accumulate, "offload", command_plan_offload(t, offload),
                     "tp", (int)t->tp, "pp", (int)t->pp, "cp", (int)t->cp, "ep", (int)t->ep, "fits",
                     account_fit_name(r->fits), "bytes_to_spare", (json_int_t)r->spare, "peak",
                     (json_int_t)r->peak, "gathered", (json_int_t)r->gathered, "seconds",
                     known(r->seconds), "tokens_per_s", known(r->tokens_per_s), "reason", r->reason,
                     "training", command_asked_json(t));
}

static json_t *tree_json(const struct account_plans *p) {
    json_t *tree = json_array();
    for (size_t i = 0; i < p->forks; i++)
        json_array_append_new(tree,
                              json_pack("{ss ss ss}", "question", p->fork[i].question, "answer",
                                        p->fork[i].answer, "because", p->fork[i].because));
    return tree;
}

json_t *command_plan_json(const struct plan *p) {
    const struct account_training *t = &p->plans.base;
    uint32_t node = t->gpus_per_node && t->gpus_per_node < t->gpus ? t->gpus_per_node : t->gpus;
    json_t *plans = json_array();
    for (size_t i = 0; i < p->plans.count; i++) json_array_append_new(plans, row_json(&p->plan[i]));
    json_t *json = json_pack("{so so so sI sI sI so}", "chosen",
                             p->plans.found ? row_json(&p->plan[0]) : json_null(), "plans", plans,
                             "tree", tree_json(&p->plans), "tried", (json_int_t)p->plans.tried,
                             "global_batch", (json_int_t)p->plans.global_batch, "gpus_per_node",
                             (json_int_t)node, "training", command_asked_json(&p->from.training));
    command_asked_add_notes(&p->from, json);
    return json;
}

void command_plan_csv(const struct plan *p, FILE *out) {
    fputs("stage,shard_group,checkpoint,micro_batch,accumulate,offload,tp,pp,cp,ep,fits,"
          "bytes_to_spare,peak,seconds,tokens_per_s,reason\n",
          out);
    for (size_t i = 0; i < p->plans.count; i++) {
        const struct account_plan *r = &p->plan[i];
        const struct account_training *t = &r->training;
        char checkpoint[NAME_MOST], offload[NAME_MOST];
        fprintf(out, "%u,%u,%s,%u,%u,", t->stage, account_shard_ranks(t),
                command_plan_field(t, "checkpoint", checkpoint), t->batch, t->accumulate);
        command_asked_csv(command_plan_offload(t, offload), out);
        fprintf(out, ",%u,%u,%u,%u,%s,%" PRId64 ",%" PRIu64 ",", t->tp, t->pp, t->cp, t->ep,
                account_fit_name(r->fits), r->spare, r->peak);
        if (r->seconds > 0) fprintf(out, "%.9g", r->seconds);
        fputc(',', out);
        if (r->tokens_per_s > 0) fprintf(out, "%.9g", r->tokens_per_s);
        fputc(',', out);
        command_asked_csv(r->reason, out);
        fputc('\n', out);
    }
}
