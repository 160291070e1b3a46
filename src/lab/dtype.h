/* Types of elements, and their sizes. */
#ifndef LAB_DTYPE_H
#define LAB_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lab_dtype { LAB_F32, LAB_BF16, LAB_F16, LAB_F64, LAB_DTYPES };

static inline size_t lab_dtype_bytes(enum lab_dtype t) {
    static const size_t bytes[LAB_DTYPES] = {4, 2, 2, 8};
    return bytes[t];
}
/* "fp32", "bf16", "fp16", "fp64". */
static inline const char *lab_dtype_name(enum lab_dtype t) {
    static const char *const names[LAB_DTYPES] = {"fp32", "bf16", "fp16", "fp64"};
    return names[t];
}

#endif
