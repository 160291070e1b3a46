/* Softmax, cross-entropy and its gradient, a block a row, in place. The row is read twice:
 * backwards, then forwards, so that what was read last, and is still in the caches, comes first. */
#include "lab/cuda/cuda.h"
#include "lab/cuda/vector.cuh"

/* Three blocks on a multiprocessor: one reads a row while others wait at a barrier. */
enum { THREADS = 512, BLOCKS_AT_ONCE = 3, WARPS = THREADS / 32 };

struct softmax {
    /* Σ e^(x − top) */
    float top, sum;
};

/* Of eight more values. A lower bound that is no infinity keeps e^(−∞ − top) from becoming
 * e^NaN. */
__device__ __forceinline__ void take(softmax &s, const float (&x)[8], size_t count) {
    float top = s.top;
    LAB_UNROLL(8)
    for (size_t e = 0; e < 8; e++)
        if (e < count) top = fmaxf(top, x[e]);
    s.sum *= lab_exp_float(s.top - top);
    LAB_UNROLL(8)
    for (size_t e = 0; e < 8; e++)
        if (e < count) s.sum += lab_exp_float(x[e] - top);
    s.top = top;
}
__device__ static softmax of_block(softmax s) {
    LAB_SHARED(float, tops, WARPS);
    LAB_SHARED(float, sums, WARPS);
    const float top = lab_warp_most(s.top);
    const float sum = lab_warp_sum(s.sum * lab_exp_float(s.top - top));
    if (threadIdx.x % 32 == 0) tops[threadIdx.x / 32] = top, sums[threadIdx.x / 32] = sum;
    __syncthreads();
    softmax all = {tops[0], 0};
    for (unsigned w = 1; w < WARPS; w++) all.top = fmaxf(all.top, tops[w]);
    for (unsigned w = 0; w < WARPS; w++) all.sum += sums[w] * lab_exp_float(tops[w] - all.top);
    return all;
}
__device__ static softmax of_row(const float *x, size_t vocab, bool whole) {
    const size_t first = threadIdx.x * size_t(8), step = THREADS * size_t(8);
    softmax s = {-3.402823466e38f, 0};
    LAB_UNROLL(2)
    for (size_t left = first < vocab ? (vocab - 1 - first) / step + 1 : 0; left > 0; left--) {
        const size_t at = first + (left - 1) * step;
        float v[8];
        lab_load_part(x, at, vocab, whole && at + 8 <= vocab, v);
        take(s, v, vocab - at);
    }
    return of_block(s);
}

/* A chunk of the row is read by all before any of it is written: what 16-bit values overwrite lies
 * in it or before it. */
template <typename T>
__global__ void __launch_bounds__(THREADS, BLOCKS_AT_ONCE)
    cross_entropy(float *logits, double *row_loss, const int32_t *targets, size_t vocab,
                  size_t columns, float scale, bool whole) {
    float *x = logits + blockIdx.x * columns;
    T *to = reinterpret_cast<T *>(x);
    const size_t target = size_t(targets[blockIdx.x]);
    const float correct = x[target];
    const softmax s = of_row(x, vocab, whole);
    const float times = scale / s.sum;
    if (threadIdx.x == 0) row_loss[blockIdx.x] = lab_loss_float(s.sum, s.top, correct);
    for (size_t first = 0; first < columns; first += THREADS * size_t(8)) {
        const size_t at = first + threadIdx.x * size_t(8);
        float v[8];
        if (at < columns) lab_load_part(x, at, columns, whole, v);
        __syncthreads();
        LAB_UNROLL(8)
        for (size_t e = 0; e < 8; e++) {
            v[e] = at + e < vocab ? lab_exp_float(v[e] - s.top) * times : 0;
            if (at + e == target) v[e] -= scale;
        }
        if (at < columns) lab_store_part(to, at, columns, whole, v);
    }
}

void lab_cuda_cross_entropy(lab_device *d, lab_dtype type, void *logits, const int32_t *targets,
                            size_t rows, size_t vocab, size_t columns, double scale) {
    lab_cuda *c = lab_cuda_of(d);
    bool whole = columns % 8 == 0 && lab_aligned(logits);
    if (rows == 0) return;
    if (rows > c->work.rows) {
        lab_cuda_fail(c, "cross-entropy", "the lent workspace is too small for it");
        return;
    }
    LAB_BY_TYPE(type, LAB_LAUNCH((cross_entropy<T>), static_cast<unsigned>(rows), THREADS, 0,
                                 c->compute, static_cast<float *>(logits), c->work.row_loss,
                                 targets, vocab, columns, static_cast<float>(scale), whole));
    lab_cuda_check(c, cudaGetLastError(), "cross-entropy");
    lab_cuda_add_total(c, LAB_TOTAL_LOSS, c->work.row_loss, rows);
}
