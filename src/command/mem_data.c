/* mem_data: mem's answer for programs. */
#include "command/mem.h"

#include <inttypes.h>

static json_t *bytes_json(uint64_t bytes) {
    return json_integer((json_int_t)bytes);
}

static json_t *ledger_json(const struct account_ledger *l) {
    json_t *gpu = json_object();
    for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++)
        json_object_set_new(gpu, account_category_name(c), bytes_json(l->bytes[c]));
    json_object_set_new(gpu, "total", bytes_json(l->total));
    json_object_set_new(gpu, "padding", bytes_json(l->padding));
    return gpu;
}

static json_t *stage_json(const struct mem_stage *s) {
    return json_pack("{si so s{si} s{si} ss?}", "stage", (int)s->training.stage, "gpu",
                     ledger_json(&s->ledger), "host", "total", 0, "nvme", "total", 0, "fits",
                     s->fits);
}

json_t *mem_json(const struct mem *m) {
    char recipe[40];
    json_t *stages = json_array();
    for (size_t i = 0; i < m->stages; i++) json_array_append_new(stages, stage_json(&m->stage[i]));
    return json_pack("{so si ss? so}", "params", bytes_json(m->asked.params), "world",
                     (int)m->asked.gpus, "recipe",
                     account_get(&m->asked, "recipe", recipe, sizeof recipe), "stages", stages);
}

void mem_csv(const struct mem *m, FILE *out) {
    fputs("stage,", out);
    for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++)
        fprintf(out, "%s,", account_category_name(c));
    fputs("total,padding,fits\n", out);
    for (size_t i = 0; i < m->stages; i++) {
        const struct mem_stage *s = &m->stage[i];
        fprintf(out, "%u,", s->training.stage);
        for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++)
            fprintf(out, "%" PRIu64 ",", s->ledger.bytes[c]);
        fprintf(out, "%" PRIu64 ",%" PRIu64 ",%s\n", s->ledger.total, s->ledger.padding,
                s->fits ? s->fits : "");
    }
}
