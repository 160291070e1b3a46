/* screen_home_first_draw: home on an empty record. What it is about in a sentence, one true
 * picture, and three ways to begin; next to them what the one under the cursor leads to. */
#include "screen/home.h"

#include <stdlib.h>
#include <string.h>

/* Columns of the names, and the least that there is room for next to them. */
enum { NAMES = 24, LEAST = 16 };

/* What gives way where there is little space, first to last. */
enum { ALL, NO_FOOT, NO_LEGEND, NO_FIGURE, ONE_SENTENCE };

static const char *const foot =
    "You need no account, network or GPU. Your answers stay in one file "
    "on this machine, and Esc never loses anything.";

/* In a class, until when it runs. */
static const char *foot_of(const struct home *h) {
    return h->class_hours ? h->class_hours : foot;
}

static const struct lesson_welcome *welcome_of(const struct home *h) {
    return &session_learner_course(h->view.app->learner)->welcome;
}

/* Up to the first full stop. */
static char *first_sentence(const char *text) {
    const char *end = strstr(text, ". ");
    return end ? base_format("%.*s", (int)(end + 1 - text), text) : base_dup(text);
}

static struct page_flow prose(const struct page *p, unsigned role) {
    int width = page_width(p) < FRAME_PROSE ? page_width(p) : FRAME_PROSE;
    return (struct page_flow){.indent = 1, .width = width - 2, .role = role};
}

static void put_text(const struct home *h, struct page *p, int level) {
    const char *whole = welcome_of(h)->text;
    char *text = level >= ONE_SENTENCE ? first_sentence(whole) : base_dup(whole);
    page_markdown(p, prose(p, PAGE_PLAIN), text);
    page_blank(p, 1);
    free(text);
}

static void put_figure(const struct home *h, struct page *p, int level) {
    struct base_message m = {0};
    if (!welcome_of(h)->figure || level >= NO_FIGURE) return;
    json_t *figure = json_copy((json_t *)welcome_of(h)->figure);
    if (level >= NO_LEGEND) {
        json_object_set_new(figure, "legend", json_false());
        json_object_set_new(figure, "terse", json_true());
    }
    struct page_flow flow = {.indent = 1, .width = page_width(p) - 2};
    if (!page_figure(p, flow, figure, &m)) page_text(p, flow, m.what);
    page_blank(p, 1);
    json_decref(figure);
}

static const char *const names[HOME_WAYS] = {
    [HOME_START] = "Start", [HOME_PLACE] = "I know some of this", [HOME_WATCH] = "Just looking"};

/* What a way leads to; the caller's. */
static char *about(const struct home *h, enum home_way way) {
    const struct lesson_entry *l = &session_learner_course(h->view.app->learner)->lesson[h->next];
    if (way == HOME_START) return base_format("%s  %s", l->id, l->title);
    return base_dup(way == HOME_PLACE ? "a few problems find where to start"
                                      : "watch a real run of the lab");
}

static void put_way(const struct home *h, struct page *p, size_t i, bool ascii) {
    int row = page_height(p), right = page_width(p) - 1;
    bool here = i == h->ways.at;
    enum home_way way = (enum home_way)i;
    char *what = about(h, way), *key = NULL;
    if (way == HOME_START)
        key = base_format("%d min",
                          session_learner_course(h->view.app->learner)->lesson[h->next].minutes);
    if (way == HOME_PLACE) key = base_dup("p");
    int space = right - 4 - NAMES - (key ? base_width(key) + 2 : 0);
    char *cut = page_cut(what, space > 0 ? space : 0, ascii);
    if (here) page_put(p, row, 2, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_put(p, row, 4, here ? PAGE_STRONG : PAGE_PLAIN, 0, names[way]);
    if (space >= LEAST) page_put(p, row, 4 + NAMES, PAGE_DIM, 0, cut);
    if (key)
        page_put(p, row, right - base_width(key), way == HOME_PLACE ? PAGE_KEY : PAGE_DIM, 0, key);
    free(cut);
    free(key);
    free(what);
}

static bool is_laid_out(const struct home_welcome *w, const struct frame *f,
                        const struct look *look) {
    return w->page && w->width == f->width && w->rows == f->rows && w->ascii == look->ascii &&
           w->colours == look->colours;
}

/* The text above the ways to begin is laid out once: a key that moves the cursor leaves it. */
static const struct page *welcome(struct home *h, const struct frame *f, int level) {
    const struct look *look = &h->view.app->look;
    struct home_welcome *w = &h->welcome;
    if (is_laid_out(w, f, look) && w->level == level) return w->page;
    page_free(w->page);
    struct page *p = page_new(f->width, look->ascii);
    *w = (struct home_welcome){p, f->width, f->rows, level, look->ascii, look->colours};
    page_set_colours(p, look->colours);
    put_text(h, p, level);
    page_set_thick(p, screen_frame_thick(f));
    put_figure(h, p, level);
    return p;
}

static struct page *lay(struct home *h, const struct frame *f, int level, int *rows) {
    struct page *p = page_new(f->width, h->view.app->look.ascii);
    const struct page *top = welcome(h, f, level);
    page_append(p, top, 0, page_height(top));
    for (size_t i = 0; i < h->ways.count; i++) {
        rows[i] = page_height(p);
        put_way(h, p, i, h->view.app->look.ascii);
    }
    if (level >= NO_FOOT) return p;
    page_blank(p, 1);
    page_text(p, prose(p, PAGE_DIM), foot_of(h));
    return p;
}

void screen_home_first_draw(struct home *h, struct frame *f) {
    int rows[HOME_WAYS];
    int level = is_laid_out(&h->welcome, f, &h->view.app->look) ? h->welcome.level : ALL;
    struct page *p = lay(h, f, level, rows);
    while (page_height(p) > f->rows && level < ONE_SENTENCE) {
        page_free(p);
        p = lay(h, f, ++level, rows);
    }
    int spare = f->rows - page_height(p);
    screen_frame_begin(f, spare > 0 ? spare / 3 : 0);
    screen_list_show(&h->ways, f, p, rows, f->top, f->rows);
    screen_home_pane_draw(h, f);
    page_free(p);
}
