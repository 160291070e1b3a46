/* working.c: solutions as Markdown code blocks with aligned columns. */
#include "lesson/dialogue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char *lesson_working_value(double value, enum account_unit unit) {
    char out[64];
    return base_dup(account_print(out, sizeof out, value, unit, 4));
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

/* "optimizer   12 B × 7e9 ÷ 8  =  10.5 GB"; a formula too long for one line has the value below it. */
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

char *lesson_working_all(const struct account_solution *s) {
    return lesson_working_lines(s, 0, s->lines);
}

/* "half", "a ninth", "1/40": how much of what was said it is. */
static char *fraction(double ratio) {
    static const char *const names[] = {NULL,        NULL,      "half",    "a third",
                                        "a quarter", "a fifth", "a sixth", "a seventh",
                                        "an eighth", "a ninth", "a tenth"};
    double whole = round(ratio);
    const char *about = fabs(ratio - whole) > 0.02 * ratio ? "about " : "";
    size_t n = whole < 100 ? (size_t)whole : 100;
    if (n < BASE_COUNT(names)) return base_format(": %s%s of that", about, names[n]);
    return base_format(": %s1/%.0f of that", about, whole);
}

char *lesson_working_compare(double said, double truth) {
    if (!(said > 0) || !(truth > 0)) return base_dup("");
    double ratio = truth / said;
    if (ratio < 0.57) return fraction(said / truth);
    if (ratio < 0.995) return base_format(": %.0f %% less", (1 - ratio) * 100);
    if (ratio < 1.005) return base_dup("");
    if (ratio < 1.95) return base_format(": %.0f %% more", (ratio - 1) * 100);
    return base_format(": %.*g times as much", ratio < 10 ? 2 : ratio < 1000 ? 3 : 6, ratio);
}
