/* Every count follows from a shape by its family's formula, and is what the published weights
 * have. */
#include "account/check.h"
#include "account/training/shapes.h"

#include <stdio.h>
#include <string.h>

static const struct account_model *model(const char *name) {
    const struct account_model *m = account_model_find(name);
    if (!m) fail_msg("no model %s", name);
    return m;
}

static void same_count(const char *name, const char *what, uint64_t got, uint64_t wanted) {
    if (got != wanted)
        fail_msg("%s, %s: %llu, not %llu", name, what, (unsigned long long)got,
                 (unsigned long long)wanted);
}

/* ── the catalogue ─────────────────────────────────────────────────────────────────────────────*/

static void counts_follow_from_shapes(void **state) {
    (void)state;
    size_t count;
    const struct account_model *m = account_models(&count);
    assert_true(count > 90);
    for (size_t i = 0; i < count; i++)
        same_count(m[i].name, "formula", account_count_params(&m[i].shape), m[i].params);
}

static void tensors_sum_to_the_count(void **state) {
    (void)state;
    size_t count;
    const struct account_model *m = account_models(&count);
    for (size_t i = 0; i < count; i++) {
        struct account_tensor tensor[ACCOUNT_TENSORS];
        const struct account_shape *s = &m[i].shape;
        size_t tensors = account_tensors(s, tensor);
        uint64_t sum = 0, places = 0;
        assert_in_range(tensors, 8, ACCOUNT_TENSORS);
        for (size_t j = 0; j < tensors; j++)
            sum += tensor[j].rows * tensor[j].columns * tensor[j].copies *
                   (tensor[j].place == ACCOUNT_IN_BLOCK ? s->layers : 1);
        same_count(m[i].name, "tensors", sum, m[i].params);
        for (int place = 0; place < ACCOUNT_PLACES; place++)
            places += account_place_params(s, (enum account_place)place) *
                      (place == ACCOUNT_IN_BLOCK ? s->layers : 1);
        same_count(m[i].name, "places", places, m[i].params);
    }
}

/* What the repositories of the weights say they hold, one at least of each family. */
static void counts_are_the_published_ones(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t params;
    } known[] = {
        {"gpt2", 124439808},
        {"gpt2-xl", 1557611200},
        {"gpt3-175b", 174604259328},
        {"llama-7b", 6738415616},
        {"llama-65b", 65285660672},
        {"llama-2-7b", 6738415616},
        {"llama-2-13b", 13015864320},
        {"llama-2-70b", 68976648192},
        {"llama-3-8b", 8030261248},
        {"llama-3-70b", 70553706496},
        {"llama-3.1-405b", 405853388800},
        {"llama-3.2-1b", 1235814400},
        {"mistral-7b", 7241732096},
        {"mistral-nemo", 12247782400},
        {"mixtral-8x7b", 46702792704},
        {"mixtral-8x22b", 140620634112},
        {"qwen2.5-3b", 3085938688},
        {"qwen2.5-72b", 72706203648},
        {"qwen3-8b", 8190735360},
        {"qwen3-30b-a3b", 30532122624},
        {"qwen3-235b-a22b", 235093634560},
        {"opt-125m", 125239296},
        {"opt-30b", 29974540288},
        {"pythia-70m", 70426624},
        {"pythia-12b", 11846072320},
        {"gpt-neox-20b", 20554567680},
        {"gemma-2b", 2506172416},
        {"gemma-7b", 8537680896},
        {"gemma-2-9b", 9241705984},
        {"gemma-2-27b", 27227128320},
        {"gemma-3-1b", 999885952},
        {"phi-2", 2779683840},
        {"phi-3-mini", 3821079552},
        {"phi-4", 14659507200},
        {"falcon-7b", 6921720704},
        {"falcon-40b", 41303293952},
        {"bloom-176b", 176247271424},
        {"olmo-7b", 6888095744},
        {"olmo-2-7b", 7298617344},
        {"olmoe-1b-7b", 6919161856},
        {"starcoder2-15b", 15957889024},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        same_count(known[i].name, "published", model(known[i].name)->params, known[i].params);
}

/* Korthikanti et al., arXiv:2205.05198, Table 3, name their configurations to the billion. */
static void megatron_has_its_sizes(void **state) {
    (void)state;
    assert_in_range(model("megatron-22b")->params, 21900000000, 22100000000);
    assert_in_range(model("megatron-175b")->params, 174500000000, 175000000000);
    assert_in_range(model("mt-nlg-530b")->params, 529500000000, 530500000000);
    assert_in_range(model("megatron-1t")->params, 1007500000000, 1008500000000);
}

/* ── the parts ─────────────────────────────────────────────────────────────────────────────────*/

static uint64_t named(const struct account_shape *s, const char *names) {
    struct account_tensor tensor[ACCOUNT_TENSORS];
    size_t tensors = account_tensors(s, tensor);
    uint64_t sum = 0;
    for (size_t i = 0; i < tensors; i++) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "|%s|", tensor[i].name);
        if (strstr(names, wanted)) sum += tensor[i].rows * tensor[i].columns * tensor[i].copies;
    }
    return sum;
}

/* The breakdowns of published.json, group params. */
static void parts_are_the_published_ones(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t embedding, positions, attention, mlp, block, norm, head;
    } known[] = {
        {"gpt2-xl", 80411200, 1638400, 10246400, 20488000, 30740800, 3200, 0},
        {"gpt2-medium", 51463168, 1048576, 4198400, 8393728, 12596224, 2048, 0},
        {"gpt3-175b", 617558016, 25165824, 604028928, 1208020992, 1812099072, 24576, 0},
        {"llama-2-7b", 131072000, 0, 67108864, 135266304, 202383360, 4096, 131072000},
        {"llama-2-70b", 262144000, 0, 150994944, 704643072, 855654400, 8192, 262144000},
        {"llama-3-70b", 1050673152, 0, 150994944, 704643072, 855654400, 8192, 1050673152},
        {"llama-3.1-405b", 2101346304, 0, 570425344, 2617245696, 3187703808, 16384, 2101346304},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct account_shape *s = &model(known[i].name)->shape;
        const char *n = known[i].name;
        same_count(n, "embedding", named(s, "|embedding|"), known[i].embedding);
        same_count(n, "positions", named(s, "|positions|"), known[i].positions);
        same_count(n, "attention",
                   named(s, "|query, key and value|query, key and value "
                            "bias|query|key|value|output|output bias|"),
                   known[i].attention);
        same_count(n, "mlp", named(s, "|gate|up|up bias|down|down bias|"), known[i].mlp);
        same_count(n, "block", account_place_params(s, ACCOUNT_IN_BLOCK), known[i].block);
        same_count(n, "last norm", account_place_params(s, ACCOUNT_IN_NORM), known[i].norm);
        same_count(n, "head", account_place_params(s, ACCOUNT_IN_HEAD), known[i].head);
    }
}

static const struct account_tensor *tensor_of(const struct account_shape *s, const char *name) {
    static struct account_tensor tensor[ACCOUNT_TENSORS];
    size_t tensors = account_tensors(s, tensor);
    for (size_t i = 0; i < tensors; i++)
        if (strcmp(tensor[i].name, name) == 0) return &tensor[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

/* Dimension 0 is the outputs, as PyTorch stores a linear layer and as FSDP2 shards it. */
static void rows_are_outputs(void **state) {
    (void)state;
    static const struct {
        const char *model, *tensor;
        uint64_t rows, columns;
        uint32_t copies;
    } known[] = {
        {"gpt2", "query, key and value", 2304, 768, 1},
        {"gpt2", "query, key and value bias", 2304, 1, 1},
        {"gpt2", "up", 3072, 768, 1},
        {"gpt2", "down", 768, 3072, 1},
        {"gpt2", "positions", 1024, 768, 1},
        {"gpt2", "norm bias", 768, 1, 2},
        {"opt-125m", "positions", 2050, 768, 1},
        {"llama-3-8b", "value", 1024, 4096, 1},
        {"llama-3-8b", "head", 128256, 4096, 1},
        {"gemma-7b", "query", 4096, 3072, 1},
        {"gemma-7b", "output", 3072, 4096, 1},
        {"gemma-2-9b", "norm", 3584, 1, 4},
        {"phi-3-mini", "gate and up", 16384, 3072, 1},
        {"mixtral-8x7b", "router", 8, 4096, 1},
        {"mixtral-8x7b", "gate", 14336, 4096, 8},
        {"qwen3-8b", "key norm", 128, 1, 1},
        {"olmo-2-7b", "key norm", 4096, 1, 1},
        {"bloom-176b", "embedding", 250880, 14336, 1},
        {"phi-2", "head bias", 51200, 1, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct account_tensor *x = tensor_of(&model(known[i].model)->shape, known[i].tensor);
        same_count(known[i].model, known[i].tensor, x->rows, known[i].rows);
        same_count(known[i].model, known[i].tensor, x->columns, known[i].columns);
        same_count(known[i].model, known[i].tensor, x->copies, known[i].copies);
    }
}

/* Who divides what: tensor parallelism, expert parallelism, NF4. */
static void tensors_know_who_divides_them(void **state) {
    (void)state;
    static const struct {
        const char *model, *tensor;
        bool split, expert, linear;
    } known[] = {
        {"gpt2", "embedding", true, false, false},
        {"gpt2", "positions", false, false, false},
        {"gpt2", "norm", false, false, false},
        {"gpt2", "query, key and value", true, false, true},
        {"gpt2", "query, key and value bias", true, false, false},
        {"gpt2", "output", true, false, true},
        {"gpt2", "output bias", false, false, false},
        {"gpt2", "up bias", true, false, false},
        {"gpt2", "down bias", false, false, false},
        {"llama-3-8b", "head", true, false, false},
        {"qwen3-8b", "query norm", false, false, false},
        {"mixtral-8x7b", "router", false, false, true},
        {"mixtral-8x7b", "down", true, true, true},
        {"mixtral-8x7b", "query", true, false, true},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct account_tensor *x = tensor_of(&model(known[i].model)->shape, known[i].tensor);
        if (x->split != known[i].split || x->expert != known[i].expert ||
            x->linear != known[i].linear)
            fail_msg("%s, %s", known[i].model, known[i].tensor);
    }
}

static void no_tensors_without_a_family(void **state) {
    (void)state;
    struct account_tensor tensor[ACCOUNT_TENSORS];
    const struct account_shape shapes[] = {
        {.family = ACCOUNT_FAMILY_NONE, .layers = 1, .hidden = 8, .vocab = 8},
        {.family = 200, .layers = 1, .hidden = 8, .vocab = 8},
    };
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(account_tensors(&shapes[i], tensor), 0);
        assert_int_equal(account_count_params(&shapes[i]), 0);
        assert_string_equal(account_family_name(&shapes[i]), "none");
    }
}

/* A count never wraps round into a small one. */
static void absurd_shapes_are_as_large_as_can_be(void **state) {
    (void)state;
    struct account_shape s = {.family = ACCOUNT_FAMILY_MIXTRAL,
                              .layers = UINT32_MAX,
                              .hidden = UINT32_MAX,
                              .heads = UINT32_MAX,
                              .kv_heads = UINT32_MAX,
                              .head_size = UINT32_MAX,
                              .experts = UINT32_MAX,
                              .expert_ffn = UINT32_MAX,
                              .vocab = UINT32_MAX};
    assert_true(account_count_params(&s) == UINT64_MAX);
    assert_true(account_place_params(&s, ACCOUNT_IN_BLOCK) == UINT64_MAX);
    s = model("gpt3-175b")->shape;
    s.layers = UINT32_MAX;
    s.hidden *= 10;
    assert_true(account_count_params(&s) == UINT64_MAX);
}

/* ── what walks the tensors ────────────────────────────────────────────────────────────────────*/

/* A matrix of r × c keeps r + c, a vector all. By hand for GPT-2: wte 50257 + 768, wpe 1024 + 768,
 * a layer's matrices 3072 + 1536 + 3840 + 3840 and vectors 2304 + 768 + 3072 + 768 + 4 · 768, the
 * last norm 1536. */
static void factored_elements(void **state) {
    (void)state;
    uint64_t layer = 3072 + 1536 + 3840 + 3840 + 2304 + 768 + 3072 + 768 + 4 * 768;
    assert_int_equal(account_factored_elements(&model("gpt2")->shape),
                     50257 + 768 + 1024 + 768 + 12 * layer + 1536);
}

static uint64_t adapters_of(struct account_shape shape, uint32_t rank, enum account_adapted on) {
    return account_adapter_params(&shape, rank, (uint8_t)on);
}

/* huggingface/peft, README.md and docs/source/guides/peft_model_config.md; Hu et al.,
 * arXiv:2106.09685, Table 4 (GPT-3, 4.7M). On all linear layers: Sheared-LLaMA 1.3B, one layer and
 * all, as axolotl prints them (axolotl-ai-cloud/axolotl, pull request 1118). */
static void adapters(void **state) {
    (void)state;
    enum account_adapted qv = ACCOUNT_ON_QUERY_VALUE, all = ACCOUNT_ON_ALL_LINEAR;
    assert_int_equal(adapters_of(model("qwen2.5-3b")->shape, 16, qv), 3686400);
    assert_int_equal(adapters_of(model("llama-2-7b")->shape, 8, qv), 4194304);
    assert_int_equal(adapters_of(model("gpt3-175b")->shape, 1, qv), 4718592);
    struct account_shape opt = {.family = ACCOUNT_FAMILY_OPT,
                                .layers = 24,
                                .hidden = 1024,
                                .heads = 16,
                                .kv_heads = 16,
                                .head_size = 64};
    assert_int_equal(adapters_of(opt, 16, qv), 1572864);
    assert_int_equal(adapters_of(opt, 0, qv), 0);
    struct account_shape sheared = {.family = ACCOUNT_FAMILY_LLAMA,
                                    .layers = 24,
                                    .hidden = 2048,
                                    .heads = 16,
                                    .kv_heads = 16,
                                    .head_size = 128,
                                    .ffn = 5504,
                                    .vocab = 32000};
    assert_int_equal(adapters_of(sheared, 64, all), 24 * 2498560);
    sheared.layers = 1;
    assert_int_equal(adapters_of(sheared, 64, all), 2498560);
}

/* Fused projections are one layer each; experts have adapters of their own, and so has the router;
 * a token meets those of its experts. */
static void adapters_on_fused_layers_and_experts(void **state) {
    (void)state;
    const struct account_shape *gpt = &model("gpt2")->shape, *moe = &model("mixtral-8x7b")->shape;
    uint64_t h = 768, qkv = h + 3 * h, out = h + h, mlp = 2 * (h + 4 * h);
    assert_int_equal(adapters_of(*gpt, 1, ACCOUNT_ON_ALL_LINEAR), 12 * (qkv + out + mlp));
    uint64_t attention = 2 * (4096 + 4096) + 2 * (4096 + 1024), router = 4096 + 8,
             expert = 3 * (4096 + 14336);
    assert_int_equal(adapters_of(*moe, 2, ACCOUNT_ON_ALL_LINEAR),
                     2 * 32 * (attention + router + 8 * expert));
    assert_int_equal(account_adapter_params_met(moe, 2, ACCOUNT_ON_ALL_LINEAR),
                     2 * 32 * (attention + router + 2 * expert));
}

/* ── families ──────────────────────────────────────────────────────────────────────────────────*/

static void families_are_named_and_used(void **state) {
    (void)state;
    size_t models;
    const struct account_model *m = account_models(&models);
    for (uint8_t i = ACCOUNT_FAMILY_NONE + 1; i < ACCOUNT_FAMILIES; i++) {
        const struct account_family *f = account_family_of(&(struct account_shape){.family = i});
        uint8_t found = 0;
        bool used = false;
        assert_true(account_family_find(f->name, &found));
        assert_int_equal(found, i);
        assert_true(f->what[0] && f->source[0] && f->norms > 0);
        for (size_t j = 0; j < models; j++) used |= m[j].shape.family == i;
        if (!used) fail_msg("no model is a %s", f->name);
    }
    uint8_t found;
    assert_false(account_family_find("none", &found));
    assert_false(account_family_find("rnn", &found));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_follow_from_shapes),
        cmocka_unit_test(tensors_sum_to_the_count),
        cmocka_unit_test(counts_are_the_published_ones),
        cmocka_unit_test(megatron_has_its_sizes),
        cmocka_unit_test(parts_are_the_published_ones),
        cmocka_unit_test(rows_are_outputs),
        cmocka_unit_test(tensors_know_who_divides_them),
        cmocka_unit_test(no_tensors_without_a_family),
        cmocka_unit_test(absurd_shapes_are_as_large_as_can_be),
        cmocka_unit_test(factored_elements),
        cmocka_unit_test(adapters),
        cmocka_unit_test(adapters_on_fused_layers_and_experts),
        cmocka_unit_test(families_are_named_and_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
