/* run: the program as a subprocess, and what came of it. */
#ifndef TESTS_COMMAND_RUN_H
#define TESTS_COMMAND_RUN_H

#include <stddef.h>

enum { RUN_WORDS_MOST = 32 };

struct run {
    /* exit status, or 128 + the signal that ended it */
    int status;
    char *out, *err;
    /* milliseconds of processor time */
    double ms;
    /* of the processes below it, by run_line_killing() */
    size_t killed;
};
/* Runs $ZEROTUTOR with words parted by single blanks; 'quoted words' stay whole. `in` is what it
 * reads, or NULL for nothing. */
struct run run_line(const char *line, const char *in);
/* The same, standard output going to this descriptor: `out` is then "". */
struct run run_line_to(const char *line, int output);
/* The same with nothing to read, while the processes that it starts are killed as they appear,
 * `kills` of them at most. */
struct run run_line_killing(const char *line, size_t kills);
/* What it prints, the caller's; the test fails if the program does, or says anything else. */
char *run_printed(const char *line);
void run_free(struct run *r);

#endif
