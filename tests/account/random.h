/* Random trainings from a seed, and a name for the one that is tried, for messages. */
#ifndef RANDOM_H
#define RANDOM_H

#include "account/check.h"

extern const char *now; /* what is tried */

#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) fail_msg("%s: %s", now, #condition);                                     \
    } while (0)

uint64_t up_to(uint64_t *seed, uint64_t most);
/* From 1 to 10^powers, each power of ten as likely. */
uint64_t any_count(uint64_t *seed, int powers);
const char *one_of(uint64_t *seed, const char *const *words);
#define ONE_OF(seed, ...) one_of(seed, (const char *const[]){__VA_ARGS__, NULL})
/* As training_of(), of a format; `now` is its text. */
struct account_training random_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
