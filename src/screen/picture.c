/* picture: a terminal that is none. It reads its keys from a text and keeps the last frame, or of a
 * film all frames. */
#include "screen/terminal.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds that are waited for before the next key: what moves moves on, what comes in a pause
 * of typing does not come. */
enum { SOON = 100 };
/* How long a film shows a frame after which nothing moves, and its last one; times are rounded, so
 * that films of one run and the next are the same. */
enum { HOLD = 1600, LAST = 3200, ROUND = 50 };

struct picture {
    struct terminal base;
    const char *keys;
    struct page *last;
    enum page_theme theme;
    struct base_message trouble;
    /* the keys of the film; NULL: none is made */
    const char *film;
    /* its frames; it begins with the one that the other keys led to */
    bool films;
    struct page_film *frame;
    size_t frames;
};

static bool is_same(const struct page *a, const struct page *b) {
    if (page_height(a) != page_height(b) || page_width(a) != page_width(b)) return false;
    for (int row = 0; row < page_height(a); row++)
        for (int column = 0; column < page_width(a); column++)
            if (memcmp(page_cell(a, row, column), page_cell(b, row, column),
                       sizeof(struct page_cell)) != 0)
                return false;
    return true;
}

/* Keeps the frame that is shown now; takes it over. */
static void keep(struct picture *p, struct page *page) {
    if (p->frames && is_same(p->frame[p->frames - 1].page, page)) {
        page_free(page);
        return;
    }
    p->frame = base_grow(p->frame, p->frames + 1, sizeof *p->frame);
    p->frame[p->frames++] = (struct page_film){.page = page};
}

static void hold(const struct picture *p, int ms) {
    if (p->frames) p->frame[p->frames - 1].ms += ms;
}

static struct page *copy_page(const struct page *from) {
    struct page *p = page_new(page_width(from), page_ascii(from));
    page_paste(p, from, 0, 0);
    if (page_height(p) < page_height(from)) page_blank(p, page_height(from) - page_height(p));
    return p;
}

static struct page *copy_of(const struct frame *f) {
    struct page *p = copy_page(f->page);
    if (page_height(p) < f->all_rows) page_blank(p, f->all_rows - page_height(p));
    return p;
}

static void picture_show(struct terminal *t, const struct frame *f, enum page_theme theme,
                         int colours) {
    struct picture *p = (struct picture *)t;
    (void)colours;
    p->theme = theme;
    page_free(p->last);
    p->last = copy_of(f);
    if (p->films) keep(p, copy_of(f));
}

/* What moves is waited for; then the next key of the film is pressed. */
static struct key film_read(struct picture *p, int timeout) {
    struct key k = {PRESS_PACE, 0, 0, -1};
    if (!p->films && timeout < 0) {
        p->films = true;
        keep(p, copy_page(p->last));
    }
    hold(p, timeout < 0 ? HOLD : timeout);
    if (timeout >= 0)
        poll(NULL, 0, timeout);
    else if (!screen_key_read(&p->film, &k, &p->trouble))
        k.code = PRESS_GONE;
    return k;
}

static struct key picture_read(struct terminal *t, int watch, int timeout) {
    struct picture *p = (struct picture *)t;
    struct key k;
    bool types_on = timeout > SOON && *p->keys;
    (void)watch;
    if (p->film && !*p->keys) return film_read(p, timeout);
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
    for (size_t i = 0; i < p->frames; i++) page_free((struct page *)p->frame[i].page);
    free(p->frame);
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

void screen_terminal_film(struct terminal *t, const char *keys) {
    ((struct picture *)t)->film = keys;
}

/* The frames, each with a line under it that says how long it is shown. */
static char *film_text(const struct picture *p) {
    struct base_text all = {0};
    for (size_t i = 0; i < p->frames; i++) {
        char *text = page_to_text(p->frame[i].page);
        base_text_printf(&all, "%s-- %zu: %d ms\n", text, i + 1, p->frame[i].ms);
        free(text);
    }
    return base_text_take(&all);
}

static char *film(struct picture *p, bool svg) {
    for (size_t i = 0; i < p->frames; i++) {
        int ms = (p->frame[i].ms + ROUND / 2) / ROUND * ROUND;
        p->frame[i].ms = i + 1 == p->frames ? LAST : ms < ROUND ? ROUND : ms;
    }
    return svg ? page_film_to_svg(p->frame, p->frames, p->theme, "zerotutor") : film_text(p);
}

char *screen_terminal_last(struct terminal *t, bool svg, struct base_message *m) {
    struct picture *p = (struct picture *)t;
    if (*p->trouble.what || !p->last) {
        *m = p->trouble;
        return NULL;
    }
    if (p->frames) return film(p, svg);
    return svg ? page_to_svg(p->last, p->theme, "zerotutor") : page_to_text(p->last);
}
