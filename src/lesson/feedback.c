/* feedback.c: a judgement in words. What the number is, which line of arithmetic gives it, where that slipped, and why. */
#include "lesson/dialogue.h"

#include <stdlib.h>

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
    base_text_puts(&t, "That could not be read");
    if (j->column > 0) base_text_printf(&t, " at column %d", j->column);
    char *note =
        lesson_literally(j->note[0] != '\0' ? j->note : "a number or an expression is asked");
    base_text_printf(&t, ": %s. It does not count; the question stays.", note);
    free(note);
    return base_text_take(&t);
}

/* "the gradients were forgotten, and the number is right in decimal units" */
static void add_name(struct base_text *t, const struct account_match *m) {
    base_text_puts(t, m->mistake->name);
    if (m->also != NULL) base_text_printf(t, ", and %s", m->also->name);
    base_text_puts(t, ":");
}

/* The arithmetic, and under it the step that went wrong. */
static void add_match(struct base_text *t, const struct account_match *m) {
    base_text_printf(t, "\n\n```\n%s\n", m->arithmetic);
    if (m->wrong[0] != '\0') base_text_printf(t, "  └─ %s\n", m->wrong);
    base_text_printf(t, "```\n\n%s", m->mistake->explain);
    if (m->also != NULL) base_text_printf(t, " %s", m->also->explain);
}

void lesson_feedback_diagnosis(struct base_text *t, const struct account_judgement *j) {
    const struct account_diagnosis *g = &j->diagnosis;
    if (g->count == 1) {
        base_text_printf(t, "**%s** means that ", j->read_as);
        add_name(t, &g->match[0]);
        add_match(t, &g->match[0]);
        return;
    }
    base_text_printf(t, "**%s** comes out in %zu ways.", j->read_as, g->count);
    for (size_t i = 0; i < g->count; i++) {
        base_text_puts(t, i == 0 ? "\n\nEither " : "\n\nOr ");
        add_name(t, &g->match[i]);
        add_match(t, &g->match[i]);
    }
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
    base_text_printf(t, "Right, but rounded too early: you have %s;", j->read_as);
    add_truth(t, s, 3, " to three digits it is ");
}

static void say_slip(struct base_text *t, const struct account_judgement *j,
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
        [ACCOUNT_RIGHT] = say_right,     [ACCOUNT_ROUNDED] = say_rounded,
        [ACCOUNT_WRONG_UNIT] = say_slip, [ACCOUNT_MISTAKE] = say_slip,
        [ACCOUNT_WRONG] = say_wrong,
    };
    if (j->verdict == ACCOUNT_UNREADABLE) return lesson_feedback_unreadable(j);
    struct base_text t = {0};
    bool named = j->diagnosis.count > 0;
    bool slipped = j->verdict == ACCOUNT_WRONG_UNIT || j->verdict == ACCOUNT_MISTAKE;
    (slipped && !named ? say_wrong : say[j->verdict])(&t, j, s);
    lesson_feedback_note(&t, j);
    return base_text_take(&t);
}
