/* Finds the rank that stands still. A rank lives if it says so (progress()), uses processor time,
 * is about to run, or is held by an emulated link; one that only computes for long is no case for
 * it. A rank that waits for others is no suspect, unless all wait. */
#ifndef LAB_WATCHDOG_H
#define LAB_WATCHDOG_H

#include "lab/cpu/control.h"

#include <sys/types.h>

struct lab_watchdog {
    /* seconds of standing still after which a rank is said to hang */
    double stall;
    int64_t looked;
    struct {
        uint32_t beats;
        uint64_t cpu;
        double idle;
        bool stopped;
    } seen[LAB_RANKS_MAX];
};
enum { LAB_NOBODY_HANGS = -2, LAB_ALL_HANG = -1 };
/* Looks once; to be called a few times a second. pid[r] is 0 for a rank that has ended. Where the
 * launcher does not hear (`heard` false), ranks stand still because their pipes are full: only one
 * that was stopped is to blame. The rank that hangs, and in `why` how. */
int lab_watchdog_look(struct lab_watchdog *w, struct lab_control *c, const pid_t *pid, bool heard,
                      char *why, size_t capacity);

#endif
