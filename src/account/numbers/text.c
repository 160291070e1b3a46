/* Text built piece by piece, and numbers in and out of it, whatever the locale says about decimal
 * points. All of the engine's rounding is here. */
#include "account/numbers/text.h"

#include <math.h>
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

/* Bytes of white space at `s` (a space, a tab, or a no-break, thin or narrow space of Unicode), or
 * 0. */
static size_t space_at(const char *s) {
    static const char *const wide[] = {"\u00a0", "\u2009", "\u202f"};
    if (*s == ' ' || (*s >= '\t' && *s <= '\r')) return 1;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        size_t length = strlen(wide[i]);
        if (strncmp(s, wide[i], length) == 0) return length;
    }
    return 0;
}

const char *account_skip(const char *s) {
    for (size_t n; (n = space_at(s)) > 0;) s += n;
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
        for (; *phrase && *phrase != ' '; phrase++, s++)
            if (lower(*s) != lower(*phrase)) return NULL;
        if (goes_on(*s)) return NULL;
        if (!*phrase) return s;
    }
}

int account_column(const char *text, const char *at) {
    int column = 1;
    for (; text < at; text++)
        if (((unsigned char)*text & 0xC0) != 0x80) column++;
    return column;
}

/* ── numbers in ─────────────────────────────────────────────────────────────────────────────────*/

/* Three digits after white space or a comma go on with the number before them: "1 558",
 * "13,015,864,320". */
static const char *next_group(const char *s, bool comma) {
    size_t n = comma ? *s == ',' : space_at(s);
    const char *g = s + n;
    if (n == 0 || !account_is_digit(g[0]) || !account_is_digit(g[1]) || !account_is_digit(g[2]))
        return NULL;
    return account_is_digit(g[3]) ? NULL : g;
}

static void take_digit(struct account_decimal *d, char c, bool fraction) {
    uint64_t more;
    bool full = !d->exact || __builtin_mul_overflow(d->digits, (uint64_t)10, &more) ||
                __builtin_add_overflow(more, (uint64_t)(c - '0'), &more);
    if (full) {
        if (c != '0') d->exact = false;
        if (!fraction) d->exponent++;
        return;
    }
    d->digits = more;
    if (fraction) d->exponent--;
}

static const char *scan_whole(const char *s, struct account_decimal *d) {
    const char *first = s;
    for (; account_is_digit(*s); s++) take_digit(d, *s, false);
    bool comma = *s == ',', short_first = s > first && s - first <= 3;
    size_t groups = 0;
    for (const char *g; short_first && (g = next_group(s, comma)); groups++)
        for (s = g; account_is_digit(*s); s++) take_digit(d, *s, false);
    d->one_comma = comma && groups == 1 && *s != '.';
    return s;
}

/* An e belongs to the number only if digits follow it. */
static const char *scan_exponent(const char *s, struct account_decimal *d) {
    if (*s != 'e' && *s != 'E') return s;
    const char *p = s + 1;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    if (!account_is_digit(*p)) return s;
    int power = 0;
    for (; account_is_digit(*p); p++)
        if (power < 10000) power = power * 10 + (*p - '0');
    d->power = negative ? -power : power;
    d->exponent += d->power;
    return p;
}

static double scaled(uint64_t digits, int exponent) {
    if (digits == 0 || exponent < -400) return 0;
    if (exponent > 400) return HUGE_VAL;
    long double value = (long double)digits, ten = 10, factor = 1;
    unsigned n = (unsigned)(exponent < 0 ? -exponent : exponent);
    while (n) {
        if (n & 1) factor *= ten;
        ten *= ten;
        n >>= 1;
    }
    return (double)(exponent < 0 ? value / factor : value * factor);
}

const char *account_scan(const char *s, struct account_decimal *out) {
    bool point_first = *s == '.' && account_is_digit(s[1]);
    if (!account_is_digit(*s) && !point_first) return NULL;
    *out = (struct account_decimal){.exact = true};
    s = scan_whole(s, out);
    if (*s == '.')
        for (s++; account_is_digit(*s); s++) take_digit(out, *s, true);
    s = scan_exponent(s, out);
    out->value = scaled(out->digits, out->exponent);
    return s;
}

bool account_decimal_whole(const struct account_decimal *d, int shift, uint64_t *out) {
    uint64_t value = d->digits;
    if (!d->exact) return false;
    *out = 0;
    if (value == 0) return true;
    int exponent = d->exponent + shift;
    for (; exponent < 0; exponent++, value /= 10)
        if (value % 10) return false;
    for (; exponent > 0; exponent--)
        if (__builtin_mul_overflow(value, (uint64_t)10, &value)) return false;
    *out = value;
    return true;
}

/* ── out ───────────────────────────────────────────────────────────────────────────────────────*/

/* The decimal digits of a value, rounded half up as people do on paper: 34.125 is 34.13 to four
 * digits. Fifteen digits are taken first, so that 16.645, which has no exact double, rounds as it
 * is written. Returns the exponent of the first digit. */
static int to_digits(double value, int digits, char out[16]) {
    char text[40];
    snprintf(text, sizeof text, "%.14e", fabs(value));
    int count = 0, exponent = 0;
    const char *p = text;
    for (; *p && *p != 'e'; p++) /* whatever the locale's decimal point is, it is no digit */
        if (account_is_digit(*p) && count < 15) out[count++] = *p;
    bool negative = p[0] && p[1] == '-';
    for (; *p; p++)
        if (account_is_digit(*p)) exponent = exponent * 10 + (*p - '0');
    if (negative) exponent = -exponent;
    bool up = digits < 15 && out[digits] >= '5';
    out[digits < 15 ? digits : 15] = '\0';
    if (!up) return exponent;
    int i = (digits < 15 ? digits : 15) - 1;
    while (i >= 0 && out[i] == '9') out[i--] = '0';
    if (i >= 0) {
        out[i]++;
        return exponent;
    }
    out[0] = '1'; /* 999.96 became 1000: the zeros behind stand already */
    return exponent + 1;
}

static void drop_zeros(char *digits) {
    size_t n = strlen(digits);
    while (n > 1 && digits[n - 1] == '0') digits[--n] = '\0';
}

static void add_plain(struct account_text *t, const char *digits, int exponent) {
    int count = (int)strlen(digits);
    if (exponent < 0) {
        account_add(t, "0.%.*s%s", -exponent - 1, "00000000", digits);
        return;
    }
    for (int i = 0; i <= exponent; i++) account_add(t, "%c", i < count ? digits[i] : '0');
    if (count > exponent + 1) account_add(t, ".%s", digits + exponent + 1);
}

void account_add_number(struct account_text *t, double value, int digits) {
    if (t->size == 0) return; /* nobody reads it */
    if (!isfinite(value)) {
        account_add(t, "%s", isnan(value) ? "not a number" : value > 0 ? "∞" : "−∞");
        return;
    }
    char text[16] = "";
    int exponent = to_digits(value, digits < 1 ? 1 : digits, text);
    drop_zeros(text);
    if (value < 0) account_add(t, "-");
    if (exponent >= -5 && exponent < 18) {
        add_plain(t, text, exponent);
        return;
    }
    account_add(t, "%c%s%s", text[0], text[1] ? "." : "", text + 1);
    account_add(t, "e%d", exponent);
}

struct account_number account_number(const struct account_text *t, double value) {
    struct account_number n;
    struct account_text out = account_text(n.text, sizeof n.text);
    if (t->size > 0) account_add_number(&out, value, 6);
    return n;
}

/* The digits from the first place that counts, the ones at least, to the last: 10^-decimals. */
static void add_places(struct account_text *t, const char *digits, int exponent, int decimals) {
    int count = (int)strlen(digits);
    for (int place = exponent > 0 ? exponent : 0; place >= -decimals; place--) {
        int i = exponent - place;
        account_add(t, place == -1 ? ".%c" : "%c", i >= 0 && i < count ? digits[i] : '0');
    }
}

void account_add_fixed(struct account_text *t, double value, int decimals) {
    if (t->size == 0 || !isfinite(value)) {
        account_add_number(t, value, 1);
        return;
    }
    char text[16] = "";
    int exponent = to_digits(value, 15, text), digits = exponent + 1 + decimals;
    if (digits > 0) {
        exponent = to_digits(value, digits < 15 ? digits : 15, text);
    } else { /* less than one of the last place: the whole of it, or nothing */
        bool up = digits == 0 && text[0] >= '5';
        text[0] = up ? '1' : '0';
        text[1] = '\0';
        exponent = -decimals;
    }
    if (value < 0 && text[strspn(text, "0")]) account_add(t, "-");
    add_places(t, text, exponent, decimals);
}

void account_add_count(struct account_text *t, uint64_t count) {
    if (t->size == 0) return;
    static const struct {
        uint64_t scale;
        const char *suffix;
    } steps[] = {{1000000000000, "e12"}, {1000000000, "e9"}, {1000000, "e6"}, {1, ""}};
    size_t i = 0;
    while (steps[i].scale > 1 && count < steps[i].scale) i++;
    uint64_t whole = count / steps[i].scale, rest = count % steps[i].scale;
    account_add(t, "%llu", (unsigned long long)whole);
    if (rest > 0) {
        account_add(t, ".");
        for (uint64_t scale = steps[i].scale / 10; rest > 0; rest %= scale, scale /= 10) {
            account_add(t, "%c", (char)('0' + rest / scale));
            if (scale == 1) break;
        }
    }
    account_add(t, "%s", steps[i].suffix);
}
