/* speed: the speed challenge. speed.c has its states and keys, speed_draw.c draws. Private to the
 * module. */
#ifndef SCREEN_SPEED_H
#define SCREEN_SPEED_H

#include "screen/editor.h"
#include "screen/list.h"
#include "screen/view.h"

enum speed_at {
    /* the choices before a round */
    SPEED_CHOOSING,
    /* a question is open, and its clock runs */
    SPEED_ASKING,
    SPEED_PAUSED,
    /* how the round went */
    SPEED_OVER,
    /* what was missed: a question, and its solution */
    SPEED_AGAIN,
    SPEED_TOLD
};
enum { SPEED_ROWS = 3, SPEED_FIELD = 400 /* a click's target */ };

struct speed {
    struct view view;
    enum speed_at at;
    struct lesson_speed_options options;
    struct list list;
    /* where ◂ is, which a click presses */
    int back;
    struct session_speed *round;
    /* of rounds like this one, before it */
    struct session_speed_past past;
    struct editor field;
    /* where it was last drawn */
    int field_row, field_column;
    /* rows of the page that are above the window, and at most */
    int scrolled, last;
    /* when it was drawn last: the clock stops while another view is on top */
    int64_t seen;
};

void screen_speed_draw(struct view *v, struct frame *f);

#endif
