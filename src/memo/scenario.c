/* A scenario as data: its defaults, what a line left open, and the question it is for the
 * planner. */
#include "memo/inside.h"

#include <math.h>
#include <string.h>

struct memo_scenario memo_scenario_blank(void) {
    struct memo_scenario s = {.training = account_training_default()};
    s.training.params = 0;
    s.training.gpus = 0;
    s.training.batch = 0;
    return s;
}

/* Shapes that a bare count is given, the first within a tenth: decoders that people train, one for
 * each size. */
static const char *const shapes[] = {
    "llama-2-7b",    "llama-3-8b",   "llama-2-13b", "gpt-neox-20b",       "llama-30b",
    "codellama-34b", "falcon-40b",   "llama-65b",   "llama-2-70b",        "llama-3.2-1b",
    "gpt2-xl",       "llama-3.2-3b", "gpt3-175b",   "mistral-large-123b", "llama-3.1-405b",
    "gpt2-large",    "gpt2-medium",  "gpt2",        "megatron-22b",       "megatron-530b",
    "megatron-1t"};

const struct account_model *memo_scenario_shape(uint64_t params) {
    const struct account_model *best = NULL;
    double nearest = 0.1;
    for (size_t i = 0; i < BASE_COUNT(shapes); i++) {
        const struct account_model *m = account_model_find(shapes[i]);
        double off = m ? fabs((double)m->params / (double)params - 1) : 1;
        if (off >= nearest) continue;
        best = m;
        nearest = off;
    }
    return best;
}

static void give_shape(struct account_training *t) {
    const struct account_model *m = memo_scenario_shape(t->params);
    uint64_t params = t->params;
    if (t->model || !m) return;
    account_set(t, "model", m->name, NULL);
    t->params = params;
}

bool memo_scenario_read(const char *line, struct memo_scenario *out, struct base_message *m) {
    static const char label[] = "scenario:";
    *out = memo_scenario_blank();
    if (strncasecmp(line, label, sizeof label - 1) == 0) line += sizeof label - 1;
    return memo_fields_read(line, "the line", out, m) && memo_scenario_settle(out, m);
}

bool memo_scenario_settle(struct memo_scenario *s, struct base_message *m) {
    struct account_training *t = &s->training;
    struct account_error e = {0};
    if (t->params == 0)
        return base_fail(m, "no model is named: write a count like \"13e9 parameters\", "
                            "or a name like \"Llama 2 13B\"");
    if (t->gpus == 0)
        return base_fail(m, "no GPUs are named: write for example \"8 × A100 80 GB\"");
    give_shape(t);
    account_assume_node(t);
    if (t->gpus_per_node > t->gpus) t->gpus_per_node = 0;
    if (t->card) s->card_bytes = account_card_bytes(t->card);
    if (t->batch == 0) t->batch = 1;
    if (t->seq == 0) t->seq = t->shape.context ? t->shape.context : 2048;
    if (t->seq > 8192 && t->model && t->seq == t->shape.context) t->seq = 8192;
    if (!t->model && t->shape.layers == 0) t->batch = t->seq = 0;
    uint64_t round = (uint64_t)t->batch * account_data_parallel(t);
    if (s->global_batch && round) {
        uint64_t times = s->global_batch / round;
        t->accumulate = times < 1 ? 1 : times > 1000000 ? 1000000 : (uint32_t)times;
    }
    struct account_training own = *t;
    for (own.stage = t->stage; own.stage < 3 && !account_has_stage(&own, own.stage);) own.stage++;
    return account_check(&own, &e) || base_fail(m, "%s", e.what);
}

static void pin(struct account_question *q, const char *name) {
    size_t count;
    const struct account_field *field = account_fields(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(field[i].name, name) == 0) q->pinned |= 1ull << i;
}

void memo_scenario_question(const struct memo_scenario *s, struct account_question *out) {
    static const char *const settled[] = {"tp", "pp", "cp", "shard_group", "seq"};
    *out = (struct account_question){.training = s->training, .global_batch = s->global_batch};
    for (size_t i = 0; i < BASE_COUNT(settled); i++) pin(out, settled[i]);
    if (s->no_host) pin(out, "offload_optimizer"), pin(out, "offload_params");
    out->host_bytes = s->host_bytes;
    out->nvme_bytes = s->nvme_bytes;
    if (s->no_nvme) out->nvme_bytes = 1; /* 0 would be the catalogue's */
    if (s->global_batch) return;
    pin(out, "batch");
    pin(out, "accumulate");
}
