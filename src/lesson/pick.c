/* pick.c: what was typed where options are asked: "2", "b", "B)", "3 1 2", "c, a, b", "stage 1". */
#include "lesson/handler.h"

#include <string.h>
#include <strings.h>

char lesson_pick_letter(size_t i) {
    return (char)('a' + i);
}

static bool between(char c) {
    return c != '\0' && strchr(" \t\n,;", c) != NULL;
}

bool lesson_pick_word(const char **s, char *word, size_t size) {
    size_t n = 0;
    while (between(**s)) (*s)++;
    if (**s == '\0') return false;
    for (; **s != '\0' && !between(**s); (*s)++)
        if (n + 1 < size) word[n++] = **s;
    word[n] = '\0';
    return true;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Digits count from 1, a letter from a; "(b)", "b)" and "2." are fine too. */
static bool read_option(const char *word, size_t count, size_t *out) {
    size_t n = 0;
    word += *word == '(';
    if (*word >= '0' && *word <= '9') {
        while (*word >= '0' && *word <= '9' && n <= count) n = 10 * n + (size_t)(*word++ - '0');
    } else if (lower(*word) >= 'a' && lower(*word) <= 'z') {
        n = (size_t)(lower(*word++) - 'a') + 1;
    }
    if (n < 1 || n > count || (*word != '\0' && strchr(").:", *word) == NULL)) return false;
    if (*word != '\0' && word[1] != '\0') return false;
    *out = n - 1;
    return true;
}

bool lesson_pick_one(const char *text, size_t count, size_t *out) {
    char word[32], more[32];
    return lesson_pick_word(&text, word, sizeof word) && read_option(word, count, out) &&
           !lesson_pick_word(&text, more, sizeof more);
}

bool lesson_pick_asked(const struct lesson_ask *a, const char *text, size_t *out) {
    size_t n = strlen(text);
    if (lesson_pick_one(text, a->options, out)) return true;
    while (n > 0 && between(text[n - 1])) n--;
    for (; n > 0 && between(*text); n--) text++;
    for (*out = 0; n > 0 && *out < a->options; ++*out)
        if (strlen(a->option[*out]) == n && strncasecmp(a->option[*out], text, n) == 0) return true;
    return false;
}

bool lesson_pick_many(const char *text, size_t count, size_t *out, size_t capacity, size_t *got,
                      char bad[32]) {
    *got = 0;
    while (lesson_pick_word(&text, bad, 32)) {
        if (*got == capacity || !read_option(bad, count, &out[*got])) return false;
        ++*got;
    }
    return true;
}
