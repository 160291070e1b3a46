/* picture: a terminal that is none. It reads its keys from a text and keeps the last frame. */
#include "screen/terminal.h"

#include <poll.h>
#include <stdlib.h>

/* Milliseconds that are waited for before the next key: what moves moves on, what comes in a pause
 * of typing does not come. */
enum { SOON = 100 };

struct picture {
    struct terminal base;
    const char *keys;
    struct page *last;
    enum page_theme theme;
    struct base_message trouble;
};

static void picture_show(struct terminal *t, const struct frame *f, enum page_theme theme,
                         int colours) {
    struct picture *p = (struct picture *)t;
    (void)colours;
    page_free(p->last);
    p->last = page_new(f->columns, page_ascii(f->page));
    p->theme = theme;
    page_paste(p->last, f->page, 0, 0);
    if (page_height(p->last) < f->all_rows) page_blank(p->last, f->all_rows - page_height(p->last));
}

static struct key picture_read(struct terminal *t, int watch, int timeout) {
    struct picture *p = (struct picture *)t;
    struct key k;
    bool types_on = timeout > SOON && *p->keys;
    (void)watch;
    if (timeout > SOON && !types_on) poll(NULL, 0, timeout);
    if (timeout >= 0 && !types_on) return (struct key){PRESS_PACE, 0, 0, -1};
    if (!screen_key_read(&p->keys, &k, &p->trouble)) return (struct key){PRESS_GONE, 0, 0, -1};
    if (k.code == PRESS_RESIZE) {
        t->rows = k.row;
        t->columns = k.column;
    }
    return k;
}

/* Each key is drawn: pictures are rare, and small. */
static bool picture_pending(struct terminal *t) {
    (void)t;
    return false;
}

static void picture_repaint(struct terminal *t) {
    (void)t;
}

static void picture_close(struct terminal *t) {
    struct picture *p = (struct picture *)t;
    page_free(p->last);
    free(p);
}

static const struct terminal_operations PICTURE = {.show = picture_show,
                                                   .read = picture_read,
                                                   .pending = picture_pending,
                                                   .repaint = picture_repaint,
                                                   .close = picture_close};

struct terminal *screen_terminal_of_keys(const char *keys, int columns, int rows, bool unicode,
                                         int colours) {
    struct picture *p = base_alloc(sizeof *p);
    p->base = (struct terminal){
        .does = &PICTURE, .columns = columns, .rows = rows, .colours = colours, .unicode = unicode};
    p->keys = keys;
    return &p->base;
}

char *screen_terminal_last(struct terminal *t, bool svg, struct base_message *m) {
    struct picture *p = (struct picture *)t;
    if (*p->trouble.what || !p->last) {
        *m = p->trouble;
        return NULL;
    }
    return svg ? page_to_svg(p->last, p->theme, "zerotutor") : page_to_text(p->last);
}
