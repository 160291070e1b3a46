/* What zerolab's process is: the launcher, one of the ranks it started, or one that another
 * launcher started. Inside the lab only. */
#ifndef LAB_ZEROLAB_H
#define LAB_ZEROLAB_H

#include "lab/backend.h"
#include "lab/world.h"

enum lab_exit { LAB_EXIT_WELL = 0, LAB_EXIT_FAILED = 1, LAB_EXIT_USAGE = 2 };

/* What the ranks of a process have in common. */
struct lab_process {
    const struct lab_options *options;
    const struct lab_backend *backend;
    const struct lab_way *way;
    struct lab_world world;
    /* threads: what their comms share; else where ranks meet, if they do */
    void *shared;
    /* the latter */
    struct lab_meet *meet;
    struct lab_sink sink;
};
/* process.c. The ranks of this process, from their first to their last word. */
bool lab_process_meet(struct lab_process *p, const struct lab_meet_hearer *hearer,
                      struct lab_message *m);
bool lab_process_run(struct lab_process *p);
/* A rank of our own launcher. */
enum lab_exit lab_process_launched(struct lab_process *p);

/* conduct.c. The launcher: events, and the run under it. */
enum lab_exit lab_conduct(const struct lab_options *o, char **argv);
/* The same where another launcher started the ranks: rank 0 writes the events, and is a rank
 * besides. */
enum lab_exit lab_conduct_joined(struct lab_process *p);

#endif
