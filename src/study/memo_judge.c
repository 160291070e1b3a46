/* Each figure against the engine: what it is right about, or which mistake it is. */
#include "memo_judge.h"

#include <math.h>
#include <string.h>

static void weigh(struct memo_search *s, enum memo_what what, const struct account_training *t,
                  double truth) {
    enum memo_match match = memo_match(s->f, truth);
    struct memo_reading r = {what, *t, truth, match};
    if (s->first.truth <= 0) s->first = r;
    if (match > s->best.match) s->best = r;
}

/* Of what is shared out, the sum over the GPUs; throughput is the cluster's by itself. */
static void weigh_scaled(struct memo_search *s, enum memo_what what,
                         const struct account_training *t, double truth) {
    bool bytes = memo_dimension_of(what) == MEMO_BYTES && what != MEMO_HOST &&
                 what != MEMO_GATHERED; /* "the whole of the gathered parameters" */
    if (what == MEMO_TOKENS && s->o.per_gpu)
        weigh(s, what, t, truth / t->gpus);
    else if (s->o.cluster && bytes)
        weigh(s, what, t, truth * t->gpus);
    else
        weigh(s, what, t, truth);
    if (s->o.summed && !s->o.cluster && bytes) weigh(s, what, t, truth * t->gpus);
}

/* Of the run that the scenario names, or of as many tokens as the sentence does. */
static size_t values_of(const struct memo_search *s, enum memo_what what,
                        const struct account_training *t, double value[MEMO_VALUES]) {
    if (what != MEMO_TRAINING || s->tokens <= 0) return memo_values(s->m, what, t, value);
    size_t n = memo_values(s->m, MEMO_TOKENS, t, value);
    for (size_t i = 0; i < n; i++) value[i] = value[i] > 0 ? s->tokens / value[i] : 0;
    return n;
}

static void try_training(struct memo_search *s, enum memo_what what,
                         const struct account_training *t) {
    double value[MEMO_VALUES];
    size_t n = values_of(s, what, t, value);
    for (size_t i = 0; i < n && s->best.match != MEMO_EXACTLY; i++)
        weigh_scaled(s, what, t, value[i]);
}

bool memo_is_timed(enum memo_what what) {
    return (what >= MEMO_SENT && what <= MEMO_BETWEEN) || what >= MEMO_STEP;
}

static void try_stage(struct memo_search *s, enum memo_what what, uint8_t stage, uint8_t recipe) {
    struct account_training t = s->o.base;
    t.stage = stage;
    t.recipe = recipe;
    for (size_t k = 0; k < s->o.kept; k++)
        for (size_t r = 0; r < (memo_is_timed(what) ? s->o.round_count : 1); r++) {
            t.checkpoint = s->o.keeps[k];
            t.accumulate = s->o.rounds[r];
            for (size_t e = 0; e < (what >= MEMO_STEP ? s->o.efficiencies : 1); e++) {
                t.efficiency = s->o.efficiency[e];
                try_training(s, what, &t);
                if (s->best.match == MEMO_EXACTLY) return;
            }
        }
}

/* Before they are shared out, the states of a model are those of stage 0. */
static bool is_state(enum memo_what what) {
    return what >= MEMO_STATES && what <= MEMO_OPTIMIZER;
}

static void try_whole(struct memo_search *s, enum memo_what what) {
    const struct memo_options own = s->o;
    s->o.cluster = false;
    s->o.base.offload_optimizer = s->o.base.offload_params = ACCOUNT_GPU;
    for (size_t r = 0; r < s->o.recipes; r++) {
        struct account_training t = s->o.base;
        t.recipe = s->o.recipe[r];
        s->o.cluster = !account_has_stage(&t, 0); /* FSDP's: what all GPUs have together */
        for (size_t i = 0; i < s->o.stages && s->o.cluster; i++)
            try_stage(s, what, s->o.stage[i], t.recipe);
        if (!s->o.cluster) try_stage(s, what, 0, t.recipe);
    }
    s->o = own;
}

static void try_what(struct memo_search *s, enum memo_what what) {
    bool all = what == MEMO_TOTAL && !s->o.per_gpu && !s->o.stage_said;
    bool shared = is_state(what) || all; /* "16 bytes each, 208 GB in all" */
    enum memo_share share = shared ? s->share : MEMO_SHARE;
    for (size_t i = 0; i < s->o.stages && share != MEMO_WHOLE; i++)
        for (size_t r = 0; r < s->o.recipes; r++) try_stage(s, what, s->o.stage[i], s->o.recipe[r]);
    if (share != MEMO_SHARE && s->best.match != MEMO_EXACTLY) try_whole(s, what);
}

void memo_seek(struct memo_search *s) {
    for (size_t i = 0; i < s->o.whats; i++) try_what(s, s->o.what[i]);
}

/* ── verdicts ────────────────────────────────────────────────────────────────────────────────────*/
static bool is_spare(const struct memo_search *s) {
    return !s->o.any && s->o.whats && s->o.what[0] == MEMO_SPARE && s->first.truth <= 0;
}

static void judge_unknown(const struct memo_search *s, struct study_memo_finding *f) {
    char what[160], is[40];
    if (s->f->digits > 20)
        memo_say(f, "a number of %d digits is no figure: round it to what decides", s->f->digits);
    else if (is_spare(s))
        memo_say(f, "nothing is to spare: the peak is more than the card has");
    else if (s->o.any && s->o.whats && s->o.what[0] != MEMO_TOTAL && s->first.truth > 0)
        memo_say(f, "%s: %s. Of what, or of which configuration, is this? Say it beside the number",
                 memo_describe(s->m, &s->first, what, sizeof what),
                 memo_print(is, sizeof is, s->first.truth, s->f->dimension));
    else if (s->o.any)
        memo_say(
            f, "of what is this? Say it beside the number: states, peak, sent, a step; nothing of "
               "this scenario comes to it");
    else
        memo_say(f, "the engine cannot reckon %s for this scenario: say how you know it",
                 memo_what_name(s->o.what[0]));
}

/* The likeliest reading in another unit goes before an unlikelier one that happens to have this number. */
static bool is_chance(const struct memo_search *s) {
    enum { SURE = 3 }; /* digits */
    char unit[24];
    if (s->f->digits < SURE) return false;
    bool same = s->best.what == s->first.what && s->best.training.stage == s->first.training.stage;
    bool other = fabs(s->best.truth - s->first.truth) > 1e-9 * s->first.truth &&
                 s->best.what != MEMO_LABEL; /* 80 GB, and 80 GiB as well */
    bool eightfold = fabs(s->best.truth / s->first.truth - 8) < 0.01; /* 16 bytes, and 2 */
    return s->best.match >= MEMO_ROUGHLY && same && other && !eightfold &&
           memo_is_other_unit(s, unit, sizeof unit);
}

static enum study_memo_kind judge(const struct memo_search *s, struct study_memo_finding *f) {
    char what[160], is[40];
    if (!*s->f->unit)
        return memo_say(f, "in which unit? Write it in the cell, or in the head of its column"),
               STUDY_MEMO_UNSUPPORTED;
    if (is_chance(s)) return memo_explain(s, f);
    memo_print(is, sizeof is, s->best.truth, s->f->dimension);
    switch (s->best.match) {
    case MEMO_EXACTLY:
        return memo_say(f, "%s", memo_describe(s->m, &s->best, what, sizeof what)),
               STUDY_MEMO_RIGHT;
    case MEMO_ROUGHLY:
        return memo_say(f, "%s: %s, rounded early",
                        memo_describe(s->m, &s->best, what, sizeof what), is),
               STUDY_MEMO_ROUNDED;
    case MEMO_TOO_WIDE:
        return memo_say(f, "%s: %s. So wide a range decides nothing",
                        memo_describe(s->m, &s->best, what, sizeof what), is),
               STUDY_MEMO_UNSUPPORTED;
    case MEMO_NO_MATCH: break;
    }
    if (s->o.difference)
        return memo_say(f, "a difference: give both figures, then each can be checked"),
               STUDY_MEMO_UNSUPPORTED;
    if (s->o.any || s->first.truth <= 0) {
        judge_unknown(s, f);
        return is_spare(s) ? STUDY_MEMO_WRONG : STUDY_MEMO_UNSUPPORTED;
    }
    return memo_explain(s, f);
}

static enum study_memo_kind say_sum(const struct memo_figure *f, double comes_to,
                                    struct study_memo_finding *found) {
    char is[40];
    found->what[0] = '\0';
    memo_say(found, "what stands before it comes to %s",
             memo_print(is, sizeof is, comes_to, f->dimension));
    return STUDY_MEMO_WRONG;
}

/* Plans and thresholds are no claims: "for the first 20 minutes", "if the peak is over 75 GB". */
static bool is_claim(const struct memo_search *s) {
    if (s->best.match >= MEMO_ROUGHLY) return true;
    if (s->o.conditional) return false;
    return !s->f->coarse || s->tokens > 0 || s->m->report->scenario.tokens > 0;
}

/* "at 2 bytes": of a parameter. */
static bool is_of_param(const struct memo_figure *f) {
    enum { WIDEST = 64 };
    return f->dimension == MEMO_BYTES && f->high <= WIDEST;
}

/* What a total has come to: the states, or the peak. */
static enum memo_what about(struct memo *m, const struct memo_reading *r) {
    double value[MEMO_VALUES];
    if (r->what != MEMO_TOTAL || !memo_values(m, MEMO_STATES, &r->training, value)) return r->what;
    return fabs(value[0] - r->truth) < 1e-9 * r->truth ? MEMO_STATES : MEMO_PEAK;
}

static void seek_tokens(struct memo_search *s) {
    bool direct;
    s->tokens = memo_tokens_near(s->m, s->f, &direct);
    s->o.any |= s->tokens > 0 && !direct;
}

static void judge_figure(struct memo *m, struct memo_figure *f) {
    struct memo_search s = {.m = m, .f = f};
    f->kind = STUDY_MEMO_UNSUPPORTED;
    if (is_of_param(f) && memo_is_operand(m, f)) return; /* "2 bytes × 13e9" */
    if (is_of_param(f)) f->dimension = MEMO_BYTES_PER_PARAM;
    if (f->coarse && memo_is_of_step(m, f)) f->coarse = false;
    memo_options(m, f, &s.o);
    memo_refine(m, f, &s.o);
    s.share = memo_share_of(m, f, &s.o);
    if ((s.o.what[0] != MEMO_EXCESS && memo_compare(m, f, &s.o)) || f->dimension == MEMO_RATIO)
        return;
    if (s.o.term) {
        memo_judge_term(m, f);
        return;
    }
    if (f->coarse) seek_tokens(&s);
    memo_seek(&s);
    if (!is_claim(&s)) return;
    struct study_memo_finding *found =
        memo_find(m, STUDY_MEMO_RIGHT, f->block, (struct memo_range){f->first, f->end});
    memo_figure_text(m, f, found->figure, sizeof found->figure);
    f->kind = judge(&s, found);
    double comes_to;
    if (memo_sum_fails(m, f, &comes_to)) f->kind = say_sum(f, comes_to, found);
    const struct memo_reading *r = s.best.match > MEMO_TOO_WIDE ? &s.best : &s.first;
    f->about = about(m, r);
    f->training = r->training;
    f->truth = r->truth;
    if (memo_width_fails(m, f)) {
        f->kind = STUDY_MEMO_WRONG;
        memo_say(found, ". These are not fp32: in fp32 they would be larger");
    }
    found->kind = f->kind;
}

void memo_judge_figures(struct memo *m) {
    for (size_t i = 0; i < m->figures; i++) judge_figure(m, &m->figure[i]);
    memo_judge_shares(m);
}
