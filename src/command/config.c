/* config: what a config.json says, as a shape. Every number is named as the file names it; what is
 * wrong is said with the file, the field and what is allowed. */
#include "command/config.h"

#include <stdlib.h>
#include <string.h>

struct config;

/* A switch that changes which weights there are. */
struct config_switch {
    const char *key;
    /* the only value that is counted */
    bool needed;
    /* what the architecture takes where the file does not say */
    bool otherwise;
};
enum { CONFIG_SWITCHES = 4 };

struct config_architecture {
    /* model_type */
    const char *type;
    /* in architectures: the one with a language model's head */
    const char *class;
    /* of account_family_find() */
    const char *family;
    /* where tie_word_embeddings is not said */
    bool tied;
    /* an MLP of which nothing is said is four times as wide as the model */
    bool wide;
    /* the number of key-value heads must be in the file: without it the architecture's own number
     * holds, not that of the heads */
    bool says_kv_heads;
    bool says_head_size;
    /* has a table of positions: as long as the context, which must be said */
    bool positions;
    /* the key of an expert's width; NULL if the architecture has no experts */
    const char *expert_ffn;
    struct config_switch of[CONFIG_SWITCHES];
    /* what is this architecture's alone; NULL if nothing is */
    bool (*finish)(struct config *c);
};

/* A file while it is read. */
struct config {
    const char *file;
    const json_t *json;
    const struct config_architecture *architecture;
    struct account_shape shape;
    struct base_message *message;
};
enum { CONFIG_KEYS = 4 };
struct config_number {
    /* the first is what messages name */
    const char *key[CONFIG_KEYS];
    uint32_t most;
};

enum { FILE_MOST = 16 << 20 };

/* The most parameters that the engine takes. */
static const uint64_t most_params = 100000000000000000;

static const struct config_number
    layers = {{"num_hidden_layers", "n_layer", "num_layers"}, 10000},
    hidden = {{"hidden_size", "n_embd", "n_embed", "d_model"}, 1 << 20},
    heads = {{"num_attention_heads", "n_head"}, 65536},
    kv_heads = {{"num_key_value_heads", "num_kv_heads"}, 65536}, head_size = {{"head_dim"}, 65536},
    ffn = {{"intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size"}, 1 << 24},
    vocab = {{"vocab_size"}, 1 << 24},
    context = {{"max_position_embeddings", "n_positions", "n_ctx", "seq_length"}, 1000000000},
    experts = {{"num_local_experts", "num_experts"}, 65536},
    active = {{"num_experts_per_tok"}, 65536};

/* ── members ───────────────────────────────────────────────────────────────────────────────────*/

static const json_t *config_member(const struct config *c, const char *key) {
    const json_t *value = json_object_get(c->json, key);
    return json_is_null(value) ? NULL : value;
}

/* The first of the keys that is there, or the first of all. */
static const char *key_of(const struct config *c, const struct config_number *n) {
    for (size_t i = 0; i < CONFIG_KEYS && n->key[i]; i++)
        if (config_member(c, n->key[i])) return n->key[i];
    return n->key[0];
}

static bool config_has(const struct config *c, const struct config_number *n) {
    return config_member(c, key_of(c, n)) != NULL;
}

/* Whatever it is, short enough for a line. */
static bool refuse(const struct config *c, const char *key, const char *allowed) {
    char *said = json_dumps(json_object_get(c->json, key), JSON_ENCODE_ANY | JSON_COMPACT);
    base_fail_at(c->message, c->file, 0, "\"%s\" must be %s, not %.40s", key, allowed,
                 said ? said : "this");
    free(said);
    return false;
}

/* A whole number from 1 to the most it may be; false after the message was filled. */
static bool config_take(const struct config *c, const struct config_number *n, uint32_t *out) {
    const char *key = key_of(c, n);
    char allowed[60];
    snprintf(allowed, sizeof allowed, "a whole number from 1 to %u", n->most);
    if (!config_member(c, key))
        return base_fail_at(c->message, c->file, 0, "\"%s\" is missing: %s, for model_type \"%s\"",
                            key, allowed, c->architecture->type);
    int64_t value = base_json_int(c->json, key, -1);
    if (value < 1 || value > n->most) return refuse(c, key, allowed);
    *out = (uint32_t)value;
    return true;
}

/* The same; what is absent is `otherwise`. */
static bool config_take_or(const struct config *c, const struct config_number *n,
                           uint32_t otherwise, uint32_t *out) {
    *out = otherwise;
    return !config_has(c, n) || config_take(c, n, out);
}

/* True, false, or `otherwise` where absent; false after the message was filled. */
static bool config_take_switch(const struct config *c, const char *key, bool otherwise, bool *out) {
    const json_t *value = config_member(c, key);
    if (value && !json_is_boolean(value)) return refuse(c, key, "true or false");
    *out = value ? json_is_true(value) : otherwise;
    return true;
}

/* ── the architectures that are known ──────────────────────────────────────────────────────────*/
/* A row of the table; not braces, which clang-format 14 cannot align where rows differ in
 * length. */
#define ROW(...)                                                                                   \
    { __VA_ARGS__ }

#define NO_ATTENTION_BIAS ROW("attention_bias", false, false)
#define NO_MLP_BIAS       ROW("mlp_bias", false, false)

/* OPT-350M projects its embeddings from another width. */
static bool finish_opt(struct config *c) {
    static const struct config_number width = {{"word_embed_proj_dim"}, UINT32_MAX};
    uint32_t projected;
    if (!config_take_or(c, &width, c->shape.hidden, &projected)) return false;
    if (projected == c->shape.hidden) return true;
    return base_fail_at(c->message, c->file, 0,
                        "\"word_embed_proj_dim\" is %u and \"hidden_size\" is %u: such "
                        "projections are not counted",
                        projected, c->shape.hidden);
}

/* One norm a block where attention and MLP run side by side, two in the newer kind
 * (modeling_falcon.py, FalconDecoderLayer). */
static bool take_norms(const struct config *c, bool new, bool *two) {
    static const struct config_number norms = {{"num_ln_in_parallel_attn"}, 2};
    uint32_t count;
    bool parallel;
    if (!config_take_or(c, &norms, new ? 2 : 1, &count) ||
        !config_take_switch(c, "parallel_attn", true, &parallel))
        return false;
    *two = count == 2 || (!new && !parallel);
    return true;
}

/* One key and value for all heads, or each its own; the newer kind says how many. */
static bool finish_falcon(struct config *c) {
    static const struct config_number kv = {{"num_kv_heads", "n_head_kv"}, 65536};
    bool new, multi_query, two;
    if (!config_take_switch(c, "new_decoder_architecture", false, &new) ||
        !config_take_switch(c, "multi_query", true, &multi_query) || !take_norms(c, new, &two))
        return false;
    c->shape.kv_heads = multi_query ? 1 : c->shape.heads;
    if (new && !config_take_or(c, &kv, c->shape.heads, &c->shape.kv_heads)) return false;
    return account_family_find(two ? "falcon2" : "falcon", &c->shape.family);
}

/* Every layer has experts, or the count is another. */
static bool finish_sparse(struct config *c) {
    static const struct config_number step = {{"decoder_sparse_step"}, UINT32_MAX};
    const json_t *dense = config_member(c, "mlp_only_layers");
    uint32_t every;
    if (!config_take_or(c, &step, 1, &every)) return false;
    if (every == 1 && json_array_size(dense) == 0) return true;
    return base_fail_at(c->message, c->file, 0,
                        "\"%s\": layers without experts among layers with them are not counted",
                        every == 1 ? "mlp_only_layers" : "decoder_sparse_step");
}

static bool finish_starcoder2(struct config *c) {
    static const struct {
        const char *key, *needed;
    } texts[] = {{"norm_type", "layer_norm"}, {"mlp_type", "default"}};
    for (size_t i = 0; i < BASE_COUNT(texts); i++) {
        const char *said = base_json_text(c->json, texts[i].key, texts[i].needed);
        if (strcmp(said, texts[i].needed) != 0)
            return base_fail_at(c->message, c->file, 0,
                                "\"%s\" is \"%.40s\": only \"%s\" is counted", texts[i].key, said,
                                texts[i].needed);
    }
    return true;
}

static const struct config_architecture config_architectures[] = {
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
/* ── the architecture ──────────────────────────────────────────────────────────────────────────*/

/* The first of "architectures", or "" if the file names none. */
static const char *class_of(const struct config *c) {
    const char *first = json_string_value(json_array_get(config_member(c, "architectures"), 0));
    return first ? first : "";
}

static void refuse_unknown(const struct config *c, const char *key, const char *said) {
    struct base_text known = {0};
    for (size_t i = 0; i < BASE_COUNT(config_architectures); i++)
        base_text_printf(&known, "%s%s", i ? ", " : "", config_architectures[i].type);
    base_fail_at(c->message, c->file, 0, "%s \"%.60s\" is not known; known are %s", key, said,
                 known.s);
    base_text_free(&known);
}

/* By model_type or, in a file without one, by the class. NULL after the message was filled. */
static const struct config_architecture *find_architecture(const struct config *c) {
    const char *type = base_json_text(c->json, "model_type", ""), *class = class_of(c);
    if (!type[0] && !class[0]) {
        base_fail_at(c->message, c->file, 0,
                     "\"model_type\" is missing: is this the config.json of a model?");
        return NULL;
    }
    for (size_t i = 0; i < BASE_COUNT(config_architectures); i++) {
        const struct config_architecture *a = &config_architectures[i];
        if (strcmp(type[0] ? type : class, type[0] ? a->type : a->class) == 0) return a;
    }
    refuse_unknown(c, type[0] ? "model_type" : "architectures", type[0] ? type : class);
    return NULL;
}

/* Another class has other weights: a classifier's head, or none. */
static bool check_class(const struct config *c) {
    const char *class = class_of(c);
    if (!class[0] || strcmp(class, c->architecture->class) == 0) return true;
    return base_fail_at(
        c->message, c->file, 0,
        "\"architectures\": \"%.60s\" is not counted: for model_type \"%s\" only %s is", class,
        c->architecture->type, c->architecture->class);
}

static bool check_switches(const struct config *c) {
    for (size_t i = 0; i < CONFIG_SWITCHES && c->architecture->of[i].key; i++) {
        const struct config_switch *s = &c->architecture->of[i];
        bool value;
        if (!config_take_switch(c, s->key, s->otherwise, &value)) return false;
        if (value != s->needed)
            return base_fail_at(c->message, c->file, 0,
                                "\"%s\" is %s: for model_type \"%s\" only %s is counted", s->key,
                                value ? "true" : "false", c->architecture->type,
                                s->needed ? "true" : "false");
    }
    return true;
}

/* ── the shape ─────────────────────────────────────────────────────────────────────────────────*/

static bool take_kv_heads(struct config *c) {
    struct account_shape *s = &c->shape;
    if (!(c->architecture->says_kv_heads ? config_take(c, &kv_heads, &s->kv_heads)
                                         : config_take_or(c, &kv_heads, s->heads, &s->kv_heads)))
        return false;
    if (s->heads % s->kv_heads == 0) return true;
    return base_fail_at(c->message, c->file, 0, "\"%s\" is %u, which does not divide the %u heads",
                        key_of(c, &kv_heads), s->kv_heads, s->heads);
}

static bool take_head_size(struct config *c) {
    struct account_shape *s = &c->shape;
    if (c->architecture->says_head_size || config_has(c, &head_size))
        return config_take(c, &head_size, &s->head_size);
    s->head_size = s->hidden / s->heads;
    if (s->hidden % s->heads == 0) return true;
    return base_fail_at(c->message, c->file, 0,
                        "\"%s\" %u is not a multiple of \"%s\" %u, and \"head_dim\" is missing",
                        key_of(c, &hidden), s->hidden, key_of(c, &heads), s->heads);
}

static bool take_experts(struct config *c) {
    const struct config_number width = {{c->architecture->expert_ffn}, ffn.most};
    struct account_shape *s = &c->shape;
    if (!width.key[0]) return true;
    if (!config_take(c, &experts, &s->experts) || !config_take(c, &active, &s->experts_active) ||
        !config_take(c, &width, &s->expert_ffn))
        return false;
    if (s->experts_active <= s->experts) return true;
    return base_fail_at(c->message, c->file, 0, "\"%s\" is %u, more than the %u experts",
                        key_of(c, &active), s->experts_active, s->experts);
}

static bool take_shape(struct config *c) {
    const struct config_architecture *a = c->architecture;
    struct account_shape *s = &c->shape;
    return account_family_find(a->family, &s->family) && config_take(c, &layers, &s->layers) &&
           config_take(c, &hidden, &s->hidden) && config_take(c, &heads, &s->heads) &&
           take_kv_heads(c) && take_head_size(c) && config_take(c, &vocab, &s->vocab) &&
           (a->wide ? config_take_or(c, &ffn, 4 * s->hidden, &s->ffn)
                    : config_take(c, &ffn, &s->ffn)) &&
           (a->positions ? config_take(c, &context, &s->context)
                         : config_take_or(c, &context, 0, &s->context)) &&
           config_take_switch(c, "tie_word_embeddings", a->tied, &s->tied) && take_experts(c) &&
           (!a->finish || a->finish(c));
}

static bool read_json(struct config *c, struct account_training *t) {
    if (!json_is_object(c->json))
        return base_fail_at(c->message, c->file, 0,
                            "an object {…} is needed, as in a model's config.json");
    c->architecture = find_architecture(c);
    if (!c->architecture || !check_class(c) || !check_switches(c) || !take_shape(c)) return false;
    uint64_t params = account_count_params(&c->shape);
    if (params > most_params)
        return base_fail_at(
            c->message, c->file, 0,
            "this shape has more than 1e17 parameters, the largest that zerotutor counts");
    t->model = NULL;
    t->shape = c->shape;
    t->params = params;
    return true;
}

/* Some editors begin a file with a mark of UTF-8; jansson does not know it. */
static json_t *read_file(const char *file, struct base_message *m) {
    static const char mark[] = "\xef\xbb\xbf";
    struct base_message why = {0};
    size_t length, skip;
    char *text = base_file_read(file, FILE_MOST, &length, m);
    if (!text) return NULL;
    skip = strncmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
    json_t *json = base_json_read(text + skip, length - skip, file, &why);
    if (!json)
        base_fail_at(m, file, why.line,
                     "%s: a whole config.json is needed, one object {…} as it comes with a model",
                     why.what);
    free(text);
    return json;
}

bool command_config_read(const char *file, struct account_training *t, struct base_message *m) {
    json_t *json = read_file(file, m);
    if (!json) return false;
    struct config c = {.file = file, .json = json, .message = m};
    bool read = read_json(&c, t);
    json_decref(json);
    return read;
}
