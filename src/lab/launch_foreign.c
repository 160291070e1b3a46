/* On the CPU ranks share memory that only zerolab's own launcher can hand down. */
#include "lab/launch_run.h"
#include "lab/world.h"

#include <stdio.h>

void lab_foreign_launcher(char **argv, char *why, size_t capacity) {
    struct lab_world w;
    why[0] = '\0';
    if (!lab_world_foreign(argv, &w)) return;
    (void)snprintf(why, capacity,
                   "%s starts a process for every one of the %u ranks, but those that share memory "
                   "zerolab starts itself: start it once, with --ranks %u",
                   w.launcher, w.place.ranks, w.place.ranks);
}
