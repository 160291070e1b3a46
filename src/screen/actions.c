/* actions: which keys exist where one is. */
#include "screen/view.h"

static unsigned open_help(struct view *v, const struct key *k) {
    (void)k;
    return screen_app_open(v->app, screen_view_help(v->app, v));
}

static unsigned repaint(struct view *v, const struct key *k) {
    (void)k;
    v->app->terminal->does->repaint(v->app->terminal);
    return VIEW_REDRAW;
}

static unsigned quit(struct view *v, const struct key *k) {
    (void)v, (void)k;
    return VIEW_QUIT;
}

/* Keys that mean the same everywhere. */
/* clang-format off */
static const struct action EVERYWHERE[] = {
    {"help", "? F1 C-g", VIEW_READING, open_help,          "These keys, for where you are"},
    {"help", "F1 C-g",   VIEW_TYPING,  open_help,          "These keys, for where you are"},
    {NULL,   "C-s",      VIEW_ALWAYS,            screen_action_save_screen, "Save this screen in your folder"},
    {NULL,   "C-l",      VIEW_ALWAYS,            repaint,            "Paint the screen anew"},
    {NULL,   "C-c",      VIEW_ALWAYS,            quit,               "Leave at once; all answers are kept"},
};
/* clang-format on */

unsigned screen_action_search(struct view *v, const struct key *k) {
    (void)k;
    return screen_app_open(v->app, screen_view_search(v->app));
}

unsigned screen_action_leave(struct view *v, const struct key *k) {
    (void)v, (void)k;
    return VIEW_LEAVE;
}

struct view_states screen_view_states(const struct view *v) {
    struct view_states s = {.is[VIEW_ALWAYS] = true};
    v->does->state(v, &s);
    return s;
}

void screen_actions_each(const struct view *v, void (*each)(void *to, const struct action *a),
                         void *to) {
    const struct view_states s = screen_view_states(v);
    for (size_t i = 0; i < v->does->count; i++)
        if (s.is[v->does->actions[i].when]) each(to, &v->does->actions[i]);
    for (size_t i = 0; i < BASE_COUNT(EVERYWHERE); i++)
        if (s.is[EVERYWHERE[i].when]) each(to, &EVERYWHERE[i]);
}

struct wanted {
    const struct key *key;
    const struct action *found;
};

static void compare(void *to, const struct action *a) {
    struct wanted *w = to;
    if (!w->found && a->act && screen_key_is(w->key, a->keys)) w->found = a;
}

const struct action *screen_actions_find(const struct view *v, const struct key *k) {
    struct wanted w = {k, NULL};
    if (k->code != PRESS_NONE) screen_actions_each(v, compare, &w);
    return w.found;
}
