/* A device: memory and kernels. All calls enqueue on its one compute stream, in order (the CPU just runs them). Matrices are row-major.
 * Stage logic knows only this interface and comm.h. Kernels are deterministic: same input, same bits, whatever the number of ranks. */
#ifndef LAB_DEVICE_H
#define LAB_DEVICE_H

#include "lab/dtype.h"

struct lab_device;

/* C[m × n] = A[m × k] · B[k × n] (+ C where `add`), A or B transposed as stored; `batch` of them at fixed strides (elements). Sums in fp32 (fp64 in
 * fp64), result rounded to `type`. */
struct lab_matmul {
    void *c;
    const void *a, *b;
    uint32_t m, n, k;
    bool a_transposed, b_transposed, add;
    uint32_t lda, ldb, ldc; /* elements between rows as stored; 0: tight */
    uint32_t batch;         /* 0 and 1: one */
    size_t stride_a, stride_b, stride_c;
    double scale; /* of A · B; 0 means 1 */
    bool c_fp32;  /* C is fp32 though A and B are 16 bits wide: the head's logits */
};
struct lab_attention { /* causal, heads side by side in a row of `width`: qkv is [rows × 3 width] */
    uint32_t batch, seq, heads, width;
    const void *qkv;
    void *out; /* [rows × width]; NULL where only the scores are wanted again */
    void *
        scores; /* softmax of [batch × heads × seq × seq], saved for backward; NULL where the device keeps statistics instead */
    void *stats; /* such a device's own; NULL otherwise */
    const void *dout;
    void *dqkv;    /* backward only */
    void *scratch; /* attention_scratch() bytes, backward only */
};
struct lab_adam {
    void *param;      /* [n] in the compute type; rounded from master where there is one */
    float *master;    /* [n], or NULL: `param` is fp32 and its own master */
    float *m, *v;     /* [n] */
    const void *grad; /* [n] in the gradients' type */
    size_t n;
    double rate, beta1, beta2, eps, decay,
        grad_scale; /* grad_scale: 1 ÷ (ranks · micro-batches · loss scale), clip included */
    uint32_t step;  /* from 1 */
};

struct lab_device_row { /* what a device can do; one constant struct each */
    const char *name;
    bool (*alloc)(struct lab_device *d, void **memory, size_t bytes); /* zeroed, 64-byte aligned */
    void (*free)(struct lab_device *d, void *memory, size_t bytes);
    void (*copy)(struct lab_device *d, void *to, const void *from, size_t bytes);
    void (*zero)(struct lab_device *d, void *to, size_t bytes);
    void (*upload)(struct lab_device *d, void *to, const void *host, size_t bytes);
    void (*download)(struct lab_device *d, void *host, const void *from, size_t bytes); /* waits */
    void (*cast)(struct lab_device *d, void *to, enum lab_dtype to_type, const void *from,
                 enum lab_dtype from_type, size_t n);
    void (*matmul)(struct lab_device *d, enum lab_dtype type, const struct lab_matmul *x);
    /* y[r × c] += bias[c];   dbias[c] += Σ_r dy[r × c] */
    void (*add_bias)(struct lab_device *d, enum lab_dtype type, void *y, const void *bias,
                     size_t rows, size_t columns);
    void (*bias_gradient)(struct lab_device *d, enum lab_dtype type, void *dbias, const void *dy,
                          size_t rows, size_t columns);
    void (*add)(struct lab_device *d, enum lab_dtype type, void *to, const void *a, const void *b,
                size_t n); /* to = a + b; may alias */
    /* GELU, tanh form (GPT-2). dx may alias dy */
    void (*gelu)(struct lab_device *d, enum lab_dtype type, void *y, const void *x, size_t n);
    void (*gelu_backward)(struct lab_device *d, enum lab_dtype type, void *dx, const void *dy,
                          const void *x, size_t n);
    /* LayerNorm over rows; backward computes mean and deviation again from x, ADDS to dweight and dbias, WRITES dx (+ old dx where `add`). Neither dx
     * nor dy may be x; dx may be dy */
    void (*norm)(struct lab_device *d, enum lab_dtype type, void *y, const void *x,
                 const void *weight, const void *bias, size_t rows, size_t columns);
    void (*norm_backward)(struct lab_device *d, enum lab_dtype type, void *dx, bool add,
                          void *dweight, void *dbias, const void *dy, const void *x,
                          const void *weight, size_t rows, size_t columns);
    /* x[row] = wte[token] + wpe[row % seq]; backward adds into dwte, dwpe in row order */
    void (*embed)(struct lab_device *d, enum lab_dtype type, void *x, const int32_t *tokens,
                  const void *wte, const void *wpe, size_t rows, size_t seq, size_t width);
    void (*embed_backward)(struct lab_device *d, enum lab_dtype type, void *dwte, void *dwpe,
                           const void *dx, const int32_t *tokens, size_t rows, size_t seq,
                           size_t width);
    bool flash; /* attention keeps statistics, not scores */
    void (*attention)(struct lab_device *d, enum lab_dtype type, const struct lab_attention *x);
    void (*attention_backward)(struct lab_device *d, enum lab_dtype type,
                               const struct lab_attention *x);
    size_t (*attention_scratch)(struct lab_device *d, enum lab_dtype type, uint32_t batch,
                                uint32_t seq, uint32_t heads, uint32_t width);
    /* Logits [rows × vocab], fp32 (fp64 where `type` is), become (softmax − onehot) · scale of `type` in place: each row begins where it began, so that
     * 16-bit gradients lie 2 · vocab elements apart. *loss (host) += Σ −log p, in row order, in double */
    void (*cross_entropy)(struct lab_device *d, enum lab_dtype type, void *logits,
                          const int32_t *targets, size_t rows, size_t vocab, double scale,
                          double *loss);
    void (*adam)(struct lab_device *d, enum lab_dtype param, enum lab_dtype grad,
                 const struct lab_adam *x);
    /* Σ x² in a fixed order, in double; NaN or Inf in x comes through */
    double (*sum_of_squares)(struct lab_device *d, enum lab_dtype type, const void *x, size_t n);
    void (*finish)(struct lab_device *d); /* waits for all that was enqueued */
    void (*close)(struct lab_device *d);
};
struct lab_device {
    const struct lab_device_row *row;
    /* a device's own state follows in its own struct */
};

/* The CPU. `threads` is 1 for ranks side by side. NULL with a message if it cannot be. */
struct lab_message;
struct lab_device *lab_cpu_open(struct lab_message *m);
/* Allocates nothing and computes nothing: for dry runs of the schedule. Pointers it gives are unique and must not be followed. */
struct lab_device *lab_null_open(void);

#endif
