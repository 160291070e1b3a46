/* The table of the kinds of figures. It knows every kind; no kind calls it. */
#include "page/figure.h"

#include <string.h>

/* What the rows of a figure are. */
enum rows {
    SIGNS,
    /* or cells that are as thick */
    BARS,
    /* it is read as it stands, and not told below its drawing */
    TEXT,
};

static const struct {
    const char *name;
    page_figure_kind *draw, *words;
    enum rows rows;
    /* NULL: it says nothing in prose */
    char *(*script)(const json_t *spec);
} kinds[] = {
    {"stack", page_figure_stack, page_words_stack, BARS, NULL},
    {"ledger", page_figure_ledger, page_words_ledger, BARS, NULL},
    {"piles", page_figure_piles, page_words_piles, BARS, NULL},
    {"amounts", page_figure_amounts, page_words_amounts, BARS, NULL},
    {"table", page_figure_table, page_words_table, TEXT, NULL},
    {"units", page_figure_units, page_words_units, BARS, NULL},
    {"play", page_figure_play, page_words_play, SIGNS, page_script_play},
    {"listing", page_figure_listing, page_words_listing, TEXT, page_script_listing},
    {"owners", page_figure_owners, page_words_owners, BARS, NULL},
    {"flat", page_figure_flat, page_words_flat, BARS, NULL},
    {"timeline", page_figure_timeline, page_words_timeline, SIGNS, NULL},
    {"tower", page_figure_tower, page_words_tower, SIGNS, NULL},
    {"traffic", page_figure_traffic, page_words_traffic, BARS, NULL},
    {"curve", page_figure_curve, page_words_curve, SIGNS, NULL},
    {"roofline", page_figure_roofline, page_words_roofline, BARS, NULL},
    {"mesh", page_figure_mesh, page_words_mesh, SIGNS, NULL},
    {"tiers", page_figure_tiers, page_words_tiers, BARS, NULL},
    {"tree", page_figure_tree, page_words_tree, SIGNS, NULL},
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
        base_fail(m, "the figure has no kind: choose one of %s", all);
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

bool page_figure_moved(struct page *p, struct page_flow f, const json_t *spec, const json_t *was,
                       struct base_message *m) {
    struct page *now = page_sentences(p), *before = page_sentences(p);
    struct page_flow whole = {.width = now->width};
    bool said = page_figure_words(now, whole, spec, m) && page_figure_words(before, whole, was, m);
    if (said) page_tell_new(p, f, now, before);
    page_free(before);
    page_free(now);
    return said;
}

bool page_figure_told(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *m) {
    size_t i = find_kind(spec, m);
    if (i == BASE_COUNT(kinds) || !kinds[i].draw(p, page_flow_fit(p, f), spec, m)) return false;
    if (kinds[i].rows == TEXT) return true;
    struct page *words = page_sentences(p);
    bool said = kinds[i].words(words, (struct page_flow){.width = words->width}, spec, m);
    if (said) page_tell(p, f, words);
    page_free(words);
    return said;
}

char *page_figure_script(const json_t *spec) {
    size_t i = find_kind(spec, NULL);
    return i < BASE_COUNT(kinds) && kinds[i].script ? kinds[i].script(spec) : NULL;
}

bool page_figure_has_bars(const json_t *spec) {
    size_t i = find_kind(spec, NULL);
    return i < BASE_COUNT(kinds) && kinds[i].rows == BARS;
}

bool page_figure_flies(const json_t *spec) {
    return strcmp(base_json_text(spec, "kind", ""), "ledger") == 0 && page_ledger_flies(spec);
}
