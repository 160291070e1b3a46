/* A recursive-descent reader. Each value carries how often an explicit scale (G, GB, e9 …) went into it, so that
 * 2*13G + 14*13G/8 is in bytes, while 7.5e9*16/1e9 is a bare number again. Where a bare number and one with a unit meet in a
 * sum, the unit wins. */
#include "account/expression.h"
#include "account/suffix.h"
#include "account/text.h"

#include <math.h>
#include <string.h>

#define DEPTH 40 /* of parentheses and signs: a person writes three */

struct value {
    double number;
    int scales; /* explicit scales multiplied in, less those divided out */
};

struct reader {
    const char *text, *at;
    enum account_b b;
    struct account_error *error;
    int depth;
    enum account_unit unit; /* the first unit that was named */
    const char *unit_at; /* where the last suffix stood, if it was a word of its own: "… / 8 GB" */
    const char *unit_end;
    size_t units;    /* how many numbers had a suffix or an e */
    double trailing; /* the scale of that word, to be taken off its number again */
    bool count_suffix;
};

static bool fail(struct reader *r, const char *at, const char *what) {
    return account_fail(r->error, account_column(r->text, at), "%s", what);
}

static bool read_sum(struct reader *r, struct value *out);
static bool read_power(struct reader *r, struct value *out);

/* The operator at `s`, or 0; `length` is how many bytes it takes. */
static char operator_at(const char *s, size_t *length) {
    static const struct {
        const char *text;
        char op;
    } operators[] = {
        {"+",   '+'},
        {"-",   '-'},
        {"−", '-'},
        {"–", '-'},
        {"**",  '^'},
        {"*",   '*'},
        {"×",  '*'},
        {"·",  '*'},
        {"⋅", '*'},
        {"/",   '/'},
        {"÷",  '/'},
        {"^",   '^'}
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        *length = strlen(operators[i].text);
        if (strncmp(s, operators[i].text, *length) == 0) return operators[i].op;
    }
    return 0;
}

static char peek(struct reader *r, size_t *length) {
    r->at = account_skip(r->at);
    return operator_at(r->at, length);
}

/* What the suffix says: sizes and the like scale the number, a B is billions or bytes. */
static void apply_suffix(struct reader *r, struct account_suffix suffix, const char *at, bool apart,
                         struct value *v) {
    if (suffix.kind == ACCOUNT_SUFFIX_NONE) return;
    bool bytes = suffix.kind == ACCOUNT_SUFFIX_B && (apart || r->b == ACCOUNT_B_BYTE);
    if (bytes) suffix = (struct account_suffix){ACCOUNT_SUFFIX_BYTES, 1, 0, ACCOUNT_UNIT_B};
    if (suffix.kind == ACCOUNT_SUFFIX_B) r->count_suffix = true;
    v->number *= suffix.scale;
    v->scales++;
    r->units++;
    if (suffix.unit != ACCOUNT_UNIT_NONE && r->unit == ACCOUNT_UNIT_NONE) r->unit = suffix.unit;
    bool word = apart && suffix.kind >= ACCOUNT_SUFFIX_BYTES;
    r->unit_at = word ? at : NULL;
    r->trailing = suffix.scale;
}

static bool read_suffix(struct reader *r, struct value *v) {
    const char *number_end = r->at, *s = account_skip(r->at);
    struct account_suffix suffix;
    const char *end = account_suffix(s, &suffix);
    if (!end) return fail(r, s, "no such unit: G, GB, GiB, M, K, T and B are known");
    apply_suffix(r, suffix, s, s != number_end, v);
    if (end == s) return true;
    r->at = r->unit_end = end;
    return true;
}

static bool read_parenthesis(struct reader *r, struct value *out) {
    const char *open = r->at++;
    if (!read_sum(r, out)) return false;
    r->at = account_skip(r->at);
    if (*r->at != ')') {
        if (!*r->at) return fail(r, open, "this parenthesis is never closed");
        return fail(r, r->at, "an operator or a closing parenthesis is missing");
    }
    r->at++;
    return read_suffix(r, out);
}

static bool read_number(struct reader *r, struct value *out) {
    struct account_decimal number;
    const char *end = account_scan(r->at, &number);
    if (!end) {
        if (!*r->at) return fail(r, r->at, "a number is missing at the end");
        return fail(r, r->at, "a number is expected here");
    }
    if (*end == ',') return fail(r, end, "no comma in numbers: write 1.5 or 1500");
    *out = (struct value){number.value, 0};
    if (number.power >= 3) { /* e9 says "in bytes"; e0 and e-1 are only notation */
        out->scales = 1;
        r->units++;
    }
    r->at = end;
    return read_suffix(r, out);
}

/* 2^30 and 10^9 are scales as e9 is. */
static bool is_scale(const struct value *base, double power) {
    bool usual = base->number == 2 || base->number == 10 || base->number == 1024;
    return (usual || base->scales > 0) && power > 2;
}

static bool read_sign(struct reader *r, char sign, struct value *out) {
    if (!read_power(r, out)) return false;
    if (sign == '-') out->number = -out->number;
    return true;
}

static bool read_base_and_power(struct reader *r, struct value *out) {
    size_t length;
    struct value power = {0};
    bool ok = *r->at == '(' ? read_parenthesis(r, out) : read_number(r, out);
    if (!ok) return false;
    if (peek(r, &length) != '^') return true;
    r->at += length;
    if (!read_power(r, &power)) return false;
    if (is_scale(out, power.number)) out->scales = 1;
    out->number = pow(out->number, power.number);
    return true;
}

/* A sign binds less than a power: -2^2 is -4, and 2^-1 is a half. */
static bool read_power(struct reader *r, struct value *out) {
    size_t length;
    if (++r->depth > DEPTH) return fail(r, r->at, "this is nested too deeply");
    char op = peek(r, &length);
    bool sign = op == '-' || op == '+';
    if (sign) r->at += length;
    bool ok = sign ? read_sign(r, op, out) : read_base_and_power(r, out);
    r->depth--;
    return ok;
}

static bool read_product(struct reader *r, struct value *out) {
    if (!read_power(r, out)) return false;
    for (;;) {
        size_t length;
        char op = peek(r, &length);
        if (op != '*' && op != '/') return true;
        const char *at = r->at;
        struct value right = {0};
        r->at += length;
        if (!read_power(r, &right)) return false;
        if (op == '/' && right.number == 0) return fail(r, at, "this divides by zero");
        out->number = op == '*' ? out->number * right.number : out->number / right.number;
        out->scales += op == '*' ? right.scales : -right.scales;
    }
}

static bool read_sum(struct reader *r, struct value *out) {
    if (!read_product(r, out)) return false;
    for (;;) {
        size_t length;
        char op = peek(r, &length);
        if (op != '+' && op != '-') return true;
        struct value right = {0};
        r->at += length;
        if (!read_product(r, &right)) return false;
        out->number += op == '+' ? right.number : -right.number;
        if (right.scales > out->scales) out->scales = right.scales;
    }
}

/* In "2*13 + 14*13/8 GB" the unit at the end is meant for the whole, not for the 8. */
static bool unit_is_for_all(const struct reader *r) {
    return r->units == 1 && r->unit_at != NULL && *account_skip(r->unit_end) == '\0';
}

static bool read_without_unit(const char *text, const struct reader *first, struct value *out) {
    char copy[256];
    size_t length = (size_t)(first->unit_at - text);
    if (length >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    struct reader r = {.text = copy, .at = copy, .b = first->b};
    return read_sum(&r, out);
}

bool account_read_expression(const char *text, enum account_b b, struct account_reading *out,
                             struct account_error *e) {
    struct reader r = {.text = text, .at = account_skip(text), .b = b, .error = e};
    struct value value = {0};
    *out = (struct account_reading){0};
    if (*r.at == '=') r.at++; /* "= 14 GB" */
    r.at = account_skip(r.at);
    if (!*r.at)
        return fail(&r, r.at,
                    "nothing is written here: type a number like 48.75 GB, or 2*13 + 14*13/8");
    if (!read_sum(&r, &value)) return false;
    r.at = account_skip(r.at);
    if (*r.at == ')') return fail(&r, r.at, "this parenthesis was never opened");
    if (*r.at) return fail(&r, r.at, "an operator is missing here");
    if (unit_is_for_all(&r)) {
        struct value bare = {0};
        if (read_without_unit(text, &r, &bare)) value = (struct value){bare.number * r.trailing, 1};
    }
    if (!isfinite(value.number))
        return fail(&r, account_skip(text), "this is too large, or no number at all");
    *out = (struct account_reading){.value = value.number,
                                    .explicit_unit = value.scales > 0,
                                    .count_suffix = r.count_suffix,
                                    .unit = r.unit};
    return true;
}

bool account_read_answer(const char *text, struct account_reading *out, struct account_error *e) {
    return account_read_expression(text, ACCOUNT_B_BILLION, out, e);
}
