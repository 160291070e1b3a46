/* list: a cursor over things on a page, and a page that scrolls. */
#include "screen/list.h"

#include <assert.h>

/* The cursor is on a thing's first sign from that column on, where a screen reader looks. */
enum { PAGE = 8, CURSOR_COLUMN = 3 };

static bool move_by(struct list *l, int by) {
    long to = (long)l->at + by;
    if (to < 0) to = 0;
    if (to >= (long)l->count) to = (long)l->count - 1;
    l->at = to < 0 ? 0 : (size_t)to;
    return l->count > 0;
}

bool screen_list_chosen(const struct list *l, const struct key *k) {
    return k->code == PRESS_CLICK && k->target >= 0 && (size_t)k->target == l->at;
}

bool screen_list_key_typing(struct list *l, const struct key *k) {
    l->pointed = k->code == PRESS_CLICK;
    if (k->target == KEY_ASIDE) return false;
    switch (k->code) {
    case PRESS_UP:
    case PRESS_WHEEL_UP: return move_by(l, -1);
    case PRESS_DOWN:
    case PRESS_WHEEL_DOWN: return move_by(l, 1);
    case PRESS_PAGE_UP: return move_by(l, -PAGE);
    case PRESS_PAGE_DOWN: return move_by(l, PAGE);
    case PRESS_CLICK:
        if (k->target < 0 || (size_t)k->target >= l->count) return false;
        l->at = (size_t)k->target;
        return true;
    default: return false;
    }
}

bool screen_list_key(struct list *l, const struct key *k) {
    if (k->code == 'k') return move_by(l, -1);
    if (k->code == 'j') return move_by(l, 1);
    if (k->code == PRESS_HOME) return move_by(l, -(int)l->count);
    if (k->code == PRESS_END) return move_by(l, (int)l->count);
    return screen_list_key_typing(l, k);
}

bool screen_scroll_key(const struct key *k, int *top, int capacity, int height) {
    switch (k->code) {
    case PRESS_UP:
    case PRESS_WHEEL_UP:
    case 'k': --*top; return true;
    case PRESS_DOWN:
    case PRESS_WHEEL_DOWN:
    case 'j': ++*top; return true;
    case PRESS_PAGE_UP: *top -= capacity - 1; return true;
    case PRESS_PAGE_DOWN:
    case ' ': *top += capacity - 1; return true;
    case PRESS_HOME: *top = 0; return true;
    case PRESS_END: *top = height; return true;
    default: return false;
    }
}

void screen_list_keep_in_view(int *top, int height, int rows, int from, int to) {
    if (to > *top + rows) *top = to - rows;
    if (from < *top) *top = from;
    if (*top > height - rows) *top = height - rows;
    if (*top < 0) *top = 0;
}

/* The row behind thing `i`. */
static int end_of(const struct list *l, const int *first, size_t i) {
    int end = first[i] + l->tall;
    if (l->begins && i + 1 < l->count) return l->begins[i + 1];
    return i + 1 < l->count && first[i + 1] > first[i] && first[i + 1] < end ? first[i + 1] : end;
}

/* Leaves out of the window's top what began above it; `from` stays in view. */
static void begin_whole(struct list *l, int from) {
    size_t i = 0;
    while (i < l->at && l->begins[i] < l->top) i++;
    bool whole = l->begins[i] >= l->top && l->begins[i] < from;
    l->top = whole ? l->begins[i] : from;
}

void screen_list_show(struct list *l, struct frame *f, const struct page *p, const int *first,
                      int row, int rows) {
    assert(l->count == 0 || l->at < l->count);
    int height = page_height(p);
    /* At the first thing the heading above it is shown too, at the last all that follows. */
    int from = l->count == 0 || l->at == 0 ? 0 : l->begins ? l->begins[l->at] : first[l->at] - 1;
    int to = l->count == 0 ? 0 : l->at + 1 == l->count ? height : end_of(l, first, l->at);
    bool still = l->pointed && l->count > 0;
    if (still) to = end_of(l, first, l->at);
    if (still || (to - from > rows && l->begins)) from = first[l->at];
    if (to - from > rows) to = from + rows;
    screen_list_keep_in_view(&l->top, height, rows, from, to);
    if (l->begins && !still) begin_whole(l, from);
    screen_frame_window(f, p, l->top, rows, row, f->left);
    screen_frame_more(f, l->top > 0, l->top + rows < height);
    for (size_t i = 0; i < l->count; i++) {
        if (i > 0 && first[i] == first[i - 1]) continue; /* one row for several is the first's */
        for (int r = first[i]; r < end_of(l, first, i); r++)
            if (r >= l->top && r < l->top + rows)
                screen_frame_zone(f, row + r - l->top, 0, f->width, PRESS_NONE, (int)i);
    }
    if (!l->count) return;
    int column = CURSOR_COLUMN;
    while (column + 1 < page_width(p) && *page_cell(p, first[l->at], column)->text == ' ') column++;
    screen_frame_cursor(f, row + first[l->at] - l->top, column);
}
