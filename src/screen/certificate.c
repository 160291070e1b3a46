/* certificate: what the learner has shown, what is still missing, and the file that others can
 * verify. */
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

struct certificate {
    struct view view;
    json_t *says;
    /* the first row shown, the rows there are, and those that fit */
    int top, height, capacity;
};

static struct certificate *certificate_of(const struct view *v) {
    return (struct certificate *)v;
}

static void certificate_draw(struct view *v, struct frame *f) {
    struct certificate *c = certificate_of(v);
    struct page *p = page_new(f->width, v->app->look.ascii);
    page_set_colours(p, v->app->look.colours);
    page_certificate(p, (struct page_flow){.indent = 1, .width = f->width - 2}, c->says);
    c->height = page_height(p);
    c->capacity = f->rows;
    screen_list_keep_in_view(&c->top, c->height, f->rows, c->top, c->top + f->rows);
    screen_frame_title(f, "Certificate",
                       base_json_bool(c->says, "earned", false) ? "earned" : "not earned yet");
    screen_frame_window(f, p, c->top, f->rows, f->top, f->left);
    screen_frame_more(f, c->top > 0, c->top + f->rows < c->height);
    page_free(p);
}

/* Judges every answer again, which takes a moment; then the page is that of the file. */
static unsigned certificate_save(struct view *v, const struct key *k) {
    struct certificate *c = certificate_of(v);
    struct base_message m = {0};
    json_t *says;
    size_t n;
    char *text = session_certificate_make(v->app->learner, &n, &says, &m);
    char *path = base_format("%s/zerotutor.cert", base_home());
    (void)k;
    if (text && base_file_write(path, text, n, &m)) {
        json_decref(c->says);
        c->says = json_incref(says);
        screen_app_notice(v->app, base_format("Saved: %s", path));
    } else {
        screen_app_notice(v->app, base_dup(m.what));
    }
    json_decref(says);
    free(path);
    free(text);
    return VIEW_REDRAW;
}

static unsigned certificate_key(struct view *v, const struct key *k) {
    struct certificate *c = certificate_of(v);
    switch (k->code) {
    case PRESS_UP:
    case PRESS_WHEEL_UP:
    case 'k': c->top--; break;
    case PRESS_DOWN:
    case PRESS_WHEEL_DOWN:
    case 'j': c->top++; break;
    case PRESS_PAGE_UP: c->top -= c->capacity - 1; break;
    case PRESS_PAGE_DOWN:
    case ' ': c->top += c->capacity - 1; break;
    case PRESS_HOME: c->top = 0; break;
    case PRESS_END: c->top = c->height; break;
    default: return VIEW_IGNORED;
    }
    return VIEW_REDRAW;
}

static void certificate_state(const struct view *v, struct view_states *s) {
    (void)v;
    s->is[VIEW_READING] = true;
}

static const struct action ACTIONS[] = {
    {"save", "Enter", 0, certificate_save,
     "Save zerotutor.cert, which others can verify, in your folder"},
    {NULL, "Up k Down j", 0, NULL, "Scroll by a row; Space and the page keys scroll by a page"},
    {"back", "Esc q", 0, screen_action_leave, "Go back"},
};

static void certificate_close(struct view *v) {
    json_decref(certificate_of(v)->says);
    free(v);
}

static const struct view_operations CERTIFICATE = {
    .name = "Certificate",
    .about = "A certificate is earned when the check of every phase is passed, no skill that you "
             "tried is weak today (below 70%), and a memo passed. Its file carries your answers as "
             "you typed them, and `zerotutor certificate verify` judges them again. `zerotutor "
             "certificate --name \"…\" -o FILE.pdf` puts your name on it and prints it.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .state = certificate_state,
    .draw = certificate_draw,
    .key = certificate_key,
    .close = certificate_close,
};

struct view *screen_view_certificate(struct app *app, const struct view_request *r,
                                     struct base_message *m) {
    (void)r, (void)m;
    struct certificate *c = base_alloc(sizeof *c);
    c->view = (struct view){&CERTIFICATE, app};
    c->says = session_certificate(app->learner);
    return &c->view;
}
