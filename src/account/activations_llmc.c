/* llm.c allocates everything that forward keeps at once, at the first step, and never frees it: karpathy/llm.c, train_gpt2.cu,
 * fill_in_activation_sizes() and malloc_and_point_activations(). Its `-r` is the training's checkpointing: none is -r 0; selective is
 * -r 1, which makes the GELU's outputs again; full is -r 2, the norms' outputs too. None of them is full checkpointing in the usual
 * sense. `flash` is the build with cuDNN, which keeps log-sum-exp instead of the attention's probabilities. */
#include "account/activations.h"
#include "account/text.h"

struct sizes {
    uint64_t n, h, qkv, f, heads, seq, half; /* n tokens */
};

static uint64_t layer_bytes(const struct sizes *z, const struct account_training *t,
                            uint8_t checkpoint) {
    uint64_t norms = checkpoint == ACCOUNT_FULL ? 0 : 2 * z->h;
    uint64_t gelu = checkpoint == ACCOUNT_KEEP_ALL ? z->f : 0;
    uint64_t attention = z->qkv + z->h; /* and its output */
    uint64_t residuals = 2 * z->h;
    uint64_t scores = t->flash ? 0 : z->heads * z->seq;
    uint64_t statistics = 4 + (t->flash ? z->heads : 0); /* two norms' means and deviations */
    return z->n *
           (z->half * (norms + attention + scores + residuals + z->f + gelu) + 4 * statistics);
}

/* One buffer is the logits, then their gradient, and in between scratch of the layers: as wide as the widest of them, heads · s
 * even where cuDNN needs no scores. */
static uint64_t output_bytes(const struct sizes *z, const struct account_training *t) {
    uint64_t widest = account_vocab_rows(t), scores = z->heads * z->seq;
    if (z->qkv > widest) widest = z->qkv;
    if (scores > widest) widest = scores;
    return z->n * z->half * widest;
}

static uint64_t scratch_bytes(const struct sizes *z, uint8_t checkpoint) {
    uint64_t gelu = checkpoint == ACCOUNT_KEEP_ALL ? 0 : z->f;
    return z->n * z->half * (gelu + z->f + z->h);
}

void account_activations_llmc(const struct account_training *t, struct account_activations *a) {
    const struct account_shape *s = &t->shape;
    uint64_t qkv = (uint64_t)(s->heads + 2 * s->kv_heads) * s->head_size;
    struct sizes z = {(uint64_t)t->batch * t->seq,
                      s->hidden,
                      qkv,
                      s->ffn,
                      s->heads,
                      t->seq,
                      account_dtype_bytes(t, ACCOUNT_AS_HALF)};
    a->layer = layer_bytes(&z, t, ACCOUNT_KEEP_ALL);
    a->kept = layer_bytes(&z, t, t->checkpoint);
    a->layers = a->kept * s->layers;
    a->working = scratch_bytes(&z, t->checkpoint);
    a->embedding = z.n * z.half * z.h;
    a->head =
        z.n * (z.half * z.h + 12); /* the last norm's output, mean and deviation; the losses */
    a->logits = a->logits_forward = a->logits_output = output_bytes(&z, t);
    a->fixed = true;
    a->in_flight = 1;
    a->highest = a->layers + a->working + a->embedding + a->head + a->logits;
}
