/* problem.c: what all problems have in common: tries, hints, the working, verdicts and fresh
 * numbers. The forms (lesson/forms) know how to ask and judge. */
#include "lesson/handler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct form_ops *form_of(const struct lesson_dialogue *d) {
    static const struct form_ops *const forms[] = {&lesson_form_number, &lesson_form_sheet,
                                                   &lesson_form_choice, &lesson_form_order,
                                                   &lesson_form_sort};
    const char *name = lesson_form(d->lesson, d->at);
    for (size_t i = 1; i < BASE_COUNT(forms); i++)
        if (strcmp(forms[i]->name, name) == 0) return forms[i];
    return forms[0];
}

/* Judges this round's answer again and shows its verdict, without the question. A sheet does so
 * when it is posed with all its lines. */
static void recall(struct lesson_dialogue *d, const struct past *past) {
    lesson_attempt_recall(d, past);
    lesson_problem_present(d, past);
    if (d->ask->form == LESSON_NEXT) return;
    d->queued--; /* the question */
    if (d->ask->form == LESSON_NUMBER)
        lesson_show_owned(d, LESSON_PLAIN,
                          base_format("You answered %s.", lesson_show_typed(d, past->typed)));
    d->state.form->answer(d, past->typed);
    if (d->ask->form != LESSON_NEXT) lesson_ask_next(d); /* unreadable by now */
}

static void enter_check(struct lesson_dialogue *d, const struct past *past) {
    bool begun = past->try == d->lesson->round;
    if (begun && past->verdict[0] != '\0') {
        recall(d, past);
        return;
    }
    lesson_show(d, LESSON_PLAIN, lesson_step_text(d, "opening"));
    if (lesson_attempt_begin(d, d->lesson->round)) lesson_problem_present(d, begun ? past : NULL);
}

/* Says what fresh numbers mean where the last answer was right: that answer counts until another
 * one is given. */
static void show_solved(struct lesson_dialogue *d) {
    bool right = lesson_came(d->lesson, d->at, d->journal) == LESSON_CAME_RIGHT;
    if (right && d->lesson->kind == LESSON_ORDINARY)
        lesson_show(d, LESSON_QUIET,
                    "You solved this before. It stays solved if you go on. Here are fresh "
                    "numbers.");
}

static void enter_lesson(struct lesson_dialogue *d, struct past *past) {
    if (!lesson_attempt_resume(d, past)) return;
    show_solved(d);
    lesson_problem_present(d, past);
}

static void enter(struct lesson_dialogue *d) {
    d->state.form = form_of(d);
    struct past past = lesson_record_past(d);
    if (lesson_in_check(d))
        enter_check(d, &past);
    else
        enter_lesson(d, &past);
    lesson_past_free(&past);
}

static void answer(struct lesson_dialogue *d, const char *text) {
    d->state.form->answer(d, text);
}

/* A variant's own hints fit its numbers better than the step's. */
static const char *written_hint(const struct lesson_dialogue *d, int level) {
    const json_t *hints = json_object_get(d->state.attempt.variant, "hints");
    if (!json_is_array(hints)) hints = json_object_get(lesson_step_json(d), "hints");
    return level < LESSON_HINTS ? json_string_value(json_array_get(hints, (size_t)level - 1))
                                : NULL;
}

static bool had_own(const struct lesson_dialogue *d) {
    return d->state.told == d->state.line + 1;
}

/* Gives the line's own hint once, instead of the author's and before the last one. */
static bool gives_own(struct lesson_dialogue *d) {
    const struct form_ops *form = d->state.form;
    struct attempt *a = &d->state.attempt;
    char *own = form->own_hint && !had_own(d) ? form->own_hint(d) : NULL;
    if (own == NULL) return false;
    d->state.told = d->state.line + 1;
    if (a->hints == 0) a->hints = 1;
    lesson_show_hint(d, 1, own);
    return true;
}

/* Says so, where there is no help. */
static bool refuses(struct lesson_dialogue *d) {
    if (lesson_in_check(d))
        lesson_show(d, LESSON_QUIET, "A check gives no help. It asks each problem once.");
    return lesson_in_check(d);
}

static void hint(struct lesson_dialogue *d) {
    struct attempt *a = &d->state.attempt;
    if (refuses(d)) return;
    if (d->state.settled) {
        lesson_show(d, LESSON_QUIET, "Nothing is open here.");
        return;
    }
    if (a->hints == LESSON_HINTS && d->state.hinted == d->state.line + 1) {
        if (d->state.no_more != d->state.hinted)
            lesson_show(d, LESSON_QUIET,
                        "That was the last hint. You can also see the whole solution.");
        d->state.no_more = d->state.hinted;
        return;
    }
    if (gives_own(d)) return;
    int level = a->hints < LESSON_HINTS && !had_own(d) ? a->hints + 1 : LESSON_HINTS;
    const char *text = written_hint(d, level);
    a->hints = text != NULL ? level : LESSON_HINTS;
    if (a->hints == LESSON_HINTS) {
        d->state.hinted = d->state.line + 1;
        d->state.no_more = 0;
    }
    lesson_show_hint(d, a->hints, text != NULL ? base_dup(text) : d->state.form->last_hint(d));
}

/* The working is shown in full, so these numbers are spent: that is kept, and fresh ones come. */
static void worked(struct lesson_dialogue *d) {
    if (refuses(d)) return;
    if (d->state.settled) {
        lesson_show(d, LESSON_QUIET, "Nothing is open here.");
        return;
    }
    int seen = d->state.attempt.hints;
    d->state.attempt.hints = LESSON_HINTS;
    if (!lesson_record_answer(d, (struct record){"", "", VERDICT_NOTED, "", NAN})) {
        d->state.attempt.hints = seen;
        return;
    }
    lesson_show_owned(d, LESSON_HINT_TONE, d->state.form->working(d));
    lesson_show_known(d);
    if (lesson_in_queue(d))
        lesson_ask_next(d);
    else
        lesson_problem_again(d);
}

/* Numbers that are passed over before an answer are kept as a line of their try, so that no try is
 * missing where the record is read again. */
static void fresh(struct lesson_dialogue *d) {
    if (refuses(d)) return;
    bool open = !d->state.settled && d->state.attempt.variant != NULL;
    if (open &&
        !lesson_record_answer(d, (struct record){LESSON_PASSED_LINE, "", VERDICT_NOTED, "", NAN}))
        return;
    d->state.attempt.passed += open;
    if (!lesson_attempt_next(d)) return;
    lesson_show_turn(d);
    show_solved(d);
    lesson_problem_present(d, NULL);
}

const struct step_ops lesson_step_problem = {
    .enter = enter, .answer = answer, .hint = hint, .worked = worked, .fresh = fresh};
