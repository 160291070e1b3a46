/* What a figure may be about: the word beside it decides, then those of its part of the sentence, of its sentence, and what stands over it. */
#include "memo_beside.h"

#include <math.h>
#include <string.h>

static const enum memo_what of_bytes[] = {
    MEMO_STATES,    MEMO_PEAK,        MEMO_SENT,    MEMO_USABLE,  MEMO_LABEL,
    MEMO_SPARE,     MEMO_PARAMS,      MEMO_GRADS,   MEMO_MASTER,  MEMO_MOMENTS,
    MEMO_OPTIMIZER, MEMO_ACTIVATIONS, MEMO_LOGITS,  MEMO_RESERVE, MEMO_GATHERED,
    MEMO_GATHERS,   MEMO_SCATTERS,    MEMO_BETWEEN, MEMO_HOST};
static const enum memo_what of_seconds[] = {MEMO_STEP,    MEMO_COMM,     MEMO_EXPOSED, MEMO_COMPUTE,
                                            MEMO_FORWARD, MEMO_BACKWARD, MEMO_UPDATE};

/* "an A100 (85.9 GB)" */
static bool is_card_before(const struct memo *m, size_t bracket) {
    size_t k = memo_mention_from(m, bracket - 1);
    const struct memo_mention *x = k < m->mentions ? &m->mention[k] : NULL;
    return x && x->says == MEMO_CARD && x->first < bracket && x->end <= bracket + 1;
}

/* "67.0 GB of 85.9 GB", "67.0 GB out of 85.9 GB" */
static bool is_of_card(const struct memo_around *a) {
    const struct memo_text *t = &a->m->text;
    size_t i = a->f->first;
    if (a->f->dimension != MEMO_BYTES || a->b->cell) return false;
    if (i > 1 && memo_is_mark(t, i - 1, '(') && is_card_before(a->m, i - 1)) return true;
    if (a->f == a->m->figure) return false;
    if (i < 2 || !memo_is_phrase(t, i - 1, "of")) return false;
    i -= memo_is_phrase(t, i - 2, "out") ? 2 : 1;
    if (i > 0 && memo_is_mark(t, i - 1, ',')) return true; /* "67.1 GB at the peak, of 85.9 GB" */
    return a->f[-1].end == i && a->f[-1].dimension == MEMO_BYTES;
}

/* "3.25 GB of the 67 GB are gradients" */
static bool is_of_all(const struct memo_around *a) {
    const struct memo_figure *g = a->f - 1;
    size_t i = a->f->first;
    return a->f > a->m->figure && g->dimension == MEMO_BYTES && a->f->dimension == MEMO_BYTES &&
           memo_is_phrase(&a->m->text, g->end, "of the") && g->end + 2 == i;
}

/* ── what it may be as well ──────────────────────────────────────────────────────────────────────*/
void memo_add_what(struct memo_options *o, enum memo_what what) {
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
static void add_free(const struct memo_around *a, const struct memo_sought *s, struct memo_range r,
                     struct memo_options *o) {
    for (size_t k = memo_mention_from(a->m, r.first);
         k < a->m->mentions && a->m->mention[k].first < r.end; k++)
        if (memo_is_free(&a->m->mention[k], s))
            memo_add_what(o, memo_what_of(&a->m->mention[k], s->dimension));
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
            if (rows[k].of == o->what[i]) memo_add_what(o, rows[k].sent);
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
    static const char *const told[] = {"shows", "reports", "has",   "offers", "gives", "or",
                                       "is",    "with",    "gpu s", "card s", NULL};
    held |= o->any && memo_is_after(a, a->f->first, told, REACH);
    const struct account_training *t = &a->m->report->scenario.training;
    double usable = (double)a->m->report->scenario.card_bytes;
    double label = t->card ? (double)t->card->label_bytes : usable;
    if (held && is_near(a->f->high, usable)) memo_add_what(o, MEMO_USABLE);
    if (held && is_near(a->f->high, label)) memo_add_what(o, MEMO_LABEL);
}

/* Whether a verb stands before the figure, in its part of the sentence, and where. */
static bool follows(const struct memo_around *a, const char *const *verbs, size_t *at) {
    enum { REACH = 3 };
    const struct memo_text *t = &a->m->text;
    for (size_t n = 1; n <= REACH && n <= a->list.first - a->sentence.first; n++) {
        *at = a->list.first - n;
        if (memo_is_mark(t, *at, ',')) return false;
        if (memo_is_any(t, *at, verbs)) return a->f->dimension == MEMO_BYTES;
    }
    return false;
}

static const char *const leaves[] = {"leave", "leaving", "leaves", NULL};

/* "our rule is 5 GB of headroom": that is wanted, not counted. */
static bool is_policy(const struct memo_around *a, const struct memo_options *o) {
    static const char *const words[] = {"rule",    "policy",  "safety", "want",
                                        "require", "reserve", "insist", "minimum",
                                        "must",    "should",  NULL};
    return o->what[0] == MEMO_SPARE && memo_has_any(a->m, a->sentence, words);
}

/* "a GPU keeps 26 GB": all that it keeps; "the optimizer keeps": that. */
static bool seek_kept(const struct memo_around *a, const struct memo_sought *s,
                      struct memo_options *o) {
    static const char *const keeps[] = {"keep",  "hold", "fill", "occupy", "occupies",
                                        "store", "use",  "need", NULL};
    size_t at;
    if (follows(a, leaves, &at)) {
        memo_add_what(o, MEMO_SPARE);
        add_free(a, s, a->sentence, o);
        o->any = true;
        return true;
    }
    if (!follows(a, keeps, &at)) return false;
    const struct memo_mention *x = memo_nearest(a, memo_is_free, s);
    enum memo_what what = x ? memo_what_of(x, s->dimension) : MEMO_NOTHING;
    bool all = what == MEMO_STATES || what == MEMO_PEAK || what == MEMO_TOTAL;
    memo_add_what(o, what);
    o->any = !all && (!x || x->end != at);
    if (o->any || all) memo_add_what(o, MEMO_TOTAL);
    return true;
}

/* "45.5 GB per rank and step" */
static bool is_each_step(const struct memo_around *a) {
    enum { REACH = 6 };
    static const char *const passed[] = {"per",  "a",   "each",  "rank", "gpu",
                                         "card", "and", "every", NULL};
    const struct memo_text *t = &a->m->text;
    bool rate = false;
    for (size_t n = 0, i = a->list.end; n < REACH && i < a->sentence.end; n++, i++) {
        if (rate && memo_is_phrase(t, i, "step")) return a->f->dimension == MEMO_BYTES;
        bool pass = memo_is_mark(t, i, '/');
        pass |= memo_is_any(t, i, passed);
        if (!pass) return false;
        rate = true;
    }
    return false;
}

/* "40 GB cards": the figure is part of the card's name. */
const struct memo_mention *memo_own_card(const struct memo_around *a) {
    for (size_t k = memo_mention_from(a->m, a->f->first);
         k < a->m->mentions && a->m->mention[k].first < a->f->end; k++)
        if (a->m->mention[k].says == MEMO_CARD) return &a->m->mention[k];
    return NULL;
}

/* "Master weights and moments are 6.5 and 13 GB, 19.5 GB in all": of those that were named together. */
static bool add_named_before(const struct memo_around *a, const struct memo_mention *x,
                             const struct memo_sought *s, struct memo_options *o) {
    if (x->first < a->list.end) return false;
    const struct memo_mention *y =
        memo_last_before(a->m, a->sentence, a->list.first, memo_is_what, s);
    enum memo_what together = y ? memo_together(memo_group_of(a, y)) : MEMO_NOTHING;
    memo_add_what(o, together);
    return together != MEMO_NOTHING;
}

/* Returns whether it is left open: of several things that have no name together, "activations and the reserve". */
static bool take(const struct memo_around *a, const struct memo_mention *x,
                 const struct memo_sought *s, struct memo_options *o) {
    struct memo_group g = memo_group_of(a, x);
    bool paired = a->f->of > 1 && g.count == a->f->of;
    if (paired) x = g.first + a->f->place; /* "weights and gradients take 26 and 3.25 GB" */
    bool each = memo_is_phrase(&a->m->text, a->list.end, "each") > 0; /* and not together */
    if (s->dimension == MEMO_BYTES && a->f->of == 1 && !each) memo_add_what(o, memo_together(g));
    memo_add_what(o, memo_what_of(x, s->dimension));
    if (each && memo_what_of(x, s->dimension) == MEMO_MOMENTS) memo_add_what(o, MEMO_MOMENT);
    if (!each && o->what[0] == MEMO_TOTAL) o->any |= add_named_before(a, x, s, o);
    return g.count > 1 && a->f->of == 1 && memo_together(g) == MEMO_NOTHING;
}

static bool is_stage(const struct memo_mention *x, const void *to) {
    (void)to;
    return x->says == MEMO_STAGE;
}

/* "Stage 1 peaks at 89.8 GB, stage 2 at 67 GB": the one word of the sentence is of both. */
static bool is_shared(const struct memo_around *a, const struct memo_sought *s,
                      const struct memo_mention *x) {
    enum memo_what one = x ? memo_what_of(x, s->dimension) : MEMO_NOTHING;
    if (!x || x->first < a->sentence.first || !memo_within(a->m, a->part, is_stage, NULL))
        return false;
    for (size_t k = memo_mention_from(a->m, a->sentence.first);
         k < a->m->mentions && a->m->mention[k].first < a->sentence.end; k++) {
        const struct memo_mention *y = &a->m->mention[k];
        if (memo_is_what(y, s) && memo_what_of(y, s->dimension) != one) return false;
    }
    return true;
}

/* "States: 80.9 GB of optimizer states over 16 ranks, i.e. 5.05 GB each": the figure since a word that is not of its part, or NULL. */
static const struct memo_figure *last_since(const struct memo_around *a,
                                            const struct memo_mention *x) {
    const struct memo_figure *g = a->f - a->f->place;
    bool same = g > a->m->figure && g[-1].dimension == a->f->dimension;
    return same && g[-1].first >= x->end && g[-1].first >= a->sentence.first ? g - 1 : NULL;
}

/* No word directly beside it: those of its part, else those of its sentence that no other figure has; of several it is left open which. */
static void seek_far(const struct memo_around *a, const struct memo_sought *s,
                     struct memo_options *o) {
    const struct memo_mention *x = memo_nearest(a, memo_is_free, s);
    if (!x || memo_is_parted(a, x)) x = memo_nearest(a, memo_is_unowned, s);
    if (x && memo_is_parted(a, x)) x = NULL;
    if (x) {
        bool before = x->first >= a->part.first && x->end <= a->list.first;
        o->any = take(a, x, s, o);
        size_t sure = o->whats;
        if (before) return;
        const struct memo_figure *g = last_since(a, x);
        if (g) memo_add_what(o, g->about);
        add_free(a, s, a->sentence, o);
        bool all =
            o->what[0] == MEMO_TOTAL && x->first >= a->list.end; /* "… that we do not need" */
        o->any |= o->whats > sure || x->first >= a->part.end || all;
        bool sent = s->dimension == MEMO_SECONDS && x->end <= a->part.first &&
                    memo_dimension_of((enum memo_what)x->value) == MEMO_BYTES;
        if (sent) o->any = true; /* "stage 3 sends 68 GB and takes 1.1 s" */
        if (sent) memo_add_what(o, MEMO_STEP);
        if (o->any && s->dimension == MEMO_SECONDS) memo_add_what(o, MEMO_COMM);
        return;
    }
    x = memo_nearest(a, memo_is_what, s);
    if (x && (memo_is_parted(a, x) || memo_is_far_card(a, x))) x = NULL;
    if (is_shared(a, s, x)) {
        take(a, x, s, o);
        return;
    }
    o->any = true;
    if (x) take(a, x, s, o);
    if (!x) x = memo_over(a->m, a->b, memo_is_what, s);
    if (x) memo_add_what(o, memo_what_of(x, s->dimension));
    x = memo_last_before(a->m, a->b->tokens, a->list.first, memo_is_subject, s);
    if (x) memo_add_what(o, memo_what_of(x, s->dimension));
    bool counted = s->dimension == MEMO_BYTES && memo_says(a->m, a->sentence, MEMO_COUNT_SAID);
    if (counted) memo_add_what(o, MEMO_STATES); /* "for 13 billion parameters that is 208 GB" */
    if (counted) memo_add_what(o, MEMO_PARAMS);
    if (s->dimension == MEMO_SECONDS) memo_add_what(o, MEMO_STEP);
    if (s->dimension == MEMO_SECONDS) memo_add_what(o, MEMO_COMM);
}

/* "| backward | reduce-scatter | 22.75 GB |": words in another cell of the row. */
static const struct memo_mention *in_row(const struct memo_around *a, const struct memo_sought *s) {
    enum { MOST = 8 };
    const struct memo *m = a->m;
    size_t at = (size_t)(a->b - m->block);
    for (size_t n = 1; n < MOST && n < at; n++) {
        const struct memo_block *b = &m->block[at - n];
        bool same = b->cell && b->row.first == a->b->row.first && b->tokens.first != b->row.first;
        if (!same) return NULL;
        bool number = false;
        for (size_t i = b->tokens.first; i < b->tokens.end; i++)
            number |= m->text.token[i].kind == MEMO_NUMBER;
        const struct memo_mention *x = number ? NULL : memo_within(m, b->tokens, memo_is_what, s);
        if (x) return x;
    }
    return NULL;
}

static void seek_cell(const struct memo_around *a, const struct memo_sought *s,
                      struct memo_options *o) {
    const struct memo_mention *x = memo_over_cell(a, memo_is_what, s), *y = in_row(a, s);
    if (y) memo_add_what(o, memo_what_of(y, s->dimension));
    if (!x) x = memo_within(a->m, a->b->heading, memo_is_what, s);
    o->any = !x;
    if (x) take(a, x, s, o);
    if (!x && s->dimension == MEMO_BYTES) memo_add_what(o, MEMO_TOTAL);
}

/* "the all-gather is exposed (95 ms)": the part before the bracket. */
static struct memo_range before_bracket(const struct memo_around *a) {
    struct memo_range r = a->part;
    if (r.first == a->sentence.first || !memo_is_mark(&a->m->text, r.first - 1, '(')) return r;
    r.end = --r.first;
    while (r.first > a->sentence.first && !memo_is_mark(&a->m->text, r.first - 1, ',')) r.first--;
    return r;
}

static void seek_prose(const struct memo_around *a, const struct memo_sought *s,
                       struct memo_options *o) {
    const struct memo_mention *x = memo_directly(a, s);
    if (is_of_all(a)) {
        memo_add_what(o, MEMO_TOTAL);
        o->any = true;
        return;
    }
    if (is_of_card(a) && !memo_directly_after(a, s)) {
        memo_add_what(o, MEMO_USABLE);
        memo_add_what(o, MEMO_LABEL);
        return;
    }
    size_t at;
    if (x) {
        bool open = take(a, x, s, o) || o->any;
        bool left = o->what[0] != MEMO_SPARE && follows(a, leaves, &at);
        o->any = open || is_policy(a, o) || left;
        if (is_each_step(a)) memo_add_what(o, MEMO_SENT);
        if (o->what[0] == MEMO_EXPOSED) add_free(a, s, before_bracket(a), o);
    } else if (is_each_step(a)) {
        memo_add_what(o, MEMO_SENT);
        add_free(a, s, a->part, o);
    } else if ((a->f->is_sum && !a->twin) || o->term) {
        o->any = true;
    } else if (!seek_kept(a, s, o))
        seek_far(a, s, o);
}

void memo_seek_about(const struct memo_around *a, struct memo_options *o) {
    struct memo_sought s = {a->m, a->f->dimension, a->list.end, a};
    static const enum memo_what only[] = {[MEMO_BYTES] = MEMO_NOTHING,
                                          [MEMO_SECONDS] = MEMO_NOTHING,
                                          [MEMO_TOKEN_RATE] = MEMO_TOKENS,
                                          [MEMO_BYTE_RATE] = MEMO_LINK,
                                          [MEMO_BYTES_PER_PARAM] = MEMO_PER_PARAM,
                                          [MEMO_RATIO] = MEMO_NOTHING};
    o->whats = 0;
    if (a->f->coarse) memo_add_what(o, MEMO_TRAINING);
    if (!a->f->coarse) memo_add_what(o, only[a->f->dimension]);
    if (o->whats || a->f->dimension == MEMO_RATIO) return;
    if (memo_own_card(a)) {
        memo_add_what(o, MEMO_LABEL); /* "40 GB cards" */
        add_card(a, o);
        return;
    }
    o->term = memo_is_term(a->m, a->f) && !memo_directly(a, &s);
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
