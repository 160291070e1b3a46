/* Attention backward, the queries' part, on tensor cores. A block takes 64 or 128 queries and loops
 * over their keys, as forward does. P = 2^(score − stats), dS = P (dout · v − delta), dQ = scale ·
 * dS · K. */
#include "lab/cuda/attention.cuh"

namespace {

template <int D> struct shape {
    /* fragments of 16 queries a warp */
    static constexpr int M = D > 64 ? 1 : 2;
    static constexpr int QUERIES = 16 * M * LAB_WARPS;
    /* keys in registers */
    static constexpr int KEYS = LAB_TILE, AT_ONCE = 32;
    static constexpr size_t PANELS = static_cast<size_t>(2 * QUERIES + 4 * KEYS) * D;
};

/* dS in place of dP. */
template <int M, int N>
__device__ __forceinline__ void slope(float (&dp)[M][N][4], const float (&score)[M][N][4],
                                      const float (&stats)[M][2], const float (&deltas)[M][2],
                                      float scale) {
    LAB_UNROLL()
    for (int m = 0; m < M; m++) {
        LAB_UNROLL()
        for (int n = 0; n < N; n++) {
            LAB_UNROLL()
            for (int i = 0; i < 4; i++) {
                const float p = lab_exp2(score[m][n][i] * scale - stats[m][i / 2]);
                dp[m][n][i] = p * (dp[m][n][i] - deltas[m][i / 2]);
            }
        }
    }
}

/* a warp's */
template <typename T, int D> struct rows {
    static constexpr int M = shape<D>::M;
    lab_lefts<T, D, M, (D <= 64)> query;
    /* dout */
    lab_lefts<T, D, M, false> wanted;
    float stats[M][2], deltas[M][2], dq[M][D / 8][4];
    /* the first */
    int mine;
    __device__ __forceinline__ rows(const T *q, const T *dout, int row, int first)
        : query(q, row), wanted(dout, row), mine(first) {
        lab_clear(dq);
    }
};

/* Rows beyond the end have weight 0. */
template <typename T, int D>
__device__ __forceinline__ void bring_numbers(rows<T, D> &r, const lab_heads<T> &x,
                                              const lab_head<T> &h) {
    LAB_UNROLL()
    for (int i = 0; i < 2 * r.M; i++) {
        const int at = r.mine + i * 8 + static_cast<int>(threadIdx.x) % 32 / 4;
        const bool there = at < static_cast<int>(x.seq);
        r.stats[i / 2][i % 2] = there ? h.stats[at] : INFINITY;
        r.deltas[i / 2][i % 2] = there ? h.deltas[at] : 0;
    }
}

/* One tile of keys, of which `key` is the first. */
template <typename T, int D>
__device__ __forceinline__ void meet(rows<T, D> &r, const T *k, const T *v, int key, float scale) {
    constexpr int M = shape<D>::M, AT_ONCE = shape<D>::AT_ONCE, N = AT_ONCE / 16;
    LAB_UNROLL(1)
    for (int some = 0; some < shape<D>::KEYS; some += AT_ONCE) {
        const int ahead = key + some - r.mine;
        if (ahead > 16 * M - 1) return; /* no row sees any of them */
        float score[M][2 * N][4], dp[M][2 * N][4];
        lab_clear(score);
        lab_clear(dp);
        lab_times_rows<T, D, M, N>(score, r.query, k, some);
        lab_times_rows<T, D, M, N>(dp, r.wanted, v, some);
        if (ahead + AT_ONCE - 1 > 0) lab_hide(score, ahead);
        slope(dp, score, r.stats, r.deltas, scale);
        uint32_t ds[M][N][4];
        lab_round<T>(ds, dp);
        lab_times_panel<T, D, M, N>(r.dq, ds, k, some);
    }
}

template <typename T, int D>
__global__ void __launch_bounds__(LAB_FLASH_THREADS, 2) flash_queries(const lab_heads<T> x) {
    constexpr int M = shape<D>::M, QUERIES = shape<D>::QUERIES, KEYS = shape<D>::KEYS;
    LAB_SHARED_MEMORY(T, q);
    T *const dout = q + QUERIES * D, *const k = dout + QUERIES * D, *const v = k + 2 * KEYS * D;
    const lab_head<T> h = lab_head_of(x, blockIdx.z, blockIdx.y);
    const uint32_t first = (gridDim.x - 1 - blockIdx.x) * QUERIES; /* the longest loops first */
    const uint32_t end = min(first + QUERIES, x.seq);
    const int tiles = static_cast<int>((end + KEYS - 1) / KEYS);
    const int row = static_cast<int>(threadIdx.x) / 32 * 16 * M;
    lab_fetch<D, QUERIES>(q, h.q, h.row, first, x);
    lab_fetch<D, QUERIES>(dout, h.dout, x.width, first, x);
    lab_fetch<D, KEYS>(k, h.k, h.row, 0, x);
    lab_fetch<D, KEYS>(v, h.v, h.row, 0, x);
    lab_copy_commit();
    rows<T, D> r(q, dout, row, static_cast<int>(first) + row);
    bring_numbers(r, x, h);
    for (int tile = 0; tile < tiles; tile++) {
        const int now = tile % 2 * KEYS * D, next = KEYS * D - now, key = tile * KEYS;
        lab_copy_wait<0>();
        __syncthreads();
        if (tile + 1 < tiles) {
            lab_fetch<D, KEYS>(k + next, h.k, h.row, static_cast<uint32_t>(key + KEYS), x);
            lab_fetch<D, KEYS>(v + next, h.v, h.row, static_cast<uint32_t>(key + KEYS), x);
            lab_copy_commit();
        }
        if (tile == 0) r.query.bring();
        meet(r, k + now, v + now, key, x.scale_log2);
    }
    LAB_UNROLL()
    for (int m = 0; m < M; m++)
        lab_put<T, D>(h.dq, h.row, static_cast<uint32_t>(r.mine + 16 * m), q, row + 16 * m, r.dq[m],
                      x.scale, x.scale, x);
}

template <typename T, int D> void launch(const lab_heads<T> &x, cudaStream_t stream) {
    constexpr uint32_t QUERIES = shape<D>::QUERIES;
    const size_t bytes = shape<D>::PANELS * sizeof(T);
    lab_allow_shared(flash_queries<T, D>, bytes);
    LAB_LAUNCH((flash_queries<T, D>), dim3((x.seq + QUERIES - 1) / QUERIES, x.heads, x.batch),
               LAB_FLASH_THREADS, bytes, stream, x);
}

} // namespace

template <typename T> void lab_flash_queries(const lab_heads<T> &x, cudaStream_t stream) {
    if (x.size <= 32)
        launch<T, 32>(x, stream);
    else if (x.size <= 64)
        launch<T, 64>(x, stream);
    else
        launch<T, 128>(x, stream);
}
template void lab_flash_queries(const lab_heads<lab_bf16> &x, cudaStream_t stream);
template void lab_flash_queries(const lab_heads<lab_f16> &x, cudaStream_t stream);
