/* lint_room: how many rows a step takes on the smallest screen that shows everything at once, 80×24, as it first comes up. */
#include "command/lint.h"

enum { COLUMNS = 80, MARGIN = 1, ROWS = 20 }; /* between the title's line and the keys' */

static int rows_of(const char *text, const json_t *figure) {
    struct base_message m;
    struct page *p = page_new(COLUMNS, false);
    struct page_flow flow = {.indent = MARGIN, .width = COLUMNS - 2 * MARGIN};
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
    case LESSON_SLIDERS: return a->scenes ? 1 : (int)a->sliders;
    case LESSON_LINE: return (int)a->lines;
    default: return a->options ? (int)a->options : 1;
    }
}

void command_lint_room_event(struct lint_room *r, const struct lesson_event *e) {
    if (e->kind == LESSON_STEP)
        *r = (struct lint_room){.rows = e->title && *e->title,
                                .recap_step = e->step_kind == LESSON_RECAP};
    if (e->kind != LESSON_SHOW && e->kind != LESSON_ASK) return;
    int rows = e->kind == LESSON_ASK ? input_rows(e->ask) : rows_of(e->text, e->figure);
    if (r->recap) return; /* what to read on comes after what is to be kept */
    if (rows > 0) r->rows += rows + (r->rows > 0);
    r->recap = r->recap_step && e->kind == LESSON_SHOW;
}

int command_lint_room_over(const struct lint_room *r) {
    return r->rows > ROWS ? r->rows - ROWS : 0;
}
