/* Eight numbers at a time: how kernels read and write arrays of fp32, bf16 and fp16. They compute
 * in fp32 and round to nearest even when they store. */
#ifndef LAB_VECTOR_CUH
#define LAB_VECTOR_CUH

#include "lab/cuda/kernel.cuh"

#include "lab/arith.h"

/* For loops over registers, and for loops that should have several loads in flight. Other compilers
 * have no such pragma. */
#ifdef __CUDACC__
#define LAB_PRAGMA(text)  _Pragma(#text)
#define LAB_UNROLL(times) LAB_PRAGMA(unroll times)
#else
#define LAB_UNROLL(times)
#endif

struct lab_bf16 {
    uint16_t bits;
};
struct lab_f16 {
    uint16_t bits;
};

__host__ __device__ __forceinline__ float lab_widen(float x) {
    return x;
}
__host__ __device__ __forceinline__ float lab_widen(lab_bf16 x) {
    return lab_bf16_to_float(x.bits);
}
__host__ __device__ __forceinline__ float lab_widen(lab_f16 x) {
#ifdef __CUDA_ARCH__
    return __half2float(__ushort_as_half(x.bits));
#else
    return lab_f16_to_float(x.bits);
#endif
}
template <typename T> __host__ __device__ __forceinline__ T lab_narrow(float x);
template <> __host__ __device__ __forceinline__ float lab_narrow<float>(float x) {
    return x;
}
template <> __host__ __device__ __forceinline__ lab_bf16 lab_narrow<lab_bf16>(float x) {
#ifdef __CUDA_ARCH__
    return {__bfloat16_as_ushort(__float2bfloat16_rn(x))};
#else
    return {lab_float_to_bf16(x)};
#endif
}
template <> __host__ __device__ __forceinline__ lab_f16 lab_narrow<lab_f16>(float x) {
#ifdef __CUDA_ARCH__
    return {__half_as_ushort(__float2half_rn(x))};
#else
    return {lab_float_to_f16(x)};
#endif
}

/* Eight at a 16-byte boundary. */
__device__ __forceinline__ void lab_load8(const float *from, float (&x)[8]) {
    const float4 a = reinterpret_cast<const float4 *>(from)[0],
                 b = reinterpret_cast<const float4 *>(from)[1];
    x[0] = a.x, x[1] = a.y, x[2] = a.z, x[3] = a.w;
    x[4] = b.x, x[5] = b.y, x[6] = b.z, x[7] = b.w;
}
template <typename T> __device__ __forceinline__ void lab_load8(const T *from, float (&x)[8]) {
    const uint4 four = *reinterpret_cast<const uint4 *>(from);
    const uint32_t word[4] = {four.x, four.y, four.z, four.w};
    LAB_UNROLL(4)
    for (int i = 0; i < 4; i++) {
        x[2 * i] = lab_widen(T{static_cast<uint16_t>(word[i] & 0xffffu)});
        x[2 * i + 1] = lab_widen(T{static_cast<uint16_t>(word[i] >> 16)});
    }
}
__device__ __forceinline__ void lab_store8(float *to, const float (&x)[8]) {
    reinterpret_cast<float4 *>(to)[0] = make_float4(x[0], x[1], x[2], x[3]);
    reinterpret_cast<float4 *>(to)[1] = make_float4(x[4], x[5], x[6], x[7]);
}
template <typename T> __device__ __forceinline__ void lab_store8(T *to, const float (&x)[8]) {
    uint32_t word[4];
    LAB_UNROLL(4)
    for (int i = 0; i < 4; i++)
        word[i] = static_cast<uint32_t>(lab_narrow<T>(x[2 * i]).bits) |
                  static_cast<uint32_t>(lab_narrow<T>(x[2 * i + 1]).bits) << 16;
    *reinterpret_cast<uint4 *>(to) = make_uint4(word[0], word[1], word[2], word[3]);
}

/* Values `at` … `at + 8` of a row of `columns`: 0 beyond its end. `whole`: rows begin at 16-byte
 * boundaries and end with eight. */
template <typename T>
__device__ __forceinline__ void lab_load_part(const T *row, size_t at, size_t columns, bool whole,
                                              float (&x)[8]) {
    if (whole && at < columns) {
        lab_load8(row + at, x);
        return;
    }
    LAB_UNROLL(8)
    for (size_t e = 0; e < 8; e++) x[e] = at + e < columns ? lab_widen(row[at + e]) : 0;
}
template <typename T>
__device__ __forceinline__ void lab_store_part(T *row, size_t at, size_t columns, bool whole,
                                               const float (&x)[8]) {
    if (whole && at < columns) {
        lab_store8(row + at, x);
        return;
    }
    LAB_UNROLL(8)
    for (size_t e = 0; e < 8; e++)
        if (at + e < columns) row[at + e] = lab_narrow<T>(x[e]);
}

/* Whether all these addresses are at 16-byte boundaries; NULL is. */
template <typename... P> inline bool lab_aligned(P *...p) {
    return ((reinterpret_cast<uintptr_t>(p) | ... | 0) & 15) == 0;
}

/* Runs what follows with T standing for the type. */
#define LAB_BY_TYPE(type, ...)                                                                     \
    do {                                                                                           \
        if ((type) == LAB_F32) {                                                                   \
            using T = float;                                                                       \
            __VA_ARGS__;                                                                           \
        } else if ((type) == LAB_BF16) {                                                           \
            using T = lab_bf16;                                                                    \
            __VA_ARGS__;                                                                           \
        } else {                                                                                   \
            using T = lab_f16;                                                                     \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    } while (0)

inline unsigned lab_blocks(size_t n, size_t a_block) {
    return static_cast<unsigned>((n + a_block - 1) / a_block);
}

/* Σ over a warp, the same bits in every lane. */
__device__ __forceinline__ float lab_warp_sum(float x) {
    LAB_UNROLL(5)
    for (int o = 16; o > 0; o /= 2) x += __shfl_xor_sync(0xffffffffu, x, o);
    return x;
}
__device__ __forceinline__ float lab_warp_most(float x) {
    LAB_UNROLL(5)
    for (int o = 16; o > 0; o /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, o));
    return x;
}

#endif
