/* Time of day, which tests may fix, and a clock that never goes back. */
#include "base/base.h"

#include <errno.h>
#include <stdlib.h>

/* The moment that the environment fixes; false if it names none. */
static bool is_fixed(const char *variable, int64_t *moment) {
    const char *text = getenv(variable);
    if (!text || !text[0]) return false;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno || *end) return false;
    *moment = number;
    return true;
}

int64_t base_now(void) {
    int64_t now;
    return is_fixed("ZEROTUTOR_NOW", &now) ? now : (int64_t)time(NULL);
}

int64_t base_ticks(void) {
    struct timespec t;
    int64_t ticks;
    if (is_fixed("ZEROTUTOR_TICKS", &ticks)) return ticks;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
