/* lesson_review: keys of reviews: a card that was known or not, taking back, and leaving out. */
#include "screen/lesson.h"

static unsigned answer(struct view *v, size_t option) {
    struct lesson *l = (struct lesson *)v;
    l->input.at = option;
    return screen_lesson_do(
        l, (struct lesson_action){.kind = LESSON_DO_ANSWER, .text = option ? "2" : "1"});
}

unsigned screen_lesson_knew(struct view *v, const struct key *k) {
    (void)k;
    return answer(v, 0);
}

unsigned screen_lesson_did_not(struct view *v, const struct key *k) {
    (void)k;
    return answer(v, 1);
}

unsigned screen_lesson_undo(struct view *v, const struct key *k) {
    struct lesson *l = (struct lesson *)v;
    (void)k;
    if (session_undo(l->session)) screen_lesson_took(l);
    return VIEW_REDRAW;
}

unsigned screen_lesson_suspend(struct view *v, const struct key *k) {
    struct lesson *l = (struct lesson *)v;
    (void)k;
    if (!session_suspend(l->session)) return VIEW_REDRAW;
    screen_lesson_took(l);
    screen_app_notice(v->app,
                      base_format("Suspended. It will not be asked again. %s takes it back.",
                                  l->input.does->typing ? "F9" : "u"));
    return VIEW_REDRAW;
}
