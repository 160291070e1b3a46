#include "lab/watchdog.h"

#include <stdio.h>
#include <string.h>

/* Time that the launcher itself did not run (a suspended machine) is not held against ranks. */
static const double longest_tick = 0.5;

struct sample {
    /* As in /proc: R runs or could, D waits for a disk, T is stopped; ' ' where that is not
     * known. */
    char state;
    uint64_t cpu;
};
static struct sample sample_of(pid_t pid) {
    struct sample s = {.state = ' '};
    char path[40], text[600] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *f = fopen(path, "re");
    if (!f) return s;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    unsigned long long user = 0, kernel = 0;
    const char *after_name = strrchr(text, ')');
    if (after_name && sscanf(after_name, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
                             &s.state, &user, &kernel) == 3)
        s.cpu = user + kernel;
    return s;
}

static void look_at(struct lab_watchdog *w, struct lab_control *c, uint32_t r, pid_t pid,
                    double tick, bool heard) {
    struct sample s = sample_of(pid);
    uint32_t beats = atomic_load(&c->slot[r].beats);
    bool held = lab_now() < atomic_load(&c->slot[r].asleep_until);
    bool moved = beats != w->seen[r].beats || s.cpu != w->seen[r].cpu || s.state == 'R' ||
                 s.state == 'D' || held || !heard;
    w->seen[r].stopped = s.state == 'T';
    w->seen[r].idle = moved && !w->seen[r].stopped ? 0 : w->seen[r].idle + tick;
    w->seen[r].beats = beats;
    w->seen[r].cpu = s.cpu;
}
int lab_watchdog_look(struct lab_watchdog *w, struct lab_control *c, const pid_t *pid, bool heard,
                      char *why, size_t capacity) {
    int64_t now = lab_now();
    double tick = w->looked ? (double)(now - w->looked) / 1e9 : 0;
    w->looked = now;
    uint32_t waiting = 0, idle_waiting = 0, living = 0;
    int stopped = LAB_NOBODY_HANGS, silent = LAB_NOBODY_HANGS;
    for (uint32_t r = c->ranks; r-- > 0;) {
        if (!pid[r]) continue;
        look_at(w, c, r, pid[r], tick < longest_tick ? tick : longest_tick, heard);
        bool waits = atomic_load(&c->slot[r].waiting), idle = w->seen[r].idle >= w->stall;
        living++;
        waiting += waits;
        idle_waiting += waits && idle;
        if (idle && w->seen[r].stopped) stopped = (int)r;
        if (idle && !waits) silent = (int)r;
    }
    bool one_process = c->ranks > 1 && pid[0] == pid[c->ranks - 1];
    if (stopped >= 0)
        return snprintf(why, capacity, "stopped (SIGSTOP) for %g s", w->stall),
               one_process ? LAB_ALL_HANG : stopped;
    if (silent >= 0 && waiting)
        return snprintf(why, capacity, "no sign of life for %g s while others wait for it",
                        w->stall),
               silent;
    if (living && idle_waiting == living)
        return snprintf(why, capacity, "all ranks have waited for each other for %g s", w->stall),
               LAB_ALL_HANG;
    return LAB_NOBODY_HANGS;
}
