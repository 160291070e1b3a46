/* editor_draw: the rows that wrapping makes of lines, and a window of them. A line that is too long
 * continues in the next row, from the beginning of a word if it can. Only a field in a window of
 * one row does not wrap: there the line moves sideways, so that the cursor is in view. */
#include "screen/editor.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

enum { MARGIN = 2, MARGIN_ROWS = 9 }; /* rows kept around the cursor where the window has so many */

enum { TAB = 4 };

static int wide_cells(const struct editor *e, const char *s, size_t n) {
    if (!e->ascii) return page_grapheme_width(s, n);
    struct page *page = page_new(1, true);
    char *one = base_format("%.*s", (int)n, s);
    int cells = page_measure(page, one);
    free(one);
    page_free(page);
    return cells;
}

/* The cells of the grapheme [at, next) where it begins in a column. */
static int cells_of(const struct editor *e, size_t at, size_t next, int column) {
    const char *s = e->text.s + at;
    if (*s == '\t') return TAB - column % TAB;
    if (next == at + 1 && (unsigned char)*s >= ' ' && (unsigned char)*s < 0x7f) return 1;
    return wide_cells(e, s, next - at);
}

static bool moves_sideways(const struct editor *e) {
    return e->most && e->rows == 1;
}

static int capacity_of(const struct editor *e) {
    if (moves_sideways(e)) return INT_MAX;
    return e->columns > 2 ? e->columns - 1 : 2;
}

/* The row that begins at a place. A blank that does not fit hangs over, so that no row begins with
 * one; save the text's last, behind which the cursor may stand. */
static struct editor_row row_from(const struct editor *e, size_t from) {
    size_t at = from, word = from;
    int cells = 0, capacity = capacity_of(e);
    while (at < e->text.length) {
        size_t next = screen_editor_next(e, at);
        char c = e->text.s[at];
        if (c == '\n') return (struct editor_row){from, at, next};
        cells += cells_of(e, at, next, cells);
        bool blank = c == ' ' || c == '\t';
        if (cells > capacity && blank && next < e->text.length)
            return (struct editor_row){from, next, next};
        if (cells > capacity && at > from) {
            at = word > from && !blank ? word : at;
            return (struct editor_row){from, at, at};
        }
        at = next;
        if (blank) word = at;
    }
    return (struct editor_row){from, at, at};
}

/* Whether the text goes on after a row; an end of line at the text's end is followed by an empty
 * row. */
static bool goes_on(const struct editor *e, const struct editor_row *r) {
    return r->next < e->text.length || r->next > r->to;
}

struct editor_row screen_editor_row_of(const struct editor *e, size_t at) {
    struct editor_row r = row_from(e, screen_editor_line_start(e, at));
    while (r.next <= at && goes_on(e, &r)) r = row_from(e, r.next);
    return r;
}

bool screen_editor_row_after(const struct editor *e, struct editor_row *r) {
    if (!goes_on(e, r)) return false;
    *r = row_from(e, r->next);
    return true;
}

bool screen_editor_row_before(const struct editor *e, struct editor_row *r) {
    if (r->from == 0) return false;
    *r = screen_editor_row_of(e, r->from - 1);
    return true;
}

int screen_editor_column(const struct editor *e, const struct editor_row *r, size_t at) {
    int cells = 0;
    for (size_t p = r->from, next; p < at && p < r->to; p = next) {
        next = screen_editor_next(e, p);
        cells += cells_of(e, p, next, cells);
    }
    return cells;
}

/* Behind the last character of a row that goes on there is no place: it would be the next row's
 * first. */
size_t screen_editor_place(const struct editor *e, const struct editor_row *r, int column) {
    size_t at = r->from;
    for (int cells = 0; at < r->to;) {
        size_t next = screen_editor_next(e, at);
        cells += cells_of(e, at, next, cells);
        if (cells > column) break;
        at = next;
    }
    if (at == r->to && r->next == r->to && goes_on(e, r) && at > r->from)
        return screen_editor_previous(e, at);
    return at;
}

/* ── which rows are in the window ──────────────────────────────────────────────────────────────*/
static size_t rows_up(const struct editor *e, size_t from, int rows) {
    struct editor_row r = screen_editor_row_of(e, from);
    while (rows-- > 0 && screen_editor_row_before(e, &r)) {
    }
    return r.from;
}

/* How many rows lie between two that begin there; `most` if there are more. */
static int rows_between(const struct editor *e, size_t from, size_t to, int most) {
    struct editor_row r = screen_editor_row_of(e, from);
    int rows = 0;
    while (rows < most && r.from < to && screen_editor_row_after(e, &r)) rows++;
    return rows;
}

/* The first byte in view of a line that moves sideways: if the cursor is too far right, it is in
 * the last column. */
static size_t first_in_view(const struct editor *e) {
    struct editor_row line = row_from(e, 0);
    int cells = screen_editor_column(e, &line, e->at);
    size_t from = 0;
    for (size_t next; cells >= e->columns; from = next) {
        next = screen_editor_next(e, from);
        cells -= cells_of(e, from, next, 0);
    }
    return from;
}

static void bring_into_view(struct editor *e) {
    if (moves_sideways(e)) {
        e->top = first_in_view(e);
        return;
    }
    size_t here = screen_editor_row_of(e, e->at).from;
    int margin = e->rows >= MARGIN_ROWS ? MARGIN : 0, last = e->rows - 1 - margin;
    e->top = screen_editor_row_of(e, e->top < e->text.length ? e->top : e->text.length).from;
    if (e->held) return;
    size_t highest = rows_up(e, here, margin);
    if (e->top > highest) e->top = highest;
    if (rows_between(e, e->top, here, last + 1) > last) e->top = rows_up(e, here, last);
}

/* The window may be smaller than it was: at the text's end it is as full as it can be. */
static void fill_window(struct editor *e) {
    size_t end = screen_editor_row_of(e, e->text.length).from;
    int below = rows_between(e, e->top, end, e->rows);
    if (below < e->rows - 1) e->top = rows_up(e, e->top, e->rows - 1 - below);
}

/* The first row of the window, as far as it is in view. */
static struct editor_row first_row(const struct editor *e) {
    struct editor_row r = screen_editor_row_of(e, e->top);
    if (moves_sideways(e)) r.from = e->top;
    return r;
}

int screen_editor_rows(struct editor *e, int columns, int most) {
    e->columns = columns;
    return 1 + rows_between(e, 0, screen_editor_row_of(e, e->text.length).from, most - 1);
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
/* Headings stand out, as Markdown means them to. */
static unsigned role_of(const struct editor *e, const struct editor_row *r) {
    if (e->most) return PAGE_INPUT;
    return screen_editor_text(e)[screen_editor_line_start(e, r->from)] == '#' ? PAGE_TITLE
                                                                              : PAGE_PLAIN;
}

static void draw_row(const struct editor *e, struct page *p, int row, int column,
                     const struct editor_row *r) {
    unsigned role = role_of(e, r);
    int end = column + e->columns;
    for (size_t at = r->from, next; at < r->to; at = next) {
        char one[64];
        next = screen_editor_next(e, at);
        int cells = cells_of(e, at, next, column - (end - e->columns));
        if (column + cells > end) break;
        snprintf(one, sizeof one, "%.*s", (int)(next - at), e->text.s + at);
        unsigned how = at >= e->mark && at - e->mark < e->marked ? PAGE_REVERSE : 0;
        if (*one != '\t') page_put(p, row, column, role, how, one);
        column += cells;
    }
}

static void fill(const struct editor *e, struct page *p, int row, int column) {
    for (int r = 0; r < e->rows; r++)
        for (int c = 0; c < e->columns; c++) page_put(p, row + r, column + c, PAGE_INPUT, 0, " ");
}

struct editor_spot screen_editor_draw(struct editor *e, struct page *p, int row, int column,
                                      int columns, int rows, editor_margin *margin, void *to) {
    struct editor_spot spot = {-1, -1, false, false};
    assert(e->at <= e->text.length);
    e->columns = columns;
    e->rows = rows;
    e->ascii = page_ascii(p);
    bring_into_view(e);
    fill_window(e);
    if (e->most) fill(e, p, row, column);
    struct editor_row r = first_row(e);
    struct editor_row here = moves_sideways(e) ? r : screen_editor_row_of(e, e->at);
    int line = margin ? screen_editor_line_of(e, r.from) : 0, i = 0;
    bool more = true, begins = screen_editor_line_start(e, r.from) == r.from;
    for (; i < rows && more; i++) {
        draw_row(e, p, row + i, column, &r);
        if (margin) margin(to, row + i, begins ? line : 0);
        if (r.from == here.from) spot.row = row + i;
        begins = r.next > r.to;
        line += begins;
        more = screen_editor_row_after(e, &r);
    }
    if (spot.row >= 0) spot.column = column + screen_editor_column(e, &here, e->at);
    spot.above = e->top > 0;
    spot.below = more;
    return spot;
}

/* ── the mouse ─────────────────────────────────────────────────────────────────────────────────*/
void screen_editor_point(struct editor *e, int row, int column) {
    struct editor_row r = first_row(e);
    while (row-- > 0 && screen_editor_row_after(e, &r)) {
    }
    screen_editor_go(e, screen_editor_place(e, &r, column));
}

void screen_editor_scroll(struct editor *e, int by) {
    struct editor_row r = screen_editor_row_of(e, e->top);
    for (; by < 0 && screen_editor_row_before(e, &r); by++) {
    }
    for (; by > 0 && screen_editor_row_after(e, &r); by--) {
    }
    e->top = r.from;
    e->held = true;
}
