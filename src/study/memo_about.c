/* What a figure may be about: the word beside it decides, then those of its part of the sentence, of its sentence, and what stands over it. */
#include "memo_around.h"

#include <math.h>
#include <string.h>

/* ── of what ─────────────────────────────────────────────────────────────────────────────────────*/
/* What a mention is of, for a figure of this dimension. */
static enum memo_what what_of(const struct memo_mention *x, enum memo_dimension d) {
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

struct sought {
    const struct memo *m;
    enum memo_dimension dimension;
    size_t after; /* mentions from here on may belong to the figure that follows them */
    const struct memo_around *around;
};

/* "of the usable 85.9 GB", "activations (16.1 GB)": the word has a figure of its own. */
static bool has_own(const struct memo *m, const struct memo_mention *x) {
    const struct memo_text *t = &m->text;
    size_t i = x->end + (memo_is_mark(t, x->end, '(') ? 1 : 0);
    return i < t->tokens && t->token[i].kind == MEMO_NUMBER;
}

/* "the all-gather of parameters", "all-reduces the gradients": it is about the collective. */
static bool is_object(const struct memo *m, const struct memo_mention *x) {
    enum { WORDS = 4 };
    static const char *const passed[] = {"of",      "the",     "all",     "its",  "their",
                                         "updated", "bf16",    "reduced", "new",  "full",
                                         "fp32",    "sharded", "those",   "local"};
    const struct memo_mention *before = x > m->mention ? x - 1 : NULL;
    if (!before || before->says != MEMO_ABOUT || x->first < before->end) return false;
    if (before->value < MEMO_GATHERS || before->value > MEMO_REDUCES) return false;
    if (x->first == before->end || x->first - before->end > WORDS) return false;
    for (size_t i = before->end; i < x->first; i++) {
        bool pass = false;
        for (size_t k = 0; k < BASE_COUNT(passed); k++)
            pass |= memo_is_phrase(&m->text, i, passed[k]) > 0;
        if (!pass) return false;
    }
    return true;
}

static bool is_what(const struct memo_mention *x, const void *to) {
    const struct sought *s = to;
    if (is_object(s->m, x)) return false;
    if (x->first >= s->after && has_own(s->m, x)) return false;
    return what_of(x, s->dimension) != MEMO_NOTHING;
}

/* "the peak with activations and reserve": those only say what the peak includes. */
static bool is_qualifier(const struct memo *m, size_t i) {
    static const char *const words[] = {"with",   "including", "incl", "includes",
                                        "beside", "besides",   "plus", "behind"};
    for (size_t n = 1; n <= 6 && n <= i; n++) {
        const struct memo_token *t = &m->text.token[i - n];
        if (t->kind == MEMO_NUMBER || t->kind == MEMO_STOP || t->kind == MEMO_BLOCK) return false;
        for (size_t k = 0; k < BASE_COUNT(words); k++)
            if (memo_is_phrase(&m->text, i - n, words[k])) return true;
    }
    return false;
}

static bool is_subject(const struct memo_mention *x, const void *to) {
    const struct sought *s = to;
    return is_what(x, to) && !is_qualifier(s->m, x->first);
}

/* "48.75 GB of model states", "67.0 GB peak": at once after the figure. */
static const struct memo_mention *directly_after(const struct memo_around *a,
                                                 const struct sought *s) {
    enum { NEAR = 5 };
    static const char *const passed[] = {"of",    "for",  "in", "the",    "as",  "is", "are",
                                         "go",    "goes", "to", "gpu",    "per", "a",  "each",
                                         "half",  "bf16", "16", "usable", "its", "s",  "fp32",
                                         "still", "it",   "at", "their",  "rank"};
    const struct memo_text *t = &a->m->text;
    size_t i = a->list.end;
    for (size_t n = 0; n < NEAR && i < a->sentence.end; n++, i++) {
        const struct memo_mention *x =
            memo_first_after(a->m, (struct memo_range){i, i + 1}, i, is_what, s);
        if (x) return x;
        bool pass = false;
        for (size_t k = 0; k < BASE_COUNT(passed); k++) pass |= memo_is_phrase(t, i, passed[k]) > 0;
        if (!pass) return NULL;
    }
    return NULL;
}

/* "activations (16.1 GB)", "peak: 67.0 GB", "a peak of about 67 GB" */
static const struct memo_mention *directly_before(const struct memo_around *a,
                                                  const struct sought *s) {
    enum { NEAR = 4 };
    static const char *const passed[] = {"of", "is", "are", "at", "about", "to", "roughly", "only"};
    static const uint32_t marks[] = {'(', ':', '~', 0x2248, '*', '`'};
    const struct memo_text *t = &a->m->text;
    for (size_t n = 0, i = a->list.first; n < NEAR && i > a->sentence.first; n++, i--) {
        const struct memo_mention *x = memo_last_before(a->m, a->sentence, i, is_what, s);
        if (x && x->end == i) return x;
        bool pass = false;
        for (size_t k = 0; k < BASE_COUNT(passed); k++)
            pass |= memo_is_phrase(t, i - 1, passed[k]) > 0;
        for (size_t k = 0; k < BASE_COUNT(marks); k++) pass |= memo_is_mark(t, i - 1, marks[k]);
        if (!pass) return NULL;
    }
    return NULL;
}

static const enum memo_what of_bytes[] = {
    MEMO_STATES,    MEMO_PEAK,        MEMO_SENT,    MEMO_USABLE,  MEMO_LABEL,
    MEMO_SPARE,     MEMO_PARAMS,      MEMO_GRADS,   MEMO_MASTER,  MEMO_MOMENTS,
    MEMO_OPTIMIZER, MEMO_ACTIVATIONS, MEMO_LOGITS,  MEMO_RESERVE, MEMO_GATHERED,
    MEMO_GATHERS,   MEMO_SCATTERS,    MEMO_BETWEEN, MEMO_HOST};
static const enum memo_what of_seconds[] = {MEMO_STEP,    MEMO_COMM,     MEMO_EXPOSED, MEMO_COMPUTE,
                                            MEMO_FORWARD, MEMO_BACKWARD, MEMO_UPDATE};

/* "67.0 GB of 85.9 GB", "67.0 GB out of 85.9 GB" */
static bool is_of_card(const struct memo_around *a) {
    const struct memo_text *t = &a->m->text;
    size_t i = a->f->first;
    if (a->f->dimension != MEMO_BYTES || a->f == a->m->figure || a->b->cell) return false;
    if (i < 2 || !memo_is_phrase(t, i - 1, "of")) return false;
    i -= memo_is_phrase(t, i - 2, "out") ? 2 : 1;
    if (i > 0 && memo_is_mark(t, i - 1, ',')) return true; /* "67.1 GB at the peak, of 85.9 GB" */
    return a->f[-1].end == i && a->f[-1].dimension == MEMO_BYTES;
}

/* "4.9 GB of optimizer states: 56.9 GB of model states": the word before it is of the figure before that. */
static bool is_of_last(const struct memo_around *a, const struct memo_mention *x) {
    const struct memo_figure *g = a->f - a->f->place;
    if (g == a->m->figure || g[-1].block != a->f->block) return false;
    size_t end = g[-1].end;
    return end == x->first || (end + 1 == x->first && memo_is_phrase(&a->m->text, end, "of"));
}

static const struct memo_mention *directly(const struct memo_around *a, const struct sought *s) {
    bool sum = a->f->is_sum && !a->twin;
    const struct memo_mention *x = sum ? NULL : directly_before(a, s);
    bool all = x && (enum memo_what)x->value == MEMO_TOTAL; /* "needs 156 GB of host memory" */
    const struct memo_mention *y = x && !all && !is_of_last(a, x) ? NULL : directly_after(a, s);
    return y ? y : x;
}

/* ── words of other figures ──────────────────────────────────────────────────────────────────────*/
/* "68.25 GB per rank per step": what is counted for each is no subject. */
static bool is_denominator(const struct memo *m, const struct memo_mention *x) {
    enum { REACH = 6 };
    static const char *const words[] = {"per", "a", "each", "rank", "gpu", "card", "node", "every"};
    const struct memo_text *t = &m->text;
    bool rate = memo_is_phrase(t, x->first, "per") || memo_is_phrase(t, x->first, "a");
    for (size_t n = 1; n <= REACH && n <= x->first; n++) {
        size_t i = x->first - n;
        bool word = memo_is_mark(t, i, '/');
        for (size_t k = 0; k < BASE_COUNT(words); k++) word |= memo_is_phrase(t, i, words[k]) > 0;
        if (!word) return rate && n <= REACH && i > 0 && t->token[i - 1].kind == MEMO_NUMBER;
        rate = true;
    }
    return false;
}

/* Whether the word stands directly beside another figure, whose it then is. */
static bool is_owned(const struct memo_around *a, const struct sought *s,
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
        struct sought other = {m, g->dimension, b.list.end, NULL};
        if (directly(&b, &other) == x) return true;
    }
    return false;
}

/* "208 GB, 2.4 times the card" is not of the card. */
static bool is_far_card(const struct memo_around *a, const struct memo_mention *x) {
    bool card = (enum memo_what)x->value == MEMO_LABEL || (enum memo_what)x->value == MEMO_USABLE;
    return card && x->first >= a->part.end;
}

static bool is_unowned(const struct memo_mention *x, const void *to) {
    const struct sought *s = to;
    return is_what(x, to) && !is_owned(s->around, s, x) && !is_far_card(s->around, x);
}

static bool is_free(const struct memo_mention *x, const void *to) {
    const struct sought *s = to;
    return is_subject(x, to) && is_unowned(x, s);
}

/* ── what it may be as well ──────────────────────────────────────────────────────────────────────*/
static void add_what(struct memo_options *o, enum memo_what what) {
    for (size_t i = 0; i < o->whats; i++)
        if (o->what[i] == what) return;
    if (what != MEMO_NOTHING && o->whats < BASE_COUNT(o->what)) o->what[o->whats++] = what;
}

static bool has_what(const struct memo_options *o, enum memo_what what) {
    for (size_t i = 0; i < o->whats; i++)
        if (o->what[i] == what) return true;
    return false;
}

/* All that a range names and no other figure has. */
static void add_free(const struct memo_around *a, const struct sought *s, struct memo_range r,
                     struct memo_options *o) {
    for (size_t k = memo_mention_from(a->m, r.first);
         k < a->m->mentions && a->m->mention[k].first < r.end; k++)
        if (is_free(&a->m->mention[k], s)) add_what(o, what_of(&a->m->mention[k], s->dimension));
}

/* Where it is about what is sent, the gradients are those that are reduced. */
static void add_collectives(const struct memo_around *a, struct memo_options *o) {
    static const struct {
        enum memo_what of, sent;
    } rows[] = {
        {MEMO_GRADS,        MEMO_SCATTERS},
        {MEMO_GRADS,        MEMO_REDUCES },
        {MEMO_PARAMS,       MEMO_GATHERS },
        {MEMO_TOTAL,        MEMO_SENT    },
        {MEMO_GATHER_TIME,  MEMO_COMM    },
        {MEMO_SCATTER_TIME, MEMO_COMM    },
        {MEMO_REDUCE_TIME,  MEMO_COMM    },
    };
    bool sent = a->b->section == STUDY_MEMO_TIME;
    for (size_t k = memo_mention_from(a->m, a->sentence.first);
         !sent && k < a->m->mentions && a->m->mention[k].first < a->sentence.end; k++) {
        const struct memo_mention *x = &a->m->mention[k];
        sent = x->says == MEMO_ABOUT && x->value >= MEMO_SENT && x->value <= MEMO_REDUCES;
    }
    for (size_t n = o->whats, i = 0; sent && i < n; i++)
        for (size_t k = 0; k < BASE_COUNT(rows); k++)
            if (rows[k].of == o->what[i]) add_what(o, rows[k].sent);
}

static bool is_near(double said, double truth) {
    static const double near = 0.02;
    return fabs(said - truth) <= near * truth;
}

/* "out of 85.9 GB", "well below 85.9 GB", "over the 80 GiB limit": of the card, too. */
static void add_card(const struct memo_around *a, struct memo_options *o) {
    enum { REACH = 3 };
    static const char *const words[] = {"of",     "out of", "below", "under", "against", "vs",
                                        "versus", "within", "in",    "over",  "exceed",  "above",
                                        "beyond", "than",   "into",  "fit",   "on",      NULL};
    static const uint32_t marks[] = {'>', '<', '/', 0x2264, 0x2265};
    if (a->f->dimension != MEMO_BYTES) return;
    bool held = memo_is_after(a, a->f->first, words, REACH) || has_what(o, MEMO_LABEL);
    for (size_t k = 0; k < BASE_COUNT(marks); k++)
        held |= a->f->first > 0 && memo_is_mark(&a->m->text, a->f->first - 1, marks[k]);
    const struct account_training *t = &a->m->report->scenario.training;
    double usable = (double)a->m->report->scenario.card_bytes;
    double label = t->card ? (double)t->card->label_bytes : usable;
    if (held && is_near(a->f->high, usable)) add_what(o, MEMO_USABLE);
    if (held && is_near(a->f->high, label)) add_what(o, MEMO_LABEL);
}

/* Whether a verb stands before the figure, and where. */
static bool follows(const struct memo_around *a, const char *const *verbs, size_t *at) {
    enum { REACH = 3 };
    for (size_t n = 1; n <= REACH && n <= a->f->first - a->sentence.first; n++)
        for (size_t k = 0; verbs[k]; k++)
            if (memo_is_phrase(&a->m->text, a->f->first - n, verbs[k]))
                return *at = a->f->first - n, a->f->dimension == MEMO_BYTES;
    return false;
}

static const char *const leaves[] = {"leave", "leaving", "leaves", NULL};

/* "our rule is 5 GB of headroom": that is wanted, not counted. */
static bool is_policy(const struct memo_around *a, const struct memo_options *o) {
    static const char *const words[] = {"rule",    "policy", "safety",  "want", "require",
                                        "reserve", "insist", "minimum", "must", "should"};
    for (size_t i = a->sentence.first; o->what[0] == MEMO_SPARE && i < a->sentence.end; i++)
        for (size_t k = 0; k < BASE_COUNT(words); k++)
            if (memo_is_phrase(&a->m->text, i, words[k])) return true;
    return false;
}

/* "a GPU keeps 26 GB": all that it keeps; "the optimizer keeps": that. */
static bool seek_kept(const struct memo_around *a, const struct sought *s, struct memo_options *o) {
    static const char *const keeps[] = {"keep",  "hold", "fill", "occupy", "occupies",
                                        "store", "use",  "need", NULL};
    size_t at;
    if (follows(a, leaves, &at)) {
        add_what(o, MEMO_SPARE);
        add_free(a, s, a->sentence, o);
        o->any = true;
        return true;
    }
    if (!follows(a, keeps, &at)) return false;
    const struct memo_mention *x = memo_nearest(a, is_free, s);
    enum memo_what what = x ? what_of(x, s->dimension) : MEMO_NOTHING;
    bool all = what == MEMO_STATES || what == MEMO_PEAK || what == MEMO_TOTAL;
    add_what(o, what);
    o->any = !all && (!x || x->end != at);
    if (o->any || all) add_what(o, MEMO_TOTAL);
    return true;
}

/* "45.5 GB per rank and step" */
static bool is_each_step(const struct memo_around *a) {
    enum { REACH = 6 };
    static const char *const passed[] = {"per", "a", "each", "rank", "gpu", "card", "and", "every"};
    const struct memo_text *t = &a->m->text;
    bool rate = false;
    for (size_t n = 0, i = a->list.end; n < REACH && i < a->sentence.end; n++, i++) {
        if (rate && memo_is_phrase(t, i, "step")) return a->f->dimension == MEMO_BYTES;
        bool pass = memo_is_mark(t, i, '/');
        for (size_t k = 0; k < BASE_COUNT(passed); k++) pass |= memo_is_phrase(t, i, passed[k]) > 0;
        if (!pass) return false;
        rate = true;
    }
    return false;
}

/* ── several together ────────────────────────────────────────────────────────────────────────────*/
enum { P = 1, G = 2, O = 4, M = 8, V = 16, SENDS = 32 };
static const struct {
    enum memo_what what;
    int mask;
} components[] = {
    {MEMO_PARAMS,           P            },
    {MEMO_GRADS,            G            },
    {MEMO_OPTIMIZER,        O            },
    {MEMO_MASTER,           M            },
    {MEMO_MOMENTS,          V            },
    {MEMO_GATHERS,          SENDS        },
    {MEMO_SCATTERS,         SENDS        },
    {MEMO_REDUCES,          SENDS        },
    {MEMO_GRADS_OPTIMIZER,  G | O        },
    {MEMO_PARAMS_GRADS,     P | G        },
    {MEMO_PARAMS_OPTIMIZER, P | O        },
    {MEMO_STATES,           P | G | O    },
    {MEMO_OPTIMIZER,        M | V        },
    {MEMO_GRADS_OPTIMIZER,  G | M | V    },
    {MEMO_PARAMS_OPTIMIZER, P | M | V    },
    {MEMO_STATES,           P | G | M | V},
    {MEMO_SENT,             SENDS        },
};

static int component(const struct memo_mention *x) {
    for (size_t k = 0; x->says == MEMO_ABOUT && k < BASE_COUNT(components); k++)
        if (components[k].what == (enum memo_what)x->value) return components[k].mask;
    return 0;
}

/* "weights and gradients", "master + moments", "two all-gathers and one reduce-scatter" */
static bool is_joined(const struct memo *m, const struct memo_mention *x,
                      const struct memo_mention *next) {
    enum { REACH = 4 };
    static const char *const passed[] = {"the", "both", "fp32", "bf16", "fp16",   "its",
                                         "one", "adam", "two",  "all",  "sharded"};
    const struct memo_text *t = &m->text;
    bool sign = false;
    if (next->first < x->end || next->first - x->end > REACH) return false;
    for (size_t i = x->end; i < next->first; i++) {
        bool join = memo_is_phrase(t, i, "and") || memo_is_phrase(t, i, "plus") ||
                    memo_is_mark(t, i, '+') || memo_is_mark(t, i, '&') || memo_is_mark(t, i, ',');
        bool pass = join;
        for (size_t k = 0; k < BASE_COUNT(passed); k++) pass |= memo_is_phrase(t, i, passed[k]) > 0;
        if (t->token[i].kind == MEMO_NUMBER) pass = t->token[i].value < 4;
        if (!pass) return false;
        sign |= join;
    }
    return sign;
}

struct group {
    const struct memo_mention *first;
    size_t count;
    int mask;
};

/* The word and those joined to it. */
static struct group group_of(const struct memo_around *a, const struct memo_mention *x) {
    const struct memo *m = a->m;
    const struct memo_mention *first = x, *last = x, *end = m->mention + m->mentions;
    struct group g = {x, 0, 0};
    if (!component(x)) return g;
    while (first > m->mention && component(first - 1) && is_joined(m, first - 1, first)) first--;
    while (last + 1 < end && component(last + 1) && is_joined(m, last, last + 1)) last++;
    if (first->first < a->sentence.first || last->end > a->sentence.end) return g;
    for (const struct memo_mention *y = first; y <= last; y++, g.count++) g.mask |= component(y);
    g.first = first;
    return g;
}

/* What a group is together; nothing if one stands alone. */
static enum memo_what together(struct group g) {
    for (size_t k = BASE_COUNT(components); g.count > 1 && k-- > 0;)
        if (components[k].mask == g.mask) return components[k].what;
    return MEMO_NOTHING;
}

/* "40 GB cards": the figure is part of the card's name. */
const struct memo_mention *memo_own_card(const struct memo_around *a) {
    for (size_t k = memo_mention_from(a->m, a->f->first);
         k < a->m->mentions && a->m->mention[k].first < a->f->end; k++)
        if (a->m->mention[k].says == MEMO_CARD) return &a->m->mention[k];
    return NULL;
}

static void take(const struct memo_around *a, const struct memo_mention *x, const struct sought *s,
                 struct memo_options *o) {
    struct group g = group_of(a, x);
    bool paired = a->f->of > 1 && g.count == a->f->of;
    if (paired) x = g.first + a->f->place; /* "weights and gradients take 26 and 3.25 GB" */
    if (s->dimension == MEMO_BYTES && a->f->of == 1) add_what(o, together(g));
    add_what(o, what_of(x, s->dimension));
}

static bool is_stage(const struct memo_mention *x, const void *to) {
    (void)to;
    return x->says == MEMO_STAGE;
}

/* "Stage 1 peaks at 89.8 GB, stage 2 at 67 GB": the one word of the sentence is of both. */
static bool is_shared(const struct memo_around *a, const struct sought *s,
                      const struct memo_mention *x) {
    enum memo_what one = x ? what_of(x, s->dimension) : MEMO_NOTHING;
    if (!x || x->first < a->sentence.first || !memo_within(a->m, a->part, is_stage, NULL))
        return false;
    for (size_t k = memo_mention_from(a->m, a->sentence.first);
         k < a->m->mentions && a->m->mention[k].first < a->sentence.end; k++) {
        const struct memo_mention *y = &a->m->mention[k];
        if (is_what(y, s) && what_of(y, s->dimension) != one) return false;
    }
    return true;
}

/* No word directly beside it: those of its part, else those of its sentence that no other figure has; of several it is left open which. */
static void seek_far(const struct memo_around *a, const struct sought *s, struct memo_options *o) {
    const struct memo_mention *x = memo_nearest(a, is_free, s);
    if (!x || memo_is_parted(a, x)) x = memo_nearest(a, is_unowned, s);
    if (x && memo_is_parted(a, x)) x = NULL;
    if (x) {
        bool before = x->first >= a->part.first && x->end <= a->list.first;
        take(a, x, s, o);
        size_t sure = o->whats;
        if (before) return;
        add_free(a, s, a->sentence, o);
        bool all =
            o->what[0] == MEMO_TOTAL && x->first >= a->list.end; /* "… that we do not need" */
        o->any = o->whats > sure || x->first >= a->part.end || all;
        if (o->any && s->dimension == MEMO_SECONDS) add_what(o, MEMO_COMM);
        return;
    }
    x = memo_nearest(a, is_what, s);
    if (x && (memo_is_parted(a, x) || is_far_card(a, x))) x = NULL;
    if (is_shared(a, s, x)) {
        take(a, x, s, o);
        return;
    }
    o->any = true;
    if (x) take(a, x, s, o);
    if (!x) x = memo_within(a->m, a->b->heading, is_what, s);
    if (x) add_what(o, what_of(x, s->dimension));
    x = memo_last_before(a->m, a->b->tokens, a->list.first, is_subject, s);
    if (x) add_what(o, what_of(x, s->dimension));
    bool counted = s->dimension == MEMO_BYTES && memo_says(a->m, a->sentence, MEMO_COUNT_SAID);
    if (counted) add_what(o, MEMO_STATES); /* "for 13 billion parameters that is 208 GB" */
    if (counted) add_what(o, MEMO_PARAMS);
    if (s->dimension == MEMO_SECONDS) add_what(o, MEMO_STEP);
    if (s->dimension == MEMO_SECONDS) add_what(o, MEMO_COMM);
}

static void seek_cell(const struct memo_around *a, const struct sought *s, struct memo_options *o) {
    const struct memo_mention *x = memo_over_cell(a, is_what, s);
    if (!x) x = memo_within(a->m, a->b->heading, is_what, s);
    o->any = !x;
    if (x) take(a, x, s, o);
}

/* "the all-gather is exposed (95 ms)": the part before the bracket. */
static struct memo_range before_bracket(const struct memo_around *a) {
    struct memo_range r = a->part;
    if (r.first == a->sentence.first || !memo_is_mark(&a->m->text, r.first - 1, '(')) return r;
    r.end = --r.first;
    while (r.first > a->sentence.first && !memo_is_mark(&a->m->text, r.first - 1, ',')) r.first--;
    return r;
}

static void seek_prose(const struct memo_around *a, const struct sought *s,
                       struct memo_options *o) {
    const struct memo_mention *x = directly(a, s);
    if (is_of_card(a) && !directly_after(a, s)) {
        add_what(o, MEMO_USABLE);
        add_what(o, MEMO_LABEL);
        return;
    }
    size_t at;
    if (x) {
        take(a, x, s, o);
        bool left = o->what[0] != MEMO_SPARE && follows(a, leaves, &at);
        o->any = is_policy(a, o) || left;
        if (is_each_step(a)) add_what(o, MEMO_SENT);
        if (o->what[0] == MEMO_EXPOSED) add_free(a, s, before_bracket(a), o);
    } else if (is_each_step(a)) {
        add_what(o, MEMO_SENT);
        add_free(a, s, a->part, o);
    } else if ((a->f->is_sum && !a->twin) || o->term) {
        o->any = true;
    } else if (!seek_kept(a, s, o))
        seek_far(a, s, o);
}

void memo_seek_about(const struct memo_around *a, struct memo_options *o) {
    struct sought s = {a->m, a->f->dimension, a->list.end, a};
    static const enum memo_what only[] = {[MEMO_BYTES] = MEMO_NOTHING,
                                          [MEMO_SECONDS] = MEMO_NOTHING,
                                          [MEMO_TOKEN_RATE] = MEMO_TOKENS,
                                          [MEMO_BYTE_RATE] = MEMO_LINK,
                                          [MEMO_BYTES_PER_PARAM] = MEMO_PER_PARAM,
                                          [MEMO_RATIO] = MEMO_NOTHING};
    o->whats = 0;
    if (a->f->coarse) add_what(o, MEMO_TRAINING);
    if (!a->f->coarse) add_what(o, only[a->f->dimension]);
    if (o->whats || a->f->dimension == MEMO_RATIO) return;
    if (memo_own_card(a)) {
        add_what(o, MEMO_LABEL); /* "40 GB cards" */
        add_card(a, o);
        return;
    }
    o->term = memo_is_term(a->m, a->f) && !directly(a, &s);
    if (a->b->cell)
        seek_cell(a, &s, o);
    else
        seek_prose(a, &s, o);
    add_collectives(a, o);
    add_card(a, o);
}

size_t memo_all_of(enum memo_dimension d, const enum memo_what **out) {
    *out = d == MEMO_SECONDS ? of_seconds : of_bytes;
    return d == MEMO_SECONDS ? BASE_COUNT(of_seconds) : BASE_COUNT(of_bytes);
}
