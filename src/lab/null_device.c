/* The device of dry runs: gives addresses, computes nothing. */
#include "lab/device.h"
#include "lab/predict.h"

#include <stdlib.h>

struct null_device {
    struct lab_device base;
    size_t next;                  /* the address given next; nothing is ever there */
    struct lab_device_row gpu;    /* of one that is in a GPU's place */
    struct account_lab_work work; /* what that would ask for */
};

static bool take(struct lab_device *d, void **memory, size_t bytes) {
    struct null_device *n = (struct null_device *)d;
    *memory = (void *)n->next;
    n->next += bytes / 64 * 64 + 64;
    return true;
}
static void give(struct lab_device *d, void *memory, size_t bytes) {
    (void)d, (void)memory, (void)bytes;
}
static void copy(struct lab_device *d, void *to, const void *from, size_t bytes) {
    (void)d, (void)to, (void)from, (void)bytes;
}
static void zero(struct lab_device *d, void *to, size_t bytes) {
    (void)d, (void)to, (void)bytes;
}
static void cast(struct lab_device *d, void *to, enum lab_dtype to_type, const void *from,
                 enum lab_dtype from_type, size_t n) {
    (void)d, (void)to, (void)to_type, (void)from, (void)from_type, (void)n;
}
static void matmul(struct lab_device *d, enum lab_dtype type, const struct lab_matmul *x) {
    (void)d, (void)type, (void)x;
}
static void rows(struct lab_device *d, enum lab_dtype type, void *to, bool add, const void *from,
                 size_t rows, size_t columns) {
    (void)d, (void)type, (void)to, (void)add, (void)from, (void)rows, (void)columns;
}
static void two(struct lab_device *d, enum lab_dtype type, void *to, const void *a, const void *b,
                size_t n) {
    (void)d, (void)type, (void)to, (void)a, (void)b, (void)n;
}
static void one(struct lab_device *d, enum lab_dtype type, void *to, const void *x, size_t n) {
    (void)d, (void)type, (void)to, (void)x, (void)n;
}
static void norm(struct lab_device *d, enum lab_dtype type, void *y, const void *x,
                 const void *weight, const void *bias, size_t rows, size_t columns) {
    (void)d, (void)type, (void)y, (void)x, (void)weight, (void)bias, (void)rows, (void)columns;
}
static void add_norm(struct lab_device *d, enum lab_dtype type, void *sum, void *y, const void *a,
                     const void *b, const void *weight, const void *bias, size_t rows,
                     size_t columns) {
    (void)d, (void)type, (void)sum, (void)y, (void)a, (void)b, (void)weight, (void)bias, (void)rows,
        (void)columns;
}
static void norm_backward(struct lab_device *d, enum lab_dtype type, void *dx, bool add,
                          void *dweight, void *dbias, bool add_own, const void *dy, const void *x,
                          const void *weight, size_t rows, size_t columns) {
    (void)d, (void)type, (void)dx, (void)add, (void)dweight, (void)dbias, (void)add_own, (void)dy,
        (void)x, (void)weight, (void)rows, (void)columns;
}
static void embed(struct lab_device *d, enum lab_dtype type, void *x, const int32_t *tokens,
                  const void *wte, const void *wpe, size_t rows, size_t seq, size_t width) {
    (void)d, (void)type, (void)x, (void)tokens, (void)wte, (void)wpe, (void)rows, (void)seq,
        (void)width;
}
static void embed_backward(struct lab_device *d, enum lab_dtype type, void *dwte, void *dwpe,
                           const void *dx, const int32_t *tokens, size_t rows, size_t seq,
                           size_t width) {
    (void)d, (void)type, (void)dwte, (void)dwpe, (void)dx, (void)tokens, (void)rows, (void)seq,
        (void)width;
}
static void attention(struct lab_device *d, enum lab_dtype type, const struct lab_attention *x) {
    (void)d, (void)type, (void)x;
}
static size_t no_scratch(struct lab_device *d, enum lab_dtype type, uint32_t batch, uint32_t seq,
                         uint32_t heads, uint32_t width) {
    (void)d, (void)type, (void)batch, (void)seq, (void)heads, (void)width;
    return 0;
}
static void cross_entropy(struct lab_device *d, enum lab_dtype type, void *logits,
                          const int32_t *targets, size_t rows, size_t vocab, size_t columns,
                          double scale) {
    (void)d, (void)type, (void)logits, (void)targets, (void)rows, (void)vocab, (void)columns,
        (void)scale;
}
static double nothing(struct lab_device *d) {
    (void)d;
    return 0;
}
static void adam(struct lab_device *d, enum lab_dtype param, enum lab_dtype grad,
                 const struct lab_adam *x) {
    (void)d, (void)param, (void)grad, (void)x;
}
static void add_squares(struct lab_device *d, enum lab_dtype type, const void *x, size_t n) {
    (void)d, (void)type, (void)x, (void)n;
}
static size_t no_workspace(struct lab_device *d, const struct lab_options *o) {
    (void)d, (void)o;
    return 0;
}
static void lend(struct lab_device *d, void *memory, size_t bytes) {
    (void)d, (void)memory, (void)bytes;
}
static bool finish(struct lab_device *d, struct lab_message *m) {
    (void)d, (void)m;
    return true;
}
static void shut(struct lab_device *d) {
    free(d);
}

static const struct lab_device_row row = {
    .name = "null",
    .alloc = take,
    .free = give,
    .copy = copy,
    .zero = zero,
    .upload = copy,
    .download = copy,
    .cast = cast,
    .matmul = matmul,
    .bias_gradient = rows,
    .gelu = one,
    .gelu_backward = two,
    .norm = norm,
    .add_norm = add_norm,
    .norm_backward = norm_backward,
    .embed = embed,
    .embed_backward = embed_backward,
    .attention = attention,
    .attention_backward = attention,
    .attention_scratch = no_scratch,
    .cross_entropy = cross_entropy,
    .take_loss = nothing,
    .columns_multiple = 1,
    .adam = adam,
    .add_squares = add_squares,
    .take_squares = nothing,
    .workspace = no_workspace,
    .lend = lend,
    .finish = finish,
    .close = shut,
};

struct lab_device *lab_null_open(void) {
    struct null_device *n = calloc(1, sizeof *n);
    if (!n) return NULL;
    n->base.row = &row;
    n->next = (size_t)1 << 40;
    return &n->base;
}

/* ── in a GPU's place ────────────────────────────────────────────────────────────────────────────*/

static size_t gpu_scratch(struct lab_device *d, enum lab_dtype type, uint32_t batch, uint32_t seq,
                          uint32_t heads, uint32_t width) {
    (void)type, (void)batch, (void)seq, (void)heads, (void)width;
    return (size_t)((struct null_device *)d)->work.scratch;
}
static size_t gpu_workspace(struct lab_device *d, const struct lab_options *o) {
    (void)o;
    return (size_t)((struct null_device *)d)->work.workspace;
}

struct lab_device *lab_null_open_for(const struct lab_options *o) {
    struct account_training t;
    struct account_error e;
    struct null_device *n = (struct null_device *)lab_null_open();
    if (!n || o->device != LAB_CUDA || !lab_training(o, &t, &e)) return n ? &n->base : NULL;
    n->work = account_lab_work(&t);
    n->gpu = row;
    n->gpu.flash = true;
    n->gpu.columns_multiple = 64;
    n->gpu.attention_scratch = gpu_scratch;
    n->gpu.workspace = gpu_workspace;
    n->base.row = &n->gpu;
    return &n->base;
}
