/* Which mistakes a variant of a problem can tell, and which of them a value tells of. */
#include "account/problems/diagnose.h"

#include "account/numbers/dimension.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool account_is_right(double value, double truth, enum account_unit unit, double tolerance) {
    if (unit == ACCOUNT_UNIT_GPUS) return value == truth;
    return account_distance(value, truth) <= tolerance ||
           account_is_rounded(value, truth, account_unit_scale(unit), 3);
}

/* A mistake can be told from the truth if it is four of the smallest tolerances away (so that a
 * quarter of the distance is still one), rounding both to three digits does not make them one
 * number, and it is not what the truth would be, rounded too early. */
static bool is_told(double mistake, double truth, enum account_unit unit) {
    if (unit == ACCOUNT_UNIT_GPUS) return mistake != truth;
    if (account_distance(mistake, truth) < 4 * ACCOUNT_LEAST_TOLERANCE) return false;
    double scale = account_unit_scale(unit);
    double step = truth > 0 ? pow(10, floor(log10(truth / scale)) - 2) * scale : 1;
    double rounded = floor(mistake / step + 0.5) * step;
    return !account_is_rounded(mistake, truth, scale, 3) &&
           !account_is_rounded(rounded, truth, scale, 3) &&
           !account_is_rounded(rounded, truth, scale, 2);
}

/* 0 for the commonest mistakes. */
static unsigned rarity_of(const struct account_variant *v, size_t i) {
    const struct account_mistake_row *row = &account_mistake_rows[v->told[i].row];
    bool unlikely = row->whole && account_asks_one_category(v->problem);
    return row->rarity + (unlikely ? ACCOUNT_FAR_FETCHED : 0u);
}

/* Small whole numbers coincide by accident, so of two that are equally common the one that stands
 * first in the table is named. */
static bool is_commoner(const struct account_variant *v, size_t a, size_t b) {
    unsigned first = rarity_of(v, a), second = rarity_of(v, b);
    return first < second || (v->unit == ACCOUNT_UNIT_GPUS && first == second && a < b);
}

/* A rarer mistake that gives the very number of a commoner one in this variant comes after it. */
static bool has_commoner(const struct account_variant *v, size_t i) {
    for (size_t j = 0; j < v->count; j++)
        if (is_commoner(v, j, i) && account_distance(v->told[j].value, v->told[i].value) < 1e-9)
            return true;
    return false;
}

static void put_namesakes_last(struct account_variant *v) {
    bool last[ACCOUNT_MOST_MISTAKES];
    struct account_told namesake[ACCOUNT_MOST_MISTAKES];
    size_t kept = 0, namesakes = 0;
    for (size_t i = 0; i < v->count; i++) last[i] = has_commoner(v, i);
    for (size_t i = 0; i < v->count; i++)
        if (last[i])
            namesake[namesakes++] = v->told[i];
        else
            v->told[kept++] = v->told[i];
    memcpy(v->told + kept, namesake, namesakes * sizeof *namesake);
    v->count = kept;
    v->all = kept + namesakes;
}

bool account_variant(const struct account_problem *p, struct account_variant *out) {
    double asked = p->tolerance > 0 ? p->tolerance : 0.005, nearest = HUGE_VAL, value;
    out->count = 0;
    out->problem = p;
    if (!account_true_answer(p, &out->grounds, &out->truth, NULL)) return false;
    out->unit = account_problem_unit(p);
    size_t rows;
    account_mistakes(&rows);
    for (size_t i = 0; i < rows && out->count < ACCOUNT_MOST_MISTAKES; i++) {
        if (!account_mistaken_value(i, p, &out->grounds, &value) ||
            !is_told(value, out->truth, out->unit))
            continue;
        out->told[out->count].row = i;
        out->told[out->count++].value = value;
        nearest = fmin(nearest, account_distance(value, out->truth));
    }
    put_namesakes_last(out);
    out->tolerance = fmax(fmin(asked, nearest / 4), ACCOUNT_LEAST_TOLERANCE);
    /* a mistake that is taken for the truth would be told that it is right */
    for (size_t i = 0; i < out->count; i++)
        assert(!account_is_right(out->told[i].value, out->truth, out->unit, out->tolerance));
    return true;
}

double account_clearance(const struct account_problem *p) {
    struct account_grounds grounds;
    double truth, value, nearest = HUGE_VAL;
    size_t rows;
    account_mistakes(&rows);
    if (p->kind == ACCOUNT_ASK_CONVERT || account_is_binary_size(account_problem_unit(p)) ||
        !account_true_answer(p, &grounds, &truth, NULL) || !(truth > 0))
        return 0;
    for (size_t i = 0; i < rows; i++) {
        if (account_mistake_rows[i].unit != ACCOUNT_UNIT_RIGHT ||
            account_mistake_rows[i].apply == account_mistake_gpus_down ||
            !account_mistaken_value(i, p, &grounds, &value))
            continue;
        double distance = account_distance(value, truth);
        if (distance > 1e-9) nearest = fmin(nearest, distance);
    }
    return nearest;
}

/* ── which mistakes yield a value ──────────────────────────────────────────────────────────────*/

static bool yields(const struct account_variant *v, size_t i, double value) {
    return account_is_right(value, v->told[i].value, v->unit, v->tolerance);
}

/* Where a mistake gives the number itself, others that merely come close are left out; and so are
 * the rarer ones. */
struct filter {
    bool exact;
    unsigned rarity;
};

static bool is_exact(const struct account_variant *v, size_t i, double value) {
    return account_distance(value, v->told[i].value) < 1e-9;
}

static struct filter filter_of(const struct account_variant *v, double value) {
    struct filter f = {false, 255};
    for (size_t i = 0; i < v->count; i++) f.exact |= is_exact(v, i, value);
    for (size_t i = 0; i < v->count; i++) {
        if (!yields(v, i, value) || (f.exact && !is_exact(v, i, value))) continue;
        if (rarity_of(v, i) < f.rarity) f.rarity = rarity_of(v, i);
    }
    return f;
}

size_t account_variant_find(const struct account_variant *v, double value, size_t *out) {
    size_t count = 0;
    if (account_is_right(value, v->truth, v->unit, v->tolerance)) return 0;
    struct filter f = filter_of(v, value);
    for (size_t i = 0; i < v->count && count < ACCOUNT_MATCHES; i++) {
        if (rarity_of(v, i) > f.rarity || !yields(v, i, value)) continue;
        if (f.exact && !is_exact(v, i, value)) continue;
        out[count++] = i;
    }
    return count;
}

static bool is_far_fetched(size_t row) {
    return account_mistake_rows[row].rarity >= ACCOUNT_FAR_FETCHED;
}

bool account_is_far_fetched(const struct account_diagnosis *d) {
    size_t rows;
    const struct account_mistake *names = account_mistakes(&rows);
    for (size_t i = 0; i < d->count; i++)
        if (!is_far_fetched((size_t)(d->match[i].mistake - names))) return false;
    return d->others == 0;
}

static bool is_namesake(const struct account_variant *v, size_t i, const size_t *found,
                        size_t count) {
    for (size_t k = 0; k < count; k++)
        if (is_exact(v, found[k], v->told[i].value)) return !is_far_fetched(v->told[i].row);
    return false;
}

/* Whether one of `said` is the same mistake in other words. */
static bool is_said(const struct account_variant *v, size_t i, const size_t *said, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (account_mistaken_alike(v->told[said[k]].row, v->told[i].row, v->problem, &v->grounds))
            return true;
    return false;
}

static void add_others(const struct account_variant *v, const size_t *found, size_t count,
                       struct account_diagnosis *out) {
    size_t rows;
    const struct account_mistake *mistakes = account_mistakes(&rows);
    size_t said[ACCOUNT_MATCHES + ACCOUNT_OTHERS];
    memcpy(said, found, count * sizeof *said);
    for (size_t i = v->count; i < v->all && out->others < ACCOUNT_OTHERS; i++) {
        if (!is_namesake(v, i, found, count) || is_said(v, i, said, count + out->others)) continue;
        said[count + out->others] = i;
        out->other[out->others++] = &mistakes[v->told[i].row];
    }
}

void account_variant_diagnose(const struct account_variant *v, double value,
                              struct account_diagnosis *out) {
    size_t found[ACCOUNT_MATCHES] = {0}, count = account_variant_find(v, value, found);
    out->count = out->others = 0;
    add_others(v, found, count, out);
    for (size_t i = 0; i < count; i++)
        if (!is_said(v, found[i], found, i) &&
            account_mistaken(v->told[found[i]].row, v->problem, &v->grounds,
                             &out->match[out->count]))
            out->count++;
}

/* ── two at once ───────────────────────────────────────────────────────────────────────────────*/

/* Common mistakes of different subjects, or a less common one and a unit. A mistake that is a
 * unit's alone is not made twice, and what gives small whole numbers gives any of them by two
 * mistakes. */
static bool may_pair(const struct account_variant *v, size_t i, size_t j) {
    const struct account_mistake_row *a = &account_mistake_rows[v->told[i].row],
                                     *b = &account_mistake_rows[v->told[j].row];
    unsigned most = b->subject == ACCOUNT_ABOUT_UNITS ? 1 : 0;
    return a->rarity <= most && b->rarity == 0 && a->subject != b->subject &&
           b->unit != ACCOUNT_UNIT_WRITTEN;
}

static bool has_pairs(const struct account_variant *v) {
    return v->unit != ACCOUNT_UNIT_GPUS && v->unit != ACCOUNT_UNIT_NONE &&
           v->unit != ACCOUNT_UNIT_B_PER_PARAM &&
           account_kinds[v->problem->kind].base != ACCOUNT_ON_SHARDS;
}

static bool pair_yields(const struct account_variant *v, size_t i, size_t j, double value) {
    double yielded;
    return may_pair(v, i, j) &&
           account_mistaken_pair_value(v->told[i].row, v->told[j].row, v->problem, &v->grounds,
                                       &yielded) &&
           account_is_right(value, yielded, v->unit, ACCOUNT_LEAST_TOLERANCE);
}

struct pairs {
    /* of the variant's mistakes */
    size_t count, first[ACCOUNT_MATCHES], second;
};

/* False where it cannot be told which they are: two with the same second are either … or …, as they
 * would be without it. */
static bool find_pairs(const struct account_variant *v, double value, struct pairs *out) {
    *out = (struct pairs){0};
    for (size_t i = 0; i < v->count; i++)
        for (size_t j = i + 1; j < v->count; j++) {
            if (!pair_yields(v, i, j, value)) continue;
            if (out->count == ACCOUNT_MATCHES || (out->count && out->second != j)) return false;
            out->first[out->count++] = i;
            out->second = j;
        }
    return true;
}

void account_variant_pair(const struct account_variant *v, double value,
                          struct account_diagnosis *out) {
    struct pairs found;
    out->count = out->others = 0;
    if (!has_pairs(v) || account_is_right(value, v->truth, v->unit, v->tolerance)) return;
    if (!find_pairs(v, value, &found)) return;
    add_others(v, found.first, found.count, out);
    for (size_t i = 0; i < found.count; i++)
        if (account_mistaken_pair(v->told[found.first[i]].row, v->told[found.second].row,
                                  v->problem, &v->grounds, &out->match[out->count]))
            out->count++;
}

void account_diagnose(const struct account_problem *p, double value,
                      struct account_diagnosis *out) {
    struct account_variant v;
    out->count = out->others = 0;
    if (!account_variant(p, &v)) return;
    account_variant_diagnose(&v, value, out);
    if (out->count == 0) account_variant_pair(&v, value, out);
}

const char *account_diagnosis_names(const struct account_diagnosis *d, char *out, size_t size) {
    struct account_text t = account_text(out, size);
    size_t all = d->count + d->others;
    for (size_t i = 0; i < all; i++)
        account_add(&t, "%s%s",
                    all == 1 ? ""
                    : i == 0 ? "either "
                             : ", or ",
                    i < d->count ? d->match[i].mistake->name : d->other[i - d->count]->name);
    /* pairs have the same second */
    if (d->count > 0 && d->match[0].also)
        account_add(&t, "%s and %s", all == 1 ? "," : ";", d->match[0].also->name);
    return out;
}

static const char *id_of(const struct account_variant *v, size_t i) {
    size_t count;
    return account_mistakes(&count)[v->told[i].row].id;
}

/* Where the variant has the mistake; `v->count` if it has not. */
static size_t told(const struct account_variant *v, const char *id) {
    size_t i = 0;
    while (i < v->count && strcmp(id_of(v, i), id) != 0) i++;
    return i;
}

bool account_mistake_value(const struct account_problem *p, const char *id,
                           struct account_match *out) {
    struct account_variant v;
    if (!account_variant(p, &v)) return false;
    size_t i = told(&v, id);
    return i < v.count && account_mistaken(v.told[i].row, p, &v.grounds, out);
}

/* ── whether a variant is fit to be asked ──────────────────────────────────────────────────────*/

static void set_name(char *out, size_t size, const char *name) {
    struct account_text t = account_text(out, size);
    account_add(&t, "%s", name);
}

static void closer(struct account_separation *s, double distance, const char *a, const char *b) {
    if (!(distance < s->distance)) return;
    s->distance = distance;
    set_name(s->a, sizeof s->a, a);
    set_name(s->b, sizeof s->b, b);
}

/* A mistake remains if the diagnosis of its own number names it. */
static bool remains(const struct account_variant *v, size_t i) {
    size_t found[ACCOUNT_MATCHES],
        count = i < v->count ? account_variant_find(v, v->told[i].value, found) : 0;
    for (size_t k = 0; k < count; k++)
        if (found[k] == i) return true;
    return false;
}

/* Two mistakes that the problem is about must not answer to the same number. */
static void check_about(const struct account_variant *v, const char *const *about, size_t count,
                        struct account_separation *out) {
    for (size_t i = 0; i < count; i++) {
        size_t a = told(v, about[i]);
        bool apart = remains(v, a);
        for (size_t j = 0; apart && j < i; j++) {
            size_t b = told(v, about[j]);
            if (b == v->count || a == b) continue;
            double distance = account_distance(v->told[b].value, v->told[a].value);
            closer(out, distance, about[i], about[j]);
            apart = v->unit == ACCOUNT_UNIT_GPUS ? distance > 0 : distance > 2 * v->tolerance;
        }
        if (apart || !out->legal) continue;
        out->legal = false;
        set_name(out->missing, sizeof out->missing, about[i]);
    }
}

void account_separate(const struct account_problem *p, const char *const *about, size_t count,
                      struct account_separation *out) {
    struct account_variant v;
    *out = (struct account_separation){.distance = HUGE_VAL};
    if (!account_variant(p, &v)) return;
    out->legal = true;
    out->tolerance = v.tolerance;
    for (size_t i = 0; i < v.count; i++)
        closer(out, account_distance(v.told[i].value, v.truth), "truth", id_of(&v, i));
    check_about(&v, about, count, out);
}
