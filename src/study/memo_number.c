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

/* Bytes of what may stand between groups of three digits: a comma or a point, an underscore, an apostrophe, a narrow or no-break space. */
static size_t group_mark(const char *s, const char *end, char point) {
    static const char *const marks[] = {
        "_", "'", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99"};
    if (end - s > 1 && *s == point) return 1;
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

static const char *take_groups(struct digits *d, const char *s, const char *end, char point) {
    size_t mark = group_mark(s, end, point);
    while (mark && d->all <= DIGITS_MOST && digits_at(s + mark, end) == 3) {
        take(d, s + mark, 3);
        s += mark + 3;
        mark = group_mark(s, end, point);
    }
    return s;
}

/* "48.750.000.000": more than one point can only part groups. */
static bool has_points(const char *s, const char *end) {
    enum { GROUP = 4 };
    for (int n = 0; n < 2; n++, s += GROUP)
        if (s >= end || *s != '.' || digits_at(s + 1, end) != GROUP - 1) return false;
    return true;
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
    const char *at = s + strspn(s, " "), *sign = at < end ? skip_one(at, end, times) : at;
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
    size_t zeros = strspn(d->text, "0");
    int lost = (int)(d->all - d->count);
    out->kind = MEMO_NUMBER;
    out->last = power - (int)fraction;
    out->value = strtod(d->text, NULL) * pow(10, out->last + lost);
    out->digits = (int)(d->all - zeros);
}

bool memo_writes_commas(const char *s, size_t length) {
    enum { LEAST = 3, RARE = 4 };
    size_t commas = 0, points = 0;
    const char *end = s + length;
    for (; s < end; s++) {
        bool inside = is_digit(s, end) && is_digit(s + 2, end);
        if (!inside || (s[1] != ',' && s[1] != '.')) continue;
        size_t n = digits_at(s + 2, end);
        if (n != 3) *(s[1] == ',' ? &commas : &points) += 1;
        s += 1 + n;
    }
    return commas >= LEAST && RARE * points <= commas;
}

const char *memo_read_number(const char *s, const char *end, bool commas, struct memo_token *out) {
    struct digits d = {0};
    size_t n = digits_at(s, end), fraction = 0;
    int power = 0;
    if (n == 0) return NULL;
    bool points = (commas && *s != '0') || has_points(s + n, end);
    take(&d, s, n);
    s += n;
    const char *grouped = n <= 3 ? take_groups(&d, s, end, points ? '.' : ',') : s;
    bool comma = (grouped == s || points) && is_digit(grouped + 1, end) && *grouped == ',';
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
enum { WORDS_MOST = 160 };

/* The words from token `i` on, as one text: they end where something else stands than words and hyphens. */
static void run_of_words(const struct memo_text *t, size_t i, char out[static WORDS_MOST]) {
    size_t from = t->token[i].start, length = 0;
    for (; i < t->tokens && (t->token[i].kind == MEMO_WORD || memo_is_mark(t, i, '-')); i++) {
        size_t end = t->token[i].start + t->token[i].length - from;
        if (end >= WORDS_MOST) break;
        length = end;
    }
    memcpy(out, t->lower + from, length);
    out[length] = '\0';
}

/* The bytes that a number in words takes from token `i` on; 0 if there is none. */
static size_t words_at(const struct memo_text *t, size_t i, struct account_words *out) {
    char run[WORDS_MOST];
    if (i >= t->tokens || t->token[i].kind != MEMO_WORD) return 0;
    run_of_words(t, i, run);
    const char *end = account_read_words(run, out);
    return end ? (size_t)(end - run) : 0;
}

static int count_digits(double value, int last) {
    return value >= 1 ? (int)floor(log10(value)) + 1 - last : 1 - last;
}

/* "13 billion": what stands behind a number and multiplies it. */
static void scale_by(struct memo_token *one, const struct memo_token *word, double scale) {
    one->value *= scale;
    one->last += (int)lround(log10(scale));
    one->length = word->start + word->length - one->start;
}

static void take_words(struct memo_token *one, const struct account_words *w, size_t length) {
    one->kind = MEMO_NUMBER;
    one->value = w->value;
    one->last = w->last;
    one->digits = count_digits(w->value, w->last);
    one->length = (uint32_t)length;
}

/* What begins with token `i`, folded into one at `to`; returns the token after it. */
static size_t fold_one(struct memo_text *t, size_t i, size_t to) {
    struct memo_token one = t->token[i];
    struct account_words w;
    size_t next = i + 1, length = words_at(t, i, &w);
    if (length > 0) {
        take_words(&one, &w, length);
        while (next < t->tokens && t->token[next].start < one.start + length) next++;
    } else if (one.kind == MEMO_NUMBER && words_at(t, i + 1, &w) && w.scale > 0) {
        scale_by(&one, &t->token[i + 1], w.scale);
        next = i + 2;
    }
    t->token[to] = one;
    return next;
}

void memo_fold_words(struct memo_text *t, size_t first) {
    size_t to = first;
    for (size_t i = first; i < t->tokens; to++) i = fold_one(t, i, to);
    t->tokens = to;
}
