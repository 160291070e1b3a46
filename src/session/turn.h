/* turn: a lab's turn in the class. In a class labs wait until a GPU or cores are theirs, and give
 * them back when they end. Outside a class there are no turns. */
#ifndef SESSION_TURN_H
#define SESSION_TURN_H

#include "experiment/experiment.h"

struct session_turn;
/* Whether a lab names a GPU and this machine has none, nor does the learner's class lend any. */
bool session_lab_lacks_gpu(const struct experiment_lab *lab);
/* Gets in line for a lab. `words`: zerolab's own; NULL: those of all runs of the named lab. *out is
 * NULL if no turn is needed: outside a class, and in one that is not running. False with the
 * message filled if the class does not allow such a lab. It goes back through
 * session_turn_end(). */
bool session_turn_begin(const char *lab, const char *words, struct session_turn **out,
                        struct base_message *m);
/* Looks whether the turn has come; true from then on. */
bool session_turn_look(struct session_turn *t);
bool session_turn_has_come(const struct session_turn *t);
/* Milliseconds until the next look; -1: none is needed, as Slurm starts the lab. */
int session_turn_due(const struct session_turn *t);
/* Why the lab must not go on, in a sentence: it was cancelled elsewhere, or its minutes are over.
 * NULL if it may. Borrowed. */
const char *session_turn_over(struct session_turn *t);
/* Waits for the turn, looking at times; says where one is in line whenever that changes, and once a
 * minute. False if `ends`, which is asked a few times a second, returned true, or the turn is
 * over. A lab that is submitted to Slurm is not waited for, and that is said. A folder that cannot
 * be used is tried again: as long as it takes if a person at a terminal can leave (`watched`), else
 * for three minutes. */
bool session_turn_await(struct session_turn *t, bool watched, bool (*ends)(void),
                        void (*say)(void *to, const char *text), void *to);
/* The lab's name. */
const char *session_turn_lab(const struct session_turn *t);
/* Where one is in line and for how long, a sentence; the caller's. */
char *session_turn_say(const struct session_turn *t);
/* Why the class's folder cannot be used at the moment; NULL if it can. */
const char *session_turn_trouble(const struct session_turn *t);
/* Keeps the place and lets others go first while the learner does something else, or no longer. */
void session_turn_away(struct session_turn *t, bool away);
/* Where the lab may run during its turn. Its strings live as long as `t`. `t` may be NULL. */
struct experiment_place session_turn_place(const struct session_turn *t);
/* What a scaled lab may take during it: what the machine holds, and the class allows. `t` may be
 * NULL. */
struct experiment_capacity session_turn_capacity(const struct session_turn *t);
/* Leaves the line or gives the turn back, and frees it. `t` may be NULL. */
void session_turn_end(struct session_turn *t);

#endif
