/* classroom/queue.h: waiting for a turn with a lab, and having it. There is no server. A program
 * whose turn it is by the files (turns.h) claims its slots in its own ticket and then reads all
 * tickets again: if another one claims one of them too, it takes its claim back. Two programs that
 * claim at the same moment cannot both miss the other's claim, so a slot never has two owners. If
 * both take it back, both have seen the other by then, and only the first in line claims again.
 *
 * All of this is cooperative: a program that does not ask is not stopped. classroom_around() finds
 * it. */
#ifndef CLASSROOM_QUEUE_H
#define CLASSROOM_QUEUE_H

#include "classroom/turns.h"

struct classroom_wait;
/* Gets in line. The folder and the settings are copied or opened anew. NULL with the message filled
 * if the class does not allow such a lab; a folder that cannot be written to at the moment is tried
 * again. It goes back through classroom_wait_end(). A process waits for one lab at a time. */
struct classroom_wait *classroom_wait_begin(const char *folder, const struct classroom_settings *s,
                                            const struct classroom_wish *w, struct base_message *m);
/* Looks at the tickets; claims what is to be had. Returns whether it is this wait's turn, which it
 * stays until the end. */
bool classroom_wait_look(struct classroom_wait *w);
/* Milliseconds until the next look; -1 during the turn. */
int classroom_wait_due(const struct classroom_wait *w);
/* Where it is in line, or its turn, as of the last look. */
const struct classroom_turn *classroom_wait_turn(const struct classroom_wait *w);
/* How many tickets wait for the same kind, this one too. */
int classroom_wait_line(const struct classroom_wait *w);
/* Why it cannot get in line or look at the moment; NULL if it can. */
const char *classroom_wait_trouble(const struct classroom_wait *w);
/* Keeps its place and lets others go first, or no longer. Not during the turn. */
void classroom_wait_away(struct classroom_wait *w, bool away);
/* Leaves the line or ends the turn, and frees it. `w` may be NULL. */
void classroom_wait_end(struct classroom_wait *w);
/* "You are number 2 of 5 in line for a GPU. The wait is about 4 min." The caller's. */
char *classroom_wait_say(const struct classroom_wait *w);
/* "about 4 min", "at most 20 s", "soon". The caller's. */
char *classroom_say_wait(const struct classroom_turn *t);

/* ── the whole queue ───────────────────────────────────────────────────────────────────────────*/
/* All that runs and waits, by the tickets, or where Slurm gives out the machines by its jobs.
 * `now`: the file server's clock. The caller frees *t and *turn, also after false. False with the
 * message filled if it cannot be read. */
bool classroom_queue_read(const struct classroom_folder *f, const struct classroom_settings *s,
                          int64_t now, struct classroom_tickets *t, struct classroom_turn **turn,
                          struct base_message *m);

/* ── cancelling, and who does not ask ──────────────────────────────────────────────────────────*/
/* Asks this account's programs that wait or run to stop: removes the tickets, which they notice at
 * their next look, or cancels Slurm's jobs. Returns how many; -1 with the message filled. */
int classroom_queue_cancel(const struct classroom_folder *f, const struct classroom_settings *s,
                           struct base_message *m);
/* Whether this wait's ticket was removed by classroom_queue_cancel(). */
bool classroom_wait_cancelled(const struct classroom_wait *w);
/* The file server's clock: of a file made for that in queue/ and removed. 0 if that fails. */
int64_t classroom_clock(const struct classroom_folder *f);

/* a lab that runs on this machine though its account has no turn */
struct classroom_stranger {
    pid_t process;
    uid_t owner;
};
/* Finds programs named zerolab or zerolab-cuda (not their ranks) whose account has no running
 * ticket; *n: how many, at most `most`. A lab whose turn begins or ends meanwhile is not among
 * them. Linux only; elsewhere there are none. False with the message filled if the tickets cannot
 * be listed. */
bool classroom_around(const struct classroom_folder *f, struct classroom_stranger *out, size_t most,
                      size_t *n, struct base_message *m);

#endif
