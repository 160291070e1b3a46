/* The verdict on an answer as it was typed: right, rounded, another unit, a mistake, wrong. */
#include "account/numbers/dimension.h"
#include "account/numbers/reading.h"
#include "account/problems/diagnose.h"

#include <math.h>
#include <string.h>

const char *account_verdict_name(enum account_verdict v) {
    static const char *const names[ACCOUNT_VERDICTS] = {"right",   "rounded", "unit",
                                                        "mistake", "wrong",   "unreadable"};
    return (unsigned)v < ACCOUNT_VERDICTS ? names[v] : "";
}

/* ── the verdict ───────────────────────────────────────────────────────────────────────────────*/

/* What an answer is held against: one or two truths (a line of a worksheet may be right by itself
 * or after an earlier error), and the mistakes that are known of it. */
struct key {
    double truth[2];
    size_t truths;
    enum account_unit unit;
    double tolerance;
    /* of the training that is asked about; 0: unknown */
    double params;
    /* NULL: none are known */
    const struct account_variant *variant;
    /* for a line of a worksheet: the sheet, its answers or NULL, and the lines above it */
    const struct account_solution *sheet;
    const double *given;
    size_t above;
};

static bool is_right(const struct key *k, double value, enum account_unit said) {
    for (size_t i = 0; i < k->truths; i++)
        if (account_is_right(value, k->truth[i], k->unit, k->tolerance) ||
            (k->unit != ACCOUNT_UNIT_GPUS &&
             account_is_rounded(value, k->truth[i], account_unit_scale(said), 3)))
            return true;
    return false;
}

static bool is_coarse(const struct key *k, double value, enum account_unit said) {
    if (k->unit == ACCOUNT_UNIT_GPUS) return false;
    for (size_t i = 0; i < k->truths; i++)
        if (account_is_rounded(value, k->truth[i], account_unit_scale(said), 2)) return true;
    return false;
}

static enum account_mistake_unit unit_of(const struct account_match *m) {
    size_t count;
    if (m->also) return ACCOUNT_UNIT_RIGHT;
    return account_mistake_rows[m->mistake - account_mistakes(&count)].unit;
}

/* GiB for GB, or the reverse. */
static bool is_twin(enum account_unit said, enum account_unit asked) {
    return (account_is_binary_size(said) && account_is_decimal_size(asked)) ||
           (account_is_decimal_size(said) && account_is_binary_size(asked));
}

/* A unit is wrong only if it was written. */
static void drop_unwritten(struct account_diagnosis *d) {
    size_t kept = 0;
    for (size_t i = 0; i < d->count; i++)
        if (unit_of(&d->match[i]) != ACCOUNT_UNIT_WRITTEN) d->match[kept++] = d->match[i];
    d->count = kept;
    if (kept == 0) d->others = 0;
}

/* The line above whose number it is, the nearest first, from 1; 0 if it is none. */
static size_t line_above(const struct key *k, const struct account_meaning *m) {
    for (size_t i = k->above; i > 0; i--) {
        const struct account_line *l = &k->sheet->line[i - 1];
        double given = k->given ? k->given[i - 1] : NAN;
        if (l->unit == k->unit &&
            (account_is_right(m->value, l->value, l->unit, ACCOUNT_LEAST_TOLERANCE) ||
             account_is_right(m->value, given, l->unit, ACCOUNT_LEAST_TOLERANCE)))
            return i;
    }
    return 0;
}

/* The learner more likely repeated the number of a line above than made a far-fetched mistake. */
static bool is_mistaken(const struct key *k, const struct account_meaning *m,
                        struct account_judgement *out) {
    if (k->variant) account_variant_diagnose(k->variant, m->value, &out->diagnosis);
    if (!is_twin(m->unit, k->unit)) drop_unwritten(&out->diagnosis);
    if (account_is_far_fetched(&out->diagnosis) && line_above(k, m))
        out->diagnosis = (struct account_diagnosis){0};
    return out->diagnosis.count > 0;
}

static bool is_twice_mistaken(const struct key *k, const struct account_meaning *m,
                              struct account_judgement *out) {
    if (k->variant) account_variant_pair(k->variant, m->value, &out->diagnosis);
    return out->diagnosis.count > 0;
}

static bool only_units(const struct account_diagnosis *d) {
    for (size_t i = 0; i < d->count; i++)
        if (unit_of(&d->match[i]) == ACCOUNT_UNIT_RIGHT) return false;
    return true;
}

/* The digits are right, and Gb stands behind them: whoever writes that has divided nothing,
 * whatever else the number may be. */
static bool is_in_bits(const struct key *k, const struct account_meaning *m,
                       struct account_judgement *out) {
    if (!k->variant || !m->bits || !is_right(k, 8 * m->value, m->unit)) return false;
    size_t count, row = 0;
    const struct account_mistake *names = account_mistakes(&count);
    while (row < count && strcmp(names[row].id, "eighth") != 0) row++;
    out->diagnosis.count =
        account_mistaken(row, k->variant->problem, &k->variant->grounds, &out->diagnosis.match[0]);
    return out->diagnosis.count > 0;
}

/* How many times too large or too small. */
static double ratio(const struct key *k, double value) {
    double r = value / k->truth[0];
    return r > 0 && isfinite(r) ? fabs(log(r)) : HUGE_VAL;
}

/* Where nothing fits, whoever wrote it meant what comes nearest. */
static const struct account_meaning *nearest(const struct key *k,
                                             const struct account_meanings *all) {
    const struct account_meaning *best = &all->row[0];
    for (size_t i = 1; i < all->count; i++)
        if (ratio(k, all->row[i].value) < ratio(k, best->value)) best = &all->row[i];
    return best;
}

/* Each question is put to every meaning before the next question is: one that is right wins over
 * one that is a mistake. */
static const struct account_meaning *decide(const struct key *k, struct account_meanings *all,
                                            struct account_judgement *out) {
    struct account_meaning *end = all->row + all->count, *m;
    out->verdict = ACCOUNT_RIGHT;
    for (m = all->row; m < end; m++)
        if (is_right(k, m->value, m->unit)) return m;
    out->verdict = ACCOUNT_ROUNDED;
    for (m = all->row; m < end; m++)
        if (is_coarse(k, m->value, m->unit)) return m;
    out->verdict = ACCOUNT_WRONG_UNIT;
    for (m = all->row; m < end; m++)
        if (is_in_bits(k, m, out)) return m;
    out->verdict = ACCOUNT_UNREADABLE;
    for (m = all->row; m < end; m++)
        if (m->bits) return m;
    out->verdict = ACCOUNT_WRONG_UNIT;
    for (m = all->row; m < end; m++)
        if (is_mistaken(k, m, out)) {
            out->verdict = only_units(&out->diagnosis) ? ACCOUNT_WRONG_UNIT : ACCOUNT_MISTAKE;
            return m;
        }
    out->verdict = ACCOUNT_WRONG;
    for (m = all->row; m < end; m++)
        if ((out->line = line_above(k, m)) > 0) return m;
    out->verdict = ACCOUNT_MISTAKE;
    for (m = all->row; m < end; m++)
        if (is_twice_mistaken(k, m, out)) return m;
    out->verdict = ACCOUNT_WRONG;
    return nearest(k, all);
}

/* What is worth saying and costs nothing. */
static void add_note(const struct key *k, const struct account_meaning *m,
                     struct account_judgement *out) {
    struct account_text note = account_text(out->note, sizeof out->note);
    bool right = out->verdict == ACCOUNT_RIGHT || out->verdict == ACCOUNT_ROUNDED;
    bool bytes = m->unit == ACCOUNT_UNIT_B && account_is_binary_size(k->unit);
    if (m->counted && account_is_size(k->unit))
        account_add(&note,
                    "a B behind a number counts parameters in billions; for bytes write G or GB");
    else if (right && m->bits)
        account_add(&note, "you answered in bits, which are converted to %s",
                    account_unit_name(k->unit));
    else if (m->comma)
        account_add(&note, "the comma was read as a decimal point; write a point");
    else if (right && (bytes || is_twin(m->unit, k->unit))) {
        account_add(&note, "you answered in %s, which is converted to %s",
                    bytes ? "bytes" : account_unit_name(m->unit), account_unit_name(k->unit));
    }
}

/* "13B" where the bytes of a 13B model are asked: that is the model, and no answer yet. A name
 * rounds to three digits or fewer. */
static bool is_the_model(const struct key *k, const struct account_meaning *m) {
    if (!m->counted || !account_is_size(k->unit) || !(k->params > 0)) return false;
    for (int digits = 1; digits <= 3; digits++)
        if (account_is_rounded(m->value, k->params, 1e9, digits)) return true;
    return m->value == k->params;
}

static void refuse(struct account_judgement *out, int column, const char *why) {
    *out = (struct account_judgement){.verdict = ACCOUNT_UNREADABLE, .column = column};
    struct account_text note = account_text(out->note, sizeof out->note);
    account_add(&note, "%s", why);
}

/* Bits that are neither the answer nor its digits are a slip of the keyboard, and no answer yet. */
static void refuse_bits(const struct key *k, const struct account_meaning *m, int column,
                        struct account_judgement *out) {
    char size[48], why[160];
    account_print(size, sizeof size, m->value, k->unit, account_digits(m->value, k->unit));
    struct account_text text = account_text(why, sizeof why);
    account_add(&text, "a small b means bits, so this is %s. For bytes write a capital B: GB",
                size);
    refuse(out, column, why);
    memcpy(out->read_as, size, sizeof size);
}

static void judge(const struct key *k, const char *text, struct account_judgement *out) {
    struct account_meanings all;
    struct account_error e = {0};
    if (!account_read_meanings(text, k->unit, &all, &e)) {
        refuse(out, e.column, e.what);
        return;
    }
    const struct account_meaning *m = decide(k, &all, out);
    if (out->verdict == ACCOUNT_UNREADABLE) {
        refuse_bits(k, m, account_column(text, account_skip(text)), out);
        return;
    }
    if (out->verdict > ACCOUNT_ROUNDED && is_the_model(k, m)) {
        refuse(out, account_column(text, account_skip(text)),
               "a B counts parameters in billions, and that is the model itself. The question asks "
               "for bytes: write G or GB");
        account_print_count(out->read_as, sizeof out->read_as, m->value);
        return;
    }
    out->value = m->value;
    account_print(out->read_as, sizeof out->read_as, m->value, k->unit,
                  account_digits(m->value, k->unit));
    add_note(k, m, out);
}

static void judge_problem(const struct account_problem *p, const char *text,
                          struct account_judgement *out) {
    *out = (struct account_judgement){0};
    struct account_variant v;
    if (!account_variant(p, &v)) {
        struct account_solution s;
        struct account_error e = {0};
        account_solve(p, &s, &e);
        out->verdict = ACCOUNT_UNREADABLE;
        struct account_text note = account_text(out->note, sizeof out->note);
        account_add(&note, "this problem has no answer: %s", e.what);
        return;
    }
    struct key k = {.truth = {v.truth},
                    .truths = 1,
                    .unit = v.unit,
                    .tolerance = v.tolerance,
                    .params = (double)p->training.params,
                    .variant = &v};
    judge(&k, text, out);
}

static void note_reporter(const struct account_card *c, enum account_reporter by,
                          struct account_judgement *out) {
    struct account_text note = account_text(out->note, sizeof out->note);
    enum account_reporter best = account_card_reporter(c);
    char bytes[40];
    account_print_bytes(bytes, sizeof bytes, (double)account_card_bytes_by(c, by));
    account_add(&note, "right by the %s that %s", bytes, account_reporter_name(by));
    if (by == best) return;
    account_print_bytes(bytes, sizeof bytes, (double)account_card_bytes(c));
    account_add(&note, "; %s %s", account_reporter_name(best), bytes);
}

/* Where the budget is the card's own, an answer by the driver's bytes is as right as one by
 * PyTorch's: the note says which it is. */
static void judge_by_driver(const struct account_problem *p, const char *text,
                            struct account_judgement *out) {
    const struct account_card *c = p->training.card;
    struct account_problem other = *p;
    struct account_judgement driver;
    other.budget = (double)c->driver_bytes;
    judge_problem(&other, text, &driver);
    if (driver.verdict == ACCOUNT_RIGHT && out->verdict != ACCOUNT_RIGHT) {
        *out = driver;
        note_reporter(c, ACCOUNT_BY_DRIVER, out);
    } else if (driver.verdict != ACCOUNT_RIGHT && out->verdict == ACCOUNT_RIGHT && !out->note[0])
        note_reporter(c, ACCOUNT_BY_TORCH, out);
}

void account_judge(const struct account_problem *p, const char *text,
                   struct account_judgement *out) {
    const struct account_card *c = p->training.card;
    bool fits = p->kind == ACCOUNT_ASK_LARGEST_PARAMS || p->kind == ACCOUNT_ASK_FEWEST_GPUS;
    judge_problem(p, text, out);
    if (fits && !(p->budget > 0) && c && c->torch_bytes && c->driver_bytes)
        judge_by_driver(p, text, out);
}

/* ── a line of a worksheet ─────────────────────────────────────────────────────────────────────*/

/* The problem that a line is by itself, so that its mistakes are known too. False if it is none. */
static bool line_problem(const struct account_problem *p, const struct account_solution *s,
                         size_t i, struct account_problem *out) {
    const char *id = s->line[i].id;
    *out = *p;
    out->unit = s->line[i].unit;
    if (i + 1 == s->lines) return true;
    out->cluster = false;
    if (strcmp(id, "gpu") == 0) return true;
    if (strcmp(id, "per-param") == 0) return out->kind = ACCOUNT_ASK_BYTES_PER_PARAM, true;
    return account_problem_set(out, "quantity", id, NULL);
}

/* The variant of a line that is a problem of its own, with the line's own number for its truth. */
static bool line_variant(const struct account_problem *p, const struct account_solution *s,
                         size_t i, struct account_problem *own, struct account_variant *v) {
    return line_problem(p, s, i, own) && account_variant(own, v) &&
           account_distance(v->truth, s->line[i].value) < 1e-6;
}

bool account_line_mistake(const struct account_problem *p, const struct account_solution *s,
                          size_t i, const char *id, struct account_match *out) {
    struct account_problem own;
    struct account_variant v;
    struct account_separation apart;
    if (!line_variant(p, s, i, &own, &v)) return false;
    account_separate(&own, &id, 1, &apart);
    return apart.legal && account_mistake_value(&own, id, out);
}

void account_judge_line(const struct account_problem *p, const struct account_solution *s, size_t i,
                        const double *given, const char *text, struct account_judgement *out) {
    *out = (struct account_judgement){0};
    struct account_problem own;
    struct account_variant v;
    bool known = line_variant(p, s, i, &own, &v);
    double carried = account_carry(p, s, i, given);
    struct key k = {.truth = {s->line[i].value, carried},
                    .truths = isfinite(carried) ? 2 : 1,
                    .unit = s->line[i].unit,
                    .tolerance = known ? v.tolerance : 0.005,
                    .params = (double)p->training.params,
                    .variant = known ? &v : NULL,
                    .sheet = s,
                    .given = given,
                    .above = i};
    judge(&k, text, out);
}
