/* The private state of comm nccl, for nccl*.c only. */
#ifndef LAB_NCCL_COMM_H
#define LAB_NCCL_COMM_H

#include "lab/cpu/control.h"
#include "lab/cuda/flow.h"
#include "lab/cuda/comms.h"
#include "lab/cuda/nccl_api.h"

#include <pthread.h>

enum { LAB_CHUNKS = 512 };
/* A chunk of memory that is registered with NCCL. */
struct lab_chunk {
    char *at;
    size_t bytes, used;
    /* NULL: not registered */
    void *handle;
    /* of NCCL's allocator */
    bool own;
};
struct lab_nccl_comm {
    /* first */
    struct lab_flow flow;
    struct lab_nccl nccl;
    struct lab_meet *meet;
    /* our own launcher's; NULL if another launcher started us */
    struct lab_control *control;
    /* several ranks on a GPU: one collective at a time */
    bool fenced;
    /* nothing has happened since a barrier */
    bool parted;
    double stall;
    uint32_t stage;
    uint64_t bucket;
    /* up to here collectives are enqueued */
    lab_ticket moved;
    /* of a step's transfers, for the skew: [numbers], [ranks][numbers] */
    double *took, *others;
    struct lab_chunk chunk[LAB_CHUNKS];
    size_t chunks;

    pthread_t guard;
    /* guards all below, and the flow's tickets and marks */
    pthread_mutex_t mutex;
    /* NULL: aborted */
    void *comm;
    bool guarded, closing, broken;
    char why[300];
};
static inline struct lab_nccl_comm *lab_nccl_of(struct lab_comm *c) {
    return (struct lab_nccl_comm *)c;
}

/* nccl_memory.c */
void *lab_nccl_alloc(struct lab_comm *c, size_t bytes);
void lab_nccl_free(struct lab_comm *c, void *memory, size_t bytes);
void lab_nccl_free_all(struct lab_nccl_comm *k);
/* Frees all pieces and sets them to zero. The chunks stay allocated and registered. */
bool lab_nccl_reuse(struct lab_nccl_comm *k);
/* nccl_guard.c: a thread that watches the other ranks, NCCL's own errors and collectives that never
 * end while compute is busy or blocked. */
bool lab_nccl_guard(struct lab_nccl_comm *k, struct lab_message *m);
void lab_nccl_unguard(struct lab_nccl_comm *k);
/* Ends the communicator within seconds; else the process reports why and exits. The mutex must be
 * held. */
void lab_nccl_let_go(struct lab_nccl_comm *k);
/* Breaks the comm: ends NCCL's kernels and tells all ranks why. The mutex must be held. */
void lab_nccl_break(struct lab_nccl_comm *k, const char *why);
/* Waits until NCCL has finished what it began. The mutex must be held. False with `why`. */
bool lab_nccl_poll(struct lab_nccl_comm *k, int result, double patience, char *why,
                   size_t capacity);

#endif
