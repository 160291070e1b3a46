/* What the readers of the field language stand on: patterns of words, figures, the fields they set,
 * and the refusal that names a word and its column. */
#include "memo/reading.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ── words and figures ─────────────────────────────────────────────────────────────────────────*/
const char *memo_skip(const char *s) {
    return s + strspn(s, " ");
}

const char *memo_word_end(const char *s) {
    size_t n = strcspn(s, " ,");
    while (s[n] == ',' && isdigit((unsigned char)s[n + 1]) && n &&
           isdigit((unsigned char)s[n - 1]) && strspn(s + n + 1, "0123456789") == 3)
        n += 1 + strcspn(s + n + 1, " ,");
    return s + n;
}

/* Behind one word of a pattern, perhaps with an s. */
static const char *word_behind(const char *s, const char *word, size_t length) {
    for (size_t i = 0, n; i < length; i += n + 1) {
        for (n = 0; i + n < length && !strchr("/?", word[i + n]);) n++;
        const char *end = s + n;
        if (strncasecmp(s, word + i, n) != 0) continue;
        if (*end == 's' && !isalnum((unsigned char)end[1])) end++;
        if (!isalnum((unsigned char)*end)) return end;
    }
    return NULL;
}

/* Behind one phrase of a pattern. */
static const char *phrase_behind(const char *s, const char *phrase, size_t length) {
    for (size_t i = 0, n; s && i < length; i += n + 1) {
        for (n = 0; i + n < length && phrase[i + n] != ' ';) n++;
        const char *next = word_behind(memo_skip(s), phrase + i, n);
        if (next || phrase[i + n - 1] != '?') s = next;
    }
    return s;
}

const char *memo_behind(const char *s, const char *pattern) {
    const char *first = memo_skip(s), *longest = first;
    for (size_t n; *pattern; pattern += n + (pattern[n] == '|')) {
        n = strcspn(pattern, "|");
        const char *end = phrase_behind(first, pattern, n);
        if (end && end > longest) longest = end;
    }
    return longest > first ? longest : NULL;
}

size_t memo_words_from(const char *at, const char *ends[MEMO_NAME_WORDS]) {
    size_t n = 0;
    while (n < MEMO_NAME_WORDS && *at && *at != ',') {
        at = ends[n++] = memo_word_end(at);
        at = memo_skip(at);
    }
    return n;
}

const char *memo_figure_at(const struct memo_reader *r, const char *at, struct account_figure *f) {
    const char *from = r->raw + (memo_skip(at) - r->low), *end = account_read_figure(from, f);
    return end && !f->hedged ? r->low + (end - r->raw) : NULL;
}

/* ── refusing ──────────────────────────────────────────────────────────────────────────────────*/
/* 1-based, in characters. */
static int column_of(const char *text, const char *at) {
    int column = 1;
    for (; text < at; text++) column += ((unsigned char)*text & 0xc0) != 0x80;
    return column;
}

bool memo_refuse(struct memo_reader *r, const char *at, const char *end, const char *why) {
    assert(r->low <= at && at <= end);
    const char *from = r->raw + (at - r->low);
    char *word = base_clean_dup(from, (size_t)(end - at), 40);
    if (!r->failed)
        base_fail(r->why, "%s says \"%s\" at column %d: %s", r->of, word, column_of(r->raw, from),
                  why);
    r->failed = true;
    free(word);
    return false;
}

/* ── fields ────────────────────────────────────────────────────────────────────────────────────*/
bool memo_within(struct memo_reader *r, const char *at, const char *end, double value, double least,
                 double most, const char *what) {
    char why[80];
    if (value >= least && value <= most) return true;
    snprintf(why, sizeof why, "from %.9g to %.9g %s", least, most, what);
    return memo_refuse(r, at, end, why);
}

bool memo_set_field(struct memo_reader *r, const char *field, const char *value, const char *from,
                    const char *end) {
    struct account_error e = {0};
    if (strcmp(field, "none") == 0) {
        r->s->no_nvme = true;
        if (strcmp(value, "host") == 0) {
            r->s->no_host = true;
            r->s->training.offload_optimizer = r->s->training.offload_params = ACCOUNT_GPU;
        }
        return true;
    }
    uint64_t params = r->s->training.params;
    if (!account_set(&r->s->training, field, value, &e)) return memo_refuse(r, from, end, e.what);
    if (strcmp(field, "model") == 0 && r->params) r->s->training.params = params;
    if (strcmp(field, "params") == 0) r->params = true;
    return true;
}

bool memo_set_number(struct memo_reader *r, const char *field, double value, const char *from,
                     const char *end) {
    char text[400]; /* all digits of any double */
    snprintf(text, sizeof text, value >= 1 ? "%.0f" : "%.9g", value);
    return memo_set_field(r, field, text, from, end);
}
