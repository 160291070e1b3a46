/* A GPU's memory that no ledger sees, measured from outside: what is in use before and after each
 * initialisation. A process has one CUDA context on a GPU whatever the number of its ranks, so this
 * is kept for the process; calls from several threads are taken in turn.
 *
 *     lab_outside_begin(gpu);      before the context
 *     cudaSetDevice(gpu) …
 *     lab_outside_end(gpu, LAB_OUTSIDE_CONTEXT);
 *
 * and so with cuBLAS and NCCL. All that the lab itself asks of the GPU is asked through
 * lab_outside_malloc(), or counted. */
#ifndef LAB_CUDA_OUTSIDE_H
#define LAB_CUDA_OUTSIDE_H

#include "lab/device.h"

#include <cuda_runtime.h>

enum lab_outside_part {
    LAB_OUTSIDE_CONTEXT,
    LAB_OUTSIDE_BLAS,
    /* Kernels and the stack that they need, which are loaded when they first run. */
    LAB_OUTSIDE_MODULES,
    LAB_OUTSIDE_NCCL,
    /* what the lab asked for, as the GPU rounds it */
    LAB_OUTSIDE_LEDGER,
    LAB_OUTSIDE_PARTS
};
/* No other thread of this process initialises anything on the GPU between begin and end. */
void lab_outside_begin(int gpu);
void lab_outside_end(int gpu, enum lab_outside_part part);
/* Between begin and end: counts memory gained since the last reading for that part. */
void lab_outside_mark(int gpu, enum lab_outside_part part);

cudaError_t lab_outside_malloc(int gpu, void **memory, size_t bytes);
cudaError_t lab_outside_free(int gpu, void *memory, size_t bytes);
/* Memory that the lab has from elsewhere, such as NCCL's allocator, asked for between begin and end
 * of LAB_OUTSIDE_LEDGER. */
void lab_outside_count(int gpu, int64_t bytes);

/* Notes what NCCL says that it holds (ncclCommMemStats), to be shown next to the measured
 * difference. */
void lab_outside_nccl_says(int gpu, uint64_t bytes);

/* For device rows. The gauge is read a few times a second at most. */
void lab_cuda_gauge(int gpu, struct lab_gauge *out);
bool lab_cuda_outside(int gpu, struct lab_outside *out);

#endif
