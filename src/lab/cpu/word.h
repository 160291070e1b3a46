/* A number in memory that threads of one or more processes wait on, blocked, until it changes. */
#ifndef LAB_WORD_H
#define LAB_WORD_H

#include <stdatomic.h>
#include <stdint.h>

#if defined(__linux__) && !defined(LAB_NO_FUTEX)
#define LAB_FUTEX 1
#else
#include <pthread.h>
#endif

struct lab_word {
    _Atomic uint32_t value;
#ifndef LAB_FUTEX
    pthread_mutex_t mutex;
    pthread_cond_t changed;
#endif
};
void lab_word_init(struct lab_word *w);
/* Returns when the value is not `seen`, when lab_now() has reached `until` (0: never), or now and
 * then for no reason: look again. */
void lab_word_wait(struct lab_word *w, uint32_t seen, int64_t until);
/* After the value was changed: everybody who waits goes on. */
void lab_word_wake(struct lab_word *w);

/* How long this process itself did not run (^Z) between *looked, which becomes now, and now, where
 * it looks every `tick_ms`: that time is not held against others. */
int64_t lab_slept(int64_t *looked, int tick_ms);
/* Nanoseconds; the same clock in all processes of a machine, never set back. */
int64_t lab_now(void);

#endif
