/* attempt.c: tries at a problem. The try's number and the learner's seed make its numbers, so a try
 * that was left half done comes back with the same ones. */
#include "lesson/handler.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void lesson_attempt_free(struct attempt *a) {
    json_decref(a->variant);
    *a = (struct attempt){0};
}

/* A check asks each problem once, and does not help. */
bool lesson_in_check(const struct lesson_dialogue *d) {
    return d->lesson->kind == LESSON_CHECK;
}

/* No question can be asked: say why, and let Enter pass and fresh numbers try again. */
static void give_up(struct lesson_dialogue *d, const struct base_message *m) {
    lesson_show_trouble(d, "This problem could not be made. ", m);
    bool fresh = !lesson_in_check(d);
    lesson_show(d, LESSON_QUIET,
                fresh ? "Continue without it, or ask for fresh numbers to try again."
                      : "Continue without it.");
    lesson_ask_next(d);
    d->ask->fresh = fresh;
}

static void read_problem(struct attempt *a) {
    struct account_error e;
    const json_t *json = json_object_get(a->variant, "problem");
    if (json != NULL && lesson_problem_read(json, &a->problem, NULL))
        account_solve(&a->problem, &a->solution, &e);
}

bool lesson_attempt_begin(struct lesson_dialogue *d, int number) {
    struct attempt *a = &d->state.attempt;
    struct base_message m = {0};
    int passed = a->passed;
    assert(number > 0);
    lesson_attempt_free(a);
    *a = (struct attempt){.number = number, .passed = passed};
    a->variant = lesson_try(d->lesson, d->at, d->source, d->seed, number, &a->seed, &m);
    d->state.settled = false;
    if (a->variant == NULL) {
        give_up(d, &m);
        return false;
    }
    read_problem(a);
    return true;
}

void lesson_attempt_recall(struct lesson_dialogue *d, const struct past *past) {
    struct attempt *a = &d->state.attempt;
    lesson_attempt_free(a);
    *a = (struct attempt){
        .number = past->try, .seed = past->seed, .variant = json_incref(past->problem)};
    read_problem(a);
    d->state.recalled = true;
}

bool lesson_attempt_next(struct lesson_dialogue *d) {
    return lesson_attempt_begin(d, d->state.attempt.number + 1);
}

void lesson_attempt_plain(struct lesson_dialogue *d, int number) {
    d->state.attempt.number = number;
    d->state.settled = false;
}

/* The first try after this one with an answer that none had before; the next if there are only few
 * answers. */
static int unseen_after(const struct lesson_dialogue *d, int number) {
    enum { LOOKED_AT = 8 };
    for (int k = number + 1; k <= number + LOOKED_AT; k++)
        if (!lesson_repeats(d->lesson, d->at, d->source, d->seed, k)) return k;
    return number + 1;
}

/* A try with numbers that the learner has not seen. `number`, the one after the last answer, may be
 * open elsewhere, where nothing was answered yet: it is passed over. */
static bool begin_unseen(struct lesson_dialogue *d, int number) {
    int unseen = unseen_after(d, number);
    for (; number <= unseen; number++) {
        const char *line = number < unseen ? LESSON_PASSED_LINE : LESSON_FRESH_LINE;
        if (!lesson_attempt_begin(d, number)) return false;
        d->asked_at = base_ticks();
        if (!lesson_record_answer(d, (struct record){line, "", VERDICT_NOTED, "", NAN})) break;
        d->state.attempt.passed += number < unseen;
    }
    return true;
}

/* A try is over once it has a whole verdict, "noted" (its working was shown, or its numbers were
 * passed over) included. One that is not goes on, unless the lesson was edited since and gives
 * other numbers now. */
bool lesson_attempt_resume(struct lesson_dialogue *d, struct past *past) {
    bool fresh = d->lesson->fresh, over = past->verdict[0] != '\0' || past->fresh != fresh;
    d->state.attempt.passed = past->passed;
    if (past->try == 0 || over) {
        past->lines = 0;
        return (fresh ? begin_unseen : lesson_attempt_begin)(d, past->try + 1);
    }
    if (!lesson_attempt_begin(d, past->try)) return false;
    if (!json_equal(d->state.attempt.variant, past->problem)) {
        past->lines = 0;
        return lesson_attempt_begin(d, past->try + 1);
    }
    d->state.attempt.hints = past->hints;
    return true;
}

/* ── asking and judging, whatever the form ─────────────────────────────────────────────────────*/
struct lesson_ask *lesson_problem_ask(struct lesson_dialogue *d, enum lesson_form form_asked,
                                      char *prompt) {
    struct lesson_ask *ask = lesson_ask_begin(d, form_asked, prompt);
    ask->graded = true;
    ask->hints = ask->worked = !lesson_in_check(d);
    ask->fresh = ask->hints && !lesson_in_queue(d);
    return ask;
}

struct lesson_event *lesson_problem_state(struct lesson_dialogue *d) {
    const json_t *variant = d->state.attempt.variant;
    lesson_show_figure(d, LESSON_ASKING, base_json_text(variant, "ask", ""),
                       json_object_get(variant, "figure"));
    return &d->queue[d->queued - 1];
}

void lesson_problem_present(struct lesson_dialogue *d, const struct past *past) {
    if (d->state.form->ready != NULL) d->state.form->ready(d, past);
    if (past != NULL && d->state.form->remind != NULL) d->state.form->remind(d, past);
    lesson_problem_state(d);
    d->state.form->pose(d);
}

void lesson_problem_again(struct lesson_dialogue *d) {
    if (!lesson_attempt_next(d)) return;
    lesson_show_turn(d);
    lesson_show(d, LESSON_QUIET, d->state.form->again);
    lesson_problem_present(d, NULL);
}

bool lesson_problem_verdict(struct lesson_dialogue *d, struct record r, char *text) {
    if (!lesson_record_answer(d, r)) {
        free(text);
        return false;
    }
    struct lesson_event *e = lesson_show_verdict(d, r.verdict, text);
    /* nothing is asked yet if a lesson opens at a sheet whose lines are all there */
    bool picked = d->ask != NULL && d->ask->form == LESSON_CHOICE;
    if (picked) lesson_show_picked(d, e, d->state.said, d->state.truth);
    bool right = lesson_verdict_right(r.verdict), queued = lesson_in_queue(d),
         again = !right && !queued && !lesson_in_check(d);
    lesson_show_known(d);
    if (!right && queued) lesson_contrast_show(d, &r);
    if (again) {
        lesson_problem_again(d);
        return true;
    }
    const char *title = lesson_step_text(d, "title");
    lesson_drilled(d, right, 1, right ? NULL : base_dup(title ? title : ""));
    if (d->state.form->show_working && right)
        lesson_show_owned(d, LESSON_QUIET, d->state.form->working(d));
    lesson_ask_next(d);
    return true;
}

void lesson_problem_unreadable(struct lesson_dialogue *d, const char *line, const char *typed,
                               char *text) {
    if (lesson_record_answer(d, (struct record){line, typed, VERDICT_UNREADABLE, "", NAN}))
        lesson_show_verdict(d, VERDICT_UNREADABLE, text);
    else
        free(text);
}
