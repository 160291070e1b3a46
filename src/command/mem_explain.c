/* command_mem_explain: the working behind each total, as the engine solves it, and the sources. */
#include "command/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_MOST = 32 };

/* What a step's activations are made of; the same under every stage. */
static bool put_activations(const struct account_training *t, struct page *p,
                            struct account_error *e) {
    struct account_activations a;
    if (!t->batch || !t->seq) return true;
    if (!account_activations(t, &a, e)) return false;
    const struct {
        const char *what;
        uint64_t bytes;
    } lines[] = {
        {"saved by one layer, nothing recomputed", a.layer    },
        {"by one layer as checkpointed",           a.kept     },
        {"by all layers, micro-batches in flight", a.layers   },
        {"one layer recomputed, while it works",   a.working  },
        {"before the first layer",                 a.embedding},
        {"final norm and the head's input",        a.head     },
        {"logits and their loss",                  a.logits   },
    };
    const char *cell[BASE_COUNT(lines) * 2];
    char value[BASE_COUNT(lines)][VALUE_MOST];
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        cell[2 * i] = lines[i].what;
        cell[2 * i + 1] = account_print_bytes(value[i], VALUE_MOST, (double)lines[i].bytes);
    }
    page_blank(p, 1);
    page_put(p, page_height(p), 1, PAGE_STRONG, 0, "activations");
    page_table(p, (struct page_flow){.indent = 3}, cell, BASE_COUNT(lines), 2, "lr", false);
    return true;
}

static bool put_memory(const struct account_training *t, const struct account_memory *m,
                       enum account_unit unit, struct page *p, struct account_error *e) {
    struct mem_working w;
    if (!command_mem_work(t, m, unit, &w, e)) return false;
    command_mem_put_working(&w, unit, p);
    if (m->gpu.padding)
        page_printf(p, page_height(p), 3, PAGE_DIM, "%" PRIu64 " B of it pad the last shards",
                    m->gpu.padding);
    if (m->phase[m->peak].ledger.total == m->gpu.total) return true;
    page_printf(p, page_height(p), 3, PAGE_PLAIN, "at the peak, %s:", m->phase[m->peak].where);
    command_mem_work_peak(t, m, unit, &w);
    command_mem_put_working(&w, unit, p);
    return true;
}

static bool put_stage(const struct mem *m, const struct mem_stage *s, struct page *p,
                      struct account_error *e) {
    page_blank(p, 1);
    page_printf(p, page_height(p), 1, PAGE_STRONG, "stage %u", s->training.stage);
    return put_memory(&s->training, &s->memory, command_mem_unit(m), p, e);
}

bool command_mem_explain_one(const struct account_training *t, const char *head, struct page *p,
                             struct account_error *e) {
    struct account_memory m;
    if (!account_memory(t, &m, e)) return false;
    page_blank(p, 1);
    page_put(p, page_height(p), 1, PAGE_STRONG, 0, head);
    return put_memory(t, &m, command_asked_unit((double)m.gpu.total), p, e);
}

/* The one combination whose bytes the paper itself counts. */
static bool is_mixed_adam(const struct account_training *t) {
    char precision[32] = "", optimizer[32] = "";
    account_get(t, "precision", precision, sizeof precision);
    account_get(t, "optimizer", optimizer, sizeof optimizer);
    return strncmp(precision, "mixed", 5) == 0 && strcmp(optimizer, "adamw") == 0;
}

static void put_sources(const struct account_training *t, struct page *p) {
    command_asked_sources(t, p);
    command_asked_source("what each stage shards", "ZeRO, arXiv:1910.02054, section 5 and figure 1",
                         p);
    if (is_mixed_adam(t)) command_asked_source("bytes per parameter", "the same, section 3.1", p);
    if (t->batch && t->seq)
        command_asked_source("activations", "Korthikanti et al., arXiv:2205.05198, section 4", p);
    struct account_memory_part part[ACCOUNT_MEMORY_PARTS];
    size_t n = account_memory_parts(t, NULL, part);
    for (size_t i = 0; i < n; i++)
        if (part[i].category == ACCOUNT_FRAMEWORK)
            command_asked_source(part[i].what, part[i].source, p);
}

bool command_mem_explain(const struct mem *m, struct page *p, struct account_error *e) {
    for (size_t i = 0; i < m->stages; i++)
        if (!put_stage(m, &m->stage[i], p, e)) return false;
    if (!put_activations(&m->asked, p, e)) return false;
    put_sources(&m->asked, p);
    return true;
}

bool command_mem_add_working(const struct mem *m, json_t *json, struct account_error *e) {
    json_t *stages = json_object_get(json, "stages");
    struct mem_working w;
    for (size_t i = 0; i < m->stages; i++) {
        const struct mem_stage *s = &m->stage[i];
        json_t *stage = json_array_get(stages, i);
        if (!command_mem_work(&s->training, &s->memory, command_mem_unit(m), &w, e)) return false;
        json_object_set_new(stage, "working", command_mem_working_json(&w));
        command_mem_work_peak(&s->training, &s->memory, command_mem_unit(m), &w);
        json_object_set_new(stage, "peak_working", command_mem_working_json(&w));
    }
    return true;
}
