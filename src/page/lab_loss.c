/* The loss over the steps, as a curve of dots, with its first and last value in all nine digits.
 * Two runs share the axes; whether they agree bit for bit is said.
 *
 *   {"kind":"lab-loss","runs":[{"label":"stage 1","steps":[1,2,…],"losses":[5.54,…],
 *       "weights_hash":"…"}…],"rows":4} */
#include "page/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 4,
    MOST_ROWS = 20,
    MOST_CELLS = 60,
    LABELS = 6,
    ACROSS = 2,
    DOWN = 4,
    DOTS_MOST = 1000
};

struct curve {
    const char *label;
    const json_t *steps, *losses;
    size_t n;
};
/* dots; a cell of braille has 2 × 4, one of ASCII is one */
struct plot {
    int rows, cells, across, down;
    double low, high, last;
    uint8_t *dot; /* bit i: curve i */
};

static double at(const struct curve *c, size_t i) {
    return json_number_value(json_array_get(c->losses, i));
}
static long long step_at(const struct curve *c, size_t i) {
    return (long long)json_integer_value(json_array_get(c->steps, i));
}

static struct curve read_curve(const json_t *run) {
    struct curve c = {.label = base_json_text(run, "label", ""),
                      .steps = json_object_get(run, "steps"),
                      .losses = json_object_get(run, "losses")};
    c.n = json_array_size(c.losses);
    if (json_array_size(c.steps) < c.n) c.n = json_array_size(c.steps);
    return c;
}

/* ── dots ──────────────────────────────────────────────────────────────────────────────────────*/
static void set_dot(struct plot *p, double x, double y, unsigned curve) {
    int width = p->cells * p->across, height = p->rows * p->down;
    int column = (int)lround(x * (width - 1)), row = (int)lround((1 - y) * (height - 1));
    if (column < 0 || column >= width || row < 0 || row >= height) return;
    p->dot[row * width + column] |= (uint8_t)(1u << curve);
}

static double share(double value, double low, double high) {
    return high > low ? (value - low) / (high - low) : 0.5;
}

/* Straight lines from step to step, without gaps. */
static void add_curve(struct plot *p, const struct curve *c, unsigned number) {
    int width = p->cells * p->across, height = p->rows * p->down;
    for (size_t i = 0; i + 1 < c->n; i++) {
        double from = share((double)step_at(c, i), 0, p->last),
               to = share((double)step_at(c, i + 1), 0, p->last),
               a = share(at(c, i), p->low, p->high), b = share(at(c, i + 1), p->low, p->high);
        int dots = (int)ceil(fmin(fmax((to - from) * width, fabs(b - a) * height), DOTS_MOST)) + 1;
        for (int k = 0; k < dots && isfinite(a) && isfinite(b); k++)
            set_dot(p, from + (to - from) * k / dots, a + (b - a) * k / dots, number);
    }
    if (c->n && isfinite(at(c, c->n - 1)))
        set_dot(p, share((double)step_at(c, c->n - 1), 0, p->last),
                share(at(c, c->n - 1), p->low, p->high), number);
}

static void print_cell(struct page *page, const struct plot *p, int row, int cell, int top,
                       int left) {
    static const uint8_t bits[DOWN][ACROSS] = {
        {0x01, 0x08},
        {0x02, 0x10},
        {0x04, 0x20},
        {0x40, 0x80}
    };
    int width = p->cells * p->across;
    unsigned code = 0, curves = 0;
    for (int y = 0; y < p->down; y++)
        for (int x = 0; x < p->across; x++) {
            unsigned d = p->dot[(row * p->down + y) * width + cell * p->across + x];
            curves |= d;
            if (d) code |= bits[y][x];
        }
    if (!curves) return;
    char text[5] = {0};
    if (page->ascii)
        text[0] = curves == 2 ? 'o' : '*';
    else
        base_utf8_put(text, 0x2800 + code);
    page_put(page, top + row, left + cell, curves == 2 ? PAGE_WARN : PAGE_ACCENT, 0, text);
}

static void draw_plot(struct page *page, struct plot *p, const struct curve *c, size_t curves,
                      struct page_flow f) {
    int top = page->height, left = f.indent + LABELS + 1;
    char label[24];
    p->dot = base_alloc((size_t)p->rows * (size_t)p->down * (size_t)p->cells * (size_t)p->across);
    for (size_t i = 0; i < curves; i++) add_curve(p, &c[i], (unsigned)i);
    page_blank(page, p->rows);
    snprintf(label, sizeof label, "%.3g", p->high);
    page_right(page, top, left - 1, PAGE_DIM, label);
    snprintf(label, sizeof label, "%.3g", p->low);
    if (p->rows > 1) page_right(page, top + p->rows - 1, left - 1, PAGE_DIM, label);
    for (int row = 0; row < p->rows; row++)
        for (int cell = 0; cell < p->cells; cell++) print_cell(page, p, row, cell, top, left);
    free(p->dot);
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
static void draw_ends(struct page *page, const struct curve *c, struct page_flow f, bool label) {
    struct base_text text = {0};
    if (label) base_text_printf(&text, "%s: ", c->label);
    base_text_printf(&text, "step %lld: %#.9g", step_at(c, 0), at(c, 0));
    if (c->n > 1)
        base_text_printf(&text, " → step %lld: %#.9g", step_at(c, c->n - 1), at(c, c->n - 1));
    page_note(page, f, "%s", text.s);
    base_text_free(&text);
}

/* Of the steps that both have. */
static void draw_agreement(struct page *page, const struct curve *c, struct page_flow f) {
    size_t n = c[0].n < c[1].n ? c[0].n : c[1].n, first = n;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        if (step_at(&c[0], i) != step_at(&c[1], i) || at(&c[0], i) == at(&c[1], i)) continue;
        if (first == n) first = i;
        most = fmax(most, fabs(at(&c[0], i) - at(&c[1], i)));
    }
    if (first == n)
        page_note(page, f, "The losses of all %zu steps are equal in every digit.", n);
    else
        page_note(page, f, "The losses differ from step %lld on, by %.2g at most.",
                  step_at(&c[0], first), most);
}

bool page_figure_lab_loss(struct page *p, struct page_flow f, const json_t *spec,
                          struct base_message *m) {
    const json_t *runs[LAB_RUNS];
    struct curve c[LAB_RUNS];
    struct plot plot = {.low = INFINITY, .high = -INFINITY, .last = 1};
    size_t n, most = 0;
    if (!page_lab_runs(spec, runs, &n, m)) return false;
    for (size_t i = 0; i < n; i++) {
        c[i] = read_curve(runs[i]);
        most = c[i].n > most ? c[i].n : most;
        for (size_t k = 0; k < c[i].n; k++) {
            if (!isfinite(at(&c[i], k))) continue;
            plot.low = fmin(plot.low, at(&c[i], k));
            plot.high = fmax(plot.high, at(&c[i], k));
            plot.last = fmax(plot.last, (double)step_at(&c[i], k));
        }
    }
    int64_t rows = base_json_int(spec, "rows", ROWS);
    plot.rows = rows < 1 ? 1 : rows > MOST_ROWS ? MOST_ROWS : (int)rows;
    plot.cells = f.width - LABELS - 1 < MOST_CELLS ? f.width - LABELS - 1 : MOST_CELLS;
    plot.across = p->ascii ? 1 : ACROSS;
    plot.down = p->ascii ? 1 : DOWN;
    if (!most) page_note(p, f, "No step has ended.");
    if (most > 1 && plot.cells > 1) draw_plot(p, &plot, c, n, f);
    for (size_t i = 0; i < n; i++)
        if (c[i].n) draw_ends(p, &c[i], f, n > 1);
    if (n > 1 && c[0].n && c[1].n) draw_agreement(p, c, f);
    return true;
}

/* ── the log ───────────────────────────────────────────────────────────────────────────────────*/
enum { LOG_ROWS = 8, MOST_LOG_ROWS = 500 };

static void draw_line(struct page *p, struct page_flow f, const char *text) {
    int row = p->height, end = f.indent + f.width;
    bool cut = page_measure(p, text) > f.width;
    struct page_ink ink = {.ascii = p->ascii};
    page_blank(p, 1);
    page_ink_add(&ink, PAGE_PLAIN, 0, text, strlen(text));
    page_ink_draw(p, row, f.indent, end - cut, &ink, (struct page_line){0, ink.n});
    if (cut) page_put(p, row, end - 1, PAGE_DIM, 0, p->ascii ? ">" : "›");
    page_ink_free(&ink);
}

static void draw_run(struct page *p, struct page_flow f, const json_t *run, size_t rows,
                     bool label) {
    const json_t *lines = json_object_get(run, "lines");
    size_t n = json_array_size(lines);
    int64_t broken = base_json_int(run, "broken", 0);
    const char *name = base_json_text(run, "label", "");
    if (label && *name) page_put(p, p->height, f.indent, PAGE_STRONG, 0, name);
    if (!n) page_note(p, f, "Nothing happened yet.");
    for (size_t i = n > rows ? n - rows : 0; i < n; i++) {
        const char *text = json_string_value(json_array_get(lines, i));
        if (text && i + 1 == n)
            page_text(p, f, text);
        else
            draw_line(p, f, text ? text : "");
    }
    if (broken > 0)
        page_note(p, f, "%lld %s passed over.", (long long)broken,
                  broken == 1 ? "line was no event and was" : "lines were no events and were");
}

bool page_figure_lab_log(struct page *p, struct page_flow f, const json_t *spec,
                         struct base_message *m) {
    const json_t *runs[LAB_RUNS];
    size_t n;
    int64_t rows = base_json_int(spec, "rows", LOG_ROWS);
    if (!page_lab_runs(spec, runs, &n, m)) return false;
    for (size_t i = 0; i < n; i++)
        draw_run(p, f, runs[i],
                 rows < 1               ? 1
                 : rows > MOST_LOG_ROWS ? MOST_LOG_ROWS
                                        : (size_t)rows,
                 n > 1);
    return true;
}
