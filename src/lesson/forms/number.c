/* number.c: a problem answered by a number with a unit, or by an expression. */
#include "lesson/handler.h"

#include <stdlib.h>

static void pose(struct lesson_dialogue *d) {
    enum account_unit unit = d->state.attempt.solution.unit;
    struct lesson_ask *ask =
        lesson_problem_ask(d, LESSON_NUMBER, lesson_ask_prompt(d, "your answer", unit));
    ask->unit = lesson_ask_text(d, lesson_ask_unit(d, unit));
    lesson_ask_pose(d);
}

static void answer(struct lesson_dialogue *d, const char *text) {
    const struct attempt *a = &d->state.attempt;
    struct account_judgement j;
    char ids[160];
    account_judge(&a->problem, text, &j);
    char *words = lesson_feedback_judgement(&j, &a->solution);
    if (j.verdict == ACCOUNT_UNREADABLE)
        lesson_problem_unreadable(d, "", text, words);
    else
        lesson_problem_verdict(d,
                               (struct record){"", text, account_verdict_name(j.verdict),
                                               lesson_feedback_ids(&j, ids, sizeof ids), j.value},
                               words);
}

/* The first line of the working. */
static char *last_hint(struct lesson_dialogue *d) {
    const struct account_line *l = &d->state.attempt.solution.line[0];
    char *value = lesson_working_value(l->value, l->unit);
    char *text =
        base_format("The first line:\n\n```\n%s  %s = %s\n```", l->label, l->formula, value);
    free(value);
    return text;
}

static char *working(struct lesson_dialogue *d) {
    return lesson_working_all(&d->state.attempt.solution);
}

const struct form_ops lesson_form_number = {.name = "number",
                                            .again = "The same idea with fresh numbers:",
                                            .show_working = true,
                                            .pose = pose,
                                            .answer = answer,
                                            .last_hint = last_hint,
                                            .working = working};
