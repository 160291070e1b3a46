/* Attention's kernels share this: a launch's arguments, a block's head and sequence, panels of rows
 * in shared memory and products of fragments. The method is FlashAttention-2's (Dao,
 * arXiv:2307.08691): tiles of keys, a running maximum and sum per row, and the softmax computed
 * again in backward from one saved number per row. No array here is seq × seq. */
#ifndef LAB_ATTENTION_CUH
#define LAB_ATTENTION_CUH

#include "lab/cuda/cuda.h"
#include "lab/cuda/mma.cuh"

/* Heads side by side. stats: of each row log2 Σ 2^(score · scale · log2 e); deltas: Σ dout · out.
 * Both are [batch × heads × seq]. */
template <typename T> struct lab_heads {
    const T *qkv;
    T *out;
    float *stats;
    const T *dout;
    T *dqkv;
    float *deltas;
    /* size: of a head */
    uint32_t batch, seq, heads, width, size;
    float scale, scale_log2;
};

/* One head of one sequence. */
template <typename T> struct lab_head {
    const T *q, *k, *v, *dout;
    T *out, *dq, *dk, *dv;
    float *stats, *deltas;
    /* elements between rows of q, k, v */
    uint32_t row;
};
template <typename T>
__device__ __forceinline__ lab_head<T> lab_head_of(const lab_heads<T> &x, uint32_t sequence,
                                                   uint32_t head) {
    const uint32_t row = 3 * x.width, width = x.width;
    const size_t first = static_cast<size_t>(sequence) * x.seq, at = head * x.size;
    const size_t q = first * row + at, o = first * width + at;
    const size_t line = (static_cast<size_t>(sequence) * x.heads + head) * x.seq;
    return {x.qkv + q,  x.qkv + q + width,  x.qkv + q + 2 * width,  x.dout + o,     x.out + o,
            x.dqkv + q, x.dqkv + q + width, x.dqkv + q + 2 * width, x.stats + line, x.deltas + line,
            row};
}

enum { LAB_WARPS = 4, LAB_FLASH_THREADS = 32 * LAB_WARPS, LAB_TILE = 64, LAB_FLASH_MOST = 128 };

/* ── panels: rows of D numbers in shared memory ──
 *
 * Pieces of 16 bytes change places, so that eight rows are in different banks. */
template <int D> __device__ __forceinline__ int lab_piece(int row, int piece) {
    const int turn = D >= 64 ? row & 7 : row >> 1 & 3;
    return row * D + (piece ^ turn) * 8;
}
/* Of row `row + lane_row`, `row` a multiple of eight: the compiler then sees that the turn is the
 * lane's alone. */
template <int D> __device__ __forceinline__ int lab_piece(int row, int lane_row, int piece) {
    return row * D + lab_piece<D>(lane_row, piece);
}

/* Begins to copy rows first … first + ROWS. Missing rows and columns after the head's last one
 * become zeros. */
template <int D, int ROWS, typename T>
__device__ __forceinline__ void lab_fetch(T *panel, const T *from, uint32_t stride, uint32_t first,
                                          const lab_heads<T> &x) {
    constexpr int PIECES = D / 8,
                  STEP = LAB_FLASH_THREADS / PIECES; /* STEP: eight or more rows at a time */
    const int row = static_cast<int>(threadIdx.x) / PIECES;
    const int piece = static_cast<int>(threadIdx.x) % PIECES;
    const bool column = static_cast<uint32_t>(piece) * 8 < x.size;
    T *to = panel + lab_piece<D>(row, piece);
    uint32_t at = first + static_cast<uint32_t>(row);
    const T *source = from + static_cast<size_t>(at) * stride + piece * 8;
    LAB_UNROLL()
    for (int turn = 0; turn < ROWS / STEP; turn++) {
        const bool there = column && at < x.seq;
        lab_copy16(to + turn * STEP * D, there ? source : from, there);
        at += STEP;
        source += STEP * stride;
    }
}

/* ── fragments of a panel ── */
/* Left-hand: rows row … row + 16, columns 16 step … 16 step + 16. */
template <int D, typename T>
__device__ __forceinline__ void lab_left(uint32_t (&to)[4], const T *panel, int row, int step) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    lab_load_fragments(to, panel + lab_piece<D>(row, lane % 16, 2 * step + lane / 16));
}
/* A warp's 16 M rows of a panel as left-hand fragments: kept in registers once brought, or, where
 * these are short, loaded again each time. */
template <typename T, int D, int M, bool KEEP> struct lab_lefts {
    const T *panel;
    int row;
    uint32_t kept[KEEP ? M : 1][KEEP ? D / 16 : 1][4];
    __device__ __forceinline__ lab_lefts(const T *from, int first) : panel(from), row(first) {}
    __device__ __forceinline__ void bring() {
        if constexpr (KEEP) {
            LAB_UNROLL()
            for (int m = 0; m < M; m++) {
                LAB_UNROLL()
                for (int step = 0; step < D / 16; step++)
                    lab_left<D>(kept[m][step], panel, row + 16 * m, step);
            }
        }
    }
    __device__ __forceinline__ void take(uint32_t (&to)[4], int m, int step) const {
        if constexpr (KEEP) {
            LAB_UNROLL()
            for (int i = 0; i < 4; i++) to[i] = kept[m][step][i];
        } else {
            lab_left<D>(to, panel, row + 16 * m, step);
        }
    }
};
/* sums[16 M × 16 N] += left · panelᵀ: the panel's rows row … row + 16 N are the sums' columns. */
template <typename T, int D, int M, int N, typename Lefts>
__device__ __forceinline__ void lab_times_rows(float (&sums)[M][2 * N][4], const Lefts &lefts,
                                               const T *panel, int row) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int at = lane / 16 * 8 + lane % 8, half = lane / 8 % 2;
    LAB_UNROLL()
    for (int step = 0; step < D / 16; step++) {
        uint32_t left[M][4];
        LAB_UNROLL()
        for (int m = 0; m < M; m++) lefts.take(left[m], m, step);
        LAB_UNROLL()
        for (int n = 0; n < N; n++) {
            uint32_t four[4];
            lab_load_fragments(four, panel + lab_piece<D>(row + 16 * n, at, 2 * step + half));
            const uint32_t first[2] = {four[0], four[1]}, second[2] = {four[2], four[3]};
            LAB_UNROLL()
            for (int m = 0; m < M; m++) {
                lab_mma<T>(sums[m][2 * n], left[m], first);
                lab_mma<T>(sums[m][2 * n + 1], left[m], second);
            }
        }
    }
}
/* sums[16 M × D] += left · panel: left has 16 N columns, which are the panel's rows row … row + 16
 * N. */
template <typename T, int D, int M, int N>
__device__ __forceinline__ void lab_times_panel(float (&sums)[M][D / 8][4],
                                                const uint32_t (&left)[M][N][4], const T *panel,
                                                int row) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    LAB_UNROLL()
    for (int n = 0; n < N; n++) {
        LAB_UNROLL()
        for (int c = 0; c < D / 16; c++) {
            uint32_t four[4];
            lab_load_transposed(four,
                                panel + lab_piece<D>(row + 16 * n, lane % 16, 2 * c + lane / 16));
            const uint32_t first[2] = {four[0], four[1]}, second[2] = {four[2], four[3]};
            LAB_UNROLL()
            for (int m = 0; m < M; m++) {
                lab_mma<T>(sums[m][2 * c], left[m][n], first);
                lab_mma<T>(sums[m][2 * c + 1], left[m][n], second);
            }
        }
    }
}
template <typename T, int M, int N>
__device__ __forceinline__ void lab_round(uint32_t (&to)[M][N][4],
                                          const float (&from)[M][2 * N][4]) {
    LAB_UNROLL()
    for (int m = 0; m < M; m++) {
        LAB_UNROLL()
        for (int n = 0; n < N; n++) lab_as_left<T>(to[m][n], from[m][2 * n], from[m][2 * n + 1]);
    }
}
template <int M, int N> __device__ __forceinline__ void lab_clear(float (&sums)[M][N][4]) {
    LAB_UNROLL()
    for (int m = 0; m < M; m++) {
        LAB_UNROLL()
        for (int n = 0; n < N; n++)
            sums[m][n][0] = sums[m][n][1] = sums[m][n][2] = sums[m][n][3] = 0;
    }
}

/* Sixteen rows of a warp's sums, times `factor` a row, to global memory: by way of its own part of
 * a panel, so that whole lines are written. */
template <typename T, int D>
__device__ __forceinline__ void lab_put(T *to, uint32_t stride, uint32_t first, T *panel, int row,
                                        const float (&sums)[D / 8][4], float upper, float lower,
                                        const lab_heads<T> &x) {
    const int lane = static_cast<int>(threadIdx.x) % 32, group = lane / 4, pair = lane % 4 * 2;
    __syncwarp();
    LAB_UNROLL()
    for (int n = 0; n < D / 8; n++) {
        const uint32_t a = lab_pack<T>(sums[n][0] * upper, sums[n][1] * upper),
                       b = lab_pack<T>(sums[n][2] * lower, sums[n][3] * lower);
        memcpy(panel + lab_piece<D>(row + group, n) + pair, &a, sizeof a);
        memcpy(panel + lab_piece<D>(row + group + 8, n) + pair, &b, sizeof b);
    }
    __syncwarp();
    LAB_UNROLL()
    for (int turn = 0; turn < 16 * (D / 8) / 32; turn++) {
        const int i = turn * 32 + lane, r = i / (D / 8), piece = i % (D / 8);
        const uint32_t at = first + static_cast<uint32_t>(r);
        if (at < x.seq && static_cast<uint32_t>(piece) * 8 < x.size)
            *reinterpret_cast<uint4 *>(to + static_cast<size_t>(at) * stride + piece * 8) =
                *reinterpret_cast<const uint4 *>(panel + lab_piece<D>(row + r, piece));
    }
}

/* Keys behind the query are not seen. `ahead`: the first key's place less the first query's. */
template <int M, int N>
__device__ __forceinline__ void lab_hide(float (&score)[M][N][4], int ahead) {
    const int lane = static_cast<int>(threadIdx.x) % 32, row = lane / 4, column = lane % 4 * 2;
    LAB_UNROLL()
    for (int m = 0; m < M; m++) {
        LAB_UNROLL()
        for (int n = 0; n < N; n++) {
            LAB_UNROLL()
            for (int i = 0; i < 4; i++)
                if (ahead + 8 * n + column + i % 2 > 16 * m + row + i / 2 * 8)
                    score[m][n][i] = -INFINITY;
        }
    }
}

/* Over the four lanes that share a row. */
__device__ __forceinline__ float lab_row_max(float x) {
    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
    return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}
__device__ __forceinline__ float lab_row_sum(float x) {
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

/* Launchers of the kernels, one file each. */
template <typename T> void lab_flash_forward(const lab_heads<T> &x, cudaStream_t stream);
template <typename T> void lab_flash_queries(const lab_heads<T> &x, cudaStream_t stream);
template <typename T> void lab_flash_keys(const lab_heads<T> &x, cudaStream_t stream);
template <typename T> void lab_plain_forward(const lab_heads<T> &x, cudaStream_t stream);
template <typename T> void lab_plain_backward(const lab_heads<T> &x, cudaStream_t stream);

/* A kernel must request more than 48 KiB of shared memory explicitly. */
template <typename Kernel> void lab_allow_shared(Kernel *kernel, size_t bytes) {
    if (bytes > 48 * 1024)
        (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes));
}

#endif
