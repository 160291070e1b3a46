/* engine: the accounting engine as lessons call it, `engine.ledger { params = 7e9 }`, and what its
 * files share. Errors of the engine blame the lesson's line.
 *
 * Lua tables are read as the engine's structs: { params = 7e9, gpus = 8 } as a training. Numbers
 * and texts are both taken, as text the engine reads; whatever it refuses is raised as an error of
 * the lesson's line, after `who` ("engine.ledger"). */
#ifndef SCRIPT_ENGINE_H
#define SCRIPT_ENGINE_H

#include "account/account.h"

#include <lauxlib.h>
#include <lua.h>

/* Pushes the table `engine`, read-only. */
void script_engine_open(lua_State *L);

/* ── Lua tables as the engine's structs (fields.c) ─────────────────────────────────────────────*/
/* A training as far as the table says it, and one that is whole (account_check()). */
struct account_training script_fields_of(lua_State *L, int index, const char *who);
struct account_training script_fields_training(lua_State *L, int index, const char *who);
struct account_problem script_fields_problem(lua_State *L, int index, const char *who);
/* What the planner is asked: a training's fields, those given pinned, and global_batch,
 * host_memory, nvme_space. */
struct account_question script_fields_question(lua_State *L, int index, const char *who);
/* 80e9 or "80GB" */
double script_fields_bytes(lua_State *L, int index, const char *who);
enum account_unit script_fields_unit(lua_State *L, int index, const char *who);
/* Raises the engine's error. */
_Noreturn void script_fields_blame(lua_State *L, const char *who, const struct account_error *e);

/* ── the engine's results as Lua values: each sets a member of the table at the top ────────────*/
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
