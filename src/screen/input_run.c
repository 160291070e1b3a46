/* input_run: a lab that is to be run. Enter runs it; the lesson's view opens the lab's. */
#include "screen/input.h"

static void draw_run(const struct input *in, struct paper *p, struct input_spot *spot) {
    int row = paper_height(p);
    int end = paper_put(p, row, 1, PAPER_ACCENT, PAPER_BOLD, "▸ ");
    end = paper_put(p, row, end, PAPER_STRONG, 0, "Run the lab ");
    paper_put(p, row, end, PAPER_ACCENT, 0, in->ask->lab);
    spot->cursor_row = row;
    spot->cursor_column = 3;
    spot->target[row] = 0;
}

static enum input_result key_run(struct input *in, const struct key *k) {
    (void)in;
    return k->code == PRESS_ENTER || (k->code == PRESS_CLICK && k->target == 0) ? INPUT_RUN
                                                                                : INPUT_IGNORED;
}

const struct input_operations INPUT_RUNS = {
    .enter = INPUT_STARTS, .draw = draw_run, .key = key_run};
