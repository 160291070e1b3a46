/* engine: the accounting engine as lessons call it, `engine.ledger { params = 7e9 }`. Errors of the
 * engine blame the lesson's line. */
#ifndef SCRIPT_ENGINE_H
#define SCRIPT_ENGINE_H

#include <lua.h>

/* Pushes the table `engine`, read-only. */
void script_engine_open(lua_State *L);

#endif
