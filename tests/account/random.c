#include "account/random.h"

#include <stdio.h>

const char *now = "";

uint64_t up_to(uint64_t *seed, uint64_t most) {
    return 1 + chance(seed) % most;
}

uint64_t any_count(uint64_t *seed, int powers) {
    uint64_t scale = 1;
    for (uint64_t i = chance(seed) % (uint64_t)powers; i > 0; i--) scale *= 10;
    return scale + chance(seed) % (9 * scale);
}

const char *one_of(uint64_t *seed, const char *const *words) {
    size_t count = 0;
    while (words[count]) count++;
    return words[chance(seed) % count];
}

struct account_training random_of(const char *format, ...) {
    static char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    now = text;
    return training_of(text);
}
