/* lab.h: runs of the stand-in (zerolab.sh), for tests. */
#ifndef TESTS_TRIAL_LAB_H
#define TESTS_TRIAL_LAB_H

#include "experiment/experiment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A run of the stand-in, which misbehaves as FAKE says (NULL: not at all). */
struct experiment *lab_start(const char *arguments, const char *fake);
/* Reads it to its end; fails the test after twenty seconds. */
void lab_finish(struct experiment *t);
/* Reads until `steps` have ended. */
void lab_steps(struct experiment *t, size_t steps);
/* A run of the stand-in, recorded in a file. */
void lab_record(const char *arguments, const char *fake, const char *path);
/* Plays a recording; fails the test if it is none. */
struct experiment *lab_replay(const char *path, double speed);
/* Fails unless the experiment's trouble contains the text. */
void lab_trouble(const struct experiment *t, const char *text);

#endif
