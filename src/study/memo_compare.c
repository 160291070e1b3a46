/* What a sentence says of two configurations: "22.75 GB less than stage 2", "1.5× the traffic of DDP". It is judged where both are named, and
 * called wrong only where the sentence leaves no doubt what is held against what. */
#include "memo_compare.h"

#include <math.h>
#include <string.h>

/* ── what is compared ────────────────────────────────────────────────────────────────────────────*/
static bool is_comparable(const struct memo_comparison *c, enum memo_what what) {
    enum memo_dimension own = c->f->dimension, d = memo_dimension_of(what);
    if (what == MEMO_NOTHING || what == MEMO_USABLE || what == MEMO_LABEL) return false;
    return own == MEMO_RATIO ? d <= MEMO_TOKEN_RATE : d == own;
}

/* Those that a range names; more than there is room for are none. */
static size_t seek_whats(struct memo_comparison *c, struct memo_range r) {
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

/* "keeps 22.75 GB less", "half the memory": of the states, or of the peak. What is saved may as well be what is sent. */
static bool seek_memory(struct memo_comparison *c, struct memo_range r) {
    static const char *const kept[] = {"memory", "keep", "hold", "frees", NULL}, *const saved[] = {
                                                                                     "save",
                                                                                     "saving",
                                                                                     NULL};
    static const enum memo_what either[] = {MEMO_STATES, MEMO_PEAK, MEMO_SENT};
    bool keeps = memo_has_any(c->m, r, kept);
    c->named = keeps || memo_has_any(c->m, r, saved);
    if (!c->named && c->f->dimension != MEMO_BYTES) return false;
    memcpy(c->what, either, sizeof either);
    c->whats = keeps ? 2 : 3;
    return c->named;
}

static bool take_whats(struct memo_comparison *c, struct memo_range r) {
    if (!seek_whats(c, r)) return false;
    c->named = c->whats == 1;
    return true;
}

/* "8 % slower"; "10 % more time" may be of computation alone. */
static bool seek_speed(struct memo_comparison *c) {
    static const char *const words[] = {"slower", "faster", "quicker", NULL};
    static const char *const spent[] = {"more time", "more step time", "extra time", NULL};
    struct memo_range next = {c->f->end, c->f->end + 1};
    bool ratio = c->f->dimension == MEMO_RATIO, takes = ratio && memo_has_any(c->m, next, spent);
    c->speed = takes || (ratio && memo_has_any(c->m, next, words));
    if (!c->speed) return false;
    c->what[0] = MEMO_STEP;
    c->what[1] = MEMO_COMPUTE;
    c->whats = takes ? 2 : 1;
    return c->named = true;
}

/* "91 GB a step, twice as much as stage 2": of what the figure before it is. */
static bool seek_apposed(struct memo_comparison *c) {
    enum { REACH = 5 };
    const struct memo_figure *g = c->f - 1;
    bool beside = c->f->dimension == MEMO_RATIO && c->f > c->m->figure &&
                  g->first >= c->sentence.first && c->f->first - g->end <= REACH &&
                  c->clause.first >= g->end;
    if (!beside || !is_comparable(c, g->about)) return false;
    c->what[0] = g->about;
    c->whats = 1;
    return c->named = true;
}

/* "full checkpointing: +0.36 s" */
static bool seek_step(struct memo_comparison *c) {
    if (c->f->dimension != MEMO_SECONDS) return false;
    c->what[0] = MEMO_STEP;
    c->whats = 1;
    return true;
}

/* "Checkpointing halves the …": no claim where what it is held against is not said. */
static bool is_verb(const struct memo_comparison *c) {
    static const char *const verbs[] = {"halves", "doubles", "triples", NULL};
    return c->f->dimension == MEMO_RATIO && memo_is_any(&c->m->text, c->f->first, verbs);
}

/* "twice the micro-batch" is of something else. */
static bool seek_what(struct memo_comparison *c) {
    enum { NEAR = 4 };
    struct memo_range after = {c->f->end, c->f->end + NEAR};
    if (after.end > c->clause.end) after.end = c->clause.end;
    if (seek_speed(c)) return true;
    if (is_verb(c)) return take_whats(c, after) || seek_memory(c, after);
    if (take_whats(c, after)) return true;
    if (c->f->dimension == MEMO_RATIO && memo_is_phrase(&c->m->text, c->f->end, "the"))
        return seek_memory(c, after);
    return take_whats(c, c->clause) || seek_memory(c, c->clause) || seek_apposed(c) ||
           take_whats(c, c->sentence) || seek_memory(c, c->sentence) || seek_step(c) ||
           c->f->dimension == MEMO_BYTES;
}

/* ── against the engine ──────────────────────────────────────────────────────────────────────────*/
static double truth_of(const struct memo_comparison *c, double a, double b) {
    if (c->f->dimension == MEMO_RATIO) return a / b;
    return c->direction ? c->direction * (a - b) : fabs(a - b);
}

static void weigh(struct memo_comparison *c, enum memo_what what, double a, double b) {
    double truth = truth_of(c, a, b);
    enum memo_match match = truth > 0 ? memo_match(c->f, truth) : MEMO_NO_MATCH;
    if (c->speed && truth > 0.5 && match < MEMO_EXACTLY) {
        enum memo_match turned = memo_match(c->f, 2 - 1 / truth);
        if (turned > match) match = turned;
    }
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

static void try_pair(struct memo_comparison *c, enum memo_what what) {
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
static bool is_likely(const struct memo_comparison *c) {
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
static void try_keeps(struct memo_comparison *c, enum memo_what what) {
    const struct memo_options *o = c->o;
    const struct memo_axis *axis = memo_sides_axis(c);
    for (size_t i = 0; i < o->kept; i++)
        for (size_t k = 0; k < o->kept; k++) {
            c->side[0].training.checkpoint = o->keeps[i];
            c->side[1].training.checkpoint = o->keeps[k];
            for (size_t s = 0; s < 2; s++) axis->set(&c->side[s].training, c->side[s].value);
            if (c->axis == MEMO_KEEPS || is_likely(c)) try_pair(c, what);
        }
}

static void try_what(struct memo_comparison *c, enum memo_what what) {
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
static const char *name_side(const struct memo_comparison *c, const struct memo_side *s, char *out,
                             size_t size) {
    static const struct {
        enum memo_says says;
        const char *name[3];
    } names[] = {
        {MEMO_KEEPS,   {"no checkpointing", "selective checkpointing", "full checkpointing"}       },
        {MEMO_WIDE,    {"gradients as the recipe has them", "16-bit gradients", "32-bit gradients"}},
        {MEMO_OFFLOAD, {"no offload", "offload to the host", "offload to NVMe"}                    },
    };
    const struct memo_axis *axis = memo_sides_axis(c);
    if (axis->says == MEMO_RECIPE)
        account_get(&s->training, "recipe", out, size);
    else if (axis->name)
        snprintf(out, size, axis->name, s->value);
    for (size_t i = 0; i < BASE_COUNT(names); i++)
        if (names[i].says == axis->says)
            snprintf(out, size, "%s", names[i].name[(size_t)s->value % 3]);
    return out;
}

static void say_amounts(const struct memo_comparison *c, struct study_memo_finding *f) {
    char name[2][40], amount[2][40];
    for (size_t i = 0; i < 2; i++) {
        name_side(c, &c->side[i], name[i], sizeof name[i]);
        memo_print(amount[i], sizeof amount[i], c->side[i].amount, memo_dimension_of(c->best));
    }
    memo_say(f, "%s: %s with %s, %s with %s", memo_what_name(c->best), amount[0], name[0],
             amount[1], name[1]);
}

static void say_right_one(const struct memo_comparison *c, struct study_memo_finding *f) {
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
static bool is_plain(const struct memo_comparison *c) {
    static const enum memo_says other[] = {MEMO_CONDITION, MEMO_WIDE, MEMO_OFFLOAD, MEMO_CARD,
                                           MEMO_OVER};
    const struct memo *m = c->m;
    bool mixed = c->speed && c->axis != MEMO_KEEPS && memo_says(m, c->sentence, MEMO_KEEPS);
    if (mixed)
        return false; /* "stage 3 with checkpointing costs 22 % more time than stage 2 without" */
    for (size_t i = 0; i < BASE_COUNT(other); i++)
        if (memo_says(m, c->sentence, other[i])) return false;
    for (const struct memo_figure *g = c->f + 1; g < m->figure + m->figures; g++)
        if (g->first < c->clause.end && g->dimension == c->f->dimension) return false;
    return true;
}

/* "10 % slower in backward": of no step. */
static bool is_of_part(const struct memo_comparison *c) {
    const struct memo *m = c->m;
    for (size_t k = memo_mention_from(m, c->clause.first);
         k < m->mentions && m->mention[k].first < c->clause.end; k++)
        if (m->mention[k].says == MEMO_ABOUT && (enum memo_what)m->mention[k].value != MEMO_STEP)
            return true;
    return false;
}

/* "Full checkpointing costs only 10 % more time": what it is held against can only be none, and it is far off. */
static bool is_far(const struct memo_comparison *c) {
    static const double far = 0.1;
    static const char *const full[] = {"full", NULL}, *const denied[] = {"not", "t", "never", NULL};
    bool full_said = memo_has_any(c->m, c->clause, full) && !memo_has_any(c->m, c->clause, denied);
    return c->speed && c->axis == MEMO_KEEPS && full_said && !is_of_part(c) &&
           fabs(c->f->low - c->side[0].amount / c->side[1].amount) > far;
}

static enum study_memo_kind judge(const struct memo_comparison *c, struct study_memo_finding *f) {
    say_amounts(c, f);
    if (c->match == MEMO_EXACTLY) return STUDY_MEMO_RIGHT;
    if (c->match == MEMO_ROUGHLY) return STUDY_MEMO_ROUNDED;
    bool sure = c->ordered && (!c->implied || is_far(c)) && c->named && is_plain(c);
    say_right_one(c, f);
    if (!sure) memo_say(f, ". Name both sides and what is compared, if that is meant");
    return sure ? STUDY_MEMO_WRONG : STUDY_MEMO_UNSUPPORTED;
}

/* "Stage 3 keeps an eighth of the gradients": of what nothing shares out, where nothing else is named. */
static void try_undivided(struct memo_comparison *c) {
    static const double most = 0.5;
    bool part = c->f->dimension == MEMO_RATIO && c->f->low <= most && !c->speed;
    if (!part || !c->implied || c->axis != MEMO_STAGE || c->match >= MEMO_ROUGHLY) return;
    struct memo_comparison other = *c;
    other.side[1].value = 0;
    for (size_t i = 0; i < c->whats && other.match != MEMO_EXACTLY; i++)
        try_what(&other, c->what[i]);
    if (other.match >= MEMO_ROUGHLY) *c = other;
}

bool memo_compare(struct memo *m, struct memo_figure *f, const struct memo_options *o) {
    struct memo_comparison c = {.m = m, .f = f, .o = o};
    bool differs = f->dimension <= MEMO_TOKEN_RATE && memo_is_difference(m, f, &c.direction);
    if ((!differs && f->dimension != MEMO_RATIO) || m->block[f->block].cell) return false;
    memo_sides_around(&c);
    if (!memo_sides_find(&c)) return false;
    if (!seek_what(&c)) return false;
    for (size_t i = 0; i < c.whats && c.match != MEMO_EXACTLY; i++) try_what(&c, c.what[i]);
    try_undivided(&c);
    bool open = memo_says(m, c.sentence, MEMO_CONDITION) || (c.implied && is_verb(&c)) ||
                memo_is_cost(m, f);
    bool claimed = c.match >= MEMO_ROUGHLY || !open;
    if (c.best == MEMO_NOTHING || !claimed) return false;
    struct study_memo_finding *found =
        memo_find(m, STUDY_MEMO_RIGHT, f->block, (struct memo_range){f->first, f->end});
    memo_figure_text(m, f, found->figure, sizeof found->figure);
    f->kind = found->kind = judge(&c, found);
    bool other = memcmp(&c.side[0].training, &m->report->chosen, sizeof m->report->chosen) != 0;
    f->training = c.side[other ? 0 : 1].training;
    return true;
}
