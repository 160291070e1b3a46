/* "48.75 GB + 16.1 GB + 2.2 GB = 67.0 GB": terms that have no word of their own claim only that they add up. */
#include "memo.h"

#include <math.h>

struct chain {
    const struct memo_figure *first, *last; /* of the terms; the sum stands after the last */
};

/* The sign between two figures: '+', '-', '=' or 0. */
static int sign_between(const struct memo *m, const struct memo_figure *f,
                        const struct memo_figure *g) {
    if (f < m->figure || g >= m->figure + m->figures || g->first != f->end + 1) return 0;
    if (f->dimension != g->dimension || f->block != g->block) return 0;
    if (memo_is_mark(&m->text, f->end, '+')) return '+';
    if (memo_is_mark(&m->text, f->end, '=')) return '=';
    bool minus = memo_is_mark(&m->text, f->end, 0x2212) || memo_is_mark(&m->text, f->end, '-');
    return minus ? '-' : 0;
}

static bool is_plus(int sign) {
    return sign == '+' || sign == '-';
}

static struct chain chain_of(const struct memo *m, const struct memo_figure *f) {
    enum { TERMS = 16 };
    struct chain c = {f, f};
    for (int n = 0; n < TERMS && is_plus(sign_between(m, c.first - 1, c.first)); n++) c.first--;
    for (int n = 0; n < TERMS && is_plus(sign_between(m, c.last, c.last + 1)); n++) c.last++;
    return c;
}

bool memo_is_term(const struct memo *m, const struct memo_figure *f) {
    struct chain c = chain_of(m, f);
    return c.first < c.last && sign_between(m, c.last, c.last + 1) == '=';
}

void memo_judge_term(struct memo *m, struct memo_figure *f) {
    struct chain c = chain_of(m, f);
    const struct memo_figure *sum = c.last + 1;
    double made = f->low, half = f->half + sum->half;
    if (c.first != f) return;
    for (const struct memo_figure *g = f + 1; g <= c.last; g++) {
        made += sign_between(m, g - 1, g) == '-' ? -g->low : g->low;
        half += g->half;
    }
    if (fabs(made - sum->low) <= half) return;
    char is[40], said[40];
    struct study_memo_finding *found = memo_find(m, STUDY_MEMO_CONTRADICTORY, f->block,
                                                 (struct memo_range){f->first, c.last->end});
    memo_figure_text(m, f, found->figure, sizeof found->figure);
    memo_print(is, sizeof is, made, f->dimension);
    memo_print(said, sizeof said, sum->low, f->dimension);
    memo_say(found, "the terms make %s, not %s", is, said);
    f->kind = STUDY_MEMO_CONTRADICTORY;
}
