/* Floating-point operations of one sequence through the whole model, a multiplication and an
 * addition as two; matrix products only.
 *
 * Korthikanti et al., arXiv:2205.05198, appendix A: with s tokens, h hidden, L layers, V vocabulary
 * a GPT's forward takes L (24 s h² + 4 s² h) + 2 s h V, and backward twice that; the model's own a
 * sequence are, by equation 7,
 *
 *     72 L s h² (1 + s/(6h) + V/(12 h L))
 *
 * Here 24 h² is 2 for each weight of the layer's matrices that a token meets, so that grouped
 * queries, gated MLPs and active experts (and their router) come out of the shape; attention counts
 * all s² pairs, as the paper does, though causal attention needs half of them.
 *
 * Selective checkpointing (section 5) drops the attention core and runs its forward again in
 * backward: L · 4 s² h more, s/(18h) of the layers' matrices. The paper's equation 8, with s/(3h)
 * for s/(6h), and the 2.7 % and 1.6 % of its section 5 have three times that, as if the core's
 * backward were run twice too; hardware FLOPs that are published are counted so. Full checkpointing
 * runs the layers' forward once more: 4 of 3, the head apart. What flash attention computes again
 * in its backward is part of the kernel, and not counted. */
#include "account/memory/activations.h"
#include "account/training/shapes.h"

/* of one forward */
struct flops {
    double matrices, core, head;
};

/* Weights of the matrices of a layer that one token meets. */
static double weights_met(const struct account_shape *s) {
    double h = s->hidden, heads = (double)s->heads * s->head_size;
    double kv = (double)s->kv_heads * s->head_size;
    double attention = 2 * h * heads + 2 * h * kv;
    double matrices = account_family_of(s)->gated ? 3 : 2;
    if (s->experts == 0) return attention + matrices * h * s->ffn;
    return attention + matrices * h * s->expert_ffn * s->experts_active + h * s->experts;
}

static struct flops forward(const struct account_training *t) {
    const struct account_shape *s = &t->shape;
    double tokens = t->seq, layers = s->layers;
    return (struct flops){.matrices = layers * tokens * 2 * weights_met(s),
                          .core = layers * 4 * tokens * tokens * s->heads * s->head_size,
                          .head = tokens * 2 * s->hidden * s->vocab};
}

/* Under LoRA frozen weights have no gradients: backward costs what forward does. The adapters are
 * trained as any weights. */
static double of_model(const struct account_training *t, struct flops f) {
    double times = t->lora ? 2 : 3;
    double adapters = t->lora ? (double)account_adapter_params(&t->shape, t->lora) : 0;
    return times * (f.matrices + f.head) + 3 * f.core + 6.0 * t->seq * adapters;
}

static double computed_again(const struct account_training *t, struct flops f) {
    const struct account_keep *keep = account_keep_of(t);
    if (t->checkpoint == ACCOUNT_FULL && keep->full) return f.matrices + f.core;
    if (t->checkpoint == ACCOUNT_SELECTIVE && !t->flash) return keep->core_again * f.core;
    return 0;
}

double account_model_flops(const struct account_training *t) {
    if (t->shape.family == 0) return 6.0 * (double)t->params * t->seq;
    return of_model(t, forward(t));
}

double account_hardware_flops(const struct account_training *t) {
    if (t->shape.family == 0)
        return (t->checkpoint == ACCOUNT_FULL ? 8.0 : 6.0) * (double)t->params * t->seq;
    struct flops f = forward(t);
    return of_model(t, f) + computed_again(t, f);
}
