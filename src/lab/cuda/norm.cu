/* LayerNorm. W warps hold a row in their registers, V times eight neighbouring values per thread.
 * One warp is enough up to GPT-2's widths. A wider row takes a block of warps: values that do not
 * fit into a thread's registers would go to local memory, which the driver reserves for every
 * thread that the GPU can hold (2304 bytes each, more than 600 MB on an H200). */
#include "lab/cuda/cuda.h"
#include "lab/cuda/vector.cuh"

/* Where this thread's eight values begin in the row, the v-th time. */
template <int W> __device__ __forceinline__ size_t place_of(int v) {
    return (size_t(v) * 32 * W + threadIdx.x % (32 * W)) * 8;
}
template <typename T, int V, int W>
__device__ __forceinline__ void load_row(float (&x)[V][8], const T *row, size_t columns,
                                         bool whole) {
    LAB_UNROLL(V)
    for (int v = 0; v < V; v++) lab_load_part(row, place_of<W>(v), columns, whole, x[v]);
}
template <typename T, int V, int W>
__device__ __forceinline__ void store_row(T *row, const float (&x)[V][8], size_t columns,
                                          bool whole) {
    LAB_UNROLL(V)
    for (int v = 0; v < V; v++) lab_store_part(row, place_of<W>(v), columns, whole, x[v]);
}

/* Calls what(v, e) for each value that this thread has of the row. */
template <int V, int W, typename What>
__device__ __forceinline__ void each_value(size_t columns, What what) {
    LAB_UNROLL(V)
    for (int v = 0; v < V; v++) LAB_UNROLL(8)
    for (int e = 0; e < 8; e++)
        if (place_of<W>(v) + size_t(e) < columns) what(v, e);
}

/* Σ over the threads of a row, the same bits in each of them. More warps than one are a whole
 * block. */
template <int W> __device__ __forceinline__ float row_sum(float x) {
    x = lab_warp_sum(x);
    if constexpr (W > 1) {
        LAB_SHARED(float, of_warp, W);
        __syncthreads(); /* the last sum has been read by all */
        if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
        __syncthreads();
        x = of_warp[0];
        for (int w = 1; w < W; w++) x += of_warp[w];
    }
    return x;
}

struct moments {
    float mean, inverse;
};
template <int V, int W>
__device__ __forceinline__ moments moments_of(const float (&x)[V][8], size_t columns) {
    float sum = 0, squares = 0;
    each_value<V, W>(columns, [&](int v, int e) { sum += x[v][e]; });
    const float mean = row_sum<W>(sum) / float(columns);
    each_value<V, W>(columns,
                     [&](int v, int e) { squares += (x[v][e] - mean) * (x[v][e] - mean); });
    return {mean, lab_norm_inverse_float(row_sum<W>(squares), columns)};
}

/* ── forward ── */

template <int W> constexpr int rows_a_block = W > 1 ? 1 : 4;

struct forward {
    void *sum, *y;
    /* b: NULL if x is just `a` */
    const void *a, *b, *weight, *bias;
    size_t rows, columns;
    bool whole;
};
template <typename T, int V, int W>
__global__ void __launch_bounds__(32 * W * rows_a_block<W>) norm_forward(forward k) {
    const size_t row = blockIdx.x * size_t(rows_a_block<W>) + threadIdx.x / (32 * W),
                 at = row * k.columns;
    if (row >= k.rows) return;
    float x[V][8], w[V][8], b[V][8];
    load_row<T, V, W>(x, static_cast<const T *>(k.a) + at, k.columns, k.whole);
    if (k.b) {
        load_row<T, V, W>(b, static_cast<const T *>(k.b) + at, k.columns, k.whole);
        each_value<V, W>(k.columns, [&](int v, int e) {
            x[v][e] = lab_widen(lab_narrow<T>(x[v][e] + b[v][e]));
        });
        store_row<T, V, W>(static_cast<T *>(k.sum) + at, x, k.columns, k.whole);
    }
    const moments m = moments_of<V, W>(x, k.columns);
    load_row<T, V, W>(w, static_cast<const T *>(k.weight), k.columns, k.whole);
    load_row<T, V, W>(b, static_cast<const T *>(k.bias), k.columns, k.whole);
    each_value<V, W>(k.columns, [&](int v, int e) {
        x[v][e] = lab_norm_float(x[v][e], m.mean, m.inverse, w[v][e], b[v][e]);
    });
    store_row<T, V, W>(static_cast<T *>(k.y) + at, x, k.columns, k.whole);
}

/* ── backward ── */

struct backward {
    void *dx;
    /* [blocks][2][columns]: of the weight's and the bias's gradient */
    float *partial;
    const void *dy, *x, *weight;
    size_t rows, columns;
    bool add, whole;
};
/* The threads of a row have sums of their own in shared memory, [2][V][8][threads], in which a
 * thread meets only itself. */
template <int V, int W> constexpr size_t sums_of = size_t(2) * V * 256 * W;
/* Rows that a block works on at a time: so many that their sums take 48 KiB at most. */
template <int V, int W> constexpr size_t rows_at_once = W > 1 ? 1 : V <= 6 ? 4 : 24 / V;
template <int V, int W> constexpr unsigned threads_of = unsigned(32 * W * rows_at_once<V, W>);
/* Up to GPT-2 355M's width: four blocks on a multiprocessor, so that LAB_PARTS blocks fit onto a
 * large GPU at once; where that makes no thread put its numbers into local memory, as it does with
 * fp32 in the widest of these. */
template <typename T, int V, int W>
constexpr unsigned blocks_at_once = V <= 4 && W == 1 && V * sizeof(T) < 16 ? 4 : 1;

template <typename T, int V, int W>
__device__ __forceinline__ void backward_row(const backward &k, size_t row, float *sums) {
    const size_t at = row * k.columns, thread = threadIdx.x % (32 * W);
    float x[V][8], g[V][8], w[V][8];
    load_row<T, V, W>(x, static_cast<const T *>(k.x) + at, k.columns, k.whole);
    load_row<T, V, W>(g, static_cast<const T *>(k.dy) + at, k.columns, k.whole);
    load_row<T, V, W>(w, static_cast<const T *>(k.weight), k.columns, k.whole);
    const moments m = moments_of<V, W>(x, k.columns);
    float sum = 0, sum_x = 0;
    each_value<V, W>(k.columns, [&](int v, int e) {
        const float hat = (x[v][e] - m.mean) * m.inverse;
        float *own = sums + (size_t(v) * 8 + size_t(e)) * 32 * W + thread;
        own[0] += g[v][e] * hat;
        own[V * 256 * W] += g[v][e];
        sum += g[v][e] * w[v][e];
        sum_x += g[v][e] * w[v][e] * hat;
        x[v][e] = hat;
    });
    const float mean_g = row_sum<W>(sum) / float(k.columns),
                mean_gx = row_sum<W>(sum_x) / float(k.columns);
    each_value<V, W>(k.columns, [&](int v, int e) {
        x[v][e] = lab_norm_backward_float(g[v][e], w[v][e], x[v][e], mean_g, mean_gx, m.inverse);
    });
    T *to = static_cast<T *>(k.dx) + at;
    if (k.add) {
        load_row<T, V, W>(g, to, k.columns, k.whole);
        each_value<V, W>(k.columns, [&](int v, int e) { x[v][e] += g[v][e]; });
    }
    store_row<T, V, W>(to, x, k.columns, k.whole);
}

template <typename T, int V, int W>
__global__ void __launch_bounds__(threads_of<V, W>, blocks_at_once<T, V, W>)
    norm_backward(backward k) {
    LAB_SHARED_MEMORY(float, sums);
    const size_t at_once = rows_at_once<V, W>, mine = threadIdx.x / (32 * W);
    float *own = sums + mine * sums_of<V, W>;
    for (size_t i = threadIdx.x % (32 * W); i < sums_of<V, W>; i += 32 * W) own[i] = 0;
    __syncthreads();
    for (size_t row = blockIdx.x * at_once + mine; row < k.rows; row += gridDim.x * at_once)
        backward_row<T, V, W>(k, row, own);
    __syncthreads();
    for (size_t i = threadIdx.x; i < 2 * k.columns; i += blockDim.x) {
        const size_t which = i / k.columns, c = i % k.columns, width = 256 * W;
        const size_t place = (which * V * 8 + c / width * 8 + c % 8) * 32 * W + c % width / 8;
        float sum = 0;
        for (size_t r = 0; r < at_once; r++) sum += sums[r * sums_of<V, W> + place];
        k.partial[blockIdx.x * 2 * k.columns + i] = sum;
    }
}

/* ── launching ── */

#define BY_WIDTH(columns, ...)                                                                     \
    do {                                                                                           \
        if ((columns) <= 256) {                                                                    \
            constexpr int V = 1, W = 1;                                                            \
            __VA_ARGS__;                                                                           \
        } else if ((columns) <= 768) {                                                             \
            constexpr int V = 3, W = 1;                                                            \
            __VA_ARGS__;                                                                           \
        } else if ((columns) <= 1024) {                                                            \
            constexpr int V = 4, W = 1;                                                            \
            __VA_ARGS__;                                                                           \
        } else if ((columns) <= 1792) {                                                            \
            constexpr int V = 7, W = 1;                                                            \
            __VA_ARGS__;                                                                           \
        } else {                                                                                   \
            constexpr int V = 3, W = 8;                                                            \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    } while (0)

template <typename T> static void launch_forward(lab_cuda *c, const forward &k) {
    BY_WIDTH(k.columns, LAB_LAUNCH((norm_forward<T, V, W>), lab_blocks(k.rows, rows_a_block<W>),
                                   unsigned(32 * W * rows_a_block<W>), 0, c->compute, k));
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
template <typename T, int V, int W>
static void launch_backward_as(lab_cuda *c, const backward &k, unsigned blocks) {
    constexpr size_t shared = rows_at_once<V, W> * sums_of<V, W> * sizeof(float);
    /* A kernel must request 48 KiB, plus the shared memory for the sums of a row's warps,
     * explicitly. */
    if (W > 1)
        (void)cudaFuncSetAttribute(norm_backward<T, V, W>,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared));
    LAB_LAUNCH((norm_backward<T, V, W>), blocks, (threads_of<V, W>), shared, c->compute, k);
}
template <typename T> static void launch_backward(lab_cuda *c, const backward &k, unsigned blocks) {
    BY_WIDTH(k.columns, launch_backward_as<T, V, W>(c, k, blocks));
}
void lab_cuda_norm_backward(lab_device *d, lab_dtype type, void *dx, bool add, void *dweight,
                            void *dbias, bool add_own, const void *dy, const void *x,
                            const void *weight, size_t rows, size_t columns) {
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
    lab_cuda_add_parts(c, type, to, 2, add_own, c->work.partial, parts, columns);
}
