/* export_html_figure: blocks of HTML in which columns matter: figures as SVG, workings, source. */
#include "command/export_html.h"

#include <stdlib.h>

enum { COLUMNS = 78, COLUMNS_OF_SCENE = 54, FORMULA_FITS = 44 };

static void draw(struct html *w, const json_t *spec, int columns) {
    struct paper *p = paper_new(columns, false);
    if (!paper_figure(p, (struct paper_flow){.width = columns}, spec, w->m)) w->failed = true;
    html_put(w, "<figure>");
    char *svg = paper_to_svg(p, PAPER_LIGHT, html_text(spec, "kind"));
    html_put(w, svg);
    free(svg);
    html_put(w, "</figure>\n");
    paper_free(p);
}

void html_figure(struct html *w, const json_t *b) {
    draw(w, json_object_get(b, "figure"), COLUMNS);
}

void html_scenes(struct html *w, const json_t *b) {
    size_t i;
    const json_t *figure;
    html_put(w, "<div class=\"scenes\">\n");
    json_array_foreach(json_object_get(b, "figures"), i, figure) draw(w, figure, COLUMNS_OF_SCENE);
    html_put(w, "</div>\n");
}

static void put_cell(struct html *w, const char *kind, const char *text) {
    base_text_printf(&w->out, "<td class=\"%s\">", kind);
    html_plain(w, text);
    html_put(w, "</td>");
}

static void put_row(struct html *w, const json_t *row, bool answer) {
    const char *formula = html_text(row, "formula");
    bool blank = base_json_bool(row, "blank", false);
    base_text_printf(&w->out, "<tr%s>", answer ? " class=\"answer\"" : "");
    put_cell(w, "label", html_text(row, "label"));
    put_cell(w, base_width(formula) > FORMULA_FITS ? "formula long" : "formula", formula);
    html_put(
        w, blank ? "<td>=</td><td colspan=\"2\" class=\"digits\"><span class=\"blank\"></span></td>"
                 : "<td>=</td>");
    if (!blank) put_cell(w, "digits", html_text(row, "whole"));
    if (!blank) put_cell(w, "fraction", html_text(row, "fraction"));
    put_cell(w, "unit", html_text(row, "unit"));
    html_put(w, "<td class=\"note\">");
    html_words(w, html_text(row, "note"));
    html_put(w, "</td></tr>\n");
}

void html_working(struct html *w, const json_t *b) {
    const json_t *rows = json_object_get(b, "rows"), *row;
    size_t i, n = json_array_size(rows);
    html_put(w, "<table class=\"working\">\n");
    json_array_foreach(rows, i, row) put_row(w, row, n > 1 && i + 1 == n);
    html_put(w, "</table>\n");
}

static bool is_told(const json_t *notes, int64_t line) {
    size_t i;
    const json_t *note;
    json_array_foreach(notes, i, note) if (line >= base_json_int(note, "from", 0) &&
                                           line <= base_json_int(note, "to", 0)) return true;
    return false;
}

static void put_lines(struct html *w, const json_t *listing) {
    int64_t first = base_json_int(listing, "first", 1);
    const json_t *line, *notes = json_object_get(listing, "notes");
    size_t i;
    html_put(w, "<pre class=\"listing\">");
    json_array_foreach(json_object_get(listing, "lines"), i, line) {
        base_text_printf(&w->out, "<span%s><b>%lld</b>",
                         is_told(notes, (int64_t)i + 1) ? " class=\"told\"" : "",
                         (long long)(first + (int64_t)i));
        html_plain(w, json_string_value(line));
        html_put(w, "</span>");
    }
    html_put(w, "</pre>\n");
}

void html_listing(struct html *w, const json_t *b) {
    const json_t *listing = json_object_get(b, "listing"), *note;
    int64_t first = base_json_int(listing, "first", 1), from, to;
    size_t i;
    html_put(w, "<p class=\"quiet\"><code>");
    html_plain(w, html_text(listing, "file"));
    html_put(w, "</code></p>\n");
    put_lines(w, listing);
    html_put(w, "<ul class=\"notes\">\n");
    json_array_foreach(json_object_get(listing, "notes"), i, note) {
        from = first + base_json_int(note, "from", 1) - 1;
        to = first + base_json_int(note, "to", 1) - 1;
        base_text_printf(&w->out, "<li><b>%lld", (long long)from);
        if (to > from) base_text_printf(&w->out, "–%lld", (long long)to);
        html_put(w, "</b>");
        html_words(w, html_text(note, "text"));
        html_put(w, "</li>\n");
    }
    html_put(w, "</ul>\n");
}
