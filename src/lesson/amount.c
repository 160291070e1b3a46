/* amount.c: the amount that a lab asks for before it runs. It is a number that the engine judges
 * like a problem, or how many times as long one run takes as another. What was measured judges
 * that: times vary, so half and twice are near enough. */
#include "lesson/handler.h"

#include <math.h>
#include <string.h>

static const double near_enough = 2;
/* of an estimate that is wrong, how far it may be off to be called close */
static const double close_enough = 0.05;

bool lesson_amount_get(const json_t *amount, struct lesson_amount *out) {
    const json_t *problem = json_object_get(amount, "problem");
    struct account_error e;
    *out = (struct lesson_amount){.factor = problem == NULL};
    if (amount == NULL || out->factor) return amount != NULL;
    return lesson_problem_read(problem, &out->problem, NULL) &&
           account_solve(&out->problem, &out->solution, &e);
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
/* "3", "3 times", "3x", "1/3". */
static bool read_factor(const char *text, double *value) {
    static const char *const ends[] = {"times", "×", "x"};
    char number[64];
    struct account_reading r;
    snprintf(number, sizeof number, "%s", text);
    size_t length = strlen(number);
    while (length > 0 && strchr(" \t\r\n", number[length - 1])) number[--length] = '\0';
    for (size_t i = 0; i < BASE_COUNT(ends); i++) {
        size_t n = strlen(ends[i]);
        if (length <= n || strcmp(number + length - n, ends[i]) != 0) continue;
        number[length - n] = '\0';
        break;
    }
    if (!account_read_answer(number, &r, NULL) || r.unit != ACCOUNT_UNIT_NONE) return false;
    *value = r.value;
    return r.value > 0 && isfinite(r.value);
}

char *lesson_amount_misread(const struct lesson_amount *a, const char *text, double *value) {
    struct account_judgement j;
    if (a->factor)
        return read_factor(text, value)
                   ? NULL
                   : base_dup("That is not a factor. Type how many times, such as 3, 1.5 or 1/2.");
    account_judge(&a->problem, text, &j);
    *value = j.value;
    return j.verdict == ACCOUNT_UNREADABLE ? lesson_feedback_unreadable(&j) : NULL;
}

/* ── judging ───────────────────────────────────────────────────────────────────────────────────*/
static double time_of(const json_t *amount, const json_t *runs, const char *which) {
    const json_t *run = json_array_get(runs, (size_t)base_json_int(amount, which, 0));
    const json_t *ms =
        json_object_get(json_object_get(run, "times"), base_json_text(amount, "of", ""));
    return json_is_number(ms) ? json_number_value(ms) : 0;
}

/* A lab asks for the factor by which the slower run is slower, and its explanation says why. Other
 * work on the cores can turn that round. */
static const char *if_turned_round(double is) {
    return is > 1 ? ""
                  : " The explanation says that it takes longer, not less. Other programs may have "
                    "kept the cores busy, so run the lab again.";
}

static char *judge_factor(const json_t *amount, const char *text, const json_t *runs, bool *right) {
    double said, a = time_of(amount, runs, "run"), b = time_of(amount, runs, "to");
    if (!(a > 0 && b > 0)) return NULL;
    double is = a / b;
    char *truth = base_format("%.3g×: %.3g ms against %.3g ms", is, a, b);
    if (!read_factor(text, &said)) {
        char *words = base_format("It was %s.%s", truth, if_turned_round(is));
        free(truth);
        return words;
    }
    *right = said <= is * near_enough && said >= is / near_enough;
    char *words = base_format("You said %.3g×. It was %s. %s%s", said, truth,
                              *right ? "That is right: times vary, so half and twice count."
                                     : "Half and twice that would have counted.",
                              if_turned_round(is));
    free(truth);
    return words;
}

/* Yours and the right one, whose number yours is, and if no mistake is behind it, how the right one
 * is calculated. */
static char *explain_number(struct account_guess *g, const struct lesson_amount *a) {
    g->piled = false; /* no piles are drawn of it: the arithmetic is said */
    char *whose = lesson_feedback_guess(g, &a->problem);
    if (g->is == ACCOUNT_GUESS_MISTAKE) return whose;
    char *lines = lesson_working_all(&a->solution),
         *words = base_format("%s\n\nLine by line:\n\n%s", whose, lines);
    free(lines);
    free(whose);
    return words;
}

bool lesson_amount_close(const struct lesson_amount *a, double value) {
    return fabs(value - a->solution.value) <= close_enough * fabs(a->solution.value);
}

static char *judge_number(const struct lesson_amount *a, const char *text, bool *right) {
    struct account_guess g;
    account_guess(&a->problem, text, &g);
    const struct account_judgement *j = &g.judged;
    char *truth = lesson_working_value(a->solution.value, a->solution.unit);
    *right = g.is == ACCOUNT_GUESS_RIGHT;
    bool close = j->verdict == ACCOUNT_WRONG && lesson_amount_close(a, j->value);
    char *words = g.is == ACCOUNT_GUESS_UNREADABLE ? base_format("The amount is **%s**.", truth)
                  : *right
                      ? base_format("You said %s. That is right: it is **%s**.", j->read_as, truth)
                  : close ? base_format("You said %s. Close: it is **%s**.", j->read_as, truth)
                          : explain_number(&g, a);
    free(truth);
    return words;
}

char *lesson_amount_judge(const json_t *amount, const char *text, const json_t *runs, bool *right) {
    struct lesson_amount a;
    *right = false;
    if (!lesson_amount_get(amount, &a)) return NULL;
    return a.factor ? judge_factor(amount, text, runs, right) : judge_number(&a, text, right);
}
