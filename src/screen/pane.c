/* pane: what stands next to a lesson where the terminal is wide. */
#include "screen/pane.h"
#include "screen/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OUTLINE_LEAST = 10, HEAD = 3 };

/* ── what it is about ──────────────────────────────────────────────────────────────────────────*/
static void open_glossary(struct pane *p) {
    session_glossary_close(p->glossary);
    p->glossary = session_glossary_open(p->session);
    p->lesson = session_lesson(p->session);
}

void screen_pane_begin(struct pane *p, struct session *s, struct scratch *paper) {
    *p = (struct pane){.session = s, .scratch = paper};
    paper->open = false;
    open_glossary(p);
}

void screen_pane_change(struct pane *p) {
    for (size_t i = 0; i < PANE_COLUMNS; i++) {
        page_free(p->column[i].page);
        p->column[i] = (struct pane_column){0};
    }
}

void screen_pane_free(struct pane *p) {
    screen_pane_change(p);
    session_glossary_close(p->glossary);
    json_decref(p->spec);
    free(p->text);
    free(p->note);
}

static void find_words(struct pane *p) {
    p->words = session_glossary_find(p->glossary, p->text, p->word, PANE_WORDS);
}

/* What the page says, and the options and lines of what it asks. */
static char *add_asked(char *text, const struct lesson_ask *ask) {
    struct base_text all = {0};
    base_text_puts(&all, text);
    for (size_t i = 0; ask && i < ask->options; i++) base_text_printf(&all, "\n%s", ask->option[i]);
    for (size_t i = 0; ask && i < ask->lines; i++)
        base_text_printf(&all, "\n%s", ask->sheet[i].label);
    free(text);
    return base_text_take(&all);
}

void screen_pane_take(struct pane *p, char *text, const json_t *figure,
                      const struct lesson_ask *ask) {
    const struct lesson_dialogue *d = session_dialogue(p->session);
    if (p->lesson != session_lesson(p->session)) open_glossary(p);
    p->by = 0;
    json_decref(p->spec);
    p->asked = lesson_question_open(d);
    p->posed = p->asked && ask;
    p->spec = p->asked ? NULL : json_incref((json_t *)(figure ? figure : lesson_problem_now(d)));
    free(p->text);
    p->text = add_asked(text, ask);
    screen_pane_change(p);
}

bool screen_pane_waits(const struct pane *p) {
    return session_glossary_waits(p->glossary) || !session_is_ready(p->session);
}

void screen_pane_read(struct pane *p) {
    if (!session_glossary_waits(p->glossary)) {
        session_make_ready(p->session);
        return;
    }
    session_glossary_read(p->glossary);
    screen_pane_change(p);
}

unsigned screen_pane_turn(struct pane *p) {
    p->shows = (p->shows + 1) % PANE_WAYS;
    if (p->shows == PANE_OUTLINE && p->asked) p->shows++; /* it stays away until the answer */
    screen_pane_change(p);
    return VIEW_REDRAW;
}

unsigned screen_pane_scroll(struct pane *p, int by) {
    p->by += by;
    screen_pane_change(p);
    return VIEW_REDRAW;
}

unsigned screen_pane_click_sum(struct pane *p, const struct key *k) {
    screen_scratch_click(p->scratch, k->target, k->column - p->left);
    screen_pane_change(p);
    return VIEW_REDRAW;
}

void screen_pane_note(struct pane *p, const char *note) {
    free(p->note);
    p->note = note ? base_dup(note) : NULL;
    screen_pane_change(p);
}

/* ── cards ─────────────────────────────────────────────────────────────────────────────────────*/
static void put_head(struct page *p, const char *text) {
    if (page_height(p)) page_blank(p, 1);
    int row = page_height(p);
    page_put(p, row, 0, PAGE_TITLE, 0, text);
    page_rule(p, row + 1, 0, page_width(p));
}

static void put_scratch(struct pane *p, struct page *page) {
    put_head(page, "Scratch paper");
    p->cursor = screen_scratch_draw(p->scratch, page);
    p->scratch_rows = page_height(page);
}

static struct page *new_page(int width, const struct look *look) {
    struct page *page = page_new(width, look->ascii);
    page_set_colours(page, look->colours);
    return page;
}

static void put_case(const struct pane *p, struct page *page, const struct look *look) {
    struct page *table = new_page(page_width(page), look);
    if (p->spec && page_cases(table, (struct page_flow){0}, p->spec)) {
        put_head(page, "This case, one GPU");
        page_append(page, table, 0, page_height(table));
    }
    page_free(table);
}

static void put_note(const struct pane *p, struct page *page) {
    if (!p->note) return;
    put_head(page, "Your note");
    page_text(page, (struct page_flow){0}, p->note);
}

/* ── what a review's question rests on ─────────────────────────────────────────────────────────*/
struct resting {
    struct page *page;
    bool begun;
};

static void put_idea(void *to, const char *title, struct learner_idea idea) {
    struct resting *r = to;
    if (!r->begun) put_head(r->page, "It rests on");
    r->begun = true;
    int row = page_height(r->page);
    bool known = !isnan(idea.today);
    page_strength_put(r->page, row, 0, known ? page_strength_of(idea.today) : PAGE_NOT_MET);
    char *cut = page_cut(title, page_width(r->page) - 8, page_ascii(r->page));
    page_put(r->page, row, 2, PAGE_PLAIN, 0, cut);
    if (known)
        page_printf(r->page, row, page_width(r->page) - 5, PAGE_DIM, "%4d%%",
                    base_percent(idea.today));
    free(cut);
}

static void put_word(struct page *page, const struct session_word *w) {
    page_markdown(page, (struct page_flow){.role = PAGE_TERM}, w->term);
    page_markdown(page, (struct page_flow){.indent = 2, .width = page_width(page) - 2}, w->means);
}

/* What a question asks are the words of its own lesson, so while it is open those of the lessons
 * before are explained, unless by chance they hold the answer. */
static bool may_answer(const struct pane *p, const struct session_word *w) {
    const struct lesson_dialogue *d = session_dialogue(p->session);
    bool own = !*w->lesson || strcmp(w->lesson, lesson_taught_in(d)) == 0;
    return (p->posed && own) || lesson_gives_away(d, w->term) || lesson_gives_away(d, w->means);
}

/* As many words as have room above `last`. The card appears once all terms were read, so that it
 * does not change under the learner's eyes. */
static void put_words(const struct pane *p, struct page *page, int last, const struct look *look) {
    bool begun = false;
    if (session_glossary_waits(p->glossary)) return;
    for (size_t i = 0; i < p->words; i++) {
        const struct session_word *w = &p->word[i];
        if (may_answer(p, w)) continue;
        struct page *one = new_page(page_width(page), look);
        put_word(one, w);
        int head = begun ? 0 : HEAD - !page_height(page);
        bool fits = page_height(page) + head + page_height(one) <= last;
        if (fits && head) put_head(page, "Words on this screen");
        if (fits) page_append(page, one, 0, page_height(one));
        begun |= fits;
        page_free(one);
        if (!fits) return;
    }
}

/* "1.1, 15 steps": what the screen's heading begins with, up to the title behind it. */
static void put_outline(struct pane *p, struct pane_column *c, int rows, const struct outline *o,
                        const char *here) {
    char *heading = session_heading(p->session), *title = strstr(heading, "  ");
    if (title) *title = '\0';
    char *head = base_format("%s, %zu steps", heading, o->count);
    int space = rows - page_height(c->page) - HEAD + !page_height(c->page);
    if (space > 0 && o->count) put_head(c->page, head);
    c->outline_row = page_height(c->page);
    c->outline_first = screen_outline_draw(o, c->page, space, here, &p->by);
    c->outline_rows = page_height(c->page) - c->outline_row;
    free(head);
    free(heading);
}

/* ── laying out ────────────────────────────────────────────────────────────────────────────────*/
/* Where the next card begins: in the second column, if there is one. */
static struct pane_column *next_column(struct pane *p, const struct frame *f,
                                       const struct look *look) {
    if (!f->pane2_left) return &p->column[0];
    p->column[1].page = new_page(f->pane_width, look);
    return &p->column[1];
}

static void drop_if_empty(struct pane_column *c) {
    if (page_height(c->page) > 0) return;
    page_free(c->page);
    c->page = NULL;
}

/* Next to an open question: nothing that may answer it. */
static void lay_asked(struct pane *p, const struct frame *f, const struct look *look) {
    put_scratch(p, p->column[0].page);
    struct pane_column *words = next_column(p, f, look);
    put_words(p, words->page, f->rows, look);
    drop_if_empty(words);
}

static void lay_cards(struct pane *p, const struct frame *f, const struct outline *o,
                      const char *here, const struct look *look) {
    bool two = f->pane2_left > 0;
    int steps = o->count < OUTLINE_LEAST ? (int)o->count : OUTLINE_LEAST;
    struct page *page = p->column[0].page;
    if (p->scratch->open)
        put_scratch(p, page);
    else
        put_case(p, page, look);
    session_question_rests(p->session, put_idea, &(struct resting){.page = page});
    put_note(p, page);
    put_words(p, page, two ? f->rows : f->rows - HEAD - steps, look);
    struct pane_column *c = page_height(page) > 0 ? next_column(p, f, look) : &p->column[0];
    put_outline(p, c, f->rows, o, here);
    if (c != p->column) drop_if_empty(c); /* a lab on its own has no outline */
}

static void lay_out(struct pane *p, const struct frame *f, const struct outline *o,
                    const char *here, const struct look *look) {
    screen_pane_change(p);
    p->cursor.row = -1;
    p->scratch_rows = 0;
    p->width = f->pane_width;
    p->rows = f->rows;
    p->column[0].page = new_page(f->pane_width, look);
    find_words(p);
    if (p->asked)
        lay_asked(p, f, look);
    else if (p->shows == PANE_CARDS)
        lay_cards(p, f, o, here, look);
    else
        put_outline(p, &p->column[0], f->rows, o, here);
}

static bool is_laid_out(const struct pane *p, const struct frame *f) {
    return p->column[0].page && p->width == f->pane_width && p->rows == f->rows &&
           page_ascii(p->column[0].page) == page_ascii(f->page);
}

static void put_column(const struct pane_column *c, struct frame *f, int left,
                       const struct outline *o) {
    for (int row = f->top; row < f->top + f->rows; row++)
        page_put(f->page, row, left - 2, PAGE_DIM, 0, "│");
    screen_frame_window(f, c->page, 0, f->rows, f->top, left);
    screen_outline_zones(o, f, c->outline_first, f->top + c->outline_row, c->outline_rows,
                         left - f->left, page_width(c->page));
}

/* Paper that is put away is opened by a click anywhere on it. */
static void put_scratch_zones(const struct pane *p, struct frame *f) {
    const struct scratch *s = p->scratch;
    int column = f->pane_left - f->left;
    for (int r = 0; r < p->scratch_rows && !s->open; r++)
        screen_frame_zone(f, f->top + r, column, f->pane_width, PRESS_F(4), -1);
    if (!s->open || p->scratch_rows == 0) return;
    for (size_t i = 0; i < s->lines; i++)
        for (int r = s->row[i]; r < s->row[i + 1]; r++)
            screen_frame_zone(f, f->top + r, column, f->pane_width, PRESS_NONE,
                              SCRATCH_TARGET + (int)i);
    screen_frame_zone(f, f->top + s->row[s->lines], column, f->pane_width, PRESS_NONE,
                      SCRATCH_FIELD);
}

void screen_pane_draw(struct pane *p, struct frame *f, const struct outline *o, const char *here,
                      const struct look *look) {
    if (!f->pane_width) return;
    if (!is_laid_out(p, f)) lay_out(p, f, o, here, look);
    put_column(&p->column[0], f, f->pane_left, o);
    if (p->column[1].page) put_column(&p->column[1], f, f->pane2_left, o);
    p->left = f->pane_left;
    put_scratch_zones(p, f);
    if (p->scratch->open && p->cursor.row >= 0)
        screen_frame_cursor(f, f->top + p->cursor.row, f->pane_left - f->left + p->cursor.column);
}

/* ── a figure alone ────────────────────────────────────────────────────────────────────────────*/
enum { THICKEST = 3 };

bool screen_pane_figure(struct page *p, const json_t *figure, int rows, const struct look *look) {
    bool fits = false;
    json_t *unnamed = json_copy((json_t *)figure); /* what is next to it is named above it */
    if (unnamed) json_object_set_new(unnamed, "named", json_false());
    for (int thick = THICKEST; figure && thick > 0 && !fits; thick--) {
        struct base_message m = {0};
        struct page *drawn = page_new(page_width(p), page_ascii(p));
        page_set_colours(drawn, look->colours);
        page_set_thick(drawn, thick);
        fits = page_figure(drawn, (struct page_flow){.width = page_width(p)}, unnamed, &m) &&
               !page_cuts(drawn) && page_height(p) + page_height(drawn) <= rows;
        if (fits) page_append(p, drawn, 0, page_height(drawn));
        page_free(drawn);
    }
    json_decref(unnamed);
    return fits;
}
