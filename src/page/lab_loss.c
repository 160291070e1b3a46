/* The loss over the steps, as a curve of dots, with its first and last value in all nine digits.
 * Two runs share the axes; whether they agree bit for bit is said. */
#include "page/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4, MOST_ROWS = 20, MOST_CELLS = 60, LABELS = 6 };

struct plot {
    int rows, cells;
    double low, high, last;
};

/* ── the curve ─────────────────────────────────────────────────────────────────────────────────*/
static double share(double value, double low, double high) {
    return high > low ? (value - low) / (high - low) : 0.5;
}

static struct page_dot dot_of(const struct plot *p, const struct experiment_step *s) {
    return (struct page_dot){share(s->step, 0, p->last), share(s->loss, p->low, p->high)};
}

/* Straight lines from step to step. */
static void add_curve(const struct plot *p, struct page_dots *d, const struct experiment_state *c,
                      unsigned number) {
    for (size_t i = 0; i + 1 < c->steps; i++)
        page_dots_line(d, dot_of(p, &c->step[i]), dot_of(p, &c->step[i + 1]), number);
    if (c->steps) page_dots_set(d, dot_of(p, &c->step[c->steps - 1]), number);
}

static void draw_plot(struct page *page, const struct plot *p, const struct page_lab *l,
                      struct page_flow f) {
    int top = page->height, left = f.indent + LABELS + 1;
    char label[24];
    struct page_dots d = page_dots_new(page, p->rows, p->cells);
    for (size_t i = 0; i < page_lab_runs(l); i++) add_curve(p, &d, l->run[i], (unsigned)i);
    page_blank(page, p->rows);
    snprintf(label, sizeof label, "%.3g", p->high);
    page_right(page, top, left - 1, PAGE_DIM, label);
    snprintf(label, sizeof label, "%.3g", p->low);
    if (p->rows > 1) page_right(page, top + p->rows - 1, left - 1, PAGE_DIM, label);
    page_dots_print(page, &d, top, left);
    page_dots_free(&d);
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
static void draw_ends(struct page *page, const struct experiment_state *c, struct page_flow f,
                      bool label) {
    struct base_text text = {0};
    const struct experiment_step *first = c->step, *last = &c->step[c->steps - 1];
    if (label) base_text_printf(&text, "%s: ", c->label);
    if (page->spoken)
        base_text_printf(&text, "The loss is %#.9g at step %u and %#.9g at step %u.", first->loss,
                         first->step, last->loss, last->step);
    else
        base_text_printf(&text, "step %u: %#.9g", first->step, first->loss);
    if (last != first && !page->spoken)
        base_text_printf(&text, " → step %u: %#.9g", last->step, last->loss);
    page_note(page, f, "%s", text.s);
    base_text_free(&text);
}

/* Of the steps that both have. */
static void draw_agreement(struct page *page, const struct experiment_state *a,
                           const struct experiment_state *b, struct page_flow f) {
    size_t n = a->steps < b->steps ? a->steps : b->steps, first = n;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        const struct experiment_step *x = &a->step[i], *y = &b->step[i];
        if (x->step != y->step || x->loss == y->loss) continue;
        if (first == n) first = i;
        most = fmax(most, fabs(x->loss - y->loss));
    }
    if (first == n)
        page_note(page, f, "The losses of all %zu steps are equal in every digit.", n);
    else
        page_note(page, f, "The losses differ from step %u on, by %.2g at most.",
                  a->step[first].step, most);
}

/* The axes stand still while the steps come in: across are all steps that the run will take, and
 * the loss is drawn between a round number above it and half, a quarter … of that number. */
static void round_axes(struct plot *plot) {
    const int halvings = 4;
    double high = ceil(2 * plot->high) / 2, low = high / 2;
    for (int i = 0; i < halvings && low > plot->low; i++) low = i + 1 < halvings ? low / 2 : 0;
    if (!(plot->low > 0) || !isfinite(high)) return;
    plot->high = high;
    plot->low = low;
}

static void fit_plot(struct plot *plot, const struct page_lab *l) {
    for (size_t i = 0; i < page_lab_runs(l); i++)
        for (size_t k = 0; k < l->run[i]->steps; k++) {
            const struct experiment_step *s = &l->run[i]->step[k];
            if (!isfinite(s->loss)) continue;
            plot->low = fmin(plot->low, s->loss);
            plot->high = fmax(plot->high, s->loss);
            plot->last = fmax(plot->last, fmax(s->step, l->run[i]->planned));
        }
    round_axes(plot);
}

void page_lab_loss(struct page *p, struct page_flow f, const struct page_lab *l) {
    int cells = f.width - LABELS - 1;
    struct plot plot = {.low = INFINITY,
                        .high = -INFINITY,
                        .last = 1,
                        .rows = page_lab_rows(l, ROWS, 1, MOST_ROWS),
                        .cells = cells < MOST_CELLS ? cells : MOST_CELLS};
    const struct experiment_state *a = l->run[0], *b = l->run[1];
    size_t most = b && b->steps > a->steps ? b->steps : a->steps;
    fit_plot(&plot, l);
    if (!most) page_note(p, f, "No step has finished.");
    if (most > 1 && plot.cells > 1 && !p->spoken) draw_plot(p, &plot, l, f);
    for (size_t i = 0; i < page_lab_runs(l); i++)
        if (l->run[i]->steps) draw_ends(p, l->run[i], f, b);
    if (b && a->steps && b->steps) draw_agreement(p, a, b, f);
}

/* ── the log ───────────────────────────────────────────────────────────────────────────────────*/
enum { LOG_ROWS = 8, MOST_LOG_ROWS = 500 };

/* The first of the last lines that stand in so many rows. */
static size_t first_shown(const struct page *p, struct page_flow f,
                          const struct experiment_state *s, int rows) {
    struct page *measure = page_new(p->width, p->ascii);
    size_t first = s->logs;
    for (size_t i = s->logs; i-- > 0;) {
        page_text(measure, f, s->log[i]);
        if (page_height(measure) > rows && first < s->logs) break;
        first = i;
    }
    page_free(measure);
    return first;
}

static void draw_log(struct page *p, struct page_flow f, const struct experiment_state *s,
                     int rows) {
    if (!s->logs) page_note(p, f, "Nothing has happened yet.");
    for (size_t i = first_shown(p, f, s, rows); i < s->logs; i++) page_text(p, f, s->log[i]);
    if (s->broken)
        page_note(p, f, "%zu %s passed over.", s->broken,
                  s->broken == 1 ? "line was not an event and was"
                                 : "lines were not events and were");
}

void page_lab_log(struct page *p, struct page_flow f, const struct page_lab *l) {
    int rows = page_lab_rows(l, LOG_ROWS, 1, MOST_LOG_ROWS);
    for (size_t i = 0; i < page_lab_runs(l); i++) {
        page_lab_name(p, f, l, i);
        draw_log(p, f, l->run[i], rows);
    }
}
