/* Who started this process, as which rank of how many, and where the ranks meet: read from the
 * environment. Inside the lab only. */
#ifndef LAB_WORLD_H
#define LAB_WORLD_H

#include "lab/meet.h"

struct lab_world {
    /* "torchrun", "Slurm" …; NULL: zerolab itself */
    const char *launcher;
    struct lab_meet_place place;
    /* the rank's number among those on this machine */
    uint32_t local;
    /* A hash of what the launcher calls the job: the same on all its ranks, and no secret. */
    uint64_t job;
};
/* What zerolab's own launcher handed down. False with one line. */
bool lab_world_own(struct lab_world *w, struct lab_message *m);
/* Another launcher's name where one of them started this process as one of several ranks; NULL:
 * none did. Fills in all but where they meet. Another number after --ranks, or (Slurm) any, makes
 * it the person's own start, as from a shell inside an allocation. */
const char *lab_world_foreign(char **argv, struct lab_world *w);
/* Where such ranks meet, --rendezvous or as the launcher says, and by what they know each other
 * (secret.h). False with one line. */
bool lab_world_place(const struct lab_options *o, struct lab_world *w, struct lab_message *m);

#endif
