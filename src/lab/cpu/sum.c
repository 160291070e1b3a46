/* Works on blocks that stay in the first-level cache: the block's sum is begun with rank 0's
 * numbers and each rank's are added in turn. 16-bit numbers are widened exactly, and so is what is
 * stored in steps; storing rounds to nearest, ties to even. All loops are branch-free, so compilers
 * vectorise them. */
#include "lab/cpu/sum.h"

#include "lab/arith.h"
#include "lab/cpu/blocks.h"

#include <string.h>

enum { BLOCK = 2048 };

/* `what` for every i below n: in runs of a fixed length, which compilers turn into vectors at any
 * level of optimisation. */
#define RUN 32
#define EACH(n, what)                                                                              \
    do {                                                                                           \
        size_t i = 0;                                                                              \
        for (size_t stop = (n) - (n) % RUN; i < stop;)                                             \
            for (int k = 0; k < RUN; k++, i++) (what);                                             \
        for (; i < (n); i++) (what);                                                               \
    } while (0)

/* acc = or += n numbers of a type, and the way back. */
typedef float f32_wide, f32_narrow, bf16_wide, f16_wide;
typedef uint16_t bf16_narrow, f16_narrow;
typedef double f64_wide, f64_narrow;
#define SUM_TYPE(type, load, store)                                                                \
    static void type##_first(type##_wide *restrict acc, const type##_narrow *restrict from,        \
                             size_t n) {                                                           \
        EACH(n, acc[i] = load(from[i]));                                                           \
    }                                                                                              \
    static void type##_more(type##_wide *restrict acc, const type##_narrow *restrict from,         \
                            size_t n) {                                                            \
        EACH(n, acc[i] += load(from[i]));                                                          \
    }                                                                                              \
    static void type##_last(type##_narrow *restrict to, const type##_wide *restrict acc,           \
                            size_t n) {                                                            \
        EACH(n, to[i] = store(acc[i]));                                                            \
    }
#define SAME(x) (x)
SUM_TYPE(f32, SAME, SAME)
SUM_TYPE(bf16, lab_bf16_to_float, lab_float_to_bf16)
SUM_TYPE(f16, lab_f16_to_float, lab_float_to_f16)
SUM_TYPE(f64, SAME, SAME)

static void first(float *acc, enum lab_dtype type, const void *from, size_t n) {
    if (type == LAB_F32)
        f32_first(acc, from, n);
    else if (type >= LAB_DTYPES)
        lab_blocks_load(type, acc, from, n);
    else if (type == LAB_BF16)
        bf16_first(acc, from, n);
    else
        f16_first(acc, from, n);
}
static void more(float *acc, enum lab_dtype type, const void *from, size_t n) {
    float line[BLOCK];
    if (type >= LAB_DTYPES) {
        lab_blocks_load(type, line, from, n);
        f32_more(acc, line, n);
    } else if (type == LAB_F32)
        f32_more(acc, from, n);
    else if (type == LAB_BF16)
        bf16_more(acc, from, n);
    else
        f16_more(acc, from, n);
}
static void last(void *to, enum lab_dtype type, const float *acc, size_t n) {
    if (type == LAB_F32)
        f32_last(to, acc, n);
    else if (type >= LAB_DTYPES)
        lab_blocks_store(type, to, acc, n);
    else if (type == LAB_BF16)
        bf16_last(to, acc, n);
    else
        f16_last(to, acc, n);
}
static const char *element(const void *from, enum lab_dtype type, size_t i) {
    return (const char *)from + lab_dtype_size(type, i);
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
        char *block = (char *)to + lab_dtype_size(into, at);
        if (type == LAB_F64)
            sum_block_f64((double *)to + at, add, from, ranks, at, some);
        else
            sum_block(block, into, add, from, ranks, type, at, some);
    }
}
