#include "lab/cuda/rank_sum.h"

#include "lab/arith.h"
#include "lab/cuda/kernel.cuh"

/* Numbers as they are stored, and as they are summed. */
struct f32_number {
    typedef float stored, wide;
    static __device__ float load(float x) {
        return x;
    }
    static __device__ float store(float x) {
        return x;
    }
};
struct bf16_number {
    typedef uint16_t stored;
    typedef float wide;
    static __device__ float load(uint16_t x) {
        return lab_bf16_to_float(x);
    }
    static __device__ uint16_t store(float x) {
        return lab_float_to_bf16(x);
    }
};
struct f16_number {
    typedef uint16_t stored;
    typedef float wide;
    static __device__ float load(uint16_t x) {
        return lab_f16_to_float(x);
    }
    static __device__ uint16_t store(float x) {
        return lab_float_to_f16(x);
    }
};
struct f64_number {
    typedef double stored, wide;
    static __device__ double load(double x) {
        return x;
    }
    static __device__ double store(double x) {
        return x;
    }
};

enum { THREADS = 256, BLOCKS = 1024, BYTES = 16 }; /* BYTES: what a thread reads at a time */
template <class T> struct alignas(BYTES) lab_pack { T at[BYTES / sizeof(T)]; };

/* K numbers at i, widened. K > 1 if all addresses allow whole packs. */
template <class Number, int K>
static __device__ void load_some(typename Number::wide (&out)[K], const void *from, size_t i) {
    typedef typename Number::stored stored;
    const stored *at = (const stored *)from + i;
    lab_pack<stored> pack = {};
    if (K > 1)
        pack = *(const lab_pack<stored> *)at;
    else
        pack.at[0] = *at;
    for (int k = 0; k < K; k++) out[k] = Number::load(pack.at[k]);
}
/* Elements [i, i + K) by one thread. */
template <class From, class To, int K>
static __device__ void sum_some(const struct lab_rank_sum &x, size_t i) {
    typedef typename From::wide wide;
    typename To::stored *to = (typename To::stored *)x.to + i;
    wide sum[K], more[K];
    load_some<From, K>(sum, x.from[0], i);
    for (uint32_t r = 1; r < x.ranks; r++) {
        load_some<From, K>(more, x.from[r], i);
        for (int k = 0; k < K; k++) sum[k] += more[k];
    }
    if (x.add)
        for (int k = 0; k < K; k++) sum[k] += To::load(to[k]);
    for (int k = 0; k < K; k++) to[k] = To::store(sum[k]);
}
template <class From, class To>
__global__ void __launch_bounds__(THREADS) rank_sum(struct lab_rank_sum x, bool packs) {
    constexpr int K = (int)(BYTES / sizeof(typename From::stored));
    size_t whole = packs ? x.n / K : 0, step = (size_t)gridDim.x * blockDim.x;
    size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t i = me; i < whole; i += step) sum_some<From, To, K>(x, i * K);
    for (size_t i = whole * K + me; i < x.n; i += step) sum_some<From, To, 1>(x, i);
}

static bool aligned(const struct lab_rank_sum *x) {
    uintptr_t bits = (uintptr_t)x->to;
    for (uint32_t r = 0; r < x->ranks; r++) bits |= (uintptr_t)x->from[r];
    return bits % BYTES == 0;
}
template <class From, class To>
static void launch(const struct lab_rank_sum *x, cudaStream_t stream) {
    size_t per_block = THREADS * (BYTES / sizeof(typename From::stored));
    size_t blocks = (x->n + per_block - 1) / per_block;
    if (blocks > BLOCKS) blocks = BLOCKS;
    LAB_LAUNCH((rank_sum<From, To>), (unsigned)blocks, (unsigned)THREADS, 0, stream, *x,
               aligned(x));
}
template <class From> static void launch_into(const struct lab_rank_sum *x, cudaStream_t stream) {
    if (x->into == LAB_F32)
        launch<From, f32_number>(x, stream);
    else if (x->into == LAB_BF16)
        launch<From, bf16_number>(x, stream);
    else
        launch<From, f16_number>(x, stream);
}
extern "C" cudaError_t lab_cuda_rank_sum(const struct lab_rank_sum *x, cudaStream_t stream) {
    if (x->n == 0) return cudaSuccess;
    if (x->type == LAB_F64)
        launch<f64_number, f64_number>(x, stream);
    else if (x->type == LAB_F32)
        launch_into<f32_number>(x, stream);
    else if (x->type == LAB_BF16)
        launch_into<bf16_number>(x, stream);
    else
        launch_into<f16_number>(x, stream);
    return cudaGetLastError();
}
