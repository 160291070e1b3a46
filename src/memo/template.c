/* A new memo, and the names that go on what is typed in one. */
#include "memo/inside.h"

#include <ctype.h>
#include <string.h>

/* ── a new memo ────────────────────────────────────────────────────────────────────────────────*/
static void put_head(const struct memo_scenario *s, struct base_text *out) {
    struct memo_scenario plain = *s;
    account_set(&plain.training, "recipe", "paper", NULL);
    base_text_puts(out, "# Memo\n\n");
    memo_scenario_write(&plain, out);
    base_text_printf(out, "\nRecipe: %s\nDecision: \n", account_recipe_name(&s->training));
    base_text_puts(out,
                   "<!-- What you choose, such as: stage 2. Then, for example: Alternative full: "
                   "stage 1, full checkpointing -->\n");
}

void memo_new(const struct memo_scenario *s, struct base_text *out) {
    put_head(s, out);
    for (int i = 0; i < MEMO_FIGURES; i++)
        base_text_printf(out, "\n## %s\n\n<!-- %s -->\n", memo_section_title((enum memo_section)i),
                         memo_section_asks((enum memo_section)i));
    base_text_printf(out, "\n## %s\n\n| quantity | configuration | value |\n|:--|:--|--:|\n",
                     memo_section_title(MEMO_FIGURES));
    for (size_t i = 0; i < MEMO_CLAIMS; i++)
        base_text_printf(out, "| %s | decision | |\n", memo_quantity_name(memo_claims[i]));
    base_text_puts(out, "<!-- Say behind the peak in which phase it is. One row more for each "
                        "alternative: the figure that rejects it. "
                        "A figure that is not the engine's: [measured: …], [source: …], [assumed: "
                        "…], [run 12: peak 1.83 GB] -->\n");
}

/* ── names ─────────────────────────────────────────────────────────────────────────────────────*/
static bool goes_on(const char *name, const char *typed, size_t n) {
    return strlen(name) > n && strncasecmp(name, typed, n) == 0;
}

/* The i-th configuration, quantity or field that goes on what is typed. */
static const char *config_name(const struct memo_report *r, const char *typed, size_t n, size_t i) {
    for (size_t k = 0; k < r->configs; k++)
        if ((k < MEMO_FIRST_ALTERNATIVE || r->config[k].line) &&
            goes_on(r->config[k].name, typed, n) && i-- == 0)
            return r->config[k].name;
    return NULL;
}

static const char *quantity_name(const char *typed, size_t n, size_t i) {
    for (size_t q = 0; q < MEMO_Q_S; q++)
        if (goes_on(memo_quantity_name(q), typed, n) && i-- == 0) return memo_quantity_name(q);
    return NULL;
}

/* A field's label, or a value that it takes by name; of the recipe's line that field's alone. */
static const char *field_name(bool recipe, const char *typed, size_t n, size_t i) {
    size_t count;
    const struct account_field *field = account_fields(&count);
    const char *value;
    for (size_t k = 0; k < count; k++) {
        if (recipe && strcmp(field[k].name, "recipe") != 0) continue;
        if (!recipe && goes_on(field[k].label, typed, n) && i-- == 0) return field[k].label;
        for (size_t c = 0; (n || recipe) && field[k].choices && (value = field[k].choices->name(c));
             c++)
            if (goes_on(value, typed, n) && i-- == 0) return value;
    }
    return NULL;
}

static bool begins_head(const char *line) {
    static const char *const labels[] = {"Scenario:", "Recipe:", "Decision:", "Alternative "};
    for (size_t i = 0; i < BASE_COUNT(labels); i++)
        if (strncasecmp(line, labels[i], strlen(labels[i])) == 0) return true;
    return false;
}

const char *memo_complete(const struct memo_report *r, const char *before, size_t i,
                          size_t *typed) {
    const char *end = before + strlen(before), *line = end, *from;
    while (line > before && line[-1] != '\n') line--;
    bool table = *line == '|', head = begins_head(line),
         recipe = tolower((unsigned char)*line) == 'r';
    if (!table && !head) return NULL;
    for (from = end; from > line && !strchr(table ? "|" : ",:", from[-1]);) from--;
    while (*from == ' ') from++;
    /* behind a value, "full chec", the last word alone */
    if (head && !field_name(recipe, from, (size_t)(end - from), 0))
        for (from = end; from[-1] != ' ' && from[-1] != ':';) from--;
    *typed = (size_t)(end - from);
    size_t bars = 0;
    for (const char *c = line; c < from; c++) bars += *c == '|';
    if (head) return field_name(recipe, from, *typed, i);
    return bars == 1   ? quantity_name(from, *typed, i)
           : bars == 2 ? config_name(r, from, *typed, i)
                       : NULL;
}
