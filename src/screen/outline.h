/* outline: the steps of the lesson that is open, with what became of each, for the second pane.
 * Private to the module. */
#ifndef SCREEN_OUTLINE_H
#define SCREEN_OUTLINE_H

#include "screen/frame.h"
#include "session/session.h"

/* A click on step i has target OUTLINE_TARGET + i, above those of any answer or play. One on a sign
 * that there are more steps above or below has a target before that. */
enum { OUTLINE_UP = 99998, OUTLINE_DOWN, OUTLINE_TARGET };
struct outline_step {
    char *id, *title;
    enum lesson_came came;
    bool asks, opened;
};
struct outline {
    struct outline_step *step;
    size_t count;
    /* the step that is open if it is none of them, such as one that only reviews ask, and how many
     * of them come before it; else NULL */
    char *aside;
    size_t before;
    /* up to where the learner has come, which a visit to another step leaves as it was: so many of
     * them were passed */
    size_t reached;
};
/* What the signs of its steps mean, for the help. */
extern const char *const screen_outline_signs;
/* Reads it from the record; the titles are the lesson's. */
void screen_outline_read(struct outline *o, struct store *s, const struct session *session);
/* The same of a lesson of the course that is not open: none of a review or a check. */
void screen_outline_of(struct outline *o, struct learner *who, size_t lesson);
void screen_outline_free(struct outline *o);
/* The place of the step with this id; of one that is not listed, the place of the step after it.
 * *listed says whether it is one of them. The outline's count if it is not known. */
size_t screen_outline_find(const struct outline *o, const char *id, bool *listed);
/* The learner has come up to this step (NULL: through all of them); to none if it is not known. */
void screen_outline_reach(struct outline *o, const char *id);
/* Adds at most `rows` rows of it to a page, around the step with the id `here`, which is marked,
 * one step a row, `by` rows further on: as far as that goes, which *by says then. Signs at the
 * right tell of steps above and below. If `here` is NULL, all of them were passed. Returns the
 * first step that is shown; the outline's count if none is. */
size_t screen_outline_draw(const struct outline *o, struct page *p, int rows, const char *here,
                           int *by);
/* Where the mouse finds its steps, from `first` on, in `rows` rows of the frame from `row` on, and
 * `width` cells of the main column's from `column` on. */
void screen_outline_zones(const struct outline *o, struct frame *f, size_t first, int row, int rows,
                          int column, int width);

#endif
