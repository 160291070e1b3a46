/* numbers: answers that are computed. The right one is the engine's; before it comes each mistake
 * that the engine knows for these very numbers, and on a worksheet for each of its blank lines. */
#include "journey/actor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_NUMBER 5e-3           /* as near as an answer must come */
enum { STAND_IN_PARAMS = 834304 }; /* what tests/experiment/zerolab.sh trains */

static bool is_decimal_size(const char *unit) {
    return strlen(unit) == 2 && unit[1] == 'B';
}

static bool is_binary_size(const char *unit) {
    return strlen(unit) == 3 && unit[1] == 'i' && unit[2] == 'B';
}

/* GiB for GB, or the reverse: whoever writes the other unit writes the right number before it. */
static void other_unit(const char *unit, char *out, size_t size) {
    if (is_decimal_size(unit)) snprintf(out, size, "%ciB", unit[0]);
    if (is_binary_size(unit)) snprintf(out, size, "%cB", unit[0]);
}

static bool is_written(const char *unit) {
    return strcmp(unit, "B") == 0 || is_decimal_size(unit) || is_binary_size(unit) ||
           strcmp(unit, "ms") == 0 || strcmp(unit, "s") == 0;
}

/* With its unit, where that is one of bytes or seconds: without it a thousandth of 5 ms may be
 * right in seconds. */
static void write_number(struct rehearsed *out, double base_value, const char *asked) {
    enum account_unit unit = ACCOUNT_UNIT_NONE;
    char name[16];
    bool twin = out->mistake && strcmp(out->mistake->id, "twin-unit") == 0;
    snprintf(name, sizeof name, "%s", asked);
    if (twin) other_unit(asked, name, sizeof name);
    account_unit_find(name, &unit);
    double value = base_value / account_unit_scale(unit);
    bool written = is_written(name);
    snprintf(out->text, sizeof out->text, "%.5g%s%s", value, written ? " " : "",
             written ? name : "");
}

/* What is asked and its solution: a try's variant, a guess's problem, or what a lab measured. */
struct known {
    struct account_problem p;
    struct account_solution s;
};

static bool solve(const json_t *problem, struct known *k) {
    return lesson_problem_read(problem, &k->p, NULL) && account_solve(&k->p, &k->s, NULL);
}

static bool solve_measured(const struct actor *l, struct known *k) {
    json_t *problem = json_deep_copy(json_object_get(actor_step(l), "problem"));
    json_object_set_new(json_object_get(problem, "training"), "params",
                        json_integer(STAND_IN_PARAMS));
    bool good = solve(problem, k);
    json_decref(problem);
    return good;
}

static bool know(const struct actor *l, const struct lesson_ask *ask, struct known *k) {
    enum lesson_step_kind kind = lesson_step_kind(l->lesson, l->step);
    if (kind == LESSON_LAB) return solve_measured(l, k);
    if (kind != LESSON_PROBLEM) return solve(json_object_get(actor_step(l), "problem"), k);
    json_t *variant = actor_variant(l, ask);
    bool good = solve(json_object_get(variant, "problem"), k);
    json_decref(variant);
    return good;
}

/* ── one number ────────────────────────────────────────────────────────────────────────────────*/
static bool is_about(const struct actor *l, const char *id) {
    const json_t *named;
    size_t i;
    json_array_foreach(json_object_get(actor_step(l), "about"), i, named) {
        if (strcmp(json_string_value(named), id) == 0) return true;
    }
    return false;
}

/* Where several mistakes come to the same number the likeliest is named, and this is another one.
 * Those that the problem is about are always to be named. */
static bool is_shadowed(const struct actor *l, const struct account_match *wrong,
                        const struct account_judgement *j) {
    const struct account_diagnosis *d = &j->diagnosis;
    if (is_about(l, wrong->mistake->id)) return false;
    for (size_t i = 0; i < d->count; i++)
        if (d->match[i].mistake == wrong->mistake) return false;
    return d->count > 0 &&
           fabs(d->match[0].value - wrong->value) <= SAME_NUMBER * fabs(wrong->value);
}

static bool can_be_made(const struct actor *l, const struct known *k, const char *id,
                        struct account_match *out) {
    struct rehearsed typed = {0};
    struct account_judgement j;
    if (!account_mistake_value(&k->p, id, out) || !isfinite(out->value)) return false;
    typed.mistake = out->mistake;
    write_number(&typed, out->value, account_unit_name(k->s.unit));
    account_judge(&k->p, typed.text, &j);
    return !is_shadowed(l, out, &j);
}

static bool can_be_made_in(const struct actor *l, const struct known *k, size_t line,
                           const char *id, struct account_match *out) {
    struct rehearsed typed = {0};
    struct account_judgement j;
    if (!account_line_mistake(&k->p, &k->s, line, id, out) || !isfinite(out->value)) return false;
    typed.mistake = out->mistake;
    write_number(&typed, out->value, account_unit_name(k->s.line[line].unit));
    account_judge_line(&k->p, &k->s, line, NULL, typed.text, &j);
    return !is_shadowed(l, out, &j);
}

/* The next mistake that can be made with these numbers. */
static bool next_mistake(struct actor *l, const struct known *k, struct account_match *out) {
    size_t n;
    const struct account_mistake *all = account_mistakes(&n);
    while (l->made < l->way.wrong && l->next < n) {
        const char *id = all[(l->way.from + l->step + l->next++) % n].id;
        if (!can_be_made(l, k, id, out)) continue;
        l->made++;
        return true;
    }
    return false;
}

bool actor_says_number(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out) {
    struct known k = {0};
    struct account_match wrong;
    if (!know(l, ask, &k)) return false;
    bool errs = ask->graded && next_mistake(l, &k, &wrong);
    out->right = !errs;
    out->mistake = errs ? wrong.mistake : NULL;
    write_number(out, errs ? wrong.value : k.s.value, ask->unit);
    return true;
}

/* ── a worksheet ───────────────────────────────────────────────────────────────────────────────*/
static bool is_asked(const struct lesson_sheet_line *line) {
    return line->state == 1 || line->state == 2;
}

/* The next line that is to be wrong in this try, and how. */
static void plan_slip(struct actor *l, const struct known *k, const struct lesson_ask *ask) {
    size_t n;
    const struct account_mistake *all = account_mistakes(&n);
    l->wrong_line = ACCOUNT_LINES;
    while (l->made < l->way.wrong && l->next < n * ask->lines) {
        size_t line = l->next / n;
        const char *id = all[(l->way.from + l->step + l->next++) % n].id;
        if (!is_asked(&ask->sheet[line]) || !can_be_made_in(l, k, line, id, &l->wrong)) continue;
        l->made++;
        l->wrong_line = line;
        return;
    }
}

static void begin_sheet(struct actor *l, const struct known *k, const struct lesson_ask *ask) {
    l->try = ask->try;
    for (size_t i = 0; i < ACCOUNT_LINES; i++) l->given[i] = NAN;
    plan_slip(l, k, ask);
}

bool actor_says_line(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out) {
    struct known k = {0};
    if (!know(l, ask, &k)) return false;
    if (l->try != ask->try) begin_sheet(l, &k, ask);
    bool errs = ask->line == l->wrong_line;
    double right = account_carry(&k.p, &k.s, ask->line, l->given);
    if (!isfinite(right)) right = k.s.line[ask->line].value;
    out->right = !errs;
    out->mistake = errs ? l->wrong.mistake : NULL;
    l->given[ask->line] = errs ? l->wrong.value : right;
    write_number(out, l->given[ask->line], ask->unit);
    return true;
}
