/* words: what stands around a place of a text, how words are added to those that were said, and
 * units in words, in the singular or the plural: "1 GB" is 1 gigabyte. */
#include "voice/inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ── around a place ────────────────────────────────────────────────────────────────────────────*/
bool voice_is_digit(const char *text, const char *at) {
    return at >= text && isdigit((unsigned char)*at);
}

bool voice_is_word(const char *text, const char *at) {
    return at >= text && (isalnum((unsigned char)*at) || (unsigned char)*at >= 0x80);
}

bool voice_follows(const char *text, const char *at, const char *what) {
    size_t n = strlen(what);
    return (size_t)(at - text) >= n && memcmp(at - n, what, n) == 0;
}

void voice_say(struct base_text *out, const char *words, const char *next) {
    bool closes = *words == ',';
    while (closes && out->length > 0 && out->s[out->length - 1] == ' ')
        out->s[--out->length] = '\0';
    if (closes && out->length > 0 && out->s[out->length - 1] == '.') return; /* it was said */
    if (!closes && out->length > 0 && !strchr(" (\"\n", out->s[out->length - 1]))
        base_text_puts(out, " ");
    base_text_puts(out, words);
    if (*next && !strchr(" \n.,;:!?)\"", *next)) base_text_puts(out, " ");
}

void voice_pause(struct base_text *out) {
    while (out->length > 0 && out->s[out->length - 1] == ' ') out->s[--out->length] = '\0';
    if (out->length > 0 && !strchr(".,:;(\n", out->s[out->length - 1])) base_text_puts(out, ",");
}

/* ── units ─────────────────────────────────────────────────────────────────────────────────────*/
/* Units are said after a number, in the plural except after 1, and as words, "in GB". One letter is
 * a unit only in "2 B": "7B" has none. */
static const char *const units[][2] = {
    {"Gb/s", "gigabit% per second"},
    {"GB/s", "gigabyte% per second"},
    {"MB/s", "megabyte% per second"},
    {"TB/s", "terabyte% per second"},
    {"kB", "kilobyte%"},
    {"KB", "kilobyte%"},
    {"MB", "megabyte%"},
    {"GB", "gigabyte%"},
    {"TB", "terabyte%"},
    {"KiB", "kibibyte%"},
    {"MiB", "mebibyte%"},
    {"GiB", "gibibyte%"},
    {"TiB", "tebibyte%"},
    {"µs", "microsecond%"},
    {"ms", "millisecond%"},
    {"min", "minute%"},
    {"B/param", "byte% per parameter"},
    {"B", "byte%"},
    {"s", "second%"},
};
static const char *begin_of_number(const char *text, const char *end) {
    while (end > text && (voice_is_digit(text, end - 1) || strchr(".,", end[-1]))) end--;
    return end;
}

/* Whether a unit is said in the singular: "1 GB", "a GB", "an 80 GB card", "80 GB cards". Its
 * number ends before `end`; a unit without a number is itself there. */
static bool is_single(const char *text, const char *end, const char *next) {
    const char *from = begin_of_number(text, end);
    return (end - from == 1 && *from == '1') || voice_follows(text, from, " a ") ||
           voice_follows(text, from, " an ") || voice_follows(text, from, "per ") ||
           strncmp(next, " card", strlen(" card")) == 0;
}

/* Where the number ends that a unit at `at` counts; NULL: there is none. */
static const char *counted(const char *text, const char *at) {
    const char *end = voice_follows(text, at, VOICE_BLANK) ? at - strlen(VOICE_BLANK)
                      : voice_follows(text, at, " ")       ? at - 1
                                                           : at;
    bool sum = voice_follows(text, end, ")") && voice_is_digit(text, end - 2); /* "(2 + 4) B" */
    return sum || voice_is_digit(text, end - 1) ? end : NULL;
}

size_t voice_unit_at(const char *text, const char *at, struct base_text *out) {
    const char *number = counted(text, at);
    if (!number && (voice_is_word(text, at - 1) || voice_follows(text, at, "\"")))
        return 0; /* as it is spelt */
    if (number == at && voice_follows(text, begin_of_number(text, at), "-"))
        return 0; /* A100-80GB */
    if (number && voice_follows(text, begin_of_number(text, number), "\"") &&
        strcspn(at, "\"") == strspn(at, "kKMGTiB"))
        return 0; /* the "80 GB" on a box */
    for (size_t i = 0; i < BASE_COUNT(units); i++) {
        size_t n = strlen(units[i][0]);
        bool word = strpbrk(units[i][0], "BG") || voice_follows(text, at, "in ") ||
                    voice_follows(text, at, "many ");
        if (strncmp(at, units[i][0], n) != 0 || voice_is_word(text, at + n)) continue;
        if (number ? n == 1 && number == at : n == 1 || !word) continue;
        const char *mark = strchr(units[i][1], '%');
        char *unit =
            base_format("%.*s%s%s", (int)(mark - units[i][1]), units[i][1],
                        is_single(text, number ? number : at, at + n) ? "" : "s", mark + 1);
        voice_say(out, unit, at + n);
        free(unit);
        return n;
    }
    return 0;
}
