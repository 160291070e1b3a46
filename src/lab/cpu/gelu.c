/* Kernels element by element. */
#include "lab/cpu/cores.h"

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

void lab_cpu_gelu(struct lab_device *d, enum lab_dtype type, void *y, const void *x, size_t n) {
    (void)d;
    float in[LAB_LINE], out[LAB_LINE];
    for (size_t at = 0; at < n; at += LAB_LINE) {
        size_t count = least(LAB_LINE, n - at);
        void *to = lab_line_place(type, y, at, out);
        lab_cores(type)->gelu(to, lab_line(type, x, at, count, in), count);
        lab_line_store(type, y, at, count, to);
    }
}

void lab_cpu_gelu_backward(struct lab_device *d, enum lab_dtype type, void *dx, const void *dy,
                           const void *x, size_t n) {
    (void)d;
    float in[LAB_LINE], from[LAB_LINE], out[LAB_LINE];
    for (size_t at = 0; at < n; at += LAB_LINE) {
        size_t count = least(LAB_LINE, n - at);
        void *to = lab_line_place(type, dx, at, out);
        lab_cores(type)->gelu_backward(to, lab_line(type, dy, at, count, from),
                                       lab_line(type, x, at, count, in), count);
        lab_line_store(type, dx, at, count, to);
    }
}

void lab_cpu_add(struct lab_device *d, enum lab_dtype type, void *to, const void *a, const void *b,
                 size_t n) {
    (void)d;
    float first[LAB_LINE], second[LAB_LINE], out[LAB_LINE];
    for (size_t at = 0; at < n; at += LAB_LINE) {
        size_t count = least(LAB_LINE, n - at);
        void *sum = lab_line_place(type, to, at, out);
        lab_cores(type)->add(sum, lab_line(type, a, at, count, first),
                             lab_line(type, b, at, count, second), count);
        lab_line_store(type, to, at, count, sum);
    }
}
