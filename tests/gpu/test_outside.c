/* What lies on a GPU beside the ledger: differences around initialisations, the allocator's
 * rounding, and the rest. */
#include "lab/cuda/outside.h"

#include "gpu/check.h"

#include <cuda_runtime.h>
#include <stdlib.h>

enum { MIB = 1 << 20, ROUND = 2 * MIB };

static bool near(int64_t found, int64_t expected, int64_t over) {
    return found >= expected && found <= expected + over;
}

static struct lab_outside look(void) {
    struct lab_outside o = {0};
    (void)lab_cuda_outside(0, &o);
    return o;
}

/* As an initialisation would take it. */
static void *taken_by(enum lab_outside_part part, size_t bytes) {
    void *memory = NULL;
    lab_outside_begin(0);
    (void)cudaMalloc(&memory, bytes);
    lab_outside_end(0, part);
    return memory;
}

int main(void) {
    static const size_t sizes[] = {1, 3 * MIB, 64 * MIB + 12345};
    struct check c = {0, 0};
    struct lab_outside o;
    void *ours[3] = {NULL}, *rest = NULL;
    struct lab_gauge gauge;
    (void)setenv("ZEROLAB_NVML", "/nowhere/libnvidia-ml.so", 1);
    check(&c, !lab_cuda_outside(0, &o), "before the context nothing is known");
    lab_outside_begin(0);
    (void)cudaSetDevice(0);
    (void)cudaFree(NULL);
    lab_outside_end(0, LAB_OUTSIDE_CONTEXT);
    o = look();
    check(&c, !o.context_known && o.context == 0, "without NVML the context's part is not known");
    void *blas = taken_by(LAB_OUTSIDE_BLAS, 40 * MIB), *nccl = taken_by(LAB_OUTSIDE_NCCL, 80 * MIB);
    o = look();
    check(&c, near(o.blas, 40 * MIB, ROUND), "cuBLAS: %lld bytes", (long long)o.blas);
    check(&c, near(o.nccl, 80 * MIB, ROUND), "NCCL: %lld bytes", (long long)o.nccl);
    for (size_t i = 0; i < 3; i++) (void)lab_outside_malloc(0, &ours[i], sizes[i]);
    o = look();
    check(&c, near(o.rounding, 0, 3 * ROUND), "the ledger's own: rounded by %lld bytes",
          (long long)o.rounding);
    /* the driver's own count moves by a page now and then */
    check(&c, near(o.unexplained, -ROUND, 2 * ROUND),
          "nothing is unexplained but a page: %lld bytes", (long long)o.unexplained);
    (void)cudaMalloc(&rest, 100 * MIB);
    o = look();
    check(&c, near(o.unexplained, 100 * MIB - ROUND, 2 * ROUND),
          "what nobody announced: %lld bytes", (long long)o.unexplained);
    lab_cuda_gauge(0, &gauge);
    check(&c, gauge.used >= 287u * MIB && gauge.power_w == 0 && gauge.sm_mhz == 0,
          "the gauge reads what is in use, %llu bytes, and knows no power without NVML",
          (unsigned long long)gauge.used);
    for (size_t i = 0; i < 3; i++) (void)lab_outside_free(0, ours[i], sizes[i]);
    (void)cudaFree(blas);
    (void)cudaFree(nccl);
    (void)cudaFree(rest);
    return check_done(&c);
}
