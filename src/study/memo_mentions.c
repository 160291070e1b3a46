/* Words that say what figures are about. The longest phrase stands before shorter ones that begin it. */
#include "memo_mentions.h"

#include <math.h>
#include <string.h>

void memo_mention_add(struct memo *m, enum memo_says says, double value, size_t first,
                      size_t taken) {
    if (m->mentions == m->mention_room) {
        m->mention_room = m->mention_room ? 2 * m->mention_room : 256;
        m->mention = base_grow(m->mention, m->mention_room, sizeof *m->mention);
    }
    m->mention[m->mentions++] = (struct memo_mention){says, value, first, first + taken};
}

bool memo_mention_number(const struct memo *m, size_t i) {
    return i < m->text.tokens && m->text.token[i].kind == MEMO_NUMBER;
}

static bool is_stage(const struct memo *m, size_t i) {
    if (!memo_mention_number(m, i) || m->text.token[i].digits > 1) return false;
    double v = m->text.token[i].value;
    return v >= 0 && v <= 3 && v == floor(v);
}

/* What may stand between the stages of a list: "1, 2 and 3", "1/2", "0–3", "1 → 2". */
static size_t list_sign(const struct memo *m, size_t i, bool *range) {
    const struct memo_text *t = &m->text;
    *range = memo_is_mark(t, i, 0x2013) || memo_is_mark(t, i, '-') || memo_is_phrase(t, i, "to") ||
             memo_is_phrase(t, i, "through");
    bool comma = memo_is_mark(t, i, ',') || memo_is_mark(t, i, 0x2192);
    bool word = memo_is_phrase(t, i + comma, "and") || memo_is_phrase(t, i + comma, "or");
    if (comma || word) return (size_t)comma + word;
    return *range || memo_is_mark(t, i, '/') ? 1 : 0;
}

/* A number with a unit after it is no stage: "stages 1 and 2 GB". */
static bool is_free(const struct memo *m, size_t i) {
    struct memo_unit unit;
    return is_stage(m, i) && !memo_unit_at(m, i + 1, &unit);
}

static bool is_dash(const struct memo_text *t, size_t i) {
    return memo_is_mark(t, i, '-') || memo_is_mark(t, i, 0x2013) || memo_is_mark(t, i, 0x2012);
}

/* "stage II"; 0: none */
static double roman(const struct memo_text *t, size_t i) {
    static const char *const numerals[] = {"i", "ii", "iii"};
    for (size_t k = 0; k < BASE_COUNT(numerals); k++)
        if (memo_is_word(t, i, numerals[k], strlen(numerals[k])) &&
            t->raw[t->token[i].start] == 'I')
            return (double)(k + 1);
    return 0;
}

/* "1, 2 and 3" from `at` on; `first` is where the words before them begin. */
static size_t read_stage_list(struct memo *m, size_t first, size_t at) {
    const struct memo_text *t = &m->text;
    size_t i = first;
    while (true) {
        bool range;
        double value = t->token[at].value;
        memo_mention_add(m, MEMO_STAGE, value, first, at + 1 - first);
        size_t sign = list_sign(m, ++at, &range);
        if (!sign || !is_free(m, at + sign)) return at - i;
        at += sign;
        first = at;
        for (double k = value + 1; range && k < t->token[at].value; k++)
            memo_mention_add(m, MEMO_STAGE, k, at, 1);
    }
}

/* "stage 2", "ZeRO-2", "ZeRO stages 1, 2 and 3", "stages 0–3", "\"stage\": 2" */
static size_t read_stages(struct memo *m, size_t i) {
    const struct memo_text *t = &m->text;
    size_t at = i, n;
    if (t->token[i].is_stage && is_stage(m, i))
        return memo_mention_add(m, MEMO_STAGE, t->token[i].value, i, 1), 1;
    if (memo_is_phrase(t, at, "zero")) at++;
    if (at > i && is_dash(t, at)) at++;
    if ((n = memo_is_phrase(t, at, "stage"))) at += n;
    if (at == i) return 0;
    while (is_dash(t, at) || memo_is_mark(t, at, ':') || memo_is_mark(t, at, '=') ||
           memo_is_mark(t, at, '"') || memo_is_mark(t, at, '`'))
        at++;
    double numeral = roman(t, at);
    if (numeral > 0) return memo_mention_add(m, MEMO_STAGE, numeral, i, at + 1 - i), at + 1 - i;
    return is_free(m, at) ? read_stage_list(m, i, at) : 0;
}

/* FSDP2 keeps parameters whole between forward and backward where it is told to. */
static size_t read_reshard(struct memo *m, size_t i) {
    const struct memo_text *t = &m->text;
    bool named = memo_is_phrase(t, i, "reshard_after_forward");
    if (!named && !memo_is_phrase(t, i, "reshard") && !memo_is_phrase(t, i, "resharding")) return 0;
    size_t at = i + 1;
    while (memo_is_mark(t, at, '=') || memo_is_mark(t, at, ':') || memo_is_phrase(t, at, "is"))
        at++;
    bool off = memo_is_phrase(t, at, "false") || memo_is_phrase(t, at, "off");
    if (!off && !memo_is_phrase(t, at, "true") && !memo_is_phrase(t, at, "on")) {
        if (!named) return 0;
        at = i;
    }
    memo_mention_add(m, MEMO_STAGE, off ? 2 : 3, i, at + 1 - i);
    return at + 1 - i;
}

/* "micro-batch 2", "micro-batch size of 2"; a count after the word */
static const struct {
    const char *phrase;
    enum memo_says says;
} counted[] = {
    {"micro batch size",          MEMO_BATCH   },
    {"micro batch",               MEMO_BATCH   },
    {"microbatch",                MEMO_BATCH   },
    {"gradient accumulation",     MEMO_ROUNDS  },
    {"accumulation",              MEMO_ROUNDS  },
    {"accumulate",                MEMO_ROUNDS  },
    {"accumulating",              MEMO_ROUNDS  },
    {"accumulated",               MEMO_ROUNDS  },
    {"sequence length",           MEMO_SEQUENCE},
    {"tensor parallel degree of", MEMO_TENSOR  },
    {"tensor parallel degree",    MEMO_TENSOR  },
    {"tensor parallel size",      MEMO_TENSOR  },
    {"tensor parallelism",        MEMO_TENSOR  },
    {"tensor parallel",           MEMO_TENSOR  },
    {"tp",                        MEMO_TENSOR  },
    {"pipeline parallelism",      MEMO_PIPELINE},
    {"pipeline parallel",         MEMO_PIPELINE},
    {"pp",                        MEMO_PIPELINE},
    {"mbs",                       MEMO_BATCH   },
    {"sequence",                  MEMO_SEQUENCE},
    {"context length",            MEMO_SEQUENCE},
    {"context",                   MEMO_SEQUENCE},
    {"seq length",                MEMO_SEQUENCE},
    {"seq len",                   MEMO_SEQUENCE},
    {"seqlen",                    MEMO_SEQUENCE},
    {"seq",                       MEMO_SEQUENCE},
};

/* "sequence length of 4096", "grows to 4096", "= 4096" */
static bool is_linking(const struct memo_text *t, size_t i) {
    static const char *const words[] = {"of",   "over", "is",   "at", "to",
                                        "grow", "rise", "goes", "up", NULL};
    return memo_is_any(t, i, words) || memo_is_mark(t, i, '=') || memo_is_mark(t, i, ':') ||
           memo_is_mark(t, i, '(');
}

static size_t read_counted(struct memo *m, size_t i) {
    const struct memo_text *t = &m->text;
    size_t first = i + memo_is_phrase(t, i, "a"); /* "a micro-batch of 2" is no "a micro-batch" */
    for (size_t k = 0; k < BASE_COUNT(counted); k++) {
        size_t at = first + memo_is_phrase(t, first, counted[k].phrase);
        if (at == first) continue;
        while (is_linking(t, at)) at++;
        struct memo_unit unit;
        double value = memo_mention_number(m, at) ? t->token[at].value : 0;
        if (value < 1 || value > 1e7 || memo_unit_at(m, at + 1, &unit)) continue;
        bool kilo = counted[k].says == MEMO_SEQUENCE && memo_is_phrase(t, at + 1, "k") &&
                    t->token[at + 1].glued; /* "seq 4k" */
        memo_mention_add(m, counted[k].says, kilo ? 1024 * value : value, i, at + 1 + kilo - i);
        size_t end = at + 1 + kilo, next = end + 1; /* "micro-batch 1 → 2" */
        bool changes = memo_is_mark(t, end, 0x2192) && memo_mention_number(m, next) &&
                       t->token[next].last == 0 && !memo_unit_at(m, next + 1, &unit);
        if (changes) memo_mention_add(m, counted[k].says, t->token[next].value, next, 1);
        return (changes ? next + 1 : end) - i;
    }
    return 0;
}

/* "at 4096 tokens"; "at 13,664 tokens a second" is another thing. */
static size_t read_length(struct memo *m, size_t i) {
    static const char *const rates[] = {"per", "a", "each", "in", "every", NULL};
    const struct memo_text *t = &m->text;
    double value = memo_mention_number(m, i + 1) ? t->token[i + 1].value : 0;
    if (!memo_is_phrase(t, i, "at") || !memo_is_phrase(t, i + 2, "tokens")) return 0;
    if (value < 1 || value > 1e7 || memo_is_mark(t, i + 3, '/')) return 0;
    if (memo_is_any(t, i + 3, rates)) return 0;
    memo_mention_add(m, MEMO_SEQUENCE, value, i, 3);
    return 3;
}

/* "16 GPUs", "8 micro-batches", "13B parameters": a count before the word */
static size_t read_numbered(struct memo *m, size_t i) {
    static const struct {
        const char *phrase;
        enum memo_says says;
    } after[] = {
        {"gpu",                       MEMO_GPUS      },
        {"micro batches",             MEMO_ROUNDS    },
        {"microbatches",              MEMO_ROUNDS    },
        {"accumulated micro batches", MEMO_ROUNDS    },
        {"accumulation steps",        MEMO_ROUNDS    },
        {"micro batch",               MEMO_ROUNDS    },
        {"b parameter",               MEMO_COUNT_SAID},
        {"b model",                   MEMO_COUNT_SAID},
        {"b",                         MEMO_COUNT_SAID},
    };
    const struct memo_text *t = &m->text;
    double value = memo_mention_number(m, i) ? t->token[i].value : 0;
    if (value >= 1e9 && memo_is_phrase(t, i + 1, "parameter"))
        return memo_mention_add(m, MEMO_COUNT_SAID, value / 1e9, i, 2), 2;
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
            ((!t->token[i + 1].glued && n < 2) || memo_is_phrase(t, i + 2, "token")))
            return 0;
        memo_mention_add(m, after[k].says, value, i, n + 1);
        return n + 1;
    }
    return 0;
}

/* "utilization" is of arithmetic unless another thing's stands before it. */
static bool is_arithmetic(const struct memo_text *t, size_t i) {
    static const char *const words[] = {"mfu", "hfu", "arithmetic", "flops", "flop", NULL};
    static const char *const shares[] = {"efficiency", "utilization", "utilisation", NULL};
    static const char *const others[] = {
        "memory", "scaling", "link", "gpu", "network", "bandwidth",     "parallel",
        "weak",   "peak",    "card", "hbm", "strong",  "communication", NULL};
    if (memo_is_any(t, i, words)) return true;
    bool share = memo_is_any(t, i, shares);
    if (share && i > 0 && memo_is_any(t, i - 1, others)) return false;
    return share;
}

/* "40 %", "MFU of 40 %": of peak arithmetic, where such a word stands near, in the sentence. */
static size_t read_efficiency(struct memo *m, size_t i) {
    enum { BEFORE = 6, AFTER = 8 };
    const struct memo_text *t = &m->text;
    bool percent = memo_mention_number(m, i) &&
                   (memo_is_mark(t, i + 1, '%') || memo_is_phrase(t, i + 1, "percent"));
    double value = percent ? t->token[i].value : 0;
    bool said = false;
    if (!percent) return 0;
    for (size_t k = i; k-- > 0 && i - k <= BEFORE && t->token[k].kind < MEMO_STOP;)
        said |= is_arithmetic(t, k);
    for (size_t k = i; k <= i + AFTER && k < t->tokens && t->token[k].kind < MEMO_STOP; k++)
        said |= is_arithmetic(t, k);
    if (said && value >= 5 && value <= 100) memo_mention_add(m, MEMO_MFU, value / 100, i, 2);
    return 2;
}

static bool ends_there(const struct memo_text *t, size_t i) {
    return i >= t->tokens || t->token[i].kind == MEMO_STOP || t->token[i].kind == MEMO_BLOCK ||
           memo_is_mark(t, i, ',') || memo_is_mark(t, i, ';');
}

/* "bytes per parameter": that counts them. */
static bool is_counted(const struct memo_text *t, size_t i) {
    static const char *const words[] = {"per", "a", "each", "every", NULL};
    if (i == 0) return false;
    return memo_is_any(t, i - 1, words) || memo_is_mark(t, i - 1, '/') ||
           (t->token[i - 1].kind == MEMO_NUMBER && t->token[i - 1].value >= 1e6);
}

/* "the reduce-scatter sends", "activations peak at": what does it stands right before. */
static bool is_verb(const struct memo *m, size_t i, enum memo_what what) {
    const struct memo_mention *x = m->mentions ? &m->mention[m->mentions - 1] : NULL;
    const struct memo_text *t = &m->text;
    if (!x || x->says != MEMO_ABOUT || x->end != i) return false;
    if (what == MEMO_PEAK) return x->value == MEMO_ACTIVATIONS && memo_is_phrase(t, i + 1, "at");
    bool collective = x->value >= MEMO_GATHERS && x->value <= MEMO_REDUCES;
    return collective && (memo_is_phrase(t, i, "sends") || memo_is_phrase(t, i, "moves"));
}

/* "20 steps" are not what one takes; torch.cuda is no reserve. */
static bool is_no_subject(const struct memo *m, size_t i, enum memo_what what) {
    const struct memo_text *t = &m->text;
    const struct memo_token *before = i > 0 ? &t->token[i - 1] : NULL;
    if (what == MEMO_PEAK || what == MEMO_SENT) return is_verb(m, i, what);
    if (what == MEMO_PARAMS) return is_counted(t, i);
    if (what == MEMO_STEP) return before && before->kind == MEMO_NUMBER && before->value > 1;
    return what == MEMO_RESERVE && i > 0 && t->token[i].glued && memo_is_mark(t, i - 1, '.');
}

/* "which stage 2 leaves whole," and not "the whole model" */
static bool is_adverb(const struct memo_text *t, size_t i) {
    return memo_is_phrase(t, i, "whole") && i + 1 < t->tokens && t->token[i + 1].kind != MEMO_WORD;
}

static size_t read_phrase(struct memo *m, size_t i) {
    struct memo_phrase p;
    size_t n = memo_phrase_at(m, i, &p);
    if (!n || p.idle) return n;
    if (p.says == MEMO_PER_CLUSTER && is_adverb(&m->text, i)) return n;
    if (p.says == MEMO_ABOUT && is_no_subject(m, i, (enum memo_what)p.value)) return n;
    memo_mention_add(m, p.says, p.value, i, n);
    if (p.says == MEMO_WIDE) memo_mention_add(m, MEMO_ABOUT, MEMO_GRADS, i, n);
    bool picks = p.says == MEMO_CHOOSES && is_free(m, i + n) && ends_there(&m->text, i + n + 1);
    if (picks)
        memo_mention_add(m, MEMO_STAGE, m->text.token[i + n].value, i + n, 1); /* "we pick 2" */
    return n + picks;
}

static size_t read_switch(struct memo *m, size_t i) {
    struct memo_phrase p;
    size_t n = memo_switch_at(m, i, &p);
    if (n && !p.idle) memo_mention_add(m, p.says, p.value, i, n);
    return n;
}

void memo_read_mentions(struct memo *m) {
    static size_t (*const readers[])(struct memo *, size_t) = {
        read_stages,   read_reshard, read_efficiency, memo_read_sized_card, memo_read_gpus,
        read_numbered, read_length,  memo_read_card,  memo_read_model,      memo_read_link,
        read_switch,   read_counted, read_phrase};
    m->model = memo_model_of(&m->report->scenario.training);
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

bool memo_has_any(const struct memo *m, struct memo_range r, const char *const *phrases) {
    for (size_t i = r.first; i < r.end; i++)
        if (memo_is_any(&m->text, i, phrases)) return true;
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
