/* input_run: a lab that is to be run, or whose recordings are to be played where it has any. The lesson's view opens the lab's. */
#include "screen/input.h"

#include <stdlib.h>

static void draw_line(const struct input *in, struct paper *p, struct input_spot *spot, size_t i,
                      const char *before, const char *name) {
    int row = paper_height(p);
    bool here = i == in->at;
    if (here) paper_put(p, row, 1, PAPER_ACCENT, PAPER_BOLD, "▸");
    int end = paper_put(p, row, 3, here ? PAPER_STRONG : PAPER_PLAIN, 0, before);
    paper_put(p, row, end, PAPER_ACCENT, 0, name);
    if (row < INPUT_ROWS) spot->target[row] = (int)i;
    if (!here) return;
    spot->cursor_row = row;
    spot->cursor_column = 3;
}

static void draw_run(const struct input *in, struct paper *p, struct input_spot *spot) {
    draw_line(in, p, spot, 0, "Run the lab ", in->ask->lab);
    if (!in->recorded) return;
    draw_line(in, p, spot, 1, "Watch its recording instead", "");
    char *machine = base_format("made on %s; nothing is run here", in->recorded);
    paper_text(p, (struct paper_flow){.indent = 5, .width = paper_width(p) - 6, .role = PAPER_DIM},
               machine);
    free(machine);
}

static enum input_result key_run(struct input *in, const struct key *k) {
    bool clicked = k->code == PRESS_CLICK;
    if (input_move(in, k, in->recorded ? 2 : 1) && !clicked) return INPUT_REDRAW;
    if (k->code != PRESS_ENTER && !(clicked && k->target == (int)in->at)) return INPUT_IGNORED;
    return in->at == 0 ? INPUT_RUN : INPUT_REPLAY;
}

const struct input_operations INPUT_RUNS = {
    .enter = INPUT_STARTS, .draw = draw_run, .key = key_run};
