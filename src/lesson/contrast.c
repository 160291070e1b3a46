/* contrast.c: a number next to the right one, pile by pile and as bars: for guesses, and for a
 * mistake that is made a third time; and the right one in a figure that left it open. */
#include "lesson/handler.h"

#include <math.h>
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

json_t *lesson_contrast(const struct account_problem *p, const char *typed) {
    struct account_guess g = {0};
    struct account_solution s;
    account_guess(p, typed, &g);
    if (g.yours.total == 0 || !account_solve(p, &s, NULL)) return NULL;
    return piles_of(p, s.unit, &g, "typed");
}

/* Takes the text. */
static json_t *amount(const char *label, double value, char *text) {
    json_t *row = json_pack("{s:s, s:f, s:s}", "label", label, "value", value, "text", text);
    free(text);
    return row;
}

/* Of any problem: the two numbers. NULL if they are the same, or no number was answered. */
static json_t *amounts_of(double yours, double truth, enum account_unit unit) {
    if (!isfinite(yours) || fabs(yours - truth) <= 1e-9 * fabs(truth)) return NULL;
    return json_pack("{s:s, s:[o, o]}", "kind", "amounts", "rows",
                     amount("yours", yours, lesson_typed_value(yours, unit)),
                     amount("it is", truth, lesson_working_value(truth, unit)));
}

static void copy_field(json_t *to, const json_t *step, const char *name) {
    if (json_object_get(step, name) != NULL) json_object_set(to, name, json_object_get(step, name));
}

/* Whether it is a number, and the piles have no column for it. */
static bool stands_alone(const struct account_guess *g) {
    return g->yours.total == 0 && g->judged.value >= 0 && isfinite(g->judged.value) &&
           g->is != ACCOUNT_GUESS_UNREADABLE && g->is != ACCOUNT_GUESS_RIGHT;
}

json_t *lesson_guess_figure(const struct lesson_dialogue *d, const struct account_guess *g) {
    const struct attempt *a = &d->state.attempt;
    json_t *figure = piles_of(&a->problem, a->solution.unit, g, "yours");
    if (figure == NULL && stands_alone(g))
        return amounts_of(g->judged.value, a->solution.value, a->solution.unit);
    if (figure == NULL) return NULL;
    if (stands_alone(g)) json_object_set_new(figure, "yours", json_real(g->judged.value));
    copy_field(figure, lesson_step_json(d), "notes");
    copy_field(figure, lesson_step_json(d), "limit");
    return figure;
}

/* ── what a question left open ─────────────────────────────────────────────────────────────────*/
static bool is_open(const json_t *bar) {
    return base_json_bool(bar, "unknown", false);
}

/* The bar keeps its label. Its training says what the piles belong to. */
static void close_bar(json_t *bar, const struct account_ledger *truth, const json_t *problem) {
    json_object_del(bar, "unknown");
    json_object_set_new(bar, "bytes", ledger_json(truth));
    copy_field(bar, problem, "training");
}

void lesson_show_known(struct lesson_dialogue *d) {
    const json_t *variant = d->state.attempt.variant;
    json_t *figure = json_deep_copy(json_object_get(variant, "figure")), *bar;
    struct account_guess g = {0};
    size_t i, open = 0;
    json_array_foreach(json_object_get(figure, "bars"), i, bar) open += is_open(bar);
    if (open > 0) account_guess(&d->state.attempt.problem, "", &g);
    if (!g.piled) {
        json_decref(figure);
        return;
    }
    json_array_foreach(json_object_get(figure, "bars"), i, bar) if (is_open(bar))
        close_bar(bar, &g.truth, json_object_get(variant, "problem"));
    lesson_show_event(d, LESSON_LEDGER)->figure = lesson_keep_json(&d->events, figure);
}

/* ── a mistake that comes back ─────────────────────────────────────────────────────────────────*/
struct repeats {
    const char *mistake;
    size_t times;
};

/* A sheet tells the mistake of a line with the line, and with the whole try. */
static void count(void *to, const struct lesson_answer *a) {
    struct repeats *r = to;
    r->times += *a->line == '\0' && strcmp(a->mistake, r->mistake) == 0;
}

/* Of a sheet: the last line that was answered; others are given. */
static json_t *line_of(const struct lesson_dialogue *d) {
    const struct account_solution *s = &d->state.attempt.solution;
    size_t end = s->lines;
    while (end > 0 && isnan(d->state.given[end - 1])) end--;
    if (end == 0) return NULL;
    const struct account_line *l = &s->line[end - 1];
    return amounts_of(d->state.given[end - 1], l->value, l->unit);
}

/* Pile by pile if the piles behind the number are known. */
static json_t *contrast_of(const struct lesson_dialogue *d, const struct record *r) {
    const struct attempt *a = &d->state.attempt;
    struct account_guess g = {0};
    if (*r->typed == '\0') return line_of(d);
    account_guess(&a->problem, r->typed, &g);
    if (g.yours.total > 0) return lesson_guess_figure(d, &g);
    return amounts_of(r->value, a->solution.value, a->solution.unit);
}

/* ── a choice that comes back ────────────────────────────────────────────────────────────────────
 * Choices come in any order and with other numbers: those of the same words are the same mistake.
 */
static const json_t *choices_of(const json_t *variant) {
    return json_object_get(variant, "choices");
}

static const json_t *chosen_of(const json_t *choices, const char *typed) {
    size_t at;
    return lesson_pick_one(typed, json_array_size(choices), &at) ? json_array_get(choices, at)
                                                                 : NULL;
}

static const json_t *right_of(const json_t *choices) {
    size_t i = 0;
    while (i + 1 < json_array_size(choices) &&
           !base_json_bool(json_array_get(choices, i), "right", false))
        i++;
    return json_array_get(choices, i);
}

static const char *text_of(const json_t *choice) {
    return base_json_text(choice, "text", "");
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool same_words(const char *a, const char *b) {
    do {
        while (*a && !is_letter(*a)) a++;
        while (*b && !is_letter(*b)) b++;
    } while (*a && *a++ == *b++);
    return !*a && !*b;
}

struct chosen {
    const char *text;
    /* The right one has the same words, as "stage 1" has of "stage 2": then numbers tell. */
    bool numbered;
    size_t times;
};

static void count_chosen(void *to, const struct lesson_answer *a) {
    struct chosen *c = to;
    const json_t *choice = chosen_of(choices_of(a->problem), a->typed);
    bool same = choice != NULL && (c->numbered ? strcmp(text_of(choice), c->text) == 0
                                               : same_words(text_of(choice), c->text));
    c->times += same && strcmp(a->verdict, VERDICT_WRONG) == 0;
}

/* The figure that a choice begins with, as a row of bars; NULL if it begins with none. */
static json_t *bar_of(const char *label, const char *text, struct account_figure *f) {
    const char *end = account_read_figure(text, f);
    if (end == NULL || !(f->low > 0)) return NULL;
    char *said = base_format("%.*s", (int)(end - text), text);
    json_t *row = json_pack("{s:s, s:f, s:s}", "label", label, "value", f->low, "text", said);
    free(said);
    return row;
}

static json_t *words_of(const char *label, const json_t *choice) {
    return json_pack("[s, s, s]", label, text_of(choice), base_json_text(choice, "because", ""));
}

/* As bars if both begin with figures of one measure, else in words. */
static json_t *choices_contrasted(const json_t *chosen, const json_t *right) {
    struct account_figure a = {0}, b = {0};
    json_t *yours = bar_of("yours", text_of(chosen), &a),
           *truth = bar_of("it is", text_of(right), &b);
    if (yours != NULL && truth != NULL && a.measure == b.measure && a.low != b.low)
        return json_pack("{s:s, s:[o, o]}", "kind", "amounts", "rows", yours, truth);
    json_decref(yours);
    json_decref(truth);
    return json_pack("{s:s, s:[s, s, s], s:[o, o], s:s}", "kind", "table", "head", "", "choice",
                     "why", "rows", words_of("yours", chosen), words_of("it is", right), "align",
                     "lll");
}

/* Nothing of what is not answered by choosing. */
static void show_choices(struct lesson_dialogue *d, const struct record *r) {
    const json_t *choices = choices_of(d->state.attempt.variant),
                 *chosen = chosen_of(choices, r->typed), *right = right_of(choices);
    struct chosen c = {.text = text_of(chosen),
                       .numbered = same_words(text_of(chosen), text_of(right))};
    if (chosen == NULL) return;
    d->journal.answers(d->journal.self, d->lesson->step[d->at].item, count_chosen, &c, NULL);
    if (c.times < OFTEN) return;
    lesson_show_owned(
        d, LESSON_BAD,
        base_format("You have chosen this %zu times here. Compare the two:", c.times));
    lesson_show_figure(d, LESSON_PLAIN, NULL,
                       lesson_keep_json(&d->events, choices_contrasted(chosen, right)));
}

void lesson_contrast_show(struct lesson_dialogue *d, const struct record *r) {
    struct repeats s = {.mistake = r->mistake};
    show_choices(d, r);
    if (r->mistake == NULL || *r->mistake == '\0') return;
    d->journal.answers(d->journal.self, d->lesson->step[d->at].item, count, &s, NULL);
    if (s.times < OFTEN) return;
    json_t *figure = contrast_of(d, r);
    lesson_show_owned(d, LESSON_BAD,
                      base_format("You have made this mistake %zu times here.%s", s.times,
                                  figure != NULL ? " Compare the two:" : ""));
    if (figure != NULL)
        lesson_show_figure(d, LESSON_PLAIN, NULL, lesson_keep_json(&d->events, figure));
}
