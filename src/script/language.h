/* language: the lesson language, lua/, as the state holds it: its files are sent by the tutor, see
 * each other through import(), and get a few functions that lessons do not. */
#ifndef SCRIPT_LANGUAGE_H
#define SCRIPT_LANGUAGE_H

#include "script/sandbox.h"

/* Pushes what lessons see (a table: the library, the engine, and what lua/language.lua offers) and
 * the function that makes a lesson of what a file returned. */
void script_language_open(lua_State *L, int library);
/* Pushes registered function `fn`; raises an error if there is none. */
void script_language_push_function(lua_State *L, int fn);
/* Pushes draw(n): a whole number from 1 to n, by splitmix64 from `seed`. */
void script_language_push_chance(lua_State *L, uint64_t seed);
/* The line where a registered function stands; 0 if there is none. */
int script_language_function_line(const struct sandbox *s, int fn);

#endif
