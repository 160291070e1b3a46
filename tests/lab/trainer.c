#include "lab/trainer.h"

#include <stdlib.h>
#include <string.h>

struct lab_options trainer_small(void) {
    return (struct lab_options){.shape = {2, 36, 3, 10, 19, false},
                                .ranks = 1,
                                .batch = 2,
                                .seed = 7,
                                .compute = LAB_F32,
                                .tokens = "random"};
}

static void *take(struct trainer *t, size_t bytes) {
    void *memory;
    if (!t->device->row->alloc(t->device, &memory, bytes)) abort();
    return memory;
}
static size_t rows_of(const struct trainer *t) {
    return (size_t)t->options.batch * t->options.shape.seq;
}
static size_t element(const struct trainer *t) {
    return lab_dtype_bytes(t->options.compute);
}

static void begin_params(struct trainer *t) {
    float *values = calloc(t->model->params, sizeof *values);
    for (size_t u = 0; u < t->model->units; u++)
        lab_model_init(t->model, u, t->options.seed, values + t->offset[u]);
    t->device->row->cast(t->device, t->params, t->options.compute, values, LAB_F32,
                         t->model->params);
    if (t->master) memcpy(t->master, values, t->model->params * sizeof *values);
    free(values);
}

struct trainer *trainer_new(const struct lab_options *o) {
    struct trainer *t = calloc(1, sizeof *t);
    struct lab_message m;
    t->options = *o;
    t->device = lab_cpu_open(&m);
    t->model = lab_model_new(&o->shape);
    t->offset = calloc(t->model->units + 1, sizeof *t->offset);
    for (size_t u = 0; u < t->model->units; u++)
        t->offset[u + 1] = t->offset[u] + t->model->unit[u].count;
    size_t n = t->model->params, layers = o->shape.layers;
    t->params = take(t, n * element(t));
    t->grads = take(t, n * element(t));
    t->m = take(t, n * sizeof(float));
    t->v = take(t, n * sizeof(float));
    if (o->compute == LAB_BF16 || o->compute == LAB_F16) t->master = take(t, n * sizeof(float));
    t->saved = calloc(layers + 1, sizeof *t->saved);
    for (size_t i = 0; i < layers; i++) t->saved[i] = take(t, lab_block_kept(t->device, o));
    t->saved[layers] = take(t, lab_head_kept(o));
    if (lab_block_working(t->device, o)) t->working = take(t, lab_block_working(t->device, o));
    t->scratch = take(t, lab_block_scratch(t->device, o));
    t->logits = take(t, lab_logits_bytes(t->device, o));
    t->dx = take(t, rows_of(t) * o->shape.width * element(t));
    t->inputs = take(t, rows_of(t) * sizeof(int32_t));
    t->targets = take(t, rows_of(t) * sizeof(int32_t));
    begin_params(t);
    return t;
}

void trainer_free(struct trainer *t) {
    void *flat[] = {t->params,  t->grads,  t->m,  t->v,      t->master, t->working,
                    t->scratch, t->logits, t->dx, t->inputs, t->targets};
    for (size_t i = 0; i < sizeof flat / sizeof *flat; i++)
        t->device->row->free(t->device, flat[i], 0);
    for (size_t i = 0; i <= t->options.shape.layers; i++)
        t->device->row->free(t->device, t->saved[i], 0);
    free(t->saved);
    free(t->offset);
    lab_model_free(t->model);
    t->device->row->close(t->device);
    free(t);
}

static struct lab_pass pass_of(const struct trainer *t, size_t unit, size_t saved) {
    size_t at = t->offset[unit] * element(t);
    return (struct lab_pass){.device = t->device,
                             .options = &t->options,
                             .unit = &t->model->unit[unit],
                             .params = (char *)t->params + at,
                             .grads = (char *)t->grads + at,
                             .saved = t->saved[saved],
                             .working = t->working,
                             .scratch = t->scratch};
}

static double forward(struct trainer *t, double scale) {
    size_t layers = t->options.shape.layers;
    struct lab_pass lookup = pass_of(t, 0, layers), norm = pass_of(t, layers + 1, layers);
    struct lab_pass head = pass_of(t, lab_head_unit(&t->options.shape), layers);
    lab_embed_forward(&lookup, t->inputs, t->saved[0]);
    for (size_t i = 0; i < layers; i++) {
        struct lab_pass p = pass_of(t, i + 1, i);
        lab_block_forward(&p, t->saved[i], t->saved[i + 1]);
    }
    lab_last_norm_forward(&norm, t->saved[layers]);
    lab_head_forward(&head, t->logits);
    lab_head_loss(&head, t->logits, t->targets, scale / (double)rows_of(t));
    return t->device->row->take_loss(t->device) / (double)rows_of(t);
}

double trainer_loss(struct trainer *t) {
    return forward(t, 1);
}

double trainer_gradients(struct trainer *t, double scale) {
    size_t layers = t->options.shape.layers;
    struct lab_pass lookup = pass_of(t, 0, layers), norm = pass_of(t, layers + 1, layers);
    struct lab_pass head = pass_of(t, lab_head_unit(&t->options.shape), layers);
    t->device->row->zero(t->device, t->grads, t->model->params * element(t));
    double loss = forward(t, scale);
    lab_head_backward(&head, t->logits, t->dx);
    lab_last_norm_backward(&norm, t->dx);
    for (size_t i = layers; i-- > 0;) {
        struct lab_pass p = pass_of(t, i + 1, i);
        lab_block_backward(&p, t->dx);
    }
    lab_embed_backward(&lookup, t->inputs, t->dx);
    return loss;
}

void trainer_update(struct trainer *t, double rate, double scale) {
    struct lab_adam x = {.param = t->params,
                         .master = t->master,
                         .m = t->m,
                         .v = t->v,
                         .grad = t->grads,
                         .n = t->model->params,
                         .rate = rate,
                         .beta1 = 0.9,
                         .beta2 = 0.95,
                         .eps = 1e-8,
                         .grad_scale = 1 / scale,
                         .step = ++t->step};
    t->device->row->adam(t->device, t->options.compute, t->options.compute, &x);
}

void trainer_feed(struct trainer *t, const struct lab_tokens *tokens, uint64_t first) {
    size_t seq = t->options.shape.seq;
    for (size_t i = 0; i < t->options.batch; i++)
        lab_tokens_sequence(tokens, first + i, t->inputs + i * seq, t->targets + i * seq);
}
