/* fields: Lua tables read as the engine's structs: { params = 7e9, gpus = 8 } as a training.
 * Numbers and texts are both taken, as text the engine reads; whatever it refuses is raised as an
 * error of the lesson's line, after `who` ("engine.ledger"). */
#ifndef SCRIPT_FIELDS_H
#define SCRIPT_FIELDS_H

#include "account/account.h"

#include <lua.h>

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

#endif
