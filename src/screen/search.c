/* search: places in all lessons, found while typing. */
#include "screen/editor.h"
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

enum { HITS = 100, LEAST = 2, ROWS_A_HIT = 2 };
enum search_state { SEARCH_HIT = VIEW_OWN };

struct hit {
    char *title, *excerpt, *lesson, *step, *place;
};
struct search {
    struct view view;
    struct editor field;
    struct hit hit[HITS];
    struct list list;
    /* there were more than HITS */
    bool cut;
};

static struct search *search_of(const struct view *v) {
    return (struct search *)v;
}

static void forget_hits(struct search *s) {
    for (size_t i = 0; i < s->list.count; i++) {
        struct hit *h = &s->hit[i];
        free(h->title);
        free(h->excerpt);
        free(h->lesson);
        free(h->step);
        free(h->place);
    }
    s->list = (struct list){.tall = ROWS_A_HIT};
    s->cut = false;
}

static void take_hit(void *to, const struct learner_hit *h) {
    struct search *s = to;
    s->cut = s->list.count == HITS;
    if (s->cut) return;
    s->hit[s->list.count++] =
        (struct hit){base_dup(h->title), base_dup(h->excerpt), base_dup(h->lesson),
                     base_dup(h->step), base_format("step %zu", h->number)};
}

static void look_up(struct search *s) {
    const char *words = screen_editor_text(&s->field);
    forget_hits(s);
    if (strlen(words) >= LEAST) session_learner_search(s->view.app->learner, words, take_hit, s);
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
/* The lesson, which of its steps at its right, and the words around below. */
static void draw_hit(struct page *p, const struct hit *h, bool here) {
    int row = page_height(p), right = page_width(p) - 1;
    char *title = screen_frame_cut(h->title, right - 4 - 2 - base_width(h->place), page_ascii(p));
    char *excerpt = screen_frame_cut(h->excerpt, right - 4, page_ascii(p));
    if (here) page_put(p, row, 2, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_put(p, row, 4, here ? PAGE_STRONG : PAGE_PLAIN, 0, title);
    page_put(p, row, right - base_width(h->place), here ? PAGE_ACCENT : PAGE_DIM, 0, h->place);
    page_put(p, row + 1, 4, PAGE_DIM, 0, *excerpt ? excerpt : " ");
    free(title);
    free(excerpt);
}

static void draw_hits(struct search *s, struct frame *f) {
    int rows[HITS];
    struct page *p = page_new(f->width, s->view.app->look.ascii);
    for (size_t i = 0; i < s->list.count; i++) {
        rows[i] = page_height(p);
        draw_hit(p, &s->hit[i], i == s->list.at);
    }
    screen_list_show(&s->list, f, p, rows, f->top + 2, f->rows - 2);
    page_free(p);
}

static void say_count(const struct search *s, char *out, size_t size) {
    size_t n = s->list.count;
    if (strlen(screen_editor_text(&s->field)) < LEAST)
        out[0] = '\0';
    else if (s->cut)
        snprintf(out, size, "the first %zu places", n);
    else
        snprintf(out, size, n == 1 ? "one place" : n ? "%zu places" : "nothing found", n);
}

static void search_draw(struct view *v, struct frame *f) {
    struct search *s = search_of(v);
    char count[40];
    say_count(s, count, sizeof count);
    screen_frame_title(f, "Search", count);
    draw_hits(s, f);
    int column = f->left + 4;
    page_put(f->page, f->top, f->left + 2, PAGE_ACCENT, 0, "/");
    struct editor_spot at =
        screen_editor_draw(&s->field, f->page, f->top, column, f->width - 6, 1, NULL, NULL);
    screen_frame_cursor(f, at.row, at.column - f->left);
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
static void search_state(const struct view *v, struct view_states *s) {
    s->is[VIEW_TYPING] = true;
    s->is[SEARCH_HIT] = search_of(v)->list.count > 0;
}

static unsigned open_hit(struct view *v, const struct key *k) {
    struct search *s = search_of(v);
    const struct hit *h = &s->hit[s->list.at];
    (void)k;
    unsigned opened = screen_app_open(
        v->app, &(struct view_request){.kind = VIEW_LESSON, .name = h->lesson, .step = h->step});
    bool full = v->app->depth == APP_DEPTH; /* then what is below is closed: it leads home */
    return full && opened & VIEW_OPEN ? opened | VIEW_AFRESH : opened;
}

static unsigned search_key(struct view *v, const struct key *k) {
    struct search *s = search_of(v);
    if (k->code == PRESS_CLICK && k->target >= 0 && (size_t)k->target == s->list.at)
        return open_hit(v, k);
    if (screen_list_key_typing(&s->list, k)) return VIEW_REDRAW;
    unsigned revision = s->field.revision;
    if (!screen_editor_key(&s->field, k)) return VIEW_IGNORED;
    if (s->field.revision != revision) look_up(s);
    return VIEW_REDRAW;
}

static const struct action ACTIONS[] = {
    {"open", "Enter", SEARCH_HIT, open_hit, "Open the lesson at this place"},
    {NULL, "Up Down", SEARCH_HIT, NULL, "Move from place to place; a click moves there too"},
    {NULL, "C-u", 0, NULL, "Delete the line up to the cursor"},
    {"back", "Esc", 0, screen_action_leave, "Go back"},
};

static void search_close(struct view *v) {
    forget_hits(search_of(v));
    screen_editor_free(&search_of(v)->field);
    free(v);
}

static const struct view_operations SEARCH = {
    .name = "Search",
    .about = "Type words; every place that has all of them is listed.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .state = search_state,
    .draw = search_draw,
    .key = search_key,
    .close = search_close,
};

struct view *screen_view_search(struct app *app, const struct view_request *r,
                                struct base_message *m) {
    (void)r, (void)m;
    struct search *s = base_alloc(sizeof *s);
    s->view = (struct view){&SEARCH, app};
    s->list.tall = ROWS_A_HIT;
    screen_editor_field(&s->field, EDITOR_LINE, NULL);
    return &s->view;
}
