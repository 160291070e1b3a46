/* input_cursor: answers that are given with a cursor: one of several, an order, bins, ticks; a lab
 * to run, a memo to write; the steps of an animation, sliders. */
#include "screen/input.h"

#include <stdlib.h>
#include <string.h>

enum { WRITE, CHECK, MEMO_CHOICES }; /* what can be done with a memo */
enum { TRACK = 25, TRACK_LEAST = 5, LABEL_MOST = 18, VALUE_MOST = 16 };

/* Answers with a text, which it takes. */
static enum input_result give(struct input *in, char *text) {
    in->answer = text;
    return INPUT_DO;
}

/* The digit of a key (1 to 9), or 0. */
static size_t digit_of(const struct key *k) {
    return k->code >= '1' && k->code <= '9' ? k->code - '0' : 0;
}

/* Moves the cursor over `count` things by arrows, j and k, digits, Home and End, or a click. False
 * if the key was none of these. */
static bool move_cursor(struct input *in, const struct key *k, size_t count) {
    size_t digit = digit_of(k);
    if (count == 0) return false;
    in->aimed = true;
    if (digit && digit <= count) {
        in->at = digit - 1;
        return true;
    }
    switch (k->code) {
    case PRESS_UP:
    case 'k': in->at -= in->at > 0; return true;
    case PRESS_DOWN:
    case 'j': in->at = in->at >= count ? 0 : in->at + (in->at + 1 < count); return true;
    case PRESS_HOME: in->at = 0; return true;
    case PRESS_END: in->at = count - 1; return true;
    case PRESS_CLICK:
        if (k->target < 0 || (size_t)k->target >= count) return false;
        in->at = (size_t)k->target;
        return true;
    default: return false;
    }
}

/* ── options ───────────────────────────────────────────────────────────────────────────────────*/
static void draw_option(const struct input *in, struct page *p, size_t i, int mark_width,
                        const char *mark) {
    bool here = i == in->at;
    int row = page_height(p), column = 5 + (mark_width ? mark_width + 1 : 0);
    page_markdown(p, (struct page_flow){.indent = column, .width = page_width(p) - column - 1},
                  in->ask->option[i]);
    if (here) page_put(p, row, 1, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_printf(p, row, 3, here ? PAGE_ACCENT : PAGE_KEY, "%zu", i + 1);
    if (mark_width) page_put(p, row, 5, PAGE_PLAIN, 0, mark);
}

/* The list of options: the cursor, a number, `mark_width` cells for `mark`, and the option's
 * Markdown. */
static void
draw_options(const struct input *in, struct page *p, struct input_spot *spot, int mark_width,
             const char *(*mark)(const struct input *in, size_t option, char *out, size_t size)) {
    for (size_t i = 0; i < in->ask->options && i < INPUT_OPTIONS; i++) {
        char text[80];
        int row = page_height(p);
        draw_option(in, p, i, mark_width, mark_width ? mark(in, i, text, sizeof text) : "");
        for (int r = row; r < page_height(p) && r < INPUT_ROWS; r++) spot->target[r] = (int)i;
        if (i != in->at) continue;
        spot->cursor_row = row;
        spot->cursor_column = 3;
    }
}

static size_t options_of(const struct input *in) {
    return in->ask->options < INPUT_OPTIONS ? in->ask->options : INPUT_OPTIONS;
}

static size_t marked(const struct input *in) {
    size_t n = 0;
    for (size_t i = 0; i < options_of(in); i++) n += in->mark[i] != 0;
    return n;
}

/* The numbers of the marked options, in the order of their marks or of the list. */
static char *numbers(const struct input *in, bool by_mark) {
    struct base_text t = {0};
    size_t count = options_of(in);
    for (size_t place = 1; place <= (by_mark ? count : 1); place++)
        for (size_t i = 0; i < count; i++)
            if (by_mark ? in->mark[i] == (int)place : in->mark[i])
                base_text_printf(&t, t.length ? " %zu" : "%zu", i + 1);
    return base_text_take(&t);
}

/* ── one of several ────────────────────────────────────────────────────────────────────────────*/
static void draw_choice(struct input *in, struct page *p, struct input_spot *spot) {
    draw_options(in, p, spot, 0, NULL);
}

/* A click on the line under the cursor chooses it, as at home. */
static enum input_result key_choice(struct input *in, const struct key *k) {
    bool again = in->aimed && k->code == PRESS_CLICK && k->target == (int)in->at;
    bool takes = k->code == PRESS_ENTER || k->code == ' ';
    if (takes && in->at >= options_of(in)) return INPUT_UNFINISHED;
    if (takes || again) return give(in, base_format("%zu", in->at + 1));
    return move_cursor(in, k, options_of(in)) ? INPUT_REDRAW : INPUT_IGNORED;
}

const struct input_operations screen_input_choice = {
    .enter = INPUT_CHOOSES,
    .how = "Move with the arrows or a number, Enter chooses, and so does a second click.",
    .unfinished = "choose a line first, with its number or an arrow",
    .draw = draw_choice,
    .key = key_choice};

/* ── an order: what is picked first is first ───────────────────────────────────────────────────*/
static const char *mark_place(const struct input *in, size_t i, char *out, size_t size) {
    snprintf(out, size, in->mark[i] ? "[%d]" : "[ ]", in->mark[i]);
    return out;
}

static void draw_order(struct input *in, struct page *p, struct input_spot *spot) {
    draw_options(in, p, spot, 3, mark_place);
}

static void pick_next(struct input *in) {
    if (!in->mark[in->at]) in->mark[in->at] = (int)marked(in) + 1;
}

static void take_back(struct input *in) {
    int last = (int)marked(in);
    for (size_t i = 0; i < options_of(in); i++)
        if (in->mark[i] == last) in->mark[i] = 0;
}

/* A click on the line that was placed last takes it back. */
static void click_order(struct input *in) {
    if (in->mark[in->at] && in->mark[in->at] == (int)marked(in))
        take_back(in);
    else
        pick_next(in);
}

static enum input_result key_order(struct input *in, const struct key *k) {
    bool done = marked(in) == options_of(in);
    if (k->code == PRESS_ENTER && done) return give(in, numbers(in, true));
    if (k->code == PRESS_ENTER && in->mark[in->at]) return INPUT_UNFINISHED;
    if (k->code == PRESS_BACKSPACE) {
        take_back(in);
        return INPUT_REDRAW;
    }
    bool moved = move_cursor(in, k, options_of(in));
    if (moved && k->code == PRESS_CLICK) {
        click_order(in);
        return INPUT_REDRAW;
    }
    if (k->code == PRESS_ENTER || k->code == ' ' || (moved && digit_of(k))) {
        pick_next(in);
        return INPUT_REDRAW;
    }
    return moved ? INPUT_REDRAW : INPUT_IGNORED;
}

const struct input_operations screen_input_order = {
    .hand = INPUT_PICKS,
    .enter = INPUT_CHECKS,
    .how = "Space, a number or a click gives a line the next place. Backspace takes it back.",
    .unfinished = "give every line its place first with Space or its number",
    .draw = draw_order,
    .key = key_order};

/* ── bins ──────────────────────────────────────────────────────────────────────────────────────*/
static int bin_width(const struct lesson_ask *a) {
    int width = 1;
    for (size_t i = 0; i < a->bins; i++)
        if (base_width(a->bin[i]) > width) width = base_width(a->bin[i]);
    return width + 2;
}

static const char *mark_bin(const struct input *in, size_t i, char *out, size_t size) {
    if (in->mark[i])
        snprintf(out, size, "[%s]", in->ask->bin[in->mark[i] - 1]);
    else
        snprintf(out, size, "[ ]");
    return out;
}

/* The bins by their letters, each a place to click on; a bin is not broken over two rows. */
static void draw_bins(struct input *in, struct page *p, struct input_spot *spot) {
    int first = page_height(p), row = first, column = page_put(p, row, 3, PAGE_DIM, 0, "← → or");
    for (size_t i = 0; i < in->ask->bins && i < INPUT_BINS; i++) {
        int width = 2 + base_width(in->ask->bin[i]);
        bool fits = column + 3 + width < page_width(p);
        if (fits && i > 0) page_put(p, row, column + 1, PAGE_DIM, 0, "·");
        column = fits ? column + (i > 0 ? 3 : 1) : 3;
        row += !fits;
        page_printf(p, row, column, PAGE_KEY, "%c", (int)('a' + i));
        page_put(p, row, column + 2, PAGE_DIM, 0, in->ask->bin[i]);
        spot->bin[spot->bins++] = (struct input_bin){row, column, width};
        column += width;
    }
    spot->pinned = row + 1 - first;
}

static void draw_sort(struct input *in, struct page *p, struct input_spot *spot) {
    draw_options(in, p, spot, bin_width(in->ask), mark_bin);
    draw_bins(in, p, spot);
}

static char *pairs(const struct input *in) {
    struct base_text t = {0};
    for (size_t i = 0; i < options_of(in); i++)
        base_text_printf(&t, "%s%zu=%c", i ? " " : "", i + 1, 'a' + in->mark[i] - 1);
    return base_text_take(&t);
}

/* The bin whose letter was pressed, or that was clicked; else none of them. */
static int bin_named(const struct key *k) {
    if (k->code == PRESS_CLICK) return k->target - INPUT_BIN;
    return k->code >= 'a' && k->code <= 'z' ? (int)(k->code - 'a') : -1;
}

static bool put_in_bin(struct input *in, const struct key *k) {
    int bins = (int)in->ask->bins, *bin = &in->mark[in->at], named = bin_named(k);
    if (k->code == PRESS_RIGHT || k->code == ' ')
        *bin = *bin % bins + 1;
    else if (k->code == PRESS_LEFT)
        *bin = *bin > 1 ? *bin - 1 : bins;
    else if (named >= 0 && named < bins) {
        *bin = named + 1;
        in->at += in->at + 1 < options_of(in);
    } else
        return false;
    return true;
}

static enum input_result key_sort(struct input *in, const struct key *k) {
    if (k->code == PRESS_ENTER)
        return marked(in) == options_of(in) ? give(in, pairs(in)) : INPUT_UNFINISHED;
    if (put_in_bin(in, k)) return INPUT_REDRAW;
    return move_cursor(in, k, options_of(in)) ? INPUT_REDRAW : INPUT_IGNORED;
}

const struct input_operations screen_input_sort = {
    .hand = INPUT_FILLS,
    .enter = INPUT_CHECKS,
    .how = "Up and down choose a line. Left and right, or a letter, choose its bin.",
    .unfinished = "put every line in a bin first with ← → or a letter",
    .draw = draw_sort,
    .key = key_sort};

/* ── ticks ─────────────────────────────────────────────────────────────────────────────────────*/
static const char *mark_tick(const struct input *in, size_t i, char *out, size_t size) {
    snprintf(out, size, in->mark[i] ? "[x]" : "[ ]");
    return out;
}

static void draw_ticks(struct input *in, struct page *p, struct input_spot *spot) {
    if (*in->ask->prompt) {
        page_text(p, (struct page_flow){.indent = 3, .role = PAGE_DIM}, in->ask->prompt);
    }
    draw_options(in, p, spot, 3, mark_tick);
}

static enum input_result key_ticks(struct input *in, const struct key *k) {
    if (k->code == PRESS_ENTER && marked(in) == 0 && !in->aimed) {
        in->aimed = true;
        return INPUT_UNFINISHED;
    }
    if (k->code == PRESS_ENTER) return give(in, numbers(in, false));
    bool moved = move_cursor(in, k, options_of(in));
    if (k->code == ' ' || (moved && (digit_of(k) || k->code == PRESS_CLICK))) {
        in->mark[in->at] = !in->mark[in->at];
        return INPUT_REDRAW;
    }
    return moved ? INPUT_REDRAW : INPUT_IGNORED;
}

const struct input_operations screen_input_ticks = {
    .hand = INPUT_MARKS,
    .enter = INPUT_IS_DONE,
    .how = "Tick each point that you covered with Space or its number, then press Enter.",
    .unfinished = "tick with Space what you covered; Enter again: none of it",
    .draw = draw_ticks,
    .key = key_ticks};

/* ── a lab that is to be run, or whose recordings are to be played; the lesson opens its view ───*/
/* One of a few things to do: the name of its object is accented. */
static void draw_way(const struct input *in, struct page *p, struct input_spot *spot, size_t i,
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

static void draw_run(struct input *in, struct page *p, struct input_spot *spot) {
    struct page_flow below = {.indent = 5, .width = page_width(p) - 6, .role = PAGE_DIM};
    draw_way(in, p, spot, 0, "Run the lab ", in->ask->lab);
    if (in->lacks_gpu) page_text(p, below, "it needs a GPU, and this machine has none");
    if (!in->recorded) return;
    draw_way(in, p, spot, 1, "Watch its recording instead", "");
    char *machine = base_format("recorded on %s; nothing runs on this machine", in->recorded);
    int row = page_height(p);
    page_text(p, below, machine);
    for (; row < page_height(p) && row < INPUT_ROWS; row++) spot->target[row] = 1;
    free(machine);
}

/* Enter, or a click on the line under the cursor. */
static bool takes_line(const struct input *in, const struct key *k) {
    return k->code == PRESS_ENTER || (k->code == PRESS_CLICK && k->target == (int)in->at);
}

static enum input_result key_run(struct input *in, const struct key *k) {
    if (takes_line(in, k)) return in->at == 0 ? INPUT_RUN : INPUT_REPLAY;
    return move_cursor(in, k, in->recorded ? 2 : 1) ? INPUT_REDRAW : INPUT_IGNORED;
}

const struct input_operations screen_input_runs = {
    .enter = INPUT_STARTS, .draw = draw_run, .key = key_run};

/* ── a memo that is to be written, and then checked; the lesson opens its view ─────────────────*/
static void draw_memo(struct input *in, struct page *p, struct input_spot *spot) {
    char *name = base_format("%s.md", in->ask->memo);
    draw_way(in, p, spot, WRITE, "Write the memo ", name);
    draw_way(in, p, spot, CHECK, "Check it as it is", "");
    free(name);
}

static enum input_result key_memo(struct input *in, const struct key *k) {
    if (takes_line(in, k)) return in->at == WRITE ? INPUT_WRITE : INPUT_HAND_IN;
    return move_cursor(in, k, MEMO_CHOICES) ? INPUT_REDRAW : INPUT_IGNORED;
}

const struct input_operations screen_input_memo = {
    .enter = INPUT_OPENS, .draw = draw_memo, .key = key_memo};

/* ── read: right goes a note on, left a note back ──────────────────────────────────────────────*/
/* A dot for each note; at the last position all are full. */
static void draw_dots(struct page *p, int row, int column, const struct lesson_ask *a) {
    const struct lesson_slider *s = &a->slider[0];
    size_t full = s->position + a->notes;
    for (size_t i = 1; i < s->count; i++)
        column =
            page_put(p, row, column, i <= full ? PAGE_ACCENT : PAGE_DIM, 0, i <= full ? "●" : "○");
}

static void draw_scenes(struct input *in, struct page *p, struct input_spot *spot) {
    const struct lesson_slider *step = in->ask->slider;
    int row = page_height(p),
        end = page_printf(p, row, 1, PAGE_STRONG, "%s %s", step->label, step->value);
    spot->cursor_row = row;
    spot->cursor_column = end;
    if (end + 3 + (int)step->count < page_width(p)) draw_dots(p, row, end + 3, in->ask);
}

static enum input_result step_to(struct input *in, long to) {
    const struct lesson_slider *s = in->ask->slider;
    if (to < 0) to = 0;
    if (to >= (long)s->count) to = (long)s->count - 1;
    int by = (int)(to - (long)s->position);
    if (by == 0) return INPUT_REDRAW;
    in->action = (struct lesson_action){.kind = LESSON_DO_MOVE, .by = by};
    return INPUT_DO;
}

static enum input_result key_scenes(struct input *in, const struct key *k) {
    long step = (long)in->ask->slider->position, last = (long)in->ask->slider->count - 1;
    switch (k->code) {
    case PRESS_ENTER: in->action = (struct lesson_action){.kind = LESSON_DO_NEXT}; return INPUT_DO;
    case PRESS_RIGHT:
    case '.':
    case ' ': return step_to(in, step + 1);
    case PRESS_LEFT:
    case ',': return step_to(in, step - 1);
    case PRESS_HOME: return step_to(in, 0);
    case PRESS_END: return step_to(in, last);
    default: return INPUT_IGNORED;
    }
}

const struct input_operations screen_input_scenes = {
    .hand = INPUT_STEPS,
    .enter = INPUT_GOES_ON,
    .how = "Right or Space steps forward, left steps back, Home and End jump to the ends.",
    .draw = draw_scenes,
    .key = key_scenes};

/* ── sliders: up and down choose one, left and right move it, and the figure above follows ─────*/
struct widths {
    int label, value;
};

static struct widths measure_sliders(const struct lesson_ask *a) {
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

static void draw_sliders(struct input *in, struct page *p, struct input_spot *spot) {
    struct widths w = measure_sliders(in->ask);
    int track = page_width(p) - 3 - w.label - 2 - 2 - w.value - 1;
    int wider = page_width(p) - FRAME_PROSE, most = TRACK + (wider > 0 ? wider : 0);
    if (track > most) track = most;
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

static bool on_slider(const struct input *in, const struct key *k) {
    return k->target >= 0 && (size_t)k->target < in->ask->sliders;
}

/* A click on a track, or the mouse dragged from there: the knob goes to the value that lies
 * nearest. */
static bool on_track(const struct input *in, const struct key *k) {
    const struct input_box *b = &in->box;
    return k->code == PRESS_CLICK && on_slider(in, k) && k->column >= b->column &&
           k->column < b->column + b->width;
}

static enum input_result slide_to(struct input *in, int column) {
    const struct lesson_slider *s = &in->ask->slider[in->at];
    int last = (int)s->count - 1, cells = in->box.width - 1, at = column - in->box.column;
    at = at < 0 ? 0 : at > cells ? cells : at;
    return slide(in, (at * last + cells / 2) / cells - (int)s->position);
}

/* The wheel moves the slider that it is turned over. */
static enum input_result wheel(struct input *in, const struct key *k) {
    if (!on_slider(in, k)) return INPUT_IGNORED;
    in->at = (size_t)k->target;
    return slide(in, k->code == PRESS_WHEEL_UP ? 1 : -1);
}

static enum input_result key_sliders(struct input *in, const struct key *k) {
    const struct lesson_ask *a = in->ask;
    if (k->code == PRESS_ENTER) {
        in->action = (struct lesson_action){.kind = LESSON_DO_NEXT};
        return INPUT_DO;
    }
    if (a->sliders == 0) return INPUT_IGNORED;
    if (k->code == PRESS_DRAG) return in->held ? slide_to(in, k->column) : INPUT_IGNORED;
    if (k->code == PRESS_WHEEL_UP || k->code == PRESS_WHEEL_DOWN) return wheel(in, k);
    in->held = on_track(in, k);
    if (in->held) in->at = (size_t)k->target;
    if (in->held) return slide_to(in, k->column);
    if (k->code == PRESS_LEFT) return slide(in, -1);
    if (k->code == PRESS_RIGHT) return slide(in, 1);
    return !digit_of(k) && move_cursor(in, k, a->sliders) ? INPUT_REDRAW : INPUT_IGNORED;
}

const struct input_operations screen_input_sliders = {
    .hand = INPUT_SLIDES,
    .enter = INPUT_GOES_ON,
    .how = "Up and down choose a slider, left and right move it. The mouse drags it, "
           "and the wheel moves it.",
    .draw = draw_sliders,
    .key = key_sliders};

/* ── what has numbers ──────────────────────────────────────────────────────────────────────────*/
size_t screen_input_numbered(const struct input *in) {
    static const struct input_operations *const listing[] = {
        &screen_input_choice, &screen_input_order, &screen_input_sort, &screen_input_ticks};
    size_t lines = in->does == &screen_input_memo                   ? MEMO_CHOICES
                   : in->does == &screen_input_runs && in->recorded ? 2
                   : in->does == &screen_input_runs                 ? 1
                                                                    : 0;
    for (size_t i = 0; i < BASE_COUNT(listing); i++)
        if (in->does == listing[i]) lines = options_of(in);
    return lines < 9 ? lines : 9;
}
