/* shown: the cells that are on the screen. */
#include "screen/shown.h"

#include <stdlib.h>
#include <string.h>

void screen_shown_fit(struct shown *s, const struct frame *f, bool anew) {
    if (!anew && s->rows == f->all_rows && s->columns == f->columns) return;
    screen_shown_free(s);
    s->cell = base_alloc((size_t)f->all_rows * (size_t)f->columns * sizeof *s->cell);
    s->rows = f->all_rows;
    s->columns = f->columns;
}

static bool same(const struct page_cell *a, const struct page_cell *b) {
    return a->role == b->role && a->attributes == b->attributes && strcmp(a->text, b->text) == 0;
}

bool screen_shown_take(struct shown *s, const struct frame *f, int row) {
    bool other = false;
    for (int column = 0; column < f->columns; column++) {
        const struct page_cell *now = page_cell(f->page, row, column);
        struct page_cell *before = &s->cell[row * f->columns + column];
        if (same(now, before)) continue;
        *before = *now;
        other = true;
    }
    return other;
}

void screen_shown_free(struct shown *s) {
    free(s->cell);
    *s = (struct shown){0};
}
