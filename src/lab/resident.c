/* Resident memory of this process: what the machine really holds for it, beside what its ledger says. */
#include "lab/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Linux's RssAnon: pages of its own, not those of files and of memory shared with peers. Elsewhere: the highest it ever was. */
uint64_t lab_resident(void) {
    char line[128];
    uint64_t kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "RssAnon:", 8) == 0) kib = strtoull(line + 8, NULL, 10);
    if (f) (void)fclose(f);
    if (kib) return kib * 1024;
    struct rusage u;
    return getrusage(RUSAGE_SELF, &u) == 0 ? (uint64_t)u.ru_maxrss * 1024 : 0;
}
