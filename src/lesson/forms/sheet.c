/* sheet.c: a worksheet: the lines of a solution with blanks, asked in order. Each line is judged
 * with the earlier answers carried forward, so one mistake costs one line. */
#include "lesson/handler.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ── fading ──────────────────────────────────────────────────────────────────────────────────────
 * A worked example fades. Its first worksheet leaves the lines blank that its author named; each
 * sheet that was got right leaves one line more to the next, the last of those still given first.
 * What was got right is read from the answers kept, so that a sheet that is come back to has the
 * blanks it had. Renkl and Atkinson, doi 10.1207/S15326985EP3801_3: fading from the last step
 * backwards. */

struct successes {
    /* only tries before this one; 0: all */
    int before;
    size_t count;
};

static void count(void *to, const struct lesson_answer *a) {
    struct successes *s = to;
    bool whole = *a->line == '\0' && lesson_verdict_right(a->verdict);
    bool counts = s->before == 0 || a->try < s->before;
    /* got right with a line of the solution is not got right */
    s->count += whole && counts && a->hints < LESSON_HINTS;
}

static size_t successes(struct lesson_dialogue *d, size_t step, int before) {
    struct successes s = {.before = before};
    d->journal.answers(d->journal.self, d->lesson->step[step].item, count, &s, NULL);
    return s.count;
}

/* This sheet's own earlier tries count each, the lesson's earlier sheets once. */
static size_t got_right(struct lesson_dialogue *d) {
    size_t n = d->state.attempt.number > 1 ? successes(d, d->at, d->state.attempt.number) : 0;
    for (size_t i = 0; i < d->at; i++)
        if (strcmp(lesson_form(d->lesson, i), "sheet") == 0) n += successes(d, i, 0) > 0;
    return n;
}

static void fade_blanks(struct lesson_dialogue *d, bool blank[ACCOUNT_LINES]) {
    const struct account_solution *s = &d->state.attempt.solution;
    size_t more = got_right(d);
    for (size_t i = s->lines; i-- > 0;) {
        blank[i] = lesson_sheet_is_blank(lesson_step_json(d), s, i);
        if (blank[i] || more == 0) continue;
        blank[i] = true;
        more--;
    }
}

static const struct account_solution *solution(const struct lesson_dialogue *d) {
    return &d->state.attempt.solution;
}

static size_t count_state(const struct lesson_dialogue *d, enum lesson_line state) {
    size_t n = 0;
    for (size_t i = 0; i < solution(d)->lines; i++) n += d->state.line_state[i] == state;
    return n;
}

/* A line's answer counts from now on; the first mistake gives the whole sheet its mistake. */
static void take(struct lesson_dialogue *d, size_t i, double value, bool right, const char *ids) {
    d->state.given[i] = value;
    d->state.line_state[i] = right ? LESSON_LINE_RIGHT : LESSON_LINE_WRONG;
    if (!right && d->state.mistake[0] == '\0')
        snprintf(d->state.mistake, sizeof d->state.mistake, "%s", ids);
}

static void recall(struct lesson_dialogue *d, const struct past_line *line) {
    for (size_t i = 0; i < solution(d)->lines; i++) {
        if (strcmp(solution(d)->line[i].id, line->id) != 0) continue;
        if (d->state.line_state[i] == LESSON_LINE_BLANK)
            take(d, i, line->value, lesson_verdict_right(line->verdict), line->mistake);
    }
}

static void ready(struct lesson_dialogue *d, const struct past *past) {
    bool blank[ACCOUNT_LINES] = {false};
    assert(solution(d)->lines <= ACCOUNT_LINES);
    d->state.mistake[0] = '\0';
    d->state.told = 0;
    fade_blanks(d, blank);
    for (size_t i = 0; i < ACCOUNT_LINES; i++) {
        d->state.given[i] = NAN;
        d->state.line_state[i] = blank[i] ? LESSON_LINE_BLANK : LESSON_LINE_GIVEN;
    }
    for (size_t i = 0; past != NULL && i < past->lines; i++) recall(d, &past->line[i]);
}

static void finish(struct lesson_dialogue *d);

static bool is_near(double given, double truth) {
    return fabs(given - truth) <= 5e-3 * fabs(truth);
}

/* What line i must be, the answers above it carried forward; `same` says that it is the true
 * value. */
static double carried_value(const struct lesson_dialogue *d, size_t i, bool *same) {
    const struct attempt *a = &d->state.attempt;
    double truth = a->solution.line[i].value;
    double carried = account_carry(&a->problem, &a->solution, i, d->state.given);
    *same = fabs(carried - truth) <= 1e-9 * fabs(truth);
    return carried;
}

/* What an answered line should have been, where that is another number: it stays in the sheet, so
 * that it is there for the lines below and whenever one comes back. */
static char *correction(const struct lesson_dialogue *d, size_t i) {
    const struct account_line *l = &solution(d)->line[i];
    bool same, wrong = d->state.line_state[i] == LESSON_LINE_WRONG;
    double given = d->state.given[i], must = carried_value(d, i, &same);
    if (!wrong && (is_near(given, must) || is_near(given, l->value))) return base_dup("");
    char *value = lesson_working_value(must, l->unit);
    char *text = base_format("%s %s",
                             !same   ? "from your lines"
                             : wrong ? "it is"
                                     : "exactly",
                             value);
    free(value);
    return text;
}

/* "yours 80 GB" next to what it is. */
static char *say_value(double value, const struct account_line *l, bool corrected) {
    char *said = lesson_typed_value(value, l->unit),
         *text = base_format("%s%s", corrected ? "yours " : "", said);
    free(said);
    return text;
}

static void draw_line(struct lesson_dialogue *d, struct lesson_sheet_line *out, size_t i) {
    const struct account_line *l = &solution(d)->line[i];
    enum lesson_line state = d->state.line_state[i];
    bool answered = state == LESSON_LINE_RIGHT || state == LESSON_LINE_WRONG;
    out->id = lesson_ask_text(d, l->id);
    out->label = lesson_ask_text(d, l->label);
    out->formula = lesson_ask_text(d, state == LESSON_LINE_GIVEN ? l->formula : "");
    out->must = answered ? lesson_keep_owned(&d->asking, correction(d, i)) : "";
    out->value = "";
    if (answered && !isnan(d->state.given[i]))
        out->value = lesson_keep_owned(&d->asking, say_value(d->state.given[i], l, *out->must));
    if (state == LESSON_LINE_GIVEN)
        out->value = lesson_keep_owned(&d->asking, lesson_working_value(l->value, l->unit));
    out->amount = lesson_working_bytes(l);
    out->state = state == LESSON_LINE_BLANK && i == d->state.line ? LESSON_LINE_ASKED : state;
}

static void pose(struct lesson_dialogue *d) {
    size_t i = 0;
    while (i < solution(d)->lines && d->state.line_state[i] != LESSON_LINE_BLANK) i++;
    if (i == solution(d)->lines) {
        finish(d);
        return;
    }
    const struct account_line *l = &solution(d)->line[i];
    d->state.line = i;
    struct lesson_ask *ask =
        lesson_problem_ask(d, LESSON_LINE, lesson_ask_prompt(d, l->label, l->unit));
    struct lesson_sheet_line *sheet =
        lesson_keep_alloc(&d->asking, solution(d)->lines * sizeof *sheet);
    for (size_t k = 0; k < solution(d)->lines; k++) draw_line(d, &sheet[k], k);
    ask->unit = lesson_ask_text(d, lesson_ask_unit(d, l->unit));
    ask->lines = solution(d)->lines;
    ask->sheet = sheet;
    ask->line = i;
    lesson_ask_pose(d);
}

/* The whole sheet with what was answered otherwise: which line was wrong, and which only followed
 * from it, or was rounded. */
static char *working(struct lesson_dialogue *d) {
    const struct account_solution *s = solution(d);
    char *note[ACCOUNT_LINES] = {NULL};
    size_t noted = 0;
    for (size_t i = 0; i < s->lines; i++) {
        double given = d->state.given[i];
        if (isnan(given) || is_near(given, s->line[i].value)) continue;
        char *value = lesson_typed_value(given, s->line[i].unit);
        note[i] = base_format("   yours: %s %s", value,
                              d->state.line_state[i] == LESSON_LINE_WRONG ? "✗" : "✓");
        free(value);
        noted++;
    }
    char *text = noted ? lesson_working_noted(s, note) : lesson_working_all(s);
    for (size_t i = 0; i < s->lines; i++) free(note[i]);
    return text;
}

/* The whole sheet's verdict. Its lines are kept already, so if this cannot be, the step finds it
 * missing when it is next entered. */
static void finish(struct lesson_dialogue *d) {
    size_t right = count_state(d, LESSON_LINE_RIGHT),
           asked = right + count_state(d, LESSON_LINE_WRONG);
    const struct account_solution *s = solution(d);
    bool all = right == asked;
    size_t last = s->lines - 1;
    while (last > 0 && d->state.line_state[last] == LESSON_LINE_GIVEN) last--;
    char *words, *lines = working(d);
    if (all && asked == 1)
        words = base_dup("Its one line is right.");
    else if (all)
        words = asked == 2 ? base_dup("Both lines are right.")
                           : base_format("All %zu lines are right.", asked);
    else
        words = base_format("%zu of %zu lines %s right. The whole sheet:\n\n%s", right, asked,
                            right == 1 ? "is" : "are", lines);
    free(lines);
    struct record r = {"", "", all ? VERDICT_RIGHT : VERDICT_WRONG, d->state.mistake,
                       d->state.given[last]};
    if (lesson_problem_verdict(d, r, words) || d->overtaken) return;
    lesson_show(d, LESSON_QUIET, "Its lines are kept. Come back to this step to finish the sheet.");
    lesson_ask_next(d);
}

static bool is_right(const struct account_judgement *j) {
    return j->verdict == ACCOUNT_RIGHT || j->verdict == ACCOUNT_ROUNDED;
}

/* What the line should have been: its formula, unless an earlier mistake makes it another number.
 */
static void add_line_truth(struct base_text *t, const struct lesson_dialogue *d) {
    const struct account_line *l = &solution(d)->line[d->state.line];
    bool same;
    double carried = carried_value(d, d->state.line, &same);
    char *value = lesson_working_value(same ? l->value : carried, l->unit);
    if (same && l->formula[0] != '\0')
        base_text_printf(t, "\n\n```\n%s = %s\n```", l->formula, value);
    else
        base_text_printf(t, "\n\n%s **%s**.", same ? "It is" : "With your lines above it would be",
                         value);
    free(value);
}

/* A line that follows from a wrong one is right, and still not the number of this training. One
 * that is right to two digits only may be so for any reason, so none is named. */
static void add_right(struct base_text *t, const struct lesson_dialogue *d,
                      const struct account_judgement *j) {
    const struct account_line *l = &solution(d)->line[d->state.line];
    bool same, rounded = j->verdict == ACCOUNT_ROUNDED;
    double carried = carried_value(d, d->state.line, &same);
    same = same || fabs(j->value - l->value) < fabs(j->value - carried);
    base_text_printf(t, "Right%s%s: **%s**.", same ? "" : ", from your lines above",
                     rounded ? ", to two digits" : "", j->read_as);
    if (rounded) {
        char out[64];
        account_print(out, sizeof out, same ? l->value : carried, l->unit, 3);
        base_text_printf(t, " To three digits it is **%s**.", out);
    }
    if (same || is_near(j->value, l->value)) return;
    char *value = lesson_working_value(l->value, l->unit);
    base_text_printf(t, " From the right lines it is **%s**.", value);
    free(value);
}

/* Said of one line; the sheet goes on with what was answered. */
static char *words_of_line(const struct lesson_dialogue *d, const struct account_judgement *j,
                           size_t more) {
    struct base_text t = {0};
    if (is_right(j)) add_right(&t, d, j);
    if (!is_right(j) && j->diagnosis.count > 0) lesson_feedback_diagnosis(&t, j);
    if (!is_right(j) && j->diagnosis.count == 0) {
        if (j->line > 0)
            base_text_printf(&t, "**%s** is the number on a line above: *%s*.", j->read_as,
                             solution(d)->line[j->line - 1].label);
        else
            base_text_printf(&t, "**%s** is not it.", j->read_as);
        add_line_truth(&t, d);
    }
    lesson_feedback_note(&t, j);
    if (!is_right(j) && more) {
        bool same;
        char *value = lesson_working_value(carried_value(d, d->state.line, &same),
                                           solution(d)->line[d->state.line].unit);
        base_text_printf(&t, "\n\nIn the next line%s use your %s, or %s, which is right.",
                         more == 1 ? "" : "s", j->read_as, value);
        free(value);
    }
    return base_text_take(&t);
}

/* A right line stands in the sheet with its sign; and in the whole one at the end, if that has no
 * other numbers than the answers. */
static bool is_drawn(const struct lesson_dialogue *d, const struct account_judgement *j,
                     bool more) {
    return j->verdict == ACCOUNT_RIGHT && j->note[0] == '\0' &&
           (more || count_state(d, LESSON_LINE_WRONG) == 0);
}

/* What was wrong with a line that is kept, by judging its answer again. */
static void remind_line(struct lesson_dialogue *d, size_t i, const char *typed) {
    const struct account_line *l = &solution(d)->line[i];
    struct account_judgement j;
    d->state.line = i;
    account_judge_line(&d->state.attempt.problem, solution(d), i, d->state.given, typed, &j);
    if (j.verdict == ACCOUNT_UNREADABLE || is_right(&j)) return;
    char *words = words_of_line(d, &j, 0);
    lesson_show_owned(d, LESSON_BAD,
                      base_format("On the line *%s* you answered %s.\n\n%s", l->label,
                                  lesson_show_typed(d, typed), words));
    free(words);
}

/* A sheet that was left in the middle has had a page for each wrong line. A whole one has its
 * verdict. */
static void remind(struct lesson_dialogue *d, const struct past *past) {
    size_t before = d->queued;
    if (count_state(d, LESSON_LINE_BLANK) == 0) return;
    for (size_t i = 0; i < solution(d)->lines; i++)
        for (size_t k = 0; k < past->lines && d->state.line_state[i] == LESSON_LINE_WRONG; k++)
            if (strcmp(past->line[k].id, solution(d)->line[i].id) == 0)
                remind_line(d, i, past->line[k].typed);
    if (d->queued > before) lesson_show_turn(d)->repeated = true;
}

static void answer(struct lesson_dialogue *d, const char *text) {
    const char *id = solution(d)->line[d->state.line].id;
    struct account_judgement j;
    char ids[160];
    account_judge_line(&d->state.attempt.problem, solution(d), d->state.line, d->state.given, text,
                       &j);
    if (j.verdict == ACCOUNT_UNREADABLE) {
        lesson_problem_unreadable(d, id, text, lesson_feedback_unreadable(&j));
        return;
    }
    const char *verdict = account_verdict_name(j.verdict);
    lesson_feedback_ids(&j, ids, sizeof ids);
    if (!lesson_record_answer(d, (struct record){id, text, verdict, ids, j.value})) return;
    size_t more = count_state(d, LESSON_LINE_BLANK) - 1;
    struct lesson_event *e = lesson_show_verdict(d, verdict, words_of_line(d, &j, more));
    e->of_line = lesson_keep_text(&d->events, solution(d)->line[d->state.line].label);
    e->in_sheet = is_drawn(d, &j, more > 0);
    take(d, d->state.line, j.value, is_right(&j), ids);
    if (!is_right(&j) && more > 0) { /* the verdict has a page to itself */
        lesson_show_turn(d)->repeated = true;
        lesson_problem_state(d)->repeated = true;
    }
    pose(d);
}

/* For a line that is a sum: the author's hints are about the lines that it adds up. */
static char *own_hint(struct lesson_dialogue *d) {
    const struct account_line *l = &solution(d)->line[d->state.line];
    if (l->rule != ACCOUNT_ADDS) return NULL;
    return base_format("This line adds up the lines from *%s* to *%s*.",
                       solution(d)->line[l->a].label, solution(d)->line[l->b].label);
}

/* The asked line's formula, with the learner's own numbers if it follows from them. */
static char *last_hint(struct lesson_dialogue *d) {
    const struct account_line *l = &solution(d)->line[d->state.line];
    bool same;
    char own[160];
    carried_value(d, d->state.line, &same);
    if (l->formula[0] == '\0')
        return lesson_working_lines(solution(d), d->state.line, d->state.line + 1);
    account_carry_formula(solution(d), d->state.line, d->state.given, own, sizeof own);
    return base_format("This line%s:\n\n```\n%s  %s\n```",
                       same ? "" : ", with your numbers from the lines above", l->label,
                       same ? l->formula : own);
}

const struct form_ops lesson_form_sheet = {.name = "sheet",
                                           .again = "The same sheet with fresh numbers:",
                                           .show_working = true,
                                           .ready = ready,
                                           .remind = remind,
                                           .pose = pose,
                                           .answer = answer,
                                           .own_hint = own_hint,
                                           .last_hint = last_hint,
                                           .working = working};
