/* export_html: a book as one HTML page that needs nothing beside it: styles inside, figures as SVG. Laid out for print. */
#include "command/export_html.h"

#include <stdlib.h>
#include <string.h>

/* ── adding ──────────────────────────────────────────────────────────────────────────────────────*/
const char *command_html_text(const json_t *block, const char *name) {
    return base_json_text(block, name, "");
}

void command_html_put(struct html *w, const char *html) {
    base_text_puts(&w->out, html);
}

static void put_owned(struct html *w, char *html) {
    command_html_put(w, html);
    free(html);
}

void command_html_plain(struct html *w, const char *text) {
    put_owned(w, page_escape(text));
}

void command_html_words(struct html *w, const char *markdown) {
    put_owned(w, page_markdown_to_html(markdown, true));
}

/* ── words ───────────────────────────────────────────────────────────────────────────────────────*/
static void put_heading(struct html *w, const json_t *b) {
    command_html_put(w, "<h2>");
    command_html_plain(w, command_html_text(b, "text"));
    command_html_put(w, "</h2>\n");
}

static void put_text(struct html *w, const json_t *b) {
    put_owned(w, page_markdown_to_html(command_html_text(b, "text"), false));
}

static void put_quiet(struct html *w, const json_t *b) {
    command_html_put(w, "<p class=\"quiet\">");
    command_html_words(w, command_html_text(b, "text"));
    command_html_put(w, "</p>\n");
}

static void put_pairs(struct html *w, const json_t *b) {
    size_t i;
    const json_t *pair;
    command_html_put(w, "<table class=\"pairs\">\n");
    json_array_foreach(json_object_get(b, "pairs"), i, pair) {
        command_html_put(w, "<tr><td>");
        command_html_words(w, json_string_value(json_array_get(pair, 0)));
        command_html_put(w, "</td><td>");
        command_html_words(w, json_string_value(json_array_get(pair, 1)));
        command_html_put(w, "</td></tr>\n");
    }
    command_html_put(w, "</table>\n");
}

/* ── questions ───────────────────────────────────────────────────────────────────────────────────*/
static void put_choices(struct html *w, const json_t *b) {
    size_t i;
    const json_t *item;
    command_html_put(w, "<ul class=\"choices\">\n");
    json_array_foreach(json_object_get(b, "items"), i, item) {
        base_text_printf(&w->out, "<li><span class=\"box\"></span><span class=\"letter\">%c</span>",
                         (char)('a' + (int)i));
        command_html_words(w, json_string_value(item));
        command_html_put(w, "</li>\n");
    }
    command_html_put(w, "</ul>\n");
}

static void put_order(struct html *w, const json_t *b) {
    size_t i;
    const json_t *item;
    command_html_put(w, "<ul class=\"order\">\n");
    json_array_foreach(json_object_get(b, "items"), i, item) {
        command_html_put(w, "<li><span class=\"place\"></span>");
        command_html_words(w, json_string_value(item));
        command_html_put(w, "</li>\n");
    }
    command_html_put(w, "</ul>\n");
}

static void put_sort(struct html *w, const json_t *b) {
    size_t i, k;
    const json_t *item, *bin, *bins = json_object_get(b, "bins");
    command_html_put(w, "<table class=\"sort\">\n<tr><th></th>");
    json_array_foreach(bins, k, bin) {
        command_html_put(w, "<th>");
        command_html_words(w, json_string_value(bin));
        command_html_put(w, "</th>");
    }
    command_html_put(w, "</tr>\n");
    json_array_foreach(json_object_get(b, "items"), i, item) {
        command_html_put(w, "<tr><td>");
        command_html_words(w, json_string_value(item));
        command_html_put(w, "</td>");
        json_array_foreach(bins, k, bin) {
            command_html_put(w, "<td><span class=\"box\"></span></td>");
        }
        command_html_put(w, "</tr>\n");
    }
    command_html_put(w, "</table>\n");
}

static void put_room(struct html *w, const json_t *b) {
    const char *unit = base_json_text(b, "unit", NULL);
    command_html_put(w, "<div class=\"room\">");
    for (int64_t i = base_json_int(b, "lines", 0); i > 0; i--) command_html_put(w, "<div></div>");
    if (unit) {
        command_html_put(w, "<p>Answer: <span class=\"blank\"></span> ");
        command_html_plain(w, unit);
        command_html_put(w, "</p>");
    }
    command_html_put(w, "</div>\n");
}

/* ── the book ────────────────────────────────────────────────────────────────────────────────────*/
static void put_blocks(struct html *w, const json_t *blocks);

static void put_whole(struct html *w, const json_t *b) {
    bool lead = base_json_bool(b, "lead", false);
    command_html_put(w, lead ? "<section class=\"whole lead\">\n" : "<section class=\"whole\">\n");
    put_blocks(w, json_object_get(b, "blocks"));
    command_html_put(w, "</section>\n");
}

static const struct {
    const char *is;
    void (*put)(struct html *w, const json_t *block);
} kinds[] = {
    {"heading", put_heading         },
    {"text",    put_text            },
    {"quiet",   put_quiet           },
    {"figure",  command_html_figure },
    {"scenes",  command_html_scenes },
    {"whole",   put_whole           },
    {"choices", put_choices         },
    {"order",   put_order           },
    {"sort",    put_sort            },
    {"room",    put_room            },
    {"pairs",   put_pairs           },
    {"working", command_html_working},
    {"listing", command_html_listing},
};

static void put_blocks(struct html *w, const json_t *blocks) {
    size_t i;
    const json_t *block;
    json_array_foreach(blocks, i, block) {
        for (size_t k = 0; k < BASE_COUNT(kinds); k++)
            if (strcmp(kinds[k].is, command_html_text(block, "is")) == 0) kinds[k].put(w, block);
    }
}

/* A text within CSS's double quotes; what could end it, or the style, by its number. */
static void put_quoted(struct html *w, const char *text) {
    command_html_put(w, "\"");
    for (; *text; text++) {
        if (strchr("\"\\<>&\n", *text))
            base_text_printf(&w->out, "\\%x ", (unsigned)*text);
        else
            base_text_add(&w->out, text, 1);
    }
    command_html_put(w, "\"");
}

/* Every printed page has its number at its foot, and what it is. */
static void put_style(struct html *w, const struct export_book *b, const char *page) {
    command_html_put(w, "<style>\n");
    command_html_put(w, command_export_style);
    base_text_printf(&w->out,
                     "@page{size:%s;margin:17mm 18mm 19mm;"
                     "@bottom-right{content:counter(page) \" of \" counter(pages);"
                     "width:16mm;white-space:nowrap;text-align:right;"
                     "font:8pt system-ui,sans-serif;color:#59616d}"
                     "@bottom-left{font:8pt system-ui,sans-serif;color:#59616d;content:",
                     page);
    put_quoted(w, b->title);
    command_html_put(w, " \" · \" ");
    put_quoted(w, b->colophon);
    command_html_put(w, "}}\n</style>\n");
}

static void put_title(struct html *w, const struct export_book *b, bool key) {
    command_html_put(w, "<header>\n<h1>");
    command_html_plain(w, b->title);
    command_html_put(w, key ? ": answers</h1>\n<p class=\"about\">" : "</h1>\n<p class=\"about\">");
    command_html_words(w, b->about);
    command_html_put(w, "</p>\n");
    if (b->named && !key)
        command_html_put(w, "<table class=\"named\"><tr><td>Name</td><td class=\"gap\"></td>"
                            "<td class=\"date\">Date</td></tr></table>\n");
    command_html_put(w, "</header>\n");
}

static void put_part(struct html *w, const struct export_book *b, bool key) {
    command_html_put(w, key ? "<main class=\"answers\">\n" : "<main>\n");
    put_title(w, b, key);
    put_blocks(w, key ? b->answers : b->body);
    command_html_put(w, "</main>\n");
}

char *command_export_to_html(const struct export_book *b, unsigned parts, const char *page,
                             struct base_message *m) {
    struct html w = {.m = m};
    command_html_put(
        &w, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
    command_html_plain(&w, b->title);
    command_html_put(&w, "</title>\n");
    put_style(&w, b, page);
    command_html_put(&w, "</head>\n<body>\n");
    if (parts & EXPORT_BODY) put_part(&w, b, false);
    if (parts & EXPORT_ANSWERS) put_part(&w, b, true);
    command_html_put(&w, "<footer>");
    command_html_plain(&w, b->colophon);
    command_html_put(&w, "</footer>\n</body>\n</html>\n");
    if (!w.failed) return base_text_take(&w.out);
    base_text_free(&w.out);
    return NULL;
}
