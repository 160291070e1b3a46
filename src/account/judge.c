#include "account/expression.h"
#include "account/verdict.h"

#include <math.h>
#include <string.h>

const char *account_verdict_name(enum account_verdict v) {
    static const char *const names[ACCOUNT_VERDICTS] = {"right",   "rounded", "unit",
                                                        "mistake", "wrong",   "unreadable"};
    return (unsigned)v < ACCOUNT_VERDICTS ? names[v] : "";
}

/* ── what a text may mean ────────────────────────────────────────────────────────────────────────*/

#define READINGS 4
struct readings {
    size_t count;
    double value[READINGS]; /* base units; the likeliest first */
    enum account_unit unit; /* that was named, or the one asked */
    bool count_suffix;
};

static bool is_size(enum account_unit u) {
    return u >= ACCOUNT_UNIT_B && u <= ACCOUNT_UNIT_TIB;
}

static bool is_count(enum account_unit u) {
    return u == ACCOUNT_UNIT_PARAMS || u == ACCOUNT_UNIT_BILLION;
}

static bool suits(enum account_unit said, enum account_unit asked) {
    if (said == ACCOUNT_UNIT_NONE || said == asked) return true;
    if (said == ACCOUNT_UNIT_B && asked == ACCOUNT_UNIT_B_PER_PARAM) return true;
    return (is_size(said) && is_size(asked)) || (is_count(said) && is_count(asked));
}

static void add_reading(struct readings *r, double value) {
    if (r->count < READINGS) r->value[r->count++] = value;
}

/* A unit settles it. Without one a number is in the asked unit, or in base units if that is what makes it right; an e9 or a G
 * turns the order round. */
static void add_readings(struct readings *out, const struct account_reading *r,
                         enum account_unit asked) {
    double scale = account_unit_scale(asked);
    if (r->explicit_unit) add_reading(out, r->value);
    if (r->explicit_unit && r->unit != ACCOUNT_UNIT_NONE) return;
    add_reading(out, r->value * scale);
    if (!r->explicit_unit) add_reading(out, r->value);
}

static bool read(const char *text, enum account_unit asked, struct readings *out,
                 struct account_error *e) {
    struct account_reading r, bytes;
    *out = (struct readings){.unit = asked};
    if (!account_read_expression(text, ACCOUNT_B_BILLION, &r, e)) return false;
    if (!suits(r.unit, asked))
        return account_fail(e, 1, "this is in %s, and the answer is asked in %s",
                            account_unit_name(r.unit), account_unit_name(asked));
    add_readings(out, &r, asked);
    if (r.unit != ACCOUNT_UNIT_NONE) out->unit = r.unit;
    out->count_suffix = r.count_suffix;
    if (r.count_suffix && !is_count(asked) &&
        account_read_expression(text, ACCOUNT_B_BYTE, &bytes, NULL))
        add_readings(out, &bytes, asked);
    return true;
}

/* ── the verdict ─────────────────────────────────────────────────────────────────────────────────*/

/* What an answer is held against: one or two truths (a line of a worksheet may be right by itself or after an earlier error), and
 * the mistakes that are known of it. */
struct key {
    double truth[2];
    size_t truths;
    enum account_unit unit;
    double tolerance;
    const struct account_variant *variant; /* NULL: none are known */
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

static enum account_slip_unit unit_of(const struct account_match *m) {
    size_t count;
    return account_slips[m->mistake - account_mistakes(&count)].unit;
}

/* No unit can have been written wrongly where the asked one was written, or none. */
static void drop_unwritten(struct account_diagnosis *d) {
    size_t kept = 0;
    for (size_t i = 0; i < d->count; i++)
        if (unit_of(&d->match[i]) != ACCOUNT_UNIT_WRITTEN) d->match[kept++] = d->match[i];
    d->count = kept;
}

static bool is_mistaken(const struct key *k, double value, enum account_unit said,
                        struct account_judgement *out) {
    if (k->variant) account_variant_diagnose(k->variant, value, &out->diagnosis);
    if (said == k->unit) drop_unwritten(&out->diagnosis);
    return out->diagnosis.count > 0;
}

static bool only_units(const struct account_diagnosis *d) {
    for (size_t i = 0; i < d->count; i++)
        if (unit_of(&d->match[i]) == ACCOUNT_NO_UNIT) return false;
    return true;
}

/* Each question is put to every reading before the next question is: a reading that is right wins over one that is a mistake. */
static double decide(const struct key *k, const struct readings *r, struct account_judgement *out) {
    out->verdict = ACCOUNT_RIGHT;
    for (size_t i = 0; i < r->count; i++)
        if (is_right(k, r->value[i], r->unit)) return r->value[i];
    out->verdict = ACCOUNT_ROUNDED;
    for (size_t i = 0; i < r->count; i++)
        if (is_coarse(k, r->value[i], r->unit)) return r->value[i];
    for (size_t i = 0; i < r->count; i++)
        if (is_mistaken(k, r->value[i], r->unit, out)) {
            out->verdict = only_units(&out->diagnosis) ? ACCOUNT_UNIT_SLIP : ACCOUNT_MISTAKE;
            return r->value[i];
        }
    out->verdict = ACCOUNT_WRONG;
    return r->value[0];
}

static void judge(const struct key *k, const char *text, struct account_judgement *out) {
    struct readings r;
    struct account_error e = {0};
    struct account_text note = account_text(out->note, sizeof out->note);
    if (!read(text, k->unit, &r, &e)) {
        out->verdict = ACCOUNT_UNREADABLE;
        out->column = e.column;
        account_add(&note, "%s", e.what);
        return;
    }
    out->value = decide(k, &r, out);
    account_print(out->read_as, sizeof out->read_as, out->value, k->unit,
                  account_digits(out->value, k->unit));
    if (r.count_suffix && is_size(k->unit))
        account_add(
            &note,
            "a B right behind a number counts parameters in billions; for bytes write G or GB");
}

void account_judge(const struct account_problem *p, const char *text,
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
    struct key k = {{v.truth}, 1, v.unit, v.tolerance, &v};
    judge(&k, text, out);
}

/* ── a line of a worksheet ───────────────────────────────────────────────────────────────────────*/

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
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (strcmp(id, account_category_name((enum account_category)c)) == 0)
            return out->quantity = 1u << c, true;
    return false;
}

void account_judge_line(const struct account_problem *p, const struct account_solution *s, size_t i,
                        const double *given, const char *text, struct account_judgement *out) {
    *out = (struct account_judgement){0};
    struct account_problem own;
    struct account_variant v;
    bool known = line_problem(p, s, i, &own) && account_variant(&own, &v);
    double carried = account_carry(p, s, i, given);
    struct key k = {
        .truth = {s->line[i].value, carried},
        .truths = isfinite(carried) ? 2 : 1,
        .unit = s->line[i].unit,
        .tolerance = known ? v.tolerance : 0.005,
        .variant = known ? &v : NULL
    };
    judge(&k, text, out);
}
