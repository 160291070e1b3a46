/* What zerolab works in on a GPU: src/lab/cuda/work.c asks for the first, attention's backward for the second. Formulas of their own, so that the
 * lab's ledger is checked against them to the byte.
 *
 *     workspace    cuBLASLt's 32 MiB (NVIDIA, "cuBLAS", on workspaces: what Hopper wants); partial sums of LayerNorm's and biases'
 *                  gradients; sums of squares; a loss for each row; rows sorted by their token; each piece in whole lines of 256 bytes
 *     scratch      a row sum for each head and token, fp32 (Dao, arXiv:2307.08691, algorithm 2, line 4)
 *     columns      of the logits: the vocabulary in whole groups of 64, where that adds fewer than a sequence has tokens */
#include "account/memory/step.h"

enum {
    BLAS = 32 << 20,
    LINE = 256,
    PARTS = 512,
    BIAS_FLOATS = 1024 * 256,
    SORTED = 2048,
    TOTALS = 2,
    FLOAT = 4,
    DOUBLE = 8
};

static uint64_t lines(uint64_t bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
}

static uint64_t largest(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t sorted(uint64_t rows) {
    uint64_t n = SORTED;
    while (n < rows && n < 1ull << 63) n *= 2;
    return n;
}

static bool works_on_a_gpu(const struct account_training *t) {
    return account_recipe_of(t)->gpu_work && t->flash && t->batch && t->seq && t->shape.hidden;
}

struct account_lab_work account_lab_work(const struct account_training *t) {
    struct account_lab_work w = {.columns = t->shape.vocab};
    if (!works_on_a_gpu(t)) return w;
    uint64_t rows = (uint64_t)t->batch * t->seq, width = t->shape.hidden;
    uint64_t floats = largest(2ull * PARTS * width, largest(BIAS_FLOATS, 4 * width));
    w.workspace = BLAS + lines(FLOAT * floats) + lines(DOUBLE * PARTS) + lines(DOUBLE * rows) +
                  lines(DOUBLE * sorted(rows)) + lines(DOUBLE * TOTALS);
    w.scratch = FLOAT * rows * t->shape.heads;
    uint64_t whole = (w.columns + 63) / 64 * 64;
    if (whole - w.columns <= t->seq) w.columns = whole;
    return w;
}
