/* The arithmetic of the kernels on one line of numbers, in fp32 and in fp64: cores_text.h, compiled
 * twice. */
#ifndef LAB_CORES_H
#define LAB_CORES_H

#include "lab/cpu/cpu.h"

struct lab_cores {
    void (*add)(void *to, const void *a, const void *b, size_t n);
    void (*gelu)(void *y, const void *x, size_t n);
    void (*gelu_backward)(void *dx, const void *dy, const void *x, size_t n);
    void (*norm)(void *y, const void *x, const void *weight, const void *bias, size_t n);
    /* dx = (old dx where `add`) + …; dweight and dbias grow */
    void (*norm_backward)(void *dx, bool add, void *dweight, void *dbias, const void *dy,
                          const void *x, const void *weight, size_t n);
    /* in place */
    void (*softmax)(void *x, size_t n);
    /* dp becomes the gradient of what softmax was taken of, times scale */
    void (*softmax_backward)(void *dp, const void *p, size_t n, double scale);
    /* x becomes (softmax − onehot) · scale; −log p of the target */
    double (*cross_entropy)(void *x, size_t n, size_t target, double scale);
};
extern const struct lab_cores lab_cores_float, lab_cores_double;

static inline const struct lab_cores *lab_cores(enum lab_dtype type) {
    return type == LAB_F64 ? &lab_cores_double : &lab_cores_float;
}

#endif
