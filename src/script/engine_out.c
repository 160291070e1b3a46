#include "script/engine_out.h"

#include <math.h>

void script_engine_push(lua_State *L, double v) {
    if (v == floor(v) && fabs(v) < 9007199254740992.0)
        lua_pushinteger(L, (lua_Integer)v);
    else
        lua_pushnumber(L, v);
}

void script_engine_set(lua_State *L, const char *name, double value) {
    script_engine_push(L, value);
    lua_setfield(L, -2, name);
}

void script_engine_set_count(lua_State *L, const char *name, uint64_t value) {
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, name);
}

void script_engine_set_text(lua_State *L, const char *name, const char *text) {
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

void script_engine_set_flag(lua_State *L, const char *name, bool value) {
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

void script_engine_push_ledger(lua_State *L, const struct account_ledger *l) {
    lua_createtable(L, 0, ACCOUNT_CATEGORIES + 2);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        script_engine_set_count(L, account_category_name((enum account_category)c), l->bytes[c]);
    script_engine_set_count(L, "total", l->total);
    script_engine_set_count(L, "padding", l->padding);
}
