/* Bars: of one role to an eighth of a cell, of categories in their own fills, and progress. */
#include "page/figure.h"

#include <math.h>

static const char *const eighths[9] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

/* Eighths of a cell; in ASCII only whole cells. What is not nothing is seen. */
static int in_eighths(const struct page *p, double cells) {
    if (!(cells > 0)) return 0;
    if (cells > p->width) cells = p->width;
    int n = p->ascii ? 8 * (int)lround(cells) : (int)lround(cells * 8);
    return n ? n : p->ascii ? 8 : 1;
}

void page_bar(struct page *p, int row, int column, double cells, unsigned role) {
    bool category = role >= PAGE_CATEGORY && role < PAGE_INK;
    int left = in_eighths(p, cells);
    for (; left >= 8; left -= 8) column = page_put(p, row, column, role, 0, eighths[8]);
    if (left)
        page_put(p, row, column, category ? role + ACCOUNT_CATEGORIES : role, 0, eighths[left]);
}

int page_progress(struct page *p, int row, int column, int width, double share) {
    if (!(share > 0)) share = 0;
    int full = share >= 1 ? width : (int)floor(share * width + 1e-9);
    if (share > 0 && full == 0) full = 1;
    for (int i = 0; i < width; i++)
        column =
            page_put(p, row, column, i < full ? PAGE_ACCENT : PAGE_DIM, 0, i < full ? "█" : "░");
    return column;
}

/* A bar being divided: a quota in cells for each category, the cells it gets. */
struct division {
    double quota[ACCOUNT_CATEGORIES];
    int cells[ACCOUNT_CATEGORIES];
};

static bool is_sliver(const struct division *d, int c) {
    return d->quota[c] > 0 && d->quota[c] < 0.5;
}

/* The category for which `better` is largest among those not yet served; -1 if none is left. */
static int largest(const double value[ACCOUNT_CATEGORIES]) {
    int best = -1;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (value[c] > 0 && (best < 0 || value[c] > value[best])) best = c;
    return best;
}

/* Largest remainder among categories of half a cell and more, so that they add up; each of them shows. Returns the cells given. */
static int divide(struct division *d) {
    double sum = 0, rest[ACCOUNT_CATEGORIES] = {0};
    int given = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (d->quota[c] < 0.5) continue;
        sum += d->quota[c];
        d->cells[c] = (int)fmax(1, floor(d->quota[c] + 1e-9));
        rest[c] = d->quota[c] - d->cells[c] +
                  d->quota[c] * 1e-6; /* of equals the larger category first */
        given += d->cells[c];
    }
    for (int c; given < (int)lround(sum) && (c = largest(rest)) >= 0; given++) {
        d->cells[c]++;
        rest[c] = 0;
    }
    return given;
}

/* Each category to its nearest cell: what does not add up goes into the part of a cell at the end. */
static int divide_each(struct division *d) {
    int given = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (d->quota[c] >= 0.5) given += d->cells[c] = (int)lround(d->quota[c]);
    return given;
}

static int draw_cells(struct page *p, int row, int column, const struct division *d) {
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        for (int i = 0; i < d->cells[c]; i++)
            column = page_put(p, row, column, PAGE_CATEGORY + (unsigned)c, 0,
                              page_fill(p, (enum account_category)c));
    return column;
}

/* Slivers that together fill whole cells get them, the largest first; returns the one that the last part of a cell belongs to. */
static int divide_slivers(struct division *d, double *rest) {
    double value[ACCOUNT_CATEGORIES] = {0};
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) value[c] = is_sliver(d, c) ? d->quota[c] : 0;
    int c = largest(value);
    while (c >= 0 && *rest >= 15.0 / 16) {
        d->cells[c] = 1;
        value[c] = 0;
        *rest -= 1;
        int next = largest(value);
        if (next < 0) return c;
        c = next;
    }
    return c;
}

int page_bar_stack(struct page *p, int row, int column, const uint64_t bytes[ACCOUNT_CATEGORIES],
                   double scale) {
    struct division d = {0};
    double total = 0;
    int slivers = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        d.quota[c] = (double)bytes[c] / scale;
        total += d.quota[c];
        slivers += is_sliver(&d, c);
    }
    double rest = total - (slivers ? divide_each(&d) : divide(&d));
    int owner = slivers ? divide_slivers(&d, &rest) : -1;
    column = draw_cells(p, row, column, &d);
    int part = rest > 0 ? (int)lround(rest * 8) : 0;
    if (owner < 0) return column;
    bool shown = p->ascii ? part >= 4 || total < 1 : true;
    if (!shown) return column;
    const char *end = eighths[part < 1 ? 1 : part > 8 ? 8 : part];
    return page_put(p, row, column, PAGE_INK + (unsigned)owner, 0, end);
}
