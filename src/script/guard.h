/* guard: what the operating system keeps from a lesson's worker. All that is Linux's own is in guard.c; elsewhere
 * the functions do what POSIX can, and guard_note() says what is missing. */
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
void guard_close_from(int first);
/* The process dies with its parent `parent` (asked for after a fork; false if the parent is gone already). */
bool guard_die_with(int parent);
/* No core file, no file written, no new process, no new descriptor over 3, a bounded address space and processor time. */
void guard_limit(void);
/* From here on only the system calls of a small list; any other kills the process with SIGSYS. False where there is no such filter. */
bool guard_lock(void);
/* What guards workers on this machine, in words. */
const char *guard_note(void);

#endif
