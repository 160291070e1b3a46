#include "account/digest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *digest_kind_name(enum digest_kind kind) {
    static const char *const names[DIGEST_KINDS] = {"numbers", "figures", "words"};
    return names[kind];
}

/* splitmix64's finish, over what came before */
void digest_join(uint64_t *hash, uint64_t value) {
    uint64_t z = (*hash + 0x9e3779b97f4a7c15u) ^ value;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    *hash = z ^ z >> 31;
}

/* eight bytes at a time */
static void mix_text(uint64_t *hash, const char *text, size_t length) {
    digest_join(hash, length);
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        for (size_t k = i; k < length && k < i + 8; k++) word = word << 8 | (unsigned char)text[k];
        digest_join(hash, word);
    }
}

/* Of "needs 48.8 GB, in fp32" 48.8: digits that belong to a word are part of its name. */
static void mix_figures(uint64_t *hash, const char *text) {
    static const char digits[] = "0123456789";
    const char *at = text;
    while (*(at += strcspn(at, digits))) {
        size_t length = strspn(at, "0123456789.");
        bool named = at > text && isalpha((unsigned char)at[-1]);
        while (at[length - 1] == '.') length--; /* the end of a sentence */
        if (!named) mix_text(hash, at, length);
        at += length;
    }
}

static void say(const struct digest *d, const char *what, const char *value) {
    if (d->says) printf("#   %-32s %s\n", what, value);
}

void digest_count(struct digest *d, const char *what, uint64_t value) {
    char text[24];
    digest_join(&d->hash[DIGEST_NUMBERS], value);
    if (!d->says) return;
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    say(d, what, text);
}

/* Times a number with no end of digits first: round values would often lie half-way between two
 * roundings, where the last bit decides. */
void digest_real(struct digest *d, const char *what, double value) {
    static const double golden = 1.618033988749895;
    char text[32];
    if (isnan(value) || isinf(value))
        snprintf(text, sizeof text, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    else
        snprintf(text, sizeof text, "%.8e", value == 0 ? 0 : value * golden); /* no minus zero */
    mix_text(&d->hash[DIGEST_NUMBERS], text, strlen(text));
    if (!d->says) return;
    snprintf(text, sizeof text, "%.15g", value);
    say(d, what, text);
}

void digest_name(struct digest *d, const char *what, const char *name) {
    if (!name) name = "(none)";
    mix_text(&d->hash[DIGEST_NUMBERS], name, strlen(name));
    say(d, what, name);
}

void digest_text(struct digest *d, const char *what, const char *text) {
    if (!text) text = "(none)";
    mix_figures(&d->hash[DIGEST_FIGURES], text);
    mix_text(&d->hash[DIGEST_WORDS], text, strlen(text));
    say(d, what, text);
}
