/* entry: a term, a question, a card or a command, read over the view where it was opened. */
#include "screen/list.h"
#include "screen/pane.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

/* rows of the box around its text; columns of its margin */
enum { FRAME_ROWS = 2, MARGIN = 2, RELATED = 5, RELATED_GAP = 3, ASIDE_LEAST = 36 };
enum entry_state { ENTRY_LEADS = VIEW_OWN, ENTRY_RELATED, ENTRY_OTHERS };

struct entry {
    struct view view;
    struct session_entry *shown;
    /* where it was opened, and which of the terms there this is */
    const struct view *below;
    size_t nth;
    /* of its text: the first row shown, and all; and the rows of the window */
    int top, height, capacity;
};

static struct entry *entry_of(const struct view *v) {
    return (struct entry *)v;
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
/* Side by side as far as there is room; a number stays with its word. */
static void put_related(struct page *p, const struct session_entry *e, int width) {
    size_t i;
    const json_t *name;
    int column = 0, row = page_height(p) + 1;
    json_array_foreach(e->related, i, name) {
        char *item = base_format("%zu %s", i + 1, json_string_value(name));
        bool fits = column + base_width(item) <= width;
        row += !fits;
        column = page_put(p, row, fits ? column : 0, PAGE_DIM, 0, item) + RELATED_GAP;
        free(item);
    }
}

static void put_lead(struct page *p, const struct session_entry *e, const struct app *app,
                     int width) {
    char *lead = session_entry_leads(app->learner, e);
    if (!lead) return;
    page_blank(p, 1);
    int row = page_height(p);
    page_text(p, (struct page_flow){.indent = 11, .width = width - 11, .role = PAGE_ACCENT}, lead);
    page_put(p, row, 0, PAGE_DIM, 0, "taught in");
    free(lead);
}

static void put_figure(struct page *p, const json_t *figure, int rows, const struct look *look) {
    struct base_message m = {0};
    if (screen_pane_figure(p, figure, rows, look)) return;
    if (!page_figure(p, (struct page_flow){.width = page_width(p)}, figure, &m))
        page_text(p, (struct page_flow){.role = PAGE_BAD}, m.what);
}

struct page *screen_entry_lay(const struct session_entry *e, const struct app *app, int width,
                              int rows) {
    struct page *p = page_new(width, app->look.ascii), *end = page_new(width, app->look.ascii);
    page_set_colours(p, app->look.colours);
    int prose = width < FRAME_PROSE ? width : FRAME_PROSE;
    page_text(p, (struct page_flow){.role = PAGE_TITLE, .width = prose}, e->title);
    page_blank(p, 1);
    page_markdown(p, (struct page_flow){.width = prose}, e->text);
    put_related(end, e, prose);
    put_lead(end, e, app, prose);
    page_blank(p, e->figure != NULL);
    if (e->figure) put_figure(p, e->figure, rows - page_height(end), &app->look);
    page_append(p, end, 0, page_height(end));
    page_free(end);
    return p;
}

/* Where the page says a text: false if it does not, on one row. */
static bool find_text(const struct page *p, const char *text, int *row, int *column) {
    for (*row = 0; *row < page_height(p); ++*row)
        for (*column = 0; *column < page_width(p); ++*column)
            if (page_says(p, *row, *column, text) >= 0) return true;
    return false;
}

/* A click on what leads on is the key that does it. */
static void put_zone(struct frame *f, struct screen_entry_window w, int row, int column, int width,
                     struct zone does) {
    if (row >= w.top && row < w.top + w.rows)
        screen_frame_zone(f, w.row + row - w.top, w.column + column, width, does.press,
                          does.target);
}

static void put_related_zones(const struct session_entry *e, const struct page *p, struct frame *f,
                              struct screen_entry_window w, int target) {
    size_t i;
    const json_t *name;
    json_array_foreach(e->related, i, name) {
        char *text = base_format("%zu %s", i + 1, json_string_value(name));
        struct zone does = {.press = '1' + (uint32_t)i, .target = -1};
        if (target >= 0) does = (struct zone){.press = PRESS_NONE, .target = target + (int)i};
        int row, column;
        if (i < RELATED && find_text(p, text, &row, &column))
            put_zone(f, w, row, column, base_width(text), does);
        free(text);
    }
}

/* The last rows say where it is taught. */
void screen_entry_zones(const struct session_entry *e, const struct page *p, struct frame *f,
                        struct screen_entry_window w, uint32_t press, int related) {
    int row = page_height(p);
    put_related_zones(e, p, f, w, related);
    if (!e->lesson) return;
    do put_zone(f, w, --row, 0, page_width(p), (struct zone){.press = press, .target = -1});
    while (row > 0 && strcmp(page_cell(p, row, 0)->text, " ") == 0);
}

static void clear_rows(struct frame *f, int from, int to, int left, int width) {
    for (int row = from; row < to; row++)
        for (int c = 0; c < width; c++) page_put(f->page, row, left + c, PAGE_PLAIN, 0, " ");
}

/* A box over the end of the body, as high as its text needs. */
static struct screen_entry_window put_box(const struct entry *e, struct frame *f) {
    int top = f->all_rows - 2 - e->capacity - 1;
    clear_rows(f, top - 1, f->all_rows - 1, f->left, f->width);
    page_rule(f->page, top - 1, f->left + 1, f->width - 2);
    return (struct screen_entry_window){e->top, e->capacity, top, MARGIN};
}

static struct screen_entry_window put_aside(const struct entry *e, struct frame *f) {
    clear_rows(f, f->top, f->top + f->rows, f->pane_left, f->pane_width);
    return (struct screen_entry_window){e->top, e->capacity, f->top, f->pane_left - f->left};
}

/* In the pane if that is wide enough to read. Then the view below stays in sight, and details have
 * one place. */
static void entry_draw(struct view *v, struct frame *f) {
    struct entry *e = entry_of(v);
    int box = f->width - 2 * MARGIN, most = f->all_rows - 2 - 1 - FRAME_ROWS;
    bool aside = f->pane_width >= ASIDE_LEAST;
    if (aside) most = f->rows;
    struct page *p = screen_entry_lay(e->shown, v->app, aside ? f->pane_width : box, most);
    e->height = page_height(p);
    e->capacity = e->height <= most ? e->height : most;
    int last = e->height - e->capacity;
    e->top = e->top > last ? last : e->top < 0 ? 0 : e->top;
    struct screen_entry_window w = aside ? put_aside(e, f) : put_box(e, f);
    screen_frame_window(f, p, e->top, e->capacity, w.row, f->left + w.column);
    screen_frame_more(f, e->top > 0, e->top < last);
    screen_entry_zones(e->shown, p, f, w, 'o', -1);
    page_free(p);
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
/* Of the terms on the screen below. */
static const char *term_below(const struct entry *e, size_t nth) {
    return e->below->does->term ? e->below->does->term(e->below, nth) : NULL;
}

static void entry_state(const struct view *v, struct view_states *s) {
    const struct session_entry *e = entry_of(v)->shown;
    s->is[VIEW_READING] = s->is[VIEW_SCROLLS] = true;
    s->is[ENTRY_LEADS] = e->lesson != NULL;
    s->is[ENTRY_RELATED] = json_array_size(e->related) > 0;
    s->is[ENTRY_OTHERS] = term_below(entry_of(v), 1) != NULL;
}

static unsigned open_where(struct view *v, const struct key *k) {
    const struct session_entry *e = entry_of(v)->shown;
    (void)k;
    return screen_app_open(
        v->app, &(struct view_request){.kind = VIEW_LESSON, .name = e->lesson, .step = e->step});
}

static unsigned show_term(struct entry *e, const char *name) {
    struct app *app = e->view.app;
    struct session_entry *other =
        name ? session_entry_open(app->learner, SESSION_TERM, name, screen_app_asks(app), NULL)
             : NULL;
    if (!other) return VIEW_IGNORED;
    session_entry_close(e->shown);
    e->shown = other;
    e->top = 0;
    return VIEW_REDRAW;
}

static unsigned show_other(struct entry *e, int by) {
    size_t count = 0;
    while (term_below(e, count)) count++;
    if (count < 2) return VIEW_IGNORED;
    e->nth = (e->nth + count + (size_t)by) % count;
    return show_term(e, term_below(e, e->nth));
}

static unsigned entry_key(struct view *v, const struct key *k) {
    struct entry *e = entry_of(v);
    if (k->code >= '1' && k->code < '1' + RELATED)
        return show_term(e, json_string_value(json_array_get(e->shown->related, k->code - '1')));
    switch (k->code) {
    case PRESS_LEFT: return show_other(e, -1);
    case PRESS_RIGHT: return show_other(e, 1);
    case PRESS_CLICK: return VIEW_LEAVE; /* beside it */
    default: break;
    }
    return screen_scroll_key(k, &e->top, e->capacity, e->height) ? VIEW_REDRAW : VIEW_IGNORED;
}

static const struct action ACTIONS[] = {
    {"back", "Enter", 0, screen_action_leave, "Go back to where you were"},
    {"its lesson", "o Tab", ENTRY_LEADS, open_where, "Open the lesson that teaches it"},
    {"other words", "Left Right", ENTRY_OTHERS, NULL, "Another word on this screen"},
    {NULL, NULL, ENTRY_RELATED, NULL, NULL},
    {"back", "Esc q", 0, screen_action_leave, "Go back to where you were"},
};

/* One key for each related term. */
static const char opens[] = "Open a related term";
static const struct action RELATED_KEYS[] = {
    {"related", "1", ENTRY_RELATED, NULL, opens},
    {"related", "1 2", ENTRY_RELATED, NULL, opens},
    {"related", "1 2 3", ENTRY_RELATED, NULL, opens},
    {"related", "1 2 3 4", ENTRY_RELATED, NULL, opens},
    {"related", "1 2 3 4 5", ENTRY_RELATED, NULL, opens},
};

static const struct action *entry_extra(const struct view *v, size_t *count) {
    size_t related = json_array_size(entry_of(v)->shown->related);
    *count = 1;
    return &RELATED_KEYS[(related < RELATED ? related : RELATED) - 1];
}

static void entry_close(struct view *v) {
    session_entry_close(entry_of(v)->shown);
    free(v);
}

static const struct view_operations ENTRY = {
    .name = "A term or a question",
    .about = "What a word means, with its formula and numbers, or the answer to a question.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .over = true,
    .extra = entry_extra,
    .state = entry_state,
    .draw = entry_draw,
    .key = entry_key,
    .close = entry_close,
};

struct view *screen_view_entry(struct app *app, const struct view_request *r,
                               struct base_message *m) {
    struct session_entry *shown =
        session_entry_open(app->learner, r->entry, r->name, screen_app_asks(app), m);
    if (!shown) return NULL;
    struct entry *e = base_alloc(sizeof *e);
    e->view = (struct view){&ENTRY, app};
    e->shown = shown;
    e->below = app->stack[app->depth - 1];
    const char *term = term_below(e, 0);
    while (term && strcmp(term, shown->title) != 0) term = term_below(e, ++e->nth);
    return &e->view;
}
