/* progress: what the learner can do, the mistakes made most, and the time spent. */
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>

struct progress {
    struct view view;
    json_t *study;
    /* the first row shown, the rows there are, and those that fit */
    int top, height, capacity;
};

static struct progress *progress_of(const struct view *v) {
    return (struct progress *)v;
}

static void progress_draw(struct view *v, struct frame *f) {
    struct progress *g = progress_of(v);
    struct page *p = page_new(f->width, v->app->look.ascii);
    page_set_colours(p, v->app->look.colours);
    page_study(p, (struct page_flow){.indent = 1, .width = f->width - 2}, g->study);
    g->height = page_height(p);
    screen_frame_begin(f, screen_frame_lower(f, g->height));
    g->capacity = f->rows;
    screen_list_keep_in_view(&g->top, g->height, f->rows, g->top, g->top + f->rows);
    char *today = session_today_name(session_learner_rollover(g->view.app->learner));
    screen_frame_title(f, "Progress", today);
    free(today);
    screen_frame_window(f, p, g->top, f->rows, f->top, f->left);
    screen_frame_more(f, g->top > 0, g->top + f->rows < g->height);
    page_free(p);
}

static unsigned progress_key(struct view *v, const struct key *k) {
    struct progress *g = progress_of(v);
    return screen_scroll_key(k, &g->top, g->capacity, g->height) ? VIEW_REDRAW : VIEW_IGNORED;
}

static void progress_state(const struct view *v, struct view_states *s) {
    (void)v;
    s->is[VIEW_READING] = s->is[VIEW_SCROLLS] = true;
}

static unsigned progress_certificate(struct view *v, const struct key *k) {
    (void)k;
    return screen_app_open(v->app, &(struct view_request){.kind = VIEW_CERTIFICATE});
}

static const struct action ACTIONS[] = {
    {"certificate", "Enter", 0, progress_certificate,
     "See your certificate, or what it still needs"},
    {"back", "Esc q P", 0, screen_action_leave, "Go back"},
};

static enum frame_layout layout(const struct view *v) {
    (void)v;
    return FRAME_GROWS;
}

static void progress_close(struct view *v) {
    json_decref(progress_of(v)->study);
    free(v);
}

static const struct view_operations PROGRESS = {
    .name = "Progress",
    .about = "A skill is a stage, a quantity and a unit. Its percentage estimates how likely your "
             "next first try is right, and how likely it will be in 30 days without practice. Only "
             "your first try at a problem on a day counts, and newer tries count more, so a bad "
             "day can be outgrown. Home's percentage is another: how much you would recall of "
             "what a lesson asked. A mistake is outgrown after three first tries without it. "
             "Minutes are the time from a question to your answer.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .layout = layout,
    .state = progress_state,
    .draw = progress_draw,
    .key = progress_key,
    .close = progress_close,
};

struct view *screen_view_progress(struct app *app, const struct view_request *r,
                                  struct base_message *m) {
    (void)r, (void)m;
    struct progress *g = base_alloc(sizeof *g);
    g->view = (struct view){&PROGRESS, app};
    g->study = session_learner_study(app->learner);
    return &g->view;
}
