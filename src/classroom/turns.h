/* classroom/turns.h: whose turn it is. A pure function of the tickets: every program computes it
 * from the same files and comes to the same answer.
 *
 * Turns go in rounds. A new ticket belongs to the round that is being served (that of what runs,
 * else of the first in line), or to the next one if its account has or had a turn in this round: so
 * who had none goes before the second lab of whoever runs one now. Within a round the earlier
 * arrival goes first. So while a ticket waits, each other account starts at most two turns: one in
 * either round. No account starves, however many others join the line.
 *
 * A turn takes at most its minutes. A program that was stopped during its turn keeps its lock, so
 * one that holds its slots for CLASSROOM_GRACE seconds longer than that is passed over, and does
 * not count. Who waits measures that from when it first saw the turn, and asks no clock.
 *
 * GPUs and cores are given out in this order. If the first in line needs more than is free, those
 * behind it wait too, so that a large lab is not passed by small ones for ever. */
#ifndef CLASSROOM_TURNS_H
#define CLASSROOM_TURNS_H

#include "classroom/ticket.h"

enum classroom_stand {
    /* its lock is gone: it does not count */
    CLASSROOM_GONE,
    /* on another machine */
    CLASSROOM_ELSEWHERE,
    /* its turn is over, and it does not give it back */
    CLASSROOM_OVER,
    CLASSROOM_RUNNING,
    CLASSROOM_WAITING,
    /* waits, and lets others go first */
    CLASSROOM_AWAY,
    /* may claim its slots now */
    CLASSROOM_READY
};
/* "running", "on another machine" */
const char *classroom_stand_name(enum classroom_stand s);
struct classroom_turn {
    enum classroom_stand stand;
    /* that it holds, or may claim */
    struct classroom_slots slots;
    /* in line for its kind, from 1; 0: it does not wait */
    int position;
    /* seconds until its turn; `known`: from how long such labs took here, else the longest that it
     * may be */
    int64_t wait;
    bool known;
};
enum { CLASSROOM_GRACE = 60 };
/* Whether a turn that began so many seconds ago is over: by the minutes of its ticket, which are at
 * most those that a class allows. */
bool classroom_ticket_is_over(const struct classroom_ticket *t, int minutes_most, int64_t seconds);
/* Marks the tickets whose turn is over by the file server's clock `now` (0: none is known to be):
 * for those who only look, and did not see it begin. */
void classroom_tickets_time(const struct classroom_tickets *t, const struct classroom_settings *s,
                            int64_t now);
/* GPUs or cores that there are. */
int classroom_slots_of(const struct classroom_settings *s, enum classroom_kind k);
/* Fills a turn for each ticket. `now`: the file server's clock, 0 if it is not known. */
void classroom_turns(const struct classroom_tickets *t, const struct classroom_settings *s,
                     const char *host, int64_t now, struct classroom_turn *out);
/* A ticket and its turn; both borrowed. */
struct classroom_placed {
    const struct classroom_ticket *ticket;
    const struct classroom_turn *turn;
};
/* Lists those that are not gone: for GPUs first, those that run, and then the line. `out` has room
 * for all tickets; returns how many there are. */
size_t classroom_turns_line(const struct classroom_tickets *t, const struct classroom_turn *turn,
                            struct classroom_placed *out);
/* Whether `a` goes before `b`, both of one kind. */
bool classroom_ticket_before(const struct classroom_ticket *a, const struct classroom_ticket *b);
/* The round of a new ticket of an account. */
int64_t classroom_round(const struct classroom_tickets *t, const char *host, uid_t owner,
                        enum classroom_kind k);
/* Seconds that a turn with this lab takes; *known as above. */
int64_t classroom_expects(const struct classroom_tickets *t, const struct classroom_wish *w,
                          bool *known);

#endif
