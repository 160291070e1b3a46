/* export_html: a book as one HTML page that needs nothing beside it: styles inside, figures as SVG. Laid out for print. */
#include "command/export_html.h"

#include <stdlib.h>
#include <string.h>

/* ── adding ──────────────────────────────────────────────────────────────────────────────────────*/
const char *html_text(const json_t *block, const char *name) {
    return base_json_text(block, name, "");
}

void html_put(struct html *w, const char *html) {
    base_text_puts(&w->out, html);
}

static void put_owned(struct html *w, char *html) {
    html_put(w, html);
    free(html);
}

void html_plain(struct html *w, const char *text) {
    put_owned(w, paper_escape(text));
}

void html_words(struct html *w, const char *markdown) {
    put_owned(w, paper_markdown_to_html(markdown, true));
}

/* ── words ───────────────────────────────────────────────────────────────────────────────────────*/
static void put_heading(struct html *w, const json_t *b) {
    html_put(w, "<h2>");
    html_plain(w, html_text(b, "text"));
    html_put(w, "</h2>\n");
}

static void put_text(struct html *w, const json_t *b) {
    put_owned(w, paper_markdown_to_html(html_text(b, "text"), false));
}

static void put_quiet(struct html *w, const json_t *b) {
    html_put(w, "<p class=\"quiet\">");
    html_words(w, html_text(b, "text"));
    html_put(w, "</p>\n");
}

static void put_pairs(struct html *w, const json_t *b) {
    size_t i;
    const json_t *pair;
    html_put(w, "<table class=\"pairs\">\n");
    json_array_foreach(json_object_get(b, "pairs"), i, pair) {
        html_put(w, "<tr><td>");
        html_words(w, json_string_value(json_array_get(pair, 0)));
        html_put(w, "</td><td>");
        html_words(w, json_string_value(json_array_get(pair, 1)));
        html_put(w, "</td></tr>\n");
    }
    html_put(w, "</table>\n");
}

/* ── questions ───────────────────────────────────────────────────────────────────────────────────*/
static void put_choices(struct html *w, const json_t *b) {
    size_t i;
    const json_t *item;
    html_put(w, "<ul class=\"choices\">\n");
    json_array_foreach(json_object_get(b, "items"), i, item) {
        base_text_printf(&w->out, "<li><span class=\"box\"></span><span class=\"letter\">%c</span>",
                         (char)('a' + (int)i));
        html_words(w, json_string_value(item));
        html_put(w, "</li>\n");
    }
    html_put(w, "</ul>\n");
}

static void put_order(struct html *w, const json_t *b) {
    size_t i;
    const json_t *item;
    html_put(w, "<ul class=\"order\">\n");
    json_array_foreach(json_object_get(b, "items"), i, item) {
        html_put(w, "<li><span class=\"place\"></span>");
        html_words(w, json_string_value(item));
        html_put(w, "</li>\n");
    }
    html_put(w, "</ul>\n");
}

static void put_sort(struct html *w, const json_t *b) {
    size_t i, k;
    const json_t *item, *bin, *bins = json_object_get(b, "bins");
    html_put(w, "<table class=\"sort\">\n<tr><th></th>");
    json_array_foreach(bins, k, bin) {
        html_put(w, "<th>");
        html_words(w, json_string_value(bin));
        html_put(w, "</th>");
    }
    html_put(w, "</tr>\n");
    json_array_foreach(json_object_get(b, "items"), i, item) {
        html_put(w, "<tr><td>");
        html_words(w, json_string_value(item));
        html_put(w, "</td>");
        json_array_foreach(bins, k, bin) {
            html_put(w, "<td><span class=\"box\"></span></td>");
        }
        html_put(w, "</tr>\n");
    }
    html_put(w, "</table>\n");
}

static void put_room(struct html *w, const json_t *b) {
    const char *unit = base_json_text(b, "unit", NULL);
    html_put(w, "<div class=\"room\">");
    for (int64_t i = base_json_int(b, "lines", 0); i > 0; i--) html_put(w, "<div></div>");
    if (unit) {
        html_put(w, "<p>Answer: <span class=\"blank\"></span> ");
        html_plain(w, unit);
        html_put(w, "</p>");
    }
    html_put(w, "</div>\n");
}

/* ── the book ────────────────────────────────────────────────────────────────────────────────────*/
static void put_blocks(struct html *w, const json_t *blocks);

static void put_whole(struct html *w, const json_t *b) {
    bool lead = base_json_bool(b, "lead", false);
    html_put(w, lead ? "<section class=\"whole lead\">\n" : "<section class=\"whole\">\n");
    put_blocks(w, json_object_get(b, "blocks"));
    html_put(w, "</section>\n");
}

static const struct {
    const char *is;
    void (*put)(struct html *w, const json_t *block);
} kinds[] = {
    {"heading", put_heading },
    {"text",    put_text    },
    {"quiet",   put_quiet   },
    {"figure",  html_figure },
    {"scenes",  html_scenes },
    {"whole",   put_whole   },
    {"choices", put_choices },
    {"order",   put_order   },
    {"sort",    put_sort    },
    {"room",    put_room    },
    {"pairs",   put_pairs   },
    {"working", html_working},
    {"listing", html_listing},
};

static void put_blocks(struct html *w, const json_t *blocks) {
    size_t i;
    const json_t *block;
    json_array_foreach(blocks, i, block) {
        for (size_t k = 0; k < BASE_COUNT(kinds); k++)
            if (strcmp(kinds[k].is, html_text(block, "is")) == 0) kinds[k].put(w, block);
    }
}

/* A text within CSS's double quotes; what could end it, or the style, by its number. */
static void put_quoted(struct html *w, const char *text) {
    html_put(w, "\"");
    for (; *text; text++) {
        if (strchr("\"\\<>&\n", *text))
            base_text_printf(&w->out, "\\%x ", (unsigned)*text);
        else
            base_text_add(&w->out, text, 1);
    }
    html_put(w, "\"");
}

/* Every printed page has its number at its foot, and what it is. */
static void put_style(struct html *w, const struct export_book *b, const char *paper) {
    html_put(w, "<style>\n");
    html_put(w, export_style);
    base_text_printf(&w->out,
                     "@page{size:%s;margin:17mm 18mm 19mm;"
                     "@bottom-right{content:counter(page) \" of \" counter(pages);"
                     "width:16mm;white-space:nowrap;text-align:right;"
                     "font:8pt system-ui,sans-serif;color:#59616d}"
                     "@bottom-left{font:8pt system-ui,sans-serif;color:#59616d;content:",
                     paper);
    put_quoted(w, b->title);
    html_put(w, " \" · \" ");
    put_quoted(w, b->colophon);
    html_put(w, "}}\n</style>\n");
}

static void put_title(struct html *w, const struct export_book *b, bool key) {
    html_put(w, "<header>\n<h1>");
    html_plain(w, b->title);
    html_put(w, key ? ": answers</h1>\n<p class=\"about\">" : "</h1>\n<p class=\"about\">");
    html_words(w, b->about);
    html_put(w, "</p>\n");
    if (b->named && !key)
        html_put(w, "<table class=\"named\"><tr><td>Name</td><td class=\"gap\"></td>"
                    "<td class=\"date\">Date</td></tr></table>\n");
    html_put(w, "</header>\n");
}

static void put_part(struct html *w, const struct export_book *b, bool key) {
    html_put(w, key ? "<main class=\"answers\">\n" : "<main>\n");
    put_title(w, b, key);
    put_blocks(w, key ? b->answers : b->body);
    html_put(w, "</main>\n");
}

char *export_to_html(const struct export_book *b, unsigned parts, const char *paper,
                     struct base_message *m) {
    struct html w = {.m = m};
    html_put(&w,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
    html_plain(&w, b->title);
    html_put(&w, "</title>\n");
    put_style(&w, b, paper);
    html_put(&w, "</head>\n<body>\n");
    if (parts & EXPORT_BODY) put_part(&w, b, false);
    if (parts & EXPORT_ANSWERS) put_part(&w, b, true);
    html_put(&w, "<footer>");
    html_plain(&w, b->colophon);
    html_put(&w, "</footer>\n</body>\n</html>\n");
    if (!w.failed) return base_text_take(&w.out);
    base_text_free(&w.out);
    return NULL;
}
