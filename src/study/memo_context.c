/* What a figure may be about: the words nearest to it decide, then those of its sentence, then what stands over it, then the decision. */
#include "memo.h"

#include <math.h>
#include <string.h>

struct around {
    const struct memo *m;
    const struct memo_figure *f;
    const struct memo_block *b;
    struct memo_range list; /* the figure, or the list it is in */
    struct memo_range part; /* between commas and brackets */
    struct memo_range sentence;
};

static bool parts(const struct memo_text *t, size_t i) {
    static const uint32_t marks[] = {',', '(', ')', ':', '+', '=', '[', ']', 0x2014, '|'};
    for (size_t k = 0; k < BASE_COUNT(marks); k++)
        if (memo_is_mark(t, i, marks[k])) return true;
    return memo_is_phrase(t, i, "and") || memo_is_phrase(t, i, "but") ||
           memo_is_phrase(t, i, "while") || memo_is_phrase(t, i, "whereas");
}

/* The figures of a list stand next to each other. */
static struct memo_range list_of(const struct memo *m, const struct memo_figure *f) {
    size_t at = (size_t)(f - m->figure), first = at - f->place, last = first + f->of - 1;
    if (f->place > at || last >= m->figures) return (struct memo_range){f->first, f->end};
    return (struct memo_range){m->figure[first].first, m->figure[last].end};
}

static struct around look_around(const struct memo *m, const struct memo_figure *f) {
    struct around a = {.m = m, .f = f, .b = &m->block[f->block]};
    a.list = list_of(m, f);
    a.sentence = memo_sentence(m, a.b, f->first);
    a.part = a.list;
    while (a.part.first > a.sentence.first && !parts(&m->text, a.part.first - 1)) a.part.first--;
    while (a.part.end < a.sentence.end && !parts(&m->text, a.part.end)) a.part.end++;
    return a;
}

typedef bool wanted(const struct memo_mention *x, const void *to);

static const struct memo_mention *last_before(const struct memo *m, struct memo_range r, size_t at,
                                              wanted *want, const void *to) {
    const struct memo_mention *found = NULL;
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].end <= at; k++)
        if (m->mention[k].first >= r.first && want(&m->mention[k], to)) found = &m->mention[k];
    return found;
}

static const struct memo_mention *first_after(const struct memo *m, struct memo_range r, size_t at,
                                              wanted *want, const void *to) {
    for (size_t k = memo_mention_from(m, at); k < m->mentions && m->mention[k].first < r.end; k++)
        if (m->mention[k].first >= at && want(&m->mention[k], to)) return &m->mention[k];
    return NULL;
}

static const struct memo_mention *within(const struct memo *m, struct memo_range r, wanted *want,
                                         const void *to) {
    return r.end > r.first ? first_after(m, r, r.first, want, to) : NULL;
}

static bool says(const struct memo_mention *x, const void *to) {
    return x->says == *(const enum memo_says *)to;
}

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
static const struct memo_mention *directly_after(const struct around *a, const struct sought *s) {
    enum { NEAR = 5 };
    static const char *const passed[] = {
        "of",  "for", "in",   "the",  "as",   "is", "are",    "go",  "goes", "to",   "gpu",
        "per", "a",   "each", "half", "bf16", "16", "usable", "its", "s",    "fp32", "still"};
    const struct memo_text *t = &a->m->text;
    size_t i = a->list.end;
    for (size_t n = 0; n < NEAR && i < a->sentence.end; n++, i++) {
        const struct memo_mention *x =
            first_after(a->m, (struct memo_range){i, i + 1}, i, is_what, s);
        if (x) return x;
        bool pass = false;
        for (size_t k = 0; k < BASE_COUNT(passed); k++) pass |= memo_is_phrase(t, i, passed[k]) > 0;
        if (!pass) return NULL;
    }
    return NULL;
}

/* "activations (16.1 GB)", "peak: 67.0 GB", "a peak of about 67 GB" */
static const struct memo_mention *directly_before(const struct around *a, const struct sought *s) {
    enum { NEAR = 4 };
    static const char *const passed[] = {"of", "is", "are", "at", "about", "to", "roughly", "only"};
    static const uint32_t marks[] = {'(', ':', '~', 0x2248, '*', '`'};
    const struct memo_text *t = &a->m->text;
    for (size_t n = 0, i = a->list.first; n < NEAR && i > a->sentence.first; n++, i--) {
        const struct memo_mention *x = last_before(a->m, a->sentence, i, is_what, s);
        if (x && x->end == i) return x;
        bool pass = false;
        for (size_t k = 0; k < BASE_COUNT(passed); k++)
            pass |= memo_is_phrase(t, i - 1, passed[k]) > 0;
        for (size_t k = 0; k < BASE_COUNT(marks); k++) pass |= memo_is_mark(t, i - 1, marks[k]);
        if (!pass) return NULL;
    }
    return NULL;
}

/* The words of the cell, of its row, of its column. */
static const struct memo_mention *over_cell(const struct around *a, wanted *want, const void *to) {
    const struct memo_range *const r[] = {&a->b->tokens, &a->b->row, &a->b->column, &a->b->heading};
    for (size_t i = 0; a->b->cell && i < BASE_COUNT(r); i++) {
        const struct memo_mention *x = within(a->m, *r[i], want, to);
        if (x) return x;
    }
    return NULL;
}

static const struct memo_mention *nearest(const struct around *a, wanted *want, const void *to) {
    const struct memo_mention *x = last_before(a->m, a->part, a->list.first, want, to);
    if (!x) x = first_after(a->m, a->part, a->list.end, want, to);
    if (!x) x = last_before(a->m, a->sentence, a->list.first, want, to);
    if (!x) x = first_after(a->m, a->sentence, a->list.end, want, to);
    return x;
}

/* Whether another figure stands between, whose word it then is. */
static bool is_parted(const struct around *a, const struct memo_mention *x) {
    const struct memo_figure *next = a->f + (a->f->of - a->f->place);
    while (next < a->m->figure + a->m->figures && next->dimension == MEMO_RATIO) next++;
    return x->first >= a->list.end && next < a->m->figure + a->m->figures && next->first < x->first;
}

static const enum memo_what of_bytes[] = {
    MEMO_STATES,    MEMO_PEAK,        MEMO_SENT,    MEMO_USABLE,  MEMO_LABEL,
    MEMO_SPARE,     MEMO_PARAMS,      MEMO_GRADS,   MEMO_MASTER,  MEMO_MOMENTS,
    MEMO_OPTIMIZER, MEMO_ACTIVATIONS, MEMO_LOGITS,  MEMO_RESERVE, MEMO_GATHERED,
    MEMO_GATHERS,   MEMO_SCATTERS,    MEMO_BETWEEN, MEMO_HOST};
static const enum memo_what of_seconds[] = {MEMO_STEP,    MEMO_COMM,     MEMO_EXPOSED, MEMO_COMPUTE,
                                            MEMO_FORWARD, MEMO_BACKWARD, MEMO_UPDATE};

/* "67.0 GB of 85.9 GB", "67.0 GB out of 85.9 GB" */
static bool is_of_card(const struct around *a) {
    const struct memo_text *t = &a->m->text;
    size_t i = a->f->first;
    if (a->f->dimension != MEMO_BYTES || a->f == a->m->figure || a->b->cell) return false;
    if (i < 2 || !memo_is_phrase(t, i - 1, "of")) return false;
    i -= memo_is_phrase(t, i - 2, "out") ? 2 : 1;
    if (i > 0 && memo_is_mark(t, i - 1, ',')) return true; /* "67.1 GB at the peak, of 85.9 GB" */
    return a->f[-1].end == i && a->f[-1].dimension == MEMO_BYTES;
}

/* The word that says what the figure is of, or NULL. */
static const struct memo_mention *word_for(const struct around *a, const struct sought *s) {
    if (a->f->is_sum) return NULL;
    const struct memo_mention *x = a->b->cell ? over_cell(a, is_what, s) : directly_before(a, s);
    if (!x && !a->b->cell) x = directly_after(a, s);
    if (!x && !a->b->cell) x = nearest(a, is_subject, s);
    if (!x && !a->b->cell) x = nearest(a, is_what, s);
    if (x && !a->b->cell && is_parted(a, x)) x = NULL;
    return x ? x : within(a->m, a->b->heading, is_what, s);
}

/* "40 GB cards": the figure is part of the card's name. */
static const struct memo_mention *own_card(const struct around *a) {
    static const enum memo_says card = MEMO_CARD;
    return within(a->m, (struct memo_range){a->f->first, a->f->end}, says, &card);
}

static void seek_what(const struct around *a, struct memo_options *o) {
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
    if (own_card(a)) {
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
    if (!x && !a->f->is_sum) x = last_before(a->m, a->b->tokens, a->list.first, is_subject, &s);
    o->whats = x ? 1 : 0;
    if (x) o->what[0] = what_of(x, s.dimension);
}

size_t memo_all_of(enum memo_dimension d, const enum memo_what **out) {
    *out = d == MEMO_SECONDS ? of_seconds : of_bytes;
    return d == MEMO_SECONDS ? BASE_COUNT(of_seconds) : BASE_COUNT(of_bytes);
}

/* ── of which configuration ──────────────────────────────────────────────────────────────────────*/
/* "26 GB under stage 3": a stage that follows with such a word belongs to the figure before it. */
static const struct memo_mention *stage_after(const struct around *a) {
    enum { REACH = 6 };
    static const char *const words[] = {"under", "with", "at", "for", "in", "by", "of"};
    static const enum memo_says stage = MEMO_STAGE;
    const struct memo_mention *x = first_after(a->m, a->sentence, a->list.end, says, &stage);
    bool bracket = memo_is_mark(&a->m->text, a->list.end, '(');
    if (x && bracket && x->first <= a->list.end + 2) return x; /* "48.75 GB (ZeRO-2)" */
    x = first_after(a->m, a->part, a->list.end, says, &stage);
    if (!x || x->first - a->list.end > REACH) return NULL;
    if (is_parted(a, x)) return NULL; /* "26 GB against 48.75 GB under stage 2" */
    for (size_t i = a->list.end; i < x->first; i++)
        for (size_t k = 0; k < BASE_COUNT(words); k++)
            if (memo_is_phrase(&a->m->text, i, words[k])) return x;
    return NULL;
}

static const struct memo_mention *seek(const struct around *a, enum memo_says what) {
    const struct memo_mention *x = a->b->cell ? over_cell(a, says, &what) : nearest(a, says, &what);
    if (!x) x = within(a->m, a->b->heading, says, &what);
    return x;
}

static const struct memo_mention *seek_here(const struct around *a, enum memo_says what) {
    return a->b->cell ? over_cell(a, says, &what) : nearest(a, says, &what);
}

/* As many stages as figures: the first is of the first. */
static const struct memo_mention *paired(const struct around *a) {
    const struct memo *m = a->m;
    const struct memo_mention *mine = NULL;
    size_t count = 0;
    if (a->f->of < 2) return NULL;
    for (size_t k = memo_mention_from(m, a->sentence.first);
         k < m->mentions && m->mention[k].first < a->sentence.end; k++) {
        if (m->mention[k].says != MEMO_STAGE) continue;
        if (count++ == a->f->place) mine = &m->mention[k];
    }
    return count == a->f->of ? mine : NULL;
}

static void add_stage(struct memo_options *o, double stage) {
    for (size_t i = 0; i < o->stages; i++)
        if (o->stage[i] == (uint8_t)stage) return;
    if (o->stages < BASE_COUNT(o->stage)) o->stage[o->stages++] = (uint8_t)stage;
}

/* "68.25 GB instead of 45.5 GB", "from 45.5 GB to 68.25 GB": of whichever other stage. */
static bool is_compared(const struct around *a) {
    static const char *const words[] = {"instead of", "rather than", "versus",
                                        "vs",         "against",     "not"};
    const struct memo_text *t = &a->m->text;
    if (a->f->of == 2 && a->f->place == 0 && memo_is_phrase(t, a->f->end, "to")) return true;
    for (size_t k = 0; k < BASE_COUNT(words); k++)
        for (size_t n = 1; n <= 3 && n <= a->f->first - a->sentence.first; n++)
            if (memo_is_phrase(t, a->f->first - n, words[k]) == n) return true;
    return false;
}

/* "than stage 3", "over that of stage 3" */
static bool is_measure(const struct memo_text *t, const struct memo_mention *x) {
    enum { REACH = 3 };
    for (size_t n = 1; n <= REACH && n <= x->first; n++)
        if (memo_is_phrase(t, x->first - n, "than") || memo_is_phrase(t, x->first - n, "over"))
            return true;
    return false;
}

/* "We take stage 2 rather than stage 3: it sends 45.5 GB" may be said of either, and so "stage 2 sends less than stage 3, and a step …". */
static bool is_taken(const struct memo_mention *x, const void *to) {
    const struct around *a = to;
    return x->says == MEMO_STAGE && !is_measure(&a->m->text, x) &&
           !memo_is_rejected(a->m, a->sentence, (size_t)(x - a->m->mention));
}

static void add_taken(const struct around *a, const struct memo_mention *said,
                      struct memo_options *o) {
    bool inside = said->first >= a->sentence.first && said->end <= a->f->first;
    if (a->b->cell || !inside || is_taken(said, a)) return;
    const struct memo_mention *x = last_before(a->m, a->sentence, a->f->first, is_taken, a);
    if (x) add_stage(o, x->value);
}

static void seek_stage(const struct around *a, struct memo_options *o) {
    static const enum memo_says stage = MEMO_STAGE;
    const struct memo_mention *own = a->b->cell ? NULL : paired(a), *x = own;
    if (!x && !a->b->cell) x = stage_after(a);
    if (!x) x = seek(a, MEMO_STAGE);
    o->stage_said = x != NULL;
    if (x && x == own) add_stage(o, x->value);
    for (uint8_t s = 0; is_compared(a) && s < 4; s++) add_stage(o, s);
    if (x) {
        add_stage(o, x->value);
        add_taken(a, x, o);
        return;
    }
    const struct study_memo_report *r = a->m->report;
    if (r->decided) add_stage(o, r->chosen.stage);
    x = last_before(a->m, a->b->tokens, a->f->first, says, &stage);
    if (x) add_stage(o, x->value);
    for (uint8_t s = 0; !r->decided && s < 4; s++) add_stage(o, s);
}

static void add_keeps(struct memo_options *o, double keeps) {
    for (size_t i = 0; i < o->kept; i++)
        if (o->keeps[i] == (uint8_t)keeps) return;
    if (o->kept < BASE_COUNT(o->keeps)) o->keeps[o->kept++] = (uint8_t)keeps;
}

static void seek_keeps(const struct around *a, struct memo_options *o) {
    const struct memo_mention *x = seek(a, MEMO_KEEPS);
    if (x) {
        add_keeps(o, x->value);
        if (is_compared(a)) add_keeps(o, ACCOUNT_KEEP_ALL);
        return;
    }
    const struct study_memo_report *r = a->m->report;
    if (r->decided) add_keeps(o, r->chosen.checkpoint);
    if (!r->decided || o->stage[0] != r->chosen.stage) add_keeps(o, ACCOUNT_KEEP_ALL);
}

static void add_recipe(struct memo_options *o, double recipe) {
    for (size_t i = 0; i < o->recipes; i++)
        if (o->recipe[i] == (uint8_t)recipe) return;
    if (o->recipes < BASE_COUNT(o->recipe)) o->recipe[o->recipes++] = (uint8_t)recipe;
}

static void seek_recipe(const struct around *a, struct memo_options *o) {
    const struct memo_mention *x = seek(a, MEMO_RECIPE);
    if (!x || !memo_is_phrase(&a->m->text, x->first, "paper"))
        add_recipe(o, a->m->report->scenario.training.recipe);
    if (x) add_recipe(o, x->value);
}

static void add_rounds(struct memo_options *o, double rounds) {
    for (size_t i = 0; i < o->round_count; i++)
        if (o->rounds[i] == (uint32_t)rounds) return;
    if (o->round_count < BASE_COUNT(o->rounds) && rounds >= 1)
        o->rounds[o->round_count++] = (uint32_t)rounds;
}

static bool says_step(const struct around *a) {
    for (size_t i = a->sentence.first; i < a->sentence.end; i++)
        if (memo_is_phrase(&a->m->text, i, "step")) return true;
    return a->f->dimension != MEMO_BYTES;
}

static void seek_rounds(const struct around *a, struct memo_options *o) {
    const struct memo_mention *x = seek(a, MEMO_ROUNDS);
    const struct study_memo_report *r = a->m->report;
    if (seek_here(a, MEMO_MICRO)) add_rounds(o, 1);
    if (x) add_rounds(o, x->value);
    if (o->round_count) return;
    add_rounds(o, r->decided ? r->chosen.accumulate : r->scenario.training.accumulate);
    if (!says_step(a)) add_rounds(o, 1);
}

/* ── of which machine ────────────────────────────────────────────────────────────────────────────*/
static void set_count(const struct around *a, enum memo_says what, uint32_t *field,
                      struct memo_options *o) {
    const struct memo_mention *x = seek_here(a, what);
    if (!x || x->value < 1 || x->value > 1e6) return;
    o->altered |= *field != (uint32_t)x->value;
    *field = (uint32_t)x->value;
}

static void set_links(const struct around *a, struct account_training *t) {
    const struct memo_mention *x = seek_here(a, MEMO_OVER);
    size_t count;
    if (!x) return;
    const struct account_link *link = &account_links(&count)[(size_t)x->value];
    bool net = strncmp(link->name, "ib-", 3) == 0 || strncmp(link->name, "eth-", 4) == 0 ||
               strncmp(link->name, "efa", 3) == 0;
    if (net && t->gpus_per_node && t->gpus_per_node < t->gpus)
        t->net = *link;
    else
        t->link = *link;
}

static void seek_machine(const struct around *a, struct memo_options *o) {
    struct account_training *t = &o->base;
    const struct memo_mention *x = own_card(a);
    size_t count;
    if (!x) x = seek_here(a, MEMO_CARD);
    *t = a->m->report->decided ? a->m->report->chosen : a->m->report->scenario.training;
    if (x) {
        const struct account_card *card = &account_cards(&count)[(size_t)x->value];
        o->altered |= card != t->card;
        t->card = card;
    }
    set_count(a, MEMO_GPUS, &t->gpus, o);
    set_count(a, MEMO_BATCH, &t->batch, o);
    set_count(a, MEMO_SEQUENCE, &t->seq, o);
    if (t->gpus_per_node > t->gpus) t->gpus_per_node = 0;
    set_links(a, t);
    x = seek(a, MEMO_OFFLOAD);
    if (x) t->offload_optimizer = (uint8_t)x->value;
    if (!x && o->stages && o->stage[0] != t->stage)
        t->offload_optimizer = t->offload_params = ACCOUNT_GPU;
    if (seek_here(a, MEMO_WIDE)) t->grad_dtype = ACCOUNT_32_BIT;
    if (a->m->efficiency > 0) t->efficiency = a->m->efficiency;
}

void memo_options(struct memo *m, const struct memo_figure *f, struct memo_options *out) {
    struct around a = look_around(m, f);
    *out = (struct memo_options){0};
    seek_what(&a, out);
    seek_stage(&a, out);
    seek_keeps(&a, out);
    seek_recipe(&a, out);
    seek_rounds(&a, out);
    seek_machine(&a, out);
    out->cluster = seek_here(&a, MEMO_PER_CLUSTER) != NULL;
    out->per_gpu = seek_here(&a, MEMO_PER_GPU) != NULL;
    static const enum memo_says condition = MEMO_CONDITION;
    out->operand = memo_is_mark(&m->text, f->end, '/') || memo_is_mark(&m->text, f->end, 0xF7);
    int direction;
    out->difference = memo_is_difference(m, f, &direction);
    out->conditional = last_before(m, a.sentence, f->first, says, &condition) != NULL;
}
