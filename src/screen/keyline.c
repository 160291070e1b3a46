/* keyline: the last line, made of the actions that exist where one is. */
#include "screen/view.h"

#include <string.h>

enum { MOST = 16, GAP = 2 };

struct item {
    const struct action *action;
    uint32_t press;
    char caption[16];
    int width;
    bool right; /* leaving stands at the right */
    bool shown;
};
struct line {
    struct item item[MOST];
    size_t count;
    bool ascii;
};

/* The action's first key; the first two of a pair that goes both ways. */
static void caption(const struct action *a, uint32_t first, const char *rest, bool ascii, char *out,
                    size_t size) {
    uint32_t second = key_named(&rest);
    key_caption(first, ascii, out, size);
    if (a->act || second == PRESS_NONE) return;
    size_t n = strlen(out);
    if (n + 1 < size) out[n++] = ' ';
    key_caption(second, ascii, out + n, size - n);
}

static void collect(void *to, const struct action *a) {
    struct line *l = to;
    if (!a->label || l->count == MOST) return;
    struct item *i = &l->item[l->count++];
    const char *keys = a->keys;
    *i = (struct item){.action = a, .press = key_named(&keys), .shown = true};
    i->right = i->press == PRESS_ESC;
    caption(a, i->press, keys, l->ascii, i->caption, sizeof i->caption);
    i->width = base_width(i->caption) + 1 + base_width(a->label);
}

static int width_of(const struct line *l) {
    int width = -GAP;
    for (size_t i = 0; i < l->count; i++)
        if (l->item[i].shown) width += l->item[i].width + GAP;
    return width;
}

/* Where a line is too narrow the later keys give way; leaving and help stay: the help has all of them. */
static void make_room(struct line *l, int room) {
    for (size_t i = l->count; i-- > 1 && width_of(l) > room;) {
        struct item *it = &l->item[i];
        it->shown = it->right || strcmp(it->action->label, "help") == 0;
    }
}

static void put(struct frame *f, int row, int column, const struct item *i) {
    int end = frame_put(f, row, column, PAPER_KEY, 0, i->caption);
    frame_put(f, row, end + 1, PAPER_DIM, 0, i->action->label);
    frame_zone(f, row, column, i->width, i->press, -1);
}

void keyline_draw(const struct view *v, struct frame *f) {
    struct line l = {.ascii = v->app->look.ascii};
    int row = f->all_rows - 1, column = 1, right = f->width - 1;
    actions_each(v, collect, &l);
    make_room(&l, f->width - 2);
    for (size_t i = 0; i < l.count; i++) {
        const struct item *it = &l.item[i];
        if (!it->shown) continue;
        if (it->right) right -= it->width;
        put(f, row, it->right ? right : column, it);
        if (!it->right) column += it->width + GAP;
    }
}
