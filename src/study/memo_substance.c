/* Whether a memo says something of what figures cannot show: its risks, its fallback, what is measured and against what. A keyword alone says
 * nothing, and neither does one that is denied: "no risk", "measure nothing". */
#include "memo.h"

#include <string.h>

/* ── words ───────────────────────────────────────────────────────────────────────────────────────*/
static bool is_word(const struct memo *m, size_t i, const char *word) {
    const struct memo_token *t = &m->text.token[i];
    size_t n = strlen(word);
    return t->kind == MEMO_WORD && t->length == n && memcmp(m->text.lower + t->start, word, n) == 0;
}

static bool is_one_of(const struct memo *m, size_t i, const char *const *words) {
    for (; *words; words++)
        if (is_word(m, i, *words)) return true;
    return false;
}

static bool has_one_of(const struct memo *m, struct memo_range r, const char *const *words) {
    for (size_t i = r.first; i < r.end; i++)
        if (is_one_of(m, i, words)) return true;
    return false;
}

static const char *const denials[] = {"no",   "not",     "without", "never",
                                      "nor",  "neither", "nothing", "none",
                                      "lack", "cannot",  "t",       NULL}; /* "don't" */
/* They carry a denial on to what is denied, and say nothing themselves. */
static const char *const fillers[] = {
    "a",     "an",     "any",   "the",  "have", "has", "is",   "are",     "be",
    "was",   "to",     "of",    "in",   "for",  "we",  "our",  "it",      "its",
    "this",  "that",   "there", "will", "need", "see", "real", "such",    "known",
    "tuned", "simple", "and",   "or",   "plan", "do",  "as",   "against", NULL};

static size_t words_of(const struct memo *m, struct memo_range r) {
    size_t n = 0;
    for (size_t i = r.first; i < r.end; i++)
        n += m->text.token[i].kind == MEMO_WORD || m->text.token[i].kind == MEMO_NUMBER;
    return n;
}

static size_t telling_words(const struct memo *m, struct memo_range r) {
    size_t n = 0;
    for (size_t i = r.first; i < r.end; i++)
        n += m->text.token[i].kind == MEMO_NUMBER ||
             (m->text.token[i].kind == MEMO_WORD && !is_one_of(m, i, fillers));
    return n;
}

/* ── denied ──────────────────────────────────────────────────────────────────────────────────────*/
enum { REACH = 10 }; /* tokens */

/* "without checkpointing as the baseline": that is what is denied. */
static bool is_switch(const struct memo *m, size_t i) {
    size_t k = memo_mention_from(m, i);
    return k < m->mentions && m->mention[k].first <= i &&
           (m->mention[k].says == MEMO_KEEPS || m->mention[k].says == MEMO_OFFLOAD);
}

static bool denied_before(const struct memo *m, struct memo_range r, size_t first) {
    enum { OTHERS = 1 };
    size_t others = 0, least = first > r.first + REACH ? first - REACH : r.first;
    for (size_t i = first; i-- > least;) {
        if (is_one_of(m, i, denials)) return true;
        if (m->text.token[i].kind != MEMO_WORD || is_switch(m, i)) return false;
        others += !is_one_of(m, i, fillers);
        if (others > OTHERS) return false;
    }
    return false;
}

/* "measure nothing", "fallback: none"; but "measure not only the peak". */
static bool denied_behind(const struct memo *m, struct memo_range r, size_t end) {
    for (size_t i = end; i < r.end && i < end + REACH; i++) {
        if (is_one_of(m, i, denials)) return i + 1 == r.end || !is_word(m, i + 1, "only");
        if (m->text.token[i].kind == MEMO_NUMBER) return false;
        if (m->text.token[i].kind == MEMO_WORD && !is_one_of(m, i, fillers)) return false;
    }
    return false;
}

/* Whether a sentence says so, and does not deny it. */
static bool affirms(const struct memo *m, struct memo_range r, enum memo_says says) {
    bool found = false;
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++) {
        const struct memo_mention *x = &m->mention[k];
        if (x->says != says) continue;
        if (denied_before(m, r, x->first) || denied_behind(m, r, x->end)) return false;
        found = true;
    }
    return found;
}

static bool says_any(const struct memo *m, struct memo_range r, const enum memo_says *says,
                     size_t n) {
    for (size_t i = 0; i < n; i++)
        if (memo_says(m, r, says[i])) return true;
    return false;
}

/* ── what a sentence must have ───────────────────────────────────────────────────────────────────*/
static bool has_number(const struct memo *m, struct memo_range r) {
    for (size_t i = r.first; i < r.end; i++)
        if (m->text.token[i].kind == MEMO_NUMBER) return true;
    return false;
}

/* A configuration: what one may fall back to. */
static bool has_way(const struct memo *m, struct memo_range r) {
    static const enum memo_says ways[] = {MEMO_STAGE, MEMO_KEEPS,  MEMO_OFFLOAD, MEMO_GPUS,
                                          MEMO_BATCH, MEMO_ROUNDS, MEMO_SEQUENCE};
    static const char *const named[] = {"lora", "qlora", "hsdp", "mics", NULL};
    return says_any(m, r, ways, BASE_COUNT(ways)) || has_one_of(m, r, named);
}

static bool names_risk(const struct memo *m, enum study_memo_section s, struct memo_range r) {
    static const char *const denied[] = {"nothing", "none", "never", "impossible", NULL};
    static const char *const breaks[] = {
        "may",        "might",      "could",     "should",   "would",     "when",    "fail",
        "fails",      "slow",       "slower",    "breaks",   "break",     "grow",    "grows",
        "longer",     "larger",     "spike",     "spikes",   "leak",      "leaks",   "oom",
        "keeps",      "tight",      "fragments", "degraded", "allocator", "thermal", "noisy",
        "congestion", "contention", "congested", "long",     "error",     "errors",  "failure",
        "failures",   "halves",     "p2p",       "peer",     NULL};
    static const enum memo_says states[] = {MEMO_ABOUT, MEMO_WIDE};
    if (memo_says(m, r, MEMO_RISK)) {
        bool affirmed = affirms(m, r, MEMO_RISK);
        bool lone = words_of(m, r) == 1 && is_word(m, r.first, "risk");
        return affirmed && !lone && !has_one_of(m, r, denied);
    }
    if (s != STUDY_MEMO_RISKS || words_of(m, r) < 2 || has_one_of(m, r, denied)) return false;
    if (has_one_of(m, r, breaks) || memo_says(m, r, MEMO_CONDITION)) return true;
    bool figures = has_number(m, r) || says_any(m, r, states, BASE_COUNT(states));
    return figures && words_of(m, r) > 2 && !memo_says(m, r, MEMO_FALLBACK);
}

/* "Fallback: stage 3.", "If NVLink is slow, we take stage 1." */
static bool names_fallback(const struct memo *m, enum study_memo_section s, struct memo_range r) {
    enum { TELLING = 3 }; /* the keyword is one */
    static const char *const turns[] = {"otherwise", "instead", "drop",   "revert", "retreat",
                                        "enable",    "then",    "switch", "turn",   NULL};
    if (affirms(m, r, MEMO_FALLBACK)) return has_way(m, r) || telling_words(m, r) >= TELLING;
    if (s != STUDY_MEMO_RISKS || memo_says(m, r, MEMO_FALLBACK) || !has_way(m, r)) return false;
    return memo_says(m, r, MEMO_CONDITION) ||
           (has_one_of(m, r, turns) && !has_one_of(m, r, denials));
}

static bool names_measure(const struct memo *m, enum study_memo_section s, struct memo_range r) {
    static const char *const quantities[] = {"max_memory_allocated",
                                             "max_memory_reserved",
                                             "memory",
                                             "tokens",
                                             "tok",
                                             "seconds",
                                             "snapshot",
                                             "profile",
                                             NULL};
    bool denied = memo_says(m, r, MEMO_MEASURES) && !affirms(m, r, MEMO_MEASURES);
    if (denied || words_of(m, r) < 3) return false;
    if (s != STUDY_MEMO_FIRST_HOUR)
        return affirms(m, r, MEMO_MEASURES) && memo_says(m, r, MEMO_ABOUT);
    return memo_says(m, r, MEMO_MEASURES) || memo_says(m, r, MEMO_ABOUT) || has_number(m, r) ||
           has_one_of(m, r, quantities);
}

static bool names_baseline(const struct memo *m, enum study_memo_section s, struct memo_range r) {
    (void)s;
    return affirms(m, r, MEMO_BASELINE) && words_of(m, r) >= 2;
}

/* ── over the memo ───────────────────────────────────────────────────────────────────────────────*/
static bool parts(const struct memo_token *t) {
    return t->kind == MEMO_STOP || t->kind == MEMO_BLOCK ||
           (t->kind == MEMO_MARK && t->mark == ';');
}

bool memo_names(const struct memo *m, enum memo_says what) {
    static bool (*const names[])(const struct memo *, enum study_memo_section,
                                 struct memo_range) = {[MEMO_RISK] = names_risk,
                                                       [MEMO_FALLBACK] = names_fallback,
                                                       [MEMO_MEASURES] = names_measure,
                                                       [MEMO_BASELINE] = names_baseline};
    for (size_t b = 0; b < m->blocks; b++) {
        const struct memo_block *block = &m->block[b];
        struct memo_range r = {block->tokens.first, block->tokens.first};
        for (; !block->is_heading && r.end <= block->tokens.end; r.end++) {
            if (r.end < block->tokens.end && !parts(&m->text.token[r.end])) continue;
            if (r.end > r.first && names[what](m, block->section, r)) return true;
            r.first = r.end + 1;
        }
    }
    return false;
}
