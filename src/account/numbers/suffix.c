/* Units behind a number, and what each is worth. */
#include "account/numbers/suffix.h"
#include "account/numbers/text.h"

#include <string.h>

static const struct {
    const char *word;
    double scale;
    int power;
} counts[] = {{"K", 1e3, 3},       {"M", 1e6, 6},        {"G", 1e9, 9},
              {"T", 1e12, 12},     {"thousand", 1e3, 3}, {"million", 1e6, 6},
              {"billion", 1e9, 9}, {"bn", 1e9, 9},       {"trillion", 1e12, 12}};

/* What is counted beside bytes and parameters: "× 48 layers" is × 48. */
static const char *const things[] = {
    "layer",         "layers",      "block",       "blocks",    "token",   "tokens",
    "head",          "heads",       "sequence",    "sequences", "step",    "steps",
    "node",          "nodes",       "micro-batch", "sample",    "samples", "legs",
    "micro-batches", "collectives", "transfers",   "passes"};

static const char *read_thing(const char *s, struct account_suffix *out) {
    const char *end = NULL;
    for (size_t i = 0; !end && i < sizeof things / sizeof *things; i++)
        end = account_skip_phrase(s, things[i]);
    if (end) out->kind = ACCOUNT_SUFFIX_COUNT;
    return end;
}

/* "16 bytes per parameter", "2 B a parameter" */
static const char *read_rate(const char *s, struct account_suffix *out) {
    static const char *const phrases[] = {
        "per parameter",  "per param",          "a parameter",        "a param",
        "each parameter", "for each parameter", "for every parameter"};
    const char *end = NULL;
    for (size_t i = 0; !end && i < sizeof phrases / sizeof *phrases; i++)
        end = account_skip_phrase(account_skip(s), phrases[i]);
    if (end) *out = (struct account_suffix){ACCOUNT_SUFFIX_BYTES, 1, 0, ACCOUNT_UNIT_B_PER_PARAM};
    return end;
}

static bool read_count_word(const char *s, size_t length, struct account_suffix *out) {
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (account_same_n(counts[i].word, s, length)) {
            *out = (struct account_suffix){ACCOUNT_SUFFIX_COUNT, counts[i].scale, counts[i].power,
                                           ACCOUNT_UNIT_NONE};
            return true;
        }
    return false;
}

/* K M G T and perhaps an i: the rows of account_unit from KB and from KiB on stand in this
 * order. */
static const char *read_prefix(const char *s, enum account_unit *unit) {
    static const char prefixes[] = "kKmMgGtT";
    const char *p = *s ? strchr(prefixes, *s) : NULL;
    if (!p) return NULL;
    int step = (int)(p - prefixes) / 2;
    bool binary = s[1] == 'i' || s[1] == 'I';
    *unit = (enum account_unit)((binary ? ACCOUNT_UNIT_KIB : ACCOUNT_UNIT_KB) + step);
    return s + 1 + binary;
}

static bool is_one_of(const char *s, size_t length, const char *one, const char *several) {
    return account_same_n(one, s, length) || account_same_n(several, s, length);
}

/* "gigabyte", "gibibytes" … in the order of account_unit. */
static bool read_spelled_word(const char *s, size_t length, struct account_suffix *out) {
    static const char *const prefixes[] = {"kilo", "mega", "giga", "tera",
                                           "kibi", "mebi", "gibi", "tebi"};
    if (length < 5 || !is_one_of(s + 4, length - 4, "byte", "bytes")) return false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        enum account_unit unit = (enum account_unit)(ACCOUNT_UNIT_KB + (int)i);
        *out = (struct account_suffix){ACCOUNT_SUFFIX_BYTES, account_unit_scale(unit), 0, unit};
        if (account_same_n(prefixes[i], s, 4)) return true;
    }
    return false;
}

/* "Gb" and "Gbit" are bits; "gb", all in small letters, is how people write gigabytes in a
 * hurry. */
static bool read_bytes_word(const char *s, size_t length, struct account_suffix *out) {
    enum account_unit unit;
    const char *p = read_prefix(s, &unit);
    if (!p) return false;
    size_t rest = length - (size_t)(p - s);
    bool word = is_one_of(p, rest, "bit", "bits");
    bool letter = is_one_of(p, rest, "b", "bs");
    bool bare = rest == 0 && unit >= ACCOUNT_UNIT_KIB; /* "80Gi" */
    if (!word && !letter && !bare) return false;
    bool bits = word || (letter && *p == 'b' && *s >= 'A' && *s <= 'Z');
    *out = (struct account_suffix){bits ? ACCOUNT_SUFFIX_BITS : ACCOUNT_SUFFIX_BYTES,
                                   account_unit_scale(unit) / (bits ? 8 : 1), 0,
                                   bits ? ACCOUNT_UNIT_NONE : unit};
    return true;
}

static bool read_unit_word(const char *s, size_t length, struct account_suffix *out) {
    char word[24];
    enum account_unit unit;
    if (length >= sizeof word) return false;
    memcpy(word, s, length);
    word[length] = '\0';
    if (!account_unit_find(word, &unit)) return false;
    *out = (struct account_suffix){ACCOUNT_SUFFIX_BYTES, account_unit_scale(unit), 0, unit};
    return true;
}

/* No unit has an x in it: that is a times sign. */
static size_t letters(const char *s) {
    size_t n = 0;
    while (account_is_letter(s[n]) && s[n] != 'x' && s[n] != 'X') n++;
    return n;
}

/* "7 billion parameters", "7B params", "112 billion bytes": the noun says what is counted. */
static const char *read_noun(const char *s, struct account_suffix *out) {
    const char *noun = account_skip(s);
    size_t length = letters(noun);
    bool bytes = is_one_of(noun, length, "byte", "bytes");
    if (!bytes && !is_one_of(noun, length, "parameters", "params")) return s;
    out->kind = bytes ? ACCOUNT_SUFFIX_BYTES : ACCOUNT_SUFFIX_COUNT;
    out->unit = bytes ? ACCOUNT_UNIT_B : ACCOUNT_UNIT_PARAMS;
    return noun + length;
}

const char *account_suffix(const char *s, struct account_suffix *out) {
    *out = (struct account_suffix){ACCOUNT_SUFFIX_NONE, 1, 0, ACCOUNT_UNIT_NONE};
    size_t length = letters(s);
    if (length == 0) return s;
    size_t per = s[length] == '/' ? letters(s + length + 1) : 0;
    if (per > 0 && read_unit_word(s, length + 1 + per, out)) return s + length + 1 + per;
    const char *end = NULL;
    if (is_one_of(s, length, "byte", "bytes") || is_one_of(s, length, "b", "b"))
        end = read_rate(s + length, out);
    if (!end) end = read_thing(s, out);
    if (end) return end;
    if (length == 1 && (*s == 'B' || *s == 'b')) {
        *out = (struct account_suffix){ACCOUNT_SUFFIX_B, 1e9, 9, ACCOUNT_UNIT_NONE};
        return read_noun(s + 1, out);
    }
    if (read_count_word(s, length, out)) return read_noun(s + length, out);
    bool known = read_bytes_word(s, length, out) || read_spelled_word(s, length, out) ||
                 read_unit_word(s, length, out);
    return known ? s + length : NULL;
}
