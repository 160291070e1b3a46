/* The field language: "13e9 parameters, 8 × A100 80 GB, stage 2, micro-batch 1". Every field of the engine by its name, its label or a word
 * of the table below, its value behind it or before it; models, cards and links by name. A word that means nothing is refused. */
#include "memo/inside.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *raw;
    char *low; /* as long as `raw`: small letters, signs and hyphens blank */
    const char *at;
    struct memo_scenario *s;
    const char *of; /* "the scenario" */
    struct base_message *why;
    double nodes, per_node, nics; /* 0: not said */
    bool nodes_first, params, failed;
};

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
static const char *behind(const char *s, const char *words) {
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

static const char *skip(const char *s) {
    return s + strspn(s, " ");
}

static const char *word_end(const char *s) {
    size_t n = strcspn(s, " ,");
    while (s[n] == ',' && isdigit((unsigned char)s[n + 1]) && n &&
           isdigit((unsigned char)s[n - 1]) && strspn(s + n + 1, "0123456789") == 3)
        n += 1 + strcspn(s + n + 1, " ,");
    return s + n;
}

/* ── refusing ────────────────────────────────────────────────────────────────────────────────────*/
static bool refuse(struct reader *r, const char *at, const char *end, const char *why) {
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
static bool fits_count(double value) {
    return value >= 1 && value <= 100e6;
}

/* What the engine has no field for. */
static bool set_limit(struct reader *r, const char *name, double value) {
    if (strcmp(name, "global") == 0)
        r->s->global_batch = fits_count(value) ? (uint64_t)value : 0;
    else if (strcmp(name, "host") == 0)
        r->s->host_bytes = value < 1e18 ? (uint64_t)value : 0;
    else if (strcmp(name, "nvme") == 0)
        r->s->nvme_bytes = value < 1e18 ? (uint64_t)value : 0;
    else
        return false;
    return true;
}

static bool set_field(struct reader *r, const char *field, const char *value, const char *from,
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
static const char *figure_at(const struct reader *r, const char *at, struct account_figure *f) {
    const char *from = r->raw + (at - r->low), *end = account_read_figure(from, f);
    return end && !f->hedged ? r->low + (end - r->raw) : NULL;
}

static const char *count_at(const struct reader *r, const char *at, double *value) {
    struct account_figure f;
    const char *end = figure_at(r, at, &f);
    bool count = end && (f.measure == ACCOUNT_FIGURE_NOTHING ||
                         f.measure == ACCOUNT_FIGURE_TOKENS || f.measure == ACCOUNT_FIGURE_TIMES);
    if (!count) return NULL;
    *value = f.low;
    if (end[-1] == 'k' && f.measure == ACCOUNT_FIGURE_NOTHING) *value *= 1.024;
    return end;
}

/* The value of a field, from `at` on: one word or two, as account_set() takes them, or a count. Where it ends; NULL if none is there. */
static const char *read_value(struct reader *r, const char *field, const char *at) {
    struct account_figure f;
    struct account_training trial = r->s->training;
    double count;
    at = skip(at);
    const char *one = word_end(at), *two = word_end(skip(one)), *end = figure_at(r, at, &f);
    if (end && set_limit(r, field, f.low)) return end;
    bool kilo = end && strcmp(field, "seq") == 0; /* "2k" of a sequence is 2048 */
    for (int words = kilo ? 0 : 2; words > 0; words--) {
        const char *stop = words == 2 ? two : one;
        char text[64];
        if (stop == at || (words == 2 && stop == one)) continue;
        snprintf(text, sizeof text, "%.*s", (int)(stop - at), r->raw + (at - r->low));
        if (!account_set(&trial, field, text, NULL)) continue;
        set_field(r, field, text, at, stop);
        return stop;
    }
    if (!(end = count_at(r, at, &count)) || !fits_count(count)) return NULL;
    char text[32];
    snprintf(text, sizeof text, "%.0f", count);
    return set_field(r, field, text, at, end) ? end : NULL;
}

/* ── words for fields ────────────────────────────────────────────────────────────────────────────*/
static const struct said *said_at(const char *at, const char **end) {
    for (size_t i = 0; i < BASE_COUNT(said); i++)
        if ((*end = behind(at, said[i].words))) return &said[i];
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
        if ((*end = behind(at, name)) || (*end = behind(at, label))) return field[i].name;
    }
    return NULL;
}

/* "adamw", "deepspeed", "mixed-bf16": a choice that names its own field. */
static bool read_choice(struct reader *r) {
    static const char *const fields[] = {"precision", "optimizer", "recipe"};
    const char *end = word_end(r->at), *two = word_end(skip(end));
    for (size_t i = 0; i < BASE_COUNT(fields); i++)
        for (int words = 2; words > 0; words--) {
            struct account_training trial;
            char text[40];
            const char *stop = words == 2 ? two : end;
            snprintf(text, sizeof text, "%.*s", (int)(stop - r->at), r->raw + (r->at - r->low));
            if (!account_set(&trial, fields[i], text, NULL)) continue;
            set_field(r, fields[i], text, r->at, stop);
            r->at = stop;
            return true;
        }
    return false;
}

/* "sequence 2048", "stage=2", "fp32 gradients", "sp". */
static bool read_named(struct reader *r) {
    const char *end = NULL, *after;
    bool flag = false;
    const struct said *s = said_at(r->at, &end);
    const char *name = s ? s->field : field_at(r->at, &end, &flag);
    if (!name) return false;
    if (!s && strcmp(name, "batch") == 0 && behind(skip(end), "size"))
        return refuse(
            r, r->at, end,
            "is that of one GPU or of all? Write \"micro-batch 1\" or \"global batch 64\"");
    if (s && s->value) {
        after = end;
        set_field(r, name, s->value, r->at, end);
    } else {
        after = read_value(r, name, end);
        if (!after && flag) after = set_field(r, name, "on", r->at, end) ? end : NULL;
        for (const char *of;
             !after && ((of = behind(skip(end), "of")) || (of = behind(skip(end), "size")) ||
                        (of = behind(skip(end), "is")));)
            after = read_value(r, name, end = of);
    }
    if (!after && !r->failed && strcmp(name, "stage") != 0) return false;
    if (!after) return refuse(r, r->at, end, "a value belongs behind it, as in stage 2");
    r->at = after;
    return true;
}

/* ── names of the catalogues ─────────────────────────────────────────────────────────────────────*/
enum { NAME_WORDS = 6, NAME_MOST = 64 };

/* Words [at, end) with hyphens between them. */
static void join(const char *at, const char *end, char out[NAME_MOST]) {
    size_t n = 0;
    for (const char *s = at; s < end && n + 1 < NAME_MOST; s++)
        if (*s != ' ' || (n && out[n - 1] != '-')) out[n++] = *s == ' ' ? '-' : *s;
    while (n && out[n - 1] == '-') n--;
    out[n] = '\0';
}

static bool read_model(struct reader *r) {
    const char *ends[NAME_WORDS], *end = r->at;
    size_t n = 0;
    if (!isalpha((unsigned char)*r->at)) return false;
    while (n < NAME_WORDS && *end && *end != ',') {
        ends[n++] = end = word_end(end);
        end = skip(end);
    }
    while (n--) {
        char name[NAME_MOST];
        join(r->at, ends[n], name);
        if (!account_model_find(name)) continue;
        set_field(r, "model", name, r->at, ends[n]);
        r->at = ends[n];
        return true;
    }
    return false;
}

/* "80 GB", "(80GB)", "with 80 GB each", before a card's name or behind it; no rate. */
static const char *size_at(const struct reader *r, const char *at, double *bytes) {
    struct account_figure f;
    const char *from = skip(at), *word = behind(from, "with"),
               *end = figure_at(r, word ? skip(word) : from, &f);
    if (!end || f.measure != ACCOUNT_FIGURE_BYTES || f.low < 1e9) return NULL;
    *bytes = f.low;
    const char *each = behind(skip(end), "each");
    return each ? each : end;
}

/* The catalogue's card of this stem, bus and size. */
static const struct account_card *card_named(const char *stem, bool pcie, double bytes) {
    char name[NAME_MOST];
    const struct account_card *c = NULL;
    for (int sized = bytes > 0; sized >= 0 && !c; sized--) {
        snprintf(name, sizeof name, sized ? "%s%s-%.0fg" : "%s%s", stem, pcie ? "-pcie" : "",
                 bytes / 1e9);
        c = account_card_find(name);
    }
    return c;
}

/* "A100", "A100s (80 GB)", "RTX 4090", "H100 SXM 80GB", "A100 PCIe 40 GB"; `bytes`: a size that stood before it. */
static const char *card_at(const struct reader *r, const char *at, double bytes,
                           const struct account_card **card) {
    static const char *const more[] = {"sxm", "sxm2",  "sxm4",    "sxm5",    "nvidia",
                                       "amd", "tesla", "geforce", "instinct"};
    char stem[NAME_MOST];
    bool pcie = false;
    for (size_t i = 0; i < BASE_COUNT(more); i++)
        if (behind(at, more[i])) return card_at(r, skip(behind(at, more[i])), bytes, card);
    const char *end = word_end(at), *next;
    if (behind(at, "rtx") || behind(at, "l")) end = word_end(skip(end));
    join(at, end, stem);
    size_t n = strlen(stem);
    if (n > 2 && stem[n - 1] == 's' && isdigit((unsigned char)stem[n - 2]) &&
        !account_card_find(stem))
        stem[n - 1] = '\0';
    if (!isalnum((unsigned char)*stem) || !account_card_find(stem)) {
        char *hyphen = strchr(stem, '-');
        if (!hyphen || !account_card_find(stem)) return NULL;
    }
    for (bool went = true; went;) {
        went = false;
        for (size_t i = 0; i < BASE_COUNT(more); i++)
            if ((next = behind(skip(end), more[i]))) end = next, went = true;
        if ((next = behind(skip(end), "pcie")) &&
            !(isdigit((unsigned char)*skip(next)) && !isdigit((unsigned char)skip(next)[1])))
            end = next, pcie = went = true;
        if (!(bytes > 0) && (next = size_at(r, end, &bytes))) end = next, went = true;
    }
    *card = card_named(stem, pcie, bytes);
    return *card ? end : NULL;
}

/* ── machines ────────────────────────────────────────────────────────────────────────────────────*/
static const char *any(const char *at, const char *const *phrases) {
    const char *end = NULL;
    for (; *phrases && !end; phrases++) end = behind(at, *phrases);
    return end;
}
static const char *const nodes[] = {"node", "server", "machine", "boxes", "box", NULL};
static const char *const a_node[] = {"per node",    "a node",    "per server", "a server",
                                     "per machine", "each node", NULL};
static const char *const gpu_words[] = {"gpu", "accelerator", "card", NULL};

static void count_gpus(struct reader *r, double n) {
    r->s->training.gpus = fits_count(n) ? (uint32_t)n : 0;
}

/* "(8 × 80 GB)", "640 GB" behind a machine's name: the bytes of one GPU. */
static const char *machine_size(const struct reader *r, const char *at, double gpus,
                                double *bytes) {
    struct account_figure f;
    const char *end = size_at(r, at, bytes), *times = figure_at(r, skip(at), &f);
    if (end && *bytes > 300e9) *bytes /= gpus;
    if (end || !times || f.low != gpus) return end;
    times = skip(times);
    return size_at(r, *times == 'x' ? times + 1 : times, bytes);
}

/* "DGX A100 (8 × 80 GB)": a whole machine; `n` of them. */
static const char *machine_at(struct reader *r, const char *at, double n) {
    static const char *const makes[] = {"dgx", "hgx", NULL};
    char stem[NAME_MOST];
    const char *name = any(at, makes), *end = name ? word_end(skip(name)) : NULL, *next;
    if (!name) return NULL;
    join(skip(name), end, stem);
    const struct account_card *card = account_card_find(stem);
    const struct account_node *node = card ? account_node_of(card) : NULL;
    double bytes = 0;
    if (!node) return NULL;
    if ((next = machine_size(r, end, node->gpus, &bytes))) end = next;
    const struct account_card *sized = bytes > 0 ? card_named(stem, false, bytes) : NULL;
    r->s->training.card = sized ? sized : card;
    count_gpus(r, n * node->gpus);
    r->s->training.gpus_per_node = node->gpus;
    next = any(skip(end), nodes);
    return next ? next : end;
}

/* Behind a count: "× A100 80 GB", "GPUs per node", "80 GB GPUs", "nodes of". */
static const char *counted_machine(struct reader *r, const char *at, double n) {
    const struct account_card *card = NULL;
    double bytes = 0;
    const char *end, *sized = size_at(r, at, &bytes), *word;
    if ((end = any(at, nodes))) {
        r->nodes = n;
        r->nodes_first = r->s->training.gpus == 0 && n > 1;
        return end;
    }
    if ((end = machine_at(r, at, n))) return end;
    word = any(skip(sized ? sized : at), gpu_words);
    if (word && (end = any(skip(word), a_node))) return r->per_node = n, end;
    if ((end = any(at, a_node))) return r->per_node = n, end;
    end = card_at(r, skip(sized ? sized : at), bytes, &card);
    if (!end && !word) return NULL;
    if (!end) end = word;
    if (card) r->s->training.card = card;
    if (!card && (sized || (sized = size_at(r, end, &bytes)))) {
        r->s->card_bytes = (uint64_t)bytes;
        if (sized > end) end = sized;
    }
    count_gpus(r, n);
    word = any(skip(end), gpu_words);
    return word ? word : end;
}

/* ── links ───────────────────────────────────────────────────────────────────────────────────────*/
/* "NVLink 3", "PCIe gen 4", "InfiniBand HDR", "HDR InfiniBand": a link of the catalogue by its name. */
static const char *link_at(const char *at, struct account_link *link, bool *net) {
    static const struct {
        const char *words, *prefix;
        bool net;
    } makes[] = {
        {"nvlink",     "nvlink", false},
        {"pcie gen",   "pcie",   false},
        {"pcie",       "pcie",   false},
        {"infiniband", "ib-",    true },
        {"ib",         "ib-",    true },
    };
    char name[NAME_MOST];
    for (size_t i = 0; i < BASE_COUNT(makes); i++) {
        const char *end = behind(at, makes[i].words), *next = end ? word_end(skip(end)) : NULL;
        if (!end && makes[i].net && (end = word_end(at)) &&
            (next = behind(skip(end), makes[i].words)))
            snprintf(name, sizeof name, "%s%.*s", makes[i].prefix, (int)(end - at), at);
        else if (end && next)
            snprintf(name, sizeof name, "%s%.*s", makes[i].prefix, (int)(next - skip(end)),
                     skip(end));
        else
            continue;
        *net = makes[i].net;
        const struct account_link *found = account_link_find(name);
        if (!found && strcmp(makes[i].words, "pcie") == 0)
            found = account_link_find("pcie4"), next = end;
        if (!found) continue;
        *link = *found;
        return next;
    }
    join(at, word_end(at), name);
    const struct account_link *found = account_link_find(name);
    if (!found) return NULL;
    *link = *found;
    *net = strncmp(name, "ib", 2) == 0 || strncmp(name, "eth", 3) == 0;
    return word_end(at);
}

/* Words for what lies between nodes; "eth" or "ib". */
static const char *network_at(const char *at, const char **kind) {
    static const char *const words[] = {
        "infiniband", "ib",           "ethernet",      "roce",       "nic",
        "network",    "interconnect", "between nodes", "inter node", "network card"};
    for (size_t i = 0; i < BASE_COUNT(words); i++) {
        const char *end = behind(at, words[i]);
        if (!end) continue;
        *kind = i < 2 ? "ib" : "eth";
        return end;
    }
    return NULL;
}

static struct account_link link_of(const char *kind, double rate) {
    char name[NAME_MOST];
    snprintf(name, sizeof name, "%s-%.0fg", kind, rate * 8 / 1e9);
    const struct account_link *found = account_link_find(name);
    return found ? *found : (struct account_link){.rate = rate, .wire = rate};
}

/* Behind a rate: "Ethernet a node", "NVLink", "InfiniBand". All of a node's GPUs share what is said of the node. */
static const char *after_rate(struct reader *r, const char *at, double rate) {
    const char *kind = "eth", *end = network_at(at, &kind), *shared;
    if (!end && r->nics >= 1) end = at; /* "1 NIC of 100 Gb/s" */
    if (end)
        r->s->training.net = link_of(kind, rate);
    else if ((end = behind(at, "nvlink")) || (end = behind(at, "pcie")))
        r->s->training.link = (struct account_link){.rate = rate, .wire = rate};
    else
        return NULL;
    if ((shared = any(skip(end), a_node)) && r->nics < 1) r->nics = 1;
    return shared ? shared : end;
}

static bool read_link(struct reader *r) {
    static const char *const fillers[] = {"at", "of", "with", NULL};
    struct account_link link;
    struct account_figure f;
    bool net = false;
    const char *end = link_at(r->at, &link, &net), *kind, *next;
    if (end) {
        *(net ? &r->s->training.net : &r->s->training.link) = link;
        next = figure_at(r, skip(end), &f);
        if (next && f.measure == ACCOUNT_FIGURE_BYTES_PER_S)
            end = next; /* as the data sheet has it */
    } else {
        if (!(end = network_at(r->at, &kind))) return false;
        while ((next = any(skip(end), fillers))) end = next;
        next = figure_at(r, skip(end), &f);
        if (!next || f.measure != ACCOUNT_FIGURE_BYTES_PER_S) return false;
        r->s->training.net = link_of(kind, f.low);
        end = next;
    }
    if (net && (next = any(skip(end), a_node)) && r->nics < 1) r->nics = 1, end = next;
    r->at = end;
    return true;
}

/* ── numbers first ───────────────────────────────────────────────────────────────────────────────*/
static void set_tokens(struct reader *r, double value) {
    if (value >= 1e8 && value < 1e17)
        r->s->tokens = (uint64_t)llround(value);
    else if (fits_count(value))
        r->s->training.seq = (uint32_t)value;
}

/* What its unit says a figure is. Where that ends; NULL if it says nothing. */
static const char *by_unit(struct reader *r, const struct account_figure *f, const char *end) {
    static const char *const host[] = {"of host memory", "host memory", "of ram", "ram", NULL},
                             *const shares[] = {"of peak arithmetic", "of peak", "mfu", NULL};
    const char *next, *at = skip(end);
    switch (f->measure) {
    case ACCOUNT_FIGURE_PARAMS:
        if (!(f->low >= 1e3 && f->low <= 1e16)) return NULL;
        r->s->training.params = (uint64_t)llround(f->low);
        r->params = true;
        return (next = behind(at, "parameter")) ? next : end;
    case ACCOUNT_FIGURE_TOKENS:
        set_tokens(r, f->low < 1e6 && f->scale >= 1e3 ? f->low * 1.024 : f->low);
        return end;
    case ACCOUNT_FIGURE_SHARES:
        if (f->low > 0 && f->low <= 1) r->s->training.efficiency = f->low;
        return (next = any(at, shares)) ? next : end;
    case ACCOUNT_FIGURE_SECONDS: r->s->days = f->low / 86400; return f->scale >= 3600 ? end : NULL;
    case ACCOUNT_FIGURE_BYTES_PER_S: return after_rate(r, at, f->low);
    case ACCOUNT_FIGURE_BYTES:
        if (!(next = any(at, host)))
            return size_at(r, r->at, &(double){0}) && !r->s->training.card
                       ? (r->s->card_bytes = (uint64_t)f->low, end)
                       : NULL;
        r->s->host_bytes = (uint64_t)f->low;
        return next;
    default: return NULL;
    }
}

/* "8 × …", "4096 ctx", "100GbE", "eight A100". */
static bool read_figure(struct reader *r) {
    struct account_figure f;
    const char *end = figure_at(r, r->at, &f), *next, *word;
    double value;
    if (!end) return false;
    if (strncmp(end, "gbe", 3) == 0) { /* "100GbE" */
        r->s->training.net = link_of("eth", f.low / 8 * 1e9);
        r->at = end + 3;
        return true;
    }
    if ((next = by_unit(r, &f, end))) return r->at = next, true;
    end = count_at(r, r->at, &value);
    if (!end) return false;
    const char *at = skip(end), *times = *at == 'x' ? skip(at + 1) : at;
    struct account_figure rate;
    if (times > at && (next = figure_at(r, times, &rate)) &&
        rate.measure == ACCOUNT_FIGURE_BYTES_PER_S)
        return r->nics = value, r->at = times, true; /* "8 × 200 Gb/s NICs" */
    const char *kind;
    if ((next = network_at(times, &kind))) return r->nics = value, r->at = next, true;
    if ((next = counted_machine(r, times, value))) return r->at = next, true;
    const struct said *s = said_at(at, &word);
    bool flag;
    const char *field = s ? (s->value ? NULL : s->field) : field_at(at, &word, &flag);
    if (!field || strcmp(field, "gpus") == 0 || figure_at(r, skip(word), &rate)) return false;
    char text[32];
    snprintf(text, sizeof text, "%.0f", value);
    if (!set_limit(r, field, value)) set_field(r, field, text, r->at, word);
    r->at = word;
    return !r->failed;
}

/* ── the whole ───────────────────────────────────────────────────────────────────────────────────*/
/* A machine without a number, "on a DGX A100", "A100 80 GB". */
static bool read_machine(struct reader *r) {
    const struct account_card *card = NULL;
    const char *end = machine_at(r, r->at, 1);
    if (!end && (end = card_at(r, r->at, 0, &card))) r->s->training.card = card;
    if (end) r->at = end;
    return end != NULL;
}

static bool read_idle(struct reader *r) {
    const char *end = NULL;
    for (size_t i = 0; i < BASE_COUNT(idle) && !end; i++) end = behind(r->at, idle[i]);
    if (end) r->at = end;
    return end != NULL;
}

static bool read_one(struct reader *r) {
    return read_model(r) || read_machine(r) || read_link(r) || read_figure(r) || read_named(r) ||
           read_choice(r) || (!r->failed && read_idle(r));
}

static void settle_machine(struct reader *r) {
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
    struct reader r = {.raw = text, .s = s, .of = of, .why = m};
    if (strlen(text) > 2000)
        return base_fail(m, "%s has %zu bytes: one line of at most 2000 says it", of, strlen(text));
    r.low = lowered(text);
    for (r.at = r.low; *r.at && !r.failed;) {
        if (*r.at == ' ' || *r.at == ',' || *r.at == '.')
            r.at++;
        else if (!read_one(&r))
            refuse(&r, r.at, word_end(r.at),
                   "no field, model, card or link is called so; write for example \"stage 2\", "
                   "\"sequence 2048\" or \"8 × A100 80 GB\"");
    }
    settle_machine(&r);
    free(r.low);
    return !r.failed;
}
