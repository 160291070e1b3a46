/* help: the keys for where one is, made from the very table that does them. */
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

static struct page *lay_help(const struct help *h, int width) {
    const struct view *of = h->of;
    struct page *p = page_new(width, h->view.app->look.ascii);
    struct page_flow flow = {.indent = 1, .width = width - 2};
    page_markdown(p, flow, of->does->about);
    const char *now = of->does->now ? of->does->now(of) : NULL;
    if (now) {
        page_blank(p, 1);
        page_text(p, flow, now);
    }
    page_blank(p, 1);
    screen_actions_each(of, add_key, p);
    if (!h->view.app->look.mouse) return p;
    page_blank(p, 1);
    page_text(
        p, flow,
        "A click moves ▸ to a line, and a click on that line does what Enter does. A click on "
        "a line to tick or to put in order acts at once, and so does one on a key, a step, a "
        "term or a lesson that a text names. The wheel scrolls what is under it, and over a "
        "list it moves ▸. The terminal selects text while Mouse is off in the settings, and "
        "most terminals do while you hold Shift.");
    return p;
}

static void help_draw(struct view *v, struct frame *f) {
    struct help *h = help_of(v);
    char title[80];
    struct page *p = lay_help(h, f->width);
    const struct view *of = h->of;
    snprintf(title, sizeof title, "Help: %s",
             of->does->named ? of->does->named(of) : of->does->name);
    screen_frame_title(f, title, "");
    h->height = page_height(p);
    screen_frame_begin(f, screen_frame_lower(f, h->height));
    h->capacity = f->rows;
    int last = h->height > h->capacity ? h->height - h->capacity : 0;
    h->top = h->top > last ? last : h->top < 0 ? 0 : h->top;
    screen_frame_window(f, p, h->top, f->rows, f->top, f->left);
    screen_frame_more(f, h->top > 0, h->top < last);
    page_free(p);
}

static void help_state(const struct view *v, struct view_states *s) {
    (void)v; /* it has a key for help of its own */
    s->is[VIEW_SCROLLS] = true;
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
