/* frame: one screenful. */
#include "screen/frame.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    PANE_GAP = 3,
    PANE_MAX = 44,
    PANE_LEAST = 36,
    LOW = 16,
    NOTE_ROWS = 5,
    TALL = 36,
    ROWS_EACH = 12,
    LONGEST = 8 /* name of a key */
};

static int least(int a, int b) {
    return a < b ? a : b;
}

/* A pane first grows to PANE_MAX, or what is read there as wide as prose, then the main column, and
 * then a pane of figures; two columns of cards share what is left. */
static int divide(struct frame *f, enum frame_layout layout) {
    int rest = f->columns - f->width - PANE_GAP - 1, grow = FRAME_FIGURES - f->width;
    int each = (rest - grow - PANE_GAP) / 2;
    bool cards = layout == FRAME_CARDS, figures = layout == FRAME_FIGURES_PANE;
    f->pane_width = least(rest, layout == FRAME_DETAIL ? FRAME_PROSE : PANE_MAX);
    if (layout != FRAME_PANE) f->width += least(rest - f->pane_width, grow);
    if (figures && rest - grow > f->pane_width) f->pane_width = least(rest - grow, FRAME_PROSE);
    if (!cards || each < PANE_LEAST) return 1;
    f->pane_width = least(each, PANE_MAX);
    return 2;
}

struct frame *screen_frame_new(int columns, int rows, bool ascii, enum frame_layout layout) {
    struct frame *f = base_alloc(sizeof *f);
    f->page = page_new(columns, ascii);
    page_blank(f->page, rows);
    f->columns = columns;
    f->all_rows = rows;
    f->width = least(columns, layout == FRAME_GROWS ? FRAME_FIGURES : FRAME_PROSE);
    int panes = layout >= FRAME_PANE && columns >= FRAME_WIDE ? divide(f, layout) : 0;
    f->right = f->width + panes * (PANE_GAP + f->pane_width) + (panes > 0);
    f->left = (columns - f->right) / 2;
    f->pane_left = f->left + f->width + PANE_GAP;
    if (panes > 1) f->pane2_left = f->pane_left + f->pane_width + PANE_GAP;
    f->top = rows < LOW ? 1 : 2;
    f->rows = rows - f->top - 2;
    f->cursor_row = f->cursor_column = -1;
    return f;
}

void screen_frame_free(struct frame *f) {
    if (!f) return;
    page_free(f->page);
    free(f);
}

int screen_frame_put(struct frame *f, int row, int column, unsigned role, unsigned attributes,
                     const char *text) {
    int capacity = f->width - 1 - column;
    if (capacity <= 0) return column;
    char *cut = page_cut(text, capacity, page_ascii(f->page));
    int end = page_put(f->page, row, f->left + column, role, attributes, cut);
    free(cut);
    return end - f->left;
}

void screen_frame_put_right(struct frame *f, int row, unsigned role, const char *text) {
    int column = f->width - 1 - base_width(text);
    screen_frame_put(f, row, column < 1 ? 1 : column, role, 0, text);
}

void screen_frame_title(struct frame *f, const char *left, const char *right) {
    int capacity = f->width - 2 - (*right ? base_width(right) + 2 : 0);
    char *cut = page_cut(left, capacity, page_ascii(f->page));
    screen_frame_put(f, 0, 1, PAGE_TITLE, 0, cut);
    free(cut);
    if (*right) screen_frame_put_right(f, 0, PAGE_DIM, right);
}

/* The note lies over the rows, and so over what a click there meant. */
static void cover(struct frame *f, int top, int rows) {
    for (int i = 0; i < rows * f->width; i++)
        page_put(f->page, top + i / f->width, f->left + i % f->width, PAGE_PLAIN, 0, " ");
    for (size_t i = 0; i < f->zones; i++) {
        struct zone *z = &f->zone[i];
        bool under = z->row >= top && z->row < top + rows && z->column < f->left + f->width;
        if (under) z->width = 0;
    }
}

/* A click on the name of a key, "Esc", is the key. A name of one letter may be a word. */
static void zone_keys(struct frame *f, const struct page *note, int from, int row) {
    for (int column = 0; column < page_width(note); column++) {
        char word[LONGEST + 1] = "";
        const char *name = word;
        int first = column, length = 0;
        for (; column < page_width(note); column++, length++) {
            char c = *page_cell(note, from, column)->text;
            if (!isalnum((unsigned char)c)) break;
            if (length < LONGEST) word[length] = c;
        }
        bool names = length > 1 && length <= LONGEST;
        uint32_t code = names ? screen_key_named(&name) : PRESS_NONE;
        if (code != PRESS_NONE) screen_frame_zone(f, row, first, length, code, -1);
    }
}

void screen_frame_note(struct frame *f, const char *text) {
    struct page *note = page_new(f->width, page_ascii(f->page));
    page_text(note, (struct page_flow){.indent = 1, .width = f->width - 2, .role = PAGE_ACCENT},
              text);
    int rows = page_height(note) < NOTE_ROWS ? page_height(note) : NOTE_ROWS,
        top = f->all_rows - 1 - f->foot - rows;
    cover(f, top, rows);
    screen_frame_window(f, note, 0, rows, top, f->left);
    for (int i = 0; i < rows; i++) zone_keys(f, note, i, top + i);
    page_free(note);
}

/* The signs end before a column of the main one. A click on one does what the zone says. */
static void put_more(struct frame *f, bool above, bool below, int end, struct zone up,
                     struct zone down) {
    const char *text = above && below ? "▲ more ▼" : below ? "more ▼" : above ? "▲ more" : "";
    int row = f->all_rows - 2, width = base_width(text), from = end - width;
    int half = above ? width / (1 + below) : 0;
    page_put(f->page, row, f->left + from, PAGE_DIM, 0, text);
    screen_frame_zone(f, row, from, half, up.press, up.target);
    screen_frame_zone(f, row, from + half, width - half, down.press, down.target);
}

void screen_frame_more(struct frame *f, bool above, bool below) {
    put_more(f, above, below, f->width - 1, (struct zone){.press = PRESS_PAGE_UP, .target = -1},
             (struct zone){.press = PRESS_PAGE_DOWN, .target = -1});
}

int screen_frame_aside(struct frame *f, const struct page *p, int *top) {
    int last = page_height(p) > f->rows ? page_height(p) - f->rows : 0;
    *top = *top > last ? last : *top < 0 ? 0 : *top;
    screen_frame_window(f, p, *top, f->rows, f->top, f->pane_left);
    put_more(f, *top > 0, *top < last, f->pane_left + f->pane_width - f->left,
             (struct zone){.press = PRESS_WHEEL_UP, .target = KEY_ASIDE},
             (struct zone){.press = PRESS_WHEEL_DOWN, .target = KEY_ASIDE});
    return last;
}

void screen_frame_window(struct frame *f, const struct page *from, int top, int rows, int row,
                         int column) {
    page_overlay(f->page, from, top, rows, row, column);
}

/* From TALL rows on, a row for each ROWS_EACH. */
int screen_frame_thick(const struct frame *f) {
    return f->all_rows < TALL ? 1 : least(f->all_rows / ROWS_EACH, PAGE_THICKEST);
}

int screen_frame_lower(const struct frame *f, int rows) {
    return f->all_rows < FRAME_HIGH || rows > f->rows ? 0 : (f->rows - rows) / 3;
}

void screen_frame_begin(struct frame *f, int lower) {
    f->top += lower;
    f->rows -= lower;
}

void screen_underline(struct page *p, int row, int column) {
    const struct page_cell c = *page_cell(p, row, column);
    if (*c.text) page_put(p, row, column, c.role, c.attributes | PAGE_UNDERLINE, c.text);
}

void screen_frame_zone(struct frame *f, int row, int column, int width, uint32_t press,
                       int target) {
    if (f->zones == FRAME_ZONES) return;
    f->zone[f->zones++] = (struct zone){row, f->left + column, width, press, target};
}

const struct zone *screen_frame_zone_at(const struct frame *f, int row, int column) {
    for (size_t i = 0; i < f->zones; i++) {
        const struct zone *z = &f->zone[i];
        if (row == z->row && column >= z->column && column < z->column + z->width) return z;
    }
    return NULL;
}

void screen_frame_cursor(struct frame *f, int row, int column) {
    f->cursor_row = row;
    f->cursor_column = f->left + column;
}
