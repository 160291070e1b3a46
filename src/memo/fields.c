/* The field language: "13e9 parameters, 8 × A100 80 GB, stage 2, micro-batch 1". Every field of the engine by its name, its label or a word
 * of the table below, its value behind it or before it; models, cards and links by name. A word that means nothing is refused. */
#include "memo/reading.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ── the words ───────────────────────────────────────────────────────────────────────────────────*/
/* Words for a field and its value; without a value a number stands behind or before them. The longer of two that begin alike comes first. */
static const struct said {
    const char *words, *field, *value;
} said[] = {
    {"sequence length",               "seq",               NULL          },
    {"seq length",                    "seq",               NULL          },
    {"seq len",                       "seq",               NULL          },
    {"seqlen",                        "seq",               NULL          },
    {"context length",                "seq",               NULL          },
    {"context parallel",              "cp",                NULL          },
    {"context",                       "seq",               NULL          },
    {"ctx",                           "seq",               NULL          },
    {"global batch size",             "global",            NULL          },
    {"global batch",                  "global",            NULL          },
    {"train batch size",              "global",            NULL          },
    {"gbs",                           "global",            NULL          },
    {"sequences per step",            "global",            NULL          },
    {"sequences a step",              "global",            NULL          },
    {"micro batches per step",        "accumulate",        NULL          },
    {"micro batches a step",          "accumulate",        NULL          },
    {"micro batches",                 "accumulate",        NULL          },
    {"micro batch size",              "batch",             NULL          },
    {"microbatch size",               "batch",             NULL          },
    {"microbatch",                    "batch",             NULL          },
    {"mbs",                           "batch",             NULL          },
    {"batch size per gpu",            "batch",             NULL          },
    {"gradient accumulation",         "accumulate",        NULL          },
    {"accumulation",                  "accumulate",        NULL          },
    {"grad accum",                    "accumulate",        NULL          },
    {"zero stage",                    "stage",             NULL          },
    {"stage",                         "stage",             NULL          },
    {"zero",                          "stage",             NULL          },
    {"ddp",                           "stage",             "0"           },
    {"lora rank",                     "lora",              NULL          },
    {"lora r",                        "lora",              NULL          },
    {"qlora rank",                    "qlora",             NULL          },
    {"hsdp",                          "shard_group",       NULL          },
    {"mfu",                           "efficiency",        NULL          },
    {"host memory",                   "host",              NULL          },
    {"host ram",                      "host",              NULL          },
    {"nvme memory",                   "nvme",              NULL          },
    {"pure bf16",                     "precision",         "bf16"        },
    {"bf16 everywhere",               "precision",         "bf16"        },
    {"bf16 without master weights",   "precision",         "bf16"        },
    {"bf16 fp32 master",              "precision",         "mixed-bf16"  },
    {"bf16 with fp32 master",         "precision",         "mixed-bf16"  },
    {"bf16 mixed precision",          "precision",         "mixed-bf16"  },
    {"mixed precision",               "precision",         "mixed-bf16"  },
    {"bf16 gradients",                "grad_dtype",        "16bit"       },
    {"fp16 with fp32 master",         "precision",         "mixed-fp16"  },
    {"fp16",                          "precision",         "mixed-fp16"  },
    {"bf16",                          "precision",         "mixed-bf16"  },
    {"pure fp32",                     "precision",         "fp32"        },
    {"fp32 gradients",                "grad_dtype",        "fp32"        },
    {"8 bit adamw",                   "optimizer",         "adam8bit"    },
    {"8 bit adam",                    "optimizer",         "adam8bit"    },
    {"adam",                          "optimizer",         "adamw"       },
    {"sgd with momentum",             "optimizer",         "sgd-momentum"},
    {"sgd",                           "optimizer",         "sgd-momentum"},
    {"no flash attention",            "flash",             "off"         },
    {"without flash attention",       "flash",             "off"         },
    {"no activation checkpointing",   "checkpoint",        "none"        },
    {"no checkpointing",              "checkpoint",        "none"        },
    {"without checkpointing",         "checkpoint",        "none"        },
    {"full activation checkpointing", "checkpoint",        "full"        },
    {"full checkpointing",            "checkpoint",        "full"        },
    {"full recompute",                "checkpoint",        "full"        },
    {"activation checkpointing",      "checkpoint",        "full"        },
    {"selective checkpointing",       "checkpoint",        "selective"   },
    {"selective recompute",           "checkpoint",        "selective"   },
    {"optimizer on the host",         "offload_optimizer", "host"        },
    {"optimizer on nvme",             "offload_optimizer", "nvme"        },
    {"parameters on the host",        "offload_params",    "host"        },
    {"parameters on nvme",            "offload_params",    "nvme"        },
    {"no offload",                    "none",              "host"        },
    {"without offload",               "none",              "host"        },
    {"no nvme",                       "none",              "nvme"        },
};
static const char *const idle[] = {
    "with",    "and",  "of",       "on",   "in",     "at",     "a",    "an",   "the",    "to",
    "for",     "per",  "each",     "is",   "size",   "gpu",    "gpus", "card", "cards",  "using",
    "nvidia",  "amd",  "steps",    "one",  "query",  "value",  "q",    "v",    "model",  "models",
    "weights", "copy", "training", "over", "tokens", "memory", "node", "step", "master", "gpt"};

/* Behind these words, parted by white space, the last perhaps with an s; NULL if they do not stand here. */
const char *memo_behind(const char *s, const char *words) {
    for (;; words++) {
        size_t n = strcspn(words, " ");
        if (strncasecmp(s, words, n) != 0) return NULL;
        s += n;
        words += n;
        if (!*words && *s == 's' && !isalnum((unsigned char)s[1])) s++;
        if (isalnum((unsigned char)*s)) return NULL;
        if (!*words) return s;
        s += strspn(s, " ");
    }
}

const char *memo_skip(const char *s) {
    return s + strspn(s, " ");
}

const char *memo_word_end(const char *s) {
    size_t n = strcspn(s, " ,");
    while (s[n] == ',' && isdigit((unsigned char)s[n + 1]) && n &&
           isdigit((unsigned char)s[n - 1]) && strspn(s + n + 1, "0123456789") == 3)
        n += 1 + strcspn(s + n + 1, " ,");
    return s + n;
}

/* ── refusing ────────────────────────────────────────────────────────────────────────────────────*/
static bool refuse(struct memo_reader *r, const char *at, const char *end, const char *why) {
    const char *from = r->raw + (at - r->low);
    char *word = base_clean_dup(from, (size_t)(end - at), 40);
    if (!r->failed)
        base_fail(r->why, "%s says \"%s\" at column %d: %s", r->of, word, memo_column(r->raw, from),
                  why);
    r->failed = true;
    free(word);
    return false;
}

/* ── values ──────────────────────────────────────────────────────────────────────────────────────*/
bool memo_fits_count(double value) {
    return value >= 1 && value <= 100e6;
}
bool memo_fits_bytes(double value) {
    return value >= 0 && value < 1e18; /* an exabyte: sums of several still fit 64 bits */
}
static uint64_t bytes_or_none(double value) {
    return memo_fits_bytes(value) ? (uint64_t)value : 0;
}

/* What the engine has no field for. */
static bool set_limit(struct memo_reader *r, const char *name, double value) {
    if (strcmp(name, "global") == 0)
        r->s->global_batch = memo_fits_count(value) ? (uint64_t)value : 0;
    else if (strcmp(name, "host") == 0)
        r->s->host_bytes = bytes_or_none(value);
    else if (strcmp(name, "nvme") == 0)
        r->s->nvme_bytes = bytes_or_none(value);
    else
        return false;
    return true;
}

bool memo_set_field(struct memo_reader *r, const char *field, const char *value, const char *from,
                    const char *end) {
    struct account_error e = {0};
    if (strcmp(field, "none") == 0) {
        r->s->no_nvme = true;
        if (strcmp(value, "host") == 0) {
            r->s->no_host = true;
            r->s->training.offload_optimizer = r->s->training.offload_params = ACCOUNT_GPU;
        }
        return true;
    }
    uint64_t params = r->s->training.params;
    if (!account_set(&r->s->training, field, value, &e)) return refuse(r, from, end, e.what);
    if (strcmp(field, "model") == 0 && r->params) r->s->training.params = params;
    if (strcmp(field, "params") == 0) r->params = true;
    if (strcmp(field, "recipe") == 0) memo_name_recipe(r->s);
    return true;
}

/* The figure at a place of the text, in whichever unit; where it ends. */
const char *memo_figure_at(const struct memo_reader *r, const char *at, struct account_figure *f) {
    const char *from = r->raw + (at - r->low), *end = account_read_figure(from, f);
    return end && !f->hedged ? r->low + (end - r->raw) : NULL;
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

/* The value of a field, from `at` on: one word or two, as account_set() takes them, or a count. Where it ends; NULL if none is there. */
static const char *read_value(struct memo_reader *r, const char *field, const char *at) {
    struct account_figure f;
    struct account_training trial = r->s->training;
    double count;
    at = memo_skip(at);
    const char *one = memo_word_end(at), *two = memo_word_end(memo_skip(one)),
               *end = memo_figure_at(r, at, &f);
    if (end && set_limit(r, field, f.low)) return end;
    bool kilo = end && strcmp(field, "seq") == 0; /* "2k" of a sequence is 2048 */
    for (int words = kilo ? 0 : 2; words > 0; words--) {
        const char *stop = words == 2 ? two : one;
        char text[64];
        if (stop == at || (words == 2 && stop == one)) continue;
        snprintf(text, sizeof text, "%.*s", (int)(stop - at), r->raw + (at - r->low));
        if (!account_set(&trial, field, text, NULL)) continue;
        memo_set_field(r, field, text, at, stop);
        return stop;
    }
    if (!(end = count_at(r, at, &count)) || !memo_fits_count(count)) return NULL;
    char text[32];
    snprintf(text, sizeof text, "%.0f", count);
    return memo_set_field(r, field, text, at, end) ? end : NULL;
}

/* ── words for fields ────────────────────────────────────────────────────────────────────────────*/
static const struct said *said_at(const char *at, const char **end) {
    for (size_t i = 0; i < BASE_COUNT(said); i++)
        if ((*end = memo_behind(at, said[i].words))) return &said[i];
    return NULL;
}

/* The engine's own names and labels. */
static const char *field_at(const char *at, const char **end, bool *flag) {
    size_t count;
    const struct account_field *field = account_fields(&count);
    for (size_t i = 0; i < count; i++) {
        char name[40], label[40];
        snprintf(name, sizeof name, "%s", field[i].name);
        snprintf(label, sizeof label, "%s", field[i].label);
        for (char *c = name; *c; c++)
            if (*c == '_') *c = ' ';
        for (char *c = label; *c; c++)
            if (*c == '-') *c = ' ';
        *flag = field[i].choices && strcmp(field[i].choices, "off|on") == 0;
        if ((*end = memo_behind(at, name)) || (*end = memo_behind(at, label))) return field[i].name;
    }
    return NULL;
}

/* "adamw", "deepspeed", "mixed-bf16": a choice that names its own field. */
static bool read_choice(struct memo_reader *r) {
    static const char *const fields[] = {"precision", "optimizer", "recipe"};
    const char *end = memo_word_end(r->at), *two = memo_word_end(memo_skip(end));
    for (size_t i = 0; i < BASE_COUNT(fields); i++)
        for (int words = 2; words > 0; words--) {
            struct account_training trial;
            char text[40];
            const char *stop = words == 2 ? two : end;
            snprintf(text, sizeof text, "%.*s", (int)(stop - r->at), r->raw + (r->at - r->low));
            if (!account_set(&trial, fields[i], text, NULL)) continue;
            memo_set_field(r, fields[i], text, r->at, stop);
            r->at = stop;
            return true;
        }
    return false;
}

/* "sequence 2048", "stage=2", "fp32 gradients", "sp". */
static bool read_named(struct memo_reader *r) {
    const char *end = NULL, *after;
    bool flag = false;
    const struct said *s = said_at(r->at, &end);
    const char *name = s ? s->field : field_at(r->at, &end, &flag);
    if (!name) return false;
    if (!s && strcmp(name, "batch") == 0 && memo_behind(memo_skip(end), "size"))
        return refuse(
            r, r->at, end,
            "is that of one GPU or of all? Write \"micro-batch 1\" or \"global batch 64\"");
    if (s && s->value) {
        after = end;
        memo_set_field(r, name, s->value, r->at, end);
    } else {
        after = read_value(r, name, end);
        if (!after && flag) after = memo_set_field(r, name, "on", r->at, end) ? end : NULL;
        for (const char *of; !after && ((of = memo_behind(memo_skip(end), "of")) ||
                                        (of = memo_behind(memo_skip(end), "size")) ||
                                        (of = memo_behind(memo_skip(end), "is")));)
            after = read_value(r, name, end = of);
    }
    if (!after && !r->failed && strcmp(name, "stage") != 0) return false;
    if (!after) return refuse(r, r->at, end, "a value belongs behind it, as in stage 2");
    r->at = after;
    return true;
}

/* ── numbers first ───────────────────────────────────────────────────────────────────────────────*/
static void set_tokens(struct memo_reader *r, double value) {
    if (value >= 1e8 && value < 1e17)
        r->s->tokens = (uint64_t)llround(value);
    else if (memo_fits_count(value))
        r->s->training.seq = (uint32_t)value;
}

/* What its unit says a figure is. Where that ends; NULL if it says nothing. */
static const char *by_unit(struct memo_reader *r, const struct account_figure *f, const char *end) {
    static const char *const host[] = {"of host memory", "host memory", "of ram", "ram", NULL},
                             *const shares[] = {"of peak arithmetic", "of peak", "mfu", NULL};
    const char *next, *at = memo_skip(end);
    switch (f->measure) {
    case ACCOUNT_FIGURE_PARAMS:
        if (!(f->low >= 1e3 && f->low <= 1e16)) return NULL;
        r->s->training.params = (uint64_t)llround(f->low);
        r->params = true;
        return (next = memo_behind(at, "parameter")) ? next : end;
    case ACCOUNT_FIGURE_TOKENS:
        set_tokens(r, f->low < 1e6 && f->scale >= 1e3 ? f->low * 1.024 : f->low);
        return end;
    case ACCOUNT_FIGURE_SHARES:
        if (f->low > 0 && f->low <= 1) r->s->training.efficiency = f->low;
        return (next = memo_any(at, shares)) ? next : end;
    case ACCOUNT_FIGURE_SECONDS: r->s->days = f->low / 86400; return f->scale >= 3600 ? end : NULL;
    case ACCOUNT_FIGURE_BYTES_PER_S: return memo_after_rate(r, at, f->low);
    case ACCOUNT_FIGURE_BYTES:
        if (!(next = memo_any(at, host)))
            return memo_size_at(r, r->at, &(double){0}) && !r->s->training.card
                       ? (r->s->card_bytes = bytes_or_none(f->low), end)
                       : NULL;
        r->s->host_bytes = bytes_or_none(f->low);
        return next;
    default: return NULL;
    }
}

/* "8 × …", "4096 ctx", "100GbE", "eight A100". */
static bool read_figure(struct memo_reader *r) {
    struct account_figure f;
    const char *end = memo_figure_at(r, r->at, &f), *next, *word;
    double value;
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
    if (times > at && (next = memo_figure_at(r, times, &rate)) &&
        rate.measure == ACCOUNT_FIGURE_BYTES_PER_S)
        return r->nics = value, r->at = times, true; /* "8 × 200 Gb/s NICs" */
    const char *kind;
    if ((next = memo_network_at(times, &kind))) return r->nics = value, r->at = next, true;
    if ((next = memo_counted_machine(r, times, value))) return r->at = next, true;
    const struct said *s = said_at(at, &word);
    bool flag;
    const char *field = s ? (s->value ? NULL : s->field) : field_at(at, &word, &flag);
    if (!field || strcmp(field, "gpus") == 0 || memo_figure_at(r, memo_skip(word), &rate))
        return false;
    char text[32];
    snprintf(text, sizeof text, "%.0f", value);
    if (!set_limit(r, field, value)) memo_set_field(r, field, text, r->at, word);
    r->at = word;
    return !r->failed;
}

/* ── the whole ───────────────────────────────────────────────────────────────────────────────────*/
/* A machine without a number, "on a DGX A100", "A100 80 GB". */
static bool read_machine(struct memo_reader *r) {
    const struct account_card *card = NULL;
    const char *end = memo_machine_at(r, r->at, 1);
    if (!end && (end = memo_card_at(r, r->at, 0, &card))) r->s->training.card = card;
    if (end) r->at = end;
    return end != NULL;
}

static bool read_idle(struct memo_reader *r) {
    const char *end = NULL;
    for (size_t i = 0; i < BASE_COUNT(idle) && !end; i++) end = memo_behind(r->at, idle[i]);
    if (end) r->at = end;
    return end != NULL;
}

static bool read_one(struct memo_reader *r) {
    return memo_read_model(r) || read_machine(r) || memo_read_link(r) || read_figure(r) ||
           read_named(r) || read_choice(r) || (!r->failed && read_idle(r));
}

static void settle_machine(struct memo_reader *r) {
    struct account_training *t = &r->s->training;
    if (r->nodes_first && r->nodes * t->gpus <= 1e6) {
        t->gpus_per_node = t->gpus;
        t->gpus = (uint32_t)(t->gpus * r->nodes);
    } else if (r->nodes > 1) {
        t->gpus_per_node = (uint32_t)(t->gpus / r->nodes);
    }
    if (r->per_node >= 1 && t->gpus == 0 && r->nodes >= 1)
        t->gpus = (uint32_t)fmin(r->nodes * r->per_node, 1e6);
    if (r->per_node >= 1 && (r->per_node <= t->gpus || t->gpus == 0))
        t->gpus_per_node = (uint32_t)fmin(r->per_node, 1e6);
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

bool memo_fields_read(const char *text, const char *of, struct memo_scenario *s,
                      struct base_message *m) {
    struct memo_reader r = {.raw = text, .s = s, .of = of, .why = m};
    if (strlen(text) > 2000)
        return base_fail(m, "%s has %zu bytes: one line of at most 2000 says it", of, strlen(text));
    r.low = lowered(text);
    for (r.at = r.low; *r.at && !r.failed;) {
        if (*r.at == ' ' || *r.at == ',' || *r.at == '.')
            r.at++;
        else if (!read_one(&r))
            refuse(&r, r.at, memo_word_end(r.at),
                   "no field, model, card or link is called so; write for example \"stage 2\", "
                   "\"sequence 2048\" or \"8 × A100 80 GB\"");
    }
    settle_machine(&r);
    free(r.low);
    return !r.failed;
}
