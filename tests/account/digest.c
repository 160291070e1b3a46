#include "account/digest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* splitmix64's finish, over what came before */
static void mix(struct digest *d, uint64_t value) {
    uint64_t z = (d->hash + 0x9e3779b97f4a7c15u) ^ value;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    d->hash = z ^ z >> 31;
}

/* eight bytes at a time */
static void mix_text(struct digest *d, const char *text) {
    size_t length = strlen(text);
    mix(d, length);
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        for (size_t k = i; k < length && k < i + 8; k++) word = word << 8 | (unsigned char)text[k];
        mix(d, word);
    }
}

static void say(const struct digest *d, const char *name, const char *value) {
    if (d->says) printf("#   %-32s %s\n", name, value);
}

void digest_count(struct digest *d, const char *name, uint64_t value) {
    char text[24];
    mix(d, value);
    if (!d->says) return;
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    say(d, name, text);
}

/* Times a number with no end of digits first: round values would often lie half-way between two
 * roundings, where the last bit decides. */
void digest_real(struct digest *d, const char *name, double value) {
    static const double golden = 1.618033988749895;
    char text[32];
    if (isnan(value) || isinf(value))
        snprintf(text, sizeof text, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    else
        snprintf(text, sizeof text, "%.8e", value == 0 ? 0 : value * golden); /* no minus zero */
    mix_text(d, text);
    if (!d->says) return;
    snprintf(text, sizeof text, "%.15g", value);
    say(d, name, text);
}

void digest_text(struct digest *d, const char *name, const char *text) {
    mix_text(d, text ? text : "(none)");
    say(d, name, text ? text : "(none)");
}
