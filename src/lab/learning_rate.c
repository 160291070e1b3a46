/* Linear warm-up, then a cosine down to a tenth. */
#include "lab/engine.h"

#include <math.h>

double lab_learning_rate(const struct lab_options *o, uint32_t step) {
    if (step <= o->warmup) return o->rate * step / o->warmup;
    double done = (double)(step - 1 - o->warmup) / (double)(o->steps - o->warmup);
    return o->rate * (0.1 + 0.9 * 0.5 * (1 + cos(3.14159265358979323846 * done)));
}
