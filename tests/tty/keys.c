/* keys: from the notation to what a terminal sends. The emulator encodes them, so a program that
 * forgot to ask for the mouse gets none. */
#include "tty/inside.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    VTermKey key;
    VTermModifier modifier;
} NAMED[] = {
    {"Enter", VTERM_KEY_ENTER, VTERM_MOD_NONE},  {"Esc", VTERM_KEY_ESCAPE, VTERM_MOD_NONE},
    {"Tab", VTERM_KEY_TAB, VTERM_MOD_NONE},      {"S-Tab", VTERM_KEY_TAB, VTERM_MOD_SHIFT},
    {"BS", VTERM_KEY_BACKSPACE, VTERM_MOD_NONE}, {"Del", VTERM_KEY_DEL, VTERM_MOD_NONE},
    {"Up", VTERM_KEY_UP, VTERM_MOD_NONE},        {"Down", VTERM_KEY_DOWN, VTERM_MOD_NONE},
    {"Left", VTERM_KEY_LEFT, VTERM_MOD_NONE},    {"Right", VTERM_KEY_RIGHT, VTERM_MOD_NONE},
    {"Home", VTERM_KEY_HOME, VTERM_MOD_NONE},    {"End", VTERM_KEY_END, VTERM_MOD_NONE},
    {"PgUp", VTERM_KEY_PAGEUP, VTERM_MOD_NONE},  {"PgDn", VTERM_KEY_PAGEDOWN, VTERM_MOD_NONE},
};

/* An Esc that is followed too soon is the start of another key: its answer is awaited first. */
static void escape(struct tty *t) {
    uint64_t before = t->bytes;
    int64_t until = tty_now() + 500;
    vterm_keyboard_key(t->vt, VTERM_KEY_ESCAPE, VTERM_MOD_NONE);
    tty_flush(t);
    while (t->bytes == before && tty_now() < until) tty_pump(t, 20);
}

static void button(struct tty *t, int row, int column, int number) {
    vterm_mouse_move(t->vt, row, column, VTERM_MOD_NONE);
    vterm_mouse_button(t->vt, number, true, VTERM_MOD_NONE);
    if (number <= 3) vterm_mouse_button(t->vt, number, false, VTERM_MOD_NONE);
}

static void drag(struct tty *t, int row, int column, int to_row, int to_column) {
    vterm_mouse_move(t->vt, row, column, VTERM_MOD_NONE);
    vterm_mouse_button(t->vt, 1, true, VTERM_MOD_NONE);
    vterm_mouse_move(t->vt, to_row, to_column, VTERM_MOD_NONE);
    vterm_mouse_button(t->vt, 1, false, VTERM_MOD_NONE);
}

static bool named(struct tty *t, const char *word) {
    for (size_t i = 0; i < sizeof NAMED / sizeof *NAMED; i++) {
        if (strcmp(NAMED[i].name, word) != 0) continue;
        if (NAMED[i].key == VTERM_KEY_ESCAPE)
            escape(t);
        else
            vterm_keyboard_key(t->vt, NAMED[i].key, NAMED[i].modifier);
        return true;
    }
    return false;
}

static bool numbered(struct tty *t, const char *word) {
    int a = 0, b = 0, c = 0, d = 0;
    char letter = 0, end = 0, how[8] = "";
    if (sscanf(word, "F%d%c", &a, &end) == 1)
        vterm_keyboard_key(t->vt, (VTermKey)VTERM_KEY_FUNCTION(a), VTERM_MOD_NONE);
    else if (sscanf(word, "C-%c%c", &letter, &end) == 1)
        vterm_keyboard_unichar(t->vt, (uint32_t)letter, VTERM_MOD_CTRL);
    else if (sscanf(word, "click:%d,%d%c", &a, &b, &end) == 2)
        button(t, b - 1, a - 1, 1);
    else if (sscanf(word, "drag:%d,%d,%d,%d%c", &a, &b, &c, &d, &end) == 4)
        drag(t, b - 1, a - 1, d - 1, c - 1);
    else if (sscanf(word, "wheel-%[updown]:%d,%d%c", how, &a, &b, &end) == 3)
        button(t, b - 1, a - 1, *how == 'u' ? 4 : 5);
    else if (sscanf(word, "resize:%dx%d%c", &a, &b, &end) == 2)
        tty_resize(t, a, b);
    else
        return false;
    return true;
}

static void press_word(struct tty *t, const char *word) {
    if (strcmp(word, "Space") == 0)
        vterm_keyboard_unichar(t->vt, ' ', VTERM_MOD_NONE);
    else if (strcmp(word, "lt") == 0)
        vterm_keyboard_unichar(t->vt, '<', VTERM_MOD_NONE);
    else if (strcmp(word, "wheel:up") == 0 || strcmp(word, "wheel:down") == 0)
        button(t, t->rows / 2, t->columns / 2, word[6] == 'u' ? 4 : 5);
    else if (!named(t, word) && !numbered(t, word))
        tty_fail(t, "unknown key <%s>", word);
}

void tty_type(struct tty *t, const char *keys) {
    while (*keys) {
        char word[40];
        size_t n = strcspn(keys, ">");
        if (*keys != '<') {
            tty_send(t, keys, 1);
            keys++;
            if (((unsigned char)*keys & 0xc0) == 0x80) continue; /* the rest of a character */
        } else if (keys[n] == '>' && n <= sizeof word) {
            memcpy(word, keys + 1, n - 1);
            word[n - 1] = '\0';
            press_word(t, word);
            keys += n + 1;
        } else {
            tty_fail(t, "no > after %.20s", keys);
        }
        tty_flush(t);
        tty_settle(t);
    }
}

void tty_click(struct tty *t, const char *text) {
    int row, column;
    tty_wait(t, text);
    if (!tty_find(t, text, &row, &column)) tty_fail(t, "nothing to click on: \"%s\"", text);
    button(t, row, column, 1);
    tty_flush(t);
    tty_settle(t);
}
