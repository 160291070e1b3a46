/* One pass forward and backward through each unit: the lookup of the embeddings, a block, the last
 * norm, and the head with its loss. The sharding does not reach this file: a pass gets whole
 * parameters, and makes whole gradients. */
#include "lab/model.h"

static size_t rows_of(const struct lab_options *o) {
    return (size_t)o->batch * o->shape.seq;
}
static size_t hidden_bytes(const struct lab_options *o) {
    return rows_of(o) * o->shape.width * lab_dtype_bytes(o->compute);
}
static const void *param(const struct lab_pass *p, size_t tensor) {
    return (const char *)p->params +
           p->unit->tensor[tensor].offset * lab_dtype_bytes(p->options->compute);
}
static void *grad(const struct lab_pass *p, size_t tensor) {
    return (char *)p->grads + p->unit->tensor[tensor].offset * lab_dtype_bytes(p->options->compute);
}

/* ── lookup ── */

void lab_embed_forward(const struct lab_pass *p, const int32_t *tokens, void *x) {
    const struct lab_options *o = p->options;
    p->device->row->embed(p->device, o->compute, x, tokens, param(p, 0), param(p, 1), rows_of(o),
                          o->shape.seq, o->shape.width);
}
void lab_embed_backward(const struct lab_pass *p, const int32_t *tokens, const void *dx) {
    const struct lab_options *o = p->options;
    p->device->row->embed_backward(p->device, o->compute, grad(p, 0), grad(p, 1), dx, tokens,
                                   rows_of(o), o->shape.seq, o->shape.width);
}

/* ── a block: its tensors ────────────────────────────────────────────────────────────────────────
 *
 * Forward:  middle = x + projection(attention(norm(x))),  y = middle + out(gelu(fc(norm(middle)))).
 *
 * Elements per token, for a width of C, and which of them are kept from forward to backward. What
 * is not kept lives in `working` while one block runs, and backward computes it again.
 *
 *                            --checkpoint  none   selective   full
 *     INPUT          C                     kept   kept        kept
 *     NORM_1         C                     kept
 *     QKV            3C                    kept   kept
 *     SCORES         heads · seq           kept   (flash)
 *     ATTENTION_OUT  C                     kept   kept
 *     MIDDLE         C                     kept   kept
 *     NORM_2         C                     kept
 *     FC             4C                    kept   kept
 *     GELU_OUT       4C                    kept
 *
 * SCORES are the softmax of query · key. A device with flash attention keeps an fp32 number per
 * head and token instead, which is so little that selective keeps it as well. */

enum block_tensor {
    INPUT,
    NORM_1,
    QKV,
    SCORES,
    ATTENTION_OUT,
    MIDDLE,
    NORM_2,
    FC,
    GELU_OUT,
    BLOCK_TENSORS
};
/* As model.c lists them. Each weight's bias follows it. */
enum block_weight { LN1 = 0, W_QKV = 2, W_PROJ = 4, LN2 = 6, W_FC = 8, W_OUT = 10 };

struct block {
    const struct lab_pass *pass;
    struct lab_device *device;
    enum lab_dtype type;
    size_t rows, width;
    void *tensor[BLOCK_TENSORS];
};

enum { ALL = 1 << LAB_KEEP_ALL, SELECTIVE = 1 << LAB_SELECTIVE, FULL = 1 << LAB_FULL };
static const struct {
    uint8_t widths, kept;
} tensors[BLOCK_TENSORS] = {
    [INPUT] = {1, ALL | SELECTIVE | FULL},
    [NORM_1] = {1, ALL},
    [QKV] = {3, ALL | SELECTIVE},
    [SCORES] = {0, ALL},
    [ATTENTION_OUT] = {1, ALL | SELECTIVE},
    [MIDDLE] = {1, ALL | SELECTIVE},
    [NORM_2] = {1, ALL},
    [FC] = {4, ALL | SELECTIVE},
    [GELU_OUT] = {4, ALL},
};

static size_t bytes_of(const struct lab_device *d, const struct lab_options *o, size_t t) {
    size_t element = lab_dtype_bytes(o->compute);
    if (t != SCORES) return tensors[t].widths * rows_of(o) * o->shape.width * element;
    size_t a_token = d->row->flash ? sizeof(float) : o->shape.seq * element;
    return rows_of(o) * o->shape.heads * a_token;
}
static bool is_kept(const struct lab_device *d, const struct lab_options *o, size_t t) {
    unsigned kept = tensors[t].kept;
    if (t == SCORES && d->row->flash) kept |= SELECTIVE;
    return kept >> o->checkpoint & 1;
}

size_t lab_block_all(const struct lab_device *d, const struct lab_options *o) {
    size_t bytes = 0;
    for (size_t t = 0; t < BLOCK_TENSORS; t++) bytes += bytes_of(d, o, t);
    return bytes;
}
size_t lab_block_kept(const struct lab_device *d, const struct lab_options *o) {
    size_t bytes = 0;
    for (size_t t = 0; t < BLOCK_TENSORS; t++) bytes += is_kept(d, o, t) ? bytes_of(d, o, t) : 0;
    return bytes;
}
size_t lab_block_working(const struct lab_device *d, const struct lab_options *o) {
    return lab_block_all(d, o) - lab_block_kept(d, o);
}

static struct block block_of(const struct lab_pass *p) {
    const struct lab_options *o = p->options;
    struct block b = {p, p->device, o->compute, rows_of(o), o->shape.width, {0}};
    char *saved = p->saved, *working = p->working;
    for (size_t t = 0; t < BLOCK_TENSORS; t++) {
        char **from = is_kept(p->device, o, t) ? &saved : &working;
        b.tensor[t] = *from;
        *from += bytes_of(p->device, o, t);
    }
    return b;
}

/* ── a block forward: how each tensor is made ── */

static void linear(const struct block *b, void *y, const void *x, enum block_weight w,
                   const void *residual) {
    const struct lab_tensor *t = &b->pass->unit->tensor[w];
    struct lab_matmul m = {.c = y,
                           .a = x,
                           .b = param(b->pass, w),
                           .m = (uint32_t)b->rows,
                           .n = (uint32_t)t->rows,
                           .k = (uint32_t)t->columns,
                           .b_transposed = true,
                           .bias = param(b->pass, w + 1),
                           .residual = residual};
    b->device->row->matmul(b->device, b->type, &m);
}
static void normalise(const struct block *b, size_t to, size_t from, enum block_weight w) {
    b->device->row->norm(b->device, b->type, b->tensor[to], b->tensor[from], param(b->pass, w),
                         param(b->pass, w + 1), b->rows, b->width);
}

static struct lab_attention attention_of(const struct block *b) {
    const struct lab_shape *s = &b->pass->options->shape;
    bool flash = b->device->row->flash;
    return (struct lab_attention){.batch = b->pass->options->batch,
                                  .seq = s->seq,
                                  .heads = s->heads,
                                  .width = s->width,
                                  .qkv = b->tensor[QKV],
                                  .out = b->tensor[ATTENTION_OUT],
                                  .scores = flash ? NULL : b->tensor[SCORES],
                                  .stats = flash ? b->tensor[SCORES] : NULL};
}

static void make_norm_1(const struct block *b) {
    normalise(b, NORM_1, INPUT, LN1);
}
static void make_qkv(const struct block *b) {
    linear(b, b->tensor[QKV], b->tensor[NORM_1], W_QKV, NULL);
}
static void make_scores(const struct block *b) {
    struct lab_attention x = attention_of(b);
    x.out = NULL;
    b->device->row->attention(b->device, b->type, &x);
}
/* Makes the scores as well. */
static void make_attention(const struct block *b) {
    struct lab_attention x = attention_of(b);
    b->device->row->attention(b->device, b->type, &x);
}
/* Makes its norm as well. */
static void make_middle(const struct block *b) {
    void *middle = b->tensor[MIDDLE];
    linear(b, middle, b->tensor[ATTENTION_OUT], W_PROJ, NULL);
    b->device->row->add_norm(b->device, b->type, middle, b->tensor[NORM_2], middle,
                             b->tensor[INPUT], param(b->pass, LN2), param(b->pass, LN2 + 1),
                             b->rows, b->width);
}
static void make_norm_2(const struct block *b) {
    normalise(b, NORM_2, MIDDLE, LN2);
}
static void make_fc(const struct block *b) {
    linear(b, b->tensor[FC], b->tensor[NORM_2], W_FC, NULL);
}
static void make_gelu(const struct block *b) {
    b->device->row->gelu(b->device, b->type, b->tensor[GELU_OUT], b->tensor[FC],
                         b->rows * 4 * b->width);
}

typedef void make(const struct block *b);
static make *const makes[BLOCK_TENSORS] = {
    [NORM_1] = make_norm_1, [QKV] = make_qkv, [ATTENTION_OUT] = make_attention,
    [MIDDLE] = make_middle, [FC] = make_fc,   [GELU_OUT] = make_gelu,
};

/* Makes the tensors that were not kept. Attention makes its scores as well, and the middle its
 * norm. Alone these are made only if the tensor that they come with was kept. */
static void make_again(const struct block *b) {
    const struct lab_options *o = b->pass->options;
    if (!is_kept(b->device, o, SCORES) && is_kept(b->device, o, ATTENTION_OUT)) make_scores(b);
    if (!is_kept(b->device, o, NORM_2) && is_kept(b->device, o, MIDDLE)) make_norm_2(b);
    for (size_t t = 0; t < BLOCK_TENSORS; t++)
        if (makes[t] && !is_kept(b->device, o, t)) makes[t](b);
}

/* read: pass */
void lab_block_forward(const struct lab_pass *p, const void *x, void *y) {
    struct block b = block_of(p);
    if (x != b.tensor[INPUT])
        p->device->row->copy(p->device, b.tensor[INPUT], x, bytes_of(p->device, p->options, INPUT));
    for (size_t t = 0; t < BLOCK_TENSORS; t++)
        if (makes[t]) makes[t](&b);
    linear(&b, y, b.tensor[GELU_OUT], W_OUT, b.tensor[MIDDLE]);
}
/* read: end */

/* ── a block backward ── */

/* Intermediate gradients, per token: 4C for the MLP's hidden values, and then in the same place 3C
 * for query, key and value and C for attention's output. Another C is for the gradient of a norm's
 * output. */
struct scratch {
    void *wide, *attention_out, *narrow, *of_attention;
};
static struct scratch scratch_of(const struct block *b) {
    char *memory = b->pass->scratch;
    size_t c = b->rows * b->width * lab_dtype_bytes(b->type);
    return (struct scratch){memory, memory + 3 * c, memory + 4 * c, memory + 5 * c};
}

size_t lab_block_scratch(struct lab_device *d, const struct lab_options *o) {
    const struct lab_shape *s = &o->shape;
    return 5 * (size_t)o->batch * s->seq * s->width * lab_dtype_bytes(o->compute) +
           d->row->attention_scratch(d, o->compute, o->batch, s->seq, s->heads, s->width);
}

/* Of y = x · Wᵀ + bias: adds to the gradients of W and of its bias, and writes dx. */
static void linear_backward(const struct block *b, void *dx, const void *dy, const void *x,
                            enum block_weight w) {
    const struct lab_tensor *t = &b->pass->unit->tensor[w];
    uint32_t rows = (uint32_t)b->rows, out = (uint32_t)t->rows, in = (uint32_t)t->columns;
    struct lab_matmul weight = {.c = grad(b->pass, w),
                                .a = dy,
                                .b = x,
                                .m = out,
                                .n = in,
                                .k = rows,
                                .a_transposed = true,
                                .add = !b->pass->fresh};
    struct lab_matmul input = {
        .c = dx, .a = dy, .b = param(b->pass, w), .m = rows, .n = in, .k = out};
    b->device->row->matmul(b->device, b->type, &weight);
    b->device->row->bias_gradient(b->device, b->type, grad(b->pass, w + 1), !b->pass->fresh, dy,
                                  b->rows, t->rows);
    b->device->row->matmul(b->device, b->type, &input);
}

/* Adds the gradient that comes through the norm to the residual's. */
static void norm_backward(const struct block *b, void *dresidual, const void *dy, size_t x,
                          enum block_weight w) {
    b->device->row->norm_backward(b->device, b->type, dresidual, true, grad(b->pass, w),
                                  grad(b->pass, w + 1), !b->pass->fresh, dy, b->tensor[x],
                                  param(b->pass, w), b->rows, b->width);
}

static void mlp_backward(const struct block *b, const struct scratch *s, void *dxy) {
    linear_backward(b, s->wide, dxy, b->tensor[GELU_OUT], W_OUT);
    b->device->row->gelu_backward(b->device, b->type, s->wide, s->wide, b->tensor[FC],
                                  b->rows * 4 * b->width);
    linear_backward(b, s->narrow, s->wide, b->tensor[NORM_2], W_FC);
    norm_backward(b, dxy, s->narrow, MIDDLE, LN2);
}

static void attention_backward(const struct block *b, const struct scratch *s, void *dxy) {
    struct lab_attention x = attention_of(b);
    linear_backward(b, s->attention_out, dxy, b->tensor[ATTENTION_OUT], W_PROJ);
    x.dout = s->attention_out;
    x.dqkv = s->wide;
    x.scratch = s->of_attention;
    b->device->row->attention_backward(b->device, b->type, &x);
    linear_backward(b, s->narrow, s->wide, b->tensor[NORM_1], W_QKV);
    norm_backward(b, dxy, s->narrow, INPUT, LN1);
}

void lab_block_backward(const struct lab_pass *p, void *dxy) {
    struct block b = block_of(p);
    struct scratch s = scratch_of(&b);
    make_again(&b);
    mlp_backward(&b, &s, dxy);
    attention_backward(&b, &s, dxy);
}

/* ── last norm: `saved` is its input, then its output ── */

size_t lab_head_kept(const struct lab_options *o) {
    return 2 * hidden_bytes(o);
}
static void *normalised(const struct lab_pass *p) {
    return (char *)p->saved + hidden_bytes(p->options);
}

void lab_last_norm_forward(const struct lab_pass *p, const void *x) {
    const struct lab_options *o = p->options;
    if (x != p->saved) p->device->row->copy(p->device, p->saved, x, hidden_bytes(o));
    p->device->row->norm(p->device, o->compute, normalised(p), p->saved, param(p, 0), param(p, 1),
                         rows_of(o), o->shape.width);
}
void lab_last_norm_backward(const struct lab_pass *p, void *dxy) {
    const struct lab_options *o = p->options;
    p->device->row->norm_backward(p->device, o->compute, dxy, false, grad(p, 0), grad(p, 1),
                                  !p->fresh, dxy, p->saved, param(p, 0), rows_of(o),
                                  o->shape.width);
}

/* ── head and loss ── */

static size_t logit_bytes(const struct lab_options *o) {
    return o->compute == LAB_F64 ? sizeof(double) : sizeof(float);
}
/* Some devices multiply faster if the columns are a multiple of some number. The columns beyond the
 * vocabulary are products with wpe's first rows, which follow wte's. Their gradient is set to 0, so
 * that they change nothing. No rows follow those of an untied head. */
static uint32_t logits_columns(const struct lab_device *d, const struct lab_options *o) {
    uint32_t multiple = d->row->columns_multiple, vocab = o->shape.vocab;
    uint32_t columns = (vocab + multiple - 1) / multiple * multiple;
    uint32_t follow = o->shape.untied ? 0 : o->shape.seq;
    return columns - vocab <= follow ? columns : vocab;
}
size_t lab_logits_bytes(const struct lab_device *d, const struct lab_options *o) {
    return rows_of(o) * logits_columns(d, o) * logit_bytes(o);
}

void lab_head_forward(const struct lab_pass *p, void *logits) {
    const struct lab_options *o = p->options;
    struct lab_matmul m = {.c = logits,
                           .a = normalised(p),
                           .b = param(p, 0),
                           .m = (uint32_t)rows_of(o),
                           .n = logits_columns(p->device, o),
                           .k = o->shape.width,
                           .b_transposed = true,
                           .c_fp32 = true};
    p->device->row->matmul(p->device, o->compute, &m);
}
void lab_head_loss(const struct lab_pass *p, void *logits, const int32_t *targets, double scale) {
    const struct lab_options *o = p->options;
    p->device->row->cross_entropy(p->device, o->compute, logits, targets, rows_of(o),
                                  o->shape.vocab, logits_columns(p->device, o), scale);
}

size_t lab_head_writes(const struct lab_device *d, const struct lab_options *o) {
    return (size_t)logits_columns(d, o) * o->shape.width;
}
/* The logits' gradient is of the compute type by now, but its rows are as far apart as the logits'
 * rows were. */
void lab_head_backward(const struct lab_pass *p, const void *logits, void *dx) {
    const struct lab_options *o = p->options;
    uint32_t rows = (uint32_t)rows_of(o), width = o->shape.width;
    uint32_t columns = logits_columns(p->device, o);
    uint32_t apart = (uint32_t)(columns * logit_bytes(o) / lab_dtype_bytes(o->compute));
    struct lab_matmul weight = {.c = grad(p, 0),
                                .a = logits,
                                .b = normalised(p),
                                .m = columns,
                                .n = width,
                                .k = rows,
                                .lda = apart,
                                .a_transposed = true,
                                .add = !p->fresh};
    struct lab_matmul input = {
        .c = dx, .a = logits, .b = param(p, 0), .m = rows, .n = width, .k = columns, .lda = apart};
    p->device->row->matmul(p->device, o->compute, &weight);
    p->device->row->matmul(p->device, o->compute, &input);
}
