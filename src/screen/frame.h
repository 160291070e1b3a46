/* frame: one screenful. A page of exactly the terminal's size, with a title line, a body, a line of
 * keys, a second pane where the terminal is wide, and what a click on a place means. Private to the
 * module.
 *
 *     left             left + width      pane_left
 *      │ 1.1  Title        step 3 / 12 │  │ outline        row 0
 *      │                               │  │                (row 1 empty where there is room)
 *      │ body                          │  │                top … top + rows - 1
 *      │                        more ▼ │  │                note
 *      │ ⏎ next  ← back       Esc home │  │                keys */
#ifndef SCREEN_FRAME_H
#define SCREEN_FRAME_H

#include "page/page.h"
#include "screen/keys.h"

enum {
    FRAME_MIN_COLUMNS = 40,
    FRAME_MIN_ROWS = 12,
    FRAME_PROSE = 80,
    /* the main column of a view whose figures grow with it */
    FRAME_FIGURES = 110,
    FRAME_WIDE = 110,
    /* rows of a terminal that is higher than most screens need */
    FRAME_HIGH = 48,
    FRAME_ZONES = 160
};
/* What a view has to show next to its main column where the terminal is wide. */
enum frame_layout {
    /* nothing */
    FRAME_ALONE,
    /* nothing: the main column grows with the terminal up to FRAME_FIGURES */
    FRAME_GROWS,
    /* a pane */
    FRAME_PANE,
    /* a pane, and a main column that grows with the terminal up to FRAME_FIGURES; then the pane
     * grows up to FRAME_PROSE */
    FRAME_FIGURES_PANE,
    /* a pane that grows with the terminal, up to FRAME_PROSE; then the main column grows up to
     * FRAME_FIGURES */
    FRAME_DETAIL,
    /* Cards: the main column grows with the terminal up to FRAME_FIGURES, and then the cards stand
     * in two columns. */
    FRAME_CARDS
};

/* A click on it is the key `press`, or PRESS_CLICK with `target` if that is PRESS_NONE. */
struct zone {
    int row, column, width;
    uint32_t press;
    int target;
};
struct frame {
    struct page *page;
    /* of the terminal */
    int columns, all_rows;
    /* The main column: at most FRAME_PROSE wide, its margins of one cell included, unless it
     * grows. */
    int left, width;
    /* the body */
    int top, rows;
    /* the second pane; width 0 if there is none */
    int pane_left, pane_width;
    /* a second column of it, as wide; 0 if there is none */
    int pane2_left;
    /* where the last of them ends, from `left` */
    int right;
    /* rows at the end of the body that a note leaves in sight */
    int foot;
    /* -1: hidden */
    int cursor_row, cursor_column;
    size_t zones;
    struct zone zone[FRAME_ZONES];
};

struct frame *screen_frame_new(int columns, int rows, bool ascii, enum frame_layout layout);
void screen_frame_free(struct frame *f);
/* The first line: where one is, and how far. The left text gives way. */
void screen_frame_title(struct frame *f, const char *left, const char *right);
/* A line above the keys and the foot, or a few over the end of the body where it is longer. */
void screen_frame_note(struct frame *f, const char *text);
/* The same line, at its right: there is more of what the body shows. */
void screen_frame_more(struct frame *f, bool above, bool below);
/* Shows a page in the second pane from row *top on, which it keeps on the page, with the same signs
 * below: a click on one is the wheel over the pane, which its view takes (KEY_ASIDE). Returns the
 * last row that *top can be; 0: all of it is shown. */
int screen_frame_aside(struct frame *f, const struct page *p, int *top);
/* Text at a place of the main column, cut at its right margin; returns the column after it. */
int screen_frame_put(struct frame *f, int row, int column, unsigned role, unsigned attributes,
                     const char *text);
/* The same, ending at the right margin. */
void screen_frame_put_right(struct frame *f, int row, unsigned role, const char *text);
/* Shows rows [top, top + rows) of a page at a place of the frame (whole-terminal columns). */
void screen_frame_window(struct frame *f, const struct page *from, int top, int rows, int row,
                         int column);
/* In a high terminal, by how many rows a body of so many begins lower than the title, so that it is
 * not all at the top: by a third of those that it leaves. 0 elsewhere. */
int screen_frame_lower(const struct frame *f, int rows);
/* The body begins so many rows lower, and ends where it did. */
void screen_frame_begin(struct frame *f, int lower);
/* Rows of a bar for which such a terminal has room, 1 to PAGE_THICKEST. */
int screen_frame_thick(const struct frame *f);
/* A line under a cell of a page, which says that a click on it leads somewhere. */
void screen_underline(struct page *p, int row, int column);
/* What a click on cells of the main column means. */
void screen_frame_zone(struct frame *f, int row, int column, int width, uint32_t press, int target);
/* The zone at a cell of the terminal, or NULL. */
const struct zone *screen_frame_zone_at(const struct frame *f, int row, int column);
void screen_frame_cursor(struct frame *f, int row, int column);

#endif
