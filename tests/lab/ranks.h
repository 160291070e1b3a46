/* Runs a job on every rank, on threads of the test (local) or on processes (shm: the test program
 * executes itself). */
#ifndef TEST_RANKS_H
#define TEST_RANKS_H

#include "lab/comm.h"
#include "lab/launch.h"

/* What a rank does. True if all was as it should be; `said` is one line about it, the same on local
 * and shm. */
typedef bool job(struct lab_comm *c, const char *argument, char *said, size_t capacity);
struct named_job {
    const char *name;
    job *run;
};

/* For main(): in a rank runs the job that the arguments name and returns its exit status; −1 in the
 * test itself. */
int ranks_main(int argc, char **argv, const struct named_job *jobs);

struct outcome {
    char said[LAB_RANKS_MAX][300];
    bool well;
};
struct lab_options ranks_options(enum lab_transport comm, uint32_t ranks);
struct outcome ranks_run(const struct named_job *j, const struct lab_options *o,
                         const char *argument);

#endif
