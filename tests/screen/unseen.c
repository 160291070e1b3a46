#include "unseen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct app app;

void unseen_open(int columns, int rows, bool motion) {
    struct base_message m = {0};
    app = (struct app){.make = screen_view_make, .still = true, .voice_sought = true};
    screen_scratch_begin(&app.paper);
    app.learner = session_learner_open(NULL, &m);
    if (!app.learner) fail_msg("%s", m.what);
    app.terminal = screen_terminal_of_keys("", columns, rows, true, 256);
    screen_look_read(&app);
    app.look.motion = motion;
}

void unseen_close(void) {
    while (app.depth > 0) {
        struct view *v = app.stack[--app.depth];
        v->does->close(v);
    }
    screen_scratch_free(&app.paper);
    screen_app_notice(&app, NULL);
    screen_frame_free(app.frame);
    app.terminal->does->close(app.terminal);
    session_learner_close(app.learner);
}

void unseen_draw(struct view *v) {
    enum frame_layout layout = v->does->layout ? v->does->layout(v)
                               : v->does->pane ? FRAME_PANE
                                               : FRAME_ALONE;
    screen_frame_free(app.frame);
    app.frame = screen_frame_new(app.terminal->columns, app.terminal->rows, false, layout);
    v->does->draw(v, app.frame);
    screen_actions_draw(v, app.frame);
}

void unseen_press(struct view *v, uint32_t code) {
    const struct key k = {.code = code, .target = -1};
    if (v->does->pressed) v->does->pressed(v, &k);
    const struct action *a = screen_actions_find(v, &k);
    if (a && a->act)
        a->act(v, &k);
    else
        v->does->key(v, &k);
    unseen_draw(v);
}
