/* Elementwise kernels. A thread takes eight neighbouring elements, or one at the array's end and if
 * the array does not begin at a 16-byte boundary. */
#include "lab/cuda/cuda.h"
#include "lab/cuda/vector.cuh"

enum { THREADS = 256 };

struct gelu {
    static constexpr bool two = false;
    static __device__ float of(float x, float) {
        return lab_gelu_float(x);
    }
};
struct gelu_backward {
    static constexpr bool two = true;
    static __device__ float of(float dy, float x) {
        return lab_gelu_backward_float(dy, x);
    }
};

template <typename T, typename What>
__global__ void __launch_bounds__(THREADS)
    each(T *to, const T *a, const T *b, size_t n, size_t vectors) {
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < vectors) {
        float x[8], y[8] = {0};
        lab_load8(a + 8 * i, x);
        if (What::two) lab_load8(b + 8 * i, y);
        LAB_UNROLL(8)
        for (int e = 0; e < 8; e++) x[e] = What::of(x[e], y[e]);
        lab_store8(to + 8 * i, x);
        return;
    }
    i += 7 * vectors;
    if (i < n) to[i] = lab_narrow<T>(What::of(lab_widen(a[i]), What::two ? lab_widen(b[i]) : 0));
}
template <typename What>
static void run(lab_device *d, lab_dtype type, void *to, const void *a, const void *b, size_t n,
                const char *what) {
    lab_cuda *c = lab_cuda_of(d);
    size_t vectors = lab_aligned(to, a, b) ? n / 8 : 0;
    if (n == 0) return;
    LAB_BY_TYPE(type, LAB_LAUNCH((each<T, What>), lab_blocks(n - 7 * vectors, THREADS), THREADS, 0,
                                 c->compute, static_cast<T *>(to), static_cast<const T *>(a),
                                 static_cast<const T *>(b), n, vectors));
    lab_cuda_check(c, cudaGetLastError(), what);
}
void lab_cuda_gelu(lab_device *d, lab_dtype type, void *y, const void *x, size_t n) {
    run<gelu>(d, type, y, x, nullptr, n, "gelu");
}
void lab_cuda_gelu_backward(lab_device *d, lab_dtype type, void *dx, const void *dy, const void *x,
                            size_t n) {
    run<gelu_backward>(d, type, dx, dy, x, n, "gelu backward");
}

/* ── from one type to another ── */

template <typename To, typename From>
__global__ void __launch_bounds__(THREADS)
    convert(To *to, const From *from, size_t n, size_t vectors) {
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < vectors) {
        float x[8];
        lab_load8(from + 8 * i, x);
        lab_store8(to + 8 * i, x);
        return;
    }
    i += 7 * vectors;
    if (i < n) to[i] = lab_narrow<To>(lab_widen(from[i]));
}
template <typename To>
static void convert_to(lab_cuda *c, void *to, const void *from, lab_dtype from_type, size_t n) {
    size_t vectors = lab_aligned(to, from) ? n / 8 : 0;
    LAB_BY_TYPE(from_type, LAB_LAUNCH((convert<To, T>), lab_blocks(n - 7 * vectors, THREADS),
                                      THREADS, 0, c->compute, static_cast<To *>(to),
                                      static_cast<const T *>(from), n, vectors));
}
void lab_cuda_cast(lab_device *d, void *to, lab_dtype to_type, const void *from,
                   lab_dtype from_type, size_t n) {
    lab_cuda *c = lab_cuda_of(d);
    if (n == 0) return;
    LAB_BY_TYPE(to_type, convert_to<T>(c, to, from, from_type, n));
    lab_cuda_check(c, cudaGetLastError(), "cast");
}

/* ── what a product could not do on the way ── */

template <typename T>
__global__ void __launch_bounds__(THREADS)
    add_rows(T *y, const T *bias, const T *residual, size_t n, size_t columns) {
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i >= n) return;
    float sum = lab_widen(y[i]);
    if (bias) sum += lab_widen(bias[i % columns]);
    if (residual) sum += lab_widen(residual[i]);
    y[i] = lab_narrow<T>(sum);
}
void lab_cuda_add_rows(lab_cuda *c, lab_dtype type, void *y, const void *bias, const void *residual,
                       size_t rows, size_t columns) {
    size_t n = rows * columns;
    LAB_BY_TYPE(type, LAB_LAUNCH((add_rows<T>), lab_blocks(n, THREADS), THREADS, 0, c->compute,
                                 static_cast<T *>(y), static_cast<const T *>(bias),
                                 static_cast<const T *>(residual), n, columns));
    lab_cuda_check(c, cudaGetLastError(), "bias and residual");
}
