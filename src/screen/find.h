/* find: words that are looked for in an editor's text while they are typed. Private to the module.
 * Freed by screen_find_free(). */
#ifndef SCREEN_FIND_H
#define SCREEN_FIND_H

#include "screen/editor.h"
#include "screen/frame.h"

struct find {
    struct editor words;
    /* what was looked for before; NULL: nothing was */
    char *last;
    /* it has a row, and the cursor */
    bool open;
    /* where the text's cursor was when it was opened */
    size_t from;
    /* the last step went over an end of the text */
    bool wrapped;
};

void screen_find_free(struct find *f);
/* Gives the cursor to an empty row of words. */
void screen_find_open(struct find *f, const struct editor *e);
/* Leaves the text's cursor where it is, and marks nothing any more. */
void screen_find_close(struct find *f, struct editor *e);
/* Typing goes to the first match behind the place where the search began; Enter, Down and ^F to the
 * next, Up to the one before, past the ends to the other end. Capitals matter if any are typed; a
 * blank is also an end of line. With nothing typed, Enter looks for the last words once more. True
 * if the key was one for it. */
bool screen_find_key(struct find *f, struct editor *e, const struct key *k);
/* Draws the row in the frame's body, and puts the cursor there. */
void screen_find_draw(struct find *f, const struct editor *e, struct frame *frame, int row);

#endif
