/* input_options: answers that are picked: one of several, an order, bins, ticks. */
#include "screen/input.h"

#include <string.h>

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

/* ── one of several ──────────────────────────────────────────────────────────────────────────────*/
static void draw_choice(const struct input *in, struct page *p, struct input_spot *spot) {
    screen_input_draw_options(in, p, spot, 0, NULL);
}

static enum input_result key_choice(struct input *in, const struct key *k) {
    if (k->code == PRESS_ENTER || k->code == ' ')
        return screen_input_answer(in, base_format("%zu", in->at + 1));
    return screen_input_move(in, k, options_of(in)) ? INPUT_REDRAW : INPUT_IGNORED;
}

const struct input_operations screen_input_choice = {
    .enter = INPUT_CHOOSES,
    .how = "Move with the arrows or a number, Enter chooses",
    .draw = draw_choice,
    .key = key_choice};

/* ── an order: what is picked first is first ─────────────────────────────────────────────────────*/
static const char *mark_place(const struct input *in, size_t i, char *out, size_t size) {
    snprintf(out, size, in->mark[i] ? "%d." : "·", in->mark[i]);
    return out;
}

static void draw_order(const struct input *in, struct page *p, struct input_spot *spot) {
    screen_input_draw_options(in, p, spot, 2, mark_place);
}

static void pick_next(struct input *in) {
    if (!in->mark[in->at]) in->mark[in->at] = (int)marked(in) + 1;
}

static void take_back(struct input *in) {
    int last = (int)marked(in);
    for (size_t i = 0; i < options_of(in); i++)
        if (in->mark[i] == last) in->mark[i] = 0;
}

static enum input_result key_order(struct input *in, const struct key *k) {
    bool done = marked(in) == options_of(in);
    if (k->code == PRESS_ENTER && done) return screen_input_answer(in, numbers(in, true));
    if (k->code == PRESS_ENTER && in->mark[in->at]) return INPUT_UNFINISHED;
    if (k->code == PRESS_BACKSPACE) {
        take_back(in);
        return INPUT_REDRAW;
    }
    bool moved = screen_input_move(in, k, options_of(in));
    if (k->code == PRESS_ENTER || k->code == ' ' ||
        (moved && (screen_input_digit(k) || k->code == PRESS_CLICK))) {
        pick_next(in);
        return INPUT_REDRAW;
    }
    return moved ? INPUT_REDRAW : INPUT_IGNORED;
}

const struct input_operations screen_input_order = {
    .hand = INPUT_PICKS,
    .enter = INPUT_CHECKS,
    .how = "Space or a number gives the next place, Backspace takes it back",
    .unfinished = "give every line its place first: Space, or its number",
    .draw = draw_order,
    .key = key_order};

/* ── bins ────────────────────────────────────────────────────────────────────────────────────────*/
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
static void draw_bins(const struct input *in, struct page *p, struct input_spot *spot) {
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

static void draw_sort(const struct input *in, struct page *p, struct input_spot *spot) {
    screen_input_draw_options(in, p, spot, bin_width(in->ask), mark_bin);
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
        return marked(in) == options_of(in) ? screen_input_answer(in, pairs(in)) : INPUT_UNFINISHED;
    if (put_in_bin(in, k)) return INPUT_REDRAW;
    return screen_input_move(in, k, options_of(in)) ? INPUT_REDRAW : INPUT_IGNORED;
}

const struct input_operations screen_input_sort = {
    .hand = INPUT_FILLS,
    .enter = INPUT_CHECKS,
    .how = "Arrows up and down choose a line, left and right or a letter its place",
    .unfinished = "put every line somewhere first: ← →, or a letter",
    .draw = draw_sort,
    .key = key_sort};

/* ── ticks ───────────────────────────────────────────────────────────────────────────────────────*/
static const char *mark_tick(const struct input *in, size_t i, char *out, size_t size) {
    snprintf(out, size, in->mark[i] ? "[x]" : "[ ]");
    return out;
}

static void draw_ticks(const struct input *in, struct page *p, struct input_spot *spot) {
    if (*in->ask->prompt) {
        page_text(p, (struct page_flow){.indent = 3, .role = PAGE_DIM}, in->ask->prompt);
    }
    screen_input_draw_options(in, p, spot, 3, mark_tick);
}

static enum input_result key_ticks(struct input *in, const struct key *k) {
    if (k->code == PRESS_ENTER) return screen_input_answer(in, numbers(in, false));
    bool moved = screen_input_move(in, k, options_of(in));
    if (k->code == ' ' || (moved && (screen_input_digit(k) || k->code == PRESS_CLICK))) {
        in->mark[in->at] = !in->mark[in->at];
        return INPUT_REDRAW;
    }
    return moved ? INPUT_REDRAW : INPUT_IGNORED;
}

const struct input_operations screen_input_ticks = {
    .hand = INPUT_MARKS,
    .enter = INPUT_IS_DONE,
    .how = "Space or a number ticks what you covered, Enter is done",
    .draw = draw_ticks,
    .key = key_ticks};
