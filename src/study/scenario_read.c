/* The line of a scenario, read clause by clause. What is in it may stand in any order; words that say nothing here are passed over, but a
 * number that belongs to nothing is asked about. */
#include "scenario.h"

#include <math.h>
#include <string.h>

struct reading {
    struct memo_text t;
    struct study_scenario *s;
    bool params, gpus, master, pure; /* what was said outright */
    double nodes, per_node;
    bool nodes_first; /* "2 nodes of 8 × A100" */
};

static bool is_number(const struct reading *r, size_t i) {
    return i < r->t.tokens && r->t.token[i].kind == MEMO_NUMBER;
}

static bool phrase(const struct reading *r, size_t i, const char *words) {
    return memo_is_phrase(&r->t, i, words) > 0;
}

/* The first of these phrases that stands at `i`: how many tokens; 0 if none does. */
static size_t any(const struct reading *r, size_t i, const char *const *phrases) {
    for (; *phrases; phrases++) {
        size_t n = memo_is_phrase(&r->t, i, *phrases);
        if (n) return n;
    }
    return 0;
}

static uint32_t small(double value) {
    return value >= 1 && value <= 100e6 ? (uint32_t)lround(value) : 0;
}

/* ── what is trained ─────────────────────────────────────────────────────────────────────────────*/
static size_t read_model(struct reading *r, size_t i) {
    size_t taken = 0;
    const struct account_model *m = study_scenario_model(&r->t, i, &taken);
    uint64_t said = r->s->training.params;
    if (!m) return 0;
    account_set(&r->s->training, "model", m->name, NULL);
    if (r->params) r->s->training.params = said;
    return taken;
}

/* "13B", "13e9 parameters", "13 billion weights" */
static size_t read_params(struct reading *r, size_t i) {
    static const char *const counted[] = {"parameter", "param", "weight", "model", "ψ", NULL};
    double value = is_number(r, i) ? r->t.token[i].value : 0;
    size_t at = i + 1;
    bool suffix = at < r->t.tokens && r->t.token[at].glued;
    double scale = phrase(r, at, "b") || phrase(r, at, "bn") ? 1e9 : phrase(r, at, "m") ? 1e6 : 1;
    if (value <= 0) return 0;
    if (scale > 1) at++;
    if (memo_is_mark(&r->t, at, '-')) at++;
    size_t word = any(r, at, counted);
    if (phrase(r, at, "tokens") || (!word && !(suffix && scale > 1))) return 0;
    if (value * scale < 1e3 || value * scale > 1e16) return 0;
    r->s->training.params = (uint64_t)llround(value * scale);
    r->params = true;
    return at + word - i;
}

/* ── on what ─────────────────────────────────────────────────────────────────────────────────────*/
static size_t skip_times(const struct reading *r, size_t i) {
    bool times = memo_is_mark(&r->t, i, 0xD7) || memo_is_mark(&r->t, i, 'x') ||
                 memo_is_mark(&r->t, i, 'X') || memo_is_mark(&r->t, i, '*') || phrase(r, i, "x");
    return times ? 1 : 0;
}

static size_t size_at(const struct reading *r, size_t i, double *bytes) {
    static const char *const units[] = {"gb", "g", "gib", "gigabyte", NULL};
    size_t at = i, n;
    if (memo_is_mark(&r->t, at, '(') || memo_is_mark(&r->t, at, '-')) at++;
    if (!is_number(r, at) || !(n = any(r, at + 1, units))) return 0;
    *bytes = r->t.token[at].value * (phrase(r, at + 1, "gib") ? 1073741824.0 : 1e9);
    at += 1 + n;
    return at + (memo_is_mark(&r->t, at, ')') ? 1 : 0) - i;
}

static size_t read_card(struct reading *r, size_t i) {
    size_t taken = 0;
    double bytes;
    const struct account_card *c = study_scenario_card(&r->t, i, &taken);
    if (!c) return 0;
    r->s->training.card = c;
    return taken + size_at(r, i + taken, &bytes);
}

static size_t read_count_of_gpus(struct reading *r, size_t i) {
    static const char *const gpus[] = {"gpu", "accelerator", "card", NULL};
    double bytes = 0;
    size_t at = i + 1;
    if (!is_number(r, i)) return 0;
    at += skip_times(r, at);
    if (phrase(r, at, "nvidia")) at++;
    size_t size = size_at(r, at, &bytes), word = any(r, at + size, gpus);
    size_t card = size ? 0 : read_card(r, at);
    if (!card && !word && !(size && at > i + 1)) return 0;
    if (size && !card) r->s->card_bytes = (uint64_t)llround(bytes);
    r->s->training.gpus = small(r->t.token[i].value);
    r->gpus = true;
    return at + size + card + word - i;
}

/* "8 GPUs with 80 GB each" */
static size_t read_size(struct reading *r, size_t i) {
    double bytes = 0;
    size_t n = is_number(r, i) ? size_at(r, i, &bytes) : 0;
    if (n && !r->s->training.card) r->s->card_bytes = (uint64_t)llround(bytes);
    return n;
}

/* "8 GPUs per node" before "8 GPUs" */
static size_t read_per_node(struct reading *r, size_t i) {
    static const char *const per[] = {"gpus per node",   "gpus a node", "per node",  "a node",
                                      "gpus per server", "per server",  "gpus each", NULL};
    size_t n = is_number(r, i) ? any(r, i + 1, per) : 0;
    if (!n) return 0;
    r->per_node = r->t.token[i].value;
    return n + 1;
}

static size_t read_nodes(struct reading *r, size_t i) {
    static const char *const nodes[] = {"node", "server", "machine", "box", NULL};
    size_t n = is_number(r, i) ? any(r, i + 1, nodes) : 0;
    if (!n) return 0;
    r->nodes = r->t.token[i].value;
    r->nodes_first = !r->gpus && r->nodes > 1;
    return n + 1;
}

static size_t read_link(struct reading *r, size_t i) {
    size_t taken = 0;
    bool net = false;
    struct account_link link = study_scenario_link(&r->t, i, &taken, &net);
    struct account_training *t = &r->s->training;
    if (link.rate <= 0) return 0;
    if (net)
        t->net = link;
    else
        t->link = link;
    return taken;
}

/* ── how ─────────────────────────────────────────────────────────────────────────────────────────*/
static const struct setting {
    const char *phrase, *field, *text; /* field NULL: said, and nothing follows from it alone */
} settings[] = {
    {"pure bf16",           "precision",  "bf16"        },
    {"bf16 without master", "precision",  "bf16"        },
    {"bf16 everywhere",     "precision",  "bf16"        },
    {"pure fp32",           "precision",  "fp32"        },
    {"fp32 gradient",       "grad_dtype", "fp32"        },
    {"fp32 master",         NULL,         NULL          },
    {"float32 master",      NULL,         NULL          },
    {"fp32 weight",         NULL,         NULL          },
    {"fp32 copy",           NULL,         NULL          },
    {"bf16",                "precision",  "mixed-bf16"  },
    {"bfloat16",            "precision",  "mixed-bf16"  },
    {"mixed precision",     "precision",  "mixed-bf16"  },
    {"fp16",                "precision",  "mixed-fp16"  },
    {"half precision",      "precision",  "mixed-fp16"  },
    {"fp32",                "precision",  "fp32"        },
    {"float32",             "precision",  "fp32"        },
    {"full precision",      "precision",  "fp32"        },
    {"8 bit adam",          "optimizer",  "adam8bit"    },
    {"8 bit adamw",         "optimizer",  "adam8bit"    },
    {"adam8bit",            "optimizer",  "adam8bit"    },
    {"adamw",               "optimizer",  "adamw"       },
    {"adam",                "optimizer",  "adamw"       },
    {"adafactor",           "optimizer",  "adafactor"   },
    {"sgd with momentum",   "optimizer",  "sgd-momentum"},
    {"sgd",                 "optimizer",  "sgd-momentum"},
    {"lion",                "optimizer",  "lion"        },
    {"muon",                "optimizer",  "muon"        },
    {"without flash",       "flash",      "off"         },
    {"no flash",            "flash",      "off"         },
};

static size_t read_setting(struct reading *r, size_t i) {
    for (size_t k = 0; k < BASE_COUNT(settings); k++) {
        size_t n = memo_is_phrase(&r->t, i, settings[k].phrase);
        if (!n) continue;
        if (settings[k].field)
            account_set(&r->s->training, settings[k].field, settings[k].text, NULL);
        return n;
    }
    return 0;
}

/* A name and its number, either first: "sequence 2048", "sequence length of 2048", "2048 tokens". */
enum count { SEQ, BATCH, GLOBAL, ACCUMULATE, TENSOR, PIPELINE, GROUP };
static const struct counted {
    const char *phrase;
    enum count what;
} counted[] = {
    {"sequence length",       SEQ       },
    {"sequence",              SEQ       },
    {"seq len",               SEQ       },
    {"seqlen",                SEQ       },
    {"seq",                   SEQ       },
    {"context length",        SEQ       },
    {"context",               SEQ       },
    {"global batch size",     GLOBAL    },
    {"global batch",          GLOBAL    },
    {"micro batch size",      BATCH     },
    {"micro batch",           BATCH     },
    {"microbatch",            BATCH     },
    {"gradient accumulation", ACCUMULATE},
    {"accumulation",          ACCUMULATE},
    {"accumulate",            ACCUMULATE},
    {"tensor parallel",       TENSOR    },
    {"pipeline parallel",     PIPELINE  },
    {"shard group",           GROUP     },
};

static void set_counted(struct study_scenario *s, enum count what, double value) {
    uint32_t n = small(value);
    uint32_t *const field[] = {[SEQ] = &s->training.seq,
                               [BATCH] = &s->training.batch,
                               [ACCUMULATE] = &s->training.accumulate,
                               [TENSOR] = &s->training.tp,
                               [PIPELINE] = &s->training.pp,
                               [GROUP] = &s->training.shard_group};
    if (what == GLOBAL)
        s->global_batch = n;
    else if (n)
        *field[what] = n;
}

static size_t read_counted(struct reading *r, size_t i) {
    for (size_t k = 0; k < BASE_COUNT(counted); k++) {
        size_t n = memo_is_phrase(&r->t, i, counted[k].phrase);
        if (!n) continue;
        size_t at = i + n;
        while (phrase(r, at, "of") || phrase(r, at, "size") || memo_is_mark(&r->t, at, '=') ||
               memo_is_mark(&r->t, at, ':'))
            at++;
        if (!is_number(r, at)) return 0;
        double value = r->t.token[at].value;
        bool kilo = counted[k].what == SEQ && phrase(r, at + 1, "k") && r->t.token[at + 1].glued;
        set_counted(r->s, counted[k].what, kilo ? value * 1024 : value);
        at += kilo ? 2 : 1;
        if (phrase(r, at, "tokens") || phrase(r, at, "sequences")) at++;
        return at - i;
    }
    return 0;
}

/* "2048 tokens", "300e9 tokens", "300B tokens" */
static size_t read_tokens(struct reading *r, size_t i) {
    double value = is_number(r, i) ? r->t.token[i].value : 0;
    size_t at = i + 1;
    if (phrase(r, at, "b")) value *= 1e9, at++;
    if (phrase(r, at, "t")) value *= 1e12, at++;
    if (memo_is_mark(&r->t, at, '-')) at++;
    if (value <= 0 || !phrase(r, at, "token")) return 0;
    if (value >= 1e8 && value < 1e17)
        r->s->tokens = (uint64_t)llround(value);
    else
        set_counted(r->s, SEQ, value);
    return at + 1 - i;
}

static size_t read_global(struct reading *r, size_t i) {
    static const char *const after[] = {"sequences a step", "sequences per step",
                                        "sequences global", NULL};
    size_t n = is_number(r, i) ? any(r, i + 1, after) : 0;
    if (n) set_counted(r->s, GLOBAL, r->t.token[i].value);
    return n ? n + 1 : 0;
}

static size_t read_deadline(struct reading *r, size_t i) {
    static const struct {
        const char *phrase;
        double days;
    } units[] = {
        {"day",   1      },
        {"week",  7      },
        {"month", 30     },
        {"hour",  1. / 24}
    };
    for (size_t k = 0; is_number(r, i) && k < BASE_COUNT(units); k++) {
        if (!phrase(r, i + 1, units[k].phrase)) continue;
        r->s->days = r->t.token[i].value * units[k].days;
        return 2;
    }
    return 0;
}

/* "40 % of peak", "MFU 0.4" */
static size_t read_efficiency(struct reading *r, size_t i) {
    bool percent =
        is_number(r, i) && (memo_is_mark(&r->t, i + 1, '%') || phrase(r, i + 1, "percent"));
    if (percent && r->t.token[i].value > 0 && r->t.token[i].value <= 100)
        r->s->training.efficiency = r->t.token[i].value / 100;
    if (percent) return 2;
    bool named = phrase(r, i, "efficiency") || phrase(r, i, "mfu");
    if (!named || !is_number(r, i + 1) || r->t.token[i + 1].value > 1) return 0;
    r->s->training.efficiency = r->t.token[i + 1].value;
    return 2;
}

static size_t read_limits(struct reading *r, size_t i) {
    static const char *const host[] = {"no offload",
                                       "no offloading",
                                       "no cpu offload",
                                       "no host offload",
                                       "without offload",
                                       "without offloading",
                                       NULL};
    static const char *const nvme[] = {"no nvme", "without nvme", "no nvmes", "no disk", NULL};
    size_t n = any(r, i, host);
    if (n) r->s->no_host = r->s->no_nvme = true;
    if (n) return n;
    n = any(r, i, nvme);
    if (n) r->s->no_nvme = true;
    return n;
}

static size_t read_recipe(struct reading *r, size_t i) {
    if (!phrase(r, i, "recipe")) return 0;
    size_t at = i + 1 + (memo_is_mark(&r->t, i + 1, ':') ? 1 : 0), count = 0;
    struct account_row rows[16];
    if (at >= r->t.tokens) return 0;
    const struct memo_token *one = &r->t.token[at];
    count = account_recipes_list(rows, BASE_COUNT(rows));
    for (size_t k = 0; k < count && k < BASE_COUNT(rows); k++)
        if (strlen(rows[k].name) <= r->t.length - one->start &&
            strncmp(r->t.lower + one->start, rows[k].name, strlen(rows[k].name)) == 0) {
            account_set(&r->s->training, "recipe", rows[k].name, NULL);
            r->s->recipe = rows[k].name;
        }
    return at + 1 - i;
}

/* ── the line ────────────────────────────────────────────────────────────────────────────────────*/
/* What each can make of token `i`: how many tokens it took, 0 if none. The order matters where two could. */
static size_t (*const readers[])(struct reading *, size_t) = {
    read_recipe, read_limits,   read_model,      read_setting,  read_counted,       read_global,
    read_tokens, read_link,     read_params,     read_per_node, read_count_of_gpus, read_nodes,
    read_card,   read_deadline, read_efficiency, read_size};

static void note_precision(struct reading *r, size_t i) {
    r->master |= phrase(r, i, "master") || phrase(r, i, "mixed");
    r->pure |= phrase(r, i, "no master") || phrase(r, i, "without master") ||
               phrase(r, i, "without fp32 master") || phrase(r, i, "no fp32 master");
}

static bool unread(const struct reading *r, size_t i, struct base_message *m) {
    const struct memo_token *one = &r->t.token[i];
    char *part = base_clean_dup(r->t.raw + one->start, strcspn(r->t.raw + one->start, ",;\n"), 60);
    base_fail(m,
              "the scenario says \"%s\", which could not be read: write it like \"sequence 2048\", "
              "\"8 × A100 80 GB\" or \"micro-batch 1\"",
              part);
    free(part);
    return false;
}

static bool read_all(struct reading *r, struct base_message *m) {
    for (size_t i = 0; i < r->t.tokens;) {
        size_t taken = 0;
        note_precision(r, i);
        for (size_t k = 0; k < BASE_COUNT(readers) && !taken; k++) taken = readers[k](r, i);
        if (!taken && is_number(r, i)) return unread(r, i, m);
        i += taken ? taken : 1;
    }
    return true;
}

/* fp32 beside bf16 is the master copy, whichever was said first. */
static void settle_precision(struct reading *r) {
    bool bf16 = strstr(r->t.lower, "bf16") || strstr(r->t.lower, "bfloat16");
    bool fp16 = strstr(r->t.lower, "fp16");
    if (r->pure)
        account_set(&r->s->training, "precision", "bf16", NULL);
    else if (r->master && (bf16 || fp16))
        account_set(&r->s->training, "precision", bf16 ? "mixed-bf16" : "mixed-fp16", NULL);
}

static void settle_nodes(struct reading *r) {
    struct account_training *t = &r->s->training;
    if (r->nodes_first && r->nodes * t->gpus <= 1e6) {
        t->gpus_per_node = t->gpus;
        t->gpus *= small(r->nodes);
    } else if (r->nodes > 1)
        t->gpus_per_node = (uint32_t)(t->gpus / r->nodes);
    if (r->per_node >= 1 && r->per_node <= t->gpus) t->gpus_per_node = small(r->per_node);
    if (r->per_node >= 1 && t->gpus == 0 && r->nodes >= 1)
        t->gpus = small(r->nodes * r->per_node), t->gpus_per_node = small(r->per_node);
}

bool study_scenario_read(const char *line, struct study_scenario *out, struct base_message *m) {
    struct reading r = {.s = out};
    *out = study_scenario_blank();
    size_t length = strcspn(line, "\n");
    if (length > 2000)
        return base_fail(m, "the scenario has %zu bytes: one line of at most 2000 says it", length);
    memo_text_open(&r.t, line, length);
    memo_text_add(&r.t, 0, length, 1);
    memo_fold_words(&r.t, 0);
    bool well = read_all(&r, m);
    settle_precision(&r);
    settle_nodes(&r);
    memo_text_close(&r.t);
    return well && study_scenario_settle(out, m);
}
