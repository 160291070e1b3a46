/* library: what of Lua's standard library a lesson may use. A list of what stays, and our own in
 * place of what could hang, leak an address, or change what others rely on. */
#ifndef SCRIPT_LIBRARY_H
#define SCRIPT_LIBRARY_H

#include <lua.h>
#include <lauxlib.h>

/* Pushes a table: "pairs", "string", … as lessons see them. */
void script_library_open(lua_State *L);
/* Replaces the table at the top by a stand-in through which it can be read and not changed; walked,
 * the stand-in is empty. */
void script_library_read_only(lua_State *L);

#endif
