/* The families, as rows of traits. A family is here only if its count comes out exactly as the published weights have it. */
#include "account/training/shapes.h"
#include "account/numbers/text.h"

/* A row of the table; not braces, which clang-format 14 cannot align where rows differ in length. */
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
               .what = "Phi-1, Phi-1.5, Phi-2: one LayerNorm a block, biases, the head's too",
               .source = "Li et al., arXiv:2309.05463; huggingface/transformers, modeling_phi.py",
               .norm_bias = true, .qkv_bias = true, .out_bias = true, .mlp_bias = true,
               .head_bias = true, .norms = 1),
    [ACCOUNT_FAMILY_PHI3] =
        FAMILY(.name = "phi3", .what = "Phi-3, Phi-4: Llama's, with fused projections",
               .source = "Abdin et al., arXiv:2404.14219, section 2; huggingface/transformers, "
                         "modeling_phi3.py",
               .gated = true, .fused_qkv = true, .fused_gate = true, .norms = 2),
    [ACCOUNT_FAMILY_FALCON] = FAMILY(
            .name = "falcon", .what = "Falcon 7B: one LayerNorm a block, no biases",
            .source =
                "Almazrouei et al., arXiv:2311.16867; huggingface/transformers, modeling_falcon.py",
            .fused_qkv = true, .norm_bias = true, .norms = 1),
    [ACCOUNT_FAMILY_FALCON2] = FAMILY(
            .name = "falcon2", .what = "Falcon 40B: Falcon's, with two LayerNorms a block",
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

const struct account_family *account_families(size_t *count) {
    *count = ACCOUNT_FAMILIES;
    return families;
}

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
