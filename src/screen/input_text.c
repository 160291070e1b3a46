/* input_text: a few words of one's own. It grows with them, as far as there is room. */
#include "screen/input.h"

enum { LEFT = 3, ROWS = 3 };

static int width_of(int columns) {
    return columns - LEFT - 1;
}

static int rows_of(const struct input *in, int width, int used) {
    int wanted = screen_field_rows(&in->field, width), most = in->capacity - used;
    if (wanted > most) wanted = most;
    return wanted > ROWS ? wanted : ROWS;
}

static void draw_text(const struct input *in, struct page *p, struct input_spot *spot) {
    int columns = page_width(p), width = width_of(columns), top = page_height(p);
    struct page_flow flow = {.indent = LEFT, .width = width, .role = PAGE_DIM};
    page_text(p, flow, in->ask->prompt);
    int row = page_height(p), rows = rows_of(in, width, row - top);
    struct field_spot s = screen_field_draw(&in->field, p, row, LEFT, width, rows);
    if (s.above) page_put(p, row, columns - 1, PAGE_DIM, 0, "▲");
    if (s.below) page_put(p, row + rows - 1, columns - 1, PAGE_DIM, 0, "▼");
    spot->cursor_row = s.row;
    spot->cursor_column = s.column;
    spot->box = (struct input_box){row, LEFT, width, rows};
    screen_input_say_full(in, p);
}

static enum input_result key_text(struct input *in, const struct key *k) {
    int by = (k->code == PRESS_DOWN) - (k->code == PRESS_UP);
    in->field.most = FIELD_LONG;
    if (k->code == PRESS_ENTER)
        return screen_input_answer(in, base_dup(screen_field_text(&in->field)));
    if (!by)
        return screen_input_point(in, k) || screen_field_key(&in->field, k) ? INPUT_REDRAW
                                                                            : INPUT_IGNORED;
    screen_field_move_row(&in->field, by, width_of(in->columns));
    return INPUT_REDRAW;
}

const struct input_operations screen_input_text = {
    .typing = true,
    .enter = INPUT_IS_DONE,
    .how = "Write in your own words; nobody reads it but you",
    .draw = draw_text,
    .key = key_text};
