/* app: what every view may ask of the program: to open another view, to say something, to close. */
#include "screen/view.h"

#include <assert.h>
#include <stdlib.h>

void screen_app_push(struct app *app, struct view *v) {
    assert(v && app->depth < APP_DEPTH);
    app->stack[app->depth++] = v;
}

void screen_app_notice(struct app *app, char *text) {
    free(app->notice);
    app->notice = text;
}

void screen_app_part(struct app *app, char *text) {
    screen_app_notice(app, base_dup(text));
    free(app->parting);
    app->parting = text;
}

unsigned screen_app_open(struct app *app, const struct view_request *r) {
    struct base_message m = {0};
    char text[700];
    app->opening = app->make(app, r, &m);
    if (app->opening) return VIEW_OPEN;
    if (!r->session) screen_app_notice(app, base_dup(base_message_text(&m, text, sizeof text)));
    return VIEW_REDRAW;
}

unsigned screen_action_search(struct view *v, const struct key *k) {
    (void)k;
    return screen_app_open(v->app, &(struct view_request){.kind = VIEW_SEARCH});
}

bool screen_app_is_asked(const struct app *app) {
    if (!app || !app->attends || app->depth == 0) return false;
    const struct view_operations *does = app->stack[app->depth - 1]->does;
    char *asks = does->over || does->votes ? NULL : session_class_asks(app->learner);
    free(asks);
    return asks != NULL;
}

bool screen_app_asks(const struct app *app) {
    for (size_t i = 0; i < app->depth; i++) {
        const struct view *v = app->stack[i];
        if (v->does->asks && v->does->asks(v)) return true;
    }
    return false;
}

unsigned screen_app_list(struct app *app, unsigned kinds) {
    return screen_app_open(app, &(struct view_request){.kind = VIEW_SEARCH, .kinds = kinds});
}

unsigned screen_action_leave(struct view *v, const struct key *k) {
    (void)v, (void)k;
    return VIEW_LEAVE;
}
