/* look: what is on the screen. */
#include "tty/inside.h"

#include <stdlib.h>
#include <string.h>

int tty_columns(const struct tty *t) {
    return t->columns;
}

int tty_rows(const struct tty *t) {
    return t->rows;
}

static size_t put_utf8(char *out, uint32_t c) {
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (c < 0x80) {
        *out = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n; i-- > 1; c >>= 6) out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(lead[n] | c);
    return n;
}

static int index_of(const VTermColor *c) {
    if (VTERM_COLOR_IS_DEFAULT_FG(c) || VTERM_COLOR_IS_DEFAULT_BG(c)) return TTY_DEFAULT;
    return VTERM_COLOR_IS_INDEXED(c) ? c->indexed.idx : TTY_DEFAULT;
}

struct tty_cell tty_at(struct tty *t, int row, int column) {
    VTermScreenCell c;
    struct tty_cell out = {.colour = TTY_DEFAULT, .background = TTY_DEFAULT};
    size_t n = 0;
    if (!vterm_screen_get_cell(t->screen, (VTermPos){row, column}, &c)) return out;
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && c.chars[i] && c.chars[i] != (uint32_t)-1; i++)
        n += put_utf8(out.text + n, c.chars[i]);
    if (c.chars[0] == 0) out.text[n++] = ' ';
    out.text[n] = '\0';
    out.colour = index_of(&c.fg);
    out.background = index_of(&c.bg);
    out.bold = c.attrs.bold;
    out.underline = c.attrs.underline != 0;
    out.reverse = c.attrs.reverse;
    return out;
}

static size_t add_row(struct tty *t, int row, char *out) {
    size_t n = 0;
    for (int column = 0; column < t->columns; column++) {
        struct tty_cell c = tty_at(t, row, column);
        memcpy(out + n, c.text, strlen(c.text));
        n += strlen(c.text);
    }
    while (n > 0 && out[n - 1] == ' ') n--;
    out[n] = '\0';
    return n;
}

static void make_room(struct tty *t) {
    t->text = realloc(t->text, (size_t)t->rows *
                                   ((size_t)t->columns * sizeof((struct tty_cell *)0)->text + 2));
    tty_check(t->text != NULL, "realloc");
}

const char *tty_row(struct tty *t, int row) {
    make_room(t);
    add_row(t, row, t->text);
    return t->text;
}

const char *tty_text(struct tty *t) {
    size_t n = 0;
    make_room(t);
    for (int row = 0; row < t->rows; row++) {
        n += add_row(t, row, t->text + n);
        t->text[n++] = '\n';
    }
    t->text[n] = '\0';
    return t->text;
}

bool tty_has(struct tty *t, const char *text) {
    int row, column;
    return tty_find(t, text, &row, &column);
}

/* The column is the cell where the text's first byte stands. */
bool tty_find(struct tty *t, const char *text, int *row, int *column) {
    for (*row = 0; *row < t->rows; ++*row) {
        const char *line = tty_row(t, *row), *found = strstr(line, text);
        if (!found) continue;
        size_t before = (size_t)(found - line);
        for (*column = 0; before > 0; ++*column) before -= strlen(tty_at(t, *row, *column).text);
        return true;
    }
    return false;
}

struct tty_cursor tty_cursor(struct tty *t) {
    VTermPos at;
    vterm_state_get_cursorpos(vterm_obtain_state(t->vt), &at);
    return (struct tty_cursor){at.row, at.col, t->cursor_visible};
}

bool tty_full_screen(struct tty *t) {
    return t->alternate;
}

bool tty_has_mouse(struct tty *t) {
    return t->mouse != VTERM_PROP_MOUSE_NONE;
}

bool tty_has_drags(struct tty *t) {
    return t->mouse == VTERM_PROP_MOUSE_DRAG;
}

size_t tty_damage(struct tty *t) {
    size_t damage = t->damage;
    t->damage = 0;
    return damage;
}
