/* Attention backward, the part of keys and values, by tensor cores: a block takes 64 or 128 keys
 * and walks over the queries that see them, in order: the sums are always the same. All is
 * transposed, so that weights and slopes need not leave the registers: dV = Pᵀ · dout, dK = scale ·
 * dSᵀ · Q. A fragment out of shared memory serves two of keys: with one, 36 loads of 512 bytes go
 * with 64 products, and take longer than these. */
#include "lab/cuda/attention.cuh"

namespace {

enum { QUERIES = LAB_TILE };
template <int D> struct shape {
    /* fragments of 16 keys a warp */
    static constexpr int M = D > 64 ? 1 : 2;
    static constexpr int KEYS = 16 * M * LAB_WARPS;
    /* queries in registers */
    static constexpr int AT_ONCE = 16;
    static constexpr size_t BYTES =
        static_cast<size_t>(2 * KEYS + 4 * QUERIES) * D * 2 + 4 * QUERIES * sizeof(float);
};

/* Queries before the key do not see it. `ahead`: the first query's place less the first key's. */
template <int M, int N> __device__ __forceinline__ void hide(float (&score)[M][N][4], int ahead) {
    const int lane = static_cast<int>(threadIdx.x) % 32, row = lane / 4, column = lane % 4 * 2;
    LAB_UNROLL()
    for (int m = 0; m < M; m++) {
        LAB_UNROLL()
        for (int n = 0; n < N; n++) {
            LAB_UNROLL()
            for (int i = 0; i < 4; i++)
                if (ahead + 8 * n + column + i % 2 < 16 * m + row + i / 2 * 8)
                    score[m][n][i] = -INFINITY;
        }
    }
}

/* Pᵀ in place of the scores, dSᵀ in place of dPᵀ; rows are keys, columns queries. */
template <int M, int N>
__device__ __forceinline__ void slope(float (&score)[M][N][4], float (&dp)[M][N][4],
                                      const float *stats, const float *deltas, float scale) {
    const int column = static_cast<int>(threadIdx.x) % 4 * 2;
    LAB_UNROLL()
    for (int n = 0; n < N; n++) {
        const float2 stat = *reinterpret_cast<const float2 *>(stats + 8 * n + column),
                     delta = *reinterpret_cast<const float2 *>(deltas + 8 * n + column);
        LAB_UNROLL()
        for (int m = 0; m < M; m++) {
            LAB_UNROLL()
            for (int i = 0; i < 4; i++) {
                score[m][n][i] = lab_exp2(score[m][n][i] * scale - (i % 2 ? stat.y : stat.x));
                dp[m][n][i] = score[m][n][i] * (dp[m][n][i] - (i % 2 ? delta.y : delta.x));
            }
        }
    }
}

/* Half of the threads fetch a tile's statistics, the others its deltas. Rows beyond the end have
 * weight 0. */
template <typename T>
__device__ __forceinline__ float number_of(const lab_heads<T> &x, const lab_head<T> &h,
                                           uint32_t first) {
    const uint32_t at = first + threadIdx.x % QUERIES;
    const bool stat = threadIdx.x < QUERIES;
    if (at >= x.seq) return stat ? INFINITY : 0;
    return stat ? h.stats[at] : h.deltas[at];
}
static_assert(2 * QUERIES == LAB_FLASH_THREADS, "a thread a number");

/* a warp's keys */
template <typename T, int D> struct rows {
    static constexpr int M = shape<D>::M;
    lab_lefts<T, D, M, (D <= 64)> key;
    lab_lefts<T, D, M, (D <= 32)> value;
    float dk[M][D / 8][4], dv[M][D / 8][4];
    /* the first */
    int mine;
    __device__ __forceinline__ rows(const T *k, const T *v, int row, int first)
        : key(k, row), value(v, row), mine(first) {
        lab_clear(dk);
        lab_clear(dv);
    }
};

/* One tile of queries, of which `query` is the first. */
template <typename T, int D>
__device__ __forceinline__ void meet(rows<T, D> &r, const T *q, const T *dout, const float *stats,
                                     const float *deltas, int query, float scale) {
    constexpr int M = shape<D>::M, AT_ONCE = shape<D>::AT_ONCE, N = AT_ONCE / 16;
    LAB_UNROLL(1)
    for (int some = 0; some < QUERIES; some += AT_ONCE) {
        const int ahead = query + some - r.mine;
        if (ahead + AT_ONCE <= 0) continue; /* none of them sees a key of this warp */
        float score[M][2 * N][4], dp[M][2 * N][4];
        uint32_t left[M][N][4];
        lab_clear(score);
        lab_clear(dp);
        lab_times_rows<T, D, M, N>(score, r.key, q, some);
        lab_times_rows<T, D, M, N>(dp, r.value, dout, some);
        if (ahead < 16 * M - 1) hide(score, ahead);
        slope(score, dp, stats + some, deltas + some, scale);
        lab_round<T>(left, score);
        lab_times_panel<T, D, M, N>(r.dv, left, dout, some);
        lab_round<T>(left, dp);
        lab_times_panel<T, D, M, N>(r.dk, left, q, some);
    }
}

template <typename T, int D>
__global__ void __launch_bounds__(LAB_FLASH_THREADS, 2) flash_keys(const lab_heads<T> x) {
    constexpr int M = shape<D>::M, KEYS = shape<D>::KEYS;
    LAB_SHARED_MEMORY(T, k);
    T *const v = k + KEYS * D, *const q = v + KEYS * D, *const dout = q + 2 * QUERIES * D;
    float *const numbers = reinterpret_cast<float *>(dout + 2 * QUERIES * D);
    const lab_head<T> h = lab_head_of(x, blockIdx.z, blockIdx.y);
    const uint32_t first = blockIdx.x * KEYS; /* the longest loops first */
    const int row = static_cast<int>(threadIdx.x) / 32 * 16 * M;
    lab_fetch<D, KEYS>(k, h.k, h.row, first, x);
    lab_fetch<D, KEYS>(v, h.v, h.row, first, x);
    lab_fetch<D, QUERIES>(q, h.q, h.row, first, x);
    lab_fetch<D, QUERIES>(dout, h.dout, x.width, first, x);
    lab_copy_commit();
    float number = number_of(x, h, first);
    rows<T, D> r(k, v, row, static_cast<int>(first) + row);
    int turn = 0;
    for (uint32_t query = first; query < x.seq; query += QUERIES, turn ^= 1) {
        const int now = turn * QUERIES * D, next = QUERIES * D - now;
        float *const stats = numbers + turn * 2 * QUERIES, *const deltas = stats + QUERIES;
        stats[threadIdx.x] = number;
        lab_copy_wait<0>();
        __syncthreads();
        if (query + QUERIES < x.seq) {
            lab_fetch<D, QUERIES>(q + next, h.q, h.row, query + QUERIES, x);
            lab_fetch<D, QUERIES>(dout + next, h.dout, x.width, query + QUERIES, x);
            lab_copy_commit();
            number = number_of(x, h, query + QUERIES);
        }
        if (query == first) r.key.bring(), r.value.bring();
        meet(r, q + now, dout + now, stats, deltas, static_cast<int>(query), x.scale_log2);
    }
    LAB_UNROLL()
    for (int m = 0; m < M; m++) {
        const uint32_t mine = static_cast<uint32_t>(r.mine + 16 * m);
        lab_put<T, D>(h.dk, h.row, mine, k, row + 16 * m, r.dk[m], x.scale, x.scale, x);
        lab_put<T, D>(h.dv, h.row, mine, v, row + 16 * m, r.dv[m], 1, 1, x);
    }
}

template <typename T, int D> void launch(const lab_heads<T> &x, cudaStream_t stream) {
    constexpr uint32_t KEYS = shape<D>::KEYS;
    lab_allow_shared(flash_keys<T, D>, shape<D>::BYTES);
    LAB_LAUNCH((flash_keys<T, D>), dim3((x.seq + KEYS - 1) / KEYS, x.heads, x.batch),
               LAB_FLASH_THREADS, shape<D>::BYTES, stream, x);
}

} // namespace

template <typename T> void lab_flash_keys(const lab_heads<T> &x, cudaStream_t stream) {
    if (x.size <= 32)
        launch<T, 32>(x, stream);
    else if (x.size <= 64)
        launch<T, 64>(x, stream);
    else
        launch<T, 128>(x, stream);
}
template void lab_flash_keys(const lab_heads<lab_bf16> &x, cudaStream_t stream);
template void lab_flash_keys(const lab_heads<lab_f16> &x, cudaStream_t stream);
