/* step_problem.c: what all problems have in common: tries, hints, the working, verdicts and fresh numbers. The forms
 * (form_*.c) know how to ask and judge. */
#include "study/dialogue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct form_ops *form(const struct study_dialogue *d) {
    static const struct form_ops *const forms[] = {&form_number, &form_sheet, &form_choice,
                                                   &form_order, &form_sort};
    const char *name = lesson_form(d->lesson, d->at);
    for (size_t i = 1; i < BASE_COUNT(forms); i++)
        if (strcmp(forms[i]->name, name) == 0) return forms[i];
    return forms[0];
}

/* A check asks each problem once, and does not help. */
static bool in_check(const struct study_dialogue *d) {
    return d->lesson->kind == STUDY_CHECK;
}

static void present(struct study_dialogue *d, const struct past *past) {
    const json_t *variant = d->state.attempt.variant;
    show_figure(d, STUDY_ASKING, base_json_text(variant, "ask", ""),
                json_object_get(variant, "figure"));
    if (form(d)->ready != NULL) form(d)->ready(d, past);
    form(d)->pose(d);
}

static void again(struct study_dialogue *d) {
    if (!attempt_next(d)) return;
    show(d, STUDY_QUIET, form(d)->again);
    present(d, NULL);
}

/* What it was answered in this round, if it was. */
static void recall(struct study_dialogue *d, const struct past *past) {
    bool right = verdict_right(past->verdict), typed = past->typed[0] != '\0';
    const char *how = right ? "right" : "not right";
    show(d, STUDY_ASKING, base_json_text(d->state.attempt.variant, "ask", ""));
    show_owned(d, right ? STUDY_GOOD : STUDY_BAD,
               typed ? base_format("You answered `%s`: %s.", past->typed, how)
                     : base_format("Answered: %s.", how));
    ask_next(d);
}

static void enter_check(struct study_dialogue *d, const struct past *past) {
    bool begun = past->try == d->lesson->round;
    show(d, STUDY_PLAIN, step_text(d, "opening"));
    if (!attempt_number(d, d->lesson->round)) return;
    if (begun && past->verdict[0] != '\0')
        recall(d, past);
    else
        present(d, begun ? past : NULL);
}

static void enter_lesson(struct study_dialogue *d, struct past *past) {
    if (!attempt_resume(d, past)) return;
    if (d->state.attempt.solved_before && d->lesson->kind == STUDY_LESSON)
        show(d, STUDY_QUIET, "Solved before. Here it is again, with a fresh draw.");
    present(d, past);
}

static void enter(struct study_dialogue *d) {
    struct past past = record_past(d);
    if (in_check(d))
        enter_check(d, &past);
    else
        enter_lesson(d, &past);
    past_free(&past);
}

struct study_ask *problem_ask(struct study_dialogue *d, enum study_form form_asked, char *prompt) {
    struct study_ask *ask = ask_begin(d, form_asked, prompt);
    ask->graded = true;
    ask->hints = ask->worked = ask->fresh = !in_check(d);
    return ask;
}

bool problem_verdict(struct study_dialogue *d, struct record r, char *text) {
    if (!record_answer(d, r)) {
        free(text);
        return false;
    }
    show_verdict(d, r.verdict, text);
    if (!verdict_right(r.verdict) && !in_check(d)) {
        again(d);
        return true;
    }
    if (form(d)->show_working && verdict_right(r.verdict))
        show_owned(d, STUDY_QUIET, form(d)->working(d));
    ask_next(d);
    return true;
}

void problem_unreadable(struct study_dialogue *d, const char *line, const char *typed, char *text) {
    if (record_answer(d, (struct record){line, typed, VERDICT_UNREADABLE, "", NAN}))
        show_verdict(d, VERDICT_UNREADABLE, text);
    else
        free(text);
}

static void answer(struct study_dialogue *d, const char *text) {
    form(d)->answer(d, text);
}

/* A variant's own hints fit its numbers better than the step's. */
static const char *written_hint(const struct study_dialogue *d, int level) {
    const json_t *hints = json_object_get(d->state.attempt.variant, "hints");
    if (!json_is_array(hints)) hints = json_object_get(step_json(d), "hints");
    return level < 3 ? json_string_value(json_array_get(hints, (size_t)level - 1)) : NULL;
}

/* Says so, where there is no help. */
static bool refuses(struct study_dialogue *d) {
    if (in_check(d))
        show(d, STUDY_QUIET, "A check gives no help: each problem is asked once, as it is.");
    return in_check(d);
}

static void hint(struct study_dialogue *d) {
    struct attempt *a = &d->state.attempt;
    if (refuses(d)) return;
    if (d->state.settled) {
        show(d, STUDY_QUIET, "Nothing is open here.");
        return;
    }
    if (a->hints == 3 && d->state.hinted == d->state.line + 1) {
        if (d->state.no_more != d->state.hinted)
            show(d, STUDY_QUIET, "That was the last hint; the whole working is there too.");
        d->state.no_more = d->state.hinted;
        return;
    }
    int level = a->hints < 3 ? a->hints + 1 : 3;
    const char *text = written_hint(d, level);
    a->hints = text != NULL ? level : 3;
    if (a->hints == 3) {
        d->state.hinted = d->state.line + 1;
        d->state.no_more = 0;
    }
    show_hint(d, a->hints, text != NULL ? base_dup(text) : form(d)->last_hint(d));
}

/* The working is shown in full, so these numbers are spent: that is kept, and fresh ones come. */
static void worked(struct study_dialogue *d) {
    if (refuses(d)) return;
    if (d->state.settled) {
        show(d, STUDY_QUIET, "Nothing is open here.");
        return;
    }
    int seen = d->state.attempt.hints;
    d->state.attempt.hints = 3;
    if (!record_answer(d, (struct record){"", "", VERDICT_NOTED, "", NAN})) {
        d->state.attempt.hints = seen;
        return;
    }
    show_owned(d, STUDY_HINT_TONE, form(d)->working(d));
    again(d);
}

static void fresh(struct study_dialogue *d) {
    if (refuses(d)) return;
    if (attempt_next(d)) present(d, NULL);
}

const struct step_ops step_problem = {
    .enter = enter, .answer = answer, .hint = hint, .worked = worked, .fresh = fresh};
