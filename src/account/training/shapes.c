/* The families, as rows of traits. A family is here only if its count comes out exactly as the
 * published weights have it. */
#include "account/numbers/text.h"
#include "account/training/shapes.h"

/* A row of the table; not braces, which clang-format 14 cannot align where rows differ in
 * length. */
#define FAMILY(...)                                                                                \
    { __VA_ARGS__ }

static const struct account_family families[ACCOUNT_FAMILIES] = {
    [ACCOUNT_FAMILY_NONE] =
        FAMILY(.name = "none", .what = "a bare count of parameters", .source = ""),
    [ACCOUNT_FAMILY_GPT] =
        FAMILY(.name = "gpt",
               .what = "GPT-2, GPT-3, Megatron's GPT: biases, LayerNorm, learned positions",
               .source = "Radford et al. 2019; openai/gpt-2, src/model.py", .fused_qkv = true,
               .norm_bias = true, .qkv_bias = true, .out_bias = true, .mlp_bias = true,
               .learned_positions = true, .norms = 2),
    [ACCOUNT_FAMILY_LLAMA] =
        FAMILY(.name = "llama",
               .what = "Llama, Mistral: RMSNorm, SwiGLU, grouped queries, no biases",
               .source = "Touvron et al., arXiv:2307.09288, section 2.2; huggingface/transformers, "
                         "modeling_llama.py",
               .gated = true, .norms = 2),
    [ACCOUNT_FAMILY_QWEN] = FAMILY(
            .name = "qwen", .what = "Qwen2, Qwen2.5: Llama's, with biases on query, key and value",
            .source =
                "Qwen2.5, arXiv:2412.15115, section 2; huggingface/transformers, modeling_qwen2.py",
            .gated = true, .qkv_bias = true, .norms = 2),
    [ACCOUNT_FAMILY_QWEN3] = FAMILY(
            .name = "qwen3", .what = "Qwen3: Llama's, with norms on query and key",
            .source =
                "Qwen3, arXiv:2505.09388, section 2; huggingface/transformers, modeling_qwen3.py",
            .gated = true, .norms = 2, .qk_norm = ACCOUNT_NORM_HEAD),
    [ACCOUNT_FAMILY_NEOX] =
        FAMILY(.name = "neox", .what = "GPT-NeoX, Pythia: GPT's, rotary, the head untied",
               .source = "Black et al., arXiv:2204.06745, section 2; huggingface/transformers, "
                         "modeling_gpt_neox.py",
               .fused_qkv = true, .norm_bias = true, .qkv_bias = true, .out_bias = true,
               .mlp_bias = true, .norms = 2),
    [ACCOUNT_FAMILY_OPT] =
        FAMILY(.name = "opt", .what = "OPT: GPT's, with two rows of positions more",
               .source = "Zhang et al., arXiv:2205.01068, section 2; huggingface/transformers, "
                         "modeling_opt.py",
               .norm_bias = true, .qkv_bias = true, .out_bias = true, .mlp_bias = true,
               .learned_positions = true, .extra_positions = 2, .norms = 2),
    [ACCOUNT_FAMILY_MIXTRAL] =
        FAMILY(.name = "mixtral", .what = "Mixtral: Llama's, with a router and experts for the MLP",
               .source = "Jiang et al., arXiv:2401.04088, section 2; huggingface/transformers, "
                         "modeling_mixtral.py",
               .gated = true, .norms = 2),
    [ACCOUNT_FAMILY_GEMMA] = FAMILY(
            .name = "gemma", .what = "Gemma: GeGLU, the head tied to a large embedding",
            .source =
                "Gemma, arXiv:2403.08295, section 2; huggingface/transformers, modeling_gemma.py",
            .gated = true, .norms = 2),
    [ACCOUNT_FAMILY_GEMMA2] =
        FAMILY(.name = "gemma2", .what = "Gemma 2: Gemma's, with norms before and after each half",
               .source = "Gemma 2, arXiv:2408.00118, section 2; huggingface/transformers, "
                         "modeling_gemma2.py",
               .gated = true, .norms = 4),
    [ACCOUNT_FAMILY_GEMMA3] =
        FAMILY(.name = "gemma3", .what = "Gemma 3, text: Gemma 2's, with norms on query and key",
               .source = "Gemma 3, arXiv:2503.19786, section 2; huggingface/transformers, "
                         "modeling_gemma3.py",
               .gated = true, .norms = 4, .qk_norm = ACCOUNT_NORM_HEAD),
    [ACCOUNT_FAMILY_PHI] =
        FAMILY(.name = "phi",
               .what = "Phi-1, Phi-1.5, Phi-2: one LayerNorm per block, biases, the head's too",
               .source = "Li et al., arXiv:2309.05463; huggingface/transformers, modeling_phi.py",
               .norm_bias = true, .qkv_bias = true, .out_bias = true, .mlp_bias = true,
               .head_bias = true, .norms = 1),
    [ACCOUNT_FAMILY_PHI3] =
        FAMILY(.name = "phi3", .what = "Phi-3, Phi-4: Llama's, with fused projections",
               .source = "Abdin et al., arXiv:2404.14219, section 2; huggingface/transformers, "
                         "modeling_phi3.py",
               .gated = true, .fused_qkv = true, .fused_gate = true, .norms = 2),
    [ACCOUNT_FAMILY_FALCON] = FAMILY(
            .name = "falcon", .what = "Falcon 7B: one LayerNorm per block, no biases",
            .source =
                "Almazrouei et al., arXiv:2311.16867; huggingface/transformers, modeling_falcon.py",
            .fused_qkv = true, .norm_bias = true, .norms = 1),
    [ACCOUNT_FAMILY_FALCON2] = FAMILY(
            .name = "falcon2", .what = "Falcon 40B: Falcon's, with two LayerNorms per block",
            .source =
                "Almazrouei et al., arXiv:2311.16867; huggingface/transformers, modeling_falcon.py",
            .fused_qkv = true, .norm_bias = true, .norms = 2),
    [ACCOUNT_FAMILY_BLOOM] =
        FAMILY(.name = "bloom",
               .what = "BLOOM: GPT's, with no positions and a norm on the embedding",
               .source = "BigScience, arXiv:2211.05100, section 3.2; huggingface/transformers, "
                         "modeling_bloom.py",
               .fused_qkv = true, .norm_bias = true, .embedding_norm = true, .qkv_bias = true,
               .out_bias = true, .mlp_bias = true, .norms = 2),
    [ACCOUNT_FAMILY_OLMO] =
        FAMILY(.name = "olmo", .what = "OLMo: Llama's, with norms that have no weights",
               .source = "Groeneveld et al., arXiv:2402.00838, section 2.1; "
                         "huggingface/transformers, modeling_olmo.py",
               .gated = true, .bare_norms = true, .norms = 2),
    [ACCOUNT_FAMILY_OLMO2] =
        FAMILY(.name = "olmo2",
               .what = "OLMo 2, OLMoE: Llama's, with norms over the whole query and key",
               .source = "OLMo 2, arXiv:2501.00656, section 2; huggingface/transformers, "
                         "modeling_olmo2.py, modeling_olmoe.py",
               .gated = true, .norms = 2, .qk_norm = ACCOUNT_NORM_WHOLE),
    [ACCOUNT_FAMILY_STARCODER2] =
        FAMILY(.name = "starcoder2", .what = "StarCoder2: GPT's, rotary, grouped queries",
               .source = "Lozhkov et al., arXiv:2402.19173; huggingface/transformers, "
                         "modeling_starcoder2.py",
               .norm_bias = true, .qkv_bias = true, .out_bias = true, .mlp_bias = true, .norms = 2),
};

const struct account_family *account_family_of(const struct account_shape *s) {
    return &families[s->family < ACCOUNT_FAMILIES ? s->family : ACCOUNT_FAMILY_NONE];
}

const char *account_family_name(const struct account_shape *s) {
    return account_family_of(s)->name;
}

bool account_family_find(const char *name, uint8_t *out) {
    for (unsigned i = ACCOUNT_FAMILY_NONE + 1; i < ACCOUNT_FAMILIES; i++)
        if (account_same(families[i].name, name)) {
            *out = (uint8_t)i;
            return true;
        }
    return false;
}

/* ── the tensors of a shape, from its family's traits ───────────────────────────────────────────*/

struct list {
    size_t count;
    struct account_tensor *tensor;
};

enum kind {
    /* the same on every rank of a tensor-parallel group */
    WHOLE = 0,
    SPLIT = 1,
    LINEAR = 2,
    EXPERT = 4,
    QUERIES = 8
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
                                                    .linear = kind & LINEAR,
                                                    .queries = kind & QUERIES};
}

static void add_norm(struct list *l, const struct account_family *f, enum account_place place,
                     uint64_t hidden, uint32_t copies) {
    if (f->bare_norms) return;
    add(l, place, "norm", hidden, 1, copies, WHOLE);
    if (f->norm_bias) add(l, place, "norm bias", hidden, 1, copies, WHOLE);
}

/* Megatron-LM divides the word embedding by its vocabulary; every rank has the whole position table
 * (language_model_embedding.py). */
static void add_embedding(struct list *l, const struct account_family *f,
                          const struct account_shape *s) {
    add(l, ACCOUNT_IN_EMBEDDING, "embedding", s->vocab, s->hidden, 1, SPLIT);
    if (f->learned_positions)
        add(l, ACCOUNT_IN_EMBEDDING, "positions", (uint64_t)s->context + f->extra_positions,
            s->hidden, 1, WHOLE);
    if (f->embedding_norm) add_norm(l, f, ACCOUNT_IN_EMBEDDING, s->hidden, 1);
}

/* A linear layer whose outputs, and so its bias, are divided by tensor parallelism; Shoeybi et al.,
 * arXiv:1909.08053, section 3. */
static void add_columns(struct list *l, const char *name, const char *bias_name, uint64_t out,
                        uint64_t in, uint32_t copies, unsigned kind, bool bias) {
    add(l, ACCOUNT_IN_BLOCK, name, out, in, copies, SPLIT | LINEAR | kind);
    if (bias) add(l, ACCOUNT_IN_BLOCK, bias_name, out, 1, copies, SPLIT | (kind & EXPERT));
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
        add_columns(l, "query, key and value", "query, key and value bias", q + 2 * kv, h, 1,
                    QUERIES, bias);
    } else {
        add_columns(l, "query", "query bias", q, h, 1, QUERIES, bias);
        add_columns(l, "key", "key bias", kv, h, 1, 0, bias);
        add_columns(l, "value", "value bias", kv, h, 1, QUERIES, bias);
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

/* ── sums ──────────────────────────────────────────────────────────────────────────────────────*/

static uint64_t units(const struct account_shape *s, enum account_place place) {
    return place == ACCOUNT_IN_BLOCK ? s->layers : 1;
}

/* The widest shape that the fields can hold has less than 2^32 · 2^32 · 2^32 in a tensor, so 128
 * bits hold the sum. */
static uint64_t clamped(account_sum sum) {
    return sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
}

static account_sum elements(const struct account_tensor *x) {
    return (account_sum)x->rows * x->columns * x->copies;
}

uint64_t account_count_params(const struct account_shape *s) {
    struct account_tensor tensor[ACCOUNT_TENSORS];
    return account_count_tensors(s, tensor, account_tensors(s, tensor));
}

uint64_t account_count_tensors(const struct account_shape *s, const struct account_tensor *tensor,
                               size_t count) {
    account_sum sum = 0;
    for (size_t i = 0; i < count; i++) {
        account_sum one = elements(&tensor[i]);
        if (one > UINT64_MAX) return UINT64_MAX;
        sum += one * units(s, tensor[i].place);
    }
    return clamped(sum);
}

uint64_t account_place_params(const struct account_shape *s, enum account_place place) {
    struct account_tensor tensor[ACCOUNT_TENSORS];
    size_t count = account_tensors(s, tensor);
    account_sum sum = 0;
    for (size_t i = 0; i < count; i++)
        if (tensor[i].place == place) sum += elements(&tensor[i]);
    return clamped(sum);
}

uint64_t account_factored_elements(const struct account_shape *s) {
    struct account_tensor tensor[ACCOUNT_TENSORS];
    size_t count = account_tensors(s, tensor);
    account_sum sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct account_tensor *x = &tensor[i];
        uint64_t kept = x->columns > 1 ? x->rows + x->columns : x->rows;
        sum += (account_sum)kept * x->copies * units(s, x->place);
    }
    return clamped(sum);
}

/* Hu et al., arXiv:2106.09685, section 4.1: B A beside W, of r (in + out). Unless told otherwise
 * huggingface/peft adapts q_proj and v_proj, and where query, key and value are one projection,
 * that (utils/constants.py: c_attn, query_key_value). target_modules="all-linear" is every linear
 * layer but the output embedding (tuners/tuners_utils.py, _maybe_include_all_linear_layers): the
 * router too, and each expert's matrices, where the model's code has them as layers of their own.
 */
static uint64_t adapters(const struct account_shape *s, uint32_t rank, uint8_t on, bool met) {
    struct account_tensor tensor[ACCOUNT_TENSORS];
    size_t count = account_tensors(s, tensor);
    account_sum sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct account_tensor *x = &tensor[i];
        bool adapted = on == ACCOUNT_ON_ALL_LINEAR ? x->linear : x->queries;
        uint32_t copies = met && x->expert ? s->experts_active : x->copies;
        if (adapted) sum += ((account_sum)x->rows + x->columns) * copies;
    }
    return sum > UINT64_MAX ? UINT64_MAX : clamped(sum * rank * s->layers);
}

uint64_t account_adapter_params(const struct account_shape *s, uint32_t rank, uint8_t on) {
    return adapters(s, rank, on, false);
}

uint64_t account_adapter_params_met(const struct account_shape *s, uint32_t rank, uint8_t on) {
    return adapters(s, rank, on, true);
}
