/* Checkpointing and offloading, on or off: "no activation checkpointing", "gradient_checkpointing=True", "CPU offload: none". */
#include "memo.h"

#include <string.h>

enum { NOTHING_SAID = -1 }; /* "offload" alone says something only where it is off */

static const struct noun {
    const char *phrase;
    enum memo_says says;
    int value;
} nouns[] = {
    {"activation checkpointing",   MEMO_KEEPS,   ACCOUNT_FULL},
    {"activation_checkpointing",   MEMO_KEEPS,   ACCOUNT_FULL},
    {"gradient checkpointing",     MEMO_KEEPS,   ACCOUNT_FULL},
    {"gradient_checkpointing",     MEMO_KEEPS,   ACCOUNT_FULL},
    {"activation recomputation",   MEMO_KEEPS,   ACCOUNT_FULL},
    {"activation recompute",       MEMO_KEEPS,   ACCOUNT_FULL},
    {"checkpointing",              MEMO_KEEPS,   ACCOUNT_FULL},
    {"checkpointed",               MEMO_KEEPS,   ACCOUNT_FULL},
    {"ckpt",                       MEMO_KEEPS,   ACCOUNT_FULL},
    {"ckpting",                    MEMO_KEEPS,   ACCOUNT_FULL},
    {"we checkpoint",              MEMO_KEEPS,   ACCOUNT_FULL},
    {"recomputation",              MEMO_KEEPS,   ACCOUNT_FULL},
    {"recomputed",                 MEMO_KEEPS,   ACCOUNT_FULL},
    {"recomputing",                MEMO_KEEPS,   ACCOUNT_FULL},
    {"recompute",                  MEMO_KEEPS,   ACCOUNT_FULL},
    {"rematerialization",          MEMO_KEEPS,   ACCOUNT_FULL},
    {"offload_optimizer",          MEMO_OFFLOAD, ACCOUNT_HOST},
    {"optimizer offload",          MEMO_OFFLOAD, ACCOUNT_HOST},
    {"optimizer offloading",       MEMO_OFFLOAD, ACCOUNT_HOST},
    {"optimizer on the host",      MEMO_OFFLOAD, ACCOUNT_HOST},
    {"optimizer to host",          MEMO_OFFLOAD, ACCOUNT_HOST},
    {"optimizer to the host",      MEMO_OFFLOAD, ACCOUNT_HOST},
    {"optimizer on the cpu",       MEMO_OFFLOAD, ACCOUNT_HOST},
    {"optimizer to the cpu",       MEMO_OFFLOAD, ACCOUNT_HOST},
    {"optimizer to cpu",           MEMO_OFFLOAD, ACCOUNT_HOST},
    {"optimizer offloaded",        MEMO_OFFLOAD, ACCOUNT_HOST},
    {"optimizer is offloaded",     MEMO_OFFLOAD, ACCOUNT_HOST},
    {"optimizer states offloaded", MEMO_OFFLOAD, ACCOUNT_HOST},
    {"offloaded optimizer",        MEMO_OFFLOAD, ACCOUNT_HOST},
    {"offload optimizer",          MEMO_OFFLOAD, ACCOUNT_HOST},
    {"offload the optimizer",      MEMO_OFFLOAD, ACCOUNT_HOST},
    {"offloads the optimizer",     MEMO_OFFLOAD, ACCOUNT_HOST},
    {"offloading the optimizer",   MEMO_OFFLOAD, ACCOUNT_HOST},
    {"cpu offload",                MEMO_OFFLOAD, ACCOUNT_HOST},
    {"cpu offloading",             MEMO_OFFLOAD, ACCOUNT_HOST},
    {"host offload",               MEMO_OFFLOAD, ACCOUNT_HOST},
    {"zero offload",               MEMO_OFFLOAD, ACCOUNT_HOST},
    {"nvme offload",               MEMO_OFFLOAD, ACCOUNT_NVME},
    {"nvme offloading",            MEMO_OFFLOAD, ACCOUNT_NVME},
    {"with offload to nvme",       MEMO_OFFLOAD, ACCOUNT_NVME},
    {"with offload",               MEMO_OFFLOAD, ACCOUNT_HOST},
    {"with offloading to nvme",    MEMO_OFFLOAD, ACCOUNT_NVME},
    {"with offloading",            MEMO_OFFLOAD, ACCOUNT_HOST},
    {"offload to nvme",            MEMO_OFFLOAD, ACCOUNT_NVME},
    {"offloading to nvme",         MEMO_OFFLOAD, ACCOUNT_NVME},
    {"offloading",                 MEMO_OFFLOAD, NOTHING_SAID},
    {"offload",                    MEMO_OFFLOAD, NOTHING_SAID},
    {"offloaded",                  MEMO_OFFLOAD, NOTHING_SAID},
};

/* "We do not need any activation checkpointing": how many words of this kind may stand between. */
static bool is_off_before(const struct memo_text *t, size_t i) {
    enum { REACH = 6 };
    static const char *const off[] = {"no",      "not",     "without",   "never", "t",
                                      "nothing", "disable", "disabling", "skip",  "unnecessary",
                                      "avoid",   "neither", "nor",       NULL};
    static const char *const passed[] = {
        "is",         "gets",     "will",      "be",   "any",     "all",    "full",  "selective",
        "activation", "gradient", "need",      "use",  "using",   "want",   "apply", "enable",
        "require",    "turn",     "on",        "kind", "of",      "for",    "to",    "cpu",
        "nvme",       "host",     "optimizer", "the",  "planned", "either", NULL};
    if (i > 2 && memo_is_phrase(t, i - 3, "w o") == 3) return true; /* "w/o" */
    for (size_t n = 1; n <= REACH && n <= i; n++) {
        if (memo_is_any(t, i - n, off)) return true;
        if (!memo_is_any(t, i - n, passed)) return false;
    }
    return false;
}

/* "checkpointing: off", "checkpointing is not needed", "gradient_checkpointing=False" */
static bool is_off_after(const struct memo_text *t, size_t i) {
    enum { REACH = 5 };
    static const char *const off[] = {"off",      "disabled",      "none",        "no",
                                      "false",    "unnecessary",   "not needed",  "not required",
                                      "not used", "not necessary", "not enabled", "not on",
                                      "unneeded", "needless",      "avoided",     NULL};
    static const char *const passed[] = {
        "is", "are",    "stays",    "stay", "remains", "kept", "be",        "will", "can", "set",
        "to", "turned", "switched", "was",  "of",      "the",  "optimizer", "it",   NULL};
    for (size_t n = 0; n < REACH && i < t->tokens; n++, i++) {
        if (memo_is_any(t, i, off)) return true;
        if (!memo_is_any(t, i, passed) && !memo_is_mark(t, i, ':') && !memo_is_mark(t, i, '='))
            return false;
    }
    return false;
}

/* "AC" as engineers write it. */
static size_t abbreviated(const struct memo_text *t, size_t i) {
    return memo_is_phrase(t, i, "ac") && memcmp(t->raw + t->token[i].start, "AC", 2) == 0 ? 1 : 0;
}

static size_t noun_at(const struct memo_text *t, size_t i, struct memo_phrase *out) {
    *out = (struct memo_phrase){MEMO_KEEPS, ACCOUNT_FULL, false};
    size_t n = abbreviated(t, i);
    if (i >= t->tokens || t->token[i].kind != MEMO_WORD) return 0;
    char first = t->lower[t->token[i].start];
    for (size_t k = 0; k < BASE_COUNT(nouns) && !n; k++)
        if (nouns[k].phrase[0] == first && (n = memo_is_phrase(t, i, nouns[k].phrase)))
            *out =
                (struct memo_phrase){nouns[k].says, nouns[k].value, nouns[k].value == NOTHING_SAID};
    return n;
}

size_t memo_switch_at(const struct memo *m, size_t i, struct memo_phrase *out) {
    const struct memo_text *t = &m->text;
    bool selective = memo_is_phrase(t, i, "selective") || memo_is_phrase(t, i, "partial");
    size_t at = i + (selective || memo_is_phrase(t, i, "full") ? 1 : 0);
    if (at > i && memo_is_mark(t, at, '-')) at++;
    size_t n = noun_at(t, at, out);
    if (!n || (at > i && out->says != MEMO_KEEPS)) return 0;
    if (selective) out->value = ACCOUNT_SELECTIVE;
    if (is_off_before(t, i) || is_off_after(t, at + n))
        *out = (struct memo_phrase){
            out->says, out->says == MEMO_KEEPS ? ACCOUNT_KEEP_ALL : ACCOUNT_GPU, false};
    return at + n - i;
}
