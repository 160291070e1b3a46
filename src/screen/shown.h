/* shown: the cells that are on the screen, to find the rows of a new frame that differ. Private to the room.
 * Freed by screen_shown_free(). */
#ifndef SCREEN_SHOWN_H
#define SCREEN_SHOWN_H

#include "screen/frame.h"

struct shown {
    struct page_cell *cell;
    int rows, columns;
};
/* Makes it the frame's size; in another size, or with `anew`, nothing is known of the screen. */
void screen_shown_fit(struct shown *s, const struct frame *f, bool anew);
/* Takes over a row of the frame; whether it is another than before. */
bool screen_shown_take(struct shown *s, const struct frame *f, int row);
void screen_shown_free(struct shown *s);

#endif
