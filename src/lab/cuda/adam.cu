/* AdamW over all tensors of a unit in one launch. Each element looks up whether it decays. */
#include "lab/cuda/cuda.h"
#include "lab/cuda/vector.cuh"

enum { THREADS = 256 };

struct update {
    void *param;
    /* master: NULL if `param` is its own master copy */
    float *master, *m, *v;
    const void *grad;
    size_t n, vectors;
    struct lab_adam_factors factors;
    size_t pieces, end[LAB_ADAM_PIECES];
    bool decays[LAB_ADAM_PIECES];
};

/* The factor of decay at `i`; `piece` only grows. */
__device__ __forceinline__ float decay_at(const update &k, size_t i, size_t &piece) {
    while (piece + 1 < k.pieces && i >= k.end[piece]) piece++;
    return k.pieces == 0 || k.decays[piece] ? k.factors.decay : 0;
}

template <typename T> __device__ __forceinline__ void update_one(const update &k, size_t i) {
    size_t piece = 0;
    struct lab_adam_factors f = k.factors;
    T *param = static_cast<T *>(k.param) + i;
    float w = k.master ? k.master[i] : lab_widen(*param);
    f.decay = decay_at(k, i, piece);
    lab_adam_update(&w, k.m + i, k.v + i, lab_widen(static_cast<const T *>(k.grad)[i]), &f);
    if (k.master) k.master[i] = w;
    *param = lab_narrow<T>(w);
}
template <typename T> __device__ __forceinline__ void update_eight(const update &k, size_t i) {
    size_t piece = 0;
    struct lab_adam_factors f = k.factors;
    T *param = static_cast<T *>(k.param) + i;
    float w[8], m[8], v[8], g[8];
    if (k.master)
        lab_load8(k.master + i, w);
    else
        lab_load8(param, w);
    lab_load8(k.m + i, m);
    lab_load8(k.v + i, v);
    lab_load8(static_cast<const T *>(k.grad) + i, g);
    LAB_UNROLL(8)
    for (size_t e = 0; e < 8; e++) {
        f.decay = decay_at(k, i + e, piece);
        lab_adam_update(&w[e], &m[e], &v[e], g[e], &f);
    }
    if (k.master) lab_store8(k.master + i, w);
    lab_store8(k.m + i, m);
    lab_store8(k.v + i, v);
    lab_store8(param, w);
}
template <typename T> __global__ void __launch_bounds__(THREADS) adam(update k) {
    const size_t i = blockIdx.x * size_t(THREADS) + threadIdx.x;
    if (i < k.vectors)
        update_eight<T>(k, 8 * i);
    else if (i + 7 * k.vectors < k.n)
        update_one<T>(k, i + 7 * k.vectors);
}

void lab_cuda_adam(lab_device *d, lab_dtype param, lab_dtype grad, const lab_adam *x) {
    lab_cuda *c = lab_cuda_of(d);
    update k = {};
    if (x->n == 0) return;
    if (param != grad || (param != LAB_F32 && !x->master)) {
        lab_cuda_fail(c, "AdamW",
                      "gradients must be of the parameters' type, 16-bit ones have a master copy");
        return;
    }
    k.param = x->param, k.grad = x->grad, k.n = x->n;
    k.master = x->master;
    k.m = static_cast<float *>(x->m), k.v = static_cast<float *>(x->v);
    k.vectors = lab_aligned(x->param, x->master, x->m, x->v, x->grad) ? x->n / 8 : 0;
    k.factors = lab_adam_factors(x, true);
    k.pieces = x->pieces;
    for (size_t i = 0; i < x->pieces; i++)
        k.end[i] = x->piece[i].end, k.decays[i] = x->piece[i].decays;
    LAB_BY_TYPE(param, LAB_LAUNCH((adam<T>), lab_blocks(k.n - 7 * k.vectors, THREADS), THREADS, 0,
                                  c->compute, k));
    lab_cuda_check(c, cudaGetLastError(), "AdamW");
}
