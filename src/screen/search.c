/* search: lists of what can be looked up, found while typing: everything, or the glossary, the
 * questions, the bookmarks and notes alone. */
#include "screen/editor.h"
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

enum {
    HITS = 200,
    LEAST = 2,
    ROWS_A_HIT = 2,
    /* before a lesson is read that was not read yet */
    READ_MS = 5,
    /* + the place of a term that is related to what the pane shows */
    RELATED = 2000
};
enum search_state {
    SEARCH_HIT = VIEW_OWN,
    /* what is under the cursor opens; it leads to a lesson, and is read next to the list already */
    SEARCH_OPENS,
    SEARCH_LEADS,
    SEARCH_SEEN
};

struct hit {
    enum session_kind kind;
    char *name, *title, *excerpt, *lesson, *step, *place;
};
/* What a list is called, and what its search is about. */
static const struct shelf {
    unsigned kinds;
    const char *title, *one, *many, *none;
    /* what to do if there is nothing at all, before a word was typed */
    const char *empty;
} shelves[] = {
    {0, "Search", "one place", "%zu places", "nothing found",
     "Type at least two letters. Every entry that has all the words is listed: lessons, terms, "
     "questions, steps, myths, cards, notes, labs and commands."},
    {VIEW_GLOSSARY, "Glossary", "one term", "%zu terms", "no such term",
     "The glossary cannot be read: `zerotutor doctor` checks the installation."},
    {VIEW_QUESTIONS, "Questions people ask", "one question", "%zu questions", "no such question",
     "The questions cannot be read: `zerotutor doctor` checks the installation."},
    {VIEW_NOTES, "Bookmarks and notes", "one entry", "%zu entries", "none",
     "You have no bookmarks or notes yet. In a lesson, `b` sets a bookmark at a step, and `A` "
     "writes a note. Both are listed here, and opening one leads to its step."},
};
static const char MISSED[] = "No entry has all of these words. Try fewer words or shorter ones.";
struct search {
    struct view view;
    const struct shelf *shelf;
    struct editor field;
    struct hit hit[HITS];
    struct list list;
    /* there were more than HITS */
    bool cut;
    /* of what the cursor is on, for the second pane; NULL: not made yet */
    struct session_entry *entry;
    /* its first row that is shown there */
    int aside;
    /* all of it is shown there */
    bool seen;
    /* If there is no list: the note that is shown instead, laid out, and its words. */
    struct page *note;
    const char *noted;
};

static struct search *search_of(const struct view *v) {
    return (struct search *)v;
}

static void forget_entry(struct search *s) {
    session_entry_close(s->entry);
    s->entry = NULL;
    s->aside = 0;
    s->seen = false;
}

static void forget_hits(struct search *s) {
    for (size_t i = 0; i < s->list.count; i++) {
        struct hit *h = &s->hit[i];
        free(h->name);
        free(h->title);
        free(h->excerpt);
        free(h->lesson);
        free(h->step);
        free(h->place);
    }
    s->list = (struct list){.tall = ROWS_A_HIT};
    s->cut = false;
    forget_entry(s);
}

static char *copy_of(const char *s) {
    return s ? base_dup(s) : NULL;
}

static char *place_of(const struct search *s, const struct session_hit *h) {
    bool tells = s->shelf->kinds == VIEW_GLOSSARY || s->shelf->kinds == VIEW_QUESTIONS ||
                 h->kind == SESSION_LESSON || h->kind == SESSION_STEP || h->kind == SESSION_COMMAND;
    return tells ? base_dup(h->place) : base_format("%s %s", session_kind_name(h->kind), h->place);
}

static void take_hit(void *to, const struct session_hit *h) {
    struct search *s = to;
    s->cut = s->list.count == HITS;
    if (s->cut) return;
    s->hit[s->list.count++] = (struct hit){h->kind,
                                           base_dup(h->name),
                                           base_dup(h->title),
                                           base_dup(h->excerpt),
                                           copy_of(h->lesson),
                                           copy_of(h->step),
                                           place_of(s, h)};
}

/* The cursor stays on its row, as far as there are so many. */
static void look_up(struct search *s) {
    const char *words = screen_editor_text(&s->field);
    size_t at = s->list.at;
    forget_hits(s);
    if (s->shelf->kinds == 0 && strlen(words) < LEAST) return;
    struct session_query q = {.words = words, .kinds = s->shelf->kinds, .at_once = true};
    session_search(s->view.app->learner, &q, take_hit, s);
    s->list.at = at < s->list.count ? at : 0;
}

/* Whether a hit has words of its own to read. Others lead to a step. */
static bool is_read(const struct hit *h) {
    return h->kind == SESSION_TERM || h->kind == SESSION_QUESTION || h->kind == SESSION_CARD ||
           h->kind == SESSION_COMMAND;
}

static bool search_leads(const struct search *s) {
    const struct hit *h = s->list.count > 0 ? &s->hit[s->list.at] : NULL;
    return h && is_read(h) && h->lesson;
}

/* Whether an entry, if it opened, would only say what is next to the list already. */
static bool is_seen(const struct search *s) {
    return s->seen && s->list.count > 0 && is_read(&s->hit[s->list.at]);
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
enum { EXCERPT = 6 }; /* indented: without colours nothing else tells it from a title */

/* The title, where it is at its right, and the words around below. */
static void draw_hit(struct page *p, const struct hit *h, bool here) {
    int row = page_height(p), right = page_width(p) - 1;
    char *title = page_cut(h->title, right - 4 - 2 - base_width(h->place), page_ascii(p));
    char *excerpt = page_cut(h->excerpt, right - EXCERPT, page_ascii(p));
    if (here) page_put(p, row, 2, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_put(p, row, 4, here ? PAGE_STRONG : PAGE_PLAIN, 0, title);
    page_put(p, row, right - base_width(h->place), here ? PAGE_ACCENT : PAGE_DIM, 0, h->place);
    page_put(p, row + 1, EXCERPT, PAGE_DIM, 0, *excerpt ? excerpt : " ");
    free(title);
    free(excerpt);
}

/* Says what to do if there is nothing to list. The view keeps the page, so that the first letters
 * do not lay it out again. */
static struct page *note(struct search *s, int width) {
    const char *says = strlen(screen_editor_text(&s->field)) < LEAST ? s->shelf->empty : MISSED;
    bool ascii = s->view.app->look.ascii;
    if (s->note && s->noted == says && page_width(s->note) == width && page_ascii(s->note) == ascii)
        return s->note;
    page_free(s->note);
    s->note = page_new(width, ascii);
    s->noted = says;
    page_markdown(s->note, (struct page_flow){.indent = 4, .width = width - 6, .role = PAGE_DIM},
                  says);
    return s->note;
}

/* Whether it can be on the screen: the one at the cursor is. */
static bool is_near(const struct search *s, size_t i, int rows) {
    return abs((int)i - (int)s->list.at) * ROWS_A_HIT <= rows;
}

static void draw_hits(struct search *s, struct frame *f) {
    int rows[HITS];
    if (s->list.count == 0) {
        screen_list_show(&s->list, f, note(s, f->width), rows, f->top + 2, f->rows - 2);
        return;
    }
    struct page *p = page_new(f->width, s->view.app->look.ascii);
    for (size_t i = 0; i < s->list.count; i++) {
        rows[i] = page_height(p);
        if (is_near(s, i, f->rows))
            draw_hit(p, &s->hit[i], i == s->list.at);
        else
            page_blank(p, ROWS_A_HIT);
    }
    screen_list_show(&s->list, f, p, rows, f->top + 2, f->rows - 2);
    page_free(p);
}

static void say_count(const struct search *s, char *out, size_t size) {
    size_t n = s->list.count;
    if (s->shelf->kinds == 0 && strlen(screen_editor_text(&s->field)) < LEAST)
        out[0] = '\0';
    else if (s->cut)
        snprintf(out, size, "the first %zu", n);
    else if (n == 1)
        snprintf(out, size, "%s", s->shelf->one);
    else if (n == 0)
        snprintf(out, size, "%s", s->shelf->none);
    else
        snprintf(out, size, s->shelf->many, n);
}

/* What the cursor is on, whole. An entry that is open over the list says it itself. */
static void draw_pane(struct search *s, struct frame *f) {
    struct app *app = s->view.app;
    bool covered = app->stack[app->depth - 1] != &s->view;
    s->seen = false;
    if (!f->pane_width || s->list.count == 0 || covered) return;
    const struct hit *h = &s->hit[s->list.at];
    if (!s->entry)
        s->entry = session_entry_open(app->learner, h->kind, h->name, screen_app_asks(app), NULL);
    if (!s->entry) return;
    struct page *p = screen_entry_lay(s->entry, app, f->pane_width, f->rows);
    s->seen = screen_frame_aside(f, p, &s->aside) == 0;
    struct screen_entry_window w = {s->aside, f->rows, f->top, f->pane_left - f->left};
    screen_entry_zones(s->entry, p, f, w, search_leads(s) ? PRESS_TAB : PRESS_ENTER, RELATED);
    page_free(p);
}

static void search_draw(struct view *v, struct frame *f) {
    struct search *s = search_of(v);
    char count[40];
    say_count(s, count, sizeof count);
    screen_frame_title(f, s->shelf->title, count);
    draw_hits(s, f);
    draw_pane(s, f);
    int column = f->left + 4;
    page_put(f->page, f->top, f->left + 2, PAGE_ACCENT, 0, "/");
    struct editor_spot at =
        screen_editor_draw(&s->field, f->page, f->top, column, f->width - 6, 1, NULL, NULL);
    screen_frame_cursor(f, at.row, at.column - f->left);
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
static void search_state(const struct view *v, struct view_states *s) {
    const struct search *search = search_of(v);
    s->is[VIEW_TYPING] = true;
    s->is[SEARCH_HIT] = search->list.count > 0;
    s->is[SEARCH_OPENS] = s->is[SEARCH_HIT] && !is_seen(search);
    s->is[SEARCH_SEEN] = search_leads(search) && is_seen(search);
    s->is[SEARCH_LEADS] = search_leads(search) && !is_seen(search);
}

/* The results stay below, and Esc comes back to them. */
static unsigned open_lesson(struct view *v, const struct hit *h) {
    unsigned opened = screen_app_open(
        v->app, &(struct view_request){.kind = VIEW_LESSON, .name = h->lesson, .step = h->step});
    bool full = v->app->depth == APP_DEPTH; /* then what is below is closed: it leads home */
    return full && opened & VIEW_OPEN ? opened | VIEW_AFRESH : opened;
}

static unsigned open_hit(struct view *v, const struct key *k) {
    struct search *s = search_of(v);
    const struct hit *h = &s->hit[s->list.at];
    (void)k;
    if (!is_read(h) || (is_seen(s) && h->lesson)) return open_lesson(v, h);
    if (is_seen(s)) return VIEW_IGNORED;
    return screen_app_open(
        v->app, &(struct view_request){.kind = VIEW_ENTRY, .entry = h->kind, .name = h->name});
}

static unsigned open_where(struct view *v, const struct key *k) {
    struct search *s = search_of(v);
    (void)k;
    return open_lesson(v, &s->hit[s->list.at]);
}

static unsigned scroll_aside(struct search *s, const struct key *k) {
    s->aside += k->code == PRESS_WHEEL_UP ? -KEY_ASIDE_ROWS : KEY_ASIDE_ROWS;
    return VIEW_REDRAW;
}

/* Of those that are related to what the pane shows. */
static const char *search_term(const struct view *v, size_t nth) {
    const struct search *s = (const struct search *)v;
    return s->entry ? json_string_value(json_array_get(s->entry->related, nth)) : NULL;
}

static unsigned open_term(struct search *s, const char *term) {
    if (!term) return VIEW_IGNORED;
    return screen_app_open(
        s->view.app,
        &(struct view_request){.kind = VIEW_ENTRY, .entry = SESSION_TERM, .name = term});
}

static unsigned search_key(struct view *v, const struct key *k) {
    struct search *s = search_of(v);
    if (k->code == PRESS_CLICK && k->target >= RELATED)
        return open_term(s, search_term(v, (size_t)(k->target - RELATED)));
    if (k->target == KEY_ASIDE) return scroll_aside(s, k);
    if (screen_list_chosen(&s->list, k)) return open_hit(v, k);
    if (screen_list_key_typing(&s->list, k)) {
        forget_entry(s);
        return VIEW_REDRAW;
    }
    unsigned revision = s->field.revision;
    if (!screen_editor_key(&s->field, k)) return VIEW_IGNORED;
    if (s->field.revision != revision) look_up(s);
    return VIEW_REDRAW;
}

static const struct action ACTIONS[] = {
    {"open", "Enter", SEARCH_OPENS, open_hit, "Open what the cursor is on"},
    {"its lesson", "Enter Tab", SEARCH_SEEN, open_where, "Open the lesson that teaches it"},
    {"its lesson", "Tab", SEARCH_LEADS, open_where, "Open the lesson that teaches it"},
    {NULL, "Up Down", SEARCH_HIT, NULL, "Move from line to line"},
    {NULL, "PgUp PgDn", SEARCH_HIT, NULL, "Move by a page"},
    {"back", "Esc", 0, screen_action_leave, "Go back"},
};

/* ── between keys ──────────────────────────────────────────────────────────────────────────────*/
static bool reads_lessons(const struct search *s) {
    return s->shelf->kinds == 0 && session_search_waits(s->view.app->learner);
}

static int search_pace(const struct view *v) {
    return reads_lessons(search_of(v)) ? READ_MS : -1;
}

static unsigned search_tick(struct view *v, const struct key *k) {
    struct search *s = search_of(v);
    size_t before = s->list.count;
    if (k->code != PRESS_PACE || !reads_lessons(s)) return VIEW_HANDLED;
    session_search_read(s->view.app->learner);
    look_up(s);
    return s->list.count != before ? VIEW_REDRAW : VIEW_HANDLED;
}

/* Notes may have changed meanwhile. */
static void search_wake(struct view *v) {
    look_up(search_of(v));
}

static void search_close(struct view *v) {
    forget_hits(search_of(v));
    screen_editor_free(&search_of(v)->field);
    page_free(search_of(v)->note);
    free(v);
}

static enum frame_layout search_layout(const struct view *v) {
    (void)v;
    return FRAME_DETAIL;
}

static const char *search_named(const struct view *v) {
    return search_of(v)->shelf->title;
}

static const struct view_operations SEARCH = {
    .name = "Search",
    .named = search_named,
    .about = "Type words. The list shows every entry that has all of them: terms, questions, steps "
             "by their titles, myths, cards of lessons that you finished, your bookmarks and "
             "notes, labs and commands.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .term = search_term,
    .layout = search_layout,
    .state = search_state,
    .draw = search_draw,
    .key = search_key,
    .tick = search_tick,
    .pace = search_pace,
    .wake = search_wake,
    .close = search_close,
};

struct view *screen_view_search(struct app *app, const struct view_request *r,
                                struct base_message *m) {
    (void)m;
    struct search *s = base_alloc(sizeof *s);
    s->view = (struct view){&SEARCH, app};
    s->shelf = shelves;
    for (size_t i = 0; i < BASE_COUNT(shelves); i++)
        if (shelves[i].kinds == r->kinds) s->shelf = &shelves[i];
    s->list.tall = ROWS_A_HIT;
    screen_editor_field(&s->field, EDITOR_LINE, NULL);
    look_up(s);
    return &s->view;
}
