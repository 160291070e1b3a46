#include "script/library.h"

#include <lualib.h>
#include <stdbool.h>

struct shelf { /* a library: what stays of it, and what is put in place of the rest */
    const char *name, *prefix; /* of its members' names in messages */
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
    {"random",     no_random},
    {"randomseed", no_random},
    {NULL,         NULL     }
};
static const luaL_Reg own_none[] = {
    {NULL, NULL}
};

/* What stays. Not kept of the base library: load, loadfile, dofile, require, collectgarbage, print, warn, rawset, _G; `pairs` has
 * an order of its own, see lua/order.lua, and `next` none. */
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

static const struct shelf base_shelf = {"_G", "", luaopen_base, base_keeps, script_library_basics};
static const struct shelf shelves[] = {
    {"string", "string.", luaopen_string, string_keeps, script_library_strings},
    {"table",  "table.",  luaopen_table,  table_keeps,  script_library_tables },
    {"math",   "math.",   luaopen_math,   math_keeps,   own_maths             },
    {"utf8",   "utf8.",   luaopen_utf8,   utf8_keeps,   own_none              },
};

int script_library_forward(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* ── read-only stand-ins ─────────────────────────────────────────────────────────────────────────*/

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

/* ── filling the shelves ─────────────────────────────────────────────────────────────────────────*/

/* original, chosen → original, chosen */
static void put_kept(lua_State *L, const struct shelf *s) {
    for (size_t i = 0; s->keep[i]; i++) {
        lua_getfield(L, -2, s->keep[i]);
        lua_setfield(L, -2, s->keep[i]);
    }
}

static void put_own(lua_State *L, const struct shelf *s) {
    for (const luaL_Reg *own = s->own; own->name; own++) {
        lua_getfield(L, -2, own->name);
        lua_pushfstring(L, "%s%s", s->prefix, own->name);
        lua_pushcclosure(L, own->func, 2);
        lua_setfield(L, -2, own->name);
    }
}

/* Methods of strings are found in the chosen library, and the metatable they share is out of reach. */
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
static void put_base(lua_State *L, const struct shelf *s) {
    luaL_requiref(L, s->name, s->open, 0);
    lua_insert(L, -2);
    put_kept(L, s);
    put_own(L, s);
    lua_remove(L, -2);
}

/* all → all, with the library in it under its name */
static void put_library(lua_State *L, const struct shelf *s) {
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
