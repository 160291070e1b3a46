/* terms: the words of the glossary on a page, found in its cells, so that what wraps is found, too.
 */
#include "screen/terms.h"
#include "screen/frame.h"

#include <stdlib.h>
#include <string.h>

/* The text of some rows, and where each of its bytes is. */
struct reading {
    struct base_text text;
    struct cell {
        int row, column;
    } * cell;
};

static void add(struct reading *r, const char *text, int row, int column) {
    size_t before = r->text.length, n = strlen(text);
    base_text_add(&r->text, text, n);
    r->cell = base_grow(r->cell, r->text.length + 1, sizeof *r->cell);
    for (size_t i = before; i < r->text.length; i++) r->cell[i] = (struct cell){row, column};
}

/* Code is no prose: its names are not looked up. */
static const char *prose_of(const struct page_cell *c) {
    return c->role == PAGE_CODE && strcmp(c->text, " ") != 0 ? "." : c->text;
}

static int end_of(const struct page *p, int row) {
    int end = page_width(p);
    while (end > 0 && strcmp(page_cell(p, row, end - 1)->text, " ") == 0) end--;
    return end;
}

/* A row without its margins, and one line's end after it. */
static void read_row(struct reading *r, const struct page *p, int row) {
    int column = 0, end = end_of(p, row);
    while (column < end && strcmp(page_cell(p, row, column)->text, " ") == 0) column++;
    for (; column < end; column++) add(r, prose_of(page_cell(p, row, column)), row, column);
    add(r, "\n", row, end);
}

static void add_span(struct terms *t, int row, int column, size_t which) {
    struct terms_span *last = t->count ? &t->span[t->count - 1] : NULL;
    if (last && last->which == which && last->row == row)
        last->width = column + 1 - last->column;
    else if (t->count < TERMS_MOST)
        t->span[t->count++] = (struct terms_span){row, column, 1, which};
}

static bool is_known(const struct terms *t, size_t which) {
    size_t i = 0;
    while (i < t->count && t->span[i].which != which) i++;
    return i < t->count;
}

static void take(struct terms *t, const struct reading *r, const struct session_spot *spot,
                 struct page *p, bool mark) {
    if (is_known(t, spot->which)) return;
    for (size_t i = spot->at; i < spot->at + spot->length; i++) {
        const struct cell *c = &r->cell[i];
        if (r->text.s[i] == '\n') continue;
        add_span(t, c->row, c->column, spot->which);
        if (mark) screen_underline(p, c->row, c->column);
    }
}

void screen_terms_find(struct terms *t, const struct session_glossary *g, struct page *p, int from,
                       int to, bool mark) {
    struct reading r = {0};
    struct session_spot spot[TERMS_MOST];
    for (int row = from; row < to; row++) read_row(&r, p, row);
    size_t n = r.text.s ? session_glossary_spots(g, r.text.s, spot, TERMS_MOST) : 0;
    for (size_t i = 0; i < n; i++) take(t, &r, &spot[i], p, mark);
    base_text_free(&r.text);
    free(r.cell);
}
