/* predict.c: a guess before the reveal. Never graded, always compared afterwards. */
#include "lesson/handler.h"

#include <stdlib.h>

static const json_t *choices(const struct lesson_dialogue *d) {
    return json_object_get(lesson_step_json(d), "choices");
}

static void pose(struct lesson_dialogue *d) {
    size_t n = json_array_size(choices(d));
    enum account_unit unit = d->state.attempt.solution.unit;
    if (n == 0) {
        lesson_ask_begin(d, LESSON_NUMBER, lesson_ask_prompt(d, "your guess", unit));
        d->ask->unit = lesson_ask_text(d, lesson_ask_unit(d, unit));
    } else {
        lesson_ask_begin(d, LESSON_CHOICE, base_dup("your guess"));
        const char **option = lesson_ask_options(d, n);
        for (size_t i = 0; i < n; i++)
            option[i] = lesson_ask_text(d, json_string_value(json_array_get(choices(d), i)));
    }
    lesson_ask_pose(d);
}

struct guess {
    double value;
    bool readable, right;
    char *words; /* the comparison, or why it could not be read; the caller's */
};

static const char *right_choice(const struct lesson_dialogue *d) {
    size_t truth = (size_t)base_json_int(lesson_step_json(d), "answer", 1) - 1;
    return json_string_value(json_array_get(choices(d), truth));
}

static struct guess read_choice(const struct lesson_dialogue *d, const char *text) {
    size_t n = json_array_size(choices(d)), said;
    size_t truth = (size_t)base_json_int(lesson_step_json(d), "answer", 1) - 1;
    struct guess g = {0};
    if (!lesson_pick_one(text, n, &said)) {
        g.words = base_format("That is none of them. Type one number from 1 to %zu.", n);
        return g;
    }
    g.readable = true;
    g.right = said == truth;
    g.value = (double)(said + 1);
    const char *is = right_choice(d);
    if (g.right)
        g.words = base_format("You said: %s%s So it is.", is, lesson_stop_after(is));
    else
        g.words = base_format("You said: %s\n\nIt is: %s",
                              json_string_value(json_array_get(choices(d), said)), is);
    return g;
}

static struct guess read_number(const struct lesson_dialogue *d, const char *text) {
    const struct attempt *a = &d->state.attempt;
    struct account_judgement j;
    account_judge(&a->problem, text, &j);
    struct guess g = {.value = j.value,
                      .readable = j.verdict != ACCOUNT_UNREADABLE,
                      .right = j.verdict == ACCOUNT_RIGHT || j.verdict == ACCOUNT_ROUNDED};
    if (!g.readable) {
        g.words = lesson_feedback_unreadable(&j);
        return g;
    }
    char *truth = lesson_working_value(a->solution.value, a->solution.unit);
    char *ratio = lesson_working_compare(j.value, a->solution.value);
    if (g.right)
        g.words = base_format("You said **%s**, and it is **%s**.", j.read_as, truth);
    else
        g.words = base_format("You said **%s**; it is **%s**%s.", j.read_as, truth, ratio);
    free(truth);
    free(ratio);
    return g;
}

static struct guess read_guess(const struct lesson_dialogue *d, const char *text) {
    return json_array_size(choices(d)) > 0 ? read_choice(d, text) : read_number(d, text);
}

static void reveal(struct lesson_dialogue *d) {
    lesson_show_figure(d, LESSON_PLAIN, lesson_step_text(d, "reveal"),
                       json_object_get(lesson_step_json(d), "after"));
    lesson_ask_next(d);
}

/* A guess made before is not made again: it is compared at once. */
static bool recall(struct lesson_dialogue *d, const struct past *past) {
    if (past->verdict[0] == '\0') return false;
    struct guess g = read_guess(d, past->typed);
    if (!g.readable) {
        free(g.words);
        return false;
    }
    lesson_show_owned(d, LESSON_QUIET, g.words);
    reveal(d);
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
    if (!g.readable) {
        lesson_problem_unreadable(d, "", text, g.words);
        return;
    }
    if (!lesson_record_answer(d, (struct record){"", text, VERDICT_NOTED, "", g.value})) {
        free(g.words);
        return;
    }
    lesson_show_verdict(d, VERDICT_NOTED, g.words)->right = g.right;
    reveal(d);
}

/* Nothing was guessed; what comes of it is shown all the same, since later steps speak of it. */
static bool next(struct lesson_dialogue *d) {
    if (d->state.settled) return false;
    const struct account_solution *s = &d->state.attempt.solution;
    if (json_array_size(choices(d)) > 0) {
        lesson_show_owned(d, LESSON_QUIET, base_format("It is: %s", right_choice(d)));
    } else {
        char *truth = lesson_working_value(s->value, s->unit);
        lesson_show_owned(d, LESSON_QUIET, base_format("It is **%s**.", truth));
        free(truth);
    }
    reveal(d);
    return true;
}

/* Another guess at the same thing. */
static void fresh(struct lesson_dialogue *d) {
    if (d->state.settled) lesson_attempt_plain(d, d->state.attempt.number + 1);
    lesson_show(d, LESSON_ASKING, lesson_step_text(d, "ask"));
    pose(d);
}

const struct step_ops lesson_step_predict = {
    .enter = enter, .answer = answer, .next = next, .fresh = fresh};
