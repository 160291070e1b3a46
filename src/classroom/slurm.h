/* classroom/slurm.h: a lab as a job of Slurm. Where a class's settings say so and `srun` is in
 * PATH, Slurm gives out GPUs, cores and time, on more than one machine and enforced, so tickets are
 * not used. A job's comment names its class and its lab. */
#ifndef CLASSROOM_SLURM_H
#define CLASSROOM_SLURM_H

#include "classroom/turns.h"

/* Whether labs of this class are submitted to Slurm here. */
bool classroom_uses_slurm(const struct classroom_settings *s);
/* The words before the lab's program: srun and what the wish needs. The caller's. */
char *classroom_srun(const struct classroom_settings *s, const struct classroom_wish *w);
/* The class's jobs as tickets, with their turns as Slurm has them: a wait is Slurm's estimate,
 * which takes every job's whole time, or if it has none, as long as all before it may take. The
 * caller frees *t, also after false, and *turn. False with the message if Slurm does not answer.
 * `now`: seconds since 1970. */
bool classroom_slurm_read(const struct classroom_settings *s, int64_t now,
                          struct classroom_tickets *t, struct classroom_turn **turn,
                          struct base_message *m);
/* Cancels this account's jobs of the class. Returns how many; -1 with the message filled. */
int classroom_slurm_cancel(const struct classroom_settings *s, struct base_message *m);

#endif
