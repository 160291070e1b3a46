/* export_block: the kinds of blocks, as data. */
#include "command/export.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void command_export_book_open(struct export_book *b, uint64_t seed) {
    *b = (struct export_book){.body = json_array(), .answers = json_array()};
    b->colophon = base_format("zerotutor %s · numbers of seed %llu", command_version,
                              (unsigned long long)seed);
}

void command_export_book_free(struct export_book *b) {
    free(b->title);
    free(b->about);
    free(b->colophon);
    json_decref(b->body);
    json_decref(b->answers);
}

static void add_words(json_t *to, const char *is, const char *text) {
    json_array_append_new(to, json_pack("{ss ss}", "is", is, "text", text));
}

void command_export_heading(json_t *to, const char *text) {
    add_words(to, "heading", text);
}

void command_export_text(json_t *to, const char *markdown) {
    if (markdown) add_words(to, "text", markdown);
}

void command_export_quiet(json_t *to, const char *markdown) {
    if (markdown) add_words(to, "quiet", markdown);
}

void command_export_format(json_t *to, const char *format, ...) {
    char *text;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0) text = base_dup("");
    va_end(list);
    command_export_text(to, text);
    free(text);
}

void command_export_figure(json_t *to, const json_t *spec) {
    if (spec) json_array_append_new(to, json_pack("{ss sO}", "is", "figure", "figure", spec));
}

static json_t *add_whole(json_t *to, bool lead) {
    json_t *blocks = json_array();
    json_array_append_new(to,
                          json_pack("{ss so sb}", "is", "whole", "blocks", blocks, "lead", lead));
    return blocks;
}

json_t *command_export_whole(json_t *to) {
    return add_whole(to, false);
}

json_t *command_export_lead(json_t *to) {
    return add_whole(to, true);
}

void command_export_scenes(json_t *to, json_t *figures) {
    json_array_append_new(to, json_pack("{ss so}", "is", "scenes", "figures", figures));
}

void command_export_choices(json_t *to, json_t *items) {
    json_array_append_new(to, json_pack("{ss so}", "is", "choices", "items", items));
}

void command_export_order(json_t *to, json_t *items) {
    json_array_append_new(to, json_pack("{ss so}", "is", "order", "items", items));
}

void command_export_sort(json_t *to, json_t *items, const json_t *bins) {
    json_array_append_new(to, json_pack("{ss so sO}", "is", "sort", "items", items, "bins", bins));
}

void command_export_space(json_t *to, int lines, const char *unit) {
    json_array_append_new(to,
                          json_pack("{ss si ss*}", "is", "space", "lines", lines, "unit", unit));
}

void command_export_pairs(json_t *to, json_t *pairs) {
    json_array_append_new(to, json_pack("{ss so}", "is", "pairs", "pairs", pairs));
}

/* ── workings ──────────────────────────────────────────────────────────────────────────────────*/
enum { DIGITS = 4 };

static bool names(const json_t *ids, const char *id) {
    size_t i;
    const json_t *each;
    json_array_foreach(ids, i, each) {
        if (strcmp(json_string_value(each), id) == 0) return true;
    }
    return false;
}

static bool names_any(const json_t *ids, const struct account_solution *s) {
    for (size_t i = 0; i < s->lines; i++)
        if (names(ids, s->line[i].id)) return true;
    return false;
}

const char *command_export_unit(const struct account_solution *s, enum account_unit unit) {
    bool shard = s->lines > 0 && strcmp(s->line[0].id, "size") == 0;
    return shard && unit == ACCOUNT_UNIT_PARAMS ? "elements" : account_unit_name(unit);
}

/* "31.4 GB" in its parts, so that points can stand under each other. A blank line shows neither how
 * nor how much, as in the tutor. */
static json_t *working_row(const struct account_solution *s, size_t i, const json_t *notes,
                           bool blank) {
    const struct account_line *l = &s->line[i];
    char value[64];
    account_print(value, sizeof value, l->value, l->unit, DIGITS);
    size_t whole = strcspn(value, ". "), digits = strcspn(value, " ");
    return json_pack("{ss ss ss# ss# ss ss* sb}", "label", l->label, "formula",
                     blank ? "" : l->formula, "whole", value, blank ? 0 : (int)whole, "fraction",
                     value + whole, blank ? 0 : (int)(digits - whole), "unit",
                     command_export_unit(s, l->unit), "note", base_json_text(notes, l->id, NULL),
                     "blank", blank);
}

void command_export_working(json_t *to, const struct account_solution *s, const json_t *notes,
                            const json_t *blank) {
    json_t *rows = json_array();
    bool all = blank && !names_any(blank, s);
    for (size_t i = 0; i < s->lines; i++)
        json_array_append_new(rows, working_row(s, i, notes, all || names(blank, s->line[i].id)));
    json_array_append_new(to, json_pack("{ss so}", "is", "working", "rows", rows));
}

/* ── source ────────────────────────────────────────────────────────────────────────────────────*/
static json_int_t number(const json_t *object, const char *name) {
    return base_json_int(object, name, 1);
}

static bool is_told(const json_t *notes, json_int_t line) {
    size_t i;
    const json_t *note;
    json_array_foreach(notes, i, note) {
        if (line >= number(note, "from") && line <= number(note, "to")) return true;
    }
    return false;
}

/* "83", "85–86": lines of the file, not of what is shown. */
static json_t *note_row(const json_t *note, json_int_t before) {
    json_int_t from = number(note, "from") + before, to = number(note, "to") + before;
    char *at = to > from ? base_format("%" JSON_INTEGER_FORMAT "–%" JSON_INTEGER_FORMAT, from, to)
                         : base_format("%" JSON_INTEGER_FORMAT, from);
    json_t *row = json_pack("{ss ss}", "at", at, "text", base_json_text(note, "text", ""));
    free(at);
    return row;
}

void command_export_listing(json_t *to, const json_t *spec) {
    json_t *lines = json_array(), *notes = json_array(), *each;
    json_int_t before = number(spec, "first") - 1;
    const json_t *told = json_object_get(spec, "notes");
    size_t i;
    json_array_foreach(json_object_get(spec, "lines"), i, each) {
        json_int_t line = (json_int_t)i + 1;
        json_array_append_new(lines, json_pack("{sI sO sb}", "number", line + before, "text", each,
                                               "told", is_told(told, line)));
    }
    json_array_foreach(told, i, each) {
        json_array_append_new(notes, note_row(each, before));
    }
    json_array_append_new(to, json_pack("{ss ss so so}", "is", "listing", "file",
                                        base_json_text(spec, "file", ""), "lines", lines, "notes",
                                        notes));
}
