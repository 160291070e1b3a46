/* Source with line numbers and notes on some lines: next to them if all lines are short enough,
 * else beneath. Unless it is `whole`, or the page is tall enough for thick bars, only the noted
 * lines and a few around them are shown.
 *
 *   {"kind":"listing","file":"src/…","first":12,"lines":["…"],"notes":[
 *    {"from":1,"to":4,"text":"…"}],"whole":false,"again":false} */
#include "page/figure.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_NOTES = 32,
    CONTEXT = 3,
    SHORT = 14,
    GUTTER = 2,
    GAP = 3,
    LEAST_NOTE = 30,
    MOST_NOTE = 48
};

struct note {
    /* lines, from 1 */
    int from, to;
    const char *text;
};
struct listing {
    const json_t *lines;
    /* cells of the line numbers */
    int count, first, numbers;
    /* blanks that all lines begin with: they are left out */
    size_t common;
    struct note note[MOST_NOTES];
    size_t notes;
    bool whole;
    /* columns: of the code, its cells, of the notes (0: beneath) */
    int code, width, notes_at;
    /* the first row that is free next to the code */
    int free;
};

static bool read_note(const json_t *spec, struct listing *l, struct base_message *m) {
    struct note *n = &l->note[l->notes];
    *n = (struct note){(int)base_json_int(spec, "from", 0), (int)base_json_int(spec, "to", 0),
                       base_json_text(spec, "text", "")};
    if (n->from < 1 || n->to < n->from || n->to > l->count)
        return base_fail(m, "a note of a listing belongs to lines from 1 to %d, not %d to %d",
                         l->count, n->from, n->to);
    l->notes++;
    return true;
}

static bool read_listing(const json_t *spec, struct listing *l, struct base_message *m) {
    const json_t *note;
    size_t i;
    l->lines = json_object_get(spec, "lines");
    l->count = (int)json_array_size(l->lines);
    l->first = (int)base_json_int(spec, "first", 1);
    l->whole = base_json_bool(spec, "whole", true) || l->count <= SHORT;
    if (l->count < 1 || l->count > 2000)
        return base_fail(m, "a listing has 1 to 2000 lines, each a text");
    if (json_array_size(json_object_get(spec, "notes")) > MOST_NOTES)
        return base_fail(m, "a listing has at most %d notes", MOST_NOTES);
    json_array_foreach(json_object_get(spec, "notes"), i, note) {
        if (!read_note(note, l, m)) return false;
    }
    return true;
}

static const char *line_text(const struct listing *l, int line) {
    const char *text = json_string_value(json_array_get(l->lines, (size_t)line - 1));
    return text ? text + (strlen(text) < l->common ? strlen(text) : l->common) : "";
}

static void find_common(struct listing *l) {
    size_t least = SIZE_MAX;
    for (int line = 1; line <= l->count; line++) {
        const char *text = line_text(l, line);
        size_t blanks = strspn(text, " ");
        if (text[blanks] && blanks < least) least = blanks;
    }
    l->common = least == SIZE_MAX ? 0 : least;
}

static bool is_noted(const struct listing *l, int line) {
    for (size_t i = 0; i < l->notes; i++)
        if (line >= l->note[i].from && line <= l->note[i].to) return true;
    return false;
}

static bool is_shown(const struct listing *l, int line) {
    for (size_t i = 0; i < l->notes; i++)
        if (line >= l->note[i].from - CONTEXT && line <= l->note[i].to + CONTEXT) return true;
    return l->whole;
}

static int longest_line(struct page *p, const struct listing *l) {
    int longest = 0;
    for (int line = 1; line <= l->count; line++) {
        int cells = page_measure(p, line_text(l, line));
        if (cells > longest) longest = cells;
    }
    return longest;
}

static void lay_out(struct page *p, struct listing *l, struct page_flow f) {
    int longest, end = f.indent + f.width;
    char number[16];
    find_common(l);
    longest = longest_line(p, l);
    l->numbers = snprintf(number, sizeof number, "%d", l->first + l->count - 1);
    l->code = f.indent + l->numbers + 1 + GUTTER;
    l->width = end - l->code;
    if (l->notes && l->code + longest + GAP + LEAST_NOTE <= end) {
        l->notes_at = l->code + longest + GAP;
        l->width = longest;
    }
}

int page_listing_over(const json_t *spec, int width) {
    struct listing l = {0};
    struct base_message m = {0};
    if (strcmp(base_json_text(spec, "kind", ""), "listing") != 0) return 0;
    if (!read_listing(spec, &l, &m)) return 0;
    struct page *p = page_new(width, false);
    lay_out(p, &l, (struct page_flow){.width = width});
    int over = longest_line(p, &l) - l.width;
    page_free(p);
    return over > 0 ? over : 0;
}

/* ── rows ──────────────────────────────────────────────────────────────────────────────────────*/
static void draw_bar(struct page *p, const struct listing *l, int row) {
    page_put(p, row, l->code - GUTTER, PAGE_ACCENT, PAGE_BOLD, p->ascii ? "|" : "▌");
}

/* A line of code; what does not fit goes on below, set in. */
static void draw_code(struct page *p, const struct listing *l, struct page_flow f, int line) {
    bool noted = is_noted(l, line);
    struct page_ink ink = {.ascii = p->ascii};
    struct page_line *part;
    const char *text = line_text(l, line);
    int row = p->height;
    page_printf(p, row, f.indent, PAGE_DIM, "%*d", l->numbers, l->first + line - 1);
    page_ink_add(&ink, noted ? PAGE_STRONG : PAGE_DIM, 0, text, strlen(text));
    size_t n = page_ink_chop(&ink, l->width, &part);
    for (size_t i = 0; i < n; i++, row++) {
        int in = page_ink_hang(&ink, part[i].from, l->width);
        if (noted) draw_bar(p, l, row);
        page_ink_draw(p, row, l->code + in, l->code + l->width, &ink, part[i]);
    }
    free(part);
    page_ink_free(&ink);
}

static void draw_gap(struct page *p, const struct listing *l) {
    page_put(p, p->height, l->code, PAGE_DIM, 0, p->ascii ? "..." : "…");
}

/* ── notes ─────────────────────────────────────────────────────────────────────────────────────*/
static void put_right(struct page *p, struct listing *l, struct page_flow f, const struct note *n,
                      int row) {
    int capacity = f.indent + f.width - l->notes_at;
    if (row < l->free) row = l->free;
    struct page *side = page_new(capacity < MOST_NOTE ? capacity : MOST_NOTE, p->ascii);
    page_markdown(side, (struct page_flow){0}, n->text);
    page_paste(p, side, row, l->notes_at);
    l->free = row + page_height(side) + 1;
    page_free(side);
}

static void put_beneath(struct page *p, const struct listing *l, struct page_flow f,
                        const struct note *n) {
    int row = p->height, last;
    page_markdown(p, (struct page_flow){.indent = l->code, .width = f.indent + f.width - l->code},
                  n->text);
    for (last = p->height; row < last; row++) draw_bar(p, l, row);
}

/* Code and the notes beneath it go onto a page of their own, which is pasted when it is done: notes
 * next to the code may be longer than it. */
static void draw_line(struct page *p, struct page *code, struct listing *l, struct page_flow f,
                      int top, int line) {
    for (size_t i = 0; i < l->notes; i++)
        if (l->notes_at && l->note[i].from == line)
            put_right(p, l, f, &l->note[i], top + code->height);
    draw_code(code, l, f, line);
    for (size_t i = 0; i < l->notes; i++)
        if (!l->notes_at && l->note[i].to == line) put_beneath(code, l, f, &l->note[i]);
}

bool page_figure_listing(struct page *p, struct page_flow f, const json_t *spec,
                         struct base_message *m) {
    struct listing l = {0};
    if (!read_listing(spec, &l, m)) return false;
    l.whole = l.whole || p->thick > 1;
    lay_out(p, &l, f);
    page_printf(p, p->height, f.indent, PAGE_DIM, "%s, lines %d to %d",
                base_json_text(spec, "file", ""), l.first, l.first + l.count - 1);
    int top = p->height;
    struct page *code = page_new(l.notes_at ? l.code + l.width : f.indent + f.width, p->ascii);
    for (int line = 1; line <= l.count; line++) {
        bool shown = is_shown(&l, line);
        if (!shown && (line == 1 || is_shown(&l, line - 1))) draw_gap(code, &l);
        if (shown) draw_line(p, code, &l, f, top, line);
    }
    page_paste(p, code, top, 0);
    page_free(code);
    return true;
}

char *page_script_listing(const json_t *spec) {
    struct base_text all = {0};
    const json_t *note;
    size_t i;
    json_array_foreach(json_object_get(spec, "notes"), i, note)
        base_text_printf(&all, "%s\n", base_json_text(note, "text", ""));
    return base_text_take(&all);
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
static void say_note(struct page *p, struct page_flow f, const struct listing *l,
                     const struct note *n) {
    int first = l->first + n->from - 1, last = l->first + n->to - 1;
    char *text = first == last ? base_format("Line %d: %s", first, n->text)
                               : base_format("Lines %d to %d: %s", first, last, n->text);
    page_markdown(p, f, text);
    free(text);
}

/* The lines as they are, each behind its number, and each note after the last of its lines. If the
 * code was said already ("again"), only the lines of the note that is new. */
bool page_words_listing(struct page *p, struct page_flow f, const json_t *spec,
                        struct base_message *m) {
    struct listing l = {0};
    struct page_flow code = f;
    code.role = PAGE_CODE; /* which is read as it is written */
    if (!read_listing(spec, &l, m)) return false;
    find_common(&l);
    bool again = l.notes == 1 && base_json_bool(spec, "again", false);
    int from = again ? l.note[0].from : 1, to = again ? l.note[0].to : l.count;
    if (!again)
        page_say(p, f, "%s, lines %d to %d.", base_json_text(spec, "file", ""), l.first,
                 l.first + l.count - 1);
    for (int line = from; line <= to; line++) {
        if (is_shown(&l, line)) page_say(p, code, "%d %s", l.first + line - 1, line_text(&l, line));
        for (size_t i = 0; i < l.notes; i++)
            if (l.note[i].to == line) say_note(p, f, &l, &l.note[i]);
    }
    return true;
}
