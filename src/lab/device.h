/* A device: memory and kernels. All calls enqueue on its one compute stream, in order, and return
 * without waiting, except those that say so. (The CPU runs them immediately.) Matrices are
 * row-major. Stage logic calls only this interface and comm.h. Kernels are deterministic: the same
 * input gives the same bits, whatever the number of ranks. */
#ifndef LAB_DEVICE_H
#define LAB_DEVICE_H

#include "lab/dtype.h"

struct lab_device;
struct lab_message;
struct lab_options;

/* C[m × n] = A[m × k] · B[k × n], added to C if `add`, A or B transposed as stored; `batch` of them
 * at constant strides (elements). Sums are made in fp32 (fp64 in fp64) and the result is rounded to
 * `type`. With a bias or a residual: C = A · B + bias + residual, but not with `add`, `batch` or
 * `c_fp32`, and C's rows are tight. */
struct lab_matmul {
    void *c;
    const void *a, *b;
    uint32_t m, n, k;
    bool a_transposed, b_transposed, add;
    /* elements between rows as stored; 0: tight */
    uint32_t lda, ldb, ldc;
    /* 0 and 1: one */
    uint32_t batch;
    size_t stride_a, stride_b, stride_c;
    /* of A · B; 0 means 1 */
    double scale;
    /* C is fp32 though A and B are 16 bits wide: the head's logits */
    bool c_fp32;
    /* [n], the same for all rows; or NULL */
    const void *bias;
    /* [m × n], not C; or NULL */
    const void *residual;
};
/* Causal, heads side by side in a row of `width`: qkv is [rows × 3 width]. */
struct lab_attention {
    uint32_t batch, seq, heads, width;
    const void *qkv;
    /* [rows × width]; NULL where only the scores are wanted again */
    void *out;
    /* Softmax of [batch × heads × seq × seq], saved for backward; NULL where the device keeps
     * statistics instead. */
    void *scores;
    /* such a device's own; NULL otherwise */
    void *stats;
    const void *dout;
    /* backward only */
    void *dqkv;
    /* attention_scratch() bytes, backward only */
    void *scratch;
};
/* What the lookup's backward is given on each rank, as it was gathered: [ranks] pieces of `piece`
 * bytes, of which each begins with [rows × width] gradients of what was looked up, and goes on with
 * their [rows] tokens, as int32_t. Row i is at position i % seq. */
struct lab_rows {
    const void *memory;
    size_t piece, rows, seq, width;
    uint32_t ranks;
};
#define LAB_ADAM_PIECES 12
/* Elements from where the piece before ended. */
struct lab_adam_piece {
    size_t end;
    bool decays;
};
/* A unit's, in one call. */
struct lab_adam {
    /* [n] in the compute type; rounded from master where there is one */
    void *param;
    /* [n], or NULL: `param` is fp32 and its own master */
    float *master;
    /* [n], fp32 unless the types say that they are in blocks */
    void *m, *v;
    enum lab_dtype m_type, v_type;
    /* [n] in the gradients' type */
    const void *grad;
    size_t n;
    /* grad_scale: 1 ÷ (ranks · micro-batches · loss scale), clip included. */
    double rate, beta1, beta2, eps, decay, grad_scale;
    /* from 1 */
    uint32_t step;
    /* 0: all of it decays */
    size_t pieces;
    /* in order, up to n */
    struct lab_adam_piece piece[LAB_ADAM_PIECES];
};

/* 0: not known. */
struct lab_gauge {
    /* bytes on the device, by everybody */
    uint64_t used;
    double power_w;
    uint32_t sm_mhz;
};
/* Bytes on the device that are in no ledger, of the whole process. They are differences, so some
 * may be negative. */
struct lab_outside {
    /* else it is 0 */
    bool context_known;
    int64_t context, blas, nccl;
    /* kernels, loaded when they first ran, and the stack they need */
    int64_t modules;
    /* what NCCL itself counts; 0: it does not say */
    uint64_t nccl_says;
    /* of the ledger's own, by the device's allocator */
    int64_t rounding;
    /* the rest */
    int64_t unexplained;
};

/* Writes bytes [at, at + bytes) of the data to `out`, on the host. */
typedef void lab_make(void *self, size_t at, size_t bytes, void *out);

/* What a device can do; one constant struct each. */
struct lab_device_row {
    const char *name;
    /* zeroed, 64-byte aligned */
    bool (*alloc)(struct lab_device *d, void **memory, size_t bytes);
    void (*free)(struct lab_device *d, void *memory, size_t bytes);
    void (*copy)(struct lab_device *d, void *to, const void *from, size_t bytes);
    void (*zero)(struct lab_device *d, void *to, size_t bytes);
    void (*upload)(struct lab_device *d, void *to, const void *host, size_t bytes);
    /* The same with bytes that `make` makes, part after part, in whole elements. NULL: the memory
     * is the host's own. */
    void (*upload_made)(struct lab_device *d, void *to, size_t bytes, lab_make *make, void *self);
    /* waits */
    void (*download)(struct lab_device *d, void *host, const void *from, size_t bytes);
    /* FNV-1a of these bytes, continued from `hash` (hash.c). Waits. NULL: the host does it. */
    uint64_t (*hash)(struct lab_device *d, uint64_t hash, const void *from, size_t bytes);
    void (*cast)(struct lab_device *d, void *to, enum lab_dtype to_type, const void *from,
                 enum lab_dtype from_type, size_t n);
    /* to += from, n values. NULL: the device cannot. */
    void (*add_wide)(struct lab_device *d, float *to, const void *from, enum lab_dtype type,
                     size_t n);
    void (*matmul)(struct lab_device *d, enum lab_dtype type, const struct lab_matmul *x);
    /* dbias[c] = Σ_r dy[r × c], or added to what is there */
    void (*bias_gradient)(struct lab_device *d, enum lab_dtype type, void *dbias, bool add,
                          const void *dy, size_t rows, size_t columns);
    /* GELU, tanh form (GPT-2). dx may alias dy */
    void (*gelu)(struct lab_device *d, enum lab_dtype type, void *y, const void *x, size_t n);
    void (*gelu_backward)(struct lab_device *d, enum lab_dtype type, void *dx, const void *dy,
                          const void *x, size_t n);
    /* LayerNorm over rows. Backward calculates mean and deviation again from x. It writes dx (added
     * to the old dx if `add`), dweight and dbias (added to the old ones if `add_own`). Neither dx
     * nor dy may be x. dx may be dy. */
    void (*norm)(struct lab_device *d, enum lab_dtype type, void *y, const void *x,
                 const void *weight, const void *bias, size_t rows, size_t columns);
    /* sum = a + b, which is a residual; y = norm(sum as rounded). `sum` may be `a` */
    void (*add_norm)(struct lab_device *d, enum lab_dtype type, void *sum, void *y, const void *a,
                     const void *b, const void *weight, const void *bias, size_t rows,
                     size_t columns);
    void (*norm_backward)(struct lab_device *d, enum lab_dtype type, void *dx, bool add,
                          void *dweight, void *dbias, bool add_own, const void *dy, const void *x,
                          const void *weight, size_t rows, size_t columns);
    /* x[row] = wte[token] + wpe[row % seq]; backward adds into dwte, dwpe in row order */
    void (*embed)(struct lab_device *d, enum lab_dtype type, void *x, const int32_t *tokens,
                  const void *wte, const void *wpe, size_t rows, size_t seq, size_t width);
    void (*embed_backward)(struct lab_device *d, enum lab_dtype type, void *dwte, void *dwpe,
                           const void *dx, const int32_t *tokens, size_t rows, size_t seq,
                           size_t width);
    /* What embed_backward() would add on each rank, rounded to `type` there, then added over the
     * ranks in their order: dwte, dwpe += Σ, rounded once, in type `into`. NULL: the device
     * cannot. */
    void (*embed_rows)(struct lab_device *d, enum lab_dtype type, enum lab_dtype into, void *dwte,
                       void *dwpe, const struct lab_rows *x);
    /* attention keeps statistics, not scores */
    bool flash;
    void (*attention)(struct lab_device *d, enum lab_dtype type, const struct lab_attention *x);
    void (*attention_backward)(struct lab_device *d, enum lab_dtype type,
                               const struct lab_attention *x);
    size_t (*attention_scratch)(struct lab_device *d, enum lab_dtype type, uint32_t batch,
                                uint32_t seq, uint32_t heads, uint32_t width);
    /* Logits [rows × columns], fp32 (fp64 if `type` is), become (softmax − onehot) · scale of
     * `type` in place, 0 from `vocab` on. Each row starts where it started, so that 16-bit
     * gradients are 2 · columns elements apart. The device's loss += Σ −log p, in row order, in
     * double. */
    void (*cross_entropy)(struct lab_device *d, enum lab_dtype type, void *logits,
                          const int32_t *targets, size_t rows, size_t vocab, size_t columns,
                          double scale);
    /* Returns the device's loss since it was last taken. Waits. */
    double (*take_loss)(struct lab_device *d);
    /* of logits, for speed; 1: their columns are the vocabulary */
    uint32_t columns_multiple;
    void (*adam)(struct lab_device *d, enum lab_dtype param, enum lab_dtype grad,
                 const struct lab_adam *x);
    /* The device's squares += Σ x² in a fixed order, in double; NaN or Inf in x comes through */
    void (*add_squares)(struct lab_device *d, enum lab_dtype type, const void *x, size_t n);
    /* Returns the squares since they were last taken. Waits. */
    double (*take_squares)(struct lab_device *d);
    /* Bytes that kernels work in, whatever is computed under these options. They are lent until the
     * device is closed: private memory, taken once, before anything is computed. */
    size_t (*workspace)(struct lab_device *d, const struct lab_options *o);
    void (*lend)(struct lab_device *d, void *memory, size_t bytes);
    /* Waits for all that was enqueued. False with a message if any of it failed, now or before. */
    bool (*finish)(struct lab_device *d, struct lab_message *m);
    void (*close)(struct lab_device *d);
    /* What is computed between on and off is a rehearsal before the run. Libraries load what they
     * need, and its memory is measured. NULL: nothing is loaded. */
    void (*rehearse)(struct lab_device *d, bool on);
    /* What this process chose in rehearsals so far. All ranks must have the same choices. NULL:
     * nothing is chosen. */
    void *(*choices)(struct lab_device *d, size_t *bytes);
    /* What the machine says of the device, and the memory on it that is outside the ledger. The
     * second returns false if that is not known. NULL: there is no such machine, on the CPU. */
    void (*gauge)(struct lab_device *d, struct lab_gauge *out);
    bool (*outside)(struct lab_device *d, struct lab_outside *out);
};
struct lab_device {
    const struct lab_device_row *row;
    /* a device's own state follows in its own struct */
};

/* The CPU. NULL with a message if it cannot be. */
struct lab_device *lab_cpu_open(struct lab_message *m);
/* Allocates nothing and computes nothing: for dry runs of the schedule. Pointers it gives are
 * unique and must not be followed. */
struct lab_device *lab_null_open(void);

#endif
