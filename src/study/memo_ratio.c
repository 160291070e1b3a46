/* Words that make a figure a comparison: "1.5×", "half the", "a third less"; "3 GB more", "saves 14 GB", "falls by 20 GB". */
#include "memo.h"

#include <math.h>
#include <string.h>

struct phrase {
    const char *words;
    double value;
    bool alone; /* of a ratio: nothing need follow it */
};

static const struct phrase *phrase_at(const struct memo_text *t, size_t i, const struct phrase *p,
                                      size_t count, size_t *taken) {
    for (size_t k = 0; k < count; k++)
        if ((*taken = memo_is_phrase(t, i, p[k].words))) return &p[k];
    return NULL;
}

/* ── ratios ──────────────────────────────────────────────────────────────────────────────────────*/
/* What may follow a ratio: "8 × A100" and "2 × 40 GB" are none. */
static bool is_followed(const struct memo_text *t, size_t i) {
    static const char *const words[] = {"the",   "as",    "that", "what", "of",
                                        "more",  "under", "with", "for",  "than",
                                        "those", "stage", "zero", "ddp",  NULL};
    return memo_is_any(t, i, words);
}

static bool is_times(const struct memo_text *t, size_t i) {
    return memo_is_mark(t, i, 0xD7) || memo_is_mark(t, i, 'x') || memo_is_mark(t, i, 'X') ||
           memo_is_phrase(t, i, "x") || memo_is_phrase(t, i, "times");
}

static bool is_percent(const struct memo_text *t, size_t i) {
    return memo_is_mark(t, i, '%') || memo_is_phrase(t, i, "percent");
}

/* +1 or −1, and 0 where neither is said */
static int direction_at(const struct memo_text *t, size_t i) {
    static const struct phrase words[] = {
        {"more",       1,  false},
        {"extra",      1,  false},
        {"additional", 1,  false},
        {"larger",     1,  false},
        {"higher",     1,  false},
        {"longer",     1,  false},
        {"slower",     1,  false},
        {"less",       -1, false},
        {"fewer",      -1, false},
        {"smaller",    -1, false},
        {"lower",      -1, false},
        {"shorter",    -1, false},
        {"below",      -1, false},
        {"faster",     -1, false},
        {"quicker",    -1, false},
    };
    size_t taken;
    const struct phrase *p = phrase_at(t, i, words, BASE_COUNT(words), &taken);
    return !p ? 0 : p->value > 0 ? 1 : -1;
}

/* "1.5× the", "three times as much", "50 % more" */
static size_t read_number(const struct memo_text *t, size_t i, struct memo_ratio *out) {
    const struct memo_token *n = &t->token[i];
    *out = (struct memo_ratio){n->value, pow(10, n->last) / 2, n->digits};
    if (n->value <= 0) return 0;
    if (is_times(t, i + 1) && direction_at(t, i + 2) < 0) { /* "8× smaller" */
        *out = (struct memo_ratio){1 / n->value, out->half / n->value / n->value, n->digits};
        return 2;
    }
    static const char *const cards[] = {"what a card", "what the card", "what a gpu", "the card",
                                        "a card",      "the capacity",  "the usable", NULL};
    if (is_times(t, i + 1) && memo_is_any(t, i + 2, cards)) return 0;
    if (is_times(t, i + 1)) return is_followed(t, i + 2) ? 2 : 0;
    int direction = is_percent(t, i + 1) ? direction_at(t, i + 2) : 0;
    if (!direction) return 0;
    out->value = 1 + direction * n->value / 100;
    out->half /= 100;
    return out->value > 0 ? 2 : 0;
}

/* "half the", "twice as much as", "a third less" */
static size_t read_words(const struct memo_text *t, size_t i, struct memo_ratio *out) {
    static const struct phrase words[] = {
        {"half as much again", 1.5,    true },
        {"half again as much", 1.5,    true },
        {"half",               0.5,    false},
        {"halves the",         0.5,    true },
        {"halves its",         0.5,    true },
        {"doubles the",        2,      true },
        {"doubles its",        2,      true },
        {"triples the",        3,      true },
        {"twice",              2,      false},
        {"double",             2,      false},
        {"triple",             3,      false},
        {"a third",            1. / 3, false},
        {"1 third",            1. / 3, false},
        {"2 thirds",           2. / 3, false},
        {"a quarter",          0.25,   false},
        {"3 quarters",         0.75,   false},
        {"an eighth",          0.125,  false},
        {"1 eighth",           0.125,  false},
        {"a sixteenth",        0.0625, false},
        {"1 sixteenth",        0.0625, false},
    };
    static const double coarse = 0.1;
    size_t taken;
    const struct phrase *p = phrase_at(t, i, words, BASE_COUNT(words), &taken);
    if (!p) return 0;
    static const char *const those[] = {"of it", "of this", "of that", "of them", "of these", NULL};
    if (memo_is_any(t, i + taken, those)) return 0; /* a share of what was said */
    int direction = p->value < 1 ? direction_at(t, i + taken) : 0;
    if (!direction && !p->alone && !is_followed(t, i + taken)) return 0;
    double value = direction ? 1 + direction * p->value : p->value;
    *out = (struct memo_ratio){value, coarse * value, 1};
    return taken;
}

/* Verbs of change, and which way they go. */
static const struct phrase changing[] = {
    {"cut",      -1, false},
    {"reduce",   -1, false},
    {"lower",    -1, false},
    {"shrink",   -1, false},
    {"drop",     -1, false},
    {"fall",     -1, false},
    {"grow",     1,  false},
    {"rise",     1,  false},
    {"increase", 1,  false},
    {"raise",    1,  false},
    {"differ",   0,  false},
};

/* "shrinks eightfold", "grows 8-fold", "an eightfold reduction"; what has no such verb near is none. */
static size_t read_fold(const struct memo_text *t, size_t i, struct memo_ratio *out) {
    static const struct phrase folds[] = {
        {"twofold",     2,  true},
        {"threefold",   3,  true},
        {"fourfold",    4,  true},
        {"eightfold",   8,  true},
        {"sixteenfold", 16, true},
    };
    enum { REACH = 6, FOLD = 4 };
    size_t taken = 0;
    const struct memo_token *one = &t->token[i];
    bool word = one->kind == MEMO_WORD && one->length > FOLD &&
                memcmp(t->lower + one->start + one->length - FOLD, "fold", FOLD) == 0;
    const struct phrase *p = word ? phrase_at(t, i, folds, BASE_COUNT(folds), &taken) : NULL,
                        *verb = NULL;
    bool written = t->token[i].kind == MEMO_NUMBER && t->token[i].value > 1 &&
                   memo_is_phrase(t, i + 1 + memo_is_mark(t, i + 1, '-'), "fold");
    double value = p ? p->value : written ? t->token[i].value : 0;
    if (written) taken = 2 + memo_is_mark(t, i + 1, '-');
    for (size_t n = 1; value > 0 && !verb && n <= REACH && n <= i; n++) {
        if (t->token[i - n].kind >= MEMO_STOP) break;
        size_t length;
        verb = phrase_at(t, i - n, changing, BASE_COUNT(changing), &length);
    }
    if (!verb || !(verb->value > 0 || verb->value < 0)) return 0;
    if (verb->value < 0) value = 1 / value;
    *out = (struct memo_ratio){value, 0.1 * value, 1};
    return taken;
}

size_t memo_ratio_at(const struct memo *m, size_t i, struct memo_ratio *out) {
    const struct memo_text *t = &m->text;
    size_t n = read_fold(t, i, out);
    if (!n && t->token[i].kind == MEMO_NUMBER) n = read_number(t, i, out);
    return n ? n : read_words(t, i, out);
}

/* ── differences ─────────────────────────────────────────────────────────────────────────────────*/
/* "22.75 GB less", "22.75 GB a GPU less" */
static int said_after(const struct memo *m, const struct memo_figure *f) {
    static const char *const passed[] = {"a", "per", "each", "gpu", "rank", "step"};
    size_t i = f->end;
    for (size_t n = 0; n < 2; n++)
        for (size_t k = 0; k < BASE_COUNT(passed); k++)
            if (memo_is_phrase(&m->text, i, passed[k])) {
                i++;
                break;
            }
    return direction_at(&m->text, i);
}

static const struct phrase saving[] = {
    {"save",   -1, false},
    {"saving", -1, false},
    {"frees",  -1, false},
    {"add",    1,  false}
};
/* "saves about 22.75 GB"; "cuts the states by 22.75 GB" */
static bool said_before(const struct memo *m, const struct memo_figure *f, size_t first,
                        int *direction) {
    static const char *const passed[] = {"about",   "roughly", "some",   "another", "a",
                                         "further", "only",    "nearly", "almost",  "of"};
    const struct memo_text *t = &m->text;
    size_t i = f->first, taken;
    for (size_t k = 0; k < BASE_COUNT(passed) && i > first; k++)
        if (memo_is_phrase(t, i - 1, passed[k])) i--;
    bool by = i > first && memo_is_phrase(t, i - 1, "by");
    const struct phrase *words = by ? changing : saving, *p = NULL;
    size_t count = by ? BASE_COUNT(changing) : BASE_COUNT(saving);
    size_t reach = by ? 10 : 1;
    for (size_t n = by ? 2 : 1; !p && n <= reach && i >= first + n; n++)
        p = phrase_at(t, i - n, words, count, &taken);
    *direction = !p ? 0 : p->value > 0 ? 1 : p->value < 0 ? -1 : 0;
    bool told = i == first + 1 && !by && memo_is_phrase(t, f->end, "for"); /* "Add 16 GB for" */
    return p != NULL && !told && !memo_is_phrase(t, f->end, "to");
}

/* "Checkpointing would cost 0.36 s": what it adds. */
bool memo_is_cost(const struct memo *m, const struct memo_figure *f) {
    enum { REACH = 3 };
    static const char *const passed[] = {"about", "roughly", "some", "another", "only", NULL};
    const struct memo_text *t = &m->text;
    size_t i = f->first;
    if (i > 0 && memo_is_any(t, i - 1, passed)) i--;
    if (f->dimension != MEMO_SECONDS || i < 2 || !memo_is_phrase(t, --i, "cost")) return false;
    for (size_t k = memo_mention_from(m, i > REACH ? i - REACH : 0);
         k < m->mentions && m->mention[k].end <= i; k++)
        if (m->mention[k].says == MEMO_KEEPS || m->mention[k].says == MEMO_OFFLOAD) return true;
    return false;
}

bool memo_is_difference(const struct memo *m, const struct memo_figure *f, int *direction) {
    const struct memo_text *t = &m->text;
    size_t i = f->first, first = m->block[f->block].tokens.first;
    if ((*direction = said_after(m, f))) return true;
    if (i > first && memo_is_mark(t, i - 1, '+') && t->token[i].glued) return *direction = 1, true;
    bool minus = i > first && (memo_is_mark(t, i - 1, 0x2212) || memo_is_mark(t, i - 1, '-'));
    if (minus && t->token[i].glued && !t->token[i - 1].glued) return *direction = -1, true;
    if (i > first && (*direction = direction_at(t, i - 1))) return true;
    if (memo_is_cost(m, f)) return *direction = 1, true;
    return said_before(m, f, first, direction);
}
