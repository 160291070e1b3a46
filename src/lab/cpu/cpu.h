/* The inside of the CPU device: the memory that kernels work in, and how 16-bit values become fp32
 * and back. Kernels compute in fp32 (in fp64 if the type is fp64), and round to nearest even when
 * they store. */
#ifndef LAB_CPU_H
#define LAB_CPU_H

#include "lab/device.h"

/* Loops worth the widest vectors: compiled for three generations of x86, chosen when the program
 * starts. A sanitizer's own start comes too late for that. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) &&                 \
    !defined(__clang_analyzer__)
#define LAB_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define LAB_WIDE
#endif

/* Memory that a kernel works in: grown when first needed, used again by every call, some hundred
 * KB. It is outside the ledger, as a BLAS's own buffers are. */
enum lab_scratch { LAB_SCRATCH_MATMUL, LAB_SCRATCH_ROWS, LAB_SCRATCHES };
struct lab_cpu {
    /* First: a lab_device is one of these. */
    struct lab_device base;
    /* Since they were last taken. */
    double loss, squares;
    struct {
        void *memory;
        size_t bytes;
    } scratch[LAB_SCRATCHES];
};
/* Bytes in whole cache lines, as aligned_alloc() needs them. */
static inline size_t lab_cpu_rounded(size_t bytes) {
    return bytes ? (bytes + 63) / 64 * 64 : 64;
}
/* Returns at least `bytes`, 64-byte aligned. What was in it is lost. Ends the program if there is
 * no memory. */
void *lab_cpu_scratch(struct lab_device *d, enum lab_scratch which, size_t bytes);

/* Values `at` … `at + n` of an array in the type kernels compute in: the array itself, or, of a
 * narrower one, a copy in `buffer`. In blocks `at` is where one begins. */
const void *lab_line(enum lab_dtype type, const void *base, size_t at, size_t n, void *buffer);
/* Where to compute them: the array itself or `buffer`, to be put by lab_line_store(). */
void *lab_line_place(enum lab_dtype type, void *base, size_t at, void *buffer);
void lab_line_store(enum lab_dtype type, void *base, size_t at, size_t n, const void *line);
/* Values a kernel takes at once where it may choose: whole blocks. */
#define LAB_LINE 1024

static inline const void *lab_element_at(enum lab_dtype type, const void *base, size_t at) {
    return (const char *)base + lab_dtype_size(type, at);
}
static inline void *lab_place(enum lab_dtype type, void *base, size_t at) {
    return (char *)base + lab_dtype_size(type, at);
}
/* what kernels compute in */
static inline enum lab_dtype lab_real(enum lab_dtype type) {
    return type == LAB_F64 ? LAB_F64 : LAB_F32;
}

/* One matrix product whose operands may differ in type; see struct lab_matmul. C is rounded
 * once. */
struct lab_gemm {
    enum lab_dtype a_type, b_type, c_type;
    const void *a, *b;
    void *c;
    size_t m, n, k, lda, ldb, ldc;
    bool a_transposed, b_transposed, add;
    double scale;
};
void lab_cpu_gemm(struct lab_device *d, const struct lab_gemm *g);
/* A first product, of nothing: the BLAS has then all that it will ask for. False with one line
 * where it could not have it. */
bool lab_cpu_warm_up(struct lab_message *m);

/* ── kernels: members of lab_device_row, and what they are made of ── */
void lab_cpu_cast(struct lab_device *d, void *to, enum lab_dtype to_type, const void *from,
                  enum lab_dtype from_type, size_t n);
void lab_cpu_matmul(struct lab_device *d, enum lab_dtype type, const struct lab_matmul *x);
void lab_cpu_add_bias(struct lab_device *d, enum lab_dtype type, void *y, const void *bias,
                      size_t rows, size_t columns);
void lab_cpu_bias_gradient(struct lab_device *d, enum lab_dtype type, void *dbias, bool add,
                           const void *dy, size_t rows, size_t columns);
void lab_cpu_add(struct lab_device *d, enum lab_dtype type, void *to, const void *a, const void *b,
                 size_t n);
void lab_cpu_add_wide(struct lab_device *d, float *to, const void *from, enum lab_dtype type,
                      size_t n);
void lab_cpu_gelu(struct lab_device *d, enum lab_dtype type, void *y, const void *x, size_t n);
void lab_cpu_gelu_backward(struct lab_device *d, enum lab_dtype type, void *dx, const void *dy,
                           const void *x, size_t n);
void lab_cpu_norm(struct lab_device *d, enum lab_dtype type, void *y, const void *x,
                  const void *weight, const void *bias, size_t rows, size_t columns);
void lab_cpu_add_norm(struct lab_device *d, enum lab_dtype type, void *sum, void *y, const void *a,
                      const void *b, const void *weight, const void *bias, size_t rows,
                      size_t columns);
void lab_cpu_norm_backward(struct lab_device *d, enum lab_dtype type, void *dx, bool add,
                           void *dweight, void *dbias, bool add_own, const void *dy, const void *x,
                           const void *weight, size_t rows, size_t columns);
void lab_cpu_embed(struct lab_device *d, enum lab_dtype type, void *x, const int32_t *tokens,
                   const void *wte, const void *wpe, size_t rows, size_t seq, size_t width);
void lab_cpu_embed_rows(struct lab_device *d, enum lab_dtype type, enum lab_dtype into, void *dwte,
                        void *dwpe, const struct lab_rows *x);
void lab_cpu_embed_backward(struct lab_device *d, enum lab_dtype type, void *dwte, void *dwpe,
                            const void *dx, const int32_t *tokens, size_t rows, size_t seq,
                            size_t width);
void lab_cpu_attention(struct lab_device *d, enum lab_dtype type, const struct lab_attention *x);
void lab_cpu_attention_backward(struct lab_device *d, enum lab_dtype type,
                                const struct lab_attention *x);
void lab_cpu_cross_entropy(struct lab_device *d, enum lab_dtype type, void *logits,
                           const int32_t *targets, size_t rows, size_t vocab, size_t columns,
                           double scale);
void lab_cpu_adam(struct lab_device *d, enum lab_dtype param, enum lab_dtype grad,
                  const struct lab_adam *x);
void lab_cpu_add_squares(struct lab_device *d, enum lab_dtype type, const void *x, size_t n);

#endif
