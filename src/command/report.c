/* What the answers of commands share: headings, numbers, small print, sources, CSV, tables. */
#include "command/report.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 4, VALUE_MOST = 64, PROSE = 80 };

/* ── numbers ───────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    double least;
    enum account_unit unit;
} scales[] = {
    {1e15, ACCOUNT_UNIT_TB}, {1e9, ACCOUNT_UNIT_GB}, {1e6, ACCOUNT_UNIT_MB},
    {1e3, ACCOUNT_UNIT_KB},  {0, ACCOUNT_UNIT_B},
};

enum account_unit command_report_unit(double most) {
    size_t s = 0;
    while (most < scales[s].least) s++;
    return scales[s].unit;
}

const char *command_report_number(char out[static REPORT_UNIT_MOST], double bytes,
                                  enum account_unit unit) {
    account_print(out, REPORT_UNIT_MOST, bytes, unit, DIGITS);
    out[strcspn(out, " ")] = '\0'; /* the unit stands in the head */
    return out;
}

const char *command_report_seconds(char out[static REPORT_UNIT_MOST], double seconds) {
    static const struct {
        double least, scale;
        const char *unit;
    } units[] = {
        {1, 1, "s"},
        {1e-3, 1e3, "ms"},
        {1e-9, 1e6, "us"},
        {0, 0, "s"},
    };
    size_t u = 0;
    *out = '\0';
    if (!(seconds >= 0)) return out;
    while (seconds < units[u].least) u++;
    double value = seconds * units[u].scale;
    int digits = value >= 99.95 || value == 0 ? 0 : value >= 9.995 ? 1 : 2;
    snprintf(out, REPORT_UNIT_MOST, "%.*f %s", digits, value, units[u].unit);
    return out;
}

/* ── the training ──────────────────────────────────────────────────────────────────────────────*/
static const char *field(const struct account_training *t, const char *name,
                         char out[static VALUE_MOST]) {
    return account_get(t, name, out, VALUE_MOST) ? out : "";
}

/* "Llama 2 13B, 13.02B parameters on 16 GPUs, 8 per node" */
static char *title(const struct account_training *t) {
    char count[REPORT_UNIT_MOST], gpus[REPORT_UNIT_MOST] = "one GPU";
    char *node = t->gpus_per_node && t->gpus_per_node < t->gpus
                     ? base_format(", %u per node", t->gpus_per_node)
                     : base_dup("");
    account_print_count(count, sizeof count, (double)t->params);
    if (t->gpus > 1) snprintf(gpus, sizeof gpus, "%u GPUs", t->gpus);
    char *text = base_format("%s%s%s parameters on %s%s", t->model ? t->model->title : "",
                             t->model ? ", " : "", count, gpus, node);
    free(node);
    return text;
}

/* Fields that the title says, or that stand in front of the second line. */
static bool is_said(const char *name) {
    static const char *const said[] = {"model", "params", "gpus",      "gpus_per_node",
                                       "gpu",   "stage",  "precision", "optimizer"};
    for (size_t i = 0; i < BASE_COUNT(said); i++)
        if (strcmp(said[i], name) == 0) return true;
    return false;
}

/* "mixed-bf16, adamw", and every other field that is not as by default. */
static char *details(const struct account_training *t) {
    char a[VALUE_MOST], b[VALUE_MOST];
    struct base_text text = {0};
    size_t fields;
    const struct account_field *f = account_fields(&fields);
    base_text_printf(&text, "%s, %s", field(t, "precision", a), field(t, "optimizer", b));
    for (size_t i = 0; i < fields; i++)
        if (!is_said(f[i].name) && !account_is_default(t, f[i].name))
            base_text_printf(&text, ", %s %s", f[i].label, field(t, f[i].name, a));
    return base_text_take(&text);
}

/* Prose: never to the very edge, nor wider than is read well. */
static struct page_flow prose(const struct page *p, unsigned role) {
    int width = page_width(p) < PROSE ? page_width(p) : PROSE;
    return (struct page_flow){.indent = 1, .width = width - 2, .role = role};
}

void command_report_heading(const struct account_training *t, const char *about, struct page *p) {
    char *first = title(t), *rest = details(t), *second = base_format("%s: %s", rest, about);
    page_text(p, prose(p, PAGE_TITLE), first);
    page_text(p, prose(p, PAGE_DIM), second);
    page_blank(p, 1);
    free(second);
    free(rest);
    free(first);
}

json_t *command_report_json(const struct account_training *t) {
    size_t fields;
    char value[VALUE_MOST];
    const struct account_field *f = account_fields(&fields);
    json_t *json = json_object();
    for (size_t i = 0; i < fields; i++)
        if (!account_is_default(t, f[i].name) && *field(t, f[i].name, value))
            json_object_set_new(json, f[i].name, json_string(value));
    return json;
}

/* ── small print and CSV ───────────────────────────────────────────────────────────────────────*/
void command_report_note(struct page *p, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    page_text(p, prose(p, PAGE_DIM), text);
}

/* The recipe's row: what it is and who says so. */
static bool find_recipe(const char *name, struct account_row *out) {
    enum { MOST = 32 };
    struct account_row row[MOST];
    size_t n = account_recipes_list(row, MOST);
    for (size_t i = 0; i < n && i < MOST; i++)
        if (strcmp(row[i].name, name) == 0) return *out = row[i], true;
    return false;
}

void command_report_convention(const struct account_training *t, struct page *p) {
    char name[VALUE_MOST];
    struct account_row row;
    if (find_recipe(field(t, "recipe", name), &row))
        command_report_note(p, "Recipe %s: %s. 1 GB is 1e9 bytes.", row.name, row.what);
}

void command_report_efficiency(const struct account_training *t, struct page *p) {
    command_report_note(
        p, "Computation is calculated at %g of the card's 16-bit arithmetic (--efficiency).",
        t->efficiency);
}

void command_report_source(const char *what, const char *source, struct page *p) {
    if (!what || !source || !*source) return;
    char *text = base_format("%s: %s", what, source);
    page_text(p, (struct page_flow){.indent = 3, .role = PAGE_DIM}, text);
    free(text);
}

void command_report_sources(const struct account_training *t, struct page *p) {
    char name[VALUE_MOST];
    struct account_row row;
    page_blank(p, 1);
    page_put(p, page_height(p), 1, PAGE_STRONG, 0, "sources");
    if (find_recipe(field(t, "recipe", name), &row)) command_report_source(row.name, row.source, p);
    if (t->model) command_report_source(t->model->title, t->model->source, p);
    if (t->card) command_report_source(t->card->title, t->card->source, p);
}

void command_report_csv(const char *text, FILE *out) {
    bool quoted = strpbrk(text, ",\"\n") != NULL;
    if (quoted) fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    if (quoted) fputc('"', out);
}

/* ── tables ────────────────────────────────────────────────────────────────────────────────────*/
enum { GAP = 2 };

static void add(struct grid *g, char *text) {
    g->cell = base_grow(g->cell, g->n + 1, sizeof *g->cell);
    g->cell[g->n++] = text;
}

void command_grid_head(struct grid *g, const char *name, char align) {
    assert(g->columns < GRID_COLUMNS && g->n == g->columns);
    g->align[g->columns++] = align;
    add(g, base_dup(name));
}

void command_grid_put(struct grid *g, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    add(g, base_dup(text));
}

void command_grid_bytes(struct grid *g, double bytes, enum account_unit unit) {
    char text[REPORT_UNIT_MOST];
    add(g, base_dup(command_report_number(text, bytes, unit)));
}

void command_grid_seconds(struct grid *g, double seconds) {
    char text[REPORT_UNIT_MOST];
    add(g, base_dup(command_report_seconds(text, seconds)));
}

/* A number's parts: cells before its point, from the point on, and of what follows. */
static int point_of(const char *text) {
    return (int)strcspn(text, ". ");
}

static int column_width(const struct grid *g, size_t column, const struct page *p) {
    int widest = 0, before = 0, after = 0;
    for (size_t i = column; i < g->n; i += g->columns) {
        int width = page_measure(p, g->cell[i]), point = point_of(g->cell[i]);
        if (width > widest) widest = width;
        if (i < g->columns) continue;
        if (point > before) before = point;
        if (width - point > after) after = width - point;
    }
    bool decimal = g->align[column] == 'd';
    return decimal && before + after > widest ? before + after : widest;
}

int command_grid_width(const struct grid *g, const struct page *p) {
    int width = -GAP;
    for (size_t c = 0; c < g->columns; c++) width += column_width(g, c, p) + GAP;
    return width;
}

void command_grid_draw(struct grid *g, struct page *p) {
    assert(g->columns && g->n % g->columns == 0);
    struct page_flow f = {.indent = 1, .width = page_width(p) - 2};
    enum account_unit unit;
    if (page_spoken(p) && *g->cell[0] && account_unit_find(g->cell[0], &unit)) {
        char *all = base_format("All in %s:", g->cell[0]); /* a corner is not said */
        page_text(p, f, all);
        free(all);
    }
    page_table(p, f, (const char *const *)g->cell, g->n / g->columns, g->columns, g->align, true);
    page_blank(p, 1);
    command_grid_free(g);
}

void command_grid_free(struct grid *g) {
    for (size_t i = 0; i < g->n; i++) free(g->cell[i]);
    free(g->cell);
    *g = (struct grid){0};
}
