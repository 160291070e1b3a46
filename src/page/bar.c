/* Bars: of one role, of several parts, and of progress. A bar of parts is divided into units:
 * eighths of a cell on a page in colours, whole cells on others, where only its fill tells a part
 * from the next. */
#include "page/figure.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { EIGHTHS = 8 };
static const char *const eighths[EIGHTHS + 1] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

/* ── one role ──────────────────────────────────────────────────────────────────────────────────*/
/* Eighths of a cell; in ASCII only whole cells. Something is always seen of more than nothing. */
static int in_eighths(const struct page *p, double cells) {
    if (!(cells > 0)) return 0;
    if (cells > p->width) cells = p->width;
    int n = p->ascii ? EIGHTHS * (int)lround(cells) : (int)lround(cells * EIGHTHS);
    return n ? n : p->ascii ? EIGHTHS : 1;
}

void page_bar(struct page *p, int row, int column, double cells, unsigned role) {
    bool category = role >= PAGE_CATEGORY && role < PAGE_INK;
    int left = in_eighths(p, cells);
    for (; left >= EIGHTHS; left -= EIGHTHS)
        column = page_put(p, row, column, role, 0, eighths[EIGHTHS]);
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

/* ── dividing a bar ──────────────────────────────────────────────────────────────────────────────
 * Equal parts get equal units, and no part gets fewer than a smaller one. A cell shows two tones at
 * most, and if the bar ends within a cell, the blank is one of them. Of the divisions that keep
 * these rules we take the one that costs least. A part without a unit is marked behind the bar. */
enum { TONES = 2, FURTHEST = 2 };
/* What an error costs. A part costs the square of the units that it has too many or too few. It
 * costs something more if it is only marked although half a unit or more is due to it, so much that
 * it does not happen to a part of a whole cell, nor to one that can have the cell to itself. It
 * also costs more if a part of a cell or more is not drawn to the nearest eighth, so that a value
 * is as long in one bar as in the next. The bar costs something for each unit that its end is off
 * by more than half a unit, and much for what goes beyond one. */
static const double cost_beyond_half = 20, cost_beyond_one = 1e5, cost_of_mark = 10,
                    cost_of_shift = 12, cost_of_loss = 1e7;

struct division {
    /* units in a cell */
    int parts, unit;
    /* units that each part should have */
    const double *due;
    /* their sum */
    double whole;
    /* the division that is being tried */
    int given[PAGE_PARTS];
    int best[PAGE_PARTS];
    /* of the best */
    double cost;
};
/* How far an attempt has come: units given so far, tones in the cell they end in, the cost, and the
 * units of parts that are only marked although they should have been drawn. */
struct attempt {
    int end, tones;
    double cost, marked;
};

/* Whether part `i` may have `n` units next to those of the parts before it. */
static bool is_in_order(const struct division *d, int i, int n) {
    for (int k = 0; k < i; k++) {
        if (d->due[k] == d->due[i] && d->given[k] != n) return false;
        if (d->due[k] > d->due[i] && d->given[k] < n) return false;
        if (d->due[k] < d->due[i] && d->given[k] > n) return false;
    }
    return true;
}

/* Adds a part of `n` units. False if a cell would show too many tones. */
static bool add_part(const struct division *d, double due, int n, struct attempt *t) {
    t->cost += (n - due) * (n - due);
    if (d->unit > 1 && due >= d->unit && n != (int)lround(due)) t->cost += cost_of_shift;
    if (n == 0 && due >= 0.5) {
        t->cost += d->unit > 1 && due < d->unit ? cost_of_mark : cost_of_loss;
        t->marked += due;
    }
    if (n == 0) return true;
    int end = t->end + n;
    bool within = end / d->unit == t->end / d->unit;
    if (t->tones == TONES) return false;
    t->tones = end % d->unit == 0 ? 0 : within ? t->tones + 1 : 1;
    t->end = end;
    return true;
}

static void finish(struct division *d, struct attempt t) {
    double off = fabs(t.end - (d->whole - t.marked));
    t.cost += cost_beyond_half * fmax(0, off - 0.5) + cost_beyond_one * fmax(0, off - 1);
    if (t.tones == TONES || t.cost >= d->cost) return;
    d->cost = t.cost;
    memcpy(d->best, d->given, sizeof d->best);
}

/* Tries every number of units near a part's due, the nearest first, and then the parts after it. */
static void try_part(struct division *d, int i, struct attempt t) {
    if (t.cost >= d->cost) return;
    if (i == d->parts) {
        finish(d, t);
        return;
    }
    int near = (int)lround(d->due[i]), sign = d->due[i] < near ? -1 : 1;
    for (int k = 0; k <= 2 * FURTHEST + 1; k++) {
        int n = near + (k % 2 ? sign : -sign) * ((k + 1) / 2);
        if (k > 2 * FURTHEST) n = 0;
        bool again = k > 2 * FURTHEST && near <= FURTHEST;
        struct attempt next = t;
        if (n < 0 || again || !is_in_order(d, i, n) || !add_part(d, d->due[i], n, &next)) continue;
        d->given[i] = n;
        try_part(d, i + 1, next);
    }
}

void page_divide(const double *due, int parts, int unit, int *units) {
    assert(parts <= PAGE_PARTS && unit >= 1);
    struct division d = {.parts = parts, .unit = unit, .due = due, .cost = INFINITY};
    for (int i = 0; i < parts; i++) d.whole += due[i];
    try_part(&d, 0, (struct attempt){0});
    assert(d.cost < INFINITY);
    memcpy(units, d.best, (size_t)parts * sizeof *units);
}

/* ── drawing a bar of parts ────────────────────────────────────────────────────────────────────*/
struct divided {
    const struct page_part *part;
    /* units in a cell; units in total */
    int parts, unit, end;
    int units[PAGE_PARTS];
};

static struct divided divide(const struct page *p, const struct page_part *part, int parts,
                             double scale) {
    struct divided d = {.part = part, .parts = parts, .unit = page_has_colours(p) ? EIGHTHS : 1};
    double due[PAGE_PARTS];
    for (int i = 0; i < parts; i++) due[i] = fmin(part[i].bytes / scale, p->width) * d.unit;
    page_divide(due, parts, d.unit, d.units);
    for (int i = 0; i < parts; i++) d.end += d.units[i];
    return d;
}

/* The part that has this unit of the bar; -1 behind its end. */
static int part_at(const struct divided *d, int unit) {
    int end = 0;
    for (int i = 0; i < d->parts; i++) {
        end += d->units[i];
        if (unit < end) return i;
    }
    return -1;
}

static int put_fill(struct page *p, int row, int column, const struct page_part *part) {
    unsigned role = (part->bright ? PAGE_INK : PAGE_CATEGORY) + part->category;
    return page_put(p, row, column, role, 0, part->fill);
}

/* A cell of two parts, the left one of `n` eighths. Of one category the brighter part has the
 * colour, the other one the ground; two parts that are alike in this are not told apart within a
 * cell, and the cell is the longer part's. */
static int put_edge(struct page *p, int row, int column, const struct page_part *left,
                    const struct page_part *right, int n) {
    if (left->category != right->category)
        return page_put(p, row, column,
                        PAGE_EDGE + left->category * ACCOUNT_CATEGORIES + right->category, 0,
                        eighths[n]);
    if (left->bright != right->bright)
        return page_put(p, row, column, PAGE_CATEGORY + left->category,
                        left->bright ? 0 : PAGE_REVERSE, eighths[n]);
    return put_fill(p, row, column, 2 * n >= EIGHTHS ? left : right);
}

static int draw_cell(struct page *p, int row, int column, const struct divided *d, int cell) {
    int from = cell * d->unit, n = 1;
    int left = part_at(d, from), right = part_at(d, from + d->unit - 1);
    if (left == right) return put_fill(p, row, column, &d->part[left]);
    while (part_at(d, from + n) == left) n++;
    if (right >= 0) return put_edge(p, row, column, &d->part[left], &d->part[right], n);
    const struct page_part *last = &d->part[left];
    unsigned role = last->bright ? PAGE_INK + last->category : PAGE_END(last->category);
    return page_put(p, row, column, role, 0, eighths[n]);
}

/* Whether any part has no unit: its sign would be longer than the part. */
static bool has_mark(const struct divided *d) {
    bool any = false;
    for (int i = 0; i < d->parts; i++) any = any || d->units[i] == 0;
    return any;
}

/* Draws a "+" for such parts, one cell behind the bar, or behind the limit if that is there. */
static bool draw_mark(struct page *p, int row, int column, const struct divided *d, int limit) {
    if (!has_mark(d)) return false;
    column += d->end > 0;
    page_put(p, row, column + (column == limit), PAGE_DIM, 0, "+");
    return true;
}

static bool draw_rows(struct page *p, int row, int rows, int column, const struct divided *d,
                      int limit, unsigned limit_role) {
    bool marked = false;
    for (int r = row; r < row + rows; r++) {
        int end = column;
        for (int cell = 0; cell * d->unit < d->end; cell++) end = draw_cell(p, r, end, d, cell);
        if (limit >= 0) page_put(p, r, limit, limit_role, 0, page_limit_sign);
        marked = draw_mark(p, r, end, d, limit);
    }
    return marked;
}

/* A bar of parts, at most PAGE_PARTS, at `scale` bytes per cell: in eighths of a cell on a page in
 * colours, else in whole cells. Equal parts are equally long. A cell shows at most two parts, or
 * one and the blank at the end. The bar ends within a unit (an eighth, or a cell) of its true end
 * if that leaves equal parts equal. A "+" behind it stands for parts that are too small for a unit;
 * returns whether there is one. The line of a limit is drawn at column `limit` (< 0: none).
 */
static bool bar_parts(struct page *p, int row, int column, const struct page_part *part, int parts,
                      double scale, int limit, unsigned limit_role) {
    struct divided d = divide(p, part, parts, scale);
    return draw_rows(p, row, 1, column, &d, limit, limit_role);
}

bool page_bar_thick(struct page *p, int row, int rows, int column, const struct page_part *part,
                    int parts, double scale, int limit, unsigned limit_role) {
    struct divided d = divide(p, part, parts, scale);
    return draw_rows(p, row, rows, column, &d, limit, limit_role);
}

bool page_bar_within(struct page *p, int row, int rows, int column, int cells,
                     const struct page_part *part, int parts, double scale, int limit) {
    struct page_part shown[PAGE_PARTS];
    double whole = 0, left = scale * (cells - 1);
    int count = 0;
    for (int i = 0; i < parts; i++) whole += part[i].bytes;
    if (whole <= scale * (cells + 0.5))
        return page_bar_thick(p, row, rows, column, part, parts, scale, limit, PAGE_LIMIT);
    for (int i = 0; i < parts && left > 0; left -= part[i++].bytes) {
        shown[count] = part[i];
        shown[count++].bytes = fmin(part[i].bytes, left);
    }
    page_bar_thick(p, row, rows, column, shown, count, scale, limit, PAGE_LIMIT);
    for (int r = row; r < row + rows; r++)
        page_put(p, r, column + cells - 1, PAGE_BAD, 0, p->ascii ? ">" : "▸");
    return false;
}

void page_pile(struct page *p, int row, int rows, int column, double cells,
               enum account_category c) {
    struct page_part part = {.bytes = cells, .category = c, .fill = page_fill(p, c)};
    page_bar_thick(p, row, rows, column, &part, 1, 1, -1, PAGE_PLAIN);
}

int page_bar_parts_width(const struct page *p, const struct page_part *part, int parts,
                         double scale) {
    struct divided d = divide(p, part, parts, scale);
    return (d.end + d.unit - 1) / d.unit + (has_mark(&d) ? 1 + (d.end > 0) : 0);
}

/* ── categories ────────────────────────────────────────────────────────────────────────────────*/
int page_parts_of(const struct page *p, const uint64_t bytes[ACCOUNT_CATEGORIES],
                  struct page_part part[static ACCOUNT_CATEGORIES]) {
    int parts = 0;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (bytes[c])
            part[parts++] = (struct page_part){
                .bytes = (double)bytes[c], .category = c, .fill = page_fill(p, c)};
    return parts;
}

bool page_bar_stack(struct page *p, int row, int column, const uint64_t bytes[ACCOUNT_CATEGORIES],
                    double scale, int limit, unsigned limit_role) {
    struct page_part part[ACCOUNT_CATEGORIES];
    int parts = page_parts_of(p, bytes, part);
    return bar_parts(p, row, column, part, parts, scale, limit, limit_role);
}

int page_bar_width(const struct page *p, const uint64_t bytes[ACCOUNT_CATEGORIES], double scale) {
    struct page_part part[ACCOUNT_CATEGORIES];
    return page_bar_parts_width(p, part, page_parts_of(p, bytes, part), scale);
}
