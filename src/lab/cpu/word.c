#include "lab/cpu/word.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#define SECOND 1000000000
enum { SLEEP_MS = 500 }; /* less is only late */

static int64_t clock_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}
int64_t lab_now(void) {
    return clock_of(CLOCK_MONOTONIC);
}
int64_t lab_slept(int64_t *looked, int tick_ms) {
    int64_t now = lab_now(), gap = now - *looked - tick_ms * 1000000LL;
    bool first = *looked == 0;
    *looked = now;
    return first || gap < SLEEP_MS * 1000000LL ? 0 : gap;
}
static struct timespec timespec_of(int64_t ns) {
    return (struct timespec){.tv_sec = (time_t)(ns / SECOND), .tv_nsec = (long)(ns % SECOND)};
}

#ifdef LAB_FUTEX
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

void lab_word_init(struct lab_word *w) {
    atomic_init(&w->value, 0);
}
void lab_word_wait(struct lab_word *w, uint32_t seen, int64_t until) {
    int64_t left = until - lab_now();
    if (until && left <= 0) return;
    struct timespec t = timespec_of(until ? left : 0);
    syscall(SYS_futex, &w->value, FUTEX_WAIT, seen, until ? &t : NULL, NULL, 0);
}
void lab_word_wake(struct lab_word *w) {
    syscall(SYS_futex, &w->value, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

#else
/* Elsewhere in POSIX. The waker takes the mutex, so no thread can look at the value and then miss
 * the call. */

void lab_word_init(struct lab_word *w) {
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;
    pthread_mutexattr_init(&mutex);
    pthread_condattr_init(&cond);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&w->mutex, &mutex);
    pthread_cond_init(&w->changed, &cond);
    pthread_mutexattr_destroy(&mutex);
    pthread_condattr_destroy(&cond);
    atomic_init(&w->value, 0);
}
void lab_word_wait(struct lab_word *w, uint32_t seen, int64_t until) {
    struct timespec t = timespec_of(clock_of(CLOCK_REALTIME) + (until ? until - lab_now() : 0));
    int late = 0;
    pthread_mutex_lock(&w->mutex);
    while (!late && atomic_load(&w->value) == seen)
        late = until ? pthread_cond_timedwait(&w->changed, &w->mutex, &t)
                     : pthread_cond_wait(&w->changed, &w->mutex);
    pthread_mutex_unlock(&w->mutex);
}
void lab_word_wake(struct lab_word *w) {
    pthread_mutex_lock(&w->mutex);
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->mutex);
}
#endif
