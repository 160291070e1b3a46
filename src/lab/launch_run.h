/* A run as the launcher sees it. */
#ifndef LAB_LAUNCH_RUN_H
#define LAB_LAUNCH_RUN_H

#include "lab/launch.h"
#include "lab/secret.h"
#include "lab/watchdog.h"

#include <signal.h>

struct lab_pipe {   /* of one rank's lines */
    int from, into; /* −1: closed */
    char *text;     /* what was read of a line that is not whole yet */
    size_t used, capacity;
};
struct lab_run {
    const struct lab_options *options;
    const struct lab_hearer *hearer;
    struct lab_launch_end *end;
    uint32_t ranks;
    int file[1 + LAB_RANKS_MAX];  /* the control block, then (shm) each rank's arena; −1: none */
    int listener;                 /* at which ranks meet (nccl); −1: they do not */
    char secret[LAB_SECRET_ROOM]; /* of their meeting */
    struct lab_control *control;
    struct lab_pipe pipe[LAB_RANKS_MAX];
    pid_t pid
        [LAB_RANKS_MAX]; /* of the process that is the rank, or (local) in which it is a thread; 0: none, or ended */
    pid_t group;
    bool put_down;          /* the launcher has killed who was left */
    sigset_t taken, before; /* signals that the launcher heeds; the mask that was found */
    struct lab_watchdog watchdog;
};

/* Files, the control block and the pipes; false with end->text. */
bool lab_run_prepare(struct lab_run *run);
/* Starts all processes; false with end->text, those that were started still run. */
bool lab_run_spawn(struct lab_run *run, char **argv);
void lab_run_release(struct lab_run *run);

/* Waits up to `ms` for lines and passes on those that are whole. */
void lab_run_lines(struct lab_run *run, int ms);
/* Reads what is left, for when nobody writes any more. A line that was not finished is dropped: its rank was killed over it. */
void lab_run_last_lines(struct lab_run *run);

/* "torchrun started 4 processes …" where another launcher did and --ranks was not given; "" else. */
void lab_foreign_launcher(char **argv, char *why, size_t capacity);

/* Sets what BLAS libraries read when they are loaded: one thread, and the kernels this processor deserves. To be called before exec. */
void lab_blas_environment(void);

#endif
