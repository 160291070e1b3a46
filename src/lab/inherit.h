/* What a rank inherits from its launcher, by environment: which rank it is, and which of its open
 * files are what. */
#ifndef LAB_INHERIT_H
#define LAB_INHERIT_H

#include <stdint.h>

#define LAB_ENV_RANK       "ZEROLAB_RANK"
#define LAB_ENV_LOCAL_RANK "ZEROLAB_LOCAL_RANK"
#define LAB_ENV_RANKS      "ZEROLAB_RANKS"
#define LAB_ENV_MEMORY                                                                             \
    "ZEROLAB_MEMORY" /* "3,4,5": the control block, then each rank's arena (shm only) */
#define LAB_ENV_LINES                                                                              \
    "ZEROLAB_LINES" /* "6,7": each rank's pipe to the launcher; a process has only its own ranks' */
/* Where ranks meet (nccl only): the port at 127.0.0.1, rank 0's socket that listens there, and the
 * run's secret, which /proc shows to no other user. A person may set the secret too, for ranks that
 * another launcher starts. */
#define LAB_ENV_PORT     "ZEROLAB_PORT"
#define LAB_ENV_LISTENER "ZEROLAB_LISTENER"
#define LAB_ENV_SECRET   "ZEROLAB_SECRET"

/* The i-th number of such a list; −1 if there is none. */
int lab_inherited(const char *list, uint32_t i);

#endif
