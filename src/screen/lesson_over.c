/* lesson_over: where a lesson that is over leads: to the next one, and to what comes after the
 * course. */
#include "screen/lesson.h"

static unsigned open_instead(struct view *v, const char *name) {
    unsigned opened =
        screen_app_open(v->app, &(struct view_request){.kind = VIEW_LESSON, .name = name});
    return opened & VIEW_OPEN ? opened | VIEW_LEAVE : opened;
}

unsigned screen_lesson_open_next(struct view *v, const struct key *k) {
    (void)k;
    return open_instead(
        v, session_learner_course(v->app->learner)->lesson[((struct lesson *)v)->next].id);
}

unsigned screen_lesson_open_onwards(struct view *v, const struct key *k) {
    (void)k;
    return open_instead(v, LEARNER_ONWARDS);
}
