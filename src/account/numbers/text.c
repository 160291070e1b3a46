#include "account/numbers/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct account_text account_text(char *out, size_t size) {
    if (size > 0) out[0] = '\0';
    return (struct account_text){out, size, 0};
}

/* A character of UTF-8 is not cut in two. */
static size_t whole_characters(const char *s, size_t length) {
    while (length > 0 && ((unsigned char)s[length] & 0xC0) == 0x80) length--;
    return length;
}

void account_add(struct account_text *t, const char *format, ...) {
    if (t->used + 1 >= t->size) return;
    char piece[512];
    va_list list;
    va_start(list, format);
    int wanted = vsnprintf(piece, sizeof piece, format, list);
    va_end(list);
    if (wanted <= 0) return;
    size_t length = strlen(piece), capacity = t->size - t->used - 1;
    if (length > capacity) length = whole_characters(piece, capacity);
    memcpy(t->out + t->used, piece, length);
    t->used += length;
    t->out[t->used] = '\0';
}

bool account_fail(struct account_error *e, int column, const char *format, ...) {
    if (!e) return false;
    va_list list;
    va_start(list, format);
    vsnprintf(e->what, sizeof e->what, format, list);
    va_end(list);
    e->column = column;
    return false;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool account_same_n(const char *name, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!name[i] || lower(name[i]) != lower(text[i])) return false;
    return name[length] == '\0';
}

bool account_same(const char *a, const char *b) {
    while (*a && lower(*a) == lower(*b)) a++, b++;
    return *a == *b;
}

bool account_is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool account_is_letter(char c) {
    return lower(c) >= 'a' && lower(c) <= 'z';
}

size_t account_space(const char *s) {
    static const char *const wide[] = {"\u00a0", "\u2009", "\u202f"};
    if (*s == ' ' || (*s >= '\t' && *s <= '\r')) return 1;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        size_t length = strlen(wide[i]);
        if (strncmp(s, wide[i], length) == 0) return length;
    }
    return 0;
}

const char *account_skip(const char *s) {
    for (size_t n; (n = account_space(s)) > 0;) s += n;
    return s;
}

static bool goes_on(char c) {
    return account_is_letter(c) || account_is_digit(c) || c == '_';
}

size_t account_word(const char *s) {
    size_t n = 0;
    while (account_is_letter(s[n])) n++;
    return goes_on(s[n]) ? 0 : n;
}

const char *account_skip_phrase(const char *s, const char *phrase) {
    for (;; phrase++, s = account_skip(s)) {
        size_t length = strcspn(phrase, " "), i = 0;
        while (i < length && s[i] && lower(s[i]) == lower(phrase[i])) i++;
        if (i < length || goes_on(s[length])) return NULL;
        s += length;
        phrase += length;
        if (!*phrase) return s;
    }
}

int account_column(const char *text, const char *at) {
    int column = 1;
    for (; text < at; text++)
        if (((unsigned char)*text & 0xC0) != 0x80) column++;
    return column;
}
