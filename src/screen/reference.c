/* reference: a lesson that a screen names by its number, as in "Lesson 2.4 explains it". A click
 * opens it, on whatever screen that is. */
#include "screen/view.h"

#include <ctype.h>
#include <string.h>

/* Clicks on references have targets from here on, above those of any view. */
enum { REFERENCE_TARGET = 300000 };

static bool says(const struct page *p, int row, int column, const char *text) {
    for (; *text; text++, column++)
        if (column >= page_width(p) || *page_cell(p, row, column)->text != *text) return false;
    return true;
}

/* Where the number ends that begins at a cell, if it is that of a lesson; else -1. */
static int end_of_number(const struct lesson_course *c, const struct page *p, int row, int column,
                         size_t *lesson) {
    for (*lesson = 0; *lesson < c->lessons; ++*lesson) {
        const char *id = c->lesson[*lesson].id;
        int end = column + (int)strlen(id);
        bool whole = end >= page_width(p) || !isalnum((unsigned char)*page_cell(p, row, end)->text);
        if (whole && says(p, row, column, id)) return end;
    }
    return -1;
}

/* Where a reference ends that begins at a cell; -1 if none does. */
static int end_of_reference(const struct lesson_course *c, const struct page *p, int row,
                            int column, size_t *lesson) {
    char first = *page_cell(p, row, column)->text; /* nearly all cells are passed over by it */
    bool word = (first == 'l' || first == 'L') && says(p, row, column + 1, "esson ");
    return word ? end_of_number(c, p, row, column + 7, lesson) : -1;
}

static void mark(const struct app *app, int row, int from, int to, size_t lesson) {
    struct frame *f = app->frame;
    bool lines = app->look.colours > 0 && !app->look.ascii; /* as under terms */
    for (int column = from; lines && column < to; column++) screen_underline(f->page, row, column);
    screen_frame_zone(f, row, from - f->left, to - from, PRESS_NONE,
                      REFERENCE_TARGET + (int)lesson);
}

/* A question's answer may stand in the lesson. */
void screen_references_mark(const struct app *app) {
    const struct view_operations *top = app->stack[app->depth - 1]->does;
    const struct lesson_course *c = session_learner_course(app->learner);
    struct frame *f = app->frame;
    size_t lesson;
    if (!app->look.mouse || top->over || top->bare || screen_app_asks(app)) return;
    for (int row = 0; row < f->all_rows; row++)
        for (int column = 0; column < f->columns; column++) {
            int end = end_of_reference(c, f->page, row, column, &lesson);
            if (end >= 0 && !screen_frame_zone_at(f, row, column))
                mark(app, row, column, end, lesson);
        }
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
