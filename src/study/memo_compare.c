/* What a sentence says of two configurations: "22.75 GB less than stage 2", "1.5× the traffic of DDP". It is judged where both are named, and
 * called wrong only where the sentence leaves no doubt what is held against what. */
#include "memo.h"

#include <math.h>
#include <string.h>

struct side {
    double value; /* on the axis */
    struct account_training training;
    double amount; /* of what is compared, by the engine */
};
struct comparison {
    struct memo *m;
    const struct memo_figure *f;
    const struct memo_options *o;
    struct memo_range clause, sentence;
    int direction; /* of a difference: +1 more, −1 less, 0 not said */
    enum memo_says axis;
    struct side side[2]; /* what it is said of, and what that is held against */
    bool ordered;        /* the sentence says which is which */
    bool implied;        /* one of them was not named */
    enum memo_what what[4];
    size_t whats;
    bool named; /* the sentence says what is compared */
    enum memo_match match;
    enum memo_what best;
};

/* ── the sentence ────────────────────────────────────────────────────────────────────────────────*/
static bool parts(const struct memo_text *t, size_t i) {
    static const uint32_t marks[] = {',', ':', '(', ')', 0x2014};
    for (size_t k = 0; k < BASE_COUNT(marks); k++)
        if (memo_is_mark(t, i, marks[k])) return true;
    return memo_is_phrase(t, i, "but") || memo_is_phrase(t, i, "while") ||
           memo_is_phrase(t, i, "whereas") || memo_is_phrase(t, i, "and");
}

static void look_around(struct comparison *c) {
    const struct memo_text *t = &c->m->text;
    c->sentence = memo_sentence(c->m, &c->m->block[c->f->block], c->f->first);
    c->clause = (struct memo_range){c->f->first, c->f->end};
    while (c->clause.first > c->sentence.first && !parts(t, c->clause.first - 1)) c->clause.first--;
    while (c->clause.end < c->sentence.end && !parts(t, c->clause.end)) c->clause.end++;
}

/* ── the two sides ───────────────────────────────────────────────────────────────────────────────*/
static void set_stage(struct account_training *t, double v) {
    if (t->stage != (uint8_t)v) t->offload_optimizer = t->offload_params = ACCOUNT_GPU;
    t->stage = (uint8_t)v;
}
static void set_keeps(struct account_training *t, double v) {
    t->checkpoint = (uint8_t)v;
}
static void set_recipe(struct account_training *t, double v) {
    t->recipe = (uint8_t)v;
}
static void set_gpus(struct account_training *t, double v) {
    t->gpus = (uint32_t)v;
    if (t->gpus_per_node > t->gpus) t->gpus_per_node = 0;
}
static void set_sequence(struct account_training *t, double v) {
    t->seq = (uint32_t)v;
}
static void set_batch(struct account_training *t, double v) {
    t->batch = (uint32_t)v;
}
static const struct axis {
    enum memo_says says;
    void (*set)(struct account_training *t, double v);
    const char *name; /* of a value */
} axes[] = {
    {MEMO_STAGE,    set_stage,    "stage %.0f"      },
    {MEMO_KEEPS,    set_keeps,    NULL              },
    {MEMO_RECIPE,   set_recipe,   NULL              },
    {MEMO_GPUS,     set_gpus,     "%.0f GPUs"       },
    {MEMO_SEQUENCE, set_sequence, "sequence %.0f"   },
    {MEMO_BATCH,    set_batch,    "micro-batch %.0f"},
};

static const struct axis *axis_of(const struct comparison *c) {
    size_t i = 0;
    while (axes[i].says != c->axis) i++;
    return &axes[i];
}

/* How many values an axis has in a range, 3 standing for more; the first two of them. */
static size_t values_of(const struct memo *m, struct memo_range r, enum memo_says axis,
                        double out[2]) {
    size_t n = 0;
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++) {
        const struct memo_mention *x = &m->mention[k];
        bool known = x->says != axis;
        for (size_t i = 0; i < n && i < 2; i++) known |= fabs(out[i] - x->value) < 0.5;
        if (known) continue;
        if (n < 2) out[n] = x->value;
        n += n < 3;
    }
    return n;
}

/* "than stage 2", "the traffic of DDP", "compared with stage 2", "1.5× DDP" */
static bool is_held_against(const struct comparison *c, const struct memo_mention *x) {
    enum { REACH = 4 };
    static const char *const words[] = {"than",    "over",     "versus",   "vs",   "against",
                                        "compare", "compared", "relative", "from", "instead",
                                        "rather",  "what",     "as"};
    const struct memo_text *t = &c->m->text;
    if (x->first == c->f->end) return true;
    for (size_t n = 1; n <= REACH && x->first >= c->sentence.first + n; n++) {
        size_t i = x->first - n;
        if (t->token[i].kind == MEMO_NUMBER || memo_is_mark(t, i, ',')) return false;
        if (i >= c->f->end && memo_is_phrase(t, i, "of")) return true;
        for (size_t k = 0; k < BASE_COUNT(words); k++)
            if (memo_is_phrase(t, i, words[k])) return true;
    }
    return false;
}

static bool is_marked(const struct comparison *c, double value) {
    const struct memo *m = c->m;
    for (size_t k = memo_mention_from(m, c->sentence.first);
         k < m->mentions && m->mention[k].first < c->sentence.end; k++)
        if (m->mention[k].says == c->axis && fabs(m->mention[k].value - value) < 0.5 &&
            is_held_against(c, &m->mention[k]))
            return true;
    return false;
}

static bool take_sides(struct comparison *c, enum memo_says axis, const double value[2]) {
    c->axis = axis;
    bool first = is_marked(c, value[0]), second = is_marked(c, value[1]);
    c->ordered = first != second;
    c->side[0].value = value[first && !second ? 1 : 0];
    c->side[1].value = value[first && !second ? 0 : 1];
    return true;
}

/* Two values on one axis, and on no other. */
static bool seek_pair(struct comparison *c, struct memo_range r) {
    const struct axis *found = NULL;
    double value[2], pair[2];
    for (size_t i = 0; i < BASE_COUNT(axes); i++) {
        size_t n = values_of(c->m, r, axes[i].says, value);
        if (n > 2 || (n == 2 && found)) return false;
        if (n != 2) continue;
        found = &axes[i];
        memcpy(pair, value, sizeof pair);
    }
    return found && take_sides(c, found->says, pair);
}

/* "Stage 3 saves 22.75 GB over stage 2, and sends 1.5× the traffic of DDP": what all of the sentence is said of. */
static bool seek_subject(struct comparison *c) {
    const struct memo *m = c->m;
    double against[2], subject = -1;
    c->axis = MEMO_STAGE;
    if (values_of(m, c->clause, MEMO_STAGE, against) != 1 || !is_marked(c, against[0]))
        return false;
    for (size_t k = memo_mention_from(m, c->sentence.first);
         k < m->mentions && m->mention[k].first < c->clause.first; k++) {
        const struct memo_mention *x = &m->mention[k];
        if (x->says != MEMO_STAGE || is_marked(c, x->value)) continue;
        if (subject >= 0 && fabs(subject - x->value) > 0.5) return false;
        subject = x->value;
    }
    c->ordered = true;
    c->side[0].value = subject;
    c->side[1].value = against[0];
    return subject >= 0;
}

/* "less than stage 2": what the memo decided is; "checkpointing saves": what has none would not. */
static bool seek_implied(struct comparison *c) {
    const struct study_memo_report *r = c->m->report;
    double stage[2], keeps[2];
    size_t stages = values_of(c->m, c->sentence, MEMO_STAGE, stage);
    c->implied = c->ordered = true;
    c->axis = MEMO_STAGE;
    if (stages == 1 && is_marked(c, stage[0]) && r->decided &&
        fabs(stage[0] - r->chosen.stage) > 0.5) {
        c->side[0].value = r->chosen.stage;
        c->side[1].value = stage[0];
        return true;
    }
    c->axis = MEMO_KEEPS;
    c->side[1].value = ACCOUNT_KEEP_ALL;
    bool one = stages < 2 && values_of(c->m, c->clause, MEMO_KEEPS, keeps) == 1;
    c->side[0].value = one ? keeps[0] : ACCOUNT_KEEP_ALL;
    return one && keeps[0] > 0.5;
}

static bool seek_sides(struct comparison *c) {
    return seek_pair(c, c->clause) || seek_pair(c, c->sentence) || seek_subject(c) ||
           seek_implied(c);
}

/* ── what is compared ────────────────────────────────────────────────────────────────────────────*/
static bool is_comparable(const struct comparison *c, enum memo_what what) {
    enum memo_dimension own = c->f->dimension, d = memo_dimension_of(what);
    if (what == MEMO_NOTHING || what == MEMO_USABLE || what == MEMO_LABEL) return false;
    return own == MEMO_RATIO ? d <= MEMO_TOKEN_RATE : d == own;
}

/* Those that a range names; more than there is room for are none. */
static size_t seek_whats(struct comparison *c, struct memo_range r) {
    const struct memo *m = c->m;
    c->whats = 0;
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++) {
        const struct memo_mention *x = &m->mention[k];
        bool known = x->says != MEMO_ABOUT || !is_comparable(c, (enum memo_what)x->value);
        for (size_t i = 0; i < c->whats; i++) known |= c->what[i] == (enum memo_what)x->value;
        if (known) continue;
        if (c->whats == BASE_COUNT(c->what)) return c->whats = 0;
        c->what[c->whats++] = (enum memo_what)x->value;
    }
    return c->whats;
}

static bool has_word(const struct comparison *c, struct memo_range r, const char *word) {
    for (size_t i = r.first; i < r.end; i++)
        if (memo_is_phrase(&c->m->text, i, word)) return true;
    return false;
}

static bool has_any(const struct comparison *c, struct memo_range r, const char *const *words) {
    for (; *words; words++)
        if (has_word(c, r, *words)) return true;
    return false;
}

/* "keeps 22.75 GB less", "half the memory": of the states, or of the peak. What is saved may as well be what is sent. */
static bool seek_memory(struct comparison *c, struct memo_range r) {
    static const char *const kept[] = {"memory", "keep", "hold", "frees", NULL}, *const saved[] = {
                                                                                     "save",
                                                                                     "saving",
                                                                                     NULL};
    static const enum memo_what either[] = {MEMO_STATES, MEMO_PEAK, MEMO_SENT};
    bool keeps = has_any(c, r, kept);
    c->named = keeps || has_any(c, r, saved);
    if (!c->named && c->f->dimension != MEMO_BYTES) return false;
    memcpy(c->what, either, sizeof either);
    c->whats = keeps ? 2 : 3;
    return c->named;
}

static bool take_whats(struct comparison *c, struct memo_range r) {
    if (!seek_whats(c, r)) return false;
    c->named = c->whats == 1;
    return true;
}

/* "twice the micro-batch" is of something else. */
static bool seek_what(struct comparison *c) {
    enum { NEAR = 4 };
    struct memo_range after = {c->f->end, c->f->end + NEAR};
    if (after.end > c->clause.end) after.end = c->clause.end;
    if (take_whats(c, after)) return true;
    if (c->f->dimension == MEMO_RATIO && memo_is_phrase(&c->m->text, c->f->end, "the"))
        return seek_memory(c, after);
    return take_whats(c, c->clause) || seek_memory(c, c->clause) || take_whats(c, c->sentence) ||
           seek_memory(c, c->sentence) || c->f->dimension == MEMO_BYTES;
}

/* ── against the engine ──────────────────────────────────────────────────────────────────────────*/
static double truth_of(const struct comparison *c, double a, double b) {
    if (c->f->dimension == MEMO_RATIO) return a / b;
    return c->direction ? c->direction * (a - b) : fabs(a - b);
}

static void weigh(struct comparison *c, enum memo_what what, double a, double b) {
    double truth = truth_of(c, a, b);
    enum memo_match match = truth > 0 ? memo_match(c->f, truth) : MEMO_NO_MATCH;
    if (!c->ordered) {
        double other = truth_of(c, b, a);
        enum memo_match turned = other > 0 ? memo_match(c->f, other) : MEMO_NO_MATCH;
        if (turned > match) match = turned;
    }
    if (c->best != MEMO_NOTHING && match <= c->match) return;
    c->match = match;
    c->best = what;
    c->side[0].amount = a;
    c->side[1].amount = b;
}

static void try_pair(struct comparison *c, enum memo_what what) {
    double a[MEMO_VALUES], b[MEMO_VALUES];
    size_t n = memo_values(c->m, what, &c->side[0].training, a);
    size_t k = memo_values(c->m, what, &c->side[1].training, b);
    bool shared = c->o->cluster && memo_dimension_of(what) == MEMO_BYTES;
    for (size_t i = 0; n && k && i < (n > k ? n : k); i++) {
        double x = a[i < n ? i : n - 1], y = b[i < k ? i : k - 1];
        if (shared) x *= c->side[0].training.gpus, y *= c->side[1].training.gpus;
        weigh(c, what, x, y);
    }
}

/* Where the sides are checkpointed otherwise, the stage that was chosen is so as it was decided. */
static bool is_likely(const struct comparison *c) {
    const struct study_memo_report *r = c->m->report;
    if (c->side[0].training.checkpoint == c->side[1].training.checkpoint || !r->decided)
        return true;
    for (size_t s = 0; s < 2; s++) {
        const struct account_training *t = &c->side[s].training;
        if (t->stage == r->chosen.stage && t->checkpoint != r->chosen.checkpoint) return false;
    }
    return true;
}

/* Each side is checkpointed as the sentence or the decision has it. */
static void try_keeps(struct comparison *c, enum memo_what what) {
    const struct memo_options *o = c->o;
    const struct axis *axis = axis_of(c);
    for (size_t i = 0; i < o->kept; i++)
        for (size_t k = 0; k < o->kept; k++) {
            c->side[0].training.checkpoint = o->keeps[i];
            c->side[1].training.checkpoint = o->keeps[k];
            for (size_t s = 0; s < 2; s++) axis->set(&c->side[s].training, c->side[s].value);
            if (c->axis == MEMO_KEEPS || is_likely(c)) try_pair(c, what);
        }
}

static void try_what(struct comparison *c, enum memo_what what) {
    const struct memo_options *o = c->o;
    for (size_t r = 0; r < o->recipes; r++)
        for (size_t n = 0; n < o->round_count; n++) {
            struct account_training t = o->base;
            if (c->axis != MEMO_STAGE && o->stages) t.stage = o->stage[0];
            t.recipe = o->recipe[r];
            t.accumulate = o->rounds[n];
            c->side[0].training = c->side[1].training = t;
            try_keeps(c, what);
        }
}

/* ── what is said of it ──────────────────────────────────────────────────────────────────────────*/
static const char *name_side(const struct comparison *c, const struct side *s, char *out,
                             size_t size) {
    static const char *const keeps[] = {"no checkpointing", "selective checkpointing",
                                        "full checkpointing"};
    const struct axis *axis = axis_of(c);
    if (axis->says == MEMO_KEEPS)
        snprintf(out, size, "%s", keeps[(size_t)s->value % 3]);
    else if (axis->says == MEMO_RECIPE)
        account_get(&s->training, "recipe", out, size);
    else
        snprintf(out, size, axis->name, s->value);
    return out;
}

static void say_amounts(const struct comparison *c, struct study_memo_finding *f) {
    char name[2][40], amount[2][40];
    for (size_t i = 0; i < 2; i++) {
        name_side(c, &c->side[i], name[i], sizeof name[i]);
        memo_print(amount[i], sizeof amount[i], c->side[i].amount, memo_dimension_of(c->best));
    }
    memo_say(f, "%s: %s with %s, %s with %s", memo_what_name(c->best), amount[0], name[0],
             amount[1], name[1]);
}

static void say_right_one(const struct comparison *c, struct study_memo_finding *f) {
    double a = c->side[0].amount, b = c->side[1].amount;
    char is[40];
    if (fabs(a - b) < 1e-6 * a)
        memo_say(f, ". There is no difference");
    else if (c->f->dimension == MEMO_RATIO)
        memo_say(f, ". That is %.3g times as much", a / b);
    else
        memo_say(f, ". That is %s %s",
                 memo_print(is, sizeof is, fabs(a - b), memo_dimension_of(c->best)),
                 a > b ? "more" : "less");
}

/* Whether the sentence says anything else that could change a side. */
static bool is_plain(const struct comparison *c) {
    static const enum memo_says other[] = {MEMO_CONDITION, MEMO_WIDE, MEMO_OFFLOAD, MEMO_CARD,
                                           MEMO_OVER};
    const struct memo *m = c->m;
    for (size_t i = 0; i < BASE_COUNT(other); i++)
        if (memo_says(m, c->sentence, other[i])) return false;
    for (const struct memo_figure *g = c->f + 1; g < m->figure + m->figures; g++)
        if (g->first < c->clause.end && g->dimension == c->f->dimension) return false;
    return true;
}

static enum study_memo_kind judge(const struct comparison *c, struct study_memo_finding *f) {
    say_amounts(c, f);
    if (c->match == MEMO_EXACTLY) return STUDY_MEMO_RIGHT;
    if (c->match == MEMO_ROUGHLY) return STUDY_MEMO_ROUNDED;
    bool sure = c->ordered && !c->implied && c->named && is_plain(c);
    say_right_one(c, f);
    if (!sure) memo_say(f, ". Name both sides and what is compared, if that is meant");
    return sure ? STUDY_MEMO_WRONG : STUDY_MEMO_UNSUPPORTED;
}

bool memo_compare(struct memo *m, struct memo_figure *f, const struct memo_options *o) {
    struct comparison c = {.m = m, .f = f, .o = o};
    bool differs = f->dimension <= MEMO_TOKEN_RATE && memo_is_difference(m, f, &c.direction);
    if ((!differs && f->dimension != MEMO_RATIO) || m->block[f->block].cell) return false;
    look_around(&c);
    if (!seek_sides(&c)) return false;
    if (!seek_what(&c)) return false;
    for (size_t i = 0; i < c.whats && c.match != MEMO_EXACTLY; i++) try_what(&c, c.what[i]);
    bool claimed = c.match >= MEMO_ROUGHLY || !memo_says(m, c.sentence, MEMO_CONDITION);
    if (c.best == MEMO_NOTHING || !claimed) return false;
    struct study_memo_finding *found =
        memo_find(m, STUDY_MEMO_RIGHT, f->block, (struct memo_range){f->first, f->end});
    memo_figure_text(m, f, found->figure, sizeof found->figure);
    f->kind = found->kind = judge(&c, found);
    bool other = memcmp(&c.side[0].training, &m->report->chosen, sizeof m->report->chosen) != 0;
    f->training = c.side[other ? 0 : 1].training;
    return true;
}
