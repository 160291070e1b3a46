/* predict.c: a guess before the reveal: one of several, or a number. Never graded; of a number it
 * is said where it comes from, and of bytes pile by pile. */
#include "lesson/handler.h"

#include <stdlib.h>

static const json_t *choices(const struct lesson_dialogue *d) {
    return json_object_get(lesson_step_json(d), "choices");
}

static size_t truth_of(const struct lesson_dialogue *d) {
    return (size_t)base_json_int(lesson_step_json(d), "answer", 1);
}

/* ── one of several ────────────────────────────────────────────────────────────────────────────*/
/* What was chosen, in words for whoever does not see the options that go with it. */
static char *words_of_choice(const struct lesson_dialogue *d, size_t said) {
    if (said == truth_of(d)) return base_format("You said %zu. That is right.", said);
    return base_format("You said %zu. It is %zu.", said, truth_of(d));
}

static char *misread_choice(const struct lesson_dialogue *d, const char *text, size_t *said) {
    size_t n = json_array_size(choices(d));
    if (!lesson_pick_asked(d->ask, text, said))
        return base_format("That is not one of them. Type a number from 1 to %zu.", n);
    *said += 1;
    return NULL;
}

/* ── a number ──────────────────────────────────────────────────────────────────────────────────*/
/* What comes of a guess, or of none. */
static void show_guess(struct lesson_dialogue *d, const struct account_guess *g) {
    json_t *figure = lesson_guess_figure(d, g);
    if (figure == NULL) return;
    lesson_show_figure(d, LESSON_PLAIN, NULL, lesson_keep_json(&d->events, figure));
}

static char *words_of_none(const struct lesson_dialogue *d) {
    const struct account_solution *s = &d->state.attempt.solution;
    char *truth = lesson_working_value(s->value, s->unit);
    char *words = base_format("It is **%s**.", truth);
    free(truth);
    return words;
}

/* ── what comes of it ──────────────────────────────────────────────────────────────────────────*/
struct guess {
    /* the choice, from 1 */
    size_t said;
    struct account_guess number;
    double value;
    bool right;
    /* why it could not be read; the caller's */
    char *bad;
    /* else what is said of it; the caller's */
    char *words;
};

static bool chooses(const struct lesson_dialogue *d) {
    return json_array_size(choices(d)) > 0;
}

static struct guess read_choice(const struct lesson_dialogue *d, const char *text) {
    struct guess g = {0};
    g.bad = misread_choice(d, text, &g.said);
    if (g.bad != NULL) return g;
    g.value = (double)g.said;
    g.right = g.said == truth_of(d);
    g.words = words_of_choice(d, g.said);
    return g;
}

static struct guess read_number(const struct lesson_dialogue *d, const char *text) {
    struct guess g = {0};
    account_guess(&d->state.attempt.problem, text, &g.number);
    g.value = g.number.judged.value;
    g.right = g.number.is == ACCOUNT_GUESS_RIGHT;
    if (g.number.is == ACCOUNT_GUESS_UNREADABLE)
        g.bad = lesson_feedback_unreadable(&g.number.judged);
    else
        g.words = lesson_feedback_guess(&g.number, &d->state.attempt.problem);
    return g;
}

static struct guess read_guess(const struct lesson_dialogue *d, const char *text) {
    return chooses(d) ? read_choice(d, text) : read_number(d, text);
}

/* The options of a choice go with what is said of it; a number has a page for itself. */
static void explain(struct lesson_dialogue *d, const struct guess *g, struct lesson_event *e) {
    if (chooses(d))
        lesson_show_picked(d, e, g->said, truth_of(d));
    else
        show_guess(d, &g->number);
    lesson_show_figure(d, LESSON_PLAIN, lesson_step_text(d, "reveal"),
                       json_object_get(lesson_step_json(d), "after"));
    lesson_ask_next(d);
    d->ask->guesses = d->ask->fresh = true;
}

static void ask_options(struct lesson_dialogue *d) {
    size_t n = json_array_size(choices(d));
    lesson_ask_begin(d, LESSON_CHOICE, base_dup("Which is your guess?"));
    const char **option = lesson_ask_options(d, n);
    for (size_t i = 0; i < n; i++)
        option[i] = lesson_ask_text(d, json_string_value(json_array_get(choices(d), i)));
}

static void pose(struct lesson_dialogue *d) {
    enum account_unit unit = d->state.attempt.solution.unit;
    if (chooses(d)) {
        ask_options(d);
    } else {
        lesson_ask_begin(d, LESSON_NUMBER, lesson_ask_prompt(d, "your guess", unit));
        d->ask->unit = lesson_ask_text(d, lesson_ask_unit(d, unit));
    }
    d->ask->guesses = true;
    lesson_ask_pose(d);
}

/* A guess made before is not made again: it is explained at once. */
static bool recall(struct lesson_dialogue *d, const struct past *past) {
    if (past->verdict[0] == '\0') return false;
    if (chooses(d)) ask_options(d); /* the guess may be the text of one */
    struct guess g = read_guess(d, past->typed);
    free(g.bad);
    if (g.words == NULL) return false;
    if (!chooses(d)) lesson_show_turn(d);
    lesson_show_owned(d, chooses(d) ? LESSON_QUIET : LESSON_PLAIN, g.words);
    explain(d, &g, &d->queue[d->queued - 1]);
    return true;
}

static void enter(struct lesson_dialogue *d) {
    struct attempt *a = &d->state.attempt;
    struct account_error e;
    const json_t *problem = json_object_get(lesson_step_json(d), "problem");
    if (problem != NULL && lesson_problem_read(problem, &a->problem, NULL))
        account_solve(&a->problem, &a->solution, &e);
    struct past past = lesson_record_past(d);
    lesson_attempt_plain(d, past.try + 1);
    lesson_show_figure(d, LESSON_ASKING, lesson_step_text(d, "ask"),
                       json_object_get(lesson_step_json(d), "figure"));
    if (!recall(d, &past)) pose(d);
    lesson_past_free(&past);
}

static void answer(struct lesson_dialogue *d, const char *text) {
    struct guess g = read_guess(d, text);
    if (g.bad != NULL) {
        lesson_problem_unreadable(d, "", text, g.bad);
        return;
    }
    if (!lesson_record_answer(d, (struct record){"", text, VERDICT_NOTED, "", g.value})) {
        free(g.words);
        return;
    }
    if (!chooses(d)) lesson_show_turn(d);
    struct lesson_event *e = lesson_show_verdict(d, VERDICT_NOTED, g.words);
    e->right = g.right;
    explain(d, &g, e);
}

/* Nothing was guessed; what comes of it is shown all the same, since later steps speak of it. */
static bool next(struct lesson_dialogue *d) {
    struct guess none = {0};
    if (d->state.settled) return false;
    if (chooses(d)) {
        lesson_show_owned(d, LESSON_QUIET, base_format("It is %zu.", truth_of(d)));
    } else {
        account_guess(&d->state.attempt.problem, "", &none.number);
        lesson_show_turn(d);
        lesson_show_owned(d, LESSON_PLAIN, words_of_none(d));
    }
    explain(d, &none, &d->queue[d->queued - 1]);
    return true;
}

/* Another guess at the same thing, on a page of its own; what a `read` step asks about stays. */
static void fresh(struct lesson_dialogue *d) {
    if (d->state.settled) lesson_attempt_plain(d, d->state.attempt.number + 1);
    if (d->lesson->step[d->at].kind == LESSON_PREDICT) lesson_show_turn(d);
    lesson_show_figure(d, LESSON_ASKING, lesson_step_text(d, "ask"),
                       json_object_get(lesson_step_json(d), "figure"));
    pose(d);
}

const struct step_ops lesson_step_predict = {
    .enter = enter, .answer = answer, .next = next, .fresh = fresh};
