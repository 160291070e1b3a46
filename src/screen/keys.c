/* keys: names of keys, on the screen and in scripts. */
#include "screen/keys.h"

#include <string.h>

struct key_name {
    uint32_t code;
    /* in <…> */
    const char *script;
    const char *sign, *ascii;
};

static const struct key_name NAMES[] = {
    {PRESS_ENTER, "Enter", "⏎", "Enter"},
    {PRESS_ESC, "Esc", "Esc", "Esc"},
    {PRESS_TAB, "Tab", "Tab", "Tab"},
    {PRESS_BACKTAB, "S-Tab", "⇧Tab", "Shift-Tab"},
    {PRESS_BACKSPACE, "BS", "⌫", "Backspace"},
    {PRESS_DELETE, "Del", "Del", "Del"},
    {PRESS_UP, "Up", "↑", "Up"},
    {PRESS_DOWN, "Down", "↓", "Down"},
    {PRESS_LEFT, "Left", "←", "Left"},
    {PRESS_RIGHT, "Right", "→", "Right"},
    {PRESS_HOME, "Home", "Home", "Home"},
    {PRESS_END, "End", "End", "End"},
    {PRESS_PAGE_UP, "PgUp", "PgUp", "PgUp"},
    {PRESS_PAGE_DOWN, "PgDn", "PgDn", "PgDn"},
    {PRESS_WORD_LEFT, "C-Left", "^←", "^Left"},
    {PRESS_WORD_RIGHT, "C-Right", "^→", "^Right"},
    {PRESS_FIRST, "C-Home", "^Home", "^Home"},
    {PRESS_LAST, "C-End", "^End", "^End"},
    {PRESS_ALT_H, "M-h", "Alt-h", "Alt-h"},
    {PRESS_ALT_G, "M-g", "Alt-g", "Alt-g"},
    {PRESS_ALT_V, "M-v", "Alt-v", "Alt-v"},
    {PRESS_ALT_X, "M-x", "Alt-x", "Alt-x"},
    {' ', "Space", "space", "Space"},
    {'<', "lt", "<", "<"},
    {PRESS_WHEEL_UP, "WhUp", "wheel", "wheel"},
    {PRESS_WHEEL_DOWN, "WhDn", "wheel", "wheel"},
};

static const struct {
    uint32_t code, press;
} CONTROLS[] = {
    {'\r', PRESS_ENTER}, {'\n', PRESS_ENTER},     {'\t', PRESS_TAB},
    {0x1b, PRESS_ESC},   {0x7f, PRESS_BACKSPACE}, {0x08, PRESS_BACKSPACE},
};

uint32_t screen_key_of_character(uint32_t code) {
    for (size_t i = 0; i < BASE_COUNT(CONTROLS); i++)
        if (CONTROLS[i].code == code) return CONTROLS[i].press;
    if (code >= 1 && code <= 26) return PRESS_CTRL('a' + code - 1);
    return code < ' ' ? PRESS_NONE : code;
}

bool screen_key_types(const struct key *k) {
    return k->code >= ' ' && k->code < 0x110000 && k->code != 0x7f;
}

const char *screen_key_caption(uint32_t code, bool ascii, char *out, size_t size) {
    char one[5] = "";
    for (size_t i = 0; i < BASE_COUNT(NAMES); i++) {
        if (NAMES[i].code != code) continue;
        snprintf(out, size, "%s", ascii ? NAMES[i].ascii : NAMES[i].sign);
        return out;
    }
    if (code >= PRESS_F1 && code <= PRESS_F12)
        snprintf(out, size, "F%u", (unsigned)(code - PRESS_F1 + 1));
    else if (code >= PRESS_CTRL_BASE)
        snprintf(out, size, "^%c", (char)(code - PRESS_CTRL('a') + 'A'));
    else {
        one[base_utf8_put(one, code)] = '\0';
        snprintf(out, size, "%s", one);
    }
    return out;
}

static bool read_pair(const char *word, const char *prefix, char between, int *a, int *b) {
    size_t n = strlen(prefix);
    char x = 0, end = 0;
    return strncmp(word, prefix, n) == 0 && sscanf(word + n, "%d%c%d%c", a, &x, b, &end) == 3 &&
           x == between && *a > 0 && *b > 0;
}

/* 1 to 12; 0: the word names no function key. */
static int function_key(const char *word) {
    int n = 0;
    if (*word++ != 'F') return 0;
    for (; *word >= '0' && *word <= '9' && n <= 12; word++) n = 10 * n + (*word - '0');
    return *word || n > 12 ? 0 : n;
}

static bool is_chord(const char *word) {
    return word[0] == 'C' && word[1] == '-' && word[2] >= 'a' && word[2] <= 'z' && !word[3];
}

/* The words that carry numbers: <F5>, <C-u>, <click:12,3>, <resize:40x12>. */
static bool read_numbered(const char *word, struct key *out) {
    int n = function_key(word), a = 0, b = 0;
    if (n) {
        out->code = PRESS_F(n);
    } else if (is_chord(word)) {
        out->code = PRESS_CTRL(word[2]);
    } else if (read_pair(word, "click:", ',', &a, &b)) {
        *out = (struct key){PRESS_CLICK, b - 1, a - 1, -1};
    } else if (read_pair(word, "resize:", 'x', &a, &b)) {
        *out = (struct key){PRESS_RESIZE, b, a, -1};
    }
    return out->code != PRESS_NONE;
}

static bool read_word(const char *word, struct key *out) {
    for (size_t i = 0; i < BASE_COUNT(NAMES); i++)
        if (*NAMES[i].script == *word && strcmp(NAMES[i].script, word) == 0) {
            out->code = NAMES[i].code;
            return true;
        }
    return read_numbered(word, out);
}

uint32_t screen_key_named(const char **names) {
    char word[16];
    struct key k = {0};
    *names += strspn(*names, " ");
    size_t n = strcspn(*names, " ");
    if (n == 0 || n >= sizeof word) return PRESS_NONE;
    memcpy(word, *names, n);
    word[n] = '\0';
    *names += n;
    if (n == 1) return (unsigned char)*word;
    return read_word(word, &k) ? k.code : PRESS_NONE;
}

void screen_keys_in_a_row(char *out, size_t size, char first, size_t count) {
    size_t used = 0;
    for (size_t i = 0; i < count && used + 2 <= size; i++) {
        if (i) out[used++] = ' ';
        out[used++] = (char)(first + (char)i);
    }
    out[used] = '\0';
}

bool screen_key_is(const struct key *k, const char *names) {
    uint32_t code;
    while ((code = screen_key_named(&names)) != PRESS_NONE)
        if (code == k->code) return true;
    return false;
}

bool screen_key_read(const char **text, struct key *out, struct base_message *m) {
    char word[32];
    *out = (struct key){.target = -1};
    while (strncmp(*text, "<wait:", 6) == 0) {
        const char *end = strchr(*text, '>');
        *text = end ? end + 1 : *text + strlen(*text);
    }
    *m = (struct base_message){0};
    if (**text == '\0') return false;
    if (**text != '<') {
        out->code = base_utf8_next(text, *text + strlen(*text));
        return true;
    }
    size_t n = strcspn(*text, ">");
    if ((*text)[n] != '>' || n - 1 >= sizeof word)
        return base_fail(
            m, "the key that begins with %.12s has no end: close it with >, or write <lt> for <",
            *text);
    memcpy(word, *text + 1, n - 1);
    word[n - 1] = '\0';
    *text += n + 1;
    if (read_word(word, out)) return true;
    return base_fail(m,
                     "unknown key <%s>: write <Enter>, <Esc>, <F2>, <C-u>, <click:COLUMN,ROW>, "
                     "<resize:COLUMNSxROWS>, or <lt> for <",
                     word);
}
