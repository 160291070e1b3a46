/* The readings of an answer: which of its numbers and units may have been meant. */
#include "account/numbers/reading.h"
#include "account/numbers/suffix.h"
#include "account/numbers/expression.h"
#include "account/numbers/text.h"

#include <math.h>
#include <string.h>

#define MOST_FORKS 4 /* places that are read both ways; beyond, as is likelier */

#define LAST_RANK (ACCOUNT_SUITS_IF_CARELESS + 1)

/* One expression, read in a way; `text` begins what was typed, for the columns of errors. */
struct part {
    const char *text, *from, *end;
    enum account_unit asked;
    /* in the likeliest way that was possible at all */
    struct account_expression read;
    bool readable;
};

/* ── from an expression to what it may mean ────────────────────────────────────────────────────*/

static bool is_known(const struct account_meanings *out, const struct account_meaning *m) {
    for (size_t i = 0; i < out->count; i++)
        if (out->row[i].value == m->value && out->row[i].unit == m->unit) return true;
    return false;
}

/* Behind all of its rank and below. */
static void add_meaning(struct account_meanings *out, struct account_meaning m) {
    if (!isfinite(m.value) || is_known(out, &m) || out->count == ACCOUNT_MEANINGS) return;
    size_t i = out->count++;
    for (; i > 0 && out->row[i - 1].rank > m.rank; i--) out->row[i] = out->row[i - 1];
    out->row[i] = m;
}

/* The unit that a number in base units was written in. */
static enum account_unit written(const struct account_expression *x, enum account_unit asked) {
    if (asked == ACCOUNT_UNIT_NONE) return x->unit;
    if (!account_is_size(asked)) return asked;
    return account_is_size(x->unit) ? x->unit : ACCOUNT_UNIT_B;
}

/* A unit or an e9 settles it. Without one a number is in the unit asked, or in base units if that
 * is what makes it right. Where all the units are bytes and a bare number went in, as in "16 B ×
 * 6.7", that number may have been in the unit asked. */
static void add_value(const struct account_expression *x, enum account_unit asked, int rank,
                      struct account_meanings *out) {
    const struct account_measured *v = &x->value;
    bool pure = account_is_pure(v);
    struct account_meaning literal = {
        .value = v->number,
        .unit = written(x, asked),
        .explicit_unit = v->scales > 0 || !pure,
        .counted = asked == ACCOUNT_UNIT_NONE ? x->counted : rank == ACCOUNT_SUITS_IF_CARELESS,
        .bits = x->bits,
        .comma = x->comma,
        .rank = rank};
    struct account_meaning in_asked = literal;
    in_asked.value *= account_unit_scale(asked);
    in_asked.unit = asked;
    if (literal.explicit_unit) add_meaning(out, literal);
    if (pure || (v->scales <= 0 && v->bare)) add_meaning(out, in_asked);
    if (pure) add_meaning(out, literal);
}

/* "2*13 + 14*13/8 GB", "16*14e9/2^30 GiB": the unit says what the number before it is in. That
 * number is pure, or its own units and scales have been divided out again. */
static void add_labelled(const struct account_expression *x, enum account_unit asked,
                         struct account_meanings *out) {
    struct account_measured label = {0};
    account_apply_suffix(&x->label, &label);
    bool settled = x->value.scales <= 0, pure = account_is_pure(&x->value);
    bool suits = account_is_pure(&label) || account_suits(&label, asked) == ACCOUNT_SUITS;
    bool free = pure || (settled && account_suits(&x->value, asked) <= ACCOUNT_SUITS_IMPLIED &&
                         asked != ACCOUNT_UNIT_NONE);
    if (!suits || !free) return;
    struct account_expression whole = *x;
    whole.unit = x->label.unit;
    add_meaning(out, (struct account_meaning){.value = x->value.number,
                                              .unit = written(&whole, asked),
                                              .explicit_unit = true,
                                              .counted = asked == ACCOUNT_UNIT_NONE && x->counted,
                                              .bits = x->bits,
                                              .comma = x->comma,
                                              .rank = settled ? 0 : LAST_RANK});
}

/* ── one expression, in all its ways ───────────────────────────────────────────────────────────*/

static void try_way(struct part *p, struct account_way way, struct account_meanings *out,
                    struct account_error *e) {
    struct account_expression x;
    if (!account_read_expression(p->text, p->from, way, &x, e)) return;
    if (!p->readable || (!way.label && way.turned == 0)) p->read = x;
    p->readable = true;
    p->end = x.end;
    enum account_suits fit = account_suits(&x.value, p->asked);
    if (way.label)
        add_labelled(&x, p->asked, out);
    else if (fit != ACCOUNT_SUITS_NOT)
        add_value(&x, p->asked, (int)fit, out);
}

static const char *label_at(const struct account_expression *x) {
    size_t length;
    bool last =
        x->last && account_expression_ends(account_skip(account_skip_tail(x->last_end)), &length);
    return last ? x->last : NULL;
}

/* Whatever was named, as one unit; NONE if it is none. */
static enum account_unit unit_of(const struct account_expression *x) {
    enum account_unit u = x->unit;
    if (u == ACCOUNT_UNIT_NONE && x->value.power[ACCOUNT_OF_PARAMS] == 1) u = ACCOUNT_UNIT_PARAMS;
    struct account_measured one = {0};
    account_measure(&one, u);
    return memcmp(one.power, x->value.power, sizeof one.power) == 0 ? u : ACCOUNT_UNIT_NONE;
}

static bool fail_to_fit(const struct part *p, struct account_error *e) {
    const char *asked = account_unit_name(p->asked);
    int column = account_column(p->text, p->from);
    enum account_unit u = unit_of(&p->read);
    if (p->read.value.mixed)
        return account_fail(e, column, "this adds different units: check them");
    if (u != ACCOUNT_UNIT_NONE)
        return account_fail(e, column, "this is in %s, but the question asks for %s",
                            account_unit_name(u), asked);
    return account_fail(e, column,
                        "the units of this do not give %s: check them, or leave them out", asked);
}

static bool read_part(struct part *p, struct account_meanings *out, struct account_error *e) {
    struct account_expression shape;
    account_read_expression(p->text, p->from, (struct account_way){0}, &shape, NULL);
    const char *label = label_at(&shape);
    unsigned forks = shape.forks < MOST_FORKS ? (unsigned)shape.forks : MOST_FORKS;
    struct account_error why = {0};
    out->count = 0;
    for (int labelled = label != NULL; labelled >= 0; labelled--)
        for (unsigned turned = 0; turned < 1u << forks; turned++)
            try_way(p, (struct account_way){turned, labelled ? label : NULL}, out,
                    why.column ? NULL : &why);
    if (!p->readable) return account_fail(e, why.column, "%s", why.what);
    return out->count > 0 || fail_to_fit(p, e);
}

/* ── several, with = between them ──────────────────────────────────────────────────────────────*/

static bool agrees(const struct account_meaning *m, const struct account_meanings *before) {
    for (size_t i = 0; i < before->count; i++) {
        double other = before->row[i].value;
        if (account_distance(m->value, other) <= 0.01 ||
            account_is_rounded(m->value, other, account_unit_scale(m->unit), 2))
            return true;
    }
    return false;
}

/* What is said last must be what was said before it. */
static bool keep_agreeing(const char *text, const char *at, enum account_unit asked,
                          const struct account_meanings *before, struct account_meanings *out,
                          struct account_error *e) {
    struct account_meaning first = out->row[0];
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++)
        if (agrees(&out->row[i], before)) out->row[kept++] = out->row[i];
    out->count = kept;
    if (kept > 0) return true;
    char left[64], right[64];
    double was = before->row[0].value;
    return account_fail(
        e, account_column(text, at), "the two sides differ: %s and %s; which is the answer?",
        account_print(left, sizeof left, was, asked, account_digits(was, asked)),
        account_print(right, sizeof right, first.value, asked, account_digits(first.value, asked)));
}

bool account_read_meanings(const char *text, enum account_unit asked, struct account_meanings *out,
                           struct account_error *e) {
    struct account_meanings before = {0};
    const char *from = account_skip_opening(text), *at = NULL;
    if (!*from)
        return account_fail(
            e, account_column(text, from),
            "a number is missing here; type one such as 16.5 GB, or a sum such as (80 - 2*7)/4");
    for (size_t length;;) {
        struct part part = {.text = text, .from = from, .asked = asked};
        if (!read_part(&part, out, e)) return false;
        if (at && !keep_agreeing(text, at, asked, &before, out, e)) return false;
        if (!account_expression_ends(part.end, &length) || length == 0) return true;
        at = part.end;
        from = account_skip_opening(at);
        before = *out;
        if (!*from) return true; /* "2*7 =" */
    }
}

bool account_read_answer(const char *text, struct account_reading *out, struct account_error *e) {
    struct account_meanings m;
    *out = (struct account_reading){0};
    if (!account_read_meanings(text, ACCOUNT_UNIT_NONE, &m, e)) return false;
    *out = (struct account_reading){.value = m.row[0].value,
                                    .explicit_unit = m.row[0].explicit_unit,
                                    .count_suffix = m.row[0].counted,
                                    .unit = m.row[0].unit};
    return true;
}
