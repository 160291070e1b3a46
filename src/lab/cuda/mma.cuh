/* Tensor cores: products of 16 × 16 and 16 × 8 fragments by a warp (mma.m16n8k16, fp32 sums), and
 * their loads from shared memory (ldmatrix). In a fragment of sums lane l holds row l ÷ 4, columns
 * 2 (l mod 4) and the next, and the same of row l ÷ 4 + 8. */
#ifndef LAB_MMA_CUH
#define LAB_MMA_CUH

#include "lab/cuda/async.cuh"
#include "lab/cuda/vector.cuh"

#ifdef LAB_EMULATED

#include "ptx.h"

static inline void lab_load_fragments(uint32_t (&to)[4], const void *row) {
    emulated_ldmatrix(to, row, false);
}
static inline void lab_load_transposed(uint32_t (&to)[4], const void *row) {
    emulated_ldmatrix(to, row, true);
}
template <typename T>
static inline void lab_mma(float (&sums)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    emulated_mma(sums, a, b, std::is_same<T, lab_bf16>::value);
}
static inline float lab_exp2(float x) {
    return exp2f(x);
}

#else

__device__ __forceinline__ void lab_load_fragments(uint32_t (&to)[4], const void *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(lab_shared_address(row))
                 : "memory");
}
__device__ __forceinline__ void lab_load_transposed(uint32_t (&to)[4], const void *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(lab_shared_address(row))
                 : "memory");
}
template <typename T>
__device__ __forceinline__ void lab_mma(float (&sums)[4], const uint32_t (&a)[4],
                                        const uint32_t (&b)[2]);
template <>
__device__ __forceinline__ void lab_mma<lab_bf16>(float (&sums)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
template <>
__device__ __forceinline__ void lab_mma<lab_f16>(float (&sums)[4], const uint32_t (&a)[4],
                                                 const uint32_t (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
/* 2ˣ as the hardware has it: two units in the last place; results below 2⁻¹²⁶ are zero. */
__device__ __forceinline__ float lab_exp2(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;\n" : "=f"(y) : "f"(x));
    return y;
}

#endif

/* Two neighbours of a fragment, rounded. */
template <typename T> __device__ __forceinline__ uint32_t lab_pack(float low, float high);
template <> __device__ __forceinline__ uint32_t lab_pack<lab_bf16>(float low, float high) {
    const __nv_bfloat162 two = __floats2bfloat162_rn(low, high);
    uint32_t bits;
    memcpy(&bits, &two, sizeof bits);
    return bits;
}
template <> __device__ __forceinline__ uint32_t lab_pack<lab_f16>(float low, float high) {
    const __half2 two = __floats2half2_rn(low, high);
    uint32_t bits;
    memcpy(&bits, &two, sizeof bits);
    return bits;
}

/* Two neighbouring fragments of sums are, rounded, one left-hand fragment of 16 × 16. */
template <typename T>
__device__ __forceinline__ void lab_as_left(uint32_t (&to)[4], const float (&first)[4],
                                            const float (&second)[4]) {
    to[0] = lab_pack<T>(first[0], first[1]);
    to[1] = lab_pack<T>(first[2], first[3]);
    to[2] = lab_pack<T>(second[0], second[1]);
    to[3] = lab_pack<T>(second[2], second[3]);
}

#endif
