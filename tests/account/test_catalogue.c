/* The compiled catalogues are the files; test_shapes.c holds the counts against the shapes. */
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

static void aliases_lead_to(const json_t *row, const void *(*find)(const char *), const void *to) {
    json_t *alias;
    size_t i;
    assert_ptr_equal(find(text(row, "name")), to);
    json_array_foreach(json_object_get(row, "aliases"), i, alias)
        assert_ptr_equal(find(json_string_value(alias)), to);
}

static const void *find_model(const char *name) {
    return account_model_find(name);
}

static const void *find_card(const char *name) {
    return account_card_find(name);
}

static const void *find_link(const char *name) {
    return account_link_find(name);
}

static void models_are_the_file(void **state) {
    (void)state;
    json_t *rows = load("data/models.json"), *row;
    size_t count, i, j;
    const struct account_model *models = account_models(&count);
    assert_int_equal(count, json_array_size(rows));
    json_array_foreach(rows, i, row) {
        const struct account_model *m = &models[i];
        const struct account_shape *s = &m->shape;
        assert_string_equal(m->name, text(row, "name"));
        assert_string_equal(m->title, text(row, "title"));
        assert_string_equal(m->source, text(row, "source"));
        assert_string_equal(account_family_name(s), text(row, "family"));
        assert_int_equal(m->params, number(row, "params"));
        assert_int_equal(s->tied, json_is_true(json_object_get(row, "tied")));
        const struct {
            const char *key;
            uint32_t value;
        } shape[] = {{"layers", s->layers},        {"hidden", s->hidden},
                     {"heads", s->heads},          {"kv_heads", s->kv_heads},
                     {"head_size", s->head_size},  {"ffn", s->ffn},
                     {"vocab", s->vocab},          {"context", s->context},
                     {"experts", s->experts},      {"experts_active", s->experts_active},
                     {"expert_ffn", s->expert_ffn}};
        for (j = 0; j < sizeof shape / sizeof *shape; j++) {
            bool given = json_object_get(row, shape[j].key) || j < 8;
            if ((given ? number(row, shape[j].key) : 0) != shape[j].value)
                fail_msg("%s: %s", m->name, shape[j].key);
        }
        aliases_lead_to(row, find_model, m);
    }
    json_decref(rows);
}

/* ── hardware ──────────────────────────────────────────────────────────────────────────────────*/

static const json_t *section(const json_t *file, const char *name, size_t count) {
    const json_t *rows = json_object_get(file, name);
    assert_int_equal(count, json_array_size(rows));
    return rows;
}

static void same_number(const json_t *row, const char *key, double value) {
    const json_t *x = json_object_get(row, key);
    if (!json_is_number(x) || json_number_value(x) != value)
        fail_msg("%s: %s is %.17g here", text(row, "name"), key, value);
}

/* The name of a link that is in the catalogue, or null and NULL. */
static void same_link(const json_t *row, const char *key, const char *value) {
    const json_t *x = json_object_get(row, key);
    if (json_is_null(x)) {
        assert_null(value);
        return;
    }
    assert_string_equal(json_string_value(x), value);
    if (!account_link_find(value)) fail_msg("%s: no link %s", text(row, "name"), value);
}

static void same_names(const json_t *row, const char *name, const char *title, const char *source) {
    assert_string_equal(name, text(row, "name"));
    assert_string_equal(title, text(row, "title"));
    assert_string_equal(source, text(row, "source"));
    assert_true(source[0]);
}

static void cards_are_the_file(void **state) {
    (void)state;
    json_t *file = load("data/hardware.json"), *row;
    size_t count, i;
    const struct account_card *cards = account_cards(&count);
    const json_t *rows = section(file, "accelerators", count);
    json_array_foreach(rows, i, row) {
        const struct account_card *c = &cards[i];
        same_names(row, c->name, c->title, c->source);
        assert_int_equal(c->label_bytes, number(row, "label_bytes"));
        assert_int_equal(c->driver_bytes, number(row, "driver_bytes"));
        assert_int_equal(c->torch_bytes, number(row, "torch_bytes"));
        assert_int_equal(c->driver_bytes == 0, strstr(c->source, "unverified") != NULL);
        assert_int_equal(c->torch_bytes > 0, strstr(c->source, "PyTorch's total") != NULL);
        if (c->torch_bytes) assert_true(c->torch_bytes < c->driver_bytes);
        same_number(row, "flops", c->flops);
        same_number(row, "memory_rate", c->memory_rate);
        same_link(row, "link", c->link);
        same_link(row, "net", c->net);
        same_link(row, "host_link", c->host_link);
        assert_non_null(c->host_link);
        assert_true(c->flops > 1e13 && c->flops < 1e16 && c->memory_rate > 1e11);
        aliases_lead_to(row, find_card, c);
    }
    json_decref(file);
}

static void links_are_the_file(void **state) {
    (void)state;
    json_t *file = load("data/hardware.json"), *row;
    size_t count, i;
    const struct account_link *links = account_links(&count);
    const json_t *rows = section(file, "links", count);
    json_array_foreach(rows, i, row) {
        const struct account_link *l = &links[i];
        same_names(row, l->name, l->title, l->source);
        same_number(row, "rate", l->rate);
        same_number(row, "wire", l->wire);
        same_number(row, "latency", l->latency);
        assert_true(l->rate > 0 && l->rate <= l->wire && l->latency > 0 && l->latency < 1e-3);
        aliases_lead_to(row, find_link, l);
    }
    json_decref(file);
}

static void nodes_are_the_file(void **state) {
    (void)state;
    json_t *file = load("data/hardware.json"), *row;
    size_t count, i;
    size_t with = 0;
    const struct account_card *cards = account_cards(&count);
    for (i = 0; i < count; i++) with += account_node_of(&cards[i]) != NULL;
    const json_t *rows = section(file, "nodes", with);
    json_array_foreach(rows, i, row) {
        const struct account_node *n = account_node_of(account_card_find(text(row, "card")));
        assert_non_null(n);
        same_names(row, n->name, n->title, n->source);
        assert_int_equal(n->gpus, number(row, "gpus"));
        assert_int_equal(n->host_bytes, number(row, "host_bytes"));
        assert_int_equal(n->nvme_bytes, number(row, "nvme_bytes"));
        same_number(row, "nvme_rate", n->nvme_rate);
        assert_int_equal(n->nvme_bytes > 0, n->nvme_rate > 0);
    }
    json_decref(file);
}

/* NCCL's own model of a link: links of a GPU × what each reaches (src/graph/topo.h); hops:
 * src/graph/tuning.cc, ring, Simple. */
static void links_reach_what_nccl_says(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double links, each, hop;
    } known[] = {
        {"nvlink2", 6, 20e9, 3.4e-6},    {"nvlink3", 12, 20e9, 3.4e-6},
        {"nvlink4", 18, 20.6e9, 3.4e-6}, {"nvlink5", 18, 40.1e9, 3.4e-6},
        {"pcie3", 1, 12e9, 5.7e-6},      {"pcie4", 2, 12e9, 5.7e-6},
        {"ib-hdr", 1, 25e9, 14e-6},      {"ib-ndr", 1, 50e9, 14e-6},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct account_link *l = account_link_find(known[i].name);
        assert_non_null(l);
        assert_same(l->rate, known[i].links * known[i].each, known[i].name);
        assert_same(l->latency, known[i].hop, known[i].name);
    }
}

static void cards_stand_in_nodes(void **state) {
    (void)state;
    const struct account_node *n = account_node_of(account_card_find("a100-80g"));
    assert_string_equal(n->name, "dgx-a100");
    assert_int_equal(n->gpus, 8);
    assert_int_equal(account_node_of(account_card_find("v100-32g"))->gpus, 16);
    assert_null(account_node_of(account_card_find("rtx-4090")));
    assert_null(account_node_of(NULL));
}

/* ── names ─────────────────────────────────────────────────────────────────────────────────────*/

/* A name means one row, whether it is the row's own or another for it. */
static void no_name_is_used_twice(void **state) {
    (void)state;
    json_t *models = load("data/models.json"), *file = load("data/hardware.json");
    const json_t *sections[] = {models, json_object_get(file, "accelerators"),
                                json_object_get(file, "links"), json_object_get(file, "nodes")};
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
        json_t *seen = json_object(), *row, *alias;
        size_t i, j;
        json_array_foreach(sections[s], i, row) {
            json_t *names = json_pack("[s]", text(row, "name"));
            if (json_object_get(row, "aliases"))
                json_array_extend(names, json_object_get(row, "aliases"));
            json_array_foreach(names, j, alias) {
                if (json_object_get(seen, json_string_value(alias)))
                    fail_msg("%s is there twice", json_string_value(alias));
                json_object_set_new(seen, json_string_value(alias), json_true());
            }
            json_decref(names);
        }
        json_decref(seen);
    }
    json_decref(models);
    json_decref(file);
}

static void names(void **state) {
    (void)state;
    assert_int_equal(account_model_find("llama-2-13b")->params, 13015864320);
    assert_ptr_equal(account_model_find("LLaMA-2-13B"), account_model_find("llama2-13b"));
    assert_ptr_equal(account_card_find("a100"), account_card_find("a100-80g"));
    assert_non_null(strstr(account_card_find("a100-80g")->title, "SXM"));
    assert_null(account_model_find(""));
    assert_null(account_model_find("llama"));
    assert_null(account_card_find("a1"));
    assert_ptr_equal(account_link_find("NVLink"), account_link_find("nvlink4"));
    assert_null(account_link_find("nvlink1"));
}

/* ── what a card gives ─────────────────────────────────────────────────────────────────────────*/

static void a_card_gives_what_its_best_reporter_says(void **state) {
    (void)state;
    static const struct {
        const char *card;
        enum account_reporter by;
        /* as the source prints it */
        double gib;
        const char *says[3];
    } known[] = {
        {"a100-80g",
         ACCOUNT_BY_TORCH,
         79.15,
         {"80 GB means 80 GiB, which is 85.9 GB", "PyTorch reports 85.0 GB (79.15 GiB)", ""}},
        {"h100-80g",
         ACCOUNT_BY_TORCH,
         79.10,
         {"80 GB is rounded", "the driver reports 85.5 GB (79.65 GiB)",
          "PyTorch reports 84.9 GB (79.1 GiB)"}},
        {"h200",
         ACCOUNT_BY_TORCH,
         139.80,
         {"the driver reports 151 GB (140.4 GiB)", "PyTorch reports 150 GB (139.8 GiB)", ""}},
        {"b200", ACCOUNT_BY_TORCH, 178.35, {"PyTorch reports 192 GB (178.4 GiB)", "", ""}},
        {"a100-40g", ACCOUNT_BY_DRIVER, 40, {"40 GB means 40 GiB, which is 42.9 GB.", "", ""}},
        {"t4", ACCOUNT_BY_DRIVER, 15, {"the driver reports 16.1 GB (15 GiB).", "", ""}},
        {"h100-pcie-80g", ACCOUNT_BY_LABEL, 80e9 / 0x1p30, {"80 GB is all that is known", "", ""}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct account_card *c = account_card_find(known[i].card);
        char words[256];
        assert_int_equal(account_card_reporter(c), known[i].by);
        double off = (double)account_card_bytes(c) - known[i].gib * 0x1p30;
        if (off < -1 || off > 1) fail_msg("%s is off by %g bytes", known[i].card, off);
        account_card_explain(c, words, sizeof words);
        for (size_t k = 0; k < 3; k++)
            if (!strstr(words, known[i].says[k])) fail_msg("%s: %s", known[i].card, words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_the_file),
        cmocka_unit_test(cards_are_the_file),
        cmocka_unit_test(links_are_the_file),
        cmocka_unit_test(nodes_are_the_file),
        cmocka_unit_test(links_reach_what_nccl_says),
        cmocka_unit_test(cards_stand_in_nodes),
        cmocka_unit_test(no_name_is_used_twice),
        cmocka_unit_test(names),
        cmocka_unit_test(a_card_gives_what_its_best_reporter_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
