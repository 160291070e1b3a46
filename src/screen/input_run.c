/* input_run: a lab that is to be run, or whose recordings are to be played where it has any. The lesson's view opens the lab's. */
#include "screen/input.h"

#include <stdlib.h>

static void draw_line(const struct input *in, struct page *p, struct input_spot *spot, size_t i,
                      const char *before, const char *name) {
    int row = page_height(p);
    bool here = i == in->at;
    if (here) page_put(p, row, 1, PAGE_ACCENT, PAGE_BOLD, "▸");
    int end = page_put(p, row, 3, here ? PAGE_STRONG : PAGE_PLAIN, 0, before);
    page_put(p, row, end, PAGE_ACCENT, 0, name);
    if (row < INPUT_ROWS) spot->target[row] = (int)i;
    if (!here) return;
    spot->cursor_row = row;
    spot->cursor_column = 3;
}

static void draw_run(const struct input *in, struct page *p, struct input_spot *spot) {
    draw_line(in, p, spot, 0, "Run the lab ", in->ask->lab);
    if (!in->recorded) return;
    draw_line(in, p, spot, 1, "Watch its recording instead", "");
    char *machine = base_format("made on %s; nothing is run here", in->recorded);
    page_text(p, (struct page_flow){.indent = 5, .width = page_width(p) - 6, .role = PAGE_DIM},
              machine);
    free(machine);
}

static enum input_result key_run(struct input *in, const struct key *k) {
    bool clicked = k->code == PRESS_CLICK;
    if (screen_input_move(in, k, in->recorded ? 2 : 1) && !clicked) return INPUT_REDRAW;
    if (k->code != PRESS_ENTER && !(clicked && k->target == (int)in->at)) return INPUT_IGNORED;
    return in->at == 0 ? INPUT_RUN : INPUT_REPLAY;
}

const struct input_operations screen_input_runs = {
    .enter = INPUT_STARTS, .draw = draw_run, .key = key_run};
