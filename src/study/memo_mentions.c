/* Words that say what figures are about. The longest phrase stands before shorter ones that begin it. */
#include "memo.h"
#include "scenario.h"

#include <math.h>
#include <string.h>

static const struct row {
    const char *phrase;
    enum memo_says says;
    int value;
} rows[] = {
  /* stages */
    {"plain data parallel",                MEMO_STAGE,       0                },
    {"plain data parallelism",             MEMO_STAGE,       0                },
    {"ddp",                                MEMO_STAGE,       0                },
    {"no sharding",                        MEMO_STAGE,       0                },
    {"shard_grad_op",                      MEMO_STAGE,       2                },
    {"full_shard",                         MEMO_STAGE,       3                },
    {"zero1",                              MEMO_STAGE,       1                },
    {"zero2",                              MEMO_STAGE,       2                },
    {"zero3",                              MEMO_STAGE,       3                },
    {"stage1",                             MEMO_STAGE,       1                },
    {"stage2",                             MEMO_STAGE,       2                },
    {"stage3",                             MEMO_STAGE,       3                },
 /* checkpointing */
    {"without checkpointing",              MEMO_KEEPS,       ACCOUNT_KEEP_ALL },
    {"without activation checkpointing",   MEMO_KEEPS,       ACCOUNT_KEEP_ALL },
    {"without full checkpointing",         MEMO_KEEPS,       ACCOUNT_KEEP_ALL },
    {"without recomputation",              MEMO_KEEPS,       ACCOUNT_KEEP_ALL },
    {"no checkpointing",                   MEMO_KEEPS,       ACCOUNT_KEEP_ALL },
    {"no activation checkpointing",        MEMO_KEEPS,       ACCOUNT_KEEP_ALL },
    {"no recomputation",                   MEMO_KEEPS,       ACCOUNT_KEEP_ALL },
    {"not checkpointed",                   MEMO_KEEPS,       ACCOUNT_KEEP_ALL },
    {"checkpointing off",                  MEMO_KEEPS,       ACCOUNT_KEEP_ALL },
    {"checkpointing none",                 MEMO_KEEPS,       ACCOUNT_KEEP_ALL },
    {"selective checkpointing",            MEMO_KEEPS,       ACCOUNT_SELECTIVE},
    {"selective activation checkpointing", MEMO_KEEPS,       ACCOUNT_SELECTIVE},
    {"selective recomputation",            MEMO_KEEPS,       ACCOUNT_SELECTIVE},
    {"full activation checkpointing",      MEMO_KEEPS,       ACCOUNT_FULL     },
    {"full checkpointing",                 MEMO_KEEPS,       ACCOUNT_FULL     },
    {"activation checkpointing",           MEMO_KEEPS,       ACCOUNT_FULL     },
    {"gradient checkpointing",             MEMO_KEEPS,       ACCOUNT_FULL     },
    {"full recomputation",                 MEMO_KEEPS,       ACCOUNT_FULL     },
    {"checkpointing",                      MEMO_KEEPS,       ACCOUNT_FULL     },
    {"checkpointed",                       MEMO_KEEPS,       ACCOUNT_FULL     },
    {"recomputation",                      MEMO_KEEPS,       ACCOUNT_FULL     },
 /* offloading: none is said outright as well */
    {"no offload",                         MEMO_OFFLOAD,     ACCOUNT_GPU      },
    {"no offloading",                      MEMO_OFFLOAD,     ACCOUNT_GPU      },
    {"without offload",                    MEMO_OFFLOAD,     ACCOUNT_GPU      },
    {"without offloading",                 MEMO_OFFLOAD,     ACCOUNT_GPU      },
    {"optimizer offload",                  MEMO_OFFLOAD,     ACCOUNT_HOST     },
    {"optimizer on the host",              MEMO_OFFLOAD,     ACCOUNT_HOST     },
    {"offload the optimizer",              MEMO_OFFLOAD,     ACCOUNT_HOST     },
    {"offloading the optimizer",           MEMO_OFFLOAD,     ACCOUNT_HOST     },
    {"cpu offload",                        MEMO_OFFLOAD,     ACCOUNT_HOST     },
    {"host offload",                       MEMO_OFFLOAD,     ACCOUNT_HOST     },
    {"zero offload",                       MEMO_OFFLOAD,     ACCOUNT_HOST     },
    {"nvme offload",                       MEMO_OFFLOAD,     ACCOUNT_NVME     },
    {"offload to nvme",                    MEMO_OFFLOAD,     ACCOUNT_NVME     },
    {"optimizer to host",                  MEMO_OFFLOAD,     ACCOUNT_HOST     },
    {"optimizer to the host",              MEMO_OFFLOAD,     ACCOUNT_HOST     },
 /* what a figure is about */
    {"model state",                        MEMO_ABOUT,       MEMO_STATES      },
    {"training state",                     MEMO_ABOUT,       MEMO_STATES      },
    {"optimizer state",                    MEMO_ABOUT,       MEMO_OPTIMIZER   },
    {"optimiser state",                    MEMO_ABOUT,       MEMO_OPTIMIZER   },
    {"adam state",                         MEMO_ABOUT,       MEMO_OPTIMIZER   },
    {"state",                              MEMO_ABOUT,       MEMO_STATES      },
    {"fp32 master weight",                 MEMO_ABOUT,       MEMO_MASTER      },
    {"master weight",                      MEMO_ABOUT,       MEMO_MASTER      },
    {"master parameter",                   MEMO_ABOUT,       MEMO_MASTER      },
    {"master copy",                        MEMO_ABOUT,       MEMO_MASTER      },
    {"master",                             MEMO_ABOUT,       MEMO_MASTER      },
    {"adam moment",                        MEMO_ABOUT,       MEMO_MOMENTS     },
    {"moment",                             MEMO_ABOUT,       MEMO_MOMENTS     },
    {"optimizer",                          MEMO_ABOUT,       MEMO_OPTIMIZER   },
    {"optimiser",                          MEMO_ABOUT,       MEMO_OPTIMIZER   },
    {"fp32 gradient",                      MEMO_WIDE,        ACCOUNT_32_BIT   },
    {"gradient",                           MEMO_ABOUT,       MEMO_GRADS       },
    {"grad",                               MEMO_ABOUT,       MEMO_GRADS       },
    {"gathered parameter",                 MEMO_ABOUT,       MEMO_GATHERED    },
    {"gathered unit",                      MEMO_ABOUT,       MEMO_GATHERED    },
    {"gathered",                           MEMO_ABOUT,       MEMO_GATHERED    },
    {"gathers",                            MEMO_ABOUT,       MEMO_GATHERED    },
    {"parameter",                          MEMO_ABOUT,       MEMO_PARAMS      },
    {"param",                              MEMO_ABOUT,       MEMO_PARAMS      },
    {"weight",                             MEMO_ABOUT,       MEMO_PARAMS      },
    {"activation",                         MEMO_ABOUT,       MEMO_ACTIVATIONS },
    {"logit",                              MEMO_ABOUT,       MEMO_LOGITS      },
    {"framework",                          MEMO_ABOUT,       MEMO_RESERVE     },
    {"reserve",                            MEMO_ABOUT,       MEMO_RESERVE     },
    {"cuda context",                       MEMO_ABOUT,       MEMO_RESERVE     },
    {"peak memory",                        MEMO_ABOUT,       MEMO_PEAK        },
    {"memory peak",                        MEMO_ABOUT,       MEMO_PEAK        },
    {"total peak",                         MEMO_ABOUT,       MEMO_PEAK        },
    {"peaks",                              MEMO_ABOUT,       MEMO_PEAK        },
    {"peak of its arithmetic",             MEMO_CONDITION,   -1               },
    {"of peak",                            MEMO_CONDITION,   -1               },
    {"peak arithmetic",                    MEMO_CONDITION,   -1               },
    {"peak",                               MEMO_ABOUT,       MEMO_PEAK        },
    {"high water mark",                    MEMO_ABOUT,       MEMO_PEAK        },
    {"footprint",                          MEMO_ABOUT,       MEMO_PEAK        },
    {"needs",                              MEMO_ABOUT,       MEMO_TOTAL       },
    {"need",                               MEMO_ABOUT,       MEMO_TOTAL       },
    {"in all",                             MEMO_ABOUT,       MEMO_TOTAL       },
    {"all told",                           MEMO_ABOUT,       MEMO_TOTAL       },
    {"altogether",                         MEMO_ABOUT,       MEMO_TOTAL       },
    {"total",                              MEMO_ABOUT,       MEMO_TOTAL       },
    {"sum",                                MEMO_ABOUT,       MEMO_TOTAL       },
    {"usable",                             MEMO_ABOUT,       MEMO_USABLE      },
    {"available",                          MEMO_ABOUT,       MEMO_USABLE      },
    {"driver report",                      MEMO_ABOUT,       MEMO_USABLE      },
    {"capacity",                           MEMO_ABOUT,       MEMO_USABLE      },
    {"label",                              MEMO_ABOUT,       MEMO_LABEL       },
    {"on the box",                         MEMO_ABOUT,       MEMO_LABEL       },
    {"card",                               MEMO_ABOUT,       MEMO_LABEL       },
    {"to spare",                           MEMO_ABOUT,       MEMO_SPARE       },
    {"spare",                              MEMO_ABOUT,       MEMO_SPARE       },
    {"headroom",                           MEMO_ABOUT,       MEMO_SPARE       },
    {"remain",                             MEMO_ABOUT,       MEMO_SPARE       },
    {"remaining",                          MEMO_ABOUT,       MEMO_SPARE       },
    {"free",                               MEMO_ABOUT,       MEMO_SPARE       },
    {"unused",                             MEMO_ABOUT,       MEMO_SPARE       },
    {"left over",                          MEMO_ABOUT,       MEMO_SPARE       },
    {"left",                               MEMO_ABOUT,       MEMO_SPARE       },
    {"margin",                             MEMO_ABOUT,       MEMO_SPARE       },
    {"slack",                              MEMO_ABOUT,       MEMO_SPARE       },
    {"all gather",                         MEMO_ABOUT,       MEMO_GATHERS     },
    {"allgather",                          MEMO_ABOUT,       MEMO_GATHERS     },
    {"reduce scatter",                     MEMO_ABOUT,       MEMO_SCATTERS    },
    {"all reduce",                         MEMO_ABOUT,       MEMO_REDUCES     },
    {"allreduce",                          MEMO_ABOUT,       MEMO_REDUCES     },
    {"between nodes",                      MEMO_ABOUT,       MEMO_BETWEEN     },
    {"across nodes",                       MEMO_ABOUT,       MEMO_BETWEEN     },
    {"sends",                              MEMO_ABOUT,       MEMO_SENT        },
    {"send",                               MEMO_ABOUT,       MEMO_SENT        },
    {"sent",                               MEMO_ABOUT,       MEMO_SENT        },
    {"traffic",                            MEMO_ABOUT,       MEMO_SENT        },
    {"moves",                              MEMO_ABOUT,       MEMO_SENT        },
    {"payload",                            MEMO_ABOUT,       MEMO_SENT        },
    {"volume",                             MEMO_ABOUT,       MEMO_SENT        },
    {"communication time",                 MEMO_ABOUT,       MEMO_COMM        },
    {"communication",                      MEMO_ABOUT,       MEMO_SENT        },
    {"communicates",                       MEMO_ABOUT,       MEMO_SENT        },
    {"exchange",                           MEMO_ABOUT,       MEMO_SENT        },
    {"host memory",                        MEMO_ABOUT,       MEMO_HOST        },
    {"cpu memory",                         MEMO_ABOUT,       MEMO_HOST        },
    {"on the host",                        MEMO_ABOUT,       MEMO_HOST        },
    {"step time",                          MEMO_ABOUT,       MEMO_STEP        },
    {"iteration",                          MEMO_ABOUT,       MEMO_STEP        },
    {"a step",                             MEMO_ABOUT,       MEMO_STEP        },
    {"per step",                           MEMO_ABOUT,       MEMO_STEP        },
    {"step",                               MEMO_ABOUT,       MEMO_STEP        },
    {"exposed",                            MEMO_ABOUT,       MEMO_EXPOSED     },
    {"waits",                              MEMO_ABOUT,       MEMO_EXPOSED     },
    {"waiting",                            MEMO_ABOUT,       MEMO_EXPOSED     },
    {"not hidden",                         MEMO_ABOUT,       MEMO_EXPOSED     },
    {"compute",                            MEMO_ABOUT,       MEMO_COMPUTE     },
    {"computation",                        MEMO_ABOUT,       MEMO_COMPUTE     },
    {"forward",                            MEMO_ABOUT,       MEMO_FORWARD     },
    {"backward",                           MEMO_ABOUT,       MEMO_BACKWARD    },
    {"update",                             MEMO_ABOUT,       MEMO_UPDATE      },
    {"throughput",                         MEMO_ABOUT,       MEMO_TOKENS      },
    {"whole run",                          MEMO_ABOUT,       MEMO_TRAINING    },
    {"training takes",                     MEMO_ABOUT,       MEMO_TRAINING    },
    {"train for",                          MEMO_ABOUT,       MEMO_TRAINING    },
    {"the run takes",                      MEMO_ABOUT,       MEMO_TRAINING    },
    {"all tokens",                         MEMO_ABOUT,       MEMO_TRAINING    },
 /* per what */
    {"per gpu",                            MEMO_PER_GPU,     0                },
    {"a gpu",                              MEMO_PER_GPU,     0                },
    {"each gpu",                           MEMO_PER_GPU,     0                },
    {"every gpu",                          MEMO_PER_GPU,     0                },
    {"per rank",                           MEMO_PER_GPU,     0                },
    {"a rank",                             MEMO_PER_GPU,     0                },
    {"each rank",                          MEMO_PER_GPU,     0                },
    {"one gpu",                            MEMO_PER_GPU,     0                },
    {"a card",                             MEMO_PER_GPU,     0                },
    {"per card",                           MEMO_PER_GPU,     0                },
    {"across the cluster",                 MEMO_PER_CLUSTER, 0                },
    {"of the cluster",                     MEMO_PER_CLUSTER, 0                },
    {"cluster",                            MEMO_PER_CLUSTER, 0                },
    {"across all",                         MEMO_PER_CLUSTER, 0                },
    {"over all gpus",                      MEMO_PER_CLUSTER, 0                },
    {"unsharded",                          MEMO_PER_CLUSTER, 0                },
    {"undivided",                          MEMO_PER_CLUSTER, 0                },
    {"whole",                              MEMO_PER_CLUSTER, 0                },
    {"per micro batch",                    MEMO_MICRO,       0                },
    {"a micro batch",                      MEMO_MICRO,       0                },
    {"each micro batch",                   MEMO_MICRO,       0                },
    {"one micro batch",                    MEMO_MICRO,       0                },
    {"and micro batch",                    MEMO_MICRO,       0                },
    {"per microbatch",                     MEMO_MICRO,       0                },
 /* what is said */
    {"does not fit",                       MEMO_FITS,        0                },
    {"doesn t fit",                        MEMO_FITS,        0                },
    {"do not fit",                         MEMO_FITS,        0                },
    {"don t fit",                          MEMO_FITS,        0                },
    {"would not fit",                      MEMO_FITS,        0                },
    {"will not fit",                       MEMO_FITS,        0                },
    {"cannot fit",                         MEMO_FITS,        0                },
    {"not fit",                            MEMO_FITS,        0                },
    {"out of memory",                      MEMO_FITS,        0                },
    {"too large",                          MEMO_FITS,        0                },
    {"too big",                            MEMO_FITS,        0                },
    {"fits",                               MEMO_FITS,        1                },
    {"fit",                                MEMO_FITS,        1                },
    {"we choose",                          MEMO_CHOOSES,     0                },
    {"we chose",                           MEMO_CHOOSES,     0                },
    {"we use",                             MEMO_CHOOSES,     0                },
    {"we will use",                        MEMO_CHOOSES,     0                },
    {"we pick",                            MEMO_CHOOSES,     0                },
    {"we recommend",                       MEMO_CHOOSES,     0                },
    {"i recommend",                        MEMO_CHOOSES,     0                },
    {"recommend",                          MEMO_CHOOSES,     0                },
    {"recommendation",                     MEMO_CHOOSES,     0                },
    {"we go with",                         MEMO_CHOOSES,     0                },
    {"go with",                            MEMO_CHOOSES,     0                },
    {"we propose",                         MEMO_CHOOSES,     0                },
    {"we adopt",                           MEMO_CHOOSES,     0                },
    {"our choice",                         MEMO_CHOOSES,     0                },
    {"the choice is",                      MEMO_CHOOSES,     0                },
    {"decision",                           MEMO_CHOOSES,     0                },
    {"choose",                             MEMO_CHOOSES,     0                },
    {"rejected",                           MEMO_REJECTS,     0                },
    {"reject",                             MEMO_REJECTS,     0                },
    {"ruled out",                          MEMO_REJECTS,     0                },
    {"rather than",                        MEMO_REJECTS,     0                },
    {"instead of",                         MEMO_REJECTS,     0                },
    {"instead",                            MEMO_REJECTS,     0                },
    {"not",                                MEMO_REJECTS,     0                },
    {"against",                            MEMO_REJECTS,     0                },
    {"versus",                             MEMO_REJECTS,     0                },
    {"alternative",                        MEMO_REJECTS,     0                },
    {"if",                                 MEMO_CONDITION,   0                },
    {"should the",                         MEMO_CONDITION,   0                },
    {"should it",                          MEMO_CONDITION,   0                },
    {"when the",                           MEMO_CONDITION,   0                },
    {"unless",                             MEMO_CONDITION,   0                },
    {"until",                              MEMO_CONDITION,   0                },
    {"alert",                              MEMO_CONDITION,   0                },
    {"abort",                              MEMO_CONDITION,   0                },
    {"stop when",                          MEMO_CONDITION,   0                },
    {"target",                             MEMO_CONDITION,   0                },
    {"goal",                               MEMO_CONDITION,   0                },
    {"threshold",                          MEMO_CONDITION,   0                },
    {"fall back",                          MEMO_FALLBACK,    0                },
    {"fallback",                           MEMO_FALLBACK,    0                },
    {"plan b",                             MEMO_FALLBACK,    0                },
    {"otherwise we",                       MEMO_FALLBACK,    0                },
    {"switch to",                          MEMO_FALLBACK,    0                },
    {"risk",                               MEMO_RISK,        0                },
    {"fear",                               MEMO_RISK,        0                },
    {"could break",                        MEMO_RISK,        0                },
    {"fragmentation",                      MEMO_RISK,        0                },
    {"baseline",                           MEMO_BASELINE,    0                },
    {"simplest setup",                     MEMO_BASELINE,    0                },
    {"simplest configuration",             MEMO_BASELINE,    0                },
    {"measure",                            MEMO_MEASURES,    0                },
    {"measured",                           MEMO_MEASURES,    0                },
    {"measurement",                        MEMO_MEASURES,    0                },
    {"profile",                            MEMO_MEASURES,    0                },
    {"compare",                            MEMO_MEASURES,    0                },
    {"log",                                MEMO_MEASURES,    0                },
 /* recipes: the value is a place in `recipes` */
    {"deepspeed",                          MEMO_RECIPE,      1                },
    {"megatron",                           MEMO_RECIPE,      2                },
    {"fsdp2",                              MEMO_RECIPE,      3                },
    {"fully_shard",                        MEMO_RECIPE,      3                },
    {"fsdp1",                              MEMO_RECIPE,      4                },
    {"fsdp",                               MEMO_RECIPE,      4                },
    {"paper",                              MEMO_RECIPE,      0                },
};
static const char *const recipes[] = {"paper", "deepspeed", "megatron", "fsdp2", "fsdp1"};

static void add(struct memo *m, enum memo_says says, double value, size_t first, size_t taken) {
    if (m->mentions == m->mention_room) {
        m->mention_room = m->mention_room ? 2 * m->mention_room : 256;
        m->mention = base_grow(m->mention, m->mention_room, sizeof *m->mention);
    }
    m->mention[m->mentions++] = (struct memo_mention){says, value, first, first + taken};
}

static bool is_number(const struct memo *m, size_t i) {
    return i < m->text.tokens && m->text.token[i].kind == MEMO_NUMBER;
}

static bool is_stage(const struct memo *m, size_t i) {
    if (!is_number(m, i) || m->text.token[i].digits > 1) return false;
    double v = m->text.token[i].value;
    return v >= 0 && v <= 3 && v == floor(v);
}

/* What may stand between the stages of a list: "1, 2 and 3", "1/2", "0–3". */
static size_t list_sign(const struct memo *m, size_t i, bool *range) {
    const struct memo_text *t = &m->text;
    *range = memo_is_mark(t, i, 0x2013) || memo_is_mark(t, i, '-') || memo_is_phrase(t, i, "to") ||
             memo_is_phrase(t, i, "through");
    bool comma = memo_is_mark(t, i, ',');
    bool word = memo_is_phrase(t, i + comma, "and") || memo_is_phrase(t, i + comma, "or");
    if (comma || word) return (size_t)comma + word;
    return *range || memo_is_mark(t, i, '/') ? 1 : 0;
}

/* A number with a unit after it is no stage: "stages 1 and 2 GB". */
static bool is_free(const struct memo *m, size_t i) {
    struct memo_unit unit;
    return is_stage(m, i) && !memo_unit_at(m, i + 1, &unit);
}

/* "stage 2", "ZeRO-2", "ZeRO stages 1, 2 and 3", "stages 0–3" */
static size_t read_stages(struct memo *m, size_t i) {
    const struct memo_text *t = &m->text;
    size_t at = i, n;
    if (t->token[i].is_stage && is_stage(m, i))
        return add(m, MEMO_STAGE, t->token[i].value, i, 1), 1;
    if (memo_is_phrase(t, at, "zero")) at++;
    if (at > i && memo_is_mark(t, at, '-')) at++;
    if ((n = memo_is_phrase(t, at, "stage"))) at += n;
    if (at == i) return 0;
    while (memo_is_mark(t, at, '-') || memo_is_mark(t, at, ':') || memo_is_mark(t, at, '=')) at++;
    if (!is_free(m, at)) return 0;
    size_t first = i;
    while (true) {
        bool range;
        double value = t->token[at].value;
        add(m, MEMO_STAGE, value, first, at + 1 - first);
        size_t sign = list_sign(m, ++at, &range);
        if (!sign || !is_free(m, at + sign)) return at - i;
        at += sign;
        first = at;
        for (double k = value + 1; range && k < t->token[at].value; k++)
            add(m, MEMO_STAGE, k, at, 1);
    }
}

/* "micro-batch 2", "micro-batch size of 2"; a count after the word */
static const struct {
    const char *phrase;
    enum memo_says says;
} counted[] = {
    {"micro batch size",      MEMO_BATCH   },
    {"micro batch",           MEMO_BATCH   },
    {"microbatch",            MEMO_BATCH   },
    {"gradient accumulation", MEMO_ROUNDS  },
    {"accumulation",          MEMO_ROUNDS  },
    {"accumulate",            MEMO_ROUNDS  },
    {"accumulating",          MEMO_ROUNDS  },
    {"accumulated",           MEMO_ROUNDS  },
    {"sequence length",       MEMO_SEQUENCE},
    {"sequence",              MEMO_SEQUENCE},
};

/* "sequence length of 4096", "grows to 4096", "= 4096" */
static bool is_linking(const struct memo_text *t, size_t i) {
    static const char *const words[] = {"of",    "over",  "is",   "at", "to",
                                        "grows", "rises", "goes", "up"};
    for (size_t k = 0; k < BASE_COUNT(words); k++)
        if (memo_is_phrase(t, i, words[k])) return true;
    return memo_is_mark(t, i, '=') || memo_is_mark(t, i, ':');
}

static size_t read_counted(struct memo *m, size_t i) {
    const struct memo_text *t = &m->text;
    for (size_t k = 0; k < BASE_COUNT(counted); k++) {
        size_t at = i + memo_is_phrase(t, i, counted[k].phrase);
        if (at == i) continue;
        while (is_linking(t, at)) at++;
        struct memo_unit unit;
        double value = is_number(m, at) ? t->token[at].value : 0;
        if (value < 1 || value > 1e7 || memo_unit_at(m, at + 1, &unit)) continue;
        add(m, counted[k].says, value, i, at + 1 - i);
        return at + 1 - i;
    }
    return 0;
}

/* "16 GPUs", "8 micro-batches", "13B parameters": a count before the word */
static size_t read_numbered(struct memo *m, size_t i) {
    static const struct {
        const char *phrase;
        enum memo_says says;
    } after[] = {
        {"gpu",           MEMO_GPUS      },
        {"micro batches", MEMO_ROUNDS    },
        {"microbatches",  MEMO_ROUNDS    },
        {"micro batch",   MEMO_ROUNDS    },
        {"b parameter",   MEMO_COUNT_SAID},
        {"b model",       MEMO_COUNT_SAID},
        {"b",             MEMO_COUNT_SAID},
    };
    const struct memo_text *t = &m->text;
    double value = is_number(m, i) ? t->token[i].value : 0;
    if (value < 1 || value > 1e6) return 0;
    struct memo_unit unit;
    if (memo_unit_at(m, i + 1, &unit)) return 0;
    for (size_t k = 0; k < BASE_COUNT(after); k++) {
        size_t n = memo_is_phrase(t, i + 1, after[k].phrase);
        if (!n) continue;
        if (after[k].says == MEMO_GPUS && (value < 2 || memo_is_phrase(t, i + 1, "gpu memory")))
            return 0;
        if (after[k].says == MEMO_GPUS &&
            (memo_is_phrase(t, i + 2, "per node") || memo_is_phrase(t, i + 2, "a node") ||
             memo_is_phrase(t, i + 2, "in one node")))
            return n + 1;
        if (after[k].says == MEMO_COUNT_SAID &&
            (!t->token[i + 1].glued || memo_is_phrase(t, i + 2, "token")))
            return 0;
        add(m, after[k].says, value, i, n + 1);
        return n + 1;
    }
    return 0;
}

/* "40 %", "MFU of 40 %": of peak arithmetic, where such a word stands near. */
static size_t read_efficiency(struct memo *m, size_t i) {
    static const char *const near[] = {"mfu",        "arithmetic",  "flops",
                                       "efficiency", "utilization", "utilisation"};
    const struct memo_text *t = &m->text;
    bool percent =
        is_number(m, i) && (memo_is_mark(t, i + 1, '%') || memo_is_phrase(t, i + 1, "percent"));
    if (!percent) return 0;
    double value = t->token[i].value;
    for (size_t k = i > 6 ? i - 6 : 0; k < i + 9; k++)
        for (size_t n = 0; n < BASE_COUNT(near); n++)
            if (memo_is_phrase(t, k, near[n]) && value >= 5 && value <= 100 && m->efficiency <= 0)
                m->efficiency = value / 100;
    return 2;
}

/* The card of so many GB: of the scenario's kind where there is one. */
static const struct account_card *card_of(const struct memo *m, double gb) {
    const struct account_card *own = m->report->scenario.training.card;
    size_t count;
    const struct account_card *cards = account_cards(&count), *found = NULL;
    for (size_t i = 0; i < count; i++) {
        bool size = fabs((double)cards[i].label_bytes - gb * 1e9) < 1;
        bool kind = own && strncmp(own->name, cards[i].name, strcspn(own->name, "-")) == 0;
        if (size && (!found || (kind && own != found))) found = &cards[i];
        if (size && kind && !strstr(cards[i].name, "pcie")) return &cards[i];
    }
    return found;
}

/* "40 GB cards", "40 GB A100s": the number stays a figure. */
static size_t read_sized_card(struct memo *m, size_t i) {
    const struct memo_text *t = &m->text;
    size_t taken, count, at = i + 2;
    bool size =
        is_number(m, i) && (memo_is_phrase(t, i + 1, "gb") || memo_is_phrase(t, i + 1, "g"));
    if (!size) return 0;
    at += memo_is_mark(t, at, '-') ? 1 : 0;
    bool word = memo_is_phrase(t, at, "card") || memo_is_phrase(t, at, "gpu") ||
                (at < t->tokens && study_scenario_card(t, at, &taken)) ||
                memo_is_phrase(t, at, "a100");
    const struct account_card *c = word ? card_of(m, t->token[i].value) : NULL;
    if (c) add(m, MEMO_CARD, (double)(c - account_cards(&count)), i, at + 1 - i);
    return c ? at + 1 - i : 0;
}

static size_t read_card(struct memo *m, size_t i) {
    size_t taken = 0, count;
    const struct account_card *c = study_scenario_card(&m->text, i, &taken);
    if (c) add(m, MEMO_CARD, (double)(c - account_cards(&count)), i, taken);
    return c ? taken : 0;
}

static size_t read_link(struct memo *m, size_t i) {
    size_t taken = 0, count;
    bool net;
    struct account_link link = study_scenario_link(&m->text, i, &taken, &net);
    const struct account_link *found = link.name ? account_link_find(link.name) : NULL;
    if (!found) return 0;
    add(m, MEMO_OVER, (double)(found - account_links(&count)), i, taken);
    return taken;
}

static size_t read_row(struct memo *m, size_t i) {
    if (m->text.token[i].kind != MEMO_WORD) return 0;
    char first = m->text.lower[m->text.token[i].start];
    for (size_t k = 0; k < BASE_COUNT(rows); k++) {
        size_t n = rows[k].phrase[0] == first ? memo_is_phrase(&m->text, i, rows[k].phrase) : 0;
        if (!n) continue;
        double value = rows[k].value;
        if (rows[k].says == MEMO_RECIPE) {
            struct account_training t = account_training_default();
            account_set(&t, "recipe", recipes[rows[k].value], NULL);
            value = t.recipe;
        }
        if (rows[k].value >= 0) add(m, rows[k].says, value, i, n);
        if (rows[k].says == MEMO_WIDE) add(m, MEMO_ABOUT, MEMO_GRADS, i, n);
        return n;
    }
    return 0;
}

void memo_read_mentions(struct memo *m) {
    static size_t (*const readers[])(struct memo *, size_t) = {
        read_stages, read_efficiency, read_sized_card, read_numbered,
        read_card,   read_link,       read_row,        read_counted};
    for (size_t i = 0; i < m->text.tokens;) {
        enum memo_token_kind kind = m->text.token[i].kind;
        size_t taken = 0;
        if (kind == MEMO_WORD || kind == MEMO_NUMBER)
            for (size_t k = 0; k < BASE_COUNT(readers) && !taken; k++) taken = readers[k](m, i);
        i += taken ? taken : 1;
    }
}

size_t memo_mention_from(const struct memo *m, size_t i) {
    size_t low = 0, high = m->mentions;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->mention[middle].end > i)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool memo_says(const struct memo *m, struct memo_range r, enum memo_says says) {
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++)
        if (m->mention[k].says == says) return true;
    return false;
}

struct memo_range memo_sentence(const struct memo *m, const struct memo_block *b, size_t i) {
    enum { REACH = 120 };
    struct memo_range r = {i, i};
    const struct memo_token *t = m->text.token;
    while (r.first > b->tokens.first && i - r.first < REACH && t[r.first - 1].kind != MEMO_STOP &&
           !memo_is_mark(&m->text, r.first - 1, ';'))
        r.first--;
    while (r.end < b->tokens.end && r.end - i < REACH && t[r.end].kind != MEMO_STOP &&
           !memo_is_mark(&m->text, r.end, ';'))
        r.end++;
    return r;
}
