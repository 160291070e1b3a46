/* lint_literals: numbers in prose that look like results. What the engine can give comes from the engine, through fill; a number with a byte
 * unit, or of billions of parameters, that stands in a text by hand is a finding, unless the file gives it to the engine as well (params =
 * 7e9 makes "7B" fair), names it in `given`, or has it from a source that it cites. Reads the file as Lua text; runs nothing. */
#include "command/lint.h"
#include "command/lint_lua.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROSE_BLANKS = 3, FINDINGS_MOST = 12, NUMBER = 48 };

struct known {
    double *value;
    size_t count;
};

/* ── numbers in a text ───────────────────────────────────────────────────────────────────────────*/
/* What stands at `s` as a number with a unit, "31.4 GB" or "7B"; how long it is, or 0. */
static size_t measure(const char *s, double *value) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "kB", "KB", "MB", "GB", "TB"};
    char text[NUMBER];
    struct account_error e;
    uint64_t count;
    size_t digits = strspn(s, "0123456789."), blank = s[digits] == ' ', n = 0;
    if (digits == 0 || digits > 16 || !isdigit((unsigned char)s[digits - 1])) return 0;
    for (size_t i = 0; i < BASE_COUNT(units) && n == 0; i++)
        if (strncmp(s + digits + blank, units[i], strlen(units[i])) == 0)
            n = digits + blank + strlen(units[i]);
    bool bytes = n > 0;
    if (!bytes && s[digits] == 'B') n = digits + 1;
    if (n == 0 || isalnum((unsigned char)s[n])) return 0;
    snprintf(text, sizeof text, "%.*s", (int)n, s);
    if (bytes) return account_read_bytes(text, value, &e) ? n : 0;
    if (!account_read_count(text, &count, &e)) return 0;
    *value = (double)count;
    return n;
}

/* "1 GB is 10^9 bytes": one of a unit is the unit, and no result. */
static bool is_one(const char *s) {
    return *s == '1' && !isdigit((unsigned char)s[1]) && s[1] != '.';
}

/* Numbers within names (A100-80GB, llama-2-7b) and what fill puts in are passed over. */
static bool begins(const char *text, const char *s) {
    if (!isdigit((unsigned char)*s)) return false;
    return s == text || (!isalnum((unsigned char)s[-1]) && strchr("-._/{$", s[-1]) == NULL);
}

/* ── what the file gives ─────────────────────────────────────────────────────────────────────────*/
static void learn(struct known *k, double value) {
    k->value = base_grow(k->value, k->count + 1, sizeof *k->value);
    k->value[k->count++] = value;
}

static bool knows(const struct known *k, double value) {
    for (size_t i = 0; i < k->count; i++)
        if (fabs(k->value[i] - value) <= 1e-6 * fabs(value)) return true;
    return false;
}

static bool is_prose(const char *text) {
    int blanks = 0;
    for (; *text; text++) blanks += *text == ' ' || *text == '\n';
    return blanks >= PROSE_BLANKS;
}

/* Whatever measures there are in a text, and in "llama-2-13b" the 13B. */
static void learn_text(struct known *k, const char *text) {
    double value;
    for (const char *s = text; *s; s++) {
        size_t n = begins(text, s) ? measure(s, &value) : 0;
        if (n) learn(k, value);
        char *end;
        if (!isdigit((unsigned char)*s) ||
            (s > text && (isdigit((unsigned char)s[-1]) || s[-1] == '.')))
            continue;
        value = strtod(s, &end);
        if (*end == 'b' && !isalnum((unsigned char)end[1])) learn(k, value * 1e9);
    }
}

static void learn_token(struct known *k, const struct lint_lua_token *t) {
    if (t->kind == LINT_NUMBER) learn(k, strtod(t->text, NULL));
    if (t->kind == LINT_TEXT && (t->cited || !is_prose(t->text))) learn_text(k, t->text);
}

/* ── findings ────────────────────────────────────────────────────────────────────────────────────*/
static int line_of(const struct lint_lua_token *t, const char *s) {
    int line = t->line;
    for (const char *c = t->text; c < s; c++) line += *c == '\n';
    return line;
}

static void report(struct lint_lesson *l, int line, const char *text, size_t n) {
    struct base_message m = {0};
    base_fail_at(
        &m, l->path, line,
        "'%.*s' is written by hand: take it from the engine with fill, or, where it is assumed, "
        "say so with given = { \"%.*s\" } in its step",
        (int)n, text, (int)n, text);
    lint_add(l, &m);
}

static size_t search(struct lint_lesson *l, const struct known *k, const struct lint_lua_token *t) {
    size_t found = 0;
    double value;
    for (const char *s = t->text; *s; s++) {
        size_t n = begins(t->text, s) ? measure(s, &value) : 0;
        if (n == 0) continue;
        if (!is_one(s) && !knows(k, value)) {
            report(l, line_of(t, s), s, n);
            found++;
        }
        s += n - 1;
    }
    return found;
}

void lint_literals(struct lint_lesson *l, const char *text) {
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
    free(known.value);
}
