/* export_html_figure: blocks of HTML in which columns matter: figures as SVG, workings, source. */
#include "command/export_html.h"

#include <stdlib.h>

enum { COLUMNS = 78, COLUMNS_OF_SCENE = 54, FORMULA_FITS = 44 };

static void draw(struct html *w, const json_t *spec, int columns) {
    struct page *p = page_new(columns, false);
    page_set_colours(p, 256);
    if (!page_figure(p, (struct page_flow){.width = columns}, spec, w->m)) w->failed = true;
    command_html_put(w, "<figure>");
    char *svg = page_to_svg(p, PAGE_LIGHT, command_html_text(spec, "kind"));
    command_html_put(w, svg);
    free(svg);
    command_html_put(w, "</figure>\n");
    page_free(p);
}

void command_html_figure(struct html *w, const json_t *b) {
    draw(w, json_object_get(b, "figure"), COLUMNS);
}

void command_html_scenes(struct html *w, const json_t *b) {
    size_t i;
    const json_t *figure;
    command_html_put(w, "<div class=\"scenes\">\n");
    json_array_foreach(json_object_get(b, "figures"), i, figure) {
        draw(w, figure, COLUMNS_OF_SCENE);
    }
    command_html_put(w, "</div>\n");
}

static void put_cell(struct html *w, const char *kind, const char *text) {
    base_text_printf(&w->out, "<td class=\"%s\">", kind);
    command_html_plain(w, text);
    command_html_put(w, "</td>");
}

static void put_row(struct html *w, const json_t *row, bool answer) {
    const char *formula = command_html_text(row, "formula");
    bool blank = base_json_bool(row, "blank", false);
    base_text_printf(&w->out, "<tr%s>", answer ? " class=\"answer\"" : "");
    put_cell(w, "label", command_html_text(row, "label"));
    put_cell(w, base_width(formula) > FORMULA_FITS ? "formula long" : "formula", formula);
    command_html_put(
        w, blank ? "<td>=</td><td colspan=\"2\" class=\"digits\"><span class=\"blank\"></span></td>"
                 : "<td>=</td>");
    if (!blank) put_cell(w, "digits", command_html_text(row, "whole"));
    if (!blank) put_cell(w, "fraction", command_html_text(row, "fraction"));
    put_cell(w, "unit", command_html_text(row, "unit"));
    command_html_put(w, "<td class=\"note\">");
    command_html_words(w, command_html_text(row, "note"));
    command_html_put(w, "</td></tr>\n");
}

void command_html_working(struct html *w, const json_t *b) {
    const json_t *rows = json_object_get(b, "rows"), *row;
    size_t i, n = json_array_size(rows);
    command_html_put(w, "<table class=\"working\">\n");
    json_array_foreach(rows, i, row) {
        put_row(w, row, n > 1 && i + 1 == n);
    }
    command_html_put(w, "</table>\n");
}

static void put_lines(struct html *w, const json_t *lines) {
    const json_t *line;
    size_t i;
    command_html_put(w, "<pre class=\"listing\">");
    json_array_foreach(lines, i, line) {
        bool told = base_json_bool(line, "told", false);
        base_text_printf(&w->out, "<span%s><b>%" JSON_INTEGER_FORMAT "</b>",
                         told ? " class=\"told\"" : "",
                         json_integer_value(json_object_get(line, "number")));
        command_html_plain(w, command_html_text(line, "text"));
        command_html_put(w, "</span>");
    }
    command_html_put(w, "</pre>\n");
}

void command_html_listing(struct html *w, const json_t *b) {
    const json_t *note;
    size_t i;
    command_html_put(w, "<p class=\"quiet\"><code>");
    command_html_plain(w, command_html_text(b, "file"));
    command_html_put(w, "</code></p>\n");
    put_lines(w, json_object_get(b, "lines"));
    command_html_put(w, "<ul class=\"notes\">\n");
    json_array_foreach(json_object_get(b, "notes"), i, note) {
        base_text_printf(&w->out, "<li><b>%s</b>", command_html_text(note, "at"));
        command_html_words(w, command_html_text(note, "text"));
        command_html_put(w, "</li>\n");
    }
    command_html_put(w, "</ul>\n");
}
