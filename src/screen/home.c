/* home: where the learner stands, and what to do next. */
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

enum { LESSONS = BASE_COUNT(((struct study_course *)0)->lesson), PROGRESS = 8, STATE = 10 };
enum home_state { HOME_HAS_LESSON = VIEW_OWN };

struct home {
    struct view view;
    struct desk_progress progress[LESSONS];
    size_t existing[LESSONS]; /* the lessons that exist, in order: what the cursor moves over */
    struct list list;
    size_t next; /* in the course; its count if all are done */
};

static struct home *home_of(const struct view *v) {
    return (struct home *)v;
}

static void read_record(struct home *h) {
    struct desk *desk = h->view.app->desk;
    const struct study_course *course = desk_course(desk);
    h->list.count = 0;
    h->next = desk_next(desk);
    for (size_t i = 0; i < course->lessons; i++) {
        h->progress[i] = desk_progress(desk, i);
        if (h->progress[i].exists) h->existing[h->list.count++] = i;
    }
}

static void point_at(struct home *h, size_t lesson) {
    for (size_t i = 0; i < h->list.count; i++)
        if (h->existing[i] == lesson) h->list.at = i;
}

/* The cursor stays where it was, unless another lesson has become the next one. */
static void home_wake(struct view *v) {
    struct home *h = home_of(v);
    size_t next = h->next;
    read_record(h);
    if (h->next != next) point_at(h, h->next);
}

/* ── drawing: the whole course on a page of its own, of which the body is a window ────────────────*/
static void state_of(const struct desk_progress *p, char *out, size_t size) {
    if (p->finished && p->graded)
        snprintf(out, size, "%zu %%", p->right * 100 / p->graded);
    else if (p->finished)
        snprintf(out, size, "done");
    else if (p->opened && p->step_number)
        snprintf(out, size, "step %d", p->step_number);
    else
        snprintf(out, size, "%s", p->opened ? "begun" : "");
}

static void draw_lesson(const struct home *h, struct paper *p, size_t i, bool here) {
    const struct study_course_lesson *l = &desk_course(h->view.app->desk)->lesson[i];
    const struct desk_progress *g = &h->progress[i];
    int row = paper_height(p), right = paper_width(p) - STATE;
    char state[24];
    state_of(g, state, sizeof state);
    char *title = frame_cut(l->title, right - 3 - 11, h->view.app->look.ascii);
    if (here) paper_put(p, row, 4, PAPER_ACCENT, PAPER_BOLD, "▸");
    paper_put(p, row, 6, here ? PAPER_ACCENT : PAPER_DIM, 0, l->id);
    paper_put(p, row, 11, here ? PAPER_STRONG : PAPER_PLAIN, 0, title);
    paper_put(p, row, right - 1,
              g->finished ? PAPER_GOOD
              : g->opened ? PAPER_ACCENT
                          : PAPER_DIM,
              0,
              g->finished ? "●"
              : g->opened ? "◐"
                          : "○");
    paper_put(p, row, right + STATE - 1 - base_width(state), PAPER_DIM, 0, state);
    free(title);
}

struct tally {
    size_t lessons, exist, finished;
};

static struct tally count_phase(const struct home *h, size_t phase) {
    const struct study_course *c = desk_course(h->view.app->desk);
    struct tally t = {0};
    for (size_t i = 0; i < c->lessons; i++) {
        if ((size_t)c->lesson[i].phase != phase) continue;
        t.lessons++;
        t.exist += h->progress[i].exists;
        t.finished += h->progress[i].finished;
    }
    return t;
}

static char *share_of(struct tally t) {
    if (t.exist == 0) return base_dup("not here yet");
    if (t.finished == t.exist) return base_dup("done");
    return base_format("%zu/%zu", t.finished, t.exist);
}

static void draw_phase(const struct home *h, struct paper *p, size_t phase) {
    struct tally t = count_phase(h, phase);
    int row = paper_height(p), right = paper_width(p) - 1,
        bar = paper_width(p) - STATE - PROGRESS - 1;
    unsigned role = t.exist ? PAPER_STRONG : PAPER_DIM;
    char *share = share_of(t);
    int room = (t.exist ? bar : right - base_width(share)) - 4 - 1;
    char *title =
        frame_cut(desk_course(h->view.app->desk)->phase_title[phase], room, paper_ascii(p));
    paper_printf(p, row, 1, role, "%zu", phase + 1);
    paper_put(p, row, 4, role, 0, title);
    if (t.exist) paper_progress(p, row, bar, PROGRESS, (double)t.finished / (double)t.exist);
    paper_put(p, row, right - base_width(share), PAPER_DIM, 0, share);
    free(title);
    free(share);
}

/* The course; `rows` tells on which row each existing lesson lies. */
static struct paper *lay_course(const struct home *h, int width, int *rows) {
    const struct study_course *c = desk_course(h->view.app->desk);
    struct paper *p = paper_new(width, h->view.app->look.ascii);
    size_t nth = 0;
    for (size_t phase = 0; phase < c->phases; phase++) {
        bool any = count_phase(h, phase).exist > 0;
        if (phase > 0 && (any || count_phase(h, phase - 1).exist)) paper_blank(p, 1);
        draw_phase(h, p, phase);
        for (size_t i = 0; i < c->lessons; i++) {
            if ((size_t)c->lesson[i].phase != phase || !h->progress[i].exists) continue;
            rows[nth] = paper_height(p);
            draw_lesson(h, p, i, nth == h->list.at);
            nth++;
        }
    }
    return p;
}

static void draw_next(const struct home *h, struct frame *f) {
    const struct study_course *c = desk_course(h->view.app->desk);
    if (h->next == c->lessons) {
        frame_put(f, f->top, 1, PAPER_GOOD, 0, "All lessons that are here are done.");
        return;
    }
    const struct study_course_lesson *l = &c->lesson[h->next];
    bool begun = h->progress[h->next].opened && !h->progress[h->next].finished;
    char *minutes = begun ? base_format("goes on at step %d", h->progress[h->next].step_number)
                          : base_format("%d min", l->minutes);
    if (begun && !h->progress[h->next].step_number)
        snprintf(minutes, strlen(minutes) + 1, "goes on");
    int column = frame_put(f, f->top, 1, PAPER_ACCENT, PAPER_BOLD, "Next") + 1;
    char *title =
        frame_cut(l->title, f->width - column - 7 - base_width(minutes), h->view.app->look.ascii);
    frame_put(f, f->top, column, PAPER_ACCENT, 0, l->id);
    frame_put(f, f->top, column + 5, PAPER_STRONG, 0, title);
    frame_put_right(f, f->top, PAPER_DIM, minutes);
    free(title);
    free(minutes);
}

static void draw_details(const struct home *h, struct frame *f) {
    if (!f->pane_width || h->list.count == 0) return;
    size_t i = h->existing[h->list.at];
    const struct study_course_lesson *l = &desk_course(h->view.app->desk)->lesson[i];
    const struct desk_progress *g = &h->progress[i];
    struct paper *p = paper_new(f->pane_width, h->view.app->look.ascii);
    struct paper_flow flow = {.indent = 0, .width = f->pane_width, .role = PAPER_STRONG};
    paper_text(p, flow, l->title);
    paper_blank(p, 1);
    flow.role = PAPER_DIM;
    char *about = base_format("Lesson %s, about %d minutes", l->id, l->minutes);
    paper_text(p, flow, about);
    free(about);
    flow.role = PAPER_PLAIN;
    paper_blank(p, 1);
    paper_text(p, flow,
               g->finished ? "Finished; it can be taken again."
               : g->opened ? "Begun; it goes on where you left it."
                           : "Not begun yet.");
    if (g->graded) {
        char *score = base_format("%zu of %zu problems right", g->right, g->graded);
        paper_text(p, flow, score);
        paper_progress(p, paper_height(p), 0, f->pane_width < 24 ? f->pane_width : 24,
                       (double)g->right / (double)g->graded);
        free(score);
    }
    frame_window(f, p, 0, f->rows, f->top, f->pane_left);
    paper_free(p);
}

static void today(char *out, size_t size) {
    time_t now = (time_t)base_now();
    struct tm day;
    localtime_r(&now, &day);
    strftime(out, size, "%a %e %b", &day);
}

static void home_draw(struct view *v, struct frame *f) {
    struct home *h = home_of(v);
    int rows[LESSONS], below = f->top + 2;
    char date[32];
    today(date, sizeof date);
    frame_title(f, "zerotutor", date);
    draw_next(h, f);
    struct paper *course = lay_course(h, f->width, rows);
    list_show(&h->list, f, course, rows, below, f->rows - 2);
    paper_free(course);
    draw_details(h, f);
}

/* ── keys ────────────────────────────────────────────────────────────────────────────────────────*/
static unsigned home_state(const struct view *v) {
    return VIEW_READING | (home_of(v)->list.count ? HOME_HAS_LESSON : 0);
}

/* A lesson that was taken to its last step begins at the first again: that step's id, or NULL; the caller's. */
static char *first_step_again(const struct home *h, size_t lesson) {
    const struct desk_progress *g = &h->progress[lesson];
    struct desk *desk = h->view.app->desk;
    if (!g->finished) return NULL;
    char *name = base_format("outline/%s", desk_course(desk)->lesson[lesson].id);
    char *ids = store_setting(desk_store(desk), name), *step = NULL;
    const char *last = ids ? strrchr(ids, ' ') : NULL;
    if (last && strcmp(last + 1, g->step) == 0)
        step = base_format("%.*s", (int)strcspn(ids, " "), ids);
    free(ids);
    free(name);
    return step;
}

static unsigned open_lesson(struct view *v, const struct key *k) {
    struct home *h = home_of(v);
    struct base_message m = {0};
    char text[700];
    (void)k;
    size_t at = h->existing[h->list.at];
    char *step = first_step_again(h, at);
    struct view *lesson = view_lesson(v->app, desk_course(v->app->desk)->lesson[at].id, step, &m);
    free(step);
    if (!lesson) app_notice(v->app, base_dup(base_message_text(&m, text, sizeof text)));
    return app_open(v->app, lesson);
}

static unsigned open_settings(struct view *v, const struct key *k) {
    (void)k;
    return app_open(v->app, view_settings(v->app));
}

static unsigned open_labs(struct view *v, const struct key *k) {
    (void)k;
    return app_open(v->app, view_labs(v->app, NULL));
}

static unsigned quit(struct view *v, const struct key *k) {
    (void)v, (void)k;
    return VIEW_QUIT;
}

static unsigned home_key(struct view *v, const struct key *k) {
    struct home *h = home_of(v);
    if (k->code == PRESS_CLICK && k->target >= 0 && (size_t)k->target == h->list.at)
        return open_lesson(v, k);
    return list_key(&h->list, k) ? VIEW_REDRAW : VIEW_IGNORED;
}

/* clang-format off */
static const struct action ACTIONS[] = {
    {"open",     "Enter",       HOME_HAS_LESSON, open_lesson,
     "Open the lesson under the cursor; it goes on where you left it"},
    {"search",   "/",           HOME_HAS_LESSON, action_search, "Search in all lessons"},
    {"labs",     "L",           VIEW_READING,    open_labs,     "Run an experiment outside of its lesson"},
    {"settings", "s",           VIEW_READING,    open_settings, "Theme, characters, colour, motion"},
    {"quit",     "q",           VIEW_READING,    quit,          "Leave the program"},
    {NULL,       "Up k Down j", HOME_HAS_LESSON, NULL,
     "Move from lesson to lesson; a click moves there too"},
};
/* clang-format on */

static void home_close(struct view *v) {
    free(v);
}

static const struct view_operations HOME = {
    .name = "Home",
    .about = "The course, phase by phase. A full circle is a finished lesson, a half one is begun; "
             "the share is of its problems, "
             "as last answered.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .pane = true,
    .state = home_state,
    .draw = home_draw,
    .key = home_key,
    .wake = home_wake,
    .close = home_close,
};

struct view *view_home(struct app *app) {
    struct home *h = base_alloc(sizeof *h);
    h->view = (struct view){&HOME, app};
    h->list.tall = 1;
    read_record(h);
    point_at(h, h->next);
    return &h->view;
}
