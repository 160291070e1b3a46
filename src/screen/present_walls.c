/* present_walls: a slide laid out for the front. Where it is too high, it first becomes shorter,
 * and then goes on at the next wall. No bar is thinner for it, and none is cut. */
#include "screen/present.h"

#include <string.h>

/* ── lower ─────────────────────────────────────────────────────────────────────────────────────*/
struct shorter {
    const char *terse, *gist;
};

/* Makes a drawing that is too high lower: a figure is its bars alone, items of lists are their
 * first sentence, two rounds stand next to each other, curves are less high. Returns false if
 * nothing is left to do. */
static bool lower(struct present_drawing *d, const struct shorter *s) {
    bool two = d->bars && d->rounds > 1;
    if (!d->tight) return d->tight = true;
    if (s->terse && d->text && strcmp(d->text, s->terse) != 0) return d->text = s->terse, true;
    if (two && !d->beside) return d->beside = true;
    if (d->figure && !two && d->thick > 1 && !page_figure_has_bars(d->figure)) return d->thick--;
    if (s->gist && d->answer && d->answer != s->gist) return d->answer = s->gist, true;
    return false;
}

/* ── cut ───────────────────────────────────────────────────────────────────────────────────────*/
static bool is_blank(const struct page *p, int row) {
    for (int c = 0; c < page_width(p); c++)
        if (strcmp(page_cell(p, row, c)->text, " ") != 0) return false;
    return true;
}

static bool same_cell(const struct page_cell *a, const struct page_cell *b) {
    return a->role == b->role && strcmp(a->text, b->text) == 0;
}

/* A cell of a bar; the sign of a legend has no such cell above or below. */
static bool is_bar(const struct page *p, int row, int column) {
    const struct page_cell *c = page_cell(p, row, column);
    return c->role >= PAGE_CATEGORY && strcmp(c->text, " ") != 0 &&
           (same_cell(c, page_cell(p, row - 1, column)) ||
            same_cell(c, page_cell(p, row + 1, column)));
}

/* Rows of one bar have the same cells of it; those of two bars, or of a bar and text, differ. */
static bool is_within_bar(const struct page *p, int row) {
    bool any = false;
    for (int c = 0; c < page_width(p); c++) {
        bool is = is_bar(p, row, c);
        if (is != is_bar(p, row - 1, c)) return false;
        if (is && !same_cell(page_cell(p, row - 1, c), page_cell(p, row, c))) return false;
        any = any || is;
    }
    return any;
}

/* The part after row `from` that begins last, at `end` at most, and has room on a wall; else 0. */
static int before_part(const struct present_parts *parts, int height, int from, int end,
                       int capacity) {
    int best = 0;
    for (int i = 0; i < parts->count; i++) {
        int row = parts->row[i], next = i + 1 < parts->count ? parts->row[i + 1] : height;
        if (row > from && row <= end && next > end && next - row <= capacity) best = row;
    }
    return best;
}

/* Where the wall that begins at `from` ends. */
static int find_end(const struct page *p, const struct present_parts *parts, int from,
                    int capacity) {
    int end = from + capacity, height = page_height(p);
    if (height <= end) return height;
    int part = before_part(parts, height, from, end, capacity);
    if (part) return part;
    for (int row = end; row > from + capacity / 2; row--)
        if (is_blank(p, row)) return row;
    for (int row = end; row > from; row--)
        if (!is_within_bar(p, row)) return row;
    return end;
}

/* Options that go on at this row are below the names of their rounds again. */
static int names_above(const struct present_parts *parts, int from) {
    bool again = parts->names >= 0 && from > parts->names && from < parts->answer;
    return again ? parts->names : -1;
}

static void cut(struct present_walls *w, const struct present_parts *parts, int capacity) {
    int height = page_height(w->page), from = 0;
    do {
        int above = names_above(parts, from), i = w->count++;
        int end = find_end(w->page, parts, from, capacity - (above >= 0 && capacity > 1));
        w->above[i] = above;
        w->first[i] = from;
        w->rows[i] = end - from;
        if (parts->answer >= from && parts->answer < end) w->answer = i;
        for (from = end; from < height && is_blank(w->page, from);) from++;
    } while (from < height && w->count < PRESENT_WALLS);
}

struct present_walls screen_present_walls(struct present_drawing d, const char *terse,
                                          const char *gist, int width, bool ascii, int colours) {
    struct shorter shorter = {terse, gist};
    struct present_walls w = {0};
    struct present_parts parts;
    do {
        page_free(w.page);
        w.page = page_new(width, ascii);
        page_set_colours(w.page, colours);
        screen_present_draw(w.page, &d, &parts);
    } while (page_height(w.page) > d.rows && lower(&d, &shorter));
    cut(&w, &parts, d.rows > 1 ? d.rows : 1);
    return w;
}
