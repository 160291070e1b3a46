/* Other launchers: the variables by which a process sees that one of them started it. */
#include "lab/launch_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *size, *rank;
} launchers[] = {
    {"torchrun", "WORLD_SIZE",           "RANK"                },
    {"Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"MPI",      "PMI_SIZE",             "PMI_RANK"            },
    {"Slurm",    "SLURM_NTASKS",         "SLURM_PROCID"        }
};

static bool given(char **argv, const char *option) {
    for (size_t n = strlen(option); *argv; argv++)
        if (!strncmp(*argv, option, n) && (!(*argv)[n] || (*argv)[n] == '=')) return true;
    return false;
}
void lab_foreign_launcher(char **argv, char *why, size_t room) {
    why[0] = '\0';
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers && !given(argv, "--ranks"); i++) {
        const char *size = getenv(launchers[i].size);
        if (!size || atol(size) < 2 || !getenv(launchers[i].rank)) continue;
        snprintf(why, room,
                 "%s (%s=%.9s) starts a process for every rank, but on the CPU zerolab starts its "
                 "ranks itself: start it once, "
                 "with --ranks %.9s",
                 launchers[i].name, launchers[i].size, size, size);
        return;
    }
}
