/* input_scenes: animate and read. Right goes on in the play, left goes back; digits, + and - change the ranks where the lesson lets them be changed. */
#include "screen/input.h"

enum { STEP, RANKS, RANKS_LEAST = 2 };

static void draw_dots(struct page *p, int row, int column, const struct lesson_slider *s) {
    for (size_t i = 0; i < s->count; i++)
        column = page_put(p, row, column, i <= s->position ? PAGE_ACCENT : PAGE_DIM, 0,
                          i <= s->position ? "●" : "○");
}

static void draw_scenes(const struct input *in, struct page *p, struct input_spot *spot) {
    const struct lesson_slider *step = &in->ask->slider[STEP];
    int row = page_height(p),
        end = page_printf(p, row, 1, PAGE_STRONG, "%s %s", step->label, step->value);
    spot->cursor_row = row;
    spot->cursor_column = end;
    if (in->ask->sliders > RANKS)
        end = page_printf(p, row, end + 3, PAGE_STRONG, "ranks %s", in->ask->slider[RANKS].value);
    if (end + 3 + (int)step->count < page_width(p)) draw_dots(p, row, end + 3, step);
}

static enum input_result move(struct input *in, size_t index, long to) {
    if (index >= in->ask->sliders) return INPUT_IGNORED;
    const struct lesson_slider *s = &in->ask->slider[index];
    if (to < 0) to = 0;
    if (to >= (long)s->count) to = (long)s->count - 1;
    int by = (int)(to - (long)s->position);
    if (by == 0) return INPUT_REDRAW;
    in->action = (struct lesson_action){.kind = LESSON_DO_MOVE, .index = index, .by = by};
    return INPUT_DO;
}

static enum input_result key_scenes(struct input *in, const struct key *k) {
    long step = (long)in->ask->slider[STEP].position, last = (long)in->ask->slider[STEP].count - 1;
    long ranks = in->ask->sliders > RANKS ? (long)in->ask->slider[RANKS].position : 0;
    size_t digit = screen_input_digit(k);
    if (digit >= RANKS_LEAST) return move(in, RANKS, (long)digit - RANKS_LEAST);
    switch (k->code) {
    case PRESS_ENTER: in->action = (struct lesson_action){.kind = LESSON_DO_NEXT}; return INPUT_DO;
    case PRESS_RIGHT:
    case 'l':
    case ' ': return move(in, STEP, step + 1);
    case PRESS_LEFT:
    case 'h': return move(in, STEP, step - 1);
    case PRESS_HOME: return move(in, STEP, 0);
    case PRESS_END: return move(in, STEP, last);
    case '+': return move(in, RANKS, ranks + 1);
    case '-': return move(in, RANKS, ranks - 1);
    default: return INPUT_IGNORED;
    }
}

const struct input_operations screen_input_scenes = {
    .hand = INPUT_PLAYS,
    .enter = INPUT_GOES_ON,
    .how = "Right (or l, or Space) goes a step on, left (or "
           "h) a step back, Home and End to its ends; where "
           "the ranks can be changed, 2 to 8, + and - do it",
    .draw = draw_scenes,
    .key = key_scenes};
