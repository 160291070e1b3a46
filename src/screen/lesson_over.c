/* lesson_over: where a lesson that is over leads: to the next one, and to what comes after the
 * course. */
#include "screen/lesson.h"

#include <string.h>

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

/* One key for each lesson that can be opened from a result, or step from a lesson's last page. */
static const char opens[] = "Open what you should look at again";
static const struct action LEAD_KEYS[] = {
    {"open it", "1", 0, NULL, opens},          {"open one", "1 2", 0, NULL, opens},
    {"open one", "1 2 3", 0, NULL, opens},     {"open one", "1 2 3 4", 0, NULL, opens},
    {"open one", "1 2 3 4 5", 0, NULL, opens}, {"open one", "1 2 3 4 5 6", 0, NULL, opens},
};

size_t screen_lesson_leads(const struct lesson *l) {
    const struct lesson_ask *ask = l->over ? NULL : lesson_asked(session_dialogue(l->session));
    size_t leads = l->over ? l->again : ask ? ask->leads : 0;
    return leads < BASE_COUNT(LEAD_KEYS) ? leads : BASE_COUNT(LEAD_KEYS);
}

/* The options of a play, the numbers of lines, or what a page leads to: no step has two. */
const struct action *screen_lesson_extra(const struct view *v, size_t *count) {
    const struct lesson *l = (const struct lesson *)v;
    size_t leads = screen_lesson_leads(l);
    *count = leads ? 1 : l->tuned;
    return leads ? &LEAD_KEYS[leads - 1] : l->tunes;
}

/* A dialogue that has ended takes no more actions: the lesson is opened again, at that step. */
unsigned screen_lesson_open_again(struct lesson *l, const char *step, bool alone) {
    const struct view_request r = {
        .kind = VIEW_LESSON, .name = l->from, .step = step, .alone = alone};
    unsigned opened = screen_app_open(l->view.app, &r);
    return opened & VIEW_OPEN ? opened | VIEW_AFRESH : opened;
}

/* Opened sources close before the lesson. From a step that is shown again, Esc leads back to the
 * lesson's end, where it was chosen. */
unsigned screen_lesson_leave(struct view *v, const struct key *k) {
    struct lesson *l = (struct lesson *)v;
    (void)k;
    if (screen_page_close_sources(screen_lesson_page(l))) {
        l->follow = true;
        return VIEW_REDRAW;
    }
    if (l->alone && !l->over) {
        screen_lesson_do(
            l, (struct lesson_action){.kind = LESSON_DO_GOTO, .text = screen_lesson_last(l)});
        return screen_lesson_do(l, (struct lesson_action){.kind = LESSON_DO_NEXT});
    }
    session_do(l->session, &(struct lesson_action){.kind = LESSON_DO_LEAVE});
    const struct lesson_event *e = session_event(l->session);
    if (e && e->kind == LESSON_END && e->text) screen_app_notice(v->app, base_dup(e->text));
    return VIEW_LEAVE;
}

/* A lesson at a step, from which Esc leads back; a step of this one, from which Enter does. */
static unsigned open_in(struct lesson *l, const char *lesson, const char *step) {
    if (strcmp(lesson, lesson_id(session_lesson(l->session))) == 0)
        return screen_lesson_do(l, (struct lesson_action){.kind = LESSON_DO_GOTO, .text = step});
    return screen_app_open(
        l->view.app, &(struct view_request){.kind = VIEW_LESSON, .name = lesson, .step = step});
}

unsigned screen_lesson_open_listed(struct lesson *l, const struct key *k) {
    const struct lesson_ask *ask = l->over ? NULL : lesson_asked(session_dialogue(l->session));
    size_t number = k->code >= '1' && k->code <= '9' ? k->code - '0' : 0;
    if (number == 0 || number > (ask ? ask->leads : l->again)) return VIEW_IGNORED;
    if (ask) return open_in(l, ask->lead[number - 1].lesson, ask->lead[number - 1].step);
    const char *step = l->again_at[number - 1], *lesson = l->again_in[number - 1];
    return lesson ? open_in(l, lesson, step) : screen_lesson_open_again(l, step, true);
}
