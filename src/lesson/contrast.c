/* contrast.c: a number next to the right one, pile by pile and as bars: for guesses, and for a
 * mistake that is made a third time. */
#include "lesson/handler.h"

#include <stdlib.h>
#include <string.h>

enum { OFTEN = 3 };

static json_t *ledger_json(const struct account_ledger *l) {
    json_t *bytes = json_object();
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (l->bytes[c] > 0)
            json_object_set_new(bytes, account_category_name((enum account_category)c),
                                json_real((double)l->bytes[c]));
    return bytes;
}

static void add_column(json_t *columns, const char *label, const struct account_ledger *l) {
    if (l->total > 0)
        json_array_append_new(columns,
                              json_pack("{s:s, s:o}", "label", label, "bytes", ledger_json(l)));
}

/* A known number on one side of the guess; the truth has its own column. */
static void add_known(json_t *columns, const struct account_known *k, enum account_unit unit) {
    if (k->match.mistake == NULL) return;
    char *value = lesson_working_value(k->value, unit);
    char *label = base_format("at %s", value);
    add_column(columns, label, &k->ledger);
    free(label);
    free(value);
}

/* NULL if the number is not a sum of piles. */
static json_t *piles_of(const struct account_problem *p, enum account_unit unit,
                        const struct account_guess *g, const char *whose) {
    if (!g->piled) return NULL;
    json_t *columns = json_array();
    add_known(columns, &g->below, unit);
    add_known(columns, &g->above, unit);
    add_column(columns, whose, &g->yours);
    add_column(columns, "it is", &g->truth);
    return json_pack("{s:s, s:o, s:f, s:s}", "kind", "piles", "columns", columns, "params",
                     (double)p->training.params, "unit", account_unit_name(unit));
}

static void copy_field(json_t *to, const json_t *step, const char *name) {
    if (json_object_get(step, name) != NULL) json_object_set(to, name, json_object_get(step, name));
}

json_t *lesson_piles(const struct lesson_dialogue *d, const struct account_guess *g) {
    const struct attempt *a = &d->state.attempt;
    json_t *figure = piles_of(&a->problem, a->solution.unit, g, "yours");
    if (figure == NULL) return NULL;
    copy_field(figure, lesson_step_json(d), "notes");
    copy_field(figure, lesson_step_json(d), "limit");
    return figure;
}

json_t *lesson_contrast(const struct account_problem *p, const char *typed) {
    struct account_guess g = {0};
    struct account_solution s;
    account_guess(p, typed, &g);
    if (g.yours.total == 0 || !account_solve(p, &s, NULL)) return NULL;
    return piles_of(p, s.unit, &g, "typed");
}

/* ── a mistake that comes back ─────────────────────────────────────────────────────────────────*/
struct repeats {
    const char *mistake;
    size_t times;
};

static void count(void *to, const struct lesson_answer *a) {
    struct repeats *r = to;
    r->times += strcmp(a->mistake, r->mistake) == 0;
}

void lesson_contrast_show(struct lesson_dialogue *d, const struct record *r) {
    struct repeats s = {.mistake = r->mistake};
    struct account_guess g = {0};
    if (r->mistake == NULL || *r->mistake == '\0') return;
    d->journal.answers(d->journal.self, d->lesson->step[d->at].item, count, &s, NULL);
    if (s.times < OFTEN) return;
    lesson_show_owned(
        d, LESSON_BAD,
        base_format("You have made this mistake %zu times here. Compare the two:", s.times));
    account_guess(&d->state.attempt.problem, r->typed, &g);
    lesson_show_figure(d, LESSON_PLAIN, NULL, lesson_keep_json(&d->events, lesson_piles(d, &g)));
}
