/* export_md: a book as Markdown. Figures and workings are fenced text, so that their columns hold
 * wherever it is read. */
#include "command/export.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 78 };
#define DOTS "……………………"

struct writer {
    struct base_text out;
    struct base_message *m;
    bool failed;
};

static const char *text_of(const json_t *block, const char *name) {
    return base_json_text(block, name, "");
}

/* Blocks are parted by one empty line. */
static void end_block(struct writer *w) {
    while (w->out.length && w->out.s[w->out.length - 1] == '\n') w->out.length--;
    base_text_puts(&w->out, "\n\n");
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
static void put_heading(struct writer *w, const json_t *b) {
    base_text_printf(&w->out, "## %s", text_of(b, "text"));
}

static void put_text(struct writer *w, const json_t *b) {
    base_text_puts(&w->out, text_of(b, "text"));
}

/* Of one line, and safe in a table's cell. */
static void put_cell(struct writer *w, const char *text) {
    for (; *text; text++) {
        if (*text == '|') base_text_puts(&w->out, "\\");
        base_text_add(&w->out, *text == '\n' ? " " : text, 1);
    }
}

static void put_pairs(struct writer *w, const json_t *b) {
    size_t i;
    const json_t *pair;
    base_text_puts(&w->out, "|  |  |\n| --- | --- |\n");
    json_array_foreach(json_object_get(b, "pairs"), i, pair) {
        base_text_puts(&w->out, "| **");
        put_cell(w, json_string_value(json_array_get(pair, 0)));
        base_text_puts(&w->out, "** | ");
        put_cell(w, json_string_value(json_array_get(pair, 1)));
        base_text_puts(&w->out, " |\n");
    }
}

/* ── questions ─────────────────────────────────────────────────────────────────────────────────*/
static void put_choices(struct writer *w, const json_t *b) {
    size_t i;
    const json_t *item;
    json_array_foreach(json_object_get(b, "items"), i, item) {
        base_text_printf(&w->out, "- ☐ %c) %s\n", (char)('a' + (int)i), json_string_value(item));
    }
}

static void put_order(struct writer *w, const json_t *b) {
    size_t i;
    const json_t *item;
    json_array_foreach(json_object_get(b, "items"), i, item) {
        base_text_printf(&w->out, "- …… %s\n", json_string_value(item));
    }
}

static void put_sort(struct writer *w, const json_t *b) {
    size_t i, k;
    const json_t *item, *bin, *bins = json_object_get(b, "bins");
    base_text_puts(&w->out, "|  |");
    json_array_foreach(bins, k, bin) {
        base_text_printf(&w->out, " %s |", json_string_value(bin));
    }
    base_text_puts(&w->out, "\n| --- |");
    json_array_foreach(bins, k, bin) {
        base_text_puts(&w->out, " :-: |");
    }
    json_array_foreach(json_object_get(b, "items"), i, item) {
        base_text_puts(&w->out, "\n| ");
        put_cell(w, json_string_value(item));
        base_text_puts(&w->out, " |");
        json_array_foreach(bins, k, bin) {
            base_text_puts(&w->out, " ☐ |");
        }
    }
}

static void put_space(struct writer *w, const json_t *b) {
    const char *unit = base_json_text(b, "unit", NULL);
    for (int64_t i = base_json_int(b, "lines", 0); i > 0; i--)
        base_text_puts(&w->out, DOTS DOTS DOTS "\n\n");
    if (unit) base_text_printf(&w->out, "Answer: " DOTS " %s", unit);
}

/* ── figures, workings, source: fenced ─────────────────────────────────────────────────────────*/
static void draw(struct writer *w, const json_t *spec) {
    struct page *p = page_new(COLUMNS, false);
    if (!page_figure(p, (struct page_flow){.width = COLUMNS}, spec, w->m)) w->failed = true;
    char *text = page_to_text(p);
    base_text_printf(&w->out, "```text\n%s```", text);
    free(text);
    page_free(p);
}

static void put_figure(struct writer *w, const json_t *b) {
    draw(w, json_object_get(b, "figure"));
}

static void put_scenes(struct writer *w, const json_t *b) {
    size_t i;
    const json_t *figure;
    json_array_foreach(json_object_get(b, "figures"), i, figure) {
        draw(w, figure);
        end_block(w);
    }
}

static void pad(struct writer *w, const char *text, int width) {
    base_text_printf(&w->out, "%s%*s", text, width - base_width(text), "");
}

static int widest(const json_t *rows, const char *name) {
    int most = 0;
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row) {
        int n = base_width(text_of(row, name));
        if (n > most) most = n;
    }
    return most;
}

static void put_working(struct writer *w, const json_t *b) {
    const json_t *rows = json_object_get(b, "rows"), *row;
    int labels = widest(rows, "label"), formulas = widest(rows, "formula"),
        whole = widest(rows, "whole"), fraction = widest(rows, "fraction");
    size_t i;
    base_text_puts(&w->out, "```text\n");
    json_array_foreach(rows, i, row) {
        pad(w, text_of(row, "label"), labels + 2);
        pad(w, text_of(row, "formula"), formulas + 1);
        if (base_json_bool(row, "blank", false))
            base_text_puts(&w->out, "= " DOTS);
        else {
            base_text_printf(&w->out, "= %*s", whole, text_of(row, "whole"));
            pad(w, text_of(row, "fraction"), fraction);
        }
        base_text_printf(&w->out, " %s\n", text_of(row, "unit"));
    }
    base_text_puts(&w->out, "```\n\n");
    json_array_foreach(rows, i, row) {
        if (*text_of(row, "note"))
            base_text_printf(&w->out, "- %s: %s\n", text_of(row, "label"), text_of(row, "note"));
    }
}

static void put_listing(struct writer *w, const json_t *b) {
    const json_t *line, *note;
    size_t i;
    base_text_printf(&w->out, "`%s`\n\n```text\n", text_of(b, "file"));
    json_array_foreach(json_object_get(b, "lines"), i, line) {
        base_text_printf(&w->out, "%4" JSON_INTEGER_FORMAT "  %s\n",
                         json_integer_value(json_object_get(line, "number")),
                         text_of(line, "text"));
    }
    base_text_puts(&w->out, "```\n\n");
    json_array_foreach(json_object_get(b, "notes"), i, note) {
        base_text_printf(&w->out, "- Line %s: %s\n", text_of(note, "at"), text_of(note, "text"));
    }
}

/* ── the book ──────────────────────────────────────────────────────────────────────────────────*/
static void put_blocks(struct writer *w, const json_t *blocks);

static void put_whole(struct writer *w, const json_t *b) {
    put_blocks(w, json_object_get(b, "blocks"));
}

static const struct {
    const char *is;
    void (*put)(struct writer *w, const json_t *block);
} kinds[] = {
    {"heading", put_heading}, {"text", put_text},     {"quiet", put_text},
    {"figure", put_figure},   {"scenes", put_scenes}, {"whole", put_whole},
    {"choices", put_choices}, {"order", put_order},   {"sort", put_sort},
    {"space", put_space},     {"pairs", put_pairs},   {"working", put_working},
    {"listing", put_listing},
};

static void put_blocks(struct writer *w, const json_t *blocks) {
    size_t i;
    const json_t *block;
    json_array_foreach(blocks, i, block) {
        for (size_t k = 0; k < BASE_COUNT(kinds); k++) {
            if (strcmp(kinds[k].is, text_of(block, "is")) != 0) continue;
            kinds[k].put(w, block);
            end_block(w);
        }
    }
}

static void put_title(struct writer *w, const struct export_book *b, unsigned parts) {
    bool key = parts == EXPORT_ANSWERS;
    base_text_printf(&w->out, "# %s%s\n\n%s\n\n", b->title, key ? ": answers" : "", b->about);
    if (b->named && !key) base_text_puts(&w->out, "Name: " DOTS " Date: " DOTS "\n\n");
}

char *command_export_to_markdown(const struct export_book *b, unsigned parts,
                                 struct base_message *m) {
    struct writer w = {.m = m};
    put_title(&w, b, parts);
    if (parts & EXPORT_BODY) put_blocks(&w, b->body);
    if (parts == (EXPORT_BODY | EXPORT_ANSWERS)) base_text_puts(&w.out, "---\n\n# Answers\n\n");
    if (parts & EXPORT_ANSWERS) put_blocks(&w, b->answers);
    base_text_printf(&w.out, "---\n\n%s\n", b->colophon);
    if (!w.failed) return base_text_take(&w.out);
    base_text_free(&w.out);
    return NULL;
}
