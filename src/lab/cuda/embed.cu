/* Lookup of tokens and positions. Its gradient sorts (token, row) pairs, so that each token's rows
 * are neighbours, and adds them in this order. */
#include "lab/cuda/cuda.h"
#include "lab/cuda/vector.cuh"

enum { THREADS = 128 };

template <typename T>
__global__ void __launch_bounds__(THREADS)
    embed(T *x, const int32_t *tokens, const T *wte, const T *wpe, size_t seq, size_t width,
          bool whole) {
    const size_t row = blockIdx.x;
    const T *token = wte + size_t(tokens[row]) * width, *place = wpe + row % seq * width;
    for (size_t at = threadIdx.x * size_t(8); at < width; at += THREADS * size_t(8)) {
        float a[8], b[8];
        lab_load_part(token, at, width, whole, a);
        lab_load_part(place, at, width, whole, b);
        LAB_UNROLL(8)
        for (int e = 0; e < 8; e++) a[e] += b[e];
        lab_store_part(x + row * width, at, width, whole, a);
    }
}
void lab_cuda_embed(lab_device *d, lab_dtype type, void *x, const int32_t *tokens, const void *wte,
                    const void *wpe, size_t rows, size_t seq, size_t width) {
    lab_cuda *c = lab_cuda_of(d);
    bool whole = width % 8 == 0 && lab_aligned(x, wte, wpe);
    if (rows == 0) return;
    LAB_BY_TYPE(type, LAB_LAUNCH((embed<T>), static_cast<unsigned>(rows), THREADS, 0, c->compute,
                                 static_cast<T *>(x), tokens, static_cast<const T *>(wte),
                                 static_cast<const T *>(wpe), seq, width, whole));
    lab_cuda_check(c, cudaGetLastError(), "embedding");
}

/* ── sorting: Batcher's bitonic network (AFIPS 1968) over a power of two ──
 *
 * No two keys are equal, so there is only one order. */

enum { SORTED = LAB_SORTED, SORTERS = SORTED / 2 };

__global__ void __launch_bounds__(THREADS)
    make_keys(uint64_t *keys, const int32_t *tokens, size_t rows, size_t n) {
    const size_t i = blockIdx.x * size_t(THREADS) + threadIdx.x;
    if (i >= n) return;
    keys[i] = i < rows ? uint64_t(uint32_t(tokens[i])) << 32 | i : ~uint64_t(0);
}
/* Pair p of those `apart`: in order upwards or downwards, as `run` says. `at` is where keys[0]
 * stands among all. */
__device__ __forceinline__ void compare(uint64_t *keys, size_t p, size_t apart, size_t at,
                                        size_t run) {
    const size_t low = 2 * p - (p & (apart - 1)), high = low + apart; /* `apart` is a power of 2 */
    const uint64_t a = keys[low], b = keys[high];
    if ((a > b) == (((at + low) & run) == 0)) keys[low] = b, keys[high] = a;
}
__global__ void __launch_bounds__(SORTERS) merge_far(uint64_t *keys, size_t apart, size_t run) {
    compare(keys, blockIdx.x * size_t(SORTERS) + threadIdx.x, apart, 0, run);
}
/* Runs from `from` to `to` long; of those longer than a block has, the steps that stay in the
 * block. */
__global__ void __launch_bounds__(SORTERS) merge_near(uint64_t *keys, size_t from, size_t to) {
    LAB_SHARED(uint64_t, own, SORTED);
    const size_t at = blockIdx.x * size_t(SORTED);
    for (size_t i = threadIdx.x; i < SORTED; i += SORTERS) own[i] = keys[at + i];
    for (size_t run = from; run <= to; run *= 2)
        for (size_t apart = run / 2 < SORTERS ? run / 2 : size_t(SORTERS); apart > 0; apart /= 2) {
            __syncthreads();
            compare(own, threadIdx.x, apart, at, run);
        }
    __syncthreads();
    for (size_t i = threadIdx.x; i < SORTED; i += SORTERS) keys[at + i] = own[i];
}
static void sort_tokens(lab_cuda *c, const int32_t *tokens, size_t rows) {
    uint64_t *keys = c->work.keys;
    const size_t n = lab_cuda_keys(rows);
    const unsigned blocks = static_cast<unsigned>(n / SORTED);
    LAB_LAUNCH(make_keys, lab_blocks(n, THREADS), THREADS, 0, c->compute, keys, tokens, rows, n);
    LAB_LAUNCH(merge_near, blocks, SORTERS, 0, c->compute, keys, size_t(2), size_t(SORTED));
    for (size_t run = size_t(2) * SORTED; run <= n; run *= 2) {
        for (size_t apart = run / 2; apart > SORTERS; apart /= 2)
            LAB_LAUNCH(merge_far, blocks, SORTERS, 0, c->compute, keys, apart, run);
        LAB_LAUNCH(merge_near, blocks, SORTERS, 0, c->compute, keys, run, run);
    }
}

/* ── the gradients ── */

template <typename T>
__device__ __forceinline__ void add_row(float (&sum)[8], const T *row, size_t at, size_t width,
                                        bool whole) {
    float v[8];
    lab_load_part(row, at, width, whole, v);
    LAB_UNROLL(8)
    for (int e = 0; e < 8; e++) sum[e] += v[e];
}

/* Finds where the rows of the token of keys[first] end: doubles the step, then halves it. */
__device__ __forceinline__ size_t end_of_token(const uint64_t *keys, size_t first, size_t rows) {
    const uint64_t next = ((keys[first] >> 32) + 1) << 32;
    size_t in = first, step = 1;
    while (in + step < rows && keys[in + step] < next) in += step, step *= 2;
    for (; step > 0; step /= 2)
        if (in + step < rows && keys[in + step] < next) in += step;
    return in + 1;
}

/* A token's first block adds all its rows. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    add_tokens(T *dwte, const T *dx, const uint64_t *keys, size_t rows, size_t width, bool whole) {
    const size_t first = blockIdx.x;
    const uint32_t token = uint32_t(keys[first] >> 32);
    if (first > 0 && uint32_t(keys[first - 1] >> 32) == token) return;
    const size_t end = end_of_token(keys, first, rows);
    T *to = dwte + token * width;
    for (size_t at = threadIdx.x * size_t(8); at < width; at += THREADS * size_t(8)) {
        float sum[8];
        lab_load_part(to, at, width, whole, sum);
        LAB_UNROLL(8)
        for (size_t i = first; i < end; i++)
            add_row(sum, dx + size_t(uint32_t(keys[i])) * width, at, width, whole);
        lab_store_part(to, at, width, whole, sum);
    }
}
template <typename T>
__global__ void __launch_bounds__(THREADS)
    add_places(T *dwpe, const T *dx, size_t rows, size_t seq, size_t width, bool whole) {
    T *to = dwpe + blockIdx.x * width;
    for (size_t at = threadIdx.x * size_t(8); at < width; at += THREADS * size_t(8)) {
        float sum[8];
        lab_load_part(to, at, width, whole, sum);
        LAB_UNROLL(4)
        for (size_t row = blockIdx.x; row < rows; row += seq)
            add_row(sum, dx + row * width, at, width, whole);
        lab_store_part(to, at, width, whole, sum);
    }
}

void lab_cuda_embed_backward(lab_device *d, lab_dtype type, void *dwte, void *dwpe, const void *dx,
                             const int32_t *tokens, size_t rows, size_t seq, size_t width) {
    lab_cuda *c = lab_cuda_of(d);
    bool whole = width % 8 == 0 && lab_aligned(dwte, dwpe, dx);
    if (rows == 0) return;
    if (rows > c->work.rows) {
        lab_cuda_fail(c, "embedding backward", "the lent workspace is too small for it");
        return;
    }
    sort_tokens(c, tokens, rows);
    LAB_BY_TYPE(type, LAB_LAUNCH((add_tokens<T>), static_cast<unsigned>(rows), THREADS, 0,
                                 c->compute, static_cast<T *>(dwte), static_cast<const T *>(dx),
                                 c->work.keys, rows, width, whole));
    LAB_BY_TYPE(type, LAB_LAUNCH((add_places<T>), static_cast<unsigned>(rows < seq ? rows : seq),
                                 THREADS, 0, c->compute, static_cast<T *>(dwpe),
                                 static_cast<const T *>(dx), rows, seq, width, whole));
    lab_cuda_check(c, cudaGetLastError(), "embedding backward");
}
