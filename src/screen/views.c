/* views: every view of the program, and how a request becomes one of them. */
#include "screen/view.h"

#include <assert.h>

static view_maker *const MAKERS[VIEW_KINDS] = {
    [VIEW_HOME] = screen_view_home,         [VIEW_LESSON] = screen_view_lesson,
    [VIEW_GATE] = screen_view_gate,         [VIEW_HELP] = screen_view_help,
    [VIEW_SEARCH] = screen_view_search,     [VIEW_SETTINGS] = screen_view_settings,
    [VIEW_LAB] = screen_view_lab,           [VIEW_RECORDING] = screen_view_recording,
    [VIEW_MEMO] = screen_view_memo,         [VIEW_LABS] = screen_view_labs,
    [VIEW_PROGRESS] = screen_view_progress, [VIEW_CERTIFICATE] = screen_view_certificate,
    [VIEW_SPEED] = screen_view_speed,       [VIEW_MAP] = screen_view_map,
    [VIEW_JOB] = screen_view_job,           [VIEW_SUSPENDED] = screen_view_suspended,
    [VIEW_ENTRY] = screen_view_entry,       [VIEW_NOTE] = screen_view_note,
    [VIEW_WATCH] = screen_view_watch,       [VIEW_VOTE] = screen_view_vote,
    [VIEW_PRESENT] = screen_view_present,
};

struct view *screen_view_make(struct app *app, const struct view_request *r,
                              struct base_message *m) {
    struct view *v = MAKERS[r->kind](app, r, m);
    assert(!v || (v->does->name && v->does->about && v->does->state && v->does->draw &&
                  v->does->close && v->app == app));
    return v;
}
