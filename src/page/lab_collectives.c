/* The times of collectives, each measured alone: size against time, both on logarithmic axes, with
 * the line that was fitted (α for each hop and β for the bytes) and the size that was left out of
 * the fit, where the line is a prediction. Then α, β and the prediction of every collective. */
#include "page/lab.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 9, LEAST_ROWS = 3, MOST_ROWS = 30, LABELS = 8, COLUMNS = 6 };

/* One collective of one run. */
struct plot {
    const struct experiment_state *s;
    unsigned op;
    int rows, cells, left, top;
    /* logarithms of bytes and of seconds */
    double from, to, low, high;
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static const char *name_of(size_t op) {
    return page_wire_name((enum account_collective_kind)op);
}

/* The size that the line was fitted without; NULL if there is none. */
static const struct experiment_timing *held_out(const struct experiment_state *s, unsigned op) {
    for (size_t i = 0; i < s->timings; i++)
        if (s->timing[i].op == op && !s->timing[i].fitted) return &s->timing[i];
    return NULL;
}

static void reach(struct plot *c, double bytes, double seconds) {
    c->from = fmin(c->from, log(bytes));
    c->to = fmax(c->to, log(bytes));
    c->low = fmin(c->low, log(seconds));
    c->high = fmax(c->high, log(seconds));
}

/* The axis of times reaches all that was measured, and the line. The axis of sizes has the run's
 * whole range from the beginning. False if the page is too small or only one time was
 * measured. */
static bool lay_out(struct plot *c, struct page_flow f, const struct page_lab *l) {
    c->from = c->s->setup.to ? log((double)c->s->setup.from) : INFINITY;
    c->to = c->s->setup.to ? log((double)c->s->setup.to) : -INFINITY;
    c->low = INFINITY;
    c->high = -INFINITY;
    c->rows = page_lab_rows(l, ROWS, LEAST_ROWS, MOST_ROWS);
    c->cells = f.width - LABELS - 2;
    c->left = f.indent + LABELS + 2;
    for (size_t i = 0; i < c->s->timings; i++) {
        const struct experiment_timing *t = &c->s->timing[i];
        double line = experiment_line_seconds(c->s, c->op, (double)t->bytes);
        if (t->op != c->op) continue;
        reach(c, (double)t->bytes, t->seconds);
        if (line > 0) reach(c, (double)t->bytes, line);
    }
    return c->to > c->from && c->high > c->low && c->cells > LABELS;
}

static struct page_dot dot_of(const struct plot *c, double bytes, double seconds) {
    return (struct page_dot){(log(bytes) - c->from) / (c->to - c->from),
                             (log(seconds) - c->low) / (c->high - c->low)};
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
/* Where a latency rules the line is flat, and where the rate does it rises; logarithms make that a
 * bend. */
static void draw_line(struct page *p, const struct plot *c) {
    struct page_dots d = page_dots_new(p, c->rows, c->cells);
    int steps = 2 * c->cells;
    struct page_dot before = {NAN, NAN};
    for (int i = 0; i <= steps && c->s->line[c->op].known; i++) {
        double bytes = exp(c->from + (c->to - c->from) * i / steps);
        struct page_dot at = dot_of(c, bytes, experiment_line_seconds(c->s, c->op, bytes));
        page_dots_line(&d, before, at, 0);
        before = at;
    }
    page_dots_print(p, &d, c->top, c->left);
    page_dots_free(&d);
}

static const char *sign_of(const struct experiment_timing *t) {
    return t->fitted ? "○" : "◉";
}

static void draw_points(struct page *p, const struct plot *c) {
    for (size_t i = 0; i < c->s->timings; i++) {
        const struct experiment_timing *t = &c->s->timing[i];
        struct page_dot at = dot_of(c, (double)t->bytes, t->seconds);
        if (t->op != c->op) continue;
        page_put(p, c->top + (int)lround((1 - at.y) * (c->rows - 1)),
                 c->left + (int)lround(at.x * (c->cells - 1)), t->fitted ? PAGE_STRONG : PAGE_WARN,
                 PAGE_BOLD, sign_of(t));
    }
}

static void draw_axes(struct page *p, const struct plot *c) {
    char *low = page_seconds(exp(c->low)), *high = page_seconds(exp(c->high)),
         *from = page_bytes(exp(c->from)), *to = page_bytes(exp(c->to));
    int foot = c->top + c->rows;
    for (int i = 0; i < c->rows; i++) page_put(p, c->top + i, c->left - 1, PAGE_DIM, 0, "│");
    page_right(p, c->top, c->left - 2, PAGE_DIM, high);
    page_right(p, foot - 1, c->left - 2, PAGE_DIM, low);
    int end = page_put(p, foot, c->left, PAGE_DIM, 0, from);
    int right = c->left + c->cells - page_measure(p, to);
    if (right > end) page_put(p, foot, right, PAGE_DIM, 0, to);
    free(low);
    free(high);
    free(from);
    free(to);
}

static void draw_legend(struct page *p, const struct plot *c, struct page_flow f) {
    int row = p->height, column = f.indent;
    column = page_sign(p, f, &row, column, PAGE_STRONG, "○", "measured");
    column = page_sign(p, f, &row, column, PAGE_ACCENT, p->ascii ? "*" : "⠤", "α + β line");
    if (held_out(c->s, c->op))
        page_sign(p, f, &row, column, PAGE_WARN, "◉", "measured, not in the fit");
}

static void draw_plot(struct page *p, struct page_flow f, const struct page_lab *l,
                      const struct experiment_state *s) {
    struct plot c = {.s = s, .op = EXPERIMENT_SENT_AR};
    if (!lay_out(&c, f, l)) return;
    page_note(p, f, "%s, size and time on logarithmic axes", name_of(c.op));
    c.top = p->height;
    page_blank(p, c.rows + 1);
    draw_axes(p, &c);
    draw_line(p, &c);
    draw_points(p, &c);
    draw_legend(p, &c, f);
}

/* ── the lines, in numbers ─────────────────────────────────────────────────────────────────────*/
struct told {
    char *alpha, *beta, *residual, *bytes, *predicted, *measured;
};

static struct told tell(const struct experiment_state *s, unsigned op) {
    const struct account_link_fit *fit = &s->line[op].fit;
    const struct experiment_timing *t = held_out(s, op);
    double line = t ? experiment_line_seconds(s, op, (double)t->bytes) : 0;
    char *seconds = t ? page_seconds(t->seconds) : base_dup("");
    struct told told = {
        .alpha = page_seconds(fit->latency),
        .beta = fit->rate > 0 ? page_rate(fit->rate) : base_dup("any"),
        .residual = base_format("%.2g%%", 100 * fit->residual),
        .bytes = t ? page_bytes((double)t->bytes) : base_dup(""),
        .predicted = line > 0 ? page_seconds(line) : base_dup(""),
        .measured = line > 0 ? base_format("%s (%s%.2g%%)", seconds, t->seconds < line ? "−" : "+",
                                           100 * fabs(t->seconds / line - 1))
                             : NULL,
    };
    if (!told.measured) told.measured = base_dup(seconds);
    free(seconds);
    return told;
}

static void free_told(struct told *t) {
    free(t->alpha);
    free(t->beta);
    free(t->residual);
    free(t->bytes);
    free(t->predicted);
    free(t->measured);
}

static void draw_table(struct page *p, struct page_flow f, const struct page_lab *l,
                       const struct experiment_state *s) {
    struct told told[EXPERIMENT_SENT_TIMED];
    const char *cell[(EXPERIMENT_SENT_TIMED + 1) * COLUMNS] = {"",    "α per hop", "β",
                                                               "off", "predicted", "measured"};
    size_t n = COLUMNS;
    for (unsigned op = 0; op < EXPERIMENT_SENT_TIMED; op++) {
        told[op] = tell(s, op);
        const char *row[COLUMNS] = {name_of(op),       told[op].alpha,     told[op].beta,
                                    told[op].residual, told[op].predicted, told[op].measured};
        for (int i = 0; i < COLUMNS && s->line[op].known; i++) cell[n++] = row[i];
    }
    const struct experiment_timing *t = held_out(s, EXPERIMENT_SENT_AR);
    if (n > COLUMNS) page_table(p, f, cell, n / COLUMNS, COLUMNS, "lrrrrr", true);
    if (n > COLUMNS && t && !l->no_meanings)
        page_note(p, f,
                  "Predicted and measured: %s, which no line was fitted to. Off: the root mean "
                  "square error of the sizes below it.",
                  told[EXPERIMENT_SENT_AR].bytes);
    for (unsigned op = 0; op < EXPERIMENT_SENT_TIMED; op++) free_told(&told[op]);
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
static void say_times(struct page *p, struct page_flow f, const struct experiment_state *s,
                      unsigned op) {
    struct base_text t = {0};
    for (size_t i = 0; i < s->timings; i++) {
        if (s->timing[i].op != op) continue;
        char *bytes = page_bytes((double)s->timing[i].bytes),
             *seconds = page_seconds(s->timing[i].seconds);
        base_text_printf(&t, "%s %s took %s", t.length ? "," : "", bytes, seconds);
        free(bytes);
        free(seconds);
    }
    if (t.length) page_say(p, f, "%s:%s.", name_of(op), t.s);
    base_text_free(&t);
}

static void say_line(struct page *p, struct page_flow f, const struct experiment_state *s,
                     unsigned op) {
    if (!s->line[op].known) return;
    struct told t = tell(s, op);
    page_say(p, f, "Its line: %s for each hop of the ring, then %s. It is off by %s.", t.alpha,
             t.beta, t.residual);
    if (*t.predicted)
        page_say(p, f, "For %s, which it was not fitted to, it predicts %s. Measured: %s.", t.bytes,
                 t.predicted, t.measured);
    free_told(&t);
}

/* Where a table has no room. */
static void say_named(struct page *p, struct page_flow f, const struct experiment_state *s,
                      unsigned op) {
    if (!s->line[op].known) return;
    page_put(p, p->height, f.indent, PAGE_STRONG, 0, name_of(op));
    say_line(p, f, s, op);
}

/* ── the panel ─────────────────────────────────────────────────────────────────────────────────*/
static void draw_run(struct page *p, struct page_flow f, const struct page_lab *l,
                     const struct experiment_state *s) {
    if (!s->timings) {
        page_note(p, f,
                  s->setup.to ? "The times come when every size has been measured."
                              : "This run trains a model and does not time collectives alone.");
        return;
    }
    for (unsigned op = 0; op < EXPERIMENT_SENT_TIMED && p->spoken; op++) {
        say_times(p, f, s, op);
        say_line(p, f, s, op);
    }
    if (!p->spoken) draw_plot(p, f, l, s);
    page_blank(p, !p->spoken);
    if (!p->spoken && f.width >= LAB_NARROW) draw_table(p, f, l, s);
    for (unsigned op = 0; op < EXPERIMENT_SENT_TIMED && !p->spoken && f.width < LAB_NARROW; op++)
        say_named(p, f, s, op);
}

void page_lab_collectives(struct page *p, struct page_flow f, const struct page_lab *l) {
    for (size_t i = 0; i < page_lab_runs(l); i++) {
        page_blank(p, i > 0);
        page_lab_name(p, f, l, i);
        draw_run(p, f, l, l->run[i]);
    }
}
