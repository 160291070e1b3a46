#include "script/sandbox.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 128 /* of one object */

/* ── into the message ──────────────────────────────────────────────────────────────────────────*/

static bool put(struct sandbox *s, const char *text, size_t n) {
    if (n > sizeof s->message - s->n) return false;
    memcpy(s->message + s->n, text, n);
    s->n += n;
    return true;
}

bool script_encode_raw(struct sandbox *s, const char *text) {
    return put(s, text, strlen(text));
}

static bool put_character(struct sandbox *s, char c) {
    char escape[8];
    if (c == '"' || c == '\\') return put(s, (char[]){'\\', c}, 2);
    if ((unsigned char)c >= 0x20) return put(s, &c, 1);
    snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)c);
    return put(s, escape, 6);
}

bool script_encode_string(struct sandbox *s, const char *text, size_t n) {
    bool fits = put(s, "\"", 1);
    for (size_t i = 0; i < n && fits; i++) fits = put_character(s, text[i]);
    return fits && put(s, "\"", 1);
}

/* ── values ────────────────────────────────────────────────────────────────────────────────────*/

/* of the path to a value: a name, or a place in a list */
struct step {
    const char *name;
    lua_Integer place;
};
struct encoder {
    lua_State *L;
    struct sandbox *s;
    const char *what;
    int line;
    int depth;
    struct step path[WIRE_DEPTH + 1];
};

static void value(struct encoder *e);

/* "steps[3].ask" */
static const char *path_text(const struct encoder *e, char *out, size_t size) {
    size_t n = 0;
    out[0] = '\0';
    for (int i = 1; i <= e->depth && n < size; i++) {
        const struct step *p = &e->path[i];
        int wrote = p->name ? snprintf(out + n, size - n, "%s%.40s", i > 1 ? "." : "", p->name)
                            : snprintf(out + n, size - n, "[%lld]", (long long)p->place);
        n += (size_t)wrote;
    }
    return out;
}

static _Noreturn void refuse(struct encoder *e, const char *why) {
    char path[120];
    path_text(e, path, sizeof path);
    script_sandbox_fail(e->L, e->line, "%s%s%s %s", e->what, path[0] ? ": " : "", path, why);
}

static void fits(struct encoder *e, bool did) {
    if (!did) refuse(e, "is more than 1 MiB in total; make it smaller");
}

static bool has_control(const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) return true;
    }
    return false;
}

static void string(struct encoder *e) {
    size_t n;
    const char *text = lua_tolstring(e->L, -1, &n);
    if (n > WIRE_STRING) refuse(e, "is a text over 64 KB; make it smaller");
    if (!base_utf8_valid(text, n)) refuse(e, "is text that is not UTF-8");
    if (has_control(text, n))
        refuse(e, "is text with a control character; only newlines and tabs may be there");
    fits(e, script_encode_string(e->s, text, n));
}

static void number(struct encoder *e) {
    char digits[40];
    if (lua_isinteger(e->L, -1)) {
        snprintf(digits, sizeof digits, "%lld", (long long)lua_tointeger(e->L, -1));
    } else {
        double v = lua_tonumber(e->L, -1);
        if (!isfinite(v)) refuse(e, "is not a number that can be written (infinite, or 0/0)");
        if (v == floor(v) && fabs(v) < 9007199254740992.0)
            snprintf(digits, sizeof digits, "%.0f", v);
        else
            for (int p = 15; p <= 17; p++) {
                snprintf(digits, sizeof digits, "%.*g", p, v);
                if (strtod(digits, NULL) == v) break;
            }
    }
    fits(e, script_encode_raw(e->s, digits));
}

/* Goes one level down to the value at the top of the stack, writes and pops it. */
static void member(struct encoder *e, const char *name, lua_Integer place) {
    if (e->depth == WIRE_DEPTH - 1)
        refuse(e, "is nested deeper than 32 levels; does a table contain itself?");
    e->path[++e->depth] = (struct step){name, place};
    value(e);
    e->depth--;
    lua_pop(e->L, 1);
}

static void array(struct encoder *e, lua_Unsigned n) {
    fits(e, script_encode_raw(e->s, "["));
    for (lua_Unsigned i = 1; i <= n; i++) {
        if (i > 1) fits(e, script_encode_raw(e->s, ","));
        lua_rawgeti(e->L, -1, (lua_Integer)i);
        member(e, NULL, (lua_Integer)i);
    }
    fits(e, script_encode_raw(e->s, "]"));
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void object(struct encoder *e, const char **names, size_t n) {
    qsort(names, n, sizeof *names, by_name);
    fits(e, script_encode_raw(e->s, "{"));
    for (size_t i = 0; i < n; i++) {
        fits(e, (i == 0 || script_encode_raw(e->s, ",")) &&
                    script_encode_string(e->s, names[i], strlen(names[i])) &&
                    script_encode_raw(e->s, ":"));
        lua_pushstring(e->L, names[i]);
        lua_rawget(e->L, -2);
        member(e, names[i], 0);
    }
    fits(e, script_encode_raw(e->s, "}"));
}

/* The names of the table at the top; they live as long as it does. Returns how many keys it has in
 * all. */
static size_t keys(struct encoder *e, const char **names, size_t *named) {
    size_t count = 0;
    *named = 0;
    for (lua_pushnil(e->L); lua_next(e->L, -2); lua_pop(e->L, 1)) {
        count++;
        if (lua_type(e->L, -2) != LUA_TSTRING) continue;
        if (*named == MOST_NAMES) refuse(e, "has more than 128 names; make it a list");
        const char *name = lua_tostring(e->L, -2);
        if (!base_utf8_valid(name, strlen(name))) refuse(e, "has a name that is not UTF-8");
        names[(*named)++] = name;
    }
    return count;
}

static bool is_marked(lua_State *L) {
    if (!lua_getmetatable(L, -1)) return false;
    luaL_getmetatable(L, "object");
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same;
}

/* Tables that know their line lend it to what is in them. */
static int line_of(const struct encoder *e) {
    lua_pushliteral(e->L, "line");
    lua_rawget(e->L, -2);
    int line = lua_isinteger(e->L, -1) ? (int)lua_tointeger(e->L, -1) : e->line;
    lua_pop(e->L, 1);
    return line;
}

static void table(struct encoder *e) {
    const char *names[MOST_NAMES];
    size_t named;
    luaL_checkstack(e->L, 8, "nested too deeply");
    int line = e->line;
    e->line = line_of(e);
    size_t count = keys(e, names, &named);
    lua_Unsigned n = lua_rawlen(e->L, -1);
    if (named > 0 ? named != count : n != count)
        refuse(e, named > 0 ? "mixes a list with names; use one or the other"
                            : "is a list with gaps (a nil in it?) or with keys that are neither 1, "
                              "2, 3 … nor names");
    if (named > 0 || (count == 0 && is_marked(e->L)))
        object(e, names, named);
    else
        array(e, n);
    e->line = line;
}

static void value(struct encoder *e) {
    switch (lua_type(e->L, -1)) {
    case LUA_TBOOLEAN:
        fits(e, script_encode_raw(e->s, lua_toboolean(e->L, -1) ? "true" : "false"));
        break;
    case LUA_TNIL: fits(e, script_encode_raw(e->s, "null")); break;
    case LUA_TNUMBER: number(e); break;
    case LUA_TSTRING: string(e); break;
    case LUA_TTABLE: table(e); break;
    case LUA_TFUNCTION: refuse(e, "is a function; only vary may be one"); break;
    default: refuse(e, "is neither text, number, true, false nor a table");
    }
}

void script_encode_answer(lua_State *L, const char *is, const char *what, int line) {
    struct encoder e = {.L = L, .s = script_sandbox_of(L), .what = what, .line = line};
    fits(&e, script_encode_raw(e.s, "{\"is\":\"") && script_encode_raw(e.s, is) &&
                 script_encode_raw(e.s, "\",\"") && script_encode_raw(e.s, is) &&
                 script_encode_raw(e.s, "\":"));
    value(&e);
    fits(&e, script_encode_raw(e.s, "}"));
}

int script_encode_mark_object(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    if (luaL_newmetatable(L, "object")) {
        lua_pushboolean(L, false);
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, 1);
    return 1;
}
