/* feedback.c: a solution and a judgement in words. What the number is, which line of arithmetic
 * gives it, which step is wrong, and why; and solutions as Markdown code blocks with aligned
 * columns. */
#include "lesson/handler.h"

#include <stdlib.h>
#include <string.h>

/* ── solutions ─────────────────────────────────────────────────────────────────────────────────*/
char *lesson_working_value(double value, enum account_unit unit) {
    char out[64];
    return base_dup(account_print(out, sizeof out, value, unit, 4));
}

char *lesson_typed_value(double value, enum account_unit unit) {
    char out[64];
    return base_dup(account_print(out, sizeof out, value, unit, account_digits(value, unit)));
}

double lesson_working_bytes(const struct account_line *l) {
    return l->unit >= ACCOUNT_UNIT_B && l->unit <= ACCOUNT_UNIT_TIB ? l->value : 0;
}

static void pad(struct base_text *t, const char *s, int width) {
    base_text_puts(t, s);
    for (int n = base_width(s); n < width; n++) base_text_puts(t, " ");
}

static int widest(const struct account_solution *s, bool label) {
    int most = 0;
    for (size_t i = 0; i < s->lines; i++) {
        int w = base_width(label ? s->line[i].label : s->line[i].formula);
        if (w > most) most = w;
    }
    return most;
}

enum { LINE_MOST = 72 }; /* a line of working fits 80 columns with the page's margins */

/* "optimizer   12 B × 7e9 ÷ 8  =  10.5 GB"; a formula too long for one line has the value below it.
 */
static void add_line(struct base_text *t, const struct account_solution *s, size_t i, int labels,
                     int formulas) {
    const struct account_line *l = &s->line[i];
    char *value = lesson_working_value(l->value, l->unit);
    pad(t, l->label, labels + 2);
    if (l->formula[0] == '\0') {
        base_text_printf(t, "%s\n", value);
    } else if (labels + 2 + base_width(l->formula) + 3 + base_width(value) > LINE_MOST) {
        base_text_printf(t, "%s\n", l->formula);
        pad(t, "", labels + 2);
        base_text_printf(t, "= %s\n", value);
    } else {
        pad(t, l->formula, formulas);
        base_text_printf(t, " = %s\n", value);
    }
    free(value);
}

char *lesson_working_lines(const struct account_solution *s, size_t from, size_t to) {
    struct base_text t = {0};
    int labels = widest(s, true), formulas = widest(s, false);
    if (labels + formulas > LINE_MOST - 20) formulas = 0;
    base_text_puts(&t, "```\n");
    for (size_t i = from; i < to && i < s->lines; i++) add_line(&t, s, i, labels, formulas);
    base_text_puts(&t, "```\n");
    return base_text_take(&t);
}

/* The widest formula that fits on one line with its value and its note, and the widest value. */
struct noted {
    int formulas, values;
};

static struct noted measure_noted(const struct account_solution *s, int labels,
                                  char *const note[ACCOUNT_LINES]) {
    struct noted n = {0, 0};
    int notes = 0;
    for (size_t i = 0; i < s->lines; i++) {
        char *value = lesson_working_value(s->line[i].value, s->line[i].unit);
        int v = base_width(value), w = note[i] ? base_width(note[i]) : 0;
        n.values = v > n.values ? v : n.values;
        notes = w > notes ? w : notes;
        free(value);
    }
    int room = LINE_MOST - labels - 2 - 3 - n.values - notes;
    for (size_t i = 0; i < s->lines; i++) {
        int f = base_width(s->line[i].formula);
        if (f <= room && f > n.formulas) n.formulas = f;
    }
    return n;
}

char *lesson_working_noted(const struct account_solution *s, char *const note[ACCOUNT_LINES]) {
    struct base_text t = {0};
    int labels = widest(s, true);
    struct noted n = measure_noted(s, labels, note);
    base_text_puts(&t, "```\n");
    for (size_t i = 0; i < s->lines; i++) {
        const struct account_line *l = &s->line[i];
        char *value = lesson_working_value(l->value, l->unit);
        bool given = l->formula[0] == '\0', below = base_width(l->formula) > n.formulas;
        pad(&t, l->label, labels + 2);
        pad(&t, l->formula, n.formulas);
        if (below) base_text_printf(&t, "\n%*s", labels + 2 + n.formulas, "");
        base_text_printf(&t, " %c %*s%s%s\n", given ? ' ' : '=', n.values - base_width(value), "",
                         value, note[i] ? note[i] : "");
        free(value);
    }
    base_text_puts(&t, "```\n");
    return base_text_take(&t);
}

char *lesson_working_begun(const struct account_solution *s, const json_t *sheet) {
    struct base_text t = {0};
    int labels = widest(s, true), formulas = widest(s, false);
    if (labels + formulas > LINE_MOST - 20) formulas = 0;
    base_text_puts(&t, "```\n");
    for (size_t i = 0; i < s->lines; i++) {
        if (sheet ? !lesson_sheet_is_blank(sheet, s, i) : i == 0) {
            add_line(&t, s, i, labels, formulas);
        } else {
            pad(&t, s->line[i].label, labels + 2);
            base_text_puts(&t, "?\n");
        }
    }
    base_text_puts(&t, "```\n");
    return base_text_take(&t);
}

char *lesson_working_all(const struct account_solution *s) {
    return lesson_working_lines(s, 0, s->lines);
}

/* ── judgements ────────────────────────────────────────────────────────────────────────────────*/
static size_t add_id(char *out, size_t n, size_t size, const char *before,
                     const struct account_match *m) {
    const struct account_mistake *also = m->also;
    return n + (size_t)snprintf(out + n, size - n, "%s%s%s%s", before, m->mistake->id,
                                also != NULL ? "+" : "", also != NULL ? also->id : "");
}

const char *lesson_feedback_ids(const struct account_judgement *j, char *out, size_t size) {
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < j->diagnosis.count && n < size; i++)
        n = add_id(out, n, size, i > 0 ? "|" : "", &j->diagnosis.match[i]);
    return out;
}

void lesson_feedback_note(struct base_text *t, const struct account_judgement *j) {
    if (j->note[0] != '\0') base_text_printf(t, "\n\nNote: %s.", j->note);
}

char *lesson_feedback_unreadable(const struct account_judgement *j) {
    struct base_text t = {0};
    char *note = lesson_literally(j->note[0] != '\0' ? j->note : "type a number or an expression");
    if (j->read_as[0] == '\0') {
        base_text_puts(&t, "That cannot be read");
        if (j->column > 1) base_text_printf(&t, " at column %d", j->column);
        base_text_printf(&t, ": %s. This does not count as an answer. Try again.", note);
    } else {
        base_text_printf(&t, "That does not count as an answer: %s. Try again.", note);
    }
    free(note);
    return base_text_take(&t);
}

/* "Most often the fp32 master copy was forgotten; else the moments were counted once, or …" */
static void add_commonest(struct base_text *t, const struct account_diagnosis *g) {
    base_text_printf(t, ". Most often %s; else ", g->match[0].mistake->name);
    for (size_t i = 0; i < g->others; i++)
        base_text_printf(t, "%s%s", i > 0 ? ", or " : "", g->other[i]->name);
    base_text_puts(t, ".");
    if (g->match[0].also) base_text_printf(t, " Besides, %s.", g->match[0].also->name);
}

/* "One mistake gives **14 GB**: only the parameters were counted." Of several that one line of
 * arithmetic explains, the commonest is named first, and explained. */
static void add_names(struct base_text *t, const struct account_judgement *j) {
    static const char *const words[] = {"One", "Two", "Three", "Four", "Five", "Six", "Seven"};
    _Static_assert(BASE_COUNT(words) == ACCOUNT_MATCHES + ACCOUNT_OTHERS, "a word for each count");
    const struct account_diagnosis *g = &j->diagnosis;
    size_t all = g->count + g->others;
    char names[512];
    base_text_printf(t, "%s mistake%s **%s**", words[all - 1], all == 1 ? " gives" : "s give",
                     j->read_as);
    if (g->count == 1 && g->others > 0)
        add_commonest(t, g);
    else
        base_text_printf(t, ": %s.", account_diagnosis_names(g, names, sizeof names));
}

/* The arithmetic, and under it the step that went wrong. */
static void add_match(struct base_text *t, const struct account_match *m) {
    base_text_printf(t, "\n\n```\n%s\n", m->arithmetic);
    if (m->wrong[0] != '\0') base_text_printf(t, "  └─ %s\n", m->wrong);
    base_text_printf(t, "```\n\n%s", m->mistake->explain);
    if (m->also != NULL) base_text_printf(t, " %s", m->also->explain);
}

void lesson_feedback_diagnosis(struct base_text *t, const struct account_judgement *j) {
    add_names(t, j);
    for (size_t i = 0; i < j->diagnosis.count; i++) add_match(t, &j->diagnosis.match[i]);
}

static void add_truth(struct base_text *t, const struct account_solution *s, int digits,
                      const char *before) {
    char out[64];
    base_text_printf(t, "%s**%s**.", before,
                     account_print(out, sizeof out, s->value, s->unit, digits));
}

static void say_right(struct base_text *t, const struct account_judgement *j,
                      const struct account_solution *s) {
    (void)s;
    base_text_printf(t, "Right: **%s**.", j->read_as);
}

static void say_rounded(struct base_text *t, const struct account_judgement *j,
                        const struct account_solution *s) {
    base_text_printf(t, "Right, to two digits: **%s**.", j->read_as);
    add_truth(t, s, 3, " To three digits it is ");
}

static void say_mistake(struct base_text *t, const struct account_judgement *j,
                        const struct account_solution *s) {
    lesson_feedback_diagnosis(t, j);
    add_truth(t, s, 4, "\n\nHere it is ");
}

static void say_wrong(struct base_text *t, const struct account_judgement *j,
                      const struct account_solution *s) {
    base_text_printf(t, "**%s** is not it;", j->read_as);
    add_truth(t, s, 4, " it is ");
    char *lines = lesson_working_all(s);
    base_text_printf(t, " Line by line:\n\n%s", lines);
    free(lines);
}

char *lesson_feedback_judgement(const struct account_judgement *j,
                                const struct account_solution *s) {
    static void (*const say[ACCOUNT_VERDICTS])(struct base_text *, const struct account_judgement *,
                                               const struct account_solution *) = {
        [ACCOUNT_RIGHT] = say_right,        [ACCOUNT_ROUNDED] = say_rounded,
        [ACCOUNT_WRONG_UNIT] = say_mistake, [ACCOUNT_MISTAKE] = say_mistake,
        [ACCOUNT_WRONG] = say_wrong,
    };
    if (j->verdict == ACCOUNT_UNREADABLE) return lesson_feedback_unreadable(j);
    struct base_text t = {0};
    bool named = j->diagnosis.count > 0;
    bool mistaken = j->verdict == ACCOUNT_WRONG_UNIT || j->verdict == ACCOUNT_MISTAKE;
    (mistaken && !named ? say_wrong : say[j->verdict])(&t, j, s);
    lesson_feedback_note(&t, j);
    return base_text_take(&t);
}

/* ── guesses ───────────────────────────────────────────────────────────────────────────────────*/
/* What account_whose() calls a quantity, as people say it. */
static const char *say_quantity(const char *name, char *out, size_t size) {
    static const char *const said[][2] = {
        {"model_state", "all model states"},    {"optimizer", "the optimizer states"},
        {"params", "the parameters alone"},     {"grads", "the gradients alone"},
        {"master", "the master weights alone"}, {"moments", "the moments alone"},
        {"peak", "the peak of the step"},       {"init", "the memory kept before the first step"},
        {"forward", "the peak of forward"},     {"backward", "the peak of backward"},
        {"update", "the peak of the update"},   {"traffic", "what one rank sends in a step"},
    };
    for (size_t i = 0; i < BASE_COUNT(said); i++)
        if (strcmp(said[i][0], name) == 0) return said[i][1];
    snprintf(out, size, "%s", name);
    for (char *c = out; *c != '\0'; c++)
        if (*c == '_') *c = ' ';
    return out;
}

static void add_other(struct base_text *t, const struct account_guess *g) {
    char name[48], *working = lesson_literally(g->owner.working);
    base_text_printf(t, "**%s** is another number of this training: %s, %s.", g->judged.read_as,
                     say_quantity(g->owner.quantity, name, sizeof name), working);
    if (strcmp(g->owner.recipe, "paper") != 0)
        base_text_printf(t, " That is how the recipe `%s` counts.", g->owner.recipe);
    free(working);
}

/* "**28 GB**, where the optimizer's states were forgotten" */
static void add_known(struct base_text *t, const char *before, const struct account_known *k,
                      enum account_unit unit) {
    char *value = lesson_working_value(k->value, unit);
    base_text_printf(t, "%s**%s**, %s%s", before, value,
                     k->match.mistake != NULL ? "where " : "the right value",
                     k->match.mistake != NULL ? k->match.mistake->name : "");
    free(value);
}

static void add_between(struct base_text *t, const struct account_guess *g,
                        enum account_unit unit) {
    const char *said = g->judged.read_as;
    bool both = g->below.value > 0 && g->above.value > 0;
    bool less = g->above.value > 0;
    if (both) {
        base_text_printf(t, "No usual mistake gives **%s**. ", said);
        add_known(t, "It is between ", &g->below, unit);
        add_known(t, ", and ", &g->above, unit);
    } else {
        base_text_printf(t, "**%s** is %s than any usual mistake gives. ", said,
                         less ? "less" : "more");
        add_known(t, "The nearest number is ", less ? &g->above : &g->below, unit);
    }
    base_text_puts(t, ".");
}

/* Rough digits, and another prefix. */
static void add_meant(struct base_text *t, const struct account_guess *g, enum account_unit unit) {
    char *value = lesson_working_value(g->meant, unit);
    base_text_printf(t,
                     "**%s** would be close, so the prefix is probably one off. K, M, G and T are "
                     "each a thousand apart.",
                     value);
    free(value);
}

/* "One mistake gives **56 GB**: everything was counted in 16 bits. …" The piles show the
 * arithmetic. */
static void add_mistake(struct base_text *t, const struct account_guess *g) {
    const struct account_diagnosis *found = &g->judged.diagnosis;
    if (!g->piled) {
        lesson_feedback_diagnosis(t, &g->judged);
        return;
    }
    add_names(t, &g->judged);
    for (size_t i = 0; i < found->count; i++)
        base_text_printf(t, " %s", found->match[i].mistake->explain);
}

char *lesson_feedback_guess(const struct account_guess *g, const struct account_problem *p) {
    struct account_solution s;
    struct base_text t = {0};
    account_solve(p, &s, NULL);
    char *truth = lesson_working_value(s.value, s.unit);
    if (g->is == ACCOUNT_GUESS_RIGHT && g->judged.verdict == ACCOUNT_ROUNDED)
        say_rounded(&t, &g->judged, &s);
    else if (g->is == ACCOUNT_GUESS_RIGHT)
        base_text_printf(&t, "Your guess: **%s**. That is right.", g->judged.read_as);
    else
        base_text_printf(&t, "Your guess: **%s**. The answer is **%s**.%s", g->judged.read_as,
                         truth, g->piled ? "\\\n" : "\n\n");
    if (g->is == ACCOUNT_GUESS_MISTAKE) add_mistake(&t, g);
    if (g->is == ACCOUNT_GUESS_OTHER) add_other(&t, g);
    if (g->is == ACCOUNT_GUESS_BETWEEN) (g->meant > 0 ? add_meant : add_between)(&t, g, s.unit);
    lesson_feedback_note(&t, &g->judged);
    free(truth);
    return base_text_take(&t);
}

char *lesson_feedback_whose(const struct account_guess *g) {
    char name[48], names[512];
    const struct account_diagnosis *found = &g->judged.diagnosis;
    if (g->is == ACCOUNT_GUESS_MISTAKE)
        return base_dup(account_diagnosis_names(found, names, sizeof names));
    if (g->is != ACCOUNT_GUESS_OTHER) return base_dup("");
    return base_format("that is %s", say_quantity(g->owner.quantity, name, sizeof name));
}
