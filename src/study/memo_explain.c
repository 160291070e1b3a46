/* What went wrong with a figure: another unit, stage, recipe or share, or a mistake that has a name. */
#include "memo_judge.h"

#include <math.h>
#include <string.h>

/* "model states under stage 2 (paper)" */
const char *memo_describe(const struct memo *m, const struct memo_reading *r, char *out,
                          size_t size) {
    char recipe[32];
    const struct account_training *usual = &m->report->scenario.training;
    static const char *const keeps[] = {"", ", selective checkpointing", ", full checkpointing"};
    bool card = r->what == MEMO_USABLE || r->what == MEMO_LABEL || r->what == MEMO_LINK ||
                r->what == MEMO_NET;
    if (card || r->what >= MEMO_PER_PARAM) {
        snprintf(out, size, "%s", memo_what_name(r->what));
        return out;
    }
    account_get(&r->training, "recipe", recipe, sizeof recipe);
    char gpus[32] = "", rounds[48] = "";
    if (r->training.gpus != usual->gpus)
        snprintf(gpus, sizeof gpus, " on %u GPUs", r->training.gpus);
    if (memo_is_timed(r->what) && r->training.accumulate > 1)
        snprintf(rounds, sizeof rounds, ", %u micro-batches", r->training.accumulate);
    snprintf(out, size, "%s under stage %u%s%s%s (%s)", memo_what_name(r->what), r->training.stage,
             r->what == MEMO_STATES ? "" : keeps[r->training.checkpoint % 3], gpus, rounds, recipe);
    return out;
}

/* Eight bits a byte, and eight GPUs: the division by the GPUs is forgotten more often. */
static bool is_share(const struct memo_search *s, double times) {
    double gpus = s->first.training.gpus;
    return !s->f->bits && (fabs(times - gpus) < 1e-9 || fabs(times * gpus - 1) < 1e-9);
}

/* The number in another unit. */
bool memo_is_other_unit(const struct memo_search *s, char *name, size_t size) {
    static const struct {
        enum memo_dimension dimension;
        double scale;
        const char *name;
    } units[] = {
        {MEMO_BYTES,      1073741824.0,    "GiB"               },
        {MEMO_BYTES,      1e9,             "GB"                },
        {MEMO_BYTES,      1e9 / 8,         "Gb"                },
        {MEMO_BYTES,      8e9,             "GB, taken for bits"},
        {MEMO_BYTES,      1e6,             "MB"                },
        {MEMO_BYTES,      1048576.0,       "MiB"               },
        {MEMO_BYTES,      1e12,            "TB"                },
        {MEMO_BYTES,      1099511627776.0, "TiB"               },
        {MEMO_SECONDS,    1,               "s"                 },
        {MEMO_SECONDS,    1e-3,            "ms"                },
        {MEMO_BYTE_RATE,  1e9,             "GB/s"              },
        {MEMO_BYTE_RATE,  1e9 / 8,         "Gb/s"              },
        {MEMO_TOKEN_RATE, 1e3,             "thousands"         },
    };
    struct memo_figure f = *s->f;
    f.hedged = false; /* to its digits: "about" reaches from GiB to GB nearly */
    f.bound = MEMO_EXACT;
    for (size_t i = 0; i < BASE_COUNT(units); i++) {
        double times = units[i].scale / s->f->scale;
        if (units[i].dimension != f.dimension || fabs(times - 1) < 1e-9) continue;
        if (is_share(s, times)) continue;
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
static bool finds(const struct memo_search *s, struct memo_search *other) {
    other->best = other->first = (struct memo_reading){0};
    memo_seek(other);
    return other->best.match >= MEMO_ROUGHLY && s->f->digits >= 2;
}

static bool is_other_stage(const struct memo_search *s, struct memo_search *other) {
    *other = *s;
    other->o.stages = 0;
    for (uint8_t k = 0; k < 4; k++)
        if (k != s->first.training.stage) other->o.stage[other->o.stages++] = k;
    return finds(s, other);
}

static bool is_other_recipe(const struct memo_search *s, struct memo_search *other) {
    struct account_row rows[16];
    size_t count = account_recipes_list(rows, BASE_COUNT(rows));
    *other = *s;
    other->o.recipes = 1;
    for (uint8_t k = 0; k < count; k++) {
        other->o.recipe[0] = k;
        if (strcmp(rows[k].name, "zerolab") == 0) continue; /* a memo is of real systems */
        if (k != s->first.training.recipe && finds(s, other)) return true;
    }
    return false;
}

/* The peak by the paper's count, where another recipe is named. */
static bool is_of_paper(const struct memo_search *s, struct memo_search *other) {
    struct account_training paper = account_training_default();
    bool peak = s->first.what == MEMO_PEAK || s->first.what == MEMO_TOTAL;
    *other = *s;
    account_set(&paper, "recipe", "paper", NULL);
    other->o.recipes = 1;
    other->o.recipe[0] = paper.recipe;
    return peak && s->first.training.recipe != paper.recipe && finds(s, other) &&
           other->best.match == MEMO_EXACTLY;
}

static bool is_other_keeps(const struct memo_search *s, struct memo_search *other) {
    *other = *s;
    other->o.kept = 0;
    for (uint8_t k = 0; k < 3; k++)
        if (k != s->first.training.checkpoint) other->o.keeps[other->o.kept++] = k;
    return finds(s, other);
}

static bool is_other_what(const struct memo_search *s, struct memo_search *other) {
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

/* All of what is shared out: the division by the GPUs was forgotten. */
static bool is_undivided(const struct memo_search *s, struct memo_search *other) {
    *other = *s;
    other->share = MEMO_WHOLE;
    return s->share == MEMO_SHARE && finds(s, other);
}

/* Of one GPU for all, or the other way round. */
static bool is_other_share(const struct memo_search *s, struct memo_search *other) {
    *other = *s;
    if (s->f->bits) return false;
    other->share = MEMO_SHARE;
    if (s->share == MEMO_WHOLE && finds(s, other)) return true;
    other->o.cluster = !s->o.cluster;
    other->o.per_gpu = !s->o.per_gpu && s->first.what == MEMO_TOKENS;
    return finds(s, other);
}

/* Of one micro-batch, where a step has several. */
static bool is_one_round(const struct memo_search *s, struct memo_search *other) {
    *other = *s;
    other->o.rounds[0] = 1;
    other->o.round_count = 1;
    return memo_is_timed(s->first.what) && s->first.training.accumulate > 1 && finds(s, other);
}

static const struct account_mistake *diagnose(const struct memo_search *s, char *slip,
                                              size_t size) {
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
static const struct memo_figure *said_right(const struct memo_search *s) {
    for (const struct memo_figure *g = s->m->figure; g < s->f; g++)
        if (g->kind <= STUDY_MEMO_ROUNDED && g->about == s->first.what && g->truth > 0 &&
            fabs(g->truth - s->first.truth) < 1e-9 * g->truth)
            return g;
    return NULL;
}

enum study_memo_kind memo_explain(const struct memo_search *s, struct study_memo_finding *f) {
    struct memo_search other = *s;
    char is[40], what[160], slip[160], unit[24], than[160];
    const struct account_mistake *mistake;
    const struct memo_figure *before;
    memo_print(is, sizeof is, s->first.truth, s->f->dimension);
    memo_describe(s->m, &s->first, what, sizeof what);
    memo_say(f, "%s: %s. ", what, is);
    if (is_undivided(s, &other))
        return memo_say(f,
                        "This is all of it: stage %u shares it out over %u GPUs, so divide by %u.",
                        s->first.training.stage, s->first.training.gpus, s->first.training.gpus),
               STUDY_MEMO_WRONG;
    if (is_other_share(s, &other))
        return memo_say(f, "This is %s, of %s.",
                        memo_describe(s->m, &other.best, than, sizeof than),
                        other.o.cluster ? "all GPUs together" : "one GPU"),
               STUDY_MEMO_WRONG;
    if (is_one_round(s, &other))
        return memo_say(f, "This is for one micro-batch, and a step has %u.",
                        s->first.training.accumulate),
               STUDY_MEMO_WRONG;
    if (is_of_paper(s, &other))
        return memo_say(f, "This is %s.", memo_describe(s->m, &other.best, than, sizeof than)),
               STUDY_MEMO_WRONG;
    if (memo_is_other_unit(s, unit, sizeof unit))
        return memo_say(f, "The number is right in %s.", unit), STUDY_MEMO_UNIT;
    if (s->o.stage_said && is_other_stage(s, &other))
        return memo_say(f, "This is what stage %u has: the stages are mixed up.",
                        other.best.training.stage),
               STUDY_MEMO_WRONG;
    if ((mistake = diagnose(s, slip, sizeof slip)))
        return memo_say(f, "What happened: %s (%s).", mistake->name, slip), STUDY_MEMO_WRONG;
    if (is_other_recipe(s, &other) || is_other_keeps(s, &other) || is_other_stage(s, &other) ||
        is_other_what(s, &other))
        return memo_say(f, "This is %s.", memo_describe(s->m, &other.best, than, sizeof than)),
               STUDY_MEMO_WRONG;
    if ((before = said_right(s)))
        return memo_say(f, "Line %d says it right.", s->m->text.token[before->first].line),
               STUDY_MEMO_CONTRADICTORY;
    return memo_say(f,
                    "Neither another stage, recipe or unit nor a usual mistake makes this number."),
           STUDY_MEMO_WRONG;
}
