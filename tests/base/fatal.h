/* fatal.h: ends a test program that cannot go on, wherever it is: also in a child process, and
 * before cmocka runs a test. */
#ifndef TESTS_BASE_FATAL_H
#define TESTS_BASE_FATAL_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((format(printf, 1, 2))) static inline _Noreturn void fatal(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("# ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(2);
}

#endif
