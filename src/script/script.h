/* script: lessons written in Lua, run in a forked worker that has the Lua state, the lesson
 * language (lua/), the engine, and nothing else. Fills lesson's `source`. No Lua type leaves this
 * module.
 *
 * Ownership: a script is freed by script_close(), which kills its worker and waits for it. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "base/base.h"
#include "lesson/lesson.h"

struct script;
/* Limits (milliseconds): after `soft` the worker raises an error with file and line, after `hard`
 * it is killed. 0 means 150 and 300. */
struct script_limits {
    int soft_ms, hard_ms;
    /* no seccomp filter: for sanitizer builds and debuggers */
    bool unlocked;
};
/* Reads the file (at most 256 KiB) and the language under share/lua, starts a worker, and loads the
 * lesson. The message names file and line. Returns NULL if the lesson cannot be loaded. */
struct script *script_open(const char *path, const struct script_limits *limits,
                           struct base_message *m);
/* The same, of text that is in memory; `name` is what messages call it. */
struct script *script_open_text(const char *name, const char *text, size_t n,
                                const struct script_limits *limits, struct base_message *m);
/* The same for a file whose lesson is known (script_stamp() says whether it still is), without
 * running it: a worker starts with the first call. Takes a reference of `lesson`. */
struct script *script_open_known(const char *path, json_t *lesson, struct base_message *m);
/* Whether a call would find its worker; and starts one that is not there, so that it will. */
bool script_ready(const struct script *s);
void script_make_ready(struct script *s);
/* A number for all that running the file depends on, as the files are now: the file, the language
 * under share/lua, and this program, which has the engine. 0 if one of them cannot be looked at. */
uint64_t script_stamp(const char *path);
void script_close(struct script *s);
/* What the lesson returned; borrowed, lives as long as the script. */
const json_t *script_lesson(const struct script *s);
/* Passes calls to the worker. If the worker died, was killed, or `restart` was called, the next
 * call starts a new one. */
struct lesson_source script_source(struct script *s);
/* Calls several of the lesson's functions in one exchange with the worker, except those that would
 * draw the same numbers as one before (drawn.h). values[i] is a reference for the caller, to what
 * other calls may share, so it must not be changed; NULL if that call failed. Stops at the first
 * that is not answered; returns how many were. Meant for dozens: all of them together have the time
 * of one call. */
struct script_call {
    /* {"fn":N} in the lesson */
    int fn;
    uint64_t seed;
};
size_t script_calls(struct script *s, const struct script_call *call, size_t n, json_t **values);
/* What confines workers on this machine: "seccomp filter, rlimits", or what is missing. Starts a
 * worker that tries to escape. For doctor. */
const char *script_guards(void);

/* Watches a file for edits. Its descriptor becomes readable when the file was changed (by inotify;
 * -1 if the system has none). */
struct script_watch;
struct script_watch *script_watch_open(const char *path);
void script_watch_close(struct script_watch *w);
int script_watch_fd(const struct script_watch *w);
/* Whether the file's content changed since it was last asked. Drains the descriptor. */
bool script_watch_changed(struct script_watch *w);

#endif
