/* lint_walk: how many rows a step takes on the smallest screen that shows everything at once,
 * 80×24, as it first comes up. */
#include "command/lint.h"

#include <stdlib.h>
#include <string.h>

/* ── rows ──────────────────────────────────────────────────────────────────────────────────────*/
enum { COLUMNS = 80, MARGIN = 1, ROWS = 20 }; /* between the title's line and the keys' */

static int rows_of(const char *text, const json_t *figure) {
    struct base_message m;
    struct page *p = page_new(COLUMNS, false);
    struct page_flow flow = {.indent = MARGIN, .width = COLUMNS - 2 * MARGIN, .rows = ROWS};
    if (text) page_markdown(p, flow, text);
    if (text && figure) page_blank(p, 1);
    if (figure) (void)page_figure(p, flow, figure, &m);
    int rows = page_height(p);
    page_free(p);
    return rows;
}

static int input_rows(const struct lesson_ask *a) {
    switch (a->form) {
    case LESSON_NEXT: return 0;
    case LESSON_SLIDERS: return a->play ? 0 : a->scenes ? 1 : (int)a->sliders;
    case LESSON_LINE: return (int)a->lines;
    default: return a->options ? (int)a->options : 1;
    }
}

static void lint_rows_event(struct lint_rows *r, const struct lesson_event *e) {
    if (e->kind == LESSON_STEP)
        *r = (struct lint_rows){.rows = e->title && *e->title && e->step_kind != LESSON_ANIMATE,
                                .recap_step = e->step_kind == LESSON_RECAP};
    if (e->kind != LESSON_SHOW && e->kind != LESSON_ASK) return;
    int rows = e->kind == LESSON_ASK ? input_rows(e->ask) : rows_of(e->text, e->figure);
    if (r->recap) return; /* what to read on comes after what is to be kept */
    if (rows > 0) r->rows += rows + (r->rows > 0);
    r->recap = r->recap_step && e->kind == LESSON_SHOW;
}

/* Rows that do not fit 80×24 together; 0 if all do. */
static int lint_rows_over(const struct lint_rows *r) {
    return r->rows > ROWS ? r->rows - ROWS : 0;
}

/* ── the walk ──────────────────────────────────────────────────────────────────────────────────*/
enum { VARIANTS = 3, LINES_MOST = 32, SLIDER_MOVES = 64 };

/* ── drawing what comes by ─────────────────────────────────────────────────────────────────────*/
struct walk {
    struct lint_lesson *report;
    const struct lesson *lesson;
    struct lesson_dialogue *dialogue;
    /* the one we are at, for blame */
    size_t step;
    struct lint_rows rows;
    bool ended;
};

static void blame(struct walk *w, const char *what) {
    const json_t *step = lesson_step(w->lesson, w->step);
    struct base_message m = {0};
    base_fail_at(&m, w->report->path, (int)base_json_int(step, "line", 0), "%s: %s",
                 base_json_text(step, "id", "?"), what);
    /* said already */
    for (size_t i = 0; i < w->report->findings; i++)
        if (strcmp(w->report->finding[i].what, m.what) == 0) return;
    command_lint_add(w->report, &m);
}

static void draw(struct walk *w, const json_t *figure, int width, bool ascii) {
    struct base_message m = {0};
    struct page *p = page_new(width, ascii);
    if (!page_figure(p, (struct page_flow){0}, figure, &m)) blame(w, m.what);
    page_free(p);
}

/* Code that wraps cannot be read as code. */
static void fit_code(struct walk *w, const json_t *figure) {
    char what[120];
    int over = page_listing_over(figure, COLUMNS - 2 * MARGIN);
    if (over == 0) return;
    snprintf(what, sizeof what, "a line of %.40s is %d column%s too long for a screen of 80×24",
             base_json_text(figure, "file", "?"), over, over == 1 ? "" : "s");
    blame(w, what);
}

static void read_events(struct walk *w) {
    const struct lesson_event *e;
    while ((e = lesson_event(w->dialogue))) {
        lint_rows_event(&w->rows, e);
        if (e->figure) {
            draw(w, e->figure, 78, false);
            draw(w, e->figure, 38, true);
            fit_code(w, e->figure);
        }
        if (e->kind == LESSON_TROUBLE) blame(w, e->text ? e->text : "it failed");
        w->ended |= e->kind == LESSON_END;
    }
}

static void act(struct walk *w, struct lesson_action a) {
    if (w->ended) return;
    lesson_do(w->dialogue, &a);
    read_events(w);
}

/* ── walking ───────────────────────────────────────────────────────────────────────────────────*/
static const char *step_id(const struct walk *w) {
    return base_json_text(lesson_step(w->lesson, w->step), "id", "");
}

static bool is_here(const struct walk *w) {
    return !w->ended && strcmp(lesson_where(w->dialogue), step_id(w)) == 0;
}

static void move_sliders(struct walk *w) {
    const struct lesson_ask *a = lesson_asked(w->dialogue);
    size_t sliders = a && a->form == LESSON_SLIDERS ? a->sliders : 0;
    for (size_t i = 0; i < sliders; i++) {
        a = lesson_asked(w->dialogue);
        int back = -(int)a->slider[i].position, count = (int)a->slider[i].count;
        act(w, (struct lesson_action){.kind = LESSON_DO_MOVE, .index = i, .by = back});
        for (int k = 1; k < count && k < SLIDER_MOVES; k++)
            act(w, (struct lesson_action){.kind = LESSON_DO_MOVE, .index = i, .by = 1});
    }
}

static void fit_the_screen(struct walk *w) {
    char what[120];
    int over = lint_rows_over(&w->rows);
    if (over == 0) return;
    snprintf(what, sizeof what,
             "%d row%s too long for a screen of 80×24: shorten it, or make two steps of it", over,
             over == 1 ? "" : "s");
    blame(w, what);
}

/* Guesses once, so that reveals and verdicts come by; sees fresh variants; then follows the worked
 * one to its end. */
static void take_step(struct walk *w) {
    bool problem = lesson_step_kind(w->lesson, w->step) == LESSON_PROBLEM;
    act(w, (struct lesson_action){.kind = LESSON_DO_GOTO, .text = step_id(w)});
    fit_the_screen(w);
    move_sliders(w);
    for (int k = 0; problem && k < VARIANTS; k++)
        act(w, (struct lesson_action){.kind = LESSON_DO_FRESH});
    act(w, (struct lesson_action){.kind = LESSON_DO_ANSWER, .text = "1"});
    if (problem) act(w, (struct lesson_action){.kind = LESSON_DO_WORKED});
    for (int k = 0; k < LINES_MOST && is_here(w); k++)
        act(w, (struct lesson_action){.kind = LESSON_DO_NEXT});
}

void command_lint_walk(struct lint_lesson *l, const struct lesson *lesson,
                       struct lesson_source source) {
    struct walk w = {.report = l, .lesson = lesson};
    struct base_message m = {0};
    w.dialogue = lesson_dialogue_open(lesson, source, lesson_forgetful_journal, 1, &m);
    if (!w.dialogue) {
        command_lint_add(l, &m);
        return;
    }
    read_events(&w);
    for (; w.step < lesson_steps(lesson) && !w.ended; w.step++)
        if (lesson_step_kind(lesson, w.step) != LESSON_CARDS) take_step(&w);
    lesson_dialogue_free(w.dialogue);
}
