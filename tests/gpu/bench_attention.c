/* bench_attention [batch seq heads head-size]: attention's time on this GPU, forward and backward,
 * in bf16. TFLOP/s by FlashAttention's convention: 4 · batch · heads · seq² · size, halved for
 * causality; backward 2.5 times that. */
#include "lab/arith.h"
#include "lab/chance.h"
#include "lab/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 20 };

/* Numbers between −1 and 1, as activations are: a GPU that multiplies zeros draws less power, and
 * its clock is higher. */
static bool fill(uint16_t *memory, size_t n) {
    enum { CHUNK = 1 << 16 };
    static uint16_t host[CHUNK];
    bool well = true;
    for (size_t at = 0, many; well && at < n; at += many) {
        many = n - at < CHUNK ? n - at : CHUNK;
        for (size_t i = 0; i < many; i++)
            host[i] = lab_float_to_bf16((float)(lab_chance(1, at + i) >> 40) * 0x1p-23f - 1);
        well = cudaMemcpy(memory + at, host, many * sizeof *host, cudaMemcpyHostToDevice) ==
               cudaSuccess;
    }
    return well;
}
static void *capacity(size_t bytes) {
    void *memory = NULL;
    if (cudaMalloc(&memory, bytes) != cudaSuccess || !fill(memory, bytes / sizeof(uint16_t))) {
        (void)fprintf(stderr, "bench_attention: %zu bytes of device memory are not to be had\n",
                      bytes);
        exit(1);
    }
    return memory;
}

typedef void (*kernel)(struct lab_device *d, enum lab_dtype type, const struct lab_attention *x);
static void time_of(struct lab_cuda *c, const char *name, kernel run, const struct lab_attention *x,
                    double share) {
    cudaEvent_t begin, end;
    float ms = 0;
    (void)cudaEventCreate(&begin);
    (void)cudaEventCreate(&end);
    run(&c->device, LAB_BF16, x); /* once to warm up */
    (void)cudaEventRecord(begin, c->compute);
    for (int i = 0; i < ROUNDS; i++) run(&c->device, LAB_BF16, x);
    (void)cudaEventRecord(end, c->compute);
    (void)cudaEventSynchronize(end);
    (void)cudaEventElapsedTime(&ms, begin, end);
    double flops = share * 2 * x->batch * (double)x->width * x->seq * x->seq;
    (void)printf("%-8s %9.3f ms %8.1f TFLOP/s\n", name, (double)ms / ROUNDS,
                 flops * ROUNDS / ((double)ms * 1e9));
    (void)cudaEventDestroy(begin);
    (void)cudaEventDestroy(end);
}

int main(int argc, char **argv) {
    uint32_t shape[4] = {32, 1024, 12, 64};
    for (int i = 1; i < argc && i <= 4; i++) shape[i - 1] = (uint32_t)strtoul(argv[i], NULL, 10);
    struct lab_message m = {0};
    struct lab_device *d = lab_cuda_open(0, &m);
    if (!d || !shape[0] || !shape[1] || !shape[2] || !shape[3]) {
        (void)fprintf(stderr, "bench_attention: %s\n", d ? "sizes begin at 1" : m.text);
        return 2;
    }
    size_t rows = (size_t)shape[0] * shape[1], width = (size_t)shape[2] * shape[3];
    struct lab_attention x = {.batch = shape[0],
                              .seq = shape[1],
                              .heads = shape[2],
                              .width = (uint32_t)width,
                              .qkv = capacity(rows * width * 6),
                              .out = capacity(rows * width * 2),
                              .stats = capacity(rows * shape[2] * 4),
                              .dout = capacity(rows * width * 2),
                              .dqkv = capacity(rows * width * 6),
                              .scratch = capacity(rows * shape[2] * 4)};
    (void)printf("%u x %u, %u heads of %u, bf16\n", shape[0], shape[1], shape[2], shape[3]);
    time_of(lab_cuda_of(d), "forward", lab_cuda_attention, &x, 1);
    time_of(lab_cuda_of(d), "backward", lab_cuda_attention_backward, &x, 2.5);
    bool well = d->row->finish(d, &m);
    if (!well) (void)fprintf(stderr, "bench_attention: %s\n", m.text);
    return !well;
}
