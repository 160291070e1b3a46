/* Sums over rows and over all elements, each in parts. The shape alone decides how many parts there
 * are, and they are added in order. No float is added atomically. */
#include "lab/cuda/cuda.h"
#include "lab/cuda/vector.cuh"

/* ── columns ── */

enum { WARPS = 8, THREADS = 32 * WARPS };

/* A lane takes eight columns, and a warp every WARPS-th row of its part. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    sum_rows(float *partial, const T *x, size_t rows, size_t columns, bool whole) {
    LAB_SHARED(float, sums, WARPS *LAB_COLUMNS_A_BLOCK);
    const size_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t first = blockIdx.x * size_t(LAB_COLUMNS_A_BLOCK), at = first + 8 * lane;
    float sum[8] = {0};
    LAB_UNROLL(4)
    for (size_t r = blockIdx.y * size_t(WARPS) + warp; r < rows; r += gridDim.y * size_t(WARPS)) {
        float v[8];
        lab_load_part(x + r * columns, at, columns, whole, v);
        LAB_UNROLL(8)
        for (int e = 0; e < 8; e++) sum[e] += v[e];
    }
    LAB_UNROLL(8)
    for (int e = 0; e < 8; e++) sums[warp * LAB_COLUMNS_A_BLOCK + size_t(e) * 32 + lane] = sum[e];
    __syncthreads();
    const size_t place = threadIdx.x % 8 * 32 + threadIdx.x / 8; /* of column `first` + thread */
    float all = 0;
    for (size_t w = 0; w < WARPS; w++) all += sums[w * LAB_COLUMNS_A_BLOCK + place];
    if (first + threadIdx.x < columns) partial[blockIdx.y * columns + first + threadIdx.x] = all;
}

/* A warp adds every 32nd part of 32 columns; then the warps' sums are added in order. */
enum { PART_WARPS = 32 };
template <typename T>
__global__ void __launch_bounds__(PART_WARPS * 32)
    add_parts(T *to_0, T *to_1, bool add, const float *partial, size_t parts, size_t columns) {
    LAB_SHARED(float, sums, PART_WARPS * 32);
    const size_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, at = blockIdx.x * 32 + lane;
    const size_t apart = gridDim.y * columns;
    T *to = blockIdx.y ? to_1 : to_0;
    float sum = 0;
    if (at < columns) LAB_UNROLL(4)
    for (size_t p = warp; p < parts; p += PART_WARPS)
        sum += partial[p * apart + blockIdx.y * columns + at];
    sums[warp * 32 + lane] = sum;
    __syncthreads();
    if (warp || at >= columns) return;
    sum = add ? lab_widen(to[at]) : 0;
    for (size_t w = 0; w < PART_WARPS; w++) sum += sums[w * 32 + lane];
    to[at] = lab_narrow<T>(sum);
}
void lab_cuda_add_parts(lab_cuda *c, lab_dtype type, void *const to[2], size_t count, bool add,
                        const float *partial, size_t parts, size_t columns) {
    const dim3 grid(lab_blocks(columns, 32), static_cast<unsigned>(count));
    LAB_BY_TYPE(type, LAB_LAUNCH((add_parts<T>), grid, PART_WARPS * 32, 0, c->compute,
                                 static_cast<T *>(to[0]), static_cast<T *>(to[1]), add, partial,
                                 parts, columns));
    lab_cuda_check(c, cudaGetLastError(), "sum of parts");
}

static size_t parts_of(size_t rows, size_t columns) {
    size_t blocks = lab_blocks(columns, LAB_COLUMNS_A_BLOCK);
    size_t most = blocks < LAB_COLUMN_BLOCKS ? LAB_COLUMN_BLOCKS / blocks : 1;
    size_t useful = (rows + 4 * WARPS - 1) / (4 * WARPS);
    return useful < most ? useful : most;
}
void lab_cuda_bias_gradient(lab_device *d, lab_dtype type, void *dbias, bool add, const void *dy,
                            size_t rows, size_t columns) {
    lab_cuda *c = lab_cuda_of(d);
    size_t parts = parts_of(rows, columns);
    void *const to[2] = {dbias, nullptr};
    bool whole = columns % 8 == 0 && lab_aligned(dy);
    if (rows == 0 || columns == 0) return;
    if (parts * columns > c->work.floats) {
        lab_cuda_fail(c, "bias gradient", "the lent workspace is too small for it");
        return;
    }
    const dim3 grid(lab_blocks(columns, LAB_COLUMNS_A_BLOCK), static_cast<unsigned>(parts));
    LAB_BY_TYPE(type, LAB_LAUNCH((sum_rows<T>), grid, THREADS, 0, c->compute, c->work.partial,
                                 static_cast<const T *>(dy), rows, columns, whole));
    lab_cuda_check(c, cudaGetLastError(), "bias gradient");
    lab_cuda_add_parts(c, type, to, 1, add, c->work.partial, parts, columns);
}

/* ── everything ── */

/* Leaves the sum of all threads' numbers in the block in sums[0]. */
__device__ static void fold(double *sums, double mine) {
    sums[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
}

/* Which thread adds which elements does not depend on where the array begins. So a shard has the
 * same sum inside a whole unit as in a separate buffer. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    sum_squares(double *parts, const T *x, size_t n, bool whole) {
    LAB_SHARED(double, sums, THREADS);
    const size_t all = gridDim.x * size_t(THREADS),
                 first = blockIdx.x * size_t(THREADS) + threadIdx.x;
    double sum = 0;
    LAB_UNROLL(4)
    for (size_t at = 8 * first; at < n; at += 8 * all) {
        float v[8];
        lab_load_part(x, at, n, whole && at + 8 <= n, v);
        LAB_UNROLL(8)
        for (int e = 0; e < 8; e++) sum += double(v[e]) * double(v[e]);
    }
    fold(sums, sum);
    if (threadIdx.x == 0) parts[blockIdx.x] = sums[0];
}

enum { TOTAL_THREADS = 1024 };
__global__ void __launch_bounds__(TOTAL_THREADS)
    add_total(double *total, const double *x, size_t n) {
    LAB_SHARED(double, sums, TOTAL_THREADS);
    double sum = 0;
    for (size_t i = threadIdx.x; i < n; i += TOTAL_THREADS) sum += x[i];
    fold(sums, sum);
    if (threadIdx.x == 0) *total += sums[0];
}
void lab_cuda_add_total(lab_cuda *c, lab_cuda_total which, const double *x, size_t n) {
    LAB_LAUNCH(add_total, 1, TOTAL_THREADS, 0, c->compute, c->work.total + which, x, n);
    lab_cuda_check(c, cudaGetLastError(), "total");
}

void lab_cuda_add_squares(lab_device *d, lab_dtype type, const void *x, size_t n) {
    lab_cuda *c = lab_cuda_of(d);
    if (!c->work.squares) {
        lab_cuda_fail(c, "sum of squares", "no workspace was lent");
        return;
    }
    LAB_BY_TYPE(type, LAB_LAUNCH((sum_squares<T>), LAB_PARTS, THREADS, 0, c->compute,
                                 c->work.squares, static_cast<const T *>(x), n, lab_aligned(x)));
    lab_cuda_check(c, cudaGetLastError(), "sum of squares");
    lab_cuda_add_total(c, LAB_TOTAL_SQUARES, c->work.squares, LAB_PARTS);
}
