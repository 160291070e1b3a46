/* Claims: the table *Figures*, `quantity | configuration | value`. They are the memo's own word, so
 * they are judged as a lesson's answers are. */
#include "memo/inside.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { QUANTITY, CONFIGURATION, VALUE, COLUMNS };
static const char *const heads[COLUMNS] = {"quantity", "configuration", "value"};

/* ── one value ─────────────────────────────────────────────────────────────────────────────────*/
/* Where the value's figure stands, behind "=" and bold signs; false if there is none, or it
 * measures something else. */
static bool read_value(const struct memo *memo, const char *text, enum account_measure m,
                       struct account_figure *f, const char **at, const char **end) {
    const struct account_figure usual = memo_usual_unit(m);
    const char *sum = strrchr(text, '='); /* "2*13 + 14*13/8 = 48.75 GB" */
    for (*at = sum ? sum + 1 : text; **at; ++*at) {
        if (*at > text && isalnum((unsigned char)(*at)[-1])) continue;
        *end = memo_read_figure(memo, *at, f);
        if (!*end) continue;
        if (f->measure == ACCOUNT_FIGURE_NOTHING) account_figure_in(f, &usual);
        return f->measure == m;
    }
    return false;
}

/* Half of one in the third digit: 1310 ms is 1.31 s, zeros behind it are rounding. */
static double in_third_digit(const struct account_figure *f) {
    double scale = f->scale > 0 ? f->scale : 1;
    return f->low > 0 ? 0.5 * scale * pow(10, floor(log10(f->low / scale)) - 2) : 0;
}

/* As a lesson judges: within half a percent, or rightly rounded to three digits; to two it is
 * rounded early. */
static enum memo_kind judge_against(const struct account_figure *f, double truth) {
    double off = fabs(f->low - truth) / truth, middle = (f->low + f->high) / 2;
    if (f->range) {
        bool in = truth >= f->low - f->half && truth <= f->high + f->half;
        return in && f->high - f->low <= 0.1 * middle ? MEMO_RIGHT : MEMO_WRONG;
    }
    if (off <= 0.001) return MEMO_RIGHT;
    struct account_figure strict = *f;
    strict.loose = fmax(strict.half, fmin(strict.loose, in_third_digit(f)));
    strict.other =
        strict.other > 0 && fabs(strict.other - truth) / truth <= 0.005 ? strict.other : 0;
    bool rounded = account_figure_is(&strict, truth);
    if (rounded && f->digits >= 3) return MEMO_RIGHT;
    if (rounded && f->digits == 2) return f->hedged && off <= 0.05 ? MEMO_RIGHT : MEMO_ROUNDED;
    return rounded && off <= 0.05 ? MEMO_ROUNDED : MEMO_WRONG;
}

static enum memo_kind judge_truths(const struct memo_config *c, enum memo_quantity q,
                                   const struct account_figure *f) {
    enum memo_kind best = MEMO_WRONG;
    for (size_t i = 0; i + 1 < MEMO_TRUTHS && c->value[q][i] > 0 && best != MEMO_RIGHT; i++) {
        enum memo_kind k = judge_against(f, c->value[q][i]);
        if (k < best) best = k;
    }
    return best;
}

static const enum memo_kind kinds[ACCOUNT_VERDICTS] = {
    [ACCOUNT_RIGHT] = MEMO_RIGHT,     [ACCOUNT_ROUNDED] = MEMO_ROUNDED,
    [ACCOUNT_WRONG_UNIT] = MEMO_UNIT, [ACCOUNT_MISTAKE] = MEMO_MISTAKE,
    [ACCOUNT_WRONG] = MEMO_WRONG,     [ACCOUNT_UNREADABLE] = MEMO_WRONG};

struct claim {
    enum memo_quantity quantity;
    const struct memo_config *config;
    /* of the value's copy */
    const char *at, *end;
    struct account_figure f;
};

/* A minus, and no dash between words or numbers. */
static bool is_negative(const char *text, const char *at) {
    static const char *const signs[] = {"-", "\u2212", "\u2013"};
    for (size_t i = 0; i < BASE_COUNT(signs); i++) {
        size_t n = strlen(signs[i]), before = (size_t)(at - text);
        if (before < n || memcmp(at - n, signs[i], n) != 0) continue;
        return before == n || !isalnum((unsigned char)at[-(ptrdiff_t)n - 1]);
    }
    return false;
}

/* By the engine's own judge where it has a problem for it: its tolerance, its mistakes. */
static enum memo_kind judge(const struct memo_report *r, const struct claim *c,
                            struct memo_finding *why) {
    enum memo_kind kind = judge_truths(c->config, c->quantity, &c->f);
    struct account_problem p;
    struct account_judgement j;
    if (kind == MEMO_RIGHT || (c->f.range && kind <= MEMO_ROUNDED)) return kind;
    const char *mistake =
        kind == MEMO_WRONG && !c->f.range ? memo_unit_mistake(c->config, c->quantity, &c->f) : NULL;
    if (mistake) return memo_write_finding(why, "%s", mistake), MEMO_UNIT;
    if (!c->f.range && memo_problem(c->quantity, c->config, &p)) {
        char text[80];
        snprintf(text, sizeof text, "%.*s",
                 (int)(c->end - c->f.number < 79 ? c->end - c->f.number : 79), c->f.number);
        account_judge(&p, text, &j);
        if (kinds[j.verdict] <= MEMO_ROUNDED || kind == MEMO_ROUNDED)
            return kind < kinds[j.verdict] ? kind : kinds[j.verdict];
        if (j.diagnosis.count) {
            char names[512];
            memo_write_finding(why, "%s: %s",
                               account_diagnosis_names(&j.diagnosis, names, sizeof names),
                               j.diagnosis.match[0].arithmetic);
            return kinds[j.verdict];
        }
    }
    if (kind == MEMO_ROUNDED) return kind;
    if (!c->f.range && memo_explain(r, c->config, c->quantity, &c->f, why)) return MEMO_MISTAKE;
    return MEMO_WRONG;
}

/* ── a row ─────────────────────────────────────────────────────────────────────────────────────*/
/* The configuration of a cell: declared, or a change of the decision. NULL, with the reason, if it
 * cannot be read. */
static const struct memo_config *config_of(struct memo *m, struct memo_span cell,
                                           struct memo_config *own, struct base_message *why) {
    struct memo_report *r = m->report;
    int place;
    if (cell.at == cell.end) return &r->config[MEMO_THE_DECISION];
    size_t n = memo_config_at(r, cell.at, cell.end, &place);
    if (n == (size_t)(cell.end - cell.at)) return &r->config[place];
    if (memo_same(cell, "scenario")) return &r->config[MEMO_THE_SCENARIO];
    char *text = memo_copy(cell);
    bool read = memo_change(m, &r->config[MEMO_THE_DECISION], text, own, why);
    free(text);
    return read ? own : NULL;
}

static bool names_phase(struct memo_span row, enum account_phase p) {
    return memo_words_in(row, account_phase_name(p)) != NULL;
}

/* The phase that is highest, or one that is as high. */
static bool names_peak(struct memo_span row, const struct memo_config *of) {
    for (int p = 0; p < ACCOUNT_PHASES; p++)
        if (of->value[MEMO_Q_INIT + p][0] >= of->value[MEMO_Q_PEAK][0] &&
            names_phase(row, (enum account_phase)p))
            return true;
    return false;
}

static bool names_wrong_phase(struct memo_span row, const struct claim *c) {
    if (c->quantity != MEMO_Q_PEAK || names_peak(row, c->config)) return false;
    for (int p = 0; p < ACCOUNT_PHASES; p++)
        if (names_phase(row, (enum account_phase)p)) return true;
    return false;
}

static bool is_of(const struct claim *c, const struct memo_config *of) {
    return memcmp(&of->is.training, &c->config->is.training, sizeof of->is.training) == 0;
}

/* It answers what is asked; the peak only with where it is. */
static void tick_off(struct memo *m, const struct claim *c, struct memo_span row) {
    struct memo_report *r = m->report;
    for (size_t i = 0; i < r->configs; i++)
        if (is_of(c, &r->config[i])) r->claimed[i][c->quantity] = true;
    for (size_t i = 0; i < r->asks; i++) {
        struct memo_asked *a = &r->asked[i];
        if (!is_of(c, &r->config[a->config])) continue;
        bool phase = c->quantity >= MEMO_Q_INIT && c->quantity <= MEMO_Q_PEAK_UPDATE;
        bool same = a->quantity == c->quantity ||
                    (a->quantity == MEMO_Q_THROUGHPUT &&
                     (c->quantity == MEMO_Q_MFU || c->quantity == MEMO_Q_THROUGHPUT_GPU)) ||
                    (a->quantity == MEMO_Q_PEAK && phase);
        if (a->quantity == MEMO_Q_PEAK && a->config == MEMO_THE_DECISION &&
            !names_peak(row, c->config))
            same = false;
        a->there |= same || a->quantity == MEMO_Q_S;
    }
}

/* Whether a claim of a peak, or about a card's memory, is right by such a peak and such a card. */
static bool is_by(const struct claim *c, double card, double peak) {
    double truth = c->quantity == MEMO_Q_PEAK     ? peak
                   : c->quantity == MEMO_Q_USABLE ? card
                                                  : fabs(card - peak);
    return truth > 0 && judge_against(&c->f, truth) <= MEMO_ROUNDED;
}

/* Which of the card's figures a claim is right by: both PyTorch's and the driver's are. The peak is
 * the engine's, then the paper's own count. */
static void say_reporter(const struct claim *c, struct memo_finding *f) {
    const struct account_card *card = c->config->is.training.card;
    bool of_card =
        c->quantity == MEMO_Q_USABLE || c->quantity == MEMO_Q_SPARE || c->quantity == MEMO_Q_OVER;
    if (!card || !(of_card || c->quantity == MEMO_Q_PEAK)) return;
    for (int i = 0; i < 2 * ACCOUNT_BY_LABEL; i++) {
        enum account_reporter by = (enum account_reporter)(i % ACCOUNT_BY_LABEL);
        bool bare = i >= ACCOUNT_BY_LABEL;
        uint64_t bytes = account_card_bytes_by(card, by);
        char text[40];
        if (!bytes || !is_by(c, (double)bytes, c->config->value[MEMO_Q_PEAK][bare])) continue;
        if (of_card)
            memo_write_finding(f, ". It is right by the %s that %s",
                               account_print_bytes(text, sizeof text, (double)bytes),
                               account_reporter_name(by));
        if (bare) memo_write_finding(f, ". It leaves out the layers that stage 3 gathers");
        return;
    }
}

static void say_claim(struct memo *m, const struct claim *c, enum memo_kind kind,
                      const struct memo_finding *why, struct memo_span where) {
    char truth[40];
    enum account_measure measure = memo_quantity_measure(c->quantity);
    struct memo_finding *f = memo_find(m, kind, where);
    memo_write_finding(f, "%s, %s: ", c->config->name, memo_quantity_name(c->quantity));
    if (*why->what) memo_write_finding(f, "%s; ", why->what);
    memo_write_finding(f, "the engine says %s",
                       memo_print(truth, sizeof truth, c->config->value[c->quantity][0], measure));
    if (kind <= MEMO_ROUNDED) say_reporter(c, f);
    if (kind == MEMO_ROUNDED) memo_write_finding(f, ". Write three digits");
    if (c->f.range && kind == MEMO_WRONG)
        memo_write_finding(f,
                           ". A range counts if it contains the value and is at most a tenth wide");
}

static void unreadable(struct memo *m, struct memo_span cell, const char *why) {
    memo_write_finding(memo_find(m, MEMO_UNREADABLE, cell), "%s", why);
}

static void read_claim(struct memo *m, struct memo_span row, struct memo_span cell[COLUMNS]) {
    struct memo_config own;
    struct base_message why = {0};
    struct memo_finding because = {0};
    if (cell[VALUE].at == cell[VALUE].end) return; /* not filled in yet */
    char *name = memo_copy(cell[QUANTITY]), *value = memo_copy(cell[VALUE]);
    struct claim c = {.quantity = (enum memo_quantity)memo_quantity_find(name)};
    m->report->claims++;
    if (c.quantity == MEMO_Q_S)
        unreadable(m, cell[QUANTITY],
                   "unknown quantity: write for example model states, peak, spare, sent per rank "
                   "and step, step time, tokens/s");
    else if (!(c.config = config_of(m, cell[CONFIGURATION], &own, &why)))
        unreadable(m, cell[CONFIGURATION], why.what);
    else if (!(c.config->value[c.quantity][0] > 0))
        unreadable(m, cell[QUANTITY],
                   "the engine has no such figure for this configuration: it is zero there, or the "
                   "head leaves out a value that it needs");
    else if (!read_value(m, value, memo_quantity_measure(c.quantity), &c.f, &c.at, &c.end))
        memo_write_finding(memo_find(m, MEMO_UNREADABLE, cell[VALUE]),
                           "this is read as the %s: write a figure with a unit of that quantity, "
                           "such as 48.75 GB, 1.2 s or 13,700 tokens/s",
                           memo_quantity_name(c.quantity));
    else {
        struct memo_span where = {cell[VALUE].at + (c.f.number - value),
                                  cell[VALUE].at + (c.end - value)};
        enum memo_kind kind = judge(m->report, &c, &because);
        if (is_negative(value, c.at)) {
            kind = MEMO_WRONG;
            because = (struct memo_finding){0};
            memo_write_finding(&because, "a quantity cannot be negative: if the plan does not fit, "
                                         "claim how far it is over the card");
        }
        if (names_wrong_phase(row, &c)) {
            kind = MEMO_WRONG;
            memo_write_finding(&because, "the peak is in %s", account_phase_name(c.config->peak));
        }
        say_claim(m, &c, kind, &because, where);
        tick_off(m, &c, row);
    }
    free(name);
    free(value);
}

/* ── the table ─────────────────────────────────────────────────────────────────────────────────*/
static void find_columns(const struct memo_span *head, size_t n, size_t at[COLUMNS]) {
    for (size_t c = 0; c < COLUMNS; c++) {
        at[c] = c;
        for (size_t i = 0; i < n; i++)
            if (memo_same(head[i], heads[c])) at[c] = i;
    }
}

size_t memo_read_claims(struct memo *m, size_t i) {
    struct memo_span cell[MEMO_CELLS];
    size_t at[COLUMNS] = {0, 1, 2}, n = memo_cells(m->line[i].text, cell);
    if (i + 1 < m->lines && m->line[i + 1].kind == MEMO_RULE) find_columns(cell, n, at), i += 2;
    for (; i < m->lines && (m->line[i].kind == MEMO_ROW || m->line[i].kind == MEMO_RULE); i++) {
        struct memo_span own[COLUMNS];
        n = memo_cells(m->line[i].text, cell);
        for (size_t c = 0; c < COLUMNS; c++)
            own[c] = at[c] < n ? cell[at[c]]
                               : (struct memo_span){m->line[i].text.end, m->line[i].text.end};
        if (m->line[i].kind == MEMO_ROW) read_claim(m, m->line[i].text, own);
    }
    return i;
}

/* ── what is asked for ─────────────────────────────────────────────────────────────────────────*/
const enum memo_quantity memo_claims[MEMO_CLAIMS] = {MEMO_Q_STATES,    MEMO_Q_PEAK,    MEMO_Q_SPARE,
                                                     MEMO_Q_SENT,      MEMO_Q_EXPOSED, MEMO_Q_STEP,
                                                     MEMO_Q_THROUGHPUT};

void memo_ask_claims(struct memo *m) {
    struct memo_report *r = m->report;
    const struct memo_config *d = &r->config[MEMO_THE_DECISION];
    for (size_t i = 0; i < MEMO_CLAIMS && r->decided; i++)
        if (d->value[memo_claims[i]][0] > 0)
            r->asked[r->asks++] = (struct memo_asked){memo_claims[i], MEMO_THE_DECISION, false};
    for (size_t i = MEMO_FIRST_ALTERNATIVE; i < r->configs && r->asks < MEMO_ASKS; i++)
        if (r->config[i].line && r->config[i].known)
            r->asked[r->asks++] = (struct memo_asked){MEMO_Q_S, i, false};
}
