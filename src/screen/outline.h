/* outline: the steps of the lesson that is open, with what became of each, for the second pane.
 * Private to the module. */
#ifndef SCREEN_OUTLINE_H
#define SCREEN_OUTLINE_H

#include "screen/frame.h"
#include "session/session.h"

/* A click on step i has target OUTLINE_TARGET + i, above those of any answer or play. */
enum { OUTLINE_TARGET = 100000 };
struct outline_step {
    char *id, *title;
    enum lesson_came came;
    bool graded;
};
struct outline {
    struct outline_step *step;
    size_t count;
};
/* Reads it from the record; the titles are the lesson's. */
void screen_outline_read(struct outline *o, struct store *s, const struct session *session);
void screen_outline_free(struct outline *o);
/* Adds at most `rows` rows of it to a page, around the step with the id `here`, which is marked; a
 * step a row. Without `results` it does not say what became of them. Returns the first step that is
 * shown; the outline's count if none is. */
size_t screen_outline_draw(const struct outline *o, struct page *p, int rows, const char *here,
                           bool results);

#endif
