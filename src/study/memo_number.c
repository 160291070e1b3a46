/* Numbers as people write them: digits with commas and powers, and in words. */
#include "memo_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MOST = 24 };

static bool is_digit(const char *s, const char *end) {
    return s < end && isdigit((unsigned char)*s);
}

static size_t digits_at(const char *s, const char *end) {
    size_t n = 0;
    while (is_digit(s + n, end)) n++;
    return n;
}

/* Bytes of what may stand between groups of three digits: a comma, an underscore, an apostrophe, a narrow or no-break space. */
static size_t group_mark(const char *s, const char *end) {
    static const char *const marks[] = {
        ",", "_", "'", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99"};
    for (size_t i = 0; i < BASE_COUNT(marks); i++) {
        size_t n = strlen(marks[i]);
        if ((size_t)(end - s) > n && memcmp(s, marks[i], n) == 0) return n;
    }
    return 0;
}

struct digits {
    char text[DIGITS_MOST + 1];
    size_t count, all;
};

static void take(struct digits *d, const char *s, size_t n) {
    for (size_t i = 0; i < n; i++, d->all++)
        if (d->count < DIGITS_MOST) d->text[d->count++] = s[i];
    d->text[d->count] = '\0';
}

static const char *take_groups(struct digits *d, const char *s, const char *end) {
    size_t mark = group_mark(s, end);
    while (mark && d->all <= DIGITS_MOST && digits_at(s + mark, end) == 3) {
        take(d, s + mark, 3);
        s += mark + 3;
        mark = group_mark(s, end);
    }
    return s;
}

/* The exponent of "13e9", or nothing: "8e" is no number with a power. */
static const char *take_power(const char *s, const char *end, int *power) {
    if (end - s < 2 || (*s != 'e' && *s != 'E')) return s;
    const char *at = s + 1;
    int sign = *at == '-' ? -1 : 1;
    if (*at == '-' || *at == '+') at++;
    size_t n = digits_at(at, end);
    if (n == 0 || n > 3) return s;
    int value = 0;
    for (size_t i = 0; i < n; i++) value = 10 * value + (at[i] - '0');
    *power = sign * value;
    return at + n;
}

/* One of several ways to write a sign, or nothing. */
static const char *skip_one(const char *s, const char *end, const char *const *signs) {
    for (; *signs; signs++) {
        size_t n = strlen(*signs);
        if ((size_t)(end - s) >= n && memcmp(s, *signs, n) == 0) return s + n;
    }
    return s;
}

/* "⁹", or −1 */
static int superscript(const char **s, const char *end) {
    static const char *const raised[] = {
        "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
        "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
    for (int k = 0; k < 10; k++) {
        size_t n = strlen(raised[k]);
        if ((size_t)(end - *s) < n || memcmp(*s, raised[k], n) != 0) continue;
        *s += n;
        return k;
    }
    return -1;
}

/* "× 10^9", "·10⁹", "*10**9", or nothing */
static const char *take_ten(const char *s, const char *end, int *power) {
    static const char *const times[] = {"\xc3\x97", "\xc2\xb7", "*", "x", NULL};
    static const char *const hats[] = {"^{", "^", "**", NULL}, *const blank[] = {" ", NULL};
    const char *at = skip_one(s, end, blank), *sign = skip_one(at, end, times);
    if (sign == at) return s;
    at = skip_one(sign, end, blank);
    if (end - at < 3 || memcmp(at, "10", 2) != 0) return s;
    at += 2;
    const char *hat = skip_one(at, end, hats);
    int value = 0, digit;
    size_t n = hat > at ? digits_at(hat, end) : 0;
    for (size_t i = 0; i < n && i < 3; i++) value = 10 * value + (hat[i] - '0');
    const char *next = hat + n;
    for (; hat == at && value < 100 && (digit = superscript(&next, end)) >= 0; n++)
        value = 10 * value + digit;
    if (n == 0 || n > 2) return s;
    *power += value;
    return hat > at && hat[-1] == '{' && next < end && *next == '}' ? next + 1 : next;
}

/* "48¾" */
static const char *take_glyph(const char *s, const char *end, struct digits *d, size_t *fraction) {
    static const struct {
        const char *glyph, *digits;
    } glyphs[] = {
        {"\xc2\xbc", "25"},
        {"\xc2\xbd", "5" },
        {"\xc2\xbe", "75"},
    };
    for (size_t i = 0; i < BASE_COUNT(glyphs); i++)
        if (end - s >= 2 && memcmp(s, glyphs[i].glyph, 2) == 0) {
            *fraction = strlen(glyphs[i].digits);
            take(d, glyphs[i].digits, *fraction);
            return s + 2;
        }
    return s;
}

static void fill(struct memo_token *out, const struct digits *d, size_t fraction, int power) {
    size_t zeros = strspn(d->text, "0"), tail = d->count;
    while (fraction == 0 && tail > zeros && d->text[tail - 1] == '0') tail--;
    int lost = (int)(d->all - d->count);
    out->kind = MEMO_NUMBER;
    out->last = power - (int)fraction;
    out->value = strtod(d->text, NULL) * pow(10, out->last + lost);
    out->digits = (int)(d->all - zeros);
    out->whole = tail < d->count && zeros < d->count;
}

const char *memo_read_number(const char *s, const char *end, struct memo_token *out) {
    struct digits d = {0};
    size_t n = digits_at(s, end), fraction = 0;
    int power = 0;
    if (n == 0) return NULL;
    take(&d, s, n);
    s += n;
    const char *grouped = n <= 3 ? take_groups(&d, s, end) : s;
    bool comma = grouped == s && is_digit(s + 1, end) && *s == ',';
    s = grouped;
    if (s < end && (*s == '.' || comma) && is_digit(s + 1, end)) {
        fraction = digits_at(s + 1, end);
        take(&d, s + 1, fraction);
        s += 1 + fraction;
    } else
        s = take_glyph(s, end, &d, &fraction);
    s = take_power(s, end, &power);
    s = take_ten(s, end, &power);
    fill(out, &d, fraction, power);
    return s;
}

/* ── in words ────────────────────────────────────────────────────────────────────────────────────*/
static const struct number_word {
    const char *word;
    double value;
    enum { BELOW_TEN, TEENS, TENS, SCALE } sort;
} words[] = {
    {"one",       1,   BELOW_TEN},
    {"two",       2,   BELOW_TEN},
    {"three",     3,   BELOW_TEN},
    {"four",      4,   BELOW_TEN},
    {"five",      5,   BELOW_TEN},
    {"six",       6,   BELOW_TEN},
    {"seven",     7,   BELOW_TEN},
    {"eight",     8,   BELOW_TEN},
    {"nine",      9,   BELOW_TEN},
    {"ten",       10,  TEENS    },
    {"eleven",    11,  TEENS    },
    {"twelve",    12,  TEENS    },
    {"thirteen",  13,  TEENS    },
    {"fourteen",  14,  TEENS    },
    {"fifteen",   15,  TEENS    },
    {"sixteen",   16,  TEENS    },
    {"seventeen", 17,  TEENS    },
    {"eighteen",  18,  TEENS    },
    {"nineteen",  19,  TEENS    },
    {"twenty",    20,  TENS     },
    {"thirty",    30,  TENS     },
    {"forty",     40,  TENS     },
    {"fifty",     50,  TENS     },
    {"sixty",     60,  TENS     },
    {"seventy",   70,  TENS     },
    {"eighty",    80,  TENS     },
    {"ninety",    90,  TENS     },
    {"hundred",   100, SCALE    },
    {"thousand",  1e3, SCALE    },
    {"million",   1e6, SCALE    },
    {"billion",   1e9, SCALE    },
};

static const struct number_word *word_at(const struct memo_text *t, size_t i) {
    if (i >= t->tokens || t->token[i].kind != MEMO_WORD) return NULL;
    for (size_t k = 0; k < BASE_COUNT(words); k++)
        if (strlen(words[k].word) == t->token[i].length &&
            memcmp(t->lower + t->token[i].start, words[k].word, t->token[i].length) == 0)
            return &words[k];
    return NULL;
}

struct folding {
    double sum, part; /* of whole thousands, and what is below them */
    int last;
    size_t next;
};

static void fold_scale(struct folding *f, double scale) {
    f->part = (f->part > 0 ? f->part : 1) * scale;
    if (scale < 1e3) return;
    f->sum += f->part;
    f->part = 0;
}

static void fold_whole(const struct memo_text *t, struct folding *f) {
    const struct number_word *before = NULL, *w;
    while (true) {
        size_t i = f->next;
        if (before && before->sort == TENS && memo_is_mark(t, i, '-')) i++;
        if (before && before->sort == SCALE && memo_is_phrase(t, i, "and")) i++;
        w = word_at(t, i);
        bool unit = w && before && before->sort == TENS && w->sort == BELOW_TEN;
        bool more = w && (!before || before->sort == SCALE || w->sort == SCALE || unit);
        if (!more) return;
        if (w->sort == SCALE)
            fold_scale(f, w->value);
        else
            f->part += w->value;
        before = w;
        f->next = i + 1;
    }
}

/* "and a half", "and three quarters", "point seven five" */
static void fold_fraction(const struct memo_text *t, struct folding *f) {
    static const struct {
        const char *phrase;
        double value;
        int last;
    } parts[] = {
        {"and a half",         0.5,  -1},
        {"and one half",       0.5,  -1},
        {"and a quarter",      0.25, -2},
        {"and three quarters", 0.75, -2},
    };
    for (size_t i = 0; i < BASE_COUNT(parts); i++) {
        size_t n = memo_is_phrase(t, f->next, parts[i].phrase);
        if (!n) continue;
        f->part += parts[i].value;
        f->last = parts[i].last;
        f->next += n;
        return;
    }
    if (!memo_is_phrase(t, f->next, "point") || !word_at(t, f->next + 1)) return;
    f->next++;
    for (const struct number_word *w; (w = word_at(t, f->next)) && w->sort == BELOW_TEN; f->next++)
        f->part += w->value * pow(10, --f->last);
}

static int count_digits(double value, int last) {
    return value >= 1 ? (int)floor(log10(value)) + 1 - last : 1 - last;
}

/* What begins with token `i`, folded into one at `to`; returns the token after it. */
static size_t fold_one(struct memo_text *t, size_t i, size_t to) {
    struct folding f = {.next = i};
    struct memo_token one = t->token[i];
    const struct number_word *scale = one.kind == MEMO_NUMBER ? word_at(t, i + 1) : NULL;
    fold_whole(t, &f);
    if (scale && scale->sort == SCALE) { /* "13 billion" */
        one.value *= scale->value;
        one.last += (int)lround(log10(scale->value));
        one.length = t->token[i + 1].start + t->token[i + 1].length - one.start;
        f.next = i + 2;
    } else if (f.next > i) {
        fold_fraction(t, &f);
        const struct memo_token *end = &t->token[f.next - 1];
        one.kind = MEMO_NUMBER;
        one.value = f.sum + f.part;
        one.last = f.last;
        one.digits = count_digits(one.value, f.last);
        one.whole = f.last == 0 && one.value >= 10 && fmod(one.value, 10) == 0;
        one.length = end->start + end->length - one.start;
    }
    t->token[to] = one;
    return f.next > i ? f.next : i + 1;
}

void memo_fold_words(struct memo_text *t, size_t first) {
    size_t to = first;
    for (size_t i = first; i < t->tokens; to++) i = fold_one(t, i, to);
    t->tokens = to;
}
