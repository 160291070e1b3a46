/* FNV-1a on a GPU. Each byte's step, h = (h xor b) · p, needs the step before. But the xor changes
 * only the lowest eight bits, and those depend on no other bits. Let h = high + low with low < 256:
 * after n bytes, h is what `low` becomes, plus high · pⁿ. So a block takes a chunk of the bytes,
 * each of its 256 threads one value of `low`, and at the end one thread goes through the chunks. */
#include "lab/cuda/cuda.h"
#include "lab/cuda/vector.cuh"

enum { LOW = 256, CHUNK = 1 << 15 };
static const uint64_t prime = 0x100000001b3u;

__device__ __forceinline__ uint64_t add_byte(uint64_t h, uint32_t byte) {
    return (h ^ byte) * 0x100000001b3u;
}
__device__ __forceinline__ uint64_t add_word(uint64_t h, uint32_t word) {
    LAB_UNROLL(4)
    for (int i = 0; i < 4; i++) h = add_byte(h, word >> 8 * i & 0xffu);
    return h;
}
/* table[chunk][low] */
__global__ void __launch_bounds__(LOW)
    hash_chunks(uint64_t *table, const unsigned char *from, size_t bytes, bool whole) {
    const size_t first = blockIdx.x * size_t(CHUNK),
                 end = first + CHUNK < bytes ? first + CHUNK : bytes;
    uint64_t h = threadIdx.x;
    size_t at = first;
    for (; whole && at + 16 <= end; at += 16) {
        const uint4 four = *reinterpret_cast<const uint4 *>(from + at);
        h = add_word(add_word(add_word(add_word(h, four.x), four.y), four.z), four.w);
    }
    for (; at < end; at++) h = add_byte(h, from[at]);
    table[blockIdx.x * size_t(LOW) + threadIdx.x] = h;
}
/* The hash of all chunks, into `out`; `power` and `last`: pⁿ of a chunk and of the last one. */
__global__ void hash_chain(uint64_t *out, const uint64_t *table, uint64_t h, size_t chunks,
                           uint64_t power, uint64_t last) {
    for (size_t i = 0; i < chunks; i++) {
        const uint64_t low = h & (LOW - 1);
        h = table[i * LOW + low] + (h - low) * (i + 1 < chunks ? power : last);
    }
    *out = h;
}

static uint64_t power_of_prime(size_t n) {
    uint64_t power = 1, square = prime;
    for (; n; n >>= 1, square *= square)
        if (n & 1) power *= square;
    return power;
}
static uint64_t hash_some(lab_cuda *c, uint64_t hash, const unsigned char *from, size_t bytes) {
    auto out = static_cast<uint64_t *>(c->work.blas), table = out + LOW;
    const size_t chunks = lab_blocks(bytes, CHUNK);
    uint64_t made = hash;
    LAB_LAUNCH(hash_chunks, static_cast<unsigned>(chunks), LOW, 0, c->compute, table, from, bytes,
               lab_aligned(from));
    LAB_LAUNCH(hash_chain, 1, 1, 0, c->compute, out, table, hash, chunks, power_of_prime(CHUNK),
               power_of_prime(bytes - (chunks - 1) * CHUNK));
    lab_cuda_check(c, cudaGetLastError(), "hash");
    c->device.row->download(&c->device, &made, out, sizeof made);
    return made;
}
uint64_t lab_cuda_hash(lab_device *d, uint64_t hash, const void *from, size_t bytes) {
    lab_cuda *c = lab_cuda_of(d);
    const size_t capacity = c->work.blas_bytes / (LOW * sizeof(uint64_t));
    auto at = static_cast<const unsigned char *>(from);
    if (capacity < 2) {
        lab_cuda_fail(c, "hash", "no workspace was lent");
        return hash;
    }
    for (size_t n; bytes > 0; bytes -= n, at += n) {
        n = bytes < (capacity - 1) * CHUNK ? bytes : (capacity - 1) * CHUNK;
        hash = hash_some(c, hash, at, n);
    }
    return hash;
}
