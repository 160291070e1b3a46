/* step_predict.c: a guess before the reveal. Never graded, always compared afterwards. */
#include "study/dialogue.h"

#include <stdlib.h>

static const json_t *choices(const struct study_dialogue *d) {
    return json_object_get(step_json(d), "choices");
}

static void pose(struct study_dialogue *d) {
    size_t n = json_array_size(choices(d));
    enum account_unit unit = d->state.attempt.solution.unit;
    if (n == 0) {
        ask_begin(d, STUDY_NUMBER, ask_prompt(d, "your guess", unit));
        d->ask->unit = ask_text(d, ask_unit(d, unit));
    } else {
        ask_begin(d, STUDY_CHOICE, base_dup("your guess"));
        const char **option = ask_options(d, n);
        for (size_t i = 0; i < n; i++)
            option[i] = ask_text(d, json_string_value(json_array_get(choices(d), i)));
    }
    ask_pose(d);
}

struct guess {
    double value;
    bool readable, right;
    char *words; /* the comparison, or why it could not be read; the caller's */
};

static const char *right_choice(const struct study_dialogue *d) {
    size_t truth = (size_t)base_json_int(step_json(d), "answer", 1) - 1;
    return json_string_value(json_array_get(choices(d), truth));
}

static struct guess read_choice(const struct study_dialogue *d, const char *text) {
    size_t n = json_array_size(choices(d)), said;
    size_t truth = (size_t)base_json_int(step_json(d), "answer", 1) - 1;
    struct guess g = {0};
    if (!pick_one(text, n, &said)) {
        g.words = base_format("That is none of them. Type one number from 1 to %zu.", n);
        return g;
    }
    g.readable = true;
    g.right = said == truth;
    g.value = (double)(said + 1);
    const char *is = right_choice(d);
    if (g.right)
        g.words = base_format("You said: %s%s So it is.", is, stop_after(is));
    else
        g.words = base_format("You said: %s\n\nIt is: %s",
                              json_string_value(json_array_get(choices(d), said)), is);
    return g;
}

static struct guess read_number(const struct study_dialogue *d, const char *text) {
    const struct attempt *a = &d->state.attempt;
    struct account_judgement j;
    account_judge(&a->problem, text, &j);
    struct guess g = {.value = j.value,
                      .readable = j.verdict != ACCOUNT_UNREADABLE,
                      .right = j.verdict == ACCOUNT_RIGHT || j.verdict == ACCOUNT_ROUNDED};
    if (!g.readable) {
        g.words = feedback_unreadable(&j);
        return g;
    }
    char *truth = working_value(a->solution.value, a->solution.unit);
    char *ratio = working_compare(j.value, a->solution.value);
    if (g.right)
        g.words = base_format("You said **%s**, and it is **%s**.", j.read_as, truth);
    else
        g.words = base_format("You said **%s**; it is **%s**%s.", j.read_as, truth, ratio);
    free(truth);
    free(ratio);
    return g;
}

static struct guess read_guess(const struct study_dialogue *d, const char *text) {
    return json_array_size(choices(d)) > 0 ? read_choice(d, text) : read_number(d, text);
}

static void reveal(struct study_dialogue *d) {
    show_figure(d, STUDY_PLAIN, step_text(d, "reveal"), json_object_get(step_json(d), "after"));
    ask_next(d);
}

/* A guess made before is not made again: it is compared at once. */
static bool recall(struct study_dialogue *d, const struct past *past) {
    if (past->verdict[0] == '\0') return false;
    struct guess g = read_guess(d, past->typed);
    if (!g.readable) {
        free(g.words);
        return false;
    }
    show_owned(d, STUDY_QUIET, g.words);
    reveal(d);
    return true;
}

static void enter(struct study_dialogue *d) {
    struct attempt *a = &d->state.attempt;
    struct account_error e;
    const json_t *problem = json_object_get(step_json(d), "problem");
    if (problem != NULL && study_problem_read(problem, &a->problem, NULL))
        account_solve(&a->problem, &a->solution, &e);
    struct past past = record_past(d);
    attempt_plain(d, past.try + 1);
    show_figure(d, STUDY_ASKING, step_text(d, "ask"), json_object_get(step_json(d), "figure"));
    if (!recall(d, &past)) pose(d);
    past_free(&past);
}

static void answer(struct study_dialogue *d, const char *text) {
    struct guess g = read_guess(d, text);
    if (!g.readable) {
        problem_unreadable(d, "", text, g.words);
        return;
    }
    if (!record_answer(d, (struct record){"", text, VERDICT_NOTED, "", g.value})) {
        free(g.words);
        return;
    }
    show_verdict(d, VERDICT_NOTED, g.words)->right = g.right;
    reveal(d);
}

/* Nothing was guessed; what comes of it is shown all the same, since later steps speak of it. */
static bool next(struct study_dialogue *d) {
    if (d->state.settled) return false;
    const struct account_solution *s = &d->state.attempt.solution;
    if (json_array_size(choices(d)) > 0) {
        show_owned(d, STUDY_QUIET, base_format("It is: %s", right_choice(d)));
    } else {
        char *truth = working_value(s->value, s->unit);
        show_owned(d, STUDY_QUIET, base_format("It is **%s**.", truth));
        free(truth);
    }
    reveal(d);
    return true;
}

/* Another guess at the same thing. */
static void fresh(struct study_dialogue *d) {
    if (d->state.settled) attempt_plain(d, d->state.attempt.number + 1);
    show(d, STUDY_ASKING, step_text(d, "ask"));
    pose(d);
}

const struct step_ops step_predict = {
    .enter = enter, .answer = answer, .next = next, .fresh = fresh};
