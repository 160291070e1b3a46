/* Types of elements, and their sizes. */
#ifndef LAB_DTYPE_H
#define LAB_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Those after LAB_DTYPES are blocks of LAB_QUANTUM elements behind an fp32 scale. Nothing is
 * computed in them: they are for what is sent (Q8, Q4: steps of equal size) and for an optimizer's
 * moments (SIGNED8, SQUARE8: steps that grow with the value). blocks.h has their arithmetic. */
enum lab_dtype {
    LAB_F32,
    LAB_BF16,
    LAB_F16,
    LAB_F64,
    LAB_DTYPES,
    LAB_Q8 = LAB_DTYPES,
    LAB_Q4,
    LAB_SIGNED8,
    LAB_SQUARE8,
    LAB_STORED
};
enum { LAB_QUANTUM = 256 };

static inline size_t lab_dtype_bytes(enum lab_dtype t) {
    static const size_t bytes[LAB_DTYPES] = {4, 2, 2, 8};
    return bytes[t];
}
/* Bytes of n elements. Of blocks, n is a multiple of LAB_QUANTUM. */
static inline size_t lab_dtype_size(enum lab_dtype t, size_t n) {
    size_t codes = t == LAB_Q4 ? LAB_QUANTUM / 2 : LAB_QUANTUM;
    return t < LAB_DTYPES ? n * lab_dtype_bytes(t) : n / LAB_QUANTUM * (sizeof(float) + codes);
}
/* "fp32", "bf16", "fp16", "fp64", "int8" … */
static inline const char *lab_dtype_name(enum lab_dtype t) {
    static const char *const names[LAB_STORED] = {"fp32", "bf16", "fp16",          "fp64",
                                                  "int8", "int4", "8-bit moments", "8-bit squares"};
    return names[t];
}

#endif
