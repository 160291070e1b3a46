/* The soft deadline. Its signal may come between any two instructions, also while Lua changes its
 * own stack: so the handler may look at nothing, and what it has to tell is told by the hook. */
#include "script/late.h"

#include "script/process.h"
#include "script/sandbox.h"

#include <lauxlib.h>
#include <lualib.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct sandbox **place_of(lua_State *L) {
    return lua_getextraspace(L);
}

/* While the signal is handled the state cannot be asked whose it is: whoever walks its stack for a
 * line of the lesson falls. */
static int deadline(lua_State *L) {
    struct sandbox *s = *place_of(L);
    *place_of(L) = NULL;
    raise(SIGALRM);
    *place_of(L) = s;
    return 0;
}

static const char lesson[] = "local n = 0\n"
                             "local function spend() return (deadline()) end\n"
                             "local caught = function() while true do pcall(spend) end end\n"
                             "caught()\n";

static void the_hook_tells_the_line(void **state) {
    struct trace trace = {0};
    struct sandbox *s = base_alloc(sizeof *s);
    lua_State *L = luaL_newstate();
    (void)state;
    assert_non_null(L);
    snprintf(s->name, sizeof s->name, "late.lua");
    *place_of(L) = s;
    luaL_requiref(L, "_G", luaopen_base, 1);
    lua_register(L, "deadline", deadline);
    assert_int_equal(luaL_loadbuffer(L, lesson, sizeof lesson - 1, "@late.lua"), LUA_OK);
    script_late_take_signal(&trace);
    script_late_begin(L);
    assert_int_equal(lua_pcall(L, 0, 0, 0), LUA_ERRRUN);
    assert_true(script_late_passed());
    assert_int_equal(trace.line, 2);
    assert_non_null(strstr(lua_tostring(L, -1), "late.lua:"));
    assert_non_null(strstr(lua_tostring(L, -1), SANDBOX_LATE));
    script_late_begin(NULL);
    signal(SIGALRM, SIG_DFL);
    lua_close(L);
    free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hook_tells_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
