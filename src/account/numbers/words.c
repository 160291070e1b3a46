/* Numbers in words: "two hundred and eight", "forty-nine", "twelve and a half", "nine point
 * five". */
#include "account/numbers/text.h"

#include <math.h>
#include <string.h>

enum sort { BELOW_TEN, TEENS, TENS, SCALE };
static const struct number_word {
    const char *word;
    double value;
    enum sort sort;
} words[] = {
    {"one", 1, BELOW_TEN},   {"two", 2, BELOW_TEN},     {"three", 3, BELOW_TEN},
    {"four", 4, BELOW_TEN},  {"five", 5, BELOW_TEN},    {"six", 6, BELOW_TEN},
    {"seven", 7, BELOW_TEN}, {"eight", 8, BELOW_TEN},   {"nine", 9, BELOW_TEN},
    {"ten", 10, TEENS},      {"eleven", 11, TEENS},     {"twelve", 12, TEENS},
    {"thirteen", 13, TEENS}, {"fourteen", 14, TEENS},   {"fifteen", 15, TEENS},
    {"sixteen", 16, TEENS},  {"seventeen", 17, TEENS},  {"eighteen", 18, TEENS},
    {"nineteen", 19, TEENS}, {"twenty", 20, TENS},      {"thirty", 30, TENS},
    {"forty", 40, TENS},     {"fifty", 50, TENS},       {"sixty", 60, TENS},
    {"seventy", 70, TENS},   {"eighty", 80, TENS},      {"ninety", 90, TENS},
    {"hundred", 100, SCALE}, {"thousand", 1e3, SCALE},  {"million", 1e6, SCALE},
    {"billion", 1e9, SCALE}, {"trillion", 1e12, SCALE},
};

static const struct number_word *word_at(const char *s) {
    size_t length = account_word(s);
    for (size_t i = 0; length > 0 && i < sizeof words / sizeof *words; i++)
        if (account_same_n(words[i].word, s, length)) return &words[i];
    return NULL;
}

/* ── whole numbers ─────────────────────────────────────────────────────────────────────────────*/

struct folding {
    /* of whole thousands, and what is below them */
    double sum, part;
    /* behind the last word that was taken */
    const char *end;
};

static void fold(struct folding *f, const struct number_word *w) {
    if (w->sort != SCALE) {
        f->part += w->value;
        return;
    }
    f->part = (f->part > 0 ? f->part : 1) * w->value;
    if (w->value < 1e3) return;
    f->sum += f->part;
    f->part = 0;
}

/* "forty-nine": one of the hyphens there are. */
static const char *skip_hyphen(const char *s) {
    static const char *const hyphens[] = {"-", "\u2010", "\u2011"};
    for (size_t i = 0; i < sizeof hyphens / sizeof *hyphens; i++)
        if (strncmp(s, hyphens[i], strlen(hyphens[i])) == 0) return s + strlen(hyphens[i]);
    return s;
}

/* The word that goes on with the number after `before`, or NULL. */
static const struct number_word *next_word(const char **s, const struct number_word *before) {
    *s = account_skip(*s);
    if (before && before->sort == TENS) *s = skip_hyphen(*s);
    bool scaled = before && before->sort == SCALE;
    const char *behind = scaled ? account_skip_phrase(*s, "and") : NULL;
    if (behind) *s = account_skip(behind);
    const struct number_word *w = word_at(*s);
    bool unit = w && before && before->sort == TENS && w->sort == BELOW_TEN;
    bool more = !before || scaled || unit || (w && w->sort == SCALE);
    return more ? w : NULL;
}

static void fold_whole(struct folding *f) {
    const char *s = f->end;
    for (const struct number_word *w, *before = NULL; (w = next_word(&s, before)); before = w) {
        fold(f, w);
        f->end = s += strlen(w->word);
    }
}

/* ── and what is less than one ─────────────────────────────────────────────────────────────────*/

static void fold_digits(struct folding *f, int *last) {
    const char *s = account_skip_phrase(account_skip(f->end), "point");
    const struct number_word *w;
    for (; s && (w = word_at(s = account_skip(s))) && w->sort == BELOW_TEN; s = f->end) {
        f->part += w->value * pow(10, --*last);
        f->end = s + strlen(w->word);
    }
}

const char *account_read_part(const char *text, struct account_words *out) {
    static const struct {
        const char *phrase;
        struct account_words is;
    } parts[] = {
        {"half", {0.5, -1, 0}},         {"a half", {0.5, -1, 0}},
        {"one half", {0.5, -1, 0}},     {"a quarter", {0.25, -2, 0}},
        {"one quarter", {0.25, -2, 0}}, {"three quarters", {0.75, -2, 0}},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *end = account_skip_phrase(text, parts[i].phrase);
        if (!end) continue;
        *out = parts[i].is;
        return end;
    }
    return NULL;
}

/* "and a half", "and three quarters", "point seven five" */
static void fold_fraction(struct folding *f, int *last) {
    struct account_words part;
    const char *behind = account_skip_phrase(account_skip(f->end), "and"),
               *end = behind ? account_read_part(account_skip(behind), &part) : NULL;
    if (!end) {
        fold_digits(f, last);
        return;
    }
    f->part += part.value;
    f->end = end;
    *last = part.last;
}

const char *account_read_words(const char *text, struct account_words *out) {
    const struct number_word *first = word_at(text);
    struct folding f = {.end = text};
    if (!first) return NULL;
    *out = (struct account_words){.scale = first->sort == SCALE ? first->value : 0};
    fold_whole(&f);
    fold_fraction(&f, &out->last);
    out->value = f.sum + f.part;
    return f.end;
}
