/* Counts, bytes and rates as they stand on a command line or in a problem. */
#include "account/numbers/suffix.h"
#include "account/numbers/text.h"

#include <math.h>
#include <string.h>

struct quantity {
    struct account_decimal number;
    struct account_suffix suffix;
    /* `end`: the first character not read, after white space */
    const char *suffix_at, *end;
};

const char *account_scan_or_words(const char *s, struct account_decimal *out) {
    struct account_words words;
    char digits[32];
    const char *end = account_scan(s, out);
    if (end) return end;
    end = account_read_part(s, &words);
    if (!end) end = account_read_words(s, &words);
    if (!end) return NULL;
    struct account_text t = account_text(digits, sizeof digits);
    account_add_number(&t, words.value, 15);
    return account_scan(digits, out) ? end : NULL;
}

static bool read_quantity(const char *text, const char *like, struct quantity *q,
                          struct account_error *e) {
    const char *s = account_skip(text);
    const char *after = account_scan_or_words(s, &q->number);
    if (!after) {
        if (!*s)
            return account_fail(e, account_column(text, s), "nothing is written here; write %s",
                                like);
        if (*s == '-' || strncmp(s, "−", 3) == 0)
            return account_fail(e, account_column(text, s), "it cannot be negative; write %s",
                                like);
        return account_fail(e, account_column(text, s), "it is not a number; write %s", like);
    }
    q->suffix_at = account_skip(after);
    if (*q->suffix_at == ',')
        return account_fail(e, account_column(text, q->suffix_at),
                            "no comma in numbers: write 1.5 or 1500");
    const char *end = account_suffix(q->suffix_at, &q->suffix);
    if (!end)
        return account_fail(e, account_column(text, q->suffix_at), "no such unit; write %s", like);
    q->end = account_skip(end);
    return true;
}

static bool nothing_follows(const char *text, const char *end, const char *like,
                            struct account_error *e) {
    if (!*end) return true;
    return account_fail(e, account_column(text, end), "unexpected text after the number; write %s",
                        like);
}

static bool finite_value(const char *text, double value, double *out, struct account_error *e) {
    if (!isfinite(value))
        return account_fail(e, account_column(text, account_skip(text)), "the number is too large");
    *out = value;
    return true;
}

bool account_read_count(const char *text, uint64_t *out, struct account_error *e) {
    static const char like[] = "a count like 13B, 7.5e9, 350M or 124439808";
    struct quantity q;
    if (!read_quantity(text, like, &q, e)) return false;
    bool noun = q.suffix.kind == ACCOUNT_SUFFIX_BYTES &&
                (q.suffix.unit == ACCOUNT_UNIT_PARAMS || q.suffix.unit == ACCOUNT_UNIT_GPUS);
    if (q.suffix.kind >= ACCOUNT_SUFFIX_BYTES && !noun)
        return account_fail(e, account_column(text, q.suffix_at),
                            "that is a unit of memory, and a count is needed; write %s", like);
    if (!nothing_follows(text, q.end, like, e)) return false;
    if (!account_decimal_whole(&q.number, q.suffix.power, out)) {
        bool small = q.number.value * q.suffix.scale < 1.8e19;
        return account_fail(e, 1,
                            small ? "it must be a whole number; write %s"
                                  : "the count is too large for 64 bits; write %s",
                            like);
    }
    return true;
}

bool account_read_bytes(const char *text, double *out, struct account_error *e) {
    static const char like[] = "a size like 80GB, 31.4 GB, 80GiB or 2.5e9";
    struct quantity q;
    if (!read_quantity(text, like, &q, e)) return false;
    if (q.suffix.kind == ACCOUNT_SUFFIX_BITS)
        return account_fail(e, account_column(text, q.suffix_at),
                            "a small b is bits, and memory is counted in bytes; write %s", like);
    if (q.suffix.unit > ACCOUNT_UNIT_TIB)
        return account_fail(e, account_column(text, q.suffix_at), "not a unit of memory; write %s",
                            like);
    if (!nothing_follows(text, q.end, like, e)) return false;
    /* here a B alone can only be bytes */
    double scale = q.suffix.kind == ACCOUNT_SUFFIX_B ? 1 : q.suffix.scale;
    return finite_value(text, q.number.value * scale, out, e);
}

/* "GB/s" and "Gb/s", "GBps" and "Gbps"; a bare number is in bytes per second. */
bool account_read_rate(const char *text, double *out, struct account_error *e) {
    static const char like[] = "a rate like 25GB/s, or 400 Gb/s for bits";
    struct account_decimal number;
    const char *s = account_skip(text), *unit = account_scan_or_words(s, &number);
    if (!unit)
        return account_fail(e, account_column(text, s), "it is not a number; write %s", like);
    unit = account_skip(unit);
    if (!*unit) return finite_value(text, number.value, out, e);
    char word[16];
    size_t length = 0;
    while (length < sizeof word - 1 && account_is_letter(unit[length])) length++;
    memcpy(word, unit, length);
    word[length] = '\0';
    const char *end = unit + length;
    bool slash = end[0] == '/' && end[1] == 's',
         ps = length > 2 && strcmp(word + length - 2, "ps") == 0;
    if (slash)
        end += 2;
    else if (ps)
        word[length - 2] = '\0';
    struct account_suffix suffix;
    const char *read = slash || ps ? account_suffix(word, &suffix) : NULL;
    if (!read || *read || suffix.kind < ACCOUNT_SUFFIX_B || suffix.unit > ACCOUNT_UNIT_TIB)
        return account_fail(e, account_column(text, unit), "no such unit of speed; write %s", like);
    if (suffix.kind == ACCOUNT_SUFFIX_BYTES && word[0] == 'g' && word[1] == 'b')
        return account_fail(e, account_column(text, unit),
                            "bits or bytes? Write Gb/s for bits or GB/s for bytes");
    double scale = suffix.kind == ACCOUNT_SUFFIX_B ? 1 : suffix.scale;
    return nothing_follows(text, account_skip(end), like, e) &&
           finite_value(text, number.value * scale, out, e);
}
