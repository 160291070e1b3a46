/* dots: curves finer than cells. A cell of braille has 2 × 4 dots; on a page of ASCII it is one. */
#include "page/internal.h"

#include <math.h>
#include <stdlib.h>

enum { ACROSS = 2, DOWN = 4, MOST_ON_A_LINE = 1000 };

struct page_dots page_dots_new(const struct page *p, int rows, int cells) {
    struct page_dots d = {
        .rows = rows, .cells = cells, .across = p->ascii ? 1 : ACROSS, .down = p->ascii ? 1 : DOWN};
    d.dot = base_alloc((size_t)rows * (size_t)d.down * (size_t)cells * (size_t)d.across);
    return d;
}

void page_dots_free(struct page_dots *d) {
    free(d->dot);
    *d = (struct page_dots){0};
}

void page_dots_set(struct page_dots *d, struct page_dot at, unsigned curve) {
    int width = d->cells * d->across, height = d->rows * d->down;
    if (!isfinite(at.x) || !isfinite(at.y)) return;
    int column = (int)lround(at.x * (width - 1)), row = (int)lround((1 - at.y) * (height - 1));
    if (column < 0 || column >= width || row < 0 || row >= height) return;
    d->dot[row * width + column] |= (uint8_t)(1u << curve);
}

void page_dots_line(struct page_dots *d, struct page_dot from, struct page_dot to, unsigned curve) {
    int width = d->cells * d->across, height = d->rows * d->down;
    double longest = fmax((to.x - from.x) * width, fabs(to.y - from.y) * height);
    if (!isfinite(longest)) return;
    int dots = (int)ceil(fmin(longest, MOST_ON_A_LINE)) + 1;
    for (int k = 0; k < dots; k++)
        page_dots_set(d,
                      (struct page_dot){from.x + (to.x - from.x) * k / dots,
                                        from.y + (to.y - from.y) * k / dots},
                      curve);
}

static void print_cell(struct page *page, const struct page_dots *d, int row, int cell, int top,
                       int left) {
    static const uint8_t bits[DOWN][ACROSS] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    int width = d->cells * d->across;
    unsigned code = 0, curves = 0;
    for (int y = 0; y < d->down; y++)
        for (int x = 0; x < d->across; x++) {
            unsigned dot = d->dot[(row * d->down + y) * width + cell * d->across + x];
            curves |= dot;
            if (dot) code |= bits[y][x];
        }
    if (!curves) return;
    char text[5] = {0};
    if (page->ascii)
        text[0] = curves == 2 ? 'o' : '*';
    else
        base_utf8_put(text, 0x2800 + code);
    page_put(page, top + row, left + cell, curves == 2 ? PAGE_WARN : PAGE_ACCENT, 0, text);
}

void page_dots_print(struct page *p, const struct page_dots *d, int top, int left) {
    for (int row = 0; row < d->rows; row++)
        for (int cell = 0; cell < d->cells; cell++) print_cell(p, d, row, cell, top, left);
}
