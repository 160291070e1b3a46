/* lint_vary.c: every varying step over many seeds: a legal variant each time, its own right
 * answer judged right, and each mistake that the step is about recognised when a learner makes it;
 * and the same again when it is asked again. The first seed that fails is the finding. */
#include "lesson/lint.h"

#include <string.h>

/* What a learner would type: four digits, in the unit asked. */
static const char *typed(char *out, size_t size, double value, enum account_unit unit) {
    return account_print(out, size, value / account_unit_scale(unit), ACCOUNT_UNIT_NONE, 4);
}

struct drawn {
    struct account_problem p;
    struct account_solution s;
    uint64_t seed;
};

static bool right_is_right(struct lint *t, size_t i, const struct drawn *v) {
    struct account_judgement j;
    char text[64];
    account_judge(&v->p, typed(text, sizeof text, v->s.value, v->s.unit), &j);
    if (j.verdict == ACCOUNT_RIGHT) return true;
    lesson_lint_find_at(t, i, "seed %llu: its own answer %s is judged %s",
                        (unsigned long long)v->seed, text, account_verdict_name(j.verdict));
    return false;
}

static bool names(const struct account_diagnosis *g, const char *id) {
    for (size_t i = 0; i < g->count; i++)
        if (strcmp(g->match[i].mistake->id, id) == 0) return true;
    return false;
}

static bool named(struct lint *t, size_t i, const struct drawn *v, const char *id, const char *text,
                  const struct account_judgement *j) {
    if (names(&j->diagnosis, id)) return true;
    lesson_lint_find_at(t, i, "seed %llu: %s, which is '%s', is judged %s and not named",
                        (unsigned long long)v->seed, text, id, account_verdict_name(j->verdict));
    return false;
}

static bool mistakes_are_named(struct lint *t, size_t i, const struct drawn *v) {
    const char *about[ABOUT_MOST];
    size_t n = lesson_about(t->l, i, about, ABOUT_MOST);
    struct account_match match;
    struct account_judgement j;
    char text[64];
    for (size_t k = 0; k < n; k++) {
        if (!account_mistake_value(&v->p, about[k], &match)) continue;
        account_judge(&v->p, typed(text, sizeof text, match.value, v->s.unit), &j);
        if (!named(t, i, v, about[k], text, &j)) return false;
    }
    return true;
}

static bool line_is_right(struct lint *t, size_t i, const struct drawn *v, size_t k) {
    const struct account_line *line = &v->s.line[k];
    struct account_judgement j;
    char text[64];
    typed(text, sizeof text, line->value, line->unit);
    account_judge_line(&v->p, &v->s, k, NULL, text, &j);
    if (j.verdict == ACCOUNT_RIGHT) return true;
    lesson_lint_find_at(t, i, "seed %llu: line '%s': its own answer %s is judged %s",
                        (unsigned long long)v->seed, line->id, text,
                        account_verdict_name(j.verdict));
    return false;
}

static bool line_mistakes_are_named(struct lint *t, size_t i, const struct drawn *v, size_t k) {
    const char *about[ABOUT_MOST];
    size_t n = lesson_about(t->l, i, about, ABOUT_MOST);
    struct account_match match;
    struct account_judgement j;
    char text[64];
    for (size_t a = 0; a < n; a++) {
        if (!account_line_mistake(&v->p, &v->s, k, about[a], &match)) continue;
        typed(text, sizeof text, match.value, v->s.line[k].unit);
        account_judge_line(&v->p, &v->s, k, NULL, text, &j);
        if (!named(t, i, v, about[a], text, &j)) return false;
    }
    return true;
}

/* Lines that are given at first must be fair too: as a learner succeeds they become blank. */
static bool sheet_is_fair(struct lint *t, size_t i, const struct drawn *v) {
    for (size_t k = 0; k < v->s.lines; k++)
        if (!line_is_right(t, i, v, k) || (lesson_sheet_is_blank(t->l->step[i].json, &v->s, k) &&
                                           !line_mistakes_are_named(t, i, v, k)))
            return false;
    return true;
}

struct closest {
    bool any;
    struct account_separation apart;
    uint64_t seed;
};

static void weigh(struct lint *t, size_t i, const struct drawn *v, struct closest *c) {
    const char *about[ABOUT_MOST];
    struct account_separation apart;
    account_separate(&v->p, about, lesson_about(t->l, i, about, ABOUT_MOST), &apart);
    if (c->any && apart.distance >= c->apart.distance) return;
    *c = (struct closest){true, apart, v->seed};
}

/* A legal variant; NULL once the reason is told or the time is up. */
static json_t *draw(struct lint *t, size_t i, uint64_t seed) {
    struct base_message m = {0};
    json_t *variant = lesson_variant(t->l, i, t->source, seed, &m);
    if (variant != NULL || t->pace.over) return variant;
    t->report(t->to, &m);
    t->findings++;
    return NULL;
}

static bool is_fair(struct lint *t, size_t i, uint64_t seed, const json_t *variant,
                    struct closest *c) {
    struct drawn v = {.seed = seed};
    struct account_error e;
    const json_t *problem = json_object_get(variant, "problem");
    if (problem == NULL || !lesson_problem_read(problem, &v.p, NULL) ||
        !account_solve(&v.p, &v.s, &e))
        return true;
    weigh(t, i, &v, c);
    if (strcmp(lesson_form(t->l, i), "sheet") == 0) return sheet_is_fair(t, i, &v);
    return right_is_right(t, i, &v) && mistakes_are_named(t, i, &v);
}

/* ── the same again ──────────────────────────────────────────────────────────────────────────────
 * A try that was left half done must come back with its numbers, so vary may depend on nothing but
 * r. What it keeps between calls shows when a lesson that was started anew is asked for the same
 * seeds in another order: from the last to the first and back, since what alternates looks the same
 * in one of the two. */
enum { KEPT = 8 };

static void lint_again(struct lint *t, size_t i, json_t *const *kept) {
    t->source.restart(t->source.self);
    for (int n = 0; n < 2 * KEPT; n++) {
        int k = n < KEPT ? KEPT - 1 - n : n - KEPT;
        if (kept[k] == NULL) continue;
        uint64_t seed = lesson_seed(0, t->l->step[i].item, k + 1);
        json_t *again = lesson_variant(t->l, i, t->source, seed, NULL);
        bool same = json_equal(again, kept[k]);
        json_decref(again);
        if (same) continue;
        if (!t->pace.over)
            lesson_lint_find_at(
                t, i,
                "vary gives other numbers when it is asked again with the same r: it must "
                "depend on r alone, and keep nothing between calls");
        return;
    }
}

static void tell_slow(struct lint *t, size_t i, int tried) {
    lesson_lint_find_at(
        t, i, "vary takes %lld ms per try, so only %d of %d seeds were tried: make it faster",
        (long long)lesson_lint_pace_spent(&t->pace) / (tried > 0 ? tried : 1), tried, t->seeds);
}

static void tell_worst(struct lint *t, size_t i, const struct closest *c, int tried) {
    if (!c->any || t->worst == NULL) return;
    char line[240];
    snprintf(line, sizeof line,
             "%s: the closest pair over %d seeds is %s and %s, %.3g%% apart (seed %llu)",
             t->l->step[i].item, tried, c->apart.a, c->apart.b, 100 * c->apart.distance,
             (unsigned long long)c->seed);
    t->worst(t->to, line);
}

/* The names of blanks must be lines of the sheet; one draw shows them. */
static void lint_blanks(struct lint *t, size_t i) {
    const json_t *name, *blanks = json_object_get(t->l->step[i].json, "blank");
    struct drawn v = {.seed = lesson_seed(0, t->l->step[i].item, 1)};
    struct account_error e;
    json_t *variant = blanks != NULL ? lesson_variant(t->l, i, t->source, v.seed, NULL) : NULL;
    if (variant == NULL) return;
    bool solved = lesson_problem_read(json_object_get(variant, "problem"), &v.p, NULL) &&
                  account_solve(&v.p, &v.s, &e);
    size_t k;
    json_array_foreach(blanks, k, name) {
        bool known = !solved;
        for (size_t n = 0; n < v.s.lines; n++)
            known = known || strcmp(v.s.line[n].id, json_string_value(name)) == 0;
        if (!known)
            lesson_lint_find_at(t, i, "'blank' names '%.40s', which is not a line of this sheet",
                                json_string_value(name));
    }
    json_decref(variant);
}

/* How many seeds were tried; as many as were asked for unless one gave a finding or the time ran
 * out. */
static int try_seeds(struct lint *t, size_t i, struct closest *c, json_t **kept,
                     struct lint_seen *seen) {
    for (int k = 0; k < t->seeds; k++) {
        uint64_t seed = lesson_seed(0, t->l->step[i].item, k + 1);
        json_t *variant = draw(t, i, seed);
        if (variant == NULL) return k;
        const json_t *problem = json_object_get(variant, "problem");
        bool fair =
            problem == NULL || lesson_lint_seen(seen, problem) || is_fair(t, i, seed, variant, c);
        if (k < KEPT) kept[k] = json_incref(variant);
        json_decref(variant);
        if (!fair) return k + 1;
    }
    return t->seeds;
}

static void vary_step(struct lint *t, size_t i) {
    struct closest c = {0};
    json_t *kept[KEPT] = {NULL};
    size_t before = t->findings;
    lesson_lint_pace_step(&t->pace);
    struct lint_seen seen = lesson_lint_seen_begin(t->seeds);
    int tried = try_seeds(t, i, &c, kept, &seen);
    lesson_lint_seen_end(&seen);
    if (t->pace.over)
        tell_slow(t, i, tried);
    else if (t->findings == before)
        lint_again(t, i, kept);
    for (int k = 0; k < KEPT; k++) json_decref(kept[k]);
    tell_worst(t, i, &c, tried);
    if (strcmp(lesson_form(t->l, i), "sheet") == 0) lint_blanks(t, i);
}

void lesson_lint_vary(struct lint *t) {
    for (size_t i = 0; i < t->l->count; i++) {
        if (t->l->step[i].kind != LESSON_PROBLEM) continue;
        if (lesson_lint_pace_done(&t->pace)) {
            lesson_lint_find_at(t, i,
                                "no problem from here on was tried: those before took too long");
            return;
        }
        vary_step(t, i);
    }
}
