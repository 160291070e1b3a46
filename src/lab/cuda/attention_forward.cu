/* Attention forward on tensor cores. A block takes 64 or 128 queries and loops over their keys, 64
 * at a time. It loads the next keys and values while it computes with these. */
#include "lab/cuda/attention.cuh"

namespace {

template <int D> struct shape {
    /* fragments of 16 queries a warp */
    static constexpr int M = D > 64 ? 1 : 2;
    static constexpr int QUERIES = 16 * M * LAB_WARPS;
    static constexpr int KEYS = LAB_TILE;
    static constexpr size_t PANELS = static_cast<size_t>(QUERIES + 4 * KEYS) * D;
};
/* Of a warp's rows: maximum, sum (each lane its own part), output. */
template <int M, int D> struct running { float most[M][2], sum[M][2], out[M][D / 8][4]; };

/* Scores become 2^(score − maximum); what was summed before is brought to the new maximum. */
template <int M, int N, int D>
__device__ __forceinline__ void weigh(float (&score)[M][N][4], running<M, D> &r, float scale) {
    LAB_UNROLL()
    for (int m = 0; m < M; m++) {
        LAB_UNROLL()
        for (int half = 0; half < 2; half++) {
            float most = r.most[m][half];
            LAB_UNROLL()
            for (int n = 0; n < N; n++)
                most = fmaxf(most, fmaxf(score[m][n][2 * half], score[m][n][2 * half + 1]));
            most = lab_row_max(most);
            const float shift = most * scale, shrink = lab_exp2(r.most[m][half] * scale - shift);
            float sum = r.sum[m][half] * shrink;
            LAB_UNROLL()
            for (int n = 0; n < N; n++) {
                LAB_UNROLL()
                for (int i = 2 * half; i < 2 * half + 2; i++) {
                    score[m][n][i] = lab_exp2(score[m][n][i] * scale - shift);
                    sum += score[m][n][i];
                }
            }
            LAB_UNROLL()
            for (int n = 0; n < D / 8; n++) {
                r.out[m][n][2 * half] *= shrink;
                r.out[m][n][2 * half + 1] *= shrink;
            }
            r.most[m][half] = most;
            r.sum[m][half] = sum;
        }
    }
}

template <typename T, int M, int D>
__device__ __forceinline__ void finish(const lab_heads<T> &x, const lab_head<T> &h,
                                       running<M, D> &r, T *panel, int row, uint32_t first) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    LAB_UNROLL()
    for (int m = 0; m < M; m++) {
        float over[2];
        LAB_UNROLL()
        for (int half = 0; half < 2; half++) {
            const float sum = lab_row_sum(r.sum[m][half]);
            const uint32_t at = first + static_cast<uint32_t>(16 * m + 8 * half + lane / 4);
            over[half] = 1 / sum;
            if (lane % 4 == 0 && at < x.seq)
                h.stats[at] = r.most[m][half] * x.scale_log2 + log2f(sum);
        }
        if (x.out)
            lab_put<T, D>(h.out, x.width, first + static_cast<uint32_t>(16 * m), panel,
                          row + 16 * m, r.out[m], over[0], over[1], x);
    }
}

template <typename T, int D>
__global__ void __launch_bounds__(LAB_FLASH_THREADS, 2) flash_forward(const lab_heads<T> x) {
    constexpr int M = shape<D>::M, QUERIES = shape<D>::QUERIES, KEYS = shape<D>::KEYS;
    LAB_SHARED_MEMORY(T, q);
    T *const k = q + QUERIES * D, *const v = k + 2 * KEYS * D;
    const lab_head<T> h = lab_head_of(x, blockIdx.z, blockIdx.y);
    const uint32_t first = (gridDim.x - 1 - blockIdx.x) * QUERIES; /* the longest loops first */
    const uint32_t end = min(first + QUERIES, x.seq);
    const int tiles = static_cast<int>((end + KEYS - 1) / KEYS);
    const int row = static_cast<int>(threadIdx.x) / 32 * 16 * M;
    const int mine = static_cast<int>(first) + row; /* this warp's first query */
    lab_fetch<D, QUERIES>(q, h.q, h.row, first, x);
    lab_fetch<D, KEYS>(k, h.k, h.row, 0, x);
    lab_fetch<D, KEYS>(v, h.v, h.row, 0, x);
    lab_copy_commit();
    lab_lefts<T, D, M, true> queries(q, row);
    running<M, D> r;
    lab_clear(r.out);
    LAB_UNROLL()
    for (int m = 0; m < M; m++) {
        r.most[m][0] = r.most[m][1] = -INFINITY;
        r.sum[m][0] = r.sum[m][1] = 0;
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
        if (tile == 0) queries.bring();
        if (key > mine + 16 * M - 1) continue; /* no query sees any of it */
        float score[M][KEYS / 8][4];
        lab_clear(score);
        lab_times_rows<T, D, M, KEYS / 16>(score, queries, k + now, 0);
        if (key + KEYS - 1 > mine) lab_hide(score, key - mine);
        weigh(score, r, x.scale_log2);
        uint32_t weight[M][KEYS / 16][4];
        lab_round<T>(weight, score);
        lab_times_panel<T, D, M, KEYS / 16>(r.out, weight, v + now, 0);
    }
    finish<T, M, D>(x, h, r, q, row, static_cast<uint32_t>(mine));
}

template <typename T, int D> void launch(const lab_heads<T> &x, cudaStream_t stream) {
    constexpr uint32_t QUERIES = shape<D>::QUERIES;
    const size_t bytes = shape<D>::PANELS * sizeof(T);
    lab_allow_shared(flash_forward<T, D>, bytes);
    LAB_LAUNCH((flash_forward<T, D>), dim3((x.seq + QUERIES - 1) / QUERIES, x.heads, x.batch),
               LAB_FLASH_THREADS, bytes, stream, x);
}

} // namespace

template <typename T> void lab_flash_forward(const lab_heads<T> &x, cudaStream_t stream) {
    if (x.size <= 32)
        launch<T, 32>(x, stream);
    else if (x.size <= 64)
        launch<T, 64>(x, stream);
    else
        launch<T, 128>(x, stream);
}
template void lab_flash_forward(const lab_heads<lab_bf16> &x, cudaStream_t stream);
template void lab_flash_forward(const lab_heads<lab_f16> &x, cudaStream_t stream);
