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
#define SANDBOX_DRAWS     64  /* of one call that are noted */
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
    /* where the call that runs draws from, and what it asked for; more than SANDBOX_DRAWS if that
     * is not known */
    const uint64_t *chance;
    lua_Integer draw[SANDBOX_DRAWS];
    size_t draws;
    struct {
        char text[512];
        int line;
        /* memory went to calls within calls */
        bool deep;
    } error;
    /* of `message` */
    size_t n;
    char message[WIRE_MOST];
    /* answers of several calls, until all are there */
    char answers[WIRE_MOST];
};
struct sandbox *script_sandbox_new(size_t most, struct trace *trace);
/* Makes the Lua state; false when there is no memory for it. */
bool script_sandbox_start(struct sandbox *s);
/* Each leaves its answer, an object with "is", in `message`. */
void script_sandbox_load(struct sandbox *s, const json_t *request);
void script_sandbox_call(struct sandbox *s, const json_t *request);
/* Several calls, each with its own answer: {"is":"values","values":[{"is":"value",…} …]}. Fewer
 * than were asked for if no more fit in the message. */
void script_sandbox_calls(struct sandbox *s, const json_t *request);
void script_sandbox_refuse(struct sandbox *s, const char *text);

/* ── for this module's own Lua functions (blame.c) ─────────────────────────────────────────────*/
struct sandbox *script_sandbox_of(lua_State *L);
/* The lesson's line that is running, the nearest on the stack; 0 if none is. Allocates nothing, so
 * that it may be asked anywhere. */
int script_sandbox_line(lua_State *L);
/* Raises an error that blames a line of the lesson (0: the running one). */
_Noreturn void script_sandbox_fail(lua_State *L, int line, const char *format, ...)
    BASE_PRINTF(3, 4);

/* ── the lesson language (language.c) ──────────────────────────────────────────────────────────*/
/* lua/, as the state holds it: its files are sent by the tutor, see each other through import(),
 * and get a few functions that lessons do not. */

/* Pushes what lessons see (a table: the library, the engine, and what lua/language.lua offers) and
 * the function that makes a lesson of what a file returned. */
void script_language_open(lua_State *L, int library);
/* Pushes registered function `fn`; raises an error if there is none. */
void script_language_push_function(lua_State *L, int fn);
/* Pushes draw(n): a whole number from 1 to n, by splitmix64 from `seed`. */
void script_language_push_chance(lua_State *L, uint64_t seed);
/* The line where a registered function stands; 0 if there is none. */
int script_language_function_line(const struct sandbox *s, int fn);

/* ── Lua values as JSON (encode.c) ─────────────────────────────────────────────────────────────*/
/* Written into the sandbox's message.
 *
 * A table whose keys are 1 … n is an array, one whose keys are all names is an object (written in
 * the order of its names, so that the same lesson gives the same text); an empty one is an array
 * unless the language marked it with script_encode_mark_object(). Refused, with the path to it:
 * mixed keys, holes, functions, NaN and infinities, text that is not UTF-8 or holds control
 * characters, more than 32 levels (so also a table that contains itself), more than 64 KB in a
 * text, more than 1 MiB in all. */

/* Appends to the message; false if it would not fit. */
bool script_encode_raw(struct sandbox *s, const char *text);
/* The same, as a JSON string. The text must be UTF-8. */
bool script_encode_string(struct sandbox *s, const char *text, size_t n);
/* {"is":"value","value":…} with the value at the top of the stack; of a call also "draws":[6,2], if
 * it drew two numbers, from 1 to 6 and from 1 to 2. If it cannot be written, raises
 * an error about `what` that blames `line`, or the nearest table with a "line" of its own. */
void script_encode_answer(lua_State *L, const char *is, const char *what, int line);
/* Lua function: marks its table as an object even when it is empty, and returns it. */
int script_encode_mark_object(lua_State *L);

#endif
