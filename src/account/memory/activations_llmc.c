/* llm.c allocates everything that forward keeps at once, at the first step, and never frees it: karpathy/llm.c, train_gpt2.cu,
 * fill_in_activation_sizes() and malloc_and_point_activations(). Its `-r` is the training's checkpointing: none is -r 0; selective is
 * -r 1, which makes the GELU's outputs again; full is -r 2, the norms' outputs too. None of them is full checkpointing in the usual
 * sense. `flash` is the build with cuDNN, which keeps log-sum-exp instead of the attention's probabilities. */
#include "account/memory/activations.h"
#include "account/numbers/text.h"

struct sizes {
    uint64_t n, h, qkv, f, heads, seq, half; /* n tokens */
};

static struct sizes sizes_of(const struct account_training *t) {
    const struct account_shape *s = &t->shape;
    uint64_t qkv = (uint64_t)(s->heads + 2 * s->kv_heads) * s->head_size;
    return (struct sizes){(uint64_t)t->batch * t->seq,
                          s->hidden,
                          qkv,
                          s->ffn,
                          s->heads,
                          t->seq,
                          account_dtype_bytes(t, ACCOUNT_AS_HALF)};
}

/* -r 1 makes the GELU's outputs again, -r 2 the norms' too. */
size_t account_saved_llmc(const struct account_training *t, struct account_activation_part *out) {
    struct sizes z = sizes_of(t);
    const struct {
        const char *what;
        enum account_activation sort;
        uint64_t bytes;     /* a token */
        uint8_t again_from; /* enum account_checkpoint from which on it is made again; 0: never */
    } rows[] = {
        {"outputs of the norms",              ACCOUNT_SAVED_NORMS,  2 * z.half * z.h,                        ACCOUNT_FULL     },
        {"residuals",                         ACCOUNT_SAVED_NORMS,  2 * z.half * z.h,                        0                },
        {"means and deviations of the norms", ACCOUNT_SAVED_NORMS,  4 * 4,                                   0                },
        {"query, key and value",              ACCOUNT_SAVED_QKV,    z.half * z.qkv,                          0                },
        {"attention's probabilities",         ACCOUNT_SAVED_SCORES, t->flash ? 0 : z.half * z.heads * z.seq,
         0                                                                                                                    },
        {"log-sum-exp of attention",          ACCOUNT_SAVED_SCORES, t->flash ? 4 * z.heads : 0,              0                },
        {"attention's output",                ACCOUNT_SAVED_OUTPUT, z.half * z.h,                            0                },
        {"input of the GELU",                 ACCOUNT_SAVED_MLP,    z.half * z.f,                            0                },
        {"output of the GELU",                ACCOUNT_SAVED_MLP,    z.half * z.f,                            ACCOUNT_SELECTIVE},
    };
    size_t n = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < n; i++) {
        bool kept = rows[i].again_from == 0 || t->checkpoint < rows[i].again_from;
        out[i] = (struct account_activation_part){.sort = rows[i].sort,
                                                  .what = rows[i].what,
                                                  .layer = z.n * rows[i].bytes,
                                                  .kept = kept ? z.n * rows[i].bytes : 0};
    }
    return n;
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
    struct account_activation_part part[ACCOUNT_ACTIVATION_PARTS];
    struct sizes z = sizes_of(t);
    size_t n = account_saved_llmc(t, part);
    for (size_t i = 0; i < n; i++) {
        a->layer += part[i].layer;
        a->kept += part[i].kept;
    }
    a->layers = a->kept * t->shape.layers;
    a->working = scratch_bytes(&z, t->checkpoint);
    a->embedding = z.n * z.half * z.h;
    a->head =
        z.n * (z.half * z.h + 12); /* the last norm's output, mean and deviation; the losses */
    a->logits = a->logits_forward = a->logits_output = output_bytes(&z, t);
    a->fixed = true;
    a->in_flight = 1;
    a->highest = a->layers + a->working + a->embedding + a->head + a->logits;
}
