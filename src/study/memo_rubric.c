/* Points, what a reviewer would ask next, and the verdict. */
#include "memo.h"

#include <math.h>
#include <string.h>

static bool is_right(const struct memo_figure *f) {
    return f->kind == STUDY_MEMO_RIGHT || f->kind == STUDY_MEMO_ROUNDED;
}

/* "1.20 s with stages 1 and 2": another stage's, that the chosen one has as well. */
static bool has_same(struct memo *m, const struct memo_figure *f) {
    double value[MEMO_VALUES];
    size_t n = memo_values(m, f->about, &m->report->chosen, value);
    for (size_t i = 0; i < n; i++)
        if (fabs(value[i] - f->truth) < 1e-9 * f->truth) return true;
    return false;
}

/* Whether a right figure says one of these of the chosen stage, or of another one. */
static bool told(struct memo *m, enum memo_what first, enum memo_what last, bool chosen) {
    for (size_t i = 0; i < m->figures; i++) {
        const struct memo_figure *f = &m->figure[i];
        bool about = f->about >= first && f->about <= last;
        if (!is_right(f) || !about) continue;
        if ((f->training.stage == m->report->chosen.stage) == chosen) return true;
        if (chosen && has_same(m, f)) return true;
    }
    return false;
}

/* Whether the memo says so anywhere: a heading promises, and says nothing yet. */
static bool anywhere(const struct memo *m, enum memo_says says) {
    for (size_t b = 0; b < m->blocks; b++)
        if (!m->block[b].is_heading && memo_says(m, m->block[b].tokens, says)) return true;
    return false;
}

static bool another_stage(struct memo *m) {
    for (size_t k = 0; k < m->mentions; k++)
        if (m->mention[k].says == MEMO_STAGE &&
            (uint8_t)m->mention[k].value != m->report->chosen.stage)
            return true;
    return false;
}

/* An alternative may as well be the same stage otherwise: with checkpointing, offloaded. */
static bool another_figure(struct memo *m) {
    if (told(m, MEMO_STATES, MEMO_TOKENS, false)) return true;
    for (size_t i = 0; i < m->figures; i++) {
        const struct memo_figure *f = &m->figure[i];
        bool there = m->block[f->block].section == STUDY_MEMO_REJECTED;
        if (there && is_right(f) &&
            memcmp(&f->training, &m->report->chosen, sizeof f->training) != 0)
            return true;
    }
    return false;
}

static bool has_link(struct memo *m) {
    const struct account_training *t = &m->report->chosen;
    if (anywhere(m, MEMO_OVER) || t->gpus == 1) return true;
    for (size_t i = 0; i < m->text.tokens; i++)
        if (memo_is_phrase(&m->text, i, "nvlink") || memo_is_phrase(&m->text, i, "pcie") ||
            memo_is_phrase(&m->text, i, "infiniband") || memo_is_phrase(&m->text, i, "ethernet") ||
            memo_is_phrase(&m->text, i, "link"))
            return true;
    return false;
}

static bool has_recipe(struct memo *m) {
    return m->has_recipe || anywhere(m, MEMO_RECIPE) ||
           strcmp(m->report->scenario.recipe, "paper") != 0;
}

static bool fits(struct memo *m) {
    const struct study_memo_report *r = m->report;
    return r->decided && r->peak > 0 && r->fits != ACCOUNT_TOO_LARGE;
}

static bool clocked(struct memo *m) {
    return memo_know(m, &m->report->chosen)->clock.has_compute;
}

/* ── what is looked for ──────────────────────────────────────────────────────────────────────────*/
static bool look_decided(struct memo *m) {
    return m->report->decided;
}
static bool look_states(struct memo *m) {
    return told(m, MEMO_STATES, MEMO_OPTIMIZER, true);
}
static bool look_peak(struct memo *m) {
    return told(m, MEMO_PEAK, MEMO_TOTAL, true);
}
static bool look_usable(struct memo *m) {
    return told(m, MEMO_USABLE, MEMO_SPARE, true) || told(m, MEMO_USABLE, MEMO_LABEL, false);
}
static bool look_sent(struct memo *m) {
    return m->report->chosen.gpus == 1 || told(m, MEMO_SENT, MEMO_BETWEEN, true) ||
           told(m, MEMO_COMM, MEMO_COMM, true);
}
static bool look_step(struct memo *m) {
    return !clocked(m) || told(m, MEMO_STEP, MEMO_STEP, true) ||
           told(m, MEMO_TOKENS, MEMO_TOKENS, true);
}
static bool look_risk(struct memo *m) {
    return memo_names(m, MEMO_RISK);
}
static bool look_fallback(struct memo *m) {
    return memo_names(m, MEMO_FALLBACK);
}
static bool look_measure(struct memo *m) {
    return memo_names(m, MEMO_MEASURES) || m->quotes;
}
static bool look_baseline(struct memo *m) {
    return memo_names(m, MEMO_BASELINE);
}

enum row { DECISION, STATES, PEAK, TIME, REJECTED, RISKS, FIRST_HOUR };
static const struct study_memo_row rows[STUDY_MEMO_ROWS] = {
    [DECISION] = {"decision",     "a stage that fits",                                       0, 15},
    [STATES] = {"states",       "model states per GPU, by a recipe that is named",         0, 15},
    [PEAK] = {"peak",         "the peak with all that is alive, against usable bytes",   0, 20},
    [TIME] = {"time",         "what a rank sends, over which link, and the step's time", 0, 15},
    [REJECTED] = {"alternatives", "what was rejected, and the figure that rejected it",      0, 15},
    [RISKS] = {"risks",        "what could break it, and the fallback",                   0, 10},
    [FIRST_HOUR] = {"first hour",   "what is measured first, against a tuned simple baseline", 0, 10},
};
static const struct criterion {
    enum row row;
    int points;
    enum study_memo_section section;
    bool (*look)(struct memo *m);
    const char *missing;
} criteria[] = {
    {DECISION,   5,  STUDY_MEMO_DECISION,   look_decided,
     "Which stage? Say it in one sentence: \"We choose ZeRO stage 2\""                            },
    {DECISION,   10, STUDY_MEMO_DECISION,   fits,           NULL                                  },
    {STATES,     10, STUDY_MEMO_MEMORY,     look_states,
     "How many GB of model states does a GPU keep under the chosen stage?"                        },
    {STATES,     5,  STUDY_MEMO_MEMORY,     has_recipe,
     "By whose count? Name the recipe: the paper's, DeepSpeed's, FSDP's"                          },
    {PEAK,       12, STUDY_MEMO_MEMORY,     look_peak,
     "What is the peak on a GPU, with activations and the reserve?"                               },
    {PEAK,       8,  STUDY_MEMO_MEMORY,     look_usable,
     "Of how many usable bytes, and how much is to spare?"                                        },
    {TIME,       6,  STUDY_MEMO_TIME,       look_sent,      "How much does a rank send in a step?"},
    {TIME,       3,  STUDY_MEMO_TIME,       has_link,       "Over which link?"                    },
    {TIME,       6,  STUDY_MEMO_TIME,       look_step,
     "How long is a step, or how many tokens a second is that?"                                   },
    {REJECTED,   5,  STUDY_MEMO_REJECTED,   another_stage,  "What else was considered?"           },
    {REJECTED,   10, STUDY_MEMO_REJECTED,   another_figure,
     "Which figure rejected the alternative? Its states, its peak, or its step"                   },
    {RISKS,      5,  STUDY_MEMO_RISKS,      look_risk,
     "What could break it: the recipe's copies, longer sequences, the allocator, the links?"      },
    {RISKS,      5,  STUDY_MEMO_RISKS,      look_fallback,
     "What is the fallback if it does not fit after all?"                                         },
    {FIRST_HOUR, 5,  STUDY_MEMO_FIRST_HOUR, look_measure,   "What is measured in the first hour?" },
    {FIRST_HOUR, 5,  STUDY_MEMO_FIRST_HOUR, look_baseline,
     "Against which baseline? The simplest setup that fits, tuned"                                },
};

/* Two figures that nothing here can say are nobody's fault; a memo of such figures is. */
static void charge(struct study_memo_report *r) {
    enum { FREE = 2, MOST = 10 };
    size_t over = r->kinds[STUDY_MEMO_UNSUPPORTED];
    over = over > FREE ? over - FREE : 0;
    r->charged = over < MOST ? (int)over : MOST;
    if (r->charged > r->points) r->charged = r->points;
    r->points -= r->charged;
}

static void score(struct memo *m) {
    struct study_memo_report *r = m->report;
    memcpy(r->row, rows, sizeof rows);
    for (size_t i = 0; i < BASE_COUNT(criteria); i++) {
        const struct criterion *c = &criteria[i];
        bool met = c->look(m);
        if (met) r->row[c->row].points += c->points;
        if (met) r->points += c->points;
        if (!met && c->missing) memo_find_missing(m, c->section, "%s", c->missing);
    }
}

/* ── the verdict ─────────────────────────────────────────────────────────────────────────────────*/
/* Days of training with all that is promised, or 0 where nothing is. */
static double days_of(struct memo *m) {
    const struct study_scenario *s = &m->report->scenario;
    const struct memo_known *k = memo_know(m, &m->report->chosen);
    if (s->days <= 0 || !s->tokens || !k->has_clock || k->clock.tokens_per_s <= 0) return 0;
    return (double)s->tokens / k->clock.tokens_per_s / 86400;
}

static bool breaks_limits(const struct memo *m) {
    const struct study_scenario *s = &m->report->scenario;
    const struct account_training *t = &m->report->chosen;
    bool host = t->offload_optimizer != ACCOUNT_GPU || t->offload_params != ACCOUNT_GPU;
    bool nvme = t->offload_optimizer == ACCOUNT_NVME || t->offload_params == ACCOUNT_NVME;
    return (s->no_host && host) || (s->no_nvme && nvme);
}

static bool fail(struct study_memo_report *r, const char *what) {
    r->passes = false;
    snprintf(r->verdict, sizeof r->verdict, "Does not pass: %s", what);
    return false;
}

static bool fail_fit(struct memo *m) {
    struct study_memo_report *r = m->report;
    char need[32], has[32], what[200];
    memo_print(need, sizeof need, (double)r->peak, MEMO_BYTES);
    memo_print(has, sizeof has, (double)r->scenario.card_bytes, MEMO_BYTES);
    snprintf(what, sizeof what,
             "stage %u as decided needs %s of %s on each GPU. What does not fit is wrong, however "
             "well it is argued.",
             r->chosen.stage, need, has);
    return fail(r, what);
}

static bool decide(struct memo *m) {
    struct study_memo_report *r = m->report;
    size_t wrong =
        r->kinds[STUDY_MEMO_WRONG] + r->kinds[STUDY_MEMO_UNIT] + r->kinds[STUDY_MEMO_CONTRADICTORY];
    double days = days_of(m);
    char what[200];
    if (!r->decided) return fail(r, "it chooses no stage.");
    if (!r->scenario.card_bytes)
        return fail(r, "the scenario names no card, so nothing says whether it fits.");
    if (!r->peak) {
        snprintf(what, sizeof what, "the recipe %s has no stage %u as decided here.",
                 r->scenario.recipe, r->chosen.stage);
        return fail(r, what);
    }
    if (r->fits == ACCOUNT_TOO_LARGE) return fail_fit(m);
    if (breaks_limits(m)) return fail(r, "it offloads, which the scenario rules out.");
    if (days > r->scenario.days) {
        snprintf(what, sizeof what, "the run would take %.3g days, and there are %.3g.", days,
                 r->scenario.days);
        return fail(r, what);
    }
    if (m->figures_left || r->left_off) {
        snprintf(what, sizeof what,
                 "%d figures were checked, and %zu more were not: a memo has fewer.", MEMO_FIGURES,
                 m->figures_left);
        return fail(r, what);
    }
    if (wrong) {
        snprintf(what, sizeof what, "it fits, but %zu %s not hold.", wrong,
                 wrong == 1 ? "statement does" : "statements do");
        return fail(r, what);
    }
    if (r->points < STUDY_MEMO_PASSING) {
        snprintf(what, sizeof what,
                 "it fits, and what it says holds; %d of 100 points, and %d are asked. See what is "
                 "missing.",
                 r->points, STUDY_MEMO_PASSING);
        return fail(r, what);
    }
    for (size_t i = 0; i < STUDY_MEMO_ROWS; i++)
        if (r->row[i].points == 0) {
            snprintf(what, sizeof what,
                     "it fits, and what it says holds, but nothing is said of this: %s.",
                     r->row[i].asks);
            return fail(r, what);
        }
    r->passes = true;
    snprintf(r->verdict, sizeof r->verdict,
             "Passes: stage %u fits, and is argued with %d of 100 points.%s", r->chosen.stage,
             r->points,
             r->fits == ACCOUNT_TIGHT ? " It is tight: less than a tenth is to spare." : "");
    return true;
}

static int by_line(const void *a, const void *b) {
    const struct study_memo_finding *x = a, *y = b;
    bool missing = x->kind == STUDY_MEMO_MISSING, also = y->kind == STUDY_MEMO_MISSING;
    if (missing != also) return missing - also;
    if (missing && x->section != y->section) return x->section < y->section ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

void memo_rubric(struct memo *m) {
    struct study_memo_report *r = m->report;
    score(m);
    for (size_t i = 0; i < r->count; i++) r->kinds[r->finding[i].kind]++;
    charge(r);
    decide(m);
    if (r->count) qsort(r->finding, r->count, sizeof *r->finding, by_line);
}
