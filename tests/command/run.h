/* run: the program as a subprocess, and what came of it. */
#ifndef TESTS_COMMAND_RUN_H
#define TESTS_COMMAND_RUN_H

enum { RUN_WORDS_MOST = 32 };

struct run {
    /* exit status, or 128 + the signal that ended it */
    int status;
    char *out, *err;
    /* milliseconds of processor time */
    double ms;
};
/* Runs $ZEROTUTOR with words parted by single blanks; 'quoted words' stay whole. `in` is what it
 * reads, or NULL for nothing. */
struct run run_line(const char *line, const char *in);
/* The same, standard output going to this descriptor: `out` is then "". */
struct run run_line_to(const char *line, int output);
void run_free(struct run *r);

#endif
