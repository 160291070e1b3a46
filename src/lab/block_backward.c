/* A block backward, from its output's gradient to its input's. */
#include "lab/block.h"

/* A token's intermediate gradients: 4C for the MLP's hidden values, then in their place 3C for query, key and value and C for attention's output; and
 * C for what a norm made. */
struct scratch {
    void *wide, *attention_out, *narrow, *of_attention;
};
static struct scratch scratch_of(const struct lab_block *b) {
    char *memory = b->pass->scratch;
    size_t c = b->rows * b->width * lab_dtype_bytes(b->type);
    return (struct scratch){memory, memory + 3 * c, memory + 4 * c, memory + 5 * c};
}

size_t lab_block_scratch(struct lab_device *d, const struct lab_options *o) {
    const struct lab_shape *s = &o->shape;
    return 5 * (size_t)o->batch * s->seq * s->width * lab_dtype_bytes(o->compute) +
           d->row->attention_scratch(d, o->compute, o->batch, s->seq, s->heads, s->width);
}

/* y = x · Wᵀ + bias: W's and its bias's gradients grow, and dx is written. */
static void linear_backward(const struct lab_block *b, void *dx, const void *dy, const void *x,
                            enum lab_block_weight w) {
    const struct lab_tensor *t = &b->pass->unit->tensor[w];
    uint32_t rows = (uint32_t)b->rows, out = (uint32_t)t->rows, in = (uint32_t)t->columns;
    struct lab_matmul weight = {.c = lab_block_grad(b, w),
                                .a = dy,
                                .b = x,
                                .m = out,
                                .n = in,
                                .k = rows,
                                .a_transposed = true,
                                .add = !b->pass->fresh};
    struct lab_matmul input = {
        .c = dx, .a = dy, .b = lab_block_param(b, w), .m = rows, .n = in, .k = out};
    b->device->row->matmul(b->device, b->type, &weight);
    b->device->row->bias_gradient(b->device, b->type, lab_block_grad(b, w + 1), !b->pass->fresh, dy,
                                  b->rows, t->rows);
    b->device->row->matmul(b->device, b->type, &input);
}

/* Adds to the residual's gradient what comes through the norm. */
static void norm_backward(const struct lab_block *b, void *dresidual, const void *dy, size_t x,
                          enum lab_block_weight w) {
    b->device->row->norm_backward(b->device, b->type, dresidual, true, lab_block_grad(b, w),
                                  lab_block_grad(b, w + 1), !b->pass->fresh, dy, b->tensor[x],
                                  lab_block_param(b, w), b->rows, b->width);
}

static void mlp_backward(const struct lab_block *b, const struct scratch *s, void *dxy) {
    linear_backward(b, s->wide, dxy, b->tensor[LAB_GELU_OUT], LAB_W_OUT);
    b->device->row->gelu_backward(b->device, b->type, s->wide, s->wide, b->tensor[LAB_FC],
                                  b->rows * 4 * b->width);
    linear_backward(b, s->narrow, s->wide, b->tensor[LAB_NORM_2], LAB_W_FC);
    norm_backward(b, dxy, s->narrow, LAB_MIDDLE, LAB_LN2);
}

static void attention_backward(const struct lab_block *b, const struct scratch *s, void *dxy) {
    struct lab_attention x = lab_block_attention(b);
    linear_backward(b, s->attention_out, dxy, b->tensor[LAB_ATTENTION_OUT], LAB_W_PROJ);
    x.dout = s->attention_out;
    x.dqkv = s->wide;
    x.scratch = s->of_attention;
    b->device->row->attention_backward(b->device, b->type, &x);
    linear_backward(b, s->narrow, s->wide, b->tensor[LAB_NORM_1], LAB_W_QKV);
    norm_backward(b, dxy, s->narrow, LAB_INPUT, LAB_LN1);
}

void lab_block_backward(const struct lab_pass *p, void *dxy) {
    struct lab_block b = lab_block_of(p);
    struct scratch s = scratch_of(&b);
    lab_block_again(&b);
    mlp_backward(&b, &s, dxy);
    attention_backward(&b, &s, dxy);
}
