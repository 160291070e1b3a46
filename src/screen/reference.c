/* reference: a lesson that a screen names by its number, as in "Lesson 2.4 explains it", "Taught in
 * 1.3," or "(2.2)". A click opens it, on whatever screen that is. */
#include "screen/view.h"

#include <ctype.h>
#include <string.h>

/* Clicks on references have targets from here on, above those of any view. */
enum { REFERENCE_TARGET = 300000 };

void screen_link(const struct look *look, struct page *p, int row, int from, int to) {
    bool lines = look->colours > 0 && !look->ascii;
    for (; lines && from < to; from++) screen_underline(p, row, from);
}

/* Where the number ends that begins at a cell, if it is that of a lesson; else -1. */
static int end_of_number(const struct lesson_course *c, const struct page *p, int row, int column,
                         size_t *lesson) {
    const char digit = *page_cell(p, row, column)->text;
    for (*lesson = 0; *lesson < c->lessons; ++*lesson) {
        const char *id = c->lesson[*lesson].id;
        int end = *id == digit ? page_says(p, row, column, id) : -1;
        if (end >= 0 && !isalnum((unsigned char)*page_cell(p, row, end)->text)) return end;
    }
    return -1;
}

/* Whether nothing but blanks is before a cell, and two of them follow at `end`. */
static bool heads_line(const struct page *p, int row, int column, int end) {
    while (column > 0 && page_says(p, row, column - 1, " ") >= 0) column--;
    return column == 0 && page_says(p, row, end, "  ") >= 0;
}

/* Where the words begin that name a lesson by the number in these cells; -1: it is another number,
 * such as the 1.4 of "in 1.4 GB". `heads`: it may be all that names it, where a line begins. */
static int start_of_reference(const struct page *p, int row, int column, int end, bool heads) {
    const int lesson = column - 7;
    if (page_says(p, row, lesson, "lesson ") >= 0 || page_says(p, row, lesson, "Lesson ") >= 0)
        return lesson;
    bool named = (page_says(p, row, column - 1, "(") >= 0 && page_says(p, row, end, ")") >= 0) ||
                 (page_says(p, row, column - 3, "in ") >= 0 && page_says(p, row, end, ",") >= 0) ||
                 (heads && heads_line(p, row, column, end));
    return named ? column : -1;
}

static void mark(const struct app *app, int row, int from, int to, size_t lesson) {
    struct frame *f = app->frame;
    screen_link(&app->look, f->page, row, from, to);
    screen_frame_zone(f, row, from - f->left, to - from, PRESS_NONE,
                      REFERENCE_TARGET + (int)lesson);
}

static void mark_row(const struct app *app, int row, bool heads) {
    const struct lesson_course *c = session_learner_course(app->learner);
    struct frame *f = app->frame;
    const struct page_cell *cell = page_row(f->page, row);
    size_t lesson;
    for (int column = 0; column < f->columns; column++) {
        if (!isdigit((unsigned char)*cell[column].text)) continue;
        int end = end_of_number(c, f->page, row, column, &lesson),
            start = end < 0 ? -1 : start_of_reference(f->page, row, column, end, heads);
        if (start >= 0 && !screen_frame_zone_at(f, row, start)) mark(app, row, start, end, lesson);
    }
}

/* Not during a question: the lesson may contain its answer. */
void screen_references_mark(const struct app *app) {
    const struct view_operations *top = app->stack[app->depth - 1]->does;
    if (!app->look.mouse || top->over || top->bare || screen_app_asks(app)) return;
    for (int row = 0; row < app->frame->all_rows; row++) mark_row(app, row, top->heads);
}

bool screen_reference_is(const struct key *k) {
    return k->code == PRESS_CLICK && k->target >= REFERENCE_TARGET;
}

unsigned screen_reference_open(struct app *app, const struct key *k) {
    const struct lesson_course *c = session_learner_course(app->learner);
    return screen_app_open(
        app, &(struct view_request){.kind = VIEW_LESSON,
                                    .name = c->lesson[k->target - REFERENCE_TARGET].id});
}
