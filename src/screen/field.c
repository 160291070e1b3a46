/* field: a line that is typed into. */
#include "screen/field.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4000 };

void field_free(struct field *f) {
    base_text_free(&f->text);
    free(f->typing);
    *f = (struct field){.history = f->history};
}

const char *field_text(const struct field *f) {
    return f->text.s ? f->text.s : "";
}

void field_set(struct field *f, const char *text) {
    base_text_free(&f->text);
    base_text_puts(&f->text, text);
    f->at = f->text.length;
}

/* ── moving: a character is a code point with the zero-width ones after it ────────────────────────*/
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

/* ── changing ────────────────────────────────────────────────────────────────────────────────────*/
static void cut(struct field *f, size_t from, size_t to) {
    if (from >= to) return;
    memmove(f->text.s + from, f->text.s + to, f->text.length - to + 1);
    f->text.length -= to - from;
    f->at = from;
}

static void type(struct field *f, uint32_t code) {
    char s[4];
    size_t n = base_utf8_put(s, code), tail = f->text.length - f->at;
    if (f->text.length + n > MOST) return;
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
        f->typing = base_dup(field_text(f));
    }
    f->back = by > 0 ? f->back + 1 : f->back - 1;
    field_set(f, f->back ? f->history->line[count - f->back] : f->typing);
}

bool field_key(struct field *f, const struct key *k) {
    if (key_types(k)) {
        type(f, k->code);
        return true;
    }
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

/* ── drawing ─────────────────────────────────────────────────────────────────────────────────────*/
/* Cells before a byte. */
static int cells_before(const struct field *f, size_t at) {
    int cells = 0;
    for (size_t p = 0; p < at; p = next_of(f, p)) {
        size_t after;
        cells += base_code_width(code_at(f, p, &after));
    }
    return cells;
}

struct field_spot field_draw(const struct field *f, struct paper *p, int row, int column, int width,
                             int rows) {
    int cursor = cells_before(f, f->at), room = width * rows;
    int first = cursor >= room ? (cursor / width - rows + 1) * width : 0;
    if (rows == 1 && cursor >= room) first = cursor - width + 1;
    for (int i = 0; i < room; i++)
        paper_put(p, row + i / width, column + i % width, PAPER_INPUT, 0, " ");
    int cell = 0;
    for (size_t at = 0; at < f->text.length;) {
        char one[16];
        size_t after = next_of(f, at), first_code;
        int wide = base_code_width(code_at(f, at, &first_code));
        snprintf(one, sizeof one, "%.*s", (int)(after - at), f->text.s + at);
        int shown = cell - first;
        if (shown >= 0 && shown + wide <= room)
            paper_put(p, row + shown / width, column + shown % width, PAPER_INPUT, 0, one);
        cell += wide;
        at = after;
    }
    return (struct field_spot){row + (cursor - first) / width, column + (cursor - first) % width};
}

/* ── history ─────────────────────────────────────────────────────────────────────────────────────*/
void field_remember(struct field_history *h, const char *line) {
    if (!*line || (h->count && strcmp(h->line[h->count - 1], line) == 0)) return;
    h->line = base_grow(h->line, h->count + 1, sizeof *h->line);
    h->line[h->count++] = base_dup(line);
}

void field_forget(struct field_history *h) {
    for (size_t i = 0; i < h->count; i++) free(h->line[i]);
    free(h->line);
    *h = (struct field_history){0};
}
