/* What a figure may be about: the word beside it decides, then those of its part of the sentence, of its sentence, and what stands over it. */
#include "memo_around.h"

#include <string.h>

/* ── of what ─────────────────────────────────────────────────────────────────────────────────────*/
/* What a mention is of, for a figure of this dimension. */
static enum memo_what what_of(const struct memo_mention *x, enum memo_dimension d) {
    enum memo_what what = x->says == MEMO_ABOUT ? (enum memo_what)x->value : MEMO_NOTHING;
    bool sent = what >= MEMO_SENT && what <= MEMO_BETWEEN;
    if (d == MEMO_SECONDS && sent) return MEMO_COMM;
    if (what == MEMO_NOTHING || memo_dimension_of(what) != d) return MEMO_NOTHING;
    return what;
}

struct sought {
    const struct memo *m;
    enum memo_dimension dimension;
    size_t after; /* mentions from here on may belong to the figure that follows them */
};

/* "of the usable 85.9 GB", "activations (16.1 GB)": the word has a figure of its own. */
static bool has_own(const struct memo *m, const struct memo_mention *x) {
    const struct memo_text *t = &m->text;
    size_t i = x->end + (memo_is_mark(t, x->end, '(') ? 1 : 0);
    return i < t->tokens && t->token[i].kind == MEMO_NUMBER;
}

/* "the all-gather of parameters", "reduce-scatter of gradients": it is about the collective. */
static bool is_object(const struct memo *m, const struct memo_mention *x) {
    enum { ADJECTIVES = 2 };
    const struct memo_mention *before = x > m->mention ? x - 1 : NULL;
    if (!before || before->says != MEMO_ABOUT || x->first < before->end) return false;
    bool collective = before->value >= MEMO_GATHERS && before->value <= MEMO_REDUCES;
    bool near = x->first - before->end <= 1 + ADJECTIVES;
    return collective && near && memo_is_phrase(&m->text, before->end, "of");
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
                                        "beside", "besides",   "plus"};
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
    static const char *const passed[] = {
        "of",  "for", "in",   "the",  "as",   "is", "are",    "go",  "goes", "to",   "gpu",
        "per", "a",   "each", "half", "bf16", "16", "usable", "its", "s",    "fp32", "still"};
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

/* The word that says what the figure is of, or NULL. */
static const struct memo_mention *word_for(const struct memo_around *a, const struct sought *s) {
    if (a->f->is_sum) return NULL;
    const struct memo_mention *x =
        a->b->cell ? memo_over_cell(a, is_what, s) : directly_before(a, s);
    if (!x && !a->b->cell) x = directly_after(a, s);
    if (!x && !a->b->cell) x = memo_nearest(a, is_subject, s);
    if (!x && !a->b->cell) x = memo_nearest(a, is_what, s);
    if (x && !a->b->cell && memo_is_parted(a, x)) x = NULL;
    return x ? x : memo_within(a->m, a->b->heading, is_what, s);
}

/* "40 GB cards": the figure is part of the card's name. */
const struct memo_mention *memo_own_card(const struct memo_around *a) {
    static const enum memo_says card = MEMO_CARD;
    return memo_within(a->m, (struct memo_range){a->f->first, a->f->end}, memo_mention_says, &card);
}

void memo_seek_about(const struct memo_around *a, struct memo_options *o) {
    struct sought s = {a->m, a->f->dimension, a->list.end};
    static const enum memo_what only[] = {[MEMO_BYTES] = MEMO_NOTHING,
                                          [MEMO_SECONDS] = MEMO_NOTHING,
                                          [MEMO_TOKEN_RATE] = MEMO_TOKENS,
                                          [MEMO_BYTE_RATE] = MEMO_LINK,
                                          [MEMO_BYTES_PER_PARAM] = MEMO_PER_PARAM,
                                          [MEMO_RATIO] = MEMO_NOTHING};
    o->whats = 1;
    o->what[0] = a->f->coarse ? MEMO_TRAINING : only[a->f->dimension];
    if (o->what[0] != MEMO_NOTHING) return;
    if (memo_own_card(a)) {
        o->what[0] = MEMO_LABEL; /* "40 GB cards" */
        return;
    }
    const struct memo_mention *x = word_for(a, &s);
    if (is_of_card(a) && !directly_after(a, &s)) {
        o->what[0] = MEMO_USABLE;
        o->what[o->whats++] = MEMO_LABEL;
        return;
    }
    o->any = !x;
    if (!x && !a->f->is_sum)
        x = memo_last_before(a->m, a->b->tokens, a->list.first, is_subject, &s);
    o->whats = x ? 1 : 0;
    if (x) o->what[0] = what_of(x, s.dimension);
}

size_t memo_all_of(enum memo_dimension d, const enum memo_what **out) {
    *out = d == MEMO_SECONDS ? of_seconds : of_bytes;
    return d == MEMO_SECONDS ? BASE_COUNT(of_seconds) : BASE_COUNT(of_bytes);
}
