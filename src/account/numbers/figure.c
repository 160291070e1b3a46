/* A figure of running text: a number, or a range of two, with a unit that is listed here. */
#include "account/numbers/suffix.h"
#include "account/numbers/text.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Units that account_suffix() does not have, the longer of two that begin alike first. */
static const struct unit {
    const char *phrase, *name;
    enum account_measure measure;
    double scale;
} units[] = {
    {"tokens per second", "tokens/s", ACCOUNT_FIGURE_TOKENS_PER_S, 1},
    {"tokens a second", "tokens/s", ACCOUNT_FIGURE_TOKENS_PER_S, 1},
    {"tokens/second", "tokens/s", ACCOUNT_FIGURE_TOKENS_PER_S, 1},
    {"tokens/sec", "tokens/s", ACCOUNT_FIGURE_TOKENS_PER_S, 1},
    {"tokens/s", "tokens/s", ACCOUNT_FIGURE_TOKENS_PER_S, 1},
    {"tok/s", "tokens/s", ACCOUNT_FIGURE_TOKENS_PER_S, 1},
    {"ktok/s", "tokens/s", ACCOUNT_FIGURE_TOKENS_PER_S, 1e3},
    {"tokens per minute", "tokens/s", ACCOUNT_FIGURE_TOKENS_PER_S, 1. / 60},
    {"tokens per day", "tokens/s", ACCOUNT_FIGURE_TOKENS_PER_S, 1. / 86400},
    {"tokens", "tokens", ACCOUNT_FIGURE_TOKENS, 1},
    {"gpu-hours", "GPU-hours", ACCOUNT_FIGURE_GPU_HOURS, 1},
    {"gpu hours", "GPU-hours", ACCOUNT_FIGURE_GPU_HOURS, 1},
    {"gpu-days", "GPU-hours", ACCOUNT_FIGURE_GPU_HOURS, 24},
    {"microseconds", "s", ACCOUNT_FIGURE_SECONDS, 1e-6},
    {"us", "s", ACCOUNT_FIGURE_SECONDS, 1e-6},
    {"min", "min", ACCOUNT_FIGURE_SECONDS, 60},
    {"minutes", "min", ACCOUNT_FIGURE_SECONDS, 60},
    {"h", "h", ACCOUNT_FIGURE_SECONDS, 3600},
    {"hours", "h", ACCOUNT_FIGURE_SECONDS, 3600},
    {"days", "days", ACCOUNT_FIGURE_SECONDS, 86400},
    {"day", "days", ACCOUNT_FIGURE_SECONDS, 86400},
    {"weeks", "days", ACCOUNT_FIGURE_SECONDS, 7 * 86400},
    {"parameters", "B", ACCOUNT_FIGURE_PARAMS, 1},
    {"parameter", "B", ACCOUNT_FIGURE_PARAMS, 1},
    {"params", "B", ACCOUNT_FIGURE_PARAMS, 1},
    {"weights", "B", ACCOUNT_FIGURE_PARAMS, 1},
    {"percent", "%", ACCOUNT_FIGURE_SHARES, 0.01},
    {"per cent", "%", ACCOUNT_FIGURE_SHARES, 0.01},
    {"times", "×", ACCOUNT_FIGURE_TIMES, 1},
    {"fold", "×", ACCOUNT_FIGURE_TIMES, 1},
};

/* ── the number ────────────────────────────────────────────────────────────────────────────────*/
struct number {
    /* `last`: one in its last digit; in the last that is no zero */
    double value, last, zeros;
    /* with its point or comma taken otherwise; 0: there is only one way */
    double other;
    int digits;
};

/* "48,75": a comma before other than three digits is a point. */
static const char *scan_comma(const char *s, struct account_decimal *d) {
    if (*s != ',' || !account_is_digit(s[1]) || d->power || d->exponent < 0) return s;
    double place = 1, value = d->value;
    const char *p = s + 1;
    for (; account_is_digit(*p); p++) {
        place /= 10;
        value += place * (*p - '0');
        if (d->digits < UINT64_MAX / 10 - 10) d->digits = d->digits * 10 + (uint64_t)(*p - '0');
        d->exponent--;
    }
    d->value = value;
    return p;
}

static void count_digits(const struct account_decimal *d, struct number *out) {
    uint64_t n = d->digits;
    int e = d->exponent;
    out->last = pow(10, e);
    for (; n && n % 10 == 0 && e >= d->power; n /= 10) e++;
    out->zeros = pow(10, e);
    for (out->digits = 0; n; n /= 10) out->digits++;
    if (d->exponent < d->power) { /* zeros behind a point were written on purpose */
        out->zeros = out->last;
        for (n = d->digits, out->digits = 0; n; n /= 10) out->digits++;
    }
}

static const char *read_number(const char *s, struct number *out) {
    struct account_decimal d;
    struct account_words words;
    const char *end = account_scan(s, &d);
    if (!end) {
        end = account_read_words(s, &words);
        if (!end || words.scale > 0) return NULL;
        *out = (struct number){words.value, pow(10, words.last), pow(10, words.last), 0, 2};
        if (out->value >= 100) out->digits = 3;
        return end;
    }
    const char *whole = end;
    end = scan_comma(end, &d);
    *out = (struct number){.value = d.value};
    if (d.one_comma) out->other = d.value / 1000;
    if (end == whole && d.exponent == -3 && !d.power) out->other = d.value * 1000;
    count_digits(&d, out);
    if ((*end == '.' || *end == ',' || *end == '\'') && account_is_digit(end[1])) return NULL;
    return isfinite(out->value) ? end : NULL;
}

/* ── the unit ──────────────────────────────────────────────────────────────────────────────────*/
static const char *per_second(const char *s) {
    static const char *const phrases[] = {"/s", "/sec", "/second", "ps"};
    for (size_t i = 0; i < COUNT(phrases); i++) {
        const char *end = account_skip_phrase(s, phrases[i]);
        if (end) return end;
    }
    const char *end = account_skip_phrase(account_skip(s), "per second");
    return end ? end : account_skip_phrase(account_skip(s), "a second");
}

static const char *listed_unit(const char *s, struct account_figure *f) {
    for (size_t i = 0; i < COUNT(units); i++) {
        const char *end = account_skip_phrase(s, units[i].phrase);
        if (!end) continue;
        f->measure = units[i].measure;
        f->scale = units[i].scale;
        f->unit = units[i].name;
        return end;
    }
    return NULL;
}

static const char *sign_unit(const char *s, struct account_figure *f) {
    bool times = strncmp(s, "×", 2) == 0, x = *s == 'x' && !account_word(s + 1);
    if (strncmp(s, "µs", 3) == 0 || strncmp(s, "μs", 3) == 0) {
        *f = (struct account_figure){.measure = ACCOUNT_FIGURE_SECONDS, .scale = 1e-6, .unit = "s"};
        return s + 3;
    }
    if (*s == '%') {
        *f = (struct account_figure){.measure = ACCOUNT_FIGURE_SHARES, .scale = 0.01, .unit = "%"};
        return s + 1;
    }
    if (!times && !x) return NULL;
    const char *behind = account_skip(s + (times ? 2 : 1));
    if (account_is_digit(*behind) || *behind == '(') return NULL;
    *f = (struct account_figure){.measure = ACCOUNT_FIGURE_TIMES, .scale = 1, .unit = "×"};
    return s + (times ? 2 : 1);
}

/* "Gb/s", "Mbps": the small b tells bits from bytes. */
static const char *bit_rate(const char *s, struct account_figure *f) {
    static const char prefixes[] = "KMGT";
    const char *p = *s ? strchr(prefixes, *s) : NULL;
    const char *unit = p && s[1] == 'b' ? s + 2 : NULL;
    const char *end = unit ? per_second(unit) : NULL;
    if (end)
        *f = (struct account_figure){.measure = ACCOUNT_FIGURE_BYTES_PER_S,
                                     .scale = pow(1000, (double)(p - prefixes) + 1) / 8,
                                     .unit = "Gb/s",
                                     .bits = true};
    return end;
}

/* Of account_suffix()'s: sizes, bits, seconds, and rates of them. */
static const char *known_unit(const char *s, struct account_figure *f) {
    struct account_suffix x;
    const char *end = bit_rate(s, f), *rate;
    if (end) return end;
    end = account_suffix(s, &x);
    if (!end || end == s || account_is_digit(*end) || account_is_letter(*end)) return NULL;
    if (x.kind == ACCOUNT_SUFFIX_B)
        x = (struct account_suffix){ACCOUNT_SUFFIX_BYTES, 1, 0, ACCOUNT_UNIT_B};
    bool bits = x.kind == ACCOUNT_SUFFIX_BITS,
         size = x.unit >= ACCOUNT_UNIT_B && x.unit <= ACCOUNT_UNIT_TIB;
    f->scale = x.scale;
    f->bits = bits;
    f->unit = bits ? "Gb" : account_unit_name(x.unit);
    if (x.unit == ACCOUNT_UNIT_B_PER_PARAM)
        f->measure = ACCOUNT_FIGURE_BYTES_PER_PARAM;
    else if (x.unit == ACCOUNT_UNIT_SECONDS || x.unit == ACCOUNT_UNIT_MS)
        f->measure = ACCOUNT_FIGURE_SECONDS;
    else if (x.unit == ACCOUNT_UNIT_GB_PER_S)
        f->measure = ACCOUNT_FIGURE_BYTES_PER_S;
    else if (x.unit == ACCOUNT_UNIT_PARAMS)
        f->measure = ACCOUNT_FIGURE_PARAMS;
    else if (bits || size)
        f->measure = ACCOUNT_FIGURE_BYTES;
    else
        return NULL;
    if (f->measure == ACCOUNT_FIGURE_BYTES && (rate = per_second(end))) {
        f->measure = ACCOUNT_FIGURE_BYTES_PER_S;
        f->unit = bits ? "Gb/s" : "GB/s";
        return rate;
    }
    return end;
}

/* "13.7k tokens/s", "6.8 million parameters", "13B": a factor, and perhaps what it counts. */
/* "13B" are billions of parameters, "2 B" are bytes, as is "2B/param". */
static const char *counted_unit(const char *s, bool glued, struct account_figure *f) {
    struct account_suffix x;
    size_t n = account_word(s);
    if (n == 0 || n > 8) return NULL;
    char word[12];
    memcpy(word, s, n);
    word[n] = '\0';
    const char *end = account_suffix(word, &x);
    bool count =
        end && *end == '\0' && (x.kind == ACCOUNT_SUFFIX_COUNT || x.kind == ACCOUNT_SUFFIX_B);
    if (!count || x.scale <= 1) return NULL;
    const char *behind = account_skip(s + n);
    if (*behind == '-') behind++;
    end = listed_unit(behind, f);
    bool counts =
        end && (f->measure == ACCOUNT_FIGURE_TOKENS || f->measure == ACCOUNT_FIGURE_TOKENS_PER_S ||
                f->measure == ACCOUNT_FIGURE_PARAMS);
    if (!counts) {
        if (x.kind != ACCOUNT_SUFFIX_B || !glued || s[n] == '/') return NULL;
        *f = (struct account_figure){.measure = ACCOUNT_FIGURE_PARAMS, .scale = 1, .unit = "B"};
        end = s + n;
    }
    f->scale *= x.scale;
    return end;
}

/* The unit at `s`, with or without white space or a hyphen before it; NULL if none is listed. */
static const char *read_unit(const char *s, struct account_figure *f) {
    static const struct account_figure none = {0};
    const char *at = account_skip(s), *end;
    if (*at == '-' && at == s) at++;
    *f = none;
    if ((end = sign_unit(at, f))) return end;
    *f = none;
    if ((end = listed_unit(at, f))) return end;
    *f = none;
    if ((end = counted_unit(at, at == s, f))) return end;
    *f = none;
    end = known_unit(at, f);
    if (!end) *f = none;
    return end;
}

bool account_read_unit(const char *text, struct account_figure *out) {
    return read_unit(text, out) != NULL;
}

/* ── the whole ─────────────────────────────────────────────────────────────────────────────────*/
static const char *skip_hedge(const char *s) {
    static const char *const words[] = {"about",   "around", "roughly", "approximately",
                                        "approx.", "nearly", "ca.",     "some"};
    static const char *const signs[] = {"~", "≈"};
    for (size_t i = 0; i < COUNT(signs); i++)
        if (strncmp(s, signs[i], strlen(signs[i])) == 0) return account_skip(s + strlen(signs[i]));
    for (size_t i = 0; i < COUNT(words); i++) {
        const char *end = account_skip_phrase(s, words[i]);
        if (end) return account_skip(end);
    }
    return NULL;
}

/* Behind what stands between the two numbers of a range; `spread`: it is ±. */
static const char *skip_dash(const char *s, bool between, bool *spread) {
    static const char *const dashes[] = {"–", "—", "-", "−"};
    const char *at = account_skip(s), *end;
    *spread = strncmp(at, "±", 2) == 0;
    if (*spread) return account_skip(at + 2);
    for (size_t i = 0; i < COUNT(dashes); i++)
        if (strncmp(at, dashes[i], strlen(dashes[i])) == 0)
            return account_skip(at + strlen(dashes[i]));
    if ((end = account_skip_phrase(at, "to"))) return account_skip(end);
    return between && (end = account_skip_phrase(at, "and")) ? account_skip(end) : NULL;
}

/* The factor of the first number of a range, "14.5k–15k tokens/s", and where its own unit ends;
 * that of the second if it has none. */
static const char *skip_own_unit(const char *s, double *scale) {
    struct account_figure own;
    const char *end = read_unit(s, &own);
    *scale = end ? own.scale : 0;
    if (end || (*s != 'k' && *s != 'K') || account_word(s) != 1) return end ? end : s;
    *scale = 1e3;
    return s + 1;
}

static void settle(struct account_figure *f, const struct number *n) {
    f->low = f->high = n->value * f->scale;
    f->half = n->last * f->scale / 2;
    f->loose = n->zeros * f->scale / 2;
    f->other = n->other * f->scale;
    f->digits = n->digits;
}

/* "66–68 GB", "46 ± 1 GB", "between 45 and 47 GB"; NULL where it is none, as in "from 16 to 1.2
 * GB". */
static const char *read_range(const char *s, const struct number *a, bool between,
                              struct account_figure *f) {
    struct number b;
    bool spread;
    double scale;
    const char *next = skip_dash(skip_own_unit(s, &scale), between, &spread), *end;
    if (!next || !account_is_digit(*next) || !(end = read_number(next, &b))) return NULL;
    if (!(end = read_unit(end, f))) return NULL;
    double first = a->value * (scale > 0 ? scale : f->scale), second = b.value * f->scale;
    settle(f, a);
    f->range = true;
    f->low = spread ? first - second : first;
    f->high = spread ? first + second : second;
    return f->low > 0 && f->high > f->low && f->high <= 2 * f->low ? end : NULL;
}

const char *account_read_figure(const char *text, struct account_figure *out) {
    struct number n;
    const char *s = skip_hedge(text), *between = account_skip_phrase(text, "between"), *end, *unit;
    struct account_figure f = {.hedged = s != NULL};
    if (between) s = account_skip(between);
    if (!s) s = text;
    if (!(end = read_number(s, &n))) return NULL;
    if (!(unit = read_range(end, &n, between != NULL, &f))) {
        unit = read_unit(end, &f);
        f.range = false;
        bool kilo = !unit && (*end == 'k' || *end == 'K') && account_word(end) == 1;
        if (!unit) f = (struct account_figure){.scale = kilo ? 1e3 : 1, .unit = ""};
        end += kilo;
        settle(&f, &n);
    }
    f.hedged = s != text && !between;
    f.number = s;
    *out = f;
    return unit ? unit : end;
}

void account_figure_in(struct account_figure *f, const struct account_figure *unit) {
    double by = unit->scale; /* "17.3k" keeps its own factor */
    f->low *= by;
    f->high *= by;
    f->half *= by;
    f->loose *= by;
    f->other *= by;
    f->scale *= unit->scale;
    f->unit = unit->unit;
    f->bits = unit->bits;
    f->measure = unit->measure;
}

bool account_figure_is(const struct account_figure *f, double truth) {
    double half = fmax(f->half, f->loose);
    if (f->hedged) half = fmax(half, fmin(10 * half, 0.1 * fabs(f->low)));
    if (f->other > 0 && fabs(truth - f->other) <= f->other * 1e-3) return true;
    return truth >= f->low - half * (1 + 1e-9) && truth <= f->high + half * (1 + 1e-9);
}
