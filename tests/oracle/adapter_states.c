/* Parameter counts, and bytes of model states by precision, optimizer and adapter. */
#include "oracle/oracle.h"

#define LLAMA_2_7B 6738415616.0

/* ── counts ────────────────────────────────────────────────────────────────────────────────────*/

static struct account_shape params_shape(const json_t *row) {
    bool gpt = has(row, "inputs/ctx");
    uint32_t h = small(row, "inputs/hidden"), heads = small(row, "inputs/heads");
    double ffn = gpt ? 4.0 * h : num(row, "inputs/intermediate");
    struct account_shape s =
        shape_of(gpt                           ? "gpt"
                 : has(row, "inputs/qkv_bias") ? "qwen"
                                               : "llama",
                 small(row, "inputs/layers"), h, heads, (uint32_t)ffn, small(row, "inputs/vocab"));
    s.context = (uint32_t)num_or(row, "inputs/ctx", 0);
    s.kv_heads = (uint32_t)num_or(row, "inputs/kv_heads", heads);
    s.head_size = (uint32_t)num_or(row, "inputs/head_size", s.head_size);
    s.tied = gpt || (has(row, "inputs/tied") && json_is_true(at(row, "inputs/tied")));
    return s;
}

/* A part of the model is what is missing from the count without it. */
static double without(struct account_shape s, const char *part) {
    struct account_shape less = s;
    if (strcmp(part, "layers") == 0) less.layers = 0;
    if (strcmp(part, "layer") == 0) less.layers--;
    if (strcmp(part, "vocab") == 0) less.vocab = 0;
    if (strcmp(part, "context") == 0) less.context = 0;
    if (strcmp(part, "ffn") == 0) less.ffn = 0;
    return counted(s) - counted(less);
}

static void check_part(const json_t *row, const char *key, double got) {
    const char *where = path("expected/%s", key);
    if (has(row, where)) same(row, got, where);
}

static void check_params(const json_t *row) {
    struct account_shape s = params_shape(row), bare = s, tied = s;
    bare.layers = bare.vocab = bare.context = 0;
    tied.tied = true;
    double gated = without(s, "ffn") / s.layers;
    same(row, counted(s), "expected/total");
    check_part(row, "wte", without(tied, "vocab"));
    check_part(row, "embed", without(tied, "vocab"));
    check_part(row, "lm_head", counted(s) - counted(tied));
    check_part(row, "wpe", without(s, "context"));
    check_part(row, "per_layer", without(s, "layer"));
    check_part(row, "layers", without(s, "layers"));
    check_part(row, "lnf", counted(bare));
    check_part(row, "final_norm", counted(bare));
    if (s.context == 0) check_part(row, "mlp_per_layer", gated);
}

/* ── precisions and optimizers ─────────────────────────────────────────────────────────────────*/

struct parts {
    double of[ACCOUNT_CATEGORIES];
};

static enum account_category category_of(const char *part) {
    if (strcmp(part, "master") == 0) return ACCOUNT_MASTER;
    if (part[0] == 'p') return ACCOUNT_PARAMS;
    return part[0] == 'g' ? ACCOUNT_GRADS : ACCOUNT_MOMENTS;
}

static struct parts parts_of(const json_t *row) {
    struct parts p = {0};
    const char *part;
    json_t *bytes;
    json_object_foreach((json_t *)(uintptr_t)at(row, "inputs/parts"), part, bytes)
        p.of[category_of(part)] += json_number_value(bytes);
    return p;
}

static bool keeps(const struct account_training *t, const struct parts *p) {
    for (int c = ACCOUNT_PARAMS; c <= ACCOUNT_MOMENTS; c++)
        if (account_bytes_per_param(t, (enum account_category)c) != p->of[c]) return false;
    return true;
}

/* The first training that keeps just these copies. */
static struct account_training training_with(const json_t *row, const struct parts *p) {
    static const char *const recipes[] = {"paper", "megatron", "ddp", "deepspeed", "fsdp2"};
    static const char *const precisions[] = {"fp32", "mixed-bf16", "mixed-fp16", "bf16"};
    static const char *const optimizers[] = {"adamw", "sgd-momentum", "lion", "adam8bit"};
    static const char *const widths[] = {"auto", "fp32"};
    for (int i = 0; i < 5 * 4 * 4 * 2; i++) {
        struct account_training t =
            trained("params=%.0f recipe=%s precision=%s optimizer=%s grad_dtype=%s stage=%d",
                    LLAMA_2_7B, recipes[i / 32], precisions[i / 8 % 4], optimizers[i / 2 % 4],
                    widths[i % 2], i / 32 == 4 ? 3 : 0);
        if (keeps(&t, p)) return t;
    }
    fail_msg("%s: no training keeps such copies", id_of(row));
    return trained("params=1");
}

static void check_multiplier(const json_t *row) {
    struct parts p = parts_of(row);
    struct account_training t = training_with(row, &p);
    same(row, rate(&t), "expected/bytes_per_param");
    if (has(row, "expected/llama2_7B_bytes")) same(row, states(&t), "expected/llama2_7B_bytes");
}

/* adamw_8bit_nominal is the exact number without its scales; sgd remembers nothing, and the engine
 * has no such optimizer. */
static void check_optimizers(const json_t *row) {
    static const struct {
        const char *key, *precision, *optimizer;
    } rows[] = {
        {"adamw_fp32", "fp32", "adamw"},
        {"adamw_bf16_states", "bf16", "adamw"},
        {"sgd_momentum", "fp32", "sgd-momentum"},
        {"lion", "mixed-bf16", "lion"},
        {"adamw_8bit_exact", "mixed-bf16", "adam8bit"},
        {"muon_momentum", "mixed-bf16", "muon"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t =
            trained("params=1e9 precision=%s optimizer=%s", rows[i].precision, rows[i].optimizer);
        check_part(row, rows[i].key, account_bytes_per_param(&t, ACCOUNT_MOMENTS));
    }
}

/* A model of one matrix: a tied embedding with no layer and no weights in its norm. */
static void check_adafactor(const json_t *row) {
    uint32_t rows = small(row, "inputs/rows"), columns = small(row, "inputs/cols");
    struct account_training t = trained("optimizer=adafactor precision=fp32");
    struct account_shape one = shape_of("olmo", 0, columns, 1, 1, rows);
    one.tied = true;
    give_shape(&t, one);
    assert_int_equal(t.params, (uint64_t)rows * columns);
    double bytes = (double)memory_of(&t).gpu.bytes[ACCOUNT_MOMENTS];
    same(row, bytes, "expected/bytes");
    same(row, bytes / (double)t.params, "expected/per_param");
}

/* The table prints rounded rows; its rule is in bytes a parameter: 18 with fp32 gradients, 8 in
 * bf16 alone, 2 of a frozen base. */
static void check_llamafactory(const json_t *row) {
    static const char *const trainings[] = {"recipe=megatron", "precision=bf16"};
    static const char *const printed[] = {"full_bf16_amp_GB", "pure_bf16_GB"};
    static const double rule[] = {18, 8};
    for (int i = 0; i < 2; i++) {
        struct account_training t = trained("params=7e9 %s", trainings[i]);
        near(row, "rule", rate(&t), rule[i], 0);
        double table = num(row, path("expected/%s/0", printed[i]));
        near(row, "table, of 7B", table / 7, rule[i], 0.08 * rule[i]);
    }
}

/* ── adapters ──────────────────────────────────────────────────────────────────────────────────*/

static double trainable(const struct account_training *t) {
    return (double)memory_of(t).gpu.bytes[ACCOUNT_GRADS] / 4; /* adapters have fp32 gradients */
}

/* Query goes from the hidden size to all heads, value to the key-value heads. */
static void check_lora(const json_t *row) {
    uint32_t h = small(row, "inputs/shapes/0/0"), query = small(row, "inputs/shapes/0/1"),
             value = small(row, "inputs/shapes/1/1");
    struct account_training t = trained("recipe=paper");
    struct account_shape s = shape_of("llama", small(row, "inputs/layers"), h, 1, 4 * h, 32000);
    s.head_size = 64;
    s.heads = query / 64;
    s.kv_heads = value / 64;
    give_shape(&t, s);
    set(&t, "lora=%u", small(row, "inputs/r"));
    same(row, trainable(&t), "expected/trainable");
}

static void check_lora_qwen(const json_t *row) {
    struct account_training t = trained("model=qwen2.5-3b lora=%u", small(row, "inputs/r"));
    double adapters = trainable(&t), all = (double)t.params + adapters;
    check_lora(row);
    same(row, adapters, "expected/trainable");
    same(row, all, "expected/all_params");
    near(row, "percent", 100 * adapters / all, num(row, "expected/trainable_pct"), 5e-5);
}

static void check_lora_states(const json_t *row) {
    struct account_training t = trained("model=llama-2-7b lora=8");
    near(row, "Ψ", (double)t.params, num(row, "inputs/params"), 0);
    double adapters = trainable(&t), all = states(&t);
    same(row, adapters, "expected/trainable");
    same(row, all, "expected/total_bytes");
    same(row, all - (double)memory_of(&t).gpu.bytes[ACCOUNT_PARAMS] + 4 * adapters,
         "expected/adapter_bytes");
    same(row, (double)memory_of(&t).gpu.bytes[ACCOUNT_PARAMS] - 4 * adapters,
         "expected/base_bytes");
}

/* Matrices alone, so that all of the base is quantized. */
static void check_qlora_bits(const json_t *row) {
    struct account_training t = trained("recipe=paper");
    give_shape(&t, matrices_only(32, 4096, 32));
    set(&t, "qlora=8");
    double base = (double)memory_of(&t).gpu.bytes[ACCOUNT_PARAMS] - 4 * trainable(&t);
    near(row, "bits", 8 * base / (double)t.params, num(row, "expected/bits_per_param"), 1e-6);
}

/* ── accelerate ────────────────────────────────────────────────────────────────────────────────*/

/* It prints the greatest of four stages. In fp32 that is the whole, because the last is their sum;
 * in 16 bits it is half of it. */
static void check_accelerate(const json_t *row) {
    bool full = strcmp(json_string_value(at(row, "inputs/dtype")), "float32") == 0;
    struct account_training t = trained("params=%.0f precision=%s", num(row, "inputs/params"),
                                        full ? "fp32" : "mixed-bf16");
    double printed = num(row, "expected/printed_bytes");
    near(row, "states", total(&t), full ? printed : 2 * printed, 0);
    near(row, "a parameter", rate(&t), 16, 0);
    if (!full) return;
    struct account_ledger l = memory_of(&t).gpu;
    same(row, (double)l.bytes[ACCOUNT_PARAMS], "expected/stages/model");
    same(row, (double)l.bytes[ACCOUNT_GRADS], "expected/stages/gradients");
    same(row, (double)l.bytes[ACCOUNT_MOMENTS], "expected/stages/optimizer");
    same(row, (double)l.total, "expected/stages/step");
}

const struct adapter oracle_states[] = {
    {"params.", REPRODUCED, check_params, NULL},
    {"opt.multiplier.", REPRODUCED, check_multiplier, NULL},
    {"opt.bytes.table", REPRODUCED, check_optimizers, NULL},
    {"opt.adafactor", REPRODUCED, check_adafactor, NULL},
    {"opt.llamafactory", EXPLAINED, check_llamafactory,
     "its authors call the table estimated, and it contradicts its own rule of 18, 8 and 2 bytes"},
    {"lora.states.", REPRODUCED, check_lora_states, NULL},
    {"lora.qwen2.5-3B", REPRODUCED, check_lora_qwen, NULL},
    {"lora.", REPRODUCED, check_lora, NULL},
    {"qlora.bits", REPRODUCED, check_qlora_bits, NULL},
    {"accelerate.", EXPLAINED, check_accelerate,
     "it prints the greatest of four stages and not their sum: half of the truth in 16 bits"},
    {NULL, REPRODUCED, NULL, NULL},
};
