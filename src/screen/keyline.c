/* keyline: the last line, made of the actions that exist where one is. */
#include "screen/view.h"

#include <string.h>

enum { MOST = 16, GAP = 2 };

struct item {
    const struct action *action;
    uint32_t press, other; /* of a pair that goes both ways, the second, or PRESS_NONE */
    char caption[16];
    int width, middle; /* from there a click is the second of a pair */
    bool right;        /* leaving stands at the right */
    bool stays;        /* where room is wanted */
    bool shown;
};
struct line {
    struct item item[MOST];
    size_t count;
    bool ascii;
};

/* "1 2 3" is "1–3": one key for each of some things, none of which stands for all. */
static bool is_range(const struct action *a) {
    return !a->act && strlen(a->keys) > 3 && strncmp(a->keys, "1 2 ", 4) == 0;
}

static void name_range(struct item *i, bool ascii) {
    char last = i->action->keys[strlen(i->action->keys) - 1];
    snprintf(i->caption, sizeof i->caption, "1%s%c", ascii ? "-" : "–", last);
    i->press = i->other = PRESS_NONE;
}

/* The action's first key; the first two of a pair that goes both ways. */
static void name(struct item *i, bool ascii) {
    const char *keys = i->action->keys;
    char *out = i->caption;
    size_t size = sizeof i->caption;
    if (is_range(i->action)) {
        name_range(i, ascii);
        return;
    }
    i->press = screen_key_named(&keys);
    i->other = i->action->act ? PRESS_NONE : screen_key_named(&keys);
    screen_key_caption(i->press, ascii, out, size);
    i->middle = base_width(out) + 1;
    if (i->other == PRESS_NONE) return;
    size_t n = strlen(out);
    if (n + 1 < size) out[n++] = ' ';
    screen_key_caption(i->other, ascii, out + n, size - n);
}

static void collect(void *to, const struct action *a) {
    struct line *l = to;
    if (!a->label || l->count == MOST) return;
    struct item *i = &l->item[l->count++];
    *i = (struct item){.action = a, .shown = true};
    name(i, l->ascii);
    i->right = i->press == PRESS_ESC || i->press == 'q';
    i->stays = i->right || strcmp(a->label, "help") == 0;
    i->width = base_width(i->caption) + 1 + base_width(a->label);
}

static int width_of(const struct line *l) {
    int width = -GAP;
    for (size_t i = 0; i < l->count; i++)
        if (l->item[i].shown) width += l->item[i].width + GAP;
    return width;
}

/* Where a line is too narrow the later keys give way; leaving and help stay: the help has all of them. */
static void make_room(struct line *l, int capacity) {
    for (size_t i = l->count; i-- > 1 && width_of(l) > capacity;) {
        l->item[i].shown = l->item[i].stays;
    }
}

static void put(struct frame *f, int row, int column, const struct item *i) {
    int end = page_put(f->page, row, f->left + column, PAGE_KEY, 0, i->caption);
    page_put(f->page, row, end + 1, PAGE_DIM, 0, i->action->label);
    int first = i->other == PRESS_NONE ? i->width : i->middle;
    screen_frame_zone(f, row, column, first, i->press, -1);
    screen_frame_zone(f, row, column + first, i->width - first, i->other, -1);
}

void screen_keyline_draw(const struct view *v, struct frame *f) {
    struct line l = {.ascii = v->app->look.ascii};
    int width = f->pane_width ? f->pane_left + f->pane_width + 1 - f->left : f->width;
    int row = f->all_rows - 1, column = 1, right = width - 1;
    screen_actions_each(v, collect, &l);
    make_room(&l, width - 2);
    for (size_t i = 0; i < l.count; i++) {
        const struct item *it = &l.item[i];
        if (!it->shown) continue;
        if (it->right) right -= it->width;
        put(f, row, it->right ? right : column, it);
        if (!it->right) column += it->width + GAP;
    }
}
