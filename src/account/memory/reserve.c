/* What a GPU has gone to before the first tensor. */
#include "account/memory/step.h"

/* The CUDA context and its kernels: 0.47 GiB (PyTorch 2.1 with lazy loading on an A100) to 1.78 GiB (1.10), measured in
 * stas00/ml-engineering, training/performance/README.md. 0.6 GB is a judgement for today's lazy loading. */
static const uint64_t context = 600000000;
/* NCCL after the first collective: 1.45 GiB on two GPUs (the same, debug/pytorch.md); its buffers alone are 4 MiB for each channel
 * and connection (NVIDIA/nccl, src/init.cc, DEFAULT_BUFFSIZE). */
static const uint64_t nccl = 1556925645;
/* cuBLAS: 32 MiB for a handle and stream on Hopper (pytorch, aten/src/ATen/cuda/CUDABlas.cpp); the older default is 8.1 MiB. */
static const uint64_t workspace = 33554432;

static const struct {
    const char *what, *source;
    const uint64_t *bytes;
    bool talks; /* only where there are others to talk to */
} parts[] = {
    {"CUDA context and kernels", "stas00/ml-engineering, training/performance", &context,   false},
    {"NCCL",                     "stas00/ml-engineering, debug/pytorch.md",     &nccl,      true },
    {"cuBLAS workspace",         "pytorch, aten/src/ATen/cuda/CUDABlas.cpp",    &workspace, false},
};
#define PARTS (sizeof parts / sizeof *parts)

static bool is_there(const struct account_training *t, size_t i) {
    return t->card && (t->gpus > 1 || !parts[i].talks);
}

uint64_t account_reserve(const struct account_training *t) {
    uint64_t sum = 0;
    for (size_t i = 0; i < PARTS; i++)
        if (is_there(t, i)) sum += *parts[i].bytes;
    return sum;
}

void account_reserve_parts(const struct account_training *t, struct account_memory_part *out,
                           size_t *count) {
    for (size_t i = 0; i < PARTS && *count < ACCOUNT_MEMORY_PARTS; i++)
        if (is_there(t, i))
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
