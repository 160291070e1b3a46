/* field: a line that is typed into. */
#include "screen/field.h"

#include <stdlib.h>
#include <string.h>

void screen_field_free(struct field *f) {
    base_text_free(&f->text);
    free(f->typing);
    *f = (struct field){.history = f->history, .most = f->most};
}

const char *screen_field_text(const struct field *f) {
    return f->text.s ? f->text.s : "";
}

void screen_field_set(struct field *f, const char *text) {
    base_text_free(&f->text);
    base_text_puts(&f->text, text);
    f->at = f->text.length;
}

/* ── moving: a character is a code point with the zero-width ones after it ─────────────────────*/
static uint32_t code_at(const struct field *f, size_t at, size_t *after) {
    const char *s = f->text.s + at;
    uint32_t code = base_utf8_next(&s, f->text.s + f->text.length);
    *after = (size_t)(s - f->text.s);
    return code;
}

static size_t next_of(const struct field *f, size_t at) {
    size_t after = at;
    if (at >= f->text.length) return at;
    code_at(f, at, &at);
    while (at < f->text.length && base_code_width(code_at(f, at, &after)) == 0) at = after;
    return at;
}

static size_t previous_of(const struct field *f, size_t at) {
    size_t p = 0;
    while (p < at) {
        size_t n = next_of(f, p);
        if (n >= at) break;
        p = n;
    }
    return p;
}

static size_t word_before(const struct field *f) {
    size_t at = f->at;
    while (at > 0 && f->text.s[at - 1] == ' ') at--;
    while (at > 0 && f->text.s[at - 1] != ' ') at--;
    return at;
}

/* ── changing ──────────────────────────────────────────────────────────────────────────────────*/
static void cut(struct field *f, size_t from, size_t to) {
    if (from >= to) return;
    memmove(f->text.s + from, f->text.s + to, f->text.length - to + 1);
    f->text.length -= to - from;
    f->at = from;
}

static void type(struct field *f, uint32_t code) {
    char s[4];
    size_t n = base_utf8_put(s, code), tail = f->text.length - f->at;
    f->full = f->text.length + n > (f->most ? f->most : FIELD_LINE);
    if (f->full) return;
    base_text_add(&f->text, s, n); /* makes room; the bytes go to their place below */
    memmove(f->text.s + f->at + n, f->text.s + f->at, tail);
    memcpy(f->text.s + f->at, s, n);
    f->at += n;
}

static void walk_history(struct field *f, int by) {
    if (!f->history) return;
    size_t count = f->history->count;
    if ((by > 0 && f->back == count) || (by < 0 && f->back == 0)) return;
    if (f->back == 0) {
        free(f->typing);
        f->typing = base_dup(screen_field_text(f));
    }
    f->back = by > 0 ? f->back + 1 : f->back - 1;
    screen_field_set(f, f->back ? f->history->line[count - f->back] : f->typing);
}

bool screen_field_key(struct field *f, const struct key *k) {
    bool line = k->code == '\n' || k->code == '\t';
    if (line || screen_key_types(k)) {
        type(f, line ? ' ' : k->code);
        return true;
    }
    f->full = false;
    switch (k->code) {
    case PRESS_LEFT: f->at = previous_of(f, f->at); return true;
    case PRESS_RIGHT: f->at = next_of(f, f->at); return true;
    case PRESS_HOME:
    case PRESS_CTRL('a'): f->at = 0; return true;
    case PRESS_END:
    case PRESS_CTRL('e'): f->at = f->text.length; return true;
    case PRESS_BACKSPACE: cut(f, previous_of(f, f->at), f->at); return true;
    case PRESS_DELETE:
    case PRESS_CTRL('d'): cut(f, f->at, next_of(f, f->at)); return true;
    case PRESS_CTRL('u'): cut(f, 0, f->at); return true;
    case PRESS_CTRL('k'): cut(f, f->at, f->text.length); return true;
    case PRESS_CTRL('w'): cut(f, word_before(f), f->at); return true;
    case PRESS_UP: walk_history(f, 1); return true;
    case PRESS_DOWN: walk_history(f, -1); return true;
    default: return false;
    }
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
/* Cells before a byte. */
static int cells_before(const struct field *f, size_t at) {
    int cells = 0;
    for (size_t p = 0; p < at; p = next_of(f, p)) {
        size_t after;
        cells += base_code_width(code_at(f, p, &after));
    }
    return cells;
}

static void fill(struct page *p, int row, int column, int width) {
    for (int i = 0; i < width; i++) page_put(p, row, column + i, PAGE_INPUT, 0, " ");
}

static void write_part(const struct field *f, struct page *p, int row, int column, size_t from,
                       size_t to) {
    int end = column;
    for (size_t at = from; at < to; at = next_of(f, at)) {
        char one[16];
        snprintf(one, sizeof one, "%.*s", (int)(next_of(f, at) - at), f->text.s + at);
        end = page_put(p, row, end, PAGE_INPUT, 0, one);
    }
}

/* The byte after the part that begins at `from` and fits `width` cells; with `words`, after a blank
 * where there is one. */
static size_t part_end(const struct field *f, size_t from, int width, bool words) {
    size_t at = from, blank = 0, after;
    int cells = 0;
    while (at < f->text.length) {
        cells += base_code_width(code_at(f, at, &after));
        /* it hangs over */
        if (cells > width && words && f->text.s[at] == ' ') return next_of(f, at);
        if (cells > width) return words && blank ? blank : at;
        if (f->text.s[at] == ' ') blank = next_of(f, at);
        at = next_of(f, at);
    }
    return at;
}

/* The first byte shown in one row: the text moves so that the cursor is in it. */
static size_t scrolled_to(const struct field *f, int width) {
    size_t from = 0, after;
    for (int cells = cells_before(f, f->at); cells >= width; from = next_of(f, from))
        cells -= base_code_width(code_at(f, from, &after));
    return from;
}

static struct field_spot draw_scrolled(const struct field *f, struct page *p, int row, int column,
                                       int width) {
    size_t from = scrolled_to(f, width);
    fill(p, row, column, width);
    write_part(f, p, row, column, from, part_end(f, from, width, false));
    return (struct field_spot){.row = row,
                               .column = column + cells_before(f, f->at) - cells_before(f, from)};
}

/* The line, of those that wrapping makes, in which a byte lies, and where it starts. */
static int line_of(const struct field *f, size_t at, int width, size_t *start) {
    int line = 0;
    *start = 0;
    for (;; line++) {
        size_t end = part_end(f, *start, width, true);
        if (at < end || end == f->text.length) return line;
        *start = end;
    }
}

/* Of the lines that wrapping makes, the first shown in several rows: where they are too few, the
 * cursor's is the last. */
static int first_shown(const struct field *f, int width, int rows) {
    size_t start;
    int cursor = line_of(f, f->at, width - 1, &start);
    return cursor >= rows ? cursor - rows + 1 : 0;
}

/* The text wraps, with a cell left for the cursor. */
static struct field_spot draw_wrapped(const struct field *f, struct page *p, int row, int column,
                                      int width, int rows) {
    size_t here, from = 0;
    int cursor = line_of(f, f->at, width - 1, &here), first = first_shown(f, width, rows);
    for (int line = 0; line < first + rows; line++) {
        size_t to = part_end(f, from, width - 1, true);
        if (line >= first) {
            fill(p, row + line - first, column, width);
            write_part(f, p, row + line - first, column, from, to);
        }
        from = to;
    }
    return (struct field_spot){.row = row + cursor - first,
                               .column = column + cells_before(f, f->at) - cells_before(f, here),
                               .above = first > 0,
                               .below = from < f->text.length};
}

struct field_spot screen_field_draw(const struct field *f, struct page *p, int row, int column,
                                    int width, int rows) {
    return rows == 1 ? draw_scrolled(f, p, row, column, width)
                     : draw_wrapped(f, p, row, column, width, rows);
}

int screen_field_rows(const struct field *f, int width) {
    size_t start;
    return line_of(f, f->text.length, width - 1, &start) + 1;
}

static size_t start_of(const struct field *f, int line, int width) {
    size_t start = 0;
    while (line-- > 0) start = part_end(f, start, width, true);
    return start;
}

/* The byte that stands `cells` after the one at `from`, at most `end`. */
static size_t byte_at(const struct field *f, size_t from, size_t end, int cells) {
    int most = cells_before(f, from) + cells;
    while (from < end && cells_before(f, next_of(f, from)) <= most) from = next_of(f, from);
    return from;
}

static void put_cursor(struct field *f, int line, int cells, int width) {
    size_t start = start_of(f, line, width - 1), end = part_end(f, start, width - 1, true);
    size_t at = byte_at(f, start, end, cells);
    f->at = at == end && end < f->text.length ? previous_of(f, at) : at;
}

void screen_field_move_row(struct field *f, int by, int width) {
    size_t here;
    int to = line_of(f, f->at, width - 1, &here) + by;
    int wanted = cells_before(f, f->at) - cells_before(f, here);
    if (to < 0 || to >= screen_field_rows(f, width)) return;
    put_cursor(f, to, wanted, width);
}

void screen_field_point(struct field *f, int row, int column, int width, int rows) {
    if (rows == 1) {
        f->at = byte_at(f, scrolled_to(f, width), f->text.length, column);
        return;
    }
    int line = first_shown(f, width, rows) + row, last = screen_field_rows(f, width) - 1;
    put_cursor(f, line < last ? line : last, column, width);
}

/* ── history ───────────────────────────────────────────────────────────────────────────────────*/
void screen_field_remember(struct field_history *h, const char *line) {
    if (!*line || (h->count && strcmp(h->line[h->count - 1], line) == 0)) return;
    h->line = base_grow(h->line, h->count + 1, sizeof *h->line);
    h->line[h->count++] = base_dup(line);
}

void screen_field_forget(struct field_history *h) {
    for (size_t i = 0; i < h->count; i++) free(h->line[i]);
    free(h->line);
    *h = (struct field_history){0};
}
