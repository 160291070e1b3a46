/* JSON in, where it is read while somebody waits: several times as fast as jansson's own reader,
 * which takes each byte by itself. RFC 8259, as jansson reads it: the outermost value is an array
 * or an object, a name stands once in an object, no text holds U+0000, and numbers fit. */
#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As deep as jansson reads. */
enum { DEEPEST = 2048, DIGITS_MOST = 18, SHORT = 128 };

struct parse {
    const char *at, *end;
    int depth;
};

static json_t *value(struct parse *p);

static void skip_blanks(struct parse *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r'))
        p->at++;
}

/* Goes past the byte, if it is the next one. */
static bool skip(struct parse *p, char byte) {
    bool there = p->at < p->end && *p->at == byte;
    p->at += there;
    return there;
}

/* ── texts ─────────────────────────────────────────────────────────────────────────────────────*/
/* Bytes that stand for themselves; not those of other letters than ASCII's, which are checked. */
static bool is_plain(char c) {
    return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

/* Past all of them. */
static void skip_plain(struct parse *p) {
    const char *at = p->at, *end = p->end;
    while (at < end && is_plain(*at)) at++;
    p->at = at;
}

static bool skip_letter(struct parse *p) {
    const char *at = p->at;
    base_utf8_next(&at, p->end);
    bool valid = (unsigned char)*p->at >= 0x80 && base_utf8_valid(p->at, (size_t)(at - p->at));
    p->at = at;
    return valid;
}

/* Four digits after \u; -1 if they are none. */
static int32_t hex(struct parse *p) {
    int32_t code = 0;
    if (p->end - p->at < 4) return -1;
    for (int i = 0; i < 4; i++, p->at++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = *p->at ? strchr(digits, *p->at) : NULL;
        if (!digit) return -1;
        code = code << 4 | (int32_t)((digit - digits) % 16);
    }
    return code;
}

/* A letter beyond U+FFFF is two of them. */
static bool add_code(struct parse *p, struct base_text *t) {
    char letter[4];
    int32_t code = hex(p), low = 0;
    if (code <= 0 || (code >= 0xdc00 && code <= 0xdfff)) return false;
    if (code >= 0xd800 && code <= 0xdbff) {
        if (!skip(p, '\\') || !skip(p, 'u')) return false;
        low = hex(p);
        if (low < 0xdc00 || low > 0xdfff) return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    base_text_add(t, letter, base_utf8_put(letter, (uint32_t)code));
    return true;
}

static bool add_escape(struct parse *p, struct base_text *t) {
    static const char escapes[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    if (p->at == p->end) return false;
    char c = *p->at++;
    if (c == 'u') return add_code(p, t);
    const char *escape = c ? strchr(escapes, c) : NULL;
    if (escape) base_text_add(t, &bytes[escape - escapes], 1);
    return escape != NULL;
}

/* What follows the opening quote. `*s` points into what is read if nothing in it is escaped, else
 * into `t`. */
static bool text(struct parse *p, struct base_text *t, const char **s, size_t *n) {
    const char *from = p->at;
    bool escaped = false;
    for (;;) {
        skip_plain(p);
        if (p->at == p->end) return false;
        if (*p->at == '"') break;
        if (*p->at != '\\') {
            if (!skip_letter(p)) return false;
            continue;
        }
        base_text_add(t, from, (size_t)(p->at++ - from));
        if (!add_escape(p, t)) return false;
        escaped = true;
        from = p->at;
    }
    if (escaped) base_text_add(t, from, (size_t)(p->at - from));
    *s = escaped ? t->s : from;
    *n = escaped ? t->length : (size_t)(p->at - from);
    p->at++;
    return true;
}

static json_t *string(struct parse *p) {
    struct base_text t = {0};
    const char *s;
    size_t n;
    json_t *made = text(p, &t, &s, &n) ? json_stringn_nocheck(s, n) : NULL;
    base_text_free(&t);
    return made;
}

/* The bytes with a NUL behind them: in `small` if they fit, else allocated. */
static char *copy(const char *s, size_t n, char small[SHORT]) {
    char *to = n < SHORT ? small : base_alloc(n + 1);
    memcpy(to, s, n);
    to[n] = 0;
    return to;
}

/* ── numbers ───────────────────────────────────────────────────────────────────────────────────*/
static size_t skip_digits(struct parse *p) {
    const char *from = p->at;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') p->at++;
    return (size_t)(p->at - from);
}

/* Past ".5" and "e-3"; false if digits are missing. *whole: there was neither. */
static bool skip_fraction(struct parse *p, bool *whole) {
    *whole = true;
    if (skip(p, '.')) {
        *whole = false;
        if (!skip_digits(p)) return false;
    }
    if (!skip(p, 'e') && !skip(p, 'E')) return true;
    *whole = false;
    if (!skip(p, '-')) skip(p, '+');
    return skip_digits(p) > 0;
}

/* Without a call to the library where it has few digits. */
static json_t *integer(const char *from, size_t n) {
    json_int_t sum = 0;
    size_t minus = *from == '-';
    for (size_t i = minus; i < n && n <= DIGITS_MOST; i++) sum = 10 * sum + (from[i] - '0');
    if (n <= DIGITS_MOST) return json_integer(minus ? -sum : sum);
    char small[SHORT], *digits = copy(from, n, small);
    errno = 0;
    long long large = strtoll(digits, NULL, 10);
    if (digits != small) free(digits);
    return errno ? NULL : json_integer(large);
}

/* The program keeps the C locale's point. */
static json_t *real(const char *from, size_t n) {
    char small[SHORT], *digits = copy(from, n, small);
    double x = strtod(digits, NULL);
    if (digits != small) free(digits);
    return isfinite(x) ? json_real(x) : NULL;
}

static json_t *number(struct parse *p) {
    const char *from = p->at;
    bool whole;
    skip(p, '-');
    const char *first = p->at;
    size_t digits = skip_digits(p);
    if (digits == 0 || (digits > 1 && *first == '0') || !skip_fraction(p, &whole)) return NULL;
    size_t n = (size_t)(p->at - from);
    return whole ? integer(from, n) : real(from, n);
}

/* ── what holds others ─────────────────────────────────────────────────────────────────────────*/
static bool add_element(struct parse *p, json_t *array) {
    json_t *v = value(p);
    return v && json_array_append_new(array, v) == 0;
}

/* A name that is there already is refused. */
static bool add_named(struct parse *p, json_t *object, const char *name) {
    size_t members = json_object_size(object);
    skip_blanks(p);
    json_t *v = skip(p, ':') ? value(p) : NULL;
    return v && json_object_set_new_nocheck(object, name, v) == 0 &&
           json_object_size(object) > members;
}

static bool add_member(struct parse *p, json_t *object) {
    struct base_text t = {0};
    char small[SHORT], *name = NULL;
    const char *s;
    size_t n;
    skip_blanks(p);
    if (skip(p, '"') && text(p, &t, &s, &n)) name = copy(s, n, small);
    base_text_free(&t);
    bool added = name && add_named(p, object, name);
    if (name != small) free(name);
    return added;
}

/* What follows the opening bracket. */
static json_t *members(struct parse *p, json_t *made, char close,
                       bool (*add)(struct parse *p, json_t *to)) {
    skip_blanks(p);
    bool fine = p->depth++ < DEEPEST, more = fine && !skip(p, close);
    while (more) {
        fine = add(p, made);
        skip_blanks(p);
        more = fine && skip(p, ',');
        if (!more) fine = fine && skip(p, close);
    }
    p->depth--;
    if (fine) return made;
    json_decref(made);
    return NULL;
}

static json_t *word(struct parse *p, const char *is, json_t *made) {
    size_t n = strlen(is);
    if ((size_t)(p->end - p->at) < n || memcmp(p->at, is, n) != 0) return NULL;
    p->at += n;
    return made;
}

static json_t *value(struct parse *p) {
    skip_blanks(p);
    if (skip(p, '"')) return string(p);
    if (skip(p, '{')) return members(p, json_object(), '}', add_member);
    if (skip(p, '[')) return members(p, json_array(), ']', add_element);
    switch (p->at < p->end ? *p->at : 0) {
    case 't': return word(p, "true", json_true());
    case 'f': return word(p, "false", json_false());
    case 'n': return word(p, "null", json_null());
    default: return number(p);
    }
}

json_t *base_json_parse(const char *text, size_t n) {
    struct parse p = {.at = text, .end = text + n};
    json_t *v = value(&p);
    skip_blanks(&p);
    if (p.at == p.end && (json_is_object(v) || json_is_array(v))) return v;
    json_decref(v);
    return NULL;
}
