/* sandbox: the Lua state that a lesson runs in, with a capped allocator, chosen libraries, the
 * lesson language and the engine. Everything Lua does happens in one thread of it that is resumed;
 * what comes out is text: a JSON message for the tutor.
 *
 * Ownership: a sandbox lives as long as its worker, which never frees it: closing a Lua state would
 * run what an untrusted lesson left in it. */
#ifndef SCRIPT_SANDBOX_H
#define SCRIPT_SANDBOX_H

#include "base/base.h"
#include "script/wire.h"

#include <lua.h>

#define SANDBOX_MEMORY    (32u << 20)
#define SANDBOX_FUNCTIONS 256 /* of one lesson: its varying steps */
#define SANDBOX_LATE      "this takes too long: does a loop never end?"
#define SANDBOX_TOO_DEEP  "a function calls itself without end (stack overflow)"
#define SANDBOX_TOO_LARGE "this uses more than 32 MiB of memory; make it smaller"

struct trace;
struct sandbox {
    /* the thread that lessons run in */
    lua_State *L;
    /* bytes */
    size_t used, most;
    /* so far */
    size_t allocations;
    /* tests let so many fail, from that number on; 0: none */
    size_t fail_from, fail_count;
    /* may be NULL */
    struct trace *trace;
    /* what messages call the lesson's file */
    char name[64];
    /* the texts of lua/, during a load */
    const json_t *language;
    /* registered: numbers 1 … functions */
    int functions;
    struct {
        /* in the registry; of the lesson's file */
        int reference, line;
    } function[SANDBOX_FUNCTIONS];
    struct {
        char text[512];
        int line;
        /* memory went to calls within calls */
        bool deep;
    } error;
    /* of `message` */
    size_t n;
    char message[WIRE_MOST];
};
struct sandbox *script_sandbox_new(size_t most, struct trace *trace);
/* Makes the Lua state; false when there is no memory for it. */
bool script_sandbox_start(struct sandbox *s);
/* Each leaves its answer, an object with "is", in `message`. */
void script_sandbox_load(struct sandbox *s, const json_t *request);
void script_sandbox_call(struct sandbox *s, const json_t *request);
void script_sandbox_refuse(struct sandbox *s, const char *text);

/* ── for this module's own Lua functions (blame.c) ─────────────────────────────────────────────*/
struct sandbox *script_sandbox_of(lua_State *L);
/* The lesson's line that is running, the nearest on the stack; 0 if none is. Allocates nothing, so
 * that it may be asked anywhere. */
int script_sandbox_line(lua_State *L);
/* Raises an error that blames a line of the lesson (0: the running one). */
_Noreturn void script_sandbox_fail(lua_State *L, int line, const char *format, ...)
    BASE_PRINTF(3, 4);

#endif
