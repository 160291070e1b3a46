/* Sums over ranks on the GPU, bit for bit those of the CPU (cpu/sum.h). */
#ifndef LAB_RANK_SUM_H
#define LAB_RANK_SUM_H

#include "lab/dtype.h"
#include "lab/launch.h"

#include <cuda_runtime.h>

struct lab_rank_sum {
    void *to;
    const void *from[LAB_RANKS_MAX];
    size_t n;
    uint32_t ranks;
    enum lab_dtype type, into;
    bool add;
};
#ifdef __cplusplus
extern "C"
#endif
    /* to[i] = Σ_r from[r][i], or to[i] + Σ if `add`. Computed in fp32 (fp64 if `type` is), in rank
     * order, and rounded once. `to` may be one of `from`. */
    cudaError_t
    lab_cuda_rank_sum(const struct lab_rank_sum *x, cudaStream_t stream);

#endif
