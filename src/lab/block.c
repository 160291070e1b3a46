/* A block forward: x + projection(attention(norm(x))), then that + out(gelu(fc(norm(that)))). */
#include "lab/block.h"

/* ── the tensors ── */

enum { ALL = 1 << LAB_KEEP_ALL, SELECTIVE = 1 << LAB_SELECTIVE, FULL = 1 << LAB_FULL };
static const struct {
    uint8_t widths, kept;
} tensors[LAB_BLOCK_TENSORS] = {
    [LAB_INPUT] = {1, ALL | SELECTIVE | FULL},
    [LAB_NORM_1] = {1, ALL                   },
    [LAB_QKV] = {3, ALL | SELECTIVE       },
    [LAB_SCORES] = {0, ALL                   },
    [LAB_ATTENTION_OUT] = {1, ALL | SELECTIVE       },
    [LAB_MIDDLE] = {1, ALL | SELECTIVE       },
    [LAB_NORM_2] = {1, ALL                   },
    [LAB_FC] = {4, ALL | SELECTIVE       },
    [LAB_GELU_OUT] = {4, ALL                   },
};

static size_t rows_of(const struct lab_options *o) {
    return (size_t)o->batch * o->shape.seq;
}
static size_t bytes_of(const struct lab_device *d, const struct lab_options *o, size_t t) {
    size_t element = lab_dtype_bytes(o->compute);
    if (t != LAB_SCORES) return tensors[t].widths * rows_of(o) * o->shape.width * element;
    size_t a_token = d->row->flash ? sizeof(float) : o->shape.seq * element;
    return rows_of(o) * o->shape.heads * a_token;
}
static bool is_kept(const struct lab_device *d, const struct lab_options *o, size_t t) {
    unsigned kept = tensors[t].kept;
    if (t == LAB_SCORES && d->row->flash) kept |= SELECTIVE;
    return kept >> o->checkpoint & 1;
}

size_t lab_block_all(const struct lab_device *d, const struct lab_options *o) {
    size_t bytes = 0;
    for (size_t t = 0; t < LAB_BLOCK_TENSORS; t++) bytes += bytes_of(d, o, t);
    return bytes;
}
size_t lab_block_kept(const struct lab_device *d, const struct lab_options *o) {
    size_t bytes = 0;
    for (size_t t = 0; t < LAB_BLOCK_TENSORS; t++)
        bytes += is_kept(d, o, t) ? bytes_of(d, o, t) : 0;
    return bytes;
}
size_t lab_block_working(const struct lab_device *d, const struct lab_options *o) {
    return lab_block_all(d, o) - lab_block_kept(d, o);
}

struct lab_block lab_block_of(const struct lab_pass *p) {
    const struct lab_options *o = p->options;
    struct lab_block b = {p, p->device, o->compute, rows_of(o), o->shape.width, {0}};
    char *saved = p->saved, *working = p->working;
    for (size_t t = 0; t < LAB_BLOCK_TENSORS; t++) {
        char **from = is_kept(p->device, o, t) ? &saved : &working;
        b.tensor[t] = *from;
        *from += bytes_of(p->device, o, t);
    }
    return b;
}

const void *lab_block_param(const struct lab_block *b, size_t tensor) {
    return (const char *)b->pass->params +
           b->pass->unit->tensor[tensor].offset * lab_dtype_bytes(b->type);
}
void *lab_block_grad(const struct lab_block *b, size_t tensor) {
    return (char *)b->pass->grads + b->pass->unit->tensor[tensor].offset * lab_dtype_bytes(b->type);
}

/* ── how each is made ── */

static void linear(const struct lab_block *b, void *y, const void *x, enum lab_block_weight w,
                   const void *residual) {
    const struct lab_tensor *t = &b->pass->unit->tensor[w];
    struct lab_matmul m = {.c = y,
                           .a = x,
                           .b = lab_block_param(b, w),
                           .m = (uint32_t)b->rows,
                           .n = (uint32_t)t->rows,
                           .k = (uint32_t)t->columns,
                           .b_transposed = true,
                           .bias = lab_block_param(b, w + 1),
                           .residual = residual};
    b->device->row->matmul(b->device, b->type, &m);
}
static void normalise(const struct lab_block *b, size_t to, size_t from, enum lab_block_weight w) {
    b->device->row->norm(b->device, b->type, b->tensor[to], b->tensor[from], lab_block_param(b, w),
                         lab_block_param(b, w + 1), b->rows, b->width);
}

struct lab_attention lab_block_attention(const struct lab_block *b) {
    const struct lab_shape *s = &b->pass->options->shape;
    bool flash = b->device->row->flash;
    return (struct lab_attention){.batch = b->pass->options->batch,
                                  .seq = s->seq,
                                  .heads = s->heads,
                                  .width = s->width,
                                  .qkv = b->tensor[LAB_QKV],
                                  .out = b->tensor[LAB_ATTENTION_OUT],
                                  .scores = flash ? NULL : b->tensor[LAB_SCORES],
                                  .stats = flash ? b->tensor[LAB_SCORES] : NULL};
}

static void make_norm_1(const struct lab_block *b) {
    normalise(b, LAB_NORM_1, LAB_INPUT, LAB_LN1);
}
static void make_qkv(const struct lab_block *b) {
    linear(b, b->tensor[LAB_QKV], b->tensor[LAB_NORM_1], LAB_W_QKV, NULL);
}
static void make_scores(const struct lab_block *b) {
    struct lab_attention x = lab_block_attention(b);
    x.out = NULL;
    b->device->row->attention(b->device, b->type, &x);
}
static void make_attention(const struct lab_block *b) { /* scores as well */
    struct lab_attention x = lab_block_attention(b);
    b->device->row->attention(b->device, b->type, &x);
}
static void make_middle(const struct lab_block *b) { /* its norm as well */
    void *middle = b->tensor[LAB_MIDDLE];
    linear(b, middle, b->tensor[LAB_ATTENTION_OUT], LAB_W_PROJ, NULL);
    b->device->row->add_norm(b->device, b->type, middle, b->tensor[LAB_NORM_2], middle,
                             b->tensor[LAB_INPUT], lab_block_param(b, LAB_LN2),
                             lab_block_param(b, LAB_LN2 + 1), b->rows, b->width);
}
static void make_norm_2(const struct lab_block *b) {
    normalise(b, LAB_NORM_2, LAB_MIDDLE, LAB_LN2);
}
static void make_fc(const struct lab_block *b) {
    linear(b, b->tensor[LAB_FC], b->tensor[LAB_NORM_2], LAB_W_FC, NULL);
}
static void make_gelu(const struct lab_block *b) {
    b->device->row->gelu(b->device, b->type, b->tensor[LAB_GELU_OUT], b->tensor[LAB_FC],
                         b->rows * 4 * b->width);
}

typedef void make(const struct lab_block *b);
static make *const makes[LAB_BLOCK_TENSORS] = {
    [LAB_NORM_1] = make_norm_1, [LAB_QKV] = make_qkv, [LAB_ATTENTION_OUT] = make_attention,
    [LAB_MIDDLE] = make_middle, [LAB_FC] = make_fc,   [LAB_GELU_OUT] = make_gelu,
};

/* Attention makes its scores on the way, the middle its norm; alone they are made only where what they come with was kept. */
void lab_block_again(const struct lab_block *b) {
    const struct lab_options *o = b->pass->options;
    if (!is_kept(b->device, o, LAB_SCORES) && is_kept(b->device, o, LAB_ATTENTION_OUT))
        make_scores(b);
    if (!is_kept(b->device, o, LAB_NORM_2) && is_kept(b->device, o, LAB_MIDDLE)) make_norm_2(b);
    for (size_t t = 0; t < LAB_BLOCK_TENSORS; t++)
        if (makes[t] && !is_kept(b->device, o, t)) makes[t](b);
}

void lab_block_forward(const struct lab_pass *p, const void *x, void *y) {
    struct lab_block b = lab_block_of(p);
    if (x != b.tensor[LAB_INPUT])
        p->device->row->copy(p->device, b.tensor[LAB_INPUT], x,
                             bytes_of(p->device, p->options, LAB_INPUT));
    for (size_t t = 0; t < LAB_BLOCK_TENSORS; t++)
        if (makes[t]) makes[t](&b);
    linear(&b, y, b.tensor[LAB_GELU_OUT], LAB_W_OUT, b.tensor[LAB_MIDDLE]);
}
