#include "account/draws.h"

#include <stdio.h>
#include <string.h>

/* Values of a field, parted by blanks; one that stands several times is likelier. A # is any
 * digit. */
struct row {
    const char *field;
    /* in so many of 16 trainings; the others leave it as it is */
    unsigned set;
    const char *words;
};

/* What the engine's field table has, a row each: never_drawn() finds what is missing here. `model`
 * and `params` come first, because little can be checked without them. */
static const struct row fields[] = {
    {"model", 14,
     "gpt2 gpt2 gpt2-medium gpt2-large gpt2-xl gpt2-xl gpt3-6.7b gpt3-175b megatron-22b "
     "megatron-1t llama-2-7b llama-2-7b "
     "llama-2-13b llama-2-70b llama-3-8b llama-3.1-405b llama-3.2-1b mistral-7b mixtral-8x7b "
     "mixtral-8x7b mixtral-8x22b "
     "qwen2.5-0.5b qwen2.5-72b qwen3-8b qwen3-30b-a3b qwen3-235b-a22b gemma-2b gemma-2-9b "
     "gemma-3-1b phi-2 phi-4 "
     "olmo-7b olmo-2-7b olmoe-1b-7b opt-6.7b pythia-1.4b gpt-neox-20b falcon-7b falcon-40b "
     "bloom-176b starcoder2-7b"},
    {"params", 3, "#B 1#B ##.#B ###M 124439808 1##### ###### #########7 7 1#e9 1T"},
    {"gpus", 15, "1 2 4 8 8 16 16 32 64 64 128 256 512 1024 3 6 12 24 48 96 7 100 2048 1##"},
    {"gpus_per_node", 10, "8 8 8 8 4 2 1 16 72 6 0 3"},
    {"gpu", 11,
     "a100-40g a100-80g a100-80g a100-pcie-80g h100-80g h100-80g h200 b200 gb200 l4 l40s rtx-4090 "
     "v100-32g t4 mi300x none"},
    {"stage", 14, "0 1 1 2 2 3 3 3"},
    {"precision", 8, "mixed-bf16 mixed-fp16 mixed-fp16 bf16 bf16 fp32 fp32"},
    {"optimizer", 8, "adamw adam8bit adam8bit adafactor sgd-momentum lion muon"},
    {"recipe", 14, "paper paper ddp deepspeed deepspeed fsdp1 fsdp2 megatron llm.c llm.c zerolab"},
    {"grad_dtype", 4, "auto 16bit fp32 fp32"},
    {"reduce_dtype", 4, "auto 16bit fp32 fp32"},
    {"lora", 2, "1 4 8 16 64 ###"},
    {"qlora", 2, "1 4 8 16 64 ###"},
    {"batch", 11, "1 1 1 2 2 4 8 16 3 32"},
    {"seq", 11, "1024 2048 2048 4096 4096 8192 512 131072 1000 1### 1"},
    {"accumulate", 7, "1 2 4 8 16 3 1##"},
    {"checkpoint", 8, "none selective full full"},
    {"flash", 6, "off off on"},
    {"dropout", 5, "on on off"},
    {"tp", 5, "2 2 4 8 1 3 16"},
    {"pp", 5, "2 2 4 8 1 3 12"},
    {"cp", 4, "2 2 4 1 8"},
    {"ep", 8, "2 4 8 1 16"},
    {"interleave", 4, "2 2 3 4 1"},
    {"sp", 6, "on on off"},
    {"shard_group", 4, "8 8 4 2 16 1 6 0"},
    {"hpz", 3, "8 4 2 1 0"},
    {"qwz", 3, "on on off"},
    {"qgz", 3, "on on off"},
    {"offload_optimizer", 4, "host host nvme none"},
    {"offload_params", 4, "host host nvme none"},
    {"bucket", 5, "25MB 5e8 2e8 1MB 100MiB 1e6 1###### 0 #e7 64KB"},
    {"prefetch", 5, "0 0 1 2 2 3 8"},
    {"link", 5, "nvlink2 nvlink3 nvlink4 nvlink5 pcie4 pcie5 xgmi-mi300x 300GB/s 2##GB/s auto"},
    {"net", 5, "ib-hdr ib-ndr ib-xdr eth-100g eth-10g efa-p5 25GB/s 4##Gb/s auto"},
    {"efficiency", 5, "0.4 0.3# 0.5# 45% 1 0.0#5"},
    {"lora_on", 12, "all-linear all-linear query-value"},
};
#define FIELDS (sizeof fields / sizeof *fields)
/* The rows from here on are younger than the first digests: only trainings that had none then have
 * them, so that those before are drawn as they were. */
#define YOUNG   (FIELDS - 1)
#define SETTLED 10000

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/

/* One of `words` with a digit for each #. */
static void draw_word(uint64_t *seed, const char *words, char *out, size_t size) {
    size_t count = 1, length;
    for (const char *s = words; *s; s++) count += *s == ' ';
    for (size_t skip = chance(seed) % count; skip > 0; skip--) words = strchr(words, ' ') + 1;
    length = strcspn(words, " ");
    assert_true(length < size);
    for (size_t i = 0; i < length; i++)
        out[i] = words[i] == '#' ? (char)('0' + chance(seed) % 10) : words[i];
    out[length] = '\0';
}

static bool has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (;; words = strchr(words, ' ') + 1) {
        if (strcspn(words, " ") == length && strncmp(words, word, length) == 0) return true;
        if (!strchr(words, ' ')) return false;
    }
}

const char *never_drawn(void) {
    static char missing[80];
    size_t count;
    const struct account_field *all = account_fields(&count);
    for (size_t i = 0; i < count; i++) {
        size_t row = 0;
        while (row < FIELDS && strcmp(fields[row].field, all[i].name) != 0) row++;
        if (row == FIELDS) return all[i].name;
        const char *name;
        for (size_t j = 0; all[i].choices && (name = all[i].choices->name(j)); j++) {
            if (has_word(fields[row].words, name)) continue;
            snprintf(missing, sizeof missing, "%s=%s", all[i].name, name);
            return missing;
        }
    }
    return NULL;
}

/* ── trainings ─────────────────────────────────────────────────────────────────────────────────*/

static uint32_t one_number(uint64_t *seed, const char *words) {
    char word[24];
    unsigned long n = 0;
    draw_word(seed, words, word, sizeof word);
    for (const char *s = word; *s; s++) n = 10 * n + (unsigned long)(*s - '0');
    return (uint32_t)n;
}

/* A shape that no catalogue has, as a config.json might give it; now and then one that cannot
 * be. */
static struct account_shape drawn_shape(uint64_t *seed) {
    static const char families[] =
        "gpt gpt gpt llama llama qwen qwen3 neox opt mixtral mixtral gemma "
        "gemma2 gemma3 phi phi3 falcon falcon2 bloom olmo olmo2 starcoder2";
    struct account_shape s = {.tied = chance(seed) % 2};
    char family[16];
    draw_word(seed, families, family, sizeof family);
    assert_true(account_family_find(family, &s.family));
    s.heads = one_number(seed, "1 2 4 8 12 16 32 64 25");
    s.kv_heads = chance(seed) % 2 ? s.heads : one_number(seed, "1 2 4 8");
    s.head_size = one_number(seed, "64 64 128 128 32 80 8 256");
    s.hidden = chance(seed) % 4 ? s.heads * s.head_size : one_number(seed, "1024 768 5##");
    s.layers = one_number(seed, "1 2 4 6 12 24 32 48 80 1#");
    s.ffn = chance(seed) % 2 ? 4 * s.hidden : one_number(seed, "1024 11008 2### 7#");
    s.vocab = one_number(seed, "50257 32000 128256 256 1#### 5");
    s.context = one_number(seed, "1024 2048 4096 131072 0");
    if (strcmp(family, "mixtral") != 0 && chance(seed) % 16) return s;
    s.experts = one_number(seed, "4 8 8 16 64 60");
    s.experts_active = one_number(seed, "1 2 2 4 8");
    s.expert_ffn = one_number(seed, "1024 14336 768 1###");
    return s;
}

static void draw_size(struct account_training *t, uint64_t *seed) {
    if (chance(seed) % 4) return;
    t->model = NULL;
    t->shape = drawn_shape(seed);
    t->params = account_count_params(&t->shape);
}

static void draw_field(struct account_training *t, const struct row *row, bool keeps,
                       uint64_t *seed) {
    char word[32];
    struct account_error e = {0};
    struct account_training before = *t;
    if (chance(seed) % 16 >= row->set) return;
    draw_word(seed, row->words, word, sizeof word);
    if (!account_set(t, row->field, word, &e)) fail_msg("%s=%s: %s", row->field, word, e.what);
    if (!keeps && account_check(&before, NULL) && !account_check(t, NULL)) *t = before;
}

struct account_training drawn_training(uint64_t number) {
    uint64_t seed = number * 2 + 1;
    struct account_training t = account_training_default();
    bool keeps = chance(&seed) % 4 == 0, backwards = chance(&seed) % 2;
    draw_field(&t, &fields[0], true, &seed);
    draw_field(&t, &fields[1], true, &seed);
    draw_size(&t, &seed);
    if (t.params == 0 && !keeps) account_set(&t, "model", "gpt2", NULL);
    for (size_t i = 2; i < YOUNG; i++)
        draw_field(&t, &fields[backwards ? YOUNG + 1 - i : i], keeps, &seed);
    for (size_t i = YOUNG; number >= SETTLED && i < FIELDS; i++)
        draw_field(&t, &fields[i], keeps, &seed);
    return t;
}

/* ── problems and answers ──────────────────────────────────────────────────────────────────────*/

static const struct {
    const char *kind, *quantities, *units;
} kinds[] = {
    {"bytes",
     "model_state model_state optimizer total params grads master moments params+grads activations "
     "gather",
     "GB GB GiB MB MiB B"},
    {"bytes_per_param", "model_state optimizer params+grads grads+master", "B/param"},
    {"largest_params", "model_state total", "billion"},
    {"fewest_gpus", "model_state total", "GPUs"},
    {"convert", "total", "GB GiB MB TiB"},
    {"traffic", "total all_reduce reduce_scatter all_gather all_to_all p2p inside between offload",
     "GB GiB MB"},
    {"volume", "total", ""},
    {"seconds", "total total all_reduce all_gather reduce_scatter offload p2p all_to_all", "s ms"},
    {"activations", "total layer layers working logits checkpoints", "GB GiB MB"},
    {"peak", "total total gather reduce activations grads workspace", "GB GiB MB"},
    {"host", "host nvme", "GB GiB"},
    {"shard", "size first real padding", ""},
};

static void set_word(struct account_problem *p, const char *field, const char *words,
                     uint64_t *seed) {
    char word[32];
    struct account_error e = {0};
    draw_word(seed, words, word, sizeof word);
    if (*word && !account_problem_set(p, field, word, &e))
        fail_msg("%s=%s: %s", field, word, e.what);
}

struct account_problem drawn_problem(const struct account_training *t, uint64_t *seed) {
    size_t k = chance(seed) % (sizeof kinds / sizeof *kinds);
    struct account_problem p = account_problem_default();
    p.training = *t;
    set_word(&p, "kind", kinds[k].kind, seed);
    set_word(&p, "quantity", kinds[k].quantities, seed);
    if (chance(seed) % 2) set_word(&p, "unit", kinds[k].units, seed);
    if (chance(seed) % 8 == 0) set_word(&p, "per", "cluster gpu", seed);
    if (chance(seed) % 2 || strcmp(kinds[k].kind, "convert") == 0)
        set_word(&p, "budget", "80GB 40GiB 24GB 141GB 1MB 1##KB", seed);
    if (chance(seed) % 4 == 0) set_word(&p, "tolerance", "0.01 0.001 0.05", seed);
    if (chance(seed) % 2) set_word(&p, "rank", "1 3 7 ##", seed);
    return p;
}

void drawn_answer(uint64_t *seed, char *out, size_t size) {
    static const char words[] =
        "##.#GB ##GiB #.##e9 ###M 13B 2*#e9/## about_##.#_GB ~#_TB 16×7.5e9 "
        "(2+2+12)*#B #/0 1,###,### #,###_GB #.###_GB 1#,### 1.###,## ##% ##_ms #.#s "
        "twelve_and_a_half_GB "
        "sixteen ##GB/s 400_Gb/s 2_+_2_=_4 ## 0 -# ##-##_GB #k_tokens/s #^#^# ((# "
        "###_MB_+_#_GB ##_B/param 1.5x #_GPUs x 1e## ##B×##÷##";
    draw_word(seed, words, out, size);
    for (char *s = out; *s; s++)
        if (*s == '_') *s = ' ';
}
