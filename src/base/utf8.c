/* UTF-8 in and out, and its width in cells. Broken input costs one byte and gives U+FFFD, so
 * nothing typed or read can stop a reader. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <uniwidth.h>
#include <wchar.h>

enum { REPLACEMENT = 0xFFFD };

/* One row for each lead byte's shape. `least` is the smallest code that needs so many bytes:
 * anything less is overlong. */
static const struct form {
    unsigned char mask, lead;
    size_t length;
    uint32_t least;
} forms[] = {
    {0x80, 0x00, 1, 0},
    {0xE0, 0xC0, 2, 0x80},
    {0xF0, 0xE0, 3, 0x800},
    {0xF8, 0xF0, 4, 0x10000},
};

static const struct form *form_of(unsigned char lead) {
    for (size_t i = 0; i < BASE_COUNT(forms); i++)
        if ((lead & forms[i].mask) == forms[i].lead) return &forms[i];
    return NULL;
}

static bool is_character(uint32_t code) {
    return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

/* Length of the sequence at `s`, its code in *code; 0 if it is broken. */
static size_t decode(const char *s, size_t left, uint32_t *code) {
    const struct form *f = form_of((unsigned char)*s);
    if (!f || f->length > left) return 0;
    uint32_t c = (unsigned char)*s & (unsigned char)~f->mask;
    for (size_t i = 1; i < f->length; i++) {
        unsigned char byte = (unsigned char)s[i];
        if ((byte & 0xC0) != 0x80) return 0;
        c = c << 6 | (byte & 0x3F);
    }
    if (c < f->least || !is_character(c)) return 0;
    *code = c;
    return f->length;
}

uint32_t base_utf8_next(const char **s, const char *end) {
    uint32_t code = REPLACEMENT;
    size_t length = decode(*s, (size_t)(end - *s), &code);
    *s += length ? length : 1;
    return code;
}

size_t base_utf8_put(char *out, uint32_t code) {
    if (!is_character(code)) code = REPLACEMENT;
    size_t i = BASE_COUNT(forms) - 1;
    while (i && code < forms[i].least) i--;
    for (size_t k = forms[i].length; k-- > 1; code >>= 6) out[k] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(forms[i].lead | code);
    return forms[i].length;
}

bool base_utf8_valid(const char *s, size_t n) {
    for (size_t i = 0; i < n;) {
        uint32_t code;
        size_t length = decode(s + i, n - i, &code);
        if (!length) return false;
        i += length;
    }
    return true;
}

/* Controls (C0, DEL, C1) drive the terminal; embedding and isolate marks reorder what stands around
 * them; separators of lines and of paragraphs end a line as "\n" does, but programs that read a
 * text line by line do not expect them. */
static bool is_safe(uint32_t code) {
    if (code == '\n' || code == '\t') return true;
    if (code < 0x20 || (code >= 0x7F && code <= 0x9F)) return false;
    return !(code >= 0x2028 && code <= 0x202E) && !(code >= 0x2066 && code <= 0x2069);
}

/* How many of the n bytes at s are printable ASCII, as nearly all are: they stay as they are. */
static size_t printable(const char *s, size_t n) {
    size_t i = 0;
    while (i < n && s[i] >= 0x20 && s[i] < 0x7F) i++;
    return i;
}

char *base_clean_dup(const char *s, size_t n, size_t most) {
    struct base_text clean = {0};
    const char *end = s + n;
    while (s < end) {
        char bytes[4];
        size_t room = most - clean.length, left = (size_t)(end - s),
               plain = printable(s, left < room ? left : room);
        base_text_add(&clean, s, plain);
        s += plain;
        if (s == end) break;
        uint32_t code = base_utf8_next(&s, end);
        if (!is_safe(code)) continue;
        size_t length = base_utf8_put(bytes, code);
        if (clean.length + length > most) break;
        base_text_add(&clean, bytes, length);
    }
    return base_text_take(&clean);
}

bool base_is_line(const char *s, size_t n) {
    bool line = base_utf8_valid(s, n) && !memchr(s, '\n', n) && !memchr(s, '\t', n);
    for (const char *end = s + n; line && s < end;) line = is_safe(base_utf8_next(&s, end));
    return line;
}

void base_line_copy(char *out, size_t room, const char *text) {
    char *safe = base_clean_dup(text, strlen(text), room - 1);
    for (char *c = safe; *c; c++)
        if (*c == '\n' || *c == '\t') *c = ' ';
    memcpy(out, safe, strlen(safe) + 1);
    free(safe);
}

/* ── width ───────────────────────────────────────────────────────────────────────────────────────
 * Cells, as curses counts them: wcwidth() of the running C library. What that does not know (in a
 * locale without UTF-8 nearly everything, in any locale what was not yet assigned when it was made)
 * libunistring's tables tell. */
enum { SOFT_HYPHEN = 0xAD };

int base_code_width(uint32_t code) {
    if (code >= 0x20 && code < 0x7F) return 1; /* nearly all of them: no need to ask */
    if (code == SOFT_HYPHEN) return 1;         /* terminals draw it; libunistring says 0 */
    int width = wcwidth((wchar_t)code);
    if (width < 0) width = uc_width((ucs4_t)code, "UTF-8");
    return width > 0 ? width : 0;
}

int base_width(const char *s) {
    const char *end = s + strlen(s);
    int cells = 0;
    while (s < end) cells += base_code_width(base_utf8_next(&s, end));
    return cells;
}
