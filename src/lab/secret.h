/* Where the secret of a run comes from: ZEROLAB_SECRET (our own launcher draws a new one for each
 * run), or else a file that zerolab makes once for a user, $XDG_STATE_HOME/zerolab/secret or
 * ~/.local/state/zerolab/secret, in a folder that no other user may read. On one machine that file
 * tells the user's processes from everybody else's; on several it does so where they share the home
 * folder. Inside the lab only. */
#ifndef LAB_SECRET_H
#define LAB_SECRET_H

#include "lab/options.h"
#include "lab/proof.h"

enum { LAB_SECRET_LEAST = 16, LAB_SECRET_MOST = 1024, LAB_SECRET_SIZE = 2 * HASH_SHA256_BYTES + 1 };

/* Draws a new secret as text: 64 hexadecimal digits. False with one line. */
bool lab_secret_new(char out[LAB_SECRET_SIZE], struct lab_message *m);
/* Computes the key of the run that `job` names, from the user's secret. False with one line that
 * says what to set. */
bool lab_secret_key(uint64_t job, struct lab_key *key, struct lab_message *m);

#endif
