/* Attention backward, the queries' part, by tensor cores: a block takes 64 or 128 queries and walks over their keys, as forward does.
 * P = 2^(score − stats), dS = P (dout · v − delta), dQ = scale · dS · K. */
#include "lab/cuda/attention.cuh"

namespace {

template <int D> struct shape {
    static constexpr int M = D > 64 ? 1 : 2; /* fragments of 16 queries a warp */
    static constexpr int QUERIES = 16 * M * LAB_WARPS;
    static constexpr int KEYS = LAB_TILE, AT_ONCE = 32; /* keys in registers */
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

template <typename T, int D>
__global__ void __launch_bounds__(LAB_FLASH_THREADS, 2) flash_queries(const lab_heads<T> x) {
    constexpr int M = shape<D>::M, QUERIES = shape<D>::QUERIES, KEYS = shape<D>::KEYS,
                  AT_ONCE = shape<D>::AT_ONCE;
    LAB_SHARED_MEMORY(T, q);
    T *const dout = q + QUERIES * D, *const k = dout + QUERIES * D, *const v = k + 2 * KEYS * D;
    const lab_head<T> h = lab_head_of(x, blockIdx.z, blockIdx.y);
    const uint32_t first = (gridDim.x - 1 - blockIdx.x) * QUERIES;
    const uint32_t end = min(first + QUERIES, x.seq);
    const int tiles = static_cast<int>((end + KEYS - 1) / KEYS);
    const int row = static_cast<int>(threadIdx.x) / 32 * 16 * M;
    const int mine = static_cast<int>(first) + row;
    lab_fetch<D, QUERIES>(q, h.q, h.row, first, x);
    lab_fetch<D, QUERIES>(dout, h.dout, x.width, first, x);
    lab_fetch<D, KEYS>(k, h.k, h.row, 0, x);
    lab_fetch<D, KEYS>(v, h.v, h.row, 0, x);
    lab_copy_commit();
    float stats[M][2], deltas[M][2], dq[M][D / 8][4];
    lab_lefts<T, D, M, (D <= 64)> query(q, row);
    lab_lefts<T, D, M, false> wanted(dout, row);
    lab_clear(dq);
    LAB_UNROLL()
    for (int i = 0; i < 2 * M; i++) { /* rows beyond the end weigh nothing */
        const int at = mine + i * 8 + static_cast<int>(threadIdx.x) % 32 / 4;
        const bool there = at < static_cast<int>(x.seq);
        stats[i / 2][i % 2] = there ? h.stats[at] : INFINITY;
        deltas[i / 2][i % 2] = there ? h.deltas[at] : 0;
    }
    for (int tile = 0; tile < tiles; tile++) {
        const int now = tile % 2 * KEYS * D, next = KEYS * D - now, key = tile * KEYS;
        lab_copy_wait<0>();
        __syncthreads();
        if (tile + 1 < tiles) {
            lab_fetch<D, KEYS>(k + next, h.k, h.row, static_cast<uint32_t>(key + KEYS), x);
            lab_fetch<D, KEYS>(v + next, h.v, h.row, static_cast<uint32_t>(key + KEYS), x);
            lab_copy_commit();
        }
        if (tile == 0) query.bring();
        LAB_UNROLL(1)
        for (int some = 0; some < KEYS; some += AT_ONCE) {
            if (key + some > mine + 16 * M - 1) break;
            float score[M][AT_ONCE / 8][4], dp[M][AT_ONCE / 8][4];
            lab_clear(score);
            lab_clear(dp);
            lab_times_rows<T, D, M, AT_ONCE / 16>(score, query, k + now, some);
            lab_times_rows<T, D, M, AT_ONCE / 16>(dp, wanted, v + now, some);
            if (key + some + AT_ONCE - 1 > mine) lab_hide(score, key + some - mine);
            slope(dp, score, stats, deltas, x.scale_log2);
            uint32_t ds[M][AT_ONCE / 16][4];
            lab_round<T>(ds, dp);
            lab_times_panel<T, D, M, AT_ONCE / 16>(dq, ds, k + now, some);
        }
    }
    LAB_UNROLL()
    for (int m = 0; m < M; m++)
        lab_put<T, D>(h.dq, h.row, static_cast<uint32_t>(mine + 16 * m), q, row + 16 * m, dq[m],
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
