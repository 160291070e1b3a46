/* input_sliders: explore. Up and down choose a slider, left and right move it, and the figure above follows. */
#include "screen/input.h"

enum { TRACK = 25, TRACK_LEAST = 5, LABEL_MOST = 18, VALUE_MOST = 16 };

struct widths {
    int label, value;
};

static struct widths measure(const struct lesson_ask *a) {
    struct widths w = {0, 0};
    for (size_t i = 0; i < a->sliders; i++) {
        int label = base_width(a->slider[i].label), value = base_width(a->slider[i].value);
        if (label > w.label) w.label = label;
        if (value > w.value) w.value = value;
    }
    if (w.label > LABEL_MOST) w.label = LABEL_MOST;
    if (w.value < VALUE_MOST) w.value = VALUE_MOST;
    return w;
}

static void draw_track(struct page *p, int row, int column, int width,
                       const struct lesson_slider *s, bool here) {
    int knob = s->count > 1 ? (int)((size_t)(width - 1) * s->position / (s->count - 1)) : 0;
    for (int i = 0; i < width; i++) page_put(p, row, column + i, PAGE_DIM, 0, "─");
    page_put(p, row, column + knob, here ? PAGE_ACCENT : PAGE_PLAIN, here ? PAGE_BOLD : 0, "●");
}

static void draw_sliders(const struct input *in, struct page *p, struct input_spot *spot) {
    struct widths w = measure(in->ask);
    int track = page_width(p) - 3 - w.label - 2 - 2 - w.value - 1;
    if (track > TRACK) track = TRACK;
    if (track >= TRACK_LEAST) spot->box = (struct input_box){0, 3 + w.label + 2, track, 0};
    for (size_t i = 0; i < in->ask->sliders; i++) {
        const struct lesson_slider *s = &in->ask->slider[i];
        int row = page_height(p), column = 3 + w.label + 2;
        bool here = i == in->at;
        if (here) page_put(p, row, 1, PAGE_ACCENT, PAGE_BOLD, "▸");
        page_put(p, row, 3, here ? PAGE_STRONG : PAGE_PLAIN, 0, s->label);
        if (track >= TRACK_LEAST) draw_track(p, row, column, track, s, here);
        int value = track >= TRACK_LEAST ? column + track + 2 : column;
        page_put(p, row, value, here ? PAGE_STRONG : PAGE_PLAIN, 0, s->value);
        if (row < INPUT_ROWS) spot->target[row] = (int)i;
        if (!here) continue;
        spot->cursor_row = row;
        spot->cursor_column = value;
    }
}

static enum input_result slide(struct input *in, int by) {
    const struct lesson_slider *s = &in->ask->slider[in->at];
    if (by == 0 || (by < 0 && s->position == 0) || (by > 0 && s->position + 1 >= s->count))
        return INPUT_REDRAW;
    in->action = (struct lesson_action){.kind = LESSON_DO_MOVE, .index = in->at, .by = by};
    return INPUT_DO;
}

/* A click on a track: the knob goes to the value that lies nearest. */
static bool on_track(const struct input *in, const struct key *k) {
    const struct input_box *b = &in->box;
    return k->code == PRESS_CLICK && k->target >= 0 && (size_t)k->target < in->ask->sliders &&
           k->column >= b->column && k->column < b->column + b->width;
}

static enum input_result slide_to(struct input *in, const struct key *k) {
    in->at = (size_t)k->target;
    const struct lesson_slider *s = &in->ask->slider[in->at];
    int last = (int)s->count - 1, cells = in->box.width - 1;
    int wanted = ((k->column - in->box.column) * last + cells / 2) / cells;
    return slide(in, wanted - (int)s->position);
}

static enum input_result key_sliders(struct input *in, const struct key *k) {
    const struct lesson_ask *a = in->ask;
    if (k->code == PRESS_ENTER) {
        in->action = (struct lesson_action){.kind = LESSON_DO_NEXT};
        return INPUT_DO;
    }
    if (a->sliders == 0) return INPUT_IGNORED;
    if (on_track(in, k)) return slide_to(in, k);
    if (k->code == PRESS_LEFT || k->code == 'h') return slide(in, -1);
    if (k->code == PRESS_RIGHT || k->code == 'l') return slide(in, 1);
    return !screen_input_digit(k) && screen_input_move(in, k, a->sliders) ? INPUT_REDRAW
                                                                          : INPUT_IGNORED;
}

const struct input_operations screen_input_sliders = {
    .hand = INPUT_SLIDES,
    .enter = INPUT_GOES_ON,
    .how = "Up and down choose a slider, left and right (or h and l) move it; a click does both",
    .draw = draw_sliders,
    .key = key_sliders};
