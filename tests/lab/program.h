/* Runs zerolab as a program, and keeps what it writes. */
#ifndef TEST_PROGRAM_H
#define TEST_PROGRAM_H

#include <stddef.h>

/* a model that trains in a moment */
#define PROGRAM_SHAPE "--layers 2 --width 16 --heads 2 --seq 8 --vocab 64 "

enum { PROGRAM_TEXT = 1 << 20 };
/* Standard output of the run before. */
extern char program_output[PROGRAM_TEXT];
/* Runs it with these words and redirections; its exit status, −1 if it has none. The second adds
 * standard error to the output. */
int program_redirected(const char *words);
int program_run(const char *words);
/* How often the output has it. */
size_t program_count(const char *needle);

#endif
