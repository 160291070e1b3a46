/* home: the course and where the learner stands in it. home.c reads the record and takes the keys,
 * home_draw.c draws. Private to the module. */
#ifndef SCREEN_HOME_H
#define SCREEN_HOME_H

#include "screen/list.h"
#include "screen/view.h"

enum {
    HOME_LESSONS = BASE_COUNT(((struct lesson_course *)0)->lesson),
    HOME_PHASES = BASE_COUNT(((struct lesson_course *)0)->phase_title)
};

struct home {
    struct view view;
    struct desk_progress progress[HOME_LESSONS];
    size_t existing[HOME_LESSONS]; /* what exists, in order: what the cursor moves over */
    size_t gate[HOME_PHASES]; /* the check that opens the phase; the course's count if it is open */
    struct list list;
    size_t next; /* in the course; its count if all are done */
    enum desk_placement placement;
    size_t place; /* the check that placement asks next */
};

void screen_home_draw(struct view *v, struct frame *f);

#endif
