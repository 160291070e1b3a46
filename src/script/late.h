/* late: the soft deadline. The tutor sends SIGALRM; the handler sets a hook, which notes the line
 * and raises at every instruction from then on, so that a lesson cannot catch its way out. The one
 * file of this module with state of its own, because a signal handler has no other way to find
 * it. */
#ifndef SCRIPT_LATE_H
#define SCRIPT_LATE_H

#include <lua.h>
#include <stdbool.h>

struct trace;
/* Takes SIGALRM; lines are written to `trace`. */
void script_late_take_signal(struct trace *trace);
/* Work on `L` begins, and its time with it; NULL: it ended. */
void script_late_begin(lua_State *L);
/* Notes the line that runs, before work that no hook can interrupt: who is ended in the middle of
 * it is told that one. */
void script_late_note(lua_State *L);
/* Whether the deadline passed since script_late_begin(); and whether the hook has noted where. */
bool script_late_passed(void);
bool script_late_told(void);

#endif
