/* The private state of the CUDA device: its streams, its working memory, its first failure. There
 * is one lab_cuda per rank, opened in that rank's own thread. */
#ifndef LAB_CUDA_H
#define LAB_CUDA_H

#include "lab/device.h"
#include "lab/options.h"

#include <cublasLt.h>
#include <cuda_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In how many parts a sum over rows is computed: enough to fill a large GPU. The parts depend on
 * the shape and never on the GPU, so the bits do too. */
enum { LAB_PARTS = 512, LAB_COLUMN_BLOCKS = 1024, LAB_COLUMNS_A_BLOCK = 256 };
/* Keys that a block sorts: the embedding's gradient sorts a power of two of them, that many at
 * least. */
enum { LAB_SORTED = 2048 };
/* LayerNorm keeps a row in a warp's registers. */
enum { LAB_NORM_COLUMNS = LAB_CUDA_WIDTH_MOST };

/* Pieces of the borrowed workspace. The next kernel that needs a piece overwrites it. */
struct lab_cuda_work {
    void *blas;
    size_t blas_bytes;
    /* sums over parts of the rows */
    float *partial;
    /* [LAB_PARTS] */
    double *squares;
    /* [rows] */
    double *row_loss;
    /* [lab_cuda_keys(rows)]: token and row, to be sorted */
    uint64_t *keys;
    /* [LAB_TOTALS] since they were last taken */
    double *total;
    /* capacity of row_loss and keys, and of partial */
    size_t rows, floats;
};
enum lab_cuda_total { LAB_TOTAL_LOSS, LAB_TOTAL_SQUARES, LAB_TOTALS };

/* Pinned host memory for copies to the GPU, in slots that are used in turn. A slot is so large that
 * the fixed cost of a copy is small in comparison. */
enum { LAB_UPLOADS = 4, LAB_UPLOAD_BYTES = 1 << 22 };
struct lab_cuda_upload {
    void *host;
    /* it has been read */
    cudaEvent_t gone;
};
struct lab_cuda_plan;
enum { LAB_PLANS = 64 };

struct lab_cuda {
    /* first: a lab_device is one of these */
    struct lab_device device;
    int gpu;
    /* Copies from the host run on `copy`, after the work enqueued on `compute` before them and
     * before the work enqueued later. */
    cudaStream_t compute, comm, copy;
    cudaEvent_t before_copy, after_copy;
    struct lab_cuda_upload upload[LAB_UPLOADS];
    /* so far */
    size_t uploads;
    /* pinned */
    double *taken;
    /* that the workspace was asked for with */
    struct lab_options options;
    struct lab_cuda_work work;
    cublasLtHandle_t blas;
    /* [LAB_PLANS], in order of first use */
    struct lab_cuda_plan *plan;
    size_t plans;
    /* products' memory is measured */
    bool rehearses;
    /* the first failure; "" if there was none */
    struct lab_message trouble;
};
static inline struct lab_cuda *lab_cuda_of(struct lab_device *d) {
    return (struct lab_cuda *)d;
}
struct lab_device *lab_cuda_open(int gpu, struct lab_message *m);

/* Returns the bytes that the device borrows under these options: cuBLASLt's workspace and the parts
 * of sums. Cuts so much memory into pieces; if `memory` is NULL, only counts. Needs no GPU. */
size_t lab_cuda_workspace(struct lab_cuda_work *w, const struct lab_options *o, char *memory);
size_t lab_cuda_keys(size_t rows);

/* Remembers the first failure. Work enqueued afterwards may compute nonsense; finish() reports the
 * failure. */
void lab_cuda_fail(struct lab_cuda *c, const char *what, const char *why);
/* Whether it went well; a failure is remembered. */
bool lab_cuda_check(struct lab_cuda *c, cudaError_t e, const char *what);

/* ── products (matmul.c) ── */
void lab_cuda_matmul(struct lab_device *d, enum lab_dtype type, const struct lab_matmul *x);
void lab_cuda_plans_free(struct lab_cuda *c);

/* ── kernels ── members of lab_device_row; they enqueue on `compute` */
void lab_cuda_cast(struct lab_device *d, void *to, enum lab_dtype to_type, const void *from,
                   enum lab_dtype from_type, size_t n);
void lab_cuda_bias_gradient(struct lab_device *d, enum lab_dtype type, void *dbias, bool add,
                            const void *dy, size_t rows, size_t columns);
void lab_cuda_gelu(struct lab_device *d, enum lab_dtype type, void *y, const void *x, size_t n);
void lab_cuda_gelu_backward(struct lab_device *d, enum lab_dtype type, void *dx, const void *dy,
                            const void *x, size_t n);
void lab_cuda_norm(struct lab_device *d, enum lab_dtype type, void *y, const void *x,
                   const void *weight, const void *bias, size_t rows, size_t columns);
void lab_cuda_add_norm(struct lab_device *d, enum lab_dtype type, void *sum, void *y, const void *a,
                       const void *b, const void *weight, const void *bias, size_t rows,
                       size_t columns);
void lab_cuda_norm_backward(struct lab_device *d, enum lab_dtype type, void *dx, bool add,
                            void *dweight, void *dbias, bool add_own, const void *dy, const void *x,
                            const void *weight, size_t rows, size_t columns);
void lab_cuda_embed(struct lab_device *d, enum lab_dtype type, void *x, const int32_t *tokens,
                    const void *wte, const void *wpe, size_t rows, size_t seq, size_t width);
void lab_cuda_embed_backward(struct lab_device *d, enum lab_dtype type, void *dwte, void *dwpe,
                             const void *dx, const int32_t *tokens, size_t rows, size_t seq,
                             size_t width);
void lab_cuda_attention(struct lab_device *d, enum lab_dtype type, const struct lab_attention *x);
void lab_cuda_attention_backward(struct lab_device *d, enum lab_dtype type,
                                 const struct lab_attention *x);
size_t lab_cuda_attention_scratch(struct lab_device *d, enum lab_dtype type, uint32_t batch,
                                  uint32_t seq, uint32_t heads, uint32_t width);
void lab_cuda_cross_entropy(struct lab_device *d, enum lab_dtype type, void *logits,
                            const int32_t *targets, size_t rows, size_t vocab, size_t columns,
                            double scale);
void lab_cuda_adam(struct lab_device *d, enum lab_dtype param, enum lab_dtype grad,
                   const struct lab_adam *x);
void lab_cuda_add_squares(struct lab_device *d, enum lab_dtype type, const void *x, size_t n);

/* hash.cu: in the lent workspace. */
uint64_t lab_cuda_hash(struct lab_device *d, uint64_t hash, const void *from, size_t bytes);

/* ── and what these are made of ── */
/* y[r × c] += bias[c] + residual[r × c], for products that cannot add them themselves. Either may
 * be NULL. */
void lab_cuda_add_rows(struct lab_cuda *c, enum lab_dtype type, void *y, const void *bias,
                       const void *residual, size_t rows, size_t columns);
/* to[k][i] = Σ_p partial[p][k][i], or += if it adds, with k < count ≤ 2 and i < columns. `to` is of
 * `type` and rounded once. */
void lab_cuda_add_parts(struct lab_cuda *c, enum lab_dtype type, void *const to[2], size_t count,
                        bool add, const float *partial, size_t parts, size_t columns);
/* total[which] += Σ x[n], in a fixed order. */
void lab_cuda_add_total(struct lab_cuda *c, enum lab_cuda_total which, const double *x, size_t n);

#ifdef __cplusplus
}
#endif

#endif
