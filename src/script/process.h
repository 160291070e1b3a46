/* process: a lesson's worker as a process. A fork of the tutor that keeps nothing of it but its
 * memory: one socket on descriptor 3, /dev/null on 0 to 2, default signals, limits, and (unless
 * unlocked) the filter of guard.h.
 *
 * Ownership: script_process_start() starts what script_process_end() must end; no zombie,
 * descriptor or mapping stays behind. */
#ifndef SCRIPT_PROCESS_H
#define SCRIPT_PROCESS_H

#include "base/base.h"
#include <stdatomic.h>

#define PROCESS_FD 3

/* A page that both sides see. The worker may write anything there; the tutor reads no more of it
 * than a number for a message, and whether to be patient a little longer. */
struct trace {
    /* of the lesson's file, where it was when it ran late; 0 if unknown */
    atomic_int line;
    /* it works on the request, so that what passes now is the lesson's own time */
    atomic_bool began;
    /* it ended before the lesson's first line: the filter was not taken */
    atomic_bool unguarded;
};
struct process {
    /* 0: none runs */
    int pid;
    /* the tutor's end of the socket */
    int fd;
    struct trace *trace;
};
/* What the worker does with its end of the socket; the process ends when it returns. */
typedef void process_main(int fd, struct trace *trace);
/* One request, one answer, until the tutor is gone. worker.c */
process_main script_worker_main;

bool script_process_start(struct process *p, process_main *run, bool unlocked,
                          struct base_message *m);
/* Whether it still lives (it is not waited for if not). */
bool script_process_alive(const struct process *p);
/* Milliseconds of a processor that it has used; the clock's own where the system does not tell. */
int64_t script_process_ticks(const struct process *p);
/* Whether it waits for a processor, and not for anything else. */
bool script_process_starves(const struct process *p);
/* Kills it, waits for it, and returns how it ended as waitpid() does; `p` is {0} again. */
int script_process_end(struct process *p);
/* For when it has answered and has nothing to do: it stands still until script_process_resume(),
 * and can use neither time nor memory. One that would go on computing is found out by the next
 * request, which it does not answer in time. */
void script_process_rest(const struct process *p);
void script_process_resume(const struct process *p);

#endif
