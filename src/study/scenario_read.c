/* The line of a scenario, read clause by clause. What is in it may stand in any order; words that say nothing here are passed over, but a
 * number that belongs to nothing is asked about. */
#include "scenario_reading.h"

#include <math.h>
#include <string.h>

bool scenario_number(const struct scenario_reading *r, size_t i) {
    return i < r->t.tokens && r->t.token[i].kind == MEMO_NUMBER;
}
bool scenario_phrase(const struct scenario_reading *r, size_t i, const char *words) {
    return memo_is_phrase(&r->t, i, words) > 0;
}
size_t scenario_any(const struct scenario_reading *r, size_t i, const char *const *phrases) {
    for (; *phrases; phrases++) {
        size_t n = memo_is_phrase(&r->t, i, *phrases);
        if (n) return n;
    }
    return 0;
}
uint32_t scenario_count(double value) {
    return value >= 1 && value <= 100e6 ? (uint32_t)lround(value) : 0;
}

/* ── what is trained ─────────────────────────────────────────────────────────────────────────────*/
static size_t read_model(struct scenario_reading *r, size_t i) {
    size_t taken = 0;
    const struct account_model *m = study_scenario_model(&r->t, i, &taken);
    uint64_t said = r->s->training.params;
    if (!m) return 0;
    account_set(&r->s->training, "model", m->name, NULL);
    if (r->params) r->s->training.params = said;
    return taken;
}

/* "B", "billion": a word that is a number by itself as well. */
static double scale_at(const struct scenario_reading *r, size_t i) {
    static const char *const billions[] = {"b", "bn", NULL}, *const millions[] = {"m", NULL};
    double number = scenario_number(r, i) ? r->t.token[i].value : 0;
    if (scenario_any(r, i, billions) || number == 1e9) return 1e9;
    return scenario_any(r, i, millions) || number == 1e6 ? 1e6 : 1;
}

/* "13B", "13-billion-parameter", "13e9 parameters", "13 billion weights" */
static size_t read_params(struct scenario_reading *r, size_t i) {
    static const char *const counted[] = {"parameter", "param", "weight", "model", "ψ", NULL};
    double value = scenario_number(r, i) ? r->t.token[i].value : 0;
    size_t at = i + 1 + memo_is_mark(&r->t, i + 1, '-');
    bool suffix = at < r->t.tokens && r->t.token[at].glued;
    double scale = scale_at(r, at);
    if (value <= 0) return 0;
    if (scale > 1) at++;
    if (memo_is_mark(&r->t, at, '-')) at++;
    size_t word = scenario_any(r, at, counted);
    if (scenario_phrase(r, at, "tokens") || (!word && !(suffix && scale > 1))) return 0;
    if (value * scale < 1e3 || value * scale > 1e16) return 0;
    r->s->training.params = (uint64_t)llround(value * scale);
    r->params = true;
    return at + word - i;
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

static size_t read_setting(struct scenario_reading *r, size_t i) {
    for (size_t k = 0; k < BASE_COUNT(settings); k++) {
        size_t n = memo_is_phrase(&r->t, i, settings[k].phrase);
        if (!n) continue;
        if (settings[k].field)
            account_set(&r->s->training, settings[k].field, settings[k].text, NULL);
        return n;
    }
    return 0;
}

static size_t read_deadline(struct scenario_reading *r, size_t i) {
    static const struct {
        const char *phrase;
        double days;
    } units[] = {
        {"day",   1      },
        {"week",  7      },
        {"month", 30     },
        {"hour",  1. / 24}
    };
    for (size_t k = 0; scenario_number(r, i) && k < BASE_COUNT(units); k++) {
        if (!scenario_phrase(r, i + 1, units[k].phrase)) continue;
        r->s->days = r->t.token[i].value * units[k].days;
        return 2;
    }
    return 0;
}

/* "40 % of peak", "MFU 0.4" */
static size_t read_efficiency(struct scenario_reading *r, size_t i) {
    bool percent = scenario_number(r, i) &&
                   (memo_is_mark(&r->t, i + 1, '%') || scenario_phrase(r, i + 1, "percent"));
    if (percent && r->t.token[i].value > 0 && r->t.token[i].value <= 100)
        r->s->training.efficiency = r->t.token[i].value / 100;
    if (percent) return 2;
    bool named = scenario_phrase(r, i, "efficiency") || scenario_phrase(r, i, "mfu");
    if (!named || !scenario_number(r, i + 1) || r->t.token[i + 1].value > 1) return 0;
    r->s->training.efficiency = r->t.token[i + 1].value;
    return 2;
}

static size_t read_limits(struct scenario_reading *r, size_t i) {
    static const char *const host[] = {"no offload",
                                       "no offloading",
                                       "no cpu offload",
                                       "no host offload",
                                       "without offload",
                                       "without offloading",
                                       NULL};
    static const char *const nvme[] = {"no nvme", "without nvme", "no nvmes", "no disk", NULL};
    size_t n = scenario_any(r, i, host);
    if (n) r->s->no_host = r->s->no_nvme = true;
    if (n) return n;
    n = scenario_any(r, i, nvme);
    if (n) r->s->no_nvme = true;
    return n;
}

static size_t read_recipe(struct scenario_reading *r, size_t i) {
    if (!scenario_phrase(r, i, "recipe")) return 0;
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
static scenario_reader *const before[] = {read_recipe,    read_limits,      read_model,
                                          read_setting,   scenario_counted, scenario_global,
                                          scenario_tokens},
                              *const after[] = {read_params, read_deadline, read_efficiency,
                                                scenario_size};

static size_t ask(struct scenario_reading *r, size_t i, scenario_reader *const *readers, size_t n) {
    size_t taken = 0;
    for (size_t k = 0; k < n && !taken; k++) taken = readers[k](r, i);
    return taken;
}

static void note_precision(struct scenario_reading *r, size_t i) {
    r->master |= scenario_phrase(r, i, "master") || scenario_phrase(r, i, "mixed");
    r->pure |= scenario_phrase(r, i, "no master") || scenario_phrase(r, i, "without master") ||
               scenario_phrase(r, i, "without fp32 master") ||
               scenario_phrase(r, i, "no fp32 master");
}

/* A number that belongs to nothing, in the clause in which it stands. */
static bool unread(const struct scenario_reading *r, size_t i, struct base_message *m) {
    const char *number = r->t.raw + r->t.token[i].start, *from = number;
    while (from > r->t.raw && number - from < 20 && !strchr(",;:", from[-1])) from--;
    from += strspn(from, " ");
    char *part = base_clean_dup(from, strcspn(from, ",;\n"), 60);
    base_fail(m,
              "the scenario says \"%s\", which could not be read: write it like \"sequence 2048\", "
              "\"8 × A100 80 GB\", \"micro-batch 1\" or \"global batch 64\"",
              part);
    free(part);
    return false;
}

static bool read_all(struct scenario_reading *r, struct base_message *m) {
    for (size_t i = 0; i < r->t.tokens;) {
        note_precision(r, i);
        size_t taken = ask(r, i, before, BASE_COUNT(before));
        if (!taken) taken = ask(r, i, scenario_machine, scenario_machines);
        if (!taken) taken = ask(r, i, after, BASE_COUNT(after));
        if (!taken && scenario_number(r, i)) return unread(r, i, m);
        i += taken ? taken : 1;
    }
    return true;
}

/* fp32 beside bf16 is the master copy, whichever was said first. */
static void settle_precision(struct scenario_reading *r) {
    bool bf16 = strstr(r->t.lower, "bf16") || strstr(r->t.lower, "bfloat16");
    bool fp16 = strstr(r->t.lower, "fp16");
    if (r->pure)
        account_set(&r->s->training, "precision", "bf16", NULL);
    else if (r->master && (bf16 || fp16))
        account_set(&r->s->training, "precision", bf16 ? "mixed-bf16" : "mixed-fp16", NULL);
}

bool study_scenario_read(const char *line, struct study_scenario *out, struct base_message *m) {
    struct scenario_reading r = {.s = out};
    *out = study_scenario_blank();
    size_t length = strcspn(line, "\n");
    if (length > 2000)
        return base_fail(m, "the scenario has %zu bytes: one line of at most 2000 says it", length);
    memo_text_open(&r.t, line, length);
    memo_text_add(&r.t, 0, length, 1);
    memo_fold_words(&r.t, 0);
    bool well = read_all(&r, m);
    settle_precision(&r);
    scenario_settle_machine(&r);
    memo_text_close(&r.t);
    return well && study_scenario_settle(out, m);
}
