#include "script/sandbox.h"

#include "script/drawn.h"
#include "script/engine.h"
#include "script/library.h"

#include <lauxlib.h>
#include <string.h>

/* ── what the language's files get besides the library ─────────────────────────────────────────*/

/* line(): the line of the lesson that is running */
static int line(lua_State *L) {
    lua_pushinteger(L, script_sandbox_line(L));
    return 1;
}

/* fail(text [, line]): blames a line of the lesson, the running one if none is given */
static int fail(lua_State *L) {
    script_sandbox_fail(L, (int)luaL_optinteger(L, 2, 0), "%s", luaL_checkstring(L, 1));
}

/* register(f, line): keeps a function for the tutor to call; returns its number */
static int keep_function(lua_State *L) {
    struct sandbox *s = script_sandbox_of(L);
    luaL_checktype(L, 1, LUA_TFUNCTION);
    int at = (int)luaL_checkinteger(L, 2);
    if (s->functions == SANDBOX_FUNCTIONS)
        script_sandbox_fail(L, at, "a lesson has at most %d varying steps", SANDBOX_FUNCTIONS);
    lua_settop(L, 1);
    s->function[s->functions].reference = luaL_ref(L, LUA_REGISTRYINDEX);
    s->function[s->functions].line = at;
    lua_pushinteger(L, ++s->functions);
    return 1;
}

/* seal(t): a stand-in that cannot be changed */
static int seal(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    script_library_read_only(L);
    return 1;
}

/* next(t, key): lessons have only pairs(), which has an order */
static int next(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    return lua_next(L, 1) ? 2 : 0;
}

/* expression(text, names): a function that gives the value of a Lua expression which sees `names`
 * and nothing else; nil and Lua's message if it is none. In parentheses it cannot be a list, and
 * after `return` no statement can follow. */
static int expression(lua_State *L) {
    size_t n;
    luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_pushliteral(L, "return (");
    lua_pushvalue(L, 1);
    lua_pushliteral(L, "\n)");
    lua_concat(L, 3);
    const char *chunk = lua_tolstring(L, -1, &n);
    int status = luaL_loadbufferx(L, chunk, n, "=text", "t");
    if (status == LUA_ERRMEM) return lua_error(L);
    if (status != LUA_OK) {
        lua_pushnil(L);
        lua_insert(L, -2);
        return 2;
    }
    lua_pushvalue(L, 2);
    lua_setupvalue(L, -2, 1);
    return 1;
}

static const json_t *language_file(const struct sandbox *s, const char *name) {
    size_t i;
    json_t *file;
    json_array_foreach(s->language, i, file) {
        if (strcmp(base_json_text(file, "name", ""), name) == 0)
            return json_object_get(file, "text");
    }
    return NULL;
}

/* import(name): what lua/<name>.lua returns; each file is run once. Upvalues: its globals, the
 * files run already. */
static int import(lua_State *L) {
    const char *name = luaL_checkstring(L, 1);
    if (lua_getfield(L, lua_upvalueindex(2), name) != LUA_TNIL) return 1;
    const json_t *text = language_file(script_sandbox_of(L), name);
    if (!text)
        return luaL_error(L, "lua/%s.lua is missing; the tutor's files are incomplete", name);
    const char *chunk = lua_pushfstring(L, "@lua/%s.lua", name);
    if (luaL_loadbufferx(L, json_string_value(text), json_string_length(text), chunk, "t") !=
        LUA_OK)
        return lua_error(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, lua_upvalueindex(2), name);
    return 1;
}

static const luaL_Reg host[] = {
    {"line", line},
    {"fail", fail},
    {"register", keep_function},
    {"object", script_encode_mark_object},
    {"seal", seal},
    {"next", next},
    {"expression", expression},
    {NULL, NULL},
};

/* ── opening ───────────────────────────────────────────────────────────────────────────────────*/

static void copy_into(lua_State *L, int from, int to) {
    for (lua_pushnil(L); lua_next(L, from);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_settable(L, to);
    }
}

/* Pushes the globals of the language's files, with import() among them. They are read-only: a file
 * keeps its own in locals. */
static void push_host(lua_State *L, int library) {
    lua_newtable(L);
    int globals = lua_gettop(L);
    copy_into(L, library, globals);
    luaL_setfuncs(L, host, 0);
    script_engine_open(L);
    lua_setfield(L, globals, "engine");
    lua_pushvalue(L, globals);
    script_library_read_only(L);
    lua_newtable(L);
    lua_pushcclosure(L, import, 2);
    lua_setfield(L, globals, "import");
}

void script_language_open(lua_State *L, int library) {
    push_host(L, library);
    int globals = lua_gettop(L);
    lua_getfield(L, globals, "import");
    lua_pushliteral(L, "language");
    lua_call(L, 1, 1);
    luaL_checktype(L, -1, LUA_TTABLE);
    int language = lua_gettop(L);
    lua_newtable(L);
    int visible = lua_gettop(L);
    copy_into(L, library, visible);
    lua_getfield(L, language, "names");
    copy_into(L, lua_gettop(L), visible);
    lua_settop(L, visible);
    lua_getfield(L, language, "finish");
}

/* ── calls ─────────────────────────────────────────────────────────────────────────────────────*/

int script_language_function_line(const struct sandbox *s, int fn) {
    return fn >= 1 && fn <= s->functions ? s->function[fn - 1].line : 0;
}

void script_language_push_function(lua_State *L, int fn) {
    const struct sandbox *s = script_sandbox_of(L);
    if (fn < 1 || fn > s->functions) luaL_error(L, "the lesson has no function number %d", fn);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->function[fn - 1].reference);
}

/* Notes what is asked for, unless it is by a source that an earlier call was given. */
static void note(struct sandbox *s, const uint64_t *state, lua_Integer n) {
    if (s->draws < SANDBOX_DRAWS && state == s->chance)
        s->draw[s->draws++] = n;
    else
        s->draws = SANDBOX_DRAWS + 1;
}

static int draw(lua_State *L) {
    uint64_t *state = lua_touserdata(L, lua_upvalueindex(1));
    lua_Integer n = luaL_checkinteger(L, 1);
    luaL_argcheck(L, n >= 1, 1, "must be at least 1");
    note(script_sandbox_of(L), state, n);
    lua_pushinteger(L, (lua_Integer)script_draw(state, (uint64_t)n));
    return 1;
}

void script_language_push_chance(lua_State *L, uint64_t seed) {
    struct sandbox *s = script_sandbox_of(L);
    uint64_t *state = lua_newuserdatauv(L, sizeof *state, 0);
    *state = seed;
    s->chance = state;
    s->draws = 0;
    lua_pushcclosure(L, draw, 1);
}
