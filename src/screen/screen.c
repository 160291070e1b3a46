/* screen: the door. A run with a terminal, and a picture without one, are the same loop over the same views. */
#include "screen/view.h"

#include <stdlib.h>

static struct view *first_view(struct app *app, const struct screen_options *o,
                               struct base_message *m) {
    if (o->memo) return screen_view_memo(app, o->memo, o->memo_begins, false, m);
    if (o->recordings) return screen_view_lab(app, NULL, o->recordings, true, m);
    if (o->recording) return screen_view_recording(app, o->recording, o->speed, m);
    return o->lab ? screen_view_labs(app, o->lab) : screen_view_home(app);
}

/* Opens what is needed before the terminal is touched, so that what goes wrong is said on an untouched screen. */
static bool open_views(struct app *app, const struct screen_options *o, struct base_message *m) {
    app->desk = session_desk_open(o->store, m);
    if (!app->desk) return false;
    struct view *v = first_view(app, o, m);
    if (v) screen_app_push(app, v);
    if (!v || !o->lesson) return v != NULL;
    v = screen_view_lesson(app, o->lesson, NULL, m);
    if (v) screen_app_push(app, v);
    return v != NULL;
}

static void close_views(struct app *app) {
    while (app->depth > 0) {
        struct view *v = app->stack[--app->depth];
        v->does->close(v);
    }
    session_desk_close(app->desk);
    screen_app_notice(app, NULL);
    if (app->parting) fprintf(stderr, "zerotutor: %s\n", app->parting);
    free(app->parting);
}

static int complain(const struct base_message *m) {
    char text[700];
    fprintf(stderr, "zerotutor: %s\n", base_message_text(m, text, sizeof text));
    return 2;
}

int screen_run(const struct screen_options *o) {
    struct app app = {.ascii_forced = o->ascii, .no_colour_forced = o->no_colour};
    struct base_message m = {0};
    int status = 0;
    bool ready = open_views(&app, o, &m);
    if (ready) app.terminal = screen_terminal_open(&m);
    if (app.terminal) {
        screen_look_read(&app);
        screen_app_run(&app);
        status = app.terminal->status;
        app.terminal->does->close(app.terminal);
    }
    close_views(&app);
    if (!app.terminal) return complain(&m);
    return status == 0 && (o->lab || o->recording || o->recordings) && !app.lab_well ? 1 : status;
}

char *screen_picture(const struct screen_shot *s, struct base_message *m) {
    struct app app = {.ascii_forced = s->ascii, .no_colour_forced = s->no_colour};
    const struct screen_options o = {.lesson = s->lesson, .store = s->store};
    char *picture = NULL;
    if (open_views(&app, &o, m)) {
        app.terminal =
            screen_terminal_of_keys(s->keys ? s->keys : "", s->columns, s->rows, true, 256);
        screen_look_read(&app);
        screen_app_run(&app);
        picture = screen_terminal_last(app.terminal, s->svg, m);
        app.terminal->does->close(app.terminal);
    }
    close_views(&app);
    return picture;
}
