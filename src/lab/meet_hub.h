/* The middle of the star, as its two files share it: meet_join.c, the clients that connect until
 * they are accepted as ranks, and meet_hub.c, the ranks. Inside meet*.c only. */
#ifndef LAB_MEET_HUB_H
#define LAB_MEET_HUB_H

#include "lab/meet_link.h"

#include <pthread.h>

/* More than ranks, because other programs connect too. */
enum { CLIENTS = LAB_RANKS_MAX + 32, NO_RANK = -1, NAMED = 16 };
struct lab_client {
    struct lab_link link;
    char from[LAB_ADDRESS_SIZE];
    int64_t came;
    struct lab_nonces nonces;
    /* It was sent a challenge. */
    bool challenged;
    /* NO_RANK: it has not proved itself yet, or was refused. */
    int rank;
    bool refused, bye;
};
/* A client that was dropped. */
struct lab_dropped {
    char from[LAB_ADDRESS_SIZE];
    const char *why;
};
struct lab_hub {
    struct lab_meet_place place;
    struct lab_meet_hearer hearer;
    /* −1: none. */
    int listener[LAB_LISTENERS];
    pthread_t thread;
    int64_t deadline;
    /* When this pass began. */
    int64_t looked;
    bool met, over;
    /* Why the run was over before all said bye. */
    struct lab_end end;
    struct lab_client client[CLIENTS];
    /* NULL: the rank has not come. */
    struct lab_client *rank[LAB_RANKS_MAX];
    struct lab_about about[LAB_RANKS_MAX];
    /* On standard error, each address and reason once. */
    struct lab_dropped named[NAMED];
    size_t dropped;
    /* One of them has another secret. */
    bool other_secret;
    /* The current exchange. `began`: in the pass of that time, later by the time in which this
     * process did not run. `value`: [ranks][LAB_MEET_NUMBERS]. */
    struct {
        bool in[LAB_RANKS_MAX];
        uint32_t came;
        int64_t began;
        size_t n;
        double *value;
    } round;
};

/* ── meet_join.c ── */

/* Accepts a few of the connections that wait at a listener. */
void lab_join_accept(struct lab_hub *h, int listener);
/* Hears what a client says first. It is accepted as a rank, refused, or dropped. `ends`: why the
 * run must end, because this rank cannot train with the others; "" if it need not. */
void lab_join_hear(struct lab_hub *h, struct lab_client *c, struct lab_message *ends);
/* Closes the connection of a client that is not a rank, and reports it with `why`, which stays the
 * caller's. A rank's spare connection is closed without a word. */
void lab_join_drop(struct lab_hub *h, struct lab_client *c, const char *why);
/* Reports a client that is not of this run, spare or not, and closes its connection. */
void lab_join_expel(struct lab_hub *h, struct lab_client *c, const char *why);
/* Drops a client that has not proved itself in the time it has. */
void lab_join_drop_slow(struct lab_hub *h, struct lab_client *c);

#endif
