/* The compiled catalogues are the files, and every model's count follows from its shape. */
#include "account/check.h"

#include <jansson.h>
#include <string.h>

static json_t *load(const char *path) {
    json_error_t e;
    json_t *rows = json_load_file(path, JSON_REJECT_DUPLICATES, &e);
    if (!rows) fail_msg("%s:%d: %s", path, e.line, e.text);
    return rows;
}

static json_int_t number(const json_t *row, const char *key) {
    const json_t *value = json_object_get(row, key);
    if (!json_is_integer(value))
        fail_msg("%s: no %s", json_string_value(json_object_get(row, "name")), key);
    return json_integer_value(value);
}

static const char *text(const json_t *row, const char *key) {
    const char *value = json_string_value(json_object_get(row, key));
    assert_non_null(value);
    return value;
}

static void models_are_the_file(void **state) {
    (void)state;
    static const char *const families[] = {"none", "gpt", "llama", "qwen"};
    json_t *rows = load("data/models.json"), *row, *alias;
    size_t count, i, j;
    const struct account_model *models = account_models(&count);
    assert_int_equal(count, json_array_size(rows));
    json_array_foreach(rows, i, row) {
        const struct account_model *m = &models[i];
        const struct account_shape *s = &m->shape;
        assert_string_equal(m->name, text(row, "name"));
        assert_string_equal(m->title, text(row, "title"));
        assert_string_equal(m->source, text(row, "source"));
        assert_string_equal(families[s->family], text(row, "family"));
        assert_int_equal(m->params, number(row, "params"));
        assert_int_equal(s->tied, json_is_true(json_object_get(row, "tied")));
        const struct {
            const char *key;
            uint32_t value;
        } shape[] = {
            {"layers",    s->layers   },
            {"hidden",    s->hidden   },
            {"heads",     s->heads    },
            {"kv_heads",  s->kv_heads },
            {"head_size", s->head_size},
            {"ffn",       s->ffn      },
            {"vocab",     s->vocab    },
            {"context",   s->context  }
        };
        for (j = 0; j < sizeof shape / sizeof *shape; j++)
            if (number(row, shape[j].key) != shape[j].value)
                fail_msg("%s: %s", m->name, shape[j].key);
        json_array_foreach(json_object_get(row, "aliases"), j, alias)
            assert_ptr_equal(account_model_find(json_string_value(alias)), m);
        assert_ptr_equal(account_model_find(m->name), m);
    }
    json_decref(rows);
}

static void cards_are_the_file(void **state) {
    (void)state;
    json_t *rows = load("data/hardware.json"), *row, *alias;
    size_t count, i, j;
    const struct account_card *cards = account_cards(&count);
    assert_int_equal(count, json_array_size(rows));
    json_array_foreach(rows, i, row) {
        const struct account_card *c = &cards[i];
        assert_string_equal(c->name, text(row, "name"));
        assert_string_equal(c->title, text(row, "title"));
        assert_string_equal(c->source, text(row, "source"));
        assert_int_equal(c->label_bytes, number(row, "label_bytes"));
        assert_int_equal(c->usable_bytes, number(row, "usable_bytes"));
        if (c->usable_bytes == 0) assert_non_null(strstr(c->source, "unverified"));
        json_array_foreach(json_object_get(row, "aliases"), j, alias)
            assert_ptr_equal(account_card_find(json_string_value(alias)), c);
        assert_ptr_equal(account_card_find(c->name), c);
    }
    json_decref(rows);
}

static void counts_follow_from_shapes(void **state) {
    (void)state;
    size_t count;
    const struct account_model *m = account_models(&count);
    for (size_t i = 0; i < count; i++)
        if (account_count_params(&m[i].shape) != m[i].params)
            fail_msg("%s: %llu", m[i].name, (unsigned long long)account_count_params(&m[i].shape));
    struct account_shape unknown = {.family = 200, .layers = 1, .hidden = 1};
    assert_int_equal(account_count_params(&unknown), 0);
}

static void names(void **state) {
    (void)state;
    assert_int_equal(account_model_find("llama-2-13b")->params, 13015864320);
    assert_ptr_equal(account_model_find("LLaMA-2-13B"), account_model_find("llama2-13b"));
    assert_ptr_equal(account_card_find("a100"), account_card_find("a100-80g"));
    assert_non_null(strstr(account_card_find("a100-80g")->title, "SXM"));
    assert_int_equal(account_card_find("h100-80g")->usable_bytes, 85520809984);
    assert_null(account_model_find(""));
    assert_null(account_model_find("llama"));
    assert_null(account_card_find("a1"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_the_file),
        cmocka_unit_test(cards_are_the_file),
        cmocka_unit_test(counts_follow_from_shapes),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
