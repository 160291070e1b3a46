#include "script/late.h"

#include "script/process.h"
#include "script/sandbox.h"

#include <lauxlib.h>
#include <signal.h>

static lua_State *volatile running;
static volatile sig_atomic_t passed;
static struct trace *volatile noted;

/* The first time it knows the line better than the handler, which runs in the middle of an instruction. */
static void raise_late(lua_State *L, lua_Debug *ar) {
    (void)ar;
    if (passed == 1 && noted) noted->line = sandbox_line(L);
    passed = 2;
    luaL_error(L, "%s", SANDBOX_LATE);
}

static void on_signal(int signal) {
    (void)signal;
    lua_State *L = running;
    if (!L || passed) return;
    passed = 1;
    if (noted) noted->line = sandbox_line(L);
    lua_sethook(L, raise_late, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

void late_take_signal(struct trace *trace) {
    noted = trace;
    struct sigaction take = {.sa_handler = on_signal};
    sigaction(SIGALRM, &take, NULL);
}

void late_begin(lua_State *L) {
    running = NULL;
    passed = 0;
    if (L) lua_sethook(L, NULL, 0, 0);
    running = L;
    if (L && noted) noted->began = true;
}

bool late_passed(void) {
    return passed != 0;
}
