/* Attention on the CUDA device: by tensor cores where type and head size allow it, by plain sums elsewhere. */
#include "lab/cuda/attention.cuh"

#include <math.h>
#include <type_traits>

namespace {

enum { ROWS_A_BLOCK = 8 };

/* delta = Σ dout · out, a warp a row of a head: what the softmax's backward subtracts. */
template <typename T>
__global__ void __launch_bounds__(32 * ROWS_A_BLOCK) row_products(const lab_heads<T> x) {
    const size_t line = static_cast<size_t>(blockIdx.x) * ROWS_A_BLOCK + threadIdx.x / 32;
    if (line >= static_cast<size_t>(x.batch) * x.seq * x.heads) return;
    const size_t row = line / x.heads, head = line % x.heads, sequence = row / x.seq;
    const size_t at = row * x.width + head * x.size;
    float sum = 0;
    for (uint32_t i = threadIdx.x % 32; i < x.size; i += 32)
        sum += lab_widen(x.out[at + i]) * lab_widen(x.dout[at + i]);
    for (int bit = 16; bit; bit /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, bit);
    if (threadIdx.x % 32 == 0) x.deltas[(sequence * x.heads + head) * x.seq + row % x.seq] = sum;
}

template <typename T> lab_heads<T> heads_of(const struct lab_attention *x) {
    const uint32_t size = x->width / x->heads;
    const double scale = 1 / sqrt(static_cast<double>(size));
    return {static_cast<const T *>(x->qkv),
            static_cast<T *>(x->out),
            static_cast<float *>(x->stats),
            static_cast<const T *>(x->dout),
            static_cast<T *>(x->dqkv),
            static_cast<float *>(x->scratch),
            x->batch,
            x->seq,
            x->heads,
            x->width,
            size,
            static_cast<float>(scale),
            static_cast<float>(scale * 1.4426950408889634)};
}
template <typename T> bool tiles_fit(const lab_heads<T> &x) {
    return !std::is_same<T, float>::value && x.size % 8 == 0 && x.size <= LAB_FLASH_MOST &&
           x.width % 8 == 0 && lab_aligned(x.qkv, x.out, x.dout, x.dqkv);
}

template <typename T> void forward(const lab_heads<T> &x, cudaStream_t stream) {
    if constexpr (!std::is_same<T, float>::value)
        if (tiles_fit(x)) return lab_flash_forward(x, stream);
    lab_plain_forward(x, stream);
}
template <typename T> void backward(const lab_heads<T> &x, cudaStream_t stream) {
    const size_t lines = static_cast<size_t>(x.batch) * x.seq * x.heads;
    LAB_LAUNCH(row_products<T>, static_cast<unsigned>((lines + ROWS_A_BLOCK - 1) / ROWS_A_BLOCK),
               32 * ROWS_A_BLOCK, 0, stream, x);
    if constexpr (!std::is_same<T, float>::value)
        if (tiles_fit(x)) {
            lab_flash_queries(x, stream);
            return lab_flash_keys(x, stream);
        }
    lab_plain_backward(x, stream);
}

} // namespace

extern "C" {

void lab_cuda_attention(struct lab_device *d, enum lab_dtype type, const struct lab_attention *x) {
    struct lab_cuda *c = lab_cuda_of(d);
    LAB_BY_TYPE(type, forward(heads_of<T>(x), c->compute));
    (void)lab_cuda_check(c, cudaGetLastError(), "attention");
}
void lab_cuda_attention_backward(struct lab_device *d, enum lab_dtype type,
                                 const struct lab_attention *x) {
    struct lab_cuda *c = lab_cuda_of(d);
    LAB_BY_TYPE(type, backward(heads_of<T>(x), c->compute));
    (void)lab_cuda_check(c, cudaGetLastError(), "attention backward");
}
/* One fp32 number of each row of each head. */
size_t lab_cuda_attention_scratch(struct lab_device *, enum lab_dtype, uint32_t batch, uint32_t seq,
                                  uint32_t heads, uint32_t) {
    return static_cast<size_t>(batch) * seq * heads * sizeof(float);
}
}
