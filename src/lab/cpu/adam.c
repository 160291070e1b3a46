/* AdamW (Loshchilov and Hutter, arXiv:1711.05101): the decay is taken from the weight itself, apart from the gradient. */
#include "lab/cpu/cpu.h"

#include <math.h>

struct constants {
    float beta1, beta2, rate, eps, decay, scale,
        root; /* rate: over 1 − β1^t; root: 1 / √(1 − β2^t); decay: times the learning rate */
};

LAB_WIDE static void update(float *w, float *m, float *v, const float *gradient, size_t n,
                            struct constants c) {
    for (size_t i = 0; i < n; i++) {
        float g = gradient[i] * c.scale;
        m[i] = c.beta1 * m[i] + (1 - c.beta1) * g;
        v[i] = c.beta2 * v[i] + (1 - c.beta2) * g * g;
        w[i] -= c.rate * m[i] / (sqrtf(v[i]) * c.root + c.eps) + c.decay * w[i];
    }
}

void lab_cpu_adam(struct lab_device *d, enum lab_dtype param, enum lab_dtype grad,
                  const struct lab_adam *x) {
    (void)d;
    float line[LAB_LINE];
    struct constants c = {.beta1 = (float)x->beta1,
                          .beta2 = (float)x->beta2,
                          .rate = (float)(x->rate / (1 - pow(x->beta1, x->step))),
                          .eps = (float)x->eps,
                          .decay = (float)(x->rate * x->decay),
                          .scale = (float)x->grad_scale,
                          .root = (float)(1 / sqrt(1 - pow(x->beta2, x->step)))};
    for (size_t at = 0; at < x->n; at += LAB_LINE) {
        size_t n = x->n - at < LAB_LINE ? x->n - at : LAB_LINE;
        float *w = x->master ? x->master + at : (float *)x->param + at;
        update(w, x->m + at, x->v + at, lab_line(grad, x->grad, at, n, line), n, c);
        if (x->master) lab_line_store(param, x->param, at, n, w);
    }
}
