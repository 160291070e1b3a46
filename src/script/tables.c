/* Our own members of Lua's table library: of plain tables only, since with __index or __len the originals loop in C over
 * lengths that are not there; and over a million elements at most. */
#include "script/library.h"

#define MOST_ELEMENTS (1 << 20)

static const char *own_name(lua_State *L) {
    return lua_tostring(L, lua_upvalueindex(2));
}

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
    return script_library_forward(L);
}

static int own_concat(lua_State *L) {
    check_plain(L, 1);
    check_range(L, luaL_optinteger(L, 3, 1), luaL_optinteger(L, 4, 1));
    return script_library_forward(L);
}

static int own_unpack(lua_State *L) {
    check_plain(L, 1);
    check_range(L, luaL_optinteger(L, 2, 1), luaL_optinteger(L, 3, 1));
    return script_library_forward(L);
}

static int own_move(lua_State *L) {
    check_plain(L, 1);
    if (!lua_isnoneornil(L, 5)) check_plain(L, 5);
    check_range(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    return script_library_forward(L);
}

const luaL_Reg script_library_tables[] = {
    {"concat", own_concat},
    {"insert", own_plain },
    {"move",   own_move  },
    {"remove", own_plain },
    {"sort",   own_plain },
    {"unpack", own_unpack},
    {NULL,     NULL      },
};
