/* encode: Lua values as JSON, written into the sandbox's message.
 *
 * A table whose keys are 1 … n is an array, one whose keys are all names is an object (written in
 * the order of its names, so that the same lesson gives the same text); an empty one is an array
 * unless the language marked it with script_encode_mark_object(). Refused, with the path to it:
 * mixed keys, holes, functions, NaN and infinities, text that is not UTF-8 or holds control
 * characters, more than 32 levels (so also a table that contains itself), more than 64 KB in a
 * text, more than 1 MiB in all. */
#ifndef SCRIPT_ENCODE_H
#define SCRIPT_ENCODE_H

#include "script/sandbox.h"

/* Appends to the message; false if it would not fit. */
bool script_encode_raw(struct sandbox *s, const char *text);
/* The same, as a JSON string. The text must be UTF-8. */
bool script_encode_string(struct sandbox *s, const char *text, size_t n);
/* {"is":"value","value":…} with the value at the top of the stack. If it cannot be written, raises
 * an error about `what` that blames `line`, or the nearest table with a "line" of its own. */
void script_encode_answer(lua_State *L, const char *is, const char *what, int line);
/* Lua function: marks its table as an object even when it is empty, and returns it. */
int script_encode_mark_object(lua_State *L);

#endif
