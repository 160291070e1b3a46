/* guard: what the operating system keeps from a lesson's worker. All that exists on Linux alone is
 * in guard.c. On other systems the functions do what POSIX can, and script_guard_without() says
 * what is missing. */
#ifndef SCRIPT_GUARD_H
#define SCRIPT_GUARD_H

#include <stdbool.h>

#if defined(__SANITIZE_ADDRESS__)
#define GUARD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GUARD_SANITIZED 1
#endif
#endif
#ifndef GUARD_SANITIZED
#define GUARD_SANITIZED 0
#endif

/* Closes every descriptor from `first` up. */
void script_guard_close_from(int first);
/* The process dies with its parent `parent` (asked for after a fork; false if the parent is gone
 * already). */
bool script_guard_die_with(int parent);
/* No core file, no file written, no new process, no new descriptor over 3, a bounded address space
 * and processor time. */
void script_guard_limit(void);
/* From here on only the system calls of a small list; any other kills the process with SIGSYS. */
enum guard_lock {
    GUARD_LOCKED,
    /* there is no such filter here: script_guard_without() says why */
    GUARD_OPEN,
    /* there is one, and the kernel does not take it: what is not trusted must not run */
    GUARD_FAILED
};
enum guard_lock script_guard_lock(void);
/* What guards a worker here instead of the filter, and why; NULL if there is a filter for this
 * system. */
const char *script_guard_without(void);
/* Makes a system call that is in no list. Returns where nothing stops it. */
void script_guard_try(void);
/* Stops a process that has nothing to do, and lets it go on. Does nothing on a system where a
 * stopped process would outlive its parent. */
void script_guard_pause(int pid);
void script_guard_resume(int pid);

#endif
