/* screen: the public functions. A run with a terminal, and a picture without one, are the same loop
 * over the same views. */
#include "screen/view.h"

#include <stdlib.h>

/* The view that everything else lies on. */
static struct view_request first_request(const struct screen_options *o) {
    if (o->memo)
        return (struct view_request){.kind = VIEW_MEMO, .name = o->memo, .begins = o->memo_begins};
    if (o->round) return (struct view_request){.kind = VIEW_SPEED, .round = o->round};
    if (o->watch) return (struct view_request){.kind = VIEW_WATCH, .name = o->watch};
    if (o->present)
        return (struct view_request){
            .kind = VIEW_PRESENT, .name = o->present, .folder = o->present_to};
    if (o->recordings)
        return (struct view_request){.kind = VIEW_LAB, .name = o->recordings, .recorded = true};
    if (o->recording)
        return (struct view_request){
            .kind = VIEW_RECORDING, .name = o->recording, .speed = o->speed};
    return (struct view_request){
        .kind = o->lab ? VIEW_LABS : VIEW_HOME, .name = o->lab, .covered = o->lesson != NULL};
}

static bool push(struct app *app, const struct view_request *r, struct base_message *m) {
    struct view *v = screen_view_make(app, r, m);
    if (v) screen_app_push(app, v);
    return v != NULL;
}

/* Opens what is needed before the terminal is touched, so that a message about what went wrong
 * appears on an untouched screen. */
static bool open_views(struct app *app, const struct screen_options *o, struct base_message *m) {
    char *lab = o->lab ? base_format(LEARNER_LAB "/%s", o->lab) : NULL;
    const struct view_request first = first_request(o),
                              lesson = {.kind = VIEW_LESSON, .name = lab ? lab : o->lesson};
    screen_scratch_begin(&app->paper);
    app->learner = session_learner_open(o->store, m);
    if (app->learner) session_learner_set_commands(app->learner, o->command, o->commands);
    if (app->learner && !app->still) screen_look_motion(app);
    bool opened = app->learner && push(app, &first, m) && (!lesson.name || push(app, &lesson, m));
    free(lab);
    return opened;
}

static void close_views(struct app *app) {
    while (app->depth > 0) {
        struct view *v = app->stack[--app->depth];
        v->does->close(v);
    }
    screen_scratch_free(&app->paper);
    session_turn_end(app->turn);
    session_learner_close(app->learner);
    screen_app_notice(app, NULL);
    if (app->parting) base_say_error(app->parting);
    free(app->parting);
}

static int complain(const struct base_message *m) {
    char text[700];
    base_say_error(base_message_text(m, text, sizeof text));
    return 2;
}

int screen_run(const struct screen_options *o) {
    struct app app = {.make = screen_view_make,
                      .save_certificate = o->save_certificate,
                      .attends = true,
                      .ascii_forced = o->ascii,
                      .no_colour_forced = o->no_colour};
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
    /* It has no voice, so that it is the same on every machine. */
    struct app app = {.make = screen_view_make,
                      .ascii_forced = s->ascii,
                      .no_colour_forced = s->no_colour,
                      .still = true,
                      .voice_sought = true};
    const struct screen_options o = {.lesson = s->lesson, .watch = s->watch, .store = s->store};
    char *picture = NULL;
    if (open_views(&app, &o, m)) {
        app.terminal =
            screen_terminal_of_keys(s->keys ? s->keys : "", s->columns, s->rows, true, 256);
        if (s->film) screen_terminal_film(app.terminal, s->film);
        screen_look_read(&app);
        screen_app_run(&app);
        picture = screen_terminal_last(app.terminal, s->svg, m);
        app.terminal->does->close(app.terminal);
    }
    close_views(&app);
    return picture;
}
