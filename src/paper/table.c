/* Tables: columns as wide as they must be, the widest text column giving way first; numbers on their decimal point. */
#include "paper/page.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 2, NARROWEST = 4 };

struct column {
    char align;
    int width, point; /* point: cells left of the decimal point in a 'd' column */
    bool whole;       /* as wide as its widest cell: decimal alignment still works */
};
struct table {
    const struct paper_ink *cell;
    size_t rows, columns;
    struct column *column;
    bool head;
};

static bool is_digit(const struct paper_ink *ink, size_t at) {
    return at < ink->n && ink->s[at] >= '0' && ink->s[at] <= '9';
}

/* Cells before the decimal point, or before where it would stand. */
static int before_point(const struct paper_ink *ink) {
    size_t at = 0;
    while (at < ink->n && !is_digit(ink, at)) at++;
    while (is_digit(ink, at) || (at < ink->n && strchr(",'", ink->s[at]) && is_digit(ink, at + 1)))
        at++;
    return paper_ink_width(ink, 0, at);
}

/* A cell may have lines of its own; its width is the longest's. */
static int cell_width(const struct paper_ink *ink) {
    int widest = 0;
    for (size_t from = 0; from < ink->n;) {
        const char *stop = memchr(ink->s + from, '\n', ink->n - from);
        size_t to = stop ? (size_t)(stop - ink->s) : ink->n;
        int width = paper_ink_width(ink, from, to);
        if (width > widest) widest = width;
        from = to + 1;
    }
    return widest;
}

static const struct paper_ink *at(const struct table *t, size_t row, size_t column) {
    return &t->cell[row * t->columns + column];
}

static bool is_decimal(const struct table *t, size_t row, size_t column) {
    return t->column[column].align == 'd' && !(t->head && row == 0);
}

static void measure(struct table *t, size_t column) {
    struct column *c = &t->column[column];
    int after = 0;
    for (size_t row = 0; row < t->rows; row++) {
        const struct paper_ink *ink = at(t, row, column);
        int width = cell_width(ink), left = is_decimal(t, row, column) ? before_point(ink) : 0;
        if (left > c->point) c->point = left;
        if (is_decimal(t, row, column) && width - left > after) after = width - left;
        if (width > c->width) c->width = width;
    }
    if (c->align == 'd' && c->point + after > c->width) c->width = c->point + after;
    c->whole = true;
}

static int total_width(const struct table *t) {
    int sum = GAP * ((int)t->columns - 1);
    for (size_t i = 0; i < t->columns; i++) sum += t->column[i].width;
    return sum;
}

/* The column that can best give a cell away: text before numbers, the widest first; NULL if none can. */
static struct column *giver(const struct table *t) {
    struct column *best = NULL;
    for (int pass = 0; pass < 3 && !best; pass++)
        for (size_t i = 0; i < t->columns; i++) {
            struct column *c = &t->column[i];
            bool text = c->align == 'l' || c->align == 'c';
            bool may = pass == 0   ? text && c->width > 2 * NARROWEST
                       : pass == 1 ? c->width > NARROWEST
                                   : c->width > 1;
            if (may && (!best || c->width > best->width)) best = c;
        }
    return best;
}

static void shrink(struct table *t, int width) {
    struct column *c;
    for (int over = total_width(t) - width; over > 0 && (c = giver(t)); over--) {
        c->width--;
        c->whole = false;
    }
}

static int place(const struct table *t, size_t row, size_t column, int width) {
    const struct column *c = &t->column[column];
    if (is_decimal(t, row, column) && c->whole) {
        const struct paper_ink *ink = at(t, row, column);
        bool number = before_point(ink) < cell_width(ink) || (ink->n && is_digit(ink, ink->n - 1));
        return number ? c->point - before_point(ink) : c->width - width;
    }
    if (c->align == 'r' || c->align == 'd') return c->width - width;
    return c->align == 'c' ? (c->width - width) / 2 : 0;
}

/* Draws one cell downwards from `row` of the page; returns its height. */
static int draw_cell(struct paper *p, const struct table *t, size_t row, size_t column, int top,
                     int left) {
    const struct paper_ink *ink = at(t, row, column);
    int width = t->column[column].width;
    struct paper_line *line;
    size_t n = paper_ink_wrap(ink, width, width, &line);
    for (size_t i = 0; i < n; i++) {
        int from = left + place(t, row, column, paper_ink_width(ink, line[i].from, line[i].to));
        paper_ink_draw(p, top + (int)i, from, left + width, ink, line[i]);
    }
    free(line);
    return (int)n;
}

static void draw_row(struct paper *p, const struct table *t, size_t row, struct paper_flow f) {
    int top = p->height, height = 1, left = f.indent;
    for (size_t i = 0; i < t->columns; i++) {
        if (left >= f.indent + f.width) break;
        int cell = draw_cell(p, t, row, i, top, left);
        if (cell > height) height = cell;
        left += t->column[i].width + GAP;
    }
    paper_blank(p, top + height - p->height);
}

void paper_table_draw(struct paper *p, struct paper_flow f, const struct paper_ink *cell,
                      size_t rows, size_t columns, const char *align, bool head) {
    if (!rows || !columns) return;
    f = paper_flow_fit(p, f);
    struct table t = {cell, rows, columns, base_alloc(columns * sizeof *t.column), head};
    size_t aligned = align ? strlen(align) : 0;
    for (size_t i = 0; i < columns; i++) {
        t.column[i].align = i < aligned ? align[i] : 'l';
        measure(&t, i);
    }
    shrink(&t, f.width);
    for (size_t row = 0; row < rows; row++) {
        draw_row(p, &t, row, f);
        if (row || !head) continue;
        int width = total_width(&t), top = p->height;
        paper_blank(p, 1);
        paper_rule(p, top, f.indent, width < f.width ? width : f.width);
    }
    free(t.column);
}

void paper_table(struct paper *p, struct paper_flow f, const char *const *cell, size_t rows,
                 size_t columns, const char *align, bool head) {
    struct paper_ink *ink = base_alloc((rows * columns + 1) * sizeof *ink);
    for (size_t i = 0; i < rows * columns; i++) {
        ink[i].ascii = p->ascii;
        if (cell[i])
            paper_ink_add(&ink[i], head && i < columns ? PAPER_STRONG : f.role, 0, cell[i],
                          strlen(cell[i]));
    }
    paper_table_draw(p, f, ink, rows, columns, align, head);
    for (size_t i = 0; i < rows * columns; i++) paper_ink_free(&ink[i]);
    free(ink);
}
