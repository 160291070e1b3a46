/* unseen: the program's views in a terminal that nobody sees, for tests that look at them from
 * inside. */
#ifndef UNSEEN_H
#define UNSEEN_H

#include "screen/view.h"

/* The one that unseen_open() opened. */
extern struct app app;
/* Opens it on the record of the place, in a terminal of that size with 256 colours. */
void unseen_open(int columns, int rows, bool motion);
/* Closes the views that are left on its stack, too. */
void unseen_close(void);
void unseen_draw(struct view *v);
/* Does what the key does in this view, and draws it. */
void unseen_press(struct view *v, uint32_t code);

#endif
