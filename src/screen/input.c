/* input: what the forms of answers share. */
#include "screen/input.h"

#include "experiment/experiment.h"

#include <stdlib.h>

static void draw_nothing(const struct input *in, struct page *p, struct input_spot *spot) {
    (void)in, (void)p, (void)spot;
}

static enum input_result go_on(struct input *in, const struct key *k) {
    if (k->code != PRESS_ENTER) return INPUT_IGNORED;
    in->action = (struct lesson_action){.kind = LESSON_DO_NEXT};
    return INPUT_DO;
}

const struct input_operations screen_input_next = {
    .enter = INPUT_READS_ON, .draw = draw_nothing, .key = go_on};

static const struct input_operations *const FORMS[LESSON_FORMS] = {
    [LESSON_NEXT] = &screen_input_next,   [LESSON_NUMBER] = &screen_input_number,
    [LESSON_LINE] = &screen_input_line,   [LESSON_CHOICE] = &screen_input_choice,
    [LESSON_ORDER] = &screen_input_order, [LESSON_SORT] = &screen_input_sort,
    [LESSON_TICKS] = &screen_input_ticks, [LESSON_SLIDERS] = &screen_input_sliders,
    [LESSON_TEXT] = &screen_input_text,   [LESSON_RUN] = &screen_input_runs,
    [LESSON_WRITE] = &screen_input_memo,
};

void screen_input_begin(struct input *in, const struct lesson_ask *ask,
                        const struct field_history *history) {
    screen_input_end(in);
    in->does = !ask ? &screen_input_next : ask->scenes ? &screen_input_scenes : FORMS[ask->form];
    in->ask = ask;
    if (ask && ask->form == LESSON_RUN && experiment_lab_find(ask->lab))
        in->recorded = experiment_recorded_on(experiment_lab_find(ask->lab));
    in->field.history = in->does == &screen_input_text ? NULL : history;
}

void screen_input_end(struct input *in) {
    screen_field_free(&in->field);
    free(in->answer);
    free(in->recorded);
    *in = (struct input){
        .does = &screen_input_next, .columns = in->columns, .capacity = in->capacity};
}

void screen_input_draw(const struct input *in, struct page *p, struct input_spot *spot) {
    spot->cursor_row = spot->cursor_column = -1;
    spot->pinned = 0;
    spot->bins = 0;
    spot->box = (struct input_box){0};
    for (size_t i = 0; i < INPUT_ROWS; i++) spot->target[i] = -1;
    in->does->draw(in, p, spot);
}

enum input_result screen_input_key(struct input *in, const struct key *k) {
    return in->does->key(in, k);
}

bool screen_input_typed(const struct input *in) {
    return in->field.text.length > 0;
}

enum input_result screen_input_answer(struct input *in, char *text) {
    free(in->answer);
    in->answer = text;
    in->action = (struct lesson_action){.kind = LESSON_DO_ANSWER, .text = text};
    return INPUT_DO;
}

bool screen_input_point(struct input *in, const struct key *k) {
    const struct input_box *b = &in->box;
    if (k->code != PRESS_CLICK || k->target != INPUT_FIELD) return false;
    screen_field_point(&in->field, k->row - b->row, k->column - b->column, b->width, b->rows);
    return true;
}

size_t screen_input_digit(const struct key *k) {
    return k->code >= '1' && k->code <= '9' ? k->code - '0' : 0;
}

bool screen_input_move(struct input *in, const struct key *k, size_t count) {
    size_t digit = screen_input_digit(k);
    if (count == 0) return false;
    if (digit && digit <= count) {
        in->at = digit - 1;
        return true;
    }
    switch (k->code) {
    case PRESS_UP:
    case 'k': in->at -= in->at > 0; return true;
    case PRESS_DOWN:
    case 'j': in->at += in->at + 1 < count; return true;
    case PRESS_HOME: in->at = 0; return true;
    case PRESS_END: in->at = count - 1; return true;
    case PRESS_CLICK:
        if (k->target < 0 || (size_t)k->target >= count) return false;
        in->at = (size_t)k->target;
        return true;
    default: return false;
    }
}

static void draw_option(const struct input *in, struct page *p, size_t i, int mark_width,
                        const char *mark) {
    bool here = i == in->at;
    int row = page_height(p), column = 5 + (mark_width ? mark_width + 1 : 0);
    page_markdown(p, (struct page_flow){.indent = column, .width = page_width(p) - column - 1},
                  in->ask->option[i]);
    if (here) page_put(p, row, 1, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_printf(p, row, 3, here ? PAGE_ACCENT : PAGE_KEY, "%zu", i + 1);
    if (mark_width)
        page_put(p, row, 5, *mark && mark[0] != '[' ? PAGE_STRONG : PAGE_PLAIN, 0, mark);
}

void screen_input_draw_options(const struct input *in, struct page *p, struct input_spot *spot,
                               int mark_width,
                               const char *(*mark)(const struct input *in, size_t option, char *out,
                                                   size_t size)) {
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
