/* The collectives of ranks that share memory, whether they are processes (shm) or threads (local):
 * a comm whose transfers run on a communication thread, one after another. */
#ifndef LAB_EXCHANGE_H
#define LAB_EXCHANGE_H

#include "lab/cpu/arena.h"
#include "lab/cpu/control.h"
#include "lab/options.h"
#include "lab/comm.h"

#include <pthread.h>

struct lab_exchange {
    struct lab_comm comm;
    struct lab_control *control;
    /* every rank's arena, as mapped here; all are of arena.size bytes */
    char *base[LAB_RANKS_MAX];
    /* this rank's own */
    struct lab_arena arena;
    double link_rate, link_latency, net_rate, net_latency;
    /* so far: their parity says which of a rank's two values is used */
    uint64_t exchanges;
    /* Gives back what open() took: bases, control, arena. */
    void (*release)(struct lab_exchange *e);

    pthread_t thread;
    /* guards all below */
    pthread_mutex_t mutex;
    pthread_cond_t work, done;
    struct lab_tickets tickets;
    /* the last ticket whose transfer is done */
    lab_ticket finished;
    bool closing, broken;
    /* what broke it */
    char why[200];
};
/* Fills in the comm and starts its thread. control, base, arena and release are set by the
 * caller. */
bool lab_exchange_open(struct lab_exchange *e, const struct lab_comm_row *row,
                       const struct lab_options *o, uint32_t rank, struct lab_message *m);
extern const struct lab_comm_row lab_shm_row, lab_local_row;

#endif
