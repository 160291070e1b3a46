/* frame: one screenful. */
#include "screen/frame.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PANE_GAP = 3, PANE_MAX = 44, LOW = 16, NOTE_ROWS = 5 };

struct frame *frame_new(int columns, int rows, bool ascii, bool pane) {
    struct frame *f = base_alloc(sizeof *f);
    f->paper = paper_new(columns, ascii);
    f->columns = columns;
    f->all_rows = rows;
    f->width = columns < FRAME_PROSE ? columns : FRAME_PROSE;
    int used = f->width;
    if (pane && columns >= FRAME_WIDE) {
        int rest = columns - f->width - PANE_GAP - 1;
        f->pane_width = rest < PANE_MAX ? rest : PANE_MAX;
        used += PANE_GAP + f->pane_width + 1;
    }
    f->left = (columns - used) / 2;
    f->pane_left = f->left + f->width + PANE_GAP;
    f->top = rows < LOW ? 1 : 2;
    f->rows = rows - f->top - 2;
    f->cursor_row = f->cursor_column = -1;
    return f;
}

void frame_free(struct frame *f) {
    if (!f) return;
    paper_free(f->paper);
    free(f);
}

char *frame_words(const char *id) {
    char *words = base_dup(id);
    for (char *c = words; *c; c++)
        if (*c == '-') *c = ' ';
    *words = (char)toupper((unsigned char)*words);
    return words;
}

char *frame_cut(const char *text, int cells, bool ascii) {
    if (base_width(text) <= cells) return base_dup(text);
    const char *s = text, *end = text + strlen(text), *fits = text;
    int used = 0, dots = ascii ? 3 : 1;
    while (s < end) {
        used += base_code_width(base_utf8_next(&s, end));
        if (used > cells - dots) break;
        fits = s;
    }
    while (fits > text && fits[-1] == ' ') fits--;
    return base_format("%.*s%s", (int)(fits - text), text, ascii ? "..." : "…");
}

int frame_put(struct frame *f, int row, int column, unsigned role, unsigned attributes,
              const char *text) {
    int room = f->width - 1 - column;
    if (room <= 0) return column;
    char *cut = frame_cut(text, room, paper_ascii(f->paper));
    int end = paper_put(f->paper, row, f->left + column, role, attributes, cut);
    free(cut);
    return end - f->left;
}

void frame_put_right(struct frame *f, int row, unsigned role, const char *text) {
    int column = f->width - 1 - base_width(text);
    frame_put(f, row, column < 1 ? 1 : column, role, 0, text);
}

void frame_title(struct frame *f, const char *left, const char *right) {
    int room = f->width - 2 - (*right ? base_width(right) + 2 : 0);
    char *cut = frame_cut(left, room, paper_ascii(f->paper));
    frame_put(f, 0, 1, PAPER_TITLE, 0, cut);
    free(cut);
    if (*right) frame_put_right(f, 0, PAPER_DIM, right);
}

void frame_note(struct frame *f, const char *text) {
    struct paper *note = paper_new(f->width, paper_ascii(f->paper));
    paper_text(note, (struct paper_flow){.indent = 1, .width = f->width - 2, .role = PAPER_ACCENT},
               text);
    int rows = paper_height(note) < NOTE_ROWS ? paper_height(note) : NOTE_ROWS,
        top = f->all_rows - 1 - rows;
    for (int i = 0; i < rows * f->width; i++)
        paper_put(f->paper, top + i / f->width, f->left + i % f->width, PAPER_PLAIN, 0, " ");
    frame_window(f, note, 0, rows, top, f->left);
    paper_free(note);
}

void frame_more(struct frame *f, bool above, bool below) {
    const char *text = above && below ? "▲ more ▼" : below ? "more ▼" : above ? "▲ more" : "";
    if (*text) frame_put_right(f, f->all_rows - 2, PAPER_DIM, text);
}

void frame_window(struct frame *f, const struct paper *from, int top, int rows, int row,
                  int column) {
    int last = paper_height(from);
    for (int r = 0; r < rows && top + r < last; r++) {
        for (int c = 0; c < paper_width(from); c++) {
            const struct paper_cell *cell = paper_cell(from, top + r, c);
            bool empty =
                strcmp(cell->text, " ") == 0 && cell->role == PAPER_PLAIN && !cell->attributes;
            if (*cell->text && !empty)
                paper_put(f->paper, row + r, column + c, cell->role, cell->attributes, cell->text);
        }
    }
}

void frame_zone(struct frame *f, int row, int column, int width, uint32_t press, int target) {
    if (f->zones == FRAME_ZONES) return;
    f->zone[f->zones++] = (struct zone){row, f->left + column, width, press, target};
}

const struct zone *frame_zone_at(const struct frame *f, int row, int column) {
    for (size_t i = 0; i < f->zones; i++) {
        const struct zone *z = &f->zone[i];
        if (row == z->row && column >= z->column && column < z->column + z->width) return z;
    }
    return NULL;
}

void frame_cursor(struct frame *f, int row, int column) {
    f->cursor_row = row;
    f->cursor_column = f->left + column;
}
