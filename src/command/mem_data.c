/* mem_data: mem's answer for programs. */
#include "command/mem.h"

#include <inttypes.h>

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

/* The peak's own categories beside its total: they are what lives then. */
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

json_t *command_mem_json(const struct mem *m) {
    char recipe[NAME_MOST];
    json_t *stages = json_array();
    for (size_t i = 0; i < m->stages; i++) json_array_append_new(stages, stage_json(&m->stage[i]));
    json_t *json = json_pack("{so si ss? so so so}", "params", bytes_json(m->asked.params), "world",
                             (int)m->asked.gpus, "recipe",
                             account_get(&m->asked, "recipe", recipe, sizeof recipe), "training",
                             command_asked_json(&m->asked), "budget",
                             m->budget ? bytes_json(m->budget) : json_null(), "stages", stages);
    const struct account_card *card = m->asked.card;
    if (card)
        json_object_set_new(json, "budget_from",
                            json_string(account_reporter_name(account_card_reporter(card))));
    command_asked_add_notes(&m->from, json);
    return json;
}

void command_mem_csv(const struct mem *m, FILE *out) {
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
        command_asked_csv(command_mem_peak(s)->where, out);
        fprintf(out, ",%s\n", s->fits ? s->fits : "");
    }
}
