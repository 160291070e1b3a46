/* timing.h: what the measurements share: the clock, the order of times, and the end of a program in
 * a terminal. */
#ifndef TESTS_BENCH_TIMING_H
#define TESTS_BENCH_TIMING_H

#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* For qsort() of doubles. */
static inline int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Ends the program as a closed terminal would; one that does not take the hint is killed. */
static inline void stop(pid_t pid, int terminal) {
    close(terminal);
    for (int waited = 0; waited < 200; waited++) {
        if (waitpid(pid, NULL, WNOHANG) == pid) return;
        usleep(5000);
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

#endif
