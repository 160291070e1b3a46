/* fp16 on the CPU: the names of CUDA's cuda_fp16.h. One operation at a time, in fp32, rounded to
 * nearest even. */
#ifndef EMULATED_CUDA_FP16_H
#define EMULATED_CUDA_FP16_H

#include "cuda_runtime.h"

#ifdef __cplusplus

struct __half_raw {
    unsigned short x;
};
static inline float emulated_fp16_value(unsigned short bits) {
    unsigned exponent = bits >> 10 & 31u, fraction = bits & 1023u;
    float sign = bits >> 15 ? -1.0f : 1.0f;
    if (exponent == 31) return fraction ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * float(fraction) * 0x1p-24f;
    return sign * ldexpf(float(1024u + fraction), int(exponent) - 25);
}
static inline unsigned short emulated_fp16_from(float x) {
    unsigned sign = __float_as_uint(x) >> 16 & 0x8000u;
    float size = fabsf(x);
    if (x != x) return 0x7fff;
    if (size >= 65520.0f) return (unsigned short)(sign | 0x7c00u);
    if (size < 0x1p-14f) return (unsigned short)(sign | unsigned(nearbyintf(size * 0x1p24f)));
    unsigned u = __float_as_uint(size) - (112u << 23);
    return (unsigned short)(sign | (u + 0xfffu + (u >> 13 & 1u)) >> 13);
}
struct alignas(2) __half {
    unsigned short bits;
    __half() = default;
    __half(float x) : bits(emulated_fp16_from(x)) {}
    explicit __half(__half_raw raw) : bits(raw.x) {}
    operator float() const {
        return emulated_fp16_value(bits);
    }
    operator __half_raw() const {
        return {bits};
    }
};
struct alignas(4) __half2 {
    __half x, y;
};
using half = __half;
using half2 = __half2;

static inline __half __float2half(float x) {
    return __half(x);
}
static inline __half __float2half_rn(float x) {
    return __half(x);
}
static inline float __half2float(__half x) {
    return x;
}
static inline __half2 __floats2half2_rn(float x, float y) {
    return {__half(x), __half(y)};
}
static inline __half2 __float22half2_rn(float2 v) {
    return {__half(v.x), __half(v.y)};
}
static inline float2 __half22float2(__half2 v) {
    return {float(v.x), float(v.y)};
}
static inline __half2 __halves2half2(__half x, __half y) {
    return {x, y};
}
static inline float __low2float(__half2 v) {
    return v.x;
}
static inline float __high2float(__half2 v) {
    return v.y;
}
static inline unsigned short __half_as_ushort(__half x) {
    return x.bits;
}
static inline __half __ushort_as_half(unsigned short bits) {
    return __half(__half_raw{bits});
}

#endif
#endif
