/* player: lets a play of the lesson go by. It knows when the next frame is due, and draws where one
 * stands; moving is the lesson's. Private to the module. */
#ifndef SCREEN_PLAYER_H
#define SCREEN_PLAYER_H

#include "screen/frame.h"
#include "screen/keys.h"
#include "lesson/lesson.h"

struct player {
    bool playing;
    /* the learner brought it to its frame, step by step */
    bool by_hand;
    /* it was drawn before, so it has begun */
    bool seen;
    /* 0 is the usual one; each step up halves the time of a frame */
    int speed;
    /* when the next frame comes, in base_ticks() */
    int64_t due;
    /* the track on the terminal, when last drawn, for so many frames in so many columns */
    int column, cells, frames, columns;
};
/* A play is drawn. The first time it begins automatically, after its opening; if nothing
 * may move, it stays at its frame. */
void screen_player_see(struct player *p, const struct lesson_ask *ask, bool motion);
/* Goes on from a frame that was just shown. */
void screen_player_show(struct player *p, const struct lesson_ask *ask);
/* Milliseconds until the next frame; -1 if none comes by itself. */
int screen_player_wait(const struct player *p, const struct lesson_ask *ask);
/* Plays from where it stands, from the start if it stands at the end; or pauses. Returns by how
 * many frames to move for that: 0 or back to the start. */
int screen_player_toggle(struct player *p, const struct lesson_ask *ask);
void screen_player_faster(struct player *p, int by, const struct lesson_ask *ask);
/* Names of the keys of a play's option, in every play alike: for the value before, and the next. */
const char *screen_player_keys(size_t option);
/* Rows of the body that what is asked takes, besides the line below it: it is long, and the window
 * narrow. */
int screen_player_takes(const struct lesson_ask *ask, const struct frame *f, int width);
/* The line that says where one stands, or what is asked there, in the first `width` cells of a row
 * of the frame. */
void screen_player_draw(struct player *p, const struct lesson_ask *ask, bool motion,
                        struct frame *f, int row, int width);
/* What a click on that line's track has for a target, and the frame that lies nearest to a column.
 */
enum { PLAYER_TARGET = 1000 };
long screen_player_frame_at(const struct player *p, int column);

#endif
