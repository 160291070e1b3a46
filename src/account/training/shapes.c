/* The tensors of a shape, from its family's traits, and what can be counted along them. */
#include "account/training/shapes.h"

struct list {
    size_t count;
    struct account_tensor *tensor;
};

enum kind {
    WHOLE = 0, /* the same on every rank of a tensor-parallel group */
    SPLIT = 1,
    LINEAR = 2,
    EXPERT = 4
};

static void add(struct list *l, enum account_place place, const char *name, uint64_t rows,
                uint64_t columns, uint32_t copies, unsigned kind) {
    if (rows == 0 || columns == 0 || copies == 0) return;
    l->tensor[l->count++] = (struct account_tensor){.name = name,
                                                    .place = place,
                                                    .rows = rows,
                                                    .columns = columns,
                                                    .copies = copies,
                                                    .split = kind & SPLIT,
                                                    .expert = kind & EXPERT,
                                                    .linear = kind & LINEAR};
}

static void add_norm(struct list *l, const struct account_family *f, enum account_place place,
                     uint64_t hidden, uint32_t copies) {
    if (f->bare_norms) return;
    add(l, place, "norm", hidden, 1, copies, WHOLE);
    if (f->norm_bias) add(l, place, "norm bias", hidden, 1, copies, WHOLE);
}

/* Megatron-LM divides the word embedding by its vocabulary; every rank has the whole position table (language_model_embedding.py). */
static void add_embedding(struct list *l, const struct account_family *f,
                          const struct account_shape *s) {
    add(l, ACCOUNT_IN_EMBEDDING, "embedding", s->vocab, s->hidden, 1, SPLIT);
    if (f->learned_positions)
        add(l, ACCOUNT_IN_EMBEDDING, "positions", (uint64_t)s->context + f->extra_positions,
            s->hidden, 1, WHOLE);
    if (f->embedding_norm) add_norm(l, f, ACCOUNT_IN_EMBEDDING, s->hidden, 1);
}

/* A linear layer whose outputs, and so its bias, are divided by tensor parallelism; Shoeybi et al., arXiv:1909.08053, section 3. */
static void add_columns(struct list *l, const char *name, const char *bias_name, uint64_t out,
                        uint64_t in, uint32_t copies, unsigned kind, bool bias) {
    add(l, ACCOUNT_IN_BLOCK, name, out, in, copies, SPLIT | LINEAR | kind);
    if (bias) add(l, ACCOUNT_IN_BLOCK, bias_name, out, 1, copies, SPLIT | kind);
}

/* One whose inputs are divided: each rank adds the whole bias after the sum. */
static void add_rows(struct list *l, const char *name, const char *bias_name, uint64_t out,
                     uint64_t in, uint32_t copies, unsigned kind, bool bias) {
    add(l, ACCOUNT_IN_BLOCK, name, out, in, copies, SPLIT | LINEAR | kind);
    if (bias) add(l, ACCOUNT_IN_BLOCK, bias_name, out, 1, copies, kind);
}

static void add_qk_norm(struct list *l, const struct account_family *f,
                        const struct account_shape *s) {
    if (f->qk_norm == ACCOUNT_NO_QK_NORM) return;
    bool whole = f->qk_norm == ACCOUNT_NORM_WHOLE;
    uint64_t d = s->head_size;
    add(l, ACCOUNT_IN_BLOCK, "query norm", whole ? d * s->heads : d, 1, 1, WHOLE);
    add(l, ACCOUNT_IN_BLOCK, "key norm", whole ? d * s->kv_heads : d, 1, 1, WHOLE);
}

static void add_attention(struct list *l, const struct account_family *f,
                          const struct account_shape *s) {
    uint64_t h = s->hidden, q = (uint64_t)s->heads * s->head_size,
             kv = (uint64_t)s->kv_heads * s->head_size;
    bool bias = f->qkv_bias;
    if (f->fused_qkv) {
        add_columns(l, "query, key and value", "query, key and value bias", q + 2 * kv, h, 1, 0,
                    bias);
    } else {
        add_columns(l, "query", "query bias", q, h, 1, 0, bias);
        add_columns(l, "key", "key bias", kv, h, 1, 0, bias);
        add_columns(l, "value", "value bias", kv, h, 1, 0, bias);
    }
    add_qk_norm(l, f, s);
    add_rows(l, "output", "output bias", h, q, 1, 0, f->out_bias);
}

static void add_mlp(struct list *l, const struct account_family *f, const struct account_shape *s) {
    uint64_t h = s->hidden, width = s->experts ? s->expert_ffn : s->ffn;
    uint32_t copies = s->experts ? s->experts : 1;
    unsigned kind = s->experts ? EXPERT : WHOLE;
    if (s->experts) add(l, ACCOUNT_IN_BLOCK, "router", s->experts, h, 1, LINEAR);
    if (f->fused_gate) {
        add_columns(l, "gate and up", "gate and up bias", 2 * width, h, copies, kind, f->mlp_bias);
    } else {
        if (f->gated) add_columns(l, "gate", "gate bias", width, h, copies, kind, f->mlp_bias);
        add_columns(l, "up", "up bias", width, h, copies, kind, f->mlp_bias);
    }
    add_rows(l, "down", "down bias", h, width, copies, kind, f->mlp_bias);
}

static void add_head(struct list *l, const struct account_family *f,
                     const struct account_shape *s) {
    if (!s->tied) add(l, ACCOUNT_IN_HEAD, "head", s->vocab, s->hidden, 1, SPLIT);
    if (f->head_bias) add(l, ACCOUNT_IN_HEAD, "head bias", s->vocab, 1, 1, SPLIT);
}

size_t account_tensors(const struct account_shape *s, struct account_tensor *out) {
    struct list l = {.tensor = out};
    const struct account_family *f = account_family_of(s);
    if (s->family == ACCOUNT_FAMILY_NONE || s->family >= ACCOUNT_FAMILIES) return 0;
    add_embedding(&l, f, s);
    add_norm(&l, f, ACCOUNT_IN_BLOCK, s->hidden, f->norms);
    add_attention(&l, f, s);
    add_mlp(&l, f, s);
    add_norm(&l, f, ACCOUNT_IN_NORM, s->hidden, 1);
    add_head(&l, f, s);
    return l.count;
}

/* ── sums ────────────────────────────────────────────────────────────────────────────────────────*/
__extension__ typedef unsigned __int128 wide;

static uint64_t units(const struct account_shape *s, enum account_place place) {
    return place == ACCOUNT_IN_BLOCK ? s->layers : 1;
}

/* The widest shape that the fields can hold has less than 2^32 · 2^32 · 2^32 in a tensor, so 128 bits hold the sum. */
static uint64_t clamped(wide sum) {
    return sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
}

static wide elements(const struct account_tensor *x) {
    return (wide)x->rows * x->columns * x->copies;
}

uint64_t account_count_params(const struct account_shape *s) {
    struct account_tensor tensor[ACCOUNT_TENSORS];
    size_t count = account_tensors(s, tensor);
    wide sum = 0;
    for (size_t i = 0; i < count; i++) {
        wide one = elements(&tensor[i]);
        if (one > UINT64_MAX) return UINT64_MAX;
        sum += one * units(s, tensor[i].place);
    }
    return clamped(sum);
}

uint64_t account_place_params(const struct account_shape *s, enum account_place place) {
    struct account_tensor tensor[ACCOUNT_TENSORS];
    size_t count = account_tensors(s, tensor);
    wide sum = 0;
    for (size_t i = 0; i < count; i++)
        if (tensor[i].place == place) sum += elements(&tensor[i]);
    return clamped(sum);
}

uint64_t account_factored_elements(const struct account_shape *s) {
    struct account_tensor tensor[ACCOUNT_TENSORS];
    size_t count = account_tensors(s, tensor);
    wide sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct account_tensor *x = &tensor[i];
        uint64_t kept = x->columns > 1 ? x->rows + x->columns : x->rows;
        sum += (wide)kept * x->copies * units(s, x->place);
    }
    return clamped(sum);
}

/* Hu et al., arXiv:2106.09685, section 4.1: B A beside W, of r (in + out); huggingface/peft adapts q_proj and v_proj unless told
 * otherwise, and where query, key and value are one projection, that (utils/constants.py: c_attn, query_key_value). With grouped queries key and
 * value are narrower than the query; without, both come to 4h. */
uint64_t account_adapter_params(const struct account_shape *s, uint32_t rank) {
    uint64_t h = s->hidden, q = (uint64_t)s->heads * s->head_size,
             kv = (uint64_t)s->kv_heads * s->head_size;
    uint64_t sides = account_family_of(s)->fused_qkv ? h + (q + 2 * kv) : (h + q) + (h + kv);
    return clamped((wide)rank * sides * s->layers);
}
