/* Attention by plain sums: fp32, head sizes no tile fits, and what the tensor cores' kernels are
 * checked against. A warp takes one row of one head, 32 partners at a time: each lane one partner's
 * score, then each lane some columns. */
#include "lab/cuda/attention.cuh"

namespace {

constexpr unsigned ALL = 0xffffffffu;

__device__ __forceinline__ float over_warp_max(float x) {
    for (int bit = 16; bit; bit /= 2) x = fmaxf(x, __shfl_xor_sync(ALL, x, bit));
    return x;
}
__device__ __forceinline__ float over_warp_sum(float x) {
    for (int bit = 16; bit; bit /= 2) x += __shfl_xor_sync(ALL, x, bit);
    return x;
}
/* The lanes' rows are far apart. With eight numbers at a time a lane loads each line of memory
 * once, not eight times. */
template <typename T>
__device__ __forceinline__ float product(const float *shared, const T *row, uint32_t size,
                                         bool whole) {
    float sum = 0;
    for (uint32_t first = 0; first < size; first += 8) {
        float v[8];
        lab_load_part(row, first, size, whole, v);
        LAB_UNROLL(8)
        for (uint32_t e = 0; e < 8; e++)
            if (whole || first + e < size) sum += shared[first + e] * v[e];
    }
    return sum;
}
template <typename T>
__device__ __forceinline__ void bring(float *shared, const T *row, uint32_t size) {
    for (uint32_t i = threadIdx.x; i < size; i += 32) shared[i] = lab_widen(row[i]);
    __syncwarp();
}
template <typename T>
__device__ __forceinline__ void put(T *row, const float *shared, float factor, uint32_t size) {
    __syncwarp();
    for (uint32_t i = threadIdx.x; i < size; i += 32) row[i] = lab_narrow<T>(shared[i] * factor);
}
/* sums[size] = sums · shrink + Σ over the lanes' weights · their rows. A lane always has the same
 * columns. */
template <typename T>
__device__ __forceinline__ void gather(float *sums, float weight, float shrink, const T *rows,
                                       size_t stride, uint32_t count, uint32_t size) {
    for (uint32_t first = 0; first < size; first += 32) {
        const uint32_t i = first + threadIdx.x;
        float sum = i < size ? sums[i] * shrink : 0;
        for (uint32_t j = 0; j < count; j++) {
            const float w = __shfl_sync(ALL, weight, static_cast<int>(j));
            if (i < size) sum += w * lab_widen(rows[j * stride + i]);
        }
        if (i < size) sums[i] = sum;
    }
}
__device__ __forceinline__ void zero(float *sums, uint32_t size) {
    for (uint32_t i = threadIdx.x; i < size; i += 32) sums[i] = 0;
    __syncwarp();
}

template <typename T>
__global__ void __launch_bounds__(32) plain_forward(const lab_heads<T> x, bool whole) {
    LAB_SHARED_MEMORY(float, query);
    float *const sums = query + x.size;
    const lab_head<T> h = lab_head_of(x, blockIdx.z, blockIdx.y);
    const uint32_t row = gridDim.x - 1 - blockIdx.x;
    float most = -INFINITY, sum = 0;
    bring(query, h.q + static_cast<size_t>(row) * h.row, x.size);
    zero(sums, x.size);
    for (uint32_t first = 0; first <= row; first += 32) {
        const uint32_t key = first + threadIdx.x, count = min(32u, row + 1 - first);
        float score = -INFINITY;
        if (key <= row)
            score = product(query, h.k + static_cast<size_t>(key) * h.row, x.size, whole) *
                    x.scale_log2;
        const float highest = fmaxf(most, over_warp_max(score)), shrink = exp2f(most - highest);
        const float weight = exp2f(score - highest);
        sum = sum * shrink + over_warp_sum(weight);
        most = highest;
        gather(sums, weight, shrink, h.v + static_cast<size_t>(first) * h.row, h.row, count,
               x.size);
    }
    if (threadIdx.x == 0) h.stats[row] = most + log2f(sum);
    if (x.out) put(h.out + static_cast<size_t>(row) * x.width, sums, 1 / sum, x.size);
}

template <typename T>
__global__ void __launch_bounds__(32) plain_queries(const lab_heads<T> x, bool whole) {
    LAB_SHARED_MEMORY(float, query);
    float *const dout = query + x.size, *const sums = dout + x.size;
    const lab_head<T> h = lab_head_of(x, blockIdx.z, blockIdx.y);
    const uint32_t row = gridDim.x - 1 - blockIdx.x;
    bring(query, h.q + static_cast<size_t>(row) * h.row, x.size);
    bring(dout, h.dout + static_cast<size_t>(row) * x.width, x.size);
    zero(sums, x.size);
    for (uint32_t first = 0; first <= row; first += 32) {
        const uint32_t key = first + threadIdx.x, count = min(32u, row + 1 - first);
        float slope = 0;
        if (key <= row) {
            const float score =
                product(query, h.k + static_cast<size_t>(key) * h.row, x.size, whole) *
                x.scale_log2;
            const float dp = product(dout, h.v + static_cast<size_t>(key) * h.row, x.size, whole);
            slope = exp2f(score - h.stats[row]) * (dp - h.deltas[row]);
        }
        gather(sums, slope, 1, h.k + static_cast<size_t>(first) * h.row, h.row, count, x.size);
    }
    put(h.dq + static_cast<size_t>(row) * h.row, sums, x.scale, x.size);
}

template <typename T>
__global__ void __launch_bounds__(32) plain_keys(const lab_heads<T> x, bool whole) {
    LAB_SHARED_MEMORY(float, key);
    float *const value = key + x.size, *const dk = value + x.size, *const dv = dk + x.size;
    const lab_head<T> h = lab_head_of(x, blockIdx.z, blockIdx.y);
    const uint32_t row = blockIdx.x;
    bring(key, h.k + static_cast<size_t>(row) * h.row, x.size);
    bring(value, h.v + static_cast<size_t>(row) * h.row, x.size);
    zero(dk, x.size);
    zero(dv, x.size);
    for (uint32_t first = row; first < x.seq; first += 32) {
        const uint32_t query = first + threadIdx.x, count = min(32u, x.seq - first);
        float weight = 0, slope = 0;
        if (query < x.seq) {
            const float score =
                product(key, h.q + static_cast<size_t>(query) * h.row, x.size, whole) *
                x.scale_log2;
            weight = exp2f(score - h.stats[query]);
            slope = weight *
                    (product(value, h.dout + static_cast<size_t>(query) * x.width, x.size, whole) -
                     h.deltas[query]);
        }
        gather(dv, weight, 1, h.dout + static_cast<size_t>(first) * x.width, x.width, count,
               x.size);
        gather(dk, slope, 1, h.q + static_cast<size_t>(first) * h.row, h.row, count, x.size);
    }
    put(h.dk + static_cast<size_t>(row) * h.row, dk, x.scale, x.size);
    put(h.dv + static_cast<size_t>(row) * h.row, dv, 1, x.size);
}

} // namespace

template <typename T> static bool is_whole(const lab_heads<T> &x) {
    return x.size % 8 == 0 && lab_aligned(x.qkv, x.dout);
}
template <typename T> void lab_plain_forward(const lab_heads<T> &x, cudaStream_t stream) {
    const size_t row = x.size * sizeof(float);
    lab_allow_shared(plain_forward<T>, 2 * row);
    LAB_LAUNCH(plain_forward<T>, dim3(x.seq, x.heads, x.batch), 32, 2 * row, stream, x,
               is_whole(x));
}
template <typename T> void lab_plain_backward(const lab_heads<T> &x, cudaStream_t stream) {
    const size_t row = x.size * sizeof(float);
    lab_allow_shared(plain_queries<T>, 3 * row);
    lab_allow_shared(plain_keys<T>, 4 * row);
    LAB_LAUNCH(plain_queries<T>, dim3(x.seq, x.heads, x.batch), 32, 3 * row, stream, x,
               is_whole(x));
    LAB_LAUNCH(plain_keys<T>, dim3(x.seq, x.heads, x.batch), 32, 4 * row, stream, x, is_whole(x));
}
template void lab_plain_forward(const lab_heads<float> &x, cudaStream_t stream);
template void lab_plain_forward(const lab_heads<lab_bf16> &x, cudaStream_t stream);
template void lab_plain_forward(const lab_heads<lab_f16> &x, cudaStream_t stream);
template void lab_plain_backward(const lab_heads<float> &x, cudaStream_t stream);
template void lab_plain_backward(const lab_heads<lab_bf16> &x, cudaStream_t stream);
template void lab_plain_backward(const lab_heads<lab_f16> &x, cudaStream_t stream);
