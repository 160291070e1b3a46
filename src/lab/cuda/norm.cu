/* LayerNorm: a warp has a row in its registers, eight neighbours a lane, V times over. */
#include "lab/cuda/cuda.h"
#include "lab/cuda/vector.cuh"

/* Wider rows than GPT-2's lie in local memory. */
template <int V> constexpr int unrolled = V <= 8 ? V : 1;

template <typename T, int V>
__device__ __forceinline__ void load_row(float (&x)[V][8], const T *row, size_t columns,
                                         bool whole) {
    LAB_UNROLL(unrolled<V>)
    for (int v = 0; v < V; v++)
        lab_load_part(row, (size_t(v) * 32 + threadIdx.x % 32) * 8, columns, whole, x[v]);
}
template <typename T, int V>
__device__ __forceinline__ void store_row(T *row, const float (&x)[V][8], size_t columns,
                                          bool whole) {
    LAB_UNROLL(unrolled<V>)
    for (int v = 0; v < V; v++)
        lab_store_part(row, (size_t(v) * 32 + threadIdx.x % 32) * 8, columns, whole, x[v]);
}

/* Calls what(v, e) for each value that this lane has of the row. */
template <int V, typename What>
__device__ __forceinline__ void each_value(size_t columns, What what) {
    LAB_UNROLL(unrolled<V>)
    for (int v = 0; v < V; v++) LAB_UNROLL(8)
    for (int e = 0; e < 8; e++)
        if ((size_t(v) * 32 + threadIdx.x % 32) * 8 + size_t(e) < columns) what(v, e);
}

struct moments {
    float mean, inverse;
};
template <int V>
__device__ __forceinline__ moments moments_of(const float (&x)[V][8], size_t columns) {
    float sum = 0, squares = 0;
    each_value<V>(columns, [&](int v, int e) { sum += x[v][e]; });
    const float mean = lab_warp_sum(sum) / float(columns);
    each_value<V>(columns, [&](int v, int e) { squares += (x[v][e] - mean) * (x[v][e] - mean); });
    return {mean, lab_norm_inverse_float(lab_warp_sum(squares), columns)};
}

/* ── forward ── */

enum { WARPS = 4 };

struct forward {
    void *sum, *y;
    const void *a, *b, *weight, *bias; /* b: NULL where x is `a` alone */
    size_t rows, columns;
    bool whole;
};
template <typename T, int V> __global__ void __launch_bounds__(32 * WARPS) norm_forward(forward k) {
    const size_t row = blockIdx.x * size_t(WARPS) + threadIdx.x / 32, at = row * k.columns;
    if (row >= k.rows) return;
    float x[V][8], w[V][8], b[V][8];
    load_row<T, V>(x, static_cast<const T *>(k.a) + at, k.columns, k.whole);
    if (k.b) {
        load_row<T, V>(b, static_cast<const T *>(k.b) + at, k.columns, k.whole);
        each_value<V>(k.columns,
                      [&](int v, int e) { x[v][e] = lab_widen(lab_narrow<T>(x[v][e] + b[v][e])); });
        store_row<T, V>(static_cast<T *>(k.sum) + at, x, k.columns, k.whole);
    }
    const moments m = moments_of<V>(x, k.columns);
    load_row<T, V>(w, static_cast<const T *>(k.weight), k.columns, k.whole);
    load_row<T, V>(b, static_cast<const T *>(k.bias), k.columns, k.whole);
    each_value<V>(k.columns, [&](int v, int e) {
        x[v][e] = lab_norm_float(x[v][e], m.mean, m.inverse, w[v][e], b[v][e]);
    });
    store_row<T, V>(static_cast<T *>(k.y) + at, x, k.columns, k.whole);
}

/* ── backward ── */

struct backward {
    void *dx;
    float *partial; /* [blocks][2][columns]: of the weight's and the bias's gradient */
    const void *dy, *x, *weight;
    size_t rows, columns;
    bool add, whole;
};
/* Each warp has sums of its own in shared memory, [2][V][8][32], in which a lane meets only itself. */
template <int V> constexpr size_t sums_of = size_t(2) * V * 256;
template <int V> constexpr size_t warps_of = V <= 6 ? 4 : 24 / V; /* so that 48 KiB suffice */

template <typename T, int V>
__device__ __forceinline__ void backward_row(const backward &k, size_t row, float *sums) {
    const size_t at = row * k.columns, lane = threadIdx.x % 32;
    float x[V][8], g[V][8], w[V][8];
    load_row<T, V>(x, static_cast<const T *>(k.x) + at, k.columns, k.whole);
    load_row<T, V>(g, static_cast<const T *>(k.dy) + at, k.columns, k.whole);
    load_row<T, V>(w, static_cast<const T *>(k.weight), k.columns, k.whole);
    const moments m = moments_of<V>(x, k.columns);
    float sum = 0, sum_x = 0;
    each_value<V>(k.columns, [&](int v, int e) {
        const float hat = (x[v][e] - m.mean) * m.inverse;
        float *own = sums + (size_t(v) * 8 + size_t(e)) * 32 + lane;
        own[0] += g[v][e] * hat;
        own[V * 256] += g[v][e];
        sum += g[v][e] * w[v][e];
        sum_x += g[v][e] * w[v][e] * hat;
        x[v][e] = hat;
    });
    const float mean_g = lab_warp_sum(sum) / float(k.columns),
                mean_gx = lab_warp_sum(sum_x) / float(k.columns);
    each_value<V>(k.columns, [&](int v, int e) {
        x[v][e] = lab_norm_backward_float(g[v][e], w[v][e], x[v][e], mean_g, mean_gx, m.inverse);
    });
    T *to = static_cast<T *>(k.dx) + at;
    if (k.add) {
        load_row<T, V>(g, to, k.columns, k.whole);
        each_value<V>(k.columns, [&](int v, int e) { x[v][e] += g[v][e]; });
    }
    store_row<T, V>(to, x, k.columns, k.whole);
}

template <typename T, int V>
__global__ void __launch_bounds__(32 * warps_of<V>) norm_backward(backward k) {
    LAB_SHARED_MEMORY(float, sums);
    const size_t warp = threadIdx.x / 32, warps = warps_of<V>;
    float *own = sums + warp * sums_of<V>;
    for (size_t i = threadIdx.x % 32; i < sums_of<V>; i += 32) own[i] = 0;
    __syncwarp();
    for (size_t row = blockIdx.x * warps + warp; row < k.rows; row += gridDim.x * warps)
        backward_row<T, V>(k, row, own);
    __syncthreads();
    for (size_t i = threadIdx.x; i < 2 * k.columns; i += blockDim.x) {
        const size_t which = i / k.columns, c = i % k.columns;
        const size_t place = which * V * 256 + (c / 256 * 8 + c % 8) * 32 + c % 256 / 8;
        float sum = 0;
        for (size_t w = 0; w < warps; w++) sum += sums[w * sums_of<V> + place];
        k.partial[blockIdx.x * 2 * k.columns + i] = sum;
    }
}

/* ── launching ── */

#define BY_WIDTH(columns, ...)                                                                     \
    do {                                                                                           \
        if ((columns) <= 256) {                                                                    \
            constexpr int V = 1;                                                                   \
            __VA_ARGS__;                                                                           \
        } else if ((columns) <= 768) {                                                             \
            constexpr int V = 3;                                                                   \
            __VA_ARGS__;                                                                           \
        } else if ((columns) <= 1024) {                                                            \
            constexpr int V = 4;                                                                   \
            __VA_ARGS__;                                                                           \
        } else if ((columns) <= 1792) {                                                            \
            constexpr int V = 7;                                                                   \
            __VA_ARGS__;                                                                           \
        } else {                                                                                   \
            constexpr int V = 24;                                                                  \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    } while (0)

template <typename T> static void launch_forward(lab_cuda *c, const forward &k) {
    BY_WIDTH(k.columns, LAB_LAUNCH((norm_forward<T, V>), lab_blocks(k.rows, WARPS), WARPS * 32, 0,
                                   c->compute, k));
}
static bool fits(lab_cuda *c, size_t rows, size_t columns) {
    if (columns > LAB_NORM_COLUMNS)
        lab_cuda_fail(c, "LayerNorm", "rows have more than 6144 values");
    return rows > 0 && columns > 0 && columns <= LAB_NORM_COLUMNS;
}
void lab_cuda_add_norm(lab_device *d, lab_dtype type, void *sum, void *y, const void *a,
                       const void *b, const void *weight, const void *bias, size_t rows,
                       size_t columns) {
    lab_cuda *c = lab_cuda_of(d);
    bool whole = columns % 8 == 0 && lab_aligned(sum, y, a, b, weight, bias);
    const forward k = {sum, y, a, b, weight, bias, rows, columns, whole};
    if (!fits(c, rows, columns)) return;
    LAB_BY_TYPE(type, launch_forward<T>(c, k));
    lab_cuda_check(c, cudaGetLastError(), "LayerNorm");
}
void lab_cuda_norm(lab_device *d, lab_dtype type, void *y, const void *x, const void *weight,
                   const void *bias, size_t rows, size_t columns) {
    lab_cuda_add_norm(d, type, nullptr, y, x, nullptr, weight, bias, rows, columns);
}

/* A warp should have some rows to itself. */
static size_t parts_of(size_t rows) {
    size_t useful = (rows + 15) / 16;
    return useful < LAB_PARTS ? useful : size_t(LAB_PARTS);
}
template <typename T> static void launch_backward(lab_cuda *c, const backward &k, unsigned blocks) {
    BY_WIDTH(k.columns, LAB_LAUNCH((norm_backward<T, V>), blocks, unsigned(32 * warps_of<V>),
                                   warps_of<V> * sums_of<V> * sizeof(float), c->compute, k));
}
void lab_cuda_norm_backward(lab_device *d, lab_dtype type, void *dx, bool add, void *dweight,
                            void *dbias, const void *dy, const void *x, const void *weight,
                            size_t rows, size_t columns) {
    lab_cuda *c = lab_cuda_of(d);
    size_t parts = parts_of(rows);
    void *const to[2] = {dweight, dbias};
    bool whole = columns % 8 == 0 && lab_aligned(dx, dy, x, weight);
    const backward k = {dx, c->work.partial, dy, x, weight, rows, columns, add, whole};
    if (!fits(c, rows, columns)) return;
    if (2 * parts * columns > c->work.floats) {
        lab_cuda_fail(c, "LayerNorm backward", "the lent workspace is too small for it");
        return;
    }
    LAB_BY_TYPE(type, launch_backward<T>(c, k, static_cast<unsigned>(parts)));
    lab_cuda_check(c, cudaGetLastError(), "LayerNorm backward");
    lab_cuda_add_parts(c, type, to, 2, c->work.partial, parts, columns);
}
