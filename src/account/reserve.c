/* What a GPU has gone to before the first tensor. */
#include "account/memory.h"

/* The CUDA context and its kernels: 0.47 GiB (PyTorch 2.1 with lazy loading on an A100) to 1.78 GiB (1.10), measured in
 * stas00/ml-engineering, training/performance/README.md. 0.6 GB is a judgement for today's lazy loading. */
static const uint64_t context = 600000000;
/* NCCL after the first collective: 1.45 GiB on two GPUs (the same, debug/pytorch.md); its buffers alone are 4 MiB for each channel
 * and connection (NVIDIA/nccl, src/init.cc, DEFAULT_BUFFSIZE). */
static const uint64_t nccl = 1556925645;
/* cuBLAS: 32 MiB for a handle and stream on Hopper (pytorch, aten/src/ATen/cuda/CUDABlas.cpp); the older default is 8.1 MiB. */
static const uint64_t workspace = 33554432;

uint64_t account_reserve(const struct account_training *t) {
    if (!t->card) return 0;
    return context + workspace + (t->gpus > 1 ? nccl : 0);
}

uint64_t account_card_bytes(const struct account_card *card) {
    return card->usable_bytes ? card->usable_bytes : card->label_bytes;
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
