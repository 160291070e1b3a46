/* help: the keys for where one is, made from the very table that does them. Where the terminal is
 * wide, what there is to say of the screen stands next to them. */
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

enum { CAPTIONS_WIDTH = 22, NARROW = 60 };
enum { LONG = VIEW_OWN }; /* it has more rows than the screen shows */

struct help {
    struct view view;
    const struct view *of;
    int top, height, capacity;
};

static struct help *help_of(const struct view *v) {
    return (struct help *)v;
}

static void captions(const char *keys, bool ascii, char *out, size_t size) {
    size_t used = 0;
    uint32_t code;
    while ((code = screen_key_named(&keys)) != PRESS_NONE && used < size) {
        char one[16];
        screen_key_caption(code, ascii, one, sizeof one);
        used += (size_t)snprintf(out + used, size - used, used ? " %s" : "%s", one);
    }
}

static void add_key(void *to, const struct action *a, const char *names) {
    struct page *p = to;
    char keys[80];
    int row = page_height(p);
    captions(names, page_ascii(p), keys, sizeof keys);
    page_put(p, row, 3, PAGE_KEY, 0, keys);
    int column = 3 + CAPTIONS_WIDTH, width = page_width(p) - column - 1;
    if (page_width(p) < NARROW) {
        column = 5;
        width = page_width(p) - column - 1;
        row++;
    } else if (base_width(keys) >= CAPTIONS_WIDTH)
        row++;
    struct page *text = page_new(width, page_ascii(p));
    page_text(text, (struct page_flow){.width = width}, a->help);
    page_paste(p, text, row, column);
    page_free(text);
}

static struct page_flow prose(const struct page *p) {
    return (struct page_flow){.indent = 1, .width = page_width(p) - 2};
}

static void say(struct page *p, const char *text) {
    if (!text) return;
    if (page_height(p)) page_blank(p, 1);
    page_text(p, prose(p), text);
}

static void say_screen(const struct help *h, struct page *p) {
    const struct view_operations *of = h->of->does;
    page_markdown(p, prose(p), of->about);
    say(p, of->now ? of->now(h->of) : NULL);
}

static void say_mouse(const struct help *h, struct page *p) {
    if (!h->view.app->look.mouse) return;
    say(p, "A click moves ▸ to a line, and a click on that line does what Enter does. A click on "
           "a line to tick or to put in order acts at once, and so does one on a key, a step, a "
           "term or a lesson that a text names. The wheel scrolls what is under it, and over a "
           "list it moves ▸. The terminal selects text while Mouse is off in the settings, and "
           "most terminals do while you hold Shift.");
}

/* The keys; above and below them, or if there is a pane in `aside`, what is said. */
static struct page *lay_keys(const struct help *h, int width, struct page *aside) {
    struct page *p = page_new(width, h->view.app->look.ascii);
    say_screen(h, aside ? aside : p);
    if (!aside) page_blank(p, 1);
    screen_actions_each(h->of, add_key, p);
    say_mouse(h, aside ? aside : p);
    return p;
}

static void help_draw(struct view *v, struct frame *f) {
    struct help *h = help_of(v);
    char title[80];
    const struct view *of = h->of;
    struct page *aside = f->pane_width ? page_new(f->pane_width, v->app->look.ascii) : NULL;
    struct page *p = lay_keys(h, f->width, aside);
    snprintf(title, sizeof title, "Help: %s",
             of->does->named ? of->does->named(of) : of->does->name);
    screen_frame_title(f, title, "");
    h->height = page_height(p);
    if (aside && page_height(aside) > h->height) h->height = page_height(aside);
    screen_frame_begin(f, screen_frame_lower(f, h->height));
    h->capacity = f->rows;
    int last = h->height > h->capacity ? h->height - h->capacity : 0;
    h->top = h->top > last ? last : h->top < 0 ? 0 : h->top;
    screen_frame_window(f, p, h->top, f->rows, f->top, f->left);
    if (aside) screen_frame_window(f, aside, h->top, f->rows, f->top, f->pane_left);
    screen_frame_more(f, h->top > 0, h->top < last);
    page_free(aside);
    page_free(p);
}

static enum frame_layout help_layout(const struct view *v) {
    (void)v;
    return FRAME_DETAIL;
}

static void help_state(const struct view *v, struct view_states *s) {
    s->is[VIEW_SCROLLS] = true; /* and not VIEW_READING: it has a key for help of its own */
    s->is[LONG] = help_of(v)->height > help_of(v)->capacity;
}

static unsigned help_key(struct view *v, const struct key *k) {
    struct help *h = help_of(v);
    return screen_scroll_key(k, &h->top, h->capacity, h->height) ? VIEW_REDRAW : VIEW_IGNORED;
}

static const struct action ACTIONS[] = {
    {"scroll", "PgDn PgUp", LONG, NULL, "Scroll by a page"},
    {"back", "Esc Enter q ? F1 C-g", 0, screen_action_leave, "Go back"},
};

static void help_close(struct view *v) {
    free(v);
}

static const struct view_operations HELP = {
    .name = "Help",
    .about = "",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .layout = help_layout,
    .state = help_state,
    .draw = help_draw,
    .key = help_key,
    .close = help_close,
};

struct view *screen_view_help(struct app *app, const struct view_request *r,
                              struct base_message *m) {
    (void)m;
    struct help *h = base_alloc(sizeof *h);
    h->view = (struct view){&HELP, app};
    h->of = r->of;
    return &h->view;
}
