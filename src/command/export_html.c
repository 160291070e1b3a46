/* export_html: a book as one HTML page that needs nothing else: styles inside, figures as SVG.
 * Laid out for print. */
#include "command/export.h"

#include <stdlib.h>
#include <string.h>

struct html {
    struct base_text out;
    struct base_message *m;
    /* a figure could not be drawn; the message says why */
    bool failed;
};

/* ── adding ────────────────────────────────────────────────────────────────────────────────────*/
static const char *text_of(const json_t *block, const char *name) {
    return base_json_text(block, name, "");
}

static void put(struct html *w, const char *html) {
    base_text_puts(&w->out, html);
}

static void put_owned(struct html *w, char *html) {
    put(w, html);
    free(html);
}

static void put_plain(struct html *w, const char *text) {
    put_owned(w, page_escape(text));
}

static void put_words(struct html *w, const char *markdown) {
    put_owned(w, page_markdown_to_html(markdown, true));
}

/* ── figures ───────────────────────────────────────────────────────────────────────────────────*/
enum { COLUMNS = 78, COLUMNS_OF_SCENE = 54, FORMULA_FITS = 44 };

static void draw(struct html *w, const json_t *spec, int columns) {
    struct page *p = page_new(columns, false);
    page_set_colours(p, 256);
    if (!page_figure(p, (struct page_flow){.width = columns}, spec, w->m)) w->failed = true;
    put(w, "<figure>");
    char *svg = page_to_svg(p, PAGE_LIGHT, text_of(spec, "kind"));
    put(w, svg);
    free(svg);
    put(w, "</figure>\n");
    page_free(p);
}

static void put_figure(struct html *w, const json_t *b) {
    draw(w, json_object_get(b, "figure"), COLUMNS);
}

static void put_scenes(struct html *w, const json_t *b) {
    size_t i;
    const json_t *figure;
    put(w, "<div class=\"scenes\">\n");
    json_array_foreach(json_object_get(b, "figures"), i, figure) {
        draw(w, figure, COLUMNS_OF_SCENE);
    }
    put(w, "</div>\n");
}

static void put_cell(struct html *w, const char *kind, const char *text) {
    base_text_printf(&w->out, "<td class=\"%s\">", kind);
    put_plain(w, text);
    put(w, "</td>");
}

static void put_row(struct html *w, const json_t *row, bool answer) {
    const char *formula = text_of(row, "formula");
    bool blank = base_json_bool(row, "blank", false);
    base_text_printf(&w->out, "<tr%s>", answer ? " class=\"answer\"" : "");
    put_cell(w, "label", text_of(row, "label"));
    put_cell(w, base_width(formula) > FORMULA_FITS ? "formula long" : "formula", formula);
    put(w, blank ? "<td>=</td><td colspan=\"2\" class=\"digits\"><span class=\"blank\"></span></td>"
                 : "<td>=</td>");
    if (!blank) put_cell(w, "digits", text_of(row, "whole"));
    if (!blank) put_cell(w, "fraction", text_of(row, "fraction"));
    put_cell(w, "unit", text_of(row, "unit"));
    put(w, "<td class=\"note\">");
    put_words(w, text_of(row, "note"));
    put(w, "</td></tr>\n");
}

static void put_working(struct html *w, const json_t *b) {
    const json_t *rows = json_object_get(b, "rows"), *row;
    size_t i, n = json_array_size(rows);
    put(w, "<table class=\"working\">\n");
    json_array_foreach(rows, i, row) {
        put_row(w, row, n > 1 && i + 1 == n);
    }
    put(w, "</table>\n");
}

static void put_lines(struct html *w, const json_t *lines) {
    const json_t *line;
    size_t i;
    put(w, "<pre class=\"listing\">");
    json_array_foreach(lines, i, line) {
        bool told = base_json_bool(line, "told", false);
        base_text_printf(&w->out, "<span%s><b>%" JSON_INTEGER_FORMAT "</b>",
                         told ? " class=\"told\"" : "",
                         json_integer_value(json_object_get(line, "number")));
        put_plain(w, text_of(line, "text"));
        put(w, "</span>");
    }
    put(w, "</pre>\n");
}

static void put_listing(struct html *w, const json_t *b) {
    const json_t *note;
    size_t i;
    put(w, "<p class=\"quiet\"><code>");
    put_plain(w, text_of(b, "file"));
    put(w, "</code></p>\n");
    put_lines(w, json_object_get(b, "lines"));
    put(w, "<ul class=\"notes\">\n");
    json_array_foreach(json_object_get(b, "notes"), i, note) {
        base_text_printf(&w->out, "<li><b>%s</b>", text_of(note, "at"));
        put_words(w, text_of(note, "text"));
        put(w, "</li>\n");
    }
    put(w, "</ul>\n");
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
static void put_heading(struct html *w, const json_t *b) {
    put(w, "<h2>");
    put_plain(w, text_of(b, "text"));
    put(w, "</h2>\n");
}

static void put_text(struct html *w, const json_t *b) {
    put_owned(w, page_markdown_to_html(text_of(b, "text"), false));
}

static void put_quiet(struct html *w, const json_t *b) {
    put(w, "<p class=\"quiet\">");
    put_words(w, text_of(b, "text"));
    put(w, "</p>\n");
}

static void put_pairs(struct html *w, const json_t *b) {
    size_t i;
    const json_t *pair;
    put(w, "<table class=\"pairs\">\n");
    json_array_foreach(json_object_get(b, "pairs"), i, pair) {
        put(w, "<tr><td>");
        put_words(w, json_string_value(json_array_get(pair, 0)));
        put(w, "</td><td>");
        put_words(w, json_string_value(json_array_get(pair, 1)));
        put(w, "</td></tr>\n");
    }
    put(w, "</table>\n");
}

/* ── questions ─────────────────────────────────────────────────────────────────────────────────*/
static void put_choices(struct html *w, const json_t *b) {
    size_t i;
    const json_t *item;
    put(w, "<ul class=\"choices\">\n");
    json_array_foreach(json_object_get(b, "items"), i, item) {
        base_text_printf(&w->out, "<li><span class=\"box\"></span><span class=\"letter\">%c</span>",
                         (char)('a' + (int)i));
        put_words(w, json_string_value(item));
        put(w, "</li>\n");
    }
    put(w, "</ul>\n");
}

static void put_order(struct html *w, const json_t *b) {
    size_t i;
    const json_t *item;
    put(w, "<ul class=\"order\">\n");
    json_array_foreach(json_object_get(b, "items"), i, item) {
        put(w, "<li><span class=\"place\"></span>");
        put_words(w, json_string_value(item));
        put(w, "</li>\n");
    }
    put(w, "</ul>\n");
}

static void put_sort(struct html *w, const json_t *b) {
    size_t i, k;
    const json_t *item, *bin, *bins = json_object_get(b, "bins");
    put(w, "<table class=\"sort\">\n<tr><th></th>");
    json_array_foreach(bins, k, bin) {
        put(w, "<th>");
        put_words(w, json_string_value(bin));
        put(w, "</th>");
    }
    put(w, "</tr>\n");
    json_array_foreach(json_object_get(b, "items"), i, item) {
        put(w, "<tr><td>");
        put_words(w, json_string_value(item));
        put(w, "</td>");
        json_array_foreach(bins, k, bin) {
            put(w, "<td><span class=\"box\"></span></td>");
        }
        put(w, "</tr>\n");
    }
    put(w, "</table>\n");
}

static void put_space(struct html *w, const json_t *b) {
    const char *unit = base_json_text(b, "unit", NULL);
    put(w, "<div class=\"space\">");
    for (int64_t i = base_json_int(b, "lines", 0); i > 0; i--) put(w, "<div></div>");
    if (unit) {
        put(w, "<p>Answer: <span class=\"blank\"></span> ");
        put_plain(w, unit);
        put(w, "</p>");
    }
    put(w, "</div>\n");
}

/* ── the style sheet ───────────────────────────────────────────────────────────────────────────*/
static const char style[] =
    "*{box-sizing:border-box}\n"
    "html{-webkit-print-color-adjust:exact;print-color-adjust:exact}\n"
    "body{margin:0 auto;padding:12mm 6mm;max-width:186mm;color:#1c2026;background:#fff;"
    "font:10.5pt/1.45 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto "
    "Sans\",\"DejaVu Sans\",sans-serif;font-variant-numeric:tabular-nums lining-nums;"
    "orphans:3;widows:3}\n"
    "header{border-bottom:1.5pt solid #1c2026;padding-bottom:2.5mm;margin-bottom:6mm}\n"
    "h1{font-size:19pt;line-height:1.2;margin:0 0 1mm;text-wrap:balance}\n"
    ".about{color:#59616d;margin:0}\n"
    ".named{width:100%;margin:5mm 0 0}\n"
    ".named td{border-bottom:.6pt solid #59616d;color:#59616d;padding-top:3mm}\n"
    ".named .gap{border:0;width:8mm}\n"
    ".named .date{width:30%}\n"
    "h2{font-size:12.5pt;line-height:1.25;margin:7mm 0 1.5mm;color:#14599c;"
    "break-after:avoid}\n"
    "p,ul,ol,blockquote,table,pre,figure{margin:0 0 2.6mm}\n"
    "ul,ol{padding-left:6mm}\n"
    "li{margin-bottom:.6mm}\n"
    "blockquote{border-left:2pt solid #c3cad4;padding:.5mm 0 .5mm 4mm;margin-left:1mm}\n"
    "blockquote p:last-child{margin:0}\n"
    "code,pre{font-family:\"DejaVu Sans Mono\",\"JetBrains "
    "Mono\",Menlo,Consolas,\"Liberation Mono\",monospace;font-size:.88em}\n"
    "code{background:#f4f6f9;padding:0 .25em;border-radius:2pt}\n"
    "pre{background:#f4f6f9;padding:2.5mm 3mm;border-radius:3pt;white-space:pre-wrap;"
    "break-inside:avoid}\n"
    ".quiet{color:#59616d;font-size:.85em}\n"
    ".whole,figure,tr{break-inside:avoid}\n"
    ".lead{break-after:avoid}\n"
    "figure{margin:3mm 0 4mm;border:.6pt solid #c3cad4;border-radius:3pt;padding:1mm}\n"
    "figure svg{display:block;width:100%;max-width:193mm;height:auto}\n"
    "figure text{white-space:pre}\n"
    ".scenes{margin:0 -1mm;orphans:1;widows:1}\n"
    ".scenes figure{display:inline-block;vertical-align:top;width:48%;margin:0 .5% 3mm}\n"
    "table{border-collapse:collapse;max-width:100%}\n"
    "th,td{padding:.8mm 4mm .8mm 0;text-align:left;vertical-align:top;"
    "border-bottom:.4pt solid #c3cad4}\n"
    "th{font-weight:600}\n"
    "table{break-inside:avoid}\n"
    ".working td{border:0;padding:.9mm 0;white-space:nowrap}\n"
    ".working .formula{padding:.9mm 3mm .9mm 6mm}\n"
    ".working .long{white-space:normal}\n"
    ".working .digits{text-align:right;padding-left:3mm}\n"
    ".working .unit{padding-left:1.2mm}\n"
    ".working .answer td{border-top:.6pt solid #1c2026}\n"
    ".working .answer .label,.answer .digits,.answer .fraction,.answer .unit{font-weight:600}\n"
    ".working .note{padding-left:6mm;color:#59616d;font-size:.88em;white-space:normal}\n"
    ".blank{display:inline-block;min-width:32mm;border-bottom:.6pt dotted #1c2026;"
    "height:1.2em}\n"
    ".choices,.order{list-style:none;padding-left:1mm}\n"
    ".choices li,.order li{margin-bottom:1.4mm;padding-left:12mm;text-indent:-12mm}\n"
    ".order li{padding-left:14mm;text-indent:-14mm}\n"
    ".box,.letter,.place{display:inline-block;text-indent:0}\n"
    ".box{width:3.4mm;height:3.4mm;border:.7pt solid #1c2026;border-radius:1pt;"
    "vertical-align:-.4mm}\n"
    ".letter{width:8mm;padding-left:2.4mm;color:#59616d}\n"
    ".place{width:10mm;border-bottom:.6pt solid #1c2026;height:1.2em;margin-right:4mm}\n"
    ".sort th+th,.sort td+td{text-align:center;padding:.8mm 4mm}\n"
    ".space div{height:8mm;border-bottom:.5pt solid #c3cad4}\n"
    ".space p{margin:3.5mm 0 0;text-align:right}\n"
    ".listing{padding:2mm 0;font-size:8.4pt;line-height:1.4}\n"
    ".listing span{display:block;padding:0 3mm 0 13mm;text-indent:-10mm}\n"
    ".listing .told{background:#e3ebf5}\n"
    ".listing b{display:inline-block;width:10mm;text-indent:0;color:#59616d;"
    "font-weight:400}\n"
    ".notes{list-style:none;padding:0}\n"
    ".notes li{padding-left:22mm;text-indent:-22mm}\n"
    ".notes b{display:inline-block;width:22mm;text-indent:0;color:#14599c;"
    "font-weight:600}\n"
    ".pairs td:first-child{width:34%;font-weight:600}\n"
    "footer{margin-top:9mm;color:#59616d;font-size:.8em}\n"
    ".answers{break-before:page}\n"
    ".answers h2{font-size:11pt;margin-top:5mm}\n"
    ".dense{font-size:8pt;line-height:1.27}\n"
    ".dense h1{font-size:14pt}\n"
    ".dense h2{font-size:9.5pt;margin:2.2mm 0 .7mm}\n"
    ".dense header{padding-bottom:1mm;margin-bottom:2.5mm}\n"
    ".dense p,.dense ul,.dense table{margin:0 0 1.1mm}\n"
    ".dense th,.dense td{padding:.25mm 3.5mm .25mm 0}\n"
    ".dense li{margin:0}\n"
    "@media print{body{padding:0;max-width:none}footer{display:none}}\n"
    "@media screen{.answers{margin-top:20mm}}\n";

/* ── the book ──────────────────────────────────────────────────────────────────────────────────*/
static void put_blocks(struct html *w, const json_t *blocks);

static void put_whole(struct html *w, const json_t *b) {
    bool lead = base_json_bool(b, "lead", false);
    put(w, lead ? "<section class=\"whole lead\">\n" : "<section class=\"whole\">\n");
    put_blocks(w, json_object_get(b, "blocks"));
    put(w, "</section>\n");
}

static const struct {
    const char *is;
    void (*put)(struct html *w, const json_t *block);
} kinds[] = {
    {"heading", put_heading}, {"text", put_text},     {"quiet", put_quiet},
    {"figure", put_figure},   {"scenes", put_scenes}, {"whole", put_whole},
    {"choices", put_choices}, {"order", put_order},   {"sort", put_sort},
    {"space", put_space},     {"pairs", put_pairs},   {"working", put_working},
    {"listing", put_listing},
};

static void put_blocks(struct html *w, const json_t *blocks) {
    size_t i;
    const json_t *block;
    json_array_foreach(blocks, i, block) {
        for (size_t k = 0; k < BASE_COUNT(kinds); k++)
            if (strcmp(kinds[k].is, text_of(block, "is")) == 0) kinds[k].put(w, block);
    }
}

/* A text within CSS's double quotes; what could end it, or the style, by its number. */
static void put_quoted(struct html *w, const char *text) {
    put(w, "\"");
    for (; *text; text++) {
        if (strchr("\"\\<>&\n", *text))
            base_text_printf(&w->out, "\\%x ", (unsigned)*text);
        else
            base_text_add(&w->out, text, 1);
    }
    put(w, "\"");
}

/* Every printed page has its number at its foot, and what it is. */
static void put_style(struct html *w, const struct export_book *b, const char *page) {
    put(w, "<style>\n");
    put(w, style);
    base_text_printf(&w->out,
                     "@page{size:%s;margin:%s;"
                     "@bottom-right{content:counter(page) \" of \" counter(pages);"
                     "width:16mm;white-space:nowrap;text-align:right;"
                     "font:8pt system-ui,sans-serif;color:#59616d}"
                     "@bottom-left{font:8pt system-ui,sans-serif;color:#59616d;content:",
                     page, b->dense ? "10mm 13mm 13mm" : "17mm 18mm 19mm");
    put_quoted(w, b->title);
    put(w, " \" · \" ");
    put_quoted(w, b->colophon);
    put(w, "}}\n</style>\n");
}

static void put_title(struct html *w, const struct export_book *b, bool key) {
    put(w, "<header>\n<h1>");
    put_plain(w, b->title);
    put(w, key ? ": answers</h1>\n<p class=\"about\">" : "</h1>\n<p class=\"about\">");
    put_words(w, b->about);
    put(w, "</p>\n");
    if (b->named && !key)
        put(w, "<table class=\"named\"><tr><td>Name</td><td class=\"gap\"></td>"
               "<td class=\"date\">Date</td></tr></table>\n");
    put(w, "</header>\n");
}

static void put_part(struct html *w, const struct export_book *b, bool key) {
    put(w, key ? "<main class=\"answers\">\n" : b->dense ? "<main class=\"dense\">\n" : "<main>\n");
    put_title(w, b, key);
    put_blocks(w, key ? b->answers : b->body);
    put(w, "</main>\n");
}

char *command_export_to_html(const struct export_book *b, unsigned parts, const char *page,
                             struct base_message *m) {
    struct html w = {.m = m};
    put(&w, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
    put_plain(&w, b->title);
    put(&w, "</title>\n");
    put_style(&w, b, page);
    put(&w, "</head>\n<body>\n");
    if (parts & EXPORT_BODY) put_part(&w, b, false);
    if (parts & EXPORT_ANSWERS) put_part(&w, b, true);
    put(&w, "<footer>");
    put_plain(&w, b->colophon);
    put(&w, "</footer>\n</body>\n</html>\n");
    if (!w.failed) return base_text_take(&w.out);
    base_text_free(&w.out);
    return NULL;
}
