/* The field language: "13e9 parameters, 8 × A100 80 GB, stage 2, micro-batch 1". Every field of the
 * engine by its name, its label or a word of the table below, its value behind it or before it;
 * models, cards and links by name. A word that means nothing is refused. */
#include "memo/reading.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ── the words ─────────────────────────────────────────────────────────────────────────────────*/
/* What a phrase says: a field and its value; without a value that stands behind or before it.
 * Patterns, as memo_behind() takes them. */
static const struct said {
    const char *field, *value, *words;
} said[] = {
    {"seq", NULL, "sequence/seq length/len|seqlen|context length?|ctx"},
    {"cp", NULL, "context parallelism/parallel"},
    {"tp", NULL, "tensor parallelism"},
    {"pp", NULL, "pipeline parallelism"},
    {"ep", NULL, "expert parallelism"},
    {"sp", "on", "sequence parallelism"},
    {"global", NULL, "global/train batch size?|gbs|sequence per/a step"},
    {"accumulate", NULL,
     "micro batches per/a step|micro batches|gradient? accumulation|grad accum"},
    {"batch", NULL, "micro batch size|microbatch size?|mbs|batch size per gpu"},
    {"stage", NULL, "zero? stage|zero"},
    {"stage", "0", "ddp"},
    {"lora", NULL, "lora rank/r?"},
    {"qlora", NULL, "qlora rank/r?"},
    {"lora_on", "all-linear", "all linear layer/module?"},
    {"lora_on", "query-value", "query and? value|q and? v"},
    {"shard_group", NULL, "hsdp"},
    {"efficiency", NULL, "mfu"},
    {"host", NULL, "host memory/ram"},
    {"nvme", NULL, "nvme memory"},
    {"precision", "bf16", "pure bf16|bf16 everywhere|bf16 without master weight?"},
    {"precision", "mixed-bf16", "bf16|bf16 with? fp32 master|bf16? mixed precision"},
    {"precision", "mixed-fp16", "fp16|fp16 with fp32 master|fp16 mixed precision"},
    {"precision", "fp32", "pure fp32"},
    {"grad_dtype", NULL, "gradient kept? in"},
    {"grad_dtype", "16bit", "bf16/fp16 gradient"},
    {"grad_dtype", "fp32", "fp32 gradient"},
    {"optimizer", "adam8bit", "8 bit adamw/adam"},
    {"optimizer", "adamw", "adam"},
    {"optimizer", "sgd-momentum", "sgd|sgd with momentum"},
    {"checkpoint", "none", "no/without activation? checkpointing/recomputation/recompute"},
    {"checkpoint", "full",
     "full activation? checkpointing/recomputation/recompute|activation "
     "checkpointing/recomputation"},
    {"checkpoint", "selective", "selective activation? checkpointing/recomputation/recompute"},
    {"offload_optimizer", NULL,
     "optimizer state? offloaded? to/on/in the?|offload/offloading the? optimizer state? to? the?"},
    {"offload_params", NULL,
     "parameter/weight offloaded? to/on/in the?|offload/offloading the? parameter/weight to? the?"},
    {"offload_optimizer", "host",
     "host/cpu offload of the? optimizer state?|optimizer state? on/in the? cpu"},
    {"offload_optimizer", "nvme", "nvme offload of the? optimizer state?"},
    {"none", "host", "no/without offload/offloading"},
    {"none", "nvme", "no nvme"},
};
static const char idle[] = "with/and/of/on/in/at/a/an/the/to/for/per/each/is/size/gpu/card/using/"
                           "nvidia/amd/step/one/way/rank/adapter/"
                           "model/weight/copy/training/over/token/memory/node/master/gpt";

/* ── values ────────────────────────────────────────────────────────────────────────────────────*/
static void set_bytes(struct memo_reader *r, uint64_t *out, double value, const char *at,
                      const char *end) {
    if (memo_within(r, at, end, value, 0, MEMO_MOST_BYTES, "bytes")) *out = (uint64_t)value;
}

/* What the engine has no field for. */
static bool set_limit(struct memo_reader *r, const char *name, double value, const char *at,
                      const char *end) {
    if (strcmp(name, "host") == 0) return set_bytes(r, &r->s->host_bytes, value, at, end), true;
    if (strcmp(name, "nvme") == 0) return set_bytes(r, &r->s->nvme_bytes, value, at, end), true;
    if (strcmp(name, "global") != 0) return false;
    if (memo_within(r, at, end, value, 1, 1e8, "sequences")) r->s->global_batch = (uint64_t)value;
    return true;
}

static const char *count_at(const struct memo_reader *r, const char *at, double *value) {
    struct account_figure f;
    const char *end = memo_figure_at(r, at, &f);
    bool count = end && (f.measure == ACCOUNT_FIGURE_NOTHING ||
                         f.measure == ACCOUNT_FIGURE_TOKENS || f.measure == ACCOUNT_FIGURE_TIMES);
    if (!count) return NULL;
    *value = f.low;
    if (end[-1] == 'k' && f.measure == ACCOUNT_FIGURE_NOTHING) *value *= 1.024;
    return end;
}

/* The value of a field, from `at` on: as many words as account_set() takes, or a count. Where it
 * ends; NULL if none is there. */
static const char *read_value(struct memo_reader *r, const char *field, const char *at) {
    struct account_figure f;
    struct account_training tried = r->s->training;
    double count;
    at = memo_skip(at);
    const char *ends[MEMO_NAME_WORDS], *end = memo_figure_at(r, at, &f);
    if (end && set_limit(r, field, f.low, at, end)) return end;
    bool kilo = end && strcmp(field, "seq") == 0; /* "2k" of a sequence is 2048 */
    for (size_t n = kilo ? 0 : memo_words_from(at, ends); n-- > 0;) {
        char text[MEMO_NAME_CAPACITY];
        snprintf(text, sizeof text, "%.*s", (int)(ends[n] - at), r->raw + (at - r->low));
        if (!account_set(&tried, field, text, NULL)) continue;
        memo_set_field(r, field, text, at, ends[n]);
        return ends[n];
    }
    end = count_at(r, at, &count);
    return end && memo_set_number(r, field, count, at, end) ? end : NULL;
}

/* ── words for fields ──────────────────────────────────────────────────────────────────────────*/
/* The field that the longest phrase at a place says: a row of the table, or the engine's own name
 * or label. */
static struct said said_at(const char *at, const char **end, bool *flag) {
    struct said found = {0};
    size_t count;
    const struct account_field *field = account_fields(&count);
    *end = at;
    *flag = false;
    for (size_t i = 0; i < BASE_COUNT(said); i++) {
        const char *behind = memo_behind(at, said[i].words);
        if (behind > *end) found = said[i], *end = behind;
    }
    for (size_t i = 0; i < count; i++) {
        char words[90];
        snprintf(words, sizeof words, "%s|%s", field[i].name, field[i].label);
        for (char *c = words; *c; c++) *c = strchr("_-", *c) ? ' ' : *c;
        const char *behind = memo_behind(at, words);
        if (behind <= *end) continue;
        found = (struct said){field[i].name, NULL, NULL}, *end = behind;
        *flag = field[i].choices && strcmp(field[i].choices->name(0), "off") == 0;
    }
    return found;
}

/* "adamw", "deepspeed", "mixed-bf16": a choice that names its own field. */
static bool read_choice(struct memo_reader *r) {
    static const char *const fields[] = {"precision", "optimizer", "recipe"};
    struct account_figure f;
    const char *end = NULL;
    for (size_t i = 0; i < BASE_COUNT(fields) && !end && !memo_figure_at(r, r->at, &f); i++)
        end = read_value(r, fields[i], r->at);
    if (end) r->at = end;
    return end != NULL;
}

/* "sequence 2048", "stage=2", "fp32 gradients", "sp", "no dropout". */
static bool read_named(struct memo_reader *r) {
    const char *end, *after = memo_behind(r->at, "no/without");
    bool flag;
    struct said s = said_at(after ? after : r->at, &end, &flag);
    if (after && flag) return r->at = end, memo_set_field(r, s.field, "off", after, end);
    if (after) s = said_at(r->at, &end, &flag);
    if (!s.field) return false;
    if (!s.words && strcmp(s.field, "batch") == 0 && memo_behind(end, "size"))
        return memo_refuse(r, r->at, end,
                           "is this the batch of one GPU, or of all GPUs? Write \"micro-batch 1\" "
                           "or \"global batch 64\"");
    after = s.value && memo_set_field(r, s.field, s.value, r->at, end) ? end : NULL;
    for (const char *of = end; !s.value && !after && of; of = memo_behind(end = of, "of/size/is"))
        after = read_value(r, s.field, of);
    if (!after && flag) after = memo_set_field(r, s.field, "on", r->at, end) ? end : NULL;
    if (!after && !r->failed && strcmp(s.field, "stage") != 0) return false;
    if (!after) return memo_refuse(r, r->at, end, "a value must follow it, as in stage 2");
    r->at = after;
    return true;
}

/* ── numbers first ─────────────────────────────────────────────────────────────────────────────*/
/* Few are a sequence, many are to be trained on in all. */
static void set_tokens(struct memo_reader *r, double value, const char *end) {
    if (value < 1e8)
        memo_set_number(r, "seq", value, r->at, end);
    else if (memo_within(r, r->at, end, value, 1, 1e17, "tokens"))
        r->s->tokens = (uint64_t)llround(value);
}

/* What its unit says a figure is. Where that ends; NULL if it says nothing. */
static const char *by_unit(struct memo_reader *r, const struct account_figure *f, const char *end) {
    const char *next;
    switch (f->measure) {
    case ACCOUNT_FIGURE_PARAMS:
        memo_set_number(r, "params", f->low, r->at, end);
        return (next = memo_behind(end, "parameter")) ? next : end;
    case ACCOUNT_FIGURE_TOKENS:
        set_tokens(r, f->low < 1e6 && f->scale >= 1e3 ? f->low * 1.024 : f->low, end);
        return end;
    case ACCOUNT_FIGURE_SHARES:
        memo_set_number(r, "efficiency", f->low, r->at, end);
        return (next = memo_behind(end, "of peak arithmetic?|mfu")) ? next : end;
    case ACCOUNT_FIGURE_SECONDS:
        if (f->scale < 3600 || !memo_within(r, r->at, end, f->low / 86400, 0, 1e6, "days"))
            return NULL;
        return r->s->days = f->low / 86400, end;
    case ACCOUNT_FIGURE_BYTES_PER_S: return memo_after_rate(r, end, f->low);
    case ACCOUNT_FIGURE_BYTES:
        if ((next = memo_behind(end, "of? host memory|of? ram")))
            return set_bytes(r, &r->s->host_bytes, f->low, r->at, end), next;
        if (r->s->training.card || !memo_size_at(r, r->at, &(double){0})) return NULL;
        return set_bytes(r, &r->s->card_bytes, f->low, r->at, end), end;
    default: return NULL;
    }
}

static void set_nics(struct memo_reader *r, double value, const char *end) {
    if (memo_within(r, r->at, end, value, 1, MEMO_MOST_NODES, "network cards")) r->nics = value;
}

/* "8 × …", "4096 ctx", "100GbE", "eight A100". */
static bool read_figure(struct memo_reader *r) {
    struct account_figure f;
    const char *end = memo_figure_at(r, r->at, &f), *next, *word;
    double value;
    bool flag;
    if (!end) return false;
    if (strncmp(end, "gbe", 3) == 0) { /* "100GbE" */
        r->s->training.net = memo_link_of("eth", f.low / 8 * 1e9);
        r->at = end + 3;
        return true;
    }
    if ((next = by_unit(r, &f, end))) return r->at = next, true;
    end = count_at(r, r->at, &value);
    if (!end) return false;
    const char *at = memo_skip(end), *times = *at == 'x' ? memo_skip(at + 1) : at;
    struct account_figure rate;
    /* "8 × 200 Gb/s NICs" */
    if (times > at && (next = memo_figure_at(r, times, &rate)) &&
        rate.measure == ACCOUNT_FIGURE_BYTES_PER_S)
        return set_nics(r, value, end), r->at = times, true;
    const char *kind;
    if ((next = memo_network_at(times, &kind))) return set_nics(r, value, end), r->at = next, true;
    if ((next = memo_counted_machine(r, times, value))) return r->at = next, true;
    struct said s = said_at((next = memo_behind(at, "way")) ? next : at, &word, &flag);
    if (!s.field || s.value || strcmp(s.field, "gpus") == 0 || memo_figure_at(r, word, &rate))
        return false;
    if (!set_limit(r, s.field, value, r->at, end)) memo_set_number(r, s.field, value, r->at, end);
    r->at = word;
    return !r->failed;
}

/* ── the whole ─────────────────────────────────────────────────────────────────────────────────*/
/* A machine without a number, "on a DGX A100", "A100 80 GB". */
static bool read_machine(struct memo_reader *r) {
    const struct account_card *card = NULL;
    const char *end = memo_machine_at(r, r->at, 1);
    if (!end && (end = memo_card_at(r, r->at, 0, &card))) r->s->training.card = card;
    if (end) r->at = end;
    return end != NULL;
}

static bool read_one(struct memo_reader *r) {
    if (memo_read_model(r) || read_machine(r) || memo_read_link(r) || read_figure(r) ||
        read_named(r) || read_choice(r))
        return true;
    const char *end = r->failed ? NULL : memo_behind(r->at, idle);
    if (end) r->at = end;
    return end != NULL;
}

/* GPUs, nodes and GPUs of a node: two of them say the third. */
static void settle_nodes(struct memo_reader *r) {
    struct account_training *t = &r->s->training;
    const char *end = r->nodes_at ? memo_word_end(r->nodes_at) : NULL;
    if (r->nodes_first && t->gpus) {
        t->gpus_per_node = t->gpus;
        memo_set_number(r, "gpus", t->gpus * r->nodes, r->nodes_at, end);
    } else if (r->nodes > t->gpus && t->gpus) {
        memo_refuse(r, r->nodes_at, end, "there are fewer GPUs than nodes");
    } else if (r->nodes > 1) {
        t->gpus_per_node = (uint32_t)(t->gpus / r->nodes);
    }
    if (r->per_node >= 1 && t->gpus == 0 && r->nodes >= 1)
        memo_set_number(r, "gpus", r->nodes * r->per_node, r->nodes_at, end);
    if (r->per_node >= 1 && (r->per_node <= t->gpus || t->gpus == 0))
        t->gpus_per_node = (uint32_t)r->per_node;
}

static void settle_machine(struct memo_reader *r) {
    struct account_training *t = &r->s->training;
    settle_nodes(r);
    if (r->nics < 1) return;
    account_assume_node(t);
    double share = t->gpus_per_node ? r->nics / t->gpus_per_node : 1;
    if (t->net.rate <= 0 || t->gpus_per_node >= t->gpus || share >= 1) return;
    t->net.rate *= share; /* the engine counts a GPU's own part of what leaves its node */
    t->net.wire *= share;
    t->net.name = NULL;
}

/* Small letters; signs, hyphens and wide blanks become blanks, so that places stay the same. */
static char *lowered(const char *text) {
    static const char *const wide[] = {"×", "–", "—", "\u00a0", "\u2009", "\u202f"};
    char *low = base_dup(text);
    for (char *c = low; *c; c++) {
        *c = *c == ';'                                ? ','
             : strchr("-_()[]{}*+=:\"'`|&\t\r\n", *c) ? ' '
                                                      : (char)tolower((unsigned char)*c);
        for (size_t i = 0; i < BASE_COUNT(wide); i++)
            if (strncmp(c, wide[i], strlen(wide[i])) == 0)
                memset(c, ' ', strlen(wide[i])), *c = i ? ' ' : 'x';
    }
    return low;
}

/* The word at which reading ended; behind a field's name that is the value it does not take. */
static bool refuse_rest(struct memo_reader *r) {
    const char *end, *value, *ends[MEMO_NAME_WORDS];
    bool flag;
    struct account_error e = {0};
    struct account_training tried = r->s->training;
    struct said s = said_at(r->at, &end, &flag);
    if (s.field && !s.value && memo_words_from(value = memo_skip(end), ends)) {
        char *word = base_format("%.*s", (int)(ends[0] - value), value);
        bool known = account_set(&tried, s.field, word, &e);
        free(word);
        if (!known && *e.what) return memo_refuse(r, value, ends[0], e.what);
    }
    /* "8 × Z900": not the count is unknown, but what is counted */
    double count;
    if ((value = count_at(r, r->at, &count))) {
        value = memo_skip(value);
        if (*value == 'x') value = memo_skip(value + 1);
        if (memo_words_from(value, ends)) r->at = value;
    }
    return memo_refuse(r, r->at, memo_word_end(r->at),
                       "unknown field, model, card or link: write for example \"stage 2\", "
                       "\"sequence 2048\" or \"8 × A100 80 GB\"");
}

bool memo_fields_read(const char *text, const char *of, struct memo_scenario *s,
                      struct base_message *m) {
    struct memo_reader r = {.raw = text, .s = s, .of = of, .why = m};
    if (strlen(text) > 2000)
        return base_fail(m, "%s has %zu bytes: write one line of at most 2000", of, strlen(text));
    r.low = lowered(text);
    /* A place in the one is the same place in the other. */
    assert(strlen(r.low) == strlen(text));
    for (r.at = r.low; *r.at && !r.failed;) {
        if (*r.at == ' ' || *r.at == ',' || *r.at == '.')
            r.at++;
        else if (!read_one(&r))
            refuse_rest(&r);
    }
    settle_machine(&r);
    free(r.low);
    return !r.failed;
}
