/* save: the screen as a picture, for a note or a question to a colleague. */
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first name of screen-1.svg, screen-2.svg … that is free; the caller's. */
static char *free_name(const char *folder) {
    for (int n = 1;; n++) {
        char *path = base_format("%s/screen-%d.svg", folder, n);
        if (access(path, F_OK) != 0) return path;
        free(path);
    }
}

static char *write_picture(const struct app *app, const char *path, struct base_message *m) {
    char *svg = page_to_svg(app->frame->page, app->look.theme, "zerotutor");
    bool written = base_file_write(path, svg, strlen(svg), m);
    free(svg);
    return written ? base_format("saved as %s", path) : base_format("not saved: %s", m->what);
}

unsigned screen_action_save_screen(struct view *v, const struct key *k) {
    struct base_message m = {0};
    (void)k;
    if (!base_home_check(&m) || !base_make_dirs(base_home(), &m)) {
        screen_app_notice(v->app, base_format("not saved: %s", m.what));
        return VIEW_REDRAW;
    }
    char *path = free_name(base_home());
    screen_app_notice(v->app, write_picture(v->app, path, &m));
    free(path);
    return VIEW_REDRAW;
}
