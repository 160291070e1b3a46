/* library: see library.h. Each of our own functions is called with the original as upvalue 1 and
 * its full name as upvalue 2. */
#include "script/library.h"

#include "script/late.h"

#include <lualib.h>
#include <stdbool.h>
#include <string.h>

/* Calls the original with all arguments and returns its results. */
static int forward(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* The full name of the function that runs: "string.rep". */
static const char *own_name(lua_State *L) {
    return lua_tostring(L, lua_upvalueindex(2));
}

/* ── the base library ──────────────────────────────────────────────────────────────────────────*/
/* Once the time is up, nothing may catch its way out. */
static int caught(lua_State *L, int status, int results_from) {
    if (status != LUA_OK && script_late_passed()) return lua_error(L);
    if (status == LUA_OK) return lua_gettop(L) - results_from + 1;
    lua_pushboolean(L, false);
    lua_insert(L, -2);
    return 2;
}

static int own_pcall(lua_State *L) {
    luaL_checkany(L, 1);
    lua_pushboolean(L, true);
    lua_insert(L, 1);
    return caught(L, lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0), 1);
}

/* f, handler, arguments → handler, true, f, arguments */
static int own_xpcall(lua_State *L) {
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_insert(L, 1);
    lua_remove(L, 3);
    lua_pushboolean(L, true);
    lua_insert(L, 2);
    return caught(L, lua_pcall(L, lua_gettop(L) - 3, LUA_MULTRET, 1), 2);
}

/* Finalizers run where no deadline reaches them, closing methods while errors unwind. */
static int own_setmetatable(lua_State *L) {
    static const char *const refused[] = {"__gc", "__close", "__metatable", "__name", "__mode"};
    luaL_checktype(L, 1, LUA_TTABLE);
    for (size_t i = 0; lua_istable(L, 2) && i < sizeof refused / sizeof *refused; i++) {
        lua_pushstring(L, refused[i]);
        if (lua_rawget(L, 2) != LUA_TNIL)
            return luaL_error(L, "setmetatable: a lesson's metatable may not have %s", refused[i]);
        lua_pop(L, 1);
    }
    return forward(L);
}

/* What Lua prints for tables and functions is where they are in memory. */
static int own_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    int type = lua_type(L, 1);
    if (type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING) {
        luaL_tolstring(L, 1, NULL);
    } else if (!luaL_callmeta(L, 1, "__tostring")) {
        lua_pushstring(L, lua_typename(L, type));
    } else if (!lua_isstring(L, -1)) {
        return luaL_error(L, "'__tostring' must return a string");
    }
    return 1;
}

static const luaL_Reg own_basics[] = {
    {"pcall", own_pcall},       {"xpcall", own_xpcall}, {"setmetatable", own_setmetatable},
    {"tostring", own_tostring}, {NULL, NULL},
};

/* ── strings ─────────────────────────────────────────────────────────────────────────────────────
 * With limits that a lesson never meets by accident. They are there for good messages; what holds
 * when they do not (a pattern can take for ever on forty letters) is the worker's deadline. */
#define MOST_RESULT  (1 << 20)
#define MOST_SUBJECT (64 << 10)
#define MOST_PATTERN 256

static int own_rep(lua_State *L) {
    size_t n, separator = 0;
    luaL_checklstring(L, 1, &n);
    lua_Integer times = luaL_checkinteger(L, 2);
    luaL_optlstring(L, 3, "", &separator);
    if (times > MOST_RESULT || (times > 0 && n + separator > (size_t)(MOST_RESULT / times)))
        return luaL_error(L, "string.rep: the result would be over 1 MiB (or over %d times)",
                          MOST_RESULT);
    return forward(L);
}

static int own_search(lua_State *L) {
    size_t subject, pattern;
    luaL_checklstring(L, 1, &subject);
    luaL_checklstring(L, 2, &pattern);
    if (subject > MOST_SUBJECT) return luaL_error(L, "%s: the text is over 64 KB", own_name(L));
    if (pattern > MOST_PATTERN)
        return luaL_error(L, "%s: the pattern is over %d characters", own_name(L), MOST_PATTERN);
    script_late_note(L);
    return forward(L);
}

/* %p prints addresses, and so does %s of a table. */
static void refuse_addresses(lua_State *L, const char *format) {
    while ((format = strchr(format, '%'))) {
        format += 1 + strspn(format + 1, "-+ #0123456789.");
        if (*format == 'p') luaL_error(L, "string.format: %%p is not available");
        if (*format) format++;
    }
}

static int own_format(lua_State *L) {
    refuse_addresses(L, luaL_checkstring(L, 1));
    for (int i = 2; i <= lua_gettop(L); i++) {
        int type = lua_type(L, i);
        if (type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING)
            continue;
        lua_pushcfunction(L, own_tostring);
        lua_pushvalue(L, i);
        lua_call(L, 1, 1);
        lua_replace(L, i);
    }
    return forward(L);
}

static const luaL_Reg own_strings[] = {
    {"rep", own_rep},     {"find", own_search},   {"match", own_search}, {"gmatch", own_search},
    {"gsub", own_search}, {"format", own_format}, {NULL, NULL},
};

/* ── tables ──────────────────────────────────────────────────────────────────────────────────────
 * Of plain tables only, since with __index or __len the originals loop in C over lengths that are
 * not there; and over a million elements at most. */
#define MOST_ELEMENTS (1 << 20)

static void check_plain(lua_State *L, int index) {
    static const char *const refused[] = {"__index", "__newindex", "__len"};
    luaL_checktype(L, index, LUA_TTABLE);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (luaL_getmetafield(L, index, refused[i]) != LUA_TNIL)
            luaL_error(L, "%s takes plain tables, not one with %s", own_name(L), refused[i]);
    if (lua_rawlen(L, index) > MOST_ELEMENTS)
        luaL_error(L, "%s: the table has over %d elements", own_name(L), MOST_ELEMENTS);
}

static void check_range(lua_State *L, lua_Integer first, lua_Integer last) {
    if (last > first && (lua_Unsigned)last - (lua_Unsigned)first >= MOST_ELEMENTS)
        luaL_error(L, "%s: over %d elements", own_name(L), MOST_ELEMENTS);
}

static int own_plain(lua_State *L) {
    check_plain(L, 1);
    return forward(L);
}

static int own_concat(lua_State *L) {
    check_plain(L, 1);
    check_range(L, luaL_optinteger(L, 3, 1), luaL_optinteger(L, 4, 1));
    return forward(L);
}

static int own_unpack(lua_State *L) {
    check_plain(L, 1);
    check_range(L, luaL_optinteger(L, 2, 1), luaL_optinteger(L, 3, 1));
    return forward(L);
}

static int own_move(lua_State *L) {
    check_plain(L, 1);
    if (!lua_isnoneornil(L, 5)) check_plain(L, 5);
    check_range(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    return forward(L);
}

static const luaL_Reg own_tables[] = {
    {"concat", own_concat}, {"insert", own_plain},  {"move", own_move}, {"remove", own_plain},
    {"sort", own_plain},    {"unpack", own_unpack}, {NULL, NULL},
};

/* ── what stays of each library ────────────────────────────────────────────────────────────────*/
/* a library: what stays of it, and what is put in place of the rest */
struct library {
    /* of its members' names in messages */
    const char *name, *prefix;
    lua_CFunction open;
    const char *const *keep;
    const luaL_Reg *own;
};

static int no_random(lua_State *L) {
    return luaL_error(L,
                      "%s is not here: take random numbers from r, which vary is given: "
                      "r:int(1, 6), r:pick { … }, r:shuffle { … }, r:chance(0.5)",
                      lua_tostring(L, lua_upvalueindex(2)));
}

static const luaL_Reg own_maths[] = {
    {"random", no_random}, {"randomseed", no_random}, {NULL, NULL}};
static const luaL_Reg own_none[] = {{NULL, NULL}};

/* What stays. Not kept of the base library: load, loadfile, dofile, require, collectgarbage, print,
 * warn, rawset, _G; `pairs` has an order of its own, see lua/order.lua, and `next` none. */
static const char *const base_keeps[] = {"assert", "error",  "getmetatable", "ipairs",   "rawequal",
                                         "rawget", "rawlen", "select",       "tonumber", "type",
                                         NULL};
static const char *const string_keeps[] = {"byte",    "char", "len",   "lower",
                                           "reverse", "sub",  "upper", NULL};
static const char *const table_keeps[] = {"pack", NULL};
static const char *const math_keeps[] = {
    "abs",  "acos", "asin", "atan", "ceil",       "cos",  "deg",        "exp",  "floor",
    "fmod", "huge", "log",  "max",  "maxinteger", "min",  "mininteger", "modf", "pi",
    "rad",  "sin",  "sqrt", "tan",  "tointeger",  "type", "ult",        NULL};
static const char *const utf8_keeps[] = {"char", "charpattern", "codepoint", "codes",
                                         "len",  "offset",      NULL};

static const struct library base_shelf = {"_G", "", luaopen_base, base_keeps, own_basics};
static const struct library shelves[] = {
    {"string", "string.", luaopen_string, string_keeps, own_strings},
    {"table", "table.", luaopen_table, table_keeps, own_tables},
    {"math", "math.", luaopen_math, math_keeps, own_maths},
    {"utf8", "utf8.", luaopen_utf8, utf8_keeps, own_none},
};

/* ── read-only stand-ins ───────────────────────────────────────────────────────────────────────*/

static int refuse_change(lua_State *L) {
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
    return luaL_error(L, "this table cannot be changed (%s)", key);
}

void script_library_read_only(lua_State *L) {
    lua_newtable(L); /* the stand-in stays empty: every access goes through its metatable */
    lua_createtable(L, 0, 3);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse_change);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_remove(L, -2);
}

/* ── filling the shelves ───────────────────────────────────────────────────────────────────────*/

/* original, chosen → original, chosen */
static void put_kept(lua_State *L, const struct library *s) {
    for (size_t i = 0; s->keep[i]; i++) {
        lua_getfield(L, -2, s->keep[i]);
        lua_setfield(L, -2, s->keep[i]);
    }
}

static void put_own(lua_State *L, const struct library *s) {
    for (const luaL_Reg *own = s->own; own->name; own++) {
        lua_getfield(L, -2, own->name);
        lua_pushfstring(L, "%s%s", s->prefix, own->name);
        lua_pushcclosure(L, own->func, 2);
        lua_setfield(L, -2, own->name);
    }
}

/* Methods of strings are found in the chosen library, and the metatable they share is out of
 * reach. */
static void lock_strings(lua_State *L) {
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);
}

/* all → all; the base library's members stand in it themselves */
static void put_base(lua_State *L, const struct library *s) {
    luaL_requiref(L, s->name, s->open, 0);
    lua_insert(L, -2);
    put_kept(L, s);
    put_own(L, s);
    lua_remove(L, -2);
}

/* all → all, with the library in it under its name */
static void put_library(lua_State *L, const struct library *s) {
    luaL_requiref(L, s->name, s->open, 0);
    lua_newtable(L);
    put_kept(L, s);
    put_own(L, s);
    lua_remove(L, -2);
    script_library_read_only(L);
    if (s->open == luaopen_string) lock_strings(L);
    lua_setfield(L, -2, s->name);
}

void script_library_open(lua_State *L) {
    lua_newtable(L);
    put_base(L, &base_shelf);
    for (size_t i = 0; i < sizeof shelves / sizeof *shelves; i++) put_library(L, &shelves[i]);
}
