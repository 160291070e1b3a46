/* What all kernels use: the first failure, which is kept, and the workspace that the device
 * borrows, cut into pieces. */
#include "lab/cuda/cuda.h"

#include <stdio.h>

/* ── failures ── */

void lab_cuda_fail(struct lab_cuda *c, const char *what, const char *why) {
    if (c->trouble.text[0] != '\0') return;
    (void)snprintf(c->trouble.text, sizeof c->trouble.text, "GPU %d, %s: %s", c->gpu, what, why);
}
bool lab_cuda_check(struct lab_cuda *c, cudaError_t e, const char *what) {
    if (e != cudaSuccess) lab_cuda_fail(c, what, cudaGetErrorString(e));
    return e == cudaSuccess;
}

/* ── the workspace ── */

/* NVIDIA's recommendation for Hopper ("cuBLAS", section on workspaces); enough for everything
 * older. */
enum { BLAS_BYTES = 32 << 20, LINE = 256 };

static size_t rows_of(const struct lab_options *o) {
    return (size_t)o->batch * o->shape.seq;
}
static size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}
/* LayerNorm's two sums of LAB_PARTS parts, or a bias's sum of as many parts as fit there. */
static size_t floats_of(const struct lab_options *o) {
    size_t columns = 4 * (size_t)o->shape.width;
    size_t norm = 2 * (size_t)LAB_PARTS * o->shape.width;
    return most(norm, most((size_t)LAB_COLUMN_BLOCKS * LAB_COLUMNS_A_BLOCK, columns));
}

/* A piece of `bytes` at *at, which moves on. */
static size_t piece(size_t *at, size_t bytes) {
    size_t here = *at;
    *at += (bytes + LINE - 1) / LINE * LINE;
    return here;
}
static void *within(char *memory, size_t at) {
    return memory + at;
}
size_t lab_cuda_workspace(struct lab_cuda_work *w, const struct lab_options *o, char *memory) {
    size_t at = 0, rows = rows_of(o), floats = floats_of(o);
    size_t blas = piece(&at, BLAS_BYTES), partial = piece(&at, floats * sizeof(float)),
           squares = piece(&at, LAB_PARTS * sizeof(double)),
           losses = piece(&at, rows * sizeof(double)),
           keys = piece(&at, lab_cuda_keys(rows) * sizeof(uint64_t)),
           total = piece(&at, LAB_TOTALS * sizeof(double));
    if (!memory) return at;
    w->blas = within(memory, blas);
    w->blas_bytes = BLAS_BYTES;
    w->partial = within(memory, partial);
    w->squares = within(memory, squares);
    w->row_loss = within(memory, losses);
    w->keys = within(memory, keys);
    w->total = within(memory, total);
    w->rows = rows;
    w->floats = floats;
    return at;
}

size_t lab_cuda_keys(size_t rows) {
    size_t n = LAB_SORTED;
    while (n < rows) n *= 2;
    return n;
}
