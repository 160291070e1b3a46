/* The middle of the star, as its own files see it. Inside meet_hub*.c only. */
#ifndef LAB_MEET_HUB_H
#define LAB_MEET_HUB_H

#include "lab/cpu/word.h"
#include "lab/meet_link.h"

#include <pthread.h>

enum {
    LAB_GUESTS = LAB_RANKS_MAX + 32,
    LAB_NO_RANK = -1
}; /* more than ranks: strangers come too */
struct lab_guest {
    struct lab_link link;
    char from[LAB_ADDRESS_SIZE];
    int64_t came;
    struct lab_nonces nonces;
    bool challenged; /* and has not proved itself yet */
    int rank;        /* LAB_NO_RANK: has not said yet, or was refused */
    bool refused, bye;
};
enum { LAB_NAMED = 16 };
struct lab_named { /* a guest that was dropped */
    char from[LAB_ADDRESS_SIZE];
    const char *why;
};
struct lab_hub {
    struct lab_meet_place place;
    struct lab_meet_hearer hearer;
    int listener[LAB_LISTENERS]; /* −1: none */
    pthread_t thread;
    int64_t deadline;
    int64_t looked; /* when this pass began */
    bool met, over;
    struct lab_end end; /* over before all said bye */
    struct lab_guest guest[LAB_GUESTS];
    struct lab_guest *seat[LAB_RANKS_MAX]; /* NULL: has not come */
    struct lab_about about[LAB_RANKS_MAX];
    struct lab_named named[LAB_NAMED]; /* on standard error, each address and reason once */
    size_t dropped;
    bool strange; /* one of them has another secret */
    struct {      /* the exchange under way */
        bool in[LAB_RANKS_MAX];
        uint32_t came;
        int64_t
            began; /* in the pass of that time; moved on by the time in which this process did not run */
        size_t n;
        double *value; /* [ranks][LAB_MEET_NUMBERS] */
    } round;
};

/* The run is over for all; the first reason counts. rank: who is to blame; −1: none in particular. */
void lab_hub_end(struct lab_hub *h, int rank, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* meet_hello.c: what a guest says first: it gets its seat, is refused, or is dropped. */
void lab_hub_greet(struct lab_hub *h, struct lab_guest *g);
/* Names a guest that is none of the run's, and lets go of it. `why` stays the caller's. */
void lab_hub_drop(struct lab_hub *h, struct lab_guest *g, const char *why);
/* Says which ranks have not come: the run ends. */
void lab_hub_miss(struct lab_hub *h);

#endif
