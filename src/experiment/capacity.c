/* capacity: how many ranks this machine can hold, and how many bytes. */
#include "experiment/experiment.h"

#include <unistd.h>

/* Ranks that share a core take turns: eight of them are slow, and not wrong. Half of the memory is
 * left to whoever else is here. */
enum { RANKS_A_CORE = 8, MEMORY_SHARE = 2 };

struct experiment_capacity experiment_capacity_here(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    return (struct experiment_capacity){
        .ranks = (uint32_t)(cores > 0 ? cores : 1) * RANKS_A_CORE,
        .bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / MEMORY_SHARE : 0};
}
