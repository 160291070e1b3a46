/* What a shape is made of: its matrices and vectors, once. Counts and factored optimizers both walk this list. */
#include "account/tables.h"

struct tensor {
    uint64_t rows, columns; /* columns 1: a vector */
    uint64_t copies;
};
#define TENSORS 16

struct tensors {
    size_t count;
    struct tensor tensor[TENSORS];
};

static void add(struct tensors *t, uint64_t copies, uint64_t rows, uint64_t columns) {
    if (t->count < TENSORS) t->tensor[t->count++] = (struct tensor){rows, columns, copies};
}

/* GPT-2: V h + context h + L (12h² + 13h) + 2h with f = 4h. Radford et al. 2019; openai/gpt-2, src/model.py: fused query, key and
 * value, biases everywhere, LayerNorm with weight and bias, learned positions. */
static void add_gpt(struct tensors *t, const struct account_shape *s) {
    uint64_t h = s->hidden, L = s->layers, f = s->ffn;
    add(t, s->tied ? 1 : 2, s->vocab, h);
    add(t, 1, s->context, h);
    add(t, L, h, 3 * h);
    add(t, L, h, h);
    add(t, L, h, f);
    add(t, L, f, h);
    add(t, L, 3 * h + h + f + h, 1); /* the biases of the four */
    add(t, 4 * L + 2, h, 1);         /* two LayerNorms a layer, one at the end */
}

/* Llama: 2 V h + L (2 h a d + 2 h kv d + 3 h f + 2h) + h; tied heads have one V h less. Touvron et al., arXiv:2307.09288; RMSNorm,
 * SwiGLU, grouped queries, no biases. */
static void add_llama(struct tensors *t, const struct account_shape *s) {
    uint64_t h = s->hidden, L = s->layers, f = s->ffn;
    uint64_t q = (uint64_t)s->heads * s->head_size, kv = (uint64_t)s->kv_heads * s->head_size;
    add(t, s->tied ? 1 : 2, s->vocab, h);
    add(t, L, h, q);
    add(t, 2 * L, h, kv);
    add(t, L, q, h);
    add(t, 3 * L, h, f);
    add(t, 2 * L + 1, h, 1);
}

/* Qwen2: Llama's, and biases on query, key and value (Qwen2.5, arXiv:2412.15115, section 2). */
static void add_qwen(struct tensors *t, const struct account_shape *s) {
    add_llama(t, s);
    add(t, s->layers, (uint64_t)(s->heads + 2 * s->kv_heads) * s->head_size, 1);
}

static void (*const families[])(struct tensors *, const struct account_shape *) = {
    NULL, add_gpt, add_llama, add_qwen};

static bool tensors_of(const struct account_shape *s, struct tensors *out) {
    out->count = 0;
    if (s->family == 0 || s->family >= sizeof families / sizeof *families) return false;
    families[s->family](out, s);
    return true;
}

uint64_t account_count_params(const struct account_shape *s) {
    struct tensors t;
    uint64_t sum = 0;
    if (!tensors_of(s, &t)) return 0;
    for (size_t i = 0; i < t.count; i++)
        sum += t.tensor[i].copies * t.tensor[i].rows * t.tensor[i].columns;
    return sum;
}

uint64_t account_factored_elements(const struct account_shape *s) {
    struct tensors t;
    uint64_t sum = 0;
    if (!tensors_of(s, &t)) return 0;
    for (size_t i = 0; i < t.count; i++) {
        const struct tensor *m = &t.tensor[i];
        sum += m->copies * (m->columns > 1 ? m->rows + m->columns : m->rows);
    }
    return sum;
}
