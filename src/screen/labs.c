/* labs: the named labs, outside of lessons, under the questions that they answer. Each opens as a
 * lesson of one step, which asks before its runs and after them. */
#include "screen/lab.h"
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

/* what may hold of it */
enum {
    /* its page does not fit */
    LONG = VIEW_OWN,
    /* there are recordings of it */
    TAPED,
    /* there are none */
    UNTAPED,
    /* a run of it is kept */
    KEPT
};
enum {
    LABS_MOST = 64,
    /* rows of a body with room for a few of the list */
    LOW = 12,
    /* of a lab whose title is below its name, at most */
    TALL = 3,
    /* rows for what is said of a lab, under a list that may have all others */
    TALLEST = 14
};

struct labs {
    struct view view;
    struct list list;
    /* the machine on which the one under the cursor was; NULL: it was not */
    char *recorded;
    /* that one */
    size_t looked;
    /* the number of its latest run that was kept, or 0 */
    int64_t kept;
    /* which were run and kept */
    bool done[LABS_MOST];
    /* rows of the lab's page above the window, and at most; the row that tells of a recording, -1:
     * none */
    int scrolled, last, tape;
};
#define LABS_NONE ((size_t)-1)

static struct labs *labs_of(const struct view *v) {
    return (struct labs *)v;
}

static const struct experiment_lab *lab_at(size_t i) {
    return experiment_lab_at(i);
}

/* Recordings are read to see it: once for each lab that the cursor comes to. What is kept of it is
 * looked up with it. */
static const char *recorded(struct labs *l) {
    if (l->looked == l->list.at) return l->recorded;
    free(l->recorded);
    l->looked = l->list.at;
    l->recorded = experiment_recorded_on(lab_at(l->looked));
    l->kept = store_last_run(session_learner_store(l->view.app->learner), lab_at(l->looked)->name);
    return l->recorded;
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
enum { LESSON = 4, DONE = 7, NAME = 9 /* columns */, MINUTES = 7 /* cells */ };

/* The column behind the longest name, or 0 if not every title fits behind it: then titles are below
 * the names, and the minutes only on the lab's own page. */
static int column_of_titles(const struct labs *l, int width) {
    int name = 0, title = 0;
    for (size_t i = 0; i < l->list.count; i++) {
        int own = base_width(lab_at(i)->name), titled = base_width(lab_at(i)->title);
        if (own > name) name = own;
        if (titled > title) title = titled;
    }
    return NAME + name + 1 + title + 1 + MINUTES <= width ? NAME + name + 1 : 0;
}

static void lay_text(struct page *p, int column, unsigned role, const char *text) {
    int width = page_width(p) - column - 1;
    page_text(p, (struct page_flow){.indent = column, .width = width, .role = role}, text);
}

/* Labs of one lesson are together under its question. */
static void lay_question(struct page *p, size_t i) {
    const char *lesson = lab_at(i)->lesson;
    if (i > 0 && strcmp(lesson, lab_at(i - 1)->lesson) == 0) return;
    int row = page_height(p);
    lay_text(p, NAME, PAGE_DIM, experiment_lesson_asks(lesson));
    page_put(p, row, LESSON, PAGE_DIM, 0, lesson);
}

/* `begins`: of each lab, its question included where it is the first under it. */
static struct page *lay_list(struct labs *l, int width, int *rows, int *begins) {
    struct page *p = page_new(width, l->view.app->look.ascii);
    int titles = column_of_titles(l, width);
    l->list.tall = titles ? 1 : TALL;
    for (size_t i = 0; i < l->list.count; i++) {
        const struct experiment_lab *lab = lab_at(i);
        bool here = i == l->list.at;
        begins[i] = page_height(p);
        lay_question(p, i);
        int row = rows[i] = page_height(p);
        if (!titles) page_blank(p, 1);
        lay_text(p, titles ? titles : NAME, here ? PAGE_STRONG : PAGE_DIM, lab->title);
        if (here) page_put(p, row, 2, PAGE_ACCENT, PAGE_BOLD, "▸");
        if (l->done[i]) page_put(p, row, DONE, PAGE_GOOD, 0, "✓");
        page_put(p, row, NAME, here ? PAGE_ACCENT : PAGE_PLAIN, 0, lab->name);
        if (titles) page_printf(p, row, width - MINUTES, PAGE_DIM, "%2u min", lab->minutes);
    }
    return p;
}

static void lay_recorded(struct page *p, struct labs *l) {
    l->tape = -1;
    if (!recorded(l)) return;
    page_blank(p, 1);
    char *text = base_format("play its recording, made on %s", recorded(l)), key[16];
    int row = l->tape = page_height(p);
    int indent = 4 + base_width(screen_key_caption(' ', page_ascii(p), key, sizeof key));
    struct page_flow flow = {
        .indent = indent, .width = page_width(p) - indent - 1, .role = PAGE_DIM};
    page_text(p, flow, text);
    page_put(p, row, 3, PAGE_KEY, 0, key);
    free(text);
}

static void lay_lab(struct page *p, struct labs *l) {
    const struct experiment_lab *lab = lab_at(l->list.at);
    int width = page_width(p);
    struct page_flow flow = {.indent = 1, .width = width - 2};
    (void)recorded(l);
    page_markdown(p, flow, lab->about);
    page_blank(p, 1);
    flow.role = PAGE_STRONG;
    page_markdown(p, flow, lab->ask);
    lay_recorded(p, l);
}

/* Next to the list it says which lab it is of. */
static void lay_heading(struct page *p, const struct experiment_lab *lab) {
    struct page_flow flow = {.indent = 1, .width = page_width(p) - 2, .role = PAGE_STRONG};
    page_text(p, flow, lab->title);
    page_blank(p, 1);
    size_t runs = experiment_variants(lab);
    char *count = runs ? base_format(" %zu run%s,", runs, runs == 1 ? "" : "s") : base_dup("");
    char *text = base_format("Lesson %s,%s about %u minute%s", lab->lesson, count, lab->minutes,
                             lab->minutes == 1 ? "" : "s");
    flow.role = PAGE_DIM;
    page_text(p, flow, text);
    page_blank(p, 1);
    free(count);
    free(text);
}

/* A click on what is said of its recording plays that. The page's window begins at `row`. */
static void zone_tape(const struct labs *l, struct frame *f, const struct page *p, int row,
                      int column) {
    for (int r = l->tape; l->tape >= 0 && r < page_height(p); r++)
        if (r >= l->scrolled && row + r - l->scrolled < f->top + f->rows)
            screen_frame_zone(f, row + r - l->scrolled, column, page_width(p), ' ', -1);
}

/* The page of the lab under the cursor, in the pane. */
static void draw_aside(struct labs *l, struct frame *f) {
    struct page *p = page_new(f->pane_width, l->view.app->look.ascii);
    lay_heading(p, lab_at(l->list.at));
    lay_lab(p, l);
    l->last = screen_frame_aside(f, p, &l->scrolled);
    zone_tape(l, f, p, f->top, f->pane_left - f->left);
    page_free(p);
}

/* The same below the list, from `row` on. */
static void draw_below(struct labs *l, struct frame *f, int row) {
    struct page *p = page_new(f->width, l->view.app->look.ascii);
    lay_lab(p, l);
    int capacity = f->top + f->rows - row;
    l->last = page_height(p) > capacity ? page_height(p) - capacity : 0;
    if (l->scrolled > l->last) l->scrolled = l->last;
    if (l->scrolled < 0) l->scrolled = 0;
    screen_frame_window(f, p, l->scrolled, capacity, row, f->left);
    zone_tape(l, f, p, row, 0);
    screen_frame_more(f, l->scrolled > 0, l->scrolled < l->last);
    page_free(p);
}

static void labs_draw(struct view *v, struct frame *f) {
    struct labs *l = labs_of(v);
    bool pane = f->pane_width > 0;
    int rows[LABS_MOST], begins[LABS_MOST];
    screen_frame_title(f, "Labs", "");
    struct page *list = lay_list(l, f->width, rows, begins);
    int most = pane            ? f->rows
               : f->rows < LOW ? l->list.tall + 1
                               : f->rows / 2,
        shown = page_height(list) < most ? page_height(list) : most;
    l->list.begins = begins;
    screen_list_show(&l->list, f, list, rows, f->top, shown);
    l->list.begins = NULL;
    if (pane)
        draw_aside(l, f);
    else
        draw_below(l, f, f->top + shown + 1);
    page_free(list);
}

static enum frame_layout labs_layout(const struct view *v) {
    (void)v;
    return FRAME_DETAIL;
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
static unsigned run(struct view *v, const struct key *k) {
    (void)k;
    char *name = base_format(LEARNER_LAB "/%s", lab_at(labs_of(v)->list.at)->name);
    unsigned opened =
        screen_app_open(v->app, &(struct view_request){.kind = VIEW_LESSON, .name = name});
    free(name);
    return opened;
}

static unsigned replay(struct view *v, const struct key *k) {
    (void)k;
    return screen_app_open(v->app, &(struct view_request){.kind = VIEW_LAB,
                                                          .name = lab_at(labs_of(v)->list.at)->name,
                                                          .recorded = true});
}

static unsigned no_recording(struct view *v, const struct key *k) {
    (void)k;
    screen_app_notice(v->app, base_format("No recording of '%s' exists. Press Enter to run it.",
                                          lab_at(labs_of(v)->list.at)->name));
    return VIEW_REDRAW;
}

static unsigned quote(struct view *v, const struct key *k) {
    (void)k;
    screen_app_notice(v->app, screen_say_quote(v->app, labs_of(v)->kept));
    return VIEW_REDRAW;
}

static void read_done(struct labs *l) {
    struct store *s = session_learner_store(l->view.app->learner);
    for (size_t i = 0; i < l->list.count; i++) l->done[i] = store_last_run(s, lab_at(i)->name) != 0;
}

/* It was run. */
static void labs_wake(struct view *v) {
    labs_of(v)->scrolled = 0;
    labs_of(v)->looked = LABS_NONE;
    read_done(labs_of(v));
}

static void labs_state(const struct view *v, struct view_states *s) {
    const struct labs *l = labs_of(v);
    s->is[VIEW_READING] = s->is[VIEW_LISTS] = true;
    s->is[LONG] = l->last > 0;
    s->is[TAPED] = l->recorded && l->looked == l->list.at;
    s->is[UNTAPED] = !s->is[TAPED];
    s->is[KEPT] = l->kept && l->looked == l->list.at;
}

static unsigned scroll(struct labs *l, int by) {
    l->scrolled += by;
    return VIEW_REDRAW;
}

static unsigned labs_key(struct view *v, const struct key *k) {
    struct labs *l = labs_of(v);
    if (k->code == PRESS_PAGE_UP || k->code == PRESS_PAGE_DOWN)
        return scroll(l, k->code == PRESS_PAGE_UP ? -KEY_ASIDE_ROWS : KEY_ASIDE_ROWS);
    if (k->target == KEY_ASIDE)
        return scroll(l, k->code == PRESS_WHEEL_UP ? -KEY_ASIDE_ROWS : KEY_ASIDE_ROWS);
    if (screen_list_chosen(&l->list, k)) return run(v, k);
    if (!screen_list_key(&l->list, k)) return VIEW_IGNORED;
    l->scrolled = 0;
    return VIEW_REDRAW;
}

static const struct action ACTIONS[] = {
    {"open", "Enter", 0, run, "Open it: it asks for your guess, and runs"},
    {"recording", "Space", TAPED, replay, "Play its recording"},
    {NULL, "Space", UNTAPED, no_recording, "Say that this lab has no recording"},
    {"cite", "c", KEPT, quote, "Show its latest run's number and how a memo cites it"},
    {"search", "/", 0, screen_action_search, "Search lessons, terms, labs and commands"},
    {"scroll", "PgDn PgUp", LONG, NULL, "Scroll the lab's description"},
    {"back", "Esc q", 0, screen_action_leave, "Go back"},
};

static void labs_close(struct view *v) {
    free(labs_of(v)->recorded);
    free(v);
}

static const struct view_operations LABS = {
    .name = "Labs",
    .about = "Experiments that run on this machine. Each run is kept under a number, so that a "
             "memo can quote what it measured.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .heads = true,
    .layout = labs_layout,
    .state = labs_state,
    .draw = labs_draw,
    .key = labs_key,
    .wake = labs_wake,
    .close = labs_close,
};

struct view *screen_view_labs(struct app *app, const struct view_request *r,
                              struct base_message *m) {
    (void)m;
    struct labs *l = base_alloc(sizeof *l);
    l->view = (struct view){&LABS, app};
    l->looked = LABS_NONE;
    l->list.count = experiment_labs();
    read_done(l);
    if (r->name && experiment_lab_find(r->name)) l->list.at = experiment_lab_place(r->name);
    return &l->view;
}
