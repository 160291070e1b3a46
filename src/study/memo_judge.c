/* Each figure against the engine: what it is right about, or which mistake it is. */
#include "memo.h"

#include <math.h>
#include <string.h>

/* One reading of a figure. */
struct reading {
    enum memo_what what;
    struct account_training training;
    double truth;
    enum memo_match match;
};
struct search {
    struct memo *m;
    const struct memo_figure *f;
    struct memo_options o;
    struct reading best,
        first; /* `first` is the likeliest, matched or not; its truth is 0 if there is none */
};

static void weigh(struct search *s, enum memo_what what, const struct account_training *t,
                  double truth) {
    enum memo_match match = memo_match(s->f, truth);
    struct reading r = {what, *t, truth, match};
    if (s->first.truth <= 0) s->first = r;
    if (match > s->best.match) s->best = r;
}

/* Of what is shared out, the sum over the GPUs; throughput is the cluster's by itself. */
static void weigh_scaled(struct search *s, enum memo_what what, const struct account_training *t,
                         double truth) {
    bool bytes = memo_dimension_of(what) == MEMO_BYTES && what != MEMO_HOST;
    if (what == MEMO_TOKENS && s->o.per_gpu)
        weigh(s, what, t, truth / t->gpus);
    else if (s->o.cluster && bytes)
        weigh(s, what, t, truth * t->gpus);
    else
        weigh(s, what, t, truth);
}

static void try_training(struct search *s, enum memo_what what, const struct account_training *t) {
    double value[MEMO_VALUES];
    size_t n = memo_values(s->m, what, t, value);
    for (size_t i = 0; i < n && s->best.match != MEMO_EXACTLY; i++)
        weigh_scaled(s, what, t, value[i]);
}

static bool is_timed(enum memo_what what) {
    return (what >= MEMO_SENT && what <= MEMO_BETWEEN) || what >= MEMO_STEP;
}

static void try_stage(struct search *s, enum memo_what what, uint8_t stage, uint8_t recipe) {
    struct account_training t = s->o.base;
    t.stage = stage;
    t.recipe = recipe;
    for (size_t k = 0; k < s->o.kept; k++)
        for (size_t r = 0; r < (is_timed(what) ? s->o.round_count : 1); r++) {
            t.checkpoint = s->o.keeps[k];
            t.accumulate = s->o.rounds[r];
            try_training(s, what, &t);
            if (s->best.match == MEMO_EXACTLY) return;
        }
}

/* Before they are shared out, the states of a model are those of stage 0. */
static bool may_be_whole(const struct search *s, enum memo_what what) {
    bool state = what >= MEMO_STATES && what <= MEMO_OPTIMIZER;
    return state && (s->o.operand || (!s->o.per_gpu && (!s->o.stage_said || s->o.cluster)));
}

static void try_what(struct search *s, enum memo_what what) {
    for (size_t i = 0; i < s->o.stages; i++)
        for (size_t r = 0; r < s->o.recipes; r++) try_stage(s, what, s->o.stage[i], s->o.recipe[r]);
    if (s->best.match == MEMO_EXACTLY || !may_be_whole(s, what)) return;
    bool cluster = s->o.cluster;
    s->o.cluster = false;
    for (size_t r = 0; r < s->o.recipes; r++) try_stage(s, what, 0, s->o.recipe[r]);
    s->o.cluster = cluster;
}

static void try_all(struct search *s) {
    for (size_t i = 0; i < s->o.whats; i++) try_what(s, s->o.what[i]);
    if (!s->o.any) return;
    const enum memo_what *all;
    size_t n = memo_all_of(s->f->dimension, &all);
    for (size_t i = 0; i < n && s->best.match != MEMO_EXACTLY; i++) try_what(s, all[i]);
}

/* ── what went wrong ─────────────────────────────────────────────────────────────────────────────*/
/* "model states under stage 2 (paper)" */
static const char *describe(const struct memo *m, const struct reading *r, char *out, size_t size) {
    char recipe[32];
    const struct account_training *usual = &m->report->scenario.training;
    static const char *const keeps[] = {"", ", selective checkpointing", ", full checkpointing"};
    bool card = r->what == MEMO_USABLE || r->what == MEMO_LABEL || r->what == MEMO_LINK;
    if (card || r->what == MEMO_PER_PARAM) {
        snprintf(out, size, "%s", memo_what_name(r->what));
        return out;
    }
    account_get(&r->training, "recipe", recipe, sizeof recipe);
    char gpus[32] = "", rounds[48] = "";
    if (r->training.gpus != usual->gpus)
        snprintf(gpus, sizeof gpus, " on %u GPUs", r->training.gpus);
    if (is_timed(r->what) && r->training.accumulate > 1)
        snprintf(rounds, sizeof rounds, ", %u micro-batches", r->training.accumulate);
    snprintf(out, size, "%s under stage %u%s%s%s (%s)", memo_what_name(r->what), r->training.stage,
             r->what == MEMO_STATES ? "" : keeps[r->training.checkpoint % 3], gpus, rounds, recipe);
    return out;
}

/* The number in another unit. */
static bool is_other_unit(const struct search *s, char *name, size_t size) {
    static const struct {
        enum memo_dimension dimension;
        double scale;
        const char *name;
    } units[] = {
        {MEMO_BYTES,   1073741824.0,    "GiB"               },
        {MEMO_BYTES,   1e9,             "GB"                },
        {MEMO_BYTES,   1e9 / 8,         "Gb"                },
        {MEMO_BYTES,   8e9,             "GB, taken for bits"},
        {MEMO_BYTES,   1e6,             "MB"                },
        {MEMO_BYTES,   1048576.0,       "MiB"               },
        {MEMO_BYTES,   1e12,            "TB"                },
        {MEMO_BYTES,   1099511627776.0, "TiB"               },
        {MEMO_SECONDS, 1,               "s"                 },
        {MEMO_SECONDS, 1e-3,            "ms"                },
    };
    struct memo_figure f = *s->f;
    for (size_t i = 0; i < BASE_COUNT(units); i++) {
        double times = units[i].scale / s->f->scale;
        if (units[i].dimension != f.dimension || fabs(times - 1) < 1e-9) continue;
        f.low = s->f->low * times;
        f.high = s->f->high * times;
        f.half = s->f->half * times;
        if (memo_match(&f, s->first.truth) != MEMO_EXACTLY) continue;
        snprintf(name, size, "%s", units[i].name);
        return true;
    }
    return false;
}

/* The same search, something of it asked otherwise; true if that is what the figure says. */
static bool finds(const struct search *s, struct search *other) {
    other->best = other->first = (struct reading){0};
    other->o.any = false;
    try_all(other);
    return other->best.match >= MEMO_ROUGHLY && s->f->digits >= 2;
}

static bool is_other_stage(const struct search *s, struct search *other) {
    *other = *s;
    other->o.stages = 0;
    for (uint8_t k = 0; k < 4; k++)
        if (k != s->first.training.stage) other->o.stage[other->o.stages++] = k;
    return finds(s, other);
}

static bool is_other_recipe(const struct search *s, struct search *other) {
    struct account_row rows[16];
    size_t count = account_recipes_list(rows, BASE_COUNT(rows));
    *other = *s;
    other->o.recipes = 1;
    for (uint8_t k = 0; k < count; k++) {
        other->o.recipe[0] = k;
        if (k != s->first.training.recipe && finds(s, other)) return true;
    }
    return false;
}

static bool is_other_keeps(const struct search *s, struct search *other) {
    *other = *s;
    other->o.kept = 0;
    for (uint8_t k = 0; k < 3; k++)
        if (k != s->first.training.checkpoint) other->o.keeps[other->o.kept++] = k;
    return finds(s, other);
}

static bool is_other_what(const struct search *s, struct search *other) {
    const enum memo_what *all;
    size_t n = memo_all_of(s->f->dimension, &all);
    *other = *s;
    other->o.whats = 1;
    for (size_t i = 0; i < n; i++) {
        other->o.what[0] = all[i];
        if (all[i] != s->first.what && finds(s, other)) return true;
    }
    return false;
}

static bool is_other_share(const struct search *s, struct search *other) {
    *other = *s;
    other->o.cluster = !s->o.cluster;
    other->o.per_gpu = !s->o.per_gpu && s->first.what == MEMO_TOKENS;
    return finds(s, other);
}

static const struct account_mistake *diagnose(const struct search *s, char *slip, size_t size) {
    struct account_problem p;
    struct account_diagnosis d;
    slip[0] = '\0';
    if (s->f->range || s->o.cluster) return NULL;
    if (!memo_problem(s->first.what, &s->first.training, &p)) return NULL;
    account_diagnose(&p, s->f->low, &d);
    if (d.count == 0) return NULL;
    snprintf(slip, size, "%s", d.match[0].arithmetic);
    return d.match[0].mistake;
}

/* Where the same was said before, and right. */
static const struct memo_figure *said_right(const struct search *s) {
    for (const struct memo_figure *g = s->m->figure; g < s->f; g++)
        if (g->kind <= STUDY_MEMO_ROUNDED && g->about == s->first.what && g->truth > 0 &&
            fabs(g->truth - s->first.truth) < 1e-9 * g->truth)
            return g;
    return NULL;
}

static enum study_memo_kind explain(const struct search *s, struct study_memo_finding *f) {
    struct search other = *s;
    char is[40], what[160], slip[160], unit[24], than[160];
    const struct account_mistake *mistake;
    const struct memo_figure *before;
    memo_print(is, sizeof is, s->first.truth, s->f->dimension);
    describe(s->m, &s->first, what, sizeof what);
    memo_say(f, "%s: %s. ", what, is);
    if (is_other_unit(s, unit, sizeof unit))
        return memo_say(f, "The number is right in %s.", unit), STUDY_MEMO_UNIT;
    if (s->o.stage_said && is_other_stage(s, &other))
        return memo_say(f, "This is what stage %u has: the stages are mixed up.",
                        other.best.training.stage),
               STUDY_MEMO_WRONG;
    if ((mistake = diagnose(s, slip, sizeof slip)))
        return memo_say(f, "What happened: %s (%s).", mistake->name, slip), STUDY_MEMO_WRONG;
    if (is_other_recipe(s, &other) || is_other_keeps(s, &other) || is_other_stage(s, &other) ||
        is_other_share(s, &other) || is_other_what(s, &other))
        return memo_say(f, "This is %s%s.", describe(s->m, &other.best, than, sizeof than),
                        other.o.cluster                    ? ", of all GPUs together"
                        : other.o.per_gpu && !s->o.per_gpu ? ", of one GPU"
                                                           : ""),
               STUDY_MEMO_WRONG;
    if ((before = said_right(s)))
        return memo_say(f, "Line %d says it right.", s->m->text.token[before->first].line),
               STUDY_MEMO_CONTRADICTORY;
    return memo_say(f,
                    "Neither another stage, recipe or unit nor a usual mistake makes this number."),
           STUDY_MEMO_WRONG;
}

/* ── verdicts ────────────────────────────────────────────────────────────────────────────────────*/
static void judge_unknown(const struct search *s, struct study_memo_finding *f) {
    if (s->f->digits > 20)
        memo_say(f, "a number of %d digits is no figure: round it to what decides", s->f->digits);
    else if (s->o.whats && s->o.what[0] == MEMO_SPARE)
        memo_say(f, "nothing is to spare: the peak is more than the card has");
    else if (s->o.any)
        memo_say(
            f, "of what is this? Say it beside the number: states, peak, sent, a step; nothing of "
               "this scenario comes to it");
    else
        memo_say(f, "the engine cannot reckon %s for this scenario: say how you know it",
                 memo_what_name(s->o.what[0]));
}

/* The likeliest reading in another unit goes before an unlikelier one that happens to have this number. */
static bool is_chance(const struct search *s) {
    char unit[24];
    bool same = s->best.what == s->first.what && s->best.training.stage == s->first.training.stage;
    bool other = fabs(s->best.truth - s->first.truth) > 1e-9 * s->first.truth;
    return s->best.match >= MEMO_ROUGHLY && same && other && is_other_unit(s, unit, sizeof unit);
}

static enum study_memo_kind judge(const struct search *s, struct study_memo_finding *f) {
    char what[160], is[40];
    if (!*s->f->unit)
        return memo_say(f, "in which unit? Write it in the cell, or in the head of its column"),
               STUDY_MEMO_UNSUPPORTED;
    if (is_chance(s)) return explain(s, f);
    memo_print(is, sizeof is, s->best.truth, s->f->dimension);
    switch (s->best.match) {
    case MEMO_EXACTLY:
        return memo_say(f, "%s", describe(s->m, &s->best, what, sizeof what)), STUDY_MEMO_RIGHT;
    case MEMO_ROUGHLY:
        return memo_say(f, "%s: %s, rounded early", describe(s->m, &s->best, what, sizeof what),
                        is),
               STUDY_MEMO_ROUNDED;
    case MEMO_TOO_WIDE:
        return memo_say(f, "%s: %s. So wide a range decides nothing",
                        describe(s->m, &s->best, what, sizeof what), is),
               STUDY_MEMO_UNSUPPORTED;
    case MEMO_NO_MATCH: break;
    }
    bool spare = s->o.whats && s->o.what[0] == MEMO_SPARE && s->first.truth <= 0;
    if (s->o.difference)
        return memo_say(f, "a difference: give both figures, then each can be checked"),
               STUDY_MEMO_UNSUPPORTED;
    if (s->o.any || s->first.truth <= 0) {
        judge_unknown(s, f);
        return spare ? STUDY_MEMO_WRONG : STUDY_MEMO_UNSUPPORTED;
    }
    return explain(s, f);
}

/* Plans and thresholds are no claims: "for the first 20 minutes", "if the peak is over 75 GB". */
static bool is_claim(const struct search *s) {
    if (s->best.match >= MEMO_ROUGHLY) return true;
    if (s->o.conditional) return false;
    return !s->f->coarse || s->m->report->scenario.tokens > 0;
}

static void judge_figure(struct memo *m, struct memo_figure *f) {
    struct search s = {.m = m, .f = f};
    f->kind = STUDY_MEMO_UNSUPPORTED;
    memo_options(m, f, &s.o);
    if (memo_compare(m, f, &s.o) || f->dimension == MEMO_RATIO) return;
    try_all(&s);
    if (!is_claim(&s)) return;
    struct study_memo_finding *found =
        memo_find(m, STUDY_MEMO_RIGHT, f->block, (struct memo_range){f->first, f->end});
    memo_figure_text(m, f, found->figure, sizeof found->figure);
    f->kind = judge(&s, found);
    found->kind = f->kind;
    const struct reading *r = s.best.match > MEMO_TOO_WIDE ? &s.best : &s.first;
    f->about = r->what;
    f->training = r->training;
    f->truth = r->truth;
}

void memo_judge_figures(struct memo *m) {
    for (size_t i = 0; i < m->figures; i++) judge_figure(m, &m->figure[i]);
}
