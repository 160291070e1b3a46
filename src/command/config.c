/* config: what a config.json says, as a shape. Every number is named as the file names it; what is wrong is said with the file, the
 * field and what is allowed. */
#include "command/config_inside.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 16 << 20 };

/* The most parameters that the engine takes. */
static const uint64_t most_params = 100000000000000000;

static const struct config_number
    layers =
        {
            {"num_hidden_layers", "n_layer", "num_layers"},
            10000
},
    hidden = {{"hidden_size", "n_embd", "n_embed", "d_model"}, 1 << 20},
    heads = {{"num_attention_heads", "n_head"}, 65536},
    kv_heads = {{"num_key_value_heads", "num_kv_heads"}, 65536}, head_size = {{"head_dim"}, 65536},
    ffn = {{"intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size"}, 1 << 24},
    vocab = {{"vocab_size"}, 1 << 24},
    context = {{"max_position_embeddings", "n_positions", "n_ctx", "seq_length"}, 1000000000},
    experts = {{"num_local_experts", "num_experts"}, 65536},
    active = {{"num_experts_per_tok"}, 65536};

/* ── members ─────────────────────────────────────────────────────────────────────────────────────*/

const json_t *command_config_member(const struct config *c, const char *key) {
    const json_t *value = json_object_get(c->json, key);
    return json_is_null(value) ? NULL : value;
}

/* The first of the keys that is there, or the first of all. */
static const char *key_of(const struct config *c, const struct config_number *n) {
    for (size_t i = 0; i < CONFIG_KEYS && n->key[i]; i++)
        if (command_config_member(c, n->key[i])) return n->key[i];
    return n->key[0];
}

bool command_config_has(const struct config *c, const struct config_number *n) {
    return command_config_member(c, key_of(c, n)) != NULL;
}

/* Whatever it is, short enough for a line. */
static bool refuse(const struct config *c, const char *key, const char *allowed) {
    char *said = json_dumps(json_object_get(c->json, key), JSON_ENCODE_ANY | JSON_COMPACT);
    base_fail_at(c->message, c->file, 0, "\"%s\" must be %s, not %.40s", key, allowed,
                 said ? said : "this");
    free(said);
    return false;
}

bool command_config_take(const struct config *c, const struct config_number *n, uint32_t *out) {
    const char *key = key_of(c, n);
    char allowed[60];
    snprintf(allowed, sizeof allowed, "a whole number from 1 to %u", n->most);
    if (!command_config_member(c, key))
        return base_fail_at(c->message, c->file, 0, "\"%s\" is missing: %s, for model_type \"%s\"",
                            key, allowed, c->architecture->type);
    int64_t value = base_json_int(c->json, key, -1);
    if (value < 1 || value > n->most) return refuse(c, key, allowed);
    *out = (uint32_t)value;
    return true;
}

bool command_config_take_or(const struct config *c, const struct config_number *n,
                            uint32_t otherwise, uint32_t *out) {
    *out = otherwise;
    return !command_config_has(c, n) || command_config_take(c, n, out);
}

bool command_config_take_switch(const struct config *c, const char *key, bool otherwise,
                                bool *out) {
    const json_t *value = command_config_member(c, key);
    if (value && !json_is_boolean(value)) return refuse(c, key, "true or false");
    *out = value ? json_is_true(value) : otherwise;
    return true;
}

/* ── the architecture ────────────────────────────────────────────────────────────────────────────*/

/* The first of "architectures", or "" if the file names none. */
static const char *class_of(const struct config *c) {
    const char *first =
        json_string_value(json_array_get(command_config_member(c, "architectures"), 0));
    return first ? first : "";
}

static void refuse_unknown(const struct config *c, const char *key, const char *said) {
    struct base_text known = {0};
    for (size_t i = 0; i < command_config_architecture_count; i++)
        base_text_printf(&known, "%s%s", i ? ", " : "", command_config_architectures[i].type);
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
    for (size_t i = 0; i < command_config_architecture_count; i++) {
        const struct config_architecture *a = &command_config_architectures[i];
        if (strcmp(type[0] ? type : class, type[0] ? a->type : a->class) == 0) return a;
    }
    refuse_unknown(c, type[0] ? "model_type" : "architectures", type[0] ? type : class);
    return NULL;
}

/* Another class has other weights: a classifier's head, or none. */
static bool check_class(const struct config *c) {
    const char *class = class_of(c);
    if (!class[0] || strcmp(class, c->architecture->class) == 0) return true;
    return base_fail_at(c->message, c->file, 0,
                        "\"architectures\": \"%.60s\" is not counted; of model_type \"%s\", %s is",
                        class, c->architecture->type, c->architecture->class);
}

static bool check_switches(const struct config *c) {
    for (size_t i = 0; i < CONFIG_SWITCHES && c->architecture->of[i].key; i++) {
        const struct config_switch *s = &c->architecture->of[i];
        bool value;
        if (!command_config_take_switch(c, s->key, s->otherwise, &value)) return false;
        if (value != s->needed)
            return base_fail_at(c->message, c->file, 0,
                                "\"%s\" is %s: for model_type \"%s\" only %s is counted", s->key,
                                value ? "true" : "false", c->architecture->type,
                                s->needed ? "true" : "false");
    }
    return true;
}

/* ── the shape ───────────────────────────────────────────────────────────────────────────────────*/

static bool take_kv_heads(struct config *c) {
    struct account_shape *s = &c->shape;
    if (!(c->architecture->says_kv_heads
              ? command_config_take(c, &kv_heads, &s->kv_heads)
              : command_config_take_or(c, &kv_heads, s->heads, &s->kv_heads)))
        return false;
    if (s->heads % s->kv_heads == 0) return true;
    return base_fail_at(c->message, c->file, 0, "\"%s\" is %u, which does not divide the %u heads",
                        key_of(c, &kv_heads), s->kv_heads, s->heads);
}

static bool take_head_size(struct config *c) {
    struct account_shape *s = &c->shape;
    if (c->architecture->says_head_size || command_config_has(c, &head_size))
        return command_config_take(c, &head_size, &s->head_size);
    s->head_size = s->hidden / s->heads;
    if (s->hidden % s->heads == 0) return true;
    return base_fail_at(c->message, c->file, 0,
                        "\"%s\" %u is no multiple of \"%s\" %u, and there is no \"head_dim\"",
                        key_of(c, &hidden), s->hidden, key_of(c, &heads), s->heads);
}

static bool take_experts(struct config *c) {
    const struct config_number width = {{c->architecture->expert_ffn}, ffn.most};
    struct account_shape *s = &c->shape;
    if (!width.key[0]) return true;
    if (!command_config_take(c, &experts, &s->experts) ||
        !command_config_take(c, &active, &s->experts_active) ||
        !command_config_take(c, &width, &s->expert_ffn))
        return false;
    if (s->experts_active <= s->experts) return true;
    return base_fail_at(c->message, c->file, 0, "\"%s\" is %u, more than the %u experts",
                        key_of(c, &active), s->experts_active, s->experts);
}

static bool take_shape(struct config *c) {
    const struct config_architecture *a = c->architecture;
    struct account_shape *s = &c->shape;
    return account_family_find(a->family, &s->family) &&
           command_config_take(c, &layers, &s->layers) &&
           command_config_take(c, &hidden, &s->hidden) &&
           command_config_take(c, &heads, &s->heads) && take_kv_heads(c) && take_head_size(c) &&
           command_config_take(c, &vocab, &s->vocab) &&
           (a->wide ? command_config_take_or(c, &ffn, 4 * s->hidden, &s->ffn)
                    : command_config_take(c, &ffn, &s->ffn)) &&
           (a->positions ? command_config_take(c, &context, &s->context)
                         : command_config_take_or(c, &context, 0, &s->context)) &&
           command_config_take_switch(c, "tie_word_embeddings", a->tied, &s->tied) &&
           take_experts(c) && (!a->finish || a->finish(c));
}

static bool read_json(struct config *c, struct account_training *t) {
    if (!json_is_object(c->json))
        return base_fail_at(c->message, c->file, 0,
                            "an object {…} is needed, as in a model's config.json");
    c->architecture = find_architecture(c);
    if (!c->architecture || !check_class(c) || !check_switches(c) || !take_shape(c)) return false;
    uint64_t params = account_count_params(&c->shape);
    if (params > most_params)
        return base_fail_at(c->message, c->file, 0,
                            "this shape has more than 1e17 parameters, the most that are taken");
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
