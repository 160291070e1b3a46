/* Attention on the CUDA device: on tensor cores if the type and the head size allow it, else by
 * plain sums. */
#include "lab/cuda/attention.cuh"

#include <math.h>
#include <type_traits>

namespace {

enum { THREADS = 256 };

/* delta = Σ dout · out of each row of a head, which the softmax's backward subtracts. `lanes`
 * neighbouring threads share a row and take eight numbers each at a time. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    row_products(const lab_heads<T> x, uint32_t lanes, bool whole) {
    const lab_head<T> h = lab_head_of(x, blockIdx.z, blockIdx.y);
    const uint32_t row = blockIdx.x * (THREADS / lanes) + threadIdx.x / lanes;
    const uint32_t lane = threadIdx.x % lanes;
    const size_t at = static_cast<size_t>(row) * x.width;
    float sum = 0;
    for (uint32_t first = 8 * lane; row < x.seq && first < x.size; first += 8 * lanes) {
        float out[8], dout[8];
        lab_load_part<T>(h.out + at, first, x.size, whole, out);
        lab_load_part<T>(h.dout + at, first, x.size, whole, dout);
        LAB_UNROLL(8)
        for (int e = 0; e < 8; e++) sum += out[e] * dout[e];
    }
    for (uint32_t bit = lanes / 2; bit; bit /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, static_cast<int>(bit));
    if (row < x.seq && lane == 0) h.deltas[row] = sum;
}
template <typename T> void make_deltas(const lab_heads<T> &x, cudaStream_t stream) {
    const bool whole = x.size % 8 == 0 && lab_aligned(x.out, x.dout);
    uint32_t lanes = 1;
    while (lanes < 32 && 8 * lanes < x.size) lanes *= 2;
    LAB_LAUNCH(row_products<T>, dim3(lab_blocks(x.seq, THREADS / lanes), x.heads, x.batch), THREADS,
               0, stream, x, lanes, whole);
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
    make_deltas(x, stream);
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
