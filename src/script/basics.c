/* Our own members of Lua's base library. */
#include "script/late.h"
#include "script/library.h"

#include <string.h>

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
    return script_library_forward(L);
}

/* What Lua prints for tables and functions is where they are in memory. */
int script_library_tostring(lua_State *L) {
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

const luaL_Reg script_library_basics[] = {
    {"pcall",        own_pcall              },
    {"xpcall",       own_xpcall             },
    {"setmetatable", own_setmetatable       },
    {"tostring",     script_library_tostring},
    {NULL,           NULL                   },
};
