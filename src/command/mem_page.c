/* mem_page: mem's answer for people: a heading, a table, bars to one scale, and the working. */
#include "command/mem.h"

#include <stdlib.h>
#include <string.h>

enum { NARROW = 60, DIGITS = 4, NUMBER_MOST = 24, SHOWN = 4 };

/* Model states only: what else lives on a GPU is not asked for yet. */
static const enum account_category shown[SHOWN] = {ACCOUNT_PARAMS, ACCOUNT_GRADS, ACCOUNT_MASTER,
                                                   ACCOUNT_MOMENTS};

/* ── heading ─────────────────────────────────────────────────────────────────────────────────────*/
static const char *field(const struct account_training *t, const char *name, char out[static 64]) {
    return account_get(t, name, out, 64) ? out : "";
}

/* "Llama 2 13B, 13.02B parameters on 8 GPUs" */
static char *title(const struct account_training *t) {
    char count[NUMBER_MOST], gpus[NUMBER_MOST] = "one GPU";
    account_print_count(count, sizeof count, (double)t->params);
    if (t->gpus > 1) snprintf(gpus, sizeof gpus, "%u GPUs", t->gpus);
    return base_format("%s%s%s parameters on %s", t->model ? t->model->title : "",
                       t->model ? ", " : "", count, gpus);
}

static void put_heading(const struct mem *m, struct paper *p) {
    const struct account_training *t = &m->asked;
    char precision[64], optimizer[64], recipe[64], *first = title(t);
    char *second = base_format("%s, %s, recipe %s: what each GPU keeps between steps",
                               field(t, "precision", precision), field(t, "optimizer", optimizer),
                               field(t, "recipe", recipe));
    paper_text(p, (struct paper_flow){.indent = 1, .role = PAPER_TITLE}, first);
    paper_text(p, (struct paper_flow){.indent = 1, .role = PAPER_DIM}, second);
    paper_blank(p, 1);
    free(second);
    free(first);
}

/* ── table ───────────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    uint64_t least;
    enum account_unit unit;
} scales[] = {
    {1000000000000000, ACCOUNT_UNIT_TB},
    {1000000000,       ACCOUNT_UNIT_GB},
    {1000000,          ACCOUNT_UNIT_MB},
    {1000,             ACCOUNT_UNIT_KB},
    {0,                ACCOUNT_UNIT_B },
};

/* One unit for the whole table, so that its numbers compare by eye. */
enum account_unit mem_unit(const struct mem *m) {
    uint64_t most = 0;
    for (size_t i = 0; i < m->stages; i++)
        if (m->stage[i].ledger.total > most) most = m->stage[i].ledger.total;
    size_t s = 0;
    while (most < scales[s].least) s++;
    return scales[s].unit;
}

static void print_number(char out[static NUMBER_MOST], uint64_t bytes, enum account_unit unit) {
    account_print(out, NUMBER_MOST, (double)bytes, unit, DIGITS);
    out[strcspn(out, " ")] = '\0'; /* the unit stands in the head */
}

/* A table is as many columns as find room: the stage, the categories (left out on a narrow page, where the bars tell
 * of them), the total, and what fits if a card was named. */
struct table {
    char text[MEM_STAGES + 1][SHOWN + 3][NUMBER_MOST];
    const char *cell[(MEM_STAGES + 1) * (SHOWN + 3)];
    size_t categories, columns;
};

static void fill_head(struct table *t, enum account_unit unit) {
    snprintf(t->text[0][0], NUMBER_MOST, "%s", account_unit_name(unit));
    for (size_t c = 0; c < t->categories; c++)
        snprintf(t->text[0][c + 1], NUMBER_MOST, "%s", account_category_name(shown[c]));
    snprintf(t->text[0][t->categories + 1], NUMBER_MOST, "total");
    snprintf(t->text[0][t->categories + 2], NUMBER_MOST, "fits");
}

static void fill_row(struct table *t, size_t row, const struct mem_stage *s,
                     enum account_unit unit) {
    snprintf(t->text[row][0], NUMBER_MOST, "stage %u", s->training.stage);
    for (size_t c = 0; c < t->categories; c++)
        print_number(t->text[row][c + 1], s->ledger.bytes[shown[c]], unit);
    print_number(t->text[row][t->categories + 1], s->ledger.total, unit);
    snprintf(t->text[row][t->categories + 2], NUMBER_MOST, "%s", s->fits ? s->fits : "");
}

static void put_table(const struct mem *m, struct paper *p) {
    enum account_unit unit = mem_unit(m);
    bool narrow = paper_width(p) < NARROW;
    struct table t = {.categories = narrow ? 0 : SHOWN};
    t.columns = t.categories + 2 + (m->asked.card != NULL);
    fill_head(&t, unit);
    for (size_t i = 0; i < m->stages; i++) fill_row(&t, i + 1, &m->stage[i], unit);
    for (size_t r = 0; r <= m->stages; r++)
        for (size_t c = 0; c < t.columns; c++) t.cell[r * t.columns + c] = t.text[r][c];
    paper_table(p, (struct paper_flow){.indent = 1}, t.cell, m->stages + 1, t.columns,
                narrow ? "ldl" : "ldddddl", true);
    paper_blank(p, 1);
}

/* ── bars ────────────────────────────────────────────────────────────────────────────────────────*/
/* The fields as JSON that reads back as the same training; the model comes first, since it sets what others override. */
static json_t *training_json(const struct account_training *t) {
    size_t fields;
    const struct account_field *f = account_fields(&fields);
    json_t *json = json_object();
    char value[64];
    if (*field(t, "model", value)) json_object_set_new(json, "model", json_string(value));
    for (size_t i = 0; i < fields; i++)
        if (*field(t, f[i].name, value)) json_object_set_new(json, f[i].name, json_string(value));
    return json;
}

static json_t *bars_json(const struct mem *m) {
    json_t *bars = json_array();
    for (size_t i = 0; i < m->stages; i++) {
        const struct account_training *t = &m->stage[i].training;
        char label[NUMBER_MOST];
        snprintf(label, sizeof label, "stage %u", t->stage);
        json_array_append_new(bars,
                              json_pack("{ss so}", "label", label, "training", training_json(t)));
    }
    const struct account_card *card = m->asked.card;
    return json_pack("{ss so ss? ss sb}", "kind", "stack", "bars", bars, "limit",
                     card ? card->name : NULL, "unit", account_unit_name(mem_unit(m)), "legend",
                     true);
}

static void put_bars(const struct mem *m, struct paper *p) {
    struct base_message problem = {0};
    json_t *spec = bars_json(m);
    struct paper_flow f = {.indent = 1, .width = paper_width(p) - 2};
    if (!paper_figure(p, f, spec, &problem)) paper_text(p, f, problem.what);
    json_decref(spec);
    paper_blank(p, 1);
}

/* ── what it means ───────────────────────────────────────────────────────────────────────────────*/
static void put_card(const struct account_card *card, struct paper *p) {
    char bytes[NUMBER_MOST];
    account_print_bytes(bytes, sizeof bytes, (double)mem_budget(card));
    char *text = base_format("Fits: in the %s %s; tight: over 9/10 of it.", bytes,
                             card->usable_bytes ? "that its driver reports" : "of its label");
    paper_text(p, (struct paper_flow){.indent = 1, .role = PAPER_DIM}, text);
    free(text);
}

void mem_page(const struct mem *m, struct paper *p) {
    put_heading(m, p);
    put_table(m, p);
    put_bars(m, p);
    if (m->asked.card) put_card(m->asked.card, p);
    paper_text(p, (struct paper_flow){.indent = 1, .role = PAPER_DIM},
               "Model states only: activations and buffers come on top. 1 GB is 1e9 bytes.");
}
