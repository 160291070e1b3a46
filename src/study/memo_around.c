/* What stands around a figure, and which words there are nearest to it. */
#include "memo_around.h"

#include <math.h>
#include <string.h>

static bool parts(const struct memo_text *t, size_t i) {
    static const uint32_t marks[] = {',', '(', ')', ':', '+', '=', '[', ']', 0x2014, '|'};
    const struct memo_token *token = &t->token[i];
    for (size_t k = 0; token->kind == MEMO_MARK && k < BASE_COUNT(marks); k++)
        if (token->mark == marks[k]) return true;
    if (token->kind != MEMO_WORD || !strchr("abw", t->lower[token->start])) return false;
    return memo_is_phrase(t, i, "and") || memo_is_phrase(t, i, "but") ||
           memo_is_phrase(t, i, "while") || memo_is_phrase(t, i, "whereas");
}

/* The figures of a list stand next to each other. */
static struct memo_range list_of(const struct memo *m, const struct memo_figure *f) {
    size_t at = (size_t)(f - m->figure), first = at - f->place, last = first + f->of - 1;
    if (f->place > at || last >= m->figures) return (struct memo_range){f->first, f->end};
    return (struct memo_range){m->figure[first].first, m->figure[last].end};
}

/* Whether the figure after `f` says the same in another unit: "85.9 GB = 80 GiB", "67 GB (62.4 GiB)". */
static bool is_same(const struct memo *m, const struct memo_figure *f) {
    static const double same = 0.006;
    const struct memo_figure *g = f + 1;
    if (f < m->figure || g >= m->figure + m->figures || g->block != f->block) return false;
    bool sign = memo_is_mark(&m->text, f->end, '=') || memo_is_mark(&m->text, f->end, '(');
    return sign && g->first == f->end + 1 && g->dimension == f->dimension && g->unit != f->unit &&
           fabs(g->low - f->low) <= same * f->low;
}

struct memo_around memo_look_around(const struct memo *m, const struct memo_figure *f) {
    struct memo_around a = {.m = m, .f = f, .b = &m->block[f->block]};
    a.list = list_of(m, f);
    bool next = is_same(m, f), before = f > m->figure && is_same(m, f - 1);
    a.twin = next || before;
    if (next) a.list.end = f[1].end;
    if (before) a.list.first = f[-1].first;
    a.sentence = memo_sentence(m, a.b, f->first);
    a.part = a.list;
    while (a.part.first > a.sentence.first && !parts(&m->text, a.part.first - 1)) a.part.first--;
    while (a.part.end < a.sentence.end && !parts(&m->text, a.part.end)) a.part.end++;
    return a;
}

bool memo_mention_says(const struct memo_mention *x, const void *to) {
    return x->says == *(const enum memo_says *)to;
}

const struct memo_mention *memo_last_before(const struct memo *m, struct memo_range r, size_t at,
                                            memo_wanted *want, const void *to) {
    const struct memo_mention *found = NULL;
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].end <= at; k++)
        if (m->mention[k].first >= r.first && want(&m->mention[k], to)) found = &m->mention[k];
    return found;
}

const struct memo_mention *memo_first_after(const struct memo *m, struct memo_range r, size_t at,
                                            memo_wanted *want, const void *to) {
    for (size_t k = memo_mention_from(m, at); k < m->mentions && m->mention[k].first < r.end; k++)
        if (m->mention[k].first >= at && want(&m->mention[k], to)) return &m->mention[k];
    return NULL;
}

const struct memo_mention *memo_within(const struct memo *m, struct memo_range r, memo_wanted *want,
                                       const void *to) {
    return r.end > r.first ? memo_first_after(m, r, r.first, want, to) : NULL;
}

const struct memo_mention *memo_over_cell(const struct memo_around *a, memo_wanted *want,
                                          const void *to) {
    const struct memo_range *const r[] = {&a->b->tokens, &a->b->row, &a->b->column, &a->b->heading};
    for (size_t i = 0; a->b->cell && i < BASE_COUNT(r); i++) {
        const struct memo_mention *x = memo_within(a->m, *r[i], want, to);
        if (x) return x;
    }
    return NULL;
}

const struct memo_mention *memo_in_parents(const struct memo *m, const struct memo_block *b,
                                           memo_wanted *want, const void *to) {
    enum { DEEPEST = 8 };
    const struct memo_mention *x = NULL;
    for (int n = 0; !x && b->parent && n < DEEPEST; n++) {
        b = &m->block[b->parent - 1];
        x = memo_within(m, b->tokens, want, to);
    }
    return x;
}

const struct memo_mention *memo_over(const struct memo *m, const struct memo_block *b,
                                     memo_wanted *want, const void *to) {
    const struct memo_mention *x = memo_in_parents(m, b, want, to);
    return x ? x : memo_within(m, b->heading, want, to);
}

const struct memo_mention *memo_nearest(const struct memo_around *a, memo_wanted *want,
                                        const void *to) {
    const struct memo_mention *x = memo_last_before(a->m, a->part, a->list.first, want, to);
    if (!x) x = memo_first_after(a->m, a->part, a->list.end, want, to);
    if (!x) x = memo_last_before(a->m, a->sentence, a->list.first, want, to);
    if (!x) x = memo_first_after(a->m, a->sentence, a->list.end, want, to);
    return x;
}

bool memo_is_parted(const struct memo_around *a, const struct memo_mention *x) {
    const struct memo_figure *next = a->f + (a->f->of - a->f->place);
    const struct memo_figure *end = a->m->figure + a->m->figures;
    while (next < end && (next->dimension == MEMO_RATIO || next->first < a->list.end)) next++;
    return x->first >= a->list.end && next < end && next->first < x->first;
}

bool memo_is_after(const struct memo_around *a, size_t i, const char *const *words, size_t reach) {
    const struct memo_text *t = &a->m->text;
    for (; *words; words++)
        for (size_t n = 1; n <= reach && n <= i - a->sentence.first; n++) {
            size_t taken = memo_is_phrase(t, i - n, *words);
            if (taken && taken <= n) return true;
        }
    return false;
}

bool memo_is_contrasted(const struct memo_around *a) {
    static const char *const words[] = {"instead of",    "rather than", "versus", "vs",
                                        "against",       "not",         "from",   "compared to",
                                        "compared with", "down from",   NULL};
    enum { REACH = 3 };
    const struct memo_figure *f = a->f;
    bool with = f > a->m->figure && f[-1].end + 1 == f->first &&
                memo_is_phrase(&a->m->text, f[-1].end, "with"); /* "compare 1.20 s with 1.11 s" */
    return with || memo_is_after(a, f->first, words, REACH);
}
