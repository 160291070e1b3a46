/* Tests that run on a machine with a GPU and a C compiler and no more: checks that speak TAP, as
 * tests/run.sh reads it. C and C++. */
#ifndef TESTS_GPU_CHECK_H
#define TESTS_GPU_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct check {
    unsigned done, failed;
};

/* One check: its name, printf-like, says with its numbers what was found. */
__attribute__((format(printf, 3, 4))) static inline bool check(struct check *c, bool well,
                                                               const char *format, ...) {
    va_list list;
    va_start(list, format);
    c->failed += well ? 0 : 1;
    (void)printf("%s %u - ", well ? "ok" : "not ok", ++c->done);
    (void)vprintf(format, list);
    (void)putchar('\n');
    (void)fflush(stdout);
    va_end(list);
    return well;
}

/* The last line, and the status to end with. */
static inline int check_done(const struct check *c) {
    (void)printf("1..%u\n", c->done);
    return c->failed || c->done == 0;
}

#endif
