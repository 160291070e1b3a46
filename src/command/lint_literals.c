/* command_lint_literals: numbers in prose that look like results. What the engine can give comes from the engine, through ${…}; a number of bytes,
 * seconds or tokens a second, of billions of parameters, a share or a ratio that stands in a text by hand is a finding, unless the file gives it to the engine as well (params =
 * 7e9 makes "7B" fair), names it in `given`, or has it from a source that it cites. Reads the file as Lua text; runs nothing. */
#include "command/lint.h"
#include "command/lint_lua.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ── numbers in a text ───────────────────────────────────────────────────────────────────────────*/
/* What follows a number that was measured or computed. Two digits and an s may be a decade, and with a blank before it a × is arithmetic. */
static const struct unit {
    const char *name;
    enum kind kind;
    double scale; /* 0: bytes, which account reads */
    enum { LOOSE, SPACED, TIGHT } blank;
} UNITS[] = {
    {"KiB",             SIZE,  0,    LOOSE },
    {"MiB",             SIZE,  0,    LOOSE },
    {"GiB",             SIZE,  0,    LOOSE },
    {"TiB",             SIZE,  0,    LOOSE },
    {"kB",              SIZE,  0,    LOOSE },
    {"KB",              SIZE,  0,    LOOSE },
    {"MB",              SIZE,  0,    LOOSE },
    {"GB",              SIZE,  0,    LOOSE },
    {"TB",              SIZE,  0,    LOOSE },
    {"B",               SIZE,  1e9,  TIGHT },
    {"%",               SHARE, 1e-2, LOOSE },
    {"percent",         SHARE, 1e-2, SPACED},
    {"µs",             TIME,  1e-6, LOOSE },
    {"ms",              TIME,  1e-3, LOOSE },
    {"s",               TIME,  1,    SPACED},
    {"seconds",         TIME,  1,    SPACED},
    {"tokens/s",        RATE,  1,    SPACED},
    {"tokens a second", RATE,  1,    SPACED},
    {"×",              RATIO, 1,    TIGHT },
    {"times",           RATIO, 1,    SPACED},
};

static bool fits(const struct unit *u, const char *s, size_t blank) {
    size_t n = strlen(u->name);
    if ((u->blank == SPACED && !blank) || (u->blank == TIGHT && blank)) return false;
    return strncmp(s, u->name, n) == 0 && !isalnum((unsigned char)s[n]);
}

/* What stands at `s` as a number with a unit, "31.4 GB", "7B" or "7.4 %"; how long it is, or 0. */
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

/* ── what the file gives ─────────────────────────────────────────────────────────────────────────*/
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

/* A number of the script may be anything but a ratio: small ones are everywhere, and would excuse all. */
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
        "'%.*s' is written by hand: take it from the engine with ${…}, or, where it is assumed, "
        "say so with given = { \"%.*s\" } in its step",
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
    for (struct lint_lua_reader r = command_lint_lua_begin(text);
         command_lint_lua_next_token(&r, &t); command_lint_lua_token_free(&t))
        learn_token(&known, &t);
    for (struct lint_lua_reader r = command_lint_lua_begin(text);
         command_lint_lua_next_token(&r, &t); command_lint_lua_token_free(&t))
        if (t.kind == LINT_TEXT && !t.cited && is_prose(t.text) && found < FINDINGS_MOST)
            found += search(l, &known, &t);
    free(known.is);
}
