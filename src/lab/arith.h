/* The arithmetic of the kernels, one number at a time: written once, compiled for the CPU and for
 * GPUs. What is a formula in fp32 and (for tests of the CPU) in fp64 stands in arith_text.h;
 * lab_gelu_float() and lab_gelu_double() come of it.
 *
 * Under nvcc a few operations are the hardware's own, which are as good in what they are used for
 * and cost one instruction: e^x, and a quotient. */
#ifndef LAB_ARITH_H
#define LAB_ARITH_H

#include "lab/device.h"

#include <math.h>
#include <string.h>

#ifdef __CUDACC__
#define LAB_BOTH static __host__ __device__ __forceinline__
#else
#define LAB_BOTH static inline
#endif

/* ── one 16-bit value to fp32 and back ──
 *
 * Rounds to nearest even, without branches, which would keep compilers from vectorising a loop. */

LAB_BOTH uint32_t lab_bits_of(float f) {
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}
LAB_BOTH float lab_float_of(uint32_t u) {
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* Chosen by a mask: compilers make branches of ?: here, and then no vectors. */
LAB_BOTH uint32_t lab_pick(uint32_t first, uint32_t a, uint32_t b) {
    uint32_t mask = 0 - first;
    return (a & mask) | (b & ~mask);
}

LAB_BOTH float lab_bf16_to_float(uint16_t h) {
    return lab_float_of((uint32_t)h << 16);
}
LAB_BOTH uint16_t lab_float_to_bf16(float f) {
    uint32_t u = lab_bits_of(f), rounded = (u + 0x7fffu + (u >> 16 & 1u)) >> 16;
    return (uint16_t)lab_pick((u & 0x7fffffffu) > 0x7f800000u, u >> 16 | 0x40u, rounded);
}

/* Exponent and fraction moved into place and scaled by 2¹¹²: that is exact, and normalises what was
 * subnormal. An exponent of ones (Inf, NaN) carries into bit 15, and stays one of ones. */
LAB_BOTH float lab_f16_to_float(uint16_t h) {
    const float up = 5192296858534827628530496329220096.0F; /* 2¹¹² */
    uint32_t rest = (uint32_t)(h & 0x7fffu) << 13, sign = (uint32_t)(h & 0x8000u) << 16;
    uint32_t ones = (0 - (((uint32_t)(h & 0x7fffu) + 0x400u) >> 15)) & 0x7f800000u;
    return lab_float_of(lab_bits_of(lab_float_of(rest) * up) | ones | sign);
}
/* Normal results round by adding half an ulp to the bits; subnormal ones by adding 0.5, whose ulp
 * is fp16's smallest step. */
LAB_BOTH uint16_t lab_float_to_f16(float f) {
    uint32_t u = lab_bits_of(f), rest = u & 0x7fffffffu;
    uint32_t normal = (rest - (112u << 23) + 0xfffu + (rest >> 13 & 1u)) >> 13;
    uint32_t small = lab_bits_of(lab_float_of(rest) + 0.5f) - lab_bits_of(0.5f);
    uint32_t half = lab_pick(rest < 113u << 23, small, normal);
    half = lab_pick(rest >= 0x477ff000u, 0x7c00u, half); /* 65520 and up: infinity */
    half = lab_pick(rest > 0x7f800000u, 0x7e00u | (rest >> 13 & 0x3ffu), half);
    return (uint16_t)((u >> 16 & 0x8000u) | half);
}

/* ── e^x and a quotient ── */

/* To about 2 units in the last place: x = k ln 2 + r with |r| ≤ ln 2 / 2, a polynomial in r
 * (Taylor's, whose rest is under 2^-25 there), and k put into the exponent. Adding 1.5 · 2^23
 * rounds to a whole number and leaves it in the low bits. No branch, no table, so that loops with
 * it become vectors. */
LAB_BOTH float lab_exp_float(float x) {
#ifdef __CUDA_ARCH__
    return __expf(x);
#else
    x = x < -87 ? -87 : x;
    x = x > 88 ? 88 : x;
    float shifted = x * 1.44269504f + 12582912.f, k = shifted - 12582912.f;
    float r = x - k * 0.693359375f + k * 2.12194440e-4f;
    float p =
        1 +
        r * (1 + r * (0.5f + r * (1 / 6.f + r * (1 / 24.f + r * (1 / 120.f + r * (1 / 720.f))))));
    return p * lab_float_of((lab_bits_of(shifted) << 23) + 0x3f800000u);
#endif
}
LAB_BOTH float lab_over_float(float a, float b) {
#ifdef __CUDA_ARCH__
    return __fdividef(a, b);
#else
    return a / b;
#endif
}
LAB_BOTH float lab_root_float(float x) {
    return sqrtf(x);
}
LAB_BOTH double lab_exp_double(double x) {
    return exp(x);
}
LAB_BOTH double lab_over_double(double a, double b) {
    return a / b;
}
LAB_BOTH double lab_root_double(double x) {
    return sqrt(x);
}

/* ── the formulas, twice ── */

#define LAB_REAL       float
#define LAB_NAME(name) lab_##name##_float
#include "lab/arith_text.h"
#undef LAB_REAL
#undef LAB_NAME
#define LAB_REAL       double
#define LAB_NAME(name) lab_##name##_double
#include "lab/arith_text.h"
#undef LAB_REAL
#undef LAB_NAME

/* ── AdamW (Loshchilov and Hutter, arXiv:1711.05101) ──
 *
 * The decay is taken from the weight itself, apart from the gradient. */

struct lab_adam_factors {
    /* rate: over 1 − β1^t. root: 1 / √(1 − β2^t). decay: times the learning rate. */
    float beta1, beta2, rate, eps, decay, scale, root;
};
static inline struct lab_adam_factors lab_adam_factors(const struct lab_adam *x, bool decays) {
    struct lab_adam_factors f;
    f.beta1 = (float)x->beta1;
    f.beta2 = (float)x->beta2;
    f.rate = (float)(x->rate / (1 - pow(x->beta1, x->step)));
    f.eps = (float)x->eps;
    f.decay = decays ? (float)(x->rate * x->decay) : 0;
    f.scale = (float)x->grad_scale;
    f.root = (float)(1 / sqrt(1 - pow(x->beta2, x->step)));
    return f;
}
/* a · b + c, rounded twice. Left to itself nvcc fuses some of them, and not the same ones in every
 * loop: but a weight must have the same bits wherever its shard begins. */
LAB_BOTH float lab_times_plus(float a, float b, float c) {
#ifdef __CUDA_ARCH__
    return __fadd_rn(__fmul_rn(a, b), c);
#else
    return a * b + c;
#endif
}
LAB_BOTH void lab_adam_update(float *w, float *m, float *v, float gradient,
                              const struct lab_adam_factors *f) {
    float g = gradient * f->scale, part = (1 - f->beta1) * g;
    *m = lab_times_plus(f->beta1, *m, part);
    part = (1 - f->beta2) * g * g;
    *v = lab_times_plus(f->beta2, *v, part);
    part = f->rate * *m / lab_times_plus(sqrtf(*v), f->root, f->eps);
    *w -= lab_times_plus(f->decay, *w, part);
}

#endif
