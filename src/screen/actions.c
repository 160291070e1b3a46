/* actions: which keys exist where one is. */
#include "screen/view.h"

static unsigned open_help(struct view *v, const struct key *k) {
    (void)k;
    return app_open(v->app, view_help(v->app, v));
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
static const struct action EVERYWHERE[] = {
    {{'?', PRESS_F(1)}, "help", "These keys, for where you are",                   VIEW_READING, open_help         },
    {{PRESS_F(1)},      "help", "These keys, for where you are",                   VIEW_TYPING,  open_help         },
    {{PRESS_CTRL('s')},
     NULL,                      "Save this screen as a picture, in your folder",
     0,                                                                                          action_save_screen},
    {{PRESS_CTRL('l')}, NULL,   "Paint the screen anew",                           0,            repaint           },
    {{PRESS_CTRL('c')}, NULL,   "Leave the program at once; all answers are kept", 0,            quit              },
};

unsigned action_search(struct view *v, const struct key *k) {
    (void)k;
    return app_open(v->app, view_search(v->app));
}

unsigned action_leave(struct view *v, const struct key *k) {
    (void)v, (void)k;
    return VIEW_LEAVE;
}

static bool exists(const struct view *v, const struct action *a) {
    unsigned state = v->does->state(v);
    return (a->when & state) == a->when;
}

void actions_each(const struct view *v, void (*each)(void *to, const struct action *a), void *to) {
    for (size_t i = 0; i < v->does->count; i++)
        if (exists(v, &v->does->actions[i])) each(to, &v->does->actions[i]);
    for (size_t i = 0; i < BASE_COUNT(EVERYWHERE); i++)
        if (exists(v, &EVERYWHERE[i])) each(to, &EVERYWHERE[i]);
}

struct wanted {
    uint32_t code;
    const struct action *found;
};

static void compare(void *to, const struct action *a) {
    struct wanted *w = to;
    for (size_t i = 0; a->act && i < BASE_COUNT(a->press) && !w->found; i++)
        if (a->press[i] == w->code) w->found = a;
}

const struct action *actions_find(const struct view *v, uint32_t code) {
    struct wanted w = {code, NULL};
    if (code != PRESS_NONE) actions_each(v, compare, &w);
    return w.found;
}
