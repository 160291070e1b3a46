/* suspended: the questions that the learner suspended, each of which can be taken back. */
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

struct suspended {
    struct view view;
    struct list list;
    /* as many as the list counts */
    char **item, **title;
};

static struct suspended *suspended_of(const struct view *v) {
    return (struct suspended *)v;
}

static void forget(struct suspended *s) {
    for (size_t i = 0; i < s->list.count; i++) {
        free(s->item[i]);
        free(s->title[i]);
    }
    s->list.count = 0;
}

static void take_item(void *to, const char *item, const char *title) {
    struct suspended *s = to;
    s->item = base_grow(s->item, s->list.count + 1, sizeof *s->item);
    s->title = base_grow(s->title, s->list.count + 1, sizeof *s->title);
    s->item[s->list.count] = base_dup(item);
    s->title[s->list.count++] = base_dup(title);
}

static void read_items(struct suspended *s) {
    forget(s);
    session_learner_suspended(s->view.app->learner, take_item, s);
    if (s->list.at >= s->list.count) s->list.at = s->list.count > 0 ? s->list.count - 1 : 0;
}

/* Its title, and at its right the lesson that it is from. */
static void draw_item(const struct suspended *s, struct page *p, size_t i) {
    const char *item = s->item[i];
    char *lesson = base_format("%.*s", (int)strcspn(item, "/"), item);
    int row = page_height(p), right = page_width(p) - 1, column = right - base_width(lesson);
    bool here = i == s->list.at;
    char *title = page_cut(s->title[i], column - 4 - 2, page_ascii(p));
    if (here) page_put(p, row, 2, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_put(p, row, 4, here ? PAGE_STRONG : PAGE_PLAIN, 0, title);
    page_put(p, row, column, PAGE_DIM, 0, lesson);
    free(title);
    free(lesson);
}

static void suspended_draw(struct view *v, struct frame *f) {
    struct suspended *s = suspended_of(v);
    int *rows = base_alloc((s->list.count + 1) * sizeof *rows);
    struct page *p = page_new(f->width, v->app->look.ascii);
    screen_frame_title(f, "Suspended", "no review asks these");
    if (s->list.count == 0)
        page_text(p, (struct page_flow){.indent = 1, .role = PAGE_DIM}, "Nothing is suspended.");
    for (size_t i = 0; i < s->list.count; i++) {
        rows[i] = page_height(p);
        draw_item(s, p, i);
    }
    screen_frame_begin(f, screen_frame_lower(f, page_height(p)));
    screen_list_show(&s->list, f, p, rows, f->top, f->rows);
    page_free(p);
    free(rows);
}

static unsigned take_back(struct view *v, const struct key *k) {
    struct suspended *s = suspended_of(v);
    struct base_message m = {0};
    (void)k;
    if (s->list.count == 0) return VIEW_LEAVE;
    char *said = session_learner_unsuspend(v->app->learner, s->item[s->list.at], &m)
                     ? base_format("Reviews ask \"%s\" again when it is due.", s->title[s->list.at])
                     : base_format("not kept: %s", m.what);
    screen_app_notice(v->app, said);
    read_items(s);
    return VIEW_REDRAW;
}

static void suspended_state(const struct view *v, struct view_states *s) {
    s->is[VIEW_READING] = true;
    s->is[VIEW_LISTS] = ((const struct suspended *)v)->list.count > 0;
}

static unsigned suspended_key(struct view *v, const struct key *k) {
    struct suspended *s = suspended_of(v);
    if (screen_list_chosen(&s->list, k)) return take_back(v, k);
    return screen_list_key(&s->list, k) ? VIEW_REDRAW : VIEW_IGNORED;
}

/* clang-format off */
static const struct action ACTIONS[] = {
    {"take back", "Enter", VIEW_LISTS, take_back,           "Take it back: reviews ask it again"},
    {"back",      "Esc q", 0,          screen_action_leave, "Go back"},
};
/* clang-format on */

static void suspended_close(struct view *v) {
    struct suspended *s = suspended_of(v);
    forget(s);
    free(s->item);
    free(s->title);
    free(s);
}

static const struct view_operations SUSPENDED = {
    .name = "Suspended questions",
    .about = "The questions that you suspended in a review. No review asks them until you take "
             "them back.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .state = suspended_state,
    .draw = suspended_draw,
    .key = suspended_key,
    .close = suspended_close,
};

struct view *screen_view_suspended(struct app *app, const struct view_request *r,
                                   struct base_message *m) {
    (void)r, (void)m;
    struct suspended *s = base_alloc(sizeof *s);
    s->view = (struct view){&SUSPENDED, app};
    s->list.tall = 1;
    read_items(s);
    return &s->view;
}
