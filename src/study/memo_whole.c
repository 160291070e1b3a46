/* Whether a figure may be of what the ranks share, before it is shared out: "156 GB of optimizer states, split 8 ways". */
#include "memo.h"

#include <string.h>

struct words {
    const struct memo *m;
    struct memo_range sentence;
    struct memo_range part; /* between commas and other figures */
    const struct memo_figure *f;
};

static bool is_break(const struct memo_text *t, size_t i) {
    static const uint32_t marks[] = {',', '(', ')', ':', '='};
    for (size_t k = 0; k < BASE_COUNT(marks); k++)
        if (memo_is_mark(t, i, marks[k])) return true;
    return t->token[i].kind == MEMO_NUMBER;
}

static struct words look(const struct memo *m, const struct memo_figure *f) {
    struct words w = {.m = m, .f = f};
    w.sentence = memo_sentence(m, &m->block[f->block], f->first);
    w.part = (struct memo_range){f->first, f->end};
    while (w.part.first > w.sentence.first && !is_break(&m->text, w.part.first - 1)) w.part.first--;
    while (w.part.end < w.sentence.end && !is_break(&m->text, w.part.end)) w.part.end++;
    return w;
}

static size_t after_bracket(const struct words *w, size_t i) {
    enum { REACH = 6 };
    for (size_t n = 1; n <= REACH && i + n < w->sentence.end; n++)
        if (memo_is_mark(&w->m->text, i + n, ')')) return i + n + 1;
    return w->sentence.end;
}

/* "/ 8", "÷ 8", "over 8 ranks", "split 8 ways", "sharded across the GPUs": the figure is what is divided. */
static bool is_divided(const struct words *w) {
    enum { REACH = 8 };
    static const char *const by[] = {"over",    "across", "among", "between",
                                     "amongst", "by",     "ways",  NULL};
    static const char *const verbs[] = {"split",       "divided", "shared", "sharded",
                                        "partitioned", "spread",  "over",   NULL};
    const struct memo_text *t = &w->m->text;
    size_t i = w->f->end;
    if (memo_is_mark(t, i, 0x2192) || memo_is_mark(t, i, 0x21D2)) i++; /* "156 GB → /8" */
    if ((memo_is_mark(t, i, '/') || memo_is_mark(t, i, 0xF7)) &&
        t->token[i + 1].kind == MEMO_NUMBER)
        return true;
    for (size_t n = 0; n < REACH && i < w->sentence.end; n++, i++) {
        if (memo_is_mark(t, i, '(')) i = after_bracket(w, i); /* "and Adam (104 GB) are split" */
        if (i >= w->sentence.end || t->token[i].kind == MEMO_NUMBER) return false;
        struct memo_range next = {i + 1, i + 4};
        if (next.end > w->sentence.end) next.end = w->sentence.end;
        if (!memo_has_any(w->m, (struct memo_range){i, i + 1}, verbs)) continue;
        bool counted = i + 1 < w->sentence.end && t->token[i + 1].kind == MEMO_NUMBER;
        if (counted || memo_has_any(w->m, next, by)) return true;
    }
    return false;
}

/* "1/8 of 182 GB", "an eighth of the 156 GB", "an eighth of the optimizer's 156 GB" */
static bool is_fraction_of(const struct words *w) {
    enum { REACH = 6 };
    static const char *const parts[] = {"eighth",   "quarter", "half", "third",
                                        "fraction", "share",   NULL};
    static const char *const ends[] = {"and", "is", "are", "or", "makes", "make", NULL};
    const struct memo_text *t = &w->m->text;
    for (size_t n = 1; n <= REACH && w->f->first >= w->sentence.first + n + 1; n++) {
        size_t i = w->f->first - n;
        if (is_break(t, i) || memo_is_any(t, i, ends)) return false;
        if (!memo_is_phrase(t, i, "of")) continue;
        return t->token[i - 1].kind == MEMO_NUMBER ||
               memo_has_any(w->m, (struct memo_range){i - 1, i}, parts);
    }
    return false;
}

bool memo_is_fraction_of(const struct memo *m, const struct memo_figure *f) {
    struct words w = look(m, f);
    return is_fraction_of(&w);
}

bool memo_is_quotient(const struct memo *m, struct memo_range r) {
    static const char *const words[] = {"divided by", "split", "over", "shared", "sharded", NULL};
    for (size_t i = r.first; i + 1 < r.end; i++) {
        bool sign = memo_is_mark(&m->text, i, '/') || memo_is_mark(&m->text, i, 0xF7);
        if (sign && m->text.token[i + 1].kind == MEMO_NUMBER) return true;
    }
    return memo_has_any(m, r, words);
}

/* "Of the 208 GB of states a GPU keeps": before they are shared out, perhaps. */
static bool is_of_whole(const struct words *w) {
    const struct memo_text *t = &w->m->text;
    size_t i = w->f->first;
    static const char *const articles[] = {"the", "these", "those", "its", NULL};
    if (i > w->sentence.first && memo_is_any(t, i - 1, articles)) i--;
    return i == w->sentence.first + 1 && memo_is_phrase(t, i - 1, "of") > 0;
}

/* "13 billion parameters. In bf16 that is 26 GB": they are counted in the sentence before. */
static bool is_counted_before(const struct words *w) {
    enum { PARAMETERS = 1000000, SENTENCES = 2 };
    const struct memo *m = w->m;
    size_t first = m->block[w->f->block].tokens.first, i = w->sentence.first;
    bool counted = false;
    for (size_t n = 0; n < SENTENCES && !counted && i > first; n++) {
        struct memo_range before = memo_sentence(m, &m->block[w->f->block], i - 1);
        if (before.first >= i) break;
        counted = memo_says(m, before, MEMO_COUNT_SAID);
        for (size_t k = before.first; k < before.end; k++)
            counted |= m->text.token[k].kind == MEMO_NUMBER && m->text.token[k].value >= PARAMETERS;
        if (memo_says(m, before, MEMO_STAGE)) return false;
        i = before.first;
    }
    return counted;
}

/* "16 bytes × 13e9 = 208 GB", "13B parameters at 2 bytes: 26 GB": parameters are counted, and nothing is divided. */
static bool is_counted(const struct words *w) {
    enum { PARAMETERS = 1000000, REACH = 40 };
    struct memo_range before = {w->sentence.first, w->f->first};
    const struct memo_text *t = &w->m->text;
    bool counted = memo_says(w->m, before, MEMO_COUNT_SAID);
    for (size_t i = before.first; i < before.end; i++)
        counted |= t->token[i].kind == MEMO_NUMBER && t->token[i].value >= PARAMETERS;
    size_t back = before.first; /* "2 bytes make 26 GB; the gradient is another 26 GB" */
    while (back > w->m->block[w->f->block].tokens.first && w->f->first - back < REACH &&
           t->token[back - 1].kind != MEMO_STOP)
        back--;
    for (const struct memo_figure *g = w->f; g > w->m->figure && g[-1].first >= back; g--)
        counted |= g[-1].dimension == MEMO_BYTES_PER_PARAM;
    return counted && !memo_is_quotient(w->m, before);
}

enum memo_share memo_share_of(const struct memo *m, const struct memo_figure *f,
                              const struct memo_options *o) {
    static const char *const outright[] = {
        "before sharding",        "unsharded", "undivided", "before it is shared",
        "before they are shared", NULL};
    static const char *const whole[] = {"whole",    "total",    "altogether", "in all",
                                        "all told", "full",     "all gpu",    "all eight",
                                        "all rank", "together", NULL};
    static const char *const copied[] = {"replicated", NULL}, *const single[] = {"per", "each",
                                                                                 "every", NULL};
    static const char *const alone[] = {"with 1 gpu", "single gpu", NULL};
    struct words w = look(m, f);
    bool shares = o->stage_said && o->stages && o->stage[0] > 0;
    if (is_divided(&w) || is_fraction_of(&w)) return MEMO_WHOLE;
    if (is_of_whole(&w) || memo_has_any(m, w.sentence, alone)) return MEMO_EITHER;
    if (memo_has_any(m, w.part, outright)) return MEMO_EITHER;
    bool all = o->cluster || (!m->block[f->block].cell && memo_has_any(m, w.part, whole));
    if (all && (!o->per_gpu || !memo_has_any(m, w.part, single))) return MEMO_EITHER;
    if (m->block[f->block].cell || o->per_gpu || shares) return MEMO_SHARE;
    bool before = is_counted_before(&w) && !memo_says(m, w.sentence, MEMO_STAGE) &&
                  !memo_says(m, w.sentence, MEMO_PER_GPU) &&
                  !memo_has_any(m, (struct memo_range){f->end, f->end + 1}, single);
    bool counted = memo_has_any(m, w.part, copied) || before || is_counted(&w) ||
                   memo_has_any(m, w.sentence, outright);
    return counted ? MEMO_EITHER : MEMO_SHARE;
}
