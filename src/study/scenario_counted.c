/* Names with their numbers, either first: "sequence 2048", "sequence length of 2k", "4096 ctx", "grad_accum=8", "300B tokens". */
#include "scenario_reading.h"

#include <math.h>
#include <string.h>

enum count { SEQ, BATCH, GLOBAL, ACCUMULATE, TENSOR, PIPELINE, GROUP };
/* The longer of two that begin alike comes first. */
static const struct counted {
    const char *phrase;
    enum count what;
} counted[] = {
    {"sequence length",                SEQ       },
    {"sequence",                       SEQ       },
    {"seq length",                     SEQ       },
    {"seq len",                        SEQ       },
    {"seq_len",                        SEQ       },
    {"seq_length",                     SEQ       },
    {"max_seq_len",                    SEQ       },
    {"seqlen",                         SEQ       },
    {"seq",                            SEQ       },
    {"context length",                 SEQ       },
    {"context window",                 SEQ       },
    {"context",                        SEQ       },
    {"ctx",                            SEQ       },
    {"global batch size",              GLOBAL    },
    {"global batch",                   GLOBAL    },
    {"global_batch_size",              GLOBAL    },
    {"global_batch",                   GLOBAL    },
    {"train_batch_size",               GLOBAL    },
    {"gbs",                            GLOBAL    },
    {"micro batch size",               BATCH     },
    {"micro batch",                    BATCH     },
    {"micro_batch_size",               BATCH     },
    {"micro_batch",                    BATCH     },
    {"microbatch size",                BATCH     },
    {"microbatch",                     BATCH     },
    {"mbs",                            BATCH     },
    {"train_micro_batch_size_per_gpu", BATCH     },
    {"per_device_train_batch_size",    BATCH     },
    {"per gpu batch size",             BATCH     },
    {"per gpu batch",                  BATCH     },
    {"gradient accumulation steps",    ACCUMULATE},
    {"gradient_accumulation_steps",    ACCUMULATE},
    {"gradient accumulation",          ACCUMULATE},
    {"accumulation steps",             ACCUMULATE},
    {"accumulation",                   ACCUMULATE},
    {"accumulate",                     ACCUMULATE},
    {"grad accum",                     ACCUMULATE},
    {"grad_accum",                     ACCUMULATE},
    {"micro batches",                  ACCUMULATE}, /* only after its number: "8 micro-batches a step" */
    {"tensor parallel",                TENSOR    },
    {"tp",                             TENSOR    },
    {"pipeline parallel",              PIPELINE  },
    {"pp",                             PIPELINE  },
    {"shard group",                    GROUP     },
};

static void set_counted(struct study_scenario *s, enum count what, double value) {
    uint32_t n = scenario_count(value);
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

/* A count with its thousands, "2k" of a sequence being 2048: how many tokens. */
static size_t read_number(const struct scenario_reading *r, size_t i, double *value) {
    if (!scenario_number(r, i)) return 0;
    bool kilo = scenario_phrase(r, i + 1, "k") && r->t.token[i + 1].glued;
    *value = r->t.token[i].value * (kilo ? 1024 : 1);
    return kilo ? 2 : 1;
}

static const struct counted *name_at(const struct scenario_reading *r, size_t i, size_t *taken) {
    for (size_t k = 0; k < BASE_COUNT(counted); k++)
        if ((*taken = memo_is_phrase(&r->t, i, counted[k].phrase)) > 0) return &counted[k];
    return NULL;
}

static size_t skip_between(const struct scenario_reading *r, size_t at) {
    while (scenario_phrase(r, at, "of") || scenario_phrase(r, at, "size") ||
           scenario_phrase(r, at, "is") || memo_is_mark(&r->t, at, '=') ||
           memo_is_mark(&r->t, at, ':'))
        at++;
    return at;
}

static size_t name_first(struct scenario_reading *r, size_t i) {
    size_t n, digits;
    double value;
    const struct counted *c = name_at(r, i, &n);
    if (!c) return 0;
    size_t at = skip_between(r, i + n);
    if (!(digits = read_number(r, at, &value))) return 0;
    set_counted(r->s, c->what, value);
    at += digits;
    if (scenario_phrase(r, at, "tokens") || scenario_phrase(r, at, "sequences")) at++;
    return at - i;
}

static size_t number_first(struct scenario_reading *r, size_t i) {
    size_t n, digits;
    double value;
    if (!(digits = read_number(r, i, &value))) return 0;
    size_t at = i + digits;
    if (memo_is_mark(&r->t, at, '-')) at++;
    const struct counted *c = name_at(r, at, &n);
    /* "8 × A100, 2048 sequence, micro-batch 1": the number behind it is its own */
    if (!c || scenario_number(r, skip_between(r, at + n))) return 0;
    bool several = c->what == BATCH && value > 1;
    set_counted(r->s, several ? ACCUMULATE : c->what, value);
    return at + n - i;
}

/* "batch 4 per GPU": of one GPU, else nobody knows of which batch. */
static size_t per_gpu(struct scenario_reading *r, size_t i) {
    static const char *const names[] = {"batch size", "batch", "bs", "sequences", NULL};
    static const char *const per[] = {"per gpu",     "a gpu",    "per device", "per rank",
                                      "on each gpu", "each gpu", NULL};
    size_t n = scenario_any(r, i, names), at = skip_between(r, i + n);
    if (!n && scenario_number(r, i) && (n = scenario_any(r, i + 1, names)))
        at = i;
    else if (!n || !scenario_number(r, at))
        return 0;
    size_t end = at == i ? i + 1 + n : at + 1, said = scenario_any(r, end, per);
    if (said) set_counted(r->s, BATCH, r->t.token[at].value);
    return said ? end + said - i : 0;
}

size_t scenario_counted(struct scenario_reading *r, size_t i) {
    size_t n = per_gpu(r, i);
    if (!n) n = name_first(r, i);
    return n ? n : number_first(r, i);
}

/* "2048 tokens", "2k tokens", "300e9 tokens", "300B tokens" */
size_t scenario_tokens(struct scenario_reading *r, size_t i) {
    double value = 0;
    size_t digits = read_number(r, i, &value), at = i + digits;
    if (digits == 1 && scenario_phrase(r, at, "b")) value *= 1e9, at++;
    if (digits == 1 && scenario_phrase(r, at, "t")) value *= 1e12, at++;
    if (memo_is_mark(&r->t, at, '-')) at++;
    if (value <= 0 || !scenario_phrase(r, at, "token")) return 0;
    if (value >= 1e8 && value < 1e17)
        r->s->tokens = (uint64_t)llround(value);
    else
        set_counted(r->s, SEQ, value);
    return at + 1 - i;
}

size_t scenario_global(struct scenario_reading *r, size_t i) {
    static const char *const after[] = {"sequences a step", "sequences per step",
                                        "sequences global", NULL};
    size_t n = scenario_number(r, i) ? scenario_any(r, i + 1, after) : 0;
    if (n) set_counted(r->s, GLOBAL, r->t.token[i].value);
    return n ? n + 1 : 0;
}
