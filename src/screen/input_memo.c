/* input_memo: a memo that is to be written, and then checked. The lesson's view opens the memo's. */
#include "screen/input.h"

#include <stdlib.h>

enum { WRITE, CHECK, CHOICES };

static void draw_choice(const struct input *in, struct page *p, struct input_spot *spot, size_t i,
                        const char *words, const char *name) {
    int row = page_height(p);
    bool here = i == in->at;
    if (here) page_put(p, row, 1, PAGE_ACCENT, PAGE_BOLD, "▸");
    int end = page_put(p, row, 3, here ? PAGE_STRONG : PAGE_PLAIN, 0, words);
    page_put(p, row, end, PAGE_ACCENT, 0, name);
    if (row < INPUT_ROWS) spot->target[row] = (int)i;
    if (!here) return;
    spot->cursor_row = row;
    spot->cursor_column = 3;
}

static void draw_memo(const struct input *in, struct page *p, struct input_spot *spot) {
    char *name = base_format("%s.md", in->ask->memo);
    draw_choice(in, p, spot, WRITE, "Write the memo ", name);
    draw_choice(in, p, spot, CHECK, "Have it checked as it is", "");
    free(name);
}

static enum input_result key_memo(struct input *in, const struct key *k) {
    bool clicked = k->code == PRESS_CLICK;
    if (screen_input_move(in, k, CHOICES) && !clicked) return INPUT_REDRAW;
    if (k->code != PRESS_ENTER && !(clicked && k->target == (int)in->at)) return INPUT_IGNORED;
    return in->at == WRITE ? INPUT_WRITE : INPUT_HAND_IN;
}

const struct input_operations screen_input_memo = {
    .enter = INPUT_OPENS, .draw = draw_memo, .key = key_memo};
