/* Of which configuration a figure may be: the words nearest to it decide, then those of its sentence, then what stands over it, then the
 * decision. */
#include "memo_around.h"

#include <math.h>
#include <string.h>

/* ── of which configuration ──────────────────────────────────────────────────────────────────────*/
/* "26 GB under stage 3": a stage that follows with such a word belongs to the figure before it. */
static const struct memo_mention *stage_after(const struct memo_around *a) {
    enum { REACH = 6 };
    static const char *const words[] = {"under", "with", "at", "for", "in", "by", "of", NULL};
    static const enum memo_says stage = MEMO_STAGE;
    const struct memo_mention *x =
        memo_first_after(a->m, a->sentence, a->list.end, memo_mention_says, &stage);
    bool bracket = memo_is_mark(&a->m->text, a->list.end, '(');
    if (x && bracket && x->first <= a->list.end + 2) return x; /* "48.75 GB (ZeRO-2)" */
    x = memo_first_after(a->m, a->part, a->list.end, memo_mention_says, &stage);
    if (!x || x->first - a->list.end > REACH) return NULL;
    if (memo_is_parted(a, x)) return NULL; /* "26 GB against 48.75 GB under stage 2" */
    for (size_t i = a->list.end; i < x->first; i++)
        if (memo_is_any(&a->m->text, i, words)) return x;
    return NULL;
}

static const struct memo_mention *seek(const struct memo_around *a, enum memo_says what) {
    const struct memo_mention *x = a->b->cell ? memo_over_cell(a, memo_mention_says, &what)
                                              : memo_nearest(a, memo_mention_says, &what);
    return x ? x : memo_over(a->m, a->b, memo_mention_says, &what);
}

static const struct memo_mention *seek_here(const struct memo_around *a, enum memo_says what) {
    const struct memo_mention *x = a->b->cell ? memo_over_cell(a, memo_mention_says, &what)
                                              : memo_nearest(a, memo_mention_says, &what);
    return x ? x : memo_in_parents(a->m, a->b, memo_mention_says, &what);
}

/* "Stage 3 without offload needs 39.5 GB; it takes 0.6 s": what the clause before says. */
static const struct memo_mention *before_pronoun(const struct memo_around *a, enum memo_says what) {
    static const char *const pronouns[] = {"it", "its", "that", "this", NULL};
    size_t first = a->sentence.first;
    if (a->b->cell || first < a->b->tokens.first + 2) return NULL;
    if (!memo_is_mark(&a->m->text, first - 1, ';') || !memo_is_any(&a->m->text, first, pronouns))
        return NULL;
    struct memo_range before = memo_sentence(a->m, a->b, first - 2);
    return memo_within(a->m, before, memo_mention_says, &what);
}

/* As many stages as figures: the first is of the first. */
static const struct memo_mention *paired_in(const struct memo_around *a, struct memo_range r) {
    const struct memo *m = a->m;
    const struct memo_mention *mine = NULL;
    size_t count = 0;
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++) {
        if (m->mention[k].says != MEMO_STAGE) continue;
        if (count++ == a->f->place) mine = &m->mention[k];
    }
    return count == a->f->of ? mine : NULL;
}

/* In a cell, "26 GB → 3.25 GB" beside or under "stage 1 → 2". */
static const struct memo_mention *paired(const struct memo_around *a) {
    if (a->f->of < 2) return NULL;
    if (!a->b->cell) return paired_in(a, a->sentence);
    const struct memo_mention *x = paired_in(a, a->b->row);
    return x ? x : paired_in(a, a->b->column);
}

static void add_stage(struct memo_options *o, double stage) {
    for (size_t i = 0; i < o->stages; i++)
        if (o->stage[i] == (uint8_t)stage) return;
    if (o->stages < BASE_COUNT(o->stage)) o->stage[o->stages++] = (uint8_t)stage;
}

/* "half as much again as DDP", "1.5× the traffic of ZeRO-2" */
static bool is_multiplied(const struct memo_around *a, const struct memo_mention *x) {
    enum { FIGURES = 3, REACH = 5 };
    const struct memo_figure *all = a->m->figure, *end = all + a->m->figures;
    const struct memo_figure *g = a->f - all > FIGURES ? a->f - FIGURES : all;
    for (; g < end && g <= a->f + FIGURES; g++)
        if (g->dimension == MEMO_RATIO && g->end <= x->first && x->first - g->end < REACH)
            return true;
    return false;
}

/* "than stage 3", "over that of stage 3" */
static bool is_measure(const struct memo_around *a, const struct memo_mention *x) {
    enum { REACH = 3 };
    const struct memo_text *t = &a->m->text;
    for (size_t n = 1; n <= REACH && n <= x->first; n++)
        if (memo_is_phrase(t, x->first - n, "than") || memo_is_phrase(t, x->first - n, "over"))
            return true;
    return is_multiplied(a, x);
}

/* "We take stage 2 rather than stage 3: it sends 45.5 GB" may be said of either, and so "stage 2 sends less than stage 3, and a step …". */
static bool is_taken(const struct memo_mention *x, const void *to) {
    const struct memo_around *a = to;
    return x->says == MEMO_STAGE && !is_measure(a, x) &&
           !memo_is_rejected(a->m, a->sentence, (size_t)(x - a->m->mention));
}

static void add_taken(const struct memo_around *a, const struct memo_mention *said,
                      struct memo_options *o) {
    bool inside = said->first >= a->sentence.first && said->end <= a->f->first;
    if (a->b->cell || !inside || is_taken(said, a)) return;
    const struct memo_mention *x = memo_last_before(a->m, a->sentence, a->f->first, is_taken, a);
    if (x) add_stage(o, x->value);
}

/* "ZeRO-2: 48.75 GB. Peak 67 GB": what a paragraph begins with is what all of it is about. */
static const struct memo_mention *label_of(const struct memo_around *a) {
    static const enum memo_says stage = MEMO_STAGE;
    const struct memo_range *r = &a->b->tokens;
    const struct memo_mention *x = memo_within(a->m, *r, memo_mention_says, &stage);
    enum { REACH = 3 };
    if (a->b->cell || !x || x->first > r->first + REACH) return NULL;
    for (size_t i = x->end; i < x->end + REACH && i < r->end; i++)
        if (memo_is_mark(&a->m->text, i, ':') || memo_is_mark(&a->m->text, i, 0x2014)) return x;
    return NULL;
}

/* What a later part of the sentence says: "… 67 GB, against a ZeRO-3 baseline", "it needs 89.9 GB, unless we checkpoint". */
static bool is_later(const struct memo_around *a, const struct memo_mention *x) {
    bool later = x->first >= a->part.end || memo_is_parted(a, x);
    return !a->b->cell && later && x->first >= a->list.end && x->first < a->sentence.end;
}

/* "…, z2 would be 67": it has a number of its own, and nothing to do with the figure before it. */
static bool has_own_number(const struct memo_around *a, const struct memo_mention *x) {
    enum { REACH = 3 };
    static const char *const words[] = {"would", "is", "has", "at", "be", "needs", "keeps", NULL};
    for (size_t i = x->end; i < x->end + REACH && i < a->sentence.end; i++) {
        bool pass = memo_is_mark(&a->m->text, i, ':') || memo_is_mark(&a->m->text, i, '~');
        if (a->m->text.token[i].kind == MEMO_NUMBER) return true;
        pass |= memo_is_any(&a->m->text, i, words);
        if (!pass) return false;
    }
    return false;
}

static void add_usual(const struct memo_around *a, struct memo_options *o) {
    const struct study_memo_report *r = a->m->report;
    if (r->decided) add_stage(o, r->chosen.stage);
    for (uint8_t s = 0; !r->decided && s < 4; s++) add_stage(o, s);
}

/* "we switch to ZeRO-3 or turn checkpointing on (52.2 GB)": of the other way, perhaps. */
static bool is_either(const struct memo_around *a, const struct memo_mention *x) {
    if (a->b->cell || x->first < a->sentence.first) return false;
    for (size_t i = x->end; i < a->f->first; i++)
        if (memo_is_phrase(&a->m->text, i, "or")) return true;
    return false;
}

static void seek_stage(const struct memo_around *a, struct memo_options *o) {
    static const enum memo_says stage = MEMO_STAGE;
    const struct memo_mention *own = paired(a), *x = own;
    if (!x && !a->b->cell) x = stage_after(a);
    if (!x) x = seek(a, MEMO_STAGE);
    bool aside = x && x != own && is_later(a, x);
    const struct memo_mention *label = x && !aside ? NULL : label_of(a);
    if (label) x = label;
    o->stage_said = x != NULL && (label || !aside);
    if (x && x == own) add_stage(o, x->value);
    for (uint8_t s = 0; memo_is_contrasted(a) && s < 4; s++) add_stage(o, s);
    if (aside && !label) add_usual(a, o);
    const struct memo_mention *said =
        memo_last_before(a->m, a->b->tokens, a->sentence.first, memo_mention_says, &stage);
    if (aside && !label && said)
        add_stage(o, said->value); /* "Its peak is 46.2 GB, 20.8 GB below that of stage 2" */
    if (aside && !label && has_own_number(a, x)) return;
    if (x) {
        add_stage(o, x->value);
        if (!label) add_taken(a, x, o);
        if (is_either(a, x)) add_usual(a, o);
        return;
    }
    x = before_pronoun(a, MEMO_STAGE);
    add_usual(a, o);
    if (x) add_stage(o, x->value);
    x = memo_last_before(a->m, a->b->tokens, a->f->first, memo_mention_says, &stage);
    if (x) add_stage(o, x->value);
}

static void add_keeps(struct memo_options *o, double keeps) {
    for (size_t i = 0; i < o->kept; i++)
        if (o->keeps[i] == (uint8_t)keeps) return;
    if (o->kept < BASE_COUNT(o->keeps)) o->keeps[o->kept++] = (uint8_t)keeps;
}

/* What it changes from and to in a cell may be any stage's where two are not named. */
static void open_change(const struct memo_around *a, struct memo_options *o) {
    if (!a->b->cell || !a->f->change || paired(a)) return;
    for (uint8_t s = 0; s < 4; s++) add_stage(o, s);
    for (uint8_t k = 0; k < 3; k++) add_keeps(o, k);
    o->any = true;
}

static void seek_keeps(const struct memo_around *a, struct memo_options *o) {
    const struct memo_mention *x = seek(a, MEMO_KEEPS);
    if (!x) x = before_pronoun(a, MEMO_KEEPS);
    const struct study_memo_report *r = a->m->report;
    bool other = x && is_later(a, x);
    if (r->decided && (!x || other)) add_keeps(o, r->chosen.checkpoint);
    if (x) {
        add_keeps(o, x->value);
        if (memo_is_contrasted(a)) add_keeps(o, ACCOUNT_KEEP_ALL);
        return;
    }
    if (!r->decided || o->stage[0] != r->chosen.stage) add_keeps(o, ACCOUNT_KEEP_ALL);
}

static void add_recipe(struct memo_options *o, double recipe) {
    for (size_t i = 0; i < o->recipes; i++)
        if (o->recipe[i] == (uint8_t)recipe) return;
    if (o->recipes < BASE_COUNT(o->recipe)) o->recipe[o->recipes++] = (uint8_t)recipe;
}

static void seek_recipe(const struct memo_around *a, struct memo_options *o) {
    const struct memo_mention *x = seek(a, MEMO_RECIPE);
    if (!x || !memo_is_phrase(&a->m->text, x->first, "paper"))
        add_recipe(o, a->m->report->scenario.training.recipe);
    if (x) add_recipe(o, x->value);
    struct account_training t = a->m->report->scenario.training;
    t.recipe = o->recipe[0];
    if (o->stages && !account_has_stage(&t, o->stage[0]))
        add_recipe(o, 0); /* as the paper has it */
}

static void add_rounds(struct memo_options *o, double rounds) {
    for (size_t i = 0; i < o->round_count; i++)
        if (o->rounds[i] == (uint32_t)rounds) return;
    if (o->round_count < BASE_COUNT(o->rounds) && rounds >= 1)
        o->rounds[o->round_count++] = (uint32_t)rounds;
}

static bool says_step(const struct memo_around *a) {
    for (size_t i = a->sentence.first; i < a->sentence.end; i++)
        if (memo_is_phrase(&a->m->text, i, "step")) return true;
    return a->f->dimension != MEMO_BYTES;
}

static void seek_rounds(const struct memo_around *a, struct memo_options *o) {
    const struct memo_mention *x = seek(a, MEMO_ROUNDS);
    const struct study_memo_report *r = a->m->report;
    if (seek_here(a, MEMO_MICRO)) add_rounds(o, 1);
    bool later = x && x->first >= a->part.end; /* of another clause, perhaps */
    if (x && !later) add_rounds(o, x->value);
    if (o->round_count) return;
    add_rounds(o, r->decided ? r->chosen.accumulate : r->scenario.training.accumulate);
    if (!says_step(a)) add_rounds(o, 1);
    if (x) add_rounds(o, x->value);
}

/* ── of which machine ────────────────────────────────────────────────────────────────────────────*/
static void set_count(const struct memo_around *a, enum memo_says what, uint32_t *field) {
    const struct memo_mention *x = seek_here(a, what);
    if (x && x->value >= 1 && x->value <= 1e6) *field = (uint32_t)x->value;
}

static void set_links(const struct memo_around *a, struct account_training *t) {
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

static void seek_machine(const struct memo_around *a, struct memo_options *o) {
    struct account_training *t = &o->base;
    const struct memo_mention *x = memo_own_card(a);
    size_t count;
    if (!x) x = seek_here(a, MEMO_CARD);
    *t = a->m->report->decided ? a->m->report->chosen : a->m->report->scenario.training;
    if (x) t->card = &account_cards(&count)[(size_t)x->value];
    set_count(a, MEMO_GPUS, &t->gpus);
    set_count(a, MEMO_BATCH, &t->batch);
    set_count(a, MEMO_SEQUENCE, &t->seq);
    if (t->gpus_per_node > t->gpus) t->gpus_per_node = 0;
    set_links(a, t);
    static const char *const alone[] = {"alone", "by itself", "on its own", NULL};
    x = seek(a, MEMO_OFFLOAD);
    if (!x) x = before_pronoun(a, MEMO_OFFLOAD);
    if (x) t->offload_optimizer = (uint8_t)x->value;
    if (!x && o->stage_said && memo_has_any(a->m, a->sentence, alone))
        t->offload_optimizer = t->offload_params = ACCOUNT_GPU;
    if (!x && o->stages && o->stage[0] != t->stage)
        t->offload_optimizer = t->offload_params = ACCOUNT_GPU;
    if (seek_here(a, MEMO_WIDE) && !memo_is_contrasted(a)) t->grad_dtype = ACCOUNT_32_BIT;
    if (seek_here(a, MEMO_WIRE)) t->reduce_dtype = ACCOUNT_32_BIT;
    const struct account_training *own = &a->m->report->scenario.training;
    bool far = t->gpus > own->gpus && !t->gpus_per_node; /* over which network is not said */
    o->any |= far && a->f->dimension != MEMO_BYTES;
    set_count(a, MEMO_TENSOR, &t->tp);
    set_count(a, MEMO_PIPELINE, &t->pp);
}

/* What is said beside it, what the memo assumes, and what is usual. */
static void seek_efficiency(const struct memo_around *a, struct memo_options *o) {
    const struct memo_mention *x = seek_here(a, MEMO_MFU);
    if (x) o->efficiency[o->efficiencies++] = x->value;
    if (x && !memo_is_parted(a, x)) return;
    if (a->m->efficiency > 0) o->efficiency[o->efficiencies++] = a->m->efficiency;
    o->efficiency[o->efficiencies++] = o->base.efficiency;
}

static bool is_in_part(const struct memo_around *a, enum memo_says what) {
    return memo_within(a->m, a->part, memo_mention_says, &what) != NULL;
}

/* "14.8k tokens/s (1.85k per GPU)": what it is counted by has a number of its own. */
static bool has_number_between(const struct memo_around *a, const struct memo_mention *x) {
    for (size_t i = a->list.end; i < x->first; i++)
        if (a->m->text.token[i].kind == MEMO_NUMBER) return true;
    return false;
}

/* "1.7k tokens/s per GPU, 13.7k tokens/s on the node" */
static bool is_of_last(const struct memo_around *a, const struct memo_mention *x) {
    return a->f > a->m->figure && x->first == a->f[-1].end;
}

/* In its part of the sentence; further off, where no other figure stands between. */
static bool is_near(const struct memo_around *a, enum memo_says what) {
    const struct memo_mention *x = seek_here(a, what);
    if (!x || a->b->cell || x->end <= a->b->tokens.first) return x != NULL;
    if (x->first >= a->list.end && memo_is_parted(a, x))
        return false; /* "… or 830 tokens/s per GPU" */
    if (is_in_part(a, what)) return true;
    if (a->f->dimension == MEMO_TOKEN_RATE && is_of_last(a, x)) return false;
    const struct memo_figure *before = a->f - a->f->place;
    bool other = before > a->m->figure && before[-1].first >= x->end &&
                 before[-1].dimension == a->f->dimension;
    return !other && !memo_is_parted(a, x) && !has_number_between(a, x);
}

/* "If it exceeds 75 GB, we stop" claims nothing; "if all is kept, activations are 16 GB" does, though of what the condition changes. */
static void seek_condition(const struct memo_around *a, struct memo_options *o) {
    static const enum memo_says condition = MEMO_CONDITION;
    const struct memo_mention *x =
        memo_last_before(a->m, a->sentence, a->f->first, memo_mention_says, &condition);
    bool clause = false;
    for (size_t i = x ? x->end : a->f->first; i < a->f->first; i++)
        clause |= memo_is_mark(&a->m->text, i, ',') || memo_is_phrase(&a->m->text, i, "then");
    o->conditional = x && (!clause || o->difference);
    o->any |= x && clause;
}

void memo_options(struct memo *m, const struct memo_figure *f, struct memo_options *out) {
    struct memo_around a = memo_look_around(m, f);
    *out = (struct memo_options){0};
    memo_seek_about(&a, out);
    seek_stage(&a, out);
    seek_keeps(&a, out);
    open_change(&a, out);
    seek_recipe(&a, out);
    seek_rounds(&a, out);
    seek_machine(&a, out);
    seek_efficiency(&a, out);
    out->per_gpu = is_near(&a, MEMO_PER_GPU);
    out->cluster = is_near(&a, MEMO_PER_CLUSTER) &&
                   (!is_in_part(&a, MEMO_PER_GPU) || is_in_part(&a, MEMO_PER_CLUSTER));
    int direction;
    out->difference = memo_is_difference(m, f, &direction);
    seek_condition(&a, out);
}
