/* A recursive-descent reader. Each value carries what it measures and how often an explicit scale
 * (G, GB, e9 …) went into it, so that 2*13G + 14*13G/8 is in bytes, while 7.5e9*16/1e9 is a bare
 * number again. */
#include "account/numbers/expression.h"
#include "account/numbers/text.h"

#include <math.h>
#include <string.h>

#define DEPTH 40 /* of parentheses and signs: a person writes three */

struct reader {
    const char *text, *at;
    struct account_way way;
    struct account_expression *out;
    struct account_error *error;
    int depth;
};

static bool fail(struct reader *r, const char *at, const char *what) {
    return account_fail(r->error, account_column(r->text, at), "%s", what);
}

/* A formula's letter, where its number is wanted. */
static bool is_symbol(const char *s) {
    static const char *const symbols[] = {"psi", "Ψ", "ψ", "N"};
    const char *end = NULL;
    for (size_t i = 0; !end && i < sizeof symbols / sizeof *symbols; i++)
        end = account_skip_phrase(s, symbols[i]);
    return end != NULL;
}

static bool fail_at_word(struct reader *r, const char *at, const char *what) {
    size_t length = 0;
    if (is_symbol(at)) return fail(r, at, "Ψ and N stand for numbers: write those, like 16*7e9/8");
    while (account_is_letter(at[length]) && length < 40) length++;
    return account_fail(r->error, account_column(r->text, at), "\"%.*s\" %s", (int)length, at,
                        what);
}

static bool read_sum(struct reader *r, struct account_measured *out);
static bool read_power(struct reader *r, struct account_measured *out);

struct sign {
    const char *text;
    char means;
};

/* The row whose text stands at `s`, or NULL. */
static const struct sign *sign_at(const struct sign *rows, size_t count, const char *s) {
    for (size_t i = 0; i < count; i++)
        if (strncmp(s, rows[i].text, strlen(rows[i].text)) == 0) return &rows[i];
    return NULL;
}

bool account_expression_ends(const char *s, size_t *length) {
    static const struct sign signs[] = {{"=", '='}, {"≈", '='}, {"~", '='}};
    const struct sign *sign = sign_at(signs, sizeof signs / sizeof *signs, s);
    *length = sign ? strlen(sign->text) : 0;
    return sign || !*account_skip(s + (*s != '\0' && strchr(".!?", *s)));
}

/* "16 bytes times 13 billion" */
static const struct sign *word_operator(const char *s, size_t *length) {
    static const struct sign words[] = {{"times", '*'}, {"multiplied by", '*'}, {"divided by", '/'},
                                        {"over", '/'},  {"plus", '+'},          {"minus", '-'}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *end = account_skip_phrase(s, words[i].text);
        if (!end) continue;
        *length = (size_t)(end - s);
        return &words[i];
    }
    return NULL;
}

/* The operator at `s`, or 0; `length` is how many bytes it takes. Two factors may stand side by
 * side: 16(65). */
static char operator_at(const char *s, size_t *length) {
    static const struct sign operators[] = {{"+", '+'},  {"-", '-'}, {"−", '-'}, {"–", '-'},
                                            {"**", '^'}, {"*", '*'}, {"×", '*'}, {"·", '*'},
                                            {"⋅", '*'},  {"x", '*'}, {"X", '*'}, {"/", '/'},
                                            {"÷", '/'},  {"^", '^'}, {"(", '('}};
    const struct sign *op = word_operator(s, length);
    if (op) return op->means;
    op = sign_at(operators, sizeof operators / sizeof *operators, s);
    *length = op && op->means != '(' ? strlen(op->text) : 0;
    if (!op) return 0;
    return op->means == '(' ? '*' : op->means;
}

static char peek(struct reader *r, size_t *length) {
    r->at = account_skip(r->at);
    return operator_at(r->at, length);
}

/* ── numbers and their units ───────────────────────────────────────────────────────────────────*/

static bool turned_at_fork(struct reader *r) {
    size_t fork = r->out->forks++;
    return fork < 32 && r->way.turned >> fork & 1;
}

/* A B right behind a number is billions, and one apart from it bytes, unless this way turns it
 * round. */
static void settle_b(struct reader *r, bool apart, struct account_suffix *suffix) {
    if (suffix->kind != ACCOUNT_SUFFIX_B) return;
    if (apart != turned_at_fork(r))
        *suffix = (struct account_suffix){ACCOUNT_SUFFIX_BYTES, 1, 0, ACCOUNT_UNIT_B};
    else
        r->out->counted = true;
}

void account_apply_suffix(const struct account_suffix *suffix, struct account_measured *v) {
    v->number *= suffix->scale;
    v->scales += suffix->scale != 1;
    if (suffix->kind == ACCOUNT_SUFFIX_BITS)
        account_measure(v, ACCOUNT_UNIT_B);
    else if (suffix->kind == ACCOUNT_SUFFIX_B)
        account_measure(v, ACCOUNT_UNIT_PARAMS);
    else if (suffix->unit != ACCOUNT_UNIT_NONE)
        account_measure(v, suffix->unit);
    v->noun |= suffix->unit == ACCOUNT_UNIT_PARAMS || suffix->unit == ACCOUNT_UNIT_BILLION;
}

/* Whether the letters here are no unit's. */
static bool is_other_word(const char *s) {
    size_t length;
    return account_skip_tail(s) != s || word_operator(s, &length);
}

static bool read_unit(struct reader *r, struct account_measured *v) {
    const char *s = account_skip(r->at);
    struct account_suffix suffix;
    if (is_other_word(s)) return true;
    const char *end = account_suffix(s, &suffix);
    if (!end) return fail_at_word(r, s, "is not a unit: use G, GB, GiB, M, K, T or B");
    if (suffix.kind == ACCOUNT_SUFFIX_NONE) return true;
    settle_b(r, s != r->at, &suffix);
    r->out->bits |= suffix.kind == ACCOUNT_SUFFIX_BITS;
    r->out->last = s;
    r->out->last_end = r->at = end;
    if (r->out->unit == ACCOUNT_UNIT_NONE) r->out->unit = suffix.unit;
    if (s == r->way.label)
        r->out->label = suffix;
    else
        account_apply_suffix(&suffix, v);
    return true;
}

/* "112 GB per GPU × 8" */
static bool read_suffix(struct reader *r, struct account_measured *v) {
    if (!read_unit(r, v)) return false;
    r->at = account_skip_tail(r->at);
    return true;
}

static bool read_parenthesis(struct reader *r, struct account_measured *out) {
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

/* A comma behind a number: "1040,0" is how many write 1040.0. */
static bool fail_at_comma(struct reader *r, const char *comma) {
    const char *number = comma, *end = comma + 1;
    while (number > r->text && account_is_digit(number[-1])) number--;
    while (account_is_digit(*end)) end++;
    int whole = (int)(comma - number), part = (int)(end - comma - 1);
    bool grouped = (number > r->text && number[-1] == ',') || *end == ',';
    if (grouped) return fail(r, comma, "commas part groups of three digits, as in 1,040,000");
    if (part == 0 || whole + part > 40)
        return fail(r, comma, "a comma has no place here: write numbers like 1.5 or 1500");
    return account_fail(r->error, account_column(r->text, comma),
                        "a decimal comma? Write %.*s.%.*s, with a point", whole, number, part,
                        comma + 1);
}

/* 37,375 is 37375, or thirty-seven and a bit. */
static void settle_comma(struct reader *r, const struct account_decimal *number,
                         struct account_measured *v) {
    if (!number->one_comma || !turned_at_fork(r)) return;
    v->number /= 1000;
    r->out->comma = true;
}

/* In figures or in words; a thousand and more said in words is an explicit scale, as an e3 is. */
static const char *scan(const char *at, struct account_decimal *out) {
    const char *end = account_scan(at, out);
    struct account_words words;
    if (end || !(end = account_read_words(at, &words))) return end;
    *out = (struct account_decimal){
        .digits = 1, .value = words.value, .power = words.value >= 1e3 ? 3 : 0};
    return end;
}

static bool fail_at_number(struct reader *r, const char *at) {
    if (!*at) return fail(r, at, "the last number is missing: write one after the sign");
    if (account_is_letter(*at) || is_symbol(at))
        return fail_at_word(r, at,
                            "is not a number: write one with its unit, like 16.5 GB, or a sum "
                            "like (80 - 2*7)/4");
    return fail(r, at, "write a number here");
}

static bool read_number(struct reader *r, struct account_measured *out) {
    struct account_decimal number;
    const char *at = r->at, *end = scan(at, &number);
    if (!end) return fail_at_number(r, at);
    if (*end == ',') return fail_at_comma(r, end);
    if (!isfinite(number.value)) return fail(r, at, "this number is too large");
    if (number.value == 0 && number.digits != 0) return fail(r, at, "this number is too small");
    /* e9 says "in bytes"; e0 and e-1 are only notation */
    *out = (struct account_measured){.number = number.value, .scales = number.power >= 3};
    r->at = end;
    settle_comma(r, &number, out);
    return read_suffix(r, out);
}

/* ── operators ─────────────────────────────────────────────────────────────────────────────────*/

/* Nothing grows beyond all bounds or vanishes unsaid. */
static bool check(struct reader *r, const char *at, bool vanished,
                  const struct account_measured *v) {
    if (isnan(v->number)) return fail(r, at, "this does not give a number");
    if (isinf(v->number)) return fail(r, at, "this becomes too large");
    return (vanished && v->number == 0) ? fail(r, at, "this becomes too small") : true;
}

static bool read_sign(struct reader *r, char sign, struct account_measured *out) {
    if (!read_power(r, out)) return false;
    if (sign == '-') out->number = -out->number;
    return true;
}

static bool read_base_and_power(struct reader *r, struct account_measured *out) {
    size_t length;
    struct account_measured power = {0};
    bool ok = *r->at == '(' ? read_parenthesis(r, out) : read_number(r, out);
    if (!ok) return false;
    if (peek(r, &length) != '^') return true;
    const char *at = r->at;
    r->at += length;
    if (!read_power(r, &power)) return false;
    if (!account_is_pure(&power)) return fail(r, at, "a power is a number without a unit");
    bool nothing = out->number == 0;
    account_raise(out, power.number);
    return check(r, at, !nothing, out);
}

/* A sign binds less than a power: -2^2 is -4, and 2^-1 is a half. */
static bool read_power(struct reader *r, struct account_measured *out) {
    size_t length;
    if (++r->depth > DEPTH) return fail(r, r->at, "this is nested too deeply");
    char op = peek(r, &length);
    bool sign = op == '-' || op == '+';
    if (sign) r->at += length;
    bool ok = sign ? read_sign(r, op, out) : read_base_and_power(r, out);
    r->depth--;
    return ok;
}

static bool read_product(struct reader *r, struct account_measured *out) {
    if (!read_power(r, out)) return false;
    for (;;) {
        size_t length;
        char op = peek(r, &length);
        if (op != '*' && op != '/') return true;
        const char *at = r->at;
        struct account_measured right = {0};
        r->at += length;
        if (!read_power(r, &right)) return false;
        if (op == '/' && right.number == 0) return fail(r, at, "this divides by zero");
        bool nothing = out->number == 0 || right.number == 0;
        account_multiply(out, &right, op == '*' ? 1 : -1);
        if (!check(r, at, !nothing, out)) return false;
    }
}

static bool read_sum(struct reader *r, struct account_measured *out) {
    if (!read_product(r, out)) return false;
    for (;;) {
        size_t length;
        char op = peek(r, &length);
        if (op != '+' && op != '-') return true;
        const char *at = r->at;
        struct account_measured right = {0};
        r->at += length;
        if (!read_product(r, &right)) return false;
        account_add_up(out, &right, op == '+' ? 1 : -1);
        if (!check(r, at, false, out)) return false;
    }
}

static bool fail_at_rest(struct reader *r) {
    if (*r->at == ')') return fail(r, r->at, "this parenthesis was never opened");
    if (*r->at == ',')
        return fail(r, r->at, "a comma has no place here: write numbers like 1.5 or 1500");
    if (account_is_digit(*r->at))
        return fail(r, r->at, "one number at a time, or an operator between the two");
    if (account_is_letter(*r->at) || is_symbol(r->at))
        return fail_at_word(r, r->at, "could not be read: leave it out, or write an operator");
    return fail(r, r->at, "an operator is missing here");
}

bool account_read_expression(const char *text, const char *from, struct account_way way,
                             struct account_expression *out, struct account_error *e) {
    size_t length;
    *out = (struct account_expression){0};
    struct reader r = {.text = text, .at = from, .way = way, .out = out, .error = e};
    if (!read_sum(&r, &out->value)) return false;
    r.at = account_skip(r.at);
    if (!account_expression_ends(r.at, &length)) return fail_at_rest(&r);
    out->end = r.at;
    if (out->label.kind != ACCOUNT_SUFFIX_NONE) {
        out->value.number *= out->label.scale;
        if (!isfinite(out->value.number)) return fail(&r, way.label, "this becomes too large");
    }
    return true;
}
