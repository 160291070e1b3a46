/* A memo as tokens. */
#include "memo_text.h"

#include <ctype.h>
#include <string.h>

void memo_text_open(struct memo_text *t, const char *raw, size_t length) {
    *t = (struct memo_text){.raw = raw, .lower = base_alloc(length + 1), .length = length};
    for (size_t i = 0; i < length; i++) t->lower[i] = (char)tolower((unsigned char)raw[i]);
}

void memo_text_close(struct memo_text *t) {
    free(t->lower);
    free(t->token);
    *t = (struct memo_text){0};
}

static struct memo_token *add(struct memo_text *t) {
    if (t->tokens == t->room) {
        t->room = t->room ? 2 * t->room : 256;
        t->token = base_grow(t->token, t->room, sizeof *t->token);
    }
    t->token[t->tokens] = (struct memo_token){0};
    return &t->token[t->tokens++];
}

void memo_text_end(struct memo_text *t, enum memo_token_kind kind, int line) {
    struct memo_token *one = add(t);
    one->kind = kind;
    one->line = line;
    one->start = (uint32_t)t->length;
}

/* Letters of other alphabets count, so that Ψ is a word; signs and spaces of Unicode do not. */
static bool is_letter(uint32_t code) {
    if (code < 0x80) return isalpha((int)code) || code == '_';
    return code >= 0xC0 && code < 0x2000 && code != 0xD7 && code != 0xF7;
}

static const char *word_end(const char *s, const char *end) {
    while (s < end) {
        const char *next = s;
        uint32_t code = base_utf8_next(&next, end);
        if (!is_letter(code) && !(code < 0x80 && isdigit((int)code))) break;
        s = next;
    }
    return s;
}

/* "8xA100": the x is a sign of its own. */
static bool is_times(const struct memo_token *before, const char *s, const char *end) {
    return before && before->kind == MEMO_NUMBER && end - s > 1 && (*s == 'x' || *s == 'X') &&
           (isalnum((unsigned char)s[1]) || s[1] == ' ');
}

/* "i.e.", "vs.", "approx.": their points end no sentence. */
static bool is_abbreviation(const struct memo_text *t, const struct memo_token *one) {
    static const char *const words[] = {"e", "g", "vs", "approx", "incl", "ca", "resp", "cf"};
    for (size_t k = 0; k < BASE_COUNT(words) && one->kind == MEMO_WORD; k++)
        if (one->length == strlen(words[k]) &&
            memcmp(t->lower + one->start, words[k], one->length) == 0)
            return true;
    return false;
}

/* A point ends a sentence where a blank follows, or nothing. */
static bool ends_sentence(uint32_t code, const char *next, const char *end) {
    if (code != '.' && code != '!' && code != '?') return false;
    return next == end || isspace((unsigned char)*next) || strchr("*_)\"", *next);
}

/* One token at `s`, which is no blank; returns where it ends. */
static const char *read_one(struct memo_text *t, const char *s, const char *end, bool glued) {
    enum { LEADER = 3 };
    const struct memo_token before = t->tokens ? t->token[t->tokens - 1] : (struct memo_token){0};
    struct memo_token *one = add(t);
    const char *next = s;
    uint32_t code = base_utf8_next(&next, end);
    one->glued = glued;
    const char *number = memo_read_number(s, end, t->commas, one);
    if (number) return number;
    const char *dots = s;
    while (dots < end && *dots == '.') dots++;
    if (dots - s >= LEADER) { /* "weights ...... 26 GB" */
        one->kind = MEMO_MARK;
        one->mark = ':';
        return dots;
    }
    if (is_letter(code) && !(glued && is_times(&before, s, end))) {
        one->kind = MEMO_WORD;
        return word_end(s, end);
    }
    bool stop =
        ends_sentence(code, next, end) && !(code == '.' && glued && is_abbreviation(t, &before));
    one->kind = stop ? MEMO_STOP : MEMO_MARK;
    one->mark = code == 0x2010 || code == 0x2011 ? '-' : code; /* hyphens of Unicode */
    bool arrow = (code == '-' || code == '=') && next < end && *next == '>';
    if (arrow) one->mark = code == '-' ? 0x2192 : 0x21D2; /* "->", "=>" */
    return next + arrow;
}

static bool is_blank(uint32_t code) {
    return code == 0xA0 || code == 0x202F || code == 0x2009 || (code < 0x80 && isspace((int)code));
}

void memo_text_add(struct memo_text *t, size_t from, size_t to, int line) {
    const char *s = t->raw + from, *end = t->raw + to;
    bool glued = false;
    while (s < end) {
        const char *next = s;
        uint32_t code = base_utf8_next(&next, end);
        bool blank = is_blank(code);
        if (!blank) {
            size_t at = t->tokens;
            next = read_one(t, s, end, glued);
            t->token[at].start = (uint32_t)(s - t->raw);
            t->token[at].length = (uint32_t)(next - s);
            t->token[at].line = line;
        }
        line += code == '\n';
        glued = !blank;
        s = next;
    }
}

/* ── looking at tokens ───────────────────────────────────────────────────────────────────────────*/
bool memo_is_mark(const struct memo_text *t, size_t i, uint32_t mark) {
    return i < t->tokens && t->token[i].kind == MEMO_MARK && t->token[i].mark == mark;
}

bool memo_is_word(const struct memo_text *t, size_t i, const char *word, size_t length) {
    if (i >= t->tokens || t->token[i].kind != MEMO_WORD) return false;
    const struct memo_token *one = &t->token[i];
    const char *s = t->lower + one->start;
    bool plural = one->length == length + 1 && s[length] == 's';
    return (one->length == length || plural) && memcmp(s, word, length) == 0;
}

/* A digit in a phrase is a number: "zero 3", "pcie 4". */
static bool is_part(const struct memo_text *t, size_t i, const char *word, size_t length) {
    if (!isdigit((unsigned char)*word)) return memo_is_word(t, i, word, length);
    if (i >= t->tokens || t->token[i].kind != MEMO_NUMBER) return false;
    return t->token[i].value == strtod(word, NULL);
}

/* What a phrase begins with says of nearly every token that it is not it. */
static bool may_begin(const struct memo_text *t, size_t i, char first) {
    if (i >= t->tokens) return false;
    if (isdigit((unsigned char)first)) return t->token[i].kind == MEMO_NUMBER;
    return t->token[i].kind == MEMO_WORD && t->lower[t->token[i].start] == first;
}

/* "all-gather", "CUDA/NCCL", "doesn't", "doesn’t" */
static bool is_joint(const struct memo_text *t, size_t i) {
    return memo_is_mark(t, i, '-') ||
           (t->token[i].glued &&
            (memo_is_mark(t, i, '/') || memo_is_mark(t, i, '\'') || memo_is_mark(t, i, 0x2019)));
}

size_t memo_is_phrase(const struct memo_text *t, size_t i, const char *phrase) {
    if (!may_begin(t, i, *phrase)) return 0;
    size_t at = i;
    while (*phrase) {
        size_t length = strcspn(phrase, " ");
        if (at > i && at < t->tokens && is_joint(t, at)) at++;
        if (!is_part(t, at++, phrase, length)) return 0;
        phrase += length;
        phrase += *phrase == ' ';
    }
    return at - i;
}

bool memo_is_any(const struct memo_text *t, size_t i, const char *const *phrases) {
    for (; *phrases; phrases++)
        if (memo_is_phrase(t, i, *phrases)) return true;
    return false;
}
