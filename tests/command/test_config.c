/* command_config_read: configurations as their repositories have them yield the catalogue's shapes;
 * broken ones say what is wrong, in a line. */
#include "command/config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char folder[] = "tests/command/configs";

static void same_field(const char *model, const char *field, uint64_t got, uint64_t wanted) {
    if (got != wanted)
        fail_msg("%s, %s: %llu, not %llu", model, field, (unsigned long long)got,
                 (unsigned long long)wanted);
}

static void same_shape(const char *model, const struct account_shape *got,
                       const struct account_shape *wanted) {
    assert_string_equal(account_family_name(got), account_family_name(wanted));
    same_field(model, "tied", got->tied, wanted->tied);
    same_field(model, "layers", got->layers, wanted->layers);
    same_field(model, "hidden", got->hidden, wanted->hidden);
    same_field(model, "heads", got->heads, wanted->heads);
    same_field(model, "kv_heads", got->kv_heads, wanted->kv_heads);
    same_field(model, "head_size", got->head_size, wanted->head_size);
    same_field(model, "ffn", got->ffn, wanted->ffn);
    same_field(model, "vocab", got->vocab, wanted->vocab);
    same_field(model, "experts", got->experts, wanted->experts);
    same_field(model, "experts_active", got->experts_active, wanted->experts_active);
    same_field(model, "expert_ffn", got->expert_ffn, wanted->expert_ffn);
    if (got->context) same_field(model, "context", got->context, wanted->context);
}

/* The file is named after the catalogue's model. */
static void same_model(const char *file_name) {
    char *path = base_format("%s/%s", folder, file_name), *name = base_dup(file_name);
    struct account_training t = account_training_default();
    struct base_message m = {0};
    *strrchr(name, '.') = '\0';
    const struct account_model *model = account_model_find(name);
    if (!model) fail_msg("no model %s", name);
    t.model = account_model_find("gpt3-175b");
    if (!command_config_read(path, &t, &m)) fail_msg("%s: %s", path, m.what);
    assert_null(t.model);
    same_field(name, "params", t.params, model->params);
    same_shape(name, &t.shape, &model->shape);
    free(name);
    free(path);
}

static void real_configurations(void **state) {
    (void)state;
    DIR *d = opendir(folder);
    assert_non_null(d);
    size_t seen = 0;
    for (const struct dirent *e; (e = readdir(d));) {
        if (!strstr(e->d_name, ".json")) continue;
        same_model(e->d_name);
        seen++;
    }
    closedir(d);
    assert_true(seen >= 20);
}

/* ── variations of one configuration ───────────────────────────────────────────────────────────*/

static char temporary[] = "/tmp/zerotutor-config-XXXXXX";

/* Reads text as a file; the message, one line, is the caller's. NULL if it was read. */
static char *message_of(const char *text, struct account_training *t) {
    char *path = base_format("%s/config.json", temporary);
    struct base_message m = {0};
    char line[600];
    assert_true(base_file_write(path, text, strlen(text), NULL));
    bool read = command_config_read(path, t, &m);
    free(path);
    if (read) return NULL;
    base_message_text(&m, line, sizeof line);
    assert_non_null(strstr(line, "config.json"));
    assert_null(strchr(line, '\n'));
    return base_dup(line);
}

/* A configuration of the catalogue's with some members changed: "key": value, or null to take one
 * out. */
static char *changed(const char *name, const char *members) {
    char *path = base_format("%s/%s.json", folder, name), *object = base_format("{%s}", members);
    json_t *json = base_json_read_file(path, NULL),
           *more = base_json_read(object, strlen(object), "", NULL);
    if (!json || !more) fail_msg("%s with %s", name, members);
    json_object_update(json, more);
    char *text = json_dumps(json, 0);
    json_decref(more);
    json_decref(json);
    free(object);
    free(path);
    return text;
}

static void refused_with(const char *text, const char *const *parts) {
    struct account_training t = account_training_default(), before = t;
    char *message = message_of(text, &t);
    if (!message) fail_msg("taken: %s", text);
    for (; *parts; parts++)
        if (!strstr(message, *parts)) fail_msg("no \"%s\" in: %s", *parts, message);
    assert_int_equal(t.params, before.params);
    assert_int_equal(t.shape.hidden, before.shape.hidden);
    free(message);
}

static void what_is_wrong_is_named(void **state) {
    (void)state;
    static const struct {
        const char *name, *members;
        const char *said[4];
    } rows[] = {
        {"llama-2-7b", "\"hidden_size\": null", {"hidden_size", "missing", "1 to"}},
        {"llama-2-7b", "\"hidden_size\": -4096", {"hidden_size", "1 to 1048576", "-4096"}},
        {"llama-2-7b", "\"hidden_size\": 0", {"hidden_size", "not 0"}},
        {"llama-2-7b", "\"hidden_size\": 4096.5", {"hidden_size", "whole number"}},
        {"llama-2-7b", "\"hidden_size\": \"4096\"", {"hidden_size", "whole number", "\"4096\""}},
        {"llama-2-7b", "\"num_hidden_layers\": 1e30", {"num_hidden_layers", "1 to 10000"}},
        {"llama-2-7b", "\"num_hidden_layers\": [32]", {"num_hidden_layers", "[32]"}},
        {"llama-2-7b", "\"vocab_size\": null", {"vocab_size", "missing"}},
        {"llama-2-7b", "\"intermediate_size\": null", {"intermediate_size", "missing"}},
        {"llama-2-7b", "\"num_attention_heads\": 33", {"num_key_value_heads", "33 heads"}},
        {"llama-2-7b", "\"num_attention_heads\": 96", {"hidden_size", "4096", "96", "head_dim"}},
        {"llama-2-7b", "\"num_key_value_heads\": 64", {"num_key_value_heads", "64", "32 heads"}},
        {"llama-2-7b", "\"tie_word_embeddings\": 1", {"tie_word_embeddings", "true or false"}},
        {"llama-2-7b", "\"attention_bias\": true", {"attention_bias", "only false"}},
        {"llama-2-7b", "\"mlp_bias\": true", {"mlp_bias", "only false"}},
        {"llama-2-7b",
         "\"model_type\": \"deepseek_v3\"",
         {"deepseek_v3", "not known", "llama", "qwen3"}},
        {"llama-2-7b", "\"model_type\": null, \"architectures\": null", {"model_type", "missing"}},
        {"llama-2-7b",
         "\"architectures\": [\"LlamaForSequenceClassification\"]",
         {"architectures", "LlamaForSequenceClassification", "LlamaForCausalLM"}},
        {"llama-2-7b",
         "\"model_type\": null, \"architectures\": [\"RwkvForCausalLM\"]",
         {"architectures", "RwkvForCausalLM", "not known"}},
        {"mistral-7b",
         "\"num_key_value_heads\": null",
         {"num_key_value_heads", "missing", "mistral"}},
        {"qwen3-8b", "\"head_dim\": null", {"head_dim", "missing"}},
        {"qwen3-8b", "\"attention_bias\": true", {"attention_bias"}},
        {"gpt2", "\"n_positions\": null, \"n_ctx\": null", {"max_position_embeddings", "missing"}},
        {"gpt2", "\"add_cross_attention\": true", {"add_cross_attention"}},
        {"opt-1.3b", "\"word_embed_proj_dim\": 512", {"word_embed_proj_dim", "512", "2048"}},
        {"opt-1.3b", "\"do_layer_norm_before\": false", {"do_layer_norm_before", "only true"}},
        {"mixtral-8x7b", "\"num_experts_per_tok\": 9", {"num_experts_per_tok", "9", "8 experts"}},
        {"mixtral-8x7b", "\"num_local_experts\": null", {"num_local_experts", "missing"}},
        {"qwen3-30b-a3b", "\"mlp_only_layers\": [0]", {"mlp_only_layers"}},
        {"qwen3-30b-a3b", "\"decoder_sparse_step\": 2", {"decoder_sparse_step"}},
        {"phi-2", "\"qk_layernorm\": true", {"qk_layernorm"}},
        {"falcon-7b", "\"bias\": true", {"\"bias\"", "only false"}},
        {"starcoder2-15b", "\"norm_type\": \"rms_norm\"", {"norm_type", "rms_norm", "layer_norm"}},
        {"mixtral-8x7b",
         "\"hidden_size\": 1048576, \"num_local_experts\": 65536, \"intermediate_size\": 16777216",
         {"1e17"}},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *text = changed(rows[i].name, rows[i].members);
        refused_with(text, (const char *const[]){rows[i].said[0], rows[i].said[1], rows[i].said[2],
                                                 rows[i].said[3], NULL});
        free(text);
    }
}

/* Members that change no count are passed over, and defaults are the class's. */
static void what_changes_nothing_is_passed_over(void **state) {
    (void)state;
    static const struct {
        const char *name, *members;
        uint64_t params;
    } rows[] = {
        {"llama-2-7b", "\"sliding_window\": 4096, \"torch_dtype\": \"float32\", \"num_nextn\": 1",
         6738415616},
        {"llama-2-7b", "\"model_type\": null", 6738415616},
        {"llama-2-7b", "\"architectures\": null", 6738415616},
        {"llama-2-7b", "\"tie_word_embeddings\": null", 6738415616},
        {"llama-2-7b", "\"num_key_value_heads\": null", 6738415616},
        {"llama-2-7b", "\"hidden_size\": 4096.0", 6738415616},
        {"llama-2-7b", "\"tie_word_embeddings\": true", 6607343616},
        {"gpt2", "\"tie_word_embeddings\": false", 163037184},
        {"gpt2", "\"n_inner\": null", 124439808},
        {"gpt2", "\"n_inner\": 1536", 96109824},
        {"falcon-7b", "\"parallel_attn\": false", 6922011520},
        {"falcon-7b", "\"multi_query\": false", 8224576384},
        {"falcon-40b", "\"num_ln_in_parallel_attn\": 1", 41302310912},
        {"gemma-2b", "\"num_key_value_heads\": 8", 2638292992},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *text = changed(rows[i].name, rows[i].members);
        struct account_training t = account_training_default();
        char *message = message_of(text, &t);
        if (message) fail_msg("%s, %s: %s", rows[i].name, rows[i].members, message);
        same_field(rows[i].name, rows[i].members, t.params, rows[i].params);
        free(text);
    }
}

static void files_that_are_none(void **state) {
    (void)state;
    refused_with("", (const char *const[]){"not valid JSON", NULL});
    refused_with("[1, 2]", (const char *const[]){"an object", NULL});
    refused_with("{}", (const char *const[]){"model_type", "missing", NULL});
    refused_with("{\"model_type\": \"llama\"}",
                 (const char *const[]){"num_hidden_layers", "missing", NULL});
    refused_with("{\"model_type\": 7}", (const char *const[]){"model_type", NULL});
    refused_with("{\"model_type\": \"rwkv\\nworld\"}",
                 (const char *const[]){"rwkv", "not known", NULL});
    struct account_training t = account_training_default();
    struct base_message m = {0};
    assert_false(command_config_read("/nowhere/config.json", &t, &m));
    assert_string_equal(m.file, "/nowhere/config.json");
    assert_false(command_config_read(temporary, &t, &m));
}

/* A download that broke off, wherever it did: never read, never more than a line. */
static void files_cut_anywhere(void **state) {
    (void)state;
    size_t length;
    char *text = base_file_read("tests/command/configs/llama-2-7b.json", 1 << 20, &length, NULL);
    assert_non_null(text);
    while (text[length - 1] != '}') length--;
    for (size_t cut = 0; cut < length; cut += 7) {
        char *part = base_format("%.*s", (int)cut, text);
        refused_with(part, (const char *const[]){"not valid JSON", NULL});
        free(part);
    }
    free(text);
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(temporary) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char *path = base_format("%s/config.json", temporary);
    unlink(path);
    free(path);
    return rmdir(temporary);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_configurations),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(what_changes_nothing_is_passed_over),
        cmocka_unit_test(files_that_are_none),
        cmocka_unit_test(files_cut_anywhere),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
