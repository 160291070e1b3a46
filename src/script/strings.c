/* Our own members of Lua's string library: with limits that a lesson never meets by accident. They are there for good
 * messages; what holds when they do not (a pattern can take for ever on forty letters) is the worker's deadline. */
#include "script/late.h"
#include "script/library.h"

#include <string.h>

#define MOST_RESULT  (1 << 20)
#define MOST_SUBJECT (64 << 10)
#define MOST_PATTERN 256

static const char *own_name(lua_State *L) {
    return lua_tostring(L, lua_upvalueindex(2));
}

static int own_rep(lua_State *L) {
    size_t n, separator = 0;
    luaL_checklstring(L, 1, &n);
    lua_Integer times = luaL_checkinteger(L, 2);
    luaL_optlstring(L, 3, "", &separator);
    if (times > MOST_RESULT || (times > 0 && n + separator > (size_t)(MOST_RESULT / times)))
        return luaL_error(L, "string.rep: the result would be over 1 MiB (or over %d times)",
                          MOST_RESULT);
    return script_library_forward(L);
}

static int own_search(lua_State *L) {
    size_t subject, pattern;
    luaL_checklstring(L, 1, &subject);
    luaL_checklstring(L, 2, &pattern);
    if (subject > MOST_SUBJECT) return luaL_error(L, "%s: the text is over 64 KB", own_name(L));
    if (pattern > MOST_PATTERN)
        return luaL_error(L, "%s: the pattern is over %d characters", own_name(L), MOST_PATTERN);
    script_late_note(L);
    return script_library_forward(L);
}

/* %p prints addresses, and so does %s of a table. */
static void refuse_addresses(lua_State *L, const char *format) {
    while ((format = strchr(format, '%'))) {
        format += 1 + strspn(format + 1, "-+ #0123456789.");
        if (*format == 'p') luaL_error(L, "string.format: there is no %%p here");
        if (*format) format++;
    }
}

static int own_format(lua_State *L) {
    refuse_addresses(L, luaL_checkstring(L, 1));
    for (int i = 2; i <= lua_gettop(L); i++) {
        int type = lua_type(L, i);
        if (type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING)
            continue;
        lua_pushcfunction(L, script_library_tostring);
        lua_pushvalue(L, i);
        lua_call(L, 1, 1);
        lua_replace(L, i);
    }
    return script_library_forward(L);
}

const luaL_Reg script_library_strings[] = {
    {"rep",    own_rep   },
    {"find",   own_search},
    {"match",  own_search},
    {"gmatch", own_search},
    {"gsub",   own_search},
    {"format", own_format},
    {NULL,     NULL      },
};
