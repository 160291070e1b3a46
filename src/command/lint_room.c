/* lint_room: how many rows a step takes on the smallest screen that shows everything at once, 80×24, as it first comes up. */
#include "command/lint.h"

enum { COLUMNS = 80, MARGIN = 1, ROWS = 20 }; /* between the title's line and the keys' */

static int rows_of(const char *text, const json_t *figure) {
    struct base_message m;
    struct paper *p = paper_new(COLUMNS, false);
    struct paper_flow flow = {.indent = MARGIN, .width = COLUMNS - 2 * MARGIN};
    if (text) paper_markdown(p, flow, text);
    if (text && figure) paper_blank(p, 1);
    if (figure) (void)paper_figure(p, flow, figure, &m);
    int rows = paper_height(p);
    paper_free(p);
    return rows;
}

static int input_rows(const struct study_ask *a) {
    switch (a->form) {
    case STUDY_NEXT: return 0;
    case STUDY_SLIDERS: return a->scenes ? 1 : (int)a->sliders;
    case STUDY_LINE: return (int)a->lines;
    default: return a->options ? (int)a->options : 1;
    }
}

void lint_room_event(struct lint_room *r, const struct study_event *e) {
    if (e->kind == STUDY_STEP)
        *r = (struct lint_room){.rows = e->title && *e->title,
                                .recap_step = e->step_kind == STUDY_RECAP};
    if (e->kind != STUDY_SHOW && e->kind != STUDY_ASK) return;
    int rows = e->kind == STUDY_ASK ? input_rows(e->ask) : rows_of(e->text, e->figure);
    if (r->recap) return; /* what to read on comes after what is to be kept */
    if (rows > 0) r->rows += rows + (r->rows > 0);
    r->recap = r->recap_step && e->kind == STUDY_SHOW;
}

int lint_room_over(const struct lint_room *r) {
    return r->rows > ROWS ? r->rows - ROWS : 0;
}
