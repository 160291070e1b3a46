/* map: the ideas of the course and what each rests on, coloured by how well they are known; or the
 * same ideas in one list, the weakest first. */
#include "screen/list.h"
#include "screen/pane.h"
#include "screen/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ON_MAP = VIEW_OWN, IN_LIST, CAN_TURN, ASKS, LONG };
enum {
    /* rows under the map: a blank one and three of words */
    WORDS = 4,
    /* columns for the last slip, at least: less says nothing of it */
    SLIP = 32,
    HEADS = 2,
    /* columns that the map needs; with fewer there is the list alone */
    LEAST = 76,
    /* column of the list that says how well an idea is known */
    KNOWN = 29,
    /* cells of the title, and around it */
    HEADING = 7,
    /* + an idea: a click on its name in what is said of another */
    LINK = 1000
};
/* where a page says the name of an idea */
struct link {
    int row, column, cells;
    size_t idea;
};

struct map {
    struct view view;
    struct lesson_ideas ideas;
    struct learner_idea known[LESSON_IDEAS_MOST];
    /* what reviews of each would ask */
    struct learner_asks asks[LESSON_IDEAS_MOST];
    struct page_map map;
    struct page_map_place place[PAGE_MAP_IDEAS];
    /* the ideas, weakest first */
    size_t order[LESSON_IDEAS_MOST];
    struct list list;
    size_t at;
    /* of the ideas that it rests on or that need it, as they are shown */
    struct link link[LESSON_IDEAS_MOST];
    size_t links;
    /* the first row shown, on a terminal too low for all */
    int top;
    /* of the idea that the pane was last drawn of, or NULL; and the first row shown there */
    json_t *figure;
    size_t pictured;
    int aside;
    /* there is more of it than the pane shows */
    bool is_long;
    /* as the learner wants it; as the terminal allows it */
    bool listed, narrow;
};

static struct map *map_of(const struct view *v) {
    return (struct map *)v;
}

static bool is_list(const struct map *m) {
    return m->listed || m->narrow;
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
_Static_assert((int)LEARNER_SOLID == (int)PAGE_SOLID && (int)LEARNER_WEAK == (int)PAGE_WEAK &&
                   (int)LEARNER_NOT_MET == (int)PAGE_NOT_MET,
               "the strengths are the same in both");

/* What fades first; then what was not met, in the order of the course. */
static bool is_weaker(const struct map *m, size_t a, size_t b) {
    double x = m->known[a].today, y = m->known[b].today;
    if (isnan(x) || isnan(y)) return !isnan(x) && isnan(y);
    return x < y;
}

static void sort_by_strength(struct map *m) {
    for (size_t i = 0; i < m->ideas.count; i++) {
        size_t at = i;
        for (; at > 0 && is_weaker(m, i, m->order[at - 1]); at--) m->order[at] = m->order[at - 1];
        m->order[at] = i;
    }
}

static void read_ideas(struct map *m) {
    const struct lesson_course *c = session_learner_course(m->view.app->learner);
    m->map = (struct page_map){
        .columns = c->phases, .ideas = m->ideas.count, .ascii = m->view.app->look.ascii};
    memcpy(m->map.column, m->ideas.column, c->phases * sizeof *m->map.column);
    session_learner_ideas_due(m->view.app->learner, &m->ideas, m->asks);
    for (size_t i = 0; i < m->ideas.count; i++) {
        const struct lesson_idea *idea = &m->ideas.idea[i];
        m->known[i] = session_learner_idea(m->view.app->learner, idea);
        struct page_map_idea *drawn = &m->map.idea[i];
        *drawn = (struct page_map_idea){.title = idea->title,
                                        .column = (size_t)idea->phase,
                                        .strength = (enum page_strength)m->known[i].strength,
                                        .rest_count = idea->rest_count};
        memcpy(drawn->rests, idea->rests, sizeof idea->rests);
    }
    sort_by_strength(m);
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
static bool rests_on(const struct map *m, size_t at, size_t other) {
    const struct lesson_idea *idea = &m->ideas.idea[at];
    size_t i = 0;
    while (i < idea->rest_count && idea->rests[i] != other) i++;
    return i < idea->rest_count;
}

static int put_link(struct map *m, struct page *p, int row, int column, size_t idea) {
    int end = page_put(p, row, column, PAGE_DIM, 0, m->ideas.idea[idea].title);
    m->link[m->links++] = (struct link){row, column, end - column, idea};
    screen_link(&m->view.app->look, p, row, column, end);
    return end;
}

/* What the chosen idea rests on, or what needs it, from a row of a page on, in so many rows at
 * most. A name is not broken. */
static void put_related(struct map *m, struct page *p, int row, bool below, int rows) {
    int column = 0;
    for (size_t i = 0; i < m->ideas.count; i++) {
        if (!(below ? rests_on(m, m->at, i) : rests_on(m, i, m->at))) continue;
        const char *before = column ? "," : below ? "Rests on:" : "Needed for:";
        column = page_put(p, row, column, PAGE_DIM, 0, before) + 1;
        bool fits = column + page_measure(p, m->ideas.idea[i].title) < page_width(p);
        if (!fits && --rows == 0) {
            page_put(p, row, column, PAGE_DIM, 0, "…");
            return;
        }
        row += !fits;
        column = put_link(m, p, row, fits ? column : 0, i);
    }
}

/* A click on a name chooses the idea. The page's first row is shown at `row`. */
static void zone_links(const struct map *m, struct frame *f, int row, int rows, int column) {
    for (const struct link *l = m->link; l < m->link + m->links; l++)
        if (l->row < rows && row + l->row >= f->top)
            screen_frame_zone(f, row + l->row, column - f->left + l->column, l->cells, PRESS_NONE,
                              LINK + (int)l->idea);
}

/* "fading: first try 86% likely right, 64% in 30 days", or as much of it as there is room for; the
 * caller's. */
static char *strength_words(const struct map *m, size_t at, int room) {
    const struct learner_idea *known = &m->known[at];
    const char *word = page_strength_words(m->map.idea[at].strength);
    if (isnan(known->today)) return base_dup(word);
    char *all = base_format("%s: first try %d%% likely right, %d%% in 30 days", word,
                            base_percent(known->today), base_percent(known->month));
    if (base_width(all) > room) *strchr(all, ',') = '\0';
    if (base_width(all) > room) *strchr(all, ':') = '\0';
    return all;
}

/* "Last slip, 3 days ago: the gradients were not divided"; "" if there was none. The caller's. */
static char *last_slip(const struct map *m, size_t at) {
    const struct learner_idea *known = &m->known[at];
    if (!*known->slip) return base_dup("");
    if (known->slip_days == 0) return base_format("Last slip, today: %s", known->slip);
    return base_format("Last slip, %lld day%s ago: %s", (long long)known->slip_days,
                       known->slip_days == 1 ? "" : "s", known->slip);
}

static void draw_words(struct map *m, struct frame *f, int row) {
    const struct lesson_idea *idea = &m->ideas.idea[m->at];
    bool ascii = m->view.app->look.ascii;
    int column = screen_frame_put(f, row, 1, PAGE_ACCENT, PAGE_BOLD, idea->title) + 2;
    column = screen_frame_put(f, row, column, PAGE_DIM, 0, idea->lesson) + 2;
    char *known = strength_words(m, m->at, f->width - 1 - column);
    column = screen_frame_put(f, row, column, PAGE_PLAIN, 0, known) + 2;
    int room = f->width - 1 - column;
    char *slip = last_slip(m, m->at), *cut_slip = page_cut(slip, room < SLIP ? 0 : room, ascii);
    if (room >= SLIP) screen_frame_put(f, row, column, PAGE_DIM, 0, cut_slip);
    free(cut_slip);
    free(slip);
    free(known);
    struct page *p = page_new(f->width - 2, ascii);
    put_related(m, p, 0, true, 1);
    put_related(m, p, 1, false, 1);
    screen_frame_window(f, p, 0, 2, row + 1, f->left + 1);
    zone_links(m, f, row + 1, 2, f->left + 1);
    page_free(p);
}

/* A card in the pane says all of it, so the rows below the map leave it out. */
static int rows_of_words(const struct frame *f) {
    return f->pane_width ? 0 : WORDS;
}

static void draw_map(struct map *m, struct frame *f) {
    int rows = f->rows - HEADS - rows_of_words(f);
    struct page *p = page_new(f->width, m->view.app->look.ascii);
    m->map.chosen = m->at;
    int height = page_map_lay(&m->map, f->width, rows, m->place),
        shown = rows < height ? rows : height;
    if (shown < 1) shown = 1;
    page_map_draw(p, &m->map, m->place);
    int at = m->place[m->at].row;
    screen_list_keep_in_view(&m->top, height, shown, at, at + 1);
    screen_frame_window(f, p, 0, HEADS, f->top, f->left);
    screen_frame_window(f, p, HEADS + m->top, shown, f->top + HEADS, f->left);
    for (size_t i = 0; i < m->map.ideas; i++) {
        int row = m->place[i].row - m->top;
        if (row < 0 || row >= shown) continue;
        screen_frame_zone(f, f->top + HEADS + row, m->place[i].at, m->place[i].cells, PRESS_CLICK,
                          (int)i);
    }
    page_free(p);
    if (rows_of_words(f)) draw_words(m, f, f->top + f->rows - WORDS + 1);
}

static void draw_row(struct page *p, const struct map *m, size_t i, bool here) {
    int row = page_height(p);
    char *known = strength_words(m, i, page_width(p) - 1 - KNOWN);
    if (here) page_put(p, row, 2, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_strength_put(p, row, 4, m->map.idea[i].strength);
    page_put(p, row, 6, here ? PAGE_STRONG : PAGE_PLAIN, 0, m->ideas.idea[i].title);
    page_put(p, row, 24, PAGE_DIM, 0, m->ideas.idea[i].lesson);
    page_put(p, row, KNOWN, PAGE_DIM, 0, known);
    free(known);
}

static void draw_list(struct map *m, struct frame *f) {
    int rows[LESSON_IDEAS_MOST];
    for (size_t i = 0; i < m->ideas.count; i++)
        if (m->order[i] == m->at) m->list.at = i;
    struct page *p = page_new(f->width, m->view.app->look.ascii);
    for (size_t i = 0; i < m->ideas.count; i++) {
        rows[i] = page_height(p);
        draw_row(p, m, m->order[i], i == m->list.at);
    }
    screen_list_show(&m->list, f, p, rows, f->top, f->rows - rows_of_words(f));
    page_free(p);
    if (rows_of_words(f)) draw_words(m, f, f->top + f->rows - WORDS + 1);
}

/* How well the chosen idea is known, by how many problems, and what it rests on, in full. */
static void put_card(struct map *m, struct page *p) {
    const struct lesson_idea *idea = &m->ideas.idea[m->at];
    char *known = strength_words(m, m->at, INT_MAX), *slip = last_slip(m, m->at),
         *asked = base_format("%zu of %zu problems answered, %zu due today", m->known[m->at].asked,
                              idea->items, m->asks[m->at].due);
    page_text(p, (struct page_flow){.role = PAGE_PLAIN}, known);
    page_text(p, (struct page_flow){.role = PAGE_DIM}, asked);
    put_related(m, p, page_height(p), true, INT_MAX);
    put_related(m, p, page_height(p), false, INT_MAX);
    if (*slip) page_text(p, (struct page_flow){.role = PAGE_DIM}, slip);
    free(asked);
    free(slip);
    free(known);
}

/* An idea's figure, found once for each idea that the cursor comes to. */
static const json_t *figure_of_chosen(struct map *m) {
    if (m->pictured == m->at) return m->figure;
    json_decref(m->figure);
    m->figure = session_idea_figure(m->view.app->learner, &m->ideas, m->at);
    m->pictured = m->at;
    m->aside = 0;
    return m->figure;
}

/* Draws the chosen idea's card next to the map, on a wide terminal, and its figure below it: of
 * bars the thickest that there is room for, and what is higher than the pane scrolls there. */
static void draw_pane(struct map *m, struct frame *f) {
    if (!f->pane_width) return;
    struct learner *who = m->view.app->learner;
    const struct lesson_idea *idea = &m->ideas.idea[m->at];
    struct page *p = page_new(f->pane_width, m->view.app->look.ascii);
    page_set_colours(p, m->view.app->look.colours);
    const struct lesson_entry *lesson = &session_learner_course(who)->lesson[session_learner_find(
        who, idea->lesson)]; /* the map was read against the course */
    char *taught = base_format("Taught in %s, %s", lesson->id, lesson->title);
    page_text(p, (struct page_flow){.role = PAGE_STRONG}, idea->title);
    page_text(p, (struct page_flow){.role = PAGE_DIM}, taught);
    free(taught);
    page_blank(p, 1);
    put_card(m, p);
    page_blank(p, 1);
    const json_t *figure = figure_of_chosen(m);
    if (!screen_pane_figure(p, figure, f->rows, &m->view.app->look))
        screen_pane_figure(p, figure, INT_MAX, &m->view.app->look);
    m->is_long = screen_frame_aside(f, p, &m->aside) > 0;
    zone_links(m, f, f->top - m->aside, f->rows + m->aside, f->pane_left);
    page_free(p);
}

/* How many ideas are known how well: in words too, where they have room, for they explain the
 * signs. The caller's. */
static char *say_counts(const struct map *m, int room) {
    size_t count[PAGE_STRENGTHS] = {0};
    struct base_text brief = {0}, whole = {0};
    for (size_t i = 0; i < m->map.ideas; i++) count[m->map.idea[i].strength]++;
    base_text_printf(&brief, "%zu ideas", m->map.ideas);
    base_text_puts(&whole, brief.s);
    for (int i = PAGE_STRENGTHS; i-- > 0;) {
        enum page_strength s = (enum page_strength)i;
        const char *sign = page_strength_sign(s, m->view.app->look.ascii);
        if (!count[s]) continue;
        base_text_printf(&brief, "  %s %zu", sign, count[s]);
        base_text_printf(&whole, "  %s %zu %s", sign, count[s], page_strength_words(s));
    }
    bool fits = base_width(whole.s) <= room;
    base_text_free(fits ? &brief : &whole);
    return base_text_take(fits ? &whole : &brief);
}

static void map_draw(struct view *v, struct frame *f) {
    struct map *m = map_of(v);
    char *counts = say_counts(m, f->width - HEADING);
    screen_frame_title(f, "Map", counts);
    free(counts);
    m->links = 0;
    m->narrow = f->width < LEAST;
    m->is_long = false;
    is_list(m) ? draw_list(m, f) : draw_map(m, f);
    draw_pane(m, f);
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
/* Up and down within the column; to the sides, to the idea nearest by row. */
static void step(struct map *m, int across, int down) {
    size_t best = m->at;
    int least = INT_MAX;
    for (size_t i = 0; i < m->map.ideas; i++) {
        int rows = m->place[i].row - m->place[m->at].row;
        int columns = (int)m->map.idea[i].column - (int)m->map.idea[m->at].column;
        if (across ? columns != across : columns != 0 || rows * down <= 0) continue;
        if (abs(rows) >= least) continue;
        least = abs(rows);
        best = i;
    }
    m->at = best;
}

static unsigned open_idea(struct view *v, const struct key *k) {
    const struct lesson_idea *idea = &map_of(v)->ideas.idea[map_of(v)->at];
    (void)k;
    return screen_app_open(
        v->app,
        &(struct view_request){.kind = VIEW_LESSON, .name = idea->lesson, .step = idea->step});
}

static unsigned review_idea(struct view *v, const struct key *k) {
    char *name = base_format(LEARNER_REVIEW_OF "%s", map_of(v)->ideas.idea[map_of(v)->at].id);
    (void)k;
    unsigned done =
        screen_app_open(v->app, &(struct view_request){.kind = VIEW_LESSON, .name = name});
    free(name);
    return done;
}

static unsigned turn(struct view *v, const struct key *k) {
    struct map *m = map_of(v);
    (void)k;
    m->listed = !m->listed;
    return VIEW_REDRAW;
}

static const struct {
    uint32_t code;
    signed char across, down;
} WAYS[] = {
    {PRESS_LEFT, -1, 0}, {PRESS_RIGHT, 1, 0}, {PRESS_UP, 0, -1},
    {'k', 0, -1},        {PRESS_DOWN, 0, 1},  {'j', 0, 1},
};

static unsigned key_on_map(struct map *m, const struct key *k) {
    if (k->code == PRESS_CLICK && k->target >= 0 && (size_t)k->target < m->map.ideas) {
        bool again = (size_t)k->target == m->at;
        m->at = (size_t)k->target;
        return again ? open_idea(&m->view, k) : VIEW_REDRAW;
    }
    for (size_t i = 0; i < BASE_COUNT(WAYS); i++)
        if (WAYS[i].code == k->code) {
            step(m, WAYS[i].across, WAYS[i].down);
            return VIEW_REDRAW;
        }
    return VIEW_IGNORED;
}

static unsigned key_in_list(struct map *m, const struct key *k) {
    if (screen_list_chosen(&m->list, k)) return open_idea(&m->view, k);
    if (!screen_list_key(&m->list, k)) return VIEW_IGNORED;
    m->at = m->order[m->list.at];
    return VIEW_REDRAW;
}

static unsigned scroll_pane(struct map *m, bool up) {
    m->aside += up ? -KEY_ASIDE_ROWS : KEY_ASIDE_ROWS;
    return VIEW_REDRAW;
}

static unsigned map_key(struct view *v, const struct key *k) {
    struct map *m = map_of(v);
    if (k->target == KEY_ASIDE) return scroll_pane(m, k->code == PRESS_WHEEL_UP);
    if (m->is_long && !is_list(m) && (k->code == PRESS_PAGE_UP || k->code == PRESS_PAGE_DOWN))
        return scroll_pane(m, k->code == PRESS_PAGE_UP);
    if (k->code == PRESS_CLICK && k->target >= LINK) {
        m->at = (size_t)(k->target - LINK);
        return VIEW_REDRAW;
    }
    return is_list(m) ? key_in_list(m, k) : key_on_map(m, k);
}

static void map_state(const struct view *v, struct view_states *s) {
    const struct learner_asks *asks = &map_of(v)->asks[map_of(v)->at];
    s->is[VIEW_READING] = true;
    s->is[ON_MAP] = !is_list(map_of(v));
    s->is[VIEW_LISTS] = s->is[IN_LIST] = is_list(map_of(v));
    s->is[ASKS] = asks->due > 0 || asks->early > 0;
    s->is[LONG] = map_of(v)->is_long && !is_list(map_of(v));
    s->is[CAN_TURN] = map_of(v)->listed && !map_of(v)->narrow;
}

static enum frame_layout map_layout(const struct view *v) {
    (void)v;
    return FRAME_FIGURES_PANE;
}

static void map_wake(struct view *v) {
    read_ideas(map_of(v)); /* something was answered meanwhile */
}

static const struct action ACTIONS[] = {
    {"open", "Enter", 0, open_idea, "Open the lesson where this idea begins"},
    {"column", "Left Right", ON_MAP, NULL, "Move to the idea on the left or right"},
    {"row", "Up Down k j", ON_MAP, NULL, "Move to the idea above or below"},
    {"move", "Up Down k j", IN_LIST, NULL, "Move from idea to idea"},
    {"review", "r", ASKS, review_idea, "Review this idea: what is due today, or else all of it"},
    {"by strength", "Tab", ON_MAP, turn, "List the ideas, the weakest first"},
    {"map", "Tab", CAN_TURN, turn, "Show the map again"},
    {"scroll", "PgDn PgUp", LONG, NULL, "Scroll what is said of the idea"},
    {"search", "/", VIEW_READING, screen_action_search, "Search all lessons"},
    {"back", "Esc q", 0, screen_action_leave, "Go back"},
};

static void map_close(struct view *v) {
    json_decref(map_of(v)->figure);
    lesson_ideas_free(&map_of(v)->ideas);
    free(v);
}

static const struct view_operations MAP = {
    .name = "The map",
    .about = "The ideas of the course, phase by phase. Lines lead from the ideas that the chosen "
             "one rests on, and to those that need it. The sign and the percentage estimate how "
             "likely your next first try at a new problem of an idea is right, as Progress has "
             "it: solid from 90% on, fading from 70% on, weak below. Only first tries count, so an "
             "idea can be weak although you corrected a mistake today. Home's percentage is "
             "another: how much you would recall of what a lesson asked.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .layout = map_layout,
    .state = map_state,
    .draw = map_draw,
    .key = map_key,
    .wake = map_wake,
    .close = map_close,
};

/* The cursor begins at the first idea that was not met. */
static size_t first_open(const struct map *m) {
    for (size_t i = 0; i < m->map.ideas; i++)
        if (m->map.idea[i].strength == PAGE_NOT_MET) return i;
    return 0;
}

struct view *screen_view_map(struct app *app, const struct view_request *r,
                             struct base_message *why) {
    (void)r;
    struct map *m = base_alloc(sizeof *m);
    m->view = (struct view){&MAP, app};
    m->list.tall = 1;
    m->pictured = LESSON_IDEAS_MOST;
    if (!session_learner_map(app->learner, &m->ideas, why)) {
        free(m);
        return NULL;
    }
    m->list.count = m->ideas.count;
    read_ideas(m);
    m->at = first_open(m);
    page_map_lay(&m->map, LEAST, 0, m->place); /* for keys that come before it is drawn */
    return &m->view;
}
