/* What comes before the first block and after the last: the lookup, the last norm, the tied head and the loss. */
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
/* Columns beyond the vocabulary are products with wpe's first rows, which follow wte's. Their gradient is made 0, so that they add
 * nothing to anything. */
uint32_t lab_logits_columns(const struct lab_device *d, const struct lab_options *o) {
    uint32_t multiple = d->row->columns_multiple, vocab = o->shape.vocab;
    uint32_t columns = (vocab + multiple - 1) / multiple * multiple;
    return columns - vocab <= o->shape.seq ? columns : vocab;
}
size_t lab_logits_bytes(const struct lab_device *d, const struct lab_options *o) {
    return rows_of(o) * lab_logits_columns(d, o) * logit_bytes(o);
}

void lab_head_forward(const struct lab_pass *p, void *logits) {
    const struct lab_options *o = p->options;
    struct lab_matmul m = {.c = logits,
                           .a = normalised(p),
                           .b = param(p, 0),
                           .m = (uint32_t)rows_of(o),
                           .n = lab_logits_columns(p->device, o),
                           .k = o->shape.width,
                           .b_transposed = true,
                           .c_fp32 = true};
    p->device->row->matmul(p->device, o->compute, &m);
}
void lab_head_loss(const struct lab_pass *p, void *logits, const int32_t *targets, double scale) {
    const struct lab_options *o = p->options;
    p->device->row->cross_entropy(p->device, o->compute, logits, targets, rows_of(o),
                                  o->shape.vocab, lab_logits_columns(p->device, o), scale);
}

size_t lab_head_writes(const struct lab_device *d, const struct lab_options *o) {
    return (size_t)lab_logits_columns(d, o) * o->shape.width;
}
/* The logits' gradient is of the compute type by now, its rows as far apart as the logits were. */
void lab_head_backward(const struct lab_pass *p, const void *logits, void *dx) {
    const struct lab_options *o = p->options;
    uint32_t rows = (uint32_t)rows_of(o), width = o->shape.width;
    uint32_t columns = lab_logits_columns(p->device, o);
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
