/* The block of memory that all ranks and the launcher share: where ranks meet, what each brings to
 * a transfer, and signs of life. */
#ifndef LAB_CONTROL_H
#define LAB_CONTROL_H

#include "lab/comm.h"
#include "lab/cpu/word.h"
#include "lab/launch.h"

/* A barrier. Bit 0 of the word: a rank left, so no rank may wait here any more. The other bits
 * count how often all have met. */
struct lab_meeting {
    struct lab_word word;
    _Atomic uint32_t here;
    /* when the last rank came */
    _Atomic int64_t last;
};
/* Where communication threads of all ranks meet, and compute threads. Then a place for the
 * communication threads of each smaller set: by its first rank, those of groups, those across,
 * those that share a second copy, and those near and far. */
enum lab_place {
    LAB_TRANSFERS,
    LAB_COMPUTE,
    LAB_GROUPS,
    LAB_COLUMNS = LAB_GROUPS + LAB_RANKS_MAX,
    LAB_SECONDS = LAB_COLUMNS + LAB_RANKS_MAX,
    LAB_NEARS = LAB_SECONDS + LAB_RANKS_MAX,
    LAB_FARS = LAB_NEARS + LAB_RANKS_MAX,
    LAB_PLACES = LAB_FARS + LAB_RANKS_MAX
};

enum { LAB_NOT_SHARED = -1 };
/* What a rank brings to the transfer under way; the meetings before and after it order the
 * accesses. */
struct lab_offer {
    enum lab_collective op;
    enum lab_dtype type, into;
    uint64_t count;
    /* offset of what peers read in this rank's arena; LAB_NOT_SHARED: they cannot */
    int64_t at;
};
/* Of one rank. */
struct lab_rank_slot {
    struct lab_offer offer;
    /* of this exchange and of the one before, in turn */
    double value[2];
    /* Bytes of this rank's memory that others copied or added: they write it. */
    _Atomic uint64_t sent;
    /* Of them, ranks on other nodes. */
    _Atomic uint64_t between;
    /* step, phase, unit */
    _Atomic uint64_t where;
    /* changes with every sign of life */
    _Atomic uint32_t beats;
    /* 1: compute stands still for other ranks */
    _Atomic uint32_t waiting;
    /* an emulated link holds a transfer up to then */
    _Atomic int64_t asleep_until;
};
struct lab_control {
    uint32_t ranks;
    /* lab_now() when the block was made */
    int64_t zero;
    /* 1 + the first rank that left. 1 + the rank that another waited for in vain. 0: none. */
    _Atomic uint32_t left, missed;
    struct lab_meeting meeting[LAB_PLACES];
    struct lab_rank_slot slot[LAB_RANKS_MAX];
};

void lab_control_init(struct lab_control *c, uint32_t ranks);
/* Maps the launcher's block, or makes one if there is no launcher. NULL with a message. The caller
 * unmaps it. */
struct lab_control *lab_control_open(uint32_t ranks, struct lab_message *m);
/* Blocks until so many ranks have come: all that meet there. False where a rank has left and may
 * not come. */
bool lab_control_meet(struct lab_control *c, enum lab_place place, uint32_t ranks);
/* Blocks a rank that is between two meetings of `place` until lab_now() ≥ until; false where a rank
 * has left. */
bool lab_control_sleep(struct lab_control *c, enum lab_place place, int64_t until);
/* Says that a rank takes part no more. What all had already come to stays valid. */
void lab_control_leave(struct lab_control *c, uint32_t rank);

void lab_control_progress(struct lab_control *c, uint32_t rank, struct lab_where where);
struct lab_where lab_control_where(struct lab_control *c, uint32_t rank);

#endif
