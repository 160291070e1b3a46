/* Dynamic loss scaling for fp16. Micikevicius et al., arXiv:1710.03740, section 3.2: start high; where gradients overflow, skip the step
 * and halve; after a long run without, double. NVIDIA's and PyTorch's defaults wait 2000 steps; runs here are shorter. */
#include "lab/engine.h"

static const double first = 65536, highest = 16777216, lowest = 1;
enum { PATIENCE = 1000 };

struct lab_scaler lab_scaler_new(const struct lab_options *o) {
    return (struct lab_scaler){.scale = o->compute == LAB_F16 ? first : 1};
}

void lab_scaler_after(struct lab_scaler *s, bool overflow) {
    if (overflow) {
        s->good = 0;
        if (s->scale > lowest) s->scale /= 2;
        return;
    }
    if (++s->good < PATIENCE) return;
    s->good = 0;
    if (s->scale < highest) s->scale *= 2;
}
