/* The table of the kinds of figures. It knows every kind; no kind calls it. */
#include "page/figure.h"

#include <string.h>

static const struct {
    const char *name;
    page_figure_kind *draw, *words;
    /* its rows are bars, or cells that are as thick */
    bool bars;
    /* NULL: it says nothing in prose */
    char *(*script)(const json_t *spec);
} kinds[] = {
    {"stack", page_figure_stack, page_words_stack, true, NULL},
    {"ledger", page_figure_ledger, page_words_ledger, true, NULL},
    {"piles", page_figure_piles, page_words_piles, true, NULL},
    {"amounts", page_figure_amounts, page_words_amounts, true, NULL},
    {"table", page_figure_table, page_words_table, false, NULL},
    {"units", page_figure_units, page_words_units, true, NULL},
    {"play", page_figure_play, page_words_play, false, page_script_play},
    {"listing", page_figure_listing, page_words_listing, false, page_script_listing},
    {"owners", page_figure_owners, page_words_owners, true, NULL},
    {"flat", page_figure_flat, page_words_flat, true, NULL},
    {"timeline", page_figure_timeline, page_words_timeline, false, NULL},
    {"tower", page_figure_tower, page_words_tower, false, NULL},
    {"traffic", page_figure_traffic, page_words_traffic, true, NULL},
    {"curve", page_figure_curve, page_words_curve, false, NULL},
    {"roofline", page_figure_roofline, page_words_roofline, true, NULL},
    {"mesh", page_figure_mesh, page_words_mesh, false, NULL},
    {"tiers", page_figure_tiers, page_words_tiers, true, NULL},
    {"tree", page_figure_tree, page_words_tree, false, NULL},
};

/* The kinds, for messages: "stack, ledger, … or tree". */
static void list_kinds(char *out, size_t size) {
    size_t used = 0, last = BASE_COUNT(kinds) - 1;
    for (size_t i = 0; i <= last && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 i == 0      ? ""
                                 : i == last ? " or "
                                             : ", ",
                                 kinds[i].name);
}

/* Its row in the table; BASE_COUNT(kinds) with the message filled if there is none. */
static size_t find_kind(const json_t *spec, struct base_message *m) {
    const char *kind = base_json_text(spec, "kind", NULL);
    char all[200];
    size_t i = 0;
    list_kinds(all, sizeof all);
    while (kind && i < BASE_COUNT(kinds) && strcmp(kind, kinds[i].name) != 0) i++;
    if (!json_is_object(spec))
        base_fail(m, "a figure is an object with a kind, such as {\"kind\":\"units\"}");
    else if (!kind)
        base_fail(m, "the figure has no kind: give it one of %s", all);
    else if (i == BASE_COUNT(kinds))
        base_fail(m, "unknown kind of figure \"%s\": use %s", kind, all);
    return kind ? i : BASE_COUNT(kinds);
}

bool page_figure(struct page *p, struct page_flow f, const json_t *spec, struct base_message *m) {
    size_t i = find_kind(spec, m);
    return i < BASE_COUNT(kinds) && kinds[i].draw(p, page_flow_fit(p, f), spec, m);
}

bool page_figure_words(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m) {
    size_t i = find_kind(spec, m);
    return i < BASE_COUNT(kinds) && kinds[i].words(p, page_flow_fit(p, f), spec, m);
}

char *page_figure_script(const json_t *spec) {
    size_t i = find_kind(spec, NULL);
    return i < BASE_COUNT(kinds) && kinds[i].script ? kinds[i].script(spec) : NULL;
}

bool page_figure_has_bars(const json_t *spec) {
    size_t i = find_kind(spec, NULL);
    return i < BASE_COUNT(kinds) && kinds[i].bars;
}

bool page_figure_flies(const json_t *spec) {
    return strcmp(base_json_text(spec, "kind", ""), "ledger") == 0 && page_ledger_flies(spec);
}
