/* shown: the cells that are on the screen. */
#include "screen/shown.h"

#include <stdlib.h>
#include <string.h>

void shown_fit(struct shown *s, const struct frame *f, bool anew) {
    if (!anew && s->rows == f->all_rows && s->columns == f->columns) return;
    shown_free(s);
    s->cell = base_alloc((size_t)f->all_rows * (size_t)f->columns * sizeof *s->cell);
    s->rows = f->all_rows;
    s->columns = f->columns;
}

static bool same(const struct paper_cell *a, const struct paper_cell *b) {
    return a->role == b->role && a->attributes == b->attributes && strcmp(a->text, b->text) == 0;
}

bool shown_take(struct shown *s, const struct frame *f, int row) {
    bool other = false;
    for (int column = 0; column < f->columns; column++) {
        const struct paper_cell *now = paper_cell(f->paper, row, column);
        struct paper_cell *before = &s->cell[row * f->columns + column];
        if (same(now, before)) continue;
        *before = *now;
        other = true;
    }
    return other;
}

void shown_free(struct shown *s) {
    free(s->cell);
    *s = (struct shown){0};
}
