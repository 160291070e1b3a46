#include "script/late.h"

#include "script/process.h"
#include "script/sandbox.h"

#include <signal.h>

static lua_State *volatile running;
static volatile sig_atomic_t passed;
static struct trace *volatile noted;

/* Runs between two instructions, and is the first to know the line: there the stack is whole. */
static void raise_late(lua_State *L, lua_Debug *ar) {
    (void)ar;
    if (passed == 1 && noted) noted->line = script_sandbox_line(L);
    passed = 2;
    script_sandbox_fail(L, 0, "%s", SANDBOX_LATE);
}

/* Runs anywhere, also while Lua changes its stack: lua_sethook() is the one function of Lua's that
 * may be called here. */
static void on_signal(int signal) {
    (void)signal;
    lua_State *L = running;
    if (!L || passed) return;
    passed = 1;
    lua_sethook(L, raise_late, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

void script_late_take_signal(struct trace *trace) {
    noted = trace;
    struct sigaction take = {.sa_handler = on_signal};
    sigaction(SIGALRM, &take, NULL);
}

void script_late_begin(lua_State *L) {
    running = NULL;
    passed = 0;
    if (L) lua_sethook(L, NULL, 0, 0);
    running = L;
    if (L && noted) noted->began = true;
}

void script_late_note(lua_State *L) {
    if (noted && !passed) noted->line = script_sandbox_line(L);
}

bool script_late_told(void) {
    return passed == 2;
}

bool script_late_passed(void) {
    return passed != 0;
}
