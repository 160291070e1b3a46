/* settings: how things look. A list of them, and where the terminal is wide what the one under the
 * cursor can be. */
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

/* A click on value i next to the list has target VALUE_TARGET + i, above those of the list. */
enum { VALUE_TARGET = 100 };
enum { VALUE_COLUMN = 20, WHAT_COLUMN = 40, UNDER = 6, NARROW = 70 };

struct settings {
    struct view view;
    struct list list;
    /* the column where a value's sign for the one before stands, when last drawn */
    int back;
    /* the first row shown of what is said next to the list */
    int aside;
};

static struct settings *settings_of(const struct view *v) {
    return (struct settings *)v;
}

/* Next to the value, or under it where there is no room next to it. */
static void draw_what(struct page *p, int row, unsigned role, const char *what) {
    bool narrow = page_width(p) < NARROW;
    struct page_flow flow = {.indent = UNDER, .width = page_width(p) - UNDER - 1, .role = role};
    if (narrow) {
        page_text(p, flow, what);
        return;
    }
    page_put(p, row, WHAT_COLUMN, role, 0, what);
    page_blank(p, 1);
}

static void draw_setting(const struct settings *s, struct page *p, size_t i) {
    size_t count;
    const struct look_setting *l = &screen_look_settings(&count)[i];
    size_t value = screen_look_in_force(s->view.app, i);
    const char *instead = screen_look_overridden(s->view.app, i);
    bool here = i == s->list.at;
    int row = page_height(p);
    if (here) page_put(p, row, 2, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_put(p, row, 4, here ? PAGE_STRONG : PAGE_PLAIN, 0, l->label);
    page_put(p, row, VALUE_COLUMN, PAGE_DIM, 0, here ? "◂" : " ");
    int end =
        page_put(p, row, VALUE_COLUMN + 2, here ? PAGE_ACCENT : PAGE_PLAIN, 0, l->shown[value]);
    if (here) page_put(p, row, end + 1, PAGE_DIM, 0, "▸");
    draw_what(p, row, instead ? PAGE_WARN : PAGE_DIM, instead ? instead : l->what[value]);
}

enum { VALUES = BASE_COUNT(((struct look_setting *)0)->values) };

/* What the setting under the cursor can be, and the row of each value, then that after the last.
 * Values of which the same is said come together. */
static size_t lay_values(const struct settings *s, struct page *p, int rows[VALUES + 1]) {
    size_t count, now = screen_look_in_force(s->view.app, s->list.at);
    const struct look_setting *l = &screen_look_settings(&count)[s->list.at];
    const char *instead = screen_look_overridden(s->view.app, s->list.at);
    page_put(p, 0, 0, PAGE_STRONG, 0, l->label);
    page_blank(p, 1);
    if (instead) page_text(p, (struct page_flow){.role = PAGE_WARN}, instead);
    size_t i = 0;
    for (; i < VALUES && l->values[i]; i++) {
        bool more = i + 1 < VALUES && l->values[i + 1];
        int row = rows[i] = page_height(p);
        if (i == now) page_put(p, row, 0, PAGE_ACCENT, PAGE_BOLD, "▸");
        page_put(p, row, 2, i == now ? PAGE_ACCENT : PAGE_PLAIN, 0, l->shown[i]);
        if (more && strcmp(l->what[i], l->what[i + 1]) == 0) continue;
        page_text(p, (struct page_flow){.indent = 4, .role = PAGE_DIM}, l->what[i]);
    }
    rows[i] = page_height(p);
    return i;
}

/* A click on a value, or on what is said of it, chooses it. */
static void zone_values(const struct settings *s, struct frame *f, const int *rows, size_t values) {
    for (size_t i = 0; i < values; i++)
        for (int row = rows[i] - s->aside; row < rows[i + 1] - s->aside; row++)
            if (row >= 0 && row < f->rows)
                screen_frame_zone(f, f->top + row, f->pane_left - f->left, f->pane_width,
                                  PRESS_NONE, VALUE_TARGET + (int)i);
}

static void draw_values(struct settings *s, struct frame *f) {
    if (!f->pane_width) return;
    struct page *p = page_new(f->pane_width, s->view.app->look.ascii);
    int rows[VALUES + 1];
    size_t values = lay_values(s, p, rows);
    screen_frame_aside(f, p, &s->aside);
    zone_values(s, f, rows, values);
    page_free(p);
}

static enum frame_layout settings_layout(const struct view *v) {
    (void)v;
    return FRAME_DETAIL;
}

static void settings_draw(struct view *v, struct frame *f) {
    struct settings *s = settings_of(v);
    int *rows = base_alloc(s->list.count * sizeof *rows);
    struct page *p = page_new(f->width, v->app->look.ascii);
    for (size_t i = 0; i < s->list.count; i++) {
        rows[i] = page_height(p);
        draw_setting(s, p, i);
    }
    s->list.tall = s->list.count && page_width(p) < NARROW ? 2 : 1;
    screen_frame_title(f, "Settings", "kept with your record");
    s->back = f->left + VALUE_COLUMN;
    screen_frame_begin(f, screen_frame_lower(f, page_height(p)));
    screen_list_show(&s->list, f, p, rows, f->top, f->rows);
    draw_values(s, f);
    page_free(p);
    free(rows);
}

static unsigned tell(struct view *v, bool kept, const struct base_message *m) {
    if (!kept) screen_app_notice(v->app, base_format("not kept: %s", m->what));
    return VIEW_REDRAW;
}

static unsigned change(struct view *v, int by) {
    struct base_message m = {0};
    return tell(v, screen_look_change(v->app, settings_of(v)->list.at, by, &m), &m);
}

static unsigned choose(struct view *v, size_t value) {
    struct base_message m = {0};
    return tell(v, screen_look_choose(v->app, settings_of(v)->list.at, value, &m), &m);
}

static unsigned forward(struct view *v, const struct key *k) {
    (void)k;
    return change(v, 1);
}

static unsigned backward(struct view *v, const struct key *k) {
    (void)k;
    return change(v, -1);
}

static unsigned settings_key(struct view *v, const struct key *k) {
    struct settings *s = settings_of(v);
    if (k->target == KEY_ASIDE) {
        s->aside += k->code == PRESS_WHEEL_UP ? -KEY_ASIDE_ROWS : KEY_ASIDE_ROWS;
        return VIEW_REDRAW;
    }
    if (k->code == PRESS_CLICK && k->target >= VALUE_TARGET)
        return choose(v, (size_t)(k->target - VALUE_TARGET));
    if (screen_list_chosen(&s->list, k)) return change(v, k->column == s->back ? -1 : 1);
    if (!screen_list_key(&s->list, k)) return VIEW_IGNORED;
    s->aside = 0;
    return VIEW_REDRAW;
}

static void settings_state(const struct view *v, struct view_states *s) {
    (void)v;
    s->is[VIEW_READING] = s->is[VIEW_LISTS] = true;
}

/* clang-format off */
static const struct action ACTIONS[] = {
    {"change", "Enter Right Space", 0, forward,      "Take the next value; it is saved"},
    {NULL,     "Left",                0, backward,     "Take the previous value"},
    {"back",   "Esc q S",             0, screen_action_leave, "Go back"},
};
/* clang-format on */

static void settings_close(struct view *v) {
    free(v);
}

static const struct view_operations SETTINGS = {
    .name = "Settings",
    .about = "How the screen looks, and when your days begin. The options --no-color and --ascii "
             "and the variables NO_COLOR and NO_MOTION override these settings.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .layout = settings_layout,
    .state = settings_state,
    .draw = settings_draw,
    .key = settings_key,
    .close = settings_close,
};

struct view *screen_view_settings(struct app *app, const struct view_request *r,
                                  struct base_message *m) {
    (void)r, (void)m;
    struct settings *s = base_alloc(sizeof *s);
    s->view = (struct view){&SETTINGS, app};
    screen_look_settings(&s->list.count);
    s->list.tall = 1;
    return &s->view;
}
