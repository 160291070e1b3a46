#include "lab/dtype.h"

const char *lab_dtype_name(enum lab_dtype t) {
    static const char *const names[LAB_DTYPES] = {"fp32", "bf16", "fp16", "fp64"};
    return names[t];
}
