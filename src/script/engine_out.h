/* engine_out: the engine's results as Lua values. Each sets a member of the table at the top. */
#ifndef SCRIPT_ENGINE_OUT_H
#define SCRIPT_ENGINE_OUT_H

#include "account/account.h"

#include <lauxlib.h>
#include <lua.h>

/* Whole values are pushed as integers: "112000000000" reads better than "1.12e+11". */
void script_engine_push(lua_State *L, double value);
void script_engine_set(lua_State *L, const char *name, double value);
void script_engine_set_count(lua_State *L, const char *name, uint64_t value);
void script_engine_set_text(lua_State *L, const char *name, const char *text);
void script_engine_set_flag(lua_State *L, const char *name, bool value);
/* { params = bytes, …, total = bytes, padding = bytes }, pushed. */
void script_engine_push_ledger(lua_State *L, const struct account_ledger *l);

/* What lessons call, by subject: engine.c puts them into one table. */
extern const luaL_Reg script_engine_step[], script_engine_wires[], script_engine_catalogue[],
    script_engine_text[], script_engine_plans[];

#endif
