/* classroom/slurm.h: a lab as a job of Slurm. Where a class's settings say so and `srun` is in
 * PATH, Slurm gives out GPUs, cores and time, on more than one machine and enforced, so tickets are
 * not used. */
#ifndef CLASSROOM_SLURM_H
#define CLASSROOM_SLURM_H

#include "classroom/ticket.h"

/* Whether labs of this class are submitted to Slurm here. */
bool classroom_uses_slurm(const struct classroom_settings *s);
/* The words before the lab's program: srun and what the wish needs. The caller's. */
char *classroom_srun(const struct classroom_settings *s, const struct classroom_wish *w);

#endif
