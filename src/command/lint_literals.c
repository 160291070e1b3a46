/* Numbers in a lesson's prose that are written by hand although they look like results. Just so
 * much of Lua's grammar is read as tells texts and numbers from code and comments. */
#include "command/lint.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ── tokens of Lua ─────────────────────────────────────────────────────────────────────────────*/
enum lint_lua_kind { LINT_NUMBER, LINT_TEXT };
struct lint_lua_token {
    enum lint_lua_kind kind;
    /* without quotes */
    char *text;
    /* where it begins */
    int line;
    /* it is in `sources = { … }` or `further = { … }` */
    bool cited;
};
struct lint_lua_reader {
    const char *at;
    /* braces open; how many were open when a list of sources began, 0 outside of one */
    int line, depth, cited;
    /* the last word was `sources`; and then came `=` */
    bool names_source, begins_list;
};

static struct lint_lua_reader lint_lua_begin(const char *text) {
    return (struct lint_lua_reader){.at = text, .line = 1};
}

/* False at the end. */
static void lint_lua_token_free(struct lint_lua_token *t) {
    free(t->text);
}

static void pass(struct lint_lua_reader *r, size_t n) {
    for (; n > 0 && *r->at; n--) r->line += *r->at++ == '\n';
}

/* The level of the long bracket at `s` ("[[" is 0, "[==[" is 2), or -1. */
static int bracket_level(const char *s) {
    if (*s != '[') return -1;
    size_t level = strspn(s + 1, "=");
    return s[1 + level] == '[' ? (int)level : -1;
}

/* The text within a long bracket, the caller's; the reader goes behind it. */
static char *read_bracket(struct lint_lua_reader *r, int level) {
    char *close = base_format("]%.*s]", level, "====================");
    pass(r, (size_t)level + 2);
    const char *from = r->at, *end = strstr(from, close);
    size_t n = end ? (size_t)(end - from) : strlen(from);
    pass(r, end ? n + strlen(close) : n);
    free(close);
    return base_format("%.*s", (int)n, from);
}

/* Escapes stay as they are written: what they stand for is no number. */
static char *read_quoted(struct lint_lua_reader *r) {
    const char quote = *r->at, *from = r->at + 1, *end = from;
    while (*end && *end != quote && *end != '\n') end += *end == '\\' && end[1] ? 2 : 1;
    pass(r, (size_t)(end - r->at) + 1);
    return base_format("%.*s", (int)(end - from), from);
}

static void pass_comment(struct lint_lua_reader *r) {
    pass(r, 2);
    int level = bracket_level(r->at);
    if (level >= 0)
        free(read_bracket(r, level));
    else
        pass(r, strcspn(r->at, "\n"));
}

static void read_word(struct lint_lua_reader *r) {
    size_t n = 0;
    while (isalnum((unsigned char)r->at[n]) || r->at[n] == '_') n++;
    r->names_source = (n == 7 && strncmp(r->at, "sources", n) == 0) ||
                      (n == 7 && strncmp(r->at, "further", n) == 0);
    r->begins_list = false;
    pass(r, n);
}

static char *read_number(struct lint_lua_reader *r) {
    char *end;
    strtod(r->at, &end);
    size_t n = (size_t)(end - r->at);
    char *text = base_format("%.*s", (int)n, r->at);
    pass(r, n ? n : 1);
    return text;
}

/* Braces tell where a list of sources ends. */
static void read_sign(struct lint_lua_reader *r) {
    if (*r->at == '{') {
        r->depth++;
        if (r->begins_list && !r->cited) r->cited = r->depth;
    }
    if (*r->at == '}') {
        if (r->cited == r->depth) r->cited = 0;
        r->depth--;
    }
    if (!isspace((unsigned char)*r->at)) {
        r->begins_list = *r->at == '=' && r->names_source;
        r->names_source = false;
    }
    pass(r, 1);
}

/* False at the end. */
static bool lint_lua_next_token(struct lint_lua_reader *r, struct lint_lua_token *out) {
    while (*r->at) {
        int level = bracket_level(r->at);
        *out = (struct lint_lua_token){.line = r->line, .cited = r->cited > 0, .kind = LINT_TEXT};
        if (strncmp(r->at, "--", 2) == 0)
            pass_comment(r);
        else if (level >= 0)
            return out->text = read_bracket(r, level), true;
        else if (*r->at == '"' || *r->at == '\'')
            return out->text = read_quoted(r), true;
        else if (isalpha((unsigned char)*r->at) || *r->at == '_')
            read_word(r);
        else if (isdigit((unsigned char)*r->at))
            return out->kind = LINT_NUMBER, out->text = read_number(r), true;
        else
            read_sign(r);
    }
    return false;
}

/* ── numbers ───────────────────────────────────────────────────────────────────────────────────*/
enum { PROSE_BLANKS = 3, FINDINGS_MOST = 12, NUMBER = 48 };

enum kind { SIZE, SHARE, TIME, RATE, RATIO, KINDS };
struct measured {
    double value;
    enum kind kind;
};
struct known {
    struct measured *is;
    size_t count;
};

/* ── numbers in a text ─────────────────────────────────────────────────────────────────────────*/
/* What follows a number that was measured or computed. Two digits and an s may be a decade, and
 * with a blank before it a × is arithmetic. */
static const struct unit {
    const char *name;
    enum kind kind;
    /* 0: bytes, which account reads */
    double scale;
    enum { LOOSE, SPACED, TIGHT } blank;
} UNITS[] = {
    {"KiB", SIZE, 0, LOOSE},       {"MiB", SIZE, 0, LOOSE},
    {"GiB", SIZE, 0, LOOSE},       {"TiB", SIZE, 0, LOOSE},
    {"kB", SIZE, 0, LOOSE},        {"KB", SIZE, 0, LOOSE},
    {"MB", SIZE, 0, LOOSE},        {"GB", SIZE, 0, LOOSE},
    {"TB", SIZE, 0, LOOSE},        {"B", SIZE, 1e9, TIGHT},
    {"%", SHARE, 1e-2, LOOSE},     {"percent", SHARE, 1e-2, SPACED},
    {"µs", TIME, 1e-6, LOOSE},     {"ms", TIME, 1e-3, LOOSE},
    {"s", TIME, 1, SPACED},        {"seconds", TIME, 1, SPACED},
    {"tokens/s", RATE, 1, SPACED}, {"tokens a second", RATE, 1, SPACED},
    {"×", RATIO, 1, TIGHT},        {"times", RATIO, 1, SPACED},
};

static bool fits(const struct unit *u, const char *s, size_t blank) {
    size_t n = strlen(u->name);
    if ((u->blank == SPACED && !blank) || (u->blank == TIGHT && blank)) return false;
    return strncmp(s, u->name, n) == 0 && !isalnum((unsigned char)s[n]);
}

/* What stands at `s` as a number with a unit, "31.4 GB", "7B" or "7.4%"; how long it is, or 0. */
static size_t measure(const char *s, struct measured *m) {
    char text[NUMBER];
    struct account_error e;
    size_t digits = strspn(s, "0123456789."), blank = s[digits] == ' ';
    if (digits == 0 || digits > 16 || !isdigit((unsigned char)s[digits - 1])) return 0;
    for (size_t i = 0; i < BASE_COUNT(UNITS); i++) {
        if (!fits(&UNITS[i], s + digits + blank, blank)) continue;
        size_t n = digits + blank + strlen(UNITS[i].name);
        *m = (struct measured){strtod(s, NULL) * UNITS[i].scale, UNITS[i].kind};
        snprintf(text, sizeof text, "%.*s", (int)n, s);
        return UNITS[i].scale > 0 || account_read_bytes(text, &m->value, &e) ? n : 0;
    }
    return 0;
}

/* "1 GB is 10^9 bytes": one of a unit is the unit, and no result. */
static bool is_one(const char *s) {
    return *s == '1' && !isdigit((unsigned char)s[1]) && s[1] != '.';
}

/* Numbers within names (A100-80GB, llama-2-7b) and what stands in ${…} are passed over. */
static bool begins(const char *text, const char *s) {
    if (!isdigit((unsigned char)*s)) return false;
    return s == text || (!isalnum((unsigned char)s[-1]) && strchr("-._/{$", s[-1]) == NULL);
}

/* ── what the file gives ───────────────────────────────────────────────────────────────────────*/
static void learn(struct known *k, struct measured m) {
    k->is = base_grow(k->is, k->count + 1, sizeof *k->is);
    k->is[k->count++] = m;
}

static bool knows(const struct known *k, struct measured m) {
    for (size_t i = 0; i < k->count; i++)
        if (k->is[i].kind == m.kind && fabs(k->is[i].value - m.value) <= 1e-6 * fabs(m.value))
            return true;
    return false;
}

/* A number of the script may be anything but a ratio: small ones are everywhere, and would excuse
 * all. */
static void learn_number(struct known *k, double value) {
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (kind != RATIO) learn(k, (struct measured){value, (enum kind)kind});
}

static bool is_prose(const char *text) {
    int blanks = 0;
    for (; *text; text++) blanks += *text == ' ' || *text == '\n';
    return blanks >= PROSE_BLANKS;
}

/* Whatever measures there are in a text, and in "llama-2-13b" the 13B. */
static void learn_text(struct known *k, const char *text) {
    struct measured m;
    for (const char *s = text; *s; s++) {
        if (begins(text, s) && measure(s, &m)) learn(k, m);
        char *end;
        if (!isdigit((unsigned char)*s) ||
            (s > text && (isdigit((unsigned char)s[-1]) || s[-1] == '.')))
            continue;
        m = (struct measured){strtod(s, &end) * 1e9, SIZE};
        if (*end == 'b' && !isalnum((unsigned char)end[1])) learn(k, m);
    }
}

static void learn_token(struct known *k, const struct lint_lua_token *t) {
    if (t->kind == LINT_NUMBER) learn_number(k, strtod(t->text, NULL));
    if (t->kind == LINT_TEXT && (t->cited || !is_prose(t->text))) learn_text(k, t->text);
}

/* ── findings ──────────────────────────────────────────────────────────────────────────────────*/
static int line_of(const struct lint_lua_token *t, const char *s) {
    int line = t->line;
    for (const char *c = t->text; c < s; c++) line += *c == '\n';
    return line;
}

static void report(struct lint_lesson *l, int line, const char *text, size_t n) {
    struct base_message m = {0};
    base_fail_at(&m, l->path, line,
                 "'%.*s' is written by hand: take it from the engine with ${…}, or, if the lesson "
                 "assumes it, add given = { \"%.*s\" } to its step",
                 (int)n, text, (int)n, text);
    command_lint_add(l, &m);
}

static size_t search(struct lint_lesson *l, const struct known *k, const struct lint_lua_token *t) {
    size_t found = 0;
    struct measured m;
    for (const char *s = t->text; *s; s++) {
        if (strncmp(s, "${", 2) == 0 && strchr(s, '}')) s = strchr(s, '}');
        size_t n = begins(t->text, s) ? measure(s, &m) : 0;
        if (n == 0) continue;
        if (!is_one(s) && !knows(k, m)) {
            report(l, line_of(t, s), s, n);
            found++;
        }
        s += n - 1;
    }
    return found;
}

void command_lint_literals(struct lint_lesson *l, const char *text) {
    struct known known = {0};
    struct lint_lua_token t;
    size_t found = 0;
    for (struct lint_lua_reader r = lint_lua_begin(text); lint_lua_next_token(&r, &t);
         lint_lua_token_free(&t))
        learn_token(&known, &t);
    for (struct lint_lua_reader r = lint_lua_begin(text); lint_lua_next_token(&r, &t);
         lint_lua_token_free(&t))
        if (t.kind == LINT_TEXT && !t.cited && is_prose(t.text) && found < FINDINGS_MOST)
            found += search(l, &known, &t);
    free(known.is);
}
