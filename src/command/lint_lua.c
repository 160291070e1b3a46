/* lint_lua: just so much of Lua's grammar as tells texts and numbers from code and comments. */
#include "command/lint_lua.h"

#include "base/base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct lint_lua_reader command_lint_lua_begin(const char *text) {
    return (struct lint_lua_reader){.at = text, .line = 1};
}

void command_lint_lua_token_free(struct lint_lua_token *t) {
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

bool command_lint_lua_next_token(struct lint_lua_reader *r, struct lint_lua_token *out) {
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
