/* Starting the ranks as processes and staying with them to the end. The process a person starts is
 * the launcher: it executes itself once for every rank (comm local: once for all of them), passes
 * on the lines they write, and ends the whole run when one of them fails. It alone writes events.
 * In main():
 *
 *     in the launcher      if (!lab_launched()) return lab_launch(&options, argv, …) ? 0 : 1;
 *     in a rank            comm = lab_shm_open(…), which rank it is: lab_launch_rank()
 *     in the process of    comm = lab_local_open(lab_local_new(…), r), each in a thread
 *     all ranks
 *
 * No process and no shared memory outlives lab_launch(), nor a launcher that is killed. */
#ifndef LAB_LAUNCH_H
#define LAB_LAUNCH_H

#include "lab/ledger.h"

enum { LAB_RANKS_MAX = 64 };

/* ── what a rank inherits, by environment ── */

#define LAB_ENV_RANK       "ZEROLAB_RANK"
#define LAB_ENV_LOCAL_RANK "ZEROLAB_LOCAL_RANK"
#define LAB_ENV_RANKS      "ZEROLAB_RANKS"
/* "3,4,5": the control block, then each rank's arena (shm only). */
#define LAB_ENV_MEMORY "ZEROLAB_MEMORY"
/* "6,7": each rank's pipe to the launcher. A process has only its own ranks' pipes. */
#define LAB_ENV_LINES "ZEROLAB_LINES"
/* Where ranks meet (nccl only): the port at 127.0.0.1, rank 0's socket that listens there, and the
 * run's secret, which /proc shows to no other user. A person may set the secret too, for ranks that
 * another launcher starts. */
#define LAB_ENV_PORT     "ZEROLAB_PORT"
#define LAB_ENV_LISTENER "ZEROLAB_LISTENER"
#define LAB_ENV_SECRET   "ZEROLAB_SECRET"

/* The i-th number of such a list; −1 if there is none. */
int lab_inherited(const char *list, uint32_t i);

/* ── in a rank ── */
/* Whether this process was started by a launcher. */
bool lab_launched(void);
/* Which rank it is; 0 for comm local, whose ranks are this process's threads. */
uint32_t lab_launch_rank(void);
/* One line (no newline in it) from a rank to the launcher. Each rank has a pipe of its own, so
 * ranks that are threads may call this side by side. False if there is no launcher any more. */
bool lab_launch_write(uint32_t rank, const char *line);

/* ── in the launcher ── */
/* Called once for every line, in the order in which a rank wrote them; `line` lives until it
 * returns. */
typedef void lab_launch_line(void *self, uint32_t rank, const char *line);
enum lab_heard { LAB_HEARD_ALL, LAB_HEARD_MORE, LAB_HEARD_LOST };
struct lab_hearer {
    lab_launch_line *line;
    /* Passes on what came of the lines, waiting up to `ms` if no program takes it. While MORE is
     * left no lines are read; where it is LOST the run ends. NULL: nothing is ever left. */
    enum lab_heard (*settle)(void *self, int ms);
    void *self;
};

enum lab_ending {
    /* every rank returned 0 */
    LAB_ENDED_WELL,
    /* A rank ended by itself, with a status other than 0 or before the others: it said why in its
     * lines. */
    LAB_ENDED_STATUS,
    /* a rank was killed */
    LAB_ENDED_SIGNAL,
    /* A rank stood still while others waited for it, or all waited for each other. */
    LAB_ENDED_HANG,
    /* SIGINT, SIGTERM, SIGHUP, SIGQUIT */
    LAB_ENDED_CANCELLED,
    /* what came of the lines could not be passed on */
    LAB_ENDED_LOST,
    /* the ranks could not be started */
    LAB_ENDED_START
};
struct lab_launch_end {
    enum lab_ending ending;
    /* the first that failed; −1: none in particular */
    int rank;
    /* that killed it, or that cancelled the run */
    int signal;
    /* where that rank last said it was */
    struct lab_where where;
    /* Exit status of each rank; 128 + signal where one was killed (also by the launcher, in the
     * end). */
    int status[LAB_RANKS_MAX];
    /* The cause in a sentence, without rank and place: "killed by signal 9 (Killed)"; "" if it
     * ended well. */
    char text[300];
};
/* Runs `options->ranks` ranks of this program with these arguments to their end. True if all went
 * well. Uses SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGTSTP (the ranks stop with it) while it runs,
 * where they are not ignored, and gives them back. */
bool lab_launch(const struct lab_options *options, char **argv, const struct lab_hearer *hearer,
                struct lab_launch_end *end);

#endif
