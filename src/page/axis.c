/* What stands around bars: an axis of round numbers, the line of a limit, brackets, what the fills
 * mean, small print. */
#include "page/figure.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const page_limit_sign = "┆";

enum { TICK_WIDTH = 8, MOST_TICKS = 6 };

struct page_axis page_axis_fit(double most, int capacity) {
    static const double steps[] = {1, 2, 2.5, 3, 4, 5, 6, 8, 10};
    struct page_axis best = {1, 1, 1, capacity < 1 ? 1 : capacity};
    if (!(most > 0)) return best;
    int ticks = capacity / TICK_WIDTH < 2            ? 2
                : capacity / TICK_WIDTH > MOST_TICKS ? MOST_TICKS
                                                     : capacity / TICK_WIDTH;
    best.end = INFINITY;
    for (int n = ticks; n >= (ticks < 3 ? 1 : 3); n--) {
        double power = pow(10, floor(log10(most / n)));
        for (size_t i = 0; i < BASE_COUNT(steps); i++) {
            double step = steps[i] * power, end = step * n;
            if (end < most * (1 - 1e-9)) continue;
            if (end < best.end * (1 - 1e-9)) best = (struct page_axis){step, end, n, capacity};
            break;
        }
    }
    best.cells = capacity / best.ticks * best.ticks;
    if (best.cells < best.ticks) best.cells = best.ticks;
    assert(best.ticks > 0 && best.cells % best.ticks == 0); /* ticks stand on whole cells */
    return best;
}

int page_axis_column(struct page_axis a, double value) {
    return (int)lround(value / a.end * a.cells);
}

static void draw_rule(struct page *p, int row, int column, struct page_axis a, int limit) {
    for (int i = 0; i <= a.cells; i++) {
        bool tick = i % (a.cells / a.ticks) == 0;
        const char *sign = i == 0 ? "├" : i == a.cells ? "┤" : tick ? "┼" : "─";
        if (i == limit)
            page_put(p, row, column + i, PAGE_LIMIT, 0, page_limit_sign);
        else
            page_put(p, row, column + i, PAGE_DIM, 0, sign);
    }
}

/* A limit such as 85.9 is said below the axis; only a round one stands on it, among the ticks. */
static bool is_round(double number) {
    char text[32];
    snprintf(text, sizeof text, "%.2g", number);
    return strtod(text, NULL) == number;
}

/* A number centred on its tick, the unit after it. Skipped where it would touch what is drawn
 * already. */
static void draw_label(struct page *p, int row, int tick, double number, const char *unit,
                       unsigned role) {
    char *text = base_format("%.10g%s", number, unit);
    int width = page_measure(p, text), from = tick - (width - page_measure(p, unit) - 1) / 2;
    if (from + width > p->width - 1) from = p->width - 1 - width; /* its margin stays free */
    bool free_there = true;
    for (int i = from - 1; i <= from + width; i++)
        free_there = free_there && !strcmp(page_cell(p, row, i)->text, " ");
    if (free_there) page_put(p, row, from, role, 0, text);
    free(text);
}

void page_axis_draw(struct page *p, int column, struct page_axis a, struct page_scale s,
                    double limit) {
    if (p->tight) return;
    int row = p->height, line = limit >= 0 ? page_axis_column(a, limit) : -1;
    draw_rule(p, row, column, a, line);
    page_blank(p, 1);
    char *unit = base_format(" %s", account_unit_name(s.unit));
    draw_label(p, row + 1, column + a.cells, a.end, unit, line == a.cells ? PAGE_LIMIT : PAGE_DIM);
    if (limit >= 0 && is_round(limit)) draw_label(p, row + 1, column + line, limit, "", PAGE_LIMIT);
    free(unit);
    for (int i = 0; i < a.ticks; i++)
        draw_label(p, row + 1, column + i * (a.cells / a.ticks), a.step * i, "", PAGE_DIM);
}

void page_limit_draw(struct page *p, struct page_flow f, int column, struct page_axis a,
                     struct page_scale s, const struct page_limit *limit) {
    char amount[32];
    int row = p->height, end = f.indent + f.width,
        foot = column + page_axis_column(a, limit->bytes / account_unit_scale(s.unit));
    account_print(amount, sizeof amount, limit->bytes, s.unit, 4);
    char *words = page_limit_words(limit, amount);
    int width = page_measure(p, words);
    bool right = foot + 2 + width <= end, left = foot - 1 - width >= f.indent;
    if (!right && !left) foot = f.indent;
    page_put(p, row, foot, PAGE_LIMIT, 0,
             p->ascii ? "^"
             : right  ? "└"
             : left   ? "┘"
                      : page_limit_sign);
    page_put(p, row, right || !left ? foot + 2 : foot - 1 - width, PAGE_PLAIN, 0, words);
    free(words);
}

static void put_centred(struct page *p, int row, int from, int to, const char *text) {
    page_put(p, row, from + (to - from - page_measure(p, text)) / 2, PAGE_STRONG, 0, text);
}

void page_bracket(struct page *p, int row, int from, int to, const char *name) {
    int capacity = to - from, width = page_measure(p, name);
    bool number = isdigit((unsigned char)*name); /* these stand free, as on an axis */
    bool line = capacity > 2, fits = width + (number ? 1 : 2) <= capacity || (!line && width == 1);
    bool ends = line && (!fits || width + (number ? 4 : 2) <= capacity);
    for (int i = from; ends && i < to; i++)
        page_put(p, row, i, PAGE_DIM, 0, i == from ? "├" : i + 1 == to ? "┤" : "─");
    if (!fits) return;
    char *text = base_format(capacity >= width + 4 ? " %s " : "%s", name);
    put_centred(p, row, from, to, text);
    free(text);
}

void page_bracket_phase(struct page *p, int row, int from, int to, enum account_phase phase) {
    const char *name = account_phase_name(phase);
    if (to - from < page_measure(p, name) + 2)
        name = phase == ACCOUNT_FORWARD ? "fwd" : phase == ACCOUNT_BACKWARD ? "bwd" : name;
    page_bracket(p, row, from, to, name);
}

/* ── what the fills mean ───────────────────────────────────────────────────────────────────────*/
enum { GAP = 2 };

const char *const page_mark_meaning = "parts too thin to draw";

/* The signs and names of a legend, one after the other. */
struct entry {
    unsigned role;
    const char *sign, *name;
};

void page_legend(struct page *p, struct page_flow f, int left,
                 const bool present[ACCOUNT_CATEGORIES], bool marked) {
    struct entry entry[ACCOUNT_CATEGORIES + 1];
    int n = 0, width = -GAP, end = f.indent + f.width;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (present[c])
            entry[n++] =
                (struct entry){PAGE_CATEGORY + c, page_fill(p, c), account_category_words(c)};
    if (marked && !p->tight) entry[n++] = (struct entry){PAGE_DIM, "+", page_mark_meaning};
    for (int i = 0; i < n; i++) width += 2 + page_measure(p, entry[i].name) + GAP;
    int row = p->height + !p->tight;
    if (left + width <= end)
        f = (struct page_flow){.indent = left, .width = end - left, .role = f.role};
    for (int i = 0, column = f.indent; i < n; i++)
        column = page_sign(p, f, &row, column, entry[i].role, entry[i].sign, entry[i].name);
}

void page_right(struct page *p, int row, int end, unsigned role, const char *text) {
    page_put(p, row, end - page_measure(p, text), role, 0, text);
}

int page_sign(struct page *p, struct page_flow f, int *row, int column, unsigned role,
              const char *sign, const char *name) {
    if (column > f.indent && column + 2 + page_measure(p, name) > f.indent + f.width) {
        column = f.indent;
        ++*row;
    }
    page_put(p, *row, column, role, 0, sign);
    return page_put(p, *row, column + 2, PAGE_PLAIN, 0, name) + GAP;
}

void page_note(struct page *p, struct page_flow f, const char *format, ...) {
    char text[300];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    f.role = PAGE_DIM;
    if (!p->tight) page_text(p, f, text);
}

void page_limit_say(struct page *p, struct page_flow f, struct page_scale s,
                    const struct page_limit *limit) {
    char amount[32];
    if (!limit->given) return;
    account_print(amount, sizeof amount, limit->bytes, s.unit, 4);
    char *words = page_limit_words(limit, amount);
    page_say(p, f, "For comparison, %s.", words);
    free(words);
}
