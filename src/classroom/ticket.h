/* classroom/ticket.h: a ticket for a lab: a file in queue/ that its owner writes once and holds a
 * lock on while it waits and runs.
 *
 * All state that changes is in locks on single bytes of the file, so a program that dies gives up
 * its place and its GPU at that moment, and a full disk or a folder that became read-only changes
 * nothing for those who wait:
 *
 *     byte 0        locked: the ticket is live
 *     byte 1        locked: its owner does something else meanwhile, and lets others go first
 *     byte 16 + i   locked: the ticket claims or holds slot i (a GPU, or a core)
 *
 * Only the owner locks. Others test with F_GETLK and ask for a read lock, which only write locks
 * forbid: a stranger cannot open the file for writing, so a stranger's lock cannot make a ticket
 * look live. Locks belong to the open file (F_OFD_SETLK). If the system has no such locks, or
 * $ZEROTUTOR_LOCKS is "posix", they are POSIX's: those are lost when the process closes any
 * descriptor of the file, so a process with a ticket never opens that ticket a second time, and has
 * only one. flock() is never used: NFS does not have it between machines.
 *
 * Tickets name their machine, because GPUs and cores belong to one. Programs on one machine see the
 * same files at the same time on NFS too. */
#ifndef CLASSROOM_TICKET_H
#define CLASSROOM_TICKET_H

#include "classroom/settings.h"

enum classroom_kind { CLASSROOM_GPU, CLASSROOM_CPU, CLASSROOM_KINDS };
/* "gpu", "cpu" */
const char *classroom_kind_name(enum classroom_kind k);

/* A set of GPUs or cores, by number. Slots beyond these are not used. */
enum { CLASSROOM_SLOTS = 256 };
struct classroom_slots {
    uint64_t word[CLASSROOM_SLOTS / 64];
};
bool classroom_slots_has(const struct classroom_slots *s, int slot);
void classroom_slots_add(struct classroom_slots *s, int slot);
int classroom_slots_count(const struct classroom_slots *s);
bool classroom_slots_meet(const struct classroom_slots *a, const struct classroom_slots *b);
/* "0,3", as CUDA_VISIBLE_DEVICES has it; "" for none. The caller's. */
char *classroom_slots_say(const struct classroom_slots *s);

/* what a lab needs */
struct classroom_wish {
    enum classroom_kind kind;
    /* GPUs or cores, at least 1; more than the machine has counts as all of them */
    int slots;
    int ranks;
    /* that all its ranks may hold; 0: as many as the class allows */
    uint64_t bytes;
    /* that the turn may take */
    int minutes;
    char lab[CLASSROOM_WORD];
    /* the second name at the keyboard, or "" */
    char with[CLASSROOM_WORD];
};
struct classroom_ticket {
    /* of its file, without ".ticket" */
    char name[CLASSROOM_NAME];
    char host[CLASSROOM_WORD];
    uid_t owner;
    struct classroom_wish wish;
    /* which round of turns it belongs to (turns.h) */
    int64_t round;
    /* by the file server's clock; `since`: when its turn began, or `arrived` */
    int64_t arrived, since;
    bool live, away;
    /* It has held its slots for longer than a turn may take: its program was stopped, or keeps them
     * on purpose. It is passed over. Readers find that out (turns.h). */
    bool over;
    struct classroom_slots holds;
    /* seconds that its turn took, once that is over; -1 */
    int64_t took;
};
/* Whether it had a turn, or has one now. */
bool classroom_ticket_served(const struct classroom_ticket *t);

struct classroom_tickets {
    struct classroom_ticket *ticket;
    size_t count;
    /* an account that has more files there than its programs write, or CLASSROOM_ANYBODY */
    uid_t crowd;
    /* this process's own ticket has lost its name: somebody removed it */
    bool lost;
};
struct classroom_held;
/* Reads all tickets, in no order: those whose lock is gone too. What is no ticket is passed over.
 * `own` (or NULL) is this process's, which is not opened again. False with the message filled if
 * the folder cannot be listed. classroom_tickets_free() frees the list. */
bool classroom_tickets_read(const struct classroom_folder *f, const struct classroom_held *own,
                            struct classroom_tickets *out, struct base_message *m);
void classroom_tickets_free(struct classroom_tickets *t);
/* The name of this machine, as tickets carry it. */
void classroom_host(char out[CLASSROOM_WORD]);

/* ── this process's own ticket ─────────────────────────────────────────────────────────────────*/
/* Writes a ticket, locked before its name is there. NULL with the message filled. `f` must outlive
 * it. It goes back through classroom_ticket_end(). */
struct classroom_held *classroom_ticket_begin(const struct classroom_folder *f,
                                              const struct classroom_wish *w, int64_t round,
                                              struct base_message *m);
const struct classroom_ticket *classroom_ticket_own(const struct classroom_held *h);
/* Locks the bytes of these slots: a claim, which others see from now on. If another account has a
 * lock on the file, a new file takes its place, locked before its name is there. False if it cannot
 * be locked; then it claims none. */
bool classroom_ticket_claim(struct classroom_held *h, const struct classroom_slots *s);
void classroom_ticket_yield(struct classroom_held *h);
/* Notes that its turn has begun, by the file server's clock if that can be. */
void classroom_ticket_start(struct classroom_held *h);
/* Lets others go first, or no longer. */
void classroom_ticket_away(struct classroom_held *h, bool away);
/* Gives the ticket up and frees it. One that had its turn stays, with the seconds that it took, to
 * be counted; another is removed. */
void classroom_ticket_end(struct classroom_held *h, int64_t took);
/* Removes this account's tickets that are no longer live, of the kind of a new one that follows
 * them in its round; its last turn stays, so that it counts also if the new one leaves the line.
 * `t` was read before that was made. */
void classroom_ticket_tidy(const struct classroom_folder *f, const struct classroom_tickets *t,
                           const struct classroom_held *own);

#endif
