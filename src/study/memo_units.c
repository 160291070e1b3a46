/* Units as people write them after a number. */
#include "memo.h"

#include <ctype.h>
#include <string.h>

/* `exact` is compared with the case as written: Gb are bits. */
static const struct row {
    const char *word;
    enum memo_dimension dimension;
    double scale;
    const char *name;
    bool exact, bits, coarse;
} rows[] = {
    {"Gb",          MEMO_BYTES,     0.125e9,         "Gb",    true,  true,  false},
    {"Gbit",        MEMO_BYTES,     0.125e9,         "Gbit",  true,  true,  false},
    {"Gbps",        MEMO_BYTE_RATE, 0.125e9,         "Gb/s",  true,  true,  false},
    {"Mb",          MEMO_BYTES,     0.125e6,         "Mb",    true,  true,  false},
    {"gigabit",     MEMO_BYTES,     0.125e9,         "Gbit",  false, true,  false},
    {"gb",          MEMO_BYTES,     1e9,             "GB",    false, false, false},
    {"gbyte",       MEMO_BYTES,     1e9,             "GB",    false, false, false},
    {"G",           MEMO_BYTES,     1e9,             "GB",    true,  false, false},
    {"gib",         MEMO_BYTES,     1073741824.0,    "GiB",   false, false, false},
    {"gigabyte",    MEMO_BYTES,     1e9,             "GB",    false, false, false},
    {"gibibyte",    MEMO_BYTES,     1073741824.0,    "GiB",   false, false, false},
    {"gig",         MEMO_BYTES,     1e9,             "GB",    false, false, false},
    {"mb",          MEMO_BYTES,     1e6,             "MB",    false, false, false},
    {"mib",         MEMO_BYTES,     1048576.0,       "MiB",   false, false, false},
    {"megabyte",    MEMO_BYTES,     1e6,             "MB",    false, false, false},
    {"mbyte",       MEMO_BYTES,     1e6,             "MB",    false, false, false},
    {"tb",          MEMO_BYTES,     1e12,            "TB",    false, false, false},
    {"tib",         MEMO_BYTES,     1099511627776.0, "TiB",   false, false, false},
    {"terabyte",    MEMO_BYTES,     1e12,            "TB",    false, false, false},
    {"kb",          MEMO_BYTES,     1e3,             "kB",    false, false, false},
    {"byte",        MEMO_BYTES,     1,               "B",     false, false, false},
    {"b",           MEMO_BYTES,     1,               "B",     false, false, false},
    {"ms",          MEMO_SECONDS,   1e-3,            "ms",    false, false, false},
    {"millisecond", MEMO_SECONDS,   1e-3,            "ms",    false, false, false},
    {"s",           MEMO_SECONDS,   1,               "s",     false, false, false},
    {"sec",         MEMO_SECONDS,   1,               "s",     false, false, false},
    {"second",      MEMO_SECONDS,   1,               "s",     false, false, false},
    {"minute",      MEMO_SECONDS,   60,              "min",   false, false, true },
    {"min",         MEMO_SECONDS,   60,              "min",   false, false, true },
    {"hour",        MEMO_SECONDS,   3600,            "h",     false, false, true },
    {"h",           MEMO_SECONDS,   3600,            "h",     false, false, true },
    {"day",         MEMO_SECONDS,   86400,           "days",  false, false, true },
    {"week",        MEMO_SECONDS,   604800,          "weeks", false, false, true },
};

static const struct row *row_at(const struct memo_text *t, size_t i) {
    if (i >= t->tokens || t->token[i].kind != MEMO_WORD) return NULL;
    char first = t->lower[t->token[i].start];
    for (size_t k = 0; k < BASE_COUNT(rows); k++) {
        if (tolower((unsigned char)rows[k].word[0]) != first) continue;
        size_t n = strlen(rows[k].word);
        if (rows[k].exact) {
            if (t->token[i].length == n && memcmp(t->raw + t->token[i].start, rows[k].word, n) == 0)
                return &rows[k];
        } else if (memo_is_word(t, i, rows[k].word, n))
            return &rows[k];
    }
    return NULL;
}

static size_t any(const struct memo_text *t, size_t i, const char *const *phrases) {
    for (; *phrases; phrases++) {
        size_t n = memo_is_phrase(t, i, *phrases);
        if (n) return n;
    }
    return 0;
}

/* "/s", "per second", "a second": how many tokens. */
static size_t per(const struct memo_text *t, size_t i, const char *const *words) {
    bool sign = memo_is_mark(t, i, '/');
    bool said =
        memo_is_phrase(t, i, "per") || memo_is_phrase(t, i, "a") || memo_is_phrase(t, i, "each");
    size_t n = sign || said ? any(t, i + 1, words) : 0;
    return n ? n + 1 : 0;
}

static const char *const seconds[] = {"s", "sec", "second", NULL};
static const char *const params[] = {"param", "parameter", "weight", "ψ", NULL};

/* "13.7K tokens/s", "13,700 tok/s", "tokens per second" */
static size_t token_rate(const struct memo_text *t, size_t i, struct memo_unit *out) {
    static const char *const tokens[] = {"token", "tok", NULL};
    size_t at = i, n;
    bool kilo = memo_is_phrase(t, at, "k") > 0;
    if (kilo) at++;
    n = any(t, at, tokens);
    if (!n) return 0;
    at += n;
    n = per(t, at, seconds);
    if (!n) return 0;
    at += n;
    bool thousands = memo_is_mark(t, at, '(') || memo_is_mark(t, at, ',') ||
                     memo_is_phrase(t, at, "in"); /* "tokens/s (thousands)", in a table's head */
    kilo |= thousands && memo_is_phrase(t, at + 1, "thousand");
    *out = (struct memo_unit){.dimension = MEMO_TOKEN_RATE,
                              .scale = kilo ? 1e3 : 1,
                              .name = kilo ? "K tokens/s" : "tokens/s"};
    return at - i;
}

/* "6.7 samples/s": of as many tokens as the scenario's sequence has */
static size_t sample_rate(const struct memo *m, size_t i, struct memo_unit *out) {
    static const char *const samples[] = {"sample", "sequence", "example", NULL};
    size_t n = any(&m->text, i, samples), each = n ? per(&m->text, i + n, seconds) : 0;
    if (!each || !m->report || !m->report->scenario.training.seq)
        return 0; /* a quotation's has none */
    uint32_t tokens = m->report->scenario.training.seq;
    *out = (struct memo_unit){.dimension = MEMO_TOKEN_RATE, .scale = tokens, .name = "samples/s"};
    return n + each;
}

/* "48.75e9 B" is bytes, and "13 B" rather parameters. */
static bool is_many(const struct memo_text *t, size_t i) {
    static const double million = 1e6;
    return i > 0 && t->token[i - 1].kind == MEMO_NUMBER && t->token[i - 1].value >= million &&
           t->raw[t->token[i].start] == 'B';
}

/* "s" and "h" and "b" alone are units where they stand right after the number or a blank after it, never after another sign. */
size_t memo_unit_at(const struct memo *m, size_t i, struct memo_unit *out) {
    const struct memo_text *t = &m->text;
    size_t rate = token_rate(t, i, out), n;
    if (!rate) rate = sample_rate(m, i, out);
    const struct row *row = rate ? NULL : row_at(t, i);
    if (rate || !row) return rate;
    *out = (struct memo_unit){row->dimension, row->scale, row->name, row->bits, row->coarse};
    if (row->dimension != MEMO_BYTES) return 1;
    if ((n = per(t, i + 1, seconds))) {
        out->dimension = MEMO_BYTE_RATE;
        out->name = row->bits ? "Gb/s" : row->scale > 1e9 && row->scale < 1e12 ? "GiB/s" : "GB/s";
        return n + 1;
    }
    if (row->scale > 1) return 1;
    if ((n = per(t, i + 1, params))) {
        out->dimension = MEMO_BYTES_PER_PARAM;
        out->name = "B/param";
        return n + 1;
    }
    return strcmp(row->word, "byte") == 0 || is_many(t, i) ? 1 : 0;
}
