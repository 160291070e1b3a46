/* editor_rows: a line that is too long goes on in the next row, from a word's beginning where it can. */
#include "screen/editor.h"

#include <stdlib.h>

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

int screen_editor_cells(const struct editor *e, size_t at, size_t next, int column) {
    const char *s = e->text.s + at;
    if (*s == '\t') return TAB - column % TAB;
    if (next == at + 1 && (unsigned char)*s >= ' ' && (unsigned char)*s < 0x7f) return 1;
    return wide_cells(e, s, next - at);
}

static int room_of(const struct editor *e) {
    return e->columns > 2 ? e->columns - 1 : 2;
}

/* The row that begins at a place. A blank that does not fit hangs over, so that no row begins with one; save the text's last, behind which
 * the cursor may stand. */
static struct editor_row row_from(const struct editor *e, size_t from) {
    size_t at = from, word = from;
    int cells = 0, capacity = room_of(e);
    while (at < e->text.length) {
        size_t next = screen_editor_next(e, at);
        char c = e->text.s[at];
        if (c == '\n') return (struct editor_row){from, at, next};
        cells += screen_editor_cells(e, at, next, cells);
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

/* Whether the text goes on after a row; an end of line at the text's end is followed by an empty row. */
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
        cells += screen_editor_cells(e, p, next, cells);
    }
    return cells;
}

/* Behind the last character of a row that goes on there is no place: it would be the next row's first. */
size_t screen_editor_place(const struct editor *e, const struct editor_row *r, int column) {
    size_t at = r->from;
    for (int cells = 0; at < r->to;) {
        size_t next = screen_editor_next(e, at);
        cells += screen_editor_cells(e, at, next, cells);
        if (cells > column) break;
        at = next;
    }
    if (at == r->to && r->next == r->to && goes_on(e, r) && at > r->from)
        return screen_editor_previous(e, at);
    return at;
}
