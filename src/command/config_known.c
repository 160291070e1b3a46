/* The architectures whose weights can be counted exactly, as rows. Defaults are those of huggingface/transformers,
 * models/…/configuration_….py: a config.json leaves out what its class takes anyway. */
#include "command/config_inside.h"

#include <string.h>

/* A row of the table; not braces, which clang-format 14 cannot align where rows differ in length. */
#define ROW(...)                                                                                   \
    { __VA_ARGS__ }

#define NO_ATTENTION_BIAS ROW("attention_bias", false, false)
#define NO_MLP_BIAS       ROW("mlp_bias", false, false)

/* OPT-350M projects its embeddings from another width. */
static bool finish_opt(struct config *c) {
    static const struct config_number width = {{"word_embed_proj_dim"}, UINT32_MAX};
    uint32_t projected;
    if (!command_config_take_or(c, &width, c->shape.hidden, &projected)) return false;
    if (projected == c->shape.hidden) return true;
    return base_fail_at(
        c->message, c->file, 0,
        "\"word_embed_proj_dim\" is %u, another width than \"hidden_size\" %u: such "
        "projections are not counted",
        projected, c->shape.hidden);
}

/* One norm a block where attention and MLP run side by side, two in the newer kind (modeling_falcon.py, FalconDecoderLayer). */
static bool take_norms(const struct config *c, bool new, bool *two) {
    static const struct config_number norms = {{"num_ln_in_parallel_attn"}, 2};
    uint32_t count;
    bool parallel;
    if (!command_config_take_or(c, &norms, new ? 2 : 1, &count) ||
        !command_config_take_switch(c, "parallel_attn", true, &parallel))
        return false;
    *two = count == 2 || (!new && !parallel);
    return true;
}

/* One key and value for all heads, or each its own; the newer kind says how many. */
static bool finish_falcon(struct config *c) {
    static const struct config_number kv = {
        {"num_kv_heads", "n_head_kv"},
        65536
    };
    bool new, multi_query, two;
    if (!command_config_take_switch(c, "new_decoder_architecture", false, &new) ||
        !command_config_take_switch(c, "multi_query", true, &multi_query) ||
        !take_norms(c, new, &two))
        return false;
    c->shape.kv_heads = multi_query ? 1 : c->shape.heads;
    if (new && !command_config_take_or(c, &kv, c->shape.heads, &c->shape.kv_heads)) return false;
    return account_family_find(two ? "falcon2" : "falcon", &c->shape.family);
}

/* Every layer has experts, or the count is another. */
static bool finish_sparse(struct config *c) {
    static const struct config_number step = {{"decoder_sparse_step"}, UINT32_MAX};
    const json_t *dense = command_config_member(c, "mlp_only_layers");
    uint32_t every;
    if (!command_config_take_or(c, &step, 1, &every)) return false;
    if (every == 1 && json_array_size(dense) == 0) return true;
    return base_fail_at(c->message, c->file, 0,
                        "\"%s\": layers without experts among layers with them are not counted",
                        every == 1 ? "mlp_only_layers" : "decoder_sparse_step");
}

static bool finish_starcoder2(struct config *c) {
    static const struct {
        const char *key, *needed;
    } texts[] = {
        {"norm_type", "layer_norm"},
        {"mlp_type",  "default"   }
    };
    for (size_t i = 0; i < BASE_COUNT(texts); i++) {
        const char *said = base_json_text(c->json, texts[i].key, texts[i].needed);
        if (strcmp(said, texts[i].needed) != 0)
            return base_fail_at(c->message, c->file, 0,
                                "\"%s\" is \"%.40s\": only \"%s\" is counted", texts[i].key, said,
                                texts[i].needed);
    }
    return true;
}

const struct config_architecture command_config_architectures[] = {
    ROW(.type = "gpt2", .class = "GPT2LMHeadModel", .family = "gpt", .tied = true, .wide = true,
        .positions = true, .of = {ROW("add_cross_attention", false, false)}),
    ROW(.type = "llama", .class = "LlamaForCausalLM", .family = "llama",
        .of = {NO_ATTENTION_BIAS, NO_MLP_BIAS}),
    ROW(.type = "mistral", .class = "MistralForCausalLM", .family = "llama", .says_kv_heads = true),
    ROW(.type = "mixtral", .class = "MixtralForCausalLM", .family = "mixtral",
        .says_kv_heads = true, .expert_ffn = "intermediate_size"),
    ROW(.type = "qwen2", .class = "Qwen2ForCausalLM", .family = "qwen", .says_kv_heads = true),
    ROW(.type = "qwen3", .class = "Qwen3ForCausalLM", .family = "qwen3", .says_kv_heads = true,
        .says_head_size = true, .of = {NO_ATTENTION_BIAS}),
    ROW(.type = "qwen3_moe", .class = "Qwen3MoeForCausalLM", .family = "qwen3",
        .says_kv_heads = true, .says_head_size = true, .expert_ffn = "moe_intermediate_size",
        .of = {NO_ATTENTION_BIAS}, .finish = finish_sparse),
    ROW(.type = "gpt_neox", .class = "GPTNeoXForCausalLM", .family = "neox",
        .of = {ROW("attention_bias", true, true)}),
    ROW(.type = "opt", .class = "OPTForCausalLM", .family = "opt", .tied = true, .positions = true,
        .of = {ROW("enable_bias", true, true), ROW("do_layer_norm_before", true, true),
               ROW("layer_norm_elementwise_affine", true, true),
               ROW("_remove_final_layer_norm", false, false)},
        .finish = finish_opt),
    ROW(.type = "gemma", .class = "GemmaForCausalLM", .family = "gemma", .tied = true,
        .says_kv_heads = true, .says_head_size = true, .of = {NO_ATTENTION_BIAS}),
    ROW(.type = "gemma2", .class = "Gemma2ForCausalLM", .family = "gemma2", .tied = true,
        .says_kv_heads = true, .says_head_size = true, .of = {NO_ATTENTION_BIAS}),
    ROW(.type = "gemma3_text", .class = "Gemma3ForCausalLM", .family = "gemma3", .tied = true,
        .says_kv_heads = true, .says_head_size = true, .of = {NO_ATTENTION_BIAS}),
    ROW(.type = "phi", .class = "PhiForCausalLM", .family = "phi",
        .of = {ROW("qk_layernorm", false, false)}),
    ROW(.type = "phi3", .class = "Phi3ForCausalLM", .family = "phi3"),
    ROW(.type = "falcon", .class = "FalconForCausalLM", .family = "falcon", .tied = true,
        .wide = true, .of = {ROW("bias", false, false)}, .finish = finish_falcon),
    ROW(.type = "bloom", .class = "BloomForCausalLM", .family = "bloom", .tied = true,
        .wide = true),
    ROW(.type = "olmo", .class = "OlmoForCausalLM", .family = "olmo", .of = {NO_ATTENTION_BIAS}),
    ROW(.type = "olmo2", .class = "Olmo2ForCausalLM", .family = "olmo2", .of = {NO_ATTENTION_BIAS}),
    ROW(.type = "olmoe", .class = "OlmoeForCausalLM", .family = "olmo2",
        .expert_ffn = "intermediate_size", .of = {NO_ATTENTION_BIAS}),
    ROW(.type = "starcoder2", .class = "Starcoder2ForCausalLM", .family = "starcoder2",
        .tied = true, .says_kv_heads = true, .of = {ROW("use_bias", true, true)},
        .finish = finish_starcoder2),
    ROW(.type = "granite", .class = "GraniteForCausalLM", .family = "llama",
        .of = {NO_ATTENTION_BIAS, NO_MLP_BIAS}),
};
const size_t command_config_architecture_count = BASE_COUNT(command_config_architectures);
