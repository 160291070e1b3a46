/* list: a cursor over things that lie on rows of a page, of which a window is shown. Private to the
 * module. */
#ifndef SCREEN_LIST_H
#define SCREEN_LIST_H

#include "screen/frame.h"

struct list {
    size_t at, count;
    /* rows that a thing takes, if the next one leaves it so many, for clicks and for keeping it in
     * view */
    int tall;
    /* The row where each thing begins, its heading included: the window begins with a whole one.
     * NULL: the window begins with any row. The owner's, who sets it before each show. */
    const int *begins;
    /* first row shown */
    int top;
    /* the cursor is where it is by a click: then the rows stay where they are, for a second one */
    bool pointed;
};
/* Arrows, j and k, Home, End, page keys, wheel and clicks. False if the key was none of these. */
bool screen_list_key(struct list *l, const struct key *k);
/* The same where one types: without j, k, Home and End. */
bool screen_list_key_typing(struct list *l, const struct key *k);
/* Whether it is a click on the thing under the cursor, which chooses it as Enter does. */
bool screen_list_chosen(const struct list *l, const struct key *k);
/* Shows `p` in [row, row + rows) with the cursor's thing in view; `first` tells the row of each
 * thing. Sets zones and the cursor. */
void screen_list_show(struct list *l, struct frame *f, const struct page *p, const int *first,
                      int row, int rows);
/* Moves *top so that rows [from, to) of `height` show in a window of `rows`. */
void screen_list_keep_in_view(int *top, int height, int rows, int from, int to);
/* Scrolls a page of `height` rows, of which `capacity` are shown, by the keys of VIEW_SCROLLS and
 * the wheel. False if the key is none of them. The drawing keeps `top` on the page. */
bool screen_scroll_key(const struct key *k, int *top, int capacity, int height);

#endif
