/* AdamW. */
#include "lab/arith.h"
#include "lab/cpu/cpu.h"

LAB_WIDE static void update(float *w, float *m, float *v, const float *gradient, size_t n,
                            struct lab_adam_factors f) {
    for (size_t i = 0; i < n; i++) lab_adam_update(&w[i], &m[i], &v[i], gradient[i], &f);
}

static void update_piece(enum lab_dtype param, enum lab_dtype grad, const struct lab_adam *x,
                         size_t from, size_t to, struct lab_adam_factors f) {
    float line[LAB_LINE];
    for (size_t at = from; at < to; at += LAB_LINE) {
        size_t n = to - at < LAB_LINE ? to - at : LAB_LINE;
        float *w = x->master ? x->master + at : (float *)x->param + at;
        update(w, x->m + at, x->v + at, lab_line(grad, x->grad, at, n, line), n, f);
        if (x->master) lab_line_store(param, x->param, at, n, w);
    }
}

void lab_cpu_adam(struct lab_device *d, enum lab_dtype param, enum lab_dtype grad,
                  const struct lab_adam *x) {
    size_t from = 0;
    (void)d;
    for (size_t i = 0; i < x->pieces; from = x->piece[i++].end)
        update_piece(param, grad, x, from, x->piece[i].end,
                     lab_adam_factors(x, x->piece[i].decays));
    update_piece(param, grad, x, from, x->pieces ? from : x->n, lab_adam_factors(x, true));
}
