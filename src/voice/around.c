/* around: what is around a place of a text, and how words are added to those that were said. */
#include "voice/inside.h"

#include <ctype.h>
#include <string.h>

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
