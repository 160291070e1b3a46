/* watch: a class as its teacher sees it, read again each second. */
#include "screen/watch.h"
#include "screen/editor.h"
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>

enum { SECOND = 1000, FIXED_ROWS = 13, LEAST_MISTAKES = 3 };
enum { HELPS = VIEW_OWN, SLIPS, IDLE, OPENED, WRITES }; /* what may hold of it */

struct watch {
    struct view view;
    struct session_watch *watch;
    struct list list;
    bool names;
    size_t mistakes;
    /* base_ticks() at which it is read again */
    int64_t due;
    /* the first row shown of what was opened; -1: the room is shown */
    int opened;
    struct session_slip slip;
    struct classroom_slip of;
    /* what is being written, and to which seat; -1: to all */
    bool writes;
    int to;
    struct editor field;
};

static struct watch *watch_of(const struct view *v) {
    return (struct watch *)v;
}

static struct watch_drawing drawing_of(const struct watch *w) {
    return (struct watch_drawing){
        .watch = w->watch, .names = w->names, .at = w->list.at, .mistakes = w->mistakes};
}

static void count_things(struct watch *w) {
    struct watch_drawing d = drawing_of(w);
    w->list.count = screen_watch_things(&d);
    if (w->list.at >= w->list.count) w->list.at = w->list.count ? w->list.count - 1 : 0;
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
static void draw_field(struct watch *w, struct frame *f) {
    int row = f->all_rows - 2;
    char *name =
        w->to < 0 ? base_dup("all") : session_watch_name(w->watch, (size_t)w->to, w->names);
    char *head = base_format("to %s: ", name);
    for (int c = 0; c < f->width; c++) page_put(f->page, row, f->left + c, PAGE_PLAIN, 0, " ");
    int column = screen_frame_put(f, row, 1, PAGE_TITLE, 0, head);
    struct editor_spot at = screen_editor_draw(&w->field, f->page, row, f->left + column,
                                               f->width - column - 1, 1, NULL, NULL);
    screen_frame_cursor(f, at.row, at.column - f->left);
    free(head);
    free(name);
}

static void draw_room(struct watch *w, struct frame *f, struct page *p) {
    int rows = f->rows - FIXED_ROWS - (int)session_watch_overview(w->watch)->hands;
    w->mistakes = rows > LEAST_MISTAKES ? (size_t)rows : LEAST_MISTAKES;
    count_things(w);
    struct watch_drawing d = drawing_of(w);
    d.row = base_alloc((w->list.count + 1) * sizeof *d.row);
    screen_watch_room(p, &d);
    screen_list_show(&w->list, f, p, d.row, f->top, f->rows);
    free(d.row);
}

static void watch_draw(struct view *v, struct frame *f) {
    struct watch *w = watch_of(v);
    struct watch_drawing d = drawing_of(w);
    struct page *p = page_new(f->width, v->app->look.ascii);
    char *clock = screen_watch_clock(&d), *count = screen_watch_count(&d);
    screen_frame_title(f, w->opened < 0 ? clock : w->slip.title, count);
    if (w->opened < 0) {
        draw_room(w, f, p);
    } else {
        screen_watch_slip(p, &w->slip, &w->of);
        screen_list_keep_in_view(&w->opened, page_height(p), f->rows, w->opened,
                                 w->opened + f->rows);
        screen_frame_window(f, p, w->opened, f->rows, f->top, f->left);
        screen_frame_more(f, w->opened > 0, w->opened + f->rows < page_height(p));
    }
    if (w->writes) draw_field(w, f);
    free(count);
    free(clock);
    page_free(p);
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
static unsigned begin_writing(struct watch *w, int to) {
    w->writes = true;
    w->to = to;
    screen_editor_free(&w->field);
    screen_editor_field(&w->field, CLASSROOM_TITLE - 1, NULL);
    return VIEW_REDRAW;
}

static unsigned write_all(struct view *v, const struct key *k) {
    (void)k;
    return begin_writing(watch_of(v), -1);
}

static unsigned write_one(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    (void)k;
    return begin_writing(w, (int)session_watch_overview(w->watch)->hand[w->list.at].seat);
}

static unsigned send(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    struct base_message m = {0};
    (void)k;
    w->writes = !session_watch_nudge(w->watch, w->to, screen_editor_text(&w->field), &m);
    if (w->writes) screen_app_notice(v->app, base_dup(m.what));
    return VIEW_REDRAW;
}

static unsigned stop_writing(struct view *v, const struct key *k) {
    (void)k;
    watch_of(v)->writes = false;
    return VIEW_REDRAW;
}

static unsigned open_slip(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    const struct classroom_overview *o = session_watch_overview(w->watch);
    (void)k;
    w->of = o->slip[w->list.at - o->hands];
    session_watch_slip(w->watch, &w->of, &w->slip);
    w->opened = 0;
    return VIEW_REDRAW;
}

static unsigned close_slip(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    (void)k;
    session_slip_free(&w->slip);
    w->opened = -1;
    return VIEW_REDRAW;
}

static unsigned hide_names(struct view *v, const struct key *k) {
    (void)k;
    watch_of(v)->names = !watch_of(v)->names;
    return VIEW_REDRAW;
}

static unsigned watch_key(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    if (w->writes) return screen_editor_key(&w->field, k) ? VIEW_REDRAW : VIEW_IGNORED;
    if (w->opened < 0) return screen_list_key(&w->list, k) ? VIEW_REDRAW : VIEW_IGNORED;
    bool up = k->code == PRESS_UP || k->code == 'k' || k->code == PRESS_WHEEL_UP;
    bool down = k->code == PRESS_DOWN || k->code == 'j' || k->code == PRESS_WHEEL_DOWN;
    w->opened += down - up;
    return up || down ? VIEW_REDRAW : VIEW_IGNORED;
}

static void watch_state(const struct view *v, struct view_states *s) {
    const struct watch *w = watch_of(v);
    size_t hands = session_watch_overview(w->watch)->hands;
    bool idle = !w->writes && w->opened < 0, any = idle && w->list.at < w->list.count;
    s->is[VIEW_TYPING] = s->is[WRITES] = w->writes;
    s->is[VIEW_READING] = !w->writes;
    s->is[OPENED] = !w->writes && w->opened >= 0;
    s->is[IDLE] = idle;
    s->is[HELPS] = any && w->list.at < hands;
    s->is[SLIPS] = any && w->list.at >= hands;
}

/* clang-format off */
static const struct action ACTIONS[] = {
    {"send",  "Enter",       WRITES,       send,                "Send this line to status bars"},
    {"back",  "Esc",         WRITES,       stop_writing,        "Go back without saying it"},
    {"back",  "Enter Esc q", OPENED,       close_slip,          "Go back to the room"},
    {"write", "Enter",       HELPS,        write_one,           "Write a line to this learner"},
    {"open",  "Enter",       SLIPS,        open_slip,           "What to say about this mistake"},
    {"to all", "A F11",       VIEW_READING, write_all,           "Write a line to all learners"},
    {"names", "n",           VIEW_READING, hide_names,          "Hide names, or show them"},
    {NULL,    "Up k Down j", VIEW_READING, NULL,                "Move from line to line"},
    {"quit",  "Esc q",       IDLE,         screen_action_leave, "Leave; the class goes on"},
};
/* clang-format on */

/* ── time ──────────────────────────────────────────────────────────────────────────────────────*/
static int watch_pace(const struct view *v) {
    int64_t left = watch_of(v)->due - base_ticks();
    return left < 0 ? 0 : left > SECOND ? SECOND : (int)left;
}

static unsigned watch_tick(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    struct base_message m = {0};
    (void)k;
    w->due = base_ticks() + SECOND;
    if (!session_watch_look(w->watch, &m)) {
        char text[700];
        screen_app_notice(v->app, base_dup(base_message_text(&m, text, sizeof text)));
    }
    count_things(w);
    return VIEW_REDRAW;
}

static void watch_close(struct view *v) {
    struct watch *w = watch_of(v);
    session_slip_free(&w->slip);
    screen_editor_free(&w->field);
    session_watch_close(w->watch);
    free(w);
}

static enum frame_layout watch_layout(const struct view *v) {
    (void)v;
    return FRAME_GROWS;
}

static const struct view_operations WATCH = {
    .name = "Your class",
    .about = "Who wants help, what the room gets wrong, where it is, and the labs, read from the "
             "class's folder each second. Somebody is quiet after six minutes without an answer or "
             "a new step. Mistakes are counted once for each learner, as the learners' programs "
             "judged them: `zerotutor class grade` judges again.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .layout = watch_layout,
    .state = watch_state,
    .draw = watch_draw,
    .key = watch_key,
    .tick = watch_tick,
    .pace = watch_pace,
    .close = watch_close,
};

struct view *screen_view_watch(struct app *app, const struct view_request *r,
                               struct base_message *m) {
    struct session_watch *watch = session_watch_open(r->name, m);
    if (!watch) return NULL;
    struct watch *w = base_alloc(sizeof *w);
    w->view = (struct view){&WATCH, app};
    w->watch = watch;
    w->list.tall = 1;
    w->names = true;
    w->opened = -1;
    w->mistakes = LEAST_MISTAKES;
    w->due = base_ticks() + SECOND;
    screen_editor_field(&w->field, CLASSROOM_TITLE - 1, NULL);
    count_things(w);
    return &w->view;
}
