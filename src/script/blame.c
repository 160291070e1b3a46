/* blame: which line of the lesson is running, and errors that blame it. All of this module's Lua
 * functions need that, so it stands below them. */
#include "script/sandbox.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define NEAREST 64 /* calls looked through for a line of the lesson */

struct sandbox *script_sandbox_of(lua_State *L) {
    return *(struct sandbox **)lua_getextraspace(L);
}

int script_sandbox_line(lua_State *L) {
    const struct sandbox *s = script_sandbox_of(L);
    lua_Debug call;
    for (int level = 0; level < NEAREST && lua_getstack(L, level, &call); level++) {
        lua_getinfo(L, "Sl", &call);
        if (call.source[0] == '@' && strcmp(call.source + 1, s->name) == 0 && call.currentline > 0)
            return call.currentline;
    }
    return 0;
}

_Noreturn void script_sandbox_fail(lua_State *L, int line, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (line <= 0) line = script_sandbox_line(L);
    lua_pushfstring(L, "%s:%d: %s", script_sandbox_of(L)->name, line, text);
    lua_error(L);
    abort(); /* not reached */
}
