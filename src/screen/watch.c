/* watch: a class as its teacher sees it, read again each second. */
#include "screen/watch.h"
#include "screen/editor.h"
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

enum { SECOND = 1000, FIXED_ROWS = 13, LEAST_MISTAKES = 3, MINUTES_MOST = 24 * 60 };
enum { ENOUGH_MISTAKES = 6, MOST_LABS = 6 };
/* what may hold of it */
enum { HELPS = VIEW_OWN, SLIPS, SEATS, OPENS, CLOSES, IDLE, ROOM, LIST, OPENED, WRITES };
enum writes { NOTHING, LINE, MINUTES };

struct watch {
    struct view view;
    struct session_watch *watch;
    /* the class's */
    char *folder;
    enum watch_part part;
    /* what is selected of each part */
    struct list lists[WATCH_PARTS];
    bool names;
    size_t mistakes;
    int longest, labs;
    /* base_ticks() at which it is read again */
    int64_t due;
    /* the first row shown of what was opened; -1: the room is shown */
    int opened;
    struct session_slip slip;
    struct classroom_slip of;
    /* what is being written, a line or minutes, and to which seat; -1: to all */
    enum writes writes;
    int to;
    struct editor field;
};

static struct watch *watch_of(const struct view *v) {
    return (struct watch *)v;
}

static struct list *list_of(struct watch *w) {
    return &w->lists[w->part];
}

static struct watch_drawing drawing_of(const struct watch *w) {
    return (struct watch_drawing){.watch = w->watch,
                                  .names = w->names,
                                  .at = w->lists[w->part].at,
                                  .mistakes = w->mistakes,
                                  .longest = w->longest,
                                  .labs = w->labs};
}

static void count_things(struct watch *w) {
    struct watch_drawing d = drawing_of(w);
    struct list *l = list_of(w);
    l->count = screen_watch_things(&d, w->part);
    if (l->at >= l->count) l->at = l->count ? l->count - 1 : 0;
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
static void draw_field(struct watch *w, struct frame *f) {
    int row = f->all_rows - 2;
    char *name =
        w->to < 0 ? base_dup("all") : session_watch_name(w->watch, (size_t)w->to, w->names);
    char *head = w->writes == LINE ? base_format("to %s: ", name)
                                   : base_format("minutes more for %s: ", name);
    for (int c = 0; c < f->width; c++) page_put(f->page, row, f->left + c, PAGE_PLAIN, 0, " ");
    int column = screen_frame_put(f, row, 1, PAGE_TITLE, 0, head);
    struct editor_spot at = screen_editor_draw(&w->field, f->page, row, f->left + column,
                                               f->width - column - 1, 1, NULL, NULL);
    screen_frame_cursor(f, at.row, at.column - f->left);
    free(head);
    free(name);
}

/* A large screen shows labs in line and those who are longest at their step, too. */
static void share_rows(struct watch *w, int rows) {
    const struct classroom_placed *place;
    const struct classroom_overview *o = session_watch_overview(w->watch);
    int labs = (int)session_watch_line(w->watch, &place), slips = (int)o->slips;
    w->labs = rows / 6 < labs ? rows / 6 : labs;
    if (w->labs > MOST_LABS) w->labs = MOST_LABS;
    rows -= w->labs;
    int mistakes = rows < 2 * ENOUGH_MISTAKES ? rows : rows / 2;
    if (mistakes > slips) mistakes = slips;
    w->mistakes = mistakes > LEAST_MISTAKES ? (size_t)mistakes : LEAST_MISTAKES;
}

static int room_height(struct watch *w, const struct frame *f) {
    struct page *p = page_new(f->width, w->view.app->look.ascii);
    struct watch_drawing d = drawing_of(w);
    screen_watch_part(p, &d, w->part);
    int height = page_height(p);
    page_free(p);
    return height;
}

/* Mistakes that wrap take the rows of others; those who are longest at their step have the rows
 * that all else leaves. */
static void measure_room(struct watch *w, const struct frame *f) {
    w->longest = 0;
    while (w->mistakes > LEAST_MISTAKES && room_height(w, f) > f->rows) w->mistakes--;
    w->longest = f->rows - room_height(w, f);
}

static void draw_part(struct watch *w, struct frame *f, struct page *p) {
    share_rows(w, f->rows - FIXED_ROWS - (int)session_watch_overview(w->watch)->hands);
    measure_room(w, f);
    count_things(w);
    struct watch_drawing d = drawing_of(w);
    d.row = base_alloc((list_of(w)->count + 1) * sizeof *d.row);
    screen_watch_part(p, &d, w->part);
    screen_list_show(list_of(w), f, p, d.row, f->top, f->rows);
    free(d.row);
}

static void watch_draw(struct view *v, struct frame *f) {
    struct watch *w = watch_of(v);
    struct watch_drawing d = drawing_of(w);
    struct page *p = page_new(f->width, v->app->look.ascii);
    char *clock = screen_watch_clock(&d), *count = screen_watch_count(&d);
    screen_frame_title(f, w->opened < 0 ? clock : w->slip.title, count);
    if (w->opened < 0) {
        draw_part(w, f, p);
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
static unsigned begin_writing(struct watch *w, enum writes what, int to) {
    w->writes = what;
    w->to = to;
    screen_editor_free(&w->field);
    screen_editor_field(&w->field, CLASSROOM_TITLE - 1, NULL);
    return VIEW_REDRAW;
}

/* The seat that is selected. */
static int seat_of(const struct watch *w) {
    size_t at = w->lists[w->part].at;
    return (int)(w->part == WATCH_ROOM ? session_watch_overview(w->watch)->hand[at].seat : at);
}

static unsigned write_all(struct view *v, const struct key *k) {
    (void)k;
    return begin_writing(watch_of(v), LINE, -1);
}

static unsigned write_one(struct view *v, const struct key *k) {
    (void)k;
    return begin_writing(watch_of(v), LINE, seat_of(watch_of(v)));
}

static unsigned write_minutes(struct view *v, const struct key *k) {
    (void)k;
    return begin_writing(watch_of(v), MINUTES, seat_of(watch_of(v)));
}

/* Shows what there is to say, or why it cannot be. */
static void tell(struct watch *w, bool done, char *text, const struct base_message *m) {
    char why[700];
    if (!done) {
        free(text);
        text = base_dup(base_message_text(m, why, sizeof why));
    }
    if (text) screen_app_notice(w->view.app, text);
}

static bool extend(struct watch *w, struct base_message *m) {
    char *end;
    long minutes = strtol(screen_editor_text(&w->field), &end, 10);
    if (*end || minutes < -MINUTES_MOST || minutes > MINUTES_MOST || minutes == 0)
        return base_fail(m, "Type minutes, such as 10. -10 takes them back.");
    int total = session_watch_extend(w->watch, (size_t)w->to, (int)minutes, m);
    if (total < 0) return false;
    char *name = session_watch_name(w->watch, (size_t)w->to, w->names);
    screen_app_notice(w->view.app, base_format("%s has %d minute%s more than the others, for all "
                                               "deadlines and the end of the class.",
                                               name, total, total == 1 ? "" : "s"));
    free(name);
    return true;
}

static unsigned send(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    struct base_message m = {0};
    (void)k;
    bool sent = w->writes == LINE
                    ? session_watch_nudge(w->watch, w->to, screen_editor_text(&w->field), &m)
                    : extend(w, &m);
    tell(w, sent, NULL, &m);
    if (sent) w->writes = NOTHING;
    w->due = base_ticks();
    return VIEW_REDRAW;
}

static unsigned stop_writing(struct view *v, const struct key *k) {
    (void)k;
    watch_of(v)->writes = NOTHING;
    return VIEW_REDRAW;
}

static unsigned open_slip(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    const struct classroom_overview *o = session_watch_overview(w->watch);
    (void)k;
    w->of = o->slip[list_of(w)->at - o->hands];
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

/* Begun, and ended. */
static unsigned ask_exit(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    struct base_message m = {0};
    bool asked = *session_watch_board(w->watch)->exit.id,
         done = asked ? session_watch_end_exit(w->watch, &m) : session_watch_ask_exit(w->watch, &m);
    size_t n = session_watch_board(w->watch)->exit.items;
    (void)k;
    tell(w, done,
         asked ? base_dup("The exit questions have ended.")
               : base_format("Learners are asked %zu exit question%s, which most of them missed. X "
                             "ends them; `present` shows how many are right.",
                             n, n == 1 ? "" : "s"),
         &m);
    return VIEW_REDRAW;
}

/* ── the parts ─────────────────────────────────────────────────────────────────────────────────*/
static unsigned show_part(struct watch *w, enum watch_part part) {
    w->part = part;
    count_things(w);
    return VIEW_REDRAW;
}

static unsigned next_part(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    int by = k->code == PRESS_BACKTAB ? WATCH_PARTS - 1 : 1;
    return show_part(w, (enum watch_part)(((int)w->part + by) % WATCH_PARTS));
}

static unsigned show_labs(struct view *v, const struct key *k) {
    (void)k;
    return show_part(watch_of(v), WATCH_LABS);
}

static unsigned show_speed(struct view *v, const struct key *k) {
    (void)k;
    return show_part(watch_of(v), WATCH_SPEED);
}

static unsigned show_room(struct view *v, const struct key *k) {
    (void)k;
    return show_part(watch_of(v), WATCH_ROOM);
}

/* The cursor is on the step with most learners. */
static unsigned show_steps(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    const struct classroom_overview *o = session_watch_overview(w->watch);
    size_t most = 0;
    (void)k;
    for (size_t i = 0; i < CLASSROOM_STEPS; i++)
        if (o->at[i] > o->at[most]) most = i;
    w->lists[WATCH_STEPS].at = most;
    return show_part(w, WATCH_STEPS);
}

static bool is_open(const struct watch *w) {
    struct watch_drawing d = drawing_of(w);
    const struct classroom_board *b = session_watch_board(w->watch);
    const char *lesson = screen_watch_lesson(&d);
    return *b->lesson && strcmp(b->lesson, lesson) == 0 &&
           strcmp(b->step, session_watch_step(w->watch, lesson, d.at).id) == 0;
}

static unsigned open_step(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    struct watch_drawing d = drawing_of(w);
    struct base_message m = {0};
    bool was = is_open(w);
    const char *lesson = screen_watch_lesson(&d);
    struct session_watch_step s = session_watch_step(w->watch, lesson, d.at);
    const struct classroom_overview *o = session_watch_overview(w->watch);
    (void)k;
    if (!was && o->over) {
        screen_app_notice(v->app, base_dup("The class is over, so no step can be opened."));
        return VIEW_REDRAW;
    }
    char *title = *s.title ? base_dup(s.title) : base_words(s.id);
    bool done = session_watch_open_step(w->watch, was ? NULL : lesson, s.id, &m);
    tell(w, done,
         was ? base_dup("The step is no longer open for all.")
             : base_format("%s told that %s \"%s\" is open, and which key goes there.",
                           o->here ? "Learners are" : "Learners who come later are", lesson, title),
         &m);
    free(title);
    return VIEW_REDRAW;
}

/* A click on what is selected is Enter. */
static unsigned list_key(struct watch *w, const struct key *k) {
    bool again = screen_list_chosen(list_of(w), k);
    const struct key enter = {.code = PRESS_ENTER};
    const struct action *a = again ? screen_actions_find(&w->view, &enter) : NULL;
    if (a && a->act) return a->act(&w->view, &enter);
    return screen_list_key(list_of(w), k) ? VIEW_REDRAW : VIEW_IGNORED;
}

static unsigned watch_key(struct view *v, const struct key *k) {
    struct watch *w = watch_of(v);
    if (w->writes) return screen_editor_key(&w->field, k) ? VIEW_REDRAW : VIEW_IGNORED;
    if (w->opened < 0) return list_key(w, k);
    bool up = k->code == PRESS_UP || k->code == 'k' || k->code == PRESS_WHEEL_UP;
    bool down = k->code == PRESS_DOWN || k->code == 'j' || k->code == PRESS_WHEEL_DOWN;
    w->opened += down - up;
    return up || down ? VIEW_REDRAW : VIEW_IGNORED;
}

static void watch_state(const struct view *v, struct view_states *s) {
    const struct watch *w = watch_of(v);
    size_t hands = session_watch_overview(w->watch)->hands;
    const struct list *l = &w->lists[w->part];
    bool idle = !w->writes && w->opened < 0, any = idle && l->at < l->count,
         room = w->part == WATCH_ROOM, step = any && w->part == WATCH_STEPS;
    s->is[VIEW_TYPING] = s->is[WRITES] = w->writes != NOTHING;
    s->is[VIEW_READING] = !w->writes;
    s->is[OPENED] = !w->writes && w->opened >= 0;
    s->is[IDLE] = idle;
    s->is[VIEW_LISTS] = idle && l->count > 0;
    s->is[room ? ROOM : LIST] = idle;
    s->is[HELPS] = any && room && l->at < hands;
    s->is[SEATS] = any && w->part == WATCH_LEARNERS;
    s->is[SLIPS] = any && room && l->at >= hands;
    if (step) s->is[is_open(w) ? CLOSES : OPENS] = true;
}

/* The lesson where most learners are, else that of the plan's clock. */
static const char *lesson_now(const struct watch *w) {
    const struct watch_drawing d = drawing_of(w);
    const struct classroom_settings *s = session_watch_sight(w->watch)->settings;
    const struct classroom_overview *o = session_watch_overview(w->watch);
    if (strcmp(o->lesson, LEARNER_EXIT) != 0) return screen_watch_lesson(&d);
    for (size_t i = 0; i < s->lessons; i++)
        if (o->part[i] == CLASSROOM_PART_NOW) return s->lesson[i].id;
    return s->lessons ? s->lesson[0].id : "";
}

/* As `present` shows it. */
static unsigned project(struct view *v, const struct key *k) {
    const struct watch *w = watch_of(v);
    (void)k;
    return screen_app_open(
        v->app,
        &(struct view_request){.kind = VIEW_PRESENT, .name = lesson_now(w), .folder = w->folder});
}

/* clang-format off */
static const struct action ACTIONS[] = {
    {"send",  "Enter",       WRITES,       send,                "Send this"},
    {"back",  "Esc",         WRITES,       stop_writing,        "Go back without sending it"},
    {"back",  "Enter Esc q", OPENED,       close_slip,          "Go back to the room"},
    {"nudge", "Enter",       HELPS,        write_one,           "Write a line to this learner"},
    {"nudge", "Enter",       SEATS,        write_one,           "Write a line to this learner"},
    {"open",  "Enter",       SLIPS,        open_slip,           "What to say about this mistake"},
    {"open",  "Enter",       OPENS,        open_step,           "Open this step for all"},
    {"take back", "Enter",   CLOSES,       open_step,           "No longer open this step for all"},
    {"extra time", "E",      HELPS,        write_minutes,       "Give this learner more minutes"},
    {"extra time", "E",      SEATS,        write_minutes,       "Give this learner more minutes"},
    {"to all", "N",          VIEW_READING, write_all,           "Write a line to all learners"},
    {"vote",  "v",           IDLE,         project,             "The lesson at the front: to vote"},
    {"panel", "Tab S-Tab",   IDLE,         next_part,           "The next part of this screen"},
    {"names", "h",           VIEW_READING, hide_names,          "Hide names, or show them"},
    {"open step", "G",       IDLE,         show_steps,          "The steps, to open one for all"},
    {"labs",  "l",           IDLE,         show_labs,           "The labs that run and wait"},
    {"speed", "s",           IDLE,         show_speed,          "The speed table, by nickname"},
    {"exit questions", "X",  IDLE,         ask_exit,            "Exit questions: ask, or end"},
    {NULL,    "Up k Down j", OPENED,       NULL,                "The mistake before, or after"},
    {"back",  "Esc q",       LIST,         show_room,           "Go back to the room"},
    {"quit",  "Esc q",       ROOM,         screen_action_leave, "Leave; the class continues"},
};
/* clang-format on */

/* ── time ──────────────────────────────────────────────────────────────────────────────────────*/
static int watch_pace(const struct view *v) {
    int64_t left = watch_of(v)->due - base_ticks();
    return v->app->still ? -1 : left < 0 ? 0 : left > SECOND ? SECOND : (int)left;
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
    free(w->folder);
    free(w);
}

static enum frame_layout watch_layout(const struct view *v) {
    (void)v;
    return FRAME_GROWS;
}

static const struct view_operations WATCH = {
    .name = "Your class",
    .about = "Who needs help, which mistakes the room makes, where it is, and the labs, read from "
             "the class's folder each second. A learner counts as quiet after six minutes without "
             "an answer or a new step. Mistakes are counted once for each learner, as the "
             "learners' programs "
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
    w->folder = base_dup(r->name);
    for (size_t i = 0; i < WATCH_PARTS; i++) w->lists[i].tall = 1;
    w->names = true;
    w->opened = -1;
    w->mistakes = LEAST_MISTAKES;
    w->due = base_ticks() + SECOND;
    screen_editor_field(&w->field, CLASSROOM_TITLE - 1, NULL);
    count_things(w);
    return &w->view;
}
