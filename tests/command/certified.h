/* certified: a learner's certificate of the real course, made once for the tests of a program, and
 * the commands that say what becomes of it. */
#ifndef COMMAND_CERTIFIED_H
#define COMMAND_CERTIFIED_H

#include "command/run.h"

#include <stddef.h>

enum { CERTIFIED_MOST = 1 << 24 };
/* of the group: the certificate's text, and where files go */
extern char *certified, *certified_folder;

/* Of a group: the learner answers the course; and takes it away again. */
int certified_earn(void **state);
int certified_leave(void **state);
/* A file of the folder, and its text: the caller's. */
char *certified_path(const char *name);
char *certified_read(const char *name);
/* Runs the program; %s in the line is a file of the folder. */
struct run certified_run(const char *format, const char *name);
/* Fails unless it ended so and said so, on the right output alone; frees it. */
void certified_ends(struct run r, int status, const char *says);
/* The same of `certificate verify`, of a file with these bytes. */
void certified_verifies(const char *text, size_t n, int status, const char *says);
/* The file has these words. */
void certified_has(const char *name, const char *says);

#endif
