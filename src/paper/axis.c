/* An axis of round numbers under bars. */
#include "paper/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const paper_limit_sign = "┆";

enum { TICK_ROOM = 8, MOST_TICKS = 6 };

struct paper_axis paper_axis_fit(double most, int room) {
    static const double steps[] = {1, 2, 2.5, 3, 4, 5, 6, 8, 10};
    struct paper_axis best = {1, 1, 1, room < 1 ? 1 : room};
    if (!(most > 0)) return best;
    int ticks = room / TICK_ROOM < 2            ? 2
                : room / TICK_ROOM > MOST_TICKS ? MOST_TICKS
                                                : room / TICK_ROOM;
    best.end = INFINITY;
    for (int n = ticks; n >= (ticks < 3 ? 1 : 3); n--) {
        double power = pow(10, floor(log10(most / n)));
        for (size_t i = 0; i < BASE_COUNT(steps); i++) {
            double step = steps[i] * power, end = step * n;
            if (end < most * (1 - 1e-9)) continue;
            if (end < best.end * (1 - 1e-9)) best = (struct paper_axis){step, end, n, room};
            break;
        }
    }
    best.cells = room / best.ticks * best.ticks;
    if (best.cells < best.ticks) best.cells = best.ticks;
    return best;
}

int paper_axis_column(struct paper_axis a, double value) {
    return (int)lround(value / a.end * a.cells);
}

static void draw_rule(struct paper *p, int row, int column, struct paper_axis a, int limit) {
    for (int i = 0; i <= a.cells; i++) {
        bool tick = i % (a.cells / a.ticks) == 0;
        const char *sign = i == 0 ? "├" : i == a.cells ? "┤" : tick ? "┼" : "─";
        if (i == limit)
            paper_put(p, row, column + i, PAPER_LIMIT, 0, paper_limit_sign);
        else
            paper_put(p, row, column + i, PAPER_DIM, 0, sign);
    }
}

/* A limit such as 85.9 is said below the axis; only a round one stands on it, among the ticks. */
static bool is_round(double number) {
    char text[32];
    snprintf(text, sizeof text, "%.2g", number);
    return strtod(text, NULL) == number;
}

/* A number centred on its tick, the unit after it. Skipped where it would touch what is drawn already. */
static void draw_label(struct paper *p, int row, int tick, double number, const char *unit,
                       unsigned role) {
    char *text = base_format("%.10g%s", number, unit);
    int width = paper_measure(p, text), from = tick - (width - paper_measure(p, unit) - 1) / 2;
    if (from + width > p->width) from = p->width - width;
    bool free_there = true;
    for (int i = from - 1; i <= from + width; i++)
        free_there = free_there && !strcmp(paper_cell(p, row, i)->text, " ");
    if (free_there) paper_put(p, row, from, role, 0, text);
    free(text);
}

void paper_axis_draw(struct paper *p, int column, struct paper_axis a, struct paper_scale s,
                     double limit) {
    int row = p->height, line = limit >= 0 ? paper_axis_column(a, limit) : -1;
    draw_rule(p, row, column, a, line);
    paper_blank(p, 1);
    char *unit = base_format(" %s", account_unit_name(s.unit));
    draw_label(p, row + 1, column + a.cells, a.end, unit,
               line == a.cells ? PAPER_LIMIT : PAPER_DIM);
    if (limit >= 0 && is_round(limit))
        draw_label(p, row + 1, column + line, limit, "", PAPER_LIMIT);
    free(unit);
    for (int i = 0; i < a.ticks; i++)
        draw_label(p, row + 1, column + i * (a.cells / a.ticks), a.step * i, "", PAPER_DIM);
}

void paper_limit_draw(struct paper *p, struct paper_flow f, int column, struct paper_axis a,
                      struct paper_scale s, const struct paper_limit *limit) {
    char amount[32];
    int row = p->height, end = f.indent + f.width,
        foot = column + paper_axis_column(a, limit->bytes / account_unit_scale(s.unit));
    account_print(amount, sizeof amount, limit->bytes, s.unit, 4);
    char *words = paper_limit_words(limit, amount);
    int width = paper_measure(p, words);
    bool right = foot + 2 + width <= end, left = foot - 1 - width >= f.indent;
    if (!right && !left) foot = f.indent;
    paper_put(p, row, foot, PAPER_LIMIT, 0,
              p->ascii ? "^"
              : right  ? "└"
              : left   ? "┘"
                       : paper_limit_sign);
    paper_put(p, row, right || !left ? foot + 2 : foot - 1 - width, PAPER_PLAIN, 0, words);
    free(words);
}

static void put_centred(struct paper *p, int row, int from, int to, const char *text) {
    paper_put(p, row, from + (to - from - paper_measure(p, text)) / 2, PAPER_STRONG, 0, text);
}

void paper_bracket(struct paper *p, int row, int from, int to, const char *name) {
    int room = to - from, width = paper_measure(p, name);
    bool ends = room >= width + 4 || (width > room && room > 2);
    for (int i = from; ends && i < to; i++)
        paper_put(p, row, i, PAPER_DIM, 0, i == from ? "├" : i + 1 == to ? "┤" : "─");
    if (width > room) return;
    char *text = base_format(ends ? " %s " : "%s", name);
    put_centred(p, row, from, to, text);
    free(text);
}
