/* Words that say what figures are of: which stand directly beside one, and which belong to another figure already. */
#include "memo_beside.h"

#include <string.h>

/* What a mention is of, for a figure of this dimension. */
enum memo_what memo_what_of(const struct memo_mention *x, enum memo_dimension d) {
    enum memo_what what = x->says == MEMO_ABOUT ? (enum memo_what)x->value : MEMO_NOTHING;
    static const enum memo_what times[MEMO_WHATS] = {[MEMO_GATHERS] = MEMO_GATHER_TIME,
                                                     [MEMO_SCATTERS] = MEMO_SCATTER_TIME,
                                                     [MEMO_REDUCES] = MEMO_REDUCE_TIME};
    bool sent = what >= MEMO_SENT && what <= MEMO_BETWEEN;
    if (d == MEMO_SECONDS && times[what] != MEMO_NOTHING) return times[what];
    if (what == MEMO_OTHER) return d <= MEMO_SECONDS ? MEMO_OTHER : MEMO_NOTHING;
    if (d == MEMO_SECONDS && sent) return MEMO_COMM;
    if (d == MEMO_SECONDS && what == MEMO_OPTIMIZER) return MEMO_UPDATE;
    if (what == MEMO_NOTHING || memo_dimension_of(what) != d) return MEMO_NOTHING;
    return what;
}

/* "of the usable 85.9 GB", "activations (16.1 GB)": the word has a figure of its own. */
static bool has_own(const struct memo *m, const struct memo_mention *x) {
    const struct memo_text *t = &m->text;
    size_t i = x->end + (memo_is_mark(t, x->end, '(') ? 1 : 0);
    return i < t->tokens && t->token[i].kind == MEMO_NUMBER;
}

/* "the all-gather of parameters", "all-reduces the gradients": it is about the collective. */
static bool is_object(const struct memo *m, const struct memo_mention *x) {
    enum { WORDS = 4 };
    static const char *const passed[] = {"of",      "the",     "all",     "its",   "their",
                                         "updated", "bf16",    "reduced", "new",   "full",
                                         "fp32",    "sharded", "those",   "local", NULL};
    const struct memo_mention *before = x > m->mention ? x - 1 : NULL;
    if (!before || before->says != MEMO_ABOUT || x->first < before->end) return false;
    if (before->value < MEMO_GATHERS || before->value > MEMO_REDUCES) return false;
    if (x->first == before->end || x->first - before->end > WORDS) return false;
    for (size_t i = before->end; i < x->first; i++) {
        bool pass = false;
        pass |= memo_is_any(&m->text, i, passed);
        if (!pass) return false;
    }
    return true;
}

/* "stage 3, which also holds what it gathers, at 46.2 GB": said in passing. */
static bool is_in_passing(const struct memo_sought *s, const struct memo_mention *x) {
    enum { REACH = 8 };
    const struct memo_text *t = &s->m->text;
    bool closed = false, opened = false;
    if (!s->around || x->end > s->around->list.first) return false;
    for (size_t i = x->end; i < s->around->list.first; i++) closed |= memo_is_mark(t, i, ',');
    for (size_t n = 1; closed && n <= REACH && n <= x->first; n++) {
        size_t i = x->first - n;
        if (memo_is_mark(t, i, ',')) return opened;
        opened = memo_is_phrase(t, i, "which") || memo_is_phrase(t, i, "whose");
    }
    return false;
}

bool memo_is_what(const struct memo_mention *x, const void *to) {
    const struct memo_sought *s = to;
    if (is_object(s->m, x) || is_in_passing(s, x)) return false;
    if (x->first >= s->after && has_own(s->m, x)) return false;
    return memo_what_of(x, s->dimension) != MEMO_NOTHING;
}

/* "the peak with activations and reserve": those only say what the peak includes. */
static bool is_qualifier(const struct memo *m, size_t i) {
    static const char *const words[] = {"with",    "including", "incl",   "includes", "beside",
                                        "besides", "plus",      "behind", NULL};
    for (size_t n = 1; n <= 6 && n <= i; n++) {
        const struct memo_token *t = &m->text.token[i - n];
        if (t->kind == MEMO_NUMBER || t->kind == MEMO_STOP || t->kind == MEMO_BLOCK) return false;
        if (memo_is_any(&m->text, i - n, words)) return true;
    }
    return false;
}

bool memo_is_subject(const struct memo_mention *x, const void *to) {
    const struct memo_sought *s = to;
    return memo_is_what(x, to) && !is_qualifier(s->m, x->first);
}

/* "48.75 GB of model states", "67.0 GB peak": at once after the figure. */
const struct memo_mention *memo_directly_after(const struct memo_around *a,
                                               const struct memo_sought *s) {
    enum { NEAR = 5 };
    static const char *const passed[] = {"of",    "for",  "in", "the",    "as",   "is",   "are",
                                         "go",    "goes", "to", "gpu",    "per",  "a",    "each",
                                         "half",  "bf16", "16", "usable", "its",  "s",    "fp32",
                                         "still", "it",   "at", "their",  "rank", "that", NULL};
    const struct memo_text *t = &a->m->text;
    size_t i = a->list.end;
    for (size_t n = 0; n < NEAR && i < a->sentence.end; n++, i++) {
        const struct memo_mention *x =
            memo_first_after(a->m, (struct memo_range){i, i + 1}, i, memo_is_what, s);
        if (x) return x;
        bool pass = false;
        pass |= memo_is_any(t, i, passed);
        if (!pass) return NULL;
    }
    return NULL;
}

/* "Activations need 16.1 GB": the noun says of what, and not the verb. */
static const struct memo_mention *
who_needs(const struct memo_around *a, const struct memo_sought *s, const struct memo_mention *x) {
    if (!memo_is_phrase(&a->m->text, x->first, "need")) return x;
    const struct memo_mention *y = memo_last_before(a->m, a->sentence, x->first, memo_is_what, s);
    return y && y->end == x->first ? y : x;
}

/* "Together with the states 67 GB": not of those alone. */
static bool is_added(const struct memo *m, const struct memo_mention *x) {
    enum { REACH = 4 };
    for (size_t n = 2; n <= REACH && n <= x->first; n++)
        if (memo_is_phrase(&m->text, x->first - n, "together with")) return true;
    return false;
}

/* "the optimizer (master weights and moments) amounts to 156 GB": what is explained. */
static size_t before_bracket(const struct memo_around *a, size_t i) {
    enum { REACH = 16 };
    if (i == 0 || !memo_is_mark(&a->m->text, i - 1, ')')) return i;
    for (size_t n = 2; n <= REACH && i >= a->sentence.first + n; n++)
        if (memo_is_mark(&a->m->text, i - n, '(')) return i - n;
    return i;
}

/* "activations (16.1 GB)", "peak: 67.0 GB", "a peak of about 67 GB" */
static const struct memo_mention *directly_before(const struct memo_around *a,
                                                  const struct memo_sought *s) {
    enum { NEAR = 4 };
    static const char *const passed[] = {"of",      "is",   "are",    "at",      "about", "to",
                                         "roughly", "only", "amount", "another", NULL};
    static const uint32_t marks[] = {'(', ':', '~', 0x2248, '*', '`'};
    const struct memo_text *t = &a->m->text;
    for (size_t n = 0, i = a->list.first; n < NEAR && i > a->sentence.first; n++, i--) {
        i = before_bracket(a, i);
        const struct memo_mention *x = memo_last_before(a->m, a->sentence, i, memo_is_what, s);
        if (x && x->end == i) return is_added(a->m, x) ? NULL : who_needs(a, s, x);
        bool pass = false;
        pass |= memo_is_any(t, i - 1, passed);
        for (size_t k = 0; k < BASE_COUNT(marks); k++) pass |= memo_is_mark(t, i - 1, marks[k]);
        if (!pass) return NULL;
    }
    return NULL;
}

/* "4.9 GB of optimizer states: 56.9 GB of model states", "85.9 GB are usable: 18.9 GB": the word before it is of the figure before that. */
static bool is_of_last(const struct memo_around *a, const struct memo_mention *x) {
    enum { REACH = 4 };
    const struct memo_figure *g = a->f - a->f->place;
    if (g == a->m->figure || g[-1].block != a->f->block) return false;
    size_t i = g[-1].end;
    if (x->first < i || x->first - i > REACH) return false;
    for (; i < x->first; i++) {
        enum memo_token_kind kind = a->m->text.token[i].kind;
        bool joint = memo_is_mark(&a->m->text, i, '/');
        if (kind != MEMO_WORD && !joint) return false;
    }
    return true;
}

/* "Peak: 48.75 GB states + 16.1 GB activations": the word before it is of all of them. */
static bool is_of_parts(const struct memo_around *a, const struct memo_mention *x,
                        const struct memo_mention *y) {
    enum memo_what all = (enum memo_what)x->value, part = (enum memo_what)y->value;
    bool whole = all == MEMO_PEAK || all == MEMO_STATES;
    return whole && part != all && part >= MEMO_STATES && part <= MEMO_RESERVE &&
           y->first == a->list.end;
}

const struct memo_mention *memo_directly(const struct memo_around *a, const struct memo_sought *s) {
    bool sum = (a->f->is_sum && !a->twin) || memo_begins_sum(a->m, a->f);
    const struct memo_mention *x = sum ? NULL : directly_before(a, s);
    const struct memo_mention *y = memo_directly_after(a, s);
    bool all = x && (enum memo_what)x->value == MEMO_TOTAL; /* "needs 156 GB of host memory" */
    bool sums_up = x && !y && is_of_last(a, x) && memo_is_mark(&a->m->text, x->end, ':');
    bool sent =
        x && (enum memo_what)x->value >= MEMO_SENT && (enum memo_what)x->value <= MEMO_BETWEEN;
    if (sent && y && (enum memo_what)y->value == MEMO_EXPOSED)
        return y;             /* "its communication (0.65 s are exposed)" */
    if (sums_up) return NULL; /* "26 GB of weights and 2 GB of NCCL: 28 GB" */
    return y && (!x || all || is_of_last(a, x) || is_of_parts(a, x, y)) ? y : x;
}

/* ── words of other figures ──────────────────────────────────────────────────────────────────────*/
/* "68.25 GB per rank per step": what is counted for each is no subject. */
static bool is_denominator(const struct memo *m, const struct memo_mention *x) {
    enum { REACH = 6 };
    static const char *const words[] = {"per", "a",    "each", "rank",  "gpu",
                                        "and", "card", "node", "every", NULL};
    const struct memo_text *t = &m->text;
    bool rate = memo_is_phrase(t, x->first, "per") || memo_is_phrase(t, x->first, "a");
    for (size_t n = 1; n <= REACH && n <= x->first; n++) {
        size_t i = x->first - n;
        bool word = memo_is_mark(t, i, '/');
        word |= memo_is_any(t, i, words);
        if (rate && memo_is_phrase(t, i, "once")) return true; /* "reduces once a step" */
        if (!word)
            return rate && t->token[i].kind == MEMO_WORD && i > 0 &&
                   t->token[i - 1].kind == MEMO_NUMBER;
        rate = true;
    }
    return false;
}

/* Whether the word stands directly beside another figure, whose it then is. */
static bool is_owned(const struct memo_around *a, const struct memo_sought *s,
                     const struct memo_mention *x) {
    enum { FIGURES = 12 };
    const struct memo *m = a->m;
    size_t at = (size_t)(a->f - m->figure);
    if (s->dimension == MEMO_SECONDS && is_denominator(m, x)) return true;
    for (size_t k = at > FIGURES ? at - FIGURES : 0; k < m->figures && k < at + FIGURES; k++) {
        const struct memo_figure *g = &m->figure[k];
        if (g->first >= a->sentence.end) break;
        bool own = g->first >= a->list.first && g->first < a->list.end;
        if (g->first < a->sentence.first || own || g->dimension != s->dimension) continue;
        struct memo_around b = memo_look_around(m, g);
        struct memo_sought other = {m, g->dimension, b.list.end, NULL};
        if (memo_directly(&b, &other) == x) return true;
    }
    return false;
}

bool memo_is_far_card(const struct memo_around *a, const struct memo_mention *x) {
    bool card = (enum memo_what)x->value == MEMO_LABEL || (enum memo_what)x->value == MEMO_USABLE;
    return card && x->first >= a->part.end;
}

bool memo_is_unowned(const struct memo_mention *x, const void *to) {
    const struct memo_sought *s = to;
    return memo_is_what(x, to) && !is_owned(s->around, s, x) && !memo_is_far_card(s->around, x);
}

bool memo_is_free(const struct memo_mention *x, const void *to) {
    const struct memo_sought *s = to;
    return memo_is_subject(x, to) && memo_is_unowned(x, s);
}
