/* The rendezvous: where ranks that are processes meet, on one machine or on several: a star of TCP
 * connections with rank 0 in the middle. Over it go the id of a communicator, numbers that all
 * ranks exchange, reports for rank 0, and the news that the run is over. Needs no GPU.
 *
 * Whatever goes wrong ends in one line that names it: ranks that have not come within the deadline,
 * a rank that is there twice, another job's process, other options, another version, a port that is
 * in use, a peer that died.
 *
 * Anybody on the network can connect, and anybody on the machine can listen in rank 0's place. So
 * both sides prove that they know the run's secret (proof.h) before either says more. Rank 0 drops
 * a client that does not, names its address on standard error, and continues. A rank tries the
 * other addresses, and again, until its deadline. */
#ifndef LAB_MEET_H
#define LAB_MEET_H

#include "lab/launch.h"
#include "lab/proof.h"

enum { LAB_MEET_VERSION = 3 };
struct lab_meet_place {
    uint32_t rank, ranks;
    char host[200], port[8];
    /* machines */
    bool several;
    /* of the run; only its ranks know it */
    struct lab_key key;
    /* rank 0: a socket that listens already; −1: it opens its own */
    int listener;
    /* seconds that ranks may take to come */
    double patience;
    /* seconds that others may wait for a rank later on; 0: for ever */
    double stall;
};
/* What a rank says of itself when it comes. */
struct lab_meet_card {
    char host[64];
    /* version; 0: none. All must have the same */
    uint32_t nccl;
    /* hash of what was asked for; all must have the same */
    uint64_t options;
};
/* On rank 0, on a thread of its own: lines that ranks say, in each rank's order. */
struct lab_meet_hearer {
    lab_launch_line *line;
    void *self;
};

/* Blocks until all ranks have come. NULL with one line. hearer: NULL if no program listens to
 * lines. */
struct lab_meet;
struct lab_meet *lab_meet_open(const struct lab_meet_place *p, const struct lab_meet_card *mine,
                               const struct lab_meet_hearer *hearer, struct lab_message *m);
const struct lab_meet_place *lab_meet_place_of(const struct lab_meet *meet);

/* These block until all ranks have called them, in the same order. False where a rank has left or
 * broken off: then none works any more. */
/* n numbers of each rank: all[ranks][n]. n = 0: a barrier. At most LAB_MEET_NUMBERS. */
enum { LAB_MEET_NUMBERS = 2048 };
bool lab_meet_exchange(struct lab_meet *meet, const double *mine, double *all, size_t n,
                       struct lab_message *m);
/* Rank 0's bytes, at most LAB_MEET_SHARED, to all; only they can read them. Rank 0 does not
 * wait. */
enum { LAB_MEET_SHARED = 4096 };
bool lab_meet_share(struct lab_meet *meet, void *bytes, size_t n, struct lab_message *m);

/* A line (no newline in it) for rank 0's hearer. Does not wait. */
void lab_meet_say(struct lab_meet *meet, const char *line);
/* Whether the run is over because a rank left or broke off, with why. Does not wait. May be asked
 * from another thread, while other calls run. */
bool lab_meet_broken(struct lab_meet *meet, struct lab_message *m);
/* Ends the run for all ranks. The first reason is the one that all hear. rank: who is to blame; −1:
 * none in particular. */
void lab_meet_abort(struct lab_meet *meet, int rank, const char *why);
/* Who was to blame for a run that is broken; −1: none in particular, or it is not broken. */
int lab_meet_blamed(struct lab_meet *meet);
/* Rank 0 waits up to 10 s for the others to close. A rank that goes without closing is missed: the
 * others hear of it. */
void lab_meet_close(struct lab_meet *meet);

#endif
