/* lesson_draw: the lesson's screen. The page on top, the input under it; when they do not fit together, the input
 * stands at the bottom and the page is a window above it. */
#include "screen/lesson.h"
#include "screen/list.h"

#include <stdlib.h>

enum { PAGE_LEAST = 4 }; /* rows that an input leaves for the page and the gap */

bool lesson_more_below(const struct lesson *l) {
    return l->top + l->room < l->height;
}

bool lesson_turns(const struct lesson *l) {
    return lesson_more_below(l) && (!input_typed(&l->input) || l->seen < l->height);
}

void lesson_scroll(struct lesson *l, int by) {
    int last = l->height > l->room ? l->height - l->room : 0;
    if (last < l->last) last = l->last;
    l->top += by;
    if (l->top > last) l->top = last;
    if (l->top < 0) l->top = 0;
}

void lesson_show_end(struct lesson *l) {
    int end = l->height - l->room;
    if (end > l->top) l->top = page_block_from(&l->page, end, end);
}

static void draw_title(const struct lesson *l, struct frame *f) {
    const struct study_ask *ask = sitting_asked(l->sitting);
    struct base_text right = {0};
    char *left = base_format("%s  %s", sitting_lesson_id(l->sitting), sitting_title(l->sitting));
    if (ask && ask->graded && ask->try > 1) base_text_printf(&right, "try %d · ", ask->try);
    if (l->steps) base_text_printf(&right, "step %zu / %zu", l->step + 1, l->steps);
    frame_title(f, left, right.s ? right.s : "");
    base_text_free(&right);
    free(left);
}

/* Of what was said last, its end is shown, unless its beginning would then be lost. Above it a block is shown whole or not at all. */
static void follow(struct lesson *l) {
    int fresh = page_fresh_row(&l->page), end = l->height - l->room;
    int wanted = end < fresh ? end : fresh;
    if (l->follow) l->last = l->top = wanted > 0 ? page_block_from(&l->page, wanted, end) : 0;
    l->follow = false;
    lesson_scroll(l, 0);
    if (!l->view.app->look.motion) l->shown = l->top;
    if (l->seen < l->top + l->room) l->seen = l->top + l->room;
}

static void put_input(struct lesson *l, struct frame *f, const struct paper *input,
                      const struct input_spot *spot, int row, int rows) {
    int height = paper_height(input);
    int focus = spot->cursor_row < 0 ? 0 : spot->cursor_row;
    list_keep_in_view(&l->input_top, height, rows, focus, focus + 1);
    frame_window(f, input, l->input_top, rows, row, f->left);
    for (int r = 0; r < rows && l->input_top + r < INPUT_ROWS; r++) {
        int target = spot->target[l->input_top + r];
        if (target >= 0) frame_zone(f, row + r, 0, f->width, PRESS_NONE, target);
    }
    if (spot->cursor_row >= 0)
        frame_cursor(f, row + spot->cursor_row - l->input_top, spot->cursor_column);
}

/* In a window of another size the old rows mean nothing. */
static void note_size(struct lesson *l, const struct frame *f) {
    if (l->columns == f->columns && l->rows == f->all_rows) return;
    l->columns = f->columns;
    l->rows = f->all_rows;
    l->last = l->seen = 0;
    if (page_fresh_row(&l->page) > 0) l->follow = true;
}

/* Beside a page that fits, an input may take what is left of the body; beside a longer one half of it. */
static void make_room(struct lesson *l, const struct frame *f) {
    int left = f->rows - l->height - 1, half = f->rows / 2;
    l->input.columns = f->width;
    l->input.room = left > half ? left : half;
}

void lesson_draw(struct view *v, struct frame *f) {
    struct lesson *l = (struct lesson *)v;
    struct input_spot spot;
    struct paper *page = page_lay(&l->page, l->title, f->width, v->app->look.ascii);
    struct paper *input = paper_new(f->width, v->app->look.ascii);
    l->height = paper_height(page);
    make_room(l, f);
    input_draw(&l->input, input, &spot);
    int rows = paper_height(input), gap = rows > 0, most = f->rows - PAGE_LEAST;
    if (rows > most && l->height + gap + rows > f->rows) rows = most;
    l->room = f->rows - rows - gap;
    note_size(l, f);
    follow(l);
    int left = l->height - l->shown, used = left < l->room ? left : l->room;
    draw_title(l, f);
    frame_window(f, page, l->shown, l->room, f->top, f->left);
    put_input(l, f, input, &spot, f->top + used + gap, rows);
    frame_more(f, l->top > 0, lesson_more_below(l));
    outline_draw(&l->outline, f, l->here);
    paper_free(page);
    paper_free(input);
}
