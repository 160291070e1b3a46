/* What ranks that share a GPU share of the host. Inside local*.c only. */
#ifndef LAB_LOCAL_GPU_H
#define LAB_LOCAL_GPU_H

#include "lab/cpu/control.h"
#include "lab/cuda/flow.h"
#include "lab/cuda/local.h"

#include <pthread.h>

struct lab_gpu_rank {
    struct lab_flow flow; /* first */
    struct lab_shared_gpu *shared;
    uint64_t exchanges; /* so far: their parity says which value of a seat is used */
};
struct lab_shared_gpu {
    uint32_t ranks;
    int gpus;                    /* that they are on */
    struct lab_control *control; /* the launcher's, where there is one */
    pthread_mutex_t mutex;       /* guards all below, and every flow's tickets and marks */
    pthread_cond_t changed;
    struct lab_gpu_rank *rank[LAB_RANKS_MAX];
    lab_ticket moved; /* up to here transfers are enqueued: all ranks have started them */
    uint32_t left;    /* 1 + the first rank that left; 0: none */
    char why[200];    /* nothing more is carried out */
};
/* local_move.c: with the mutex held, all ranks having started ticket t: enqueues it on all of their streams. False with `why`. */
bool lab_local_move(struct lab_shared_gpu *s, lab_ticket t, char *why, size_t capacity);

#endif
