/* bf16 on the CPU: the names of CUDA's cuda_bf16.h. One operation at a time, in fp32, rounded to
 * nearest even. */
#ifndef EMULATED_CUDA_BF16_H
#define EMULATED_CUDA_BF16_H

#include "cuda_runtime.h"

#ifdef __cplusplus

struct __nv_bfloat16_raw {
    unsigned short x;
};
static inline float emulated_bf16_value(unsigned short bits) {
    return __uint_as_float(unsigned(bits) << 16);
}
static inline unsigned short emulated_bf16_from(float x) {
    unsigned u = __float_as_uint(x);
    if (x != x) return 0x7fff;
    return (unsigned short)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
}
struct alignas(2) __nv_bfloat16 {
    unsigned short bits;
    __nv_bfloat16() = default;
    __nv_bfloat16(float x) : bits(emulated_bf16_from(x)) {}
    explicit __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x) {}
    operator float() const {
        return emulated_bf16_value(bits);
    }
    operator __nv_bfloat16_raw() const {
        return {bits};
    }
};
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

static inline __nv_bfloat16 __float2bfloat16(float x) {
    return __nv_bfloat16(x);
}
static inline __nv_bfloat16 __float2bfloat16_rn(float x) {
    return __nv_bfloat16(x);
}
static inline float __bfloat162float(__nv_bfloat16 x) {
    return x;
}
static inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
    return {__nv_bfloat16(x), __nv_bfloat16(y)};
}
static inline __nv_bfloat162 __float22bfloat162_rn(float2 v) {
    return {__nv_bfloat16(v.x), __nv_bfloat16(v.y)};
}
static inline float2 __bfloat1622float2(__nv_bfloat162 v) {
    return {float(v.x), float(v.y)};
}
static inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
    return {x, y};
}
static inline float __low2float(__nv_bfloat162 v) {
    return v.x;
}
static inline float __high2float(__nv_bfloat162 v) {
    return v.y;
}
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) {
    return x.bits;
}
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
    return __nv_bfloat16(__nv_bfloat16_raw{bits});
}

#endif
#endif
