/* Works on blocks that stay in the first-level cache: the block's sum is begun with rank 0's numbers and each rank's are added in turn.
 * 16-bit numbers are widened exactly; storing rounds to nearest, ties to even. All loops are branch-free, so compilers vectorise them. */
#include "lab/cpu/sum.h"

#include <string.h>

enum { BLOCK = 2048 };

static uint32_t bits_of(float x) {
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}
static float float_of(uint32_t u) {
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static float bf16_load(uint16_t h) {
    return float_of((uint32_t)h << 16);
}
static uint16_t bf16_store(float x) {
    uint32_t u = bits_of(x), rounded = (u + 0x7fff + (u >> 16 & 1)) >> 16;
    return (uint16_t)(x != x ? (u >> 16 | 0x40) : rounded);
}

/* Exponent and fraction moved into place and scaled by 2¹¹²: that is exact, and normalises what was subnormal. */
static float f16_load(uint16_t h) {
    uint32_t magnitude = (uint32_t)(h & 0x7fff) << 13, sign = (uint32_t)(h & 0x8000) << 16;
    uint32_t u = bits_of(float_of(magnitude) * 0x1p112F);
    u = (h & 0x7c00) == 0x7c00 ? magnitude | 0x7f800000 : u;
    return float_of(u | sign);
}
/* Normal results round by adding half an ulp to the bits; subnormal ones by adding 0.5, whose ulp is fp16's smallest step. */
static uint16_t f16_store(float x) {
    uint32_t u = bits_of(x), sign = u >> 16 & 0x8000, a = u & 0x7fffffff;
    uint32_t normal = (a - (112U << 23) + 0xfff + (a >> 13 & 1)) >> 13;
    uint32_t small = bits_of(float_of(a) + 0.5F) - bits_of(0.5F);
    uint32_t h = a < 113U << 23 ? small : normal;
    h = a >= 0x477ff000 ? 0x7c00 : h;                      /* 65520 and up: infinity */
    h = a > 0x7f800000 ? (0x7e00 | (a >> 13 & 0x3ff)) : h; /* NaN stays one */
    return (uint16_t)(h | sign);
}

/* acc = or += n numbers of a type, and the way back. */
#define SUM_TYPE(name, wide, narrow, load, store)                                                  \
    static void name##_first(wide *restrict acc, const narrow *restrict from, size_t n) {          \
        for (size_t i = 0; i < n; i++) acc[i] = load(from[i]);                                     \
    }                                                                                              \
    static void name##_more(wide *restrict acc, const narrow *restrict from, size_t n) {           \
        for (size_t i = 0; i < n; i++) acc[i] += load(from[i]);                                    \
    }                                                                                              \
    static void name##_last(narrow *restrict to, const wide *restrict acc, size_t n) {             \
        for (size_t i = 0; i < n; i++) to[i] = store(acc[i]);                                      \
    }
#define SAME(x) (x)
SUM_TYPE(f32, float, float, SAME, SAME)
SUM_TYPE(bf16, float, uint16_t, bf16_load, bf16_store)
SUM_TYPE(f16, float, uint16_t, f16_load, f16_store)
SUM_TYPE(f64, double, double, SAME, SAME)

static void first(float *acc, enum lab_dtype type, const void *from, size_t n) {
    if (type == LAB_F32)
        f32_first(acc, from, n);
    else if (type == LAB_BF16)
        bf16_first(acc, from, n);
    else
        f16_first(acc, from, n);
}
static void more(float *acc, enum lab_dtype type, const void *from, size_t n) {
    if (type == LAB_F32)
        f32_more(acc, from, n);
    else if (type == LAB_BF16)
        bf16_more(acc, from, n);
    else
        f16_more(acc, from, n);
}
static void last(void *to, enum lab_dtype type, const float *acc, size_t n) {
    if (type == LAB_F32)
        f32_last(to, acc, n);
    else if (type == LAB_BF16)
        bf16_last(to, acc, n);
    else
        f16_last(to, acc, n);
}
static const char *element(const void *from, enum lab_dtype type, size_t i) {
    return (const char *)from + i * lab_dtype_bytes(type);
}

static void sum_block(char *to, enum lab_dtype into, bool add, const void *const *from,
                      uint32_t ranks, enum lab_dtype type, size_t at, size_t n) {
    float acc[BLOCK];
    first(acc, type, element(from[0], type, at), n);
    for (uint32_t r = 1; r < ranks; r++) more(acc, type, element(from[r], type, at), n);
    if (add) more(acc, into, to, n);
    last(to, into, acc, n);
}
static void sum_block_f64(double *to, bool add, const void *const *from, uint32_t ranks, size_t at,
                          size_t n) {
    double acc[BLOCK];
    f64_first(acc, (const double *)from[0] + at, n);
    for (uint32_t r = 1; r < ranks; r++) f64_more(acc, (const double *)from[r] + at, n);
    if (add) f64_more(acc, to, n);
    f64_last(to, acc, n);
}

void lab_sum(void *to, enum lab_dtype into, bool add, const void *const *from, uint32_t ranks,
             enum lab_dtype type, size_t n) {
    for (size_t at = 0; at < n; at += BLOCK) {
        size_t some = n - at < BLOCK ? n - at : BLOCK;
        char *block = (char *)to + at * lab_dtype_bytes(into);
        if (type == LAB_F64)
            sum_block_f64((double *)to + at, add, from, ranks, at, some);
        else
            sum_block(block, into, add, from, ranks, type, at, some);
    }
}
