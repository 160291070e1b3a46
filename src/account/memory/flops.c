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
#include "account/memory/step.h"
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

static struct flops forward(const struct account_resolved *is) {
    const struct account_shape *s = &is->shape;
    double tokens = is->seq, layers = s->layers;
    return (struct flops){.matrices = layers * tokens * 2 * weights_met(s),
                          .core = layers * 4 * tokens * tokens * s->heads * s->head_size,
                          .head = tokens * 2 * s->hidden * s->vocab};
}

/* Under LoRA frozen weights have no gradients: backward costs what forward does. The adapters are
 * trained as any weights. */
static double of_model(const struct account_resolved *is, struct flops f) {
    double times = is->lora ? 2 : 3;
    double adapters = (double)is->adapters_met;
    return times * (f.matrices + f.head) + 3 * f.core + 6.0 * is->seq * adapters;
}

static double computed_again(const struct account_resolved *is, struct flops f) {
    const struct account_keep *keep = account_keep_of(is);
    if (is->checkpoint == ACCOUNT_FULL && keep->full) return f.matrices + f.core;
    if (is->checkpoint == ACCOUNT_SELECTIVE && !is->flash) return keep->core_again * f.core;
    return 0;
}

struct account_flops account_flops_of(const struct account_resolved *is) {
    if (is->shape.family == 0) {
        double params = (double)is->params;
        return (struct account_flops){6.0 * params * is->seq,
                                      (is->checkpoint == ACCOUNT_FULL ? 8.0 : 6.0) * params *
                                          is->seq};
    }
    struct flops f = forward(is);
    double model = of_model(is, f);
    return (struct account_flops){model, model + computed_again(is, f)};
}

static struct account_flops of_training(const struct account_training *t) {
    struct account_resolved is;
    account_resolve_fields(t, &is);
    return account_flops_of(&is);
}

double account_model_flops(const struct account_training *t) {
    return of_training(t).model;
}

double account_hardware_flops(const struct account_training *t) {
    return of_training(t).hardware;
}
