/* What a GPU holds before the first tensor, whether something fits, and what the lab works in. */
#include "account/memory/step.h"

/* The CUDA context and its kernels: 0.47 GiB (PyTorch 2.1 with lazy loading on an A100) to 1.78 GiB
 * (1.10), measured in stas00/ml-engineering, training/performance/README.md. zerolab-cuda found 549
 * MB on an H200 (CUDA 13.0, driver 580.159.04: `outside` in data/runs/gpt2-xl-2.jsonl). 0.6 GB is a
 * judgement for today's lazy loading. */
static const uint64_t context = 600000000;
/* NCCL after the first collective: 1.45 GiB on two GPUs (the same, debug/pytorch.md); its buffers
 * alone are 4 MiB for each channel and connection (NVIDIA/nccl, src/init.cc, DEFAULT_BUFFSIZE). */
static const uint64_t nccl = 1556925645;
/* cuBLAS: 32 MiB for a handle and stream on Hopper (pytorch, aten/src/ATen/cuda/CUDABlas.cpp); the
 * older default is 8.1 MiB. */
static const uint64_t workspace = 33554432;

static const struct {
    const char *what, *source;
    const uint64_t *bytes;
    /* only where there are others to talk to */
    bool talks;
} parts[] = {
    {"CUDA context and kernels", "stas00/ml-engineering, training/performance", &context, false},
    {"NCCL", "stas00/ml-engineering, debug/pytorch.md", &nccl, true},
    {"cuBLAS workspace", "pytorch, aten/src/ATen/cuda/CUDABlas.cpp", &workspace, false},
};
#define PARTS (sizeof parts / sizeof *parts)

static bool is_there(const struct account_resolved *is, size_t i) {
    return is->card && (is->mesh.world > 1 || !parts[i].talks);
}

uint64_t account_reserve(const struct account_resolved *is) {
    uint64_t sum = 0;
    for (size_t i = 0; i < PARTS; i++)
        if (is_there(is, i)) sum += *parts[i].bytes;
    return sum;
}

void account_reserve_parts(const struct account_resolved *is, struct account_memory_part *out,
                           size_t *count) {
    for (size_t i = 0; i < PARTS && *count < ACCOUNT_MEMORY_PARTS; i++)
        if (is_there(is, i))
            out[(*count)++] = (struct account_memory_part){.category = ACCOUNT_FRAMEWORK,
                                                           .what = parts[i].what,
                                                           .source = parts[i].source,
                                                           .bytes = *parts[i].bytes};
}

static const double tight_share = 0.9;

enum account_fit account_fit(uint64_t bytes, uint64_t budget) {
    if (bytes > budget) return ACCOUNT_TOO_LARGE;
    return (double)bytes > tight_share * (double)budget ? ACCOUNT_TIGHT : ACCOUNT_FITS;
}

const char *account_fit_name(enum account_fit f) {
    static const char *const names[] = {"yes", "tight", "no"};
    return names[f <= ACCOUNT_TOO_LARGE ? f : ACCOUNT_TOO_LARGE];
}

/* ── zerolab on a GPU ───────────────────────────────────────────────────────────────────────────*/

/* What it works in. src/lab/cuda/work.c allocates the first, attention's backward the
 * second. The formulas here are written independently, and the lab's ledger is checked against them
 * to the byte.
 *
 *     workspace    cuBLASLt's 32 MiB (NVIDIA, "cuBLAS", on workspaces: the size for Hopper);
 *                  partial sums of LayerNorm's and biases' gradients; sums of squares; a loss
 *                  for each row; rows sorted by their token; each in whole lines of 256 bytes
 *     scratch      a row sum for each head and token, fp32 (Dao, arXiv:2307.08691,
 *                  algorithm 2, line 4)
 *     columns      of the logits: the vocabulary in whole groups of 64, if that adds fewer
 *                  than a sequence has tokens, whose positions follow a tied head's rows */

enum {
    BLAS = 32 << 20,
    LINE = 256,
    PARTIAL_SUMS = 512,
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

static bool works_on_a_gpu(const struct account_resolved *is) {
    return is->recipe->gpu_work && is->flash && is->batch && is->seq && is->shape.hidden;
}

struct account_lab_work account_lab_work_of(const struct account_resolved *is) {
    struct account_lab_work w = {.columns = is->shape.vocab};
    if (!works_on_a_gpu(is)) return w;
    uint64_t rows = (uint64_t)is->batch * is->seq, width = is->shape.hidden;
    uint64_t floats = largest(2ull * PARTIAL_SUMS * width, largest(BIAS_FLOATS, 4 * width));
    w.workspace = BLAS + lines(FLOAT * floats) + lines(DOUBLE * PARTIAL_SUMS) +
                  lines(DOUBLE * rows) + lines(DOUBLE * sorted(rows)) + lines(DOUBLE * TOTALS);
    w.scratch = FLOAT * rows * is->shape.heads;
    uint64_t whole = (w.columns + 63) / 64 * 64;
    if (whole - w.columns <= (is->shape.tied ? is->seq : 0)) w.columns = whole;
    return w;
}

struct account_lab_work account_lab_work(const struct account_training *t) {
    struct account_resolved is;
    account_resolve_fields(t, &is);
    return account_lab_work_of(&is);
}
